"""The record of what this user installed: each changed file, its former state, the entries added.

The record and the copies of the original files are in the user's own folder, never in a repository.
If a file is unchanged since installation, its original bytes are restored. If it was changed, only
our entries are removed. A fingerprint of our entries shows whether entries that differ are from an
older version of Varves, or were edited.
"""

from __future__ import annotations

import os

from varves.disk import replace_file
from varves.errors import Busy, Damaged
from varves.hosts.install.files import make_folders, remove_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

FOLDER = "installed"
_FILE = "installed.json"


class Records:
    """The record, open for changes by one process at a time."""

    def __init__(self, home: str, *, change: bool = True) -> None:
        self.home = home
        self.folder = f"{home}/{FOLDER}"
        self._change = change
        self._lock: int | None = None
        self._made: list[str] = []
        self.files: dict[str, dict[str, Any]] = {}
        self.emptied: list[str] = []
        """Folders to remove at the end if they are empty."""

    def __enter__(self) -> Self:
        if self._change:
            self._hold()
        self.files = self._read()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._tidy()
            os.close(self._lock)
            self._lock = None

    def _hold(self) -> None:
        import fcntl

        try:
            made = make_folders(f"{self.folder}/{_FILE}")
            if self.folder in made:
                os.chmod(self.folder, 0o700)
            self._made = made
            self._lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock or -1)
            self._lock = None
            raise Busy("another process is installing", "try again") from None
        except OSError as fault:
            reason = f"{self.folder} cannot be used: {fault.strerror}"
            raise Damaged(reason, "check its owner and permissions, or set VARVES_HOME") from None

    def _read(self) -> dict[str, dict[str, Any]]:
        from json import loads

        try:
            with open(f"{self.folder}/{_FILE}", encoding="utf-8") as file:
                held = loads(file.read())
                files, made = held["files"], held["folders"]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as fault:
            reason = f"{self.folder}/{_FILE} cannot be read: {type(fault).__name__}"
            raise Damaged(reason, "delete it; installed entries are found without it") from None
        self._made = [*made, *self._made]
        return dict(files)

    def save(self) -> None:
        """Write the record."""
        from json import dumps

        text = dumps(
            {"format": 1, "folders": self._made, "files": self.files}, indent=2, ensure_ascii=True
        )
        self._put(_FILE, f"{text}\n".encode())

    def _put(self, name: str, content: bytes) -> None:
        replace_file(f"{self.folder}/{name}", content, mode=0o600)

    def keep(self, path: str, content: bytes) -> None:
        """Store a copy of a file before it is changed."""
        self._put(copy_name(path), content)

    def kept(self, name: str) -> bytes | None:
        """Return a stored copy of a file, or None."""
        try:
            with open(f"{self.folder}/{os.path.basename(name)}", "rb") as file:
                return file.read()
        except OSError:
            return None

    def drop(self, path: str) -> None:
        """Remove the entry of a file from the record, and the copy of the file."""
        gone = self.files.pop(path, {})
        if gone.get("backup"):
            try:
                os.unlink(f"{self.folder}/{os.path.basename(gone['backup'])}")
            except OSError:
                pass
        self.save()

    def _tidy(self) -> None:
        """Remove the folder and the record, if they are empty."""
        remove_empty(sorted(set(self.emptied), key=len, reverse=True))
        if self.files:
            return
        if os.path.exists(f"{self.folder}/{_FILE}"):
            os.unlink(f"{self.folder}/{_FILE}")
        remove_empty([self.folder, *reversed(self._made)])


def copy_name(path: str) -> str:
    """Return the name of a file's copy."""
    return f"{digest(path.encode())[:32]}-{os.path.basename(path)}"


def digest(content: bytes | None) -> str:
    """Return the fingerprint of some bytes."""
    from hashlib import sha256

    return "" if content is None else sha256(content).hexdigest()


def fingerprint(found: object) -> str:
    """Return the fingerprint (a digest) of the entries of Varves in a file."""
    from json import dumps

    return digest(dumps(found, sort_keys=True).encode())
