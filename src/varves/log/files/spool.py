"""The spool: a second name, outside the work tree, for every segment git has not yet made safe.

`git reset --hard`, `stash -u` and `clean -fdx` remove files; a hard link beside git's own files
keeps their bytes. Where the two lie on different file systems the spool is a copy, appended to
without a sync of its own.
"""

from __future__ import annotations

from varves.log.files.layout import BLOBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.git import Git, Signature
    from varves.places.places import Places
    from varves.places.port import FileStore


class Spool:
    """Keeps a link, or failing that a copy, of each segment of one log."""

    def __init__(self, place: FileStore) -> None:
        self.place = place
        self._copy: int | None = None

    def begin(self, store: FileStore, name: str) -> None:
        """Start keeping a segment that was just made."""
        self.end()
        try:
            store.link(name, self.place, spooled(name))
        except OSError:
            try:
                self._copy = self.place.create(spooled(name))
            except OSError:
                self._copy = None

    def resume(self, store: FileStore, name: str) -> None:
        """Go on keeping a segment that was begun before; a link does so by itself."""
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
        """Keep a finished file, as a link where that works."""
        try:
            store.link(name, self.place, spooled(name))
        except FileExistsError:
            pass
        except OSError:
            try:
                self.place.replace(spooled(name), store.read(name))
            except OSError:
                pass  # no spool to be had: the log itself is what counts

    def add(self, content: bytes) -> None:
        """Keep what was just appended, where a link does not do so by itself."""
        if self._copy is not None:
            try:
                self.place.write(self._copy, content)
            except OSError:
                self.end()

    def end(self) -> None:
        """Stop keeping the present segment."""
        if self._copy is not None:
            self.place.close(self._copy)
            self._copy = None

    def is_link(self, store: FileStore, name: str) -> bool:
        """Tell whether it keeps a segment of the log by a link: both have the same bytes."""
        kept, own = self.place.stat(spooled(name)), store.stat(name)
        return kept is not None and own is not None and (kept[0], kept[2]) == (own[0], own[2])

    def names(self) -> list[str]:
        """Return the segments it holds, oldest first, as names in the log."""
        found = []
        for month, is_folder, _ in _entries(self.place, ""):
            if is_folder and month != BLOBS:
                found += [f"log/{month}/{leaf}" for leaf, _, _ in _entries(self.place, month)]
        return sorted(found)

    def blobs(self) -> list[str]:
        """Return the blobs it holds, as names in the log."""
        return [f"log/{BLOBS}/{leaf}" for leaf, _, _ in _entries(self.place, BLOBS)]

    def read(self, name: str) -> bytes | None:
        """Return the bytes kept of a segment, or None."""
        try:
            return self.place.read(spooled(name))
        except OSError:
            return None

    def drop(self, name: str) -> None:
        """Forget a segment that git holds safely."""
        self.place.remove(spooled(name))


def spooled(name: str) -> str:
    """Return a segment's name in the spool."""
    return name.removeprefix("log/")


def _entries(place: FileStore, name: str) -> list[tuple[str, bool, tuple[int, int, int]]]:
    try:
        return place.entries(name)
    except OSError:
        return []


def spool_of(places: Places, log: str) -> Spool | None:
    """Return the spool of a log: only what git can take from a work tree needs one."""
    folder = places.spool if log == "project" else None
    return None if folder is None else Spool(folder)


def tree_of(places: Places, log: str) -> LogTree | None:
    """Return the git work tree that a log is in, if it is in one."""
    git = places.repository_of(log)
    return None if git is None else LogTree(git, spool_of(places, log))


class LogTree:
    """The git work tree a log is in: what an appender must know of git, and the spool."""

    def __init__(self, git: Git, spool: Spool | None) -> None:
        self.git = git
        self.spool = spool

    def head(self) -> Signature:
        """Return a signature that differs whenever HEAD has moved."""
        return self.git.head()

    def staged(self, path: str) -> bool:
        """Tell whether git's index names a file."""
        return self.git.staged(path)
