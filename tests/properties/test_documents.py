"""Documents lose no version to another clone, whatever else is done to them meanwhile.

The judge knows nothing of the fold: of the versions that were written and not undone, each must
stand, or somebody who saw it has said so, or a later one says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from tests.properties.world import Replica, many, meet_all, play, replicas, scripts, skews
from varves.fold.family import standing
from varves.fold.rivals import TWIN

if TYPE_CHECKING:
    from varves.events.event import Event

ACTIVE = ("active", "expired", "flagged")


def said(event: Event) -> dict[str, Any]:
    """Return the part of an event that holds a version or a deletion, if it has one."""
    data = event.data
    for part in (data, data.get("set"), data.get("record")):
        if isinstance(part, dict) and "document" in part:
            return part
    return {}


def covered(events: list[Event], undone: list[Event]) -> set[str]:
    """Return the versions that somebody saw and wrote over, replaced, settled or deleted."""
    over = {e.id: said(e).get("document", {}).get("over") or e.data.get("over", []) for e in events}
    passed = {e.id: said(e).get("document", {}).get("over") or [] for e in undone}
    found, waiting = set(), [name for names in over.values() for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += passed.get(name, ())
    return found


def assert_nothing_lost(here: Replica) -> int:
    """Check the law of every document of a replica; return how many versions were judged."""
    counted, undone = standing(here.events.values())
    gone, judged = covered(counted, undone), 0
    brought = {said(event).get("memory") for event in undone}
    for name, row in here.known.rows.items():
        if "document" not in row["extra"] or name in brought:
            continue
        heads = row["extra"]["heads"]
        assert bool(heads) == (row["status"] in ACTIVE or row["reason"] == TWIN), row
        versions = [
            (event, said(event)["text"])
            for event in counted
            if event.log == row["kept"]
            and "text" in said(event)
            and event.kind != "memory.forgotten"
            and (said(event).get("memory") or event.data.get("memory")) == name
        ]
        assert not heads or row["text"] in {text for _, text in versions}
        for place, (event, text) in enumerate(versions):
            later = {other for _, other in versions[place + 1 :]}
            assert event.id in heads or event.id in gone or text in later, (event.id, row)
            judged += 1
        if len(heads) > 1 and row["status"] == "active":
            assert row["flag"], "nobody is told"
    return judged


@many
@given(scripts, skews)
def test_no_version_of_a_document_is_lost_unseen(script, skew):
    group = play(script, skew)
    for here in group:
        assert_nothing_lost(here)
    meet_all(*group)
    assert_nothing_lost(group[0])


HOURS = (-3_600_000, 3_600_000)  # one of the two clocks is wrong by so much


@pytest.mark.parametrize("skew", HOURS)
@pytest.mark.parametrize("deed", ["correct", "forget", "delete"])
def test_what_is_written_while_somebody_else_takes_a_document_away_stands(deed, skew):
    ada, bob = group = replicas("ada", "bob", skews=(0, skew))
    name, _ = ada.put("plan", "Use Zod")
    meet_all(*group)
    {
        "correct": lambda: ada.correct(name, "Use Valibot"),
        "forget": lambda: ada.forget(name),
        "delete": lambda: ada.put("plan", None),
    }[deed]()
    bob.put("plan", "Use Yup")
    meet_all(*group)
    for here in group:
        assert here.row(name)["text"] == "Use Yup"
        told = {member.id for conflict in here.conflicts() for member in conflict.members}
        assert (name in told) == (deed == "correct")
        assert here.status(name) == "active" or name in told


@pytest.mark.parametrize("skew", HOURS)
@pytest.mark.parametrize("choice", ["keep", "merge", "delete"])
def test_a_settling_takes_only_what_it_saw(choice, skew):
    ada, bob = group = replicas("ada", "bob", skews=(0, skew))
    name, _ = ada.put("plan", "Use Zod")
    bob.put("plan", "Use Yup")
    ada.meet(bob)
    [conflict] = ada.conflicts()
    ada.resolve(conflict, **{choice: "Use both" if choice == "merge" else name})
    _, written = bob.put("plan", "Use Valibot")  # over what bob had seen alone
    meet_all(*group)
    for here in group:
        assert_nothing_lost(here)
        assert written in here.row(name)["extra"]["heads"]
        told = {member.id for conflict in here.conflicts() for member in conflict.members}
        assert name in told or here.row(name)["text"] == "Use Valibot"


def test_what_was_taken_away_is_no_sibling_of_what_is_put_next():
    """Regression: a forgotten text stood beside the next version, as if another clone wrote it."""
    [ada] = replicas("ada")
    name, first = ada.put("plan", "Use Zod")
    ada.forget(name)
    ada.put("plan", "Use Yup")
    assert (ada.conflicts(), ada.current()) == ((), {name: "Use Yup"})
    ada.undo(first)
    ada.put("plan", "Use Valibot")
    assert (ada.conflicts(), ada.current()) == ((), {name: "Use Valibot"})


def test_undoing_a_version_in_the_middle_brings_back_none_before_it():
    """Regression: what the undone one was written over stood beside what came after."""
    [ada] = replicas("ada")
    name, _ = ada.put("plan", "Use Zod")
    _, second = ada.put("plan", "Use Yup")
    _, third = ada.put("plan", "Use Valibot")
    ada.undo(second)
    assert (ada.conflicts(), ada.current()) == ((), {name: "Use Valibot"})
    ada.undo(third)
    assert ada.current() == {name: "Use Zod"}
    _, deleted = ada.put("plan", None)
    ada.put("plan", "Use nothing")
    ada.undo(deleted)
    assert (ada.conflicts(), ada.current()) == ((), {name: "Use nothing"})


def test_a_document_corrected_to_what_a_memory_says_does_not_become_that_memory():
    """Regression: the shelf held a note of somebody's, and the next version was written over it."""
    [ada] = replicas("ada")
    note, _ = ada.remember("Use Zod")
    name, _ = ada.put("plan", "Use Yup")
    instead, _ = ada.correct(name, "Use Zod")
    assert instead != note
    ada.put("plan", "Use Valibot")
    assert ada.current() == {note: "Use Zod", instead: "Use Valibot"}
