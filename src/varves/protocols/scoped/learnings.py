"""Finds learnings, which later tasks should know, by fixed phrases only.

A text is split into sentences. A sentence that begins with a mark such as `Learned:`, `Decided to`
or `Convention:` yields the rest of the sentence; one that contains `failed because`, `always` or
`we will use` yields the whole sentence. Questions, guesses, code, and sentences that are too long
or too short are skipped. In a task's `output_data`, the named lists (learnings, decisions,
patterns, ...) are taken whole, and all other texts are searched like any text.

The interface is one callable, `Extract`, from a text to learnings. `Scoped` accepts another one.
"""

from __future__ import annotations

import json
import re

from varves.errors import UsageError
from varves.language.sentences import spans
from varves.protocols.scoped.entries import TYPES
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


class EntryLearning(Value):
    """A learning to propose: its text, type and confidence."""

    text: str
    type: str
    confidence: float = 0.7


if TYPE_CHECKING:
    Extract = Callable[[str], Iterable[EntryLearning]]
    """Finds the learnings in a text; `Scoped` accepts another implementation."""

SHORTEST, LONGEST = 5, 400  # length of a sentence that may be a learning
_DEEPEST = 8
_MARKS: tuple[tuple[str, str, float], ...] = (
    (r"(?:i |we )?(?:have )?(?:also )?learn(?:ed|t)(?: that|:)|learnings?:|til:?", "pattern", 0.8),
    (r"lessons?(?: learn(?:ed|t))?:|note to self:|insight:|takeaway:", "pattern", 0.8),
    (r"mistake:|pitfall:|gotcha:|root cause:|fix:|workaround:|pattern:", "pattern", 0.8),
    (r"decisions?:|decided:|decided (?:to|on|that)", "decision", 0.8),
    (r"(?:i|we) (?:have )?(?:decided|agreed|chose|chosen)(?: to| on| that)?", "decision", 0.8),
    (r"conventions?:|rule:", "convention", 0.8),
    (r"preferences?:", "preference", 0.8),
)
_PHRASES: tuple[tuple[str, str, float], ...] = (
    (r"\b(?:failed|fails|broke|breaks|crashe[ds])\b.*\b(?:because|due to|when)\b", "pattern", 0.7),
    (r"\b(?:lacks?|does ?n[o']t support|do ?n[o']t support|has no support for)\b", "pattern", 0.7),
    (r"\b(?:works? only|only works?|turned out|the fix (?:was|is)|was fixed by)\b", "pattern", 0.7),
    (r"^(?:we(?:'ll| will| now)?|let's|let us) (?:use|go with|adopt|switch to)\b", "decision", 0.7),
    (r"^(?:please )?(?:always|never)\b|\bmust (?:always|never)\b", "convention", 0.7),
    (r"\bfrom now on\b", "convention", 0.7),
    (r"^(?:i|we|the user|they) (?:always |really )?prefers?\b|^prefer\b", "preference", 0.7),
)
_OPENING = re.compile(
    "|".join(f"(?P<m{place}>{mark})" for place, (mark, _, _) in enumerate(_MARKS)), re.IGNORECASE
)
_WITHIN = [(re.compile(said, re.IGNORECASE), kind, sure) for said, kind, sure in _PHRASES]
_GUESSES = re.compile(
    r"\b(?:maybe|perhaps|might|could be|not sure|i think|possibly)\b", re.IGNORECASE
)
_FENCED = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*+•>]\s+|\d+[.)]\s+|#+\s+|\[[ xX]\]\s+)+")
_SPEAKER = re.compile(
    r"^\s*(?:\*\*)?(?:user|human|assistant|agent|ai|me|claude|dev|developer)(?:\*\*)?:(?:\*\*)?\s+",
    re.IGNORECASE,
)
_LISTS = {
    **dict.fromkeys(("learnings", "learning", "learned", "lessons", "lessons_learned"), "pattern"),
    **dict.fromkeys(("patterns", "pattern", "insights", "mistakes", "failures"), "pattern"),
    **dict.fromkeys(("anti_patterns", "pitfalls", "gotchas", "successes"), "pattern"),
    **dict.fromkeys(("decisions", "decision"), "decision"),
    **dict.fromkeys(("conventions", "convention", "rules"), "convention"),
    **dict.fromkeys(("preferences", "preference"), "preference"),
}
_SAYING = ("content", "text", "learning", "lesson", "decision", "description", "summary")
_SPOKEN = ("user", "human", "assistant")


def extract(text: str) -> tuple[EntryLearning, ...]:
    """Find the learnings in a text, each once, in order."""
    found: dict[str, EntryLearning] = {}
    for sentence in sentences(text):
        one = _learning(sentence)
        if one is not None:
            found.setdefault(fold(one.text), one)
    return tuple(found.values())


def sentences(text: str) -> Iterator[str]:
    """Split a text into sentences, without code, bullets and speakers."""
    own = _FENCED.sub("\n", text)
    for start, end in spans(own, parts=False):
        said = _SPEAKER.sub("", _BULLET.sub("", own[start:end])).strip().lstrip("*_")
        if said:
            yield said


def _learning(sentence: str) -> EntryLearning | None:
    if sentence.endswith("?") or _GUESSES.search(sentence):
        return None
    opening = _OPENING.match(sentence)
    if opening is not None and opening.lastgroup is not None:
        _, kind, sure = _MARKS[int(opening.lastgroup[1:])]
        return _told(sentence[opening.end() :], kind, sure)
    for said, kind, sure in _WITHIN:
        if said.search(sentence):
            return _told(sentence, kind, sure)
    return None


def _told(text: str, kind: str, sure: float) -> EntryLearning | None:
    said = text.strip(" \t\"'*_:-")
    if said.endswith(".") and not said.endswith(".."):
        said = said[:-1]
    if not SHORTEST <= len(said) <= LONGEST:
        return None
    return EntryLearning(text=said[0].upper() + said[1:], type=kind, confidence=sure)


def stated(text: str, find: Extract) -> tuple[EntryLearning, ...]:
    """Return the learnings in what a person wrote; if none is marked, the whole text is one."""
    found = tuple(find(text))
    whole = " ".join(text.split())
    if found or len(whole) > LONGEST or whole.endswith("?"):
        return found
    return (EntryLearning(text=whole, type="pattern"),)


def spoken(transcript: str) -> str:
    """Return the messages of people and agents in a transcript; tool results are left out."""
    said = []
    for line in transcript.splitlines():
        if not line.lstrip().startswith("{"):
            return transcript
        try:
            turn = json.loads(line)
        except (ValueError, RecursionError):
            return transcript
        message = turn.get("message", turn) if isinstance(turn, dict) else {}
        if isinstance(message, dict) and message.get("role", turn.get("type")) in _SPOKEN:
            said += _parts(message.get("content", message.get("text")))
    return "\n\n".join(said)


def _parts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [
        part["text"]
        for part in parts
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part["text"], str)
    ]


def from_output(output: Any, find: Extract) -> tuple[EntryLearning, ...]:
    """Find the learnings in a task's output, given as JSON text or as the parsed value.

    Raises:
        UsageError: the output is not a JSON object or list.
    """
    if isinstance(output, str | bytes):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            raise UsageError("the output is not JSON", "give the task's output_data") from None
    if not isinstance(output, dict | list):
        raise UsageError("the output is not a JSON object", "give the task's output_data")
    found: dict[str, EntryLearning] = {}
    kind = "pattern" if isinstance(output, list) else None
    for one in _walk(output, kind, find, deep=0):
        found.setdefault(fold(one.text), one)
    return tuple(found.values())


def _walk(part: Any, kind: str | None, find: Extract, *, deep: int) -> Iterator[EntryLearning]:
    """Walk through an output; every text in a named list is a learning of that type."""
    if deep > _DEEPEST:
        return
    if isinstance(part, str):
        if kind is None:
            yield from find(part)
        elif part.strip():
            yield from _whole(part, kind, 0.7)
    elif isinstance(part, list):
        for one in part:
            yield from _walk(one, kind, find, deep=deep + 1)
    elif isinstance(part, dict):
        said = next((part[key] for key in _SAYING if isinstance(part.get(key), str)), None)
        if kind is not None and said is not None:
            named = part.get("type")
            yield from _whole(said, named if named in TYPES else kind, part.get("confidence"))
            return
        for key, value in part.items():
            within = _LISTS.get(str(key).lower(), kind)
            yield from _walk(value, within, find, deep=deep + 1)


def _whole(text: str, kind: str, sure: Any) -> Iterator[EntryLearning]:
    fitting = isinstance(sure, (int, float)) and not isinstance(sure, bool) and 0 <= sure <= 1
    if len(text.strip()) <= LONGEST:
        yield EntryLearning(
            text=" ".join(text.split()), type=kind, confidence=float(sure) if fitting else 0.7
        )
