"""What is said in a conversation: one message, and all that it taught, in one append.

Index and findings are worked out under the log's lock, so that two processes that speak at once
get one message after the other. A crash may cut an append short after the message; the next verb
that writes finds out what is missing and derives it again.
"""

from __future__ import annotations

from varves.commands.intake import moment, statement, word
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.deliberation import summarising
from varves.protocols.deliberation.answers import MessageSaid
from varves.protocols.deliberation.choosing import reader
from varves.protocols.deliberation.drafting import Drafting, posted, summarised
from varves.protocols.deliberation.failures import Failures
from varves.protocols.deliberation.findings import Decided, Raised
from varves.protocols.deliberation.options import EXTRACTORS
from varves.protocols.deliberation.state import SYSTEM, Message
from varves.protocols.deliberation.talks import CONTINUED, POSTED
from varves.protocols.port import writes
from varves.protocols.protocol import PublishedProtocol
from varves.values.ids import is_event_id
from varves.values.instants import iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.deliberation.codec import DeliberationCodec
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.reading import HeldConversation, Reader
    from varves.protocols.deliberation.state import State, Summary
    from varves.protocols.deliberation.talks import Conversation
    from varves.protocols.port import Core

AGENT, AGENT_TRUST = "agent", 2
_TYPES = ("message", SYSTEM)


class ConversationVerbs(PublishedProtocol):
    """The verbs by which a conversation grows."""

    core: Core
    options: DeliberationOptions
    reader: Reader
    codec: DeliberationCodec
    meanings = True
    """Whether proposals are compared by meaning too, where that can be had."""
    people: frozenset[str] = frozenset()
    """Speakers whose words are a person's own; everybody else's are an agent's."""
    _extractors: dict[str, Extractor]

    # Which conversation

    def conversation(self, name: str | None = None) -> Conversation:
        """Return the conversation that is meant: the one named, else the last begun here.

        Raises:
            NotFound: there is none.
        """
        given = name if name is not None else self.core.session
        known = self.reader.all()
        if given is not None:
            if given not in known:
                raise NotFound(f"no conversation {quoted(given)}", "varves deliberation list")
            return known[given]
        here = [one for one in known.values() if one.checkout == self.core.checkout]
        if not here:
            raise NotFound("no conversation was begun here", "varves deliberation new begins one")
        return here[-1]

    def _writable(self, name: str | None) -> Conversation:
        """Return a conversation that may grow: its file is no hindrance."""
        found = self.conversation(name)
        path = self.codec.path_of(found.name)
        reason = self.core.unreadable.get(path)
        if reason is not None:
            hint = "mend it, or move it away and it is made again"
            raise Damaged(f"{path} cannot be read: {reason}", hint)
        self.codec.stirred.add(found.name)
        return found

    def _act(self, conversation: Conversation, *, agent: bool = False) -> Act:
        """Return who acts; what an agent said is not what a person said."""
        act = self.core.act(session=conversation.name)
        if agent and act.trust > AGENT_TRUST:
            act = act.replace(origin=AGENT, trust=AGENT_TRUST)
        return act

    def _agent(
        self, conversation: Conversation | None, agent: Any, *, anybody: bool = False
    ) -> str:
        """Return the name of somebody who may speak."""
        name = word(agent, "agent")
        if name is None:
            raise UsageError("nobody says it", "name the agent")
        _, rules = self.core.clean(name)
        if rules:
            raise Refused("an agent's name looks like a secret", "give it another one")
        if conversation is None or anybody:
            return name
        if conversation.agents and name not in conversation.agents:
            there = ", ".join(conversation.agents)
            raise Refused(
                f"{quoted(name)} takes no part in {conversation.name}", f"there are {there}"
            )
        return name

    def _text(self, text: Any) -> tuple[str, tuple[str, ...]]:
        """Return what is said, with secrets masked."""
        if isinstance(text, str) and not text.strip():
            raise Refused("a message needs a text", "an empty one says nothing")
        said, rules = self.core.clean(statement(text))
        return str(said), rules

    def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """Return how like in meaning a text is to each of others; None where only words count."""
        return self.core.likeness(text, others) if self.meanings else None

    def extractor(self, conversation: Conversation) -> Extractor:
        """Return what reads the messages of a conversation."""
        name = conversation.extractor or self.options.extractor
        if name not in self._extractors:
            if name not in EXTRACTORS:
                raise UsageError(f"no extractor {quoted(name)}", f"use {', '.join(EXTRACTORS)}")
            self._extractors[name] = reader(self.options.replace(extractor=name), self.likeness)
        return self._extractors[name]

    # One message

    def sayable(
        self, message: Message, conversation: Conversation | None = None
    ) -> tuple[Message, tuple[str, ...]]:
        """Return a message as it may be recorded, and the rules that masked something in it.

        Args:
            message: what is said, by whom.
            conversation: where; None: not begun yet, anybody may speak.
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
        self, conversation: str | None, message: Message, *, summarise: bool
    ) -> tuple[MessageSaid, Message]:
        """Record a message and what it taught; return the answer, and the message as it is kept.

        Args:
            conversation: which one; None: the one at work here.
            message: what is said, by whom.
            summarise: make the summaries that are due, of the messages' own sentences.
        """
        return self._post(conversation, message, summarise=summarise)

    @writes
    def _post(
        self, name: str | None, message: Message, *, summarise: bool
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
                reply_to=self._answered(conversation, message.reply_to),
            )
            act = self._act(conversation, agent=message.agent_id not in self.people)
            drafting = Drafting(conversation, held, act, ids=self.core.ids, event=event)
            drafting.take(message, self.extractor(conversation).read(message, held.state))
            finds = len(drafting.drafts)
            first = posted(message, act, event=event, own=own is not None, finds=finds)
            self.core.append(conversation.log, [first, *drafting.drafts])
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

    def _answered(self, conversation: Conversation, given: Any) -> str | None:
        """Return the id of the message that is answered; it may be given by its number."""
        reply = word(given, "reply_to")
        if reply is None:
            return None
        number = int(reply) if reply.isascii() and reply.isdigit() and len(reply) < 10 else None
        if number is None and not is_event_id(reply):
            return reply  # an id that a message came with
        total = self.reader.digest(conversation.name).total
        if number is not None and number < total:
            for one in self.reader.recent(conversation.name, total - number):
                if one.index == number:
                    return one.id
        elif number is None:
            event = self.core.rows().event(reply)
            if event is not None and event.kind == POSTED and event.session == conversation.name:
                return str(event.data.get("id") or event.id)
        raise NotFound(f"{conversation.name} has no message {quoted(reply)}", "see its number")

    # What a crash left out

    def _mended(self, conversation: Conversation) -> HeldConversation:
        """Return a conversation whose last message has taught all that it teaches."""
        held = self.reader.held(conversation.name, keep=True)
        name, owed = held.digest.owed
        if not owed:
            return held
        event = self.core.rows().event(name)
        act = self._act(conversation, agent=True)
        drafting = Drafting(conversation, held, act, ids=self.core.ids, event=name)
        if event is not None:
            message = self.reader.message(event, held.state.total - 1)
            found = self.extractor(conversation).read(message, _before(held.state, message))
            drafting.take(message, _missing(found, held.state, message))
        drafts = [*drafting.drafts, act.draft(CONTINUED, {"mended": name})]
        self.core.append(conversation.log, drafts)
        return self.reader.held(conversation.name, keep=True)

    # Summaries

    def _summarised(self, conversation: Conversation) -> tuple[Summary, ...]:
        """Make the summaries that are due of the messages' own sentences."""
        interval = self.options.summary_interval
        digest = self.reader.digest(conversation.name, keep=True)
        if not digest.pending or digest.pending[0][1] // interval >= digest.total // interval:
            return ()
        state = self.reader.held(conversation.name, keep=True).state
        writer = summarising.Summariser(self.options, Failures())
        made = []
        for chunk in summarising.due(state, interval):
            one = writer.write(chunk, state, runner=None, now=iso(self.core.now))
            if one is not None:
                made += self._recorded(conversation, one)
        return tuple(made)

    def _recorded(self, conversation: Conversation, summary: Summary) -> list[Summary]:
        """Record a summary, unless its messages have been covered meanwhile."""
        digest = self.reader.digest(conversation.name, keep=True)
        waiting = {index: event for event, index, _ in digest.pending}
        start, end = summary.message_range
        if not any(start <= index <= end for index in waiting):
            return []
        text, _ = self.core.clean(summary.content)
        name = self.core.ids.memory()
        act = self._act(conversation, agent=True)
        masked = summary.replace(content=text, id=name)
        draft = summarised(conversation, masked, act, name=name, covers=waiting)
        self.core.append(conversation.log, [draft])
        return [masked]

    @writes
    def record_summary(self, name: str, summary: Summary) -> tuple[Summary, ...]:
        """Record a summary that somebody made, unless its messages have been covered meanwhile."""
        conversation = self._writable(name)
        with self.core.deciding(conversation.log):
            return tuple(self._recorded(conversation, summary))


def _before(state: State, message: Message) -> State:
    """Return a state without the records that a message brought."""
    return state.replace(
        decisions=tuple(one for one in state.decisions if one.message != message.id),
        proposals=tuple(one for one in state.proposals if one.message != message.id),
    )


def _missing(found: Iterable[Finding], state: State, message: Message) -> Iterable[Finding]:
    """Leave out what a message taught that was recorded before it was cut short."""
    decided = any(one.message == message.id for one in state.decisions)
    raised = any(one.message == message.id for one in state.proposals)
    for one in found:
        if (isinstance(one, Decided) and decided) or (isinstance(one, Raised) and raised):
            continue
        yield one
