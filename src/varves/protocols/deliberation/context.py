"""The context given to an agent: the published sections, within a budget.

In lists, line breaks are removed from stored text. In a summary and a position, which a model may
have written, the marks that would open a section or a code block, or end the context, are removed,
and angle brackets of tags are replaced.

Earlier points are the most informative sentences of the summaries that the context no longer shows.
A sentence counts if it shares rare words with the last messages, and if no other sentence says the
same; so a fact that was stated once, long ago, is shown, and a repeated statement is not.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation import extractive
from varves.protocols.deliberation.extractive import (
    SummarySentence,
    alike,
    choose,
    sentences,
)
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.repeats import decided_before, likeness, restates
from varves.protocols.deliberation.state import ACCEPTED, ACTIVE, PURGED, REJECTED, Message
from varves.values.text import count_tokens, fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.protocols.deliberation.state import ConversationDecision, Proposal, State


_LAST = 3  # the number of last messages, which show what is discussed now
_CLOSE = 0.5  # the least similarity to an accepted proposal that a context mentions
_REASON = 160  # the most characters of the reason for which a similar proposal was rejected
_OWN = 0.5  # the weight of a sentence that shares no word with the last messages


def earlier_points(state: State, options: DeliberationOptions) -> tuple[str, ...]:
    """Return the sentences of older summaries that a context adds, in their order."""
    older = state.summaries[: max(0, len(state.summaries) - options.summaries_shown)]
    if not older or not options.earlier_words:
        return ()
    told = [Message(agent_id="", content=_points(one.content)) for one in older]
    recent = [one for one in state.pending if one.type != PURGED][-_LAST:]
    found = sentences([*told, *recent])
    asked = [one for one in found if any(one.message is now for now in recent)]
    shown = fold("\n".join(one.content for one in state.summaries[len(older) :]))
    points = [
        one for one in found if all(one is not now for now in asked) and fold(one.text) not in shown
    ]

    def rank(some: Sequence[SummarySentence]) -> list[float]:
        return [
            _OWN + max((alike(one.vector, now.vector) for now in asked), default=0.0)
            for one in some
        ]

    return tuple(one.text for one in choose(points, options.earlier_words, rank=rank))


def _points(content: str) -> str:
    """Return a summary without its decisions, which a context lists, and without its headings."""
    kept, skips = [], False
    for line in content.split("\n"):
        if line.rstrip().endswith(":"):
            skips = line.strip() == extractive.DECISIONS
        elif not skips:
            kept.append(line)
    return "\n".join(kept)


EARLIER = "## Earlier Points"
SUMMARIES = "## Earlier Discussion Summary"
DECISIONS = "## Key Decisions Made"
PROPOSALS = "## Active Proposals"
POSITION = "## Your Previous Position"


# Marks of a heading, of a fence, or of a line under a heading or between parts.
_MARKS = re.compile(
    r"^[ \t>]*(?:#{1,6}(?=\s|$)[ \t]*|(?:`{3,}|~{3,})[^\n]*$|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$"
    r"|(?:_[ \t]*){3,}$|=+[ \t]*$|-+[ \t]*$)",
    re.MULTILINE,
)
_TAGS = re.compile(r"<(?=[/!?a-zA-Z])")


class Composed(Value):
    """A context, and the number of items left out."""

    text: str
    tokens: int
    omitted: int = 0
    """The number of items left out because of the budget."""


class _Parts(Value):
    earlier: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    position: str = ""
    replaced: tuple[str, ...] = ()
    """The decisions that another decision replaced."""

    def text(self) -> str:
        """Return the sections that are not empty."""
        sections: list[str] = []
        if self.earlier:
            sections += (EARLIER, "\n".join(f"- {one}" for one in self.earlier))
        if self.summaries:
            sections += (SUMMARIES, "\n\n".join(self.summaries))
        if self.decisions:
            sections += (DECISIONS, "\n".join(self.decisions))
        if self.proposals:
            sections += (PROPOSALS, "\n".join(self.proposals))
        if self.position:
            sections += (POSITION, self.position)
        return "\n\n".join(sections)


def full(
    state: State,
    agent: str | None = None,
    options: DeliberationOptions | None = None,
    *,
    budget: int | None = None,
) -> str:
    """Return the context that an agent gets before it speaks."""
    return composed(state, agent, options=options, budget=budget).text


def brief(
    state: State, options: DeliberationOptions | None = None, *, budget: int | None = None
) -> str:
    """Return the context for deciding whether to speak: decisions and active proposals only."""
    return composed(state, short=True, options=options, budget=budget).text


def composed(
    state: State,
    agent: str | None = None,
    *,
    short: bool = False,
    options: DeliberationOptions | None = None,
    budget: int | None = None,
) -> Composed:
    """Return a context, full or brief, of at most `budget` tokens.

    A budget of 0 means no limit; without a budget, the setting applies.
    """
    chosen = options or DeliberationOptions()
    parts = _parts(state, agent, chosen, short=short)
    limit = chosen.context_tokens if budget is None else budget
    text, omitted = parts.text(), 0
    if limit > 0 and count_tokens(text) > limit:
        for fewer in _fewer(parts):
            omitted += 1
            text = fewer.text()
            if count_tokens(text) <= limit:
                break
    return Composed(text=text, tokens=count_tokens(text), omitted=omitted)


def _parts(state: State, agent: str | None, options: DeliberationOptions, *, short: bool) -> _Parts:
    taken = {one.replaces for one in state.decisions if one.replaces not in (None, one.id)}
    decisions = [
        (one, _decision_line(one, replaced=one.id in taken)) for one in in_order(state.decisions)
    ]
    known = state.agent_states.get(agent) if agent is not None else None
    shown = () if short else state.summaries[-options.summaries_shown :]
    return _Parts(
        earlier=()
        if short
        else tuple(_line(as_text(one)) for one in earlier_points(state, options)),
        summaries=tuple(as_text(one.content) for one in shown),
        decisions=tuple(line for _, line in decisions),
        proposals=tuple(
            _proposal_line(one, state) for one in state.proposals if one.status == ACTIVE
        ),
        position="" if short or known is None else as_text(known.last_position),
        replaced=tuple(line for one, line in decisions if one.id in taken),
    )


def _proposal_line(one: Proposal, state: State) -> str:
    """Return the published line, and what became of the same or a similar proposal before."""
    line = f'- {_line(one.proposer)}: "{_line(one.content)}" ({len(one.reactions)} reactions)'
    if decided_before(one.content, state.decisions) is not None:
        return f"{line} (already decided)"
    before = state.proposal(one.repeats) if one.repeats else None
    if before is None or before.status not in (ACCEPTED, REJECTED):
        return line
    if before.status == ACCEPTED:
        if restates(one.content, before.content):
            return f"{line} (already accepted)"
        if likeness(one.content, before.content) < _CLOSE:
            return line
    place = f" in message {before.index}" if before.index >= 0 else ""
    why = f": {_line(_cut(state.why_rejected(before.id)))}" if before.status == REJECTED else ""
    return f"{line} (like one {before.status}{place}{why})"


def _cut(text: str) -> str:
    return text if len(text) <= _REASON else text[: _REASON - 1].rsplit(" ", 1)[0] + "\u2026"


def _decision_line(one: ConversationDecision, *, replaced: bool) -> str:
    mark = " (replaced)" if replaced else ""
    return f"- **{_line(one.topic)}**: {_line(one.outcome)}{mark}"


def as_text(text: str) -> str:
    """Return a text whose lines open no section, no code block and no tag."""
    found = _MARKS.sub("", text) if _MARKS.search(text) else text
    return _TAGS.sub("\u2039", found) if "<" in found else found


def _line(text: str) -> str:
    """Return a text on one line; a text without line breaks is not changed."""
    return text if text.isprintable() else " ".join(text.split())


def in_order(decisions: Sequence[ConversationDecision]) -> list[ConversationDecision]:
    """Return decisions in order, but each replaced one directly after its replacement."""
    held = {one.id: one for one in decisions}
    later: dict[str, list[ConversationDecision]] = {}
    for one in decisions:
        if one.replaces in held and one.replaces != one.id:
            later.setdefault(one.replaces, []).append(one)
    found: dict[str, ConversationDecision] = {}
    for one in decisions:
        if one.id not in later:
            for other in _with_replaced(one, held):
                found.setdefault(other.id, other)
    return [*found.values(), *(one for one in decisions if one.id not in found)]


def _with_replaced(
    one: ConversationDecision, held: dict[str, ConversationDecision]
) -> Iterator[ConversationDecision]:
    visited: set[str] = set()
    while one.id not in visited:
        yield one
        visited.add(one.id)
        one = held.get(one.replaces or "", one)


def _fewer(parts: _Parts) -> Iterator[_Parts]:
    """Yield the parts with one item less each time, the least important first."""
    while parts.earlier:
        parts = parts.replace(earlier=parts.earlier[:-1])
        yield parts
    while len(parts.summaries) > 1:
        parts = parts.replace(summaries=parts.summaries[1:])
        yield parts
    for line in reversed(parts.replaced):
        parts = parts.replace(decisions=_without(parts.decisions, line))
        yield parts
    if parts.summaries:
        parts = parts.replace(summaries=())
        yield parts
    while parts.proposals:
        parts = parts.replace(proposals=parts.proposals[1:])
        yield parts
    while parts.decisions:
        parts = parts.replace(decisions=parts.decisions[1:])
        yield parts
    if parts.position:
        yield parts.replace(position="")


def _without(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Remove one line; of several equal lines, the last."""
    place = len(lines) - 1 - lines[::-1].index(line)
    return (*lines[:place], *lines[place + 1 :])
