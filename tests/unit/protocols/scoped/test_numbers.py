"""Numbers as claims: of two entries that claim one, the older keeps it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from varves.events.event import Event
from varves.protocols.scoped.entries import label, number_in
from varves.protocols.scoped.numbers import Gone, Numbering, gone_from
from varves.values.instants import iso
from varves.values.memory import Memory


def record(name, *claims, writer="clone.0", born=None, **about):
    """Return a record that was created with its first claim, unless `born` says when."""
    numbers = [[f"{place * 1000:012x}0000", writer, f"evt{place}", n] for place, n in claims]
    extra = {"numbers": numbers} if numbers else {}
    if born is None:
        born = claims[0][0] if claims else 0
    when = dict.fromkeys(("created_at", "updated_at", "at"), iso(born * 1000))
    who = dict.fromkeys(("created_by", "updated_by"), "USER")
    about = {"text": name, **about}
    return Memory(id=name, scope="project:p", extra=extra, writer=writer, **when, **who, **about)


def test_no_records_have_no_numbers():
    numbers = Numbering([])
    assert (numbers.shown, numbers.loose, numbers.highest) == ({}, {}, 0)


def test_each_keeps_its_own():
    numbers = Numbering([record("a", (1, 1)), record("b", (2, 2))])
    assert numbers.shown == {"a": 1, "b": 2}
    assert numbers.loose == {}


def test_the_later_of_two_is_loose_above_all_named():
    numbers = Numbering([record("a", (1, 5)), record("b", (2, 5)), record("c", (3, 9))])
    assert numbers.shown == {"a": 5, "b": 10, "c": 9}
    assert numbers.loose == {"b": 10}
    assert numbers.highest == 10


def test_the_last_fix_counts():
    numbers = Numbering([record("a", (1, 5)), record("b", (2, 5), (7, 6), (8, 9))])
    assert numbers.shown == {"a": 5, "b": 9}
    assert numbers.loose == {}
    assert numbers.highest == 9, "what was named once is not given again"


def test_the_older_entry_keeps_a_number_that_was_fixed():
    fixed = record("b", (2, 5), (7, 6))
    for claimed in (6, 8):
        numbers = Numbering([record("a", (1, 5)), fixed, record("c", (claimed, 6))])
        assert numbers.shown == {"a": 5, "b": 6, "c": 7}


def test_of_one_second_the_first_by_number_and_text_keeps_it():
    """Git's merge driver knows no more: which event came first is not in a file."""
    ours = record("a", (3, 5), text="Zod checks input", writer="one.0")
    theirs = record("b", (3, 5), text="Arrow draws charts", writer="two.0")
    for order in ((ours, theirs), (theirs, ours)):
        assert Numbering(order).shown == {"a": 6, "b": 5}
    fixed = record("a", (3, 5), (9, 6), text="A new text", writer="one.0")
    assert Numbering([fixed, theirs]).shown == {"a": 6, "b": 5}, "a fixed number stays"


def test_an_entry_with_an_older_date_keeps_its_number():
    found = record("b", (9, 5), born=1)
    assert Numbering([record("a", (3, 5)), found]).shown == {"a": 6, "b": 5}


def test_records_without_a_number_get_the_next():
    numbers = Numbering([record("a"), record("b", (2, 2)), record("c")])
    assert numbers.shown == {"b": 2, "a": 3, "c": 4}
    assert numbers.loose == {"a": 3, "c": 4}


def test_a_number_means_the_record_that_is_shown_under_it():
    numbers = Numbering(
        [record("a", (1, 5), writer="one.0"), record("b", (2, 5), (3, 6), writer="two.0")]
    )
    assert [one.id for one in numbers.bearers("mem-005")] == ["a"]
    assert [one.id for one in numbers.bearers("mem-006")] == ["b"]
    assert [one.id for one in numbers.bearers("mem-005~two.0")] == ["b"]
    assert [one.id for one in numbers.bearers("mem-005~one")] == ["a"]
    assert numbers.bearers("mem-007") == numbers.bearers("nothing") == []
    assert [(number, one.id) for number, one in numbers.others(record("a"))] == [(5, "b")]
    assert numbers.others(record("b")) == []


def test_what_is_no_number_is_no_claim():
    odd = record("a").replace(extra={"numbers": [["1", "w", "e", True], ["2", "w", "e", 0]]})
    odd_too = record("b").replace(extra={"number": "7"})
    assert Numbering([odd, odd_too]).shown == {"a": 1, "b": 2}


def gone(name, *claims):
    return Gone(id=name, extra=record(name, *claims).extra)


def test_what_was_purged_keeps_its_numbers_and_changes_nobody_elses():
    others = [record("a", (1, 1)), record("b", (3, 2)), record("c")]
    before = Numbering([others[0], record("x", (2, 2), (4, 4)), *others[1:]])
    after = Numbering(others, [gone("x", (2, 2), (4, 4))])
    assert after.shown == before.shown == {"a": 1, "b": 2, "x": 4, "c": 5}
    assert after.loose == before.loose == {"c": 5}
    assert after.highest == before.highest == 5
    assert [one.id for one in after.bearers("mem-002")] == ["b"]
    assert after.bearers("mem-004") == []


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3), max_size=7), st.data())
def test_a_purge_is_neutral_whatever_was_claimed(claims, chance):
    place = 0
    records = []
    for name, numbers in enumerate(claims):
        own = []
        for number in numbers:
            place += 1
            own.append((place, number))
        records.append(record(f"r{name}", *own))
    doomed = chance.draw(
        st.sets(st.sampled_from(records or [None]).map(lambda one: one and one.id))
    )
    left = [one for one in records if one.id not in doomed]
    purged = [Gone(id=one.id, extra=one.extra) for one in records if one.id in doomed]
    before, after = Numbering(records), Numbering(left, purged)
    assert after.shown == before.shown
    assert after.highest == before.highest
    assert after.loose == {
        name: number for name, number in before.loose.items() if name not in doomed
    }


def test_what_a_purge_says_is_looked_at_before_it_counts():
    claim = ["0001", "w", "evt", 7]

    def purge(log="project", **content):
        return Event({"id": "e", "kind": "memory.purged", "data": content}, log)

    good = purge(memory="mem_1", scope="project:p", numbers=[claim])
    assert gone_from([good]) == {"project:p": [Gone(id="mem_1", extra={"numbers": [claim]})]}
    odd = [
        purge(memory="mem_1"),
        purge(memory="mem_1", scope="project:p", numbers=7),
        purge(memory="mem_1", scope="project:p", numbers=[7]),
        purge(memory="mem_1", scope="project:p", numbers=[[1, "w", "evt", 7]]),
        purge(memory="mem_1", scope=["project:p"], numbers=[claim]),
        purge("private", memory="mem_1", scope="project:p", numbers=[claim]),
        purge("project", memory="mem_1", scope="global", numbers=[claim]),
    ]
    assert gone_from(odd) == {}


def test_labels():
    assert [label(n) for n in (1, 15, 999, 1000)] == ["mem-001", "mem-015", "mem-999", "mem-1000"]
    assert [number_in(text) for text in ("mem-001", "mem-1000", "mem-7")] == [1, 1000, 7]
    assert [number_in(text) for text in ("mem-000", "mem-", "mem-01x", None, 7)] == [None] * 5


@given(st.lists(st.lists(st.integers(1, 6), max_size=3), max_size=8))
def test_every_record_has_a_number_and_no_two_have_the_same(claims):
    place = 0
    records = []
    for name, numbers in enumerate(claims):
        own = []
        for number in numbers:
            place += 1
            own.append((place, number))
        records.append(record(f"r{name}", *own))
    found = Numbering(records)
    assert len(set(found.shown.values())) == len(records)
    assert all(
        found.shown[one.id] in claims[n] or one.id in found.loose for n, one in enumerate(records)
    )
    named = {number for numbers in claims for number in numbers}
    assert named.isdisjoint(found.loose.values())
