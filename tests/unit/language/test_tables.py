"""Every row of every table of phrases: its example counts, and its near miss does not."""

from __future__ import annotations

import re

from tests.tables import each_row
from varves.language.english.tongue import ENGLISH
from varves.language.sentences import sentences

ROWS = [
    (name, number, table.written(pattern), example, miss)
    for tables in (ENGLISH.guards, ENGLISH.acts)
    for name, table in tables.items()
    for number, (pattern, example, miss) in enumerate(table.rows)
]


def fits(pattern: str, text: str) -> bool:
    """Tell whether a pattern matches in a text, with or without its conditions."""
    return any(
        re.search(pattern, form) for one in sentences(text) for form in (one.plain, one.done)
    )


@each_row(("table", "number", "pattern", "example", "miss"), ROWS)
def test_a_row_matches_its_example_and_not_its_near_miss(table, number, pattern, example, miss):
    assert fits(pattern, example), f"{table}, row {number} does not match: {example}"
    assert not fits(pattern, miss), f"{table}, row {number} matches its near miss: {miss}"
