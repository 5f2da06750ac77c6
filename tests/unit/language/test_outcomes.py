"""What a decision says without the words that announce it."""

from __future__ import annotations

from tests.tables import each_row
from varves.language.outcomes import without_announcement


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
