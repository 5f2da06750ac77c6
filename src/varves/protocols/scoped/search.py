"""Searches entries by their words.

A search requires all of its words. Each word of the search must begin a word of the text, be
another form of one or, in a script written without spaces, occur anywhere. A task requires at least
one of its significant words. Forms of a word are compared without their endings; the rarer a word
is among the entries, the more it counts for a task. If no entry has a word of a task, those
with related words are looked for, by the table of recall.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log

from varves.recall.stopwords import STOPWORDS
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.values.memory import Memory

_ENDINGS = (
    *("ation", "ating", "ator", "ated", "ate", "ment", "ing", "ion", "ive", "able"),
    *("er", "ed", "al", "ly", "ie", "e", "y"),
)
_UNSPACED = "[\u0e00-\u109f\u1780-\u17ff\u2e80-\U0010ffff]"  # scripts without spaces
_WORD = re.compile(rf"(?:(?!{_UNSPACED})[^\W_])+|(?:(?={_UNSPACED})[^\W_])+")
_INSIDE = re.compile(_UNSPACED)
_STEM = 3  # fewest letters that remain of a word
_DULL = STOPWORDS | {
    *("use", "task", "please", "need", "want", "make", "add", "get"),
    *("every", "always", "never", "must", "may", "might", "without", "within"),
}
_CLOSE = 0.6  # the least strength with which a word is related to a word of a task
_ENOUGH = 0.15  # the least share of a task for which an entry has related words
_FEW = 2  # of at most this many words, each may name the matter
_MOST_RELATED = 3  # the most entries that only have related words


def words(text: str) -> list[str]:
    """Split a text into its words, in lower case; another script begins another word."""
    return _WORD.findall(fold(text))


def telling(text: str) -> list[str]:
    """Return the words of a text that are not stop words or, if no others remain, all words."""
    said = words(text)
    return [word for word in said if word not in STOPWORDS] or said


def common_part(query: str) -> str:
    """Return what the folded text of every memory contains that holds all words of a query.

    It is the longest stem: every form of a word begins with its stem.
    """
    return max((stem(word) for word in telling(query)), key=len, default="")


def holding(memories: Iterable[Memory], query: str) -> list[tuple[int, Memory]]:
    """Return the memories that contain all words of a query, with the count of whole matches."""
    asked = {word: stem(word) for word in telling(query)}
    found = []
    for memory in memories:
        said = words(memory.text)
        whole, stems = frozenset(said), frozenset(map(stem, said))
        if asked and all(
            asked[word] in stems or any(_begins(one, word) for one in said) for word in asked
        ):
            found.append((sum(word in whole for word in asked), memory))
    return found


def _begins(one: str, word: str) -> bool:
    return word in one if _INSIDE.match(word) else one.startswith(word)


def relevant(memories: Sequence[Memory], text: str) -> dict[str, float]:
    """Return, by id, the relevance to a task of the memories that share words with it."""
    asked = {stem(word) for word in words(text) if word not in _DULL}
    near = [one for one in memories if _may_have(one.text, asked)]
    held = {memory.id: asked & {stem(word) for word in words(memory.text)} for memory in near}
    often: dict[str, int] = {}
    for stems in held.values():
        for one in stems:
            often[one] = often.get(one, 0) + 1
    weight = {one: log(1 + len(memories) / count) for one, count in often.items()}
    return {name: sum(weight[one] for one in stems) for name, stems in held.items() if stems}


def related(memories: Iterable[Memory], text: str) -> dict[str, float]:
    """Return, by id, the relevance of the memories whose words are related to a task's.

    The words and their strengths are those of recall. A word of the task counts by the strength of
    the strongest word related to it that the memory contains; the first of several words does not
    count, because it is mostly a verb such as "move". Such a match is weak: only a few are
    returned, and only those in which enough of the task counts.
    """
    from varves.recall.related import related as related_words

    asked = list(dict.fromkeys(word for word in words(text) if word not in _DULL))
    named = asked[1:] if len(asked) > _FEW else asked
    strengths: dict[frozenset[str], dict[str, float]] = {}
    for other, came in related_words(asked).items():
        close = {word: came[word] for word in named if came.get(word, 0.0) >= _CLOSE}
        if close:
            strengths[frozenset(map(stem, words(other)))] = close
    parts = frozenset().union(*strengths)
    found: dict[str, float] = {}
    for memory in memories:
        if not _may_have(memory.text, parts):
            continue
        said = frozenset(map(stem, words(memory.text)))
        best: dict[str, float] = {}
        for held in filter(said.issuperset, strengths):
            for word, strength in strengths[held].items():
                best[word] = max(best.get(word, 0.0), strength)
        share = sum(best.values()) / len(asked)
        if share >= _ENOUGH:
            found[memory.id] = share
    most = sorted(found, key=lambda name: -found[name])[:_MOST_RELATED]
    return {name: found[name] for name in most}


def _may_have(text: str, stems: Iterable[str]) -> bool:
    """Return whether a text may have one of some stems: each word begins with its stem."""
    said = fold(text)
    return any(one in said for one in stems)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Remove the ending of a word, so that `validate` and `validation` become equal."""
    if word.endswith("s") and not word.endswith("ss") and len(word) > _STEM:
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word[: -len(ending)]
            break
    if word[-1] in "eiy" and len(word) > _STEM:  # of "deployment" as well as of "deploy"
        word = word[:-1]
    if len(word) > _STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word
