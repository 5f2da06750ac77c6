"""Rows that every index keeps: a memory's derived columns, and which line of an event counts."""

from __future__ import annotations

from varves.events.kinds import precedence
from varves.events.views import VIEW_OF
from varves.values.memory import TRUSTWORTHY
from varves.values.text import entities, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event
    from varves.fold.family import Row

CONTENT = ',"data":'  # not in a purged line


class Stored:
    """What an index holds of one event."""

    __slots__ = (
        *("digest", "hlc", "kind", "line", "log"),
        *("present", "protocol", "session", "where", "writer"),
    )

    def __init__(self, *row: Any) -> None:
        self.present: bool = bool(row[0])  # whether any part of a log holds it still
        self.line: str = row[1]
        self.hlc: str = row[2]
        self.writer: str = row[3]
        self.digest: str = row[4]
        self.where: str = row[5]  # the source that has it, if only another worktree does
        self.kind: str = row[6]
        self.session: str | None = row[7]
        self.protocol: str | None = row[8]
        self.log: str = row[9]

    @property
    def purged(self) -> bool:
        """Whether its content was erased."""
        return CONTENT not in self.line

    @property
    def mark(self) -> str:
        """What tells its line from others of the same event."""
        return mark(self.digest, purged=self.purged)

    def precedes(self, event: Event) -> bool:
        """Tell whether the line that is kept goes before another one of the event."""
        # No text holds a bare quote.
        trust = int(self.line.partition(',"trust":')[2].partition(",")[0])
        own = (trust < TRUSTWORTHY, not self.purged, self.hlc, self.writer, self.digest)
        return own <= precedence(event)


def mark(digest: str, *, purged: bool) -> str:
    """Return what tells the lines of one event apart."""
    return digest[:16] + ("-" if purged else "")


def completed(row: Row) -> Row:
    """Add to a folded memory what it is looked up by."""
    row["key"] = value_key(row["kept"], row["scope"], row["text"])
    row.setdefault("branch", None)
    row.setdefault("away", 0)
    row["place"] = f"{row['turn'] or 0:012}{row['hlc']}"
    row["entities"] = " ".join(entities(row["text"]))
    row["cited"] = " ".join(str(part.get("path", "")) for part in row["evidence"] or ())
    row["view"] = next(iter((row["links"] or {}).get(VIEW_OF, ())), None)
    return row
