"""A remote in a folder that other machines also see: a network drive, a synchronised folder.

Each log has a folder of its own, in the form of every log, so any program that reads a log can read
it. The private log and the global log are in a folder for each owner. The rights are those of the
folder: everybody who can read it can read all of it, and everybody who can write there can sync.
Only the folder of a private or global log is its owner's alone.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from time import monotonic, sleep

from varves.errors import Busy, Refused
from varves.log.files.file_copy import FileCopy, closed_folder, no_right, not_durable
from varves.log.files.verify import segment_files
from varves.places.shared import SharedFiles
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.remotes.known import KnownRemote

IDENTITY = "ledger"
PERSONAL = ("private", "global")
_PAUSE = 0.2  # seconds between two looks at the folder


class FolderRemote:
    """A remote in a folder."""

    def __init__(self, remote: KnownRemote, *, root: str) -> None:
        named = os.path.expanduser(remote.url.partition(":")[2].removeprefix("//"))
        self._root = os.path.normpath(os.path.join(root, named))
        self._ledger = safe_name(remote.ledger, "ledger")
        self._owner = safe_name(remote.owner or "owner", "owner")

    @contextmanager
    def open(self, *, write: bool = True) -> Iterator[FolderRemote]:
        """Check that the folder is there.

        Raises:
            Busy: the folder is missing, for example because its drive is not mounted.
            NotDurable: this account may not use a folder in it.
        """
        if not os.path.isdir(self._root):
            raise Busy(f"no folder {self._root}", "mount the drive, or create the folder")
        if not os.access(self._root, os.R_OK | os.W_OK | os.X_OK):
            raise Refused(f"{self._root} cannot be written", "change the rights of the folder")
        try:
            yield self
        except PermissionError as fault:
            closed = closed_folder(f"{self._root}/{self._ledger}", write=write)
            if not closed:
                raise  # it is not about this folder
            raise no_right(closed, fault, write=write) from None

    def names(self) -> list[str]:
        """Return the names of the ledgers in the folder."""
        with self.open():
            found = sorted(os.listdir(self._root))
        return [name for name in found if os.path.isdir(f"{self._root}/{name}/project")]

    def others(self) -> list[str]:
        """Return the names of the ledgers in the folder if this one is not among them."""
        found = self.names()
        return [] if self._ledger in found else found

    def identity(self, ours: str) -> str:
        """Return the identity of the ledger in the folder; if it has none yet, record `ours`."""
        store = self._store(self._ledger)
        if store.stat(IDENTITY) is None:
            if not ours:
                return ""
            try:
                store.claim(IDENTITY, ours.encode() + b"\n")
            except OSError as fault:
                raise not_durable(store, fault) from None
        return store.read(IDENTITY).decode("utf-8", "replace").strip()

    def logs(self) -> list[str]:
        """Return the names of the logs of which the folder has a copy."""
        place = f"{self._root}/{self._ledger}"
        found = [name for name in ("project", "private", "global") if self._exists(name)]
        teams = f"{place}/team"
        if os.path.isdir(teams):
            found += [f"team:{name}" for name in sorted(os.listdir(teams))]
        return found

    def _exists(self, log: str) -> bool:
        return os.path.isdir(f"{self._root}/{self._place(log)}/log")

    def copy(self, log: str) -> FileCopy:
        """Return the folder's copy of a log; it may be empty."""
        return FileCopy(self._store(self._place(log)), packs=True)

    def _place(self, log: str) -> str:
        """Return the folder of a log; a global log belongs to a person, not to a ledger."""
        level, _, name = log.partition(":")
        if level == "global":
            return f"global/{self._owner}"
        if level == "private":
            return f"{self._ledger}/private/{self._owner}"
        return f"{self._ledger}/team/{safe_name(name, 'team')}" if name else f"{self._ledger}/{log}"

    def _store(self, place: str) -> SharedFiles:
        personal = any(one in PERSONAL for one in place.split("/")[:-1])
        return SharedFiles(f"{self._root}/{place}", anchor=self._root, personal=personal)

    def _position(self) -> str:
        from hashlib import sha256

        seen = sha256()
        with self.open():
            for log in self.logs():
                store = self._store(self._place(log))
                for name in segment_files(store):
                    seen.update(repr((log, name, store.stat(name))).encode())
        return seen.hexdigest()

    def wait(self, position: str, seconds: float) -> str:
        """Wait until the folder has news, or the time is over; return the new position."""
        until = monotonic() + seconds
        while (now := self._position()) == position and monotonic() < until:
            sleep(min(_PAUSE, max(0.0, until - monotonic())))
        return now

    def remains(self) -> str:
        """Return, in words, where this kind of remote may still have purged text."""
        return "a synchronised folder keeps earlier versions and deleted files for some time"
