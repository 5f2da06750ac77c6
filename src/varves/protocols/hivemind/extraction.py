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

    facts        `Fact`, `Learned`, `Learning`, `Lesson`, `Finding`
    procedures   `Procedure`, `How to`, `What worked`, `Steps that worked`, `Steps to …`; a list of
                 steps is one procedure
    decisions    `Decision`, `Decided`, `Agreed`
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
from varves.language.reporting import INSTRUCTS, LASTS, MENDS, SETTLES, TEACHES, reported
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
    "steps": r"(?:the )?steps(?: that (?:worked|helped)| to (?!reproduce)[^:\n]{2,60})?",
    "decisions": r"decisions?(?: made)?|decided|agreed",
    "summary": "summary",
    "error": "errors?|problems?|bugs?",
    "solution": "solutions?|fix|resolution|workaround",
}
"""The labels in a text; an error and its solution make one item of `errors`."""
_NAMED = "|".join(f"(?P<{key}>{words})" for key, words in _LABELS.items())
_LABEL = re.compile(rf"(?:{_NAMED})[*_]*\s*:[*_]*\s*(?P<said>.*)", re.IGNORECASE | re.DOTALL)
_SOLUTION = re.compile(rf"[;,.]?\s*\b(?:{_LABELS['solution']})\s*:\s*", re.IGNORECASE)
_FENCED = re.compile(r"^\s*(```|~~~).*?(?:^\s*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_BULLET = re.compile(r"\s*(?:[-*+\u2022]\s+|\d+[.)]\s+)")
_MARKS = re.compile(r"\s*(?:[-*+>#\u2022]+\s+|\d+[.)]\s+|\[[ x]\]\s+)*", re.IGNORECASE)
_NOTHING = ("none", "nothing", "no", "n/a", "na", "-", "unknown", "tbd", "todo")
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
    own = _FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    reading = _Reading(list(reported(own, plainly=True)))
    at = 0
    for line in own.split("\n"):
        reading.line(line, at)
        at += len(line) + 1
    reading.close()
    errors = {str(one.content.get("error")) for one in reading.found.values()}
    return Report(
        learnings=tuple(
            one
            for one in reading.found.values()
            if not (one.plain and one.content["text"].rstrip(" .!") in errors)
        ),
        summary=reading.summary or text.strip() or None,
        confidence=READ,
    )


class _Reading:
    """The state of reading a text line by line."""

    def __init__(self, acts: list[SpeechAct]) -> None:
        self.found: dict[bytes, TaskLearning] = {}  # each learning once
        self._acts = acts
        self.summary: str | None = None
        self._listed: str | None = None  # the kind of the current list's items
        self._steps: list[str] = []  # a label and the steps listed below it
        self._error: str | None = None  # an error whose solution has not been found yet

    def line(self, line: str, at: int) -> None:
        """Read a line that begins at a position of the text: a list item, or sentences."""
        mark = _MARKS.match(line)
        begin = mark.end() if mark else 0
        said = line[begin:].rstrip()
        if not said:
            return
        is_part = self._listed is not None and _BULLET.match(line) and not _LABEL.match(said)
        if is_part and self._listed == "steps":
            self._steps.append(line.strip())
            return
        self.close()
        if is_part:
            self._labelled(str(self._listed), said)
            return
        self._listed = None
        for start, end in spans(said, parts=False):
            acts = [one for one in self._acts if start <= one.start - at - begin < end]
            self._sentence(said[start:end].strip(), acts)

    def close(self) -> None:
        """Add a list of steps that has ended, as one procedure."""
        if len(self._steps) > 1:
            self._add("procedures", {"text": "\n".join(self._steps)})
        self._steps = []

    def _sentence(self, sentence: str, acts: list[SpeechAct]) -> None:
        if sentence.startswith("**"):
            sentence = sentence.removesuffix("**").lstrip("*")
        found = _LABEL.match(sentence)
        if found is None:
            if len(sentence) <= _LONGEST:
                for act in acts[:1]:
                    self._reported(sentence, act)
            return
        key = _key_of(found)
        if found["said"].strip():
            whole = sentence if key == "steps" else found["said"]
            self._labelled("procedures" if key == "steps" else key, whole.strip())
        else:
            self._listed = key
            self._steps = [sentence] if key == "steps" else []

    def _reported(self, sentence: str, act: SpeechAct) -> None:
        """Add what the reader found in a sentence to the report."""
        if act.kind != MENDS:
            self._add(_KEPT[act.kind], {"text": sentence}, plain=act.kind == LASTS)
        elif act.subject:
            self._add("errors", {"error": act.subject, "solution": act.value})

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
            if self._error is not None:
                self._solved(self._error, said)
            self._error = None
        else:
            self._add(key, {"text": said})

    def _solved(self, error: str, solution: str) -> None:
        self._add("errors", {"error": error.strip(" .,;"), "solution": solution.strip(" .")})

    def _add(self, key: str, content: dict[str, str], *, plain: bool = False) -> None:
        learning = TaskLearning(kind=key, content=content, plain=plain)
        self.found.setdefault(canonical([key, content]), learning)


def _key_of(found: re.Match[str]) -> str:
    """Return the key whose label was found."""
    return next(key for key in _LABELS if found[key])
