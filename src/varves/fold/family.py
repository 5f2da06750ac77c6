"""Families of memories, folded from their events.

Memories form a family if one superseded another or a conflict between them was settled. A family is
folded alone, from all its events in order. So folding it again after new events gives the same
result as a complete fold. Effects across families are applied last, by `rivals.apply_across`.

Two rules take precedence over all others. A purge removes a memory permanently, whatever other
events say. An event of untrusted origin changes nothing that is trusted.
"""

from __future__ import annotations

from varves.events.kinds import (
    DECAYED,
    KINDS,
    LINKED,
    LOG_AMENDED,
    MERGED,
    PROMOTED,
    PROPOSAL_RESOLVED,
    PROPOSED,
    REACTED,
    RECORDED,
    REINFORCED,
    RESOLVED,
    RESTORED,
    REVISED,
    SHARED,
    TRUSTED,
    UNDONE,
    birth,
    lifts,
    named,
    numbered,
    rejections,
    touches,
)
from varves.events.remnants import in_force
from varves.fold import documents
from varves.fold.changes import (
    amend,
    gain,
    link,
    react,
    resolve_proposal,
    revise,
    stamp,
    tie,
)
from varves.fold.record import made
from varves.fold.stand_ins import StandIn, in_place, names_of, writer_of
from varves.values.memory import TRUSTWORTHY
from varves.values.text import value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event

    Row = dict[str, Any]

_SETTLED = "conflict settled"
_TAKING_BACK = named("takes_back")
_REPLACING = named("replaces")
_REJECTING = named("rejects")
_CHANGES = {LINKED: tie, REACTED: react, PROPOSAL_RESOLVED: resolve_proposal}
_STATUS = {name: kind.status for name, kind in KINDS.items() if kind.status is not None}


class Family:
    """A folded family: rows by memory id, rejections, lifts of rejections, and replacements."""

    __slots__ = (
        *("barred", "children", "ghosts", "lifts", "passed"),
        *("rejections", "rows", "since", "undone", "versions", "withdrawn"),
    )

    def __init__(self) -> None:
        self.barred: dict[str, str] = {}  # purged memories, each with the log that contained it
        self.rows: dict[str, Row] = {}
        self.rejections: list[tuple[str, bytes, str]] = []  # (event, key of the value, memory)
        # (event whose rejection is lifted, event that lifts it)
        self.lifts: list[tuple[str, str]] = []
        self.children: dict[str, list[str]] = {}
        self.since: dict[str, tuple[str, str, str]] = {}
        self.ghosts: dict[str, Event] = {}  # undone events that created a memory
        # rows of memories that were undone in this log, but are proposed in another
        self.undone: dict[str, Row] = {}
        self.withdrawn: set[str] = set()  # memories of which at least one record was undone
        self.versions: dict[str, documents.Versions] = {}  # the current versions of documents
        # undone event → the versions that the event replaced
        self.passed: dict[str, list[Any]] = {}

    def knew(self, name: str, log: str) -> bool:
        """Return whether a memory was purged or undone, so that its id must not be used again."""
        return self.barred.get(name) == log or any(
            (birth(gone) or {}).get("memory") == name for gone in self.ghosts.values()
        )


def standing(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    """Split events into those that are in force and those that were undone, both in order."""
    counted: list[Event] = []
    undone: list[Event] = []
    taken_back: set[str] = set()
    ordered = sorted(events, key=_order)
    if not any(event.kind in _TAKING_BACK for event in ordered):
        return ordered, []
    trusted = {name for event in ordered if event.trust >= TRUSTWORTHY for name in names_of(event)}
    for event in reversed(ordered):
        if not taken_back.isdisjoint(names_of(event)):
            undone.append(event)
        else:
            counted.append(event)
            target = event.data.get("event", "") if event.kind in _TAKING_BACK else ""
            if event.trust >= TRUSTWORTHY or target not in trusted:
                taken_back.add(target)
    counted.reverse()
    return counted, undone


def _order(event: Event) -> tuple[str, str, str]:
    return event.order


def fold_family(events: list[Event]) -> Family:
    """Fold all events of one family; the order of `events` does not matter."""
    family = Family()
    # the usual case: the only event records a memory
    if len(events) == 1 and events[0].kind == RECORDED:
        [only] = events
        name = only.data["memory"]
        family.rows[name] = made(only, only.data)
        family.since[name] = only.order
        if "lifts" in only.data and only.trust >= TRUSTWORTHY:
            family.lifts += [(target, only.id) for target in lifts(only)]
        return family
    for event in in_force(events):
        if event.log != "private" or event.data["memory"] not in family.barred:
            # if two logs purged a shared memory, the project's log is used
            family.barred[event.data["memory"]] = event.log
    counted, undone = standing(in_place(events, family.barred.keys()))
    for event in undone:
        family.passed |= dict.fromkeys(names_of(event), documents.over(event) or [])
    _births(family, counted, undone)
    for event in counted:
        _change(family, event)
    return family


def _births(family: Family, counted: list[Event], undone: list[Event]) -> None:
    """Create a row for each memory, from the event that created it and was not undone."""
    holding: dict[str, Event] = {}
    taken = {_brought(event) for event in undone if event.trust >= TRUSTWORTHY}
    for event in counted:
        record = birth(event)
        if record and event.trust < TRUSTWORTHY and record["memory"] in taken:
            continue  # an untrusted record cannot replace a trusted one that was undone
        if record and record["memory"] not in family.barred:
            held = holding.get(record["memory"])
            if held is None or _holds_instead(event, held):
                holding[record["memory"]] = event
    for name, event in holding.items():
        row = family.rows[name] = made(event, birth(event) or {})
        family.since[name] = event.order
        documents.keep(family, row)
    for event in undone:
        brought = _brought(event)
        held = holding.get(brought or "")
        if brought is not None and event.kind != SHARED and _gone_from(event.log, held):
            if brought not in family.barred and birth(event):
                family.ghosts[event.id] = event
            for replaced in _replaced_by(event):  # the memory's own replacements still replace them
                family.children.setdefault(replaced, []).append(brought)


def _gone_from(log: str, held: Event | None) -> bool:
    """Return whether a log no longer has the record of a memory.

    `held` is the event whose record is in force; None if there is none.
    """
    return held is None or (held.kind == PROPOSED and held.log != log)


def _holds_instead(event: Event, held: Event) -> bool:
    """Return whether a later record of a memory replaces its earlier record `held`.

    An untrusted record never replaces a trusted one.
    """
    trusted = event.trust >= TRUSTWORTHY
    if trusted != (held.trust >= TRUSTWORTHY):
        return trusted
    if PROPOSED in (event.kind, held.kind):
        return event.kind != PROPOSED
    # The first record stays in force, unless a later one shares the memory or is in another log.
    return event.kind == SHARED or event.log != held.log


def _brought(event: Event) -> str | None:
    """Return the id of the memory that an event created, even if the event's content was purged."""
    record = birth(event)
    return record["memory"] if record else event.data.get("brought")


def _replaced_by(event: Event) -> list[str]:
    """Return the ids of the memories that an event replaced by the one it created."""
    content = event.data
    if event.kind == RESOLVED:
        return [dropped["memory"] for dropped in content.get("drop", ())]
    return [content["memory"]] if event.kind in _REPLACING else []


def _change(family: Family, event: Event) -> None:
    """Apply one event to the rows of the memories that it names."""
    content, kind = event.data, event.kind
    if kind == RESOLVED:
        _resolve(family, event)
    elif kind != UNDONE:
        name = content.get("memory", "")
        row = _row_in(family, name, event.log)
        if row is not None and row["kept"] == event.log and _may_change(event, row):
            if documents.write(family, row, event):
                family.since[name] = event.order
            else:
                _change_row(family, row, event)
        elif kind in _REPLACING and row is None and family.knew(name, event.log):
            _follows(family, name, content["by"], event)
    else:
        _undo(family, event)
    if event.trust < TRUSTWORTHY:
        return
    if kind in _REJECTING:
        for memory, scope, text in rejections(event):
            # a purge is not a rejection, and it ends the rejections that exist
            if memory not in family.barred:
                family.rejections.append((event.id, value_key(event.log, scope, text), memory))
    if "lifts" in content:
        said = event.said if isinstance(event, StandIn) else event.id
        family.lifts.extend((target, said) for target in lifts(event))


def _row_in(family: Family, name: str, log: str) -> Row | None:
    """Return the row of a memory that an event of a given log changes.

    If the shared record was undone, only the clone whose private log proposed the memory shows it
    as proposed again. Later events of the shared log change that row too, so that all clones reach
    the same state.
    """
    row, undone = family.rows.get(name), family.undone.get(name)
    if row is None or undone is None or undone["kept"] != log or row["kept"] == log:
        return row
    family.rows[name] = family.undone.pop(name)
    return undone


def _may_change(event: Event, row: Row) -> bool:
    return event.trust >= TRUSTWORTHY or row["trust"] < TRUSTWORTHY


def _undo(family: Family, event: Event) -> None:
    """Show a memory as forgotten, because the event that created it was undone."""
    gone = family.ghosts.get(event.data["event"])
    if gone is not None and (event.trust >= TRUSTWORTHY or gone.trust < TRUSTWORTHY):
        row = made(gone, birth(gone) or {})
        held = family.rows.get(row["id"])
        elsewhere = held is not None and held["kept"] != gone.log
        row = (family.undone if elsewhere else family.rows).setdefault(row["id"], row)
        documents.mourn(family, row)
        if row["id"] not in family.withdrawn or row["status"] == "forgotten":
            # otherwise the memory was restored since
            row["status"], row["reason"] = "forgotten", "undone"
        family.withdrawn.add(row["id"])
    for name in touches(event):
        for held in (family.rows.get(name), family.undone.get(name)):
            # A private event must not change a row from which tracked files are rendered.
            if held and held["kept"] in (event.log, "private") and _may_change(event, held):
                stamp(held, event)


def _change_row(family: Family, row: Row, event: Event) -> None:
    content, kind = event.data, event.kind
    if kind == REINFORCED:
        row["reinforced"] += 1
        return
    if kind in (REVISED, DECAYED):
        revise(row, content)
        row["extra"] = numbered(row["extra"], event, content.get("set", {}))
    elif kind in _REPLACING:
        _replaced(family, row, content["by"], event)
        _follows(family, row["id"], content["by"], event)
    elif kind == PROMOTED:
        link(row, "promoted_to", [content["by"]])
        if (above := family.rows.get(content["by"])) is not None and _may_change(event, above):
            link(above, "promoted_from", [row["id"]])
    elif kind in _CHANGES:
        _CHANGES[kind](row, content)
    elif kind == TRUSTED and event.trust >= TRUSTWORTHY:
        row["trust"], row["trusted"] = max(row["trust"], TRUSTWORTHY), writer_of(event)
    elif kind in _STATUS:
        row["status"], row["reason"] = _STATUS[kind], content.get("reason")
        if kind == LOG_AMENDED:
            amend(row, content)
        elif kind == RESTORED:
            revise(row, content)
            documents.stand(family, row, event)
            family.since[row["id"]] = event.order
    else:
        return
    stamp(row, event)


def _follows(family: Family, name: str, by: str, event: Event) -> None:
    """Record that the memory `by` replaced another one.

    An untrusted event cannot make trusted memories rivals.
    """
    row = family.rows.get(by)
    if event.trust >= TRUSTWORTHY or (row is not None and row["trust"] < TRUSTWORTHY):
        family.children.setdefault(name, []).append(by)
    merged = event.kind == MERGED and row is not None and row["kept"] == event.log
    if merged and row is not None and _may_change(event, row):
        gain(row, event)


def _replaced(family: Family, row: Row, by: str, event: Event) -> None:
    if not documents.outlives(family, row, event):
        reason = _SETTLED if event.kind == RESOLVED else event.data.get("reason")
        row["status"], row["reason"] = "superseded", reason
    row["links"].setdefault("superseded_by", []).append(by)
    replacement = family.rows.get(by)
    if replacement is None or not _may_change(event, replacement):
        return
    if row["id"] not in replacement["links"].get("supersedes", ()):
        replacement["links"].setdefault("supersedes", []).append(row["id"])


def _resolve(family: Family, event: Event) -> None:
    content = event.data
    keep = content.get("keep")
    dropping = [dropped["memory"] for dropped in content.get("drop", ())]
    named = (*touches(event), keep, *content.get("left", ()), *dropping)
    if not all(_may_change(event, family.rows[name]) for name in named if name in family.rows):
        return
    for name in (keep, *content.get("left", ())):
        row = family.rows.get(name)
        # A value that remains after a deletion becomes current again only if a resolution dropped
        # it.
        if row is not None and row["status"] != "active" and (name == keep or _settled(row)):
            row["status"], row["reason"] = "active", None
            stamp(row, event)
        if row is not None:
            documents.stand(family, row, event)
    if keep in family.rows:
        family.since[keep] = event.order
    for dropped in content.get("drop", ()):
        row = family.rows.get(dropped["memory"])
        if row is None:
            if keep and family.knew(dropped["memory"], event.log):
                family.children.setdefault(dropped["memory"], []).append(keep)
            continue
        if keep:
            _replaced(family, row, keep, event)
            family.children.setdefault(row["id"], []).append(keep)
        elif not documents.outlives(family, row, event):
            row["status"], row["reason"] = "forgotten", _SETTLED
        stamp(row, event)


def _settled(row: Row) -> bool:
    return bool(row["reason"] == _SETTLED)
