"""What a task costs in files: the index is enough to choose, so only the chosen are read."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

SCOPES = ("global", "project:shop", "team:qa", "agent:DEV-001", "project:other")
EACH = 60
ENTRY = re.compile(r"mem_[a-z0-9]{12}\.(full\.)?json")

# The second before last a file may change again unseen, so it is read again; an hour later it is
# not. The child's machine says that it is an hour later.
CHILD = """
import json, os, sys, time

ahead, opened, real = 3_600 * 10**9, [], time.time_ns
time.time_ns = lambda: real() + ahead

def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.append(os.path.basename(os.fsdecode(arguments[0])))

import varves

with varves.open(".", actor="DEV-001") as ledger:
    if sys.argv[1] == "start":
        ledger.hivemind.session_start(project="shop")
        found = []
    else:
        sys.addaudithook(hook)
        told = ledger.hivemind.task(
            "fix the parser cache in src/a.py", team="qa", agent="DEV-001", project="shop"
        )
        found = [one.entry["id"] for one in told.memories]
print(json.dumps({"opened": opened, "found": found}))
"""


def run(project, step: str):
    done = subprocess.run(
        [sys.executable, "-c", CHILD, step],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def many(tmp_path, ledger, project):
    """Record 300 memories in five scopes, each in a file of its own."""
    words = ("parser", "cache", "deploy", "login")
    for place, scope in enumerate(SCOPES):
        level, _, name = scope.partition(":")
        entries = [
            {
                "id": f"mem_{place}{number:011}",
                "type": "factual",
                "created_by": "DEV-001",
                "created_at": "2026-11-01T00:00:00Z",
                "scope": level,
                "scope_id": name or None,
                "tags": [words[number % 4]],
                "priority": ("high", "medium", "low")[number % 3],
                "ttl": "permanent",
                "content": {"text": f"The {words[number % 4]} has quirk {number} in {scope}"},
            }
            for number in range(EACH)
        ]
        folder = tmp_path / "tree" / f"memory/{place}"
        folder.mkdir(parents=True)
        (folder / "all.json").write_text(json.dumps({"entries": entries}), encoding="utf-8")
    done = ledger.import_("hivemind", str(tmp_path / "tree"), trust=True)
    assert done.written == len(SCOPES) * EACH
    ledger.close()
    return project


def test_a_task_opens_no_memory_file_but_those_it_returns(many):
    files = [path.name for path in (many / "memory").rglob("mem_*.json")]
    assert len(files) == len(SCOPES) * EACH
    run(many, "start")
    done = run(many, "task")
    assert len(done["found"]) == 10
    assert done["opened"], "the hook saw nothing"
    chosen = {f"{name}.json" for name in done["found"]}
    assert {name for name in done["opened"] if ENTRY.fullmatch(name)} <= chosen
