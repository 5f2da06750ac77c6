"""The next steps that are still open, while events are read from the oldest to the newest."""

from __future__ import annotations

import re
from collections import defaultdict

from varves.protocols.layers.obstacles import words
from varves.values.gist import stem
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]+")
_PREFIX = 4  # letters that a word has in common with its other forms
_LEAST = 2  # words that a step must have to be recognised in another wording
_UNDONE = re.compile(
    r"\b(?:not|never|cannot|\w+n['\u2019]t|fail\w*|plan\w*|start\w*|begin\w*|beg[au]n|try|trying"
    r"|postpon\w*|delay\w*|block\w*|wait\w*|consider\w*|propos\w*|draft\w*|need\w*|should|will"
    r"|todo|stop\w*|decid\w*)\b",
    re.IGNORECASE,
)


class OpenSteps:
    """Steps by their normalised text, in the order in which they were stated last."""

    def __init__(self) -> None:
        self._events: list[list[str]] = []
        self._texts: dict[str, tuple[str, int]] = {}
        self._by_mark: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, texts: Sequence[str]) -> None:
        """Add an event's steps; a step that is stated again is open again."""
        keys = []
        for text in texts:
            key = fold(text)
            if self._texts.get(key, ("", -1))[1] == len(self._events):
                continue
            self._texts[key] = text, len(self._events)
            self._by_mark[_mark(key)].add(key)
            keys.append(key)
        self._events.append(keys)

    def finish(self, said: str) -> None:
        """Remove finished steps: those with the same text, or whose words are all in the text."""
        self._texts.pop(fold(said), None)
        done = words(said)
        undone = {stem(word.casefold()).rstrip("e") for word in _UNDONE.findall(said)}
        if said.rstrip().endswith("?"):
            return
        for mark in {_short(word) for word in _WORD.findall(said.casefold())}:
            for key in [*self._by_mark.get(mark, ())]:
                step = words(key) if key in self._texts else frozenset()
                if len(step) >= _LEAST and step <= done and undone <= step:
                    del self._texts[key]
                    self._by_mark[mark].discard(key)

    def newest_first(self) -> tuple[str, ...]:
        """Return the open steps, those of newer events first."""
        return tuple(
            self._texts[key][0]
            for number in range(len(self._events) - 1, -1, -1)
            for key in self._events[number]
            if self._texts.get(key, ("", -1))[1] == number
        )


def _mark(key: str) -> str:
    """Return the word under which a step is found: one with a digit, if any, or the longest."""
    found = _WORD.findall(key) or [""]
    return _short(max(found, key=lambda word: (any(map(str.isdigit, word)), len(word))))


def _short(word: str) -> str:
    return word if any(map(str.isdigit, word)) else word[:_PREFIX]
