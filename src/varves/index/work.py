"""One update of an index: adds and removes events, then folds the affected memories again.

This code works for every index, because it uses only the port. It decides which events count, which
events only another worktree contains, which events wait for their time, and which memories are
folded again. The adapter decides how rows are stored.
"""

from __future__ import annotations

from varves.events.blobs import inflate
from varves.events.codec import decode, purged_line
from varves.events.kinds import ACCESSED, BARRING, INJECTED, birth, touches
from varves.events.remnants import holds, lasts
from varves.events.tellings import accesses, tellings
from varves.fold.family import fold_family
from varves.fold.rivals import apply_across
from varves.index.rows import CONTENT, mark
from varves.index.where import WAITING_PURGES, EventWhere
from varves.log.sources import elsewhere as place_of
from varves.log.sources import log_of
from varves.values.instants import first_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from varves.events.event import Event
    from varves.fold.family import Family, Row
    from varves.index.port import Index, Update
    from varves.log.port import Blobs, Changes, Source
    from varves.log.sources import Lines, Part

    Progress = Callable[[int], None]

PORTION = 50_000  # events of one update that are in memory at once
_REPORT_EVERY = 2000


class Work:
    """One update of an index, with the events that were added, moved or removed."""

    def __init__(
        self,
        index: Index,
        batch: Update,
        logs: Mapping[str, Blobs],
        *,
        now: int | None,
        progress: Progress | None,
        filled: bool = False,
    ) -> None:
        """Begin an update.

        Args:
            index: the index to update.
            batch: its transaction.
            logs: the sources of texts that are not in the lines.
            now: the current time; None if no event is held back.
            progress: called with the number of events read so far.
            filled: whether the index was filled in bulk just now, and nobody has read it yet.
        """
        self.index = index
        self.batch = batch
        self.limit = first_held(now)
        self.progress = progress
        self.logs = logs
        self.families = Families(index, batch, logs)
        self.fresh = self.families.fresh
        self._before = 0  # events of earlier portions
        self.counted: dict[tuple[str, str | None, str | None], tuple[int, str]] = {}
        # the key of the source being read, if it is in another worktree; otherwise ""
        self.where = ""
        self._heads: dict[tuple[str, str], Event] = {}
        self._lost_heads: set[tuple[str, str]] = set()
        self._again: set[int] = set()
        self._read_before = index.logs().has_read() and not filled
        # whether a new purge was read
        self._purging = filled and index.count(EventWhere(kinds=BARRING)) > 0
        # whether one part has the complete line of an event whose line is erased in another part
        self._back = False

    def finish(self, logs: Mapping[str, Source]) -> None:
        """Complete the update after all logs were read: hold back future events, count, fold."""
        self._read_again(logs)
        self._end_portion()

    def _end_portion(self) -> None:
        """Complete what was read so far, so that memory stays limited."""
        self._hold_or_release()
        self._save_heads()
        self.batch.count(self.counted)
        self._note_purges()
        self.families.fold()
        self._before += len(self.fresh)
        self.counted.clear()
        self._heads.clear()
        self._lost_heads.clear()
        self.families = Families(self.index, self.batch, self.logs)
        self.fresh = self.families.fresh

    # Parts of the logs

    def take(self, key: str, changes: Changes) -> None:
        """Process the changes of one log: added events and removed events."""
        for part in changes:
            self.take_part(key, part)
            if len(self.fresh) >= PORTION:
                self._end_portion()
        self.batch.close_parts(key, changes.closed)
        self.batch.keep_source(key, changes.whole)

    def drop_source(self, key: str) -> None:
        """Remove everything that was read from a source that no longer exists."""
        for part in self.batch.parts(key):
            self._drop(part)
        self.batch.drop_source(key)

    def take_part(self, key: str, part: Part) -> None:
        """Read one part of a log: its new lines, or the whole part again."""
        self.where = place_of(key)
        number = self.batch.number(key, part.name)
        if part.gone:
            self._drop(number)
            return
        if part.fresh:
            self._clear(number)
        for event, line in self._fit_to_keep(part.events):
            self.add(event, line, number)
        self.batch.keep_part(number, part)

    def _drop(self, part: int) -> None:
        """Remove a part that no longer exists, and the events that only this part contained."""
        self._clear(part)
        self.batch.drop_part(part)

    def _clear(self, part: int) -> None:
        """Remove the events of a part that no other part contains."""
        for event in self.batch.clear(part):
            stored = self.batch.stored(event)
            if stored is None:
                continue
            others = self.batch.places(event)
            if all(there != stored.mark for _, there in others):
                self._lost_heads.add((stored.log, stored.writer))
                self.batch.show(event, present=False)
                self._touch(event)
                # the other parts contain another line of this event
                self._again.update(part for part, _ in others)
            elif (now := self.batch.holder(event)) != stored.where:
                self._move(event, now)
                self._lost_heads.add((stored.log, stored.writer))

    def _read_again(self, logs: Mapping[str, Source]) -> None:
        """Read those parts again that have another line of an event whose stored line is gone."""
        for part in self._again:
            named = self.batch.name_of(part)
            if named is not None:
                key, name = named
                self.where = place_of(key)
                for event, line in logs[key].part(name):
                    self.add(event, line, part)

    def _fit_to_keep(self, events: Lines) -> Lines:
        """Remove purged content from lines of other checkouts, whose files stay unchanged."""
        barred = self.index.purges().barred() if self.where else None
        if not barred:
            return events
        return [self._fit(event, line, barred) for event, line in events]

    def _fit(self, event: Event, line: bytes, barred: set[str]) -> tuple[Event, bytes]:
        """Return an event and its line without purged content.

        The line is left complete if it also concerns other memories and has no stand-in yet.
        """
        if not holds(event, barred) or (lasts(event) and not self.batch.said_again(event.id)):
            return event, line
        erased = purged_line(line)
        return decode(erased, event.log), erased

    # Events

    def add(self, event: Event, line: bytes, part: int) -> None:
        """Add an event that was read from a part."""
        name, batch = event.id, self.batch
        batch.place(part, name, mark(event.digest, purged=event.purged))
        stored = batch.stored(name)
        text, where = line.decode("ascii"), self.where
        if stored is not None:
            if stored.line == text or (stored.present and stored.precedes(event)):
                self._back = self._back or (CONTENT in text and stored.purged)
                if not stored.present:
                    batch.show(name, present=True)
                # the key of this checkout is empty, so it sorts before every other source
                elif where >= stored.where:
                    return
                self._move(name, where)
                self._note_head(event, where)
                return
            if event.purged and not stored.purged:
                self.batch.taint()
            # another line of the same event is used instead of this line
            self._retract(name, (stored.log, stored.writer))
            self._count((stored.kind, stored.session, stored.protocol), stored.hlc, step=-1)
            where = min(where, stored.where) if stored.present else where
        elif part:  # a view of the past has no parts
            batch.arrive(name)
        self._count((event.kind, event.session, event.protocol), event.hlc)
        batch.put(event, text, held=event.hlc >= self.limit, where=where)
        if memories := touches(event):
            batch.touch(name, memories)
            self.families.touched.update(dict.fromkeys(memories))
        if event.kind == INJECTED:
            told = tellings(event)
            batch.put_told(name, told)
            self.families.used.update(memory for memory, _ in told)
        elif event.kind == ACCESSED:
            batch.put_accessed(name, accesses(event))
        elif event.kind in BARRING and self._read_before:
            self.batch.taint()
        self.fresh[name] = event
        self._note_head(event, where)
        if self.progress and len(self.fresh) % _REPORT_EVERY == 0:
            self.progress(self._before + len(self.fresh))

    def _count(self, key: tuple[str, str | None, str | None], stamp: str, *, step: int = 1) -> None:
        """Add one event to the counts; with a negative `step`, subtract it."""
        held, last = self.counted.get(key, (0, ""))
        self.counted[key] = held + step, max(last, stamp)

    def _touch(self, event: str) -> None:
        self.families.touched.update(dict.fromkeys(self.batch.touched_by(event)))
        self.families.used.update(self.batch.told_by(event))

    def _move(self, event: str, where: str) -> None:
        """Record that this checkout has an event again, or that only the source `where` has it."""
        self.batch.move(event, where)
        self._touch(event)

    def _retract(self, event: str, head: tuple[str, str]) -> None:
        self._touch(event)
        self.families.free([event, *self.batch.lifted_in(event)])
        self._lost_heads.add(head)
        if head in self._heads and self._heads[head].id == event:
            del self._heads[head]
        self.batch.retract(event)

    def _note_head(self, event: Event, where: str) -> None:
        # `seen` refers to the events of this checkout's logs only
        if where or event.hlc >= self.limit:
            return
        before = self._heads.get((event.log, event.writer))
        if before is None or before.seq < event.seq:
            self._heads[event.log, event.writer] = event

    def _save_heads(self) -> None:
        """Store the newest event of each writer."""
        for log, writer in self._lost_heads:
            self.batch.renew_head(log, writer)
        for event in self._heads.values():
            self.batch.raise_head(event)

    def _hold_or_release(self) -> None:
        """Hold back the events whose stamp is in the future, and count all others.

        The clock may have been set back, so an event may have to be held again.
        """
        for event, log, writer, held in self.batch.mistimed(self.limit):
            self.batch.hold(event, held=held)
            self._lost_heads.add((log, writer))
            self._touch(event)

    def _note_purges(self) -> None:
        """Note that the next write must erase purged content.

        The note is stored in three cases: a new purge may be this clone's and has no second copy
        yet; lines with content that is purged here were read; or one part has a complete line that
        is erased in another part.
        """
        barred = {name for name, *_ in self.index.touched(EventWhere(kept_purge=True))}
        came = self._back or not barred.isdisjoint(self.families.touched)
        came = came or self._purging
        came = came or any(event.kind in BARRING for event in self.fresh.values())
        if came or (barred and not self.fresh.keys().isdisjoint(self.index.purges().talk())):
            self.index.notes().put(WAITING_PURGES, "", once=True)


class Families:
    """The memories to fold again, and the events read for them so far."""

    def __init__(self, index: Index, batch: Update, logs: Mapping[str, Blobs]) -> None:
        self.index = index
        self.batch = batch
        self.logs = logs
        self.fresh: dict[str, Event] = {}
        self.touched: dict[str, None] = {}
        self.used: set[str] = set()  # memories that were shown, or whose uses must be counted again
        self._freed: set[bytes] = set()
        self._guests = _Guests()

    def free(self, events: Iterable[str]) -> None:
        """Mark values to be checked again, because the events that rejected them are gone."""
        self._freed |= self._keys_of(events)

    def free_values(self, keys: Iterable[bytes]) -> None:
        """Mark values to be checked again."""
        self._freed |= set(keys)

    def fold(self) -> None:
        """Fold all changed families, then those whose values were newly rejected or accepted."""
        visited: set[str] = set()
        families: list[tuple[set[str], Family]] = []
        changed = set(self._freed)
        any_rejected = self.batch.any_rejected()
        for source, digest in self.index.logs().missing_blobs():
            if source in self.logs and self.logs[source].blob(digest) is not None:
                self.touched |= dict.fromkeys(self.batch.come(source, digest))
        for name in self.touched:
            if name not in visited:
                members, family = self._family(name, visited)
                families.append((members, family))
                if any_rejected or family.rejections or family.lifts:
                    any_rejected = True
                    changed |= self._save_rejections(members, family)
        for key in changed:
            same = self.batch.holding(key)
            families.extend(self._family(name, visited) for name in same if name not in visited)
        for members, family in families:
            rows = apply_across(family, self._rejecting if any_rejected else None)
            self._guests.label(rows)
            self.batch.replace_rows(members, rows)
        self.batch.sum_uses(self.used)

    def _rejecting(self, key: bytes) -> str | None:
        return next(iter(self.index.rejections(key)), None)

    def _family(self, start: str, visited: set[str]) -> tuple[set[str], Family]:
        """Collect all events of the family of a memory, and fold them; return its members too."""
        members: set[str] = set()
        events: dict[str, Event] = {}
        elsewhere: dict[str, str] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in members:
                continue
            members.add(name)
            for identity, log, line, where in self.batch.events_of(name):
                if where:
                    elsewhere[identity] = where
                if identity not in events:
                    event = self.fresh.get(identity) or self.batch.read_line(line, log)
                    events[identity] = self.with_blobs(event)
                    waiting.extend(touches(event))
        visited |= members
        if elsewhere:
            self._guests.note(events.values(), elsewhere)
        return members, fold_family(list(events.values()))

    def with_blobs(self, event: Event) -> Event:
        """Return an event with its long texts (blobs) read in; record those that are missing."""

        def get(digest: str) -> bytes | None:
            places = [key for key in self.logs if log_of(key) == event.log]
            for key in places:
                content = self.logs[key].blob(digest)
                if content is not None:
                    return content
            if len(digest) == 64 and digest.isalnum():  # otherwise this is not the digest of a blob
                for key in places:
                    self.batch.miss(key, digest, touches(event))
            return None

        inflate(event.data, get)
        return event

    def _save_rejections(self, members: set[str], family: Family) -> set[bytes]:
        """Store the rejections of a family, and their lifts; return the values affected."""
        batch = self.batch
        before = set().union(*(batch.rejections_of(name) for name in members))
        keys = self._keys_of(target for name in members for target in batch.lifted_by(name))
        after = set(family.rejections)
        batch.replace_rejections(members, after, family.lifts)
        keys |= self._keys_of(target for target, _ in family.lifts)
        return keys | {key for _, key, _ in before ^ after}

    def _keys_of(self, events: Iterable[str]) -> set[bytes]:
        """Return the values that some events reject."""
        return {key for event in events for key in self.batch.rejected_in(event)}


class _Guests:
    """The events and memories that exist only in other worktrees, noted during one update.

    The project logs of other worktrees are read as additional sources and folded with ours. If no
    part of this checkout contains an event, the event is stored with the key of a source that has
    it, and so is a memory that the event affected.
    """

    def __init__(self) -> None:
        self._events: dict[str, str] = {}
        self._births: dict[tuple[str, str], dict[str, str]] = {}  # (memory, log): event: source

    def note(self, events: Iterable[Event], where: dict[str, str]) -> None:
        """Note the sources of a family's events, some of which exist only in other worktrees."""
        self._events |= where
        for event in events:
            record = birth(event)
            if record:
                births = self._births.setdefault((record["memory"], event.log), {})
                births[event.id] = where.get(event.id, "")

    def label(self, rows: dict[str, Row]) -> None:
        """Set the source in the rows of memories whose events only another worktree has."""
        if not self._events:
            return
        for name, row in rows.items():
            births = self._births.get((name, row["kept"]), {})
            born = "" if "" in births.values() else min(births.values(), default="")
            changed = "" if row["version"] in births else self._events.get(row["version"], "")
            row["branch"] = changed or born or None
            row["away"] = int(bool(born))
