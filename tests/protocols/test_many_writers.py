"""Many processes write through one protocol at once, and a reader polls the files meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import full_size

WRITERS, EACH = (8, 100) if full_size() else (4, 5)
CROWD = Path(__file__).with_name("crowd.py")


def crowd(root, protocol, each=EACH):
    """Start the writers, read every file again and again until they are done, return the ids."""
    writers = [
        subprocess.Popen(
            [sys.executable, CROWD, protocol, str(number), str(each), root],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(WRITERS)
    ]
    polls = 0
    while any(writer.poll() is None for writer in writers):
        polls += poll(root)
    said = [writer.communicate() for writer in writers]
    assert [err[-500:] for _, err in said if err] == []
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert polls > 0
    return [name for out, _ in said for name in out.split()]


def poll(root):
    """Read every JSON file there is as jq does: half a document is an error."""
    read = 0
    for path in (*(root / "memory").rglob("*.json"), *(root / "deliberations").rglob("*.json")):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue  # between listing and reading
        json.loads(content)
        read += 1
    return read


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("protocol", ["hivemind", "scoped"])
def test_the_first_verbs_in_a_folder_may_come_all_at_once(protocol, ledger, project):
    ids = crowd(project, protocol, each=2)

    assert len(set(ids)) == 2 * WRITERS
    ledger.rebuild()
    assert getattr(ledger, protocol).validate() == ()


@pytest.mark.full_size
@pytest.mark.requirement("S2-53", "S2-59")
def test_scoped_entries_of_many_writers_are_all_there_under_numbers_of_their_own(ledger, project):
    ledger.scoped.init(project="p")

    ids = crowd(project, "scoped")

    assert sorted(ids) == [f"mem-{n:03}" for n in range(1, WRITERS * EACH + 1)]
    path = project / "memory/projects/p/memory.json"
    entries = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert sorted(entry["id"] for entry in entries) == sorted(ids)
    assert len({entry["content"] for entry in entries}) == WRITERS * EACH
    assert ledger.scoped.validate() == ()


def test_hivemind_entries_of_many_writers_are_all_there_under_ids_of_their_own(ledger, project):
    ledger.hivemind.init(project="p")

    ids = crowd(project, "hivemind")

    assert len(set(ids)) == WRITERS * EACH
    scope = project / "memory/projects/p"
    index = json.loads((scope / "_index.json").read_text(encoding="utf-8"))
    held = {entry["id"] for entry in index["entries"]}
    assert set(ids) <= held
    assert index["entry_count"] == len(index["entries"])
    for entry in index["entries"]:
        assert json.loads((scope / entry["file_path"]).read_bytes())["id"] == entry["id"]
    assert ledger.hivemind.validate() == ()


@pytest.mark.full_size
@pytest.mark.requirement("S4-06", "S4-56")
def test_messages_of_many_writers_all_have_a_place_of_their_own(ledger, project):
    ledger.deliberation.begin("crowd")

    each = max(3, EACH // 5)
    places = sorted(map(int, crowd(project, "deliberation", each=each)))

    assert places == list(range(WRITERS * each))
    path = project / "deliberations/crowd/memory.json"
    state = json.loads(path.read_text(encoding="utf-8"))
    assert state["processedMessageCount"] == WRITERS * each
    covered = [n for one in state["summaries"] for n in range(*one["messageRange"])]
    ends = [one["messageRange"][1] for one in state["summaries"]]
    waiting = [one["index"] for one in state["pendingMessages"]]
    assert sorted([*covered, *ends, *waiting]) == places
    assert ledger.deliberation.validate() == ()
