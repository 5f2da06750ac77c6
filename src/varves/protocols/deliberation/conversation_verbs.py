"""Posting in a conversation: one message and all its findings are appended together.

The index and the findings are computed under the log's lock, so that messages of two processes are
ordered. A crash can leave an append incomplete after the message; the next verb that writes detects
the missing events and derives them again.
"""

from __future__ import annotations

from varves.commands.intake import moment, statement, word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.deliberation import summarising
from varves.protocols.deliberation.answers import MessageSaid
from varves.protocols.deliberation.choosing import reader
from varves.protocols.deliberation.conversations import DECISION, POSTED, PROPOSAL
from varves.protocols.deliberation.drafting import Drafting, posted, summarised
from varves.protocols.deliberation.failures import Failures
from varves.protocols.deliberation.findings import Decided, Raised
from varves.protocols.deliberation.options import EXTRACTORS
from varves.protocols.deliberation.state import SYSTEM, Message
from varves.protocols.port import writes
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.sessions import CONTINUED, current
from varves.values.ids import is_event_id
from varves.values.instants import iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.deliberation.codec import DeliberationCodec
    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.reader import HeldConversation, Reader
    from varves.protocols.deliberation.state import State, Summary
    from varves.protocols.port import Core

AGENT, AGENT_TRUST = "agent", 2
_TYPES = ("message", SYSTEM)


class ConversationVerbs(PublishedProtocol):
    """The verbs that add to a conversation."""

    core: Core
    options: DeliberationOptions
    reader: Reader
    codec: DeliberationCodec
    meanings = True
    """Whether proposals are also compared by meaning, if that is available."""
    people: frozenset[str] = frozenset()
    """The speakers that are persons; all others are agents."""
    _extractors: dict[str, Extractor]

    # Choosing the conversation

    def conversation(self, name: str | None = None) -> Conversation:
        """Return the named conversation, or else the last one started here.

        Raises:
            NotFound: there is none.
        """
        given = name if name is not None else self.core.session
        known = self.reader.all()
        if given is not None:
            if given not in known:
                raise NotFound(f"no conversation {quoted(given)}", "see varves deliberation list")
            return known[given]
        last = current(known.values(), self.core.checkout)
        if last is None:
            raise NotFound("no conversation here", "start one: varves deliberation new")
        return last

    def _writable(self, name: str | None) -> Conversation:
        """Return a conversation that can be written: its file must be readable."""
        found = self.conversation(name)
        path = self.codec.path_of(found.name)
        reason = self.core.unreadable.get(path)
        if reason is not None:
            hint = "fix it, or move it elsewhere and it is written again"
            raise Damaged(f"{path} cannot be read: {reason}", hint)
        self.codec.stirred.add(found.name)
        return found

    def _act(self, conversation: Conversation, *, agent: bool = False) -> Act:
        """Return the acting context; an agent's message has less trust than a person's."""
        act = self.core.act(session=conversation.name)
        if agent and act.trust > AGENT_TRUST:
            act = act.replace(origin=AGENT, trust=AGENT_TRUST)
        return act

    def _agent(
        self, conversation: Conversation | None, agent: Any, *, anybody: bool = False
    ) -> str:
        """Return the name of a speaker who is allowed to speak."""
        name = word(agent, "agent")
        if name is None:
            raise UsageError("the message has no speaker", "name the agent")
        _, rules = self.core.clean(name)
        if rules:
            raise Refused("an agent's name looks like a secret", "give it another one")
        if conversation is None or anybody:
            return name
        if conversation.agents and name not in conversation.agents:
            there = ", ".join(conversation.agents)
            raise Refused(
                f"{quoted(name)} takes no part in {conversation.name}", f"its agents are {there}"
            )
        return name

    def _text(self, text: Any, what: str = "a message needs a text") -> tuple[str, tuple[str, ...]]:
        """Return a text with its secrets masked; `what` is the reason if it is empty."""
        if isinstance(text, str) and not text.strip():
            raise Refused(what, "it cannot be empty")
        said, rules = self.core.clean(statement(text))
        return str(said), rules

    def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """Return the similarity in meaning to each of several texts; None to compare only words."""
        return self.core.likeness(text, others) if self.meanings else None

    def extractor(self, name: str | None) -> Extractor:
        """Return the extractor of a name, by default that of the settings."""
        name = name or self.options.extractor
        if name not in self._extractors:
            if name not in EXTRACTORS:
                raise UsageError(f"no extractor {quoted(name)}", f"use {', '.join(EXTRACTORS)}")
            self._extractors[name] = reader(self.options.replace(extractor=name), self.likeness)
        return self._extractors[name]

    # One message

    def sayable(
        self, message: Message, conversation: Conversation | None = None
    ) -> tuple[Message, tuple[str, ...]]:
        """Return a message in the form to be recorded, and the rules that masked something in it.

        Args:
            message: the message, with its speaker.
            conversation: the conversation; None if not started yet, so that anyone may speak.
        """
        if message.type not in _TYPES:
            hint = f"use {' or '.join(_TYPES)}"
            raise UsageError(f"not a type of message: {quoted(message.type)}", hint)
        agent = self._agent(conversation, message.agent_id, anybody=message.type == SYSTEM)
        text, rules = self._text(message.content)
        at = moment(message.timestamp or None) or iso(self.core.now)
        word(message.id or None, "id")
        return message.replace(agent_id=agent, content=text, timestamp=at), rules

    def post(
        self, conversation: str | None, message: Message, *, summarise: bool, strict: bool = False
    ) -> tuple[MessageSaid, Message]:
        """Record a message and its findings; return the result and the message as stored.

        Args:
            conversation: its name; None for the current one.
            message: the message, with its speaker.
            summarise: make extractive summaries that are due.
            strict: refuse a reply to a message that the conversation does not have.
        """
        return self._post(conversation, message, summarise=summarise, strict=strict)

    @writes
    def _post(
        self, name: str | None, message: Message, *, summarise: bool, strict: bool = False
    ) -> tuple[MessageSaid, Message]:
        conversation = self._writable(name)
        message, rules = self.sayable(message, conversation)
        own = word(message.id or None, "id")
        with self.core.deciding(conversation.log):
            held = self._mended(conversation)
            event = self.core.ids.event(self.core.now)
            message = message.replace(
                id=own or event,
                index=held.state.total,
                reply_to=self._answered(conversation, message.reply_to, held if strict else None),
            )
            act = self._act(conversation, agent=message.agent_id not in self.people)
            drafting = Drafting(conversation, held, act, ids=self.core.ids, event=event)
            drafting.take(message, self.extractor(conversation.extractor).read(message, held.state))
            finds = len(drafting.drafts)
            first = posted(message, act, event=event, own=own is not None, finds=finds)
            events = self.core.append(conversation.log, [first, *drafting.drafts])
            self.reader.follow(conversation.name, events)
            made = self._summarised(conversation) if summarise else ()
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

    def _answered(
        self, conversation: Conversation, given: Any, held: HeldConversation | None
    ) -> str | None:
        """Return the id of the message that is answered, which may be given by its number.

        Args:
            conversation: the conversation.
            given: a number, or the id of a message, a decision or a proposal.
            held: the conversation, if an id that is unknown in it is refused.
        """
        reply = word(given, "reply_to")
        if reply is None:
            return None
        number = int(reply) if reply.isascii() and reply.isdigit() and len(reply) < 10 else None
        if number is not None:
            total = self.reader.digest(conversation.name).state.total
            for one in self.reader.recent(conversation.name, max(0, total - number)):
                if one.index == number:
                    return one.id
        elif is_event_id(reply):
            event = self.core.rows().event(reply)
            if event is not None and event.kind == POSTED and event.session == conversation.name:
                return str(event.data.get("id") or event.id)
        elif held is None or self._knows(conversation, held, reply):
            return reply
        raise NotFound(f"{conversation.name} has no message {quoted(reply)}", "give a number or id")

    def _knows(self, conversation: Conversation, held: HeldConversation, name: str) -> bool:
        """Return whether an id is that of a record, or of a message that came with its own id."""
        state = held.state
        told = {one.message for one in state.decisions} | {one.message for one in state.proposals}
        if name in held.rows or name in told or any(one.id == name for one in state.pending):
            return True
        row = self.core.memory(name)
        if row is not None:
            return row.session == conversation.name and row.type in (DECISION, PROPOSAL)
        posted = self.reader.posted(conversation.name)
        return any(event.data.get("id") == name for _, event in posted)

    # Repair after a crash

    def _mended(self, conversation: Conversation) -> HeldConversation:
        """Return a conversation after adding findings of its last message that a crash lost."""
        held = self.reader.held(conversation.name, keep=True)
        name, owed = held.digest.owed
        if not owed:
            return held
        event = self.core.rows().event(name)
        act = self._act(conversation, agent=True)
        drafting = Drafting(conversation, held, act, ids=self.core.ids, event=name)
        if event is not None:
            message = self.reader.message(event, held.state.total - 1)
            extractor = self.extractor(conversation.extractor)
            found = extractor.read(message, _before(held.state, message))
            drafting.take(message, _missing(found, held.state, message))
        drafts = [*drafting.drafts, act.draft(CONTINUED, {"mended": name})]
        self.reader.follow(conversation.name, self.core.append(conversation.log, drafts))
        return self.reader.held(conversation.name, keep=True)

    # Summaries

    def _summarised(self, conversation: Conversation) -> tuple[Summary, ...]:
        """Make the extractive summaries that are due."""
        interval = self.options.summary_interval
        known = self.reader.digest(conversation.name, keep=True).state
        if not known.pending or known.pending[0].index // interval >= known.total // interval:
            return ()
        state = self.reader.held(conversation.name, keep=True).state
        writer = summarising.Summariser(self.options, Failures())
        made = []
        for chunk in summarising.due(state, interval):
            state = self.reader.held(conversation.name, keep=True).state
            one = writer.write(chunk, state, runner=None, now=iso(self.core.now))
            if one is not None:
                made += self._recorded(conversation, one)
        return tuple(made)

    def _recorded(self, conversation: Conversation, summary: Summary) -> list[Summary]:
        """Record a summary, unless its messages were covered in the meantime."""
        pending = self.reader.digest(conversation.name, keep=True).state.pending
        waiting = {one.index: one.id for one in pending}
        start, end = summary.message_range
        if not any(start <= index <= end for index in waiting):
            return []
        text, _ = self.core.clean(summary.content)
        name = self.core.ids.memory()
        act = self._act(conversation, agent=True)
        masked = summary.replace(content=text, id=name)
        draft = summarised(conversation, masked, act, name=name, covers=waiting)
        self.reader.follow(conversation.name, self.core.append(conversation.log, [draft]))
        return [masked]

    @writes
    def record_summary(self, name: str, summary: Summary) -> tuple[Summary, ...]:
        """Record a given summary, unless its messages were covered in the meantime."""
        conversation = self._writable(name)
        with self.core.deciding(conversation.log):
            return tuple(self._recorded(conversation, summary))


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
