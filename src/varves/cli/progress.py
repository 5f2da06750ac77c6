"""A progress counter for the terminal; does nothing if stderr is not a terminal."""

from __future__ import annotations

import sys

from varves.streams import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Progress:
    """Shows a count on one line of stderr, and clears the line at the end."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        if self._shown:
            tell(self._word)
        return self

    def __call__(self, done: int) -> None:
        """Show how many items have been processed."""
        if self._shown:
            tell(f"\r{self._word} {done}")

    def __exit__(self, *_raised: object) -> None:
        if self._shown:
            tell("\r\x1b[K")
