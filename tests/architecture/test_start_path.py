"""A hook runs `varves recall` at every prompt, so what that loads is counted."""

from __future__ import annotations

import subprocess
import sys

from tests.architecture.source import loaded_by

MAIN = "import sys; from varves.cli.main import main; sys.exit(main())"

NEVER = {
    "argparse",
    "asyncio",
    "click",
    "dataclasses",
    "msgspec",
    "numpy",
    "subprocess",
    "uuid",
}
NOT_BY_IMPORT_ALONE = NEVER | {
    "datetime",
    "enum",
    "hashlib",
    "inspect",
    "json",
    "pathlib",
    "re",
    "tomllib",
    "typing",
}
ACTING_MODULES = 14  # of ours, values, errors and settings not counted

PROMPT = " ".join(
    f"please look at how the service number {n} validates its input before we deploy"
    for n in range(7)
)


TRACE = """
import sys
acted = set()
def note(frame, kind, _):
    name = frame.f_globals.get("__name__", "")
    if kind == "call" and name.startswith("varves.") and frame.f_code.co_name[0] != "<":
        acted.add(name)
sys.setprofile(note)
from varves.cli.main import main
main()
sys.setprofile(None)
print("acted", *sorted(acted))
"""


def remember_a_few(varves):
    assert varves("init").code == 0
    for n in range(5):
        assert varves("remember", f"Service number {n} validates its input with Zod").code == 0
    assert varves("recall", PROMPT).out.strip()
    assert len(PROMPT.split()) > 89


def test_a_recall_loads_no_heavy_module(project, varves):
    remember_a_few(varves)
    assert not loaded_by(MAIN, "recall", PROMPT, cwd=project) & NEVER


def test_a_recall_passes_through_few_of_our_modules(project, varves):
    remember_a_few(varves)
    done = subprocess.run(
        [sys.executable, "-c", TRACE, "recall", PROMPT],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    acted = done.stdout.splitlines()[-1].split()[1:]
    apart = ("varves.values.", "varves.errors", "varves.settings")
    flow = [name for name in acted if not name.startswith(apart)]
    assert len(flow) <= ACTING_MODULES, f"{len(flow)}: {flow}"


def test_the_entry_point_alone_imports_almost_nothing():
    assert not loaded_by("import varves.cli.main") & NOT_BY_IMPORT_ALONE
