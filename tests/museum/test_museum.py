"""The museum: a log as it was once written must be read the same for ever, and damage be named.

The files under `whole/`, `shelved/` and `damaged/` are frozen; `make.py` says how they came to be.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import varves
from tests.museum.reading import HERE, Hand, beside, opened, report, state
from varves.errors import Rejected

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = HERE / "whole"
REPORTS = json.loads((HERE / "reports.json").read_text(encoding="utf-8"))
SHOWN = ["whole", *sorted(path.name for path in (HERE / "damaged").iterdir())]
STATE = [json.loads(line) for line in (HERE / "state.jsonl").read_text("utf-8").splitlines()]
KINDS = {
    *("memory.recorded", "memory.reinforced", "memory.revised", "memory.superseded"),
    *("memory.forgotten", "memory.restored", "memory.shared", "memory.unshared"),
    *("conflict.resolved", "event.undone", "segment.closed"),
}


@pytest.fixture(autouse=True)
def _own_home(home):
    """Let nothing of the caller's settings in."""


def folder_of(name: str) -> Path | None:
    return None if name == "whole" else HERE / "damaged" / name


def test_every_memory_is_what_it_was():
    """What is shown of each may grow; what was shown once stays."""
    now = state(WHOLE)
    assert [memory["id"] for memory in now] == [memory["id"] for memory in STATE]
    for memory, once in zip(now, STATE, strict=True):
        assert {key: memory[key] for key in once} == once


def test_every_document_and_every_talk_is_what_it_was():
    whole = HERE / "shelved"
    once = json.loads((HERE / "shelved.json").read_text(encoding="utf-8"))
    now = json.loads(json.dumps({"memories": state(whole), **beside(whole)}))
    memories = zip(now.pop("memories"), once.pop("memories"), strict=True)
    for memory, before in memories:
        assert {key: memory[key] for key in before} == before
    assert now == once
    with opened(whole) as ledger:
        kinds = {event.kind for event in ledger.log()}
    assert {"talk.said", "talk.dropped", "memory.revised", "conflict.resolved"} <= kinds


@pytest.mark.parametrize("name", SHOWN)
def test_verify_reports_what_it_reported_and_damage_costs_only_the_lines_it_touched(name):
    now = report(WHOLE, folder_of(name))
    assert now == REPORTS[name]
    assert now["ok"] == (name == "whole")
    assert REPORTS["whole"]["readable"] - now["readable"] in {0, 1}
    once = {memory["id"]: memory for memory in STATE}
    memories = state(WHOLE, folder_of(name))
    changed = [one for one in memories if not once[one["id"]].items() <= one.items()]
    assert len(changed) <= 2


def test_every_kind_of_line_is_on_show():
    with opened(WHOLE) as ledger:
        events = ledger.log()
        assert {event.kind for event in events} == KINDS
        assert [event for event in events if event.purged]
        assert any("blob" in event.data for event in events)
        assert {event.log for event in events} == {"project", "private"}
        assert len({event.writer.partition(".")[0] for event in events}) == 2
    assert list(WHOLE.glob("log/*/*.pack.jsonl"))


def test_the_old_log_is_lived_in(tmp_path):
    """What was rejected then is refused now, and the chain goes on without a gap."""
    shutil.copytree(WHOLE, tmp_path / ".varves")
    clock = Hand(1_795_219_200_000)
    with varves.open(tmp_path, home=tmp_path / "home", clock=clock) as ledger:
        with pytest.raises(Rejected):
            ledger.remember("USE ZOD for all input validation")
        assert ledger.remember("the staging host is called heron.").status == "known"
        [hit] = ledger.recall("valibot or yup?").hits
        assert hit.memory.text == "Use Valibot; Yup in the old forms"
        assert "A text too long for its line." in ledger.recall("too long line").hits[0].memory.text
        assert ledger.recall("office key clock").hits == ()
        assert [one.text for one in ledger.list(as_of="2026-11-16", tag="validation")] == [
            "Use Zod for all input validation"
        ]
        found = ledger.verify(deep=True)
        assert found.ok
        assert found.gaps == ()
        assert found.events == REPORTS["whole"]["events"] + 1
