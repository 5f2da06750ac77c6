"""All conflicts that need a decision, including those that a protocol's rule noticed."""

from __future__ import annotations

from varves.conflicts.finders import alike_conflicts, still_counts
from varves.conflicts.flagged import open_conflicts
from varves.conflicts.replacements import replacements
from varves.events.kinds import DETECTED, RESOLVED
from varves.fold.conflicts import Conflict, conflict_id
from varves.index.where import EventWhere
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index


def waiting(context: Context, view: View, *, most: int | None = None) -> tuple[Conflict, ...]:
    """Return the conflicts that need a decision, as `conflicts` lists and `status` counts them.

    Args:
        context: compares memories by likeness.
        view: the view whose memories are compared.
        most: the maximum number of memories to compare now; by default all.
    """
    now = iso(view.now)
    noted = tuple(conflict for _, conflict in noticed(view.index, now))
    said = tuple(replacements(view.index, now))
    return open_conflicts(view.index) + noted + said + alike_conflicts(context, view, most=most)


def noticed(index: Index, now: str) -> Iterator[tuple[Event, Conflict]]:
    """Yield the conflicts that protocols' rules left to a person, each with its event.

    A decision that was undone does not count.
    """
    found: dict[tuple[str, ...], Event] = {}
    for event in index.events(EventWhere(kinds=(DETECTED, RESOLVED), held=False)):
        names = event.data.get("members" if event.kind == DETECTED else "memories")
        if event.trust < TRUSTWORTHY or not isinstance(names, list) or len(names) < 2:
            continue
        key = tuple(sorted(map(str, names)))
        if event.kind == DETECTED:
            found[key] = event
        elif key in found and still_counts(index, event, key[0]):
            del found[key]
    for names, event in found.items():
        members = tuple(one for name in names if (one := index.memory(name)) is not None)
        held = [one for one in members if one.status in ("active", "flagged")]
        open_ones = [one for one in held if not one.has_expired(now)]
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
    """Name the rule, and how the memories differ."""
    said = [event.data[key] for key in ("rule", "reason") if event.data.get(key)]
    return ": ".join(map(str, said)) or "they disagree"
