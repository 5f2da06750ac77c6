"""The files that evidence checks may read: plain files of the project, up to a size limit.

Links that lead out of the project are not followed. If a file's signature (size, times, inode) is
unchanged, its content is assumed to be unchanged and is not read again.
"""

from __future__ import annotations

import os
import stat as modes

from varves.places.store import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git

LARGEST = 8 << 20
_ENTRIES = 10_000  # the most files and folders that are visited to find a file that was moved
_PASSED_BY = {
    *(".git", ".varves", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox"),
}
# a file that was modified this recently may change again and keep its signature
_SETTLE_NS = 50_000_000
_SETTLE_COARSE_NS = 2_500_000_000  # the same for file systems that store times in whole seconds


class PathLook:
    """The result of looking up a path: kind, signature, and the path with every link resolved."""

    __slots__ = ("kind", "real", "signature", "size", "touched")

    def __init__(self, kind: str, *, real: str = "", found: os.stat_result | None = None) -> None:
        self.kind = kind  # file, folder, other, absent, outside or unknown
        self.real = real
        self.signature = _signature(found) if found is not None else ""
        self.size = found.st_size if found is not None else 0
        self.touched = found.st_mtime_ns if found is not None else 0


class Sight:
    """The files of one project."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._contents: dict[tuple[str, str], bytes | None] = {}
        self._seen: list[tuple[str, int]] | None = None

    def look(self, path: str) -> PathLook:
        """Look up a path of the project without opening the file."""
        try:
            real = os.path.realpath(f"{self._root}/{path}")
            if not real.startswith(self._root.rstrip("/") + "/"):
                return PathLook("outside")
            found = os.lstat(real)
        except (FileNotFoundError, NotADirectoryError):
            return PathLook("absent")
        except (OSError, ValueError):
            return PathLook("unknown")
        real = real[len(self._root.rstrip("/")) + 1 :]
        if modes.S_ISDIR(found.st_mode):
            return PathLook("folder", real=real, found=found)
        return PathLook("file" if modes.S_ISREG(found.st_mode) else "other", real=real, found=found)

    def content(self, look: PathLook) -> bytes | None:
        """Return a file's bytes, read once; None if it is too large or cannot be read."""
        key = (look.real, look.signature)
        if key not in self._contents:
            self._contents[key] = self._read(look.real)
        return self._contents[key]

    def _read(self, real: str) -> bytes | None:
        try:
            file = Files(self._root, private=False).reader(real)  # this does not follow links
            if file.size() > LARGEST:
                return None
            return file.read(0, LARGEST)
        except OSError:
            return None

    def surroundings(self, path: str, git: Git | None) -> tuple[str, int]:
        """Return a value that changes if a file is moved, and when that value last changed.

        Moving a file changes its folder, and a checkout changes git's own files.
        """
        above = os.path.dirname(path)
        while above and not os.path.isdir(f"{self._root}/{above}"):
            above = os.path.dirname(above)
        places = [self._root, f"{self._root}/{above}"]
        if git is not None:
            places.append(f"{git.folder}/index")
        marks, touched = [above], 0
        for place in places:
            try:
                found = os.stat(place)
            except OSError:
                marks.append("-")
            else:
                marks.append(_signature(found))
                touched = max(touched, found.st_mtime_ns)
        head, moved = tip(git) if git is not None else ("", 0)
        return "|".join([*marks, head]), max(touched, moved)

    def like(self, path: str, size: int | None) -> list[str]:
        """Return the files of a given size; without a size, the files named like `path`.

        The files with the most similar paths come first.
        """
        name = os.path.basename(path)
        found = [
            other
            for other, length in self._files()
            if (length == size if size is not None else os.path.basename(other) == name)
        ]
        return _likest(path, found)

    def named(self, path: str) -> list[str]:
        """Return the other files with the same name as a path."""
        return self.like(path, None)

    def akin(self, path: str) -> list[str]:
        """Return the other files with the same extension as a path."""
        suffix = os.path.splitext(path)[1]
        return _likest(path, [other for other, _ in self._files() if other.endswith(suffix)])

    def _files(self) -> list[tuple[str, int]]:
        """Return (path, size) of the project's files, up to a limit.

        Files near the top come first.
        """
        if self._seen is not None:
            return self._seen
        self._seen = []
        waiting, left = [""], _ENTRIES
        while waiting and left > 0:
            below = waiting.pop(0)
            try:
                with os.scandir(f"{self._root}/{below}") as listed:
                    entries = sorted(listed, key=lambda entry: entry.name)
            except OSError:
                continue
            if below and any(entry.name == ".git" for entry in entries):
                continue  # skip the folder, because it is another checkout with the same files
            for entry in entries[:left]:
                path = f"{below}/{entry.name}" if below else entry.name
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in _PASSED_BY:
                            waiting.append(path)
                    elif entry.is_file(follow_symlinks=False):
                        self._seen.append((path, entry.stat(follow_symlinks=False).st_size))
                except OSError:
                    continue
            left -= len(entries)
        return self._seen


def tip(git: Git) -> tuple[str, int]:
    """Return a value that changes if HEAD moves, and when that value last changed."""
    head = git.head()
    return repr(head), max((part[0] for part in head if part is not None), default=0)


def is_stable(touched: int) -> bool:
    """Return whether a last change is so old that another change would get another time."""
    from varves.values.instants import SystemClock

    now = SystemClock().now() * 1_000_000  # the times of files come from the machine's clock
    coarse = touched % 1_000_000_000 == 0
    return now - touched > (_SETTLE_COARSE_NS if coarse else _SETTLE_NS)


def _signature(found: os.stat_result) -> str:
    times = f"{found.st_mtime_ns} {found.st_ctime_ns}"
    return f"{found.st_size} {times} {found.st_ino} {found.st_dev}"


def _likest(path: str, found: list[str]) -> list[str]:
    name, folders = os.path.basename(path), path.split("/")[:-1]

    def unlike(other: str) -> tuple[bool, int, str]:
        theirs = other.split("/")[:-1]
        pairs = enumerate(zip(folders, theirs, strict=False))
        apart = next((n for n, (ours, them) in pairs if ours != them), len(folders))
        return os.path.basename(other) != name, -min(apart, len(theirs)), other

    return sorted((other for other in found if other != path), key=unlike)
