"""The dependencies that most packages get: logs, index, actor, and the recorder.

A context is frozen. To act with another origin or actor, make a copy with `replace`; the copy has
the same logs and index. The `Opened` object that opened them closes them.
"""

from __future__ import annotations

from varves.context.live_index import LiveIndex, View
from varves.context.logs import Logs
from varves.errors import Refused
from varves.index.where import Where
from varves.places.places import Places
from varves.places.store import Files
from varves.values.memory import TRUST
from varves.values.scope import level_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

    from varves.commands.port import Act, Decision, Rows
    from varves.context.follow_up import FollowUp
    from varves.context.recorder import Recorder
    from varves.events.event import Event
    from varves.index.where import Trusted
    from varves.places.port import FileStore
    from varves.settings import Settings
    from varves.values.ids import IdSource
    from varves.values.instants import Clock


class Context(Value):
    """An opened ledger, in the form that is passed to the packages that work on it."""

    settings: Settings
    clock: Clock
    ids: IdSource
    origin: str
    """The origin that is recorded with each write; it decides how far the write is trusted."""
    places: Places
    logs: Logs
    index: LiveIndex
    lock: AbstractContextManager[Any]
    """The lock that lets only one thread read or write at a time."""
    open_recorder: Callable[[], Recorder]

    # Reading

    def fresh(self, *, every_file: bool = False) -> View:
        """Return the current state, with an index that is up to date.

        Args:
            every_file: check all files of the logs, also those that no writer changes.
        """
        return self.index.fresh(every_file=every_file)

    def view(self, as_of: str | None) -> View:
        """Return the current state, or the state at an instant, an event or a git revision."""
        present = self.fresh()
        if as_of is None:
            return present
        from varves.context.past import replayed

        return View(*replayed(self.index, present.index, as_of))

    @property
    def trusted(self) -> Trusted:
        """The rule that decides whether a memory is quarantined."""
        return self.index.trusted

    def quarantined(self) -> int:
        """Return the number of memories that recall omits until a person trusts them."""
        waiting = Where(statuses=("active",), untrusted=self.trusted)
        return self.fresh().index.count(waiting)

    # Writing

    @property
    def recorder(self) -> Recorder:
        """The recorder, which writes events; it is created at the first write."""
        return self.open_recorder()

    def act(self, session: str | None = None, *, origin: str | None = None) -> Act:
        """Return an `Act`: who writes, in which session, when and from which origin.

        Secrets in names are masked.
        """
        from varves.commands.port import Act

        settings, door = self.settings, origin or self.origin
        actor, masked = self.recorder.names(settings.actor, session or settings.session)
        return Act(
            actor=actor, session=masked, now=self.clock.now(), origin=door, trust=TRUST[door]
        )

    def clean(self, content: Any, *, allow_secret: bool = False) -> tuple[Any, tuple[str, ...]]:
        """Return a caller's arguments with secrets masked, before any other code uses them."""
        return self.recorder.clean(content, allow_secret=allow_secret)

    def current(self) -> Rows:
        """Return the current memories for a command to decide on, from an up-to-date index."""
        return self.recorder.current()

    def deciding(self, log: str, *, proven: bool = False) -> AbstractContextManager[None]:
        """Return a lock under which no other process appends between a read and the append.

        If locks do not work on this file system, a `proven` lock raises an error. Without `proven`,
        there is no error, but two processes may decide on the same state.
        """
        return self.logs.deciding(log, proven=proven)

    def apply(
        self, decide: Callable[[Rows, Any, Act], Decision], command: Any
    ) -> tuple[Decision, list[Event]]:
        """Let a command decide on the current memories, and append the events it drafts."""
        return self.recorder.apply(decide, command, self.act())

    def append(self, decision: Decision) -> tuple[Decision, list[Event]]:
        """Append the events that a command has decided on (its drafts) durably."""
        return self.recorder.append(decision)

    def begin(self, log: str = "project") -> list[str]:
        """Create the ledger if it is missing and return what was created.

        A failure is ignored if the write goes to a log other than the project's.
        """
        return self.index.begin(log)

    def log_of(self, where: str, *, private: bool = False) -> str:
        """Return the log that stores a memory of this scope."""
        level = level_of(where)
        if private and level == "global":
            raise Refused(
                "a global memory cannot be private", "leave --private or --scope global out"
            )
        if private or level == "session":
            return "private"
        if level == "global":
            return "global"
        team = where.partition(":")[2] if level == "team" else ""
        if team:
            from varves.context.consents import refuse_waiting

            refuse_waiting(self.settings, team)
        return f"team:{team}" if team in self.settings.teams else "project"


class Opened:
    """The open parts of one ledger; it may be used again after `close`."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        ids: IdSource,
        follow_up: FollowUp,
        *,
        origin: str,
        places: Places | None = None,
    ) -> None:
        places = places or _places(settings)
        logs = Logs(places, clock, ids, mode=settings.mode, on_failure=self._let_go_of_index)
        self._follow_up = follow_up
        self._recorder: Recorder | None = None
        self.context = Context(
            settings=settings,
            clock=clock,
            ids=ids,
            origin=origin,
            places=places,
            logs=logs,
            index=LiveIndex(settings, logs, clock),
            lock=logs.lock,
            open_recorder=self._open_recorder,
        )

    def _open_recorder(self) -> Recorder:
        if self._recorder is None:
            from varves.context.recorder import Recorder

            here = self.context
            self._recorder = Recorder(here.settings, here.index, here.logs, self._follow_up)
        return self._recorder

    def _let_go_of_index(self) -> None:
        self.context.index.close()

    def close(self) -> None:
        """Release all locks and close all files."""
        self._recorder = None
        self.context.logs.close()
        self.context.index.close()
        self.context.places.close()


def _places(settings: Settings) -> Places:
    places = Places(
        settings.root,
        settings.home,
        teams=settings.teams,
        files=_hasty() if settings.mode == "fast" else Files,
        share=settings.share,
        move=_move,
    )
    places.named = settings.git
    return places


def local_of(root: str, home: str) -> str:
    """Return the local folder of a ledger that is not open."""
    from varves.settings import named_git

    places = places_of(root, home)
    places.named = named_git()
    return places.local.root


def places_of(root: str, home: str) -> Places:
    """Return the places of a ledger that is not open."""
    return Places(root, home, teams={}, files=Files, move=_move)


def _move(places: Places, local: FileStore) -> None:
    from varves.state.move import move

    move(places, local)


def _hasty() -> type[Files]:
    from varves.places.hasty import Hasty

    return Hasty
