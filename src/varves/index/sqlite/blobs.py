"""Blobs that were not there, or not whole, when their event was read.

A checkout writes segments before blobs, and a reader may come in between: what waits for its text
is noted, and folded again as soon as the text is there. Bytes that do not match their name are not
the text.
"""

from __future__ import annotations

from varves.log.files.layout import blob_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from varves.log.files.port import Readable


def log_of(key: str) -> str:
    """Return the log a source belongs to: its key without the place."""
    return key.partition("@")[0]


def note_missing(db: sqlite3.Connection, blob: tuple[str, str], memories: Iterable[str]) -> None:
    """Remember which memories wait for a blob, given as (source, digest)."""
    key, digest = blob
    if len(digest) == 64 and digest.isalnum():  # else it names nothing that could come
        rows = [(key, digest, memory) for memory in memories]
        db.executemany("insert or ignore into missing values (?, ?, ?)", rows)


def read_blob(store: Readable, digest: str) -> bytes | None:
    """Return a blob's bytes, if they are there and are its own."""
    from hashlib import sha256

    try:
        content = store.read(blob_name(digest))
    except (OSError, ValueError):
        return None
    return content if sha256(content).hexdigest() == digest else None


def found(db: sqlite3.Connection, stores: Mapping[str, Readable]) -> list[tuple[str, str]]:
    """Return (source, digest) of the blobs that were missing and are there now."""
    waiting = db.execute("select distinct source, digest from missing").fetchall()
    return [
        (key, digest)
        for key, digest in waiting
        if key in stores and read_blob(stores[key], digest) is not None
    ]


def take_found(db: sqlite3.Connection, stores: Mapping[str, Readable]) -> list[str]:
    """Return the memories whose blobs have come, and stop waiting for them."""
    memories: list[str] = []
    for there in found(db, stores):
        where = "from missing where source = ? and digest = ?"
        memories += [name for (name,) in db.execute(f"select memory {where}", there)]
        db.execute(f"delete {where}", there)
    return memories
