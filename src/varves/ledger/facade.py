"""The façade: one opened memory, put together from its logs, its index and the commands.

Every surface calls this and nothing beneath it. A write decides, appends one durable line and
returns; a read first lets the index catch up with the logs. Both may be used from several threads
and processes at once.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.ledger.engine import Engine
from varves.ledger.keeping import Keeping
from varves.ledger.reading import asked, listed, lived, logged, shown
from varves.ledger.steady import clean_up, steady, telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Self, Unpack

    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.errors import VarvesError
    from varves.events.event import Event
    from varves.ledger.recorder import Recorder
    from varves.ledger.why import Why
    from varves.projections.conflicts import Conflict
    from varves.recall.briefing import Briefing
    from varves.recall.recall import Recall
    from varves.settings import Settings
    from varves.values.answers import (
        Changed,
        Corrected,
        Purged,
        Remembered,
        Shared,
        Undone,
        Written,
    )
    from varves.values.ids import IdSource
    from varves.values.instants import Clock
    from varves.values.memory import Memory
    from varves.values.options import (
        BriefOptions,
        CorrectOptions,
        EditOptions,
        ListFilters,
        LogFilters,
        RecallOptions,
        RememberOptions,
    )


class Ledger(Keeping):
    """One opened memory; a context manager."""

    def __init__(
        self, settings: Settings, clock: Clock, ids: IdSource, *, origin: str = "direct"
    ) -> None:
        self._engine = Engine(settings, clock, ids)
        self._recorder: Recorder | None = None
        self._front: Ledger | None = None
        self._protocols: dict[str, Any] = {}
        self._doors: dict[tuple[str, int | None], dict[str, Any]] = {}
        self._most_behind: int | None = None
        self.root = settings.root
        self.actor = settings.actor
        self.session = settings.session
        self.origin = _origin(origin)

    def through(self, origin: str) -> Ledger:
        """Return this ledger as seen through another door: what it writes there is stamped so.

        Args:
            origin: direct, agent, repo, import or tool; below agent it starts in quarantine.
        """
        return self._seen(_origin(origin), self._most_behind)

    def _seen(self, origin: str, most_behind: int | None) -> Ledger:
        seen = object.__new__(Ledger)
        seen.__dict__.update(self.__dict__, origin=origin, _most_behind=most_behind)
        seen._front = self._front or self
        seen._protocols = self._doors.setdefault((origin, most_behind), {})
        return seen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of lanes and files; the ledger may be used again."""
        if self._front is not None:
            return self._let_go_of_files()  # the ledger it is a view of goes on
        with self._engine.lock:
            if self._recorder is not None:
                self._recorder.close()
                self._recorder = None
            self._let_go_of_files()
            self._engine.close()
        return None

    def _writing(self) -> Recorder:
        if self._front is not None:
            return self._front._writing()  # noqa: SLF001 - a ledger like this one
        if self._recorder is None:
            from varves.ledger.recorder import Recorder

            self._recorder = Recorder(self._engine)
        return self._recorder

    # Remembering

    @steady
    def remember(self, text: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Record one memory, durable when this returns.

        Args:
            text: the statement.
            **options: scope, private, type, tags, priority, ttl, confidence, evidence, source,
                speaker, session, at, turn, id, again, allow_secret, as on the command line.

        Raises:
            Rejected: the value was rejected before and `again` is not set.
            NotDurable: the disk did not take it; nothing was recorded.
        """
        command, act = self._command({"text": text, **options})
        done = self._writing().remember(command, act)
        if done.status != "recorded":
            return done
        from varves.ledger.nearest import likenesses

        return done.replace(conflicts=likenesses(self._engine, command, act, name=done.id))

    def remember_many(
        self,
        statements: Iterable[Mapping[str, Any] | VarvesError],
        *,
        again: bool = False,
        allow_secret: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Written:
        """Record many memories, one sync for each group; a refused one does not stop the rest."""
        defaults = {"again": again, "allow_secret": allow_secret}
        commands = (self._try_command(defaults, given) for given in statements)
        with self._engine.lock:
            done = self._writing().remember_many(commands, progress)
            clean_up(self)
            return done

    def _try_command(
        self, defaults: dict[str, Any], given: Mapping[str, Any] | VarvesError
    ) -> tuple[Remember, Act] | VarvesError:
        from varves.errors import Refused, VarvesError

        if isinstance(given, VarvesError):
            return given
        try:
            return self._command({**defaults, **given})
        except (UsageError, Refused) as fault:
            return fault

    def _command(self, options: dict[str, Any]) -> tuple[Remember, Act]:
        """Turn a caller's options into a command, secrets masked first."""
        from varves.ledger.statements import command

        return command(self._engine, self._writing(), options, origin=self.origin)

    # Changing

    @steady
    def correct(self, id: str, text: str, **options: Unpack[CorrectOptions]) -> Corrected:
        """Put a newer truth in a memory's place; what it said stays rejected.

        Args:
            id: the memory.
            text: what is true.
            **options: reason, evidence (in place of what the memory points to; an empty list
                leaves it out), again, expect, allow_secret.
        """
        from varves.commands import correct
        from varves.ledger.statements import correction
        from varves.values.answers import Corrected

        recorder = self._writing()
        wish = correction(self._engine, recorder, {"text": text, **options}, name=id)
        decision, events = recorder.apply(correct.decide, wish, act=self._act())
        done = Corrected(id=decision.memory, supersedes=id, event=events[-1].id)
        return done.replace(redacted=wish.redacted)

    @steady
    def edit(self, id: str, *, tag: Iterable[str] = (), **options: Unpack[EditOptions]) -> Changed:
        """Change what is about a memory, not what it says.

        Args:
            id: the memory.
            tag: `+x` or `x` adds a tag, `-x` takes it away.
            **options: priority, ttl, scope, confidence, expect.
        """
        from varves.commands import edit
        from varves.ledger.statements import edition

        wish = edition(self._engine, self._writing(), id, tag=tag, **options)
        return self._changed(edit.decide, wish)

    @steady
    def forget(
        self, id: str, *, reason: str, expect: str | None = None, reject: bool = True
    ) -> Changed:
        """Remove a memory from use and, if so wanted, reject what it says; it can be restored."""
        from varves.commands import forget
        from varves.commands.intake import statement

        why, names = self._writing().clean(statement(reason), allow_secret=False)
        wish = forget.Forget(memory=id, reason=why, expect=expect, redacted=names, rejects=reject)
        return self._changed(forget.decide_forget, wish)

    @steady
    def restore(self, id: str, *, expect: str | None = None) -> Changed:
        """Make a memory current again, lifting what rejects its value."""
        from varves.commands import forget

        return self._changed(forget.decide_restore, forget.Restore(memory=id, expect=expect))

    @steady
    def share(self, *ids: str) -> Shared:
        """Publish private memories to the project's log."""
        from varves.commands import share
        from varves.values.answers import Shared

        wishes = [share.Share(memory=name) for name in dict.fromkeys(ids)]
        events = self._writing().apply_all(share.decide, wishes, self._act())
        return Shared(ids=tuple(wish.memory for wish in wishes), events=events)

    @steady
    def trust(self, *ids: str) -> Shared:
        """Let memories of untrusted origin into default recall, each for its own id alone."""
        from varves.commands import trust
        from varves.values.answers import Shared

        wishes = [trust.Trust(memory=name) for name in dict.fromkeys(ids)]
        events = self._writing().apply_all(trust.decide, wishes, self._act())
        return Shared(ids=tuple(wish.memory for wish in wishes), events=events)

    @steady
    def purge(self, id: str, *, reason: str) -> Purged:
        """Erase what a memory says from every file of this checkout; its id is barred for good."""
        from varves.commands.intake import statement
        from varves.ledger.erasing import purge_whole

        why, _ = self._writing().clean(statement(reason), allow_secret=False)
        return purge_whole(self, id, reason=why)

    @steady
    def undo(self, event: str | None = None) -> Undone:
        """Take back an event's effect; without one, this actor's last in this session."""
        from varves.commands import undo
        from varves.events.memories import touches
        from varves.values.answers import Undone

        target = event or self._last_own_event()
        if target is None:
            recent = [event for event in self.log() if touches(event) and event.branch is None]
            return Undone(id=None, event=None, undone=None, candidates=tuple(recent[-10:]))
        changed = self._changed(undo.decide, undo.Undo(event=target))
        return Undone(id=changed.id, event=changed.event, undone=target)

    def _last_own_event(self) -> str | None:
        from varves.ledger.statements import last_own_event

        return last_own_event(self._engine, self._writing())

    def _act(self) -> Act:
        return self._writing().act(origin=self.origin)

    def _changed(self, decide: Callable[..., Any], wish: Any) -> Changed:
        from varves.values.answers import Changed

        decision, events = self._writing().apply(decide, wish, act=self._act())
        redacted = getattr(wish, "redacted", ())
        return Changed(id=decision.memory, event=events[-1].id, redacted=redacted)

    # Conflicts

    @steady
    def conflicts(self, *, as_of: str | None = None) -> tuple[Conflict, ...]:
        """Return what waits for a person's decision."""
        from varves.ledger.detected import waiting

        return waiting(self._engine, self._engine.view(as_of))

    @steady
    def resolve(
        self,
        conflict_id: str,
        *,
        keep: str | None = None,
        merge: str | None = None,
        delete: str | None = None,
    ) -> Changed:
        """Settle a conflict: keep one member, or `all`, merge them into a text, or delete one."""
        from varves.commands import resolve
        from varves.ledger.settling import intended

        choice = {"keep": keep, "merge": merge, "delete": delete}
        wish = intended(self._writing(), conflict_id, self.conflicts, choice=choice)
        return self._changed(resolve.decide, wish)

    # Reading

    @telling
    def recall(
        self, query: str, *, k: int = 10, as_of: str | None = None, **options: Unpack[RecallOptions]
    ) -> Recall:
        """Return the memories that answer a query, best first.

        Args:
            query: what is asked, in plain words.
            k: how many hits at the most.
            as_of: an instant, an event or a git revision, to ask the past.
            **options: scope, type, tag, source, protocol, budget, include; session (asked in),
                profile (whose formula ranks), dense (compare meanings: yes, no, or None: where it
                costs little), explain.
        """
        view = self._engine.view(as_of)
        return asked(self._engine, view, query, k=k, options=options)

    @telling
    def brief(self, *, as_of: str | None = None, **options: Unpack[BriefOptions]) -> Briefing:
        """Return what an agent should be told now, as one fenced block of data.

        Args:
            as_of: an instant, an event or a git revision, to ask the past.
            **options: task (what it is about to do), agent (who is told; by default the actor),
                budget (the most tokens of the whole block; by default 2,000).
        """
        from varves.ledger.briefing import brief

        return brief(self._engine, self._engine.view(as_of), **options)

    @telling
    def show(self, id: str, *, as_of: str | None = None) -> Memory:
        """Return a memory."""
        return shown(self._engine, self._engine.view(as_of), id)

    @steady
    def history(self, id: str, *, as_of: str | None = None) -> tuple[Event, ...]:
        """Return every event that touched a memory, in order."""
        return lived(self._engine.view(as_of), id)

    @steady
    def why(self, id: str, *, as_of: str | None = None) -> Why:
        """Return where a memory came from, and why it is or is not believed and recalled."""
        from varves.ledger.why import why

        return why(self._engine, self._engine.view(as_of), id)

    @steady
    def list(
        self, *, as_of: str | None = None, **filters: Unpack[ListFilters]
    ) -> tuple[Memory, ...]:
        """Return memories, newest first.

        Args:
            as_of: an instant, an event or a git revision, to ask the past.
            **filters: scope, type, tag, status, older_than, unused_for, private.
        """
        return listed(self._engine.view(as_of), self._engine.free, **filters)

    @steady
    def log(self, *, as_of: str | None = None, **filters: Unpack[LogFilters]) -> tuple[Event, ...]:
        """Return events in order.

        Args:
            as_of: an instant, an event or a git revision, to ask the past.
            **filters: since, until (an instant, or a duration back from now), kind, actor.
        """
        return logged(self._engine.view(as_of), **filters)

    def follow(self, **filters: Unpack[LogFilters]) -> Iterator[Event]:
        """Yield events as they are recorded, for ever."""
        from time import sleep

        seen = {event.id for event in self.log()}
        while True:
            for event in self.log(**filters):
                if event.id not in seen:
                    seen.add(event.id)
                    yield event
            sleep(0.2)


def _origin(word: str) -> str:
    from varves.events.event import TRUST

    if word not in TRUST:
        raise UsageError(f"unknown origin {word!r}", f"use one of {', '.join(TRUST)}")
    return word
