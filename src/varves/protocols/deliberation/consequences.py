"""The effects of a decision or an agreement on earlier decisions and proposals."""

from __future__ import annotations

import re

from varves.language.judge import CONTRADICTION, SAME, UPDATE
from varves.language.outcomes import turns_back
from varves.language.replacing import opinion
from varves.protocols.deliberation.findings import Backed, Decided, Raised, Resolved
from varves.protocols.deliberation.repeats import (
    begins,
    covered,
    earlier,
    is_name,
    restates,
    same_words,
)
from varves.protocols.deliberation.state import ACCEPTED, ACTIVE, MODIFIED, REJECTED
from varves.protocols.deliberation.subjects import (
    chosen_for,
    gist,
    is_phrase,
    same_outcome,
    same_topic,
    within,
)
from varves.protocols.deliberation.verdicts import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.protocols.deliberation.findings import Finding
    from varves.protocols.deliberation.reactions import About
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import ConversationDecision, Message, Proposal, State

_ADOPTED = 0.6  # the least similarity of a decision to a proposal that it settles without naming it
_COVERED = 0.65  # the share of the proposal's words that such a decision must contain
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of|no longer)\s+(.+)$", re.IGNORECASE)
_HELD = 0.85  # the share of a decision's words that a proposal contains that it settles in part
_PART = 0.35  # the least share of the proposal's words in such a decision
_FEW = 8  # the maximum number of words for what a decision is about
_NAMED = 0.7  # the share of a short decision's words, such as a name, that are in the proposal
_LEAST = 0.01  # the least similarity, if only a negation can tell them apart
_LIMITS = re.compile(r"\b(?:not|no|except|unless|only|until|after|before|without|if|when)\b")
_DENIED = re.compile(
    r"^(?:to\s+)?(?:not(?:\s+to)?|against|never(?:\s+to)?|no)\s+"
    r"|^(?:\w+,?\s+){0,2}we\s+(?:won['\u2019]t|will\s+not|are\s+not\s+going\s+to)\s+",
    re.IGNORECASE,
)


def decision(
    topic: str, outcome: str, *, message: Message, state: State, marked: bool = True
) -> list[Finding]:
    """Return a new decision, or a new supporter of an existing one.

    On the same topic, the same outcome adds a supporter. Another outcome replaces the current
    decision if both answer the same question. They do if the topic is named as the question ("on
    caching: …"). If the message does not name its topic (`marked`), or only within the outcome
    ("use X for the shop"), several decisions may share it; then the judge finds out whether an
    earlier decision says the same or is contradicted.
    """
    known, kind = _standing(topic, outcome, message=message, state=state, marked=marked), ""
    if known is None:
        known, kind = _told_again(topic, outcome, message=message, state=state)
    if known is None:
        known, kind = _judged(outcome, message, state)
    if known is None:
        known = _ousted(outcome, message, state)
    if known is not None and (kind == SAME or same_outcome(known.outcome, outcome)):
        named = topic if marked and not same_topic(known.topic, topic) else None
        if named and covered(known.topic, known.outcome) < 1:
            return [Decided(topic=topic, outcome=outcome, replaces=None)]  # of another matter
        return [Backed(decision=known.id, agent_id=message.agent_id, topic=named)]
    return [Decided(topic=topic, outcome=outcome, replaces=known.id if known else None)]


def _told_again(
    topic: str, outcome: str, *, message: Message, state: State
) -> tuple[ConversationDecision | None, str]:
    """Return the latest decision that an outcome repeats or goes on with, and which of the two.

    "Signed cookies" repeats "signed cookies for guests". What says more of the same topic updates.
    """
    taken = {one.replaces for one in state.decisions}
    for one in reversed(state.decisions):
        if one.id in taken or (message.id and one.message == message.id):
            continue
        rest = _LIMITS.search(one.outcome[len(outcome) :])
        shorter = begins(one.outcome, outcome) and is_phrase(outcome) and rest is None
        if shorter or restates(outcome, one.outcome):
            return one, SAME
        if not same_topic(one.topic, topic):
            continue
        if same_words(f"{topic} {outcome}", f"{topic} {one.outcome}"):
            return one, SAME
        if begins(outcome, one.outcome):
            return one, UPDATE
    return None, ""


def _judged(
    outcome: str, message: Message, state: State
) -> tuple[ConversationDecision | None, str]:
    """Return the latest decision that an outcome repeats or contradicts, and which of the two."""
    taken = {one.replaces for one in state.decisions}
    for one in reversed(state.decisions):
        own = message.id and one.message == message.id
        verdict = None if own or one.id in taken else opinion(one.outcome, outcome)
        if verdict is not None and verdict.kind in (SAME, UPDATE, CONTRADICTION):
            return one, verdict.kind
        if not own and one.id not in taken and turns_back(one.outcome, outcome):
            return one, CONTRADICTION
    return None, ""


def _ousted(outcome: str, message: Message, state: State) -> ConversationDecision | None:
    """Return the latest decision for a thing that an outcome replaces by another thing."""
    gone = _INSTEAD.search(outcome)
    if gone is None:
        return None
    taken = {one.replaces for one in state.decisions}
    for one in reversed(state.decisions):
        own = message.id and one.message == message.id
        if not own and one.id not in taken and covered(gist(one.outcome, _FEW), gone[1]) >= 1:
            return one
    return None


def _standing(
    topic: str, outcome: str, *, message: Message, state: State, marked: bool
) -> ConversationDecision | None:
    """Return the latest decision on a topic that says the same or answers the same question."""
    asked = marked and not within(topic, outcome)
    for one in reversed(state.decisions):
        own = message.id and one.message == message.id
        if own or not same_topic(one.topic, topic):
            continue
        if same_outcome(one.outcome, outcome) or (asked and not within(one.topic, one.outcome)):
            return one
        if marked and chosen_for(topic, one.outcome) and chosen_for(topic, outcome):
            return one
    return None


def adopted(
    topic: str, outcome: str, state: State, *, named: tuple[Proposal, ...] = ()
) -> list[Resolved]:
    """Return the resolution of the active proposal that a decision settles in other words.

    The proposals that it names have their verdict already.
    """
    active = [one for one in state.proposals if one.status == ACTIVE and one not in named]
    said = _DENIED.sub("", outcome)
    status = ACCEPTED if said == outcome else REJECTED
    for text in (said, f"{topic} {said}"):
        name, _ = earlier(text, active, _ADOPTED)
        one = state.proposal(name) if name else None
        # What is decided belongs to the proposal, and not only the matter it is about.
        fits = text is said or covered(gist(said, _FEW), one.content if one else "") > 0
        if one is not None and fits and covered(one.content, text) >= _COVERED:
            return [_resolved(one.id, status, outcome)]
    held = [
        (covered(one.content, text), one.id)
        for text in (said, f"{topic} {said}")
        for one in active
        if covered(text, one.content) >= _HELD and earlier(text, [one], _LEAST)[0] is not None
    ]
    held = sorted({pair for pair in held if pair[0] >= _PART}, reverse=True)
    if (
        held
        and not is_name(said)
        and len({name for share, name in held if share == held[0][0]}) == 1
    ):
        return [_resolved(held[0][1], status, outcome)]
    most = [
        one
        for one in active
        if covered(one.content, said) >= _COVERED and earlier(said, [one], _LEAST)[0] is not None
    ]
    if len(most) == 1 and not is_name(most[0].content):
        return [_resolved(most[0].id, status, outcome)]
    names = [one for one in active if is_name(said) and covered(said, one.content) >= _NAMED]
    if len(names) == 1 and earlier(said, names, _LEAST)[0] is not None:
        return [_resolved(names[0].id, status, outcome)]
    return []


def resolutions(told: str, named: tuple[Proposal, ...]) -> list[Finding]:
    """Return the resolutions of the proposals that a decision names and settles."""
    verdicts = [(one.id, verdict(told, one.content)) for one in named]
    return [_resolved(name, status, told) for name, status in verdicts if status]


def _resolved(name: str, status: str, outcome: str) -> Resolved:
    """Return the resolution of a proposal; what was decided is the reason to reject it."""
    return Resolved(proposal=name, status=status, reason=outcome if status == REJECTED else "")


def repeated(settled: Iterable[Finding], state: State) -> list[Finding]:
    """Return the resolutions of the active proposals that resolved ones repeat."""
    resolved = [one for one in settled if isinstance(one, Resolved) and one.status != MODIFIED]
    found: list[Finding] = []
    for one in resolved:
        made = state.proposal(one.proposal)
        first = state.proposal(made.repeats) if made is not None and made.repeats else None
        if first is not None and first.status == ACTIVE:
            found.append(one.replace(proposal=first.id))
    return found


def backing(message: Message, about: About, state: State) -> list[Finding]:
    """Return the decisions that an agreeing message mentions, each with its new supporter."""
    return [
        Backed(decision=one.id, agent_id=message.agent_id)
        for one in state.decisions
        if message.agent_id not in one.supporting_agents
        and about.speaks_of(one.id, one.message, one.outcome)
    ]


def raising(
    content: str,
    message: Message,
    state: State,
    *,
    least: float,
    likeness: Likeness | None = None,
) -> Raised:
    """Return a proposal, and the earlier proposal that it repeats, even if that one is resolved.

    A rejection carries over only to a proposal that says the same in nearly the same words.
    """
    others = [one for one in state.proposals if not message.id or one.message != message.id]
    same = next((one for one in reversed(others) if restates(content, one.content)), None)
    if same is not None:
        rejected = same.status == REJECTED
        if same.reason == f"repeats {same.repeats}":  # itself refused; name the first one
            same = state.proposal(same.repeats or "") or same
        return Raised(content=content, repeats=same.id, score=1.0, rejected=rejected)
    twin, score = earlier(content, others, least, likeness=likeness)
    return Raised(content=content, repeats=twin, score=score)
