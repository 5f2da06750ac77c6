"""The reaction that a message expresses, and the proposal or decision that it is about.

Patterns are taken literally: "no problem with that" opposes, and "I don't agree" takes no side; the
reader knows negations (`sentence_extractor.py`). If a message has phrases of both sides, the phrase
after its last but, however, though, yet or still counts; without such a word, or with both after
it, the opposition counts. A message with neither is neutral. If a message mentions several
proposals, each of them has its own reaction.

A message is about a record that it answers (`reply_to`), names by id, or quotes by its first fifty
characters.

A message that speaks of several proposals is divided into clauses. A clause that mentions a
proposal and agrees or objects speaks for that proposal. A mention without such words takes those
beside it: "The lamp? Great idea!". In "the lamp, but not the bench", the second side is the reverse
of the first.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation.patterns import OPPOSE, SUPPORT, PatternPlace, said
from varves.protocols.deliberation.state import NEUTRAL
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from varves.protocols.deliberation.patterns import GivenPatterns, Patterns, SearchedText
    from varves.protocols.deliberation.state import Message, Proposal

_FIRST = 0xE000  # private-use characters, each of which replaces the quotation of one proposal
_MOST = 100  # the proposals of one message that are told apart
_READ = 10_000  # the characters of a message that are divided
_PARTS = 100  # the clauses of a message that are read
_SENTENCE = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]*_]*\s+|\n+")
_PART = re.compile(
    r"\s?[;,\u2013\u2014]\s+|\s-{1,2}\s|"
    r"\s(?=(?:but|however|though|although|while|whereas|yet|and|or|nor)\s)"
)
_REVERSED = re.compile(
    r"\W*(?:(?:but|and|yet|though)\s+)?(?:(?:rather|certainly|definitely|just)\s+)?"
    r"(?:not|never|less\s+so|hardly)\b",
    re.IGNORECASE,
)
# A verb without its subject: "… and disagree with the bench".
_BARE = re.compile(
    r"\W*(?:(?:but|and|or|yet)\s+)?(?:also\s+|strongly\s+|fully\s+)?"
    r"(?=(?:dis)?agree\b|object\b|oppose\b|support\b|reject\b|like\b|love\b|dislike\b|back\b)",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\W*(?:but|however|though|although|while|whereas|yet|and|or)\b,?\s*", re.IGNORECASE
)
_PAIRED = re.compile(r"(?:and|or|nor)\b")
_OTHER = {SUPPORT: OPPOSE, OPPOSE: SUPPORT}


class _Clause(Value):
    """A part of a sentence, the proposals it mentions, and its own side."""

    sentence: int
    text: str
    mentions: tuple[str, ...]
    side: str


def sides(
    text: str,
    spans: Mapping[str, Sequence[tuple[int, int]]],
    side_of: Callable[[str], str],
    mentioned: Callable[[str], Collection[str]] | None = None,
) -> dict[str, str]:
    """Return the reaction to each of the proposals that a message mentions.

    Args:
        text: the message.
        spans: where it quotes proposals, by id.
        side_of: returns the side that a text takes.
        mentioned: returns the ids of the proposals that a text mentions in other words.
    """
    clauses = _clauses(text, spans, side_of, mentioned)
    names = list(dict.fromkeys(name for one in clauses for name in one.mentions))
    if len(names) <= 1:
        return {}
    taken = {name: _side(name, clauses, side_of) for name in names}
    if set(taken.values()) == {NEUTRAL}:
        return dict.fromkeys(names, side_of(_masked(text, spans, "it")))
    return taken


def _clauses(
    text: str,
    spans: Mapping[str, Sequence[tuple[int, int]]],
    side_of: Callable[[str], str],
    mentioned: Callable[[str], Collection[str]] | None,
) -> list[_Clause]:
    names = list(spans)[:_MOST]
    found: list[_Clause] = []
    for number, sentence in enumerate(_SENTENCE.split(_masked(text, spans)[:_READ])):
        for part in _PART.split(sentence)[: max(0, _PARTS - len(found))]:
            mentions = [names[ord(sign) - _FIRST] for sign in part if _stands(sign, names)]
            told = "".join("it" if _stands(sign, names) else sign for sign in part).strip()
            if mentioned is not None:
                mentions += mentioned(told)
            bare = _BARE.match(told)
            heard = (
                f"I {told[bare.end() :]}"
                if bare
                else _JOINED.sub("", told, count=1)
                if _JOINED.match(told)
                else told
            )
            found.append(
                _Clause(
                    sentence=number,
                    text=told,
                    mentions=tuple(dict.fromkeys(mentions)),
                    side=side_of(heard) if heard else NEUTRAL,
                )
            )
    return found


def _stands(sign: str, names: Sequence[str]) -> bool:
    """Return whether a character stands for the quotation of a proposal."""
    return _FIRST <= ord(sign) < _FIRST + len(names)


def _masked(text: str, spans: Mapping[str, Sequence[tuple[int, int]]], word: str = "") -> str:
    """Return a text in which a character, or a word, stands for each quotation."""
    held = enumerate(list(spans.values())[:_MOST])
    placed = sorted((span, place) for place, found in held for span in found)
    parts, at = [], 0
    for (start, end), place in placed:
        if start >= at:
            parts += [text[at:start], word or chr(_FIRST + place)]
            at = end
    return "".join((*parts, text[at:]))


def _side(name: str, clauses: Sequence[_Clause], side_of: Callable[[str], str]) -> str:
    """Return the side that a message takes on one of its proposals."""
    own = [place for place, one in enumerate(clauses) if name in one.mentions]
    told = [one for place in own if clauses[place].side != NEUTRAL for one in _on(place, clauses)]
    if len(told) == 1:
        return told[0].side
    if told:
        return side_of(", ".join(one.text for one in told))
    return next((side for place in own if (side := _beside(place, clauses)) != NEUTRAL), NEUTRAL)


def _on(place: int, clauses: Sequence[_Clause]) -> Iterator[_Clause]:
    """Yield a clause and those that go on after it in its sentence without another mention."""
    yield clauses[place]
    for one in clauses[place + 1 :]:
        if one.sentence != clauses[place].sentence or one.mentions:
            return
        yield one


def _beside(place: int, clauses: Sequence[_Clause]) -> str:
    """Return the side of the clauses beside one that takes none."""
    here = clauses[place]
    same = [one for one in clauses if one.sentence == here.sentence]
    before = next(
        (
            one.side
            for one in reversed(clauses[:place])
            if one.sentence == here.sentence and one.side != NEUTRAL
        ),
        NEUTRAL,
    )
    if _REVERSED.match(here.text):
        return _OTHER.get(before, NEUTRAL)
    near = [clauses[at] for at in (place + 1, place - 1) if 0 <= at < len(clauses)]
    free = [one for one in near if one in same and not one.mentions and one.side != NEUTRAL]
    if free or before != NEUTRAL:
        return free[0].side if free else before
    after = clauses[place + 1] if place + 1 < len(clauses) else here
    if after in same and _PAIRED.match(after.text) and after.side != NEUTRAL:
        return after.side
    if any(one.side != NEUTRAL for one in same):
        return next((one.side for one in same if not one.mentions and one.side != NEUTRAL), NEUTRAL)
    return next(
        (
            side
            for number in (here.sentence + 1, here.sentence - 1)
            if (side := _free_sentence(number, clauses)) != NEUTRAL
        ),
        NEUTRAL,
    )


def _free_sentence(number: int, clauses: Sequence[_Clause]) -> str:
    """Return the side of a sentence that mentions no proposal."""
    found = [one for one in clauses if one.sentence == number]
    if any(one.mentions for one in found):
        return NEUTRAL
    return next((one.side for one in found if one.side != NEUTRAL), NEUTRAL)


# Words of a proposal that may complete the phrase before a quotation: "what if" and "we".
_LED_BY = re.compile(r"(?:(?:we|i|you|us|to|that|let's)\s+)*", re.IGNORECASE)
_SHORTEST = 20  # the fewest characters that count as a quote of a proposal's beginning
_TURN = re.compile(r"\b(?:but|however|though|although|yet|still)\b")


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


def side(
    text: SearchedText, patterns: Patterns | GivenPatterns, quotes: tuple[str, ...] = ()
) -> str:
    """Return support, oppose or neutral; the words of quoted proposals do not count."""
    taken, _ = side_taken(text, patterns, quotes)
    return taken


def side_taken(
    text: SearchedText, patterns: Patterns | GivenPatterns, quotes: tuple[str, ...] = ()
) -> tuple[str, PatternPlace | None]:
    """Return a message's reaction, and the phrase that expresses it."""
    text = without(text, quotes)
    against = list(patterns.places(OPPOSE, text))
    favour = list(patterns.places(SUPPORT, text))
    if not against:
        return (SUPPORT, favour[0]) if favour else (NEUTRAL, None)
    last = max(against, key=lambda place: place.start)
    if favour:
        latest = max(favour, key=lambda place: place.start)
        if _TURN.search(text.folded, last.end, latest.start):
            return SUPPORT, latest
    return OPPOSE, last


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
        start = _LED_BY.match(plain, start, end).end()  # type: ignore[union-attr]
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
