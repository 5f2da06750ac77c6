"""Code shared by all verbs: find the scope and the session, and build a block."""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events.kinds import ARCHIVED, PROPOSED
from varves.protocols.bridged import Bridged, DueView, speaking, tied, view_of
from varves.protocols.port import writes
from varves.protocols.projects import current_project
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.scoped import learnings, prompts, sessions
from varves.protocols.scoped.answers import Injected
from varves.protocols.scoped.codec import ScopedCodec
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.injection import Shade, choose
from varves.protocols.scoped.injection import alike as speaks_of_the_same
from varves.protocols.scoped.options import CONFIDENCE, MOST_BUDGET, options
from varves.protocols.scoped.places import (
    GLOBAL,
    PROJECT,
    SESSION,
    TEAM,
    name_of,
    scope_in,
    split,
)
from varves.protocols.scoped.search import ranked
from varves.protocols.scoped.sessions import KINDS, OVER, TASK
from varves.protocols.sessions import CONTINUED, PRIVATE, current, draft
from varves.recall.fence import block, nonce_for
from varves.values.instants import iso
from varves.values.memory import STATUSES
from varves.values.text import fold, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.port import Core
    from varves.protocols.scoped.answers import Dispute
    from varves.protocols.scoped.injection import Alike, Chosen
    from varves.protocols.scoped.learnings import Extract
    from varves.protocols.scoped.options import ScopedOptions
    from varves.protocols.scoped.search import RelevanceScore
    from varves.protocols.scoped.sessions import ScopedSession
    from varves.values.memory import Memory

_OVER = "the session is over"
_EVER = tuple(status for status in STATUSES if status != "proposed")


class Desk(Bridged, PublishedProtocol):
    """The base class of the verbs.

    Args:
        core: the ledger.
        extract: finds learnings in a text; by default the phrases of `learnings.extract`.
        alike: returns whether a newer text is about the same subject as an older one; by default
            the core's likeness rule, as `injection.alike` applies it.
    """

    def __init__(
        self, core: Core, *, extract: Extract | None = None, alike: Alike | None = None
    ) -> None:
        self.core = core
        self.codec = ScopedCodec()
        self._extract = extract or learnings.extract
        self._alike = alike or speaks_of_the_same
        self._settings: ScopedOptions | None = None
        self._begun: str | None = None  # the session that this object started

    @property
    def _options(self) -> ScopedOptions:
        if self._settings is None:
            self._settings = options(self.core.table)
        return self._settings

    def told_in(self, prompt: str) -> list[str]:
        """Return the texts of the memories in the block of a prompt file."""
        return prompts.told_in(prompt)

    # Find the scope

    def _scope(self, scope: str, name: str | None, *, project: str | None = None) -> str:
        """Return the scope that a scope word and an id name."""
        level, given = split(scope, name)
        if level == GLOBAL:
            return GLOBAL
        if level == PROJECT:
            return f"{PROJECT}:{given or self._project(project)}"
        if level == TEAM:
            return f"{TEAM}:{given or self._only_team()}"
        return f"{SESSION}:{given or self._session_name()}"

    def _project(self, given: str | None = None) -> str:
        """Return the current project's id."""
        if given is not None:
            return name_of(given, PROJECT)

        def own() -> str | None:
            session = self._session()
            return session.project if session else None

        def scopes() -> Collection[str]:
            known = self.core.sizes(_EVER)
            held = any(one.startswith(f"{PROJECT}:") for one in known)
            return known if held else self._prepared(PROJECT)

        return current_project(self.core, session=own, scopes=scopes).id

    def _prepared(self, level: str) -> list[str]:
        """Return the scopes of a level that have a file, as `init` makes one without entries."""
        found = [scope_in(path) or "" for path in sorted(self.core.files())]
        return [scope for scope in found if scope.partition(":")[0] == level]

    def _only_team(self) -> str:
        """Return the default team: the only one there is."""
        known = self._options.teams
        if known is None:
            scopes = Holdings(self.core, lean=True).scopes(TEAM) or self._prepared(TEAM)
            known = tuple(scope.partition(":")[2] for scope in scopes)
        if len(known) != 1:
            raise UsageError("scope team needs an id", "write it as team ID")
        return known[0]

    def _teams(self, held: Holdings, given: str | None) -> list[str]:
        """Return the scopes of the teams whose memory is loaded."""
        if given is not None:
            return [f"{TEAM}:{name_of(given, TEAM)}"]
        if self._options.teams is not None:
            return [f"{TEAM}:{name}" for name in self._options.teams]
        return held.scopes(TEAM)

    # Find the session

    def _sessions(self) -> dict[str, ScopedSession]:
        return sessions.fold(self.core.events(*KINDS, TASK), self.core.checkout)

    def _session(self, *, alone: bool = False) -> ScopedSession | None:
        """Return the current session, if any: the named one, or the last that the actor started.

        Args:
            alone: refuse to choose between several running sessions of the actor.

        Raises:
            Refused: several run, and none is named.
        """
        found, actor = self._sessions(), self._act().actor
        named = self.core.session
        if named is None and self._begun in found and found[self._begun].running:
            named = self._begun
        running = [one.name for one in found.values() if one.running and one.actor == actor]
        if alone and named is None and len(running) > 1:
            message = f"several sessions of {actor} are running: {', '.join(running)}"
            raise Refused(message, "choose one with --session")
        return current(found.values(), self.core.checkout, named=named, actor=actor)

    def _session_name(self) -> str:
        """Return the name of the current session, even if it has recorded nothing yet.

        Raises:
            Refused: none is named, and no session or more than one is running here.
        """
        found = self._session(alone=True)
        if found is None and self.core.session is None:
            raise self._no_session()
        return name_of(found.name if found else str(self.core.session), SESSION)

    def _own_session(self, name: str | None = None) -> ScopedSession:
        """Return a session, by default the current one; start it if it is only named.

        Raises:
            Refused: none is named, and no session or more than one is running here.
        """
        name = name or self._session_name()
        found = self._sessions().get(name)
        if found is None or not found.running:
            self._record_session(CONTINUED, name, {})
            return self._sessions()[name]
        return found

    def _no_session(self) -> Refused:
        """Return the error for a missing session; it lists the sessions of other actors."""
        others = [one.name for one in self._sessions().values() if one.running]
        if others and self.core.session is None:
            names = ", ".join(others)
            message = f"no session of {self._act().actor} is running; running: {names}"
            return Refused(message, "choose one with --session, or start your own")
        return Refused("no session is running", "varves scoped session start")

    def _record_session(self, kind: str, name: str, content: Mapping[str, Any]) -> None:
        """Record an event of a session; its scope determines the file to render.

        When the session ends, its notes are archived, so that a new session of the same name begins
        empty.
        """
        act, scope = self._act(name), f"{SESSION}:{name}"
        drafts = [draft(self.core, act, kind, {"scope": scope, **content})]
        if kind in OVER:
            drafts += [
                act.draft(ARCHIVED, {"memory": one.id, "reason": _OVER}, one.version)
                for one in Holdings(self.core, scope=scope, lean=True).records(scope)
                if one.status == "active"
            ]
        self.core.append(PRIVATE, drafts)

    def _act(self, session: str | None = None) -> Act:
        return self.core.act(session=session)

    # Select what is shown

    def _ranked(self, held: Holdings, *scopes: str, flushed: bool = False) -> list[RelevanceScore]:
        """Score the entries of some scopes that may be shown, the best first."""
        now = self.core.now
        memories = [one for one in held.standing(*scopes) if not one.has_expired(iso(now))]
        uses = self.core.counts() if flushed else held.uses
        return ranked(memories, uses, now=now, options=self._options)

    def _choose(
        self,
        held: Holdings,
        scores: list[RelevanceScore],
        shade: Shade,
        budget: int,
        *,
        disputes: Sequence[Dispute] = (),
    ) -> Chosen:
        against: dict[str, list[str]] = {}
        for one in disputes:
            for each in one.entries:
                names = [other.id for other in one.entries if other.id != each.id]
                against.setdefault(each.memory, []).extend(names)
        disputed = {name: ", ".join(dict.fromkeys(ids)) for name, ids in against.items()}
        top = self._options.top
        return choose(scores, shade, held.label, top=top, budget=budget, disputed=disputed)

    def _shade(self, scores: list[RelevanceScore]) -> Shade:
        return Shade([one.memory for one in scores], self._alike)

    def _injected(
        self, held: Holdings, chosen: Chosen, *, budget: int, nonce: str | None = None
    ) -> Injected:
        """Build the block of the chosen entries."""
        lines = list(chosen.lines)
        if nonce is None or any(nonce in line for line in lines):
            nonce = nonce_for(lines, key=self.core.ids.salt(), place=self.core.root)
        return Injected(
            block=block(lines, nonce) if lines else "",
            tokens=chosen.tokens,
            budget=budget,
            entries=tuple(held.ranked(one) for one in chosen.told),
            skipped=tuple(held.ranked(one) for one in chosen.skipped),
            notices=chosen.notices,
        )

    def _disputes(
        self,
        held: Holdings,
        scopes: Sequence[str],
        *,
        most: int | None = None,
        limit: int | None = None,
    ) -> tuple[Dispute, ...]:
        """Return the conflicts between the entries of some scopes, newest first."""
        found = self.core.disputes(scopes, most=most, limit=limit)
        own = self.codec.name
        return tuple(
            held.dispute(one) for one in found if all(each.protocol == own for each in one.members)
        )

    def _tell(self, verb: str, chosen: Chosen, agent: str | None) -> None:
        self.core.told(verb, [one.memory.id for one in chosen.told], agent=agent)

    def _budget(self, given: int | None, *, told: int = 0) -> int:
        """Return the token limit of a block; a session's default total is 5000."""
        if given is None:
            return min(self._options.budget, max(0, MOST_BUDGET - told))
        if given < 1:
            raise UsageError("the budget is not a positive number", "give a number of tokens")
        return given

    # Views of other protocols' records

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "scoped", category),)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Propose a record of another protocol for this project, unless its text is known there.

        Raises:
            Refused: the text was rejected in this project before.
        """
        held = Holdings(self.core)
        scope = f"{PROJECT}:{self._project()}"
        if any(fold(one.text) == fold(record.titled) for one in held.standing(scope)):
            return
        rejected = self.core.rows().rejecting(
            value_key(self.core.log_of(scope), scope, record.titled)
        )
        if rejected:
            raise Refused(f"rejected in {scope} by {rejected[0]}", f"varves undo {rejected[0]}")
        content = {
            "memory": view.id,
            "text": record.titled,
            "scope": scope,
            "type": view.category,
            "confidence": CONFIDENCE if record.confidence is None else record.confidence,
            "source": record.protocol,
            **tied(record),
        }
        act = speaking(self._act(), record)
        self.core.append("private", [act.draft(PROPOSED, content, record.version)])
