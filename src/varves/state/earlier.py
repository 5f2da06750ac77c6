"""Imports notes of earlier versions, and notebooks at earlier places, each exactly once.

Earlier versions stored lines about shown memories in `usage/`, notes of sessions in `attendance/`,
one file each, and the state of rendered files in `views.sqlite`. One transaction adds the content
of a file and the file's name to the notebook. Then the file is removed, and after that its name is
removed from the notebook. So if the process is killed in between, no line is lost or counted twice.
The file is locked as its writers lock it, so no process adds to it during this time.
"""

from __future__ import annotations

import os
import sqlite3

from varves.places.local import ATTENDANCE, STATE, USAGE, VIEWS
from varves.state.attendance import add_notes, leaf
from varves.state.notebook import (
    FAULTS,
    add_lines,
    connected,
    discard,
    is_busy,
    is_ours,
    leaf_of,
    line_of,
    place_of,
)
from varves.values.ids import is_event_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.places.port import FileStore
    from varves.state.notebook import Line

_END = "."  # ends a complete line
_TAKEN = "~"  # separates a session's file name from the id of the event that claimed the file
_LARGEST = 1 << 20  # the most bytes of notes that are read from a file
_CARRIED = "carried "  # the prefix of a note that names a file whose content is in the notebook
_RENDERED = ("file", "rendered", "version", "adopted", "verdict")


def carry(db: sqlite3.Connection, store: FileStore) -> None:
    """Import every file of a folder in the format of an earlier version, and no other file."""
    for folder in (USAGE, ATTENDANCE):
        for name in _files(store, folder):
            carry_file(db, store, name)
        try:
            os.rmdir(f"{store.root}/{folder}")
        except OSError:
            pass
    carry_file(db, store, VIEWS)


def carry_file(db: sqlite3.Connection, store: FileStore, name: str) -> bool:
    """Import one file and remove it; return whether this succeeded."""
    path = f"{store.root}/{name}"
    try:
        found = os.lstat(path)
        mark = f"{_CARRIED}{path} {found.st_ino}"
        if name in (VIEWS, STATE):
            if is_ours(found):
                _carry_database(db, path, mark)
            else:
                discard(path)
        elif not is_ours(found):
            return False
        else:
            with store.guard(name):
                content = store.read(name)
                _add_once(db, mark, lambda: _add(db, name, content, found.st_mtime_ns))
                store.remove(name)
        db.execute("delete from meta where name = ?", (mark,))
    except FAULTS:
        return False
    return True


def _files(store: FileStore, folder: str) -> list[str]:
    try:
        return [f"{folder}/{leaf}" for leaf, is_folder, _ in store.entries(folder) if not is_folder]
    except OSError:
        return []


def _add_once(db: sqlite3.Connection, mark: str, add: Callable[[], None]) -> None:
    """Run `add`, unless this was done before, and record it, in one transaction."""
    db.execute("begin immediate")
    try:
        if db.execute("select 1 from meta where name = ?", (mark,)).fetchone() is None:
            add()
            db.execute("insert into meta values (?, '')", (mark,))
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def _add(db: sqlite3.Connection, name: str, content: bytes, written: int) -> None:
    folder, _, file = name.partition("/")
    rows = content[:_LARGEST].decode("utf-8", "replace").split("\n")
    parts = [row.split("\t")[:-1] for row in rows if row.endswith(f"\t{_END}")]
    at = written // 1_000_000
    if folder == ATTENDANCE:
        notes = [tuple(map(_unquoted, row)) for row in parts]
        who = [note for note in notes if note[0] == "who" and len(note) == len(("who", *"csa"))]
        session = leaf(who[0][2], who[0][3]) if who else _unquoted(file.partition("-")[2])
        add_notes(db, session, notes, at=at)
        return
    key, _, event = file.partition(_TAKEN)
    if event and not is_event_id(event):
        return
    lines = [line for line in map(line_of, (row for row in parts if len(row) == 6)) if line]
    if lines:
        key = _key(key, lines[0])
        add_lines(db, key, lines, at=at, event=event)


def _key(key: str, line: Line) -> str:
    if key.startswith("p-"):
        return key
    return leaf_of(line.actor, line.session if key.startswith("s-") else None, line.time)


def _carry_database(db: sqlite3.Connection, path: str, mark: str) -> None:
    """Import a database and remove it; other processes cannot use it meanwhile."""
    old = connected(path, patience=0)
    try:
        tables = _tables(old, path)
        _add_once(db, mark, lambda: _add_tables(db, tables))
        discard(path)
    finally:
        old.close()


def _tables(old: sqlite3.Connection, path: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database by table; {} if it is damaged or from another checkout."""
    try:
        old.execute("begin exclusive")
        meta = dict(old.execute("select name, value from meta"))
        if place_of(path) not in (meta.get("place"), meta.get("made", "").partition(" ")[2]):
            return {}
        names = [
            name for (name,) in old.execute("select name from sqlite_master where type = 'table'")
        ]
        return {name: old.execute(f"select * from {name}").fetchall() for name in names}
    except (sqlite3.DatabaseError, UnicodeDecodeError) as fault:
        if is_busy(fault):
            raise
        return {}


def _add_tables(db: sqlite3.Connection, tables: dict[str, list[tuple[Any, ...]]]) -> None:
    """Add the rows about rendered files that the notebook does not know, and all other rows."""
    marks = [row for row in tables.get("meta", ()) if row[0] not in ("version", "place", "made")]
    rows = {"meta": [row for row in marks if not row[0].startswith(_CARRIED)]}
    rows |= {name: tables.get(name, []) for name in _RENDERED}
    for name, some in rows.items():
        for row in some:
            places = ", ".join("?" * len(row))
            db.execute(f"insert or ignore into {name} values ({places})", row)
    for key, event, _, at, _, *parts in tables.get("told", ()):
        line = line_of(parts)
        if line is not None:
            add_lines(db, key, [line], at=at, event=event)
    for row in tables.get("shown", ()):
        db.execute("insert into shown values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for key, _, at, kind, *values in tables.get("attended", ()):
        add_notes(db, key, [(kind, *(one for one in values if one is not None))], at=at)


def _unquoted(text: str) -> str:
    first, *rest = text.split("%")
    content = first.encode()
    for part in rest:
        try:
            content += bytes.fromhex(part[:2]) + part[2:].encode()
        except ValueError:
            content += part.encode()
    return content.decode("utf-8", "replace")
