"""Finds learnings: statements that later tasks should know.

The reader of `language` classifies each sentence of a text. A sentence that begins with a label
such as `Learned:` or `Convention:`, or that announces a decision, yields the rest of the sentence;
one that fixes, chooses, orders, prefers or notices something yields the whole sentence. What
follows a semicolon or a dash belongs to it, unless it is a learning of its own. Questions, guesses,
suppositions, others' words, and sentences that are too long or too short are skipped. In a task's
`output_data`, the named lists (learnings, decisions, patterns, ...) are taken whole, and all other
texts are searched like any text.

The interface is one callable, `Extract`, from a text to learnings. `Scoped` accepts another one.
"""

from __future__ import annotations

import json
import re
from bisect import bisect

from varves.errors import UsageError
from varves.language.acts import (
    CHOOSES,
    CORRECTS,
    DECIDES,
    EDITS,
    FIXES,
    LACKS,
    LEARNS,
    OBSERVES,
    ORDERS,
    PREFERS,
    RUNS,
)
from varves.language.reader import read
from varves.language.sentences import MOST, own_words, spans
from varves.protocols.scoped.entries import TYPES
from varves.protocols.scoped.options import LONGEST, MARKED, SHORTEST, STATEMENT, UNMARKED
from varves.protocols.scoped.shell import is_command
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from varves.language.reader import Said


class EntryLearning(Value):
    """A learning to propose: its text, type and confidence."""

    text: str
    type: str
    confidence: float = UNMARKED


if TYPE_CHECKING:
    Extract = Callable[[str], Iterable[EntryLearning]]
    """Finds the learnings in a text; `Scoped` accepts another implementation."""

_DEEPEST = 8
_LABELS: tuple[tuple[str, str], ...] = (
    (r"learn(?:ed|t|ings?)(?::|\s+(?=[\"\u201c]))|til\b:?|note to self:", "pattern"),
    (r"lessons?(?: learn(?:ed|t))?:", "pattern"),
    (r"insight:|takeaway:|mistake:|pitfall:|gotcha:|root cause:|fix:|workaround:", "pattern"),
    (r"pattern:|(?:wrong|false|bad) assumption:", "pattern"),
    (r"decisions?:|decided:", "decision"),
    (r"conventions?:|rule:", "convention"),
    (r"preferences?:", "preference"),
)
_ACTS = {
    LEARNS: "pattern",
    DECIDES: "decision",
    CHOOSES: "decision",
    FIXES: "pattern",
    LACKS: "pattern",
    OBSERVES: "pattern",
    ORDERS: "convention",
    PREFERS: "preference",
}
"""The acts that are learnings, each with the type of its entry."""
_WORK = {EDITS: "edit", RUNS: "tool"}
_SETTLES = (DECIDES, CHOOSES, CORRECTS, ORDERS, PREFERS)
_TEACHES = (FIXES, LACKS, LEARNS, OBSERVES)
_OPEN = r"(?:todo|fixme|idea|question|assumption|status|blocked|fyi|observation)s?\s*[:?-]"
_HOLDS = r"(?:is|are|was|must|should|needs?|may|can|will)\b"
_TASK = (  # "TODO comments need a number" and "TODOs are tracked" are not tasks
    r"(?:to-?do|fixme|xxx)\b(?!\s+(?:\w+\s+){0,2}(?:"
    rf"{_HOLDS}|(?:uses?|goes|go|lives?|belongs?|stays?)\b))"
)
_THING = (
    r"(?!(?:we|i|you|they|please|let|do|does|use|if|when|to)\b)(?:[\w'/.-]+ ){1,6}?"
    r"(?:(?:sometimes|often|randomly|occasionally|still|constantly|regularly) )?"
)
_FAILS = (  # "the worker restarts every hour", but "restarts must be announced"
    r"(?:(?:restart|reboot|hang|leak|flake|segfault|stall|lag|deadlock)s?|crash(?:es)?|freezes?"
    r"|runs? out of|keeps? \w+ing|fails? (?:with|every|sometimes|randomly|often|again|about|in)"
    r"|takes? (?:about |around |roughly |over |almost |nearly )?\d[\d.,]* ?(?:ms|s|min|h|day)"
    r"|(?:is|are) (?:\w+ly |too |so |very |still )?(?:slow|flaky|down|broken|stuck|unstable|red"
    rf"|green|failing|crashing|hanging|leaking|timing out|out of))\w*\b(?! {_HOLDS})"
)
_REMARK = r"(?:h+m+|ok(?:ay)?|huh|interesting|thanks|wow|oops|ugh|weird|odd|strange)\b"
_NOW = r".*\b(?:today|yesterday|right now|currently|at the moment|this (?:morning|week)|so far)\b"
_TOLD_BY = (
    r"(?:(?:i|we)(?:'m|'re|'ve| am| are| was| were| have)? )?(?:just |still |also |then |now )*"
)
_CHANGES = (  # a past form of these tells what holds from now on
    r"(?:decid|agree|switch|chang|replac|dropp|pick|settl|adopt|migrat|upgrad|pinn|limit|capp|keep"
    r"|going with|us(?:ed|ing)\b)"
)
_ABOUT = (  # without one of these the form may be a noun or an adjective
    r"(?:the|an?|it|that|this|these|my|our|at|to|into|with|for|from|about|on|in|through|up|out|why"
    r"|how|if|whether)\b"
)
_DID = r"(?:[a-z]+ed|[a-z]{2,}ing|saw|found|went|spoke|met|made|got|wrote|took|spent|tried)"
_STORY = re.compile(
    f"{_OPEN}|{_TASK}|{_THING}{_FAILS}|{_REMARK}|{_NOW}"
    f"|(?:i|we) used to |{_TOLD_BY}(?!{_CHANGES}){_DID} {_ABOUT}",
    re.IGNORECASE | re.DOTALL,
)
"""A task, a fault, what was done or what is the case today; no decision."""
NOTE = "note"
"""The kind of a session's note that is neither a tool, an edit nor a decision."""
_MARKED = (LEARNS, DECIDES)  # the words that announce them are left out
_OPENING = re.compile(
    "|".join(f"(?P<m{place}>{label})" for place, (label, _) in enumerate(_LABELS)), re.IGNORECASE
)
_WARNS = re.compile(r"mistake|pitfall|(?:wrong|false|bad) assumption", re.IGNORECASE)
"""The labels that are kept: without them, the rest reads like something to do."""
_NEXT = re.compile(
    r"(?:(?:so|and|but) )?(?:next time|in (?:the )?future|from now on|instead|therefore|better)\b"
)
_REFERS = re.compile(
    r"^(?:it|this|that|they|these|those)\b"
    r"|\b(?:fix|solv|resolv|repair|cur|help|avoid|prevent)\w* (?:it|this|that|them)\b"
)
"""A part that names something only by a pronoun; alone it says nothing."""
_SPEAKER = re.compile(
    r"^(?:\*\*)?(?:user|human|assistant|agent|ai|me|claude|dev|developer)(?:\*\*)?:(?:\*\*)?\s+",
    re.IGNORECASE | re.MULTILINE,
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
    own = _SPEAKER.sub(lambda label: " " * len(label[0]), text)
    for parts in _joined(own):
        begin, end = parts[0].sentence.start, parts[-1].sentence.end
        first, *more = parts
        lessons = (_learning(first, own, end), *(_learning(one, own, end, begin) for one in more))
        one = next(filter(None, lessons), None)
        if one is not None:
            found.setdefault(fold(one.text), one)
    return tuple(found.values())


def _joined(text: str) -> list[list[Said]]:
    """Return the parts of a text that semicolons, dashes and full stops separate, in groups.

    The parts of one group are one learning, or none.
    """
    whole = spans(own_words(text, strictly=True), parts=False)
    groups: list[list[Said]] = []
    before = -1
    for said in read(text, most=max(MOST, len(text)), kinds=_ACTS, strictly=True):
        within = bisect(whole, (said.sentence.start, len(text)))
        if groups and _goes_on(groups[-1], said, text, apart=within != before):
            groups[-1].append(said)
        else:
            groups.append([said])
        before = within
    return groups


def _goes_on(group: Sequence[Said], said: Said, text: str, *, apart: bool) -> bool:
    """Return whether a part belongs to the learning of the parts before it.

    Within a sentence it does, unless it is a learning that can be understood alone, a question or
    a guess. After a labelled sentence, a sentence such as "Next time ..." does.
    """
    start, end = group[0].sentence.start, said.sentence.end
    if not all(map(_means, (*group, said))) or _label(said, text) or end - start > LONGEST:
        return False
    labelled, form = _label(group[0], text) is not None, said.sentence.plain
    last = group[-1].sentence
    between = text[last.end : said.sentence.start]
    if apart and (between.strip() or not last.own.endswith(";")):
        return labelled and "\n" not in between and _NEXT.match(form) is not None
    alone = _learning(said, text, end)
    return labelled or alone is None or _REFERS.search(form) is not None


def _means(said: Said) -> bool:
    """Return whether a part is meant as it is said: no question, no guess, not retracted."""
    return not (said.guards.asks or said.guards.guesses or said.taken_back)


def _label(said: Said, text: str) -> re.Match[str] | None:
    """Return the label with which a part begins."""
    return _OPENING.match(text[said.sentence.start : said.sentence.end].lstrip("*_ "))


def _learning(said: Said, text: str, end: int, first: int | None = None) -> EntryLearning | None:
    """Return the learning in a part, found by its label or by its act; None without one.

    Args:
        said: the part.
        text: the text that contains it.
        end: the position at which the learning ends, in this part or a later one.
        first: the position at which it starts, if that is in an earlier part.
    """
    meant = said.guards
    if not _means(said):
        return None
    start = said.sentence.start
    label = _label(said, text)
    if label is not None:
        named = text[start:end].lstrip("*_ ")
        warns = _WARNS.match(named) is not None
        return _told(named if warns else named[label.end() :], _marks(label), MARKED)
    if meant.supposes or meant.tells:
        return None
    for kind, type_ in _ACTS.items():
        act = said.act(kind)
        if act is None or (kind in (DECIDES, PREFERS) and not act.plainly):
            continue
        if meant.cites or (meant.past and kind in (DECIDES, CHOOSES)):
            return None
        marked = kind in _MARKED and not act.against
        begin = act.end if marked else start
        return _told(
            text[begin if first is None else first : end], type_, MARKED if marked else UNMARKED
        )
    return None


def _told(text: str, kind: str, sure: float) -> EntryLearning | None:
    said = text.strip(" \t\"'*_:;-\u201c\u201d")
    if said.endswith(".") and not said.endswith(".."):
        said = said[:-1]
    if not SHORTEST <= len(said) <= LONGEST:
        return None
    return EntryLearning(text=said[0].upper() + said[1:], type=kind, confidence=sure)


def noted_as(text: str) -> str:
    """Return the kind of a session's note: a tool, an edit, a decision, or only a note.

    A statement is a decision. A text that decides nothing is only a note: a question, a guess, a
    learning, or a report of what was done or is the case today.
    """
    if is_command(text):
        return _WORK[RUNS]
    said = read(text, kinds=(*_SETTLES, *_TEACHES, *_WORK), strictly=True)
    found = [act for one in said for act in one.acts]
    acts = [act.kind for act in found if act.plainly or act.kind not in (DECIDES, PREFERS)]
    settled = [kind for kind in acts if kind in _SETTLES]
    done = [_WORK[kind] for kind in acts if kind in _WORK]
    if done and not settled:
        return done[0]
    meant = [one.guards for one in said]
    if any(one.asks or one.guesses or one.supposes for one in meant):
        return NOTE
    if _WARNS.match(text.strip()):
        return NOTE
    if settled:
        return "decision"
    bare = not acts and len(text.split()) < STATEMENT
    label = _OPENING.match(text.strip())
    labelled = label is not None and _marks(label) == "pattern"
    taught = labelled or any(kind in _TEACHES for kind in acts)
    return NOTE if bare or taught or _STORY.match(text.strip()) else "decision"


def _marks(label: re.Match[str]) -> str:
    """Return the type of the learning that a label announces."""
    return _LABELS[int(str(label.lastgroup)[1:])][1]


def stated(text: str, find: Extract) -> tuple[EntryLearning, ...]:
    """Return the learnings in a person's text; if none is marked, the whole text is one."""
    found = tuple(find(text))
    whole = " ".join(text.split())
    if found or not SHORTEST <= len(whole) <= LONGEST or not all(map(_means, read(whole))):
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
            yield from _whole(part, kind, UNMARKED)
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
            text=" ".join(text.split()), type=kind, confidence=float(sure) if fitting else UNMARKED
        )
