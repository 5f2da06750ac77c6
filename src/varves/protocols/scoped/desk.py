"""What a verb needs to know before its work: the core, the options, the scope and the session."""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events.kinds import ARCHIVED
from varves.protocols.projects import current_project
from varves.protocols.scoped import learnings, sessions
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.options import MOST_BUDGET, options
from varves.protocols.scoped.places import (
    GLOBAL,
    PROJECT,
    SESSION,
    TEAM,
    name_of,
    scope_in,
    split,
)
from varves.protocols.scoped.sessions import KINDS, OVER, TASK
from varves.protocols.scoped.shades import alike as speaks_of_the_same
from varves.protocols.sessions import CONTINUED, PRIVATE, current, draft
from varves.values.memory import STATUSES
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.port import Core
    from varves.protocols.scoped.learnings import Extract
    from varves.protocols.scoped.options import ScopedOptions
    from varves.protocols.scoped.sessions import ScopedSession
    from varves.protocols.scoped.shades import Alike

_OVER = "the session is over"
_EVER = tuple(status for status in STATUSES if status != "proposed")


class Desk:
    """One caller's ledger, options and current session.

    Args:
        core: the ledger.
        extract: finds learnings in a text; by default the phrases of `learnings.extract`.
        alike: returns whether a newer text is about the same subject as an older one; by default
            the core's likeness rule, as `shades.alike` applies it.
    """

    def __init__(
        self, core: Core, *, extract: Extract | None = None, alike: Alike | None = None
    ) -> None:
        self.core = core
        self.extract = extract or learnings.extract
        self.alike = alike or speaks_of_the_same
        self.begun: str | None = None
        """The session that this caller started."""
        self._options: ScopedOptions | None = None

    @property
    def options(self) -> ScopedOptions:
        """The protocol's settings."""
        if self._options is None:
            self._options = options(self.core.table)
        return self._options

    def act(self, session: str | None = None) -> Act:
        """Return the acting context, also of one of the sessions."""
        return self.core.act(session=session)

    def budget(self, given: int | None, *, told: int = 0) -> int:
        """Return the token limit of a block; a session's default total is 5000."""
        if given is None:
            return min(self.options.budget, max(0, MOST_BUDGET - told))
        if given < 1:
            raise UsageError("the budget is not a positive number", "give a number of tokens")
        return given

    # Scopes

    def scope(self, scope: str, name: str | None) -> str:
        """Return the scope that a scope word and an id name."""
        level, given = split(scope, name)
        if level == GLOBAL:
            return GLOBAL
        if level == PROJECT:
            return f"{PROJECT}:{given or self.project()}"
        if level == TEAM:
            return f"{TEAM}:{given or self._only_team()}"
        return f"{SESSION}:{given or self._session_name()}"

    def own_scope(self, scope: str, name: str | None, *, use: str = "read") -> str:
        """Return the requested scope; a session's memory is only that session's.

        Without `--session`, a running session of the actor may be named by its id.
        """
        where = self.scope(scope, name)
        if not where.startswith(SESSION):
            return where
        asked = where.partition(":")[2]
        own, named = self.session(), self.sessions().get(asked)
        if asked == (own.name if own else self.core.session):
            return where
        if named is None or not named.running:
            running = ", ".join(one.name for one in self.sessions().values() if one.running)
            hint = f"running: {running}" if running else "varves scoped session start"
            raise Refused(f"no session {quoted(asked)} is running", hint)
        if self.core.session is None and named.actor == self.act().actor:
            return where
        raise Refused(f"only the session itself may {use} its memory", "leave the id out")

    def project(self, given: str | None = None) -> str:
        """Return the current project's id."""
        if given is not None:
            return name_of(given, PROJECT)

        def own() -> str | None:
            session = self.session()
            return session.project if session else None

        def scopes() -> Collection[str]:
            known = self.core.sizes(_EVER)
            held = any(one.startswith(f"{PROJECT}:") for one in known)
            return known if held else self._prepared(PROJECT)

        return current_project(self.core, session=own, scopes=scopes).id

    def teams(self, held: Holdings, given: str | None = None) -> list[str]:
        """Return the scopes of the teams whose memory is loaded."""
        if given is not None:
            return [f"{TEAM}:{name_of(given, TEAM)}"]
        if self.options.teams is not None:
            return [f"{TEAM}:{name}" for name in self.options.teams]
        return held.scopes(TEAM)

    def loaded(
        self, held: Holdings, *, project: str | None = None, team: str | None = None
    ) -> tuple[str, ...]:
        """Return the scopes of which a block shows a choice: the project, its teams and global."""
        return f"{PROJECT}:{self.project(project)}", *self.teams(held, team), GLOBAL

    def _only_team(self) -> str:
        """Return the default team: the only one there is."""
        known = self.options.teams
        if known is None:
            scopes = Holdings(self.core, lean=True).scopes(TEAM) or self._prepared(TEAM)
            known = tuple(scope.partition(":")[2] for scope in scopes)
        if len(known) != 1:
            raise UsageError("scope team needs an id", "write it as team ID")
        return known[0]

    def _prepared(self, level: str) -> list[str]:
        """Return the scopes of a level that have a file, as `init` makes one without entries."""
        found = [scope_in(path) or "" for path in sorted(self.core.files())]
        return [scope for scope in found if scope.partition(":")[0] == level]

    # Sessions

    def sessions(self) -> dict[str, ScopedSession]:
        """Return the sessions of this checkout by name."""
        return sessions.fold(self.core.events(*KINDS, TASK), self.core.checkout)

    def session(self, *, alone: bool = False) -> ScopedSession | None:
        """Return the current session, if any: the named one, or the last that the actor started.

        Args:
            alone: refuse to choose between several running sessions of the actor.

        Raises:
            Refused: several run, and none is named.
        """
        found, actor = self.sessions(), self.act().actor
        named = self.core.session
        if named is None and self.begun in found and found[self.begun].running:
            named = self.begun
        running = [one.name for one in found.values() if one.running and one.actor == actor]
        if alone and named is None and len(running) > 1:
            message = f"several sessions of {actor} are running: {', '.join(running)}"
            raise Refused(message, "choose one with --session")
        return current(found.values(), self.core.checkout, named=named, actor=actor)

    def running_session(self) -> ScopedSession:
        """Return the current session.

        Raises:
            Refused: no session or more than one is running here.
        """
        found = self.session(alone=True)
        if found is None or not found.running:
            raise self._no_session()
        return found

    def own_session(self, name: str | None = None) -> ScopedSession:
        """Return a session, by default the current one; start it if it is only named.

        Raises:
            Refused: none is named, and no session or more than one is running here.
        """
        name = name or self._session_name()
        found = self.sessions().get(name)
        if found is None or not found.running:
            self.record_session(CONTINUED, name, {})
            return self.sessions()[name]
        return found

    def _session_name(self) -> str:
        """Return the name of the current session, even if it has recorded nothing yet."""
        found = self.session(alone=True)
        if found is None and self.core.session is None:
            raise self._no_session()
        return name_of(found.name if found else str(self.core.session), SESSION)

    def _no_session(self) -> Refused:
        """Return the error for a missing session; it lists the sessions of other actors."""
        others = [one.name for one in self.sessions().values() if one.running]
        if others and self.core.session is None:
            names = ", ".join(others)
            message = f"no session of {self.act().actor} is running; running: {names}"
            return Refused(message, "choose one with --session, or start your own")
        return Refused("no session is running", "varves scoped session start")

    def record_session(self, kind: str, name: str, content: Mapping[str, Any]) -> None:
        """Record an event of a session; its scope determines the file to render.

        When the session ends, its notes are archived, so that a new session of the same name begins
        empty.
        """
        act, scope = self.act(name), f"{SESSION}:{name}"
        drafts = [draft(self.core, act, kind, {"scope": scope, **content})]
        if kind in OVER:
            drafts += [
                act.draft(ARCHIVED, {"memory": one.id, "reason": _OVER}, one.version)
                for one in Holdings(self.core, lean=True).records(scope)
                if one.status == "active"
            ]
        self.core.append(PRIVATE, drafts)
