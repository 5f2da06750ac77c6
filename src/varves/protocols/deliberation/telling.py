"""Verbs that read a conversation: its context, its state now or at any message, its records."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.protocols.deliberation import saving
from varves.protocols.deliberation.answers import (
    AgentContext,
    ConversationPart,
    ListedConversation,
    Whole,
)
from varves.protocols.deliberation.context import composed
from varves.protocols.deliberation.conversation_verbs import ConversationVerbs
from varves.protocols.deliberation.conversations import DECISION, POSTED, PROPOSAL, SUMMARY
from varves.protocols.deliberation.reader import (
    Reader,
    decision_from,
    proposal_from,
    shown_id,
    summary_from,
)
from varves.protocols.deliberation.state import ACTIVE, stats
from varves.protocols.deliberation.validate import validate
from varves.protocols.port import reads
from varves.values.ids import is_memory_id
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import Message, State, Stats
    from varves.values.answers import Finding
    from varves.values.memory import Memory


class Telling(ConversationVerbs):
    """The verbs that read a conversation and change nothing."""

    @reads
    def named(self, conversation: str | None = None) -> str:
        """Return the name of the selected conversation."""
        return self.conversation(conversation).name

    def _held(
        self, conversation: Conversation, *, message: int | None = None, as_of: str | None = None
    ) -> HeldConversation:
        """Return a conversation as it is now, or as it was after a message or at a time."""
        if message is not None and as_of is not None:
            raise UsageError("both a message and a time are given", "give one of them")
        if message is not None:
            _count(message, "message")
            as_of = self.reader.moment_after(conversation.name, message)
        if as_of is None:
            return self.reader.held(conversation.name)
        with self.core.past(as_of):
            return Reader(self.core, self.options).held(conversation.name)

    @reads
    def context(
        self,
        agent: str | None = None,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> AgentContext:
        """Return the context that an agent needs before it speaks.

        Args:
            agent: the agent whose own position is included.
            conversation: its name; by default the session's, or else the last started here.
            budget: the maximum number of tokens; by default the setting.
            message: the context as it was after this message; the first is 0.
            as_of: the context as it was at a time, after an event, or in a commit.
        """
        found = self.conversation(conversation)
        held = self._held(found, message=message, as_of=as_of)
        made = self._told(found, held, agent=agent, short=False, budget=budget)
        if message is None and as_of is None:
            self.core.told("deliberation context", _shown(held.state, made), agent=agent)
        return made

    @reads
    def brief(
        self,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> AgentContext:
        """Return only decisions and active proposals, for deciding whether to speak."""
        found = self.conversation(conversation)
        held = self._held(found, message=message, as_of=as_of)
        made = self._told(found, held, agent=None, short=True, budget=budget)
        if message is None and as_of is None:
            self.core.told("deliberation brief", _shown(held.state, made))
        return made

    def _told(
        self,
        conversation: Conversation,
        held: HeldConversation,
        *,
        agent: str | None,
        short: bool,
        budget: int | None,
    ) -> AgentContext:
        if budget is not None:
            _count(budget, "budget")
        state = held.state
        made = composed(state, agent, short=short, options=self.options, budget=budget)
        return AgentContext(
            conversation=conversation.name,
            text=made.text,
            tokens=made.tokens,
            omitted=made.omitted,
            agent=agent,
            messages=state.total,
        )

    @reads
    def state(
        self,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> State:
        """Return a conversation's state as a value; `saving.to_json` returns its published form."""
        return self._held(self.conversation(conversation), message=message, as_of=as_of).state

    @reads
    def stats(
        self,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> Stats:
        """Return the counts of summaries, decisions, active proposals, agents and messages."""
        found = self.conversation(conversation)
        return stats(self._held(found, message=message, as_of=as_of).state)

    @reads
    def messages(
        self, most: int | None = None, *, conversation: str | None = None
    ) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first, or all if `most` is None."""
        found = self.conversation(conversation)
        if most is None:
            posted = self.reader.posted(found.name)
            return tuple(self.reader.message(event, index) for index, event in posted)
        return self.reader.recent(found.name, most)

    @reads
    def list(self) -> tuple[ListedConversation, ...]:
        """Return the conversations, in order of their start."""
        try:
            current = self.conversation().name
        except NotFound:
            current = ""
        return tuple(
            ListedConversation(
                conversation=one.name,
                topic=one.topic,
                agents=one.agents,
                began=one.began,
                messages=self.reader.digest(one.name).state.total,
                shared=one.shared,
                current=one.name == current,
            )
            for one in self.reader.all().values()
        )

    @reads
    def show(
        self,
        name: str | None = None,
        *,
        conversation: str | None = None,
        message: int | None = None,
        as_of: str | None = None,
    ) -> Whole | ConversationPart:
        """Return a conversation, or one decision, proposal or summary with its messages.

        Args:
            name: the record's id, or the conversation's name; None for the current conversation.
            conversation: where to search for a record that came with an id from elsewhere.
            message: the state as it was after this message.
            as_of: the state as it was at a time.
        """
        if name is not None and name not in self.reader.all():
            return self._part(name, conversation)
        found = self.conversation(name if name is not None else conversation)
        state = self._held(found, message=message, as_of=as_of).state
        return Whole(
            conversation=found.name,
            topic=found.topic,
            agents=found.agents,
            began=found.began,
            shared=found.shared,
            extractor=found.extractor or self.options.extractor,
            path=self.codec.path_of(found.name),
            stats=stats(state),
            summaries=state.summaries,
            decisions=state.decisions,
            proposals=state.proposals,
            agent_states=state.agent_states,
        )

    def _part(self, name: str, conversation: str | None) -> ConversationPart:
        """Return one record, whatever its status."""
        row = self.core.memory(name) or self._aliased(name, conversation)
        ours = row is not None and row.protocol == "deliberation" and row.session is not None
        if row is None and name in self.core.barred():
            raise NotFound(f"{quoted(name)} was purged", f"`varves why {name}` shows who did it")
        if row is None or not ours or row.type not in (SUMMARY, DECISION, PROPOSAL):
            hint = "list the records with `varves deliberation show`"
            raise NotFound(f"no conversation, decision, proposal or summary {quoted(name)}", hint)
        kinds: dict[str, Any] = {
            SUMMARY: lambda: saving.summary_json(summary_from(row, row)),
            DECISION: lambda: saving.decision_json(decision_from(row, row, {})),
            PROPOSAL: lambda: saving.proposal_json(proposal_from(row, row, {})),
        }
        return ConversationPart(
            conversation=row.session or "",
            kind=row.type,
            id=shown_id(row),
            content=kinds[row.type](),
            messages=self._sources(row),
            status=row.status,
        )

    def _aliased(self, name: str, conversation: str | None) -> Memory | None:
        """Return the record that came with this id from elsewhere."""
        session = self.conversation(conversation).name
        for kind in (DECISION, PROPOSAL, SUMMARY):
            for one in self.core.memories(only={"session": session, "type": kind}):
                if one.extra.get("alias") == name:
                    return one
        return None

    def _sources(self, row: Memory) -> tuple[Message, ...]:
        """Return the messages that a record comes from."""
        posted = self.reader.posted(row.session or "")
        covers = row.extra.get("covers")
        if row.type != SUMMARY:
            said = row.extra.get("message")
            names = ((one, one[1].data.get("id") or one[1].id) for one in posted if said)
            chosen = [one for one, name in names if said in (name, one[1].id)]
        elif isinstance(covers, list):
            chosen = [one for one in posted if one[1].id in covers]
        else:
            start, end = summary_from(row, row).message_range
            chosen = [one for one in posted if start <= one[0] <= end]
        return tuple(self.reader.message(event, index) for index, event in chosen)

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the breaches in the saved states."""
        return validate(self.core, self.codec, self.reader.all())

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the places at which a conversation still contains the text of a purged record."""
        name = memory.session or ""
        if name not in self.reader.all():
            return ()
        held = self.reader.held(name).state
        stances = [
            agent
            for agent, one in held.agent_states.items()
            if any(memory.text in said for said in (one.last_position, *one.key_contributions))
        ]
        return tuple(f"the position of {agent} in {name} ({POSTED})" for agent in stances)


def _shown(state: State, made: AgentContext) -> list[str]:
    """Return the records of a state that a context contains."""
    said = [(one.id, one.content) for one in state.summaries]
    said += [(one.id, one.outcome) for one in state.decisions]
    said += [(one.id, one.content) for one in state.proposals if one.status == ACTIVE]
    return [name for name, text in said if is_memory_id(name) and text in made.text]


def _count(value: Any, what: str) -> None:
    """Refuse a value that is not a whole number of 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"not a {what}: {quoted(value)}", "give a whole number of 0 or more")
