"""The interface of a folder that stores the bytes of logs and notes.

Names are relative to the folder, with forward slashes. A method that fails raises `OSError`. No
method follows a symbolic link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

# Size, nanoseconds, inode. For a folder, the time of the last change to its list of files. For a
# file, its ctime, which `cp -p` and `touch -r` cannot reset.
Stat = tuple[int, int, int]


class OpenedFile(Protocol):
    """An open file."""

    inode: int

    def size(self) -> int:
        """Return the file's current length in bytes."""
        ...

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes between two positions."""
        ...


class Readable(Protocol):
    """A place whose files can be read."""

    def read(self, name: str, start: int = 0) -> bytes:
        """Return the bytes from `start` to the end."""
        ...


class Lockable(Protocol):
    """A folder in which processes can lock names against each other."""

    root: str

    def lock(self, name: str) -> int | None:
        """Take an exclusive lock, or return None if another process has it."""
        ...

    def close(self, handle: int) -> None:
        """Release the lock."""
        ...


class FileStore(Protocol):
    """A folder with append-only files, locks and atomic replacement."""

    root: str

    def create(self, name: str) -> int:
        """Create a file that must not exist yet, sync its folder, and return a handle."""
        ...

    def reopen(self, name: str) -> int:
        """Open an existing regular file for appending."""
        ...

    def write(self, handle: int, content: bytes) -> int:
        """Append in one call and return the number of bytes written."""
        ...

    def sync(self, handle: int) -> None:
        """Sync the file, so that its bytes survive a power cut."""
        ...

    def truncate(self, handle: int, size: int) -> None:
        """Cut the file to a size."""
        ...

    def close(self, handle: int) -> None:
        """Close the handle."""
        ...

    def read(self, name: str, start: int = 0) -> bytes:
        """Return the bytes from `start` to the end."""
        ...

    def reader(self, name: str) -> OpenedFile:
        """Return the file opened for reading; it may grow in the meantime."""
        ...

    def stat(self, name: str) -> Stat | None:
        """Return the file's signature, or None if no such regular file or folder exists."""
        ...

    def stat_handle(self, handle: int) -> Stat:
        """Return the signature of an open file."""
        ...

    def machine_start(self) -> str:
        """Return an id of the machine's last start; bytes that were not synced before may be lost.

        It is empty if the system does not provide one.
        """
        ...

    def entries(self, name: str) -> list[tuple[str, bool, Stat]]:
        """List a folder as (name, is it a folder, signature), without links and special files."""
        ...

    def lock(self, name: str) -> int | None:
        """Take an exclusive lock, or return None if another process has it."""
        ...

    def hold(self, handle: int) -> bool:
        """Lock an open file, so that no process replaces or removes it.

        Return False if it is already locked.
        """
        ...

    def let_go(self, handle: int) -> None:
        """Release the lock on an open file."""
        ...

    def guard(self, name: str) -> AbstractContextManager[None]:
        """Lock a file, so that no process appends to it while it is replaced or removed."""
        ...

    def rewrite(self, handle: int, content: bytes) -> None:
        """Overwrite a small local file in place; after a crash it may be a mix of old and new."""
        ...

    def replace(self, name: str, content: bytes) -> None:
        """Replace a whole file atomically: readers see either all old or all new bytes."""
        ...

    def claim(self, name: str, content: bytes) -> bool:
        """Write a whole file if no such file exists; return whether this call wrote it.

        If several processes call this at the same time, only one of them succeeds.
        """
        ...

    def remove(self, name: str) -> None:
        """Delete a file."""
        ...

    def link(self, name: str, other: Any, target: str) -> None:
        """Give a file a second name in another store of the same kind."""
        ...
