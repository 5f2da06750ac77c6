"""Recognises statements that are limited to a time: "on call this week: Lukas", "sprint 12".

Each such statement is replaced by the next one and stays true for its own time. So such statements
do not contradict each other. A time that says since when something is true ("as of today"), or when
something changed ("we moved it last week"), limits nothing.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.frames import Statement

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
_AGO = re.compile(rf"\b(?:last (?:{_SPAN}|night)|this morning|yesterday)\b", re.IGNORECASE)
_SINCE = re.compile(
    r"\b(?:(?:since|as of|starting|beginning|effective)(?: from| with| on| in)?"
    rf"|from(?= (?:this|next|today|tomorrow)\b[^.,;]* on(?:wards?)?\b)) (?:(?:this|next|last)"
    rf" (?:{_SPAN})|today|tonight|tomorrow|yesterday|sprint \d+|week \d+)\b",
    re.IGNORECASE,
)
_LOOKED_AT = 400  # the most characters of a statement that are searched


def is_passing(text: str, said: Statement) -> bool:
    """Return whether a statement, given with its frames, is only true for a time that it names."""
    looked = _SINCE.sub("", text[:_LOOKED_AT])
    if _AGO.search(looked) and any(frame.changed or frame.gone for frame in said.frames):
        looked = _AGO.sub("", looked)
    return _LIMITED.search(looked) is not None or _DATED.search(looked) is not None
