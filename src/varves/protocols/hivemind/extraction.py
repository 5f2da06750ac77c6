"""Learnings of a finished task, from a report or from free text.

A report is an object with any of these keys:

    facts, procedures, decisions    lists; each item a text, or an object with `text`
    errors                          a list of {error, solution}
    summary                         a text: what was done
    pending, tags                   lists of texts: what remains, and tags for every learning

An item that is an object may also contain `subtype`, `tags`, `priority`, `ttl`, `confidence` and
`scope`; its other keys are kept in the content.

Free text is read sentence by sentence; fenced code is skipped. A label at the beginning names the
kind of the text after it, or of the list below it:

    facts        `Fact`, `Learned`, `Learning`, `Lesson`, `Finding`, `Cause`, `Root cause`
    procedures   `Procedure`, `How to`, `What worked`, `Steps that worked`, `Steps to …`; a list of
                 steps is one procedure, and so is a numbered list of orders without a label
    decisions    `Decision`, `Decided`, `Agreed`, `Final choice`
    errors       `Error`, `Problem` or `Bug`, with `Solution`, `Fix`, `Resolution` or `Workaround`
                 after it, or next
    summary      `Summary`

In other sentences the reader recognises reports (language/reporting.py): of a repair, which becomes
an error with its solution; of a decision; of something learned, which becomes a fact; and of how
something is done, which becomes a procedure. A plain statement of how things are ("Orders have at
most 50 lines") is a fact too, unless it tells of the work itself (language/english/holding.py).
The summary is the text after its label, or else the whole text.
"""

from __future__ import annotations

import re

from varves.errors import UsageError
from varves.events.codec import canonical
from varves.language.enumerations import numbered_lists
from varves.language.reporting import (
    INSTRUCTS,
    LASTS,
    MENDS,
    SETTLES,
    TEACHES,
    reported,
    tells_problem,
)
from varves.language.sentences import spans
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.language.acts import SpeechAct

KINDS = {
    "facts": ("factual", "fact"),
    "procedures": ("procedural", "procedure"),
    "errors": ("procedural", "error-solution"),
    "decisions": ("semantic", "decision"),
    "summary": ("episodic", "task-summary"),
}
"""The type and subtype of the items under each key of a report."""
_KEPT = {SETTLES: "decisions", TEACHES: "facts", INSTRUCTS: "procedures", LASTS: "facts"}
"""The key in a report for each act that the reader finds; a repair belongs to `errors`."""
SURE, READ = 0.8, 0.6  # the confidence of reported learnings, and of those extracted from text
_ABOUT = ("subtype", "tags", "priority", "ttl", "confidence", "scope")
_LISTS = ("facts", "procedures", "errors", "decisions", "pending", "tags")
_LABELS = {
    "facts": r"facts?|learned|learnt|learnings?|lessons?(?: learned)?|findings?",
    "procedures": r"procedures?|how[- ]to|what worked|recipe",
    "cause": r"(?:root |real |actual )?causes?",
    "steps": r"(?:the )?steps(?: that (?:worked|helped)| to (?!reproduce)[^:\n]{2,60})?",
    "decisions": r"decisions?(?: made)?|decided|agreed|final (?:choice|decision|pick|call)",
    "summary": "summary",
    "error": "errors?|problems?|bugs?",
    "solution": "solutions?|fix|resolution|workaround",
}
"""The labels in a text; an error and its solution make one item of `errors`."""
_NAMED = "|".join(f"(?P<{key}>{words})" for key, words in _LABELS.items())
_LABEL = re.compile(
    rf"(?:(?:the|our|my|main) )*(?:{_NAMED})[*_]*\s*:[*_]*\s*(?P<said>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SOLUTION = re.compile(rf"[;,.]?\s*\b(?:{_LABELS['solution']})\s*:\s*", re.IGNORECASE)
_FENCED = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_BULLET = re.compile(r"\s*(?:[-*+\u2022]\s+|\d+[.)]\s+)")
_MARKS = re.compile(r"\s*(?:[-*+>#\u2022]+\s+|\d+[.)]\s+|\[[ x]\]\s+)*", re.IGNORECASE)
_NOTHING = ("none", "nothing", "no", "n/a", "na", "-", "unknown", "tbd", "todo")
_ITSELF = {"steps": "procedures", "cause": "facts"}  # labels that belong to the text
_GATHERED = ("steps", "solution", "summary")  # labels whose lists are one text
_APART = ("facts", "decisions")  # labels whose lists are several learnings
_HEADING = 120  # characters; a longer sentence is no heading of a list
_LONGEST = 1000  # characters; longer sentences are skipped


class TaskLearning(Value):
    """One thing that was learned from a task."""

    kind: str
    """The key that it has in a report."""
    content: dict[str, Any]
    about: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Its own subtype, tags, priority, ttl, confidence and scope, if given."""
    plain: bool = False
    """Whether it is a statement of how things are that no phrase or label marks as learned."""


class Report(Value):
    """Everything that was learned from a task."""

    learnings: tuple[TaskLearning, ...] = ()
    summary: str | None = None
    pending: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: float = SURE


def read_report(report: Any) -> Report:
    """Read a report.

    Raises:
        UsageError: the report does not have the documented form.
    """
    if not isinstance(report, dict):
        raise UsageError("the report is not an object", 'give JSON such as {"facts": ["…"]}')
    for key, part in report.items():
        if key not in (*_LISTS, "summary"):
            raise UsageError(f"not a key of a report: {quoted(key)}", f"use {', '.join(KINDS)}")
        if part is not None and not isinstance(part, list if key in _LISTS else str):
            raise UsageError(
                f"{key} is not a {'list' if key in _LISTS else 'text'}",
                'give JSON such as {"facts": ["…"]}',
            )
    learnings = [
        _learning(key, part)
        for key in ("facts", "procedures", "errors", "decisions")
        for part in report.get(key) or ()
    ]
    return Report(
        learnings=tuple(learnings),
        summary=report.get("summary") or None,
        pending=_texts(report.get("pending") or (), "pending"),
        tags=_texts(report.get("tags") or (), "tags"),
    )


def _texts(parts: Iterable[Any], name: str) -> tuple[str, ...]:
    found = tuple(parts)
    if not all(isinstance(part, str) and part.strip() for part in found):
        raise UsageError(
            f"{name} contains an item that is not a text", 'give JSON such as {"facts": ["…"]}'
        )
    return found


def _learning(key: str, part: Any) -> TaskLearning:
    told = ("error", "solution") if key == "errors" else ("text",)
    if isinstance(part, str) and key != "errors":
        part = {"text": part}
    if not isinstance(part, dict) or not all(
        isinstance(part.get(name), str) and part[name].strip() for name in told
    ):
        wanted = " and ".join(told)
        raise UsageError(f"an item of {key} has no {wanted}", f"each item needs {wanted}, as text")
    about = {name: part[name] for name in _ABOUT if part.get(name) is not None}
    if "tags" in about:
        if not isinstance(about["tags"], list):
            raise UsageError(
                f"the tags of an item of {key} are not a list", 'give JSON such as {"facts": ["…"]}'
            )
        about["tags"] = _texts(about["tags"], "tags")
    content = {name: value for name, value in part.items() if name not in _ABOUT}
    return TaskLearning(kind=key, content=content, about=about)


def extract(text: str) -> Report:
    """Extract learnings from free text by labels and acts; the result is deterministic."""
    own = without_code(text)
    reading = _Reading(list(reported(own, plainly=True)))
    at = 0
    for line in reading.lists(own).split("\n"):
        reading.line(line, at)
        at += len(line) + 1
    reading.close()
    errors = "\n".join(str(one.content.get("error", "")) for one in reading.found.values())
    return Report(
        learnings=tuple(
            one
            for one in reading.found.values()
            if one.kind != "facts" or str(one.content["text"]).rstrip(" .!") not in errors
        ),
        summary=reading.summary or text.strip() or None,
        confidence=READ,
    )


def without_code(text: str) -> str:
    """Return a text of the same length with spaces in place of fenced code."""
    return _FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)


def is_labelled(sentence: str) -> bool:
    """Return whether a label at the beginning of a sentence names what it teaches."""
    return _LABEL.match(_unmarked(sentence).lstrip(" *_")) is not None


class _Reading:
    """The state of reading a text line by line."""

    def __init__(self, acts: list[SpeechAct]) -> None:
        self.found: dict[bytes, TaskLearning] = {}  # each learning once
        self._acts = acts
        self.summary: str | None = None
        self._listed: str | None = None  # the kind of the current list's items
        self._gathered: list[str] = []  # a label's list that is one text, line by line
        self._error: str | None = None  # an error whose solution has not been found yet
        self._before: str | None = None  # the sentence before without a label, with its cause
        self._whole: list[tuple[int, int]] = []  # parts of the text that are one sentence each

    def lists(self, text: str) -> str:
        """Read the numbered lists; return the text without those that are read completely.

        Each list of steps is one procedure, together with the words that introduce it.
        """
        for one in numbered_lists(text):
            begin = self._lead(text, one.start)
            lead = _unmarked(text[begin : one.start]).strip(" \n*_(")
            label = _LABEL.match(lead)
            key = _key_of(label) if label is not None else None
            told = [act.kind for act in self._acts if begin <= act.start < one.start]
            decides = lead.endswith(":") and not {*told}.isdisjoint((SETTLES, TEACHES, MENDS))
            if key is None and not decides and one.tells_steps(text, lead):
                self._add("procedures", {"text": "\n".join(filter(None, (lead, *one.texts(text))))})
            elif key in _APART and "\n" not in text[begin : one.end]:
                for mark, (_, end) in zip(one.marks, one.items, strict=True):
                    self._labelled(str(key), text[mark:end].strip(" ,;"))
            else:
                if key is not None or decides:
                    self._whole.append((begin, one.end))
                    text = _on_one_line(text, begin, one.end) if decides else text
                continue
            text = text[:begin] + re.sub(r"[^\n]", " ", text[begin : one.end]) + text[one.end :]
        return text

    def _lead(self, text: str, at: int) -> int:
        """Return the beginning of the sentence that introduces a list; `at` if there is none."""
        before = text[:at].rstrip(" \t\n(*_")
        starts = [start for start, _ in spans(before, parts=False)]
        if not starts:
            return at
        if before.endswith(":"):
            return starts[-1]
        told = any(starts[-1] <= act.start < at for act in self._acts)
        apart = len(before) - starts[-1] > _HEADING or "\n\n" in text[len(before) : at]
        return at if told or apart or before.endswith("?") else starts[-1]

    def line(self, line: str, at: int) -> None:
        """Read a line that begins at a position of the text: a list item, or sentences."""
        begin = len(line) - len(_unmarked(line))
        said = line[begin:].rstrip()
        if not said:
            return
        is_part = self._listed is not None and _BULLET.match(line) and not _LABEL.match(said)
        is_step = self._listed == "procedures" and line.lstrip()[:1].isdigit()
        if is_part and (is_step or self._listed in _GATHERED):
            self._gathered.append(line.strip())
            return
        self.close()
        if is_part:
            self._labelled(str(self._listed), said)
            return
        self._listed = None
        for start, end in self._sentences(said, at + begin):
            acts = [one for one in self._acts if start <= one.start - at - begin < end]
            self._sentence(_unmarked(said[start:end]).strip(), acts)

    def _sentences(self, said: str, at: int) -> list[tuple[int, int]]:
        """Return (start, end) of the sentences of a line, with each list in one sentence."""
        found: list[tuple[int, int]] = []
        for start, end in spans(said, parts=False):
            goes_on = any(begin < at + start < stop for begin, stop in self._whole)
            found.append((found.pop()[0] if found and goes_on else start, end))
        return found

    def close(self) -> None:
        """Add a list that has ended as one learning, such as the steps of one procedure."""
        said, self._gathered = "\n".join(self._gathered), []
        if "\n" in said and self._listed == "steps":
            self._add("procedures", {"text": said})
        elif said and self._listed not in (None, "steps"):
            self._labelled(str(self._listed), said)

    def _sentence(self, sentence: str, acts: list[SpeechAct]) -> None:
        if sentence.startswith("**"):
            sentence = sentence.removesuffix("**").lstrip("*")
        found = _LABEL.match(sentence)
        if found is None:
            self._before = sentence
            if len(sentence) <= _LONGEST:
                for act in acts[:1]:
                    self._reported(sentence, act)
            return
        key = _key_of(found)
        if key == "cause" and self._before:
            self._before = f"{self._before.strip(' .')}. {sentence}"
        elif key != "solution":
            self._before = None
        if found["said"].strip():
            whole = sentence if key in _ITSELF else found["said"]
            self._labelled(_ITSELF.get(key, key), whole.strip())
        else:
            self._listed = "facts" if key == "cause" else key
            self._gathered = [sentence] if key == "steps" else []

    def _reported(self, sentence: str, act: SpeechAct) -> None:
        """Add what the reader found in a sentence to the report."""
        if act.kind != MENDS:
            self._add(_KEPT[act.kind], {"text": sentence}, plain=act.kind == LASTS)
        elif act.subject:
            solution = act.value
            if numbered_lists(sentence) and solution in sentence:
                solution = sentence[sentence.index(solution) :].strip(" .!")
            self._add("errors", {"error": act.subject, "solution": solution})

    def _labelled(self, key: str, said: str) -> None:
        """Read the text after a label; skip questions and words such as "none"."""
        if said.rstrip(".").lower() in _NOTHING or said.endswith("?"):
            return
        if key == "summary":
            self.summary = said
        elif key == "error":
            error, *solution = _SOLUTION.split(said, maxsplit=1)
            self._error = None if solution else said
            if solution:
                self._solved(error, solution[0])
        elif key == "solution":
            problem = self._error or self._before
            if problem is not None and (problem == self._error or tells_problem(problem)):
                self._solved(problem, said)
            self._error = self._before = None
        else:
            self._add(key, {"text": said})

    def _solved(self, error: str, solution: str) -> None:
        self._add("errors", {"error": error.strip(" .,;"), "solution": solution.strip(" .")})

    def _add(self, key: str, content: dict[str, str], *, plain: bool = False) -> None:
        learning = TaskLearning(kind=key, content=content, plain=plain)
        self.found.setdefault(canonical([key, content]), learning)


def _unmarked(text: str) -> str:
    """Return a text without the marks of lists at its beginning."""
    mark = _MARKS.match(text)
    return text[mark.end() :] if mark else text


def _on_one_line(text: str, start: int, end: int) -> str:
    return text[:start] + text[start:end].replace("\n", " ") + text[end:]


def _key_of(found: re.Match[str]) -> str:
    """Return the key whose label was found."""
    return next(key for key in _LABELS if found[key])
