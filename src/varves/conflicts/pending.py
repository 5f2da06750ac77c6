"""All conflicts that need a decision, including those that a protocol's rule noticed."""

from __future__ import annotations

from heapq import merge

from varves.conflicts.finders import conflict_of, found_pairs, still_counts
from varves.conflicts.flagged import open_conflicts
from varves.conflicts.replacements import replacements
from varves.errors import NotFound, UsageError
from varves.events.kinds import DETECTED, RESOLVED
from varves.fold.conflicts import Conflict, Conflicts, conflict_id, pair_id
from varves.index.where import EventWhere
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.values.near import Pair

    _Row = Conflict | Pair


def waiting(
    context: Context,
    view: View,
    *,
    most: int | None = None,
    limit: int | None = None,
    before: str | None = None,
    scopes: Collection[str] | None = None,
) -> Conflicts:
    """Return the conflicts that need a decision, newest first, as `conflicts` lists them.

    Args:
        context: decides what the caller may see.
        view: the view whose memories are compared.
        most: the maximum number of memories to compare now; by default all.
        limit: the maximum number of conflicts to return.
        before: return only conflicts that come after this one in the list.
        scopes: return only conflicts between memories of these scopes.

    Raises:
        NotFound: no open conflict has the id `before`.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"the limit must be 1 or more, not {limit}", "give a whole number")
    known, pairs = _all(context, view, most)
    if scopes is not None:
        known = [one for one in known if all(each.scope in scopes for each in one.members)]
        pairs = [one for one in pairs if one.scope in scopes]
    left, shown = len(known) + len(pairs), list[Conflict]()
    rows: Iterator[_Row] = merge(known, reversed(pairs), key=_place, reverse=True)
    if before is not None:
        for row in rows:
            left -= 1
            if _name(row) == before:
                break
        else:
            raise NotFound(f"no conflict {before}", "varves conflicts lists the open ones")
    for row in rows:
        if len(shown) == limit:
            return Conflicts(shown, more=left)
        left -= 1
        conflict = row if isinstance(row, Conflict) else conflict_of(context, view, row)
        if conflict is not None:
            shown.append(conflict)
    return Conflicts(shown)


def count(context: Context, view: View, *, most: int) -> int:
    """Count the conflicts that need a decision, after comparing at most `most` memories."""
    known, pairs = _all(context, view, most)
    return len(known) + len(pairs)


def _all(context: Context, view: View, most: int | None) -> tuple[list[Conflict], list[Pair]]:
    """Return the open conflicts, newest first, and the pairs that were judged, oldest first."""
    now, index = iso(view.now), view.index
    noted = (conflict for _, conflict in noticed(index, now))
    known = [*open_conflicts(index), *noted, *replacements(index, now)]
    known.sort(key=_place, reverse=True)
    return known, found_pairs(context, view, most=most)


def _place(row: _Row) -> tuple[str, ...]:
    """Return the place of a conflict among the others, by its latest memory."""
    if isinstance(row, Conflict):
        return max((member.at, "", member.id) for member in row.members)
    return row.place


def _name(row: _Row) -> str:
    return row.id if isinstance(row, Conflict) else pair_id(row.older, row.newer)


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
