"""A hook runs `varves recall` at every prompt, so what that loads is counted."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
# Modules of ours in which a function ran; values, errors and settings are not counted.
ACTING_MODULES = {"recall": 12, "remember": 22}

PROMPT = " ".join(
    f"please look at how the service number {n} validates its input before we deploy"
    for n in range(7)
)


TRACE = """
import sys, varves
acted = set()
def note(frame, kind, _):
    name = frame.f_globals.get("__name__", "")
    of_function = frame.f_code.co_flags & 1  # not a module or a class body
    if kind == "call" and of_function and name.startswith("varves."):
        acted.add(name)
with varves.open() as ledger:
    ledger.remember("warm"); ledger.recall("warm")
    sys.setprofile(note)
    getattr(ledger, sys.argv[1])(sys.argv[2])
    sys.setprofile(None)
print(*sorted(acted))
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


@pytest.mark.parametrize("verb", ACTING_MODULES)
def test_a_call_passes_through_few_of_our_modules(verb, project, varves):
    remember_a_few(varves)
    done = subprocess.run(
        [sys.executable, "-c", TRACE, verb, PROMPT],
        cwd=project,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    apart = ("varves.values.", "varves.errors", "varves.settings")
    flow = [name for name in done.stdout.split() if not name.startswith(apart)]
    assert len(flow) <= ACTING_MODULES[verb], f"{len(flow)}: {flow}"


def test_the_entry_point_alone_imports_almost_nothing():
    assert not loaded_by("import varves.cli.main") & NOT_BY_IMPORT_ALONE
