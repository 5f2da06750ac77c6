"""Rows of the index: a memory's columns and its words, and which line of an event counts."""

from __future__ import annotations

from varves.events.event import TRUSTWORTHY
from varves.events.kinds import precedence
from varves.events.views import VIEW_OF
from varves.index.sqlite.schema import COLUMNS, SEARCHED
from varves.values.memory import FIELDS, JSON, LIST, SPLIT
from varves.values.text import entities, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from varves.events.event import Event
    from varves.fold.family import Row

CONTENT = ',"data":'  # not in a purged line

_INSERT = f"insert into memory ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})"
_UPDATE = f"update memory set {', '.join(f'{name} = ?' for name in COLUMNS)} where n = ?"
_SEARCHED = ", ".join(SEARCHED)
_LISTS = [COLUMNS.index(name) for name, row in FIELDS.items() if row.column == LIST]
_JSON = [COLUMNS.index(name) for name, row in FIELDS.items() if row.column == JSON]
_EMBEDDED = [(1 + SEARCHED.index(name), name) for name in ("text", "speaker")]
_WORDS = f"insert into words (rowid, {_SEARCHED}) values (?, {', '.join('?' * len(SEARCHED))})"
_UNWORDS = (
    f"insert into words (words, rowid, {_SEARCHED})"
    f" values ('delete', ?, {', '.join('?' * len(SEARCHED))})"
)


def save_rows(db: sqlite3.Connection, members: set[str], rows: dict[str, Row]) -> None:
    """Replace the rows of a family's members; one that is no longer there goes."""
    for name in members:
        old = db.execute(f"select n, {_SEARCHED} from memory where id = ?", (name,)).fetchone()
        row = rows.get(name)
        if old is not None:
            db.execute(_UNWORDS, old)
        if row is None:
            if old is not None:
                db.execute("delete from memory where n = ?", old[:1])
                db.execute("delete from vector where n = ?", old[:1])
            continue
        values = _values(row)
        if old is None:
            n = db.execute(_INSERT, values).lastrowid
        else:
            n = old[0]
            db.execute(_UPDATE, (*values, n))
        searched = dict(zip(COLUMNS, values, strict=True))
        if old is not None and any(old[place] != searched[name] for place, name in _EMBEDDED):
            db.execute("delete from vector where n = ?", (n,))
        db.execute(_WORDS, (n, *(searched[name] for name in SEARCHED)))


def _values(row: Row) -> list[Any]:
    from json import dumps

    row["key"] = value_key(row["kept"], row["scope"], row["text"])
    row.setdefault("branch", None)
    row.setdefault("away", 0)
    row["place"] = f"{row['turn'] or 0:012}{row['hlc']}"
    row["entities"] = " ".join(entities(row["text"]))
    row["cited"] = " ".join(str(part.get("path", "")) for part in row["evidence"] or ())
    row["view"] = next(iter((row["links"] or {}).get(VIEW_OF, ())), None)
    values = [row[name] for name in COLUMNS]
    for place in _LISTS:
        values[place] = SPLIT.join(values[place])
    for place in _JSON:
        values[place] = dumps(values[place]) if values[place] else None
    return values


def counts(row: tuple[Any, ...], event: Event) -> bool:
    """Tell whether the line that is kept of an event goes before this one."""
    _, line, hlc, writer, h, *_ = row
    trust = int(line.partition(',"trust":')[2].partition(",")[0])  # no text holds a bare quote
    return (trust < TRUSTWORTHY, CONTENT in line, hlc, writer, h) <= precedence(event)


def mark(digest: str, *, purged: bool) -> str:
    """Return what tells the lines of one event apart."""
    return digest[:16] + ("-" if purged else "")
