"""The protocol's files: the state of each conversation, in a folder that git ignores.

A record added by hand without one of our ids gets an id computed from its content, so that the same
record read twice is recorded once. An edit that cannot be recorded is ignored, and a note says so.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events.kinds import (
    FORGOTTEN,
    LINKED,
    PROPOSAL_RESOLVED,
    RAISED,
    RECORDED,
    RESTORED,
    REVISED,
    SUMMARISED,
)
from varves.protocols.deliberation import saved_state
from varves.protocols.deliberation.conversations import (
    DECISION,
    PLAIN,
    POSTED,
    PROPOSAL,
    SUMMARY,
    scope_of,
)
from varves.protocols.deliberation.digest import agent_part
from varves.protocols.deliberation.saved_state import (
    AGENTS,
    DECISIONS,
    PENDING,
    PROPOSALS,
    SUMMARIES,
    encoded,
    faults,
    to_json,
)
from varves.protocols.deliberation.state import MODIFIED
from varves.protocols.hand_edit import REMOVED, found_id, masked
from varves.protocols.port import Codec, FileRecord
from varves.protocols.sessions import CONTINUED, PRIVATE, PROJECT, STARTED
from varves.values.ids import is_memory_id, memory_of
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.deliberation.reader import Reader
    from varves.protocols.port import Change, Core, Stock, Touched
    from varves.values.memory import Memory

WHOLE, AGENT, MESSAGE = "state", "agent", "message"
_PARTS = {SUMMARY: SUMMARIES, DECISION: DECISIONS, PROPOSAL: PROPOSALS, AGENT: AGENTS}
_LISTS = {SUMMARIES: SUMMARY, DECISIONS: DECISION, PROPOSALS: PROPOSAL, PENDING: MESSAGE}


def parse(content: bytes) -> list[FileRecord]:
    """Parse a state file into records.

    Raises:
        Unreadable: the file is not a state file.
    """
    document = saved_state.parsed(content)
    found: dict[str, FileRecord] = {}
    for key, kind in _LISTS.items():
        for one in document.get(key) or ():
            if isinstance(one, dict):
                entry = FileRecord(key=_key(kind, one), content=one)
                found.setdefault(entry.key, entry)
    for name, one in (document.get(AGENTS) or {}).items():
        if isinstance(one, dict):
            found[f"{AGENT}:{name}"] = FileRecord(key=f"{AGENT}:{name}", content=one)
    rest = {key: part for key, part in document.items() if key not in (*_LISTS, AGENTS)}
    return [
        *found.values(),
        FileRecord(key=WHOLE, content=rest),
    ]  # last, because its counters depend on the records before it


def _key(kind: str, one: dict[str, Any]) -> str:
    """Return the key of a record: its id, or else a digest of its content."""
    name = one.get("id")
    if isinstance(name, str) and name:
        return f"{kind}:{name}"
    said = [one.get(key) for key in ("topic", "outcome", "proposer", "content", "messageRange")]
    return f"{kind}:+{made_id(kind, repr(said))}"


def made_id(*parts: str) -> str:
    """Return an id computed from the content of a record written by hand."""
    from hashlib import sha256

    return memory_of(sha256("\x1f".join(parts).encode("utf-8", "replace")).digest())


def adopted(reader: Reader, name: str, change: Change, *, act: Act) -> list[tuple[str, Draft]]:
    """Return the drafts for a change to one part of a conversation's file."""
    known = reader.all().get(name)
    act = act.replace(session=name)
    log = known.log if known is not None else PRIVATE
    drafts: list[Draft] = []
    if known is None and change.key == WHOLE:  # there is no log; the file starts it again
        drafts.append(act.draft(STARTED, {"checkout": reader.core.checkout}))
    kind, _, key = change.key.partition(":")
    hand = Hand(reader=reader, name=name, change=masked(reader.core, change), act=act, key=key)
    part = _PARTS.get(kind)
    wrong = faults(part, change.after) if part and change.after is not None else iter(())
    _, fault = next(wrong, ("", ""))
    if fault:
        hand.stays(change.key, fault)
    else:
        drafts += _DOORS[kind](hand)
    return [(log, draft) for draft in drafts]


class Hand(Value):
    """A hand edit of one record."""

    reader: Reader
    name: str
    change: Change
    act: Act
    key: str
    """The record's id, or `+` and a digest if it has none."""

    def stays(self, what: str, why: str) -> None:
        """Note that an edit is ignored."""
        self.reader.core.notes.append(f"{self.change.path}: the edit of {what} is ignored: {why}")

    def row(self) -> Memory | None:
        """Return the row of the record, whatever its status."""
        held = self.reader.held(self.name).rows.get(self.key)
        own = held or self.reader.core.memory(self._memory())
        return own if own is not None and own.scope == scope_of(self.name) else None

    def _memory(self) -> str:
        given = self.key.removeprefix("+")
        return given if is_memory_id(given) else made_id("found", self.name, self.key)

    def born(self, kind: str, content: dict[str, Any], said: Value) -> list[Draft]:
        """Return the draft of a record that does not exist yet."""
        memory = self._memory()
        if memory in self.reader.core.barred():
            note = f"{self.change.path}: a purged record is ignored"
            self.reader.core.notes.append(note)
            return []
        if self.reader.core.memory(memory) is not None:  # the id belongs to another conversation
            memory = found_id(self.reader.core, "deliberation", self.name, self.key)
        own = {
            "memory": memory,
            "scope": scope_of(self.name),
            "alias": None if self.key in (memory, f"+{memory}") else self.key.lstrip("+"),
            "at": getattr(said, "timestamp", None),
            "unknown": getattr(said, "unknown", None),
        }
        return [self.act.draft(kind, {**own, **content})]

    def changed(self, row: Memory, parts: dict[str, Any], *, said: Any, held: Any) -> list[Draft]:
        """Return the drafts that change a row; a forgotten or flagged row is restored."""
        drafts = []
        if row.status in ("forgotten", "flagged"):
            drafts.append(self.act.draft(RESTORED, {"memory": row.id}, row.version))
        if said.timestamp and said.timestamp != held.timestamp:
            parts = {**parts, "at": said.timestamp}
        if said.unknown != held.unknown:
            parts = {**parts, "unknown": said.unknown}
        if parts:
            draft = self.act.draft(REVISED, {"memory": row.id}, row.version)
            drafts.append(draft.replace(data={**draft.data, "set": parts}))
        return drafts

    def gone(self, row: Memory | None) -> list[Draft]:
        """Return the draft that forgets a record."""
        if row is None or row.status == "forgotten":
            return []
        content = {"memory": row.id, "reason": REMOVED, "text": row.text, "scope": row.scope}
        return [self.act.draft(FORGOTTEN, content, row.version)]


def _summary(hand: Hand) -> list[Draft]:
    from varves.protocols.deliberation.reader import summary_from

    after, row = hand.change.after, hand.row() or _summary_row(hand)
    if after is None:
        return hand.gone(row)
    said = saved_state.summary_of(after)
    if row is None:
        content = {
            "text": said.content,
            "type": SUMMARY,
            "range": list(said.message_range),
            "by": said.by,
        }
        return hand.born(SUMMARISED, content, said)
    held = summary_from(row, row)
    parts: dict[str, Any] = {}
    if said.content != held.content:
        parts["text"] = said.content
    if said.message_range != held.message_range:
        parts["range"] = list(said.message_range)
    return hand.changed(row, parts, said=said, held=held)


def _summary_row(hand: Hand) -> Memory | None:
    """Return the row of a summary that has an id from elsewhere."""
    rows = hand.reader.core.memories(only={"type": SUMMARY, "session": hand.name})
    return next((one for one in rows if one.extra.get("alias") == hand.key), None)


def _decision(hand: Hand) -> list[Draft]:
    from varves.protocols.deliberation.reader import decision_from

    after, row = hand.change.after, hand.row()
    if after is None:
        return hand.gone(row)
    said = saved_state.decision_of(after)
    if row is None:
        content = {
            "text": said.outcome or said.topic,
            "type": DECISION,
            "topic": said.topic,
            "supporters": list(said.supporting_agents),
            "speaker": said.supporting_agents[0] if said.supporting_agents else None,
            "message": said.message,
            "replaces": said.replaces,
        }
        return hand.born(RECORDED, content, said)
    held = decision_from(row, row, {})
    parts: dict[str, Any] = {}
    if said.outcome != held.outcome and said.outcome:
        parts["text"] = said.outcome
    if said.topic != held.topic:
        parts["topic"] = said.topic
    if said.supporting_agents != held.supporting_agents:
        parts["supporters"] = list(said.supporting_agents)
    drafts = hand.changed(row, parts, said=said, held=held)
    return drafts + _relinked(hand, row, "replaces", said=said.replaces, held=held.replaces)


def _relinked(
    hand: Hand, row: Memory, name: str, *, said: str | None, held: str | None
) -> list[Draft]:
    if said == held or said is None:
        return []
    other = hand.reader.held(hand.name).rows.get(said)
    if other is None:
        hand.stays(name, "no such record")
        return []
    return [hand.act.draft(LINKED, {"memory": row.id, "links": {name: [other.id]}}, row.version)]


def _proposal(hand: Hand) -> list[Draft]:
    from varves.protocols.deliberation.reader import proposal_from

    after, row = hand.change.after, hand.row()
    if after is None:
        return hand.gone(row)
    said = saved_state.proposal_of(after)
    reactions = [[one.agent_id, one.reaction] for one in said.reactions]
    if row is None:
        content = {
            "text": said.content,
            "type": PROPOSAL,
            "proposer": said.proposer,
            "speaker": said.proposer,
            "resolution": said.status,
            "reactions": reactions,
            "message": said.message,
            "successor": said.successor,
            "repeats": said.repeats,
            "why": said.reason or None,
            "turn": said.index if said.index >= 0 else None,
        }
        return hand.born(RAISED, content, said)
    held = proposal_from(row, row, {})
    parts: dict[str, Any] = {}
    if said.content != held.content and said.content:
        parts["text"] = said.content
    if said.proposer != held.proposer:
        parts["proposer"] = said.proposer
    if said.reactions != held.reactions:
        parts["reactions"] = reactions
    drafts = hand.changed(row, parts, said=said, held=held)
    if said.status != held.status or (said.successor and said.successor != held.successor):
        other = hand.reader.held(hand.name).rows.get(said.successor or "")
        successor = other.id if other is not None and said.status == MODIFIED else None
        content = {"memory": row.id, "status": said.status, "successor": successor}
        drafts.append(hand.act.draft(PROPOSAL_RESOLVED, content, row.version))
    return drafts + _relinked(hand, row, "repeats", said=said.repeats, held=held.repeats)


def _agent(hand: Hand) -> list[Draft]:
    after = hand.change.after
    if after is None:
        return [hand.act.draft(CONTINUED, {"gone": [hand.key]})]
    said, ours = saved_state.agent_of(after), hand.change.ours
    if ours is not None and said.message_count < saved_state.agent_of(ours).message_count:
        hand.stays(hand.change.key, "the log has counted more messages")
        return []  # an older copy of the file, not an edit
    part = agent_part(said)
    draft = hand.act.draft(CONTINUED, {})
    return [draft.replace(data={"agents": {hand.key: part}})]


def _message(hand: Hand) -> list[Draft]:
    """Record a message only if there is no log yet; recorded messages never change."""
    change = hand.change
    if change.after is None or hand.reader.all().get(hand.name) is not None:
        hand.stays(change.key, "recorded messages cannot be changed")
        return []
    [said] = saved_state.from_json({PENDING: [change.after]}).pending or (None,)
    if said is None:
        return []
    content = {
        "agent": said.agent_id,
        "text": said.content,
        "reply_to": said.reply_to,
        "type": said.type if said.type != "message" else None,
        "id": said.id,
        "at": said.timestamp,
        "index": said.index or None,
    }
    return [hand.act.draft(POSTED, content)]


def _whole(hand: Hand) -> list[Draft]:
    change, known = hand.change, hand.reader.all().get(hand.name)
    after, before = change.after or {}, change.before or change.ours or {}
    count = after.get(saved_state.TOTAL)
    content = dict(_unknown(after, before))
    if known is None:
        content["total"] = count if isinstance(count, int) and count >= 0 else None
    elif saved_state.TOTAL in after and count != before.get(saved_state.TOTAL):
        hand.stays(saved_state.TOTAL, "it is the number of messages")
    return [hand.act.draft(CONTINUED, content)] if content else []


def _unknown(after: dict[str, Any], before: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the changes of keys that are not published."""
    told = {
        key: part
        for key, part in after.items()
        if key not in saved_state.KEYS and before.get(key, _unknown) != part
    }
    gone = [key for key in before if key not in saved_state.KEYS and key not in after]
    if told:
        yield "unknown", told
    if gone:
        yield "removed", gone


_DOORS = {
    WHOLE: _whole,
    SUMMARY: _summary,
    DECISION: _decision,
    PROPOSAL: _proposal,
    AGENT: _agent,
    MESSAGE: _message,
}


FILE = "memory.json"


class DeliberationCodec(Codec):
    """The codec of the files below `deliberations`."""

    name = "deliberation"
    kinds = PLAIN

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        folder = reader.options.folder
        self.folders = (folder,)
        self.ignores = (folder,)
        self.stirred: set[str] = set()
        """The conversations in which the current verb recorded something."""

    def path_of(self, name: str) -> str:
        """Return the path of a conversation's saved state."""
        return f"{self.folders[0]}/{name}/{FILE}"

    def conversation_in(self, path: str) -> str | None:
        """Return the conversation whose state file has this path, or None."""
        folder = f"{self.folders[0]}/"
        name, _, rest = path.removeprefix(folder).partition("/")
        if not path.startswith(folder) or rest != FILE:
            return None
        try:
            return safe_name(name, "conversation")
        except VarvesError:
            return None

    def is_state(self, path: str) -> bool:
        """Return whether a file is a conversation's state."""
        return self.conversation_in(path) is not None

    def scope_of(self, path: str) -> str:
        """Return the scope whose log stores a conversation."""
        name = self.conversation_in(path) or ""
        known = self._reader.all().get(name)
        return PROJECT if known is not None and known.shared else scope_of(name)

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:  # noqa: ARG002
        """Return the states affected by the touched records, or all if `touched` is None."""
        known = self._reader.all()
        names = set(known)
        if touched is not None:
            scopes = set(touched.scopes)
            for one in touched.memories:
                memory = self._reader.core.memory(one)
                scopes |= {memory.scope} if memory is not None else set()
            near = {name for name in known if scope_of(name) in scopes}
            names = near | (self.stirred & names if self.stirred or not touched.events else names)
        self.stirred = set()
        return {self.path_of(name): self._content(name) for name in sorted(names)}

    def _content(self, name: str) -> bytes:
        return encoded(to_json(self._reader.held(name, keep=True).state))

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002 - one format
        """Parse a state file."""
        return parse(content)

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return the drafts that record a hand edit."""
        name = self.conversation_in(change.path) or ""
        self.stirred.add(name)
        return adopted(self._reader, name, change, act=act)
