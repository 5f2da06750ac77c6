"""Recognises statements that are limited to a time: "on call this week: Lukas", "sprint 12".

Each such statement is replaced by the next one and stays true for its own time. So such statements
do not contradict each other.
"""

from __future__ import annotations

import re

_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DATE = rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}}"
_SPAN = "week|sprint|month|quarter|shift|morning|afternoon|evening|weekend|iteration"
_LIMITED = re.compile(
    rf"\b(?:(?:this|next|last) (?:{_SPAN})|today|tonight|tomorrow|yesterday"
    r"|week of|week \d+|sprint \d+)\b",
    re.IGNORECASE,
)
# A date limits a statement only at the statement's start: "the release is on 2026-12-01" states the
# date.
_DATED = re.compile(
    rf"^\s*(?:(?:on|for|from) )?(?:{_DATE})\b|^[^:]*\b(?:{_DATE})\b[^:]*:", re.IGNORECASE
)
_LOOKED_AT = 400  # the most characters of a statement that are searched


def is_passing(text: str) -> bool:
    """Return whether a statement is only true for a time that it names."""
    said = text[:_LOOKED_AT]
    return _LIMITED.search(said) is not None or _DATED.search(said) is not None
