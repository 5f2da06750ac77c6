"""Patterns that extract a turn's argument: its reason, without the words that take a side."""

from __future__ import annotations

import re

GROUND = re.compile(
    r"\b(?:because|since|therefore|otherwise|due to|for example|for instance|so that|evidence"
    r"|shows?|showed|proves?|measured|benchmarks?|tests?|costs?|fails?|breaks?|loses?"
    r"|the reason|why)\b|\d|, so (?!be it|do i\b|am i\b)\w"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|a hundred)"
    r" (?:milli|micro)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|percent)\b"
)
REASON = re.compile(
    r"\b(?:because|since (?!yesterday|last|then|\d)|therefore|otherwise|due to|so that|the reason"
    r"|which (?:means|would mean|saves|costs)|that is why)\b|, so (?!be it|do i\b|am i\b)\w"
)
POSITION = re.compile(  # what somebody may object to
    r"\b(?:should|ought to|better|best|worse|worst|safer|simpler|cheaper|faster|slower|easier"
    r"|harder|riskier|fewer|too \w+"
    r"|(?:is|are|would be|seems?|makes?) (?:an? |the |not |no )*(?:right|wrong|good|bad|great|sense"
    r"|risky|safe|unsafe|overkill|worth|essential|important|necessary|enough|sensible|mistake|waste))\b"
)
SHOULD = re.compile(r"\b(?:should|ought to)\b")
ABOUT_TALK = re.compile(
    r"\b(?:should|let us|need to|ought to|must|have to) (?:\w+ )?(?:keep \w+ing|be honest|talk"
    r"|discuss|wait|meet|stop|think|move on|listen|take a|go first|postpone|hear)\b"
)
COUNTERS = re.compile(r"^(?:but|however|yet)\b|\bthough[.!]*$")
INSTEAD = re.compile(r"\b(?:instead|rather than)\b")
ASIDE = re.compile(
    r"[;\u2014]|,?\s+(?:because|since|due\s+to|so\s+that|instead\s+of|rather\s+than)\b"
    r"|,\s+(?:and\s+|but\s+)?not\b",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"\b(?:not|no(?!-)|never|without|drop|dropped|avoid|against|reject|rejected)\b"
)
SIDED = re.compile(r"\b(?:agreed?|disagree|object|oppose|opposed|reject|against)\b", re.IGNORECASE)
VERDICT = re.compile(r"\b(?:agree|disagree|agreed)\b|\b(?:right|wrong)\W*$")
BECAUSE = re.compile(  # a reason follows; a name that is addressed is skipped
    r"(?:,\s+[\w-]+)?\s*(?:(?:,\s+)?\b(?:because|since|as)\s+|[,:;\u2014]\s+|\s-\s)",
    re.IGNORECASE,
)
