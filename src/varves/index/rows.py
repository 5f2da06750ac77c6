"""Computes what every index stores: derived columns of a memory, and the line of each event."""

from __future__ import annotations

from varves.events.kinds import precedence
from varves.events.views import VIEW_OF
from varves.values.memory import TRUSTWORTHY
from varves.values.near import is_statement
from varves.values.scripts import grams
from varves.values.text import entities, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event
    from varves.fold.family import Row

CONTENT = ',"data":'  # every line has this, except a line whose content was purged


class Stored:
    """The stored row of one event."""

    __slots__ = (
        *("digest", "hlc", "kind", "line", "log"),
        *("present", "protocol", "session", "where", "writer"),
    )

    def __init__(self, *row: Any) -> None:
        self.present: bool = bool(row[0])  # whether a log still contains the event
        self.line: str = row[1]
        self.hlc: str = row[2]
        self.writer: str = row[3]
        self.digest: str = row[4]
        # the source that contains the event, if only another worktree has it; otherwise ""
        self.where: str = row[5]
        self.kind: str = row[6]
        self.session: str | None = row[7]
        self.protocol: str | None = row[8]
        self.log: str = row[9]

    @property
    def purged(self) -> bool:
        """Whether the content was erased."""
        return CONTENT not in self.line

    @property
    def mark(self) -> str:
        """A mark that identifies the stored line among all lines of the same event."""
        return mark(self.digest, purged=self.purged)

    def precedes(self, event: Event) -> bool:
        """Return whether the stored line counts, and not another line of the same event."""
        # quotes within a text are escaped, so this is not part of a text
        trust = int(self.line.partition(',"trust":')[2].partition(",")[0])
        own = (trust < TRUSTWORTHY, not self.purged, self.hlc, self.writer, self.digest)
        return own <= precedence(event)


def mark(digest: str, *, purged: bool) -> str:
    """Return a mark that identifies a line among all lines of the same event."""
    return digest[:16] + ("-" if purged else "")


def is_compared(row: Row) -> bool:
    """Return whether a memory takes part in comparisons; its expiry is ignored."""
    return (
        row["status"] == "active"
        and not row["away"]
        and row["type"] != "document"
        and row["trust"] >= TRUSTWORTHY
        and "sensitive" not in row["tags"]
        and is_statement(row["protocol"], row["type"])
        and row["view"] is None
    )


def completed(row: Row) -> Row:
    """Return a folded memory's row with the columns by which it is looked up."""
    row["key"] = value_key(row["kept"], row["scope"], row["text"])
    row.setdefault("branch", None)
    row.setdefault("away", 0)
    row["place"] = f"{row['turn'] or 0:012}{row['hlc']}"
    text = row["text"]
    row["entities"] = " ".join(entities(text))
    searched = (text, row["summary"], row["topic"], row["speaker"], *row["tags"])
    said = " ".join(filter(None, searched))
    row["grams"] = "" if said.isascii() else " ".join(grams(said))
    evidence, links = row["evidence"], row["links"]
    row["cited"] = " ".join(str(part.get("path", "")) for part in evidence) if evidence else ""
    row["view"] = next(iter(links.get(VIEW_OF, ())), None) if links else None
    return row
