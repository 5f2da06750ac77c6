"""The answers of the verbs of scoped memory."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.values.answers import RecordConflict


class EntryLine(Value):
    """One entry, as its file shows it, with its scope and the core's id."""

    id: str
    memory: str
    scope: str
    type: str
    content: str
    confidence: float
    created_at: str
    accessed_count: int
    kind: str | None = None
    """In a session: tool, edit, decision or note."""


class Ranked(EntryLine):
    """An entry with its score and the score's three weighted terms."""

    score: float
    terms: dict[str, float]


class Aged(EntryLine):
    """An entry with the time at which it was last read or injected, if any."""

    last_accessed: str | None


class Entries(Value):
    """The entries of one scope and the path of their file."""

    scope: str
    path: str
    entries: tuple[EntryLine, ...]

    def __iter__(self) -> Iterator[EntryLine]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class StoredEntry(Value):
    """An entry that is now stored: recorded by this call, or known before."""

    id: str
    memory: str
    status: str
    scope: str
    type: str
    content: str
    confidence: float
    changes: dict[str, tuple[str | float, str | float]] = {}  # noqa: RUF012 - values are frozen
    """The type and the confidence of a known entry, if stated others replaced them: both values."""
    overrides: tuple[str, ...] = ()
    """The global entries it overrides here, by the core's id."""
    silences: tuple[str, ...] = ()
    """The same entries by the names a person uses."""
    notices: tuple[str, ...] = ()
    """The global entries that contradict this one and were not overridden explicitly."""
    redacted: tuple[str, ...] = ()
    conflicts: tuple[RecordConflict, ...] = ()
    """The entries of the same scope that this one repeats, updates or contradicts."""


class Dispute(Value):
    """Entries of one scope between which a person has to choose, and the reason."""

    conflict: str
    """The conflict that `conflicts resolve` settles."""
    kind: str
    scope: str
    reason: str
    entries: tuple[EntryLine, ...]

    @property
    def in_words(self) -> str:
        """The entries and the reason, on one line."""
        names = " and ".join(one.id for one in self.entries)
        return f"{names} of {self.scope}, {self.kind}: {self.reason} (varves scoped conflicts)"


class Forgotten(Value):
    """An entry that was forgotten or restored, and the reason it was forgotten."""

    id: str
    memory: str
    scope: str
    status: str
    reason: str
    content: str


class ProposedEntry(Value):
    """A learning that waits for approval."""

    id: str
    scope: str
    type: str
    content: str
    confidence: float
    session: str | None
    source: str | None
    """Where it was found: text, transcript, output or session."""


class Recovered(Value):
    """A session that never ended, and its proposals."""

    session: str
    proposals: tuple[ProposedEntry, ...]


class Injected(Value):
    """A block to inject, and the entries in it."""

    block: str
    tokens: int
    budget: int
    entries: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...] = ()
    """Entries that were selected but did not fit."""
    notices: tuple[str, ...] = ()
    """Entries hidden by an entry of a nearer scope that does not override them explicitly, and at
    the start of a session the open conflicts."""


class SessionStarted(Injected):
    """The start of a session: first the proposals of crashed sessions, then the block."""

    session: str
    loaded: dict[str, int]
    """The number of entries loaded from each scope."""
    recovered: tuple[Recovered, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    """The open conflicts between entries of the loaded scopes, newest first."""


class SessionEnded(Value):
    """The end of a session: its proposals, and how much memory was injected."""

    session: str
    proposals: tuple[ProposedEntry, ...]
    injected: int
    tokens: int


class Prompt(Value):
    """A prompt file and whether its block changed."""

    path: str
    changed: bool
    tokens: int
    entries: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...] = ()
    more: tuple[Prompt, ...] = ()
    """The other files, if several were given."""


class ScopedFolders(Value):
    """The folders of the protocol that were created."""

    root: str
    created: tuple[str, ...]
