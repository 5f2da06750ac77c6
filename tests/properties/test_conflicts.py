"""Conflicts: what several people said at once is shown, ranked, settled once, and stays settled."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.properties.world import (
    HOUR,
    Replica,
    dump_of,
    many,
    meet_all,
    play,
    replicas,
    scripts,
    skews,
)
from tests.tables import each_row
from varves.errors import NotFound, Rejected, VarvesError
from varves.values.text import fold

hours = st.integers(-HOUR, HOUR)


def fork(*texts: str, skew: tuple[int, ...] = ()) -> tuple[list[Replica], str, list[str]]:
    """Let several replicas correct one memory without knowing of each other."""
    group = replicas(*("ada", "bob", "cyd")[: len(texts)], skews=skew)
    root, _ = group[0].remember("Use Zod")
    for one in group[1:]:
        one.meet(group[0])
    found = [one.correct(root, text)[0] for one, text in zip(group, texts, strict=True)]
    meet_all(*group)
    return group, root, found


def assert_alike(group: list[Replica]) -> None:
    """Every replica shows the same, in whatever order its events came."""
    dumps = {dump_of(one.events.values()) for one in group}
    dumps |= {dump_of(reversed(one.events.values())) for one in group}
    assert len(dumps) == 1


@given(hours)
def test_two_corrections_at_once_are_siblings_and_the_later_is_current(skew):
    group, root, found = fork("Use Valibot", "Use Yup", skew=(0, skew))
    assert_alike(group)
    later = max(found, key=lambda name: (group[0].row(name)["hlc"], group[0].row(name)["writer"]))
    for here in group:
        [conflict] = here.conflicts()
        assert conflict.kind == "siblings"
        assert root in conflict.reason
        assert {member.id for member in conflict.members} == set(found)
        assert conflict.current == later
        assert [*here.current()] == [later]
        [other] = set(found) - {later}
        assert here.status(other) == "flagged"
        assert later in here.row(other)["reason"]
    assert group[0].conflicts()[0].id == group[1].conflicts()[0].id


@given(hours, hours)
def test_three_corrections_at_once_are_one_conflict(skew, other):
    group, _, found = fork("Use Valibot", "Use Yup", "Use nothing", skew=(0, skew, other))
    assert_alike(group)
    [conflict] = group[2].conflicts()
    assert {member.id for member in conflict.members} == set(found)
    assert len(group[2].current()) == 1


@given(hours)
def test_a_sibling_corrected_further_stands_for_its_whole_line(skew):
    """The values at the ends are rivals, and the fork is told of once."""
    ada, bob = replicas("ada", "bob", skews=(0, skew))
    root, _ = ada.remember("Use Zod")
    bob.meet(ada)
    one, _ = ada.correct(root, "Use Valibot")
    end, _ = ada.correct(one, "Use Valibot 2")
    other, _ = bob.correct(root, "Use Yup")
    meet_all(ada, bob)
    assert_alike([ada, bob])
    [conflict] = ada.conflicts()
    assert {member.id for member in conflict.members} == {end, other}
    assert ada.status(one) == "superseded"


def test_forks_below_a_fork_are_one_conflict_with_all_ends():
    ada, bob, cyd = replicas("ada", "bob", "cyd")
    root, _ = ada.remember("Use Zod")
    bob.meet(ada)
    one, _ = ada.correct(root, "Use Valibot")
    cyd.meet(ada)
    ends = {
        ada.correct(one, "Use Valibot 2")[0],
        cyd.correct(one, "Use Valibot 3")[0],
        bob.correct(root, "Use Yup")[0],
    }
    meet_all(ada, bob, cyd)
    assert_alike([ada, bob, cyd])
    [conflict] = cyd.conflicts()
    assert {member.id for member in conflict.members} == ends


@given(hours, st.sampled_from(("Use Valibot", "use valibot.", "USE  VALIBOT")))
def test_the_same_correction_twice_is_no_conflict(skew, again):
    group, _, found = fork("Use Valibot", again, skew=(0, skew))
    assert_alike(group)
    assert group[0].conflicts() == ()
    assert len(group[0].current()) == 1
    first = min(found, key=lambda name: (group[0].row(name)["hlc"], group[0].row(name)["writer"]))
    assert [*group[1].current()] == [first]


@given(hours)
def test_a_correction_to_an_older_memory_is_a_rival_too(skew):
    """Ada points to a memory that was there before, Bob writes one anew."""
    ada, bob = replicas("ada", "bob", skews=(0, skew))
    there, _ = ada.remember("Use Valibot")
    root, _ = ada.remember("Use Zod")
    bob.meet(ada)
    assert ada.correct(root, "Use Valibot")[0] == there
    other, _ = bob.correct(root, "Use Yup")
    meet_all(ada, bob)
    assert_alike([ada, bob])
    [conflict] = bob.conflicts()
    assert {member.id for member in conflict.members} == {there, other}


def test_a_memory_restored_beside_its_correction_is_a_conflict():
    [ada] = replicas("ada")
    first, _ = ada.remember("Use Zod")
    second, _ = ada.correct(first, "Use Valibot")
    ada.restore(first)
    [conflict] = ada.conflicts()
    assert {member.id for member in conflict.members} == {first, second}
    assert conflict.current == first, "what was decided last is shown"
    ada.resolve(conflict, keep=second)
    assert ada.current() == {second: "Use Valibot"}
    with pytest.raises(Rejected):
        ada.remember("use zod")


def settle(here: Replica, how: str) -> None:
    """Settle the one open conflict."""
    [conflict] = here.conflicts()
    first, second, *_ = sorted(conflict.members, key=lambda memory: memory.text)
    choice = {
        "keep a": {"keep": first.id},
        "keep b": {"keep": second.id},
        "merge x": {"merge": "Use both"},
        "merge y": {"merge": "Use neither"},
        "merge a": {"merge": first.text.upper()},
        "delete a": {"delete": first.id},
        "delete b": {"delete": second.id},
    }[how]
    here.resolve(conflict, **choice)


WAYS = ("keep a", "keep b", "merge x", "merge y", "merge a", "delete a", "delete b")
LEFT = {
    "keep a": "Use Valibot",
    "keep b": "Use Yup",
    "merge x": "Use both",
    "merge y": "Use neither",
    "merge a": "USE VALIBOT",
    "delete a": "Use Yup",
    "delete b": "Use Valibot",
}


@pytest.mark.parametrize("how", WAYS)
def test_a_settled_conflict_leaves_one_value_and_rejects_the_others(how):
    [ada, bob], _, _ = fork("Use Valibot", "Use Yup")
    settle(ada, how)
    assert ada.conflicts() == ()
    assert [*ada.current().values()] == [LEFT[how]]
    gone = {"Use Valibot", "Use Yup"} - {LEFT[how].capitalize().replace("v", "V", 1)}
    gone -= {text for text in gone if text.casefold() == LEFT[how].casefold()}
    for text in gone:
        with pytest.raises(Rejected):
            ada.remember(text)
    bob.meet(ada)
    assert_alike([ada, bob])


@given(st.sampled_from(WAYS), hours)
def test_a_settled_conflict_stays_settled_after_a_further_merge(how, skew):
    """Cyd has seen one side only, works on, and merges late."""
    [ada, bob], root, _ = fork("Use Valibot", "Use Yup")
    cyd = Replica("cyd", skew=skew, ids=ada.ids)
    cyd.take([event for event in ada.events.values() if event.writer == "ada.main"], ada.lines)
    settle(ada, how)
    cyd.remember("Something else")
    cyd.edit(root, add_tags=("late",))
    meet_all(ada, bob, cyd)
    assert_alike([ada, bob, cyd])
    for here in (ada, bob, cyd):
        assert here.conflicts() == ()
        assert sorted(here.current().values()) == sorted(["Something else", LEFT[how]])


@given(st.sampled_from(WAYS))
def test_undo_of_a_resolution_opens_the_conflict_again(how):
    [ada, bob], _, found = fork("Use Valibot", "Use Yup")
    before = ada.conflicts()
    settle(ada, how)
    resolution = max(ada.events.values(), key=lambda event: event.order)
    bob.meet(ada)
    bob.undo(resolution.id)
    ada.meet(bob)
    assert_alike([ada, bob])
    for here in (ada, bob):
        [conflict] = here.conflicts()
        assert conflict.id == before[0].id
        assert conflict.current == before[0].current
        assert {member.id for member in conflict.members} == set(found)


PAIRS = list(combinations_with_replacement(WAYS, 2))


@each_row(("one", "other"), PAIRS)
@each_row("skew", [-HOUR, 0, HOUR])
def test_resolutions_at_once_converge_to_one_value_or_an_open_conflict(one, other, skew):
    """Never several current values unasked, and never none while nobody is told."""
    [ada, bob], _, _ = fork("Use Valibot", "Use Yup", skew=(0, skew))
    settle(ada, one)
    settle(bob, other)
    meet_all(ada, bob)
    assert_alike([ada, bob])
    current, waiting = ada.current(), ada.conflicts()
    assert len(current) <= 1, current
    assert current or waiting


# Of two equal texts the newer is kept, and a third value is newer than the older of the two.
TWINS = (2596, 4280, 192, 5384, 185, 342, 5356, 6569, 10612, 14420, 110, 103, 65892, 12414, 19561)


@many
@given(scripts, skews)
@example(TWINS, ())
def test_every_open_conflict_can_be_settled_whatever_led_to_it(script, skew):
    """Resolving whatever is open, one after the other, comes to an end with nothing open."""
    group = play(script, skew)
    meet_all(*group)
    here = group[1]
    for _ in range(40):
        waiting = here.conflicts()
        if not waiting:
            break
        conflict = waiting[0]
        keep = conflict.current or conflict.members[0].id
        here.resolve(conflict, keep=keep)
        said = {fold(text) for text in here.current().values()}
        assert fold(here.row(keep)["text"]) in said, "kept means current, in one place or another"
    assert here.conflicts() == ()


@given(scripts, skews)
def test_a_conflict_always_has_members_and_names_its_current_one(script, skew):
    for here in play(script, skew):
        for conflict in here.conflicts():
            members = {member.id: member for member in conflict.members}
            assert members
            if conflict.kind == "siblings":
                active = [name for name, one in members.items() if one.status == "active"]
                assert active == [conflict.current]
                heads = [len(one.extra.get("heads", ())) for one in members.values()]
                assert len(members) > 1 or heads[0] > 1  # versions of one document
            elif conflict.current is not None:
                assert members[conflict.current].status == "active"


def test_a_conflict_names_only_its_own_members():
    [ada, _], root, _ = fork("Use Valibot", "Use Yup")
    with pytest.raises(NotFound):
        ada.resolve(ada.conflicts()[0], keep=root)
    with pytest.raises(VarvesError):
        ada.resolve(ada.conflicts()[0], merge="Use Zod")


@given(hours)
def test_a_correction_undone_while_somebody_built_on_it_is_a_conflict(skew):
    """What followed on the undone value and what it had replaced want the same place."""
    ada, bob = group = replicas("ada", "bob", skews=(0, skew))
    root, _ = ada.remember("Use Zod")
    first, event = ada.correct(root, "Use Valibot")
    bob.meet(ada)
    ada.undo(event)
    last, _ = bob.correct(first, "Use Yup")
    meet_all(*group)
    assert_alike(group)
    for here in group:
        [conflict] = here.conflicts()
        assert conflict.kind == "siblings"
        assert {member.id for member in conflict.members} == {root, last}
        assert len(here.current()) == 1
