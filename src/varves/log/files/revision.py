"""Reads the project's log in a commit from git's objects, without the work tree.

User input is passed to git only after `--end-of-options`, and git's answer is accepted only if it
names exactly one commit.
"""

from __future__ import annotations

from varves.errors import Damaged
from varves.log.files.layout import BLOBS, LOG, SUFFIX
from varves.log.files.log import read_blob
from varves.log.files.segments import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.events.event import Event
    from varves.git import Git

_FILE = b"100"  # the first digits of a plain file's mode; links and submodules are not read


class Revision:
    """One commit: its time, and the files of one ledger's log in it."""

    def __init__(self, git: Git, commit: str, *, folder: str) -> None:
        self._git = git
        self.commit = commit
        content = next(self._contents([commit]))
        self.time = _committed(content)
        self._files = self._listed(commit, folder)
        # a stash stores untracked files in its third parent
        for untracked in _parents(content)[2:]:
            if not _parents(next(self._contents([untracked]))):
                self._files |= self._listed(untracked, folder)

    @classmethod
    def named(cls, git: Git, word: str, *, folder: str) -> Revision | None:
        """Return the commit that a word names, or None if it names none.

        `folder` is the ledger's folder, relative to the top of the work tree.
        """
        if not word or "\0" in word:
            return None
        found = _object(git, word)
        # a tag may be an object that points to the commit
        commit = found and _object(git, f"{found}^{{commit}}")
        return cls(git, commit, folder=folder) if commit else None

    def _listed(self, commit: str, folder: str) -> dict[str, str]:
        """Return name → object of the log's files; empty if the commit has no such folder."""
        tree = f"{commit}:{folder}/{LOG}"
        if not self._git.run("rev-parse", "--verify", "--quiet", tree, check=False):
            return {}
        found: dict[str, str] = {}
        for row in self._git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
            about, _, path = row.partition(b"\t")
            if about.startswith(_FILE):
                name = path.decode("utf-8", "surrogateescape")
                found[f"{LOG}/{name}"] = about.split()[2].decode("ascii")
        return found

    def events(self) -> Iterator[tuple[Event, bytes]]:
        """Yield every event of the commit's segments and packs, with its line."""
        names = [name for name in self._files if _is_segment(name)]
        contents = self._contents([self._files[name] for name in names])
        for name, content in zip(names, contents, strict=True):
            yield from read_lines(name, content, "project").events

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, if the commit has them."""
        return read_blob(self, digest)

    def read(self, name: str, start: int = 0) -> bytes:
        """Return a file's bytes from the offset `start` on, as a store does."""
        if name not in self._files:
            raise FileNotFoundError(f"{self.commit} has no {name}")
        return next(self._contents([self._files[name]]))[start:]

    def _contents(self, objects: list[str]) -> Iterator[bytes]:
        try:
            yield from self._git.contents(objects)
        except OSError as fault:
            reason = f"commit {self.commit[:12]} cannot be read: {fault}"
            raise Damaged(reason, "git fsck lists what is missing") from None


def _object(git: Git, word: str) -> str | None:
    """Return the id of the object that a word names, if it names exactly one."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", word)
    said = git.run(*asked, check=False).decode("ascii", "replace").split()
    alone = len(said) == 1 and all(letter in "0123456789abcdef" for letter in said[0])
    return said[0] if alone else None


def _is_segment(name: str) -> bool:
    """Return whether a file name is the name of a segment or a pack of the log."""
    parts = name.split("/")
    return len(parts) == 3 and parts[1] != BLOBS and name.endswith(SUFFIX)


def _parents(commit: bytes) -> list[str]:
    """Return the parents of a commit."""
    rows = commit.partition(b"\n\n")[0].split(b"\n")
    return [row[7:].decode("ascii", "replace") for row in rows if row.startswith(b"parent ")]


def _committed(commit: bytes) -> int:
    """Return the last millisecond of the second in which the commit was made."""
    for line in commit.split(b"\n"):
        if line.startswith(b"committer "):
            return int(line.split()[-2]) * 1000 + 999
    raise Damaged("a commit has no readable date", "git fsck reports details")
