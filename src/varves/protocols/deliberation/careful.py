"""The careful extractor: it detects what a speaker does, not only which words occur.

A question, a report of another's or an earlier act, and a condition are not acts, and a negation
reverses a word. Agreement and objection apply to the proposal that the message answers, names or
quotes, or else to the nearest open proposal that fits. Accepting a requested task is a decision.
The rules are in `cues`. The result depends only on the message and the conversation before it.
"""

from __future__ import annotations

from varves.protocols.deliberation.acts import acts
from varves.protocols.deliberation.consequences import backing, decision, raising, resolutions
from varves.protocols.deliberation.extracting import on, spoken_of
from varves.protocols.deliberation.findings import Reacted, Stance
from varves.protocols.deliberation.nearest import Before
from varves.protocols.deliberation.patterns import (
    DECISION,
    KINDS,
    OPPOSE,
    PROPOSAL,
    SUPPORT,
    Patterns,
    said,
)
from varves.protocols.deliberation.reacting import About, without
from varves.protocols.deliberation.repeats import likeness
from varves.protocols.deliberation.sentences import sentences
from varves.protocols.deliberation.state import SYSTEM
from varves.protocols.deliberation.subjects import outcome, rest, sentence, topic, trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.patterns import PatternPlace, SearchedText
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.sentences import Sentence
    from varves.protocols.deliberation.state import Message, Proposal, State

_TABLED = 0.5  # the similarity from which a preference supports another's proposal
_PREFERS = ("prefer", "rather")


def careful(options: DeliberationOptions, likeness: Likeness | None = None) -> Extractor:
    """Return the careful extractor, which also uses the patterns of the settings.

    Raises:
        UsageError: a pattern of the settings is not a valid regular expression.
    """
    return Careful(options, likeness)


class Careful:
    """Detects a speaker's acts, sentence by sentence."""

    name = "careful"

    def __init__(self, options: DeliberationOptions, likeness: Likeness | None = None) -> None:
        self._options = options
        self._likeness = likeness
        self._patterns = Patterns(options)

    def read(self, message: Message, state: State) -> tuple[Finding, ...]:
        """Return the findings in a message; a system message has no speaker and no findings."""
        if message.type == SYSTEM:
            return ()
        before = Before(message, state)
        about = About(message, self._options.quote_chars)
        named = spoken_of(message, about, state)
        text = said(message.content)
        own = without(text, tuple(one.content for one in named)).plain
        done = self._done(own, before, tabled=bool(named))
        found: list[Finding] = []
        sides = tuple(kind for kind in (SUPPORT, OPPOSE) if kind in done)
        aims = _aims(text, done, named, before=before)
        found += [
            Reacted(proposal=one.id, agent_id=message.agent_id, reaction=_last(done))
            for one in aims
            if sides and one.proposer != message.agent_id
        ]
        if DECISION in done:
            place = self._within(DECISION, text, done[DECISION])
            subject = topic(text, place, self._options.topic_words, named=named or aims)
            came_to = outcome(text, place, subject) if place != done[DECISION].place else ""
            came_to = came_to or _told(text, done[DECISION])
            found += decision(subject, came_to, message=message, state=state)
            found += resolutions(came_to, named)
        elif SUPPORT in done:
            found += backing(message, about, state)
        content = ""
        if PROPOSAL in done:
            place = self._within(PROPOSAL, text, done[PROPOSAL])
            tagged = place != done[PROPOSAL].place
            content = rest(text, place, PROPOSAL) if tagged else _told(text, done[PROPOSAL])
            least = self._options.likeness
            found.append(raising(content, message, state, least=least, likeness=self._likeness))
        found += _stance(text, done, aims, agent=message.agent_id, content=content)
        return tuple(found)

    def _done(self, text: str, before: Before, *, tabled: bool) -> dict[str, Sentence]:
        """Return the acts of a message, each with the first sentence that performs it."""
        table = before.table()
        if tabled:
            table = table.replace(tabled=True)
        done: dict[str, Sentence] = {}
        own = {kind: self._patterns.own(kind, text) for kind in KINDS}
        for one in sentences(text):
            kinds = set(acts(one, table))
            kinds |= {kind for kind in KINDS if any(one.place.holds(at) for at in own[kind])}
            if PROPOSAL in kinds and _for_tabled(one, before.open):
                kinds = (kinds - {PROPOSAL}) | {SUPPORT}
            for kind in kinds:
                done.setdefault(kind, one)
        return done

    def _within(self, kind: str, text: SearchedText, found: Sentence) -> PatternPlace:
        """Return where a published pattern matches in a sentence, or else the sentence's place."""
        places = self._patterns.places(kind, text)
        inside = [one for one in places if found.place.holds(one)]
        return next((one for one in inside if not one.marker), next(iter(inside), found.place))


def _stance(
    text: SearchedText,
    done: dict[str, Sentence],
    aims: tuple[Proposal, ...],
    *,
    agent: str,
    content: str,
) -> list[Finding]:
    """Return the speaker's position, if the message states one."""
    kind = next((one for one in (PROPOSAL, OPPOSE, SUPPORT, DECISION) if one in done), None)
    if kind is None:
        return []
    told = _told(text, done[kind])
    sides = tuple(one for one in (SUPPORT, OPPOSE) if one in done)
    return [
        Stance(
            agent_id=agent,
            position=on(told, aims) if kind in sides else told,
            contribution=content or (told if kind == DECISION else None),
            sides=sides,
        )
    ]


def _for_tabled(found: Sentence, tabled: tuple[Proposal, ...]) -> bool:
    """Return whether a sentence prefers another agent's proposal."""
    return any(word in found.plain for word in _PREFERS) and any(
        likeness(found.plain, one.content) >= _TABLED for one in tabled
    )


def _aims(
    text: SearchedText, done: dict[str, Sentence], named: tuple[Proposal, ...], *, before: Before
) -> tuple[Proposal, ...]:
    """Return the proposals that a message supports or opposes."""
    kind = next((one for one in (SUPPORT, OPPOSE) if one in done), None)
    if kind is None or named:
        return named
    place = done[kind].place
    meant = before.meant(text.text[place.start : place.end])
    return (meant,) if meant is not None else ()


def _last(done: dict[str, Sentence]) -> str:
    """Return the reaction that counts: the last one, or the objection within one sentence."""
    if SUPPORT in done and OPPOSE in done:
        last = done[SUPPORT].place.start > done[OPPOSE].place.start
        return SUPPORT if last else OPPOSE
    return SUPPORT if SUPPORT in done else OPPOSE


def _told(text: SearchedText, found: Sentence) -> str:
    """Return a sentence as it was written."""
    return trimmed(text.text[found.place.start : found.place.end]) or sentence(text, found.place)
