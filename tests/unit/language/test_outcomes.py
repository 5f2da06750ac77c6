"""What a decision says without the words that announce it."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.outcomes import turns_back, without_announcement


@each_row(
    ("text", "said"),
    [
        ("We decided to use Redis.", "use Redis"),
        ("We decided not to use Redis.", "do not use Redis"),
        ("We decided against a rewrite.", "no rewrite"),
        ("Decision: sessions live in Redis", "sessions live in Redis"),
        ("The port is 8080.", "The port is 8080."),
        ("Have we decided to use Redis?", "Have we decided to use Redis?"),
    ],
)
def test_a_decision_is_told_without_its_announcement(text, said):
    assert without_announcement(text) == said


@each_row(
    ("older", "newer", "expected"),
    [
        ("We decided to drop the choir", "We decided to keep the choir after all", True),
        ("We decided to drop the choir", "the choir stays until June", True),
        ("We will sell the boat", "We decided not to sell the boat", True),
        ("We decided to keep the fair", "The decision is to cancel the fair", True),
        ("We decided to keep the boat", "We decided to sell the barn", False),
        ("We decided to keep the old door", "We decided to remove the new door", False),
        ("We decided to stop the fair at ten", "We decided to keep the fair", False),
        ("We keep logs for 30 days", "We delete logs after 90 days", False),
        ("We keep the boat", "We leave at ten", False),
        ("We decided to drop the choir", "We decided to cancel the choir", False),
    ],
)
def test_a_decision_turns_back_another_that_ends_what_it_keeps(older, newer, expected):
    assert turns_back(older, newer) is expected
