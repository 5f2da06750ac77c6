"""How a memory begins: the row that is made of its record."""

from __future__ import annotations

from varves.events.kinds import PROPOSED, numbered
from varves.fold import documents
from varves.fold.changes import categorise
from varves.fold.purges import writer_of
from varves.values.facets import facets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event

    Row = dict[str, Any]

RECORD_KEYS = frozenset(
    ("summary", "priority", "confidence", "ttl", "expires_at", "speaker", "turn", "source")
)
_INHERITED = frozenset(("protocol", "type", "created_at", "created_by", "updated_at", "session"))
_BLANK: Row = {
    **dict.fromkeys(RECORD_KEYS),
    **dict.fromkeys(("id", "text", "scope", "kept", "version", "at", "links")),
    **dict.fromkeys(("created_at", "created_by", "updated_at", "updated_by")),
    **dict.fromkeys(("protocol", "session", "origin", "trust", "trusted", "writer", "hlc")),
    "type": "note",
    "nature": "factual",
    "category": "note",
    "tags": (),
    "evidence": (),
    "status": "active",
    "reason": None,
    "reinforced": 0,
    "flag": "",
    "extra": {},
}
_KNOWN_KEYS = {
    *RECORD_KEYS,
    *("memory", "text", "blob", "scope", "type", "tags", "at", "session", "evidence", "links"),
    *("redacted", "lifts", "created_at", "created_by", "updated_at", "protocol", "record"),
    "memories",
}


def made(event: Event, record: dict[str, Any]) -> Row:
    """Return the row of a memory as the event that brings it describes it."""
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
    """Add what only some records say, and keep what this version does not know."""
    for key, value in record.items():
        if key in RECORD_KEYS or (key in _INHERITED and value):
            row[key] = value
        elif key in ("tags", "evidence"):
            row[key] = tuple(value)
        elif key == "links":
            row["links"] = {name: list(ids) for name, ids in value.items() if ids}
    row["nature"], row["category"] = facets(row["type"])
    row["at"] = record.get("at") or row["created_at"]
    if not record.keys() <= _KNOWN_KEYS:
        row["extra"] = {key: record[key] for key in record.keys() - _KNOWN_KEYS}
        categorise(row)
