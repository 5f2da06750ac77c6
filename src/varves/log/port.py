"""The interface of a log, which stores events in parts and gives marks to its readers.

A **part** is a unit that grows at its end or changes as a whole; a log has one or many. A **mark**
means "read up to here". A log makes marks for each part and for the log as a whole, and only that
log can interpret them. A reader stores the marks and later passes them to the log to get the
changes since then.
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
    Head = tuple[str, int, str, str]  # writer, number in its chain, stamp, digest


class Known(Protocol):
    """The marks (positions up to which it has read) that a reader stored, by names of parts."""

    def whole(self) -> bytes:
        """Return the mark of the log as a whole; empty if the log was never read."""
        ...

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        ...

    def recent(self) -> dict[str, bytes]:
        """Return the marks of the closed parts that are still checked for changes."""
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
    """Roughly how many bytes the reader has to read."""
    whole: bytes
    """The new mark of the log; valid after the last part. Empty if the log no longer exists."""
    closed: set[str]
    """The parts that are now known to be closed; valid after the last part."""

    def __iter__(self) -> Iterator[Part]:
        """Yield the parts that were changed, added or removed."""
        ...


class Follower(Protocol):
    """A reader of one log that starts at given marks.

    Each poll returns the lines added since then.
    """

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll, undecoded; None if lines were removed."""
        ...

    def waiting(self) -> int:
        """Return roughly how many bytes were added since the last poll, without reading them."""
        ...

    def own(self, part: str) -> None:
        """Do not report the lines of a part that this process writes itself."""
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
        """Return whether a cheap check finds no change since the marks in `known` were made."""
        ...

    def since(self, known: Known) -> Changes:
        """Return what was added or changed since the marks in `known` were made."""
        ...

    def part(self, name: str) -> Lines:
        """Read one whole part again."""
        ...

    def follow(self, known: Known) -> Follower:
        """Return a reader of the lines that are added after the marks in `known`."""
        ...

    def heads(self) -> list[Head]:
        """Return the newest event of each writer."""
        ...


class Log(Source, Protocol):
    """A log that can also be written."""

    @property
    def written(self) -> str:
        """The name of the part that this process wrote last; empty if it has written none."""
        ...

    def append(self, drafts: Sequence[Draft], heads: Heads = ...) -> list[Event]:
        """Append drafts as events, which are durable when this method returns.

        Args:
            drafts: the drafts to record, in order; texts that are too long for a line become blobs.
            heads: called with the stamp of this writer's last event and the writer's name. It
                returns the digests of other writers' last events that the caller has read and that
                are newer.

        Raises:
            NotDurable: the drafts could not be stored; nothing was acknowledged.
        """
        ...

    def deciding(self, *, proven: bool = False) -> AbstractContextManager[None]:
        """Return a `with` block in which no other process can append between a read and an append.

        If the log cannot guarantee this and `proven` is set, it raises an error.
        """
        ...

    def erase(
        self, barred: set[str], first: Callable[[Doomed], list[str]] | None = None
    ) -> list[str]:
        """Remove the content of purged memories from every event; return the places that changed.

        Events keep their ids and their places in the chain. Blobs that no other event names are
        deleted.

        Args:
            barred: the purged memories, and the events that are purged with them.
            first: called with what will be erased before any event is changed; it removes copies
                outside the log and returns where they were. If the process stops during this call,
                everything can still be found again.
        """
        ...


class Maintained(Protocol):
    """Optional maintenance of a log: verifying, packing and restoring its bytes."""

    key: str
    root: str
    """The place where the log is stored, in a form that people can read."""

    def exists(self) -> bool:
        """Return whether anything was ever recorded in this log."""
        ...

    def verify(
        self,
        *,
        deep: bool,
        barred: AbstractSet[str],
        progress: Callable[[int], None] | None = None,
    ) -> Verification:
        """Read the whole log and report what is damaged or missing.

        Args:
            deep: also check that every line has the canonical form.
            barred: the purged memories; no line may still contain their content.
            progress: called with the number of lines read so far.
        """
        ...

    def unread(self) -> Sequence[Finding]:
        """Return findings about files in the log's folders that the log never reads."""
        ...

    def holding(self, barred: set[str], *, copies: bool = False) -> Iterator[tuple[str, Event]]:
        """Yield the events that still contain content of a purged memory, each with its part.

        Args:
            barred: the purged memories, and the events that are purged with them.
            copies: search the log's second copies instead.
        """
        ...

    def loose(self) -> int:
        """Return the number of parts outside packs, whether or not they can be packed now."""
        ...

    def waiting(self, closed: Callable[[], Iterable[str]]) -> Sized:
        """Return the parts that are ready to be packed.

        Args:
            closed: returns the parts that a reader of the log knows to be closed.
        """
        ...

    def pack(self, closed: Callable[[], Iterable[str]], *, dry_run: bool = False) -> Sequence[Any]:
        """Pack closed parts into fewer parts; return what was packed or, in a dry run, would be."""
        ...

    def restore(self, lines: Sequence[bytes], blobs: Mapping[str, bytes], *, day: str) -> list[str]:
        """Write lines that already have stamps; return the parts that now contain them."""
        ...


class Tracked(Protocol):
    """Optional operations on a project's log in git, which can remove and restore events."""

    def spooled(self) -> tuple[str, int] | None:
        """Return the place of the second copies of the log's parts, and how many there are.

        None if there are none.
        """
        ...

    def prune(self, *, now: int) -> int:
        """Delete the second copies of parts whose events are safe elsewhere; return how many."""
        ...

    def eaten(
        self, indexed: Iterable[tuple[str, str, str]], present: Callable[[], Container[str]]
    ) -> Eaten:
        """Find the events that no part contains any more and that still exist elsewhere.

        Args:
            indexed: (id, log, line) of the events that an index has from parts that no longer
                exist.
            present: returns the events of this checkout; called last, so that a concurrent write is
                not reported as lost.
        """
        ...

    def bring_back(self, found: Eaten, *, day: str) -> list[str]:
        """Write events that were removed to the log again.

        Return the parts in which they are now.
        """
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
