"""Figures of extraction worked out by hand, and what a reading's findings count as."""

from __future__ import annotations

import pytest

from benchmarks import extraction
from benchmarks.extraction import Meeting, Tally, kappa, named, predicted, scored, tally, wilson
from varves.protocols.deliberation.findings import Backed, Decided, Raised, Reacted, Stance
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.pattern_extractor import published
from varves.protocols.deliberation.transcripts import read

NONE: frozenset[str] = frozenset()
TALK = """\
ana: I propose caching the parsed settings in one place.
ben: On "caching the parsed settings in one place": I agree.
eve: hello
ana: We agreed on caching the settings.
"""


def labelled(*labels: str) -> dict[int, frozenset[str]]:
    return {at: frozenset(one.split()) for at, one in enumerate(labels, 1)}


def test_right_false_and_missed_give_precision_recall_and_f1():
    counted = tally("a", labelled("a", "a b", "", "a"), labelled("a", "b", "a b", "a"))
    assert counted == Tally(right=2, false=1, missed=1)
    assert counted.precision == pytest.approx(2 / 3)
    assert counted.recall == pytest.approx(2 / 3)
    assert counted.f1 == pytest.approx(2 / 3)
    assert Tally(1, 0, 3).f1 == pytest.approx(0.4)
    assert Tally(1, 2, 3) + Tally(10, 20, 30) == Tally(11, 22, 33)


def test_a_message_that_was_not_found_is_missed_and_an_invented_one_is_false():
    assert tally("a", {1: frozenset("a"), 9: frozenset("a")}, {2: frozenset("a")}) == Tally(0, 2, 1)


def test_where_nothing_was_found_there_is_no_precision():
    assert (Tally(0, 0, 3).precision, Tally(0, 0, 3).recall, Tally(0, 0, 3).f1) == (None, 0.0, 0.0)
    assert Tally().f1 is None


def test_agreement_beyond_chance():
    one = labelled(*["a"] * 20, *["a"] * 5, *[""] * 10, *[""] * 15, "only the first")
    other = labelled(*["a"] * 20, *[""] * 5, *["a"] * 10, *[""] * 15)
    same, beyond = kappa(one, other, "a")  # the example of the textbooks
    assert (same, beyond) == pytest.approx((0.7, 0.4))
    assert kappa(labelled("a", "a"), labelled("a", ""), "b") == (1.0, None)
    assert kappa(labelled("a", ""), labelled("", "a"), "a") == (0.0, -1.0)


def test_the_interval_of_a_share():
    assert wilson(8, 10) == pytest.approx((0.4901, 0.9433), abs=1e-3)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-3)


def test_what_a_finding_counts_as():
    found = [
        Decided(topic="x", outcome="y"),
        Raised(content="x"),
        Reacted(proposal="p", agent_id="ben", reaction="oppose"),
        Reacted(proposal="p", agent_id="ben", reaction="neutral"),
        Backed(decision="d", agent_id="ben"),
        Stance(agent_id="ben", position="I doubt it"),
    ]
    assert named(found) == {"decision", "proposal", "oppose"}
    assert named(found[3:]) == NONE
    assert named([Stance(agent_id="ben", position="x", sides=("support",))]) == {"support"}


def test_a_conversation_is_read_message_by_message_with_what_came_before():
    options = DeliberationOptions()
    messages = read(TALK, "talk.md").messages
    found = predicted(published(options), messages, options)
    assert found == labelled("proposal", "support", "", "decision")


def test_a_reading_that_is_always_right_gets_full_marks():
    messages = read(TALK, "talk.md").messages
    known = labelled("proposal", "support", "oppose", "decision")
    rows = scored([Meeting("x", messages, known, known)], "one talk")
    said = {row.what: (row.median, row.spread) for row in rows}
    assert said["proposal, published, one talk: 1 right, 0 false, 0 missed"] == (
        "precision 1.00, recall 1.00, F1 1.00",
        "0.21 - 1.00, 0.21 - 1.00 (95 %)",
    )
    assert said["oppose, published, one talk: 0 right, 0 false, 1 missed"] == (
        "precision -, recall 0.00, F1 0.00",
        "-, 0.00 - 0.79 (95 %)",
    )
    assert said["all labels, published, one talk: 3 right, 0 false, 1 missed"][0] == (
        "precision 1.00, recall 0.75, F1 0.86"
    )
    assert "messages in the minutes, one talk: 4 right, 0 false, 0 missed" in said
    assert said["two readers on support, one talk: 4 messages, given 1 and 1 times"] == (
        "kappa 1.00, agree in 100%",
        "",
    )
    assert all(row.met is None for row in rows)


def test_pairs_of_one_idea_are_counted_by_what_a_proposal_repeats():
    pairs = [
        {"a": "a red door", "b": "a red door", "same": True},
        {"a": "a red door", "b": "a long walk", "same": True},
        {"a": "a red door", "b": "a long walk", "same": False},
        {"a": "a blue door", "b": "a blue door", "same": False},
    ]
    assert extraction.recognised(pairs, None) == Tally(right=1, false=1, missed=1)
    assert extraction.recognised(pairs, lambda _text, _others: [0.9]) == Tally(2, 2, 0)


def test_where_nobody_read_twice_no_agreement_is_told():
    messages = read(TALK, "talk.md").messages
    rows = scored([Meeting("x", messages, labelled("proposal", "", "", ""), {})], "one talk")
    assert not any("two readers" in row.what for row in rows)


def test_a_meeting_belongs_to_one_group_and_all_its_messages_are_found():
    groups = (extraction.SEEN, extraction.BLIND, extraction.APART, extraction.BLIND_APART)
    names = [name for group in groups for name in group]
    assert len(set(names)) == len(names) == 9
    for name in names:
        one = extraction.meeting(name)
        assert {extraction.line(message) for message in one.messages} == one.labels.keys()
