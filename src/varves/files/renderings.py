"""What this clone knows of the files it rendered, by the notes it keeps (`state/renderings.py`).

A file that has the signature under which it was last read is not read again, so that ten thousand
files cost one look at their folders. All notes can be thrown away. Without them nothing is taken
for an edit that git or the log explains, and no record is taken for removed.
"""

from __future__ import annotations

from varves.files.published import PublishedTree
from varves.state.renderings import Renderings
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.files.published import Signature
    from varves.places.places import Places

_YOUNG_NS = 2_000_000_000  # within this a file may change again and look the same


class FilesSeen(Value):
    """What a look at the files found."""

    unknown: dict[str, bytes]
    """Those that this clone has not rendered like that, with their bytes."""
    older: frozenset[str]
    """Those that it rendered, but that are not its newest rendering."""
    missing: frozenset[str]
    """Those of its newest renderings that are not there."""


class Views:
    """The bookkeeping of one project's rendered files, and the files themselves."""

    def __init__(self, places: Places, owner: str, *, sure: bool = True) -> None:
        self._noted = Renderings(places, owner)
        self.files = PublishedTree(places, sure=sure)
        self.owner = owner
        self.listed: dict[str, Signature] = {}
        self.digests: dict[str, bytes] = {}  # of every listed file, as this verb has seen it
        self.missing: frozenset[str] = frozenset()  # what was rendered and is not there
        self.fit: set[str] = set()  # scopes found writable in this verb
        self.edited: set[str] = set()  # derived files that somebody changed
        self.purged: set[str] = set()  # files that show something purged
        self.astray: set[str] = set()  # files that hold another file's record
        self.adopting: dict[str, bytes] = {}  # committed versions that this verb adopts
        self.moved = True  # whether the log has moved since the files were rendered
        self.whole = False  # whether this verb has rendered everything
        self.hlc = ""  # the newest stamp when this verb began

    # Looking

    def look(self, folders: Iterable[str], wanted: Callable[[str], bool]) -> FilesSeen:
        """Read what changed since it was last read, and tell what it is."""
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
        """Tell whether a file is still as this verb has seen it."""
        now = self.files.signature(path)
        if now is None or path not in self.listed:
            return now is None
        if now == self.listed[path] and not _is_young(now):
            return True
        content = self.files.content(path)
        return content is None or digest_of(content) == self.digests[path]

    def is_shown(self, path: str, content: bytes) -> bool:
        """Tell whether a file has these bytes, as this verb has seen or left it."""
        return self.digests.get(path) == digest_of(content)

    def versions(self, path: str) -> list[bytes]:
        """Return the bytes of a file's newest renderings, newest first."""
        return self._noted.versions(path)

    def newest(self, path: str) -> bytes | None:
        """Return a file's newest rendering, if it was written and this file is not newer still.

        A call that was killed may have left a rendering that is not noted as the newest yet.
        """
        return self._noted.newest(path, self.digests[path])

    def renders(self, path: str) -> bool:
        """Tell whether a file's present bytes are a rendering of this clone."""
        return path in self.digests and self._noted.knows(path, self.digests[path])

    def rendered(self, path: str, content: bytes) -> bool:
        """Tell whether this clone ever rendered a file like this."""
        return self._noted.knows(path, digest_of(content))

    def _note_seen(self, paths: Iterable[str]) -> None:
        self._noted.note_seen(
            (path, self.digests[path], *self.listed[path])
            for path in paths
            if path in self.digests and not _is_young(self.listed[path])
        )

    # Noting

    def note(self, files: dict[str, bytes | None]) -> None:
        """Note that files were rendered like this, None: that they are to be gone."""
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
        self.expect(there)
        self._note_seen(there)

    def owe(self, files: dict[str, bytes]) -> None:
        """Note what files are to show that cannot be written now.

        An earlier version that is put back there is then behind, and is rendered again.
        """
        self._noted.set_latest((path, digest_of(content)) for path, content in files.items())

    def expect(self, files: dict[str, bytes]) -> None:
        """Note versions as renderings of this clone, before they are written.

        Whoever is killed in between must not find its own work and take it for an edit.
        """
        self._noted.add({path: (digest_of(content), content) for path, content in files.items()})

    def mark(self, name: str) -> str:
        """Return what was noted last under a name: of the log, or of what was purged."""
        return self._noted.mark(name)

    def set_mark(self, name: str, mark: str) -> None:
        """Note what the log is like now that the files are rendered."""
        self._noted.set_mark(name, mark)

    def forget(self) -> None:
        """Throw away all that is kept of earlier versions: something in them was purged."""
        self._noted.forget()
        self.files.drop_aside()

    def adopted(self, path: str) -> str | None:
        """Return an event by which a file's present version was adopted before."""
        return self._noted.adopted(path, self.digests[path])

    def set_adopted(self, versions: dict[str, bytes], event: str) -> None:
        """Note that committed versions of files were adopted, with an event that did so."""
        self._noted.set_adopted(versions, event)

    def verdict(self, path: str, head: str) -> str | None:
        """Return what was found of a file's present version while git stood like this."""
        return self._noted.verdict(path, self.digests[path], head)

    def set_verdict(self, path: str, head: str, verdict: str) -> None:
        """Keep what was found of a file's present version."""
        self._noted.set_verdict(path, self.digests[path], head, verdict)

    def close(self) -> None:
        """Let go of the notes."""
        self._noted.close()


def digest_of(content: bytes) -> bytes:
    """Return the digest by which a version is known."""
    from hashlib import sha256

    return sha256(content).digest()


def _is_young(signature: Signature) -> bool:
    """Tell whether a file was changed so lately that the next change may look the same."""
    from varves.values.instants import SystemClock

    now = SystemClock().now() * 1_000_000  # files carry the machine's time
    return now - max(signature[1], signature[2]) < _YOUNG_NS
