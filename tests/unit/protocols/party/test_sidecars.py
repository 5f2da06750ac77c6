"""Values of a sidecar: what counts as a date, and what is shown of a memory."""

from __future__ import annotations

from tests.tables import each_row
from tests.unit.commands.rows import memory
from varves.protocols.party.sidecars import is_date, shown


@each_row(
    ("part", "expected"),
    [
        ("2026-03-01", True),
        ("2026-03-01T10:00:00Z", True),
        ("2026-03-01-evening", True),
        ("2026-03-01x", False),
        ("2026-02-30", False),
        ("yesterday", False),
        ("yesterday!-", False),
        ("", False),
        (20260301, False),
        (None, False),
    ],
)
def test_a_date_stands_alone_or_begins_a_sessions_name(part, expected):
    assert is_date(part) is expected


@each_row(
    ("extra", "expected"),
    [
        ({}, "Use Zod"),
        ({"content": "use zod, as it was written"}, "use zod, as it was written"),
        ({"content": ""}, "Use Zod"),
        ({"content": ["no", "text"]}, "Use Zod"),
    ],
)
def test_what_the_file_said_is_shown_if_it_was_a_text(extra, expected):
    assert shown(memory(extra=extra)) == expected
