"""Conflicts that a rule has noticed, a protocol's or that of private memories, for a person."""

from __future__ import annotations

from varves.events.event import TRUSTWORTHY
from varves.events.memories import DETECTED, RESOLVED
from varves.projections.conflicts import Conflict, conflict_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.events.event import Event
    from varves.stores.sqlite.index import Index


def detected(index: Index) -> Iterator[Conflict]:
    """Yield what a rule left to a person, while nobody has decided."""
    from varves.ledger.replacing import replacements

    for _, conflict in noticed(index):
        yield conflict
    yield from replacements(index)


def noticed(index: Index) -> Iterator[tuple[Event, Conflict]]:
    """Yield what protocols' rules left, each with the event that says so."""
    found: dict[tuple[str, ...], Event] = {}
    for event in index.events("kind in (?, ?) and not held", (DETECTED, RESOLVED)):
        names = event.data.get("members" if event.kind == DETECTED else "memories")
        if event.trust < TRUSTWORTHY or not isinstance(names, list) or len(names) < 2:
            continue
        key = tuple(sorted(map(str, names)))
        if event.kind == DETECTED:
            found[key] = event
        else:
            found.pop(key, None)
    for names, event in found.items():
        members = tuple(one for name in names if (one := index.memory(name)) is not None)
        open_ones = [one for one in members if one.status in ("active", "flagged")]
        if len(open_ones) > 1:
            yield (
                event,
                Conflict(
                    id=conflict_id("detected", " ".join(names)),
                    kind="detected",
                    members=tuple(open_ones),
                    current=next((one.id for one in open_ones if one.status == "active"), None),
                    reason=_reason(event),
                ),
            )


def _reason(event: Event) -> str:
    """Name the rule, and in what the memories differ."""
    said = [event.data[key] for key in ("rule", "reason") if event.data.get(key)]
    return ": ".join(map(str, said)) or "they disagree"
