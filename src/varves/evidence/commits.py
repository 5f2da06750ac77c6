"""Asks git about evidence: renames of files, and whether a commit is still in the history.

Git is started only if its files do not contain the answer. The caller caches the result.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.git import Git

_COMMITS = 2_000  # the most commits of HEAD's history that are searched
_RENAMES = 8
_ABOUT = "--format=%H%n%ae%x00%at%x00%s"
_LIST = ("--name-status", "-z", "-M", "--diff-filter=R", "--no-ext-diff", "--no-textconv")


class Renames:
    """The successive names of a project's files, according to git."""

    def __init__(self, git: Git, root: str) -> None:
        self._git = git
        self._below = os.path.relpath(os.path.realpath(root), os.path.realpath(git.top))
        self._staged: dict[str, str] | None = None
        self._until: list[str] = []

    def of(self, path: str) -> Iterator[str]:
        """Yield the later names of a file, from staged renames and from commits with renames."""
        here = os.path.normpath(os.path.join(self._below, path))
        for _ in range(_RENAMES):
            there = self._after(here)
            if there is None:
                return
            yield os.path.relpath(there, self._below)
            here = there

    def _after(self, path: str) -> str | None:
        git = self._git
        if self._staged is None:
            self._staged = _renames(git.run("diff", "--cached", *_LIST, "HEAD", "--", check=False))
            far = ("rev-list", "--max-count=1", f"--skip={_COMMITS}", "HEAD", "--")
            self._until = [f"^{one}" for one in git.run(*far, check=False).decode().split()]
        if path in self._staged:
            return self._staged[path]
        asked = ("log", "--max-count=1", "--format=%H", "--no-renames", "--diff-filter=D", "HEAD")
        place = ("--", f":(top,literal){path}")
        last = git.run(*asked, *self._until, *place, check=False).decode().strip()
        if not last:
            return None
        return _renames(git.run("show", "--format=", *_LIST, last, "--", check=False)).get(path)


def _renames(printed: bytes) -> dict[str, str]:
    parts = os.fsdecode(printed).split("\0")
    return {old: other for _, old, other in zip(parts[::3], parts[1::3], parts[2::3], strict=False)}


def commit(git: Git, word: str) -> tuple[str, str] | None:
    """Return a commit's full hash and its mark (see `mark`), or None if there is no such commit."""
    printed = git.run(
        *("log", "--max-count=1", "--no-walk", _ABOUT),
        *("--end-of-options", f"{word}^{{commit}}", "--"),
        check=False,
    )
    name, _, about = printed.partition(b"\n")
    return (name.decode("ascii"), mark(about)) if name else None


def mark(about: bytes) -> str:
    """Return a digest of the author, date and subject of a commit, which a rebase keeps."""
    from hashlib import sha256

    return sha256(about.strip()).hexdigest()[:12]


def made_anew(git: Git, wanted: str) -> str | None:
    """Return the commit in HEAD's history that has the mark of a rebased commit, or None.

    The commit may have another hash, for example after a rebase.
    """
    asked = ("log", f"--max-count={_COMMITS}", _ABOUT, "HEAD", "--")
    lines = git.run(*asked, check=False).split(b"\n")
    for name, about in zip(lines[::2], lines[1::2], strict=False):
        if mark(about) == wanted:
            return name.decode("ascii")
    return None
