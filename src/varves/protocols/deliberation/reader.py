"""The state of a conversation, read from the ledger: a digest lists records, rows contain texts.

The state is cached in the process, and a digest is saved from time to time for the next process, so
that the cost of a message does not grow with the conversation.
"""

from __future__ import annotations

import json
from contextlib import contextmanager

from varves.errors import NotFound
from varves.events.kinds import touches
from varves.protocols.deliberation.conversations import (
    DECISION,
    POSTED,
    PROPOSAL,
    SUMMARY,
    conversations,
)
from varves.protocols.deliberation.digest import (
    KINDS,
    Digest,
    count_of,
    folded,
    from_note,
    messages_waiting,
    to_note,
)
from varves.protocols.deliberation.state import (
    ACTIVE,
    PURGED,
    REACTIONS,
    REJECTED,
    STATUSES,
    ConversationDecision,
    Message,
    Proposal,
    Reaction,
    State,
    Summary,
)
from varves.protocols.deliberation.transitions import bounded
from varves.protocols.records import object_of, text_of, texts
from varves.protocols.sessions import CONTINUED
from varves.values.memory import STATUSES as ROW_STATUSES
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.port import Core
    from varves.values.memory import Memory

_OFTEN = 50  # the number of events after which a digest is saved again
_VERSION = 3
_PARTS = ("summaries", "decisions", "proposals")
_RESTING = ("archived", "superseded")
_REPLACED = ("superseded", "forgotten")  # both: replaced in one clone, forgotten in another


class HeldConversation(Value):
    """A conversation's state, and the rows from which it was read."""

    state: State
    digest: Digest
    rows: dict[str, Memory]
    """The rows, by the id that the state shows."""
    read: dict[str, ReadRecord | None] = {}  # noqa: RUF012 - values are frozen
    """The records as they were read, by their own ids; None for one that does not stand."""


class ReadRecord(Value):
    """A record of a conversation: its own row, the row with its current text, and its value."""

    first: Memory
    now: Memory
    value: Summary | ConversationDecision | Proposal


class Reader:
    """Reads the conversations of one ledger."""

    def __init__(self, core: Core, options: DeliberationOptions) -> None:
        self.core = core
        self.options = options
        self._digests: dict[str, Digest] = {}
        self._noted: dict[str, int] = {}
        self._seen: dict[str, tuple[Any, HeldConversation]] = {}
        self._alone = ""

    def all(self) -> dict[str, Conversation]:
        """Return all conversations, in order of their start."""
        return conversations(self.core)

    def held(self, name: str, *, keep: bool = False) -> HeldConversation:
        """Return the current state of a conversation.

        Args:
            name: the conversation.
            keep: cache the result; not allowed for a view of the past.
        """
        seal, seen = self.core.seal(), self._seen.get(name)
        if seen is not None and (seen[0] == seal or name == self._alone):
            self._kept(name, seen[1].digest, keep=keep)
            return seen[1]
        held = self._read(name, self.digest(name, keep=keep))
        if keep:
            self._seen[name] = seal, held
        return held

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Read a conversation once during a `with` block that locks its log.

        Each append in the block is followed by `follow`, so that its cost does not grow with the
        number of records. What other verbs change in single records counts after the block.
        """
        self.held(name, keep=True)
        self._alone = name
        try:
            yield
        finally:
            self._alone = ""
            self._seen.pop(name, None)

    def follow(self, name: str, events: Iterable[Event]) -> None:
        """Add events that were just appended to a conversation that is read only once."""
        if name != self._alone:
            return
        seal, before = self._seen[name]
        fresh = self.core.events(*KINDS, session=name, after=before.digest.order)
        digest = self._kept(name, folded(before.digest, fresh, self.options), keep=True)
        changed = {one for event in events for one in (*touches(event), *_tied(event))}
        self._seen[name] = seal, self._read(name, digest, before.read, changed)

    def _read(
        self,
        name: str,
        digest: Digest,
        known: Mapping[str, ReadRecord | None] | None = None,
        changed: Collection[str] = (),
    ) -> HeldConversation:
        shown = bounded(digest.state, self.options)
        named: dict[str, str] = {}
        read: dict[str, ReadRecord | None] = {}
        for kind, part in zip((SUMMARY, DECISION, PROPOSAL), _PARTS, strict=True):
            names = [one.id for one in getattr(shown, part)]
            read |= self._records(name, kind, names, named, known=known, changed=changed)
        values = {each: [read[one.id] for one in getattr(shown, each)] for each in _PARTS}
        rows = {
            one.value.id: one.now for each in _PARTS[1:] for one in values[each] if one is not None
        }
        state = shown.replace(
            **{each: tuple(one.value for one in values[each] if one) for each in _PARTS},
            pending=self._pending(name, digest),
        )
        rows |= self._named(state, rows)
        return HeldConversation(state=state, digest=digest, rows=rows, read=read)

    def _records(
        self,
        name: str,
        type: str,
        names: Sequence[str],
        named: dict[str, str],
        *,
        known: Mapping[str, ReadRecord | None] | None,
        changed: Collection[str],
    ) -> dict[str, ReadRecord | None]:
        """Return the records of a type; those that are known and did not change are not read."""
        found = {
            one: known[one]
            for one in names
            if known is not None
            and one in known
            and one not in changed
            and _current(known[one]) not in changed
        }
        left = [one for one in names if one not in found]
        pairs = {first.id: (first, now) for first, now in self._rows(name, type, left)}
        if type != SUMMARY:
            named |= {one: held.value.id for one, held in found.items() if held is not None}
            named |= {one: shown_id(first) for one, (first, _) in pairs.items()}
        for one in left:
            pair = pairs.get(one)
            found[one] = None
            if pair is not None:
                made = _VALUES[type](*pair, named)
                found[one] = ReadRecord(first=pair[0], now=pair[1], value=made)
        return found

    def _named(self, state: State, rows: dict[str, Memory]) -> dict[str, Memory]:
        """Return the rows of records that other records name but that the state has dropped."""
        named = {one.replaces for one in state.decisions}
        named |= {name for one in state.proposals for name in (one.successor, one.repeats)}
        left = [name for name in named if name and name not in rows]
        found = ((name, self.core.memory(name)) for name in left)
        return {name: memory for name, memory in found if memory is not None}

    # The digest

    def digest(self, name: str, *, keep: bool = False) -> Digest:
        """Return the digest of a conversation, folded up to its last event."""
        core = self.core
        if name == self._alone:
            return self._digests[name]
        count, _, seal = core.pulse(KINDS, name)
        first = self._digests.get(name) or self._from_note(name)
        if first is not None and first.seal == seal:
            fresh = core.events(*KINDS, session=name, after=first.order)
            if first.count + first.passed + len(fresh) == count:
                return self._kept(name, folded(first, fresh, self.options), keep=keep)
        events = core.events(*KINDS, session=name)
        empty = Digest(seal=seal, passed=count - len(events))
        return self._kept(name, folded(empty, events, self.options), keep=keep)

    def _kept(self, name: str, digest: Digest, *, keep: bool) -> Digest:
        if keep:
            self._digests[name] = digest
            if abs(digest.count - self._noted.get(name, 0)) >= _OFTEN:
                note = {"version": _VERSION, "options": self._seal(), **to_note(digest)}
                self.core.note_down(name, json.dumps(note))
                self._noted[name] = digest.count
        return digest

    def _seal(self) -> str:
        return repr(self.options)

    def _from_note(self, name: str) -> Digest | None:
        try:
            note = json.loads(self.core.noted(name) or "null")
        except ValueError:
            return None
        if not note or note.get("version") != _VERSION or note.get("options") != self._seal():
            return None
        digest = from_note(note)
        self._noted[name] = digest.count
        return digest

    # The rows

    def _rows(self, name: str, type: str, names: Sequence[str]) -> Iterable[tuple[Memory, Memory]]:
        """Yield, for each current record, its own row and the row with its current text."""
        if not names:
            return
        some = self.core.latest(type, session=name, most=len(names), statuses=ROW_STATUSES)
        held = {one.id: one for one in some}
        for one in names:
            row = held.get(one) or self.core.memory(one)
            now = self._now(row, names) if row is not None else None
            if row is not None and now is not None and _stands(now):
                yield row, now

    def _now(self, row: Memory, among: Sequence[str]) -> Memory | None:
        """Return a row's latest correction; None if a correction is itself one of the records."""
        visited = {row.id}
        while row.status in _REPLACED and resolution(row) == ACTIVE:
            names = [name for name in row.links.get("superseded_by", ()) if name not in visited]
            after = self.core.memory(names[-1]) if names else None
            if after is None or after.id in among:
                return None
            visited.add(after.id)
            row = after
        return row

    def _pending(self, name: str, digest: Digest) -> tuple[Message, ...]:
        most = messages_waiting(digest)
        if not most:
            return ()
        events = {one.id: one for one in self.core.events(POSTED, session=name, most=most)}
        pairs = ((events.get(one.id), one.index) for one in digest.state.pending)
        return tuple(self.message(event, index) for event, index in pairs if event is not None)

    def message(self, event: Event, index: int) -> Message:
        """Return a message as it was posted; a purged one keeps only its position."""
        said = event.data
        reply = said.get("reply_to")
        return Message(
            agent_id=str(said.get("agent", "")),
            content=self.core.text_of(event),
            id=str(said.get("id") or event.id),
            timestamp=str(said.get("at") or event.time),
            reply_to=reply if isinstance(reply, str) else None,
            type=PURGED if event.purged else str(said.get("type", "message")),
            index=index,
        )

    def posted(self, name: str) -> list[tuple[int, Event]]:
        """Return all events of messages with their indices, without reading their texts."""
        found, total = [], 0
        for event in self.core.events(POSTED, CONTINUED, session=name):
            given = event.data.get("index" if event.kind == POSTED else "total")
            if event.kind == CONTINUED:
                total = count_of(given, total)
                continue
            index = max(total, count_of(given, 0))
            found.append((index, event))
            total = index + 1
        return found

    def recent(self, name: str, most: int) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first."""
        digest = self.digest(name)
        events = self.core.events(POSTED, session=name, most=most) if most > 0 else []
        start = digest.state.total - len(events)
        return tuple(self.message(one, start + place) for place, one in enumerate(events))

    def moment_after(self, name: str, index: int) -> str | None:
        """Return the last event before the next message after `index`; None if there is none.

        Raises:
            NotFound: there is no such message.
        """
        posted = self.posted(name)
        later = [event for place, event in posted if place > index]
        if not any(place == index for place, _ in posted):
            hint = f"it has {posted[0][0]} to {posted[-1][0]}" if posted else "it has none"
            raise NotFound(f"{name} has no message {index}", hint)
        if not later:
            return None
        before = [
            one for one in self.core.events(*KINDS, session=name) if one.order < later[0].order
        ]
        return before[-1].id


def shown_id(row: Memory) -> str:
    """Return the displayed id of a record: the id that it came with or, if none, its own."""
    alias = row.extra.get("alias")
    return alias if isinstance(alias, str) and alias else row.id


def resolution(row: Memory) -> str:
    """Return the status of a proposal."""
    found = row.extra.get("resolution")
    return found if found in STATUSES else ACTIVE


def _stands(row: Memory) -> bool:
    if row.status in _RESTING:
        return row.type == PROPOSAL and resolution(row) != ACTIVE
    return row.status == "active"


def _said(first: Memory, now: Memory, key: str) -> Any:
    """Return a field of a record; a correction without the field does not change it."""
    return now.extra.get(key, first.extra.get(key))


def _linked(pair: tuple[Memory, Memory], name: str, named: Mapping[str, str]) -> str | None:
    """Return the displayed id of the record that this one links to."""
    first, now = pair
    links = now.links.get(name) or first.links.get(name) or ()
    found = text_of(_said(first, now, name)) or (links[-1] if links else None)
    return named.get(found, found) if found else None


def _unknown(first: Memory, now: Memory) -> dict[str, Any]:
    return object_of(_said(first, now, "unknown"))


def summary_from(first: Memory, now: Memory, named: Mapping[str, str] | None = None) -> Summary:
    """Return the summary in a row; it names no other record."""
    del named
    span = _said(first, now, "range")
    fits = isinstance(span, list) and len(span) > 1 and all(type(one) is int for one in span)
    return Summary(
        id=shown_id(first),
        timestamp=first.at,
        message_range=(span[0], span[1]) if fits else (0, -1),
        content=now.text,
        by=text_of(_said(first, now, "by")),
        unknown=_unknown(first, now),
    )


def decision_from(first: Memory, now: Memory, named: Mapping[str, str]) -> ConversationDecision:
    """Return the decision in a row."""
    return ConversationDecision(
        id=shown_id(first),
        timestamp=first.at,
        topic=now.topic or first.topic or "",
        outcome=now.text,
        supporting_agents=texts(_said(first, now, "supporters")),
        replaces=_linked((first, now), "replaces", named),
        message=text_of(_said(first, now, "message")),
        unknown=_unknown(first, now),
    )


def _side(found: Any) -> bool:
    """Return whether this is a pair of an agent and its reaction."""
    fits = isinstance(found, list) and [type(one) for one in found] == [str, str]
    return fits and found[1] in REACTIONS


def _why(first: Memory, now: Memory) -> str:
    """Return why a proposal was rejected, if that was said; a restored one was rejected before."""
    return now.reason if now.reason not in (None, REJECTED) else text_of(_said(first, now, "why"))


def proposal_from(first: Memory, now: Memory, named: Mapping[str, str]) -> Proposal:
    """Return the proposal in a row."""
    given = [one.extra.get("reactions") for one in ((first, now) if now is not first else (now,))]
    sides = dict(pair for some in given if isinstance(some, list) for pair in some if _side(pair))
    return Proposal(
        id=shown_id(first),
        timestamp=first.at,
        proposer=text_of(_said(first, now, "proposer")),
        content=now.text,
        status=resolution(now),
        reactions=tuple(Reaction(agent_id=name, reaction=sides[name]) for name in sides),
        message=text_of(_said(first, now, "message")),
        successor=_linked((first, now), "successor", named),
        repeats=_linked((first, now), "repeats", named),
        index=-1 if first.turn is None else first.turn,
        reason=_why(first, now) if resolution(now) == REJECTED else "",
        unknown=_unknown(first, now),
    )


_VALUES: dict[str, Callable[[Memory, Memory, Mapping[str, str]], Any]] = {
    SUMMARY: summary_from,
    DECISION: decision_from,
    PROPOSAL: proposal_from,
}


def _current(record: ReadRecord | None) -> str:
    """Return the id of the row with a record's current text."""
    return "" if record is None else record.now.id


def _tied(event: Event) -> Iterator[str]:
    """Yield the records that an event's record links to."""
    links = event.data.get("links")
    for names in links.values() if isinstance(links, dict) else ():
        yield from texts(names)
