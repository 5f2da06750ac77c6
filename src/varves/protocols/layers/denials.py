"""Finds what a text reports as a belief, or quotes and then denies: it is no fact.

"We thought that a depends on b", "Jon wrote that a is done, which is wrong", "Everyone says that a
is blocked; it is not". The denial is in the same sentence or at the beginning of the next one.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BELIEVED = re.compile(
    r"\b(?:thought|believed|assumed|supposed|guessed|presumed|imagined|figured|reckoned|hoped"
    r"|expected|feared|suspected|convinced|under the impression|for granted|rumou?red|alleged"
    r"|allegedly|pretended|supposedly|apparently|wrongly|mistakenly|erroneously|falsely|incorrectly"
    r"|by mistake|in error|contrary to|kept saying|(?:false|untrue|wrong|incorrect|mistake|error"
    r"|myth|rumou?r|nonsense|belief|assumption|impression|fear)(?: (?:is|was))? that)\b[^,;]*$",
    re.IGNORECASE,
)
_WAS = r"(?:is|was|were|are|has been|had been|proved|proves|turns out|turned out)(?: to be)?"
_VERY = r"(?: (?:simply|just|plainly|quite|completely|totally|clearly|actually|of course|all))?"
_UNTRUE = r"(?:not (?:true|so|the case|correct|right)|wrong|false|untrue|incorrect|nonsense)"
_MISTAKE = r"(?:mistaken|an? (?:\w+ )?(?:mistake|error|misunderstanding|rumou?r|myth|lie))"
_IS_NOT = (
    r"(?:(?:do|does|did|is|are|was|were|has|have|had)(?:n['\u2019]t| not)"
    r"|never (?:do|does|did|is|are|was|were|has|had)|(?:did|does|was|is|has) never)"
)
_END = r"(?=\s*(?:$|[.,;:!)]))"
_THAT = r"(?:which|that|this|it|they|all of (?:it|this|that))"
_WHO = r"(?:he|she|they|we|i|everyone|everybody)"
_OPENING = r"\W*(?:(?:but|and|yet|no|in fact|actually|however|in truth|sadly|unfortunately),? )*"
_QUOTES = re.compile(
    r"\b(?:that|said|says|say|saying|wrote|writes|noted|recorded|reported|told|stated|heard"
    r"|put down|according to)\b",
    re.IGNORECASE,
)


def _denials(false: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a denial within a sentence, and one at the beginning of the next."""
    is_false = rf"(?:{_WAS}|(?<=\w)['\u2019]s){_VERY} {false}\b(?! about\b)"
    whole = (
        rf"{_THAT} ?{is_false}|{_THAT} {_IS_NOT}{_END}|{_WHO} (?:was|were) (?:wrong|mistaken){_END}"
    )
    within = (
        rf"(?:[,(]|[\u2014\u2013-] )? ?\b(?:(?:but|and|yet|though|although) )?"
        rf"(?:which|that|this) ?{is_false}"
        rf"|,? ?\b(?:but|yet|though|although) (?:{whole})|(?<=[\w\]] ){is_false}"
    )
    after = rf"{_OPENING}(?:{whole}|(?:{false}|not at all){_END})"
    return re.compile(within, re.IGNORECASE), re.compile(after, re.IGNORECASE)


_DENIED = _denials(_UNTRUE)
_QUOTE_DENIED = _denials(rf"(?:{_UNTRUE}|{_MISTAKE})")
"""A mistake denies only what is quoted: "We removed it. That was a mistake." denies nothing."""


def is_believed(before: str) -> bool:
    """Return whether a clause is a belief, given the text of its sentence before it."""
    return _BELIEVED.search(before) is not None


def undenied(sentences: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of a paragraph, each without the part that is denied."""
    for sentence, following in zip(sentences, (*sentences[1:], ""), strict=True):
        within, after = _QUOTE_DENIED if _QUOTES.search(sentence) else _DENIED
        if after.match(following):
            continue
        found = within.search(sentence)
        yield sentence[found.end() :].lstrip(" ,;.)") if found else sentence
