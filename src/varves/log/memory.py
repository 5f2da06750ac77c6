"""A log in memory, for tests and experiments; the shortest implementation of the port.

Its parts are the chains of its writers. Its content is lost when the process ends.
"""

from __future__ import annotations

from _thread import RLock
from contextlib import contextmanager
from hashlib import sha256

from varves.events.blobs import deflated, named
from varves.events.codec import decode, lawful, purged_line, stamped
from varves.events.remnants import holds
from varves.log.doomed import doomed
from varves.log.sources import Part, log_of
from varves.values.instants import Hlc, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from varves.events.event import Draft, Event
    from varves.log.doomed import Doomed
    from varves.log.port import Head, Heads, Known
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

_CLONE, _LANE = 10, 4  # the number of letters in each
_FIRST = "0" * 16


class _Chain:
    """The lines of one writer, and the number of changes to existing lines."""

    def __init__(self) -> None:
        self.lines: list[tuple[Event, bytes]] = []
        self.turn = 0


class Chains:
    """The lines of all writers of one log, shared by everyone who opened it."""

    def __init__(self, name: str) -> None:
        self.name = name  # the name is in every mark, so that marks of another log are refused
        self.changes = 0
        self.by_writer: dict[str, _Chain] = {}
        self.blobs: dict[str, bytes] = {}
        self.lock = RLock()

    def whole(self) -> bytes:
        """Return a mark (a position to read on from) for all chains together."""
        return f"{self.name} {self.changes}".encode("ascii") if self.by_writer else b""

    def mark(self, part: str) -> bytes:
        """Return the mark of a chain: its number of lines, and the number of changes to them."""
        chain = self.by_writer[part]
        return f"{self.name} {chain.turn} {len(chain.lines)}".encode("ascii")

    def read_up_to(self, part: str, mark: bytes) -> int | None:
        """Return how many lines of a chain a mark covers; None if one of them has changed."""
        if not mark:
            return 0
        *about, count = mark.decode("ascii").split(" ")
        return int(count) if about == [self.name, str(self.by_writer[part].turn)] else None


class MemoryLog:
    """One opened log in memory, with its own writer.

    Args:
        key: the source key of the log.
        clock: the clock for the stamps of events.
        ids: the source of ids for events.
        chains: the chains of a log that was opened before; None creates a new log.
    """

    def __init__(
        self, key: str, clock: Clock, ids: IdSource, *, chains: Chains | None = None
    ) -> None:
        self.key = key
        self.written = ""
        self._ids = ids
        self._hlc = Hlc(clock)
        self.chains = Chains(ids.word(_CLONE)) if chains is None else chains
        self._writer = f"{self.chains.name}.{ids.word(_LANE)}"

    # Reading

    def is_unchanged(self, known: Known) -> bool:
        """Return whether no chain has changed since the marks were made."""
        return known.whole() == self.chains.whole()

    def since(self, known: Known) -> MemoryChanges:
        """Return what was added or changed since the marks in `known` were made."""
        return MemoryChanges(self.chains, known)

    def part(self, name: str) -> list[tuple[Event, bytes]]:
        """Read one writer's whole chain again."""
        return list(self.chains.by_writer[name].lines)

    def follow(self, known: Known) -> MemoryFollower:
        """Return a reader of the lines that are added after the marks in `known`."""
        return MemoryFollower(self.chains, known)

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this log does not have them."""
        return self.chains.blobs.get(digest)

    def heads(self) -> list[Head]:
        """Return the newest event of each writer."""
        last = [chain.lines[-1][0] for _, chain in sorted(self.chains.by_writer.items())]
        return [(event.writer, event.seq, event.hlc, event.digest) for event in last]

    # Writing

    def append(self, drafts: Sequence[Draft], heads: Heads = lambda *_: ()) -> list[Event]:
        """Append drafts as events, which name the last events of other writers."""
        for draft in drafts:
            lawful(draft.data)
        with self.chains.lock:
            chain = self.chains.by_writer.get(self._writer) or _Chain()
            last = chain.lines[-1][0] if chain.lines else None
            seen = heads(last.hlc if last else _FIRST, self._writer)
            made: list[tuple[Event, bytes]] = []
            for draft in drafts:
                ready = draft.replace(data=deflated(draft.data, self._put_blob))
                stamp = self._stamp(ready, last) | {"seen": () if made else seen}
                last, line = stamped(ready, log_of(self.key), stamp)
                made.append((last, line[:-1]))
            chain.lines += made
            self.chains.by_writer[self._writer] = chain
            self.chains.changes += 1
        self.written = self._writer
        return [event for event, _ in made]

    def _stamp(self, draft: Draft, last: Event | None) -> dict[str, object]:
        now = self._hlc.clock.now()
        return {
            "id": draft.id or self._ids.event(now),
            "hlc": self._hlc.tick(now),
            "time": iso(now),
            "writer": self._writer,
            "seq": last.seq + 1 if last else 1,
            "prev": last.digest if last else None,
            "salt": self._ids.salt(),
        }

    def _put_blob(self, content: bytes) -> dict[str, object]:
        digest = sha256(content).hexdigest()
        self.chains.blobs[digest] = content
        return {"sha256": digest, "bytes": len(content)}

    @contextmanager
    def deciding(self, *, proven: bool = False) -> Iterator[None]:  # noqa: ARG002 - always proven
        """Make reading and appending one atomic step for all writers."""
        with self.chains.lock:
            yield

    def erase(
        self, barred: set[str], first: Callable[[Doomed], list[str]] | None = None
    ) -> list[str]:
        """Remove the content of purged memories from every chain; return the changed chains."""
        with self.chains.lock:
            events = [e for chain in self.chains.by_writer.values() for e, _ in chain.lines]
            gone = [event for event in events if holds(event, barred)]
            staying = {name for e in events if not holds(e, barred) for name in named(e.data)}
            found = doomed(gone, barred, staying)
            where = first(found) if first is not None else []
            for digest in found.blobs & self.chains.blobs.keys():
                del self.chains.blobs[digest]
                where.append(digest)
            for writer, chain in self.chains.by_writer.items():
                if any(holds(event, barred) for event, _ in chain.lines):
                    chain.lines = [_erased(one, barred) for one in chain.lines]
                    chain.turn += 1
                    self.chains.changes += 1
                    where.append(writer)
        return where


def _erased(one: tuple[Event, bytes], barred: set[str]) -> tuple[Event, bytes]:
    event, line = one
    if not holds(event, barred):
        return one
    left = purged_line(line)
    return decode(left, event.log), left


class MemoryChanges:
    """The changes of the chains since a reader's marks were made."""

    def __init__(self, held: Chains, known: Known) -> None:
        self.closed: set[str] = set()
        with held.lock:
            self.whole = held.whole()
            self._parts = [*_changed(held, known)]
        self.behind = sum(len(line) for part in self._parts for _, line in part.events)

    def __iter__(self) -> Iterator[Part]:
        """Yield the chains that changed or are new, and known parts that no longer exist."""
        yield from self._parts


def _changed(held: Chains, known: Known) -> Iterator[Part]:
    marks = known.below("")
    for name in marks.keys() - held.by_writer.keys():
        yield Part(name=name, gone=True)
    for name, chain in held.by_writer.items():
        done = held.read_up_to(name, marks.get(name, b""))
        if done is None or done < len(chain.lines):
            lines = tuple(chain.lines[done or 0 :])
            yield Part(name=name, mark=held.mark(name), fresh=done is None, events=lines)


class MemoryFollower:
    """A reader of a log in memory; each poll returns the lines added since the last one."""

    def __init__(self, held: Chains, known: Known) -> None:
        self._held = held
        self._marks = known.below("")
        self._own: set[str] = set()

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll; None if lines were changed or removed."""
        with self._held.lock:
            gained: list[bytes] = []
            for name in self._held.by_writer:
                lines = self._unread(name)
                if lines is None:
                    return None
                self._marks[name] = self._held.mark(name)
                gained += [] if name in self._own else lines
            return gained

    def waiting(self) -> int:
        """Return how many bytes were added since the last poll."""
        with self._held.lock:
            others = self._held.by_writer.keys() - self._own
            return sum(len(line) for name in others for line in self._unread(name) or ())

    def own(self, part: str) -> None:
        """Do not report the lines of a chain that this process writes itself."""
        self._own.add(part)

    def _unread(self, name: str) -> list[bytes] | None:
        done = self._held.read_up_to(name, self._marks.get(name, b""))
        return (
            None if done is None else [line for _, line in self._held.by_writer[name].lines[done:]]
        )
