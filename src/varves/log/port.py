"""The interface of a log: events in parts, with marks.

A **part** is a unit that grows at its end or changes as a whole; a log has one or many. A **mark**
is issued by a log for one part, or for the log as a whole, and means "read up to here". Only the
log that issued a mark can read it. A reader stores the marks and presents them to the log again to
get the changes since then.
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
    """The marks that a reader has stored for one log, by the names of the parts."""

    def whole(self) -> bytes:
        """Return the mark of the log as a whole; empty if the log was never read."""
        ...

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        ...

    def recent(self) -> dict[str, bytes]:
        """Return the marks of those closed parts that are still compared."""
        ...

    def below(self, prefix: str) -> dict[str, bytes]:
        """Return the marks of all parts whose names begin with `prefix`."""
        ...

    def mark(self, name: str) -> bytes:
        """Return the mark of one part; empty if the part was never read."""
        ...


class Changes(Protocol):
    """The changes of a log since a reader's marks; iterate once, before the next read."""

    behind: int
    """Roughly how many bytes must be read."""
    whole: bytes
    """After the last part: the mark of the log to store; "" if the log no longer exists."""
    closed: set[str]
    """After the last part: the parts that are now known never to grow again."""

    def __iter__(self) -> Iterator[Part]:
        """Yield the parts that were changed, added or removed."""
        ...


class Follower(Protocol):
    """A reader of one log that starts at given marks; each poll returns the lines added since."""

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll, undecoded; None if lines were removed."""
        ...

    def waiting(self) -> int:
        """Return roughly how many bytes were added, without reading them."""
        ...

    def own(self, part: str) -> None:
        """Leave out a part that this process writes itself."""
        ...


class Blobs(Protocol):
    """The store of texts that are too long for a line."""

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this log does not have them."""
        ...


class Source(Blobs, Protocol):
    """A log that can be read."""

    key: str

    def is_unchanged(self, known: Known) -> bool:
        """Return whether nothing has changed since the marks, according to a cheap check."""
        ...

    def since(self, known: Known) -> Changes:
        """Return the changes since the marks."""
        ...

    def part(self, name: str) -> Lines:
        """Read one whole part again."""
        ...

    def follow(self, known: Known) -> Follower:
        """Return a view that starts at the reader's marks."""
        ...

    def heads(self) -> list[Head]:
        """Return the newest event of each writer."""
        ...


class Log(Source, Protocol):
    """A log that can also be written."""

    @property
    def written(self) -> str:
        """The part this process wrote last; empty if it has written none."""
        ...

    def append(self, drafts: Sequence[Draft], heads: Heads = ...) -> list[Event]:
        """Record drafts; they are durable when this method returns.

        Args:
            drafts: the drafts to record, in order; texts that are too long for a line become blobs.
            heads: called with this writer's last stamp and its name; returns the digests of other
                writers' last events, if newer than the stamp and read by the caller.

        Raises:
            NotDurable: the drafts could not be stored; nothing was acknowledged.
        """
        ...

    def deciding(self, *, proven: bool = False) -> AbstractContextManager[None]:
        """Return a `with` block in which reading and appending are one atomic step for all.

        If the log cannot guarantee that, it refuses a `proven` block.
        """
        ...

    def erase(
        self, barred: set[str], first: Callable[[Doomed], list[str]] | None = None
    ) -> list[str]:
        """Remove the content of purged memories from every event; return where it was.

        Events keep their ids and their chain. Blobs that no other event names are deleted.

        Args:
            barred: the purged memories, and the events that are purged with them.
            first: called with what will be erased before any event is changed; it removes copies
                outside the log and returns where they were. If the process stops during this call,
                everything can still be found again.
        """
        ...


class Maintained(Protocol):
    """Optional maintenance of a log that owns its bytes: verify, pack and restore them."""

    key: str
    root: str
    """Where the log is stored, as text for people."""

    def exists(self) -> bool:
        """Return whether anything was ever recorded in this log."""
        ...

    def verify(self, *, deep: bool, barred: AbstractSet[str]) -> Verification:
        """Read the whole log and report what is damaged or missing.

        Args:
            deep: also check that every line has the canonical form.
            barred: the purged memories; no line may still contain their content.
        """
        ...

    def unread(self) -> Sequence[Finding]:
        """Return the findings about files among the parts that the log never reads."""
        ...

    def holding(self, barred: set[str], *, copies: bool = False) -> Iterator[tuple[str, Event]]:
        """Yield the events that still contain content of a purged memory, each with its part.

        Args:
            barred: the purged memories, and the events that are purged with them.
            copies: search the log's second copies instead.
        """
        ...

    def loose(self) -> int:
        """Return how many parts could be packed at some time."""
        ...

    def waiting(self, closed: Callable[[], Iterable[str]]) -> Sized:
        """Return the parts that are ready to be packed.

        Args:
            closed: returns the parts that never grow again, as far as a reader of the log knows.
        """
        ...

    def pack(self, closed: Callable[[], Iterable[str]], *, dry_run: bool = False) -> Sequence[Any]:
        """Pack closed parts into fewer parts; return what was done, or would be."""
        ...

    def restore(self, lines: Sequence[bytes], blobs: Mapping[str, bytes], *, day: str) -> list[str]:
        """Write lines that already have stamps; return the parts that contain them."""
        ...


class Tracked(Protocol):
    """Optional operations of a project's log in git; git can both remove and preserve events."""

    def spooled(self) -> tuple[str, int] | None:
        """Return where second copies of the parts are stored, and how many; None if nowhere."""
        ...

    def prune(self, *, now: int) -> int:
        """Delete the copies that are safe elsewhere; return how many."""
        ...

    def eaten(
        self, indexed: Iterable[tuple[str, str, str]], present: Callable[[], Container[str]]
    ) -> Eaten:
        """Find the events that no part contains any more and that still exist elsewhere.

        Args:
            indexed: (id, log, line) of events that an index remembers from parts that are gone.
            present: returns the events of this checkout; called last, so that a concurrent write is
                not reported as lost.
        """
        ...

    def bring_back(self, found: Eaten, *, day: str) -> list[str]:
        """Write the found events again; return the parts."""
        ...

    def conflicted(self) -> Iterable[str]:
        """Return the parts that git could not merge."""
        ...

    def resolve_marks(self, name: str) -> None:
        """Resolve one part that git could not merge."""
        ...

    def remains(
        self, barred: set[str], *, said: Iterable[str], published: PublishedPlaces
    ) -> dict[str, Any] | str | None:
        """Return what git still contains of purged memories; None if it contains nothing.

        Args:
            barred: the purged memories, and the events that are purged with them.
            said: the purged texts, to recognise them in published files.
            published: where the published files are.
        """
        ...
