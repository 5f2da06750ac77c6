"""What the ledger answers to each command."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Likeness(Value):
    """An older memory that a new one repeats, updates or contradicts, by its looks."""

    kind: str
    id: str
    text: str
    conflict: str


class Remembered(Value):
    """A statement that is now held: recorded, or known before."""

    id: str
    event: str | None
    status: str
    redacted: tuple[str, ...]
    conflicts: tuple[Likeness, ...]
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


class Captured(Value):
    """What became of what was said in a session."""

    ids: tuple[str, ...] = ()
    """The memories that were recorded."""
    known: tuple[str, ...] = ()
    """Those that say it already."""
    refused: int = 0
    """How many were not recorded: rejected before, purged, or holding a secret."""
    replaced: tuple[str, ...] = ()
    """Standing memories that tell otherwise; they stand as they are, behind the one recorded."""


class Shared(Value):
    """Memories that entered the project's log, or default recall, and the events that say so."""

    ids: tuple[str, ...]
    events: tuple[str, ...]


class Document(Value):
    """A document of a shelf as it stands: a text, or a value that was kept as JSON."""

    key: str
    content: Any
    version: str
    id: str
    created_at: str
    created_by: str
    updated_at: str
    updated_by: str
    operation: str | None = None
    siblings: tuple[Any, ...] = ()
    """What others wrote at the same time, oldest first; the next version is written over all."""


class Found(Value):
    """A document that answers a question, and how well."""

    document: Document
    score: float


class Shelved(Value):
    """What became of a document: its version now, or None where it is deleted."""

    key: str
    id: str
    version: str | None = None
    event: str | None = None
    existed: bool = False
    replayed: bool = False
    redacted: tuple[str, ...] = ()


class Imported(Value):
    """What came in, what was known before, what was refused, and how things were mapped."""

    written: int
    known: int
    refused: tuple[RefusedLine, ...]
    mappings: tuple[str, ...]
    quarantined: int = 0
    """Memories that came in and wait until somebody trusts them."""


class Purged(Value):
    """A memory whose content is gone from this checkout, and where else it still is."""

    id: str
    files: tuple[str, ...]
    git: dict[str, Any] | str | None
    """What git holds of it; None: nothing, `unknown`: git could not be asked."""
    same: tuple[str, ...] = ()
    worktrees: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """What says it still and only a person can change: a log in Markdown, what was said."""
    prompts: tuple[str, ...] = ()
    """Prompt files whose block of memories tells it still."""


class Initialised(Value):
    """A ledger and what had to be made for it."""

    root: str
    created: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Finding(Value):
    """One thing found: the rule it breaks, where, in words, and what to do about it."""

    rule: str
    place: str
    message: str
    fix: str = ""


class Verification(Value):
    """The outcome of reading a log whole."""

    ok: bool
    segments: int
    events: int
    damage: tuple[Finding, ...]
    gaps: tuple[Finding, ...]
    uncompared: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is damaged, and nothing is known to be missing here."""
        return self.ok and not self.gaps


class Mended(Value):
    """What was to be mended, what was, and what could not be."""

    plan: tuple[str, ...]
    done: tuple[str, ...]
    failed: tuple[str, ...] = ()


class Rescued(Value):
    """Events brought back, and the segments they were written to."""

    restored: int
    segments: tuple[str, ...]


class Pack(Value):
    """Segments of one log that are now in one file; no path: they were in a pack already."""

    log: str
    path: str | None
    segments: int
    lines: int
    bytes: int


class Packed(Value):
    """The packs that were made, and how many segments went into them."""

    packs: tuple[Pack, ...]
    segments: int
