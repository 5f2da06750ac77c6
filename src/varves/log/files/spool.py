"""The spool: a second name, outside the work tree, for each segment that git might still delete.

`git reset --hard`, `stash -u` and `clean -fdx` delete files. A hard link next to git's own files
preserves their bytes. If the spool is on a different file system, it stores a copy instead. New
lines are appended to the copy without a sync.
"""

from __future__ import annotations

from varves.log.files.layout import BLOBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git, Signature
    from varves.places.places import Places
    from varves.places.port import FileStore


class Spool:
    """Keeps a hard link to each segment of one log or, if links do not work, a copy."""

    def __init__(self, place: FileStore) -> None:
        self.place = place
        self._copy: int | None = None

    def begin(self, store: FileStore, name: str) -> None:
        """Add a segment that was just created to the spool."""
        self.end()
        try:
            store.link(name, self.place, spooled(name))
        except OSError:
            try:
                self._copy = self.place.create(spooled(name))
            except OSError:
                self._copy = None

    def resume(self, store: FileStore, name: str) -> None:
        """Add an existing segment to the spool, unless the spool already has a link to the file."""
        self.end()
        kept, own = self.place.stat(spooled(name)), store.stat(name)
        if own is None or self.is_link(store, name):
            return
        try:
            if kept is None or kept[0] != own[0]:
                self.place.replace(spooled(name), store.read(name))
            self._copy = self.place.reopen(spooled(name))
        except OSError:
            self.end()

    def keep(self, store: FileStore, name: str) -> None:
        """Add a finished file to the spool, as a link where links work."""
        try:
            store.link(name, self.place, spooled(name))
        except FileExistsError:
            pass
        except OSError:
            try:
                self.place.replace(spooled(name), store.read(name))
            except OSError:
                pass  # there is no spool; only the log itself matters

    def add(self, content: bytes) -> None:
        """Append bytes to a copy of the current segment in the spool; a link needs no append."""
        if self._copy is not None:
            try:
                self.place.write(self._copy, content)
            except OSError:
                self.end()

    def end(self) -> None:
        """Stop appending to the copy of the current segment in the spool."""
        if self._copy is not None:
            self.place.close(self._copy)
            self._copy = None

    def is_link(self, store: FileStore, name: str) -> bool:
        """Return whether the spool has a link to a segment's file, and not a copy."""
        kept, own = self.place.stat(spooled(name)), store.stat(name)
        return kept is not None and own is not None and (kept[0], kept[2]) == (own[0], own[2])

    def names(self) -> list[str]:
        """Return the segments in the spool, oldest first, as names in the log."""
        found = []
        for month, is_folder, _ in _entries(self.place, ""):
            if is_folder and month != BLOBS:
                found += [f"log/{month}/{leaf}" for leaf, _, _ in _entries(self.place, month)]
        return sorted(found)

    def blobs(self) -> list[str]:
        """Return the blobs in the spool, as names in the log."""
        return [f"log/{BLOBS}/{leaf}" for leaf, _, _ in _entries(self.place, BLOBS)]

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a segment in the spool, or None if the spool does not have it."""
        try:
            return self.place.read(spooled(name))
        except OSError:
            return None

    def drop(self, name: str) -> None:
        """Remove a segment from the spool, because its events are safe in git's commits."""
        self.place.remove(spooled(name))


def spooled(name: str) -> str:
    """Return the name under which a segment is stored in the spool."""
    return name.removeprefix("log/")


def _entries(place: FileStore, name: str) -> list[tuple[str, bool, tuple[int, int, int]]]:
    try:
        return place.entries(name)
    except OSError:
        return []


def spool_of(places: Places, log: str) -> Spool | None:
    """Return the spool of a log; a log has one only if git can remove its files."""
    folder = places.spool if log == "project" else None
    return None if folder is None else Spool(folder)


def tree_of(places: Places, log: str) -> LogTree | None:
    """Return the git work tree that contains a log, if any."""
    git = places.repository_of(log)
    return None if git is None else LogTree(git, spool_of(places, log))


class LogTree:
    """The git work tree of a log: its HEAD, its index and its spool."""

    def __init__(self, git: Git, spool: Spool | None) -> None:
        self.git = git
        self.spool = spool

    def head(self) -> Signature:
        """Return a signature that changes if HEAD moves."""
        return self.git.head()

    def staged(self, path: str) -> bool:
        """Return whether git's index names a file."""
        return self.git.staged(path)
