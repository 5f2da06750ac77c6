"""Undo: a later event takes an earlier one back, as if it had never been, and can be taken back."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.properties.world import Replica, many, meet_all, play, replicas, rows_of, scripts, skews
from tests.tables import each_row
from varves.errors import NotFound, Refused, VarvesError
from varves.events.event import Draft, Event
from varves.events.kinds import SUPERSEDED, birth
from varves.fold.documents import over

STAMPS = ("updated_at", "updated_by", "version")


def bare(events, *, ghosts: bool = False) -> dict[str, dict]:
    """Return the rows without who touched them last, and without what was undone into nothing."""
    return {
        name: {key: value for key, value in row.items() if key not in STAMPS}
        for name, row in rows_of(events).items()
        if ghosts or (row["status"], row["reason"]) != ("forgotten", "undone")
    }


def without(here: Replica, event: str) -> list:
    return [one for one in here.events.values() if one.id != event]


def built_on(event: Event, target: Event) -> bool:
    """Tell whether an event puts something in the place of what another brought.

    A version that was written over an undone one of a document stays over what that one was.
    """
    if target.id in (over(event) or ()):
        return True
    born = (birth(target) or {}).get("memory")
    dropped = [part["memory"] for part in event.data.get("drop", ())]
    replaced = event.data.get("memory") if event.kind == SUPERSEDED else None
    return born is not None and born in (*dropped, replaced)


@many
@example([*([0] * 25), 557, 3364, 562, 130, 50776], [0, 0, 0], 0, True)
@given(scripts, skews, st.integers(0, 40), st.booleans())
def test_undo_gives_the_state_without_the_event_and_undoing_that_gives_it_back(
    script, skew, which, met
):
    group = play(script, skew)
    if met:
        meet_all(*group)
    here = group[0]
    events = sorted(here.events.values(), key=lambda event: event.order)
    assume(events)
    target = events[which % len(events)]
    assume(not any(built_on(event, target) for event in events))  # that is a conflict
    before = bare(here.events.values(), ghosts=True)
    expected = bare(without(here, target.id))
    try:
        _, undone = here.undo(target.id)
    except VarvesError:
        assume(False)
    assert bare(here.events.values()) == expected
    here.undo(undone)
    assert bare(here.events.values(), ghosts=True) == before


def one_of_each() -> dict[str, tuple[Replica, str]]:
    """Return, for every kind of change, a replica and an event of that kind."""
    found = {}

    def note(kind: str, here: Replica, event: str) -> None:
        assert here.events[event].kind == kind
        found[kind] = (here, event)

    [ada] = replicas("ada")
    note("memory.recorded", ada, ada.remember("Use Zod")[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    note("memory.revised", ada, ada.edit(name, add_tags=("x",), priority="high")[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    note("memory.superseded", ada, ada.correct(name, "Use Yup")[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    note("memory.forgotten", ada, ada.forget(name)[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    ada.forget(name)
    note("memory.restored", ada, ada.restore(name)[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod", private=True)
    note("memory.shared", ada, ada.share(name)[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    note("memory.reinforced", ada, ada.remember("use zod")[1])
    ada, bob = replicas("ada", "bob")
    name, _ = ada.remember("Use Zod")
    bob.meet(ada)
    ada.correct(name, "Use Yup")
    bob.correct(name, "Use Valibot")
    meet_all(ada, bob)
    note("conflict.resolved", ada, ada.resolve(ada.conflicts()[0], merge="Use both")[1])
    [ada] = replicas("ada")
    _, event = ada.remember("Use Zod")
    note("event.undone", ada, ada.undo(event)[1])
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod", private=True)
    _, shared = ada.share(name)
    note("memory.unshared", ada, ada.undo(shared)[1])
    return found


@each_row("kind", sorted(one_of_each()))
def test_every_kind_of_change_can_be_undone_and_done_again(kind):
    here, event = one_of_each()[kind]
    before = bare(here.events.values(), ghosts=True)
    expected = bare(without(here, event))
    assert bare(here.events.values()) != expected, "the event has done something"
    _, undone = here.undo(event)
    assert bare(here.events.values()) == expected
    here.undo(undone)
    assert bare(here.events.values(), ghosts=True) == before


@pytest.mark.parametrize("kind", ["segment.closed", "memory.purged", "message.posted"])
def test_what_changed_no_memory_or_erased_one_is_not_undone(kind):
    [ada] = replicas("ada")
    name, _ = ada.remember("Use Zod")
    content = {"memory": name, "reason": "private"} if kind == "memory.purged" else {"lines": 1}
    event = ada.stamp(Draft(kind=kind, data=content, actor="ada"))
    with pytest.raises(Refused, match="cannot be undone"):
        ada.undo(event.id)


def test_what_is_undone_is_not_undone_twice():
    [ada] = replicas("ada")
    _, event = ada.remember("Use Zod")
    ada.undo(event)
    with pytest.raises(Refused, match="already undone"):
        ada.undo(event)
    with pytest.raises(NotFound):
        ada.undo("evt_nowhere")


def test_two_who_undo_the_same_event_agree():
    ada, bob = replicas("ada", "bob")
    name, event = ada.remember("Use Zod")
    bob.meet(ada)
    _, one = ada.undo(event)
    bob.undo(event)
    meet_all(ada, bob)
    assert ada.status(name) == bob.status(name) == "forgotten"
    ada.undo(one)
    assert ada.status(name) == "forgotten", "the other undoing still stands"


@pytest.mark.parametrize("steps", ["forget restore", "edit", "edit forget restore"])
def test_a_recording_taken_back_is_gone_whatever_happened_to_it_before(steps):
    """Regression: a restoring from before the undo brought the memory back."""
    [ada] = replicas("ada")
    name, event = ada.remember("Use Zod")
    for step in steps.split():
        if step == "edit":
            ada.edit(name, add_tags=("x",))
        else:
            getattr(ada, step)(name)
    ada.undo(event)
    assert ada.status(name) == "forgotten"
    assert ada.row(name)["reason"] == "undone"
    ada.restore(name)
    assert ada.status(name) == "active"


def test_undo_of_a_sharing_is_no_rejection():
    ada, bob = replicas("ada", "bob")
    name, _ = ada.remember("Use Zod", private=True)
    _, shared = ada.share(name)
    bob.meet(ada)
    assert bob.row(name)["kept"] == "project"
    ada.undo(shared)
    bob.meet(ada)
    assert ada.row(name)["kept"] == "private"
    assert ada.status(name) == "active"
    assert name not in bob.known.rows
    assert bob.status(bob.remember("Use Zod")[0]) == "active"


def test_undo_of_a_correction_whose_value_was_corrected_further_is_refused():
    [ada] = replicas("ada")
    first, _ = ada.remember("Use Zod")
    second, event = ada.correct(first, "Use Yup")
    ada.correct(second, "Use Valibot")
    with pytest.raises(Refused, match="replaced since"):
        ada.undo(event)
