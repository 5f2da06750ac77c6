"""Fills a new index from the logs in bulk: with the same result as `work.py`, but faster.

Memory stays limited, however many events there are: the events of one part at a time, and the
families of one portion of memories. Most memories have one event, which records them. Their rows
are stored as soon as the event is read. All other memories are folded after all events were read.

Whatever needs the rules for changing a stored row is left to the ordinary way, at the end: other
lines of an event that is stored, parts that changed while they were read, and the logs of other
worktrees.
"""

from __future__ import annotations

from itertools import count, islice

from varves.events.bulk import parse_quickly
from varves.events.kinds import ACCESSED, CLOSED, INJECTED, RECORDED, touches
from varves.events.tellings import accesses, tellings
from varves.fold.family import fold_family
from varves.fold.record import made
from varves.fold.rivals import TWIN, apply_across
from varves.index.where import EventWhere
from varves.index.work import Families, Work
from varves.log.sources import elsewhere, log_of
from varves.values.instants import first_held
from varves.values.progress import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.port import Filling, Index, Update
    from varves.log.port import Changes, Source
    from varves.log.sources import Part

    Progress = Callable[[int], None]

_READING, _FOLDING = 0.55, 0.3  # the shares of the work, roughly
_PARTS = 16  # parts whose events are stored in one portion
_FOLDED = 250  # families whose rows are stored at once
_AGAIN = 1000  # memories that are folded at once in the ordinary way


def fill(
    filling: Filling, logs: Mapping[str, Source], *, now: int | None, progress: Progress | None
) -> None:
    """Fill a new index with everything that the logs contain.

    Args:
        filling: the new index; it is removed if this fails.
        logs: all logs by key.
        now: the current time; None if no event is held back.
        progress: called with the number of events read so far.
    """
    try:
        _Bulk(filling, logs, now=now, progress=progress).run()
    except BaseException as fault:
        filling.leave(resumable=isinstance(fault, KeyboardInterrupt))
        raise


class _Bulk:
    """One filling of a new index."""

    def __init__(
        self,
        filling: Filling,
        logs: Mapping[str, Source],
        *,
        now: int | None,
        progress: Progress | None,
    ) -> None:
        self.filling = filling
        self.index: Index = filling.index
        self.logs = logs
        self.now = now
        self.limit = first_held(now)
        self.progress = progress
        self.read = 0
        self.bytes = self.total = 0  # of the logs of this checkout: read, and to read
        self.counted: dict[tuple[str, str | None, str | None], tuple[int, str]] = {}
        self.heads: dict[tuple[str, str], Event] = {}
        # the events of which several lines were found, and the parts with their later lines
        self.disputed: set[str] = set()
        self.others: dict[tuple[str, str], set[str]] = {}
        # parts that changed while they were read
        self.changed: list[tuple[str, Part]] = []

    def run(self) -> None:
        """Store all events, then all memories, then what only the ordinary way can store."""
        found = [(key, log.since(self.index.logs().known(key))) for key, log in self.logs.items()]
        ordinary = [(key, changes) for key, changes in found if elsewhere(key)]
        here = [(key, changes) for key, changes in found if not elsewhere(key)]
        self.total = sum(changes.behind for _, changes in here)
        for key, changes in here:
            self._read(key, changes)
        self.filling.end_events()
        with self.index.update() as batch:
            self._fold(Families(self.index, batch, self.logs))
        self.filling.connect()
        again = self.filling.rejected(TWIN)
        for start in range(0, len(again), _AGAIN):
            with self.index.update() as batch:
                families = Families(self.index, batch, self.logs)
                families.touched |= dict.fromkeys(again[start : start + _AGAIN])
                families.fold()
        with self.index.update() as batch:
            self._finish(batch, ordinary)

    # Events

    def _read(self, key: str, changes: Changes) -> None:
        """Store all events of a log of this checkout, in portions."""
        parts = iter(changes)
        more = True
        while more:
            with self.index.update() as batch:
                more = False
                for part in islice(parts, _PARTS):
                    more = True
                    self._take(batch, key, part)
                batch.count(self.counted)
                for event in self.heads.values():
                    batch.raise_head(event)
            self.counted.clear()
            self.heads.clear()
        with self.index.update() as batch:
            batch.close_parts(key, changes.closed | self._closed_before(key))
            batch.keep_source(key, changes.whole)

    def _closed_before(self, key: str) -> set[str]:
        """Return the parts that are closed according to events of an interrupted filling."""
        if not self.filling.resumed:
            return set()
        closings = self.index.events(EventWhere(kinds=(CLOSED,), log=log_of(key)))
        return {str(event.data.get("segment")) for event in closings}

    def _take(self, batch: Update, key: str, part: Part) -> None:
        """Store the events of one part."""
        if part.gone or (part.fresh and self.index.logs().known(key).mark(part.name)):
            self.changed.append((key, part))
            return
        number = batch.number(key, part.name)
        added, others = self.filling.put(
            number, part.events, limit=self.limit, disputed=self.disputed
        )
        if others:
            self.disputed.update(others)
            self.others.setdefault((key, part.name), set()).update(others)
        touched: list[tuple[str, str]] = []
        rows: list[tuple[int, Row]] = []
        waiting: list[tuple[str, int]] = []
        last = self.filling.last
        for event, _ in added:
            self._count(event)
            memories = touches(event)
            touched += [(memory, event.id) for memory in memories]
            if self._is_alone(event, memories):
                last += 1
                rows.append((last, made(event, event.data)))
            else:
                waiting += zip(memories, count(last + 1), strict=False)
                last += len(memories)
            if event.kind == INJECTED:
                batch.put_told(event.id, tellings(event))
            elif event.kind == ACCESSED:
                batch.put_accessed(event.id, accesses(event))
        self.filling.touch(touched)
        self.filling.last = last
        self.filling.add_rows(rows)
        self.filling.wait(waiting)
        batch.keep_part(number, part)
        self.read += len(added)
        self.bytes += sum(len(line) + 1 for _, line in part.events)
        report(self.progress, self.read, part=_READING * self.bytes, whole=self.total)

    def _is_alone(self, event: Event, memories: tuple[str, ...]) -> bool:
        """Return whether an event records a memory, and its row follows from this event alone."""
        content = event.data
        return (
            event.kind == RECORDED
            and len(memories) == 1
            and event.hlc < self.limit
            and "lifts" not in content
            and "blob" not in content
            and "record" not in content
        )

    def _count(self, event: Event) -> None:
        stamp = event.hlc
        key = event.kind, event.session, event.protocol
        held, last = self.counted.get(key, (0, ""))
        self.counted[key] = held + 1, max(last, stamp)
        if stamp < self.limit:
            before = self.heads.get((event.log, event.writer))
            if before is None or before.seq < event.seq:
                self.heads[event.log, event.writer] = event

    # Memories

    def _fold(self, families: Families) -> None:
        """Fold the memories on which several events act, one family at a time."""
        visited: set[str] = set()  # other members of families, until they would be reached
        folded: list[tuple[set[str], dict[str, Row]]] = []
        for n, name, life in self.filling.waiting():
            if name in visited:
                visited.remove(name)
                continue
            events = {one: self._decoded(families, *line) for one, *line in life}
            members = self._members(name, events, families)
            visited |= members - {name}
            family = fold_family(list(events.values()))
            if family.rejections or family.lifts:
                self.filling.add_rejections(family.rejections, family.lifts)
            folded.append((members, apply_across(family, None)))
            if len(folded) == _FOLDED:
                self.filling.replace_rows(folded)
                folded.clear()
                share = _READING + _FOLDING * n / self.filling.last
                report(self.progress, self.read, part=share, whole=1)
        self.filling.replace_rows(folded)

    def _decoded(self, families: Families, log: str, line: str) -> Event:
        return families.with_blobs(parse_quickly(line.encode("ascii"), log))

    def _members(self, name: str, events: dict[str, Event], families: Families) -> set[str]:
        """Return the members of a memory's family, and add the events on the other members."""
        members = {name}
        waiting = [other for event in events.values() for other in touches(event)]
        while waiting:
            name = waiting.pop()
            if name not in members:
                members.add(name)
                for one, log, line, _ in families.batch.events_of(name):
                    if one not in events:
                        event = events[one] = self._decoded(families, log, line)
                        waiting.extend(touches(event))
        return members

    # What only the ordinary way can store

    def _finish(self, batch: Update, ordinary: list[tuple[str, Changes]]) -> None:
        work = Work(self.index, batch, self.logs, now=self.now, progress=self.progress, filled=True)
        for key in self.index.logs().sources() - self.logs.keys():
            work.drop_source(key)
        for key, part in self.changed:
            work.take_part(key, part)
        for (key, name), events in self.others.items():
            self._add_others(work, key, name, events)
        for key, changes in ordinary:
            work.take(key, changes)
        work.finish(self.logs)

    def _add_others(self, work: Work, key: str, name: str, events: set[str]) -> None:
        """Add other lines of events that are stored."""
        try:
            lines = self.logs[key].part(name)
        except FileNotFoundError:  # it was packed meanwhile, and its events are read from the pack
            return
        number = work.batch.number(key, name)
        for event, line in lines:
            if event.id in events:
                work.add(event, line, number)
