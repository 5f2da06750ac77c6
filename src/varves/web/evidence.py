"""What a memory points to: its place in words, its state, and the lines of code as they are now."""

from __future__ import annotations

import os
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_AROUND = 2  # lines before and after those that are pointed to
_MOST = 40  # lines that are shown
_LARGE = 4 << 20  # a larger file is not read


def pointed_to(visit: Visit, evidence: dict[str, Any]) -> dict[str, Any]:
    """Return where one piece of evidence is, its state, and its lines: (number, text, pointed)."""
    if not visit.links.live:  # an export may be made where the code is not
        evidence = {**evidence, "state": None}
    path, first = evidence.get("path"), evidence.get("line")
    last = evidence.get("end") or first
    if not isinstance(path, str):
        return {"where": _other(evidence), "state": evidence.get("state"), "lines": []}
    where = path
    if isinstance(first, int):
        where += f", line {first}" if last == first else f", lines {first} to {last}"
    now = evidence.get("now")
    if isinstance(now, str) and now.rpartition(":")[2].isdigit() and isinstance(first, int):
        moved = int(now.rpartition(":")[2])
        path, first, last = now.rpartition(":")[0], moved, moved + (last or first) - first
    lines = []
    if isinstance(first, int) and isinstance(last, int) and visit.links.live and not visit.as_of:
        lines = _lines(visit.window.ledger.root, path, first, last)
    return {"where": where, "state": evidence.get("state"), "lines": lines}


def _other(evidence: dict[str, Any]) -> str:
    commit = evidence.get("commit")
    return f"commit {commit}" if commit else ", ".join(map(str, evidence.values()))


def _lines(root: str, path: str, first: int, last: int) -> list[tuple[int, str, bool]]:
    """Return lines of a file of the project; none if it is elsewhere, missing or not text."""
    top = os.path.realpath(root)
    file = os.path.realpath(os.path.join(top, path))
    begin, end = max(1, first - _AROUND), min(last + _AROUND, first + _MOST)
    if not file.startswith(top + os.sep) or not os.path.isfile(file):
        return []
    if os.path.getsize(file) > _LARGE:
        return []
    try:
        with open(file, encoding="utf-8") as text:
            found = [line.rstrip("\n") for line in islice(text, begin - 1, end)]
    except (OSError, UnicodeDecodeError):
        return []
    return [(begin + n, line, first <= begin + n <= last) for n, line in enumerate(found)]
