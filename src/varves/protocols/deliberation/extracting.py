"""The published extractor: patterns find decisions, proposals, reactions and stances.

It takes words literally: a pattern that matches in a question, in a report or after a negation
counts as a decision or a proposal. This is the published behaviour, and it is predictable for the
author of a message. The default extractor, which reads sentences, is in `hearing.py`.
"""

from __future__ import annotations

from varves.protocols.deliberation.consequences import (
    adopted,
    backing,
    decision,
    raising,
    resolutions,
)
from varves.protocols.deliberation.findings import Reacted, Stance
from varves.protocols.deliberation.patterns import DECISION, PROPOSAL, PatternPlace, Patterns, said
from varves.protocols.deliberation.positions import argued
from varves.protocols.deliberation.reacting import About, side, side_taken, sides_of
from varves.protocols.deliberation.state import ACTIVE, NEUTRAL, SUPPORT, SYSTEM
from varves.protocols.deliberation.subjects import outcome, rest, sentence, topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.patterns import SearchedText
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import Message, Proposal, State


def published(options: DeliberationOptions, likeness: Likeness | None = None) -> Extractor:
    """Return the extractor for the published patterns and those of the settings.

    Raises:
        UsageError: a pattern of the settings is not a valid regular expression.
    """
    return PublishedExtractor(options, likeness)


class PublishedExtractor:
    """Extracts by patterns alone."""

    name = "published"

    def __init__(self, options: DeliberationOptions, likeness: Likeness | None = None) -> None:
        self._options = options
        self._likeness = likeness
        self._patterns = Patterns(options)

    def read(self, message: Message, state: State) -> tuple[Finding, ...]:
        """Return the findings in a message; a system message has no speaker and no findings."""
        if message.type == SYSTEM:
            return ()
        text = said(message.content)
        about = About(message, self._options.quote_chars)
        named = spoken_of(message, about, state)
        taken, where = side_taken(text, self._patterns, tuple(one.content for one in named))
        decided = self._decided(text)
        each = sides_of(text, named, lambda part: side(part, self._patterns))
        found: list[Finding] = [
            Reacted(proposal=one.id, agent_id=message.agent_id, reaction=to)
            for one in named
            # A decision resolves the proposals it names; a neutral reaction would mean nothing.
            if (to := each.get(one.id, taken)) != NEUTRAL or decided is None
            if one.proposer != message.agent_id
        ]
        if decided is not None:
            subject = topic(text, decided, self._options.topic_words, named=named)
            came_to = outcome(text, decided, subject)
            found += decision(subject, came_to, message=message, state=state)
            found += resolutions(rest(text, decided, DECISION), named) or adopted(
                subject, came_to, state
            )
        elif taken == SUPPORT:
            found += backing(message, about, state)
        raised = next(iter(self._patterns.places(PROPOSAL, text)), None)
        content = rest(text, raised, PROPOSAL) if raised else ""
        if content:
            least = self._options.likeness
            found.append(raising(content, message, state, least=least, likeness=self._likeness))
        told = _stand(text, (raised, where, decided))
        if told:
            position = told if raised or not where else on(told, named)
            gave = content or (told if decided else None)
            found.append(Stance(agent_id=message.agent_id, position=position, contribution=gave))
        return tuple(found)

    def _decided(self, text: SearchedText) -> PatternPlace | None:
        """Return the place of the phrase by which a message decides; without one, of the tag."""
        places = self._patterns.places(DECISION, text)
        return next((one for one in places if not one.marker), next(iter(places), None))


def spoken_of(message: Message, about: About, state: State) -> tuple[Proposal, ...]:
    """Return the active proposals in other messages that this one answers, cites or quotes."""
    return tuple(
        one
        for one in state.proposals
        if one.status == ACTIVE
        and not (message.id and one.message == message.id)
        and about.speaks_of(one.id, one.message, one.content)
    )


def _stand(text: SearchedText, acts: tuple[PatternPlace | None, ...]) -> str:
    """Return the sentence that states an agent's position, or an empty string."""
    for place in acts:
        if place is not None:
            return sentence(text, place) or rest(text, place, DECISION)
    return argued(text)


def on(told: str, named: tuple[Proposal, ...]) -> str:
    """Return a position's text with the proposal that it refers to, unless the text quotes it."""
    if not named or named[-1].content[:20] in told:
        return told
    return f'{told} (on "{named[-1].content}" by {named[-1].proposer})'
