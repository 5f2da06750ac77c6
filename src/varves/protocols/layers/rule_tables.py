"""Tables of rules: a column for what to do, and one for what not to do."""

from __future__ import annotations

import re

from varves.protocols.layers.rule_lines import EXAMPLES, OTHERS, folded, part_of
from varves.protocols.layers.wording import signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BAR = re.compile(r"(?<!\\)\|")


def cells(line: str) -> list[str]:
    """Return the cells of a table row; none if the line is no table row."""
    row = line.strip()
    if not (row.startswith("|") and row.endswith("|") and len(row) > 1):
        return []
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(row[1:-1])]


def columns(header: list[str], part: str | None) -> list[str | None]:
    """Return the part that each column of a table names; empty if it does not tell do from don't.

    Words such as Good and Bad name parts only beside each other.
    """
    named = [_column(cell) for cell in header]
    meant = [EXAMPLES.get(one or "", one) for one in named]
    if part in OTHERS or not {"do", "dont"} <= {*meant}:
        meant = [one if one in ("do", "dont") else None for one in named]
    return meant if any(meant) else []


def _column(cell: str) -> str | None:
    """Return the part that the header of a column names, if it tells do from don't."""
    words = folded(cell)
    if words in ("use", "use this", "use instead", "prefer", "yes"):
        return "good"
    if words in ("instead of", "rather than", "not this", "no"):
        return "bad"
    named = part_of(cell) or {"do": "good", "dont": "bad"}.get(signed(f"{cell} x"))
    return named if named in ("do", "dont", *EXAMPLES) else None


def by_columns(row: list[str], named: list[str | None]) -> Iterator[tuple[str, str]]:
    """Yield the rules of a table's row, each with its part and with what the row is about."""
    about = "".join(
        f"{cell}: " for cell, part in zip(row, named, strict=False) if cell and part is None
    )
    for cell, part in zip(row, named, strict=False):
        if part and cell.strip("-\u2013\u2014 ").casefold() not in ("", "n/a", "none"):
            yield part, f"{about}{cell}"
