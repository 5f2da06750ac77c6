"""Reads and replaces files of other programs.

A file is read completely. To replace it, a temporary file with the same mode is written and
renamed, but only if the file has not changed since it was read. Links in a user's own folders are
followed. A link that leads out of a project is refused, because it may come from the repository.
"""

from __future__ import annotations

import os
import stat

from varves.disk import replace_file
from varves.errors import Busy, Damaged, Refused
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LARGEST = 64 << 20
_MARK = "\ufeff"


class HeldFile(Value):
    """A file of another program as it was read; its content is None if the file does not exist."""

    path: str
    """The path that is shown to people."""
    real: str
    """The path after links were followed."""
    content: bytes | None
    mode: int = 0o600

    @property
    def text(self) -> str:
        """Return the content as text, without a byte order mark.

        Raises:
            Damaged: the content is not UTF-8.
        """
        try:
            return (self.content or b"").decode("utf-8").removeprefix(_MARK)
        except UnicodeDecodeError:
            raise Damaged(f"{self.path} is not UTF-8", "fix it; it was left unchanged") from None

    def coded(self, text: str) -> bytes:
        """Return a text as bytes, with the byte order mark that the file has."""
        marked = (self.content or b"").startswith(_MARK.encode())
        return (_MARK * marked + text).encode("utf-8")


def look(path: str, *, within: str | None = None) -> HeldFile:
    """Read a file of another program.

    Args:
        path: the file.
        within: the project that must contain the file after links were followed.
    """
    real = os.path.realpath(path)
    if within is not None:
        top = os.path.realpath(within)
        if os.path.commonpath([top, real]) != top:
            raise Refused(f"{path} leads out of the project, to {real}", "remove that link")
    if os.path.islink(path) and not os.path.exists(path):
        raise Refused(f"{path} is a link to {real}, which does not exist", "fix or remove the link")
    try:
        found = os.stat(real)
    except (FileNotFoundError, NotADirectoryError):
        return HeldFile(path=path, real=real, content=None, mode=0o600 if within is None else 0o644)
    except OSError as fault:
        raise Refused(
            f"{path} cannot be read: {fault.strerror}", "check its owner and permissions"
        ) from None
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{path} is not a file", "move it")
    if found.st_size > _LARGEST:
        raise Refused(f"{path} is larger than any settings file", "check it by hand")
    try:
        with open(real, "rb") as file:
            return HeldFile(
                path=path, real=real, content=file.read(), mode=stat.S_IMODE(found.st_mode)
            )
    except OSError as fault:
        raise Refused(
            f"{path} cannot be read: {fault.strerror}", "check its owner and permissions"
        ) from None


def check_writable(held: HeldFile) -> None:
    """Raise an error if a file cannot be replaced, because it or its folder is read-only."""
    if held.content is not None and not held.mode & stat.S_IWUSR:
        hint = "make it writable (chmod u+w) if no other tool manages it"
        raise Refused(f"{held.path} is read-only", hint)
    folder = os.path.dirname(held.real)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(f"{folder} cannot be written to", "check its owner and permissions")


def make_folders(path: str) -> list[str]:
    """Create the missing folders above a file, and return the new folders, outermost first."""
    missing = []
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for one in reversed(missing):
        os.mkdir(one, 0o755)
    return missing[::-1]


def replace(held: HeldFile, content: bytes | None) -> None:
    """Replace or remove a file, if it is unchanged since it was read.

    Raises:
        Busy: another program has written it in the meantime.
    """
    try:
        _replace(held, content)
    except OSError as fault:
        what = f"{held.path} could not be written: {fault.strerror or fault}"
        raise Refused(
            what, "check its owner and permissions, and whether the disk is full"
        ) from None


def _replace(held: HeldFile, content: bytes | None) -> None:
    if content is None:
        _check_same(held)
        if held.content is not None:
            os.unlink(held.real)
        return
    replace_file(held.real, content, mode=held.mode, exact=True, check=lambda: _check_same(held))


def _check_same(held: HeldFile) -> None:
    try:
        with open(held.real, "rb") as file:
            now: bytes | None = file.read()
    except FileNotFoundError:
        now = None
    if now != held.content:
        raise Busy(f"{held.path} was changed by another program in the meantime", "try again")


def remove_empty(folders: Iterable[str]) -> None:
    """Remove folders that are empty, in the given order."""
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:
            pass  # the folder is not empty
