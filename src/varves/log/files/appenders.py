"""The writers of a ledger's logs in files; each is created at its first use."""

from __future__ import annotations

from varves.errors import NotDurable
from varves.log.files.append import Appender, not_durable
from varves.log.files.spool import tree_of
from varves.places.local import GIVE_WAY, SET_ASIDE, in_the_way

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.files.group import Group
    from varves.places.places import Places
    from varves.values.ids import IdSource
    from varves.values.instants import Hlc


class Appenders:
    """Writes each log in its own lane (lock and chain); all lanes share one clock for stamps."""

    def __init__(
        self, places: Places, hlc: Hlc, ids: IdSource, *, group: Group | None = None
    ) -> None:
        self._hlc = hlc
        self._group = group
        self._places = places
        self._ids = ids
        self._open: dict[str, Appender] = {}

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
                # these logs are in a folder that a user may have put under git
                if log not in ("project", "private"):
                    self._places.hide(log)
            except OSError as fault:
                raise NotDurable(
                    f"cannot write {fault.filename or log}: {fault.strerror}", "check the folder"
                ) from None
            self._open[log] = Appender(
                self._places.store(log),
                log,
                clone=clone,
                hlc=self._hlc,
                ids=self._ids,
                tree=tree_of(self._places, log),
            )
            self._open[log].group = self._group
            if log == "project":
                self._open[log].aside = (self._places.local, SET_ASIDE)
        return self._open[log]

    def _refuse_in_the_way(self, folder: str) -> None:
        """Raise an error if the path of the folder of lanes or locks is not a folder."""
        if reason := in_the_way(folder):
            raise NotDurable(f"cannot write the log: {folder} {reason}", GIVE_WAY)

    def alone(self, log: str) -> _Alone:
        """Return a `with` block in which appends to a log do not wait for a shared sync."""
        return _Alone(self.to(log))

    def close(self) -> None:
        """Close every open file of the logs, and release every lock for a chain of events."""
        for appender in self._open.values():
            appender.close()
        self._open.clear()


class _Alone:
    """A `with` block in which the writer of a log does not share its sync with other callers."""

    def __init__(self, appender: Appender) -> None:
        self._appender = appender
        self._group = appender.group

    def __enter__(self) -> None:
        self._appender.group = None

    def __exit__(self, *exc: object) -> None:
        self._appender.group = self._group
