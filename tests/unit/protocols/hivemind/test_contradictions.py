"""When two memories contradict, and which rule decides."""

from __future__ import annotations

import pytest

from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.contradictions import comparable, contradicted, differing, judge

OLD, LATE = "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"


def two(one, other, **fields):
    given = {"tags": ("x",), **fields}
    return memory(OLD, one, **given), memory(LATE, other, **given)


@pytest.mark.parametrize(
    ("one", "other", "certain"),
    [
        ("The API uses REST", "The API uses GraphQL", True),
        ("Deploy on Fridays", "Never deploy on Fridays", True),
        ("Do not use tabs", "Use tabs", True),
        ("The cache is enabled", "The cache is disabled", True),
        ("Please use tabs", "Please use spaces", False),
        ("We always use tabs", "We always use four blanks", False),
        ("The API uses REST", "The API uses REST", None),
        ("The API uses REST", "The cat sleeps", None),
        ("one two", "one two three", None),
    ],
)
def test_words_tell_whether_two_contradict(one, other, certain):
    found = differing(*two(one, other))
    assert (None if found is None else found.certain) == certain


def test_contents_with_one_subject_and_two_values_contradict():
    def about(name, subject, value):
        body = {"subject": subject, "value": value}
        return memory(name, f"{subject} {value}", extra={"body": body})

    assert differing(about(OLD, "Theme", 1), about(LATE, "theme", 2)).certain
    assert differing(about(OLD, "Theme", 1), about(LATE, "theme", 1)) is None
    assert differing(about(OLD, "Theme", 1), about(LATE, "font", 2)) is None


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"type": "semantic"}, False),
        ({"tags": ("y",)}, False),
        ({"tags": ("y", "x")}, True),
        ({"extra": {"subtype": "rumour"}}, False),
        ({"extra": {"file": "context.json"}}, False),
    ],
)
def test_only_one_type_and_subtype_with_a_tag_in_common_is_compared(fields, fits):
    older = memory(OLD, "a", **({"tags": ("x",)} | fields))
    newer = memory(LATE, "b", tags=("x",))
    assert comparable(older, newer) == fits


@pytest.mark.parametrize("kind", ["episodic", "working"])
def test_what_happened_claims_nothing(kind):
    assert not comparable(*two("a", "b", type=kind))


def test_what_has_expired_is_not_contradicted():
    older, newer = two("The API uses REST", "The API uses GraphQL")
    expired = older.replace(expires_at="2026-01-01T00:00:00.000Z")
    now = 1_800_000_000_000
    assert contradicted(newer, [older], differing, now=now)
    assert not contradicted(newer, [expired], differing, now=now)


def test_a_passing_word_of_the_user_ends_nothing_that_others_share():
    older = memory(OLD, "a", created_by="SYSTEM")
    newer = memory(LATE, "b", created_by="USER", scope="session:s", kept="private")
    assert judge(older, newer).action == "override"
    assert judge(older, newer.replace(kept="project")).action == "supersede"


def test_what_is_uncertain_supersedes_nothing():
    older, newer = memory(OLD, "a"), memory(LATE, "b")
    assert (judge(older, newer).rule, judge(older, newer).gives_way) == ("same-creator", OLD)
    doubted = judge(older, newer, certain=False)
    assert (doubted.rule, doubted.action) == ("uncertain", "review")
