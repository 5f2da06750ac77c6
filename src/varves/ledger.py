"""The façade: one opened ledger, with its logs, its index and its commands.

The command line, the hooks and the servers call only this class. A write validates, appends one
durable line and returns. A read first updates the index from the logs. Several threads and
processes may read and write at once.
"""

from __future__ import annotations

import os

from varves import settings as _settings
from varves.context.context import Opened
from varves.context.follow_up import FollowUp
from varves.context.guard import guarded, judging, masked_error
from varves.door import Door
from varves.errors import Busy, Refused, UsageError, VarvesError
from varves.questions.lookup import asked, shown
from varves.settings import has_remotes
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, SystemClock, instant
from varves.values.text import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self, Unpack

    from varves.commands.port import Act
    from varves.commands.remember import Remember
    from varves.context.context import Context
    from varves.documents.shelf import Shelf
    from varves.events.event import Event
    from varves.fold.conflicts import Conflict
    from varves.places.places import Places
    from varves.protocols.deliberation.verbs import Deliberation
    from varves.protocols.hivemind.verbs import Hivemind
    from varves.protocols.layers.verbs import Layers
    from varves.protocols.party.verbs import Party
    from varves.protocols.protocol import Registry
    from varves.protocols.runner import AgentRunner
    from varves.protocols.scoped.verbs import Scoped
    from varves.questions.around import Surroundings
    from varves.questions.comparison import Diff
    from varves.questions.moment import Moment
    from varves.questions.news import News
    from varves.questions.offers import Offers
    from varves.questions.shown import ShownMemories
    from varves.questions.waiting import Waiting
    from varves.questions.watch import Watch
    from varves.questions.why import Why
    from varves.recall.brief import Briefing
    from varves.recall.recall import Recall
    from varves.remotes.known import KnownRemote
    from varves.remotes.postgres.team import Team
    from varves.sessions.attendance import Attending
    from varves.sessions.originals import OriginalMessage, Reader
    from varves.settings import Settings
    from varves.state.checks import Check
    from varves.talks.talk import Talk
    from varves.transfer.sync import Synced
    from varves.values.answers import (
        Captured,
        Changed,
        Corrected,
        Finding,
        Imported,
        Initialised,
        Mended,
        Packed,
        Purged,
        Remembered,
        Rescued,
        Settled,
        Shared,
        Undone,
        Verification,
        Written,
    )
    from varves.values.instants import Clock
    from varves.values.listing import Compared, Listing
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
    from varves.values.signals import SessionMessage
    from varves.values.talks import Talked


_PAUSE = 0.2  # seconds between two looks for new events

_TOLD = 3  # the most findings whose message is kept for later


class Ledger:
    """One opened ledger; it can be used in a `with` statement."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        ids: IdSource,
        *,
        origin: str = "direct",
        places: Places | None = None,
    ) -> None:
        follow_up, door = FollowUp(), _origin(origin)
        self._opened: Opened | None = Opened(
            settings, clock, ids, follow_up, origin=door, places=places
        )
        self._enter(Door(self._opened.context, follow_up, _registry, send=_send))

    def _enter(self, door: Door) -> None:
        self._door = door
        self._context = door.context
        self._guard = door.guard
        self.root = door.context.settings.root
        self.actor = door.context.settings.actor
        self.session = door.context.settings.session
        self.origin = door.context.origin

    def through(self, origin: str) -> Ledger:
        """Return this ledger with another origin, which is recorded with everything it writes.

        Args:
            origin: direct, agent, repo, import or tool; new memories with the origin `import` or
                `tool` are quarantined.
        """
        seen = object.__new__(Ledger)
        seen._opened = None  # only the ledger that opened the files closes them
        seen._enter(self._door.through(origin=_origin(origin)))
        return seen

    def unseen(self, actor: str | None = None) -> Ledger:
        """Return this ledger for a person who looks: no memory counts as shown by that.

        Args:
            actor: the agent through whose eyes the person looks; by default the actor.
        """
        seen = object.__new__(Ledger)
        seen._opened = None
        seen._enter(self._door.through(actor=actor, session=self.session, usage=False))
        return seen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Release locks and files; the ledger may be used again."""
        with self._context.lock:
            if self._opened is None:
                self._door.close_files()
            else:
                self._door.close()
                try:
                    self._guard.settle()
                finally:
                    self._opened.close()

    # Remembering

    @guarded
    def remember(self, text: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Record one memory, which is durable when this method returns.

        Args:
            text: the statement.
            **options: scope, private, type, tags, priority, ttl, confidence, evidence, source,
                speaker, session, at, turn, id, again, allow_secret, as on the command line.

        Raises:
            Rejected: the value was rejected before and `again` is not set.
            NotDurable: the disk did not store the memory; nothing was recorded.
        """
        from varves.statements import remember

        return remember(self._context, text, **options)

    def remember_many(
        self,
        statements: Iterable[Mapping[str, Any] | VarvesError],
        *,
        again: bool = False,
        allow_secret: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Written:
        """Record many memories with one sync for each group.

        A statement that is refused does not stop the others.
        """
        from varves.statements import remember_many

        defaults = {"again": again, "allow_secret": allow_secret}
        commands = (self._try_command(defaults, given) for given in statements)
        with self._context.lock:
            done = remember_many(self._context, commands, progress)
            self._guard.after_write()
            return done

    def _try_command(
        self, defaults: dict[str, Any], given: Mapping[str, Any] | VarvesError
    ) -> tuple[Remember, Act] | VarvesError:
        from varves.statements import command

        if isinstance(given, VarvesError):
            return given
        try:
            return command(self._context, {**defaults, **given})
        except (UsageError, Refused) as fault:
            return fault

    # Changing

    @guarded
    def correct(self, id: str, text: str, **options: Unpack[CorrectOptions]) -> Corrected:
        """Replace a memory by a new one; the old text stays rejected.

        Args:
            id: the id of the memory.
            text: the new text.
            **options: reason, evidence (replaces the evidence of the memory; an empty list removes
                it), again, expect, allow_secret.
        """
        from varves.statements import correct

        return correct(self._context, id, text, **options)

    @guarded
    def edit(self, id: str, *, tag: Iterable[str] = (), **options: Unpack[EditOptions]) -> Changed:
        """Change the fields of a memory, but not its text.

        Args:
            id: the id of the memory.
            tag: `+x` or `x` adds a tag, `-x` removes it.
            **options: priority, ttl, scope, confidence, expect.
        """
        from varves.commands import edit
        from varves.statements import edition

        wish = edition(self._context, id, tag=tag, **options)
        return self._changed(edit.decide, wish)

    @guarded
    def forget(
        self, id: str, *, reason: str, expect: str | None = None, reject: bool = True
    ) -> Changed:
        """Remove a memory from use and, by default, reject its text; `restore` reverses this."""
        from varves.commands import forget
        from varves.commands.intake import statement

        why, names = self._context.clean(statement(reason))
        wish = forget.Forget(memory=id, reason=why, expect=expect, redacted=names, rejects=reject)
        return self._changed(forget.decide_forget, wish)

    @guarded
    def restore(self, id: str, *, expect: str | None = None) -> Changed:
        """Make a memory current again and lift the rejection of its text."""
        from varves.commands import forget

        return self._changed(forget.decide_restore, forget.Restore(memory=id, expect=expect))

    @guarded
    def share(self, *ids: str) -> Shared:
        """Copy private memories into the project's log."""
        from varves.commands import share
        from varves.values.answers import Shared

        wishes = [share.Share(memory=name) for name in dict.fromkeys(ids)]
        events = self._context.recorder.apply_all(share.decide, wishes, self._context.act())
        return Shared(ids=tuple(wish.memory for wish in wishes), events=events)

    @guarded
    def trust(self, *ids: str) -> Shared:
        """Include memories of untrusted origin in default recall.

        This applies to these ids only.
        """
        from varves.commands import trust
        from varves.values.answers import Shared

        wishes = [trust.Trust(memory=name) for name in dict.fromkeys(ids)]
        events = self._context.recorder.apply_all(trust.decide, wishes, self._context.act())
        return Shared(ids=tuple(wish.memory for wish in wishes), events=events)

    @guarded
    def purge(self, id: str, *, reason: str) -> Purged:
        """Erase a memory's text from every file of this checkout; its id is never used again."""
        from varves.commands.intake import statement
        from varves.purge.purge import purge_whole

        why, _ = self._context.clean(statement(reason))
        return purge_whole(self._context, self._door.protocols, id, reason=why)

    @guarded
    def undo(self, event: str | None = None) -> Undone:
        """Cancel the effect of an event; by default, of this actor's last event in the session."""
        from varves.commands import undo
        from varves.events.kinds import SHARED, touches
        from varves.statements import last_own_event
        from varves.values.answers import Undone

        target = event or last_own_event(self._context)
        if target is None:
            recent = [event for event in self.log() if touches(event) and event.branch is None]
            return Undone(id=None, event=None, undone=None, candidates=tuple(recent[-10:]))
        changed = self._changed(undo.decide, undo.Undo(event=target))
        undone = self._context.fresh().index.event(target)
        shared = undone is not None and undone.kind == SHARED
        notes = (undo.STAYS.format(changed.id),) if shared else ()
        return Undone(id=changed.id, event=changed.event, undone=target, notes=notes)

    def _changed(self, decide: Callable[..., Any], wish: Any) -> Changed:
        from varves.values.answers import Changed

        decision, events = self._context.apply(decide, wish)
        redacted = getattr(wish, "redacted", ())
        return Changed(id=decision.memory, event=events[-1].id, redacted=redacted)

    # Remotes

    def add_remote(
        self,
        name: str,
        url: str,
        *,
        log: Iterable[str] = (),
        when: str = "session",
        yes: bool = False,
    ) -> KnownRemote:
        """Add a place that also keeps logs of this checkout; nothing is sent yet.

        Args:
            name: a name for it.
            url: `postgresql://HOST/DATABASE#LEDGER`, `git:REMOTE` or `file:DIR`.
            log: project, team, private, global; by default the first two.
            when: session (hooks sync at the start and end of a session), write (after each write),
                both (a write is acknowledged when it is durable here and there), or manual.
            yes: you know who can read the private or global memories there.
        """
        from varves.transfer.sync import add

        return add(self._context, name, url, logs=tuple(log), when=when, agreed=yes)

    def remotes(self) -> tuple[KnownRemote, ...]:
        """Return the remotes of this checkout."""
        from varves.remotes.known import remotes_of

        settings = self._context.settings
        return tuple(remotes_of(settings.root, settings.home))

    def remove_remote(self, name: str) -> KnownRemote:
        """Remove a remote from this checkout; nothing on the remote changes."""
        from varves.transfer.sync import remove

        return remove(self._context, name)

    def push(self, name: str | None = None) -> tuple[Synced, ...]:
        """Send to a remote, or to all, the lines that it lacks."""
        return self._sync(name, push=True, pull=False)

    def pull(self, name: str | None = None) -> tuple[Synced, ...]:
        """Get from a remote, or from all, the lines that this clone lacks."""
        return self._sync(name, push=False, pull=True)

    def sync(self, name: str | None = None) -> tuple[Synced, ...]:
        """Pull and push."""
        return self._sync(name, push=True, pull=True)

    def follow_remote(
        self, name: str, *, told: Callable[[VarvesError], None] | None = None
    ) -> Iterator[Synced]:
        """Pull whenever another clone has pushed, without end; yield each result.

        A remote that was reached once and then cannot be reached is tried again until it can.

        Args:
            name: the remote.
            told: called with the reason when the remote cannot be reached any more.
        """
        from varves.transfer.sync import chosen, follow

        (remote,) = chosen(self._context, name)
        return follow(self._context, remote, lambda: self.pull(name), told)

    def ledgers_on(self, name: str) -> list[str]:
        """Return the names of the ledgers on a remote that this person may read."""
        from varves.transfer.sync import chosen, names

        (remote,) = chosen(self._context, name)
        return names(self._context, remote)

    def sync_in_background(self) -> None:
        """Start a process that syncs with the remotes that hooks use; return at once."""
        if has_remotes(self._context.settings.home):
            from varves.transfer.background import begin

            begin(self._context.settings, when=("session", "write", "both"))

    def team(self, url: str) -> Team:
        """Administer a PostgreSQL database: tables, ledgers, and who may read and write them.

        Args:
            url: the address of the database, as a role that may make roles; `#LEDGER` at its end
                names the ledger, by default the name of this folder.
        """
        from varves.remotes.postgres.team import Team

        name = os.path.basename(self.root) or "ledger"
        return Team(url, ledger=name, ids=self._context.ids)

    @guarded
    def _sync(self, name: str | None, *, push: bool, pull: bool) -> tuple[Synced, ...]:
        from varves.transfer.sync import chosen, sync_all

        return sync_all(self._context, chosen(self._context, name), push=push, pull=pull)

    # Conflicts

    @guarded
    def conflicts(
        self,
        *,
        limit: int | None = None,
        before: str | None = None,
        as_of: str | None = None,
        id: str | None = None,
        of: Collection[str] | None = None,
    ) -> Compared[Conflict]:
        """Return the conflicts that need a person's decision, newest first.

        Memories are compared for a few seconds at most. If there are more to compare, `uncompared`
        of the result says how many; the next call goes on with them.

        Args:
            limit: the maximum number of conflicts; `more` of the result says how many are left.
            before: the id of a conflict; only the conflicts after it in the list are returned.
            as_of: an instant, an event or a git revision; the state at that time is read.
            id: only the conflict with this id is returned.
            of: the ids of memories; only the conflicts that one of them is part of are returned.
        """
        from varves.conflicts.pending import about, waiting_for_now

        view = self._context.view(as_of)
        if of is not None:
            return about(self._context, view, of)
        return waiting_for_now(self._context, view, limit=limit, before=before, id=id)

    def compare_in_background(self, *, least: int = 1) -> None:
        """Start a process that compares the memories that wait for it; return at once.

        Args:
            least: with fewer memories than that, no process is started.
        """
        from varves.conflicts.background import begin

        self._guard.run(lambda: begin(self._context, least=least))

    @guarded
    def _compare(self) -> None:
        from varves.conflicts.background import compare

        compare(self._context)

    @guarded
    def resolve(
        self,
        conflict_id: str,
        *,
        keep: str | None = None,
        merge: str | None = None,
        delete: str | None = None,
    ) -> Settled:
        """Resolve a conflict: keep one member or `all`, merge them into a text, or delete one.

        A member is given by its id, or by its name in its file, such as `mem-003`. So is the
        conflict, if the member is in no other open conflict. Edits of files are recorded first if
        the conflict is with one of them.
        """
        from varves.commands import resolve
        from varves.conflicts.resolution import intended
        from varves.values.answers import Settled

        choice = {"keep": keep, "merge": merge, "delete": delete}
        notes: list[str] = []

        def waiting() -> Listing[Conflict]:
            if found := self.conflicts(id=conflict_id):
                return found
            notes.extend(self._door.protocols.record_edits())
            return self.conflicts(id=conflict_id) or self.conflicts()

        wish = intended(
            self._context,
            conflict_id,
            waiting,
            choice=choice,
            renewed=self._renewed,
            label_of=self._door.protocols.label_of,
        )
        done = self._changed(resolve.decide, wish)
        done = done.replace(id=wish.stays or done.id)
        memory = self._context.fresh().index.memory(done.id)
        label = self._door.protocols.label_of(memory) if memory is not None else None
        return Settled(**vars(done), label=label, notes=tuple(notes))

    def _renewed(self, memory: Memory) -> tuple[dict[str, Any], ...]:
        """Return a memory's evidence in its current state, as it would be recorded now."""
        if not memory.evidence:
            return ()
        from varves.evidence.fates import Fates

        return Fates(self._context).renewed(memory)

    def waiting(
        self, *, limit: int | None = None, before: str | None = None, kind: str | None = None
    ) -> Compared[Waiting]:
        """Return what needs a person, as one queue.

        It contains, in this order: settings that wait for consent, edits of published files that
        are not recorded, conflicts, quarantined memories, proposals, and memories captured in
        sessions that nobody has shared, corrected or forgotten yet; of each kind the newest first.

        Args:
            limit: the maximum number of things; `more` of the result says how many follow.
            before: the id of a thing; only those after it in the queue are returned.
            kind: consent, edited, conflict, quarantined, proposed or captured; only things of
                this kind are returned.
        """
        edits = self._door.protocols.unrecorded() if kind in (None, "edited") else ()
        return self._waiting(edits, limit=limit, before=before, kind=kind)

    @judging
    def _waiting(
        self,
        edits: Sequence[Finding],
        *,
        limit: int | None,
        before: str | None,
        kind: str | None,
    ) -> Compared[Waiting]:
        from varves.questions.waiting import queue

        return queue(self._context, edits=edits, limit=limit, before=before, kind=kind)

    # Reading

    def recall(
        self, query: str, *, k: int = 10, as_of: str | None = None, **options: Unpack[RecallOptions]
    ) -> Recall:
        """Return the memories that answer a query, best first.

        Args:
            query: the question, in plain words.
            k: the largest number of hits.
            as_of: an instant, an event or a git revision; the state at that time is read.
            **options: scope, type, tag, source, protocol, budget, include; session (the session
                that asks), profile (the ranking formula), dense (compare meanings: True, False, or
                None: only if it is cheap), explain.
        """
        return self._guard.tell(
            "recall",
            lambda: asked(self._context, self._context.view(as_of), query, k=k, **options),
            lambda answer: [hit.memory.id for hit in answer.hits],
            lambda answer: answer.tokens,
        )

    def brief(self, *, as_of: str | None = None, **options: Unpack[BriefOptions]) -> Briefing:
        """Return what an agent should know now, as one fenced block of data.

        Args:
            as_of: an instant, an event or a git revision; the state at that time is read.
            **options: task (what the agent is about to do), agent (its name; by default the actor),
                budget (the most tokens of the whole block; by default 2,000).
        """
        from varves.conflicts.merged import told
        from varves.questions.brief import brief

        def briefed() -> Briefing:
            view = self._context.view(as_of)
            answer = brief(self._context, view, **options)
            if as_of is None:
                self._note(told(self._context, view.index, own=True))
            return answer

        return self._guard.tell(
            "brief",
            briefed,
            lambda answer: answer.ids,
            lambda answer: answer.tokens,
            agent=options.get("agent"),
        )

    def show(self, id: str, *, as_of: str | None = None) -> Memory:
        """Return a memory."""
        return self._guard.tell(
            "show",
            lambda: shown(self._context, self._context.view(as_of), id),
            lambda answer: [answer.id],
            lambda answer: count_tokens(answer.text),
        )

    @guarded
    def history(self, id: str, *, as_of: str | None = None) -> tuple[Event, ...]:
        """Return every event that acts on a memory, in order."""
        from varves.context.history import lived

        return lived(self._context.view(as_of), id)

    @guarded
    def why(self, id: str, *, as_of: str | None = None) -> Why:
        """Return where a memory came from, and why it is current and recalled, or why not."""
        from varves.questions.why import why

        return why(self._context, self._context.view(as_of), id)

    @guarded
    def list(
        self,
        *,
        limit: int | None = None,
        before: str | None = None,
        as_of: str | None = None,
        **filters: Unpack[ListFilters],
    ) -> Listing[Memory]:
        """Return memories, newest first.

        Args:
            limit: the maximum number of memories; `more` of the result says how many are left.
            before: the id of a memory; only the memories after it in the list are returned.
            as_of: an instant, an event or a git revision; the state at that time is read.
            **filters: scope, type, tag, status, older_than, unused_for, private.
        """
        from varves.questions.lists import listed

        view, trusted = self._context.view(as_of), self._context.trusted
        return listed(view, trusted, limit=limit, before=before, **filters)

    @guarded
    def log(
        self,
        *,
        limit: int | None = None,
        before: str | None = None,
        as_of: str | None = None,
        **filters: Unpack[LogFilters],
    ) -> Listing[Event]:
        """Return events in order.

        Args:
            limit: the maximum number of events; the newest ones are returned, and `more` of the
                result says how many earlier ones are left.
            before: the id of an event; only the events before it are returned.
            as_of: an instant, an event or a git revision; the state at that time is read.
            **filters: since, until (an instant, or a duration back from now), kind, actor.
        """
        from varves.questions.lists import logged

        return logged(self._context.view(as_of), limit=limit, before=before, **filters)

    def at(self, as_of: str) -> Moment:
        """Return the ledger at a moment, to ask it several questions in a `with` statement.

        Args:
            as_of: an instant, an event or a git revision.
        """
        from varves.questions.moment import Moment

        return Moment(self._guard, as_of)

    @guarded
    def activity(self, *, minutes: bool = False) -> tuple[tuple[str, int], ...]:
        """Return (hour, number of events), such as ("2026-11-15T06", 3), for hours with events.

        Args:
            minutes: return the same for minutes, such as ("2026-11-15T06:12", 2).
        """
        return tuple(self._context.fresh().index.counts().by_hour(minutes=minutes))

    @guarded
    def around(
        self, thing: str, *, limit: int | None = None, as_of: str | None = None
    ) -> Surroundings:
        """Return what is around a thing: its memories, and what these touch.

        Args:
            thing: `#TAG`, the id of a memory, or the name of a file, a person or a tag.
            limit: the maximum number of memories, at most 100; by default 40.
            as_of: an instant, an event or a git revision; the state at that time is read.
        """
        from varves.questions.around import around

        return around(self._context, self._context.view(as_of), thing, limit=limit)

    @guarded
    def diff(self, a: str, b: str | None = None, *, published: bool = False) -> Diff:
        """Return which memories were added, corrected and forgotten between two moments.

        Args:
            a: the earlier moment: an instant, an event, or a git revision such as a branch.
            b: the later moment; by default now.
            published: compare only the memories of the project's log, which git publishes.
        """
        from varves.questions.diff import diff

        return diff(self._context, a, b, published=published)

    @guarded
    def shown(self, *, session: str | None = None, limit: int = 20) -> tuple[ShownMemories, ...]:
        """Return what agents were shown in this checkout, moment by moment, newest first.

        Args:
            session: the session in which it was shown; by default any.
            limit: the maximum number of moments.
        """
        from varves.questions.shown import shown

        return shown(self._context, session=session, limit=limit)

    def follow(self, **filters: Unpack[LogFilters]) -> Iterator[Event]:
        """Yield events as they are recorded, without end."""
        from time import sleep

        position = self.news(**filters).position
        while True:
            found = self.news(position, **filters)
            position = found.position
            yield from found.events
            if not found.more:
                sleep(_PAUSE)

    @guarded
    def news(self, position: str | None = None, **filters: Unpack[LogFilters]) -> News:
        """Return the events that arrived since an earlier answer.

        An event arrives when this checkout first reads it: because it was recorded, or because a
        merge, a pull or another worktree brings it. If nothing changed, no file of a log is read.

        Args:
            position: the `position` of an earlier answer, also of another process; without it, no
                events are returned, and the position is the present one.
            **filters: since, until (an instant, or a duration back from now), kind, actor.
        """
        from varves.questions.news import news

        return news(self._context.fresh(), position, **filters)

    def watch(self) -> Watch:
        """Return a count of all events that follows the logs, cheap enough to ask often."""
        from varves.questions.watch import Watch

        return Watch(self._guard)

    # Protocols, sessions, documents, upkeep

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages for the user: on problems in the settings, on merged memories, from bridges."""
        return (*self._context.settings.odd, *self._guard.follow_up.notes)

    @property
    def offers(self) -> Offers:
        """The memories and names that may be shown to a client's user, with their texts escaped."""
        from varves.questions.offers import Offers

        return Offers(self._context, self.show)

    @property
    def party(self) -> Party:
        """The party protocol: agents that remember between sessions."""
        from varves.protocols.party.verbs import Party

        return self._door.protocols.verbs(Party)

    @property
    def layers(self) -> Layers:
        """The layers protocol: a log in Markdown, with a graph and a context derived from it."""
        from varves.protocols.layers.verbs import Layers

        return self._door.protocols.verbs(Layers)

    @property
    def scoped(self) -> Scoped:
        """The scoped protocol: memory files for session, project, global and team."""
        from varves.protocols.scoped.verbs import Scoped

        return self._door.protocols.verbs(Scoped)

    @property
    def hivemind(self) -> Hivemind:
        """The hivemind protocol: typed entries, indices and automatic operations."""
        from varves.protocols.hivemind.verbs import Hivemind

        return self._door.protocols.verbs(Hivemind)

    @property
    def deliberation(self) -> Deliberation:
        """The deliberation protocol: what long discussions agreed, proposed and concluded."""
        from varves.protocols.deliberation.verbs import Deliberation

        return self._door.protocols.verbs(Deliberation)

    def attend(
        self,
        client: str,
        session: str | None,
        *,
        agent: str | None = None,
        most_behind: int | None = None,
    ) -> Attending:
        """Attend a session of a coding agent: give it relevant memories, and learn from it.

        Args:
            client: the name of the agent, which becomes the actor.
            session: the client's id of the session; without an id, nothing about the session is
                recorded.
            agent: the subagent to which this part of the session belongs.
            most_behind: the most bytes of the logs that may be missing from the index. If more are
                missing, calls that need the index raise Busy.
        """
        from varves.sessions.attendance import Attending

        door = self._door.through(most_behind=most_behind)
        return Attending(door, client, session, agent=agent)

    @guarded
    def capture(
        self,
        messages: Sequence[SessionMessage],
        *,
        session: str | None = None,
        client: str | None = None,
        turn_start: int = 0,
    ) -> Captured:
        """Extract lasting statements from a session's messages by rules, and record them.

        No model is used. The memories are private to this clone, unless the settings say otherwise.
        If a message is given twice, it is recorded once.

        Args:
            messages: the messages in order, tool results included.
            session: the client's name for the session.
            client: the agent in the conversation, which becomes the actor.
            turn_start: the index of the first message that was not read before.
        """
        from varves.sessions.capture import capture

        return capture(
            self._context, messages, session=session, client=client, turn_start=turn_start
        )

    def original(self, memory: Memory, read: Reader) -> OriginalMessage | None:
        """Return the message of a session from which a memory was captured, with secrets masked.

        None if no hook named a transcript of the session, or the message is no longer there.

        Args:
            memory: the captured memory.
            read: reads the messages of a client's transcript from an offset.
        """
        from varves.sessions.originals import original, transcripts

        session = memory.session
        if session is None:
            return None
        places = self._guard.run(lambda: transcripts(self._context, session))
        return original(self._context, memory, places, read)

    def shelf(self, name: str, *, scope: str = "project", private: bool = False) -> Shelf:
        """Return a shelf, a named collection of documents, each stored under a key.

        Args:
            name: letters, digits, `-`, `_` and `.`, not a path.
            scope: where the documents are visible, as for a memory.
            private: whether the documents stay in this clone until they are shared.
        """
        from varves.documents.shelf import Shelf

        return Shelf(self._guard, name, scope=scope, private=private, recall=self.recall)

    def talk(self, name: str) -> Talk:
        """Return a talk: a conversation that a program stores in this ledger in its own format.

        Args:
            name: any line of text; a program that stores several kinds of talks should give each
                kind a prefix.
        """
        from varves.talks.talk import Talk

        return Talk(self._guard, name, purge=self.purge)

    def talks(self, prefix: str = "") -> tuple[Talked, ...]:
        """Return the talks whose names begin with `prefix`, sorted by name."""
        from varves.talks.talk import talks

        return self._guard.run(lambda: talks(self._context, prefix))

    def model(self, *, purpose: str, session: str | None = None) -> AgentRunner | None:
        """Return a runner for the model that `[model]` in the settings names, or None.

        Args:
            purpose: one word for the purpose, recorded with every call.
            session: the session or conversation that the call belongs to.

        Raises:
            UsageError: a setting has a wrong value, or the key is missing.
            Refused: the project's file names an endpoint on another machine, or packages are
                missing.
        """
        from varves.inference.runner import runner_of

        return runner_of(self._context, purpose=purpose, session=session)

    @property
    def progress(self) -> Callable[[int], None] | None:
        """A function that is called with the number of events read so far, or None."""
        return self._context.index.progress

    @progress.setter
    def progress(self, tell: Callable[[int], None] | None) -> None:
        self._context.index.progress = tell

    def init(self, *, protocols: Iterable[str] = (), local: bool = False) -> Initialised:
        """Create the ledger and the folders of protocols; a second call changes nothing."""
        from varves.files.protocols import named

        wanted = named(protocols)
        done = self._init(local=local)
        try:
            changed = ", ".join(self.connect_git())
            note = f"git merges published files with varves: {changed}" if changed else ""
        except (Busy, Refused) as fault:
            note = fault.message
        created = [
            path for name in wanted for path in self._door.protocols.named(name).init().created
        ]
        self._set_up(wanted)
        folders = self._door.protocols.folders() if created else ()
        notes = (*done.notes, *folders, *filter(None, [note]))
        return done.replace(created=(*done.created, *created), notes=notes)

    def connect_git(self, *, begun: bool = True) -> tuple[str, ...]:
        """Let git merge published files with the merge driver, in this clone and its worktrees.

        Return the files of git that changed; paths below the project are relative to it.

        Args:
            begun: do nothing where there is no ledger yet.

        Raises:
            Refused: a file of git cannot be written.
            Busy: git is changing its settings.
        """
        return self._shortened(self._door.protocols.drive(begun=begun))

    def disconnect_git(self, *, dry_run: bool = False) -> tuple[str, ...]:
        """Remove the merge driver from git's settings, restoring the previous bytes.

        Return the changed files.

        Raises:
            Refused: a file of git cannot be written.
            Busy: git is changing its settings.
        """
        return self._shortened(self._door.protocols.undrive(dry_run=dry_run))

    def _shortened(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(path.removeprefix(f"{self.root}/") for path in paths)

    @guarded
    def _init(self, *, local: bool) -> Initialised:
        from varves.upkeep import status as upkeep

        return upkeep.init(self._context, local=local)

    def _set_up(self, protocols: Iterable[str]) -> None:
        """Record that hooks may call the protocols which this person has just set up."""
        from varves.context.consents import agree_to_hooks

        agree_to_hooks(self._context.settings, protocols)

    @property
    def waiting_settings(self) -> tuple[tuple[str, str], ...]:
        """The project's settings that wait for this person's consent, as (name, value)."""
        return self._context.settings.waiting

    @property
    def undriven(self) -> tuple[str, ...]:
        """The protocols in use that hooks could call, and that this person has not set up here."""
        from varves.values.written import HOOKED

        settings = self._context.settings
        if settings.driven is not None or settings.capture == "off":
            return ()
        left = [name for name in HOOKED if name not in settings.hooked]
        if not left or not self._context.places.exists():
            return ()
        used = self._door.protocols.recorded()
        return tuple(name for name in left if name in used)

    @property
    def invalid(self) -> tuple[tuple[str, str], ...]:
        """The project's invalid settings, which nobody can accept, as (name, problem)."""
        return self._context.settings.invalid

    def trust_settings(
        self, shown: Collection[tuple[str, str]] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Accept the project's settings; this takes effect when the ledger is next opened.

        Args:
            shown: the settings that the person has looked at; if others wait, none is accepted.
        """
        from varves.context.consents import agree_to_all

        return agree_to_all(self._context.settings, shown)

    def withdraw_settings(self, settings: Iterable[tuple[str, str]]) -> None:
        """Take back the consent to settings of the project, given as (name, value)."""
        from varves.context.consents import withdraw

        withdraw(self._context.settings, settings)

    def status(self) -> dict[str, Any]:
        """Return the state of the ledger, and the pending changes in its protocols' files."""
        pending = self._door.protocols.pending()
        return self._status() | pending

    @judging
    def _status(self) -> dict[str, Any]:
        from varves.conflicts.merged import LOOKED, told
        from varves.upkeep import status as upkeep

        index = self._context.fresh(every_file=True).index
        self._note(told(self._context, index, own=True, most=LOOKED))
        return upkeep.status(self._context)

    def _note(self, line: str) -> None:
        if line:
            self._guard.follow_up.notes.append(line)

    @judging
    def verify(
        self, *, deep: bool = False, progress: Callable[[int], None] | None = None
    ) -> Verification:
        """Read every log completely and report damaged and missing parts."""
        from varves.upkeep.verify import in_words, verify_all

        found = verify_all(self._context, deep=deep, progress=progress)
        self._checked("verify", ok=found.whole, says=in_words(found))
        return found

    def rebuild(self, *, progress: Callable[[int], None] | None = None) -> dict[str, Any]:
        """Delete all derived data and compute it again, including the protocols' files.

        Files with git merge conflicts are rebuilt from both sides and marked as resolved in git.

        Return the numbers of events and memories, the resolved files, and notes about problems.
        """
        self._context.index.progress = progress
        done = self._rebuild()
        settled, notes = self._door.protocols.render_all()
        return {**done, "settled": settled, "notes": notes}

    @guarded
    def _rebuild(self) -> dict[str, int]:
        from varves.upkeep import status as upkeep

        return upkeep.rebuild(self._context)

    @guarded
    def pack(self, *, dry_run: bool = False) -> Packed:
        """Merge closed segments into fewer, larger files; their content stays the same."""
        from varves.upkeep.pack import pack_all

        return pack_all(self._context, dry_run=dry_run)

    def doctor(self) -> tuple[Finding, ...]:
        """Return the problems of this installation and its protocols' files, each with a fix."""
        protocols = self._door.protocols
        found = (*self._doctor(), *protocols.invalid(), *protocols.undriven())
        says = "; ".join(one.message for one in found[:_TOLD]) or "nothing found"
        self._checked("doctor", ok=not found, says=says)
        return found

    def _checked(self, name: str, *, ok: bool, says: str) -> None:
        from varves.state.checks import Check, note
        from varves.values.instants import iso

        context = self._context
        note(context.places, Check(name=name, at=iso(context.clock.now()), ok=ok, says=says))

    @judging
    def checks(self) -> tuple[Check, ...]:
        """Return what `verify` and `doctor` found last here, and how each remote was last used."""
        from varves.state.checks import last

        return last(self._context.places)

    @judging
    def _doctor(self) -> tuple[Finding, ...]:
        from varves.upkeep.doctor import findings

        return findings(self._context, self._door.protocols.hidden())

    @guarded
    def restore_eaten(self) -> Rescued:
        """Restore the events of files that git removed from the work tree."""
        from varves.upkeep.repairs import restore

        return restore(self._context)

    def mend(self, *, dry_run: bool = False) -> Mended:
        """Repair what can be repaired; with `dry_run`, only report the plan."""
        from varves.upkeep.repairs import ERASE

        protocols, done = self._door.protocols, self._mend(dry_run=dry_run)
        if any(says.startswith(ERASE) for says in done.done):
            # git had restored old rendered files together with the erased lines
            protocols.render_all()
        elif not dry_run:
            protocols.render_unpurged()
        wrong = protocols.misrendered()
        if wrong:
            places = sorted({one.place.partition(":")[0] for one in wrong})
            done = done.planned(f"render {', '.join(places)} again", done=not dry_run)
            if not dry_run:
                protocols.render_all()
        if protocols.undriven():
            done = done.planned("let git merge published files with varves", done=not dry_run)
            if not dry_run:
                self.connect_git()
        return done

    @guarded
    def _mend(self, *, dry_run: bool) -> Mended:
        from varves.upkeep.repairs import mend

        return mend(self._context, dry_run=dry_run)

    @guarded
    def export(
        self, *, format: str = "jsonl", scope: str | None = None, private: bool = False
    ) -> tuple[str, ...]:
        """Return an export, line by line: the memories' events, or the memories as Markdown."""
        from varves.transfer.export import export

        view = self._context.fresh()
        return tuple(export(self._context, view, format=format, scope=scope, private=private))

    @guarded
    def import_(
        self,
        format: str,
        path: str,
        *,
        trust: bool = False,
        dry_run: bool = False,
        allow_secret: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Imported:
        """Import what another ledger exported, or the memory files of another tool.

        Args:
            format: jsonl, hivemind for a folder, or changelog for a log of events.
            path: the file or folder.
            trust: for jsonl, import the events unchanged; for other formats, skip the quarantine.
            dry_run: only report what would be imported.
            allow_secret: do not mask secrets.
            progress: called with the number of lines, or of files and memories, read so far.
        """
        from varves.transfer.events import take_in
        from varves.transfer.trees import ImportWish

        if progress is not None:
            self._context.index.progress = progress
        wish = ImportWish(
            format=format,
            path=path,
            trust=trust,
            dry_run=dry_run,
            secret=allow_secret,
            progress=progress,
        )
        return take_in(self._context, self._door.protocols, wish)


def _send(context: Context) -> None:
    """After a write, send it to the remotes that ask for this."""
    if has_remotes(context.settings.home):
        from varves.transfer.sync import after_write

        after_write(context)


def _registry() -> Registry:
    """Return the registry of protocols, which is imported only here."""
    from varves.protocols import registry

    return registry


def _origin(word: str) -> str:
    from varves.values.memory import TRUST

    if word not in TRUST:
        raise UsageError(f"unknown origin {word!r}", f"use one of {', '.join(TRUST)}")
    return word


def open(  # noqa: A001 - varves.open is the published name
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
    """Open the ledger of a folder. Nothing is read or created before the first use.

    Args:
        root: the project's folder; by default VARVES_ROOT, the nearest ledger, the git top level,
            or the current folder.
        home: the user's folder, by default VARVES_HOME or the platform's folder for user data.
        clock: the source of time, by default the system or VARVES_NOW.
        actor: who acts, by default VARVES_ACTOR or USER.
        session: the session to which writes belong, by default VARVES_SESSION.
        mode: durable (each write is synced), group (threads share a sync) or fast (no sync: a power
            cut may lose the newest writes); by default the value in settings.toml.
        ids: the source of ids, by default the system's randomness.
        origin: the origin that is recorded with everything written; it decides how far that is
            trusted.
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
    """Open the ledger of a project for a hook.

    Settings that are missing or cannot be used are no error.
    """
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
