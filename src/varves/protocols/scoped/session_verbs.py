"""The verbs of a session: load memory, record notes, and propose learnings.

The learnings of a session are stored only after a person approves them. Rejected learnings are not
proposed again.
"""

from __future__ import annotations

from varves.commands.intake import memory_id, statement, word
from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import (
    FORGOTTEN,
    PROPOSED,
    RECORDED,
    REJECTED,
    RESTORED,
    REVISED,
)
from varves.events.views import VIEW_OF
from varves.protocols import sessions
from varves.protocols.port import reads, writes
from varves.protocols.scoped import learnings
from varves.protocols.scoped.answers import (
    Injected,
    ProposedEntry,
    Recovered,
    SessionEnded,
    SessionStarted,
    StoredEntry,
)
from varves.protocols.scoped.desk import Desk
from varves.protocols.scoped.holdings import Holdings, proposal
from varves.protocols.scoped.options import CONFIDENCE, MOST_BUDGET
from varves.protocols.scoped.places import GLOBAL, PROJECT, SESSION, name_of
from varves.protocols.scoped.search import relevant
from varves.protocols.scoped.sessions import KINDS as SESSION_KINDS
from varves.protocols.scoped.sessions import TASK, ScopedSession
from varves.protocols.scoped.wish import ScopedWish, rare, store
from varves.protocols.sessions import ENDED, RECOVERED, STARTED
from varves.values.instants import iso
from varves.values.text import fold, quoted, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.scoped.learnings import EntryLearning
    from varves.values.memory import Memory

KINDS = {
    "tool": "pattern",
    "edit": "pattern",
    "decision": "decision",
    learnings.NOTE: "pattern",
}
"""The kinds of session notes, and the published type under which the file shows each."""
_DAY = 10  # length of the date in an instant
COMPARED = 500  # memories that are compared at most when a session starts
SHOWN = 10  # conflicts that the start of a session names
_SIGNS_OF_LIFE = (*SESSION_KINDS, TASK, RECORDED, REVISED, FORGOTTEN, RESTORED, PROPOSED, REJECTED)


class SessionVerbs(Desk):
    """The verbs from the start of a session to its end."""

    @writes
    def session_start(
        self,
        *,
        id: str | None = None,
        team: str | None = None,
        project: str | None = None,
        budget: int | None = None,
        agent: str | None = None,
    ) -> SessionStarted:
        """Begin a session: return proposals of crashed sessions and a block of the best entries.

        Args:
            id: the session's name; by default the ledger's session, otherwise a new name.
            team: the team whose memory is loaded; by default the settings' teams, otherwise all.
            project: the project; by default the current one.
            budget: the most tokens of the block.
            agent: the agent that receives the block.
        """
        name = name_of(id or self.core.session or self._fresh_name(), SESSION)
        room = self._budget(budget)
        who = None if agent is None else name_of(agent, "agent")
        held = Holdings(self.core)
        where = f"{PROJECT}:{self._project(project)}"
        scopes = (where, *self._teams(held, team), GLOBAL)
        recovered = self._recover(name)
        scores = self._ranked(held, *scopes)
        disputes = self._disputes(held, scopes, most=COMPARED, limit=SHOWN)
        chosen = self._choose(held, scores, self._shade(scores), room, disputes=disputes)
        told = self._injected(held, chosen, budget=room)
        self._record_session(
            STARTED,
            name,
            {
                "project": where.partition(":")[2],
                "teams": [scope.partition(":")[2] for scope in scopes[1:-1]],
                "agent": who,
                "budget": room,
                "tokens": told.tokens,
                "injected": [one.memory for one in told.entries],
            },
        )
        self._tell("scoped session start", chosen, who)
        loaded = {scope: len(held.standing(scope)) for scope in scopes}
        more = (*(one.in_words for one in disputes), *self._beside(name))
        told = told.replace(notices=(*told.notices, *more))
        self._begun = name
        return SessionStarted(
            **vars(told), session=name, loaded=loaded, recovered=recovered, disputes=disputes
        )

    def _fresh_name(self) -> str:
        return f"{iso(self.core.now)[:_DAY]}-{self.core.ids.word(6)}"

    def _beside(self, starting: str) -> list[str]:
        """Return a notice for each other running session of the actor."""
        actor = self._act().actor
        return [
            f"session {one.name} of {actor} is still running: name yours with --session"
            for one in self._sessions().values()
            if one.running and one.name != starting and one.actor == actor
        ]

    def _recover(self, starting: str) -> tuple[Recovered, ...]:
        """End the sessions that crashed, after proposing their decisions."""
        found = []
        for one in self._crashed(starting):
            self._propose_decisions(one.name, one.project)
            offered = Holdings(self.core).proposals(one.name)
            content = {"checkout": one.checkout, "proposed": [p.id for p in offered]}
            self._record_session(RECOVERED, one.name, content)
            found.append(Recovered(session=one.name, proposals=tuple(offered)))
        return tuple(found)

    def _crashed(self, starting: str) -> list[ScopedSession]:
        """Return the sessions that crashed: idle for hours, or in a checkout that is gone."""
        core = self.core

        def last(one: ScopedSession) -> str:
            return max(event.time for event in core.events(*_SIGNS_OF_LIFE, session=one.name))

        found = sessions.fold(ScopedSession, core.events(*SESSION_KINDS))
        others = [one for one in found if (one.checkout, one.name) != (core.checkout, starting)]
        others.sort(key=lambda one: one.checkout)
        return sessions.abandoned(others, core, self._options.session_hours, last=last)

    @writes
    def task(
        self,
        text: str,
        *,
        team: str | None = None,
        project: str | None = None,
        budget: int | None = None,
        agent: str | None = None,
    ) -> Injected:
        """Return what is known about a task, as a block to inject before it begins."""
        said, _ = self.core.clean(statement(text))
        session = self._session()
        room = self._budget(budget, told=session.tokens if session else 0)
        who = None if agent is None else name_of(agent, "agent")
        if project is None and session is not None:
            project = session.project
        held = Holdings(self.core)
        where = f"{PROJECT}:{self._project(project)}"
        scopes = (where, *self._teams(held, team), GLOBAL)
        scores = self._ranked(held, *scopes)
        shade = self._shade(scores)
        fitting = relevant([one.memory for one in scores], said)
        scores = [one for one in scores if one.memory.id in fitting]
        scores.sort(key=lambda one: -fitting[one.memory.id])
        disputes = self._disputes(held, scopes, most=COMPARED) if scores else ()
        chosen = self._choose(held, scores, shade, room, disputes=disputes)
        told = self._injected(held, chosen, budget=room)
        if budget is None and room < self._options.budget and told.skipped:
            spent = f"{MOST_BUDGET - room} of this session's {MOST_BUDGET} tokens are used"
            told = told.replace(notices=(*told.notices, f"{spent}; --budget TOKENS allows more"))
        if session is not None and session.running:
            ids = [one.memory for one in told.entries]
            content = {"text": said, "tokens": told.tokens, "injected": ids}
            self._record_session(TASK, session.name, content)
        self._tell("scoped task", chosen, who)
        return told

    @writes
    def note(self, text: str, *, kind: str | None = None) -> StoredEntry:
        """Record a tool used, a file edited, a decision or a plain note in the session's file.

        Args:
            text: what was done or decided.
            kind: tool, edit, decision or note; by default determined from the text. Decisions, and
                the learnings in notes, are proposed when the session ends.
        """
        if kind is not None and kind not in KINDS:
            raise UsageError(
                f"not a kind of note: {quoted(kind)}", "use tool, edit, decision or note"
            )
        said, redacted = self.core.clean(statement(text))
        given, kind = kind, kind or learnings.noted_as(said)
        session = self._own_session()
        wish = ScopedWish(
            text=said,
            scope=f"{SESSION}:{session.name}",
            type=KINDS[kind],
            confidence=CONFIDENCE,
            redacted=redacted,
            more={"kind": kind},
        )
        done = store(self.core, wish, self._act(session.name))
        if given == "decision" and done.status == "known":
            done = self._decided(done)
        if given is None and kind == learnings.NOTE and done.status == "recorded":
            self.core.notes.append(
                "it states no decision, so the end of the session does not propose it;"
                " --kind decision changes that"
            )
        return done

    def _decided(self, done: StoredEntry) -> StoredEntry:
        """Turn a note that the session already has into a decision."""
        memory, decision = self.core.memory(done.memory), KINDS["decision"]
        if memory is None or memory.type == decision:
            return done
        content = {"memory": memory.id, "set": {"type": decision}}
        draft = self._act(memory.session).draft(REVISED, content, memory.version)
        self.core.append(memory.kept, [draft])
        return done.replace(type=decision)

    # Learnings

    @writes
    def done(
        self,
        *,
        text: str | None = None,
        transcript: str | None = None,
        output: Any = None,
        scope: str = PROJECT,
        id: str | None = None,
    ) -> tuple[ProposedEntry, ...]:
        """Propose the learnings of a finished task; without input, the session's decisions.

        Args:
            text: what a person says was learned; if no learning is marked in it, the whole text.
            transcript: the conversation, as text or as JSON Lines of messages.
            output: the task's `output_data`, as JSON text or as the parsed value.
            scope: where the learnings would be stored.
            id: the project or team.
        """
        session = self._session(alone=text is transcript is output is None)
        if scope == PROJECT and id is None and session is not None:
            where = f"{PROJECT}:{self._project(session.project)}"
        else:
            where = self._scope(scope, id)
        if where.startswith(SESSION):
            raise UsageError(
                "learnings cannot be stored in a session", "use project, team or global"
            )
        given, _ = self.core.clean({"text": text, "transcript": transcript, "output": output})
        found: list[tuple[str, Iterable[EntryLearning]]] = []
        if given["text"] is not None:
            found.append(("text", learnings.stated(statement(given["text"]), self._extract)))
        if given["transcript"] is not None:
            said = learnings.spoken(statement(given["transcript"]))
            found.append(("transcript", self._extract(said)))
        if given["output"] is not None:
            found.append(("output", learnings.from_output(given["output"], self._extract)))
        own = session.name if session is not None and session.running else None
        if not found:
            if session is None or own is None:
                hint = "give a text, --transcript or --output"
                raise UsageError("there is nothing to learn from", hint)
            return tuple(self._propose_decisions(own, session.project))
        made: list[ProposedEntry] = []
        for source, lessons in found:
            made += self._propose(lessons, where, session=own, source=source)
        return tuple(made)

    def _propose_decisions(self, session: str, project: str | None) -> list[ProposedEntry]:
        """Propose the decisions and learnings noted in a session, for the project it worked on."""
        own = f"{SESSION}:{session}"
        lessons: list[EntryLearning] = []
        for one in Holdings(self.core, scope=own).standing(own):
            if one.type == "decision":
                sure = one.confidence or 0.0
                lesson = learnings.EntryLearning(text=one.text, type="decision", confidence=sure)
                lessons.append(lesson)
            elif one.extra.get("kind") == learnings.NOTE:
                lessons += self._extract(one.text)
        if not lessons:
            return []
        where = f"{PROJECT}:{self._project(project)}"
        return self._propose(lessons, where, session=session, source="session")

    def _propose(
        self, lessons: Iterable[EntryLearning], scope: str, *, session: str | None, source: str
    ) -> list[ProposedEntry]:
        """Record proposals for learnings that are neither known, proposed nor rejected."""
        held, log = Holdings(self.core), self.core.log_of(scope)
        standing = [one for one in held.records(scope) if one.status == "active"]
        known = {fold(one.text) for one in (*standing, *held.proposed(scope))}
        act, drafts = self._act(session), []
        for one in lessons:
            rejected = self.core.rows().rejecting(value_key(log, scope, one.text))
            if fold(one.text) in known or rejected:
                continue
            known.add(fold(one.text))
            content = {
                "memory": self.core.ids.memory(),
                "text": one.text,
                "scope": scope,
                "type": one.type,
                "confidence": one.confidence,
                "source": source,
            }
            drafts.append(act.draft(PROPOSED, content))
        self.core.append("private", drafts)
        return [proposal(self._proposed(draft.data["memory"])) for draft in drafts]

    def _proposed(self, name: str) -> Memory:
        memory = self.core.memory(memory_id(name))
        if memory is None or memory.protocol != self.codec.name:
            raise NotFound(f"no proposal {name}", "varves scoped proposals lists them")
        if memory.status != "proposed":
            raise Refused(f"{name} is {memory.status}, not proposed", f"varves history {name}")
        return memory

    @reads
    def proposals(self) -> tuple[ProposedEntry, ...]:
        """Return the proposals that wait for approval."""
        return tuple(Holdings(self.core).proposals())

    @writes
    def approve(self, id: str, *, force: bool = False, again: bool = False) -> StoredEntry:
        """Store a proposal under the next number of its file."""
        memory = self._proposed(id)
        wish = ScopedWish(
            id=memory.id,
            text=memory.text,
            scope=memory.scope,
            type=memory.type,
            confidence=CONFIDENCE if memory.confidence is None else memory.confidence,
            source=memory.source,
            cause=(memory.version,),
            again=again,
            shows=tuple(memory.links.get(VIEW_OF, ())),
        )
        done = store(self.core, rare(wish, self._options, force=force), self._act(memory.session))
        if done.memory != memory.id:
            self._drop(memory, f"known as {done.memory}")
        return done

    @writes
    def reject(self, id: str, reason: str | None = None) -> ProposedEntry:
        """Drop a proposal; its text is not proposed again, and writing it requires `again`."""
        memory = self._proposed(id)
        why, _ = self.core.clean(word(reason, "reason") or "rejected")
        content = {"memory": memory.id, "text": memory.text, "scope": memory.scope, "reason": why}
        draft = self._act(memory.session).draft(REJECTED, content, memory.version)
        self.core.append(self.core.log_of(memory.scope), [draft])
        self._drop(memory, why)
        return proposal(memory)

    def _drop(self, memory: Memory, reason: str) -> None:
        content = {"memory": memory.id, "reason": reason}
        draft = self._act(memory.session).draft(REJECTED, content, memory.version)
        self.core.append("private", [draft])

    @writes
    def session_end(self) -> SessionEnded:
        """End the session: propose its decisions, then remove its file."""
        session = self._session(alone=True)
        if session is None or not session.running:
            raise self._no_session()
        self._propose_decisions(session.name, session.project)
        offered = tuple(Holdings(self.core).proposals(session.name))
        self._record_session(ENDED, session.name, {"proposed": [one.id for one in offered]})
        self.core.flush()
        return SessionEnded(
            session=session.name,
            proposals=offered,
            injected=session.injected,
            tokens=session.tokens,
        )
