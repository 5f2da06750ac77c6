"""The reactions of a message that speaks of several proposals, one for each of them.

The message is divided into clauses. A clause that mentions a proposal and agrees or objects speaks
for that proposal. A mention without such words takes those beside it: "The lamp? Great idea!". In
"the lamp, but not the bench", the second side is the reverse of the first.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation.patterns import OPPOSE, SUPPORT
from varves.protocols.deliberation.state import NEUTRAL
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

_FIRST = 0xE000  # private-use characters, each of which replaces the quotation of one proposal
_MOST = 100  # the proposals of one message that are told apart
_READ = 10_000  # the characters of a message that are divided
_PARTS = 100  # the clauses of a message that are read
_SENTENCE = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]*_]*\s+|\n+")
_CLAUSE = re.compile(
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
        for part in _CLAUSE.split(sentence)[: max(0, _PARTS - len(found))]:
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
