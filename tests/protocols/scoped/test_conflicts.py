"""Conflicts within one scope: shown, and settled by nobody but the user."""

from __future__ import annotations

import pytest

ZOD, YUP = "Use Zod for validation", "Use Yup for validation"


def texts(found):
    return [one["content"] for one in found]


def listed(ledger):
    return [{memory.text for memory in one.members} for one in ledger.conflicts()]


@pytest.mark.requirement("S2-40")
def test_two_contradicting_entries_are_both_listed(ledger, varves, project, write, entries):
    write(ZOD)
    write(YUP)
    assert listed(ledger) == [{ZOD, YUP}]
    assert texts(entries()) == [ZOD, YUP]
    said = varves("conflicts")
    assert ZOD in said.out
    assert YUP in said.out


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S2-42")
@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        (ZOD, YUP, True),
        ("Use Zod for all input validation", "Use Yup for all input validation", True),
        (ZOD, "Prefer functional components", False),
        (ZOD, "Use Redis for sessions", False),
        ("Ship on Tuesdays", "Reviews need two people", False),
    ],
)
def test_the_same_subject_with_another_value_is_a_conflict(one, other, conflict, ledger, write):
    write(one)
    write(other)
    assert listed(ledger) == ([{one, other}] if conflict else [])


@pytest.mark.requirement("S2-42")
def test_entries_of_two_scopes_are_no_conflict(ledger, write):
    write(ZOD)
    write(YUP, "team", "core")
    write(YUP, "project", "bank")
    assert listed(ledger) == []


@pytest.mark.requirement("S2-41")
def test_nothing_is_settled_by_itself(ledger, write, entries):
    write(ZOD)
    write(YUP)
    ledger.scoped.session_start(id="s1", project="shop")
    ledger.scoped.task("validation")
    ledger.scoped.session_end()
    write("Ship on Tuesdays")
    assert listed(ledger) == [{ZOD, YUP}]
    assert texts(entries())[:2] == [ZOD, YUP]


@pytest.mark.requirement("S2-41")
@pytest.mark.parametrize("way", ["keep", "merge", "delete"])
def test_the_user_keeps_merges_or_deletes(way, ledger, write, entries):
    zod, yup = write(ZOD), write(YUP)
    [conflict] = ledger.conflicts()
    answer = {"keep": yup.memory, "merge": "Use Zod, and Yup in the old forms"}
    ledger.resolve(conflict.id, **{way: answer.get(way, zod.memory)})
    assert ledger.conflicts() == ()
    assert texts(entries()) == [answer["merge"] if way == "merge" else YUP]


@pytest.mark.requirement("S2-42")
@pytest.mark.parametrize(
    "said",
    [
        "We prefer {} over {}",
        "We favour {} over {}",
        "The team favors {} over {}",
        "Choose {} over {}",
        "We picked {} over {}",
        "Prioritise {} over {}",
        "We value {} over {}",
        "We would rather have {} than {}",
        "{} over {}",
    ],
)
@pytest.mark.parametrize(
    ("one", "other"),
    [("composition", "inheritance"), ("throughput", "latency"), ("clear names", "short names")],
)
def test_reversed_preferences_contradict_each_other(said, one, other, ledger, write):
    stored = write(said.format(one, other))
    [found] = write(said.format(other, one)).conflicts
    assert (found.id, found.relation) == (stored.memory, "contradiction")


@pytest.mark.requirement("S2-42")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We prefer tabs over spaces", "We favour tabs over spaces"),
        ("Prefer composition to inheritance", "We prefer composition over inheritance"),
    ],
)
def test_one_preference_in_other_words_is_a_repetition(one, other, ledger, write):
    write(one)
    [found] = write(other).conflicts
    assert found.relation == "same"


@pytest.mark.requirement("S2-42")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Orders over 50 EUR ship free", "Shipping labels are printed at the depot"),
        ("Backups go over SSH", "The dashboard goes over HTTPS"),
    ],
)
def test_another_meaning_of_over_is_no_preference(one, other, write):
    write(one)
    assert write(other).conflicts == ()


PLACES = [
    "Oslo",
    "Bergen",
    "Tromso",
    "Bodo",
    "Alta",
    "Narvik",
    "Molde",
    "Hamar",
    "Halden",
    "Skien",
    "Moss",
    "Drammen",
]


@pytest.mark.requirement("S2-40")
def test_a_disputed_entry_is_marked_in_the_block_however_many_conflicts_are_newer(ledger, write):
    write(ZOD, confidence=1.0)
    write(YUP, confidence=1.0)
    for place in PLACES:
        write(f"The {place} office opens at 8:00", confidence=0.1)
        write(f"The {place} office opens at 9:00", confidence=0.1)
    begun = ledger.scoped.session_start(id="s1", project="shop")
    assert len(begun.disputes) == 10
    lines = [line for line in begun.block.splitlines() if ZOD in line or YUP in line]
    assert len(lines) == 2
    assert all('"conflicts_with":"mem-00' in line for line in lines)
