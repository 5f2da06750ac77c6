"""A change whose memory is not here yet waits unseen, and counts the moment it comes."""

from __future__ import annotations

import random
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.shelf import Shelf, index_dump
from tests.properties.world import START, Replica, dump_of, play, replicas, rows_of, scripts
from varves.errors import Rejected
from varves.events.kinds import RECORDED, SHARED

CHANGES = ("edit", "forget", "restore", "correct", "reinforce", "undo edit")


def lived(changes: tuple[str, ...]) -> tuple[Replica, str, str]:
    """Record a memory and let things happen to it; return who, the memory, and its recording."""
    [ada] = replicas("ada")
    name, recorded = ada.remember("Use Zod")
    for change in changes:
        if change == "edit":
            ada.edit(name, add_tags=("x",))
        elif change == "undo edit":
            ada.undo(ada.edit(name, add_tags=("y",))[1])
        elif change == "correct":
            ada.correct(name, "Use Yup")
        elif change == "reinforce":
            ada.remember("use zod")
        else:
            getattr(ada, change)(name)
    return ada, name, recorded


@pytest.mark.parametrize(
    "changes",
    [("edit",), ("forget",), ("forget", "restore"), ("correct",), ("reinforce",), ("undo edit",)],
    ids=" ".join,
)
def test_a_change_without_its_memory_is_unseen_until_that_comes(changes):
    ada, name, recorded = lived(changes)
    rest = [event for event in ada.events.values() if event.id != recorded]
    assert name not in rows_of(rest)
    late = [*rest, ada.events[recorded]]
    assert dump_of(late) == dump_of(ada.events.values())


def test_a_waiting_forget_acts_the_moment_its_memory_comes():
    ada, name, recorded = lived(("forget",))
    bob = Replica("bob", ids=ada.ids)
    bob.take([e for e in ada.events.values() if e.id != recorded], ada.lines)
    assert name not in bob.known.rows
    bob.take([ada.events[recorded]], ada.lines)
    assert bob.status(name) == "forgotten"
    with pytest.raises(Rejected):
        bob.remember("use zod.")


def test_the_replacement_of_a_missing_memory_is_there_at_once():
    """What a fold needs stands in the event itself, never behind `cause`."""
    ada, name, recorded = lived(("correct",))
    rest = [event for event in ada.events.values() if event.id != recorded]
    [row] = rows_of(rest).values()
    assert row["text"] == "Use Yup"
    assert row["status"] == "active"
    assert name not in rows_of(rest)


def test_a_waiting_purge_keeps_its_memory_out():
    from varves.events.event import Draft

    [ada] = replicas("ada")
    name, recorded = ada.remember("Use Zod")
    ada.stamp(Draft(kind="memory.purged", data={"memory": name, "reason": "asked"}, actor="ada"))
    purge = [event for event in ada.events.values() if event.id != recorded]
    assert rows_of(purge) == {}
    assert rows_of([*purge, ada.events[recorded]]) == {}


@given(scripts, st.integers(0, 2**32))
def test_recordings_that_come_last_lead_to_the_same_index(script, seed):
    """Every birth is held back, read in a second look, and nothing shows the difference."""
    chance = random.Random(seed)
    ada = play(script)[0]
    events = list(ada.events.values())
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        shelf.lay_out([e for e in events if e.kind not in (RECORDED, SHARED)], ada.lines, chance)
        for segment in shelf.segments:
            shelf.show(segment, len(segment.content))
        shelf.catch_up(START)
        assert index_dump(shelf.index, START) == dump_of(shelf.events())
        before = len(shelf.segments)
        shelf.lay_out([e for e in events if e.kind in (RECORDED, SHARED)], ada.lines, chance)
        for segment in shelf.segments[before:]:
            if not segment.name.endswith(".pack.jsonl"):
                shelf.show(segment, len(segment.content))
        shelf.catch_up(START)
        assert index_dump(shelf.index, START) == dump_of(events)
