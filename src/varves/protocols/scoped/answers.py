"""What the verbs of scoped memory answer."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class EntryLine(Value):
    """One entry, as its file has it, with the scope it stands in and the core's id."""

    id: str
    memory: str
    scope: str
    type: str
    content: str
    confidence: float
    created_at: str
    accessed_count: int
    kind: str | None = None
    """In a session: tool, edit or decision."""


class Ranked(EntryLine):
    """An entry with its score and the three terms of it, each already weighted."""

    score: float
    terms: dict[str, float]


class Aged(EntryLine):
    """An entry with the instant at which it was last read or injected, if it was."""

    last_accessed: str | None


class Entries(Value):
    """The entries of one scope and where they stand."""

    scope: str
    path: str
    entries: tuple[EntryLine, ...]

    def __iter__(self) -> Iterator[EntryLine]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class StoredEntry(Value):
    """An entry that is now held: recorded, or known before."""

    id: str
    memory: str
    status: str
    scope: str
    type: str
    content: str
    confidence: float
    overrides: tuple[str, ...] = ()
    """The global entries it silences here, by the core's id."""
    silences: tuple[str, ...] = ()
    """The same as a person calls them."""
    notices: tuple[str, ...] = ()
    """The global entries that say otherwise and were not overridden on purpose."""
    redacted: tuple[str, ...] = ()


class Forgotten(Value):
    """An entry that left its file, or came back to it, and the reason it had left."""

    id: str
    memory: str
    scope: str
    status: str
    reason: str
    content: str


class ProposedEntry(Value):
    """A learning that waits to be approved."""

    id: str
    scope: str
    type: str
    content: str
    confidence: float
    session: str | None
    source: str | None
    """What it was taken from: text, transcript, output or session."""


class Recovered(Value):
    """A session that never ended, and what it leaves to decide on."""

    session: str
    proposals: tuple[ProposedEntry, ...]


class Injected(Value):
    """A block to inject, and what is in it."""

    block: str
    tokens: int
    budget: int
    entries: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...] = ()
    """Entries that would have been told but did not fit."""
    notices: tuple[str, ...] = ()
    """Entries that step back behind one of a nearer scope that does not override on purpose."""


class SessionStarted(Injected):
    """A session that begins: first what crashed ones left, then the block."""

    session: str
    loaded: dict[str, int]
    """How many entries each scope brought."""
    recovered: tuple[Recovered, ...] = ()


class SessionEnded(Value):
    """A session that is over: what it proposes, and how much memory it was given."""

    session: str
    proposals: tuple[ProposedEntry, ...]
    injected: int
    tokens: int


class Prompt(Value):
    """A prompt file and whether its block had to be written."""

    path: str
    changed: bool
    tokens: int
    entries: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...] = ()


class ScopedFolders(Value):
    """Folders of the protocol that had to be made."""

    root: str
    created: tuple[str, ...]
