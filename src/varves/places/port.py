"""What logs and notes ask of a folder that keeps their bytes.

Names are relative to that folder, with forward slashes. Every method either does what it
says or raises `OSError`; none follows a symbolic link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

# Size, nanoseconds, inode. A folder's time is when its list changed. A file's is its ctime, which
# no `cp -p` or `touch -r` can set back.
Stat = tuple[int, int, int]


class OpenedFile(Protocol):
    """An open file."""

    inode: int

    def size(self) -> int:
        """Return its length now."""
        ...

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes between two places."""
        ...


class Readable(Protocol):
    """A place whose files can be read."""

    def read(self, name: str, start: int = 0) -> bytes:
        """Return the bytes from `start` on."""
        ...


class Lockable(Protocol):
    """A place that processes can lock against each other."""

    root: str

    def lock(self, name: str) -> int | None:
        """Take an exclusive lock, or return None if another process holds it."""
        ...

    def close(self, handle: int) -> None:
        """Let go."""
        ...


class FileStore(Protocol):
    """A folder with append-only files, locks and atomic replacement."""

    root: str

    def create(self, name: str) -> int:
        """Make a file that must not exist yet, durable in its folder, and return a handle."""
        ...

    def reopen(self, name: str) -> int:
        """Open an existing regular file for appending."""
        ...

    def write(self, handle: int, content: bytes) -> int:
        """Append in one call and return how many bytes were taken."""
        ...

    def sync(self, handle: int) -> None:
        """Return only when the bytes would survive a power cut."""
        ...

    def truncate(self, handle: int, size: int) -> None:
        """Cut the file back."""
        ...

    def close(self, handle: int) -> None:
        """Give the handle back."""
        ...

    def read(self, name: str, start: int = 0) -> bytes:
        """Return the bytes from `start` on."""
        ...

    def reader(self, name: str) -> OpenedFile:
        """Return the file held open, to read on as it grows."""
        ...

    def stat(self, name: str) -> Stat | None:
        """Return the file's signature, or None where there is no such regular file or folder."""
        ...

    def stat_handle(self, handle: int) -> Stat:
        """Return the signature of an open file."""
        ...

    def entries(self, name: str) -> list[tuple[str, bool, Stat]]:
        """List a folder as (name, is a folder, signature), links and others left out."""
        ...

    def lock(self, name: str) -> int | None:
        """Take an exclusive lock, or return None if another process holds it."""
        ...

    def hold(self, handle: int) -> bool:
        """Keep others from replacing or removing an open file; tell whether nobody is about to."""
        ...

    def let_go(self, handle: int) -> None:
        """End the hold on an open file."""
        ...

    def guard(self, name: str) -> AbstractContextManager[None]:
        """Hold a file, so that nobody appends to it while it is replaced or removed."""
        ...

    def rewrite(self, handle: int, content: bytes) -> None:
        """Replace the content of a small local file in place; it may be torn by a crash."""
        ...

    def replace(self, name: str, content: bytes) -> None:
        """Write a whole file so that readers see the old bytes or the new, never a mixture."""
        ...

    def claim(self, name: str, content: bytes) -> bool:
        """Write a whole file unless there is one already; of several claimants one wins."""
        ...

    def remove(self, name: str) -> None:
        """Delete a file."""
        ...

    def link(self, name: str, other: Any, target: str) -> None:
        """Give a file a second name in another store of the same kind."""
        ...
