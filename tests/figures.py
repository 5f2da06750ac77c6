"""What a sweep measured, told to whoever asked for it.

A test that carries a row of the reliability table says so by its figures:
`note_figure("R14", histories=1000, violations=0)`. Under `make test` nobody listens and nothing
happens; `python -m torture R14` runs every test file that names the row, at full size, and reads
what it has told. The targets themselves are asserted by the test.
"""

from __future__ import annotations

import itertools
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

# Read once: a test's own home has none of the caller's settings.
_PATH = os.environ.get("VARVES_FIGURES", "")
_FULL = os.environ.get("VARVES_TORTURE", "") not in ("", "0")


def full_size() -> bool:
    """Whether the sweeps run at the size of the reliability table."""
    return _FULL


def each_once(*dimensions: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return every combination at full size; else as few as have each value of each dimension."""
    values = [[*one] for one in dimensions]
    if _FULL:
        return [*itertools.product(*values)]
    most = max(len(one) for one in values)
    return [tuple(one[number % len(one)] for one in values) for number in range(most)]


def note_figure(row: str, **facts: float | str) -> None:
    """Tell facts about a row; of one fact told twice the later counts."""
    _tell(row, facts, add=False)


def add_figure(row: str, **counts: float) -> None:
    """Tell counts about a row; those of several tests are added up."""
    _tell(row, counts, add=True)


def _tell(row: str, facts: dict[str, float] | dict[str, float | str], *, add: bool) -> None:
    if not _PATH:
        return
    lines = "".join(
        json.dumps({"row": row, "figure": name, "value": value, "add": add}) + "\n"
        for name, value in facts.items()
    )
    out = os.open(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(out, lines.encode())  # one write: tests of several processes tell at once
    finally:
        os.close(out)
