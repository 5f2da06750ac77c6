"""The published functions, for programs written after the publication.

Each has our name and the published one: `extract_decisions` and `extractDecisions`. They use the
published patterns, and take their words literally.
"""

from __future__ import annotations

from varves.protocols.deliberation import context
from varves.protocols.deliberation.findings import Decided, Raised
from varves.protocols.deliberation.memory import as_message
from varves.protocols.deliberation.names import camel
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.pattern_extractor import published as published_extractor
from varves.protocols.deliberation.patterns import PUBLISHED, GivenPatterns, Patterns, said
from varves.protocols.deliberation.reactions import About, side, sides_of
from varves.protocols.deliberation.saved_state import from_json, proposal_of
from varves.protocols.deliberation.state import (
    ACTIVE,
    ConversationDecision,
    Message,
    Proposal,
    Reaction,
    State,
)
from varves.protocols.deliberation.state import stats as _stats
from varves.protocols.deliberation.summaries import SYSTEM_PROMPT, listed, prompt
from varves.protocols.deliberation.transitions import with_reaction
from varves.protocols.runner import asked, response_of
from varves.values.ids import IdSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from varves.protocols.deliberation.state import Stats
    from varves.protocols.runner import AgentRunner

_DEFAULTS = DeliberationOptions()
SUMMARY_INTERVAL = _DEFAULTS.summary_interval
DECISION_PATTERNS = tuple(pattern for _, pattern in PUBLISHED["decision"])
PROPOSAL_PATTERNS = tuple(pattern for _, pattern in PUBLISHED["proposal"])
_ids = IdSource()


def generate_id() -> str:
    """Return a new id of a decision or a proposal."""
    return _ids.memory()


def extract_decisions(message: Message | Mapping[str, Any]) -> ConversationDecision | None:
    """Return the decision in a message, or None."""
    given: Message = as_message(message)
    for one in published_extractor(_DEFAULTS).read(given, State()):
        if isinstance(one, Decided):
            return ConversationDecision(
                id=generate_id(),
                timestamp=given.timestamp,
                topic=one.topic,
                outcome=one.outcome,
                supporting_agents=(given.agent_id,),
                message=given.id,
            )
    return None


def extract_proposal(message: Message | Mapping[str, Any]) -> Proposal | None:
    """Return the proposal in a message, or None."""
    given: Message = as_message(message)
    for one in published_extractor(_DEFAULTS).read(given, State()):
        if isinstance(one, Raised):
            return Proposal(
                id=generate_id(),
                timestamp=given.timestamp,
                proposer=given.agent_id,
                content=one.content,
                message=given.id,
            )
    return None


def extract_topic(content: str) -> str:
    """Return the topic of a message that decides; empty if it does not."""
    found = extract_decisions(Message(agent_id="-", content=content))
    return found.topic if found else ""


def extract_outcome(content: str) -> str:
    """Return the outcome of a message that decides; empty if it does not."""
    found = extract_decisions(Message(agent_id="-", content=content))
    return found.outcome if found else ""


def extract_proposal_content(content: str) -> str:
    """Return what a message proposes; empty if it proposes nothing."""
    found = extract_proposal(Message(agent_id="-", content=content))
    return found.content if found else ""


def detect_reaction(
    content: str, reaction_patterns: Mapping[str, Iterable[str | re.Pattern[str]]] | None = None
) -> str:
    """Return the reaction in a text: support, oppose or neutral.

    Args:
        content: the text.
        reaction_patterns: regular expressions for `support` and `oppose`, as text (any case) or
            compiled; without it, the published ones.

    Raises:
        UsageError: a pattern is not a valid regular expression, or its key names no reaction.
    """
    if reaction_patterns is None:
        return side(said(content), Patterns(_DEFAULTS))
    return side(said(content), GivenPatterns(reaction_patterns))


def track_reaction(message: Message | Mapping[str, Any], proposals: list[Any]) -> None:
    """Add a message's reaction to each active proposal of a list that it quotes.

    A proposal is a `Proposal`, which is replaced in the list, or a mapping of a saved state.
    """
    given: Message = as_message(message)
    about = About(given, _DEFAULTS.quote_chars)
    text, patterns = said(given.content), Patterns(_DEFAULTS)
    read = [one if isinstance(one, Proposal) else proposal_of(one) for one in proposals]
    named = [one for one in read if one.status == ACTIVE and about.quotes(one.content)]
    each = sides_of(text, named, lambda part: side(part, patterns))
    for place, (one, known) in enumerate(zip(proposals, read, strict=True)):
        if known not in named or known.proposer == given.agent_id:
            continue
        reaction = each.get(known.id) or side(text, patterns, (known.content,))
        latest = Reaction(agent_id=given.agent_id, reaction=reaction)
        reactions = with_reaction(known.reactions, latest)
        if isinstance(one, Proposal):
            proposals[place] = one.replace(reactions=reactions)
        else:
            one["reactions"] = [dict(each) for each in reactions]


def format_messages(messages: Sequence[Message]) -> str:
    """Return messages as they are shown in prompts: `[agentId]: content`."""
    return listed([as_message(one) for one in messages])


async def summarize_chunk(messages: Sequence[Message], agent_runner: AgentRunner) -> str:
    """Return a model's summary of some messages.

    Raises:
        Unanswered: the runner returned no text.
    """
    answer = asked(
        agent_runner.query,
        prompt=prompt([as_message(one) for one in messages], _DEFAULTS),
        system_prompt=SYSTEM_PROMPT,
        model=_DEFAULTS.summary_model,
    )
    return response_of(await answer if hasattr(answer, "__await__") else answer)


def get_memory_context(memory: State | Mapping[str, Any], for_agent_id: str | None = None) -> str:
    """Return the context of a memory, given as a value or as a saved state."""
    return context.full(_state(memory), for_agent_id)


def get_memory_stats(memory: State | Mapping[str, Any]) -> Stats:
    """Return the statistics of a memory, given as a value or as a saved state."""
    return _stats(_state(memory))


def _state(memory: Any) -> State:
    held = getattr(memory, "state", memory)
    return held if isinstance(held, State) else from_json(held)


# The published names; `import *` brings them too.
globals().update({camel(name): part for name, part in list(globals().items()) if name[0] != "_"})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return a function by its published name."""
