"""What reading and writing share: the places of the logs, the clock, and the index over them."""

from __future__ import annotations

import os
import stat as modes
from _thread import RLock

from varves.errors import Busy, Damaged, Refused, UnsafeName
from varves.index.sqlite.index import EVERY, FAULTS, LOOKED_AT, Index
from varves.index.where import EventWhere, Trusted, Where
from varves.log.files.local import INDEX
from varves.log.files.locks import NOTE
from varves.log.files.places import FORMAT_TEXT, Places
from varves.log.files.store import Files
from varves.values.scope import level_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

    from varves.context.meaning import Semantic
    from varves.events.event import Event
    from varves.log.files.group import Group
    from varves.log.files.log import FileLog
    from varves.log.files.port import LogStore
    from varves.settings import Settings
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

    Progress = Callable[[int], None]

FORMAT = "format.json"
_TRUSTED = Trusted()


class View:
    """An index and the instant it is asked about."""

    __slots__ = ("index", "now")

    def __init__(self, index: Index, now: int) -> None:
        self.index = index
        self.now = now


class Engine:
    """The state behind one opened ledger."""

    def __init__(self, settings: Settings, clock: Clock, ids: IdSource) -> None:
        self.settings = settings
        self.clock = clock
        self.ids = ids
        files = _hasty() if settings.mode == "fast" else Files
        self.places = Places(
            settings.root,
            settings.home,
            teams=settings.teams,
            files=files,
            share=settings.share,
            move=_move,
        )
        self.places.named = settings.git
        self.group = _group(self.close) if settings.mode == "group" else None
        self.lock: AbstractContextManager[Any] = self.group or RLock()
        self.index_faults = FAULTS
        self.progress: Progress | None = None
        self.most_behind: int | None = None  # bytes; whoever is in haste catches up with no more
        self.wrote: set[tuple[str, str | None]] = set()  # (actor, session), until told is settled
        self.changed: set[str] = set()  # a protocol's memories, until its files are in step
        self.unbridged: set[str] = set()  # touched by protocols, until their views are in step
        self.bridging = False
        self.depth = 0  # of public methods that run within one another
        self.cleaning = False
        self.notes: list[str] = []  # what the bridges have to say of the last verb that wrote
        self.swept = ""  # the day on which sessions that are over were looked for
        self._index: Index | None = None
        self._semantic: Semantic | None = None
        self._pid = os.getpid()

    def index(self) -> Index:
        """Return the index as the last reader left it, opened for this process."""
        if self._index is None or self._pid != os.getpid():
            self.check_format()
            self._index = self._open_index()
            self._pid = os.getpid()
        self._index.branch_of = self.places.branch
        return self._index

    @property
    def opened(self) -> Index | None:
        """The index if this process has it open, as the last reader left it."""
        return self._index if self._pid == os.getpid() else None

    @property
    def trusted(self) -> Trusted:
        """The rule by which a memory is not quarantined."""
        if self.settings.strict is None:
            return _TRUSTED
        return Trusted(clones=self.listed())  # our own clone may get its id only now

    @property
    def semantic(self) -> Semantic:
        """Dense similarity, kept warm between calls."""
        if self._semantic is None:
            from varves.context.meaning import Semantic

            self._semantic = Semantic(self)
        return self._semantic

    def listed(self) -> tuple[str, ...] | None:
        """Return the clones whose memories count as they are stamped; None: all do."""
        strict = self.settings.strict
        return None if strict is None else (*strict, *self.places.own_clones())

    def log_of(self, where: str, *, private: bool = False) -> str:
        """Return the log that keeps a memory of this scope."""
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

    def begin(self, log: str = "project") -> list[str]:
        """Make the ledger if there is none, and return what was made; other logs can do without."""
        git = self.places.git
        try:
            made = self.places.make()
        except OSError:
            if log == "project":
                raise
            return []
        if made or self.places.git is not git:  # until now the index had no place, or another
            self.close()
        return made

    def heal(self, fault: Exception) -> None:
        """Make the index again after it turned out damaged; a busy one is another matter."""
        if "locked" in str(fault) or "busy" in str(fault):
            raise Busy("the index is in use", "try again") from None
        if "disk" not in str(fault) or "malformed" in str(fault):
            try:
                return self.index().remake()
            except (OSError, FAULTS):
                pass
        self.close()  # a disk that is full or fails must not keep anybody from the log
        self._index, self._pid = Index(None), os.getpid()
        return None

    def check_format(self) -> None:
        """Refuse a ledger that lies behind a link, or was written by a newer version."""
        if os.path.islink(self.places.folder):
            raise UnsafeName(f"{self.places.folder} is a link", "make it a folder of its own")
        path = f"{self.places.folder}/{FORMAT}"
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return
        except OSError as fault:
            raise Damaged(
                f"cannot read {path}: {fault.strerror}", "check its permissions"
            ) from None
        if content == FORMAT_TEXT:
            return
        from json import loads

        try:
            version = loads(content.decode())["version"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Damaged(
                f"{path} is not a ledger's", "git checkout HEAD -- .varves/format.json"
            ) from None
        if version != 1:
            raise Damaged(f"the ledger has format {version}, we read 1", "upgrade varves")

    def _open_index(self) -> Index:
        """Open the index in its file, or in memory where there is no ledger or no place for it."""
        if not self.places.exists():
            return Index(None)
        try:
            self.places.hide()
        except OSError:
            pass  # no room in the work tree; the index may have its own elsewhere
        try:
            path = f"{self.places.local.root}/{INDEX}"
            if os.path.islink(self.places.local.root) or _is_shared(path):
                return Index(None)
            if os.path.lexists(f"{self.places.folder}/{NOTE}"):  # SQLite's locks would not hold
                return Index(None)
            return Index(path, self._create_index)
        except OSError:
            return Index(None)
        except FAULTS as fault:
            if "unable to open" in str(fault) or "disk" in str(fault):
                return Index(None)
            raise

    def _create_index(self) -> None:
        store = self.places.local
        try:
            store.close(store.create(INDEX))
        except FileExistsError:
            pass  # another process was quicker

    def fresh(self, *, every_file: bool = False) -> View:
        """Return the present, with the index caught up.

        Args:
            every_file: look at all files of the logs, however many nobody should have touched.
        """
        index, now = self.index(), self.clock.now()
        sources, hold_back = self.reading(), not self.clock.fixed
        index.looked_at = EVERY if every_file else LOOKED_AT
        if index.stale(sources, now=now, hold_back=hold_back):
            from varves.index.sqlite.catch_up import catch_up

            catch_up(
                index,
                sources,
                now=now,
                hold_back=hold_back,
                progress=self.progress,
                most=self.most_behind,
            )
        if index.tainted:
            self.scrub()
            return self.fresh()
        return View(index, now)

    def scrub(self) -> None:
        """Leave no byte of purged content in the index."""
        index = self.index()
        index.scrub(index.purged())

    def view(self, as_of: str | None) -> View:
        """Return the present, or a replay of the past up to an instant, event or git revision."""
        present = self.fresh()
        if as_of is None:
            return present
        from varves.context.past import replayed

        return View(*replayed(self, present.index, as_of))

    def reading(self) -> list[FileLog]:
        """Return every source that is read: this checkout's own logs, and other worktrees'.

        And the purges that this clone wrote, on whatever branch.
        """
        return self.places.readable()

    def lasting(self, present: Index, replayed: set[str]) -> list[tuple[Event, bytes]]:
        """Return the events that act in a replay whenever they came: what was purged is gone.

        Those are the purges, and what was said again for purged events that are replayed. They are
        folded into the view of the past and not shown in it.
        """
        from varves.events.kinds import PURGED, touches
        from varves.events.purge import stands_for

        purges = present.lines(EventWhere(kinds=(PURGED,)))
        again = present.lines(EventWhere(said_again=True))
        counted = [pair for pair in again if touches(pair[0]) and stands_for(pair[0]) in replayed]
        return [pair for pair in purges + counted if pair[0].id not in replayed]

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None and self._pid == os.getpid():
            self._index.close()
        self._index = None


def quarantined(engine: Engine) -> int:
    """Return how many memories are out of default recall until somebody trusts them."""
    waiting = Where(statuses=("active",), untrusted=engine.trusted)
    return engine.fresh().index.how_many(waiting)


def _is_shared(path: str) -> bool:
    """Tell whether a file is a link, or has another name somewhere else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    return found.st_nlink > 1 or not modes.S_ISREG(found.st_mode)


def local_of(root: str, home: str) -> str:
    """Return the local folder of a ledger, for whoever has not opened it."""
    from varves.settings import named_git

    places = Places(root, home, teams={}, files=Files, move=_move)
    places.named = named_git()
    return places.local.root


def _move(places: Places, local: LogStore) -> None:
    from varves.state.move import move

    move(places, local)


def _hasty() -> type[Files]:
    from varves.log.files.hasty import Hasty

    return Hasty


def _group(on_failure: Callable[[], None]) -> Group:
    from varves.log.files.group import Group

    return Group(on_failure)
