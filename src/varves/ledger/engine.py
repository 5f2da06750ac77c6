"""What reading and writing share: the places of the logs, the clock, and the index over them."""

from __future__ import annotations

import os
from _thread import RLock

from varves.errors import Damaged, UsageError
from varves.log.places import FORMAT_TEXT, Places
from varves.stores.files import Files
from varves.stores.sqlite.index import Index
from varves.values.ids import is_event_id
from varves.values.instants import instant, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.settings import Settings
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

    Progress = Callable[[int], None]

INDEX = "local/index.sqlite"
FORMAT = "format.json"


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
        self.places = Places(settings.root, settings.home, teams=settings.teams, files=Files)
        self.lock = RLock()
        self.progress: Progress | None = None
        self._index: Index | None = None
        self._pid = os.getpid()

    def index(self) -> Index:
        """Return the index as the last reader left it, opened for this process."""
        if self._index is None or self._pid != os.getpid():
            self.check_format()
            self._index = self._open_index()
            self._pid = os.getpid()
        return self._index

    def check_format(self) -> None:
        """Refuse a ledger written by a newer version."""
        path = f"{self.places.folder}/{FORMAT}"
        try:
            with open(path, "rb") as file:
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
            version = loads(content)["version"]
        except (ValueError, KeyError, TypeError):
            raise Damaged(
                f"{path} is not a ledger's", "git checkout -- .varves/format.json"
            ) from None
        if version != 1:
            raise Damaged(f"the ledger has format {version}, we read 1", "upgrade varves")

    def _open_index(self) -> Index:
        """Open the index in its file, or in memory where there is no ledger or no place for it."""
        if not self.places.exists():
            return Index(None)
        local = f"{self.places.folder}/local"
        try:
            os.makedirs(local, 0o700, exist_ok=True)
            if os.path.islink(local) or os.path.islink(f"{self.places.folder}/{INDEX}"):
                return Index(None)
            return Index(f"{self.places.folder}/{INDEX}")
        except OSError:
            return Index(None)

    def fresh(self) -> View:
        """Return the present, with the index caught up."""
        index, now = self.index(), self.clock.now()
        sources, hold_back = self.places.sources(), not self.clock.fixed
        if index.stale(sources, now=now, hold_back=hold_back):
            from varves.stores.sqlite.catch_up import catch_up

            catch_up(index, sources, now=now, hold_back=hold_back, progress=self.progress)
        return View(index, now)

    def view(self, as_of: str | None) -> View:
        """Return the present, or a replay of the past up to an instant or an event."""
        present = self.fresh()
        if as_of is None:
            return present
        if is_event_id(as_of):
            last = present.index.event(as_of)
            if last is None:
                raise UsageError(f"no event {as_of}", "varves log shows what there is")
            now = instant(last.time)
            past = self._replay(present.index, "(hlc, writer, id) <= (?, ?, ?)", *last.order)
        else:
            now = instant(as_of)
            past = self._replay(present.index, "time <= ?", iso(now))
        return View(past, now)

    def _replay(self, present: Index, where: str, *values: str) -> Index:
        from varves.stores.sqlite.catch_up import load

        past = Index(None)
        load(past, present.lines(where, values), dict(self.places.sources()))
        return past

    def close(self) -> None:
        """Let go of the index."""
        if self._index is not None and self._pid == os.getpid():
            self._index.close()
        self._index = None
