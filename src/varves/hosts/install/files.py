"""Files of other programs, read and replaced with care.

A file is read whole, and replaced by writing aside and renaming, its mode kept, only while it still
holds what was read. A link among somebody's dotfiles is followed to what it names; one that leads
out of a project is refused, as a repository could have brought it.
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
    """A file as it was read; no bytes: it is not there."""

    path: str
    """As it is named to people."""
    real: str
    """Where it is."""
    content: bytes | None
    mode: int = 0o600

    @property
    def text(self) -> str:
        """Return it as text, without a byte order mark.

        Raises:
            Damaged: it is not UTF-8.
        """
        try:
            return (self.content or b"").decode("utf-8").removeprefix(_MARK)
        except UnicodeDecodeError:
            raise Damaged(f"{self.path} is not UTF-8", "mend it; it was left as it is") from None

    def coded(self, text: str) -> bytes:
        """Return a text as the file would hold it."""
        marked = (self.content or b"").startswith(_MARK.encode())
        return (_MARK * marked + text).encode("utf-8")


def look(path: str, *, within: str | None = None) -> HeldFile:
    """Read a file of another program.

    Args:
        path: the file.
        within: a project it must not lie outside of, whatever links say.
    """
    real = os.path.realpath(path)
    if within is not None:
        top = os.path.realpath(within)
        if os.path.commonpath([top, real]) != top:
            raise Refused(f"{path} leads out of the project, to {real}", "remove that link")
    if os.path.islink(path) and not os.path.exists(path):
        raise Refused(f"{path} is a link to {real}, which is not there", "mend or remove the link")
    try:
        found = os.stat(real)
    except (FileNotFoundError, NotADirectoryError):
        return HeldFile(path=path, real=real, content=None, mode=0o600 if within is None else 0o644)
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}", "see who owns it") from None
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{path} is not a file", "move it away")
    if found.st_size > _LARGEST:
        raise Refused(f"{path} is larger than any settings file", "look at it by hand")
    try:
        with open(real, "rb") as file:
            return HeldFile(
                path=path, real=real, content=file.read(), mode=stat.S_IMODE(found.st_mode)
            )
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}", "see who owns it") from None


def check_writable(held: HeldFile) -> None:
    """Refuse a file that somebody has closed to writing, or whose folder cannot be written."""
    if held.content is not None and not held.mode & stat.S_IWUSR:
        hint = "another tool may keep it; make it writable (chmod u+w) if it is yours"
        raise Refused(f"{held.path} is read-only", hint)
    folder = os.path.dirname(held.real)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(f"{folder} cannot be written to", "see who owns it")


def make_folders(path: str) -> list[str]:
    """Make the folders above a file, and return those that were not there, outermost first."""
    missing = []
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for one in reversed(missing):
        os.mkdir(one, 0o755)
    return missing[::-1]


def replace(held: HeldFile, content: bytes | None) -> None:
    """Put bytes in a file's place, or none, if it still holds what was read.

    Raises:
        Busy: somebody else has written it meanwhile.
    """
    try:
        _replace(held, content)
    except OSError as fault:
        what = f"{held.path} could not be written: {fault.strerror or fault}"
        raise Refused(what, "see who owns it, and whether the disk is full") from None


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
        raise Busy(f"{held.path} was written by somebody else meanwhile", "try again")


def remove_empty(folders: Iterable[str]) -> None:
    """Remove folders that are empty, in the order given."""
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:
            pass  # somebody uses it
