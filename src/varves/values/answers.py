"""What the ledger answers to each command."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Remembered(Value):
    """A statement that is now held: recorded, or known before."""

    id: str
    event: str | None
    status: str
    redacted: tuple[str, ...]
    conflicts: tuple[str, ...]
    text: str
    scope: str


class RefusedLine(Value):
    """One line of a batch that was not taken, counted from 1."""

    line: int
    code: str
    message: str


class Written(Value):
    """What became of a batch."""

    written: int
    known: int
    refused: tuple[RefusedLine, ...]


class Corrected(Value):
    """A memory that now stands in another's place."""

    id: str
    supersedes: str
    event: str
    redacted: tuple[str, ...] = ()


class Changed(Value):
    """A memory and the event that changed it."""

    id: str
    event: str
    redacted: tuple[str, ...] = ()


class Undone(Value):
    """What was taken back, or, where nothing was, the events that could be."""

    id: str | None
    event: str | None
    undone: str | None
    candidates: tuple[Any, ...] = ()


class Shared(Value):
    """Memories that entered the project's log."""

    ids: tuple[str, ...]
    events: tuple[str, ...]


class Initialised(Value):
    """A ledger and what had to be made for it."""

    root: str
    created: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Rescued(Value):
    """Events brought back, and the segments they were written to."""

    restored: int
    segments: tuple[str, ...]
