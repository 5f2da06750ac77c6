"""Compares a statement that was just recorded with older memories, before the verb returns.

The statement is already durable, so this code must not fail and must be quick. If there is an
error, or the time limit is reached, it stops, and `varves conflicts` finds the remaining conflicts
later. Only memories that share a key with the statement are compared; they are looked up in the
index and among the statements recorded since its last update.
"""

from __future__ import annotations

from varves.conflicts.judging import UPDATE, is_compared, judged, numbers, prepared, terms
from varves.conflicts.named import note_named, seen_by
from varves.conflicts.replacements import replaced_decisions
from varves.fold.conflicts import pair_id
from varves.values.answers import Likeness, LineConflict
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY, Memory
from varves.values.near import Near

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.conflicts.judging import Judged
    from varves.context.context import Context
    from varves.index.port import Index, Nearby

BUDGET_MS = 20  # time limit for one statement
LONGEST_MS = 5000  # time limit for all statements of one batch
# the most memories that a statement is compared with, once in the index and once outside it
MOST = 4
SURE = 3 * MOST  # the number of memories that it is compared with even after the time limit
SURE_CHARS = 20_000  # the limit for the length of their texts together, in characters
FILLED = 32  # the most memories whose missing keys are computed for one statement
AT_A_TIME = 8  # the same if more memories than that have no keys: a word search finds them too
STORED = 8  # with fewer new keys, a transaction is not worthwhile
LATEST = "g"  # sorts after every stamp
SAID = 10  # the most conflicts that a protocol's notes list
_PORTION = 500
NAMED = 100  # the most conflicts that the answer to a batch lists


def likenesses(context: Context, command: Remember, act: Act, *, name: str) -> tuple[Likeness, ...]:
    """Return the older memories that a new statement repeats, updates or contradicts."""
    if act.trust < TRUSTWORTHY or not seen_by(context, command.scope):
        return ()
    try:
        context.recorder.catch_up(command.log)
        now = context.clock.now()
        late = statement_of(command, name, now=now)
        found = tuple(_named(one, old, name) for one, old in Arrivals(context, now).judge(late))
        note_named(context, [one.conflict for one in found])
    except Exception:  # noqa: BLE001 - the write is acknowledged, whatever happens here
        return ()
    return found


def statement_of(command: Remember, name: str, *, now: int) -> Near:
    """Return a recorded statement, prepared for comparison."""
    from json import dumps

    about = command.about
    at = about.get("at") or iso(now)
    links = dumps(command.links) if command.links else None
    said = (name, command.text, about.get("speaker"), at, command.scope, command.log)
    return Near((*said, 0, "", links, LATEST, "core", about.get("type") or Memory.type))


class Arrivals:
    """Judges statements that were just recorded."""

    def __init__(self, context: Context, now: int) -> None:
        self._context = context
        self._now = iso(now)

    def judge(self, late: Near, *, either: bool = False) -> list[tuple[Judged, Near]]:
        """Return the relations found between a statement and older memories, each with the memory.

        Args:
            late: the statement.
            either: whether memories that were recorded after the statement are compared too.
        """
        clock = self._context.clock
        until = clock.now() + BUDGET_MS
        found: list[tuple[Judged, Near]] = []
        size = 0
        for number, old in enumerate(self._candidates(late, until)):
            if (number >= SURE or size > SURE_CHARS) and clock.now() > until:
                break
            size += len(old.text)
            if either or old.place <= late.place:
                one = judged(*sorted((old, late), key=lambda near: near.place))
                if one is not None:
                    found.append((one, old))
        return _without_rotations(found)

    def _candidates(self, late: Near, until: int) -> Iterable[Near]:
        keys = keys_of(late)
        unread = self._context.recorder.unread(late.kept)
        found = {near.id: near for near in unread.sharing(keys, late.id, keys_of)[:MOST]}
        index = self._context.index.get()
        try:
            nearby = index.nearby(self._now, self._context.trusted)
            found |= self._filled(index, nearby, late, keys=keys, until=until)
            sharing = nearby.sharing(keys, other_than=late.id, most=MOST)
            found = {near.id: near for near in sharing} | found
        except (self._context.index.faults, OSError, UnicodeError):
            pass  # the next reader of the index repairs it
        found.pop(late.id, None)
        return found.values()

    def _filled(
        self, index: Index, nearby: Nearby, late: Near, *, keys: frozenset[int], until: int
    ) -> dict[str, Near]:
        """Compute keys for older memories without stored keys.

        Return, by id, the memories to compare that the stored keys do not find yet.
        """
        fresh = nearby.unkeyed(FILLED)
        if not fresh:
            return {}
        more = len(fresh) == FILLED
        if more:
            fresh = fresh[:AT_A_TIME]
        clock = self._context.clock
        size = 0
        shared: dict[str, int] = {}
        filled: list[tuple[Near, frozenset[int]]] = []
        for near in fresh:
            if size > SURE_CHARS and clock.now() > until - BUDGET_MS // 2:
                break
            size += len(near.text)
            own = keys_of(near)
            filled.append((near, own))
            if not own.isdisjoint(keys) and (near.scope, near.kept) == (late.scope, late.kept):
                shared[near.id] = len(own & keys)
        found: dict[str, Near] = {}
        if shared:
            best = sorted(shared, key=lambda name: -shared[name])[:MOST]
            found = {near.id: near for near in nearby.named(best)}
        if len(filled) >= STORED:
            index.wait(0)
            try:
                nearby.keep_keys(filled)
            except self._context.index.faults:
                pass  # another process is writing, so the keys are computed again later
            finally:
                index.wait(None)
        if more or len(filled) < len(fresh):  # some memories have no keys
            place = {"scope": late.scope, "kept": late.kept, "other_than": late.id}
            for near in nearby.nearest(terms(late.text), **place):
                found.setdefault(near.id, near)
            found = {name: near for name, near in found.items() if is_compared(near)}
        return found


def keys_of(near: Near) -> frozenset[int]:
    """Return the keys of a memory, as numbers."""
    return numbers(prepared(near.text).keys, near)


def _without_rotations(found: list[tuple[Judged, Near]]) -> list[tuple[Judged, Near]]:
    """Remove the related statements about a limited time, such as "this week", except the latest.

    Statements that are not about a limited time are kept.
    """
    passing = [old for one, old in found if one.passing]
    last = max(passing, key=lambda old: old.place, default=None)
    return [(one, old) for one, old in found if not one.passing or old is last]


def _named(one: Judged, old: Near, name: str) -> Likeness:
    return Likeness(
        kind=one.kind,
        id=old.id,
        text=old.text,
        conflict="" if one.passing else pair_id(old.id, name),
        relation=one.relation,
        reason=one.reason,
    )


def arrived(
    context: Context, names: Iterable[str], *, hidden: bool = False
) -> tuple[LineConflict, ...]:
    """Return the older memories that new or changed memories repeat, update or contradict.

    Args:
        context: the dependencies.
        names: the ids of the memories.
        hidden: whether memories of scopes that the caller may not see are judged too: a protocol
            writes for its agents and conversations.
    """
    batch = BatchArrivals(context)
    try:
        index = context.fresh().index
        batch.take_indexed(index, dict.fromkeys(names, 0), hidden=hidden)
        found = batch.told()
        gone = replaced_decisions(index) if hidden and found else set[str]()
    except Exception:  # noqa: BLE001 - the write is acknowledged, whatever happens here
        return ()
    return tuple(one for one in found if one.id not in gone)


def corrected(context: Context, name: str) -> tuple[Likeness, ...]:
    """Return the older memories that a corrected text repeats, updates or contradicts."""
    return tuple(one.likeness for one in arrived(context, (name,)) if one.memory == name)


class BatchArrivals:
    """Judges the statements of a batch, group by group, after each group is durable."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._until = context.clock.now() + LONGEST_MS
        self._pairs: set[frozenset[str]] = set()
        self.found: list[LineConflict] = []
        self.more = 0

    def told(self) -> tuple[LineConflict, ...]:
        """Return the conflicts found, and note that the caller's answer lists these conflicts."""
        note_named(self._context, [one.conflict for one in self.found])
        return tuple(self.found)

    def take(self, group: Sequence[tuple[int, Remember, Act, str]]) -> None:
        """Judge a group of recorded statements, each given as (line, command, act, memory)."""
        for line, command, act, name in group:
            if act.trust >= TRUSTWORTHY and seen_by(self._context, command.scope):
                now = self._context.clock.now()
                self.judge(line, statement_of(command, name, now=now))

    def take_indexed(self, index: Index, lines: dict[str, int], *, hidden: bool = False) -> None:
        """Judge memories that are already in the index.

        Args:
            index: the index.
            lines: the memories, each with its line.
            hidden: whether memories of scopes that the caller may not see are judged too.
        """
        try:
            nearby = index.nearby(iso(self._context.clock.now()), self._context.trusted)
            names = list(lines)
            for start in range(0, len(names), _PORTION):
                part = nearby.named(names[start : start + _PORTION])
                for near in sorted(part, key=lambda one: one.place):
                    if is_compared(near) and (hidden or seen_by(self._context, near.scope)):
                        self.judge(lines[near.id], near, lines)
        except (self._context.index.faults, OSError, UnicodeError):
            return  # the next reader of the index repairs it

    def judge(self, line: int, late: Near, lines: dict[str, int] | None = None) -> None:
        """Judge one recorded statement.

        Args:
            line: the line of the statement.
            late: the statement.
            lines: the lines of all statements, if some memories may be newer than the statement.
        """
        now = self._context.clock.now()
        if now > self._until:
            return
        try:
            for one, other in Arrivals(self._context, now).judge(late, either=lines is not None):
                old, newer = other, late
                if one.relation == UPDATE and other.place > late.place:
                    old, newer = late, other
                pair = frozenset((old.id, newer.id))
                if pair in self._pairs:
                    continue
                self._pairs.add(pair)
                if len(self.found) >= NAMED:
                    self.more += 1
                else:
                    named = _named(one, old, newer.id)
                    if not seen_by(self._context, late.scope):
                        # `varves conflicts` does not list this conflict
                        named = named.replace(conflict="")
                    known = (lines or {}).get(newer.id, line)
                    fields = {**named.as_dict(), "line": known, "memory": newer.id}
                    self.found.append(LineConflict(**fields))
        except Exception:  # noqa: BLE001 - the lines are durable, whatever happens here
            return
