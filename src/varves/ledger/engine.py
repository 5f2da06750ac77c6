"""What reading and writing share: the places of the logs, the clock, and the index over them."""

from __future__ import annotations

import os
import stat as modes
from _thread import RLock

from varves.errors import Busy, Damaged, NotFound, UnsafeName
from varves.log.places import FORMAT_TEXT, Places
from varves.stores.files import Files
from varves.stores.sqlite.index import FAULTS, Index
from varves.values.ids import is_event_id
from varves.values.instants import first_held, instant, iso

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
        self.index_faults = FAULTS
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

    def begin(self) -> list[str]:
        """Make the ledger if there is none, and return what was made."""
        made = self.places.make()
        if made:  # until now the index had no place of its own
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
            self.places.hide()
            if os.path.islink(local) or _is_shared(f"{self.places.folder}/{INDEX}"):
                return Index(None)
            return Index(f"{self.places.folder}/{INDEX}", self._create_index)
        except OSError:
            return Index(None)
        except FAULTS as fault:
            if "unable to open" in str(fault) or "disk" in str(fault):
                return Index(None)
            raise

    def _create_index(self) -> None:
        store = self.places.store("project")
        try:
            store.close(store.create(INDEX))
        except FileExistsError:
            pass  # another process was quicker

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
        values: tuple[str, ...]
        if is_event_id(as_of):
            last = present.index.event(as_of)
            if last is None:
                raise NotFound(f"no event {as_of}", "varves log shows what there is")
            now = instant(last.time)
            where, values = "(hlc, writer, id) <= (?, ?, ?)", last.order
        else:
            now = instant(as_of)
            where, values = "time <= ?", (iso(now),)
        limit = first_held(None if self.clock.fixed else now)
        return View(self._replay(present.index, f"{where} and hlc < ?", *values, limit), now)

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


def _is_shared(path: str) -> bool:
    """Tell whether a file is a link, or has another name somewhere else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    return found.st_nlink > 1 or not modes.S_ISREG(found.st_mode)
