"""Collects all conflicts that need a decision, including those that a protocol's rule noticed."""

from __future__ import annotations

from heapq import merge

from varves.conflicts.finders import (
    at_once,
    compare_some,
    conflict_of,
    found_pairs,
    still_counts,
    uncompared,
)
from varves.conflicts.flagged import open_conflicts
from varves.conflicts.replacements import replacements
from varves.context.live_index import EditedView
from varves.errors import NotFound
from varves.events.kinds import DETECTED, RESOLVED, touches
from varves.fold.conflicts import Conflict, conflict_id, pair_id
from varves.index.where import EventWhere
from varves.values.answers import RecordConflict
from varves.values.instants import iso
from varves.values.listing import Compared, check_limit
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from varves.commands.port import Rows
    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.values.near import Pair

    _Row = Conflict | Pair


LONGEST_MS = 3000  # the time in which one call compares memories; the next call goes on
NEWEST = 200  # the most memories that are compared to find one conflict
DETECTED_KIND = "detected"  # of a conflict that a protocol's rule left to a person


class ComparisonLimit(Value):
    """How much a call may compare before it answers; by default everything that waits."""

    memories: int | None = None
    """The most memories, the newest first."""
    milliseconds: int | None = None
    """The time after which the comparison stops; the next call goes on."""


class Among(Value):
    """A choice of conflicts: by their id, the scopes of their memories, or some memories."""

    id: str | None = None
    scopes: Collection[str] | None = None
    memories: Collection[str] | None = None

    def has(self, one: Conflict) -> bool:
        """Return whether a conflict is chosen."""
        named = self.id is None or one.id == self.id
        own = self.memories is None or any(each.id in self.memories for each in one.members)
        scopes = self.scopes
        return named and own and (scopes is None or all(m.scope in scopes for m in one.members))

    def has_pair(self, one: Pair) -> bool:
        """Return whether the conflict of a pair is chosen."""
        named = self.id is None or _name(one) == self.id
        own = self.memories is None or one.newer in self.memories or one.older in self.memories
        return named and own and (self.scopes is None or one.scope in self.scopes)


_FOR_NOW = ComparisonLimit(milliseconds=LONGEST_MS)
_FOR_ONE = ComparisonLimit(memories=NEWEST)


def waiting(
    context: Context,
    view: View,
    *,
    compared: ComparisonLimit | None = None,
    limit: int | None = None,
    before: str | None = None,
    among: Among | None = None,
) -> Compared[Conflict]:
    """Return the conflicts that need a decision, newest first, as `conflicts` lists them.

    Args:
        context: decides what the caller may see.
        view: the view whose memories are compared.
        compared: how much may be compared now; by default everything.
        limit: the maximum number of conflicts to return.
        before: return only the conflicts that follow this one in the list, even if it was settled.
        among: return only these conflicts.

    Raises:
        NotFound: the conflict `before` does not exist and never existed.
    """
    check_limit(limit)
    compared = compared or ComparisonLimit()
    known, pairs = _all(context, view, compared)
    if among is not None:
        known = [one for one in known if among.has(one)]
        pairs = [one for one in pairs if among.has_pair(one)]
    present = view.present if isinstance(view, EditedView) else view
    waits = uncompared(context, present) if compared.milliseconds is not None else 0
    left, shown = len(known) + len(pairs), list[Conflict]()
    rows: Iterator[_Row] = merge(known, reversed(pairs), key=_place, reverse=True)
    if before is not None:
        kept = _after(list(rows), before, view.index)
        rows, left = iter(kept), len(kept)
    for row in rows:
        if len(shown) == limit:
            return Compared(shown, more=left, uncompared=waits)
        left -= 1
        conflict = row if isinstance(row, Conflict) else conflict_of(context, view, row)
        if conflict is not None:
            shown.append(conflict)
    return Compared(shown, uncompared=waits)


def waiting_for_now(
    context: Context,
    view: View,
    *,
    limit: int | None = None,
    before: str | None = None,
    id: str | None = None,
) -> Compared[Conflict]:
    """Return the open conflicts, or one of them, after comparing as much as a caller can wait for.

    To find one conflict by its id, the newest memories are compared: a write has just named it.
    """
    among = None if id is None else Among(id=id)
    compared = _FOR_NOW if id is None else _FOR_ONE
    if view.index is not context.fresh().index:
        compared = ComparisonLimit()  # what is compared in a moment of the past is not stored
    return waiting(context, view, compared=compared, limit=limit, before=before, among=among)


def about(context: Context, view: View, names: Collection[str]) -> Compared[Conflict]:
    """Return the open conflicts that one of the given memories is part of.

    If there is too much to compare for an answer that must not wait, as always in a moment of the
    past, only these memories are compared.
    """
    if not names:
        return Compared([], uncompared=0)
    most = at_once(context, view) if view.index is context.index.get() else 0
    if not most:
        nearby = view.index.nearby(iso(view.now), context.trusted)
        compare_some(nearby, nearby.named(sorted(names)[:NEWEST]), lambda _: True)
    limit = ComparisonLimit(memories=most)
    return waiting(context, view, compared=limit, among=Among(memories=frozenset(names)))


def _after(rows: list[_Row], before: str, index: Index) -> list[_Row]:
    """Return the conflicts after a given one in the list, even if that one was settled since."""
    names = [_name(row) for row in rows]
    if before in names:
        return rows[names.index(before) + 1 :]
    for event in index.events(EventWhere(kinds=(RESOLVED,))):
        if event.data.get("conflict") == before and touches(event):
            members = map(index.memory, event.data["memories"])
            latest = _latest_two(
                (one.at, index.events(EventWhere(about=(one.id,)), first=1)[0].hlc, one.id)
                for one in members
                if one is not None
            )
            return [row for row in rows if _places(row) < latest]
    raise NotFound(f"no conflict {before}", "varves conflicts lists the open ones")


def _places(row: _Row) -> list[tuple[str, ...]]:
    """Return the sort keys of the two latest members of a conflict, latest first."""
    if isinstance(row, Conflict):
        return _latest_two((member.at, "", member.id) for member in row.members)
    return [row.place, row.before]


def _latest_two(places: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return sorted(places, reverse=True)[:2]


def count(context: Context, view: View, *, most: int) -> int:
    """Count the conflicts that need a decision, after comparing at most `most` memories."""
    known, pairs = _all(context, view, ComparisonLimit(memories=most))
    return len(known) + len(pairs)


def _all(
    context: Context, view: View, compared: ComparisonLimit
) -> tuple[list[Conflict], list[Pair]]:
    """Return the open conflicts, newest first, and the related pairs, oldest first."""
    now, index = iso(view.now), view.index
    most, longest = compared.memories, compared.milliseconds
    noted = (conflict for _, conflict in noticed(index, now))
    known = [*open_conflicts(index), *noted, *replacements(index, now)]
    known.sort(key=_place, reverse=True)
    if not isinstance(view, EditedView):
        return known, found_pairs(context, view, most=most, longest=longest)
    pairs = found_pairs(context, view.present, most=most, longest=longest)
    pairs = [one for one in pairs if view.edited.isdisjoint((one.newer, one.older))]
    pairs += found_pairs(context, view, only=view.edited)
    return known, sorted(pairs, key=lambda one: (one.place, one.before))


def _place(row: _Row) -> tuple[str, ...]:
    """Return the sort key of a conflict: the sort key of its latest memory."""
    if isinstance(row, Conflict):
        return max((member.at, "", member.id) for member in row.members)
    return row.place


def _name(row: _Row) -> str:
    return row.id if isinstance(row, Conflict) else pair_id(row.older, row.newer)


def noticed(index: Index, now: str) -> Iterator[tuple[Event, Conflict]]:
    """Yield (event, conflict) for each conflict that a protocol's rule left to a person.

    If a person's decision was undone, the conflict is open again.
    """
    found: dict[tuple[str, ...], Event] = {}
    if not index.count(EventWhere(kinds=(DETECTED,))):
        return  # there may be many resolutions
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
        active = [one.id for one in open_ones if one.status == "active"]
        if len(open_ones) > 1:
            yield (
                event,
                Conflict(
                    id=conflict_id(DETECTED_KIND, " ".join(names)),
                    kind=DETECTED_KIND,
                    members=tuple(open_ones),
                    current=active[0] if len(active) == 1 else None,
                    reason=_reason(event),
                ),
            )


def left_to_a_person(
    rows: Rows, detected: Iterable[Event], fresh: Collection[str]
) -> list[RecordConflict]:
    """Return those conflicts about `fresh` memories that a protocol's rule left to a person."""
    found = []
    for event in detected:
        names = [str(name) for name in event.data["members"]]
        newer = next((name for name in fresh if name in names), None)
        older = next((name for name in names if name != newer), None)
        memory = rows.memory(older) if newer and older else None
        if memory is not None:
            found.append(
                RecordConflict(
                    kind="contradiction",
                    id=memory.id,
                    text=memory.text,
                    conflict=conflict_id(DETECTED_KIND, " ".join(sorted(names))),
                    relation="contradiction",
                    reason=_reason(event),
                    memory=str(newer),
                )
            )
    return found


def _reason(event: Event) -> str:
    """Return the reason for a conflict: the name of the rule, and how the memories differ."""
    said = [event.data[key] for key in ("rule", "reason") if event.data.get(key)]
    return ": ".join(map(str, said)) or "they disagree"
