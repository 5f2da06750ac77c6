"""A ledger whose project log is kept in memory: `context/logs.py` is all that is exchanged."""

from __future__ import annotations

import os

import pytest

import varves
from varves.context import context
from varves.context.logs import Logs
from varves.log.memory import MemoryLog
from varves.values.ids import IdSource
from varves.values.instants import SystemClock


class InMemory(Logs):
    """The logs of a ledger, the project's in memory and the others in files."""

    project = MemoryLog("project", SystemClock(), IdSource())

    def own(self):
        return [self.project if log.key == "project" else log for log in super().own()]

    def log(self, name):
        return self.project if name == "project" else super().log(name)

    def maintained(self):
        return [log for log in super().maintained() if log.key != "project"]


@pytest.fixture
def ledger(project, monkeypatch):
    monkeypatch.setattr(InMemory, "project", MemoryLog("project", SystemClock(), IdSource()))
    monkeypatch.setattr(context, "Logs", InMemory)
    with varves.open(str(project)) as opened:
        yield opened
    assert not os.path.exists(project / ".varves" / "log")


def test_what_is_remembered_is_recalled_corrected_and_forgotten(ledger):
    kept = ledger.remember("Deploys are on Friday").id
    assert [hit.memory.id for hit in ledger.recall("deploys friday").hits] == [kept]
    changed = ledger.correct(kept, "Deploys are on Monday")
    assert [one.text for one in ledger.list()] == ["Deploys are on Monday"]
    ledger.forget(changed.id, reason="settled")
    assert not ledger.list()
    assert len(InMemory.project.heads()) == 1


def test_private_memories_are_in_files_all_the_same(ledger):
    ledger.remember("Deploys are on Friday")
    ledger.remember("The staging key is in the safe", private=True)
    assert {one.text for one in ledger.list()} == {
        "Deploys are on Friday",
        "The staging key is in the safe",
    }
    assert [len(chain.lines) for chain in InMemory.project.chains.by_writer.values()] == [1]


def test_a_purge_takes_the_content_out_of_it(ledger):
    kept = ledger.remember("The launch is on the ninth of May").id
    ledger.purge(kept, reason="not ours")
    (chain,) = InMemory.project.chains.by_writer.values()
    assert not any(b"ninth of May" in line for _, line in chain.lines)
    assert not ledger.list()


def test_an_index_made_again_has_it_all(ledger):
    ledger.remember("Deploys are on Friday")
    assert ledger.rebuild()["memories"] == 1
    assert ledger.status()["memories"] == {"active": 1}
    assert ledger.verify().ok
    assert not [one for one in ledger.doctor() if one.rule == "eaten"]
