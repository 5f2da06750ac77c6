"""The values that the methods of `Ledger` return."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_RELATES = {"same": "repeats", "update": "updates", "contradiction": "contradicts"}


class Likeness(Value):
    """An older memory that a new one repeats, updates or contradicts."""

    kind: str
    """duplicate, update or contradiction"""
    id: str
    text: str
    conflict: str
    """The conflict that `conflicts resolve` settles; empty if there is nothing to settle."""
    relation: str
    """same, update or contradiction"""
    reason: str

    @property
    def in_words(self) -> str:
        """One line that says how the new memory relates to the older one."""
        reason = " ".join(self.reason.split())
        listed = f" ({self.conflict}: varves conflicts)" if self.conflict else ""
        return f"{_RELATES[self.relation]} {self.id}: {reason}{listed}"


class RecordConflict(Likeness):
    """A new memory of a batch, and the older memory that it repeats, updates or contradicts."""

    memory: str
    """The new memory; for an update, the newer of the two memories."""

    @property
    def likeness(self) -> Likeness:
        """The older memory and how the new memory relates to it, without the new memory's id."""
        return Likeness(**{name: getattr(self, name) for name in Likeness._fields})


class LineConflict(RecordConflict):
    """A line of a batch or import, and the older memory that it repeats, updates or contradicts."""

    line: int
    """The line, counted from 1."""

    @property
    def of_record(self) -> RecordConflict:
        """The same conflict without the line number."""
        return RecordConflict(**{name: getattr(self, name) for name in RecordConflict._fields})


class Remembered(Value):
    """A statement that is now in the ledger, newly or because it was known already."""

    id: str
    event: str | None
    status: str
    redacted: tuple[str, ...]
    conflicts: tuple[Likeness, ...]
    text: str
    scope: str


class RefusedLine(Value):
    """One refused line of a batch; lines are counted from 1."""

    line: int
    code: str
    message: str


class Written(Value):
    """The result of recording a batch of statements."""

    written: int
    known: int
    refused: tuple[RefusedLine, ...]
    conflicts: tuple[LineConflict, ...] = ()
    """The older memories that the new ones repeat, update or contradict, up to a limit."""
    more: int = 0
    """How many conflicts were found beyond the limit."""


class Corrected(Value):
    """The result of a correction: a new memory, which replaces an old memory."""

    id: str
    supersedes: str
    event: str
    redacted: tuple[str, ...] = ()
    conflicts: tuple[Likeness, ...] = ()
    """The other memories that the new text repeats, updates or contradicts."""


class Changed(Value):
    """The result of a change: a memory, and the event that changed it."""

    id: str
    event: str
    redacted: tuple[str, ...] = ()


class Settled(Changed):
    """The result of resolving a conflict."""

    label: str | None = None
    """The name that a protocol's files give the memory, such as `mem-003`; None if it is the id."""
    notes: tuple[str, ...] = ()
    """The edits of files that were recorded first."""


class Undone(Value):
    """The events that were undone; if none was, the events that could be undone."""

    id: str | None
    event: str | None
    undone: str | None
    candidates: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    """What undoing did not reverse."""


class Captured(Value):
    """The result of capturing what was said in a session."""

    ids: tuple[str, ...] = ()
    """The memories that were recorded."""
    known: tuple[str, ...] = ()
    """Existing memories with the same statement."""
    refused: int = 0
    """How many statements were not recorded: rejected or purged before, or containing a secret."""
    replaced: tuple[str, ...] = ()
    """Current memories that a new memory contradicts. They are unchanged, but rank below it."""
    forgotten: tuple[str, ...] = ()
    """Memories of this session that were forgotten because the user took the statements back."""


class Shared(Value):
    """Memories that were shared or trusted, and the events that record it."""

    ids: tuple[str, ...]
    events: tuple[str, ...]


class Document(Value):
    """The current state of a document: a text, or a value that was stored as JSON."""

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
    """Versions that other clones wrote at the same time, oldest first.

    The next write replaces all of them.
    """


class Found(Value):
    """A document that matches a query, and its score."""

    document: Document
    score: float


class Shelved(Value):
    """The result of writing a document: its new version, or None if it is deleted."""

    key: str
    id: str
    version: str | None = None
    event: str | None = None
    existed: bool = False
    replayed: bool = False
    redacted: tuple[str, ...] = ()


class Imported(Value):
    """The result of an import: counts, refused lines, and how types were mapped."""

    written: int
    known: int
    refused: tuple[RefusedLine, ...]
    mappings: tuple[str, ...]
    conflicts: tuple[LineConflict, ...] = ()
    """The older memories that the new ones repeat, update or contradict, up to a limit."""
    more: int = 0
    """How many conflicts were found beyond the limit."""
    quarantined: int = 0
    """Imported memories that wait until a person trusts them."""


class Purged(Value):
    """The result of a purge: the memory that was erased, and where its content still exists."""

    id: str
    files: tuple[str, ...]
    git: dict[str, Any] | str | None
    """What git still contains of the memory; None if nothing, `unknown` if git could not be run."""
    same: tuple[str, ...] = ()
    worktrees: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Files that still contain the text and that only people change: Markdown logs, transcripts."""
    prompts: tuple[str, ...] = ()
    """Prompt files with a block of memories that still contains the text."""


class Initialised(Value):
    """The result of `init`: the ledger, and the files that were created for it."""

    root: str
    created: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Finding(Value):
    """A problem that a check found: the broken rule, the place, a message, and what to do."""

    rule: str
    place: str
    message: str
    fix: str = ""


class Verification(Value):
    """The result of verifying a whole log."""

    ok: bool
    segments: int
    events: int
    damage: tuple[Finding, ...]
    gaps: tuple[Finding, ...]
    uncompared: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the log has no damage and no known gap."""
        return self.ok and not self.gaps


class Mended(Value):
    """The result of a repair: what needed a fix, what was fixed, and what could not be fixed."""

    plan: tuple[str, ...]
    done: tuple[str, ...]
    failed: tuple[str, ...] = ()

    def planned(self, says: str, *, done: bool) -> Mended:
        """Return a copy of this result with one more fix, which was made or is only planned."""
        return self.replace(plan=(*self.plan, says), done=(*self.done, *([says] if done else [])))


class Rescued(Value):
    """Restored events, and the segments they were written to."""

    restored: int
    segments: tuple[str, ...]


class Pack(Value):
    """Segments (files) of one log that are in one pack; `path` is None if they already were."""

    log: str
    path: str | None
    segments: int
    lines: int
    bytes: int


class Packed(Value):
    """The packs that were made, and how many segments they contain."""

    packs: tuple[Pack, ...]
    segments: int
