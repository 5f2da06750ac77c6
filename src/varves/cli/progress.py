"""A progress bar for the terminal; does nothing if stderr is not a terminal."""

from __future__ import annotations

import sys
from time import monotonic

from varves.streams import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

_WIDTH = 24
_PAUSE = 0.1  # seconds between two changes of the line
_SURE = 1.0  # seconds after which the time left is worth showing


class Progress:
    """Shows a count on one line of stderr, and clears the line at the end.

    If the share of the whole work is known, a bar, the rate and the time left are shown too.
    """

    def __init__(self, word: str) -> None:
        self._word = word
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._share: float | None = None
        self._begun = self._told = 0.0

    def __enter__(self) -> Self:
        if self._shown:
            self._begun = monotonic()
            tell(self._word)
        return self

    def share(self, share: float) -> None:
        """Note the share of the whole work that is done, between 0 and 1."""
        self._share = share

    def __call__(self, done: int) -> None:
        """Show how many items have been processed."""
        if not self._shown:
            return
        now = monotonic()
        if self._share is None:
            tell(f"\r{self._word} {done}")
        elif now - self._told >= _PAUSE:
            self._told = now
            tell(f"\r{line(self._word, done, share=self._share, passed=now - self._begun)}\x1b[K")

    def __exit__(self, *_raised: object) -> None:
        if self._shown:
            tell("\r\x1b[K")


def line(word: str, done: int, *, share: float, passed: float) -> str:
    """Return the line of a bar: count, share, rate and time left.

    Args:
        word: the items that are counted.
        done: how many items have been processed.
        share: the share of the whole work that is done.
        passed: the seconds since the beginning.
    """
    full = round(share * _WIDTH)
    text = f"{word} {done:,}  [{'#' * full}{'.' * (_WIDTH - full)}] {share:4.0%}"
    if passed < _SURE or share <= 0:
        return text
    left = round(passed * (1 - share) / share)
    return f"{text}  {round(done / passed):,}/s  {left // 60}:{left % 60:02} left"
