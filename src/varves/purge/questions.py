"""Recognises the questions that taught or repeat purged texts.

A question is a user's prompt, shortened. People rarely write a statement twice in the same way, so
its words are compared, not its letters. If in doubt, the question is erased: only `varves shown`
uses it.
"""

from __future__ import annotations

from varves.recall.stopwords import STOPWORDS
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.doomed import Doomed

_RUN = 3  # so many telling words of a text in a row repeat a part of it


class Repeats:
    """The questions that must be erased together with purged texts."""

    def __init__(self, found: Doomed) -> None:
        self._sessions = found.sessions
        self._needles = {needle.lower() for needle in found.said}
        self._texts = [said for text in found.texts if (said := _telling(text))]
        self._runs = {run for said in self._texts for run in _runs(said)}

    def includes(self, session: str, question: str) -> bool:
        """Return whether a question must be erased.

        It taught a text if it was asked in the session in which the text was recorded. It repeats a
        text if it begins like it, has all of its telling words, or has some of them in a row.
        """
        low = question.lower().encode("utf-8", "replace")
        if session in self._sessions or any(needle in low for needle in self._needles):
            return True
        asked = _telling(question)
        known = frozenset(asked)
        return any(known.issuperset(said) for said in self._texts) or not self._runs.isdisjoint(
            _runs(asked)
        )


def _telling(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOPWORDS]


def _runs(said: list[str]) -> set[tuple[str, ...]]:
    return {tuple(said[at : at + _RUN]) for at in range(len(said) - _RUN + 1)}
