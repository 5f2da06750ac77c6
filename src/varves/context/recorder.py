"""The recorder: reads what is known, lets a command decide, masks secrets and appends the events.

A plain `remember` does not update the index. It uses the index without updating it, and reads the
few events that were recorded since. A command that changes an existing memory updates the index
first.
"""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from varves.context.unread import Unread
from varves.errors import Busy, Damaged, NotFound, Refused, Rejected, UsageError, VarvesError
from varves.events.codec import BadLine, decode
from varves.events.raw import ACTING_KEYS, PLAIN_KINDS, hlc_of, is_plain, text_of
from varves.events.redact import scrub_tree
from varves.index.where import EventWhere
from varves.values.answers import RefusedLine, Remembered, Written
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.text import counted, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.commands.port import Act, Decision, Rows
    from varves.commands.remember import Remember
    from varves.context.follow_up import FollowUp
    from varves.context.live_index import LiveIndex
    from varves.context.logs import Logs
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.index.where import Trusted
    from varves.log.port import Follower
    from varves.settings import Settings
    from varves.values.memory import Memory

    Line = tuple[int, Remember, Act, str]  # number of the line, statement, act and memory


_NAMED = 16  # the most last events of other writers that an event names
# if more bytes of a log are not in the index, the index is updated before a write
TAIL_BYTES = 256 << 10
TAIL_EVENTS = 32  # with more unread statements, the index is updated before they are compared


class _Known:
    """The memories that commands query: those of the index, and those recorded since its update."""

    def __init__(self, index: Index, now: int, since: _Since, trusted: Trusted) -> None:
        self._index = index
        self._now = iso(now)
        self._since = since
        self._trusted = trusted

    def memory(self, name: str) -> Memory | None:
        return self._index.memory(name)

    def standing(
        self, key: bytes, text: str, trust: int, *, protocol: str | None = None
    ) -> tuple[str | None, list[str]]:
        rule = self._trusted if trust >= TRUSTWORTHY else None
        held, rejected = self._index.find_value(key, self._now, trusted=rule, protocol=protocol)
        recent = self._since.holding(key, text, trust)
        if recent is not None and self._index.memory(recent) is None:
            # otherwise another process has updated the index, so the index is more recent
            held = recent
        return held, list(self._index.rejections(key)) if rejected else []

    def free(self, name: str) -> bool:
        memory = self._index.memory(name)
        return memory is not None and self._trusted.includes(memory)

    def rejecting(self, key: bytes) -> list[str]:
        return list(self._index.rejections(key))

    def event(self, name: str) -> Event | None:
        return self._index.event(name)

    def history(self, memory: str) -> list[Event]:
        return self._index.events(EventWhere(about=(memory,)))


class _Since:
    """Statements recorded since the last update of the index.

    Values of this process are stored by key, those of other writers as stored lines.
    """

    def __init__(self) -> None:
        self.own: dict[bytes, tuple[str, int]] = {}
        self.lines: dict[bytes, tuple[str, bytes]] = {}
        self.unread: dict[str, Unread] = {}  # by log

    def holding(self, key: bytes, text: str, trust: int) -> str | None:
        """Return the memory that states the same value as a text, or None.

        Memories of other writers are found only if their text is exactly equal.
        """
        least = min(trust, TRUSTWORTHY)
        name, held = self.own.get(key, ("", 0))
        if name:
            return name if held >= least else None
        log, line = self.lines.get(_quoted(text)[1:-1].encode("ascii"), ("", b""))
        try:
            event = decode(line, log) if line else None
        except BadLine:
            return None
        if event is None or event.trust < least or not event.data:
            return None
        same = value_key(log, event.data.get("scope", ""), text) == key
        return str(event.data["memory"]) if same else None

    def clear(self) -> None:
        """Remove all statements, because the index contains them now."""
        self.own.clear()
        self.lines.clear()
        self.unread.clear()


class Recorder:
    """Lets commands decide, and records the result as durable events."""

    def __init__(
        self, settings: Settings, live: LiveIndex, logs: Logs, follow_up: FollowUp
    ) -> None:
        self.logs = logs
        self._settings = settings
        self._live = live
        self._places = live.places
        self._follow_up = follow_up
        self._names: dict[tuple[str, str | None], tuple[str, str | None]] = {}
        self._watches: dict[str, Follower] = {}
        self._since = _Since()
        self._folded = False
        self._compared = False  # whether the index was compared with every log since the last write
        self._segments: dict[str, str] = {}
        self._looked_in: object = None
        self._brought = False  # whether lines of other clones were read since the last write
        # the highest number of a memory that waited for comparison at the last call
        self._considered = -1

    def names(self, actor: str, session: str | None) -> tuple[str, str | None]:
        """Return the actor and the session as they are recorded, with secrets masked."""
        own = actor, session
        if own not in self._names:
            self._names[own] = tuple(scrub_tree([*own])[0])
        return self._names[own]

    def clean(self, content: Any, *, allow_secret: bool) -> tuple[Any, tuple[str, ...]]:
        """Return a caller's arguments with secrets masked, before any other code uses them."""
        if allow_secret:
            return content, ()
        if not isinstance(content, dict):
            return scrub_tree(content)
        masked: dict[str, Any] = {}
        names: set[str] = set()
        for option, value in content.items():  # names of options cannot contain secrets
            masked[option], hits = scrub_tree(value)
            names.update(hits)
        return masked, tuple(sorted(names))

    # Remembering

    def remember(self, command: Remember, act: Act, *, among: bool = False) -> Remembered:
        """Record one statement, or return the existing memory that states the same.

        If `among` is set, the statement is one of a batch.
        """
        from varves.commands.remember import decide

        if command.links:
            decision = decide(self.current(), command, act)
            return self._remembered(command, self.append(decision))
        # reading and appending are one locked step, so that a retry adds nothing
        if command.given_id:
            self.begin(command.log)
            with self.logs.deciding(command.log):
                decision = decide(self.current(), command, act)
                return self._remembered(command, self.append(decision))
        self._compared &= among
        return self._remembered(command, self.append(self._decided(command, act)))

    def _remembered(self, command: Remember, done: tuple[Decision, list[Event]]) -> Remembered:
        decision, events = done
        self._note(decision)
        return Remembered(
            id=decision.memory,
            event=events[-1].id if events else None,
            status=decision.status,
            redacted=command.redacted,
            conflicts=(),
            text=command.text,
            scope=command.scope,
        )

    def remember_many(
        self,
        commands: Iterable[tuple[Remember, Act] | VarvesError],
        progress: Callable[[int], None] | None,
        *,
        durable: Callable[[list[Line]], None],
    ) -> Written:
        """Record statements in groups with one sync each.

        A refused statement does not stop the rest.

        Args:
            commands: the statements; a refused statement is replaced by its error.
            progress: called with the number of statements processed so far.
            durable: called with the new statements of each group after its sync.
        """
        batch = _Batch(self, durable)
        self.compare()
        try:
            for number, given in enumerate(commands, 1):
                batch.take(number, given)
                if progress is not None and number % batch.GROUP == 0:
                    progress(number)
            batch.flush()
        except BaseException as fault:
            self.forget()  # `_since` contains lines that waited in the batch and were never written
            if not isinstance(fault, self._live.faults):
                raise
            self._live.heal(fault)
            done = f"the index was damaged and rebuilt (after {counted(batch.safe, 'line')})"
            raise Damaged(done, "write the remaining lines again") from None
        return Written(written=batch.written, known=batch.known, refused=tuple(batch.refused))

    def decide_line(self, command: Remember, act: Act) -> Decision:
        """Decide on one line of a batch, as if the lines before it were recorded already."""
        from varves.commands.remember import decide

        if command.given_id or command.links:
            decision = decide(self.current(), command, act)
        else:
            decision = self._decided(command, act)
        self._note(decision)
        return decision

    def _decided(self, command: Remember, act: Act) -> Decision:
        """Decide on a statement without first updating the index.

        `_glance` reads only the log that is written to. If the index already has the value, the
        source of that value may no longer exist. So in this case every log is checked once.
        """
        from varves.commands.remember import decide

        rows = self._glance(command.log, act.now)
        try:
            decision = decide(rows, command, act)
            by_index = decision.status == "known" and rows.memory(decision.memory) is not None
            if self._compared or not by_index:
                return decision
        except Rejected:
            if self._compared:
                raise
        own = dict(self._since.own)  # the lines of a batch that wait and that no log contains yet
        rows = self.current()
        self._since.own.update(own)
        self._compared = True
        return decide(rows, command, act)

    def _note(self, decision: Decision) -> None:
        if decision.status == "recorded":
            held = (decision.memory, decision.drafts[-1].trust)
            if self._since.own.get(decision.value, held)[1] <= held[1]:
                self._since.own[decision.value] = held

    def compare(self) -> None:
        """Read all logs again before the next statement is reported as already known."""
        self._compared = False

    def forget(self) -> None:
        """Drop everything that was read from the logs, so that the next write reads them again."""
        self._watches.clear()
        self._since.clear()
        self._segments.clear()

    # Looking

    def current(self) -> _Known:
        """Return the rows of an up-to-date index."""
        view = self._live.fresh()
        self._watches.clear()
        self._since.clear()
        self.logs.hlc.read(view.index.latest_hlc())
        self._folded = True
        return _Known(view.index, view.now, self._since, self._live.trusted)

    def _glance(self, log: str, now: int) -> _Known:
        """Return the memories of an index that is not updated, with the newer ones of one log."""
        index = self._live.get()
        # each time, because another process may have updated the index
        self.logs.hlc.read(index.latest_hlc())
        if index.generation is not self._looked_in:  # the index was opened or rebuilt
            self.forget()
            self._looked_in = index.generation
        watch = self._watches.get(log)
        if watch is None:
            watch = self._watches[log] = self._watch(log, index)
            if log in self._segments:
                watch.own(self._segments[log])
            self._folded = True
            if watch.waiting() > TAIL_BYTES:
                return self.current()
        gained = watch.poll()
        if gained is None or not all(map(is_plain, gained)):
            return self.current()
        if gained:
            purged = index.touched(EventWhere(kept_purge=True))
            names = [f'"memory":"{name}"'.encode() for name, *_ in purged]
            if any(name in line for line in gained for name in names):
                return self.current()  # the new lines concern a memory that this clone purged
            if not self._brought:
                own = [f'"writer":"{name}.'.encode() for name in self._places.own_clones()]
                self._brought = not all(any(mark in line for mark in own) for line in gained)
        for line in gained:
            stamp = hlc_of(line)
            if stamp:
                self.logs.hlc.read(stamp)
            self._since.lines.setdefault(text_of(line), (log, line))
            self.unread(log).read(line)
        return _Known(index, now, self._since, self._live.trusted)

    def unread(self, log: str) -> Unread:
        """Return the statements of a log that the index may not have yet."""
        known = self._since.unread.get(log)
        if known is None:
            known = self._since.unread[log] = Unread(log, self._live.trusted)
        return known

    def catch_up(self, log: str) -> Unread:
        """Return the unread statements; if there are many, first try a quick update of the index.

        This does not wait for other processes, because the caller's write is already durable.
        """
        unread = self.unread(log)
        if len(unread) <= max(TAIL_EVENTS, unread.tried):
            return unread
        try:
            view = self._live.soon(TAIL_BYTES)
        except (Busy, OSError, self._live.faults):
            unread.tried = len(unread) + TAIL_EVENTS
            return unread
        self._watches.clear()
        self._since.clear()
        self.logs.hlc.read(view.index.latest_hlc())
        self._folded = True
        return self.unread(log)

    def catch_up_merged(self) -> Index | None:
        """Return the index if it has memories that the last call has not considered, else None.

        If lines of other clones were read before the write, the index is updated first.
        """
        index = self._live.opened
        if index is None:
            return None
        if self._brought:
            self._brought = False
            try:
                self._live.soon(TAIL_BYTES)
            except (Busy, OSError, self._live.faults):
                return None
            self.current()
        newest = index.nearby("", self._live.trusted).newest_waiting()
        if newest == self._considered:
            return None
        self._considered = newest
        return index

    def _watch(self, log: str, index: Index) -> Follower:
        source = self.logs.log(log)
        return source.follow(index.logs().known(source.key))

    # Appending

    def apply(
        self, decide: Callable[[Rows, Any, Act], Decision], command: Any, act: Act
    ) -> tuple[Decision, list[Event]]:
        """Let a command decide, and append its events; with `expect`, under one lock."""
        if getattr(command, "expect", None) is not None:
            held = self.current().memory(command.memory)
            # the lock is a file in the ledger, so there is no lock without a ledger
            if held or self._places.exists():
                with self.logs.deciding(held.kept if held else "project", proven=True):
                    return self._carry_out(decide, command, act)
        return self._carry_out(decide, command, act)

    def _carry_out(
        self, decide: Callable[[Rows, Any, Act], Decision], command: Any, act: Act
    ) -> tuple[Decision, list[Event]]:
        rows = self.current()
        decision = decide(rows, command, act)
        self._note_changed(rows, decision)
        return self.append(decision)

    def _note_changed(self, rows: Rows, decision: Decision) -> None:
        """Store which memories of protocols change, so that their files are rendered later."""
        for draft in decision.drafts:
            names = {*draft.data.get("memories", ()), draft.data.get("memory"), decision.memory}
            for name in names - {None}:
                memory = rows.memory(name)
                if memory is not None and memory.protocol != "core":
                    self._follow_up.changed.add(name)

    def apply_all(
        self, decide: Callable[[Rows, Any, Act], Decision], commands: list[Any], act: Act
    ) -> tuple[str, ...]:
        """Let several commands decide on the same state of the ledger.

        Append all their drafts to one log; if one fails, append none.
        """
        rows = self.current()
        by_log: dict[str, list[Decision]] = {}
        for command in commands:
            decision = decide(rows, command, act)
            self._note_changed(rows, decision)
            by_log.setdefault(decision.log, []).append(decision)
        events: list[Event] = []
        for made in by_log.values():
            drafts = tuple(draft for one in made for draft in one.drafts)
            events += self.append(made[0].replace(drafts=drafts))[1]
        return tuple(event.id for event in events)

    def append(self, decision: Decision) -> tuple[Decision, list[Event]]:
        """Append the events that a command has decided on (its drafts) durably."""
        if not decision.drafts:
            return decision, []
        if decision.log == "project" and self._settings.is_asking():
            from varves.context.consents import refuse_drafts

            refuse_drafts(self._settings, decision.drafts)
        if not self._places.exists():
            self.begin(decision.log)
        try:
            events = self.logs.append(decision.log, decision.drafts, self._heads)
        except BaseException:
            self.forget()  # a reader may have indexed lines that were removed after a failed write
            raise
        self._follow_up.wrote.update((draft.actor, draft.session) for draft in decision.drafts)
        segment = self.logs.log(decision.log).written
        if segment != self._segments.get(decision.log):
            self._segments[decision.log] = segment
            try:
                self.begin()  # the branch has changed, and may not have the ledger's constant files
            except OSError:
                # the event is recorded, so closing the old segment is left to the next write
                self._segments.pop(decision.log)
        if (watch := self._watches.get(decision.log)) is not None:
            watch.own(segment)
        if not all(
            draft.kind in PLAIN_KINDS and ACTING_KEYS.isdisjoint(draft.data)
            for draft in decision.drafts
        ):
            self.forget()  # the next write must read how this event affected other values
        else:
            self.unread(decision.log).wrote(events)
        return decision, events

    def _heads(self, log: str, after: str, writer: str) -> list[str]:
        # nothing was read since our last event, so there are no new heads of others
        if not self._folded:
            return []
        self._folded = False
        found = self._live.get().heads(log, after=after, other_than=writer, most=_NAMED)
        return [digest for *_, digest in found]

    def begin(self, log: str = "project") -> list[str]:
        """Create the ledger if it is missing."""
        return self._live.begin(log)


class _Batch:
    """A batch that is being written: statements in groups by log, one sync for each group."""

    GROUP = 256  # the number of statements that share one sync

    def __init__(self, recorder: Recorder, durable: Callable[[list[Line]], None]) -> None:
        self._recorder = recorder
        self._durable = durable
        self._waiting: dict[str, list[Decision]] = {}
        self._fresh: list[Line] = []
        self.written = 0
        self.known = 0
        self.safe = 0
        self.refused: list[RefusedLine] = []

    def take(self, number: int, given: tuple[Remember, Act] | VarvesError) -> None:
        """Decide on one statement, and add the decision to the group of its log."""
        try:
            if isinstance(given, VarvesError):
                raise given
            if given[0].given_id:
                self._take_named(number, *given)
            else:
                self._wait(number, given, self._recorder.decide_line(*given))
        except (UsageError, Refused, NotFound) as fault:
            said, _ = self._recorder.clean(fault.message, allow_secret=False)
            self.refused.append(RefusedLine(line=number, code=fault.code, message=said))
        except OSError as fault:
            done = f"cannot use {fault.filename or 'the log'}: {fault.strerror or fault}"
            raise Damaged(
                f"{done} (after {counted(self.safe, 'line')})", "check the folder"
            ) from None

    def _take_named(self, number: int, command: Remember, act: Act) -> None:
        """Under one lock, look up the id that the caller gave, and append the statement."""
        self.flush()
        self._recorder.begin(command.log)
        with self._recorder.logs.deciding(command.log):
            self._wait(number, (command, act), self._recorder.decide_line(command, act))
            self.flush()

    def _wait(self, number: int, given: tuple[Remember, Act], decision: Decision) -> None:
        """Add a decision to the group of its log."""
        if decision.status == "known":
            self.known += 1
        else:
            self.written += 1
            self._fresh.append((number, *given, decision.memory))
        group = self._waiting.setdefault(decision.log, [])
        group.append(decision)
        if len(group) >= self.GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the statements of the group.

        If this fails, none of them is acknowledged.
        """
        for group in self._waiting.values():
            drafts = tuple(draft for decision in group for draft in decision.drafts)
            try:
                self._recorder.append(group[0].replace(drafts=drafts))
            except Damaged as fault:
                done = f"{fault.message} (after {counted(self.safe, 'line')})"
                raise type(fault)(done, fault.hint) from None
            self.safe += len(group)
        self._waiting.clear()
        fresh, self._fresh = self._fresh, []
        self._durable(fresh)
