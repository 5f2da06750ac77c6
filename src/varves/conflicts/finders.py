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
from varves.index.where import EventWhere
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.near import MEMBERS
from varves.values.near import sharing as sharing_most

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
MANY = 1000  # if more memories wait, all keys are read into memory
_ENTRIES = 4_000_000  # the most keys that are read into memory
_TEXTS = 20_000  # the most prepared texts that are kept in memory


def found_pairs(
    context: Context,
    view: View,
    *,
    most: int | None = None,
    only: Collection[str] | None = None,
) -> list[Pair]:
    """Return the pairs that need a decision and that the caller may see.

    Args:
        context: decides what the caller may see.
        view: the view whose memories are compared.
        most: the maximum number of memories to compare now; by default all.
        only: compare these memories only.
    """
    nearby = view.index.nearby(iso(view.now), context.trusted)
    if only is None:
        compare_waiting(context, nearby, most=most)
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


def compare_waiting(context: Context, nearby: Nearby, *, most: int | None = None) -> None:
    """Compare new or changed memories, by default all of them; otherwise the newest.

    All are compared in portions, and the results of each portion are stored. After an interruption,
    the portions that are stored are not compared again.
    """
    if most is not None and nearby.unseen() > most:
        newest = nearby.writers(0, most)
        some = nearby.waiting(newest[-1][0] - 1, most) if newest else []
        compare_some(nearby, some, lambda _: True)
        return
    done = after = 0
    work = None
    while waiting := nearby.waiting(after, PORTION):
        if work is None:
            many = len(waiting) == PORTION and nearby.unseen() > MANY
            work = _Many(nearby) if many else _Few(nearby)
        nearby.keep(list(work.compare(waiting)))
        done, after = done + len(waiting), waiting[-1].n
        if context.index.progress:
            context.index.progress(done)


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
    work = _Few(nearby)
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


class _Few:
    """Compares some memories; for each one, the index is searched for candidates."""

    def __init__(self, nearby: Nearby) -> None:
        self._nearby = nearby
        self._prepare = lru_cache(maxsize=_TEXTS)(Prepared)

    def compare(self, waiting: list[Near]) -> Iterator[tuple[Near, list[tuple[str, str]]]]:
        """Yield each memory with the pairs (newer, older) that it forms."""
        keys = self.store_keys(waiting)
        for near, sharing in zip(waiting, self._candidates(waiting, keys), strict=True):
            known = {other.id for other in sharing}
            before = self._nearby.partners(near.id)
            others = [*sharing, *self._named([name for name in before if name not in known])]
            yield near, [pair for other in others for pair in self._pair(near, other)]

    def compare_by_words(self, near: Near) -> list[tuple[str, str]]:
        """Return the pairs that a memory forms with the memories whose words are most similar."""
        place = {"scope": near.scope, "kept": near.kept, "other_than": near.id}
        others = self._nearby.nearest(terms(near.text), **place)[:COMPARED]
        return [pair for other in others if is_compared(other) for pair in self._pair(near, other)]

    def _named(self, names: list[str]) -> list[Near]:
        return self._nearby.named(names) if names else []

    def store_keys(self, waiting: list[Near]) -> list[frozenset[int]]:
        keys = [numbers(self._prepare(near.text).keys, near) for near in waiting]
        self._nearby.keep_keys(list(zip(waiting, keys, strict=True)))
        return keys

    def _candidates(self, waiting: list[Near], keys: list[frozenset[int]]) -> Iterator[list[Near]]:
        for near, own in zip(waiting, keys, strict=True):
            yield self._nearby.sharing(own, other_than=near.id, most=COMPARED)

    def _pair(self, near: Near, other: Near) -> list[tuple[str, str]]:
        if (near.scope, near.kept) != (other.scope, other.kept):
            return []
        older, newer = sorted((near, other), key=lambda one: one.place)
        one = judged(older, newer, prepare=self._prepare)
        return [] if one is None or one.passing else [(newer.id, older.id)]


class _Many(_Few):
    """Compares many memories: all keys are read into memory, and each pair is compared once."""

    def __init__(self, nearby: Nearby) -> None:
        super().__init__(nearby)
        self._members: dict[int, list[int]] = {}
        self._entries = 0
        self._read = False

    def store_keys(self, waiting: list[Near]) -> list[frozenset[int]]:
        if not self._read:
            self._read = True
            for key, n in self._nearby.keyed():
                self._members.setdefault(key, []).append(n)
                self._entries += 1
        return super().store_keys(waiting)

    def _candidates(self, waiting: list[Near], keys: list[frozenset[int]]) -> Iterator[list[Near]]:
        if self._entries > _ENTRIES:
            yield from super()._candidates(waiting, keys)
            return
        chosen = []
        for near, own in zip(waiting, keys, strict=True):
            held = [self._members.setdefault(key, []) for key in own]
            best = sharing_most((members[-MEMBERS:] for members in held if members), COMPARED + 1)
            chosen.append([n for n in best if n != near.n][:COMPARED])
            for members in held:
                members.append(near.n)
            self._entries += len(own)
        known = {near.n: near for near in waiting}
        missing = sorted({n for numbers in chosen for n in numbers} - known.keys())
        for start in range(0, len(missing), PORTION):
            part = self._nearby.numbered(missing[start : start + PORTION])
            known |= {near.n: near for near in part}
        for numbers_of_one in chosen:
            yield [known[n] for n in numbers_of_one if n in known]
