"""Who wrote what, and when: a lane for each writer and branch, and the events day by day."""

from __future__ import annotations

import time

from varves.values.instants import instant
from varves.values.value import Value
from varves.web.revision import did
from varves.web.words import day, done, is_housekeeping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves import Event
    from varves.web.visit import Visit

_SHOWN = 100  # events in the list
_DRAWN = 2000  # events in the lanes
_LANES = 12
_FILTERS = ("actor", "kind", "before")
_SIGNS = {
    "corrected": "corrected",
    "forgot": "forgot",
    "erased": "forgot",
    "was shown memories": "given",
    "said": "said",
}


class LaneMark(Value):
    """One event in a lane."""

    x: float
    sign: str
    later: bool
    title: str


class WriterLane(Value):
    """The events of one writer, or of one branch of theirs."""

    name: str
    branch: str | None
    marks: tuple[LaneMark, ...]


def timeline(visit: Visit) -> dict[str, Any]:
    """Return the lanes, and a page of events."""
    given: dict[str, Any] = {}
    if visit.asked("actor"):
        given["actor"] = visit.asked("actor")
    if visit.asked("kind"):
        given["kind"] = [visit.asked("kind")]
    drawn = visit.ledger.log(limit=_DRAWN, **given)
    seen = [event for event in drawn if not is_housekeeping(event.kind)]
    at = None if visit.as_of is None else visit.window.moment_of(visit.as_of)
    asked = {name: word for name in _FILTERS if (word := visit.asked(name)) is not None}
    before = asked.get("before")
    listed = visit.record.log(limit=_SHOWN, before=before, **given)
    kinds = visit.window.kept("kinds", lambda: _kinds(visit.window.reader.log(limit=_DRAWN)))
    return {
        "lanes": _lanes(visit, seen),
        "more_drawn": drawn.more,
        "days": _days(visit, (one for one in reversed(listed) if not is_housekeeping(one.kind))),
        "more": listed.more,
        "last": listed[0].id if listed else None,
        "actors": visit.window.kept("actors", lambda: _actors(visit.window.reader)),
        "kinds": kinds,
        "given": {name: visit.asked(name) for name in ("actor", "kind")},
        "totals": _totals(one for one in seen if at is None or instant(one.time) <= at),
        "twins": [("log", {**asked, "limit": _SHOWN})],
    }


def _actors(ledger: Any) -> tuple[str, ...]:
    events = (one for one in ledger.log(limit=_DRAWN) if not is_housekeeping(one.kind))
    return tuple(dict.fromkeys(event.actor for event in events))


def _kinds(events: Iterable[Event]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (kind, done(kind))
        for kind in sorted({event.kind for event in events})
        if not is_housekeeping(kind)
    )


def _totals(events: Iterable[Event]) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for event in events:
        found[event.actor] = found.get(event.actor, 0) + 1
    return sorted(found.items(), key=lambda pair: -pair[1])[:_LANES]


def _lanes(visit: Visit, events: Iterable[Event]) -> list[WriterLane]:
    axis = visit.window.axis()
    at = None if visit.as_of is None else visit.window.moment_of(visit.as_of)
    lanes: dict[tuple[str, str], list[LaneMark]] = {}
    for event in events:
        said = done(event.kind)
        when = instant(event.time)
        mark = LaneMark(
            x=round(axis.place(when) / 10, 2),
            sign=_SIGNS.get(said, "wrote"),
            later=at is not None and when > at,
            title=f"{event.actor} {said}",
        )
        lanes.setdefault((event.actor, event.branch or ""), []).append(mark)
    busiest = sorted(lanes, key=lambda key: -len(lanes[key]))[:_LANES]
    return [
        WriterLane(name=name, branch=branch or None, marks=tuple(_apart(lanes[name, branch])))
        for name, branch in sorted(busiest)
    ]


def _apart(marks: list[LaneMark]) -> list[LaneMark]:
    """Return the marks without those that would cover each other."""
    return list({(round(one.x, 1), one.sign): one for one in marks}.values())


def _days(visit: Visit, events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the events by day, newest first; equal texts of one moment are one row."""
    days: list[dict[str, Any]] = []
    for event in events:
        then = time.localtime(instant(event.time) / 1000)
        name = day(then, long=True)
        if not days or days[-1]["name"] != name:
            days.append({"name": name, "rows": []})
        rows, row = days[-1]["rows"], _row(visit, event)
        if rows and row["text"] and rows[-1]["key"] == row["key"]:
            rows[-1]["actors"] = list(dict.fromkeys([*rows[-1]["actors"], event.actor]))
        else:
            rows.append(row)
    return days


def _row(visit: Visit, event: Event) -> dict[str, Any]:
    data, says = event.data, did(event, visit.now)
    record = data.get("record")
    name = record.get("memory") if isinstance(record, dict) else data.get("memory")
    memory = name if isinstance(name, str) else None
    reason = data.get("reason")
    text = _text(event)
    if not text and memory is not None and (about := visit.read(memory)) is not None:
        text = about.titled
    if not text and memory is None and isinstance(reason, str):
        text, reason = reason, None
    return {
        "key": (event.kind, text, says, event.time[:16]),
        "event": event,
        "text": text,
        "says": says,
        "reason": reason if isinstance(reason, str) else None,
        "actors": [event.actor],
        "memory": memory,
        "tags": _tags(record if isinstance(record, dict) else data),
        "sign": _SIGNS.get(done(event.kind), "wrote"),
    }


def _tags(record: dict[str, Any]) -> list[str]:
    found = record.get("tags")
    return [tag for tag in found if isinstance(tag, str)] if isinstance(found, list) else []


def _text(event: Event) -> str:
    """Return what an event says, for a list; empty if it says nothing."""
    record = event.data.get("record")
    parts = [record.get("text")] if isinstance(record, dict) else []
    parts += [event.data.get("text"), event.data.get("summary")]
    return next((part for part in parts if isinstance(part, str) and part), "")
