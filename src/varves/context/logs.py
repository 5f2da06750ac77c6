"""The logs of an opened ledger: the only module that decides how a log is stored.

Other packages request a log by its name or key, and get an object with the interface of
`log/port.py`. All logs are stored in files today. To store a log elsewhere, only this module must
be changed.
"""

from __future__ import annotations

from _thread import RLock

from varves.log.files.log import FileLog
from varves.log.sources import OWN_PURGES
from varves.values.instants import Hlc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from varves.events.event import Draft, Event
    from varves.log.copies import Copy
    from varves.log.files.appenders import Appenders
    from varves.log.files.group import Group
    from varves.log.files.kept import KeptPurges
    from varves.log.files.revision import Revision
    from varves.log.files.spool import Spool
    from varves.log.port import Log, Maintained, Source, Tracked
    from varves.places.places import Places
    from varves.places.port import FileStore
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

    Heads = Callable[[str, str, str], Sequence[str]]


class Logs:
    """Provides logs for reading, writing and maintenance.

    Args:
        places: the folders of the ledger.
        clock: the clock for the time of new events.
        ids: the source of ids for events and parts.
        mode: how a write is made durable; in mode `group`, callers share a sync.
        on_failure: called when a shared sync has failed.
    """

    def __init__(
        self,
        places: Places,
        clock: Clock,
        ids: IdSource,
        *,
        mode: str = "durable",
        on_failure: Callable[[], None] = lambda: None,
    ) -> None:
        self.places = places
        self.hlc = Hlc(clock)
        """The clock that gives new events stamps above all stamps that were read."""
        self.stirred = 0
        """A counter: it increases with each append, and when `deciding` takes a lock."""
        self._clock = clock
        self._ids = ids
        self._group = _group(on_failure) if mode == "group" else None
        self.lock: AbstractContextManager[Any] = self._group or RLock()
        """The lock that lets only one thread read or write at a time."""
        self._appenders: Appenders | None = None
        self._written: dict[str, FileLog] = {}

    # Reading

    def own(self) -> list[Log]:
        """Return this checkout's own logs, for reading or erasing."""
        return [self._own(key, store) for key, store in self.places.sources()]

    def _own(self, key: str, store: FileStore) -> FileLog:
        return FileLog(key, store, spool=lambda: self._spool(key))

    def readable(self) -> list[Source]:
        """Return every log to read: this checkout's, other worktrees', this clone's purges."""
        shared = [FileLog(key, store) for key, store in self.places.shared()]
        return [*self.own(), *shared, *self.purges()]

    def purges(self) -> list[Source]:
        """Return the log of the purges that this clone wrote on any branch; empty without git.

        Each purge is also in the project's log of some branch.
        """
        store = self.places.purges
        return [] if store is None else [FileLog(OWN_PURGES, store)]

    def branch(self, key: str) -> str | None:
        """Return the branch of another worktree's log; None for the purges."""
        return None if key == OWN_PURGES else self.places.branch(key)

    def revision(self, word: str) -> Revision | None:
        """Return the project's log in a commit, or None if the word names no commit."""
        from varves.log.files.revision import Revision

        git = self.places.git
        if git is None:
            return None
        return Revision.named(git, word, folder=self.places.folder[len(git.top) + 1 :])

    # Writing

    def log(self, name: str) -> Log:
        """Return the log with this name, for writing."""
        key, store = self.places.written(name)
        found = self._written.get(name)
        if found is None or found.store is not store:  # the folder may be in a repository by now
            appender, spool = (lambda: self._open().to(name)), (lambda: self._spool(name))
            found = self._written[name] = FileLog(key, store, spool=spool, appender=appender)
        return found

    def append(self, log: str, drafts: Sequence[Draft], heads: Heads) -> list[Event]:
        """Append drafts durably as events, which name the newest events of other writers."""
        self.stirred += 1
        return self.log(log).append(drafts, lambda stamp, writer: heads(log, stamp, writer))

    def append_alone(self, log: str, draft: Draft) -> None:
        """Append a draft as an event with its own sync; the event is durable on return."""
        self.stirred += 1
        with self._open().alone(log):
            self.log(log).append([draft])

    def deciding(self, log: str, *, proven: bool = False) -> AbstractContextManager[None]:
        """Return a lock under which no other process appends between a read and the append.

        If locks do not work on this file system, a `proven` lock raises an error. Without `proven`,
        there is no error, but two processes may decide on the same state.
        """
        self.stirred += 1
        return self.log(log).deciding(proven=proven)

    def _open(self) -> Appenders:
        if self._appenders is None:
            from varves.log.files.appenders import Appenders

            self._appenders = Appenders(self.places, self.hlc, self._ids, group=self._group)
        return self._appenders

    def _spool(self, log: str) -> Spool | None:
        from varves.log.files.spool import spool_of

        return spool_of(self.places, log)

    def close(self) -> None:
        """Close everything that is open for writing."""
        if self._appenders is not None:
            self._appenders.close()
            self._appenders, self.hlc = None, Hlc(self._clock)
        self._written.clear()

    # Upkeep

    def maintained(self) -> list[Maintained]:
        """Return this checkout's own logs, with the methods to verify, pack and search them."""
        return [self._maintained(key, store) for key, store in self.places.sources()]

    def elsewhere(self) -> list[Maintained]:
        """Return the project's log of every other worktree, with the methods to search it."""
        return [self._maintained(key, store) for key, store in self.places.elsewhere()]

    def shared(self) -> list[Maintained]:
        """Return the logs of other worktrees that recall reads too."""
        return [self._maintained(key, store) for key, store in self.places.shared()]

    def restorable(self, name: str) -> Maintained:
        """Return the log with this name, to write lines that are complete events already."""
        return self._maintained(*self.places.written(name))

    def _maintained(self, key: str, store: FileStore) -> Maintained:
        from varves.log.files.upkeep import FileUpkeep

        return FileUpkeep(key, store, self.places, self._ids)

    def copy(self, name: str) -> Copy:
        """Return the log with this name as a copy, to carry lines from and to remotes."""
        from varves.log.files.file_copy import FileCopy

        return FileCopy(self.places.written(name)[1], self._spool(name), notes="local/heads")

    def tracked(self) -> Tracked:
        """Return the project's log with the methods that need git."""
        from varves.log.files.tracked import TrackedFiles

        return TrackedFiles(self.places, self._ids)

    def kept_purges(self) -> KeptPurges | None:
        """Return the store of this clone's purges.

        None without git, because only git could remove purges from the log.
        """
        from varves.log.files.kept import KeptPurges

        store = self.places.purges
        if store is None:
            return None
        return KeptPurges(store, self._spool("project"), self.places.own_clones())

    def barred(self) -> set[str]:
        """Return the memories that the logs mark as purged, read without an index."""
        from varves.log.files.erase import barred_in

        kept = self.places.purges
        stores = [store for _, store in self.places.sources()]
        return barred_in(stores if kept is None else [*stores, kept])


def _group(on_failure: Callable[[], None]) -> Group:
    from varves.log.files.group import Group

    return Group(on_failure)
