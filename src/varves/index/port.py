"""What the rooms, recall and the runner ask of an index: named queries and one kind of update.

An index holds events as the logs have them and memories as they are folded. Nothing in it is a
source: it can be thrown away, and `runner.py` makes it again. What is wanted is a value
(`where.py`); quarantine, scope and status are part of it. An adapter keeps the rows as it likes
and passes the suite in `varves.testing.index`.

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
Step = tuple[str, tuple[str, ...]]  # an event's kind and its place in the order
Counted = dict[tuple[str, str | None, str | None], tuple[int, str]]
Rejection = tuple[str, bytes, str]  # the event, the value and the memory


class Index(Protocol):
    """Memories and their events, for look-up."""

    path: str | None
    """Where it is kept; None: in memory only."""
    tainted: bool
    """Whether purged content may be left in what is kept."""
    branch_of: Callable[[str], str | None]
    """Tells the branch that is out in another worktree, by the key of its source."""
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

    def how_many(self, wish: Where) -> int:
        """Count the memories that are wanted."""
        ...

    def sizes(self, wish: Where, *, by: str = "scope") -> dict[str, int]:
        """Return how many of the wanted memories each scope, or each status, has."""
        ...

    def stored_texts(self) -> Iterator[tuple[str, str]]:
        """Yield each memory's id and all the text that is stored of it."""
        ...

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) of everything in conflict."""
        ...

    def has_views(self) -> bool:
        """Tell whether any memory is a view of another."""
        ...

    def protocols(self) -> set[str]:
        """Return the protocols whose memories are here, whose sessions ran or whose events went.

        These are events that were purged, or are to be.
        """
        ...

    # Values

    def standing(
        self,
        key: bytes,
        now: str,
        *,
        trusted: Trusted | None = None,
        protocol: str | None = None,
    ) -> tuple[str | None, bool]:
        """Return, in one look, the memory that holds a value and whether it was ever rejected.

        A memory that lives only in another worktree does not hold it: it may go with that.
        """
        ...

    def rejecting(self, key: bytes) -> list[str]:
        """Return the events that reject a value and have not been lifted."""
        ...

    def rejected_memory(self, event: str, key: bytes) -> str | None:
        """Return the memory whose value an event rejected."""
        ...

    # What was told

    def told_to(self, memory: str) -> list[tuple[str, int, str]]:
        """Return (agent, how often, when last) of everyone who was told a memory."""
        ...

    def told_last(self, *, but: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Return (agent, when, memories) of what was told last to anybody but one."""
        ...

    def uses(self, names: Sequence[str]) -> dict[str, Told]:
        """Return (how often, when last) of those memories that were ever told."""
        ...

    def accessed(self, *, until: str | None = None) -> dict[str, Told]:
        """Return (how often, when last) by memory, as this checkout's own logs count.

        Up to the last other event about that memory (`memory`), about any of its scope (`scope`),
        or up to now.
        """
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

    def count_events(self, wish: EventWhere) -> int:
        """Count the events that are wanted."""
        ...

    def history(self, memory: str) -> list[Event]:
        """Return every event that touched a memory, in order."""
        ...

    def steps(self, memories: Sequence[str], log: str) -> dict[str, list[Step]]:
        """Return by memory the kind and the place in order of its events in a log, unread."""
        ...

    def event_ids(self, wish: EventWhere) -> set[str]:
        """Return the ids of the events that are wanted; none of them is read."""
        ...

    def elsewhere(self) -> dict[str, str]:
        """Return the source of every event that only another worktree holds."""
        ...

    def absent(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) of events once read that no log holds any more."""
        ...

    def touched_since(self, hlc: str) -> set[str]:
        """Return the memories that events which count here touch after a stamp."""
        ...

    def latest_hlc(self) -> str:
        """Return the highest stamp of the events that count."""
        ...

    def heads(self, log: str, *, after: str, other_than: str) -> list[tuple[str, str]]:
        """Return (stamp, digest) of other writers' heads newer than a stamp, newest first."""
        ...

    def clones_of(self, log: str) -> list[str]:
        """Return the clones that have written a log."""
        ...

    def mistimed(self, limit: str) -> bool:
        """Tell whether an event waits below a stamp, or counts from there on."""
        ...

    # Numbers of events, which no query counts one by one

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        """Return the kinds of all events ever read, with their number and their last stamp."""
        ...

    def tally(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return by kind the number and the last stamp of all, and of those that do not count here.

        Where there are none of the latter, only the former.
        """
        ...

    def said(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        """Return how many events of some kinds a session has here."""
        ...

    def said_last(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        """Return the stamp and the time of a session's last event here of some kinds."""
        ...

    def apart(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return how many events of a session do not count here, and a number made of their ids."""
        ...

    def talks(self, prefix: str, protocol: str, kind: str) -> list[str]:
        """Return the sessions whose names begin so and that ever had events of a kind."""
        ...

    # Purges

    def purged(self, *names: str) -> set[str]:
        """Return the memories that were purged, of these or of all; also since, seen from a past.

        With all of them come the events of talk that went with them.
        """
        ...

    def covered(self) -> set[str]:
        """Return the events of talk that go with purged memories."""
        ...

    def own_purged(self) -> list[str]:
        """Return the memories that this clone purged."""
        ...

    def is_back(self, barred: AbstractSet[str]) -> bool:
        """Tell whether this checkout's logs hold content of something that was purged."""
        ...

    def taint(self) -> None:
        """Note, in the running update, that purged content may be left in what is kept."""
        ...

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Leave no byte of purged content, while other processes go on using the index."""
        ...

    def leave_out(self, events: Iterable[str]) -> None:
        """Show some events no longer, though they stay folded: for a view that is never remade."""
        ...

    # Notes and verdicts: kept beside the rows, and lost with them

    def note(self, name: str) -> str | None:
        """Return what was noted under a name, if anything was."""
        ...

    def set_note(self, name: str, text: str, *, once: bool = False) -> None:
        """Note something; `once`: unless there is a note already."""
        ...

    def drop_note(self, name: str) -> None:
        """Take a note away."""
        ...

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        """Return (state, path, line, why, what is there) as judged for what was seen."""
        ...

    def keep_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        """Keep a verdict without waiting for anybody, and go on where it cannot be kept."""
        ...

    # Words, likeness, meaning

    def search(self) -> Search:
        """Return the words of the memories, as recall asks for them."""
        ...

    def nearby(self, now: str, rule: Trusted) -> Nearby:
        """Return the memories that are current at an instant, as comparing asks for them."""
        ...

    def vectors(self) -> StoredVectors:
        """Return the vectors of the memories, as far as they were made."""
        ...

    # What was read of the logs

    def sources(self) -> set[str]:
        """Return the keys of the sources it has read from."""
        ...

    def has_parts(self) -> bool:
        """Tell whether anything was read before that outlasts this process."""
        ...

    def has_read(self, log: str) -> bool:
        """Tell whether anything was read from a log."""
        ...

    def extent(self, key: str) -> tuple[int, int]:
        """Return how many parts and events a source has."""
        ...

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (source, part, start, stop, reason) of what could not be read in this checkout."""
        ...

    def missing(self) -> list[tuple[str, str]]:
        """Return (source, digest) of the blobs that were not there when they were wanted."""
        ...

    def known(self, key: str) -> Known:
        """Return what was read of a source, as the marks that its log handed out."""
        ...

    def closed(self, key: str) -> list[str]:
        """Return the parts of a source that never grow again."""
        ...

    def read_so_far(self) -> list[tuple[str, str, int]]:
        """Return (source, part, bytes) of what was read of the logs that published files show."""
        ...

    # The index itself

    def update(self) -> AbstractContextManager[Update]:
        """Return a block within which what is written stays whole, or not at all."""
        ...

    def read_line(self, line: str, log: str) -> Event:
        """Read a line that was kept; if it is not what it was, the index is damaged."""
        ...

    @property
    def generation(self) -> object:
        """An object that is replaced whenever the index is opened or made again."""
        ...

    def changes(self) -> tuple[object, int, int]:
        """Return what stays equal as long as nobody writes to this index."""
        ...

    def wait(self, milliseconds: int | None) -> None:
        """Say how long a call waits for another process that writes here; None: as usual."""
        ...

    def is_sound(self) -> bool:
        """Tell whether nothing is wrong with what is kept."""
        ...

    def remake(self) -> None:
        """Throw the index away and start an empty one."""
        ...

    def close(self) -> None:
        """Let go."""
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
