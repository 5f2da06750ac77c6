"""Reduces the text of a decision to its outcome, so that two decisions can be compared.

We decided to use Redis.                use Redis
We decided not to use Redis.            do not use Redis
We agreed against a rewrite.            no rewrite
"""

from __future__ import annotations

import re
from functools import lru_cache

from varves.language.acts import DECIDES
from varves.language.reader import read

_REMEMBERED = 2048
_ARTICLE = re.compile(r"^(?:an?|the) ")


@lru_cache(maxsize=_REMEMBERED)
def outcome(text: str) -> tuple[str, bool]:
    """Return the text of a decision's outcome, and whether the decision is against it."""
    for one in read(text, kinds=(DECIDES,)):
        act = one.act(DECIDES)
        if act is not None and act.plainly:
            told = text[act.end : one.sentence.end].strip(" :,.!")
            return (told, True) if act.against else (told.removeprefix("to "), False)
    return text, False


def without_announcement(text: str) -> str:
    """Return a text without the words that announce a decision; other texts are unchanged."""
    told, against = outcome(text)
    if not against:
        return told
    said = _ARTICLE.sub("", told)
    return f"do not {said[3:]}" if said.startswith("to ") else f"no {said}"
