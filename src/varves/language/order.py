"""Whether two clauses of the same words differ, because the words are in other places.

"The press is behind the store" and "the store is behind the press" have the same words. "On Mondays
the shop is closed" and "the shop is closed on Mondays" do too, but there only a part has moved.
"""

from __future__ import annotations

import re

from varves.language.differences import THEMES
from varves.language.frames import MEASURES, TIMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.language.frames import Frame

_ENDS = (*THEMES, "agent")
_BETWEEN = re.compile(  # words whose two sides are not alike
    r"\b(?:before|after|until|over|under|above|below|behind|beyond|than|via|through|into|onto|instead"
    r"|not|follows?|precedes?)\b"
)


def exchanged_places(old: Frame, late: Frame) -> bool:
    """Return whether two words of a clause have changed places with each other."""
    both = [key for key in old.terms if key in late.terms]
    if old.passive == late.passive and _exchanged_roles(old, late, both):
        return True
    # Where roles tell nothing, the order does.
    other = [key for key in late.terms if key in old.terms]
    if any(_role(old, key) != _role(late, key) for key in both):
        return False
    start, stop = 0, len(both)
    while start < stop and both[start] == other[start]:
        start += 1
    while stop > start and both[stop - 1] == other[stop - 1]:
        stop -= 1
    part, moved = both[start:stop], other[start:stop]
    if len(part) == len(("one", "other")):
        return _BETWEEN.search(old.text.casefold()) is not None
    return bool(part) and not _turned(part, moved)


def _exchanged_roles(old: Frame, late: Frame, both: Sequence[str]) -> bool:
    """Return whether two words have each other's role: the subject, and what is said of it."""
    plain = [key for key in both if old.terms[key].kind not in (*MEASURES, *TIMES)]
    moves = {(_role(old, key), _role(late, key)) for key in plain}
    stays = ("is", "is") in moves  # else both sides of "is" name one thing
    return any(
        (after, before) in moves
        for before, after in moves
        if before != after and before in _ENDS and (stays or after != "is")
    )


def _role(frame: Frame, key: str) -> str:
    return frame.terms[key].role


def _turned(part: list[str], moved: list[str]) -> bool:
    """Return whether two neighbouring parts have changed places."""
    return any(part[cut:] + part[:cut] == moved for cut in range(1, len(part)))
