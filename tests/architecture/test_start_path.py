"""`varves hook` runs at every prompt, and `varves recall` by hand: what they load is counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.architecture.source import ROOT, loaded_by

MAIN = "import sys; from varves.cli.main import main; sys.exit(main())"
HOOK = """
import io, sys
sys.stdin = io.TextIOWrapper(io.BytesIO(sys.argv[1].encode()))
from varves.cli.main import main
sys.exit(main(["hook", "UserPromptSubmit"]))
"""

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
# What an answer may need, and most do not.
NOT_UNASKED = {
    "json",
    "re",
    "tomllib",
    *("varves.evidence.fates", "varves.context.similarity", "varves.models.wordllama"),
    *("varves.recall.dense", "varves.recall.explain", "varves.recall.likeness"),
    *("varves.recall.scopes", "varves.recall.shadow", "varves.index.vectors"),
    *("varves.cli.hivemind_table", "varves.cli.scoped_table", "varves.protocols"),
    *("varves.cli.layers_table", "varves.cli.party_table", "varves.cli.deliberation_table"),
}
# A hook's answer is fenced, its JSON read and written, and what it told noted, all without these.
NOT_FOR_A_PROMPT = NOT_UNASKED | {
    *("hashlib", "signal", "enum", "pathlib", "random", "tempfile", "threading", "typing"),
    *("varves.capture", "varves.hosts.turn", "varves.hosts.transcripts", "varves.hosts.install"),
    *("varves.events.redact", "varves.questions.brief", "varves.sessions.checkpoint"),
    *("varves.sessions.protocols", "varves.context.recorder", "varves.hosts.calls", "varves.mcp"),
}
LONG_AGO = 1_700_000_000.5  # a file system that knows whole seconds only is waited for longer
# Modules of ours, all in all.
LOADED_BY_A_PROMPT = 63  # modules; an empty package costs next to nothing
# Modules of ours in which a function ran; values, errors and settings are not counted. Ranking is
# eight of a recall's: the question, its times, which terms a text holds, features, weights, their
# sum, evidence, the answer; two more read and note what was told. A remember compares with its
# nearest: three.
ACTING_MODULES = {"recall": 23, "remember": 28}
# As the command line calls it; a warm process may compare meanings unasked.
OPTIONS: dict[str, dict[str, bool]] = {"recall": {"dense": False}, "remember": {}}

PROMPT = " ".join(
    f"please look at how the service number {n} validates its input before we deploy"
    for n in range(7)
)


TRACE = """
import json, sys, varves
from tests.architecture.test_start_path import aged
from varves.index.freshness import is_stale
acted = set()
def note(frame, kind, _):
    name = frame.f_globals.get("__name__", "")
    of_function = frame.f_code.co_flags & 1  # not a module or a class body
    if kind == "call" and of_function and name.startswith("varves."):
        acted.add(name)
with varves.open() as ledger:
    ledger.remember("warm"); ledger.recall("warm")
    aged(*sys.argv[4:])
    context = ledger._context
    while is_stale(
        context.index.get(), context.index.sources(), now=context.clock.now(), hold_back=True
    ):
        ledger.recall("warm")  # a file that was written a moment ago is read once more
    sys.setprofile(note)
    getattr(ledger, sys.argv[1])(sys.argv[2], **json.loads(sys.argv[3]))
    sys.setprofile(None)
print(*sorted(acted))
"""


def aged(*places):
    """Give every folder of the logs a time long past: what was just written may change unseen.

    So the index looks once more at a folder that was written within a moment of its last look.
    """
    for place in places:
        for folder, _, _ in os.walk(place):
            os.utime(folder, (LONG_AGO, LONG_AGO))


def remember_a_few(varves_process):
    assert varves_process("init").code == 0
    for n in range(5):
        assert (
            varves_process("remember", f"Service number {n} validates its input with Zod").code == 0
        )
    assert varves_process("recall", PROMPT).out.strip()
    assert varves_process("remember", "Deploys are on Friday").code == 0  # settles what was told
    assert len(PROMPT.split()) > 89


def remember_a_few_and_look(varves_process, project, home):
    """Leave an index that knows all there is, and that nothing will change under."""
    remember_a_few(varves_process)
    aged(project, home)
    assert varves_process("recall", PROMPT).out.strip()


def test_a_recall_loads_no_heavy_module(project, varves_process):
    remember_a_few(varves_process)
    assert not loaded_by(MAIN, "recall", PROMPT, cwd=project) & NEVER


def test_a_recall_loads_what_its_answer_needs_and_no_more(project, home, varves_process):
    remember_a_few_and_look(varves_process, project, home)
    loaded = loaded_by(MAIN, "recall", PROMPT, cwd=project)
    assert "varves.recall.rank" in loaded
    assert sorted(loaded & NOT_UNASKED) == []


def test_a_hook_loads_what_a_prompt_needs_and_no_more(project, home, varves_process):
    remember_a_few_and_look(varves_process, project, home)
    sent = {
        "session_id": "00000000-0000-4000-8000-000000000000",
        "transcript_path": f"{project}/transcript.jsonl",
        "cwd": str(project),
        "prompt": PROMPT,
    }
    loaded = loaded_by(HOOK, json.dumps(sent), cwd=project)
    assert "varves.sessions.attendance" in loaded
    assert "varves.recall.fence" in loaded
    assert sorted(loaded & (NEVER | NOT_FOR_A_PROMPT)) == []
    packages = {name.rpartition(".")[0] for name in loaded}
    ours = [name for name in loaded - packages if name.startswith("varves.")]
    assert len(ours) <= LOADED_BY_A_PROMPT, f"{len(ours)}: {sorted(ours)}"


@pytest.mark.parametrize("verb", ACTING_MODULES)
def test_a_call_passes_through_few_of_our_modules(verb, project, home, varves_process):
    remember_a_few(varves_process)
    done = subprocess.run(
        [sys.executable, "-c", TRACE, verb, PROMPT, json.dumps(OPTIONS[verb]), project, home],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    apart = ("varves.values.", "varves.errors", "varves.settings")
    flow = [name for name in done.stdout.split() if not name.startswith(apart)]
    assert len(flow) <= ACTING_MODULES[verb], f"{len(flow)}: {flow}"


def test_the_entry_point_alone_imports_almost_nothing():
    assert not loaded_by("import varves.cli.main") & NOT_BY_IMPORT_ALONE
