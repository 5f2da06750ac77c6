"""Finds pairs of memories that repeat, update or contradict each other.

Each memory is compared once with the memories that share a key with it, and the pairs are stored in
the index. Later only new or changed memories are compared. If a person decided to keep both
memories, the pair is not reported again. Two statements about a limited time are not a pair.
"""

from __future__ import annotations

from functools import lru_cache

from varves.conflicts.judging import Prepared, is_compared, judged, numbers, terms
from varves.conflicts.named import seen_by
from varves.conflicts.replacements import replaced_decisions
from varves.events.kinds import RESOLVED, touches
from varves.fold.conflicts import Conflict, pair_id
from varves.fold.family import standing
from varves.index.runner import Collecting
from varves.index.where import EventWhere
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.near import MEMBERS
from varves.values.near import sharing as sharing_most
from varves.values.progress import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index, Nearby
    from varves.values.near import Near, Pair

PORTION = 500
KEYED = 32  # the memories whose keys are computed first, if only some memories are compared
COMPARED = 4  # the memories that each memory is compared with
_TEXTS = 4_000  # the most prepared texts that are kept in memory


def found_pairs(
    context: Context,
    view: View,
    *,
    most: int | None = None,
    longest: int | None = None,
    only: Collection[str] | None = None,
) -> list[Pair]:
    """Return the pairs that need a decision and that the caller may see.

    Args:
        context: decides what the caller may see.
        view: the view whose memories are compared.
        most: the maximum number of memories to compare now; by default all.
        longest: the time in milliseconds after which the comparison stops; by default no limit.
        only: compare these memories only.
    """
    nearby = view.index.nearby(iso(view.now), context.trusted)
    if only is None:
        compare_waiting(context, nearby, most=most, longest=longest)
    else:
        compare_some(nearby, nearby.named(only), lambda _: True)
    pairs = nearby.pairs()
    visible = {scope for scope in {pair.scope for pair in pairs} if seen_by(context, scope)}
    names = {frozenset((pair.newer, pair.older)) for pair in pairs}
    settled = left_standing(view.index, names)
    talks = any(scope.startswith("session:") for scope in visible)
    gone = replaced_decisions(view.index) if talks else set[str]()
    return [
        pair
        for pair in pairs
        if pair.scope in visible
        and not (settled and {pair.newer, pair.older} in settled)
        and gone.isdisjoint((pair.newer, pair.older))
    ]


def conflict_of(context: Context, view: View, pair: Pair) -> Conflict | None:
    """Return a pair as a conflict, or None.

    The pair is judged again, because stored pairs do not contain the reason.
    """
    index = view.index
    nearby = index.nearby(iso(view.now), context.trusted)
    found = {near.id: near for near in nearby.named((pair.newer, pair.older))}
    newer, older = found.get(pair.newer), found.get(pair.older)
    if newer is None or older is None or not (is_compared(newer) and is_compared(older)):
        return None
    one = judged(older, newer)
    members = [index.memory(near.id) for near in (newer, older)]
    if one is None or one.passing or not all(members):
        return None
    return Conflict(
        id=pair_id(older.id, newer.id),
        kind=one.kind,
        members=tuple(member for member in members if member is not None),
        current=None,
        reason=one.reason,
    )


def left_standing(index: Index, pairs: set[frozenset[str]]) -> set[frozenset[str]]:
    """Return the pairs in which a person decided to keep both memories."""
    found: set[frozenset[str]] = set()
    for event in index.events(EventWhere(kinds=(RESOLVED,))) if pairs else ():
        if event.trust < TRUSTWORTHY or not touches(event):
            continue  # a branch may contain invalid data
        left = event.data.get("left", ())
        if len(left) > 1 and frozenset(left) in pairs and still_counts(index, event, left[0]):
            found.add(frozenset(left))
    return found


def still_counts(index: Index, event: Event, memory: str) -> bool:
    """Return whether an event about a memory is in force: not undone, or its undo was undone."""
    return event.id in {one.id for one in standing(index.events(EventWhere(about=(memory,))))[0]}


def uncompared(context: Context, view: View) -> int:
    """Return how many memories have changed since their last comparison with others."""
    return view.index.nearby(iso(view.now), context.trusted).unseen()


def at_once(context: Context, view: View) -> int:
    """Return how many memories to compare for an answer that must not wait: a portion, or none.

    To compare a few of very many would cost much, and the answer would still not be complete.
    """
    return PORTION if uncompared(context, view) <= PORTION else 0


def compare_waiting(
    context: Context, nearby: Nearby, *, most: int | None = None, longest: int | None = None
) -> None:
    """Compare new or changed memories, by default all of them.

    All are compared in portions, oldest first, and the results of each portion are stored. After an
    interruption, the portions that are stored are not compared again.

    Args:
        context: the dependencies.
        nearby: the memories of the index.
        most: the maximum number of memories to compare, the newest first.
        longest: after so many milliseconds, no further portion is begun.
    """
    if most is not None and nearby.unseen() > most:
        newest = nearby.writers(0, most)
        some = nearby.waiting(newest[-1][0] - 1, most) if newest else []
        compare_some(nearby, some, lambda _: True)
        return
    clock, work = context.clock, _Comparison(nearby)
    until = None if longest is None else clock.now() + longest
    done = after = whole = 0
    while waiting := nearby.waiting(after, PORTION):
        whole = whole or nearby.unseen()
        with Collecting():
            nearby.keep(list(work.compare(waiting)))
        done, after = done + len(waiting), waiting[-1].n
        report(context.index.progress, done, part=done, whole=whole)
        if until is not None and clock.now() >= until:
            return


def compare_some(
    nearby: Nearby, some: list[Near], goes_on: Callable[[int], bool]
) -> tuple[int, list[tuple[tuple[str, str], str]]]:
    """Compare a few memories with all others, also with memories whose keys are not stored yet.

    Args:
        nearby: the memories of the index.
        some: the memories to compare.
        goes_on: gets the number of memories compared so far; returns whether to continue.

    Returns:
        The number of memories that were compared, and the new pairs, each with its scope.
    """
    work = _Comparison(nearby)
    fresh = nearby.unkeyed(KEYED)
    work.store_keys(fresh)
    known = {near.id: set(nearby.partners(near.id)) for near in some}
    compared: list[tuple[Near, list[tuple[str, str]]]] = []
    found: dict[tuple[str, str], str] = {}
    partly = len(fresh) == KEYED  # more memories may have no keys
    for near, sharing in work.compare(some):
        pairs = [*sharing, *(work.compare_by_words(near) if partly else ())]
        compared.append((near, pairs))
        found |= {pair: near.scope for pair in pairs if known[near.id].isdisjoint(pair)}
        if not goes_on(len(compared)):
            break
    nearby.keep(compared)
    return len(compared), list(found.items())


class _Comparison:
    """Compares memories; for each one, the index is searched for those that share the most keys."""

    def __init__(self, nearby: Nearby) -> None:
        self._nearby = nearby
        self._prepare = lru_cache(maxsize=_TEXTS)(Prepared)

    def compare(self, waiting: list[Near]) -> Iterator[tuple[Near, list[tuple[str, str]]]]:
        """Yield each memory with the pairs (newer, older) that it forms."""
        keys = [self._keys(near) for near in waiting]
        candidates = self._candidates(waiting, keys)
        self._nearby.keep_keys(list(zip(waiting, keys, strict=True)))
        for near, sharing in zip(waiting, candidates, strict=True):
            known = {other.id for other in sharing}
            before = self._nearby.partners(near.id)
            others = [*sharing, *self._named([name for name in before if name not in known])]
            yield near, [pair for other in others for pair in self._pair(near, other)]

    def compare_by_words(self, near: Near) -> list[tuple[str, str]]:
        """Return the pairs that a memory forms with the memories whose words are most similar."""
        place = {"scope": near.scope, "kept": near.kept, "other_than": near.id}
        others = self._nearby.nearest(terms(near.text), **place)[:COMPARED]
        return [pair for other in others if is_compared(other) for pair in self._pair(near, other)]

    def store_keys(self, waiting: list[Near]) -> None:
        """Store the keys of memories without comparing them."""
        self._nearby.keep_keys([(near, self._keys(near)) for near in waiting])

    def _named(self, names: list[str]) -> list[Near]:
        return self._nearby.named(names) if names else []

    def _keys(self, near: Near) -> frozenset[int]:
        return numbers(self._prepare(near.text).keys, near)

    def _candidates(self, waiting: list[Near], keys: list[frozenset[int]]) -> list[list[Near]]:
        """Return for each memory those that share the most keys, as if it came after them.

        So the pairs are the same if memories are compared one by one or together.
        """
        held = self._nearby.members(frozenset().union(*keys))
        for members in held.values():
            members.reverse()
        chosen: list[list[int]] = []
        for near, own in zip(waiting, keys, strict=True):
            newest = (held[key][-MEMBERS:] for key in own if held[key])
            best = sharing_most(newest, COMPARED + 1)
            chosen.append([n for n in best if n != near.n][:COMPARED])
            for key in own:
                if near.n not in held[key]:
                    held[key].append(near.n)
        known = {near.n: near for near in waiting}
        missing = sorted({n for best in chosen for n in best} - known.keys())
        for start in range(0, len(missing), PORTION):
            part = self._nearby.numbered(missing[start : start + PORTION])
            known |= {near.n: near for near in part}
        return [[known[n] for n in best if n in known] for best in chosen]

    def _pair(self, near: Near, other: Near) -> list[tuple[str, str]]:
        if (near.scope, near.kept) != (other.scope, other.kept):
            return []
        older, newer = sorted((near, other), key=lambda one: one.place)
        one = judged(older, newer, prepare=self._prepare)
        return [] if one is None or one.passing else [(newer.id, older.id)]
