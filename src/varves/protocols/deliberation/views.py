"""A conversation as it is read: its context, its state now or at any message, its records."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.protocols.deliberation import saved_state
from varves.protocols.deliberation.answers import (
    AgentContext,
    ConversationPart,
    ListedConversation,
    Whole,
)
from varves.protocols.deliberation.context import composed
from varves.protocols.deliberation.conversations import DECISION, POSTED, PROPOSAL, SUMMARY
from varves.protocols.deliberation.reader import (
    Reader,
    decision_from,
    proposal_from,
    shown_id,
    summary_from,
)
from varves.protocols.deliberation.state import ACTIVE, stats
from varves.values.ids import is_memory_id
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.desk import DeliberationDesk
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import Message, State, Stats
    from varves.values.memory import Memory


def named(desk: DeliberationDesk, conversation: str | None = None) -> str:
    """Return the name of the selected conversation."""
    return desk.conversation(conversation).name


def _held(
    desk: DeliberationDesk,
    conversation: Conversation,
    *,
    message: int | None = None,
    as_of: str | None = None,
) -> HeldConversation:
    """Return a conversation as it is now, or as it was after a message or at a time."""
    if message is not None and as_of is not None:
        raise UsageError("both a message and a time are given", "give one of them")
    if message is not None:
        _count(message, "message")
        as_of = desk.reader.moment_after(conversation.name, message)
    if as_of is None:
        return desk.reader.held(conversation.name)
    with desk.core.past(as_of):
        return Reader(desk.core, desk.options).held(conversation.name)


def context(
    desk: DeliberationDesk,
    agent: str | None = None,
    *,
    short: bool = False,
    conversation: str | None = None,
    budget: int | None = None,
    **moment: Any,
) -> AgentContext:
    """Return the context that an agent needs before it speaks, or its short form."""
    found = desk.conversation(conversation)
    held = _held(desk, found, **moment)
    made = _told(desk, found, held, agent=agent, short=short, budget=budget)
    if all(one is None for one in moment.values()):
        verb = "deliberation brief" if short else "deliberation context"
        desk.core.told(verb, _shown(held.state, made), agent=agent)
    return made


def _told(
    desk: DeliberationDesk,
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
    made = composed(state, agent, short=short, options=desk.options, budget=budget)
    return AgentContext(
        conversation=conversation.name,
        text=made.text,
        tokens=made.tokens,
        omitted=made.omitted,
        agent=agent,
        messages=state.total,
    )


def state(
    desk: DeliberationDesk,
    *,
    conversation: str | None = None,
    message: int | None = None,
    as_of: str | None = None,
) -> State:
    """Return a conversation's state as a value."""
    return _held(desk, desk.conversation(conversation), message=message, as_of=as_of).state


def counts(
    desk: DeliberationDesk,
    *,
    conversation: str | None = None,
    message: int | None = None,
    as_of: str | None = None,
) -> Stats:
    """Return the counts of summaries, decisions, active proposals, agents and messages."""
    found = desk.conversation(conversation)
    return stats(_held(desk, found, message=message, as_of=as_of).state)


def messages(
    desk: DeliberationDesk,
    most: int | None = None,
    *,
    conversation: str | None = None,
    as_of: str | None = None,
) -> tuple[Message, ...]:
    """Return the last messages of a conversation, oldest first, or all if `most` is None."""
    found = desk.conversation(conversation)
    if as_of is None:
        return _messages(desk.reader, found.name, most)
    with desk.core.past(as_of):
        return _messages(Reader(desk.core, desk.options), found.name, most)


def _messages(reader: Reader, name: str, most: int | None) -> tuple[Message, ...]:
    if most is None:
        return tuple(reader.message(event, index) for index, event in reader.posted(name))
    return reader.recent(name, most)


def listed(desk: DeliberationDesk, *, as_of: str | None = None) -> tuple[ListedConversation, ...]:
    """Return the conversations, in order of their start."""
    try:
        current = desk.conversation().name
    except NotFound:
        current = ""
    if as_of is None:
        return _listed(desk.reader, current)
    with desk.core.past(as_of):
        return _listed(Reader(desk.core, desk.options), current)


def _listed(reader: Reader, current: str) -> tuple[ListedConversation, ...]:
    return tuple(
        ListedConversation(
            conversation=one.name,
            topic=one.topic,
            agents=one.agents,
            began=one.began,
            messages=reader.digest(one.name).state.total,
            shared=one.shared,
            current=one.name == current,
        )
        for one in reader.all().values()
    )


def show(
    desk: DeliberationDesk,
    name: str | None = None,
    *,
    conversation: str | None = None,
    message: int | None = None,
    as_of: str | None = None,
) -> Whole | ConversationPart:
    """Return a conversation, or one decision, proposal or summary with its messages."""
    if name is not None and name not in desk.reader.all():
        return _part(desk, name, conversation)
    found = desk.conversation(name if name is not None else conversation)
    state = _held(desk, found, message=message, as_of=as_of).state
    return Whole(
        conversation=found.name,
        topic=found.topic,
        agents=found.agents,
        began=found.began,
        shared=found.shared,
        extractor=found.extractor or desk.options.extractor,
        path=desk.codec.path_of(found.name),
        stats=stats(state),
        summaries=state.summaries,
        decisions=state.decisions,
        proposals=state.proposals,
        agent_states=state.agent_states,
    )


def _part(desk: DeliberationDesk, name: str, conversation: str | None) -> ConversationPart:
    """Return one record, whatever its status."""
    row = desk.core.memory(name) or _aliased(desk, name, conversation)
    ours = row is not None and row.protocol == "deliberation" and row.session is not None
    if row is None and name in desk.core.barred():
        raise NotFound(f"{quoted(name)} was purged", f"`varves why {name}` shows who did it")
    if row is None or not ours or row.type not in (SUMMARY, DECISION, PROPOSAL):
        hint = "list the records with `varves deliberation show`"
        raise NotFound(f"no conversation, decision, proposal or summary {quoted(name)}", hint)
    kinds: dict[str, Any] = {
        SUMMARY: lambda: saved_state.summary_json(summary_from(row, row)),
        DECISION: lambda: saved_state.decision_json(decision_from(row, row, {})),
        PROPOSAL: lambda: saved_state.proposal_json(proposal_from(row, row, {})),
    }
    return ConversationPart(
        conversation=row.session or "",
        kind=row.type,
        id=shown_id(row),
        content=kinds[row.type](),
        messages=_sources(desk, row),
        status=row.status,
    )


def _aliased(desk: DeliberationDesk, name: str, conversation: str | None) -> Memory | None:
    """Return the record that came with this id from elsewhere."""
    session = desk.conversation(conversation).name
    for kind in (DECISION, PROPOSAL, SUMMARY):
        for one in desk.core.memories(only={"session": session, "type": kind}):
            if one.extra.get("alias") == name:
                return one
    return None


def _sources(desk: DeliberationDesk, row: Memory) -> tuple[Message, ...]:
    """Return the messages that a record comes from."""
    posted = desk.reader.posted(row.session or "")
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
    return tuple(desk.reader.message(event, index) for index, event in chosen)


def still_says(desk: DeliberationDesk, memory: Memory) -> tuple[str, ...]:
    """Return the places at which a conversation still contains the text of a purged record."""
    name = memory.session or ""
    if name not in desk.reader.all():
        return ()
    held = desk.reader.held(name).state
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
