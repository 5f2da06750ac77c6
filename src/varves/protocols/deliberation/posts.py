"""Posting in a conversation: one message and all its findings are appended together.

The index and the findings are computed under the log's lock, so that messages of two processes are
ordered. A crash can leave an append incomplete after the message; the next verb that writes detects
the missing events and derives them again.
"""

from __future__ import annotations

from varves.commands.intake import moment, word
from varves.errors import NotFound, UsageError
from varves.protocols.deliberation import summaries
from varves.protocols.deliberation.answers import MessageSaid
from varves.protocols.deliberation.conversations import DECISION, POSTED, PROPOSAL
from varves.protocols.deliberation.drafts import Drafting, posted, summarised
from varves.protocols.deliberation.failures import Failures
from varves.protocols.deliberation.findings import Decided, Raised
from varves.protocols.deliberation.state import SYSTEM
from varves.protocols.sessions import CONTINUED
from varves.values.ids import is_event_id
from varves.values.instants import iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.desk import DeliberationDesk
    from varves.protocols.deliberation.findings import Finding
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import Message, State, Summary

_TYPES = ("message", SYSTEM)


def post(
    desk: DeliberationDesk,
    name: str | None,
    message: Message,
    *,
    summarise: bool,
    strict: bool = False,
) -> tuple[MessageSaid, Message]:
    """Record a message and its findings; return the result and the message as stored."""
    conversation = desk.writable(name)
    message, rules = sayable(desk, message, conversation)
    own = word(message.id or None, "id")
    with desk.core.deciding(conversation.log):
        held = mended(desk, conversation)
        event = desk.core.ids.event(desk.core.now)
        message = message.replace(
            id=own or event,
            index=held.state.total,
            reply_to=_answered(desk, conversation, message.reply_to, held if strict else None),
        )
        act = desk.act(conversation, agent=message.agent_id not in desk.people)
        drafting = Drafting(conversation, held, act, ids=desk.core.ids, event=event)
        drafting.take(message, desk.extractor(conversation.extractor).read(message, held.state))
        finds = len(drafting.drafts)
        first = posted(message, act, event=event, own=own is not None, finds=finds)
        events = desk.core.append(conversation.log, [first, *drafting.drafts])
        desk.reader.follow(conversation.name, events)
        made = _summarised(desk, conversation) if summarise else ()
    answer = MessageSaid(
        conversation=conversation.name,
        event=event,
        index=message.index,
        agent=message.agent_id,
        type=message.type,
        found=tuple(drafting.learned),
        summaries=made,
        redacted=rules,
    )
    return answer, message


def post_all(
    desk: DeliberationDesk, name: str, messages: Sequence[Message], *, summarise: bool
) -> list[MessageSaid]:
    """Post messages under one lock; the files are rendered after the last one."""
    conversation = desk.writable(name)
    with desk.core.deciding(conversation.log), desk.reader.alone(name):
        return [post(desk, name, one, summarise=summarise)[0] for one in messages]


def sayable(
    desk: DeliberationDesk, message: Message, conversation: Conversation | None = None
) -> tuple[Message, tuple[str, ...]]:
    """Return a message in the form to be recorded, and the rules that masked something in it."""
    if message.type not in _TYPES:
        hint = f"use {' or '.join(_TYPES)}"
        raise UsageError(f"not a type of message: {quoted(message.type)}", hint)
    agent = desk.agent(conversation, message.agent_id, anybody=message.type == SYSTEM)
    text, rules = desk.text(message.content)
    at = moment(message.timestamp or None) or iso(desk.core.now)
    word(message.id or None, "id")
    return message.replace(agent_id=agent, content=text, timestamp=at), rules


def _answered(
    desk: DeliberationDesk, conversation: Conversation, given: Any, held: HeldConversation | None
) -> str | None:
    """Return the id of the message that is answered, which may be given by its number."""
    reply = word(given, "reply_to")
    if reply is None:
        return None
    number = int(reply) if reply.isascii() and reply.isdigit() and len(reply) < 10 else None
    if number is not None:
        total = desk.reader.digest(conversation.name).state.total
        for one in desk.reader.recent(conversation.name, max(0, total - number)):
            if one.index == number:
                return one.id
    elif is_event_id(reply):
        event = desk.core.rows().event(reply)
        if event is not None and event.kind == POSTED and event.session == conversation.name:
            return str(event.data.get("id") or event.id)
    elif held is None or _knows(desk, conversation, held, reply):
        return reply
    raise NotFound(f"{conversation.name} has no message {quoted(reply)}", "give a number or id")


def _knows(
    desk: DeliberationDesk, conversation: Conversation, held: HeldConversation, name: str
) -> bool:
    """Return whether an id is that of a record, or of a message that came with its own id."""
    state = held.state
    told = {one.message for one in state.decisions} | {one.message for one in state.proposals}
    if name in held.rows or name in told or any(one.id == name for one in state.pending):
        return True
    row = desk.core.memory(name)
    if row is not None:
        return row.session == conversation.name and row.type in (DECISION, PROPOSAL)
    posted = desk.reader.posted(conversation.name)
    return any(event.data.get("id") == name for _, event in posted)


def mended(desk: DeliberationDesk, conversation: Conversation) -> HeldConversation:
    """Return a conversation after adding findings of its last message that a crash lost."""
    held = desk.reader.held(conversation.name, keep=True)
    name, owed = held.digest.owed
    if not owed:
        return held
    event = desk.core.rows().event(name)
    act = desk.act(conversation, agent=True)
    drafting = Drafting(conversation, held, act, ids=desk.core.ids, event=name)
    if event is not None:
        message = desk.reader.message(event, held.state.total - 1)
        extractor = desk.extractor(conversation.extractor)
        found = extractor.read(message, _before(held.state, message))
        drafting.take(message, _missing(found, held.state, message))
    drafts = [*drafting.drafts, act.draft(CONTINUED, {"mended": name})]
    desk.reader.follow(conversation.name, desk.core.append(conversation.log, drafts))
    return desk.reader.held(conversation.name, keep=True)


def _summarised(desk: DeliberationDesk, conversation: Conversation) -> tuple[Summary, ...]:
    """Make the extractive summaries that are due."""
    interval = desk.options.summary_interval
    known = desk.reader.digest(conversation.name, keep=True).state
    if not known.pending or known.pending[0].index // interval >= known.total // interval:
        return ()
    state = desk.reader.held(conversation.name, keep=True).state
    writer = summaries.Summariser(desk.options, Failures())
    made = []
    for chunk in summaries.due(state, interval):
        state = desk.reader.held(conversation.name, keep=True).state
        one = writer.write(chunk, state, runner=None, now=iso(desk.core.now))
        if one is not None:
            made += _recorded(desk, conversation, one)
    return tuple(made)


def _recorded(
    desk: DeliberationDesk, conversation: Conversation, summary: Summary
) -> list[Summary]:
    """Record a summary, unless its messages were covered in the meantime."""
    pending = desk.reader.digest(conversation.name, keep=True).state.pending
    waiting = {one.index: one.id for one in pending}
    start, end = summary.message_range
    if not any(start <= index <= end for index in waiting):
        return []
    text, _ = desk.core.clean(summary.content)
    name = desk.core.ids.memory()
    act = desk.act(conversation, agent=True)
    masked = summary.replace(content=text, id=name)
    draft = summarised(conversation, masked, act, name=name, covers=waiting)
    desk.reader.follow(conversation.name, desk.core.append(conversation.log, [draft]))
    return [masked]


def record_summary(desk: DeliberationDesk, name: str, summary: Summary) -> tuple[Summary, ...]:
    """Record a given summary, unless its messages were covered in the meantime."""
    conversation = desk.writable(name)
    with desk.core.deciding(conversation.log):
        return tuple(_recorded(desk, conversation, summary))


def _before(state: State, message: Message) -> State:
    """Return a state without the records that a message added."""
    return state.replace(
        decisions=tuple(one for one in state.decisions if one.message != message.id),
        proposals=tuple(one for one in state.proposals if one.message != message.id),
    )


def _missing(found: Iterable[Finding], state: State, message: Message) -> Iterable[Finding]:
    """Skip the findings of a message that were recorded before the crash."""
    decided = any(one.message == message.id for one in state.decisions)
    raised = any(one.message == message.id for one in state.proposals)
    for one in found:
        if (isinstance(one, Decided) and decided) or (isinstance(one, Raised) and raised):
            continue
        yield one
