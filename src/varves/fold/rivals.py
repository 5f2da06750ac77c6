"""Effects across families: rejected values that returned, and rival replacements.

If a value is rejected in a scope, every memory of that scope that has this value is flagged. If
several current values replaced one memory, only the newest stays current.
"""

from __future__ import annotations

from varves.values.memory import TRUSTWORTHY
from varves.values.text import fold, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.fold.family import Family, Row

    Rejecting = Callable[[bytes], str | None]


TWIN = "the same value was recorded first"


def apply_across(family: Family, rejecting: Rejecting | None) -> dict[str, Row]:
    """Apply the effects across families: rejected values, then rival replacements.

    `rejecting` returns the event that rejects a value, or None. If no value at all is rejected,
    `rejecting` itself is None.
    """
    for row in family.rows.values():
        if rejecting is not None and row["status"] == "active":
            event = rejecting(value_key(row["kept"], row["scope"], row["text"]))
            if event is not None:
                row["status"] = "flagged"
                row["reason"] = f"contains a value that {event} rejected"
                row["flag"] = f"returned {row['id']}"
    for name, heads in family.versions.items():  # two clones wrote one document at the same time
        if len(heads) > 1 and family.rows[name]["status"] == "active":
            family.rows[name]["flag"] = f"siblings {name}"
    # Start with the oldest memory, so that rivals are found at the first fork and not at each later
    # one.
    for root in sorted(family.children, key=lambda name: _born(family, name)):
        if len(set(family.children[root])) < 2 and not _is_active(family, root):
            continue  # this memory has no rival replacements; a later one may have some
        rivals = _rivals(family, root)
        if len(rivals) > 1:
            _rank(family, root, rivals)
    return family.rows


def _is_active(family: Family, name: str) -> bool:
    row = family.rows.get(name)
    return row is not None and row["status"] == "active"


def _born(family: Family, name: str) -> tuple[str, str]:
    row = family.rows.get(name)
    return (row["hlc"] if row else ""), name


def _rivals(family: Family, root: str) -> list[Row]:
    """Return the current memories that replaced a memory, and the memory itself if restored."""
    found: dict[str, Row] = {}
    waiting, visited = [root], set()
    while waiting:
        name = waiting.pop()
        if name in visited:
            continue
        visited.add(name)
        row = family.rows.get(name)
        if row is not None and row["status"] == "active":
            found[name] = row
        waiting.extend(family.children.get(name, ()))
    rivals = sorted(found.values(), key=lambda row: family.since[row["id"]])
    trusted = [row for row in rivals if row["trust"] >= TRUSTWORTHY]
    return trusted or rivals  # an untrusted value does not replace a trusted one


def _rank(family: Family, root: str, rivals: list[Row]) -> None:
    """Keep only the newest of several rivals current; equal texts are no conflict."""
    first: dict[str, Row] = {}
    for row in rivals:
        twin = first.setdefault(fold(row["text"]), row)
        if twin is not row:
            row["status"], row["reason"] = "superseded", TWIN
            row["links"]["superseded_by"] = [twin["id"]]
            family.since[twin["id"]] = family.since[row["id"]]  # the value was recorded again
    distinct = list(first.values())
    if len(distinct) < 2:
        return
    current = max(distinct, key=lambda row: family.since[row["id"]])
    for row in distinct:
        row["flag"] = f"siblings {root}"
        if row is not current:
            row["status"] = "flagged"
            row["reason"] = f"{current['id']} replaces the same memory and is newer"
