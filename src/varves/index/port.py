"""The interface of an index: queries for the other packages, and updates for the runner.

An index stores the events of the logs and the folded memories. It is never a source of truth: it
can be deleted, and `runner.py` rebuilds it. A query is a value (`where.py`) that says which scopes
and statuses are wanted, and whether quarantined memories are. Queries that only one part of the
program needs are in a separate `typing.Protocol`, which a method of `Index` returns. An adapter may
store the rows in any form, but must pass the tests in `varves.testing.index`.

An event *counts* if a log contains it now and its time is not in the future. It counts *here* if
this checkout contains it; an event that only another worktree contains does not. Unless stated
otherwise, a query covers all events that a log contains now, including those in the future. The
index numbers the memories itself: the numbers stay the same until the index is rebuilt, and a newer
memory has a higher number.
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
    from varves.log.sources import Lines, Part
    from varves.values.memory import Memory
    from varves.values.near import Near, Pair
    from varves.values.outline import Outline
    from varves.values.query import Query, Term

Told = tuple[int, str]  # how often, and when last (as an ISO instant)
Place = tuple[str, str, str]  # an event's place in the total order: stamp, writer, id
Counted = dict[tuple[str, str | None, str | None], tuple[int, str]]
Rejection = tuple[str, bytes, str]  # (event that rejects, key of the value, memory that had it)


class Index(Protocol):
    """The interface of an index: it stores memories and their events, and answers queries."""

    branch_of: Callable[[str], str | None]
    """A function from the key of another worktree's source to the branch checked out there."""
    looked_at: int
    """How many of a log's closed parts an ordinary freshness check looks at."""

    @property
    def path(self) -> str | None:
        """The path of the index; None if it is in memory only."""
        ...

    # Memories

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        ...

    def memories(
        self, wish: Where, *, order: str = "recorded", lean: bool = False, most: int | None = None
    ) -> list[Memory]:
        """Return the matching memories.

        Args:
            wish: the conditions on the memories.
            order: recorded, newest, latest (newest; if equal, by descending id), scope, trust
                (highest first) or id.
            lean: leave out the texts and bodies.
            most: the maximum number of memories.
        """
        ...

    def outlines(self, wish: Where) -> list[Outline]:
        """Return the outlines of the matching memories, in order of recording.

        This is much faster than `memories`.
        """
        ...

    def exists(self, wish: Where) -> bool:
        """Return whether any memory matches."""
        ...

    def count(self, wish: Where | EventWhere) -> int:
        """Count the matching memories or events."""
        ...

    def count_by(self, wish: Where, field: str) -> dict[str, int]:
        """Count the matching memories by a field, in the order of their first memories.

        If the field has several values, such as tags, each of them counts.
        """
        ...

    def versions(self, wish: Where) -> set[tuple[str, str]]:
        """Return (id, event that changed it last) of the matching memories."""
        ...

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) for every memory with a flag: a rejected value, or a rival."""
        ...

    def protocols(self) -> set[str]:
        """Return the protocols with memories, sessions or conversation events in the index."""
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
        """Return the memory that states a value, or None, and whether the value was ever rejected.

        A memory that only another worktree has is left out, because the worktree may be removed.
        """
        ...

    def rejections(self, key: bytes) -> dict[str, str]:
        """Return the rejections of a value that are in force, as ids: event → rejected memory."""
        ...

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id."""
        ...

    def events(
        self, wish: EventWhere, *, first: int | None = None, last: int | None = None
    ) -> list[Event]:
        """Return the matching events in order; with `first` or `last`, only that number of events.

        An event that only another worktree contains has that worktree's branch in `branch`.
        """
        ...

    def lines(self, wish: EventWhere) -> list[tuple[Event, bytes]]:
        """Return the matching events in order, with their stored lines."""
        ...

    def event_sources(self, wish: EventWhere) -> dict[str, str]:
        """Return the source of each matching event, by the event's id; no line is decoded.

        The source is empty for an event of this checkout.
        """
        ...

    def touched(self, wish: EventWhere) -> list[tuple[str, str, Place]]:
        """Return (memory, kind of event, place in order) for the memories of matching events."""
        ...

    def latest_hlc(self) -> str:
        """Return the highest stamp of events in a log, except stamps in the future."""
        ...

    def heads(
        self, log: str, *, after: str = "", other_than: str = "", most: int | None = None
    ) -> list[tuple[str, str, str]]:
        """Return (writer, stamp, digest) of each writer's last event, the newest first.

        Args:
            log: the log whose writers are returned.
            after: return only events with a higher stamp.
            other_than: the writer to leave out.
            most: the maximum number of writers.
        """
        ...

    # Queries of one part of the program, each a separate protocol

    def search(self) -> Search:
        """Return the full-text search over the memories, for recall."""
        ...

    def nearby(self, now: str, rule: Trusted) -> Nearby:
        """Return the queries for comparing memories that are current at an instant."""
        ...

    def vectors(self) -> StoredVectors:
        """Return the store of the memories' vectors."""
        ...

    def uses(self) -> Uses:
        """Return the queries about how often memories were shown to agents."""
        ...

    def counts(self) -> EventCounts:
        """Return the queries about the numbers of events, by kind and session."""
        ...

    def purges(self) -> Purges:
        """Return the queries about purged memories and their remains."""
        ...

    def notes(self) -> Notes:
        """Return the store of notes; they are deleted with the index."""
        ...

    def logs(self) -> IndexedLogs:
        """Return the queries about the logs that the index has read, and how far."""
        ...

    # The index itself

    def update(self) -> AbstractContextManager[Update]:
        """Return a `with` block that is a transaction: all of its writes are stored, or none."""
        ...

    def aside(self) -> Filling | None:
        """Return a new index that is filled in bulk and then replaces this one.

        None if this index can only be filled in the ordinary way.
        """
        ...

    def leave_out(self, events: Iterable[str]) -> None:
        """Hide some events from queries of events; their effects on the memories remain.

        Used for a view of the past, which is never updated.
        """
        ...

    @property
    def tainted(self) -> bool:
        """Whether the index may still contain purged content."""
        ...

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Remove every byte of purged content while other processes use the index."""
        ...

    @property
    def generation(self) -> object:
        """An object that identifies the index until it is opened again or rebuilt from the logs."""
        ...

    def changes(self) -> tuple[object, int, int]:
        """Return a value that changes whenever something is written to this index."""
        ...

    def wait(self, milliseconds: int | None) -> None:
        """Set how long a call waits for another writing process; None restores the default."""
        ...

    def is_sound(self) -> bool:
        """Return whether the stored index has no errors."""
        ...

    def remake(self) -> None:
        """Delete the index's content and start with an empty index."""
        ...

    def close(self) -> None:
        """Close the index's file."""
        ...


class Uses(Protocol):
    """Queries about how often memories were shown to agents, and when last."""

    def by_agent(self, memory: str) -> list[tuple[str, int, str]]:
        """Return (agent, how often, when last) for every agent that a memory was shown to."""
        ...

    def latest(self, *, other_than: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Return (agent, when, memories) for the last time that another agent saw memories."""
        ...

    def accessed(self, *, until: str | None = None) -> dict[str, Told]:
        """Return, by memory, how often and when last it was read, from this checkout's own logs.

        `until` sets where counting stops: at the last other event about that memory (`memory`), or
        about any memory of its scope (`scope`), or now (None).
        """
        ...


class EventCounts(Protocol):
    """Queries about the numbers of events, by kind and by session."""

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        """Return (kind, number, last stamp) of all events ever read, without the kinds in `but`."""
        ...

    def by_hour(self, *, minutes: bool = False) -> list[tuple[str, int]]:
        """Return (hour, number) of the events that count here, for each hour that has any.

        An hour is the beginning of an ISO instant, such as `2026-11-15T06`; with `minutes`, it is
        a minute, such as `2026-11-15T06:12`.
        """
        ...

    def by_kind(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return, by kind, the number and last stamp of all events, and of events elsewhere.

        The second pair is omitted if every event of the kind counts in this checkout.
        """
        ...

    def in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        """Return the number of events of some kinds that a session has in this checkout."""
        ...

    def last_in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        """Return the stamp and time of a session's last event of some kinds in this checkout."""
        ...

    def not_here(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return the number of a session's events that are not in this checkout, and a checksum.

        The checksum is computed from the ids of these events. It changes if another branch is
        checked out that adds as many events as it removes.
        """
        ...

    def sessions(self, prefix: str, protocol: str, kind: str) -> list[str]:
        """Return the sessions whose id has this prefix and that ever had an event of a kind."""
        ...


class Purges(Protocol):
    """Queries about purged memories, and their content that still exists in logs or the index."""

    def barred(self, *names: str) -> set[str]:
        """Return the purged memories among `names` or, without `names`, all purged memories.

        A view of the past includes memories that were purged later. Without `names`, the
        conversation events that were purged with them are included.
        """
        ...

    def talk(self) -> set[str]:
        """Return the ids of the conversation events that were purged together with memories."""
        ...

    def has_returned(self, barred: AbstractSet[str]) -> bool:
        """Return whether this checkout's logs contain content of a purged memory."""
        ...


class Notes(Protocol):
    """Stores notes by name, and verdicts on evidence; both are deleted with the index."""

    def get(self, name: str) -> str | None:
        """Return the text of the note with this name, or None."""
        ...

    def put(self, name: str, text: str, *, once: bool = False) -> None:
        """Store a note; if `once` is set, an existing note with this name is not changed."""
        ...

    def drop(self, name: str) -> None:
        """Remove a note."""
        ...

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        """Return a stored verdict as (state, path, line, reason, found text).

        None if there is no verdict for this state of the files.
        """
        ...

    def put_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        """Store a verdict on evidence; if this fails or another process writes, do nothing."""
        ...


class IndexedLogs(Protocol):
    """Queries about the logs that the index has read: sources, parts, marks, unreadable lines."""

    def sources(self) -> set[str]:
        """Return the keys of the sources that were read."""
        ...

    def known(self, key: str) -> Known:
        """Return the marks that were stored for a source."""
        ...

    def closed(self, key: str) -> list[str]:
        """Return the parts of a source that are closed: they never grow again."""
        ...

    def has_read(self, log: str | None = None) -> bool:
        """Return whether any part of a log was read; without a log, whether any log was."""
        ...

    def extent(self, key: str) -> tuple[int, int]:
        """Return the number of parts and of events that a source has."""
        ...

    def arrived(self) -> tuple[str, int]:
        """Return the name of this index's numbering of arriving events, and the last number.

        Events get numbers in the order in which the index reads them. An index that is rebuilt has
        another name, and numbers only the events that arrive after that.
        """
        ...

    def published_parts(self) -> list[tuple[str, str, int]]:
        """Return (source, part, size in bytes) of all parts of logs that git may publish."""
        ...

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (source, part, start, stop, reason) for each unreadable range in this checkout."""
        ...

    def missing_blobs(self) -> list[tuple[str, str]]:
        """Return (source, digest) for each blob that was missing when its text was needed."""
        ...

    def lost_events(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) for each event that was read earlier and is now in no log."""
        ...

    def is_mistimed(self, limit: str) -> bool:
        """Return whether an event's held state is wrong: stamps above `limit` must be held back."""
        ...


class Search(Protocol):
    """Full-text search over the memories a caller may see; used by `recall/rank.py`.

    A row is a tuple: number, text, summary, topic, tags, speaker, session, at, priority,
    confidence, trust, scope, id, stamp, cited paths. The tags are joined by the separator of
    `values/memory.py`.
    """

    def terms(self, words: Sequence[str]) -> tuple[list[Term], list[str]]:
        """Return the words of a query to search for, rarest first, and the words left out."""
        ...

    def total(self) -> int:
        """Count the memories, of any status."""
        ...

    def ranked(self, terms: list[Term], limit: int, offset: int) -> list[tuple[int, float]]:
        """Return (number, score) of the memories that contain a term, best first."""
        ...

    def holding(self, phrases: Sequence[str]) -> list[list[int]]:
        """Return, for each word or phrase of lower-case words, the memories that contain it."""
        ...

    def rows(self, query: Query, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return the columns for ranking of those memories that the caller may see."""
        ...

    def around(self, numbers: Sequence[int], far: int) -> dict[int, tuple[list[int], list[int]]]:
        """Return the memories up to `far` turns before and after each memory in its session."""
        ...

    def uses(self, names: Sequence[str]) -> dict[str, int]:
        """Return how often each memory was shown; memories that were never shown are left out."""
        ...

    def passed_over(self, query: Query, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return memories that the caller may see but recall leaves out, each with the reason."""
        ...

    def count(self, query: Query) -> int:
        """Count the memories that the caller may see."""
        ...

    def memories(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Return complete memories."""
        ...

    def names(self, query: Query, column: str, begun: str) -> list[str]:
        """Return the values of a field among the memories that the caller may see, newest first.

        Args:
            query: names the caller; its k is the maximum number of values.
            column: id, tags, scope or created_by.
            begun: a prefix of the values; case is ignored.
        """
        ...

    def views(self, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
        """Return, by memory, the protocols that show the memory or its record as a view."""
        ...

    def newest(self, query: Query) -> list[Memory]:
        """Return the memories that the caller may see, newest first.

        Here and in the methods below, memories of critical priority come first, then those of high
        priority.
        """
        ...

    def critical(self, query: Query) -> list[Memory]:
        """Return the memories of critical priority."""
        ...

    def named(self, query: Query, names: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids."""
        ...

    def lasting(self, query: Query, scopes: Sequence[str]) -> list[Memory]:
        """Return long-lived memories, and memories of some scopes, but no critical memories."""
        ...

    def recent(self, query: Query) -> list[Memory]:
        """Return the most recently recorded memories, without critical memories."""
        ...


class Nearby(Protocol):
    """Queries for comparing memories: their texts, their keys, and the pairs that were found.

    Only memories that are current, trusted, not sensitive and in this checkout are included. A key
    is a number that two statements share if they may be about the same thing. An index does not
    compute keys. It stores the keys that it is given, and deletes them when the memory changes.
    """

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        """Return the memories of a scope and log that share the rarest of the given words."""
        ...

    def named(self, names: Iterable[str]) -> list[Near]:
        """Return memories by id."""
        ...

    def numbered(self, numbers: Sequence[int]) -> list[Near]:
        """Return memories by their numbers in the index, in the given order."""
        ...

    # Keys

    def sharing(self, keys: Iterable[int], *, other_than: str, most: int) -> list[Near]:
        """Return the memories that share the most of the given keys; a rare key counts more.

        Of the memories that share a key, only the newest MEMBERS (`values/near.py`) are considered.
        """
        ...

    def unkeyed(self, most: int) -> list[Near]:
        """Return memories whose keys are not stored, or are outdated, newest first."""
        ...

    def keep_keys(self, found: Sequence[tuple[Near, Iterable[int]]]) -> None:
        """Store the keys of memories; memories that changed since they were read are skipped."""
        ...

    def members(self, keys: Iterable[int]) -> dict[int, list[int]]:
        """Return, by key, the numbers of the newest MEMBERS memories that have it, newest first."""
        ...

    # Comparisons

    def waiting(self, after: int, most: int) -> list[Near]:
        """Return at most `most` memories that changed since they were last compared."""
        ...

    def writers(self, after: int, most: int) -> list[tuple[int, str]]:
        """Return (number, writer) of the newest memories that wait for comparison.

        Args:
            after: only memories with a higher number are returned.
            most: the maximum number of memories.
        """
        ...

    def newest_waiting(self) -> int:
        """Return the highest number of a memory that waits for comparison, or 0."""
        ...

    def unseen(self) -> int:
        """Return how many memories changed since they were last compared."""
        ...

    def partners(self, name: str) -> list[str]:
        """Return the memories that form a pair of related memories with the given memory."""
        ...

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        """Record that memories were compared, with the related pairs (newer, older) found.

        A memory that changed since it was read is still to be compared.
        """
        ...

    def pairs(self) -> list[Pair]:
        """Return all pairs of related memories, in the order in which they were recorded."""
        ...


class StoredVectors(Protocol):
    """Vectors by memory number; a vector is deleted with its memory or its text."""

    def count(self) -> int:
        """Return how many vectors are stored."""
        ...

    def changed(self) -> set[int] | None:
        """Return the memories that changed since the last call; None if this is not known."""
        ...

    def forget_changes(self) -> None:
        """Make the next call of `changed` return None."""
        ...

    def rows(self, numbers: AbstractSet[int] | None) -> Iterator[tuple[Any, ...]]:
        """Yield (number, text, speaker, session, seal, vector) of the given memories, or of all."""
        ...

    def keep(self, rows: Iterable[tuple[int, bytes, bytes, str]]) -> None:
        """Store rows of (number, seal, vector, text), if possible.

        A row is skipped if the text of its memory has changed.
        """
        ...

    def chains(self, sessions: AbstractSet[str] | None) -> list[tuple[str, int]]:
        """Return (session, number) of the memories of the given sessions, or of all, in order."""
        ...


class Update(Protocol):
    """A transaction of the runner: all writes are stored or none.

    Queries already see the writes.
    """

    # Events

    def stored(self, event: str) -> Stored | None:
        """Return the stored row of an event, also if no log contains the event any more."""
        ...

    def put(self, event: Event, line: str, *, held: bool, where: str) -> None:
        """Store an event, in place of any stored event with the same id."""
        ...

    def arrive(self, event: str) -> None:
        """Number an event that no log contained before."""
        ...

    def touch(self, event: str, memories: Iterable[str]) -> None:
        """Record which memories an event acts on."""
        ...

    def touched_by(self, event: str) -> list[str]:
        """Return the memories that an event acts on."""
        ...

    def show(self, event: str, *, present: bool) -> None:
        """Record whether any log contains an event."""
        ...

    def move(self, event: str, where: str) -> None:
        """Record which source contains an event; `where` is "" if this checkout contains it."""
        ...

    def hold(self, event: str, *, held: bool) -> None:
        """Record whether an event has no effect yet, because its stamp is in the future."""
        ...

    def taint(self) -> None:
        """Record that the index may still contain purged content."""
        ...

    def mistimed(self, limit: str) -> list[tuple[str, str, str, bool]]:
        """Return (event, log, writer, held) for events that must be held back or released."""
        ...

    def retract(self, event: str) -> None:
        """Remove what is stored about an event's effects: memories, rejections, lifts and uses."""
        ...

    def count(self, counted: Counted) -> None:
        """Add (number, last stamp), given by kind and session, to the stored counts of events."""
        ...

    def said_again(self, event: str) -> bool:
        """Return whether a stand-in (another event) repeats the effects of this purged event."""
        ...

    # Heads

    def raise_head(self, event: Event) -> None:
        """Record an event as its writer's newest event, unless a newer one is known."""
        ...

    def renew_head(self, log: str, writer: str) -> None:
        """Find and store a writer's newest event that is in effect in this checkout."""
        ...

    # What agents were shown

    def put_told(self, event: str, told: Mapping[tuple[str, str], Told]) -> None:
        """Store how often an event says that memories were shown, by memory and agent."""
        ...

    def told_by(self, event: str) -> list[str]:
        """Return the memories that were shown according to an event."""
        ...

    def put_accessed(self, event: str, counted: Mapping[str, Told]) -> None:
        """Store how often an event says that memories were accessed, by memory."""
        ...

    def sum_uses(self, memories: Iterable[str]) -> None:
        """Compute again how often the given memories were shown."""
        ...

    # Families

    def events_of(self, memory: str) -> list[tuple[str, str, str, str]]:
        """Return (id, log, line, source) for each event on a memory that has an effect now.

        The source is "" if this checkout contains the event.
        """
        ...

    def read_line(self, line: str, log: str) -> Event:
        """Decode a stored line; raise an error if the line is damaged."""
        ...

    def holding(self, key: bytes) -> list[str]:
        """Return the memories that state the value with this key."""
        ...

    def any_rejected(self) -> bool:
        """Return whether the index has any rejection, or any event that lifts a rejection."""
        ...

    def rejections_of(self, memory: str) -> set[Rejection]:
        """Return all rejections of a memory's values or by events that act on the memory."""
        ...

    def lifted_by(self, memory: str) -> list[str]:
        """Return the events whose rejections are lifted by an event that acts on a memory."""
        ...

    def lifted_in(self, event: str) -> list[str]:
        """Return the events whose rejection is lifted by an event."""
        ...

    def rejected_in(self, event: str) -> list[bytes]:
        """Return the keys of the values that an event rejects."""
        ...

    def replace_rejections(
        self,
        members: Iterable[str],
        rejections: Iterable[Rejection],
        lifts: Iterable[tuple[str, str]],
    ) -> None:
        """Replace the stored rejections, and the events that lift them, of a family of memories."""
        ...

    def replace_rows(self, members: Iterable[str], rows: Mapping[str, Row]) -> None:
        """Store the new rows of a family; delete the rows of members without a new row."""
        ...

    # Blobs that were missing when they were needed

    def miss(self, source: str, digest: str, memories: Iterable[str]) -> None:
        """Record which memories need a long text (blob) that is missing in a source."""
        ...

    def come(self, source: str, digest: str) -> list[str]:
        """Record that a long text (blob) is now available; return the memories that need it."""
        ...

    # Parts of the logs, and their content

    def number(self, source: str, name: str) -> int:
        """Return the number of a part of a log; a new part gets a number."""
        ...

    def parts(self, source: str) -> list[int]:
        """Return the numbers of all stored parts of a source."""
        ...

    def name_of(self, part: int) -> tuple[str, str] | None:
        """Return the source and the name of a part, or None if the part is not stored."""
        ...

    def keep_part(self, part: int, read: Part) -> None:
        """Store the mark, the size and the unreadable ranges of a part of a log that was read."""
        ...

    def close_parts(self, source: str, names: Iterable[str]) -> None:
        """Record that parts are closed, so that they never grow again."""
        ...

    def clear(self, part: int) -> list[str]:
        """Delete everything stored of a part; return the ids of the events in the part."""
        ...

    def drop_part(self, part: int) -> None:
        """Delete a part of a log whose stored events were deleted with `clear`."""
        ...

    def keep_source(self, source: str, mark: bytes) -> None:
        """Store the mark of a whole log; empty if the log no longer exists."""
        ...

    def drop_source(self, source: str) -> None:
        """Delete a source whose parts were deleted with `drop_part`."""
        ...

    def place(self, part: int, event: str, mark: str) -> None:
        """Record that a part contains a line of an event."""
        ...

    def places(self, event: str) -> list[tuple[int, str]]:
        """Return (part, mark of the line) for each part that contains a line of an event."""
        ...

    def holder(self, event: str) -> str:
        """Return the source that contains an event; "" if a log of this checkout contains it."""
        ...


class Past(Index, Protocol):
    """An index at an earlier moment, which starts from a state that is known already."""

    folded: list[str]
    """The memories that have to be folded, because other events count than in the known state."""
    progress: Callable[[int], None] | None
    """A function that is called with the number of families folded so far."""
    freed: list[bytes]
    """The values that were rejected by events that no longer count."""

    def prepare(self) -> None:
        """Take over what is the same as in the known state, and find what is not."""
        ...

    def finish(self) -> None:
        """Complete the index after the memories were folded."""
        ...


class Filling(Protocol):
    """A new index that is filled in bulk, for `index/bulk.py`.

    It must end with `replace` or `leave`.
    """

    resumed: bool
    """Whether an interrupted filling has stored a part of it."""
    last: int
    """The highest number of a memory so far; memories are numbered in the order of their events."""

    @property
    def index(self) -> Index:
        """The new index. Its updates store events and parts; after `connect`, it is complete."""
        ...

    def put(
        self, part: int, events: Lines, *, limit: str, disputed: AbstractSet[str]
    ) -> tuple[Lines, list[str]]:
        """Store the events of a part, all of them of this checkout.

        Args:
            part: the number of the part.
            events: the events with their lines.
            limit: events with this stamp or a later one are held back.
            disputed: events of which several lines were found.

        Return:
            The events that were not stored before, and the ids of those of which another line is
            stored, or which are disputed; nothing is changed for these.
        """
        ...

    def touch(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Record which memories events act on, as (memory, event)."""
        ...

    def add_rows(self, rows: Sequence[tuple[int, Row]]) -> None:
        """Store rows of memories that have no row yet, with their numbers."""
        ...

    def wait(self, memories: Sequence[tuple[str, int]]) -> None:
        """Note memories, with numbers for them, that are folded after all events were read."""
        ...

    def end_events(self) -> None:
        """Find the memories that are folded now, after all events were read.

        These are the memories that were noted, and those on which several events act.
        """
        ...

    def waiting(self) -> Iterator[tuple[int, str, list[tuple[str, str, str]]]]:
        """Yield the memories to fold: number, id, and (id, log, line) of the events on each."""
        ...

    def replace_rows(self, families: Iterable[tuple[Iterable[str], Mapping[str, Row]]]) -> None:
        """Store the rows of families, given as (members, rows); other members are removed."""
        ...

    def add_rejections(
        self, rejections: Sequence[Rejection], lifts: Sequence[tuple[str, str]]
    ) -> None:
        """Store rejections, and the events that lift them."""
        ...

    def connect(self) -> None:
        """Complete the index after all rows were stored, so that it can be queried and updated."""
        ...

    def rejected(self, twin: str) -> list[str]:
        """Return the memories whose rows may be different because their value is rejected.

        Args:
            twin: the reason of a memory that another one with the same text replaced.
        """
        ...

    def leave(self, *, resumable: bool) -> None:
        """Give up; if `resumable`, keep what was filled, as the start of the next filling."""
        ...

    def replace(self) -> None:
        """Let every process use the new index instead of the earlier one from now on."""
        ...
