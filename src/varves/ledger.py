"""The façade: one opened memory, put together from its logs, its index and the commands.

Every surface calls this and nothing beneath it. A write decides, appends one durable line and
returns; a read first lets the index catch up with the logs. Both may be used from several threads
and processes at once.
"""

from __future__ import annotations

import os

from varves import settings as _settings
from varves.context.engine import Engine
from varves.context.guarded import clean_up, masked_error, steady, telling
from varves.errors import UsageError, VarvesError
from varves.questions.reading import asked, listed, logged, shown
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, SystemClock, instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self, Unpack

    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.context.recorder import Recorder
    from varves.documents.shelf import Shelf
    from varves.events.event import Event
    from varves.fold.conflicts import Conflict
    from varves.log.files.verify import Finding, Verification
    from varves.protocols.deliberation.verbs import Deliberation
    from varves.protocols.hivemind.verbs import Hivemind
    from varves.protocols.layers.verbs import Layers
    from varves.protocols.party.verbs import Party
    from varves.protocols.runner import AgentRunner
    from varves.protocols.scoped.verbs import Scoped
    from varves.questions.offers import Offers
    from varves.questions.why import Why
    from varves.recall.briefing import Briefing
    from varves.recall.recall import Recall
    from varves.sessions.attendance import Attending
    from varves.settings import Settings
    from varves.talks.talk import Talk
    from varves.values.answers import (
        Captured,
        Changed,
        Corrected,
        Imported,
        Initialised,
        Mended,
        Packed,
        Purged,
        Remembered,
        Rescued,
        Shared,
        Undone,
        Written,
    )
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
    from varves.values.signals import Message
    from varves.values.talks import Talked


class Ledger:
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
            from varves.context.recorder import Recorder

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
        from varves.conflicts.nearest import likenesses

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
        from varves.statements import command

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
        from varves.statements import correction
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
        from varves.statements import edition

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
        from varves.purge.traces import purge_whole

        why, _ = self._writing().clean(statement(reason), allow_secret=False)
        return purge_whole(self, id, reason=why)

    @steady
    def undo(self, event: str | None = None) -> Undone:
        """Take back an event's effect; without one, this actor's last in this session."""
        from varves.commands import undo
        from varves.events.kinds import touches
        from varves.values.answers import Undone

        target = event or self._last_own_event()
        if target is None:
            recent = [event for event in self.log() if touches(event) and event.branch is None]
            return Undone(id=None, event=None, undone=None, candidates=tuple(recent[-10:]))
        changed = self._changed(undo.decide, undo.Undo(event=target))
        return Undone(id=changed.id, event=changed.event, undone=target)

    def _last_own_event(self) -> str | None:
        from varves.statements import last_own_event

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
        from varves.conflicts.waiting import waiting

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
        from varves.conflicts.resolution import intended

        choice = {"keep": keep, "merge": merge, "delete": delete}
        wish = intended(
            self._writing(), conflict_id, self.conflicts, choice=choice, renewed=self._renewed
        )
        return self._changed(resolve.decide, wish)

    def _renewed(self, memory: Memory) -> tuple[dict[str, Any], ...]:
        """Return what a memory points to, noted as it stands now."""
        if not memory.evidence:
            return ()
        from varves.evidence.fates import Fates

        return Fates(self._engine).renewed(memory)

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
        from varves.questions.brief import brief

        return brief(self._engine, self._engine.view(as_of), **options)

    @telling
    def show(self, id: str, *, as_of: str | None = None) -> Memory:
        """Return a memory."""
        return shown(self._engine, self._engine.view(as_of), id)

    @steady
    def history(self, id: str, *, as_of: str | None = None) -> tuple[Event, ...]:
        """Return every event that touched a memory, in order."""
        from varves.context.history import lived

        return lived(self._engine.view(as_of), id)

    @steady
    def why(self, id: str, *, as_of: str | None = None) -> Why:
        """Return where a memory came from, and why it is or is not believed and recalled."""
        from varves.questions.why import why

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
        return listed(self._engine.view(as_of), self._engine.trusted, **filters)

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

    # Protocols, sessions, documents, upkeep

    def _keep_in_step(self) -> None:
        """Let files and views follow what a verb has changed."""
        from varves.files.protocols import render_after

        engine = self._engine
        names, engine.changed = engine.changed, set()
        touched = names | engine.unbridged
        try:
            if names:
                render_after(self, names)
        except (VarvesError, OSError):
            pass  # recorded all the same; the protocol's next verb renders them
        if not engine.bridging and self._is_bridged():
            from varves.bridges import follow

            follow(self, touched)

    def _clean_up(self) -> None:
        """Erase what git brought back of memories that this clone purged."""
        from varves.purge.returned import clean

        clean(self)

    def _is_bridged(self) -> bool:
        """Tell whether there are bridges, or views that bridges made while there were."""
        engine = self._engine
        if engine.settings.bridges or engine.index().has_views():
            return True
        engine.unbridged.clear()
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong in the settings, and what bridges say of the last verb that wrote."""
        return (*self._engine.settings.odd, *self._engine.notes)

    def _let_go_of_files(self) -> None:
        """Close what the protocols keep of their files, whatever door they were reached through."""
        with self._engine.lock:
            for made in (self._protocols, *self._doors.values()):
                for one in made.values():
                    one.core.views.close()

    @property
    def offers(self) -> Offers:
        """What a client may be offered of the memories, for its actor."""
        from varves.questions.offers import Offers

        return Offers(self._engine, self.show)

    @property
    def party(self) -> Party:
        """The protocol of agents that remember from one session to the next."""
        from varves.files.protocols import protocol

        made: Party = protocol(self, self._protocols, "party")
        return made

    @property
    def layers(self) -> Layers:
        """The protocol of a log in Markdown, and the graph and the context made of it."""
        from varves.files.protocols import protocol

        made: Layers = protocol(self, self._protocols, "layers")
        return made

    @property
    def scoped(self) -> Scoped:
        """The protocol of session, project, global and team memory files."""
        from varves.files.protocols import protocol

        made: Scoped = protocol(self, self._protocols, "scoped")
        return made

    @property
    def hivemind(self) -> Hivemind:
        """The protocol of typed entries, indices and automatic operations."""
        from varves.files.protocols import protocol

        made: Hivemind = protocol(self, self._protocols, "hivemind")
        return made

    @property
    def deliberation(self) -> Deliberation:
        """The protocol of long discussions: what they agreed, proposed and came to."""
        from varves.files.protocols import protocol

        made: Deliberation = protocol(self, self._protocols, "deliberation")
        return made

    def attend(
        self,
        client: str,
        session: str | None,
        *,
        agent: str | None = None,
        most_behind: int | None = None,
    ) -> Attending:
        """Attend a session of a coding agent: tell it what bears on it, and learn from it.

        Args:
            client: what the agent is called; it is who acts.
            session: its own name for the session; without one nothing is noted of it.
            agent: the subagent whose part in the session this is.
            most_behind: bytes of the log that an index may lag behind; where it is more, what
                needs it is refused as busy.
        """
        from varves.sessions.attendance import Attending

        ledger = self if most_behind is None else self._seen(self.origin, most_behind)
        return Attending(ledger, client, session, agent=agent)

    @steady
    def capture(
        self,
        messages: Sequence[Message],
        *,
        session: str | None = None,
        client: str | None = None,
        turn_start: int = 0,
    ) -> Captured:
        """Record what lasts of what was said in a session, found by rules without a model.

        Private to this clone, unless the settings say otherwise; read twice, it is recorded once.

        Args:
            messages: in order, tools' answers among them.
            session: the client's name for the session.
            client: the agent that was talked to; it is who acts.
            turn_start: where those begin that were not read before.
        """
        from varves.sessions.capture import capture

        return capture(self, messages, session=session, client=client, turn_start=turn_start)

    def shelf(self, name: str, *, scope: str = "project", private: bool = False) -> Shelf:
        """Return a shelf: documents by key, each of them one memory that is written again.

        Args:
            name: letters, digits, `-`, `_` and `.`, not a path.
            scope: who gets its documents: as of a memory.
            private: whether they stay in this clone until they are shared.
        """
        from varves.documents.shelf import Shelf

        return Shelf(self, name, scope=scope, private=private)

    def talk(self, name: str) -> Talk:
        """Return a conversation that somebody else keeps here, in a form of their own.

        Args:
            name: any line of text; who keeps several kinds begins it with their own word.
        """
        from varves.talks.talk import Talk

        return Talk(self, name)

    def talks(self, prefix: str = "") -> tuple[Talked, ...]:
        """Return the talks whose names begin so, by name."""
        from varves.talks.talk import talks

        return talks(self, prefix)

    def model(self, *, purpose: str, session: str | None = None) -> AgentRunner | None:
        """Return what asks the model that `[model]` in the settings names; None: they name none.

        Args:
            purpose: what for, in a word; recorded with every call.
            session: the session or conversation it is asked for.

        Raises:
            UsageError: a setting has a wrong value, or the key is missing.
            Refused: the project's file names an endpoint elsewhere, or packages are missing.
        """
        from varves.inference.runner import runner_of

        return runner_of(self, purpose=purpose, session=session)

    @property
    def progress(self) -> Callable[[int], None] | None:
        """What is told how many events are done, while many are read; None: nobody."""
        return self._engine.progress

    @progress.setter
    def progress(self, tell: Callable[[int], None] | None) -> None:
        self._engine.progress = tell

    def init(self, *, protocols: Iterable[str] = (), local: bool = False) -> Initialised:
        """Make the ledger and the folders of protocols; a second time changes nothing."""
        from varves.files.protocols import named

        wanted = named(protocols)
        done = self._init(local=local)
        created = [path for name in wanted for path in getattr(self, name).init().created]
        self._set_up(wanted)
        return done.replace(created=(*done.created, *created))

    @steady
    def _init(self, *, local: bool) -> Initialised:
        from varves.upkeep import status as upkeep

        return upkeep.init(self._engine, local=local)

    def _set_up(self, protocols: Iterable[str]) -> None:
        """Keep that hooks may drive what this person has just set up here."""
        from varves.context.consents import agree_to_hooks

        agree_to_hooks(self._engine.settings, protocols)

    @property
    def waiting(self) -> tuple[tuple[str, str], ...]:
        """What the project's settings say and this person has not agreed to: name and value."""
        return self._engine.settings.waiting

    @property
    def invalid(self) -> tuple[tuple[str, str], ...]:
        """What the project's settings say that nobody can agree to: name and what is wrong."""
        return self._engine.settings.invalid

    def trust_settings(self) -> tuple[tuple[str, str], ...]:
        """Agree to what the project's settings say; it counts wherever they are opened next."""
        from varves.context.consents import agree_to_all

        return agree_to_all(self._engine.settings)

    def status(self) -> dict[str, Any]:
        """Return where the ledger stands, and what waits in its protocols' files."""
        from varves.files.protocols import pending

        return self._status() | pending(self)

    @steady
    def _status(self) -> dict[str, Any]:
        from varves.upkeep import status as upkeep

        return upkeep.status(self._engine)

    @steady
    def verify(self, *, deep: bool = False) -> Verification:
        """Read every log whole and say what is damaged and what is not here."""
        from varves.upkeep import status as upkeep

        return upkeep.verify_all(self._engine, deep=deep)

    def rebuild(self, *, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Throw away everything derived and make it again, the protocols' files included.

        Files that git could not merge are made of both sides, and git is told that they are
        settled.

        Returns how many events and memories there are, which files were settled, and notes on what
        was found.
        """
        from varves.files.protocols import render_all

        self._engine.progress = progress
        done = self._rebuild()
        settled, notes = render_all(self)
        return {**done, "settled": settled, "notes": notes}

    @steady
    def _rebuild(self) -> dict[str, int]:
        from varves.upkeep import status as upkeep

        return upkeep.rebuild(self._engine)

    @steady
    def pack(self, *, dry_run: bool = False) -> Packed:
        """Fold closed segments into fewer, larger files; what they say stays the same."""
        from varves.upkeep.pack import pack_all

        return pack_all(self._engine, dry_run=dry_run)

    def doctor(self) -> tuple[Finding, ...]:
        """Return what is wrong with this installation and its protocols' files, and each fix."""
        from varves.files.protocols import invalid

        return (*self._doctor(), *invalid(self))

    @steady
    def _doctor(self) -> tuple[Finding, ...]:
        from varves.upkeep.doctor import findings

        return findings(self._engine, self._writing(), self._act())

    @steady
    def restore_eaten(self) -> Rescued:
        """Bring back the events that git took from the work tree."""
        from varves.upkeep.doctor import restore

        return restore(self._engine, self._writing(), self._act())

    def mend(self, *, dry_run: bool = False) -> Mended:
        """Repair what can be repaired, or only say what that would be."""
        from varves.files.protocols import misrendered, render_all, render_unpurged
        from varves.upkeep.doctor import ERASE

        done = self._mend(dry_run=dry_run)
        if any(says.startswith(ERASE) for says in done.done):
            render_all(self)  # what brought the lines back brought files that show them
        elif not dry_run:
            render_unpurged(self)
        wrong = misrendered(self)
        if not wrong:
            return done
        says = f"render {', '.join(sorted({one.place.partition(':')[0] for one in wrong}))} again"
        if not dry_run:
            render_all(self)
        return done.replace(
            plan=(*done.plan, says), done=(*done.done, *(() if dry_run else (says,)))
        )

    @steady
    def _mend(self, *, dry_run: bool) -> Mended:
        from varves.upkeep.doctor import mend

        return mend(self._engine, self._writing(), self._act(), dry_run=dry_run)

    @steady
    def export(
        self, *, format: str = "jsonl", scope: str | None = None, private: bool = False
    ) -> tuple[str, ...]:
        """Return the memories' events, or the memories as Markdown, line by line."""
        from varves.transfer.export import export

        view = self._engine.fresh()
        return tuple(export(self._engine, view, format=format, scope=scope, private=private))

    @steady
    def import_(
        self,
        format: str,
        path: str,
        *,
        trust: bool = False,
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> Imported:
        """Take in what another ledger exported, or what another tool's memory files say.

        Args:
            format: jsonl, hivemind for a folder, or changelog for a log of events.
            path: the file or folder.
            trust: of an export take the events themselves, else let what comes in be recalled.
            dry_run: only say what would come of it.
            allow_secret: mask nothing.
        """
        from varves.transfer.events import take_in
        from varves.transfer.trees import Wish

        wish = Wish(format=format, path=path, trust=trust, dry_run=dry_run, secret=allow_secret)
        return take_in(self, wish)


def _origin(word: str) -> str:
    from varves.events.event import TRUST

    if word not in TRUST:
        raise UsageError(f"unknown origin {word!r}", f"use one of {', '.join(TRUST)}")
    return word


def open(  # noqa: A001 - the door is called varves.open and has its keywords
    root: str | os.PathLike[str] | None = None,
    *,
    home: str | os.PathLike[str] | None = None,
    clock: Clock | None = None,
    actor: str | None = None,
    session: str | None = None,
    mode: str | None = None,
    ids: IdSource | None = None,
    origin: str = "direct",
) -> Ledger:
    """Open the ledger of a folder; nothing is read or made until it is used.

    Args:
        root: the project's folder; by default VARVES_ROOT, the nearest ledger, the git top level,
            or the current folder.
        home: the user-level folder, by default VARVES_HOME or the platform's user data folder.
        clock: where instants come from, by default the system or VARVES_NOW.
        actor: who acts, by default VARVES_ACTOR or USER.
        session: the session things belong to, by default VARVES_SESSION.
        mode: durable (each write is synced), group (threads share a sync) or fast (no sync: the
            newest writes may be lost in a power cut), by default as settings.toml says.
        ids: where identities come from, by default the system's randomness.
        origin: the door things come through, which decides how far they are trusted.
    """
    try:
        chosen = _settings.load(
            None if root is None else os.fspath(root),
            home=None if home is None else os.fspath(home),
            actor=actor,
            session=session,
            mode=mode,
        )
        return _opened(chosen, clock, ids, origin=origin)
    except VarvesError as fault:
        raise masked_error(fault) from None


def open_for_hook(root: str, *, actor: str, session: str | None) -> Ledger:
    """Open the ledger of a project for a hook, which makes do with settings that say nothing."""
    return _opened(_settings.load(root, actor=actor, session=session, hook=True))


def _opened(
    chosen: Settings,
    clock: Clock | None = None,
    ids: IdSource | None = None,
    *,
    origin: str = "direct",
) -> Ledger:
    if clock is None:
        clock = FixedClock(instant(chosen.now)) if chosen.now else SystemClock()
    return Ledger(chosen, clock, ids or IdSource(), origin=origin)
