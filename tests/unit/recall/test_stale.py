from __future__ import annotations

from types import SimpleNamespace

import pytest

from varves.recall.stale import checked, stale


def ranked(*entries):
    """Give memories with their scores; a state stands for the fate of their evidence."""
    return [
        (SimpleNamespace(id=name, evidence=(state,) if state else ()), SimpleNamespace(score=score))
        for name, score, state in entries
    ]


def told(memory):
    (state,) = memory.evidence
    return None if state == "unknown" else SimpleNamespace(state=state, place="x")


def order(entries, **options):
    found = checked(ranked(*entries), options.pop("fate", told), gone=options.pop("gone", False))
    return [(memory.id, one.score, stale(fate)) for memory, one, fate in found]


def test_the_changed_step_back_to_where_half_their_score_puts_them():
    entries = [("a", 8.0, "changed"), ("b", 6.0, ""), ("c", 5.0, "changed"), ("d", 3.0, "moved")]
    entries += [("e", 2.6, "unknown"), ("f", 1.0, "unchanged")]
    assert order(entries) == [
        ("b", 6.0, None),
        ("a", 4.0, "changed"),
        ("d", 3.0, "moved"),
        ("e", 2.6, None),
        ("c", 2.5, "changed"),
        ("f", 1.0, None),
    ]


def test_those_left_at_the_end_come_best_first():
    entries = [("a", 8.0, "changed"), ("b", 6.0, "changed"), ("c", 4.0, "changed")]
    assert [name for name, *_ in order(entries)] == ["a", "b", "c"]


def test_the_gone_stay_out_unless_they_are_wanted():
    entries = [("a", 2.0, "gone"), ("b", 1.0, "")]
    assert order(entries) == [("b", 1.0, None)]
    assert order(entries, gone=True) == [("a", 2.0, "gone"), ("b", 1.0, None)]


def test_where_nothing_can_be_told_nothing_is():
    entries = [("a", 2.0, "gone"), ("b", 1.0, "changed")]
    assert order(entries, fate=None) == [("a", 2.0, None), ("b", 1.0, None)]


def test_a_memory_without_evidence_is_not_asked_about():
    assert order([("a", 2.0, "")], fate=pytest.fail) == [("a", 2.0, None)]


def test_nobody_is_asked_about_who_is_not_needed():
    entries = ranked(("a", 2.0, "moved"), ("b", 1.0, "moved"))
    asked = []
    found = checked(entries, lambda memory: asked.append(memory.id), gone=False)
    next(found)
    assert asked == ["a"]


def test_a_score_below_zero_goes_down_as_well():
    entries = [("a", -1.0, "changed"), ("b", -1.2, ""), ("c", -1.6, "")]
    assert [(name, score) for name, score, _ in order(entries)] == [
        ("b", -1.2),
        ("a", -1.5),
        ("c", -1.6),
    ]
