"""Finds the numbered lists of a text, such as "1. Stop the app. 2. Run the import".

The items may be on lines of their own or follow each other within a line. The numbers count up from
1, and each number follows the end of a sentence or of a clause, so that "version 2. It" is no item.
A list of two or more items tells steps if the words that introduce it say so, or if all items are
orders. A list of what is still to be done tells none.
"""

from __future__ import annotations

import re

from varves.language.english.verbs import AUXILIARIES, VERBS
from varves.language.english.words import NEGATIONS
from varves.values.value import Value

_MARK = re.compile(r"(?:(?<=[\s(])|^)(\d{1,2})(?:[.)]|\.\))(?=[ \t]+\S)", re.MULTILINE)
_BEFORE = re.compile(r"(?:[.:;,!?\u2026)\]\u2013\u2014-]|\b(?:and|then)|^[\s>*+#-]*)$")
_SENTENCE_END = re.compile(r"[.!?\u2026][\"')*_]*(?=\s|$)|(?=\n)")
_ITEM_END = re.compile(r"\n(?![ \t]+\S)")  # the next line, unless it is indented
_LEADING = " \t(\"'*_"
_INTRODUCES = re.compile(
    r"\b(?:steps?|how to|procedure|recipe|runbook|instructions?|checklist|do (?:this|the following)"
    r"|in this order|as follows|what (?:worked|helped|fixed it))\b|^(?:\W*)to \w+",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:next|to-?dos?|(?:left|still|have|need|remains) (?:to|open)|pending|remain\w*|tbd|plans?"
    r"|open (?:points?|items?|issues?|tasks?|ends)|follow-?ups?|later|missing|tomorrow"
    r"|(?:to|can) reproduce|questions?)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_][\w'-]*")
_FIRST = frozenset(("please", "then", "now", "first", "finally", "next", "always", "only", "just"))
_SEEN = 20  # characters before a number
_SEEN = 20  # the number of characters before a mark that are read
_FEW = 4  # a noun with the form of a verb is followed by "is" or "are" within so many words


class NumberedList(Value):
    """A numbered list: the positions of its items, each from its mark to its end."""

    items: tuple[tuple[int, int], ...]
    marks: tuple[int, ...]
    """The positions after the marks; the period of a mark ends no sentence."""

    @property
    def start(self) -> int:
        """The position of the first mark."""
        return self.items[0][0]

    @property
    def end(self) -> int:
        """The position after the last item."""
        return self.items[-1][1]

    def texts(self, text: str) -> list[str]:
        """Return the items, each on one line, with their numbers."""
        return [" ".join(text[start:end].split()).strip(" ,;") for start, end in self.items]

    def tells_steps(self, text: str, lead: str) -> bool:
        """Return whether the items are the steps of a procedure.

        Args:
            text: the text in which the list was found.
            lead: the words that introduce the list; empty if there are none.
        """
        if _LATER.search(lead):
            return False
        if lead.endswith(":") and _INTRODUCES.search(lead):
            return True
        ends = (end for _, end in self.items)
        return all(_is_order(text[begin:end]) for begin, end in zip(self.marks, ends, strict=True))


def numbered_lists(text: str) -> list[NumberedList]:
    """Return the numbered lists of a text, in order."""
    if not ("1." in text or "1)" in text):
        return []
    found: list[NumberedList] = []
    marks: list[re.Match[str]] = []
    for mark in filter(lambda one: _is_free(text, one), _MARK.finditer(text)):
        if marks and int(mark[1]) != int(marks[-1][1]) + 1:
            found += _list(text, marks)
            marks = []
        if marks or mark[1] == "1":
            marks.append(mark)
    return [*found, *_list(text, marks)]


def _is_free(text: str, mark: re.Match[str]) -> bool:
    """Return whether a number follows the end of a sentence, a clause or a line."""
    line = text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].rstrip(_LEADING)
    return _BEFORE.search(line[-_SEEN:]) is not None


def _list(text: str, marks: list[re.Match[str]]) -> list[NumberedList]:
    """Return the list with these marks, if there are two or more."""
    if len(marks) < 2:
        return []
    begins = [one.start() - (text[one.start() - 1 : one.start()] == "(") for one in marks]
    ends = [*begins[1:], _end(text, marks[-1])]
    places = [
        (begin, begin + len(text[begin:end].rstrip()))
        for begin, end in zip(begins, ends, strict=True)
    ]
    return [NumberedList(items=tuple(places), marks=tuple(one.end() for one in marks))]


def _end(text: str, mark: re.Match[str]) -> int:
    """Return where the last item ends: with its paragraph, or with its sentence within a line."""
    begins_line = not text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip(_LEADING)
    stop = (_ITEM_END if begins_line else _SENTENCE_END).search(text, mark.end())
    return len(text) if stop is None else stop.end() if not begins_line else stop.start()


def _is_order(step: str) -> bool:
    """Return whether a step begins with a verb in the form of an order: "Run the import"."""
    words = [word.lower() for word in _WORDS.findall(step)]
    while words and (words[0] in _FIRST or words[0] in NEGATIONS or words[0] == "do"):
        del words[0]
    return bool(words) and words[0] in VERBS and AUXILIARIES.isdisjoint(words[1:_FEW])
