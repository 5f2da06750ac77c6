"""All conflicts that need a decision, including those that a protocol's rule noticed."""

from __future__ import annotations

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
    from collections.abc import Callable, Iterator

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.values.near import Pair

    _Open = tuple[tuple[str, str, str], str, Callable[[], Conflict | None]]


def waiting(
    context: Context,
    view: View,
    *,
    most: int | None = None,
    limit: int | None = None,
    before: str | None = None,
) -> Conflicts:
    """Return the conflicts that need a decision, newest first, as `conflicts` lists them.

    Args:
        context: decides what the caller may see.
        view: the view whose memories are compared.
        most: the maximum number of memories to compare now; by default all.
        limit: the maximum number of conflicts to return.
        before: return only conflicts that come after this one in the list.

    Raises:
        NotFound: no open conflict has the id `before`.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"not a limit: {limit}", "give a number from 1")
    found = sorted(_all(context, view, most), key=lambda one: one[:2], reverse=True)
    if before is not None:
        place = next((n for n, one in enumerate(found) if one[1] == before), None)
        if place is None:
            raise NotFound(f"no conflict {before}", "varves conflicts lists the open ones")
        found = found[place + 1 :]
    shown: list[Conflict] = []
    for place, (_, _, make) in enumerate(found):
        if len(shown) == limit:
            return Conflicts(shown, more=len(found) - place)
        if (conflict := make()) is not None:
            shown.append(conflict)
    return Conflicts(shown)


def count(context: Context, view: View, *, most: int) -> int:
    """Return how many conflicts need a decision, after comparing at most so many memories."""
    return len(_all(context, view, most))


def _all(context: Context, view: View, most: int | None) -> list[_Open]:
    """Return every open conflict by its latest memory, its id, and how it is made."""
    now, index = iso(view.now), view.index
    noted = tuple(conflict for _, conflict in noticed(index, now))
    known = (*open_conflicts(index), *noted, *replacements(index, now))
    found = [_known(conflict) for conflict in known]
    pairs = found_pairs(context, view, most=most)
    return found + [_paired(context, view, pair) for pair in pairs]


def _known(conflict: Conflict) -> _Open:
    latest = max((member.at, "", member.id) for member in conflict.members)
    return latest, conflict.id, lambda: conflict


def _paired(context: Context, view: View, pair: Pair) -> _Open:
    name = pair_id(pair.older, pair.newer)
    return pair.place, name, lambda: conflict_of(context, view, pair)


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
