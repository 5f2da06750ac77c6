"""`varves hook` runs at every prompt, and `varves recall` by hand: what they may load is listed."""

from __future__ import annotations

import json
import os

from tests.architecture.source import loaded_by
from varves.protocols import registry
from varves.values.written import PROTOCOLS

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
    "sqlite3",
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
# A hook fences its answer, reads and writes JSON and notes what it returned, all without these.
NOT_FOR_A_PROMPT = NOT_UNASKED | {
    *("hashlib", "signal", "enum", "pathlib", "random", "tempfile", "threading", "typing"),
    *("varves.capture", "varves.hosts.turn", "varves.hosts.transcripts", "varves.hosts.install"),
    *("varves.events.redact", "varves.questions.brief", "varves.sessions.checkpoint"),
    *("varves.sessions.protocols", "varves.context.recorder", "varves.hosts.calls", "varves.mcp"),
    *("varves.cli.run", "varves.cli.table", "varves.cli.render", "varves.recall.brief"),
    "varves.events",
}
LOADED_BY_A_PROMPT = 59  # modules of ours; an empty package costs next to nothing
LONG_AGO = 1_700_000_000.5  # also on a file system that stores whole seconds only

PROMPT = " ".join(
    f"please look at how the service number {n} validates its input before we deploy"
    for n in range(7)
)


def aged(*places):
    """Give every folder of the logs an old time: a folder written just now is read once more."""
    for place in places:
        for folder, _, _ in os.walk(place):
            os.utime(folder, (LONG_AGO, LONG_AGO))


def test_a_recall_and_a_hook_load_what_their_answer_needs_and_no_more(project, home, varves):
    assert varves("init").code == 0
    for n in range(5):
        assert varves("remember", f"Service number {n} validates its input with Zod").code == 0
    assert varves("recall", PROMPT).out.strip()
    assert varves("remember", "Deploys are on Friday").code == 0  # records what was recalled
    assert sorted(loaded_by(MAIN, "recall", PROMPT, cwd=project) & NEVER) == []

    aged(project, home)
    assert varves("recall", PROMPT).out.strip()  # from here on the index is up to date
    loaded = loaded_by(MAIN, "recall", PROMPT, cwd=project)
    assert "varves.recall.rank" in loaded
    assert sorted(loaded & (NEVER | NOT_UNASKED)) == []

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


def test_the_package_and_the_entry_point_alone_import_almost_nothing():
    loaded = loaded_by("import varves.cli.main")
    assert "varves" in loaded
    assert sorted(loaded & NOT_BY_IMPORT_ALONE) == []


def test_a_status_loads_no_protocol_that_the_project_does_not_use(project, home, varves):
    varves("init")
    varves("remember", "tea at four")
    assert not _loaded_protocols(project)
    varves("scoped", "init")
    assert _loaded_protocols(project) == {"scoped", "hivemind"}  # both use memory/


def _loaded_protocols(project):
    found = loaded_by(MAIN, "status", cwd=project)
    return {
        name.split(".")[2] for name in found if name.endswith(".codec") and ".protocols." in name
    }


def test_the_top_folder_of_every_protocol_is_known_without_importing_it(ledger):
    for name in PROTOCOLS:
        top, folders = registry.find_top(name), getattr(ledger, name).codec.folders
        assert {folder.partition("/")[0] for folder in folders} == ({top} if top else set())
