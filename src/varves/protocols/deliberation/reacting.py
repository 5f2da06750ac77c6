"""The reaction that a message expresses, and the proposal or decision that it is about.

A negated phrase of agreement opposes ("I don't agree", "not a great idea"); a negated phrase of
opposition does not count ("no problem with that"). If a message has both, the phrase after its last
but, however, though, yet or still counts; without such a word, or with both after it, the
opposition counts. A message with neither is neutral. If a message mentions several proposals, each
of them has its own reaction.

A message is about a record that it answers (`reply_to`), names by id, or quotes by its first fifty
characters.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation.patterns import OPPOSE, SUPPORT, PatternPlace, said
from varves.protocols.deliberation.several import sides
from varves.protocols.deliberation.state import ACCEPTED, MODIFIED, NEUTRAL, REJECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from varves.protocols.deliberation.patterns import Patterns, SearchedText
    from varves.protocols.deliberation.state import Message, Proposal

_SHORTEST = 20  # the fewest characters that count as a quote of a proposal's beginning
_BEFORE = 60  # characters in which a negation is searched
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|hardly|cannot|nor|neither|without|nobody)\b|n't\b)(?:\W+\w[\w']*){0,4}\W*$"
)
_CLAUSE = re.compile(r"[.!?;:\n]|,?\s(?:but|however|though|although|yet|still)\b|,")
_REFUSED = re.compile(
    r"\bi\s+(?:(?:do|can|could|would|did)(?:\s*not|n't)|cannot|can't|never)\s+"
    r"(?:\w+\s+)?agree\b"
)
_TURN = re.compile(r"\b(?:but|however|though|although|yet|still)\b")
_REJECTS = re.compile(r"\b(?:reject|against|drop|declin|discard|abandon|refus|turn(?:ed)? down)\w*")
_NOT = re.compile(r"\W*(?:\w+\W+){0,2}(?:not|never|no|cannot|\w+n't)\b")
_MODIFIES = re.compile(
    r"\b(?:modif\w+|amend\w*|with\s+(?:\w+\s+)?(?:changes?|modifications?|amendments?))\b"
)


class About:
    """Determines which records one message is about."""

    def __init__(self, message: Message, quote: int) -> None:
        self._message = message
        self._quote = quote
        self._spaced: str | None = None

    def speaks_of(self, name: str, where: str, content: str) -> bool:
        """Return whether a message answers, cites or quotes a record.

        Args:
            name: the id of the record.
            where: the id of the message that contained it.
            content: the text of the record.
        """
        if self._message.reply_to and self._message.reply_to in (where, name):
            return True
        return self.quotes(content) or self.cites(name)

    def cites(self, name: str) -> bool:
        """Return whether a message contains an id."""
        if not name or name not in self._message.content:
            return False
        whole = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        return re.search(whole, self._message.content) is not None

    def quotes(self, content: str) -> bool:
        """Return whether a message contains the first characters of a text."""
        head = _spaced(content).removeprefix("to ")[: self._quote].strip()
        if self._spaced is None:
            self._spaced = _spaced(self._message.content)
        return bool(head) and head in self._spaced


def _spaced(text: str) -> str:
    """Return a text with single spaces and straight apostrophes."""
    return " ".join(text.replace("\u2019", "'").split())


def side(text: SearchedText, patterns: Patterns, quotes: tuple[str, ...] = ()) -> str:
    """Return support, oppose or neutral; the words of quoted proposals do not count."""
    taken, _ = side_taken(text, patterns, quotes)
    return taken


def side_taken(
    text: SearchedText, patterns: Patterns, quotes: tuple[str, ...] = ()
) -> tuple[str, PatternPlace | None]:
    """Return a message's reaction, and the phrase that expresses it."""
    text = without(text, quotes)
    against = [
        place for place in patterns.places(OPPOSE, text) if not negated(text.folded, place.start)
    ]
    favour: list[PatternPlace] = []
    for place in patterns.places(SUPPORT, text):
        (against if negated(text.folded, place.start) else favour).append(place)
    if "agree" in text.folded:
        against += [
            PatternPlace(start=one.start(), end=one.end()) for one in _REFUSED.finditer(text.folded)
        ]
    if not against:
        return (SUPPORT, favour[0]) if favour else (NEUTRAL, None)
    last = max(against, key=lambda place: place.start)
    if favour:
        latest = max(favour, key=lambda place: place.start)
        if _TURN.search(text.folded, last.end, latest.start):
            return SUPPORT, latest
    return OPPOSE, last


def negated(folded: str, start: int) -> bool:
    """Return whether a negation precedes a position in the same clause."""
    before = folded[max(0, start - _BEFORE) : start]
    for stop in _CLAUSE.finditer(before):
        before = " " * stop.end() + before[stop.end() :]
    return _NEGATED.search(before) is not None


def sides_of(
    text: SearchedText,
    named: Sequence[Proposal],
    side_of: Callable[[SearchedText], str],
    mentioned: Callable[[str], Collection[str]] | None = None,
) -> dict[str, str]:
    """Return the reaction to each proposal of a message that mentions several, by their ids.

    Args:
        text: the message.
        named: the proposals that it may quote.
        side_of: returns the side that a text takes.
        mentioned: returns the ids of the proposals that a text mentions in other words.
    """
    places = {one.id: tuple(_quotations(text.plain, one.content)) for one in named}
    spans = {name: found for name, found in places.items() if found}
    if len(spans) <= 1 and mentioned is None:
        return {}
    return sides(text.plain, spans, lambda part: side_of(said(part)), mentioned)


def without(text: SearchedText, quotes: tuple[str, ...]) -> SearchedText:
    """Blank the parts of a message that quote proposals."""
    plain, folded = text.plain, text.folded
    for quote in quotes:
        start, end = next(_quotations(plain, quote), (0, 0))
        blank = " " * (end - start)
        plain = plain[:start] + blank + plain[end:]
        folded = folded[:start] + blank + folded[end:]
    return text.replace(plain=plain, folded=folded)


def _quotations(plain: str, quote: str) -> Iterator[tuple[int, int]]:
    """Yield where a text quotes the beginning of another."""
    words = quote.replace("\u2019", "'").removeprefix("to ").split()
    start = plain.find(words[0]) if words else -1
    while start >= 0:
        end = _quoted_to(plain, start, words)
        found = end - start >= min(len(quote), _SHORTEST)
        if found:
            yield start, end
        start = plain.find(words[0], end if found else start + 1)


def _quoted_to(plain: str, start: int, words: list[str]) -> int:
    """Return how far a text follows another word by word."""
    end = start
    for word in words:
        at = end
        while at < len(plain) and plain[at].isspace():
            at += 1
        if not plain.startswith(word, at):
            break
        end = at + len(word)
    return end


def verdict(outcome: str, content: str) -> str:
    """Return the status that a decision gives to a proposal that it names."""
    folded = _spaced(outcome).lower().replace(_spaced(content).lower(), " ")
    if _MODIFIES.search(folded):
        return MODIFIED
    return REJECTED if _REJECTS.search(folded) or _NOT.match(folded) else ACCEPTED
