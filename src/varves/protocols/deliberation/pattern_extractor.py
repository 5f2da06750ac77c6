"""The published extractor: patterns find decisions, proposals, reactions and stances.

It takes words literally: a pattern that matches in a question, in a report or after a negation
counts as a decision or a proposal. This is the published behaviour, and it is predictable for the
author of a message. The default extractor, which reads sentences, is in `sentence_extractor.py`.
"""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.language.guards import guards
from varves.language.sentences import sentences
from varves.protocols.deliberation.consequences import (
    adopted,
    backing,
    decision,
    raising,
    resolutions,
)
from varves.protocols.deliberation.findings import Reacted, Stance
from varves.protocols.deliberation.patterns import DECISION, PROPOSAL, PatternPlace, Patterns, said
from varves.protocols.deliberation.reactions import About, side, side_taken, sides_of
from varves.protocols.deliberation.state import ACTIVE, NEUTRAL, SUPPORT, SYSTEM
from varves.protocols.deliberation.subjects import (
    names_thing,
    rest,
    sentence,
    subject,
    without_topic,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.sentences import SpokenSentence
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
            said_so = rest(text, decided, DECISION)
            borrows = len(named) == 1 and not names_thing(said_so)
            whole = named[0].content if borrows else said_so
            topic, marked = subject(text, decided, whole, self._options.topic_words)
            came_to = without_topic(said_so, topic)
            found += decision(topic, came_to, message=message, state=state, marked=marked)
            settled = resolutions(said_so, named)
            found += settled or adopted(topic, came_to, state, named=named)
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


_ARGUES = re.compile(
    r"\b(?:because|therefore|i\s+(?:think|believe|doubt|prefer)|in\s+my\s+(?:view|opinion)|"
    r"my\s+(?:view|position|concern)|we\s+should(?:n't)?|we\s+must(?:n't)?|the\s+reason)\b"
)
_READ = 20_000  # the characters of a message that are read


def argued(text: SearchedText) -> str:
    """Return the sentence in which an agent argues or states a view, or an empty string.

    A question does not count, and for a view neither does a report of another's words or a
    condition. An agent that takes a view back ("I was wrong") stands for what it says next, if
    anything.
    """
    heard = [one for one in sentences(text.plain, most=_READ) if not one.asks]
    taken_back = [at for at, one in enumerate(heard) if _recants(one)]
    if taken_back:
        later = heard[taken_back[-1] + 1 :]
        chosen = next((one for one in later if _states(one)), next(iter(later), None))
        return _whole(text, chosen or heard[taken_back[-1]])
    found = _ARGUES.search(text.folded, 0, _READ)
    if found is not None:
        return sentence(text, PatternPlace(start=found.start(), end=found.end()))
    return next((_whole(text, one) for one in heard if _states(one)), "")


def _whole(text: SearchedText, one: SpokenSentence) -> str:
    return sentence(text, PatternPlace(start=one.start, end=max(one.start + 1, one.end - 1)))


def _recants(one: SpokenSentence) -> bool:
    return ENGLISH.acts["recants"].search(one.plain) is not None and not guards(one).reports


def _states(one: SpokenSentence) -> bool:
    """Return whether a sentence argues or states a view of the speaker."""
    if _ARGUES.search(one.plain):
        return True
    meant = guards(one)
    aside = meant.asks or meant.reports or meant.tells or meant.supposes or meant.wishes
    return not aside and ENGLISH.acts["holds"].search(one.done) is not None
