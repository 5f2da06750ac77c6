"""The index of an opened ledger, in a file or in memory, updated before it is read."""

from __future__ import annotations

import os
import stat as modes

from varves.errors import Busy, Damaged, UnsafeName
from varves.index.freshness import is_stale
from varves.index.sqlite.file import in_use
from varves.index.sqlite.index import EVERY, FAULTS, LOOKED_AT, SqliteIndex
from varves.index.where import Trusted
from varves.places.local import INDEX, NO_LOCKS
from varves.places.places import FORMAT_TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.logs import Logs
    from varves.context.similarity import Semantic
    from varves.index.port import Index
    from varves.log.port import Source
    from varves.settings import Settings
    from varves.values.instants import Clock

    Progress = Callable[[int], None]


FORMAT = "format.json"
_EVERYBODY = Trusted()
_PATIENCE_MS = 5  # milliseconds that a write waits for another process that updates the index


class View:
    """An index and the instant of the query."""

    __slots__ = ("index", "now")

    def __init__(self, index: Index, now: int) -> None:
        self.index = index
        self.now = now


class EditedView(View):
    """The view as it will be once people's edits of files are recorded."""

    __slots__ = ("edited", "present")

    def __init__(self, index: Index, present: View, edited: frozenset[str]) -> None:
        super().__init__(index, present.now)
        self.present = present
        self.edited = edited
        """The memories that the edits change."""


class LiveIndex:
    """The index of one opened ledger; each process opens the index itself, and updates it."""

    def __init__(self, settings: Settings, logs: Logs, clock: Clock) -> None:
        self.faults = FAULTS
        self.progress: Progress | None = None
        """A function that is called during long reads with the number of events read so far."""
        self.most_behind: int | None = None
        """The most bytes of the logs that a hook indexes before its query; None means no limit."""
        self.logs = logs
        self.places = logs.places
        self.clock = clock
        self._settings = settings
        self._index: Index | None = None
        self._semantic: Semantic | None = None
        self._pid = os.getpid()
        self._steady = False
        self._compared: tuple[Index, int] | None = None

    @property
    def steady(self) -> bool:
        """Whether the index is compared with the logs only once, until the ledger writes or locks.

        If so, events of other processes are seen only after the next write, under the next lock, or
        when this value is set again. `VerbGuard` sets it for each verb.
        """
        return self._steady

    @steady.setter
    def steady(self, steady: bool) -> None:
        self._steady, self._compared = steady, None

    def get(self) -> Index:
        """Return the index for this process, without updating it."""
        if self._index is None or self._pid != os.getpid():
            check_format(self.places.folder)
            self._index = self._open_index()
            self._pid = os.getpid()
        self._index.branch_of = self.logs.branch
        return self._index

    @property
    def opened(self) -> Index | None:
        """The index if this process has opened it, without an update; otherwise None."""
        return self._index if self._pid == os.getpid() else None

    @property
    def trusted(self) -> Trusted:
        """The rule that decides whether a memory is quarantined."""
        strict = self._settings.strict
        if strict is None:
            return _EVERYBODY
        # the id of this clone may be new
        return Trusted(clones=(*strict, *self.places.own_clones()))

    @property
    def semantic(self) -> Semantic:
        """The similarity of texts by their meaning; its data stays in memory between calls."""
        if self._semantic is None:
            from varves.context.similarity import Semantic

            self._semantic = Semantic(self.get, allowed=self._settings.dense)
        return self._semantic

    def begin(self, log: str = "project") -> list[str]:
        """Create the ledger if it is missing and return what was created.

        A failure is ignored if the write goes to a log other than the project's.
        """
        git = self.places.git
        try:
            made = self.places.make()
        except OSError:
            if log == "project":
                raise
            return []
        # the index was in memory or in another folder until now
        if made or self.places.git is not git:
            self.close()
        return made

    def heal(self, fault: Exception) -> None:
        """Rebuild the index because damage was found; raise Busy if the index is only locked."""
        if "locked" in str(fault) or "busy" in str(fault):
            raise Busy("the index is in use", "try again") from None
        self._compared = None
        if "disk" not in str(fault) or "malformed" in str(fault):
            try:
                return self.get().remake()
            except (OSError, FAULTS):
                pass
        self.close()  # a full or failing disk must not prevent reading from the log
        self._index, self._pid = SqliteIndex(None), os.getpid()
        return None

    def _open_index(self) -> Index:
        """Open the index in its file, or in memory if there is no ledger or no place for a file."""
        if not self.places.exists():
            return SqliteIndex(None)
        try:
            self.places.hide()
        except OSError:
            pass  # the work tree is not writable, but the index may be stored elsewhere
        try:
            path = f"{self.places.local.root}/{INDEX}"
            linked = os.path.islink(self.places.local.root)
            if linked or _is_shared(path) or _is_shared(in_use(path)):
                return SqliteIndex(None)
            if os.path.lexists(f"{self.places.folder}/{NO_LOCKS}"):  # SQLite needs working locks
                return SqliteIndex(None)
            return SqliteIndex(path, self.places.local)
        except OSError:
            return SqliteIndex(None)
        except FAULTS as fault:
            if "unable to open" in str(fault) or "disk" in str(fault):
                return SqliteIndex(None)
            raise

    def fresh(self, *, every_file: bool = False) -> View:
        """Return the current state, with an index that is up to date.

        Args:
            every_file: check all files of the logs, also those that no writer changes.
        """
        index, now = self.get(), self.clock.now()
        moment = (index, self.logs.stirred)
        if moment == self._compared and not every_file:
            return View(index, now)
        sources, hold_back = self.sources(), not self.clock.fixed
        index.looked_at = EVERY if every_file else LOOKED_AT
        if is_stale(index, sources, now=now, hold_back=hold_back):
            from varves.index.runner import catch_up

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
        self._compared = moment if self._steady else None
        return View(index, now)

    def rebuild(self) -> None:
        """Compute the index again from nothing; until this is done, the present one is used."""
        from varves.index.runner import rebuild

        rebuild(
            self.get(),
            self.sources(),
            now=self.clock.now(),
            hold_back=not self.clock.fixed,
            progress=self.progress,
        )
        self._compared = None

    def soon(self, most: int) -> View:
        """Return the current state if the index can be updated quickly.

        Raises:
            Busy: more than `most` bytes of the logs must be read.
        """
        index, before = self.get(), self.most_behind
        self.most_behind = most if before is None else min(most, before)
        index.wait(_PATIENCE_MS)
        try:
            return self.fresh()
        finally:
            self.most_behind = before
            index.wait(None)

    def scrub(self) -> None:
        """Remove all purged content from the index."""
        index = self.get()
        index.scrub(index.purges().barred())

    def sources(self) -> list[Source]:
        """Return all logs to read: this checkout's, other worktrees', this clone's purges."""
        return self.logs.readable()

    def close(self) -> None:
        """Close the index."""
        self._compared = None
        if self._index is not None and self._pid == os.getpid():
            self._index.close()
        self._index = None


def _is_shared(path: str) -> bool:
    """Return whether a file is a symbolic link, or has a second hard link."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    return found.st_nlink > 1 or not modes.S_ISREG(found.st_mode)


def check_format(folder: str) -> None:
    """Raise an error if the ledger's folder is behind a link, or a newer version wrote it."""
    if os.path.islink(folder):
        raise UnsafeName(f"{folder} is a link", "replace the link with a real folder")
    path = f"{folder}/{FORMAT}"
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return
    except OSError as fault:
        raise Damaged(f"cannot read {path}: {fault.strerror}", "check its permissions") from None
    if content == FORMAT_TEXT:
        return
    from json import loads

    try:
        version = loads(content.decode())["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Damaged(
            f"{path} is not a ledger's format file",
            "restore it with git checkout HEAD -- .varves/format.json",
        ) from None
    if version != 1:
        raise Damaged(f"the ledger has format {version}, this version reads 1", "upgrade varves")
