"""The acts of a speaker in one sentence: decide, propose, agree, object, or none of these."""

from __future__ import annotations

from varves.protocols.deliberation.cues import (
    AGREES,
    CLOSES,
    COUNTERS,
    DECIDES,
    NEGATION,
    OBJECTS,
    OPENS_AGAINST,
    PAST,
    PROPOSES,
    REPORTS,
    SPEAKER,
    TAKES_ON,
    TURN,
    WISH,
)
from varves.protocols.deliberation.patterns import DECISION, OPPOSE, PROPOSAL, SUPPORT
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from varves.protocols.deliberation.sentences import Sentence

_NEAR = 25  # a negation within this many characters before a phrase reverses its meaning


class Table(Value):
    """The situation in which the speaker speaks."""

    tabled: bool
    """Whether another agent made a proposal shortly before."""
    asked: bool
    """Whether someone asked for a volunteer, or asked who does a task."""
    agreed: bool
    """Whether the last statement agreed, so that a closing statement may follow."""


def acts(sentence: Sentence, table: Table) -> frozenset[str]:
    """Return the acts of one sentence: decision, proposal, support, oppose."""
    if "[proposal]" in sentence.plain:
        return frozenset((PROPOSAL,))
    if _reported(sentence):
        return frozenset()
    found = set()
    if _objects(sentence, table):
        found.add(OPPOSE)
    if _agrees(sentence):
        found.add(SUPPORT)
    if _decides(sentence, table):
        found.add(DECISION)
    elif _proposes(sentence) and not (OPPOSE in found and _refuses(sentence)):
        found.add(PROPOSAL)
    return frozenset(found)


def _reported(sentence: Sentence) -> bool:
    """Return whether the sentence reports another's words."""
    return not SPEAKER.match(sentence.done) and REPORTS.search(sentence.done) is not None


def _decides(sentence: Sentence, table: Table) -> bool:
    if sentence.asks:
        return False
    past = PAST.search(sentence.plain)
    for match in DECIDES.finditer(sentence.done):
        if match[0].startswith("["):
            return True
        if not past and not _negated(sentence.done, match):
            return True
    if past:
        return False
    if "let us " in sentence.done and table.agreed and PROPOSES.search(sentence.done):
        return True
    if CLOSES.search(sentence.done):
        return True
    taken = TAKES_ON.search(sentence.done)
    return taken is not None and table.asked and not _negated(sentence.done, taken)


def _proposes(sentence: Sentence) -> bool:
    match = PROPOSES.search(sentence.done)
    if match is None or (WISH.search(sentence.done) and not sentence.asks):
        return False
    before = sentence.done[: match.start()]
    return not (before.rstrip().endswith(("i do not think", "i do not believe", "not sure")))


def _refuses(sentence: Sentence) -> bool:
    """Return whether the sentence rejects the action."""
    return NEGATION.search(sentence.done) is not None


def _agrees(sentence: Sentence) -> bool:
    if sentence.asks and "," not in sentence.plain:
        return False
    match = AGREES.search(sentence.done)
    if match is None:
        return False
    if NEGATION.search(match[0]):
        return True  # the phrase itself contains the negation, as in "no objection"
    return not _negated(sentence.done, match)


def _objects(sentence: Sentence, table: Table) -> bool:
    agreement = AGREES.search(sentence.done)
    plain = agreement is not None and not NEGATION.search(agreement[0])
    if agreement is not None and plain and _negated(sentence.done, agreement):
        return True
    for match in OBJECTS.finditer(sentence.done):
        if not _negated(sentence.done, match) and not _agreed_to(sentence.done, agreement, match):
            return True
    if not table.tabled:
        return False
    if sentence.first and OPENS_AGAINST.match(sentence.plain):
        return True
    return any(
        not _agreed_to(sentence.done, agreement, match)
        for match in COUNTERS.finditer(sentence.done)
    )


def _agreed_to(text: str, agreement: re.Match[str] | None, objection: re.Match[str]) -> bool:
    """Return whether the speaker agrees to an objection: no contrasting word is between them."""
    if agreement is None or agreement.start() >= objection.start():
        return False
    return TURN.search(text, agreement.end(), objection.start()) is None


def _negated(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _NEAR) : match.start()]
    for mark in (",", ";", ":", " but "):
        before = before.rpartition(mark)[2]
    return NEGATION.search(before) is not None
