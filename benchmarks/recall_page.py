"""The page about recall: its tables are written here, between marks; the words are people's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from benchmarks.report import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.row import Row

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "recall.md")
PICTURES = os.path.join(ROOT, "docs", "img")
SECTIONS = ("targets", "apart", "sets", "project", "cpu", "growth", "machine")
SKELETON = """\
# Recall

The tables between the marks are written by `make bench-recall`.

## Against the targets

![Evidence found by each system on each set](img/recall.svg)

{targets}

## Fitted and kept apart

{apart}

## The public sets

{sets}

## A project's memory

{project}

## Speed

{cpu}

![Time of one recall as memories grow](img/growth.svg)

{growth}

## The machine

{machine}
"""


def begin(section: str) -> str:
    """Return the mark before a generated part."""
    return f"<!-- {section}: written by make bench-recall, do not edit -->"


def end(section: str) -> str:
    """Return the mark after a generated part."""
    return f"<!-- end of {section} -->"


def empty() -> str:
    """Return a page with nothing between its marks."""
    return SKELETON.format(**{name: f"{begin(name)}\n\n{end(name)}" for name in SECTIONS})


def renewed(page: str, section: str, content: str) -> str:
    """Return the page with what lies between a section's marks replaced."""
    before, mark, rest = page.partition(begin(section))
    _, other, after = rest.partition(end(section))
    if not mark or not other:
        raise RuntimeError(f"docs/recall.md has no marks for {section!r}")
    return f"{before}{mark}\n\n{content.strip()}\n\n{other}{after}"


def write(parts: dict[str, str]) -> None:
    """Renew some sections of the page."""
    page = empty()
    if os.path.exists(PAGE):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
    for section, content in parts.items():
        page = renewed(page, section, content)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


def draw(name: str, picture: str) -> None:
    """Keep a picture of the page."""
    os.makedirs(PICTURES, exist_ok=True)
    with open(os.path.join(PICTURES, name), "w", encoding="utf-8") as file:
        file.write(picture)


def markdown(table: Sequence[Sequence[str]]) -> str:
    """Write a table, its first row the headings."""
    head, *rows = table
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def plain(table: Sequence[Sequence[str]]) -> str:
    """Write a table for the terminal, its columns aligned."""
    widths = [max(len(row[place]) for row in table) for place in range(len(table[0]))]
    lines = []
    for row in table:
        first = row[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join((first, *rest)).rstrip())
    return "\n".join(lines)


def judged(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """Return rows with a target as a table."""
    table = [("what", "measured", "target", "")]
    table += [(row.what, row.median, row.target, verdict(row)) for row in rows]
    return table
