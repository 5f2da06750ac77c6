"""What the rooms, recall and the runner ask of an index: named queries and one kind of update.

An index holds events as the logs have them and memories as they are folded. Nothing in it is a
source: it can be deleted, and `runner.py` makes it again. What is wanted is a value (`where.py`);
quarantine, scope and status are part of it. Queries that one part of the program asks are a
protocol of their own, which a method of `Index` returns. An adapter keeps the rows as it likes and
passes the suite in `varves.testing.index`.

An event *counts* if a log holds it now and its time has come; it counts *here* if this checkout
holds it, and not only another worktree. Unless a query says otherwise it is about events that a
log holds now, whether or not their time has come. Numbers of memories are the index's own: they
stay as long as it is not made again, and a newer memory has a higher one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.rows import Stored
    from varves.index.where import EventWhere, Trusted, Where
    from varves.log.port import Known
    from varves.log.sources import Part
    from varves.values.memory import Memory
    from varves.values.near import Near
    from varves.values.query import Query, Term

Told = tuple[int, str]  # how often, and when last
Place = tuple[str, str, str]  # of an event in the order of all: stamp, writer, id
Counted = dict[tuple[str, str | None, str | None], tuple[int, str]]
Rejection = tuple[str, bytes, str]  # the event, the value and the memory


class Index(Protocol):
    """Memories and their events, for look-up."""

    path: str | None
    """Where it is kept; None: in memory only."""
    branch_of: Callable[[str], str | None]
    """Returns the branch that is checked out in another worktree, by the key of its source."""
    looked_at: int
    """How many of the closed parts of a log a plain look compares."""

    # Memories

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        ...

    def memories(
        self, wish: Where, *, order: str = "recorded", lean: bool = False, most: int | None = None
    ) -> list[Memory]:
        """Return the memories that are wanted.

        Args:
            wish: which.
            order: recorded, newest, latest (as newest, ties too), scope, trust (most first) or id.
            lean: leave texts and bodies out.
            most: only the first so many.
        """
        ...

    def exists(self, wish: Where) -> bool:
        """Return whether any memory is wanted."""
        ...

    def count(self, wish: Where | EventWhere) -> int:
        """Count the memories, or the events, that are wanted."""
        ...

    def count_by(self, wish: Where, field: str) -> dict[str, int]:
        """Count the wanted memories of each scope, or of each status."""
        ...

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) of everything in conflict."""
        ...

    def protocols(self) -> set[str]:
        """Return the protocols that have memories, sessions, or events that are or will be erased.

        Purges erase them.
        """
        ...

    # Values

    def find_value(
        self,
        key: bytes,
        now: str,
        *,
        trusted: Trusted | None = None,
        protocol: str | None = None,
    ) -> tuple[str | None, bool]:
        """Return, in one look, the memory that holds a value and whether it was ever rejected.

        A memory that only another worktree has does not hold it: it may go with that worktree.
        """
        ...

    def rejections(self, key: bytes) -> dict[str, str]:
        """Return the events that reject a value and were not lifted, each with its memory."""
        ...

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id."""
        ...

    def events(
        self, wish: EventWhere, *, first: int | None = None, last: int | None = None
    ) -> list[Event]:
        """Return the events that are wanted, in order, or only the first or last so many.

        Those that only another worktree holds carry its branch.
        """
        ...

    def lines(self, wish: EventWhere) -> list[tuple[Event, bytes]]:
        """Return the events that are wanted, in order, with their stored lines."""
        ...

    def event_sources(self, wish: EventWhere) -> dict[str, str]:
        """Return the ids of the events that are wanted, each with its source; none is read.

        The source is empty for what this checkout holds.
        """
        ...

    def touched(self, wish: EventWhere) -> list[tuple[str, str, Place]]:
        """Return (memory, kind, place in the order) of what the wanted events touch, in order."""
        ...

    def latest_hlc(self) -> str:
        """Return the highest stamp of the events that count."""
        ...

    def heads(
        self, log: str, *, after: str = "", other_than: str = "", most: int | None = None
    ) -> list[tuple[str, str, str]]:
        """Return (writer, stamp, digest) of writers' last events, the newest first.

        Args:
            log: which they wrote.
            after: only those above a stamp.
            other_than: leave one writer out.
            most: only the first so many.
        """
        ...

    # What one part of the program asks, each a protocol of its own

    def search(self) -> Search:
        """Return the words of the memories, as recall asks for them."""
        ...

    def nearby(self, now: str, rule: Trusted) -> Nearby:
        """Return the memories that are current at an instant, as comparing asks for them."""
        ...

    def vectors(self) -> StoredVectors:
        """Return the vectors of the memories, as far as they were made."""
        ...

    def uses(self) -> Uses:
        """Return how often memories were given to agents."""
        ...

    def counts(self) -> EventCounts:
        """Return numbers of events that are kept, so that no query counts them one by one."""
        ...

    def purges(self) -> Purges:
        """Return what purges bar and what is left of it."""
        ...

    def notes(self) -> Notes:
        """Return what is noted beside the rows, and lost with them."""
        ...

    def logs(self) -> IndexedLogs:
        """Return what was read of the logs."""
        ...

    # The index itself

    def update(self) -> AbstractContextManager[Update]:
        """Return a block within which what is written is kept whole, or not at all."""
        ...

    def leave_out(self, events: Iterable[str]) -> None:
        """Show some events no longer, though they stay folded: for a view that is never remade."""
        ...

    @property
    def tainted(self) -> bool:
        """Whether purged content may be left in what is kept."""
        ...

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Leave no byte of purged content, while other processes go on using the index."""
        ...

    @property
    def generation(self) -> object:
        """An object that is replaced whenever the index is opened or made again."""
        ...

    def changes(self) -> tuple[object, int, int]:
        """Return what stays equal as long as nobody writes to this index."""
        ...

    def wait(self, milliseconds: int | None) -> None:
        """Set how long a call waits for another process that writes here; None: as usual."""
        ...

    def is_sound(self) -> bool:
        """Return whether nothing is wrong with what is kept."""
        ...

    def remake(self) -> None:
        """Delete the index and start an empty one."""
        ...

    def close(self) -> None:
        """Release the file."""
        ...


class Uses(Protocol):
    """How often memories were given to agents, and when last."""

    def by_agent(self, memory: str) -> list[tuple[str, int, str]]:
        """Return (agent, how often, when last) of every agent that was given a memory."""
        ...

    def latest(self, *, other_than: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Return (agent, when, memories) of what any other agent was given last."""
        ...

    def accessed(self, *, until: str | None = None) -> dict[str, Told]:
        """Return (how often, when last) by memory, as this checkout's own logs count.

        Up to the last other event about that memory (`memory`), about any of its scope (`scope`),
        or up to now.
        """
        ...


class EventCounts(Protocol):
    """Numbers of events by kind and by session."""

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        """Return the kinds of all events ever read, with their number and their last stamp."""
        ...

    def by_kind(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return by kind the number and the last stamp of all, and of those that do not count here.

        Where there are none of the latter, only the former.
        """
        ...

    def in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        """Return how many events of some kinds a session has here."""
        ...

    def last_in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        """Return the stamp and the time of a session's last event here of some kinds."""
        ...

    def not_here(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return how many events of a session do not count here, and a number made of their ids.

        Where another branch is checked out, as many may come as go.
        """
        ...

    def sessions(self, prefix: str, protocol: str, kind: str) -> list[str]:
        """Return the sessions whose names begin so and that ever had events of a kind."""
        ...


class Purges(Protocol):
    """What purges bar, and what is left of it in the logs and in the index."""

    def barred(self, *names: str) -> set[str]:
        """Return the memories that are purged, of these or of all.

        A view of the past knows those purged since. All of them include the events of talk that
        went with them.
        """
        ...

    def talk(self) -> set[str]:
        """Return the events of talk that go with purged memories."""
        ...

    def has_returned(self, barred: AbstractSet[str]) -> bool:
        """Return whether this checkout's logs hold content of something that was purged."""
        ...


class Notes(Protocol):
    """What is kept beside the rows: notes by name, and verdicts on evidence."""

    def get(self, name: str) -> str | None:
        """Return what was noted under a name, if anything was."""
        ...

    def put(self, name: str, text: str, *, once: bool = False) -> None:
        """Note something; `once`: unless there is a note already."""
        ...

    def drop(self, name: str) -> None:
        """Remove a note."""
        ...

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        """Return (state, path, line, why, what is there) as judged for what was seen."""
        ...

    def put_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        """Keep a verdict without waiting for anybody, and go on where it cannot be kept."""
        ...


class IndexedLogs(Protocol):
    """What was read of the logs: sources, their parts and marks, and what was wrong."""

    def sources(self) -> set[str]:
        """Return the keys of the sources that were read."""
        ...

    def known(self, key: str) -> Known:
        """Return what was read of a source, as the marks that its log handed out."""
        ...

    def closed(self, key: str) -> list[str]:
        """Return the parts of a source that never grow again."""
        ...

    def has_read(self, log: str | None = None) -> bool:
        """Return whether anything was read, of a log or at all."""
        ...

    def extent(self, key: str) -> tuple[int, int]:
        """Return how many parts and events a source has."""
        ...

    def published_parts(self) -> list[tuple[str, str, int]]:
        """Return (source, part, bytes) of what was read of the logs that published files show."""
        ...

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (source, part, start, stop, reason) of what could not be read in this checkout."""
        ...

    def missing_blobs(self) -> list[tuple[str, str]]:
        """Return (source, digest) of the blobs that were missing when they were wanted."""
        ...

    def lost_events(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) of events once read that no log holds any more."""
        ...

    def is_mistimed(self, limit: str) -> bool:
        """Return whether an event waits below a stamp, or counts from there on."""
        ...


class Search(Protocol):
    """The words of the memories, and those an asker may see; `recall/rank.py` asks some of it.

    Rows are a memory's (number, text, summary, tags, speaker, session, at, priority, confidence,
    trust, scope, id, stamp, cited paths), its tags joined as in `values/memory.py`.
    """

    def terms(self, words: Sequence[str]) -> tuple[list[Term], list[str]]:
        """Return the words worth searching for, rarest first, and those left out."""
        ...

    def total(self) -> int:
        """Count the memories, of any status."""
        ...

    def ranked(self, terms: list[Term], limit: int, offset: int) -> list[tuple[int, float]]:
        """Return memories that hold a term, by number and score, best first."""
        ...

    def rows(self, query: Query, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        """Read what the ranking needs of memories, as far as the asker may see them."""
        ...

    def around(self, numbers: Sequence[int], far: int) -> dict[int, tuple[list[int], list[int]]]:
        """Return so many turns before and after some in their sessions, nearest first."""
        ...

    def uses(self, names: Sequence[str]) -> dict[str, int]:
        """Return how often memories were told, of those that were."""
        ...

    def passed_over(self, query: Query, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Name memories of these that the asker may see but is not told, with why."""
        ...

    def count(self, query: Query) -> int:
        """Count the memories the asker may see."""
        ...

    def memories(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Read memories whole."""
        ...

    def names(self, query: Query, column: str, begun: str) -> list[str]:
        """Return what a field holds of the memories the asker may see, newest first.

        Args:
            query: who asks; k: so many at the most.
            column: id, tags, scope or created_by.
            begun: only what begins so; case does not count.
        """
        ...

    def views(self, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
        """Return by memory the protocols that have a view of it, or of what it is a view of."""
        ...

    def newest(self, query: Query) -> list[Memory]:
        """Return the memories the asker may see, the newest first.

        Here and below the critical and then those of high priority come before the others.
        """
        ...

    def critical(self, query: Query) -> list[Memory]:
        """Return those of critical priority."""
        ...

    def named(self, query: Query, names: Sequence[str]) -> list[Memory]:
        """Return those of some names."""
        ...

    def lasting(self, query: Query, scopes: Sequence[str]) -> list[Memory]:
        """Return those that hold for long, or are of some scopes, but for the critical."""
        ...

    def recent(self, query: Query) -> list[Memory]:
        """Return the last that were recorded, but for the critical."""
        ...


class Nearby(Protocol):
    """Memories as they are compared, and the pairs that were found alike.

    Only memories that are current, trusted, not sensitive and held by this checkout are seen.
    """

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        """Return the memories of one scope and log that share the rarest of some words."""
        ...

    def named(self, names: Iterable[str]) -> list[Near]:
        """Return memories by id."""
        ...

    def forget_fallen(self) -> None:
        """Let those be compared again that are not seen now, should they ever be seen again."""
        ...

    def waiting(self, after: int, most: int) -> list[Near]:
        """Return some of the memories that were not compared since they last changed."""
        ...

    def unseen(self) -> int:
        """Return how many memories were not compared since they last changed."""
        ...

    def partners(self, name: str) -> list[str]:
        """Return the memories that one was found to resemble."""
        ...

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        """Note that memories were compared, and the pairs (newer, older) that are alike."""
        ...

    def pairs(self) -> Iterator[tuple[Near, Near]]:
        """Yield every pair that is alike, the newer one first, in the order they were said."""
        ...


class StoredVectors(Protocol):
    """Vectors by the number of their memory; one goes with its memory and with its text."""

    def count(self) -> int:
        """Return how many there are."""
        ...

    def changed(self) -> set[int] | None:
        """Return the memories that changed since the last call; None: they may all have."""
        ...

    def forget_changes(self) -> None:
        """Let the next look find that all may have changed."""
        ...

    def rows(self, numbers: AbstractSet[int] | None) -> Iterator[tuple[Any, ...]]:
        """Yield (number, text, speaker, session, seal, vector) of some memories, or of all."""
        ...

    def keep(self, rows: Iterable[tuple[int, bytes, bytes, str]]) -> None:
        """Keep (number, seal, vector, text), of memories that still say so; if it can be done."""
        ...

    def chains(self, sessions: AbstractSet[str] | None) -> list[tuple[str, int]]:
        """Return (session, number) of the memories of some sessions, or of all, in order."""
        ...


class Update(Protocol):
    """A transaction of the runner: all of it is kept, or nothing. Queries see what it wrote."""

    # Events

    def stored(self, event: str) -> Stored | None:
        """Return what is held of an event, also of one that no log has any more."""
        ...

    def put(self, event: Event, line: str, *, held: bool, where: str) -> None:
        """Keep an event, in the place of any other line of it."""
        ...

    def touch(self, event: str, memories: Iterable[str]) -> None:
        """Note which memories an event touches."""
        ...

    def touched_by(self, event: str) -> list[str]:
        """Return the memories an event touches."""
        ...

    def show(self, event: str, *, present: bool) -> None:
        """Note that some log holds an event again, or none any more."""
        ...

    def move(self, event: str, where: str) -> None:
        """Note that this checkout holds an event again, or only another worktree does."""
        ...

    def hold(self, event: str, *, held: bool) -> None:
        """Note that an event waits for its time, or that its time has come."""
        ...

    def taint(self) -> None:
        """Note that purged content may be left in what is kept."""
        ...

    def mistimed(self, limit: str) -> list[tuple[str, str, str, bool]]:
        """Return (event, log, writer, held) of those to be held from a stamp on, or not."""
        ...

    def retract(self, event: str) -> None:
        """Take out what an event did: touched, rejected, lifted and told."""
        ...

    def count(self, counted: Counted) -> None:
        """Add to how many events there are: (number, last stamp) by kind, session and protocol."""
        ...

    def said_again(self, event: str) -> bool:
        """Tell whether another event stands in for a purged one."""
        ...

    # Heads

    def raise_head(self, event: Event) -> None:
        """Note an event as its writer's newest, unless a newer one is known."""
        ...

    def renew_head(self, log: str, writer: str) -> None:
        """Look for a writer's newest event among those that count here."""
        ...

    # What was told

    def put_told(self, event: str, told: Mapping[tuple[str, str], Told]) -> None:
        """Keep what an event says was told, by memory and agent."""
        ...

    def told_by(self, event: str) -> list[str]:
        """Return the memories an event says were told."""
        ...

    def put_accessed(self, event: str, counted: Mapping[str, Told]) -> None:
        """Keep what an event says was accessed, by memory."""
        ...

    def sum_uses(self, memories: Iterable[str]) -> None:
        """Sum up again how often some memories were told."""
        ...

    # Families

    def events_of(self, memory: str) -> list[tuple[str, str, str, str]]:
        """Return (id, log, line, source elsewhere) of a memory's events that count."""
        ...

    def read_line(self, line: str, log: str) -> Event:
        """Read a line that was kept; if it is not what it was, the index is damaged."""
        ...

    def holding(self, key: bytes) -> list[str]:
        """Return the memories that hold a value."""
        ...

    def any_rejected(self) -> bool:
        """Tell whether there is anything to judge values by: a rejection or a lift."""
        ...

    def rejections_of(self, memory: str) -> set[Rejection]:
        """Return the rejections of a memory's values, and those by events that touch it."""
        ...

    def lifted_by(self, memory: str) -> list[str]:
        """Return the events lifted by those that touch a memory."""
        ...

    def lifted_in(self, event: str) -> list[str]:
        """Return the events that one lifts."""
        ...

    def rejected_in(self, event: str) -> list[bytes]:
        """Return the values an event rejects."""
        ...

    def replace_rejections(
        self,
        members: Iterable[str],
        rejections: Iterable[Rejection],
        lifts: Iterable[tuple[str, str]],
    ) -> None:
        """Put what a family rejects and lifts in the place of what it did before."""
        ...

    def replace_rows(self, members: Iterable[str], rows: Mapping[str, Row]) -> None:
        """Replace the rows of a family's members; one that is no longer there goes."""
        ...

    # Blobs that were not there when they were wanted

    def miss(self, source: str, digest: str, memories: Iterable[str]) -> None:
        """Note which memories wait for a blob of a source."""
        ...

    def come(self, source: str, digest: str) -> list[str]:
        """Wait for a blob no longer; return the memories that did."""
        ...

    # Parts of the logs, and what they hold

    def number(self, source: str, name: str) -> int:
        """Return a part's number; a new one's too."""
        ...

    def parts(self, source: str) -> list[int]:
        """Return the numbers of the parts known of a source."""
        ...

    def name_of(self, part: int) -> tuple[str, str] | None:
        """Return a part's source and name, if it is still known."""
        ...

    def keep_part(self, part: int, read: Part) -> None:
        """Keep the mark of a part that was read, how much there was and what was bad in it."""
        ...

    def close_parts(self, source: str, names: Iterable[str]) -> None:
        """Note parts that never grow again."""
        ...

    def clear(self, part: int) -> list[str]:
        """Forget what a part holds; return the events it held."""
        ...

    def drop_part(self, part: int) -> None:
        """Forget a part that was cleared."""
        ...

    def keep_source(self, source: str, mark: bytes) -> None:
        """Keep the mark of a log as a whole; empty: there is no log any more."""
        ...

    def drop_source(self, source: str) -> None:
        """Forget a source whose parts were dropped."""
        ...

    def place(self, part: int, event: str, mark: str) -> None:
        """Note that a part holds a line of an event."""
        ...

    def places(self, event: str) -> list[tuple[int, str]]:
        """Return the parts that hold an event, with the marks of its lines there."""
        ...

    def holder(self, event: str) -> str:
        """Return where an event is: nothing if a part of this checkout holds it, else a source."""
        ...
