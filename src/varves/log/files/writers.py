"""All the logs a ledger writes, each with its appender, taken up when first needed."""

from __future__ import annotations

from varves.errors import NotDurable
from varves.log.files.append import Appender, not_durable
from varves.log.files.log import FileLog
from varves.places.local import GIVE_WAY, SET_ASIDE, in_the_way
from varves.values.instants import Hlc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from varves.events.event import Draft, Event
    from varves.log.files.group import Group
    from varves.log.files.places import Places
    from varves.places.locks import Deciding
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

    Heads = Callable[[str, str, str], Sequence[str]]


class Writers:
    """Appends drafts to the log they belong to."""

    def __init__(
        self, places: Places, clock: Clock, ids: IdSource, *, group: Group | None = None
    ) -> None:
        self.hlc = Hlc(clock)
        self._group = group
        self._places = places
        self._ids = ids
        self._open: dict[str, Appender] = {}
        self._logs: dict[str, FileLog] = {}

    def to(self, log: str) -> Appender:
        """Return the appender of a log."""
        try:
            self._places.guard(log)
        except OSError as fault:
            raise not_durable(fault) from None
        if log not in self._open:
            self._refuse_in_the_way(f"{self._places.store(log).root}/local")
            try:
                clone = self._places.clone(log, self._ids)
                if log not in ("project", "private"):  # a folder somebody may have put under git
                    self._places.hide(log)
            except OSError as fault:
                raise NotDurable(
                    f"cannot write {fault.filename or log}: {fault.strerror}", "check the folder"
                ) from None
            self._open[log] = Appender(
                self._places.store(log),
                log,
                clone=clone,
                hlc=self.hlc,
                ids=self._ids,
                tree=self._places.tree(log),
            )
            self._open[log].group = self._group
            if log == "project":
                self._open[log].aside = (self._places.local, SET_ASIDE)
        return self._open[log]

    def _refuse_in_the_way(self, folder: str) -> None:
        """Refuse a log whose lanes and locks have no folder: a clone may bring anything."""
        if reason := in_the_way(folder):
            raise NotDurable(f"cannot write the log: {folder} {reason}", GIVE_WAY)

    def log(self, name: str) -> FileLog:
        """Return a log to write to."""
        key, store = self._places.written(name)
        found = self._logs.get(name)
        if found is None or found.store is not store:  # there may be a repository by now
            spool = self._places.spool(name)
            found = FileLog(key, store, spool=spool, appender=lambda: self.to(name))
            self._logs[name] = found
        return found

    def append(self, log: str, drafts: Sequence[Draft], heads: Heads) -> list[Event]:
        """Record drafts durably, naming the heads of others this process has folded."""
        return self.log(log).append(drafts, lambda stamp, writer: heads(log, stamp, writer))

    def deciding(self, log: str, *, proven: bool = False) -> Deciding:
        """Return a lock under which look and append are one step for all processes.

        Where locks do not hold a `proven` one is refused; without, two may act on the same look.
        """
        return self.log(log).deciding(proven=proven)

    def close(self) -> None:
        """Let go of every segment and lane."""
        for appender in self._open.values():
            appender.close()
        self._open.clear()
        self._logs.clear()
