"""An index that keeps everything in memory, in dictionaries.

It is used in tests and for small ledgers without SQLite, and is the simplest implementation of the
port. Every query reads all rows. Values in the dictionaries are replaced and never changed, so a
shallow copy of the dictionaries is enough to roll an update back.
"""

from __future__ import annotations

from varves.events.codec import decode, purged_line
from varves.events.kinds import BARRING, SESSION_STARTED
from varves.events.remnants import covers, holds, in_force
from varves.events.views import VIEW_OF
from varves.index.rows import CONTENT, Stored, completed, is_compared
from varves.index.where import EventWhere, Trusted, Where
from varves.index.words import index_words
from varves.log.sources import ELSEWHERE, OWN_PURGES
from varves.values.ids import IdSource
from varves.values.instants import HOUR, MINUTE
from varves.values.memory import FIELDS, SPLIT, STATUSES, Memory, is_over
from varves.values.near import MEMBERS, PLACES, Near, Pair, best, nearest, paired, scores, sharing
from varves.values.outline import Outline
from varves.values.query import Term, passed_over, worth_searching
from varves.values.scope import CONVERSING
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any, Self

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.port import Counted, Place, Rejection, Told
    from varves.log.sources import Part
    from varves.values.query import Query

LOOKED_AT = 64
_SEARCHED = {name: row.searched for name, row in FIELDS.items() if row.searched}
# the weight of a word in each derived field
_SEARCHED |= {"entities": 0.5, "cited": 0.3, "grams": 1.0}
_LIGHT = (
    *(
        "n",
        "text",
        "summary",
        "topic",
        "tags",
        "speaker",
        "session",
        "at",
        "priority",
        "confidence",
    ),
    *("trust", "scope", "id", "hlc", "cited"),
)
_PLAIN = ("scope", "protocol", "type", "category", "session", "kept")


class _Held:
    """A stored event; never changed, only replaced."""

    __slots__ = ("event", "held", "line", "present", "where")

    def __init__(
        self, event: Event, line: str, *, held: bool, where: str, present: bool = True
    ) -> None:
        self.event = event
        self.line = line
        self.held = held
        self.where = where
        self.present = present

    def changed(self, **changes: Any) -> _Held:
        fields = {name: changes.get(name, getattr(self, name)) for name in self.__slots__}
        return _Held(fields.pop("event"), fields.pop("line"), **fields)

    @property
    def counts(self) -> bool:
        return self.present and not self.held

    @property
    def counts_here(self) -> bool:
        return self.present and not self.held and not self.where


class _PartOf:
    """The stored state of one part of a log; never changed, only replaced."""

    __slots__ = ("bad", "closed", "lines", "mark", "name", "size", "source")

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name
        self.mark = b""
        self.size = 0
        self.closed = False
        self.bad: tuple[tuple[int, int, str], ...] = ()
        self.lines: frozenset[tuple[str, str]] = frozenset()  # (event, mark of the event's line)

    def changed(self, **changes: Any) -> _PartOf:
        copy = _PartOf(self.source, self.name)
        for name in ("mark", "size", "closed", "bad", "lines"):
            setattr(copy, name, changes.get(name, getattr(self, name)))
        return copy


class _State:
    """Everything an index stores."""

    def __init__(self) -> None:
        self.events: dict[str, _Held] = {}
        self.touching: dict[str, frozenset[str]] = {}  # by memory: the events that act on it
        self.touched: dict[str, frozenset[str]] = {}  # by event: the memories that it acts on
        self.rows: dict[str, Row] = {}
        self.names: dict[int, str] = {}  # by number: the id of a memory
        # by number, token and field: the count
        self.words: dict[int, dict[str, dict[str, int]]] = {}
        # by number: the revision at which the memory changed last
        self.changed: dict[int, int] = {}
        self.rejections: dict[Rejection, None] = {}
        # by event: how often memories were shown, by memory and agent
        self.lifts: dict[tuple[str, str], None] = {}
        # by event: how often memories were accessed, by memory
        self.told: dict[str, dict[tuple[str, str], Told]] = {}
        self.accessed: dict[str, dict[str, Told]] = {}  # by event
        self.uses: dict[str, Told] = {}
        self.kinds: dict[str, tuple[int, str]] = {}
        # by session, protocol and kind: the count of events
        self.sessions: dict[tuple[str, str, str], int] = {}
        self.heads: dict[tuple[str, str], tuple[int, str, str]] = {}
        self.missing: dict[tuple[str, str], frozenset[str]] = {}
        self.sources: dict[str, bytes] = {}
        self.parts: dict[int, _PartOf] = {}
        # by event: (part, mark of the line)
        self.places: dict[str, frozenset[tuple[int, str]]] = {}
        self.vectors: dict[int, tuple[bytes, bytes]] = {}
        # by number of a memory that was not compared yet: whether its keys are stored
        self.pending: dict[int, bool] = {}
        self.said: dict[int, frozenset[int]] = {}  # by number: the keys
        self.alike: dict[tuple[str, str], None] = {}
        self.notes: dict[str, str] = {}
        self.arrived: dict[int, str] = {}
        self.verdicts: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def copy(self) -> _State:
        """Return an independent copy; shallow, because the values are never changed."""
        other = _State()
        for name, value in vars(self).items():
            setattr(other, name, dict(value))
        return other


class MemoryIndex:
    """One index in memory; it is lost when the process ends."""

    path = None

    def __init__(self) -> None:
        self.tainted = False
        self.branch_of: Callable[[str], str | None] = str
        self.looked_at = LOOKED_AT
        self.state = _State()
        self.numbering = IdSource().word(10)
        self._token = object()
        self.of_the_past = False
        self._changes = 0
        self.ticks = 0

    def close(self) -> None:
        """Do nothing, because an index in memory has no file."""

    def remake(self) -> None:
        """Delete the index's content and start with an empty index."""
        self.state, self.tainted, self._token = _State(), False, object()
        self.numbering = IdSource().word(10)

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Remove all purged content from the index."""
        self.tainted = False
        self.state.verdicts.clear()
        with self.update() as batch:
            for name, log, line in list(self.logs().lost_events()):
                if holds(decode(line.encode("ascii"), log), barred):
                    left = purged_line(line.encode("ascii"))
                    held = self.state.events[name]
                    erased = held.changed(line=left.decode("ascii"), event=decode(left, log))
                    self.state.events[name] = erased
                    batch.untouch(name)

    def wait(self, milliseconds: int | None) -> None:
        """Do nothing, because no other process can write to this index."""

    def is_sound(self) -> bool:
        """Return True, because there is no file that could be damaged."""
        return True

    @property
    def generation(self) -> object:
        """An object that identifies the index until it is opened again or rebuilt from the logs."""
        return self._token

    def changes(self) -> tuple[object, int, int]:
        """Return a value that changes if something is written to this index."""
        return self._token, 0, self._changes

    def note_change(self) -> None:
        """Record that something was written, so that `changes` returns a new value."""
        self._changes += 1

    def update(self) -> _Update:
        """Return a `with` block that is a transaction: all of its writes are stored, or none."""
        return _Update(self)

    def search(self) -> _Search:
        """Return the full-text search over the memories, for recall."""
        return _Search(self)

    def nearby(self, now: str, rule: Trusted) -> _Nearby:
        """Return the queries for comparing memories that are current at an instant."""
        return _Nearby(self, now, rule)

    def vectors(self) -> _Vectors:
        """Return the store of the memories' vectors."""
        return _Vectors(self)

    def uses(self) -> _Uses:
        """Return the queries about how often memories were shown to agents."""
        return _Uses(self)

    def counts(self) -> _Counts:
        """Return the queries about the numbers of events, by kind and session."""
        return _Counts(self)

    def purges(self) -> _Purges:
        """Return the queries about purged memories and their remains."""
        return _Purges(self)

    def notes(self) -> _Notes:
        """Return the store of notes; they are deleted with the index."""
        return _Notes(self)

    def logs(self) -> _Logs:
        """Return the queries about the logs that the index has read, and how far."""
        return _Logs(self)

    # Memories

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        row = self.state.rows.get(name)
        return None if row is None else self.to_memory(row)

    def memories(
        self, wish: Where, *, order: str = "recorded", lean: bool = False, most: int | None = None
    ) -> list[Memory]:
        """Return the matching memories."""
        found = self._wanted(wish)
        found.sort(key=lambda row: str(row["id"]))
        if order == "latest":
            found.sort(key=lambda row: (row["hlc"], row["id"]), reverse=True)
        elif order != "id":
            found.sort(key=lambda row: str(row["hlc"]), reverse=order == "newest")
        if order == "scope":
            found.sort(key=lambda row: str(row["scope"]))
        if order == "trust":
            found.sort(key=lambda row: -row["trust"])
        return [self.to_memory(row, lean=lean) for row in found[:most]]

    def outlines(self, wish: Where) -> list[Outline]:
        """Return the outlines of the matching memories, in order of recording."""
        return [Outline.of(memory) for memory in self.memories(wish)]

    def exists(self, wish: Where) -> bool:
        """Return whether any memory matches."""
        return bool(self._wanted(wish))

    def count(self, wish: Where | EventWhere) -> int:
        """Count the matching memories or events."""
        return len(self._held(wish) if isinstance(wish, EventWhere) else self._wanted(wish))

    def count_by(self, wish: Where, field: str) -> dict[str, int]:
        """Count the matching memories by a field, in the order of their first memories."""
        found: dict[str, int] = {}
        for row in sorted(self._wanted(wish), key=lambda row: (str(row["hlc"]), str(row[field]))):
            for value in row[field] if isinstance(row[field], (list, tuple)) else (row[field],):
                found[value] = found.get(value, 0) + 1
        return found

    def versions(self, wish: Where) -> set[tuple[str, str]]:
        """Return (id, event that changed it last) of the matching memories."""
        return {(str(row["id"]), str(row["version"])) for row in self._wanted(wish)}

    def _wanted(self, wish: Where) -> list[Row]:
        found = [row for row in self.state.rows.values() if self._is_wanted(row, wish)]
        return once(found) if wish.once else found

    def _is_wanted(self, row: Row, wish: Where) -> bool:
        extra, tags = row["extra"] or {}, row["tags"]
        told = self.state.uses.get(row["id"], (0, ""))[1]
        mentioned = f"{row['summary'] or ''}{SPLIT}{SPLIT.join(tags)}".lower()
        asked: tuple[tuple[object, Callable[[], bool]], ...] = (
            (wish.ids, lambda: row["id"] in (wish.ids or ())),
            (wish.but, lambda: row["id"] != wish.but),
            (wish.follows, lambda: self._follows(row, wish.follows or "")),
            (wish.within, lambda: _is_within(row["scope"], wish.within or "")),
            (wish.statuses, lambda: row["status"] in (wish.statuses or ())),
            (wish.tag, lambda: wish.tag in tags),
            (wish.without_tag, lambda: wish.without_tag not in tags),
            (wish.private, lambda: (row["kept"] == "private") == wish.private),
            (wish.by, lambda: wish.by in (row["created_by"], row["speaker"])),
            (wish.cites, lambda: wish.cites in [one.get("path") for one in row["evidence"]]),
            (wish.here, lambda: (not row["away"]) == wish.here),
            (wish.holds_at, lambda: _holds(row, wish.holds_at or "")),
            (wish.over_at, lambda: _is_over(row, wish.over_at or "")),
            (wish.trusted, lambda: _includes(wish.trusted, row)),
            (wish.untrusted, lambda: not _includes(wish.untrusted, row)),
            (wish.created_until, lambda: row["created_at"] <= (wish.created_until or "")),
            (wish.listed_after, lambda: _is_listed_after(row, wish.listed_after or ("", ""))),
            (wish.used_until, lambda: max(row["updated_at"], told) <= (wish.used_until or "")),
            (wish.source, lambda: str(row["source"] or "").startswith(wish.source or "")),
            (wish.alias, lambda: wish.alias in extra.get("aliases", ())),
            (wish.saying, lambda: (wish.saying or "") in fold(row["text"] or "")),
            (wish.linked, lambda: wish.linked in (row["links"] or {})),
            (wish.without_link, lambda: wish.without_link not in (row["links"] or {})),
            (wish.withdraws, lambda: extra.get("withdraws") == wish.withdraws),
            (wish.view_of, lambda: row["view"] == wish.view_of),
            (wish.is_view or None, lambda: row["view"] is not None),
            (wish.beside, lambda: self._is_beside(row, wish)),
            (
                wish.mentioning,
                lambda: (
                    row["priority"] == "critical"
                    or not all(map(str.isascii, wish.mentioning or ()))
                    or any(word.lower() in mentioned for word in wish.mentioning or ())
                ),
            ),
        )
        plain = all(getattr(wish, name) in (None, row[name]) for name in _PLAIN)
        return plain and all(holds() for given, holds in asked if given is not None)

    def _follows(self, row: Row, name: str) -> bool:
        """Return whether a row comes after the memory `name` in the order `newest`."""
        if name not in self.state.rows:
            return False
        stamp = str(self.state.rows[name]["hlc"])
        return str(row["hlc"]) < stamp or (str(row["hlc"]) == stamp and str(row["id"]) > name)

    def _is_beside(self, row: Row, wish: Where) -> bool:
        beside, rows = wish.beside, self.state.rows
        if beside is None or row["session"] is not None or row["scope"] in beside.scopes:
            return True
        return row["scope"] in {rows[name]["scope"] for name in beside.memories if name in rows}

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) for every memory with a flag: a rejected value, or a rival."""
        flagged = (row for row in self.state.rows.values() if row["flag"])
        return [(row["flag"], self.to_memory(row)) for row in flagged]

    def protocols(self) -> set[str]:
        """Return the protocols with memories, sessions or conversation events in the index."""
        state, told = self.state, (SESSION_STARTED, "protocol.begun")
        purges = {name for name, held in state.events.items() if held.event.kind in BARRING}
        barred = {memory for name in purges for memory in state.touched.get(name, ())}
        found = {str(row["protocol"]) for row in state.rows.values()}
        for name, held in state.events.items():
            about = not state.touched.get(name, frozenset()).isdisjoint(barred)
            went = not held.where and (CONTENT not in held.line or about)
            if held.present and (went or held.event.kind in told):
                found.add(held.event.protocol)
        return found

    def to_memory(self, row: Row, *, lean: bool = False) -> Memory:
        """Create a memory from its row."""
        fields = {name: row[name] for name in FIELDS if name in row}
        fields["tags"] = tuple(row["tags"])
        fields["evidence"] = tuple(row["evidence"] or ())
        fields["links"], fields["extra"] = row["links"] or {}, row["extra"] or {}
        fields["branch"] = self.branch_of(row["branch"]) if row["branch"] else None
        if lean:
            fields["text"] = ""
            fields["extra"] = {key: part for key, part in fields["extra"].items() if key != "body"}
        return Memory(**fields)

    # Values

    def find_value(
        self,
        key: bytes,
        now: str,
        *,
        trusted: Trusted | None = None,
        protocol: str | None = None,
    ) -> tuple[str | None, bool]:
        """Return the memory that states a value, or None, and if the value was ever rejected."""
        held = [
            row
            for row in self.state.rows.values()
            if row["key"] == key
            and row["status"] == "active"
            and not row["away"]
            and "heads" not in (row["extra"] or {})  # a document is identified by its key alone
            and _holds(row, now)
            and (trusted is None or _includes(trusted, row))
            and protocol in (None, row["protocol"])
        ]
        rejected = any(one[1] == key for one in self.state.rejections)
        first = min(held, key=lambda row: str(row["hlc"]), default=None)
        return (first["id"] if first else None), rejected

    def rejections(self, key: bytes) -> dict[str, str]:
        """Return the rejections of a value that are in force, as ids: event → rejected memory."""
        lifted = {target for target, _ in self.state.lifts}
        rejected = sorted(self.state.rejections, reverse=True)
        found = {event: memory for event, value, memory in rejected if value == key}
        return {event: found[event] for event in sorted(found) if event not in lifted}

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id."""
        return next(iter(self.events(EventWhere(ids=(name,)))), None)

    def events(
        self, wish: EventWhere, *, first: int | None = None, last: int | None = None
    ) -> list[Event]:
        """Return the matching events in order, or only as many as `first` or `last` says."""
        found = self._held(wish)
        if last is not None:
            found = found[len(found) - last :] if last < len(found) else found
        elif first is not None:
            found = found[:first]
        return [self._read(one) for one in found]

    def lines(self, wish: EventWhere) -> list[tuple[Event, bytes]]:
        """Return the matching events in order, with their stored lines."""
        return [(self._read(one), one.line.encode("ascii")) for one in self._held(wish)]

    def _read(self, held: _Held) -> Event:
        event = _read_line(held)
        event.branch = self.branch_of(held.where) if held.where else None
        return event

    def _held(self, wish: EventWhere) -> list[_Held]:
        parts = self.state.parts.values() if wish.kept_purge else ()
        own = {event for part in parts if part.source == OWN_PURGES for event, _ in part.lines}
        wanted = [
            held
            for held in self.state.events.values()
            if held.present
            and self._is_asked(held, wish)
            and (not wish.kept_purge or held.event.id in own)
        ]
        return sorted(wanted, key=lambda held: held.event.order)

    def _is_asked(self, held: _Held, wish: EventWhere) -> bool:
        event = held.event
        asked: tuple[tuple[object, Callable[[], bool]], ...] = (
            (wish.ids, lambda: event.id in (wish.ids or ())),
            (wish.kinds, lambda: event.kind in (wish.kinds or ())),
            (wish.actor, lambda: event.actor == wish.actor),
            (wish.session, lambda: event.session == wish.session),
            (wish.protocol, lambda: event.protocol == wish.protocol),
            (wish.log, lambda: event.log == wish.log),
            (wish.clone, lambda: event.writer.startswith(f"{wish.clone}.")),
            (wish.since, lambda: event.time >= (wish.since or "")),
            (wish.until, lambda: event.time <= (wish.until or "")),
            (wish.first, lambda: event.order >= (wish.first or ())),
            (wish.last, lambda: event.order <= (wish.last or ())),
            (wish.beyond, lambda: event.order > (wish.beyond or ())),
            (wish.short_of, lambda: event.order < (wish.short_of or ())),
            (wish.after, lambda: event.hlc > (wish.after or "")),
            (wish.before, lambda: event.hlc < (wish.before or "")),
            (wish.but_kinds, lambda: event.kind not in (wish.but_kinds or ())),
            (wish.but_log, lambda: event.log != wish.but_log),
            (wish.here, lambda: (held.where == "") == wish.here),
            (wish.held, lambda: held.held == wish.held),
            (wish.about, lambda: not self._touched(event).isdisjoint(wish.about or ())),
            (wish.arrived, lambda: event.id in self._arrived(wish)),
            (wish.noted or None, lambda: '"note":"' in held.line),
            (wish.erased or None, lambda: CONTENT not in held.line),
            (wish.said_again or None, lambda: '"instead":' in held.line),
        )
        return all(holds() for given, holds in asked if given is not None)

    def _arrived(self, wish: EventWhere) -> set[str | None]:
        after, last = wish.arrived or (0, 0)
        return {self.state.arrived.get(n) for n in range(after + 1, last + 1)}

    def _touched(self, event: Event) -> frozenset[str]:
        return self.state.touched.get(event.id, frozenset())

    def event_sources(self, wish: EventWhere) -> dict[str, str]:
        """Return the source of each matching event, by the event's id."""
        return {held.event.id: held.where for held in self._held(wish)}

    def touched(self, wish: EventWhere) -> list[tuple[str, str, Place]]:
        """Return (memory, kind of event, place in order) for the memories of matching events."""
        return [
            (memory, held.event.kind, held.event.order)
            for held in self._held(wish)
            for memory in sorted(self._touched(held.event))
        ]

    def heads(
        self, log: str, *, after: str = "", other_than: str = "", most: int | None = None
    ) -> list[tuple[str, str, str]]:
        """Return (writer, stamp, digest) of writers' last events, the newest first."""
        found = [
            (writer, hlc, digest)
            for (of, writer), (_, hlc, digest) in self.state.heads.items()
            if of == log and hlc > after and writer != other_than
        ]
        return sorted(found, key=lambda head: head[1], reverse=True)[:most]

    def latest_hlc(self) -> str:
        """Return the highest stamp of events in a log, except stamps in the future."""
        stamps = (held.event.hlc for held in self.state.events.values() if held.counts)
        return max(stamps, default="0" * 16)

    # The index itself

    def aside(self) -> None:
        """Return None: an index in memory is filled in the ordinary way."""

    def leave_out(self, events: Iterable[str]) -> None:
        """Hide some events from queries of events; their effects on the memories remain."""
        self.of_the_past = True
        with self.update() as batch:
            for name in events:
                batch.show(name, present=False)


class _Uses:
    """Queries about how often memories were shown to agents, and when last."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def _tellings(self) -> Iterator[tuple[str, str, int, str]]:
        for event, told in self._state.told.items():
            if self._state.events[event].counts:
                for (memory, agent), (count, last) in told.items():
                    yield memory, agent, count, last

    def by_agent(self, memory: str) -> list[tuple[str, int, str]]:
        found: dict[str, Told] = {}
        for name, agent, count, last in self._tellings():
            if name == memory:
                before, latest = found.get(agent, (0, ""))
                found[agent] = before + count, max(latest, last)
        return [(agent, *found[agent]) for agent in sorted(found)]

    def latest(self, *, other_than: str) -> tuple[str, str, tuple[str, ...]] | None:
        others = [one for one in self._tellings() if one[1] != other_than]
        if not others:
            return None
        _, agent, _, last = max(others, key=lambda one: one[3])
        return agent, last, tuple(sorted({one[0] for one in others if one[1::2] == (agent, last)}))

    def accessed(self, *, until: str | None = None) -> dict[str, Told]:
        rows, events = self._state.rows, self._state.events
        latest: dict[object, str] = {}

        def group(row: Row) -> object:
            return row["id"] if until == "memory" else (row["protocol"], row["scope"])

        for row in rows.values() if until is not None else ():
            if row["version"] in events:
                stamp = events[row["version"]].event.hlc
                latest[group(row)] = max(latest.get(group(row), ""), stamp)
        found: dict[str, Told] = {}
        for event, counted in self._state.accessed.items():
            for memory, (count, last) in counted.items():
                if not events[event].counts_here:
                    continue
                if until is not None and (
                    memory not in rows
                    or events[event].event.hlc >= latest.get(group(rows[memory]), "")
                ):
                    continue
                before, newest = found.get(memory, (0, ""))
                found[memory] = before + count, max(newest, last)
        return found


class _Counts:
    """Queries about the numbers of events, by kind and by session."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        kinds = sorted(self._state.kinds.items())
        return [(kind, *known) for kind, known in kinds if kind not in but and known[0]]

    def by_hour(self, *, minutes: bool = False) -> list[tuple[str, int]]:
        found: dict[str, int] = {}
        for held in self._state.events.values():
            if held.counts_here:
                hour = held.event.time[: MINUTE if minutes else HOUR]
                found[hour] = found.get(hour, 0) + 1
        return sorted(found.items())

    def by_kind(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        found: dict[str, list[int | str]] = {}
        for kind in kinds:
            number, last = self._state.kinds.get(kind, (0, ""))
            if number:
                found[kind] = [number, last]
            out = [one.event.hlc for one in self._out() if one.event.kind == kind]
            if out:
                found.setdefault(kind, []).extend((len(out), max(out)))
        return found

    def _out(self) -> Iterator[_Held]:
        return (held for held in self._state.events.values() if not held.counts_here)

    def in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        counts = (self._state.sessions.get((session, protocol, kind), 0) for kind in kinds)
        return sum(counts) - self.not_here(session, protocol, kinds)[0]

    def last_in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        here = EventWhere(session=session, protocol=protocol, here=True, held=False)
        found = self._index.events(here.replace(kinds=tuple(kinds)))
        return max(((event.hlc, event.time) for event in found), default=("", ""))

    def not_here(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        ids = [
            held.event.id
            for held in self._out()
            if (held.event.session, held.event.protocol) == (session, protocol)
            and held.event.kind in kinds
        ]
        made = (ord(one[-1]) * 16384 + ord(one[-2]) * 128 + ord(one[-3]) for one in ids)
        return len(ids), sum(made)

    def sessions(self, prefix: str, protocol: str, kind: str) -> list[str]:
        return sorted(
            session
            for (session, *of), count in self._state.sessions.items()
            if session.startswith(prefix) and of == [protocol, kind] and count
        )


class _Purges:
    """Queries about purged memories, and their content that still exists."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def barred(self, *names: str) -> set[str]:
        found = {purge.data["memory"] for purge in self._in_force()}
        return found.intersection(names) if names else found | self.talk()

    def _in_force(self) -> list[Event]:
        shown = [
            held
            for held in self._state.events.values()
            if held.event.kind in BARRING and (held.present or self._index.of_the_past)
        ]
        return in_force(_read_line(held) for held in shown)

    def talk(self) -> set[str]:
        def find(name: str) -> Event | None:
            held = self._state.events.get(name)
            return None if held is None else _read_line(held)

        return {name for purge in self._in_force() for name in covers(purge, find)}

    def has_returned(self, barred: AbstractSet[str]) -> bool:
        return any(
            held.present and self._brings(held, barred) for held in self._state.events.values()
        )

    def _brings(self, held: _Held, barred: AbstractSet[str]) -> bool:
        state, name = self._state, held.event.id
        # another part of this checkout may still contain the complete line
        if CONTENT not in held.line:
            return any(
                not mark.endswith("-") and not state.parts[part].source.startswith(ELSEWHERE)
                for part, mark in state.places.get(name, ())
            )
        about = {name, *state.touched.get(name, ())}
        own = not held.where and not about.isdisjoint(barred)
        return own and holds(_read_line(held), barred)


class _Notes:
    """Stores notes by name, and verdicts on evidence."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def get(self, name: str) -> str | None:
        return self._state.notes.get(name)

    def put(self, name: str, text: str, *, once: bool = False) -> None:
        if not once or name not in self._state.notes:
            self._state.notes[name] = text
            self._index.note_change()

    def drop(self, name: str) -> None:
        self._state.notes.pop(name, None)
        self._index.note_change()

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        known = self._state.verdicts.get(pointer)
        return known[1] if known and known[0] == seen else None

    def put_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        self._state.verdicts[pointer] = seen, tuple(verdict)
        self._index.note_change()


class _Logs:
    """Queries about the logs that the index has read: sources, parts, marks, unreadable lines."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def sources(self) -> set[str]:
        return set(self._state.sources)

    def known(self, key: str) -> _Known:
        return _Known(self._index, key)

    def closed(self, key: str) -> list[str]:
        return [part.name for part in self._parts(key) if part.closed]

    def _parts(self, key: str) -> list[_PartOf]:
        return [part for part in self._state.parts.values() if part.source == key]

    def has_read(self, log: str | None = None) -> bool:
        if log is None:
            return bool(self._state.parts)
        return bool(self._parts(log) or self._parts(f"{log}@here"))

    def extent(self, key: str) -> tuple[int, int]:
        parts = self._parts(key)
        return len(parts), len({event for part in parts for event, _ in part.lines})

    def arrived(self) -> tuple[str, int]:
        return self._index.numbering, len(self._state.arrived)

    def published_parts(self) -> list[tuple[str, str, int]]:
        shown = (
            part
            for part in self._state.parts.values()
            if part.source != "private" and not part.source.startswith(ELSEWHERE)
        )
        return sorted((part.source, part.name, part.size) for part in shown)

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        return [
            (part.source, part.name, *bad)
            for part in self._state.parts.values()
            if not part.source.startswith(ELSEWHERE)
            for bad in part.bad
        ]

    def missing_blobs(self) -> list[tuple[str, str]]:
        return list(self._state.missing)

    def lost_events(self) -> Iterator[tuple[str, str, str]]:
        for name, held in self._state.events.items():
            if not held.present:
                yield name, held.event.log, held.line

    def is_mistimed(self, limit: str) -> bool:
        return any(held.held == (held.event.hlc < limit) for held in self._state.events.values())


class _Known:
    """The marks that an index stores for one source; only the log can interpret them."""

    def __init__(self, index: MemoryIndex, key: str) -> None:
        self._index = index
        self._key = key

    def whole(self) -> bytes:
        return self._index.state.sources.get(self._key, b"")

    def open(self) -> dict[str, bytes]:
        return {part.name: part.mark for part in self._parts() if not part.closed}

    def recent(self) -> dict[str, bytes]:
        closed = [part for part in self._parts() if part.closed]
        most = self._index.looked_at
        newest = closed if most < 0 else closed[max(0, len(closed) - most) :]
        return {part.name: part.mark for part in newest}

    def below(self, prefix: str) -> dict[str, bytes]:
        return {part.name: part.mark for part in self._parts() if part.name.startswith(prefix)}

    def mark(self, name: str) -> bytes:
        return next((part.mark for part in self._parts() if part.name == name), b"")

    def _parts(self) -> list[_PartOf]:
        parts = sorted(self._index.state.parts.items())
        return [part for _, part in parts if part.source == self._key]


class _Update:
    """A transaction: either all of its writes are stored or none."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._before = index.state

    @property
    def _state(self) -> _State:
        return self._index.state

    def __enter__(self) -> Self:
        self._before = self._index.state
        self._index.state = self._before.copy()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._index.state = self._before
        self._index.note_change()

    # Events

    def stored(self, event: str) -> Stored | None:
        held = self._state.events.get(event)
        if held is None:
            return None
        own = held.event
        return Stored(
            *(held.present, held.line, own.hlc, own.writer, own.digest),
            *(held.where, own.kind, own.session, own.protocol, own.log),
        )

    def put(self, event: Event, line: str, *, held: bool, where: str) -> None:
        kept = decode(line.encode("ascii"), event.log)  # a copy, because the fold changes `event`
        self._state.events[event.id] = _Held(kept, line, held=held, where=where)

    def arrive(self, event: str) -> None:
        arrived = self._state.arrived
        arrived[len(arrived) + 1] = event

    def touch(self, event: str, memories: Iterable[str]) -> None:
        state = self._state
        for memory in memories:
            state.touching[memory] = state.touching.get(memory, frozenset()) | {event}
            state.touched[event] = state.touched.get(event, frozenset()) | {memory}

    def untouch(self, event: str) -> None:
        """Delete the record of which memories an event acts on."""
        for memory in self._state.touched.pop(event, ()):
            self._state.touching[memory] -= {event}

    def touched_by(self, event: str) -> list[str]:
        return sorted(self._state.touched.get(event, ()))

    def show(self, event: str, *, present: bool) -> None:
        self._change(event, present=present)

    def move(self, event: str, where: str) -> None:
        self._change(event, where=where)

    def hold(self, event: str, *, held: bool) -> None:
        self._change(event, held=held)

    def _change(self, event: str, **changes: Any) -> None:
        if event in self._state.events:
            self._state.events[event] = self._state.events[event].changed(**changes)

    def taint(self) -> None:
        self._index.tainted = True

    def mistimed(self, limit: str) -> list[tuple[str, str, str, bool]]:
        return [
            (name, held.event.log, held.event.writer, not held.held)
            for name, held in self._state.events.items()
            if held.held == (held.event.hlc < limit)
        ]

    def retract(self, event: str) -> None:
        state = self._state
        self.untouch(event)
        state.told.pop(event, None)
        state.accessed.pop(event, None)
        state.rejections = {one: None for one in state.rejections if one[0] != event}
        state.lifts = {one: None for one in state.lifts if one[1] != event}

    def count(self, counted: Counted) -> None:
        state = self._state
        for (kind, session, protocol), (number, last) in counted.items():
            known, latest = state.kinds.get(kind, (0, ""))
            state.kinds[kind] = known + number, max(latest, last)
            if session is not None:
                whose = (session, protocol or "", kind)
                state.sessions[whose] = state.sessions.get(whose, 0) + number

    def said_again(self, event: str) -> bool:
        held = self._state.events.values()
        return any('"instead":' in one.line and f'"event":"{event}"' in one.line for one in held)

    # Heads

    def raise_head(self, event: Event) -> None:
        known = self._state.heads.get((event.log, event.writer))
        if known is None or known[0] < event.seq:
            self._state.heads[event.log, event.writer] = event.seq, event.hlc, event.digest

    def renew_head(self, log: str, writer: str) -> None:
        self._state.heads.pop((log, writer), None)
        for held in self._state.events.values():
            if held.counts_here and (held.event.log, held.event.writer) == (log, writer):
                self.raise_head(held.event)

    # What agents were shown

    def put_told(self, event: str, told: Mapping[tuple[str, str], Told]) -> None:
        self._state.told[event] = dict(told)

    def told_by(self, event: str) -> list[str]:
        return sorted({memory for memory, _ in self._state.told.get(event, {})})

    def put_accessed(self, event: str, counted: Mapping[str, Told]) -> None:
        self._state.accessed[event] = dict(counted)

    def sum_uses(self, memories: Iterable[str]) -> None:
        for memory in memories:
            told = self._index.uses().by_agent(memory)
            self._state.uses.pop(memory, None)
            if told:
                last = max(one[2] for one in told)
                self._state.uses[memory] = sum(one[1] for one in told), last

    # Families

    def events_of(self, memory: str) -> list[tuple[str, str, str, str]]:
        held = ((name, self._state.events[name]) for name in self._state.touching.get(memory, ()))
        return [(name, one.event.log, one.line, one.where) for name, one in held if one.counts]

    def read_line(self, line: str, log: str) -> Event:
        return decode(line.encode("ascii"), log)

    def holding(self, key: bytes) -> list[str]:
        return [name for name, row in self._state.rows.items() if row["key"] == key]

    def any_rejected(self) -> bool:
        return bool(self._state.rejections or self._state.lifts)

    def rejections_of(self, memory: str) -> set[Rejection]:
        own = self._state.touching.get(memory, frozenset())
        return {one for one in self._state.rejections if one[2] == memory or one[0] in own}

    def lifted_by(self, memory: str) -> list[str]:
        own = self._state.touching.get(memory, frozenset())
        return [target for target, event in self._state.lifts if event in own]

    def lifted_in(self, event: str) -> list[str]:
        return [target for target, by in self._state.lifts if by == event]

    def rejected_in(self, event: str) -> list[bytes]:
        return [key for by, key, _ in self._state.rejections if by == event]

    def replace_rejections(
        self,
        members: Iterable[str],
        rejections: Iterable[Rejection],
        lifts: Iterable[tuple[str, str]],
    ) -> None:
        state = self._state
        for name in members:
            own = state.touching.get(name, frozenset())
            gone = self.rejections_of(name)
            state.rejections = {one: None for one in state.rejections if one not in gone}
            state.lifts = {one: None for one in state.lifts if one[1] not in own}
        state.rejections |= dict.fromkeys(rejections)
        state.lifts |= dict.fromkeys(lifts)

    def replace_rows(self, members: Iterable[str], rows: Mapping[str, Row]) -> None:
        state = self._state
        for name in members:
            old, row = state.rows.pop(name, None), rows.get(name)
            if old is None and row is None:
                continue
            n = old["n"] if old else max(state.names, default=0) + 1
            self._index.ticks += 1
            state.changed[n] = self._index.ticks
            state.names.pop(n, None)
            state.words.pop(n, None)
            state.said.pop(n, None)
            state.pending.pop(n, None)
            if row is None or (old and _phrase(old) != _phrase(row)):
                state.vectors.pop(n, None)
            if row is not None:
                state.rows[name] = _kept(row, n)
                state.names[n] = name
                state.words[n] = _counted(state.rows[name])
            if row is not None and is_compared(state.rows[name]):
                state.pending[n] = False
            else:
                state.alike = {pair: None for pair in state.alike if name not in pair}

    # Blobs

    def miss(self, source: str, digest: str, memories: Iterable[str]) -> None:
        key = (source, digest)
        self._state.missing[key] = self._state.missing.get(key, frozenset()) | {*memories}

    def come(self, source: str, digest: str) -> list[str]:
        return sorted(self._state.missing.pop((source, digest), ()))

    # Parts of the logs, and their content

    def number(self, source: str, name: str) -> int:
        for n, part in self._state.parts.items():
            if (part.source, part.name) == (source, name):
                return n
        n = max(self._state.parts, default=0) + 1
        self._state.parts[n] = _PartOf(source, name)
        return n

    def parts(self, source: str) -> list[int]:
        return [n for n, part in self._state.parts.items() if part.source == source]

    def name_of(self, part: int) -> tuple[str, str] | None:
        known = self._state.parts.get(part)
        return (known.source, known.name) if known else None

    def keep_part(self, part: int, read: Part) -> None:
        known = self._state.parts[part]
        size = sum(len(line) + 1 for _, line in read.events)
        size += sum(stop - start for start, stop, _ in read.bad)
        size += 0 if read.fresh or read.unread else known.size
        self._state.parts[part] = known.changed(
            mark=read.mark,
            size=0 if read.unread else size,
            closed=not read.unread and (known.closed or read.closed),
            bad=(*(() if read.unread else known.bad), *read.bad),
        )

    def close_parts(self, source: str, names: Iterable[str]) -> None:
        for name in names:
            for n, part in list(self._state.parts.items()):
                if (part.source, part.name) == (source, name):
                    self._state.parts[n] = part.changed(closed=True)

    def clear(self, part: int) -> list[str]:
        known = self._state.parts[part]
        self._state.parts[part] = known.changed(bad=(), lines=frozenset())
        events = sorted({event for event, _ in known.lines})
        for event in events:
            others = (place for place in self._state.places[event] if place[0] != part)
            self._state.places[event] = frozenset(others)
        return events

    def drop_part(self, part: int) -> None:
        self._state.parts.pop(part, None)

    def keep_source(self, source: str, mark: bytes) -> None:
        if mark:
            self._state.sources[source] = mark
        else:
            self._state.sources.pop(source, None)

    def drop_source(self, source: str) -> None:
        self._state.sources.pop(source, None)
        for key in [key for key in self._state.missing if key[0] == source]:
            del self._state.missing[key]

    def place(self, part: int, event: str, mark: str) -> None:
        state = self._state
        if part in state.parts:
            known = state.parts[part]
            state.parts[part] = known.changed(lines=known.lines | {(event, mark)})
            state.places[event] = state.places.get(event, frozenset()) | {(part, mark)}

    def places(self, event: str) -> list[tuple[int, str]]:
        return sorted(self._state.places.get(event, ()))

    def holder(self, event: str) -> str:
        sources = [self._state.parts[part].source for part, _ in self.places(event)]
        return min((key if key.startswith(ELSEWHERE) else "" for key in sources), default="")


class _Search:
    """Full-text search, ranked by BM25; the counts of a word are weighted by field."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    @property
    def _state(self) -> _State:
        return self._index.state

    def terms(self, words: Sequence[str]) -> tuple[list[Term], list[str]]:
        found: dict[str, Term] = {}
        for word in words:
            for stem in index_words(word)[:1]:
                count = sum(stem in held for held in self._state.words.values())
                if count:
                    found.setdefault(stem, Term(word=word, stem=stem, count=count))
        return worth_searching(found.values())

    def total(self) -> int:
        return len(self._state.rows)

    def ranked(self, terms: list[Term], limit: int, offset: int) -> list[tuple[int, float]]:
        from math import log

        words = self._state.words
        lengths = {
            n: sum(sum(fields.values()) for fields in held.values()) for n, held in words.items()
        }
        usual = sum(lengths.values()) / len(lengths) if lengths else 1.0
        scores: dict[int, float] = {}
        for term in terms:
            stem = next(iter(index_words(term.word)), "")
            holding = {n: held[stem] for n, held in words.items() if stem in held}
            rarity = log((len(words) - len(holding) + 0.5) / (len(holding) + 0.5))
            for n, fields in holding.items():
                often = sum(_SEARCHED[field] * count for field, count in fields.items())
                length = 1.2 * (0.25 + 0.75 * lengths[n] / (usual or 1.0))
                score = max(rarity, 1e-6) * often * 2.2 / (often + length)
                scores[n] = scores.get(n, 0.0) + score
        best = sorted(scores.items(), key=lambda one: (-one[1], -one[0]))
        return best[offset : offset + limit]

    def holding(self, phrases: Sequence[str]) -> list[list[int]]:
        texts = {
            row["n"]: [f" {' '.join(index_words(text))} " for text in _texts(row)]
            for row in self._state.rows.values()
        }
        sought = [f" {' '.join(index_words(phrase))} " for phrase in phrases]
        return [
            sorted(n for n, held in texts.items() if any(phrase in text for text in held))
            for phrase in sought
        ]

    def rows(self, query: Query, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        wanted = set(numbers)
        seen = sorted(self._seen(query), key=lambda row: int(row["n"]))
        return [_light(row) for row in seen if row["n"] in wanted]

    def around(self, numbers: Sequence[int], far: int) -> dict[int, tuple[list[int], list[int]]]:
        found: dict[int, tuple[list[int], list[int]]] = {}
        for n in numbers:
            if n not in self._state.names:
                continue
            own = self._row(n)
            talk = [
                row
                for row in self._state.rows.values()
                if own["session"] is not None and row["session"] == own["session"]
            ]
            talk.sort(key=lambda row: str(row["place"]))
            before = [row["n"] for row in talk if row["place"] < own["place"]][::-1]
            after = [row["n"] for row in talk if row["place"] > own["place"]]
            found[n] = before[:far], after[:far]
        return found

    def uses(self, names: Sequence[str]) -> dict[str, int]:
        uses = self._state.uses
        return {name: uses[name][0] for name in names if name in uses}

    def passed_over(self, query: Query, numbers: Sequence[int]) -> list[tuple[str, str]]:
        everything = query.replace(include=(*STATUSES, "sensitive", "quarantined"))
        rows = [row for row in self._seen(everything) if row["n"] in set(numbers)]
        rows.sort(key=lambda row: int(row["n"]))
        return [(row["id"], self._why_not(query, row)) for row in rows]

    def _why_not(self, query: Query, row: Row) -> str:
        about = {"trusted": _includes(Trusted(clones=query.clones), row)}
        about["sensitive"] = "sensitive" in row["tags"]
        return passed_over(query, row["status"], row["expires_at"], **about)

    def count(self, query: Query) -> int:
        return len(self._seen(query))

    def memories(self, numbers: Sequence[int]) -> dict[int, Memory]:
        known = (n for n in numbers if n in self._state.names)
        return {n: self._index.to_memory(self._row(n)) for n in known}

    def names(self, query: Query, column: str, begun: str) -> list[str]:
        newest: dict[str, str] = {}
        for row in self._seen(query):
            name = SPLIT.join(row["tags"]) if column == "tags" else str(row[column] or "")
            if name.lower().startswith(begun.lower()):
                newest[name] = max(newest.get(name, ""), row["hlc"])
        return sorted(newest, key=lambda name: newest[name], reverse=True)[: query.k]

    def views(self, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
        shown = [
            row
            for row in self._state.rows.values()
            if row["view"] is not None and row["status"] in ("active", "proposed")
        ]
        shown.sort(key=lambda row: str(row["protocol"]))
        found = {}
        for one in memories:
            of = (*one.links.get(VIEW_OF, ()), one.id)[0]
            protocols = [r["protocol"] for r in shown if r["view"] == of and r["id"] != one.id]
            if protocols:
                found[one.id] = tuple(dict.fromkeys(protocols))
        return found

    def newest(self, query: Query) -> list[Memory]:
        return self._pressing(query, lambda _: True)

    def critical(self, query: Query) -> list[Memory]:
        return self._pressing(query, lambda row: row["priority"] == "critical")

    def named(self, query: Query, names: Sequence[str]) -> list[Memory]:
        return self._pressing(query, lambda row: row["id"] in names)

    def lasting(self, query: Query, scopes: Sequence[str]) -> list[Memory]:
        long = ("procedural", "semantic")

        def lasts(row: Row) -> bool:
            return row["priority"] != "critical" and (
                row["priority"] == "high"
                or (row["scope"] != "project" and row["scope"] in scopes)
                or row["nature"] in long
                or row["category"] == "preference"
            )

        return self._pressing(query, lasts)

    def recent(self, query: Query) -> list[Memory]:
        return self._pressing(query, lambda row: row["priority"] != "critical")

    def _pressing(self, query: Query, wanted: Callable[[Row], bool]) -> list[Memory]:
        found = sorted(filter(wanted, self._seen(query)), key=lambda row: str(row["id"]))
        found.sort(key=lambda row: str(row["hlc"]), reverse=True)
        order = {"critical": 0, "high": 1}
        found.sort(key=lambda row: order.get(row["priority"], 2))
        return [self._index.to_memory(row) for row in found[: query.k]]

    def _row(self, n: int) -> Row:
        return self._state.rows[self._state.names[n]]

    def _seen(self, query: Query) -> list[Row]:
        """Return the memories that the caller may see.

        If several protocols show the same record, it is returned only once.
        """
        return once([row for row in self._state.rows.values() if _may_see(query, row)])


class _Nearby:
    """Queries for comparing memories: their texts, their keys, and the pairs that were found."""

    def __init__(self, index: MemoryIndex, now: str, rule: Trusted) -> None:
        self._index = index
        self._now = now
        self._rule = rule

    @property
    def _state(self) -> _State:
        return self._index.state

    def _is_seen(self, row: Row) -> bool:
        return (
            row["status"] == "active"
            and not row["away"]
            and row["type"] != "document"
            and _holds(row, self._now)
            and "sensitive" not in row["tags"]
            and _includes(self._rule, row)
        )

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        scored = scores(terms, self._places)
        rows = [self._state.rows[self._state.names[n]] for n in best(scored)]
        rows = [
            row
            for row in rows
            if (row["scope"], row["kept"]) == (scope, kept)
            and row["id"] != other_than
            and self._is_seen(row)
        ]
        rows.sort(key=lambda row: str(row["id"]))
        rows.sort(key=lambda row: str(row["at"]), reverse=True)
        by_number = {row["n"]: row for row in rows}
        sizes = {n: len(row["text"]) for n, row in by_number.items()}
        return [_near(by_number[n]) for n in nearest(scored, sizes)]

    def _places(self, term: str) -> list[int]:
        stem = next(iter(index_words(term)), "")
        held = [n for n, words in self._state.words.items() if "text" in words.get(stem, {})]
        return sorted(held, reverse=True)[:PLACES]

    def named(self, names: Iterable[str]) -> list[Near]:
        rows = [self._state.rows[name] for name in names if name in self._state.rows]
        return [_near(row) for row in rows if self._is_seen(row)]

    def numbered(self, numbers: Sequence[int]) -> list[Near]:
        rows = [self._row(n) for n in numbers if n in self._state.names]
        return [_near(row) for row in rows if self._is_seen(row)]

    def _row(self, n: int) -> Row:
        return self._state.rows[self._state.names[n]]

    def sharing(self, keys: Iterable[int], *, other_than: str, most: int) -> list[Near]:
        found = self.numbered(sharing(self.members(keys).values(), most + 1))
        return [near for near in found if near.id != other_than][:most]

    def unkeyed(self, most: int) -> list[Near]:
        numbers = sorted((n for n, keyed in self._state.pending.items() if not keyed), reverse=True)
        return [_near(self._row(n)) for n in numbers[:most]]

    def keep_keys(self, found: Sequence[tuple[Near, Iterable[int]]]) -> None:
        with self._index.update():
            for near, keys in found:
                if self._is_unchanged(near):
                    self._state.said[near.n] = frozenset(keys)
                    if near.n in self._state.pending:
                        self._state.pending[near.n] = True

    def members(self, keys: Iterable[int]) -> dict[int, list[int]]:
        newest = sorted(self._state.said, reverse=True)
        return {key: [n for n in newest if key in self._state.said[n]][:MEMBERS] for key in keys}

    def _is_unchanged(self, near: Near) -> bool:
        name = self._state.names.get(near.n)
        return name is not None and _seal(self._state.rows[name]) == near.seal

    def waiting(self, after: int, most: int) -> list[Near]:
        numbers = sorted(n for n in self._state.pending if n > after)
        return [_near(self._row(n)) for n in numbers[:most]]

    def writers(self, after: int, most: int) -> list[tuple[int, str]]:
        numbers = sorted((n for n in self._state.pending if n > after), reverse=True)
        return [(n, self._row(n)["writer"]) for n in numbers[:most]]

    def newest_waiting(self) -> int:
        return max(self._state.pending, default=0)

    def unseen(self) -> int:
        return len(self._state.pending)

    def partners(self, name: str) -> list[str]:
        return sorted({one for pair in self._state.alike if name in pair for one in pair} - {name})

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        with self._index.update():
            state = self._state
            names = {near.id for near, _ in found}
            state.alike = {pair: None for pair in state.alike if names.isdisjoint(pair)}
            for near, pairs in found:
                state.alike |= dict.fromkeys(pairs)
                if self._is_unchanged(near) and state.pending.get(near.n):
                    del state.pending[near.n]

    def pairs(self) -> list[Pair]:
        rows = (row for row in self._state.rows.values() if self._is_seen(row))
        fields = ("id", "at", "hlc", "scope", "kept")
        return paired(self._state.alike, (tuple(row[name] for name in fields) for row in rows))


class _Vectors:
    """The vectors of memories, by the memory's number."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._seen: int | None = None

    def count(self) -> int:
        return len(self._index.state.vectors)

    def changed(self) -> set[int] | None:
        before, self._seen = self._seen, self._index.ticks
        if before is None:
            return None
        return {n for n, tick in self._index.state.changed.items() if tick > before}

    def forget_changes(self) -> None:
        self._seen = None

    def rows(self, numbers: AbstractSet[int] | None) -> Iterator[tuple[Any, ...]]:
        state = self._index.state
        for n in sorted(state.names):
            if numbers is None or n in numbers:
                row = state.rows[state.names[n]]
                seal, vector = state.vectors.get(n, (None, None))
                yield n, row["text"], row["speaker"], row["session"], seal, vector

    def keep(self, rows: Iterable[tuple[int, bytes, bytes, str]]) -> None:
        with self._index.update():
            state = self._index.state
            for n, seal, vector, text in rows:
                if n in state.names and state.rows[state.names[n]]["text"] == text:
                    state.vectors[n] = seal, vector

    def chains(self, sessions: AbstractSet[str] | None) -> list[tuple[str, int]]:
        talk = [row for row in self._index.state.rows.values() if row["session"] is not None]
        talk.sort(key=lambda row: (row["session"], row["place"]))
        return [
            (row["session"], row["n"])
            for row in talk
            if sessions is None or row["session"] in sessions
        ]


def once(rows: list[Row]) -> list[Row]:
    """Of a record that several protocols show, keep one memory: the record itself or a view."""
    names = {row["id"] for row in rows}
    first: dict[str, tuple[str, str]] = {}
    for row in rows:
        if row["view"] is not None:
            place = (row["hlc"], row["id"])
            first[row["view"]] = min(first.get(row["view"], place), place)
    return [
        row
        for row in rows
        if row["view"] is None
        or (row["view"] not in names and first[row["view"]] == (row["hlc"], row["id"]))
    ]


def _may_see(query: Query, row: Row) -> bool:
    """Return whether the caller may see a memory and it passes the query's filters."""
    scope, tags = row["scope"], row["tags"]
    passes = (
        row["status"] in {"active", *query.include}
        and ("expired" in query.include or _holds(row, query.now))
        and ("sensitive" not in tags or "sensitive" in (*query.include, query.tag))
        and ("quarantined" in query.include or _includes(Trusted(clones=query.clones), row))
        and query.type in (None, row["type"])
        and query.protocol in (None, row["protocol"])
        and (query.tag is None or query.tag in tags)
        and str(row["source"] or "").startswith(query.source or "")
        and (query.scope is None or _is_within(scope, query.scope))
    )
    if scope.startswith("session:") and row["protocol"] != CONVERSING:
        return bool(passes and scope == f"session:{query.session}")
    own = query.actor == "USER" or scope == f"agent:{query.actor}"
    return bool(passes and (own or not scope.startswith("agent:")))


def _read_line(held: _Held) -> Event:
    # a copy, because callers may change it
    return decode(held.line.encode("ascii"), held.event.log)


def _includes(rule: Trusted | None, row: Row) -> bool:
    return rule is None or rule.admits(row["trust"], row["writer"], row["trusted"])


def _is_within(scope: str, wider: str) -> bool:
    return scope == wider or scope.startswith(f"{wider}:")


def _is_listed_after(row: Row, place: tuple[str, str]) -> bool:
    return bool(row["hlc"] < place[0] or (row["hlc"] == place[0] and row["id"] > place[1]))


def _holds(row: Row, now: str) -> bool:
    return not is_over(row["expires_at"], now)


def _is_over(row: Row, now: str) -> bool:
    return row["status"] == "expired" or (row["status"] == "active" and not _holds(row, now))


def _kept(row: Row, n: int) -> Row:
    """Return a copy of a memory's row, with its number in the index.

    The copy shares no data with the events of the fold.
    """
    from json import dumps, loads

    completed(row)
    plain = {name: loads(dumps(row[name])) for name in ("evidence", "links", "extra")}
    return {**row, **plain, "tags": tuple(row["tags"]), "n": n}


def _texts(row: Row) -> list[str]:
    """Return the searched texts of a memory's row, by field."""
    return [" ".join(row[field]) if field == "tags" else row[field] or "" for field in _SEARCHED]


def _counted(row: Row) -> dict[str, dict[str, int]]:
    """Return how often each word occurs in a memory's row, by field."""
    found: dict[str, dict[str, int]] = {}
    for field, text in zip(_SEARCHED, _texts(row), strict=True):
        for token in index_words(text):
            fields = found.setdefault(token, {})
            fields[field] = fields.get(field, 0) + 1
    return found


def _light(row: Row) -> tuple[Any, ...]:
    joined = {**row, "tags": SPLIT.join(row["tags"])}
    return tuple(joined[name] for name in _LIGHT)


def _phrase(row: Row) -> tuple[str, str | None]:
    return row["text"], row["speaker"]


def _near(row: Row) -> Near:
    from json import dumps

    links = dumps(row["links"]) if row["links"] else None
    fields = (row["id"], row["text"], row["speaker"], row["at"], row["scope"], row["kept"])
    about = (row["hlc"], row["protocol"], row["type"])
    return Near((*fields, row["n"], _seal(row), links, *about))


def _seal(row: Row) -> str:
    """Return a text that changes if a memory's row changes in a field that comparison uses."""
    parts = (row["id"], row["version"], row["key"], row["at"], row["speaker"], row["links"])
    return repr(parts)
