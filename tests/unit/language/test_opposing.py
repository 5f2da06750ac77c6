"""Statements in different words: which of them contradict each other, and which do not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import assert_each, each_row
from varves.language.english.scales import NEGATORS, REVERSING, SCALES, SELECTING, VAGUE
from varves.language.english.topics import TOPICS
from varves.language.matter import Matter
from varves.language.opposing import Opposition, opposed
from varves.language.opposing_weights import WEIGHTS

WORDS = ("the", "backups", "are", "not", "encrypted", "open", "only", "by", "hand", "nobody", "3")


def reason(older: str, newer: str) -> str:
    """Return why two texts contradict each other, or ""."""
    return opposed(Matter(older), Matter(newer))


@each_row(
    ("older", "newer"),
    [
        (
            "The nightly report is sent automatically.",
            "Every night one of us has to push the report out by hand.",
        ),
        (
            "The scheduler runs jobs one after another.",
            "Up to eight jobs run at the same time in the scheduler.",
        ),
        (
            "The cache survives a restart.",
            "After every restart we begin with an empty cache, it is held in memory.",
        ),
        (
            "The stairs are the only way to the third floor.",
            "Take the lift to the third floor.",
        ),
        (
            "Lena is the only goalkeeper we have.",
            "With Lena and Sofie we have two goalkeepers.",
        ),
        ("Our soup contains no meat.", "The soup is made with a beef broth."),
    ],
)
def test_two_texts_in_different_words_contradict_each_other(older: str, newer: str) -> None:
    assert reason(older, newer)


@each_row(
    ("older", "newer"),
    [
        ("The old wiki is read-only.", "The new wiki can be edited by everybody."),
        ("The access token lives for an hour.", "The refresh token lives for a month."),
        (
            "Guest checkout is enabled in the UK shop.",
            "Guest checkout is disabled in the German shop.",
        ),
        ("The museum is closed on Mondays.", "The bakery next to the station is open on Mondays."),
        ("Backups are encrypted.", "The release notes are written by hand."),
        ("We meet in the library every month.", "The library lends books for four weeks."),
    ],
)
def test_two_texts_about_two_things_do_not(older: str, newer: str) -> None:
    assert not reason(older, newer)


@each_row(
    ("text", "scale", "state"),
    [
        ("The door is open", "open", 0),
        ("The door is not open", "open", 1),
        ("Nobody is allowed in, the door is locked", "open", 1),
        ("There is no limit on uploads", "bounds", 0),
        ("The upload is limited", "bounds", 1),
        ("It runs without a restart", "reload", 1),
        ("We do it by hand", "automation", 1),
    ],
)
def test_a_text_gives_a_state_and_a_negation_reverses_it(text: str, scale: str, state: int) -> None:
    assert Matter(text).states[scale] == {state}


def test_the_reason_names_the_two_states() -> None:
    said = reason(
        "The stairs are the only way to the third floor.", "Take the lift to the third floor."
    )
    assert said == "the older says stairs, the newer lift"


def test_every_scale_has_two_states_or_more_without_a_common_word() -> None:
    def check(row: tuple[str, ...]) -> None:
        words = [set(state.split()) for state in row]
        assert len(words) > 1
        assert not any(one & other for at, one in enumerate(words) for other in words[:at])

    assert_each(list(SCALES.values()), check)


def test_the_tables_name_only_what_exists() -> None:
    assert SCALES.keys() >= VAGUE
    assert SCALES.keys() >= SELECTING
    assert REVERSING <= NEGATORS
    assert len(set(TOPICS)) == len(TOPICS)
    features = Opposition(Matter("one"), Matter("two")).features
    assert {name for row in WEIGHTS.values() for name in row} | WEIGHTS.keys() <= features.keys()


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert not opposed(Matter(text), Matter(text)) or Matter(text).words


@given(st.lists(st.sampled_from(WORDS)))
def test_no_text_contradicts_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert not opposed(Matter(text), Matter(text))


@each_row(
    ("older", "newer"),
    [
        (
            "We no longer store sessions in Redis, we use Postgres",
            "Sessions are stored in Postgres, not in Redis",
        ),
        ("We no longer park vans in the yard", "Vans are parked in the street, not in the yard"),
    ],
)
def test_what_both_deny_is_no_contradiction(older, newer):
    assert reason(older, newer) == reason(newer, older) == ""
