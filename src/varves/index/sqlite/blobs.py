"""Blobs that were not there, or not whole, when their event was read.

A checkout writes segments before blobs, and a reader may come in between: what waits for its text
is noted, and folded again as soon as the text is there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from varves.log.port import Blobs


def note_missing(db: sqlite3.Connection, blob: tuple[str, str], memories: Iterable[str]) -> None:
    """Remember which memories wait for a blob, given as (source, digest)."""
    key, digest = blob
    if len(digest) == 64 and digest.isalnum():  # else it names nothing that could come
        rows = [(key, digest, memory) for memory in memories]
        db.executemany("insert or ignore into missing values (?, ?, ?)", rows)


def found(db: sqlite3.Connection, logs: Mapping[str, Blobs]) -> list[tuple[str, str]]:
    """Return (source, digest) of the blobs that were missing and are there now."""
    waiting = db.execute("select distinct source, digest from missing").fetchall()
    return [
        (key, digest)
        for key, digest in waiting
        if key in logs and logs[key].blob(digest) is not None
    ]


def take_found(db: sqlite3.Connection, logs: Mapping[str, Blobs]) -> list[str]:
    """Return the memories whose blobs have come, and stop waiting for them."""
    memories: list[str] = []
    for there in found(db, logs):
        where = "from missing where source = ? and digest = ?"
        memories += [name for (name,) in db.execute(f"select memory {where}", there)]
        db.execute(f"delete {where}", there)
    return memories
