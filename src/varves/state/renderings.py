"""Notes about the published files that a clone rendered, for one protocol.

For each file, the notes contain the digests of the versions rendered here, the bytes of the newest
versions, when the file was last written here, and the file's signature at the last read. They also
contain the versions that were adopted, verdicts about other versions, each for one state of git,
and named marks.
"""

from __future__ import annotations

from zlib import compress, decompress
from zlib import error as unreadable

from varves.state.notebook import Notebook, notebook_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from typing import Any

    from varves.places.places import Places

_RENDERINGS = 200  # the most digests that are kept for each file
_VERSIONS = 6  # for the newest of them, this many, the bytes are kept too
_NEXT = "(select coalesce(max(n), 0) + 1 from {} where path = :path)"


class Renderings:
    """Notes about one protocol's published files; without a ledger, they are only in memory."""

    def __init__(self, places: Places, owner: str) -> None:
        self._places = places
        self._owner = owner
        self._passing = Notebook()

    @property
    def _notebook(self) -> Notebook:
        return notebook_of(self._places) if self._places.exists() else self._passing

    def close(self) -> None:
        """Close the notebook."""
        self._notebook.close()

    # Files

    def files(self) -> dict[str, tuple[Any, ...]]:
        """Return, by path, a file's wanted digest, the digest last read, and its signature."""
        columns = "path, latest, seen, size, modified, changed, inode"
        found = self._rows(f"select {columns} from file where owner = ?", self._owner)
        return {row[0]: row[1:] for row in found}

    def knows(self, path: str, digest: bytes) -> bool:
        """Return whether this clone has rendered a version of a file."""
        return bool(
            self._rows("select 1 from rendered where path = ? and digest = ?", path, digest)
        )

    def note_seen(self, seen: Iterable[tuple[Any, ...]]) -> None:
        """Store the state of files that were read, as (path, digest, *signature)."""
        self._notebook.write(
            "insert into file (path, owner, seen, size, modified, changed, inode)"
            " values (?, ?, ?, ?, ?, ?, ?) on conflict (path) do update set"
            " seen = excluded.seen, size = excluded.size, modified = excluded.modified,"
            " changed = excluded.changed, inode = excluded.inode",
            [(path, self._owner, *rest) for path, *rest in seen],
        )

    def set_latest(self, shown: Iterable[tuple[str, bytes | None]]) -> None:
        """Store the version that each file should have; None for a file that should not exist."""
        wanted = dict(shown)
        there = [(path, self._owner, digest) for path, digest in wanted.items() if digest]
        gone = [(path,) for path, digest in wanted.items() if not digest]
        self._notebook.write("update file set latest = null where path = ?", gone)
        self._notebook.write(
            "insert into file (path, owner, latest) values (?, ?, ?)"
            " on conflict (path) do update set latest = excluded.latest",
            there,
        )

    def set_written(self, files: Iterable[tuple[str, int]]) -> None:
        """Store when files were last written here, as (path, time of modification)."""
        self._notebook.write("insert or replace into written values (?, ?)", list(files))

    def written(self, path: str) -> int:
        """Return when a file was last written here; 0 if this is not known."""
        found = self._rows("select modified from written where path = ?", path)
        return found[0][0] if found else 0

    # Versions

    def versions(self, path: str) -> list[bytes]:
        """Return the bytes of a file's newest renderings, newest first."""
        sql = "select content from version where path = ? order by n desc"
        return _unpacked(self._rows(sql, path))

    def newest(self, path: str, than: bytes) -> bytes | None:
        """Return the bytes of a file's newest rendering, if it is newer than the version `than`."""
        sql = (
            "select v.content from file f"
            " join rendered r on r.path = f.path and r.digest = f.latest"
            " join version v on v.path = f.path and v.digest = f.latest where f.path = ? and r.n >"
            " coalesce((select n from rendered where path = ? and digest = ?), 0)"
            " order by v.n desc limit 1"
        )
        return next(iter(_unpacked(self._rows(sql, path, path, than))), None)

    def add(self, versions: dict[str, tuple[bytes, bytes]]) -> None:
        """Store (digest, bytes) as the newest rendering of each file, and delete older ones."""

        def work(db: sqlite3.Connection) -> bool:
            newest = "select digest from version where path = ? order by n desc limit 1"
            for path, (digest, content) in versions.items():
                if db.execute(newest, (path,)).fetchone() == (digest,):
                    continue
                row = {"path": path, "digest": digest, "content": compress(content, 1)}
                n = _NEXT.format("rendered")
                db.execute(f"insert or replace into rendered values (:path, :digest, {n})", row)
                n = _NEXT.format("version")
                db.execute(f"insert into version values (:path, {n}, :digest, :content)", row)
                for table, most in (("rendered", _RENDERINGS), ("version", _VERSIONS)):
                    last = f"select max(n) - {most} from {table} where path = :path"
                    db.execute(f"delete from {table} where path = :path and n <= ({last})", row)
            return True

        if versions:
            self._notebook.do(work)

    def forget(self) -> None:
        """Delete all notes of this protocol except its marks, so that no rendered bytes remain."""
        others = "path not in (select path from file where owner <> ?)"
        tables = ("rendered", "version", "written", "adopted", "verdict", "file")

        def work(db: sqlite3.Connection) -> bool:
            for table in tables:
                db.execute(f"delete from {table} where {others}", (self._owner,))
            db.execute("delete from meta where name like ?", (f"{self._owner} own %",))
            return True

        self._notebook.do(work)
        self._notebook.scrub()

    # Marks, adoptions, verdicts

    def mark(self, name: str) -> str:
        """Return the mark (a stored value that changes with the logs) with this name."""
        found = self._rows("select value from meta where name = ?", f"{self._owner} {name}")
        return str(found[0][0]) if found else ""

    def set_mark(self, name: str, mark: str) -> None:
        """Store a mark (a value that changes with the logs) under a name."""
        sql = "insert or replace into meta values (?, ?)"
        self._notebook.write(sql, [(f"{self._owner} {name}", mark)])

    def adopted(self, path: str, digest: bytes) -> str | None:
        """Return the event that recorded the edits in a version of a file, or None."""
        sql = "select event from adopted where path = ? and digest = ?"
        found = self._rows(sql, path, digest)
        return found[0][0] if found else None

    def set_adopted(self, versions: dict[str, bytes], event: str) -> None:
        """Store that an event recorded the edits in some versions of files."""
        sql = "insert or replace into adopted values (?, ?, ?)"
        self._notebook.write(sql, [(path, digest, event) for path, digest in versions.items()])

    def verdict(self, path: str, digest: bytes, head: str) -> str | None:
        """Return the stored decision on a version of a file at this state of git."""
        sql = "select verdict from verdict where path = ? and digest = ? and head = ?"
        found = self._rows(sql, path, digest, head)
        return found[0][0] if found else None

    def set_verdict(self, path: str, digest: bytes, head: str, verdict: str) -> None:
        """Store the decision on a version of a file at this state of git."""
        sql = "insert or replace into verdict values (?, ?, ?, ?)"
        self._notebook.write(sql, [(path, digest, head, verdict)])

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._notebook.rows(sql, *values)


def _unpacked(rows: Iterable[tuple[bytes]]) -> list[bytes]:
    """Return the rendered contents; an empty list if one of them is damaged."""
    try:
        return [decompress(content) for (content,) in rows]
    except unreadable:
        return []
