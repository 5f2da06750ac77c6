"""Conflicts by likeness: pairs of memories that repeat, update or contradict each other.

Each memory is compared once with its nearest memories, and the result is stored in the index; only
new or changed memories need comparing. A pair that a person decided to keep is not reported again.
"""

from __future__ import annotations

from varves.conflicts.nearest import compared, seen_by, terms
from varves.events.kinds import RESOLVED, touches
from varves.events.views import VIEW_OF
from varves.fold.conflicts import Conflict, pair_id
from varves.fold.family import standing
from varves.index.where import EventWhere
from varves.values.gist import gist
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index, Nearby
    from varves.values.gist import Gist
    from varves.values.memory import Memory
    from varves.values.near import Near

OWN_RULES = ("hivemind",)  # protocols with their own rules for contradictions
PORTION = 500
PREPARED = 10_000  # prepared texts that are kept in memory


def alike_conflicts(
    context: Context, view: View, *, most: int | None = None
) -> tuple[Conflict, ...]:
    """Return the pairs that need a decision, if the caller may see them."""
    nearby = view.index.nearby(iso(view.now), context.trusted)
    compare_waiting(context, nearby, most=most)
    settled = _left_standing(view.index)
    found = []
    for newer, older in nearby.pairs():
        if seen_by(context, newer.scope) and {newer.id, older.id} not in settled:
            conflict = _conflict(view.index, newer, older)
            if conflict is not None:
                found.append(conflict)
    return tuple(found)


def _conflict(index: Index, newer: Near, older: Near) -> Conflict | None:
    """Return a pair as a conflict; the rule is applied again, because it may have changed."""
    if newer.scope != older.scope or newer.kept != older.kept:
        return None
    said = (older.speaker, newer.speaker)
    verdict = compared(gist(older.text), gist(newer.text), speakers=said)
    members = [index.memory(near.id) for near in (newer, older)]
    if verdict is None or not all(members):
        return None
    if any(member and _speaks_for_itself(member) for member in members):
        return None
    return Conflict(
        id=pair_id(older.id, newer.id),
        kind=verdict.kind,
        members=tuple(member for member in members if member is not None),
        current=None,
        reason=verdict.reason,
    )


def _speaks_for_itself(member: Memory) -> bool:
    """Return whether a memory is excluded: by its protocol's own rules, or as a view of another."""
    return member.protocol in OWN_RULES or VIEW_OF in member.links


def _left_standing(index: Index) -> set[frozenset[str]]:
    """Return the pairs that a person decided to keep."""
    found = set()
    for event in index.events(EventWhere(kinds=(RESOLVED,))):
        if event.trust < TRUSTWORTHY or not touches(event):
            continue  # a branch can contain any data
        left = event.data.get("left", ())
        if len(left) > 1 and still_counts(index, event, left[0]):
            found.add(frozenset(left))
    return found


def still_counts(index: Index, event: Event, memory: str) -> bool:
    """Return whether an event about a memory counts: it is not undone, or its undo is."""
    return event.id in {one.id for one in standing(index.events(EventWhere(about=(memory,))))[0]}


def uncompared(context: Context, view: View) -> int:
    """Return how many memories changed since they were last compared."""
    return view.index.nearby(iso(view.now), context.trusted).unseen()


def compare_waiting(context: Context, nearby: Nearby, *, most: int | None = None) -> None:
    """Compare new or changed memories in portions, storing each portion's result."""
    done = after = 0
    gists: dict[str, Gist] = {}
    nearby.forget_fallen()
    while (most is None or done < most) and (waiting := nearby.waiting(after, PORTION)):
        if len(gists) > PREPARED:
            gists.clear()
        found = [(near, _pairs(nearby, near, gists)) for near in waiting]
        nearby.keep(found)
        done, after = done + len(waiting), waiting[-1].n
        if context.index.progress:
            context.index.progress(done)


def _pairs(nearby: Nearby, near: Near, gists: dict[str, Gist]) -> list[tuple[str, str]]:
    """Compare one memory with its nearest ones; return pairs (newer, older)."""
    others = nearby.nearest(terms(near.text), scope=near.scope, kept=near.kept, other_than=near.id)
    known = {other.id for other in others}
    others += nearby.named(name for name in nearby.partners(near.id) if name not in known)
    pairs = []
    for other in others:
        older, newer = sorted((near, other), key=lambda one: (one.at, one.id))
        if older.id in (newer.links or "") or newer.id in (older.links or ""):
            continue
        prepared = []
        for one in (older, newer):
            if one.id not in gists:
                gists[one.id] = gist(one.text)
            prepared.append(gists[one.id])
        if compared(prepared[0], prepared[1], speakers=(older.speaker, newer.speaker)):
            pairs.append((newer.id, older.id))
    return pairs
