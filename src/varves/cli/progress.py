"""A counter on the terminal for what may take seconds; nothing where stderr is no terminal."""

from __future__ import annotations

import sys

from varves.streams import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Progress:
    """Counts on one line of stderr, and wipes it when done."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        if self._shown:
            tell(self._word)
        return self

    def __call__(self, done: int) -> None:
        """Show how many are done."""
        if self._shown:
            tell(f"\r{self._word} {done}")

    def __exit__(self, *_raised: object) -> None:
        if self._shown:
            tell("\r\x1b[K")
