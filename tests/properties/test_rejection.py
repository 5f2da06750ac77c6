"""Correction that holds: what was said to be wrong does not come back by itself."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.properties.world import (
    HOUR,
    START,
    Replica,
    dump_of,
    judgements,
    many,
    meet_all,
    play,
    replicas,
    rows_of,
    scripts,
    skews,
    union,
)
from varves.errors import Refused, Rejected
from varves.values.text import fold, value_key

hours = st.integers(-HOUR, HOUR)
VARIANTS = (
    "Use Zod for input",
    "USE ZOD FOR INPUT",
    "  use\tzod \n for  input ",
    "Use Zod for input.",
    "Use Zod for input!?",
    "".join(c if c == " " else chr(ord(c) + 0xFEE0) for c in "Use Zod for input"),  # full width
    "use zod for input…",
    "use zod for input。",
)
variants = st.sampled_from(VARIANTS)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)


def corrected(here: Replica, old: str, text: str = "Use Valibot") -> tuple[str, str, str]:
    """Record a memory and correct it; return both ids and the correcting event."""
    first, _ = here.remember(old)
    second, event = here.correct(first, text)
    return first, second, event


@given(variants, variants)
def test_a_rejected_text_is_refused_in_every_form_of_it(old, again):
    [ada] = replicas("ada")
    _, _, event = corrected(ada, old)
    with pytest.raises(Rejected) as refused:
        ada.remember(again)
    assert refused.value.exit == 3
    assert event in refused.value.message
    assert "--again" in refused.value.hint


@given(words, words)
def test_two_texts_are_one_value_exactly_if_they_fold_to_the_same(old, again):
    assume(fold(old) != fold("Use Valibot") and fold(again) != fold("Use Valibot"))
    [ada] = replicas("ada")
    first, _, _ = corrected(ada, old)
    if fold(old) == fold(again):
        with pytest.raises(Rejected):
            ada.remember(again)
    else:
        assert ada.remember(again)[0] != first


@given(words)
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)


@given(variants)
def test_forget_rejects_and_restore_lifts(text):
    [ada] = replicas("ada")
    name, _ = ada.remember(text)
    ada.forget(name)
    with pytest.raises(Rejected):
        ada.remember(text)
    ada.restore(name)
    assert ada.status(name) == "active"
    again, _ = ada.remember(text)
    assert again == name, "what is current again is known, not rejected"


@given(variants, variants)
def test_again_lifts_a_rejection_and_a_later_one_counts_anew(old, again):
    [ada] = replicas("ada")
    first, second, _ = corrected(ada, old)
    third, _ = ada.remember(again, again=True)
    assert ada.status(third) == "active"
    assert ada.remember(old)[0] == third, "lifted means lifted, not only for one write"
    ada.forget(third)
    assert ada.status(third) == "forgotten"
    with pytest.raises(Rejected):
        ada.remember(again)
    assert ada.status(second) == "active"
    assert ada.status(first) == "superseded"


@given(variants, variants)
def test_correct_back_to_a_rejected_text_needs_again(old, again):
    [ada] = replicas("ada")
    _, second, event = corrected(ada, old)
    with pytest.raises(Rejected, match=event):
        ada.correct(second, again)
    third, back = ada.correct(second, again, again=True)
    assert ada.status(third) == "active"
    assert ada.events[back].data["lifts"] == [event]
    with pytest.raises(Rejected, match=back):
        ada.remember("use valibot.")


def test_undo_of_the_correction_lifts_what_it_rejected():
    [ada] = replicas("ada")
    first, second, event = corrected(ada, "Use Zod")
    ada.undo(event)
    assert ada.status(first) == "active"
    assert ada.status(second) == "forgotten"
    assert ada.remember("use zod")[0] == first


def test_undo_of_a_lifting_rejects_again():
    [ada] = replicas("ada")
    _, _, event = corrected(ada, "Use Zod")
    third, lifting = ada.remember("Use Zod", again=True)
    ada.undo(lifting)
    assert ada.status(third) == "forgotten"
    with pytest.raises(Rejected, match=event):
        ada.remember("Use Zod")


@given(variants)
def test_a_rejection_holds_in_its_own_scope_only(text):
    [ada] = replicas("ada")
    name, _ = ada.remember(text, scope="agent:a")
    ada.forget(name)
    for scope in ("agent:b", "project"):
        assert ada.status(ada.remember(text, scope=scope)[0]) == "active"
    with pytest.raises(Rejected):
        ada.remember(text, scope="agent:a")


@given(variants, st.booleans())
def test_a_rejection_holds_in_its_own_log_only(text, private):
    [ada] = replicas("ada")
    name, _ = ada.remember(text, private=private)
    ada.forget(name)
    assert ada.status(ada.remember(text, private=not private)[0]) == "active"
    with pytest.raises(Rejected):
        ada.remember(text, private=private)


def test_a_rejected_text_cannot_enter_by_sharing_or_by_a_change_of_scope():
    [ada] = replicas("ada")
    secret, _ = ada.remember("Use Zod", private=True)
    apart, _ = ada.remember("Use Zod", scope="agent:a")
    ada.forget(ada.remember("Use Zod")[0])
    with pytest.raises(Rejected):
        ada.share(secret)
    with pytest.raises(Rejected):
        ada.edit(apart, scope="project")


@given(variants, hours, st.booleans())
def test_a_rejected_value_that_merges_in_is_flagged_whatever_its_clock(text, skew, late):
    """Said on another branch, before or after the rejection, by a clock before or after ours."""
    ada, bob = replicas("ada", "bob", skews=(0, skew))
    if not late:
        returned, _ = bob.remember(text)
    first, second, event = corrected(ada, "Use Zod for input")
    if late:
        bob.wait(30 * 60_000)
        returned, _ = bob.remember(text)
    meet_all(ada, bob)
    for here in (ada, bob):
        assert here.status(returned) == "flagged"
        assert event in here.row(returned)["reason"]
        assert here.current() == {second: "Use Valibot"}
        [conflict] = here.conflicts()
        assert conflict.kind == "returned"
        assert {member.id for member in conflict.members} == {returned, second}
        assert conflict.current == second
        assert here.status(first) == "superseded"
    assert dump_of(ada.events.values()) == dump_of(reversed(bob.events.values()))


@given(variants, variants)
def test_a_flagged_value_does_not_become_current_by_a_plain_correction(text, again):
    """A change of case is no way around `--again`."""
    ada, bob = replicas("ada", "bob")
    returned, _ = bob.remember(text)
    corrected(ada, "Use Zod for input")
    meet_all(ada, bob)
    assume(again != text)
    with pytest.raises(Rejected):
        ada.correct(returned, again)
    fourth, _ = ada.correct(returned, again, again=True)
    assert ada.status(fourth) == "active"


@given(hours, st.sampled_from(("tags", "priority", "scope", "ttl")))
def test_a_concurrent_edit_never_makes_a_corrected_memory_current(skew, what):
    ada, bob = replicas("ada", "bob", skews=(0, skew))
    first, _ = ada.remember("Use Zod")
    bob.meet(ada)
    second, _ = ada.correct(first, "Use Valibot")
    change = {
        "tags": {"add_tags": ("x",)},
        "priority": {"priority": "high"},
        "scope": {"scope": "agent:bob"},
        "ttl": {"ttl": "90d"},
    }[what]
    bob.edit(first, **change)
    meet_all(ada, bob)
    for here in (ada, bob):
        assert here.status(first) == "superseded"
        assert here.current() == {second: "Use Valibot"}


@given(hours, variants)
def test_a_sibling_that_repeats_a_rejected_value_is_never_current(skew, again):
    """Bob goes back to what Ada has rejected meanwhile; his clock may be the later one."""
    ada, bob = replicas("ada", "bob", skews=(0, skew))
    first, second, _ = corrected(ada, "Use Zod for input")
    third, _ = ada.correct(second, "Use Yup")
    bob.take([event for event in ada.events.values() if event.data.get("by") != third], ada.lines)
    ada.wait(-10)
    back, _ = bob.correct(second, again, again=True)
    ada.forget(ada.remember(again, again=True)[0])  # rejected once more, unseen by Bob
    meet_all(ada, bob)
    for here in (ada, bob):
        assert here.status(back) == "flagged"
        assert here.current() == {third: "Use Yup"}
        assert here.status(first) == here.status(second) == "superseded"


@given(variants, variants)
def test_a_change_of_case_or_punctuation_rejects_nothing(old, text):
    assume(old != text)
    [ada] = replicas("ada")
    first, second, event = corrected(ada, old, text)
    assert "text" not in ada.events[event].data
    assert ada.status(first) == "superseded"
    assert ada.current() == {second: text}
    assert ada.remember(old)[0] == second


def test_correcting_to_what_another_memory_says_points_to_that_one():
    [ada] = replicas("ada")
    first, _ = ada.remember("Use Zod")
    other, _ = ada.remember("Use Valibot")
    by, event = ada.correct(first, "use valibot!")
    assert by == other
    assert "record" not in ada.events[event].data
    assert ada.current() == {other: "Use Valibot"}
    assert ada.row(first)["links"] == {"superseded_by": [other]}
    assert ada.row(other)["links"] == {"supersedes": [first]}
    with pytest.raises(Rejected):
        ada.remember("Use Zod")


def test_what_is_superseded_or_forgotten_is_not_corrected():
    [ada] = replicas("ada")
    first, second, _ = corrected(ada, "Use Zod")
    with pytest.raises(Refused, match=second):
        ada.correct(first, "Use Yup")
    ada.forget(second)
    with pytest.raises(Refused, match="forgotten"):
        ada.correct(second, "Use Yup")


@many
@given(scripts, skews)
def test_no_history_leaves_a_rejected_value_current(script, skew):
    """The law itself, over everything replicas may do to each other."""
    group = play(script, skew)
    whole = union(*(one.events.values() for one in group))
    for events in (whole.values(), *(one.events.values() for one in group)):
        rejected, lifted = judgements(events)
        gone = {target for target, _ in lifted}
        live = {key for event, key, _ in rejected if event not in gone}
        for row in rows_of(events, START).values():
            if row["status"] == "active":
                assert value_key(row["kept"], row["scope"], row["text"]) not in live
