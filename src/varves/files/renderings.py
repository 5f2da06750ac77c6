"""Finds which files this clone rendered, by its notes (`state/renderings.py`).

A file whose signature is unchanged since it was last read is not read again, so ten thousand files
cost one listing of their folders. All notes may be deleted. Even then, a version from git or the
log does not count as an edit, and no record counts as removed.
"""

from __future__ import annotations

from varves.files.merged_files import forget
from varves.files.published import PublishedTree
from varves.state.renderings import Renderings
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.files.published import Signature
    from varves.places.places import Places

# a file may change twice within this many nanoseconds and keep its signature
_YOUNG_NS = 2_000_000_000


class FilesSeen(Value):
    """The state of a protocol's files, compared with the renderings of this clone."""

    unknown: dict[str, bytes]
    """By path, the bytes of files that this clone has not rendered."""
    older: frozenset[str]
    """Files that equal an earlier rendering of this clone, but not its newest."""
    missing: frozenset[str]
    """Files that this clone rendered and that no longer exist."""


class Views:
    """The rendered files of one project, and the notes about them."""

    def __init__(self, places: Places, owner: str, *, sure: bool = True) -> None:
        self._noted = Renderings(places, owner)
        self.files = PublishedTree(places, sure=sure)
        self._git = places.git
        self.owner = owner
        self.listed: dict[str, Signature] = {}
        # by path: the digest of the file's content, as this verb read it
        self.digests: dict[str, bytes] = {}
        self.missing: frozenset[str] = frozenset()  # rendered files that no longer exist
        self.fit: set[str] = set()  # scopes whose files can be written, as this verb has checked
        self.edited: set[str] = set()  # derived files that a person changed
        self.purged: set[str] = set()  # files that show purged content
        self.astray: set[str] = set()  # files that contain the record of another file
        self.adopting: dict[str, bytes] = {}  # committed versions that this verb is adopting
        self.moved = True  # whether the log has changed since the files were rendered
        self.whole = False  # whether this verb has rendered everything
        self.hlc = ""  # the newest stamp when this verb began

    # Looking

    def look(self, folders: Iterable[str], wanted: Callable[[str], bool]) -> FilesSeen:
        """Read the files that changed since they were last read, and classify them."""
        self.fit, self.whole = set(), False
        rows = self._noted.files()
        self.listed = self.files.listing(folders, lambda path: path in rows or wanted(path))
        self.digests = {}
        unknown: dict[str, bytes] = {}
        older: set[str] = set()
        read: list[str] = []
        for path, signature in self.listed.items():
            latest, seen, *signed = rows.get(path, (None, None))
            if seen is not None and tuple(signed) == signature:
                digest, content = seen, None
            else:
                content = self.files.content(path)
                if content is None:
                    continue
                digest = digest_of(content)
                read.append(path)
            self.digests[path] = digest
            if digest == latest:
                continue
            if self._noted.knows(path, digest):
                older.add(path)
                continue
            content = self.files.content(path) if content is None else content
            if content is not None:
                unknown[path] = content
                self.digests[path] = digest_of(content)
        self.listed = {path: self.listed[path] for path in self.digests}
        self._note_seen(read)
        shown = {path for path, row in rows.items() if row[0] is not None}
        self.missing = frozenset(shown - self.listed.keys())
        return FilesSeen(unknown=unknown, older=frozenset(older), missing=self.missing)

    def unchanged(self, path: str) -> bool:
        """Return whether a file has not changed since this verb read it."""
        now = self.files.signature(path)
        if now is None or path not in self.listed:
            return now is None
        if now == self.listed[path] and not _is_young(now):
            return True
        content = self.files.content(path)
        return content is None or digest_of(content) == self.digests[path]

    def is_shown(self, path: str, content: bytes) -> bool:
        """Return whether a file has these bytes, as this verb last read or wrote it."""
        return self.digests.get(path) == digest_of(content)

    def versions(self, path: str) -> list[bytes]:
        """Return the bytes of a file's newest renderings, newest first."""
        return self._noted.versions(path)

    def newest(self, path: str) -> bytes | None:
        """Return the newest rendering of a file if it is newer than the file; otherwise None.

        A killed process may have stored a rendering without storing that it is the newest one.
        """
        return self._noted.newest(path, self.digests[path])

    def written(self, path: str) -> int:
        """Return when a file was last written here, in nanoseconds; 0 if this is not known."""
        return self._noted.written(path)

    def renders(self, path: str) -> bool:
        """Return whether a file's current content is a rendering of this clone."""
        return path in self.digests and self._noted.knows(path, self.digests[path])

    def rendered(self, path: str, content: bytes) -> bool:
        """Return whether this clone ever rendered a file with this content."""
        return self._noted.knows(path, digest_of(content))

    def _note_seen(self, paths: Iterable[str]) -> None:
        self._noted.note_seen(
            (path, self.digests[path], *self.listed[path])
            for path in paths
            if path in self.digests and not _is_young(self.listed[path])
        )

    # Noting

    def note(self, files: dict[str, bytes | None]) -> None:
        """Record the content of rendered files; None for removed files."""
        there = {path: content for path, content in files.items() if content is not None}
        for path in files:
            signature = self.files.signature(path) if path in there else None
            if signature is None:
                self.listed.pop(path, None)
                self.digests.pop(path, None)
            else:
                self.listed[path] = signature
                self.digests[path] = digest_of(there[path])
        self._noted.set_latest((path, self.digests.get(path)) for path in files)
        shown = [path for path in there if path in self.listed]
        self._noted.set_written((path, self.listed[path][1]) for path in shown)
        self.expect(there)
        self._note_seen(there)

    def owe(self, files: dict[str, bytes]) -> None:
        """Record the content that files should have, if it cannot be written now.

        If such a file has an earlier version later, it is outdated and is rendered again.
        """
        self._noted.set_latest((path, digest_of(content)) for path, content in files.items())

    def expect(self, files: dict[str, bytes]) -> None:
        """Record versions as renderings of this clone, before they are written to the files.

        So after a crash, this clone does not mistake its own rendering for an edit.
        """
        self._noted.add({path: (digest_of(content), content) for path, content in files.items()})

    def mark(self, name: str) -> str:
        """Return the mark (last known state) of the log or of the purges."""
        return self._noted.mark(name)

    def set_mark(self, name: str, mark: str) -> None:
        """Set a mark after the files were rendered."""
        self._noted.set_mark(name, mark)

    def forget(self) -> None:
        """Delete all stored earlier versions, because they contain purged content."""
        self._noted.forget()
        self.files.drop_aside()
        if self._git is not None:
            forget(self._git)

    def adopted(self, path: str) -> str | None:
        """Return the event that recorded the edits in a file's current version, or None."""
        return self._noted.adopted(path, self.digests[path])

    def set_adopted(self, versions: dict[str, bytes], event: str) -> None:
        """Record which event recorded the edits in some committed versions of files."""
        self._noted.set_adopted(versions, event)

    def verdict(self, path: str, head: str) -> str | None:
        """Return the stored decision on a file's current version at this state of git; or None."""
        return self._noted.verdict(path, self.digests[path], head)

    def set_verdict(self, path: str, head: str, verdict: str) -> None:
        """Store the decision on a file's current version at this state of git."""
        self._noted.set_verdict(path, self.digests[path], head, verdict)

    def close(self) -> None:
        """Close the notes."""
        self._noted.close()


def digest_of(content: bytes) -> bytes:
    """Return the digest that identifies a version of a file."""
    from hashlib import sha256

    return sha256(content).digest()


def _is_young(signature: Signature) -> bool:
    """Return whether a file changed so recently that a further change may not be noticed."""
    from varves.values.instants import SystemClock

    now = SystemClock().now() * 1_000_000  # the times of files come from the machine's clock
    return now - max(signature[1], signature[2]) < _YOUNG_NS
