"""Families of memories folded from their events.

The unit is the family: memories tied together because one superseded another or a conflict between
them was settled. A family folds alone, from all its events in order, so folding again after any
arrival gives what a fold from nothing gives. Two things reach across families, and `settle` applies
them last: a value rejected in a scope flags whatever memory there holds it, and of several current
values that replaced one memory only the newest stays current.
"""

from __future__ import annotations

from varves.events.memories import (
    FLAGGED,
    FORGOTTEN,
    PURGED,
    RECORDED,
    REINFORCED,
    REJECTED,
    RESOLVED,
    RESTORED,
    REVISED,
    SHARED,
    SUPERSEDED,
    TRUSTED,
    UNDONE,
    UNSHARED,
    birth,
    lifts,
    rejections,
    touches,
)
from varves.values.facets import facets
from varves.values.text import fold, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.events.event import Event

    Row = dict[str, Any]
    Rejecting = Callable[[bytes], str | None]

RECORD_KEYS = frozenset(
    ("summary", "priority", "confidence", "ttl", "expires_at", "speaker", "turn", "source")
)
_INHERITED = frozenset(("protocol", "type", "created_at", "created_by", "session"))
_BLANK: Row = {
    **dict.fromkeys(RECORD_KEYS),
    **dict.fromkeys(("id", "text", "scope", "kept", "version", "at", "links")),
    **dict.fromkeys(("created_at", "created_by", "updated_at", "updated_by")),
    **dict.fromkeys(("protocol", "session", "origin", "trust", "writer", "hlc")),
    "type": "note",
    "nature": "factual",
    "category": "note",
    "tags": (),
    "evidence": (),
    "status": "active",
    "reason": None,
    "reinforced": 0,
    "flag": "",
    "extra": {},
}
_KNOWN_KEYS = {
    *RECORD_KEYS,
    *("memory", "text", "blob", "scope", "type", "tags", "at", "session", "evidence", "links"),
    *("redacted", "lifts", "created_at", "created_by", "protocol", "record", "memories"),
}
_SETTLED = "conflict settled"
_TAKING_BACK = (UNDONE, UNSHARED)
_REJECTING = (SUPERSEDED, FORGOTTEN, REJECTED, RESOLVED)
_STATUS = {
    FORGOTTEN: "forgotten",
    FLAGGED: "flagged",
    RESTORED: "active",
    "memory.archived": "archived",
    "memory.expired": "expired",
    "memory.pruned": "pruned",
}


class Family:
    """A folded family: rows by id, what it rejects and lifts, and who replaced whom."""

    __slots__ = ("children", "ghosts", "lifts", "rejections", "rows", "since")

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.rejections: list[tuple[str, bytes, str]] = []  # event, value key, memory
        self.lifts: list[tuple[str, str]] = []  # target, event
        self.children: dict[str, list[str]] = {}
        self.since: dict[str, tuple[str, str, str]] = {}
        self.ghosts: dict[str, Event] = {}  # undone events that had brought a memory


def standing(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    """Split events, sorted by order, into those that count and those that were undone."""
    counted: list[Event] = []
    undone: list[Event] = []
    taken_back: set[str] = set()
    ordered = sorted(events, key=_order)
    if not any(event.kind in _TAKING_BACK for event in ordered):
        return ordered, []
    for event in reversed(ordered):
        if event.id in taken_back:
            undone.append(event)
        else:
            counted.append(event)
            if event.kind in _TAKING_BACK:
                taken_back.add(event.data.get("event", ""))
    counted.reverse()
    return counted, undone


def _order(event: Event) -> tuple[str, str, str]:
    return event.order


def fold_family(events: list[Event]) -> Family:
    """Fold all events of one family, however they come."""
    family = Family()
    if len(events) == 1 and events[0].kind == RECORDED:  # most families, and nothing to weigh
        [only] = events
        name = only.data["memory"]
        family.rows[name] = _row(only, only.data)
        family.since[name] = only.order
        if "lifts" in only.data:
            family.lifts += [(target, only.id) for target in lifts(only)]
        return family
    counted, undone = standing(events)
    _births(family, counted, undone)
    for event in counted:
        _change(family, event)
    return family


def _births(family: Family, counted: list[Event], undone: list[Event]) -> None:
    """Make a row for each memory from the event that holds it now."""
    purged = {event.data.get("memory") for event in counted if event.kind == PURGED}
    holding: dict[str, Event] = {}
    for event in counted:
        record = birth(event)
        if record and record["memory"] not in purged:
            held = holding.get(record["memory"])
            # Of several recordings the first counts; a sharing, or another log, counts anew.
            if held is None or event.kind == SHARED or event.log != held.log:
                holding[record["memory"]] = event
    for name, event in holding.items():
        family.rows[name] = _row(event, birth(event) or {})
        family.since[name] = event.order
    for event in undone:
        record = birth(event)
        if record and event.kind != SHARED and record["memory"] not in {*family.rows, *purged}:
            family.ghosts[event.id] = event


def _row(event: Event, record: dict[str, Any]) -> Row:
    time, actor = event.time, event.actor
    row: Row = _BLANK.copy()
    row["id"] = record["memory"]
    row["scope"] = record["scope"]
    row["text"] = record.get("text", "")
    row["created_at"] = row["updated_at"] = row["at"] = time
    row["created_by"] = row["updated_by"] = actor
    row["kept"] = event.log
    row["links"] = {}
    row["version"] = event.id
    row["protocol"] = event.protocol
    row["session"] = event.session
    row["origin"] = event.origin
    row["trust"] = event.trust
    row["writer"] = event.writer
    row["hlc"] = event.hlc
    if len(record) > 3:
        _describe(row, record)
    return row


def _describe(row: Row, record: dict[str, Any]) -> None:
    """Add what only some records say, and keep what this version does not know."""
    for key, value in record.items():
        if key in RECORD_KEYS or (key in _INHERITED and value):
            row[key] = value
        elif key in ("tags", "evidence"):
            row[key] = tuple(value)
        elif key == "links":
            row["links"] = {name: list(ids) for name, ids in value.items() if ids}
    row["nature"], row["category"] = facets(row["type"])
    row["at"] = record.get("at") or row["created_at"]
    if not record.keys() <= _KNOWN_KEYS:
        row["extra"] = {key: record[key] for key in record.keys() - _KNOWN_KEYS}


def _change(family: Family, event: Event) -> None:
    """Let one event act on the rows it names."""
    content, kind = event.data, event.kind
    if kind == RESOLVED:
        _resolve(family, event)
    elif kind != UNDONE:
        row = family.rows.get(content.get("memory", ""))
        if row is not None and row["kept"] == event.log:
            _change_row(family, row, event)
    else:
        _undo(family, event)
    if kind in _REJECTING:
        for memory, scope, text in rejections(event):
            family.rejections.append((event.id, value_key(event.log, scope, text), memory))
    if "lifts" in content:
        family.lifts.extend((target, event.id) for target in lifts(event))


def _undo(family: Family, event: Event) -> None:
    """Show from now on as forgotten what an undone event had brought into being."""
    gone = family.ghosts.get(event.data["event"])
    if gone is not None:
        record = birth(gone) or {}
        row = family.rows.setdefault(record["memory"], _row(gone, record))
        row["status"], row["reason"] = "forgotten", "undone"
    for name in touches(event):
        if name in family.rows:
            _stamp(family.rows[name], event)


def _change_row(family: Family, row: Row, event: Event) -> None:
    content, kind = event.data, event.kind
    if kind == REINFORCED:
        row["reinforced"] += 1
        return
    if kind == REVISED:
        _revise(row, content)
    elif kind == SUPERSEDED:
        _replaced(family, row, content["by"], content.get("reason"))
        family.children.setdefault(row["id"], []).append(content["by"])
    elif kind == TRUSTED:
        row["trust"] = max(row["trust"], 2)
    elif kind in _STATUS:
        row["status"], row["reason"] = _STATUS[kind], content.get("reason")
        if kind == RESTORED:
            _revise(row, content)
            family.since[row["id"]] = event.order
    else:
        return
    _stamp(row, event)


def _stamp(row: Row, event: Event) -> None:
    row["updated_at"], row["updated_by"], row["version"] = event.time, event.actor, event.id


def _replaced(family: Family, row: Row, by: str, reason: str | None) -> None:
    row["status"], row["reason"] = "superseded", reason
    row["links"].setdefault("superseded_by", []).append(by)
    replacement = family.rows.get(by)
    if replacement is not None and row["id"] not in replacement["links"].get("supersedes", ()):
        replacement["links"].setdefault("supersedes", []).append(row["id"])


def _revise(row: Row, content: dict[str, Any]) -> None:
    row.update({key: value for key, value in content.get("set", {}).items() if key in row})
    kept = [tag for tag in row["tags"] if tag not in content.get("remove_tags", ())]
    row["tags"] = tuple(dict.fromkeys([*kept, *content.get("add_tags", ())]))


def _resolve(family: Family, event: Event) -> None:
    content = event.data
    keep = content.get("keep")
    for name in (keep, *content.get("left", ())):
        row = family.rows.get(name)
        # What was left beside a deletion stands again only against another settling.
        if row is not None and row["status"] != "active" and (name == keep or _settled(row)):
            row["status"], row["reason"] = "active", None
            _stamp(row, event)
    if keep in family.rows:
        family.since[keep] = event.order
    for dropped in content.get("drop", ()):
        row = family.rows.get(dropped["memory"])
        if row is None:
            continue
        if keep:
            _replaced(family, row, keep, _SETTLED)
            family.children.setdefault(row["id"], []).append(keep)
        else:
            row["status"], row["reason"] = "forgotten", _SETTLED
        _stamp(row, event)


def _settled(row: Row) -> bool:
    return bool(row["reason"] == _SETTLED)


def settle(family: Family, rejecting: Rejecting | None) -> dict[str, Row]:
    """Apply what reaches across families: rejected values, then rival replacements.

    `rejecting` tells which event rejects a value; it is None where nothing is rejected at all.
    """
    for row in family.rows.values():
        if rejecting is not None and row["status"] == "active":
            event = rejecting(value_key(row["kept"], row["scope"], row["text"]))
            if event is not None:
                row["status"] = "flagged"
                row["reason"] = f"holds a value rejected by {event}"
                row["flag"] = f"returned {row['id']}"
    # From the oldest down: rivals are found at the first fork, not again at every fork below it.
    for root in sorted(family.children, key=lambda name: _born(family, name)):
        if len(set(family.children[root])) < 2 and not _is_active(family, root):
            continue  # no fork here; there may be one below
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
    """Return the current values that stand in one memory's place, itself included if restored."""
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
    return sorted(found.values(), key=lambda row: family.since[row["id"]])


def _rank(family: Family, root: str, rivals: list[Row]) -> None:
    """Keep the newest of several rivals current; the same text twice is no conflict."""
    first: dict[str, Row] = {}
    for row in rivals:
        twin = first.setdefault(fold(row["text"]), row)
        if twin is not row:
            row["status"], row["reason"] = "superseded", "the same value was recorded first"
            row["links"]["superseded_by"] = [twin["id"]]
    distinct = list(first.values())
    if len(distinct) < 2:
        return
    current = max(distinct, key=lambda row: family.since[row["id"]])
    for row in distinct:
        row["flag"] = f"siblings {root}"
        if row is not current:
            row["status"] = "flagged"
            row["reason"] = f"{current['id']} stands in the same place and is newer"
