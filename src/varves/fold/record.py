"""The first row of a memory, made from its record."""

from __future__ import annotations

from varves.events.kinds import PROPOSED, numbered
from varves.fold import documents
from varves.fold.changes import categorise
from varves.fold.stand_ins import writer_of
from varves.values.facets import facets
from varves.values.memory import FIELDS, NUMBER, OBJECTS, TEXT, WHOLE, WORDS, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event

    Row = dict[str, Any]

_STORED = {name: row for name, row in FIELDS.items() if row.stored}
_INHERITED = frozenset(name for name, row in _STORED.items() if row.inherited)
_LISTS = frozenset(name for name, row in _STORED.items() if row.stored in (WORDS, OBJECTS))
_AS_IT_IS = (
    frozenset(name for name, row in _STORED.items() if row.stored in (TEXT, NUMBER, WHOLE))
    - _INHERITED
)
_BLANK: Row = {
    **{name: getattr(Memory, name, None) for name in FIELDS},
    "hlc": None,
    "flag": "",
}
del _BLANK["branch"]  # not part of the record: it depends on where the line was found
_KNOWN_KEYS = {
    *(row.key or name for name, row in _STORED.items()),
    *("blob", "redacted", "lifts", "record", "memories"),
}


def made(event: Event, record: dict[str, Any]) -> Row:
    """Return the row of a memory from the event that creates it."""
    time, actor = event.time, event.actor
    row: Row = _BLANK.copy()
    row["id"] = record["memory"]
    row["scope"] = record["scope"]
    row["text"] = record.get("text", "")
    row["created_at"] = row["updated_at"] = row["at"] = time
    row["created_by"] = row["updated_by"] = actor
    row["kept"] = event.log
    row["links"] = {}
    row["version"] = event.id
    row["protocol"] = event.protocol
    row["session"] = event.session
    row["origin"] = event.origin
    row["trust"] = event.trust
    row["writer"] = writer_of(event)
    row["hlc"] = event.hlc
    if event.kind == PROPOSED:
        row["status"] = "proposed"
    if len(record) > 3:
        _describe(row, record)
        row["extra"] = numbered(row["extra"], event, record)
        documents.begin(row, event)
    return row


def _describe(row: Row, record: dict[str, Any]) -> None:
    """Add the fields that only some records have; unknown fields are kept too."""
    for key, value in record.items():
        if key in _AS_IT_IS or (key in _INHERITED and value):
            row[key] = value
        elif key in _LISTS:
            row[key] = tuple(value)
        elif key == "links":
            row["links"] = {name: list(ids) for name, ids in value.items() if ids}
    row["nature"], row["category"] = facets(row["type"])
    row["at"] = record.get("at") or row["created_at"]
    if not record.keys() <= _KNOWN_KEYS:
        # in a fixed order: that of a set differs between processes, and JSON would show it
        row["extra"] = {key: record[key] for key in sorted(record.keys() - _KNOWN_KEYS)}
        categorise(row)
