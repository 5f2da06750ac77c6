"""Git seen through its files: where HEAD is and what is staged, without starting a process.

The log only ever asks whether something *changed*, so it compares file signatures and never needs
to know what HEAD points to.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Signature = tuple[tuple[int, int, int] | None, ...]


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().strip()
    except OSError:
        return ""


class Git:
    """The repository a folder lies in."""

    def __init__(self, top: str, folder: str) -> None:
        self.top = top
        self.folder = folder
        commondir = _read(f"{folder}/commondir")
        self.commondir = os.path.normpath(os.path.join(folder, commondir)) if commondir else folder
        self._head: tuple[tuple[int, int, int] | None, str] | None = None
        self._staged: tuple[tuple[int, int, int] | None, str, bool] | None = None

    @classmethod
    def around(cls, path: str) -> Git | None:
        """Find the repository that holds a folder, or None."""
        here = os.path.abspath(path)
        while True:
            dot = f"{here}/.git"
            if os.path.isfile(f"{dot}/HEAD"):
                return cls(here, dot)
            if os.path.isfile(dot):
                pointer = _read(dot)
                if pointer.startswith("gitdir:"):
                    folder = os.path.normpath(os.path.join(here, pointer[7:].strip()))
                    return cls(here, folder) if os.path.isdir(folder) else None
            above = os.path.dirname(here)
            if above == here:
                return None
            here = above

    def worktrees(self) -> list[str]:
        """Return the top folders of all checkouts of this repository."""
        linked = f"{self.commondir}/worktrees"
        names = os.listdir(linked) if os.path.isdir(linked) else []
        dots = [_read(f"{linked}/{name}/gitdir") for name in names]
        if not names:
            return [self.top]
        return [os.path.dirname(dot) for dot in (self.commondir, *dots) if dot]

    def head(self) -> Signature:
        """Return a signature that differs whenever HEAD has moved."""
        own = _signature(f"{self.folder}/HEAD")
        if self._head is None or self._head[0] != own:
            text = _read(f"{self.folder}/HEAD")
            ref = text[4:].strip() if text.startswith("ref:") else ""
            if ref == "refs/heads/.invalid":  # reftable: every ref lives behind one list
                ref = "reftable/tables.list"
            self._head = (own, ref)
        ref = self._head[1]
        loose = _signature(f"{self.commondir}/{ref}") if ref else None
        if loose is not None:
            return own, loose
        return own, _signature(f"{self.commondir}/packed-refs")

    def staged(self, path: str) -> bool:
        """Tell whether git's index names a file of the work tree."""
        index = f"{self.folder}/index"
        now = _signature(index)
        if self._staged is None or self._staged[:2] != (now, path):
            self._staged = (now, path, now is not None and self._in_index(index, path))
        return self._staged[2]

    def _in_index(self, index: str, path: str) -> bool:
        relative = os.path.relpath(path, self.top).replace(os.sep, "/")
        with open(index, "rb") as file:
            content = file.read()
        if content[4:8] == b"\0\0\0\4":  # version 4 shares prefixes between neighbours
            needle = os.fsencode(relative[-12:]) + b"\0"
        else:
            needle = os.fsencode(relative) + b"\0"
        if needle in content:
            return True
        return any(
            needle in _bytes(f"{self.folder}/{name}")
            for name in os.listdir(self.folder)
            if name.startswith("sharedindex.")
        )

    def run(self, *args: str, check: bool = True, stdin: bytes | None = None) -> bytes:
        """Start git in the work tree and return what it printed."""
        import subprocess

        done = subprocess.run(
            ["git", "-C", self.top, *args],
            input=stdin,
            capture_output=True,
            check=False,
        )
        if check and done.returncode:
            raise OSError(done.stderr.decode("utf-8", "replace").strip() or "git failed")
        return done.stdout

    def blobs_under(self, folder: str, revisions: Sequence[str]) -> dict[str, list[str]]:
        """Return path → object ids of all versions of the segments under a folder."""
        found: dict[str, list[str]] = {}
        named = self.run("rev-list", "--objects", *revisions, "--", folder, check=False)
        for row in named.decode("utf-8", "surrogateescape").splitlines():
            oid, _, path = row.partition(" ")
            if path.endswith(".jsonl"):
                found.setdefault(path, []).append(oid)
        return found


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
