"""What a log is to those who read and write it: events in parts, with marks.

A **part** is a unit that grows at its end or changes as a whole; a log has one or many. A **mark**
is what a log hands out for a part, or for itself as a whole, and means "read up to here". Only the
log that made a mark can read it. A reader keeps marks, shows them again, and is told what is new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Sized
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from varves.events.event import Draft, Event
    from varves.log.doomed import Doomed, PublishedPlaces
    from varves.log.eaten import Eaten
    from varves.log.sources import Lines, Part
    from varves.values.answers import Finding, Verification

    Heads = Callable[[str, str], Sequence[str]]
    Head = tuple[str, int, str, str]  # writer, number, stamp, digest


class Known(Protocol):
    """What a reader has of a log: the marks it kept, by the names of the parts."""

    def whole(self) -> bytes:
        """Return the mark of the log as a whole; empty: it was never read."""
        ...

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        ...

    def recent(self) -> dict[str, bytes]:
        """Return those of the closed parts that are compared all the same."""
        ...

    def below(self, prefix: str) -> dict[str, bytes]:
        """Return the marks of all parts whose names begin so."""
        ...

    def mark(self, name: str) -> bytes:
        """Return the mark of one part; empty: it was never read."""
        ...


class Changes(Protocol):
    """What a log has gained or lost; to be gone through once, before the next look."""

    behind: int
    """About how many bytes are to be read."""
    whole: bytes
    """After the last part: the mark of the log to keep; empty: there is no log any more."""
    closed: set[str]
    """After the last part: those that are known by now never to grow again."""

    def __iter__(self) -> Iterator[Part]:
        """Yield the parts that changed, came or went."""
        ...


class Follower(Protocol):
    """A moving view of one log, from what its reader knew at the beginning."""

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll, unread; None if something was taken away."""
        ...

    def waiting(self) -> int:
        """Return roughly how many bytes were added, without reading them."""
        ...

    def own(self, part: str) -> None:
        """Leave out a part that this process itself writes."""
        ...


class Blobs(Protocol):
    """Where texts are that are too long for a line."""

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, if they are there."""
        ...


class Source(Blobs, Protocol):
    """A log that is read."""

    key: str

    def is_unchanged(self, known: Known) -> bool:
        """Tell whether nothing has happened since, as far as a cheap look tells."""
        ...

    def since(self, known: Known) -> Changes:
        """Return what has happened since."""
        ...

    def part(self, name: str) -> Lines:
        """Read one part again, whole."""
        ...

    def follow(self, known: Known) -> Follower:
        """Return a view that begins where the reader is."""
        ...

    def heads(self) -> list[Head]:
        """Return the newest event of each writer."""
        ...


class Log(Source, Protocol):
    """A log that is written too."""

    @property
    def written(self) -> str:
        """The part this process wrote last; empty: none yet."""
        ...

    def append(self, drafts: Sequence[Draft], heads: Heads = ...) -> list[Event]:
        """Record drafts; when this returns they are durable.

        Args:
            drafts: what is recorded, in order; texts that are too long for a line become blobs.
            heads: is asked, with this writer's last stamp and its name, for the digests of other
                writers' newer events that the caller has read.

        Raises:
            NotDurable: they could not be kept; nothing was acknowledged.
        """
        ...

    def deciding(self, *, proven: bool = False) -> AbstractContextManager[None]:
        """Return a block in which a look and an append are one step for all writers.

        Where that cannot be had, a `proven` one is refused.
        """
        ...

    def erase(
        self, barred: set[str], first: Callable[[Doomed], list[str]] | None = None
    ) -> list[str]:
        """Take the content of purged memories out of every event; return where it was.

        Events keep their ids and their chain. Blobs go that nothing else names.

        Args:
            barred: the memories, and events that go with them.
            first: is told what goes, before any event does, and removes copies outside the log; it
                returns where they were. Cut short there, everything can be found again.
        """
        ...


class Maintained(Protocol):
    """What a log can offer besides, if its bytes are its own: prove, gather and restore them."""

    key: str
    root: str
    """Where it is kept, in words."""

    def exists(self) -> bool:
        """Tell whether anything was ever recorded in it."""
        ...

    def verify(self, *, deep: bool, barred: AbstractSet[str]) -> Verification:
        """Read it whole, and say what is damaged or missing.

        Args:
            deep: ask for the canonical form of every line too.
            barred: the purged memories, of which no line may hold content any more.
        """
        ...

    def unread(self) -> Sequence[Finding]:
        """Return what is in the place of its parts and is never read."""
        ...

    def holding(self, barred: set[str], *, copies: bool = False) -> Iterator[tuple[str, Event]]:
        """Yield the events, each with its part, that still hold content of a purged memory.

        Args:
            barred: the purged memories, and events that go with them.
            copies: look into the second copies that it keeps instead.
        """
        ...

    def loose(self) -> int:
        """Return how many parts could be gathered one day."""
        ...

    def waiting(self, closed: Callable[[], Iterable[str]]) -> Sized:
        """Return the parts that wait to be gathered.

        Args:
            closed: gives the parts that never grow again, as far as a reader of the log knows.
        """
        ...

    def pack(self, closed: Callable[[], Iterable[str]], *, dry_run: bool = False) -> Sequence[Any]:
        """Gather closed parts into fewer; return what was done, or would be."""
        ...

    def restore(self, lines: Sequence[bytes], blobs: Mapping[str, bytes], *, day: str) -> list[str]:
        """Write lines again that were stamped before; return the parts."""
        ...


class Tracked(Protocol):
    """What the project's log can offer where git has it too: git may take events, and keep them."""

    def spooled(self) -> tuple[str, int] | None:
        """Return where second copies of its parts are kept, and how many; None: nowhere."""
        ...

    def prune(self, *, now: int) -> int:
        """Drop the copies that are safe elsewhere; return how many."""
        ...

    def eaten(
        self, indexed: Iterable[tuple[str, str, str]], present: Callable[[], Container[str]]
    ) -> Eaten:
        """Find the events that are in no part any more, and that something else still has.

        Args:
            indexed: (id, log, line) of events that an index remembers from parts that are gone.
            present: gives the events of this checkout; asked last, so that no write is taken for
                lost.
        """
        ...

    def bring_back(self, found: Eaten, *, day: str) -> list[str]:
        """Write them again; return the parts."""
        ...

    def conflicted(self) -> Iterable[str]:
        """Return the parts that git could not merge."""
        ...

    def resolve_marks(self, name: str) -> None:
        """Merge one of them."""
        ...

    def remains(
        self, barred: set[str], *, said: Iterable[str], published: PublishedPlaces
    ) -> dict[str, Any] | str | None:
        """Return what git still holds of purged memories; None: nothing.

        Args:
            barred: the purged memories, and events that go with them.
            said: the texts that were purged, to know them in published files.
            published: where those are.
        """
        ...
