"""The phrases by which a turn takes a side of a debate, gives a reason, or concedes."""

from __future__ import annotations

import re

PROPOSES = re.compile(
    r"^(?:proposal|my proposal)\s*:|\bi\s+(?:hereby\s+|would\s+)?(?:propose|suggest)\b"
    r"|\bmy\s+(?:proposal|suggestion)\s+is\b|\bi\s+move\s+that\b"
)
OPPOSES = re.compile(
    r"\bi\s+(?:strongly\s+|must\s+|do\s+|still\s+)*(?:object|oppose|reject)\b"
    r"|\bi\s+(?:strongly\s+|must\s+|still\s+)*(?:disagree|do not agree)\b"
    r"(?!\s+with\s+(?!that\b|this\b|it\b|you\b))"
    r"|\bi\s+do\s+not\s+think\s+(?:that\s+)?(?:that|this|it)\s+is\s+(?:a\s+good|wise)\b"
    r"|\b(?:that|this)\s+is\s+a\s+bad\s+idea\b"
    r"|\bi\s+am\s+(?:strongly\s+|firmly\s+)?(?:against|opposed to)\b"
)
CONCEDES = re.compile(
    r"\bi\s+(?:must\s+|have to\s+|do\s+|fully\s+)*concede\b(?!\s+nothing)|\bi\s+stand\s+corrected\b"
    r"|\bi\s+(?:hereby\s+)?(?:withdraw|take\s+back)\s+my\s+(?:objections?|proposal|rebuttal|point)"
    r"|\bi\s+am\s+(?:now\s+)?convinced\b(?!\s+(?:that|of)\b)|\bi\s+give\s+in\b"
)
YIELDS = re.compile(  # only to an agent on the other side
    r"(?<!\w)(?:you|@\d+)\s+(?:(?:have|has)\s+)?convinced\s+me\b|\byou\s+win\b"
    r"|(?<!\w)(?:you|@\d+)\s+(?:are|is)\s+right\s*(?:,\s*@\d+)?\s*[.!]*$"
)
GRANTS = re.compile(  # only if the turn says nothing against it
    r"^(?:(?:ok|okay|yes|well)\s*,?\s+)?(?:fair\s+(?:point|enough)|point\s+taken)\b"
)
GOES_ON = re.compile(r"^(?:but|however|still|yet|though|only|nevertheless)\b")
TAKEN_BACK = re.compile(
    r"\b(?:but|however|although|though|yet|not|never|nothing|partly|partially|except|if|unless"
    r"|almost|nearly|still)\b"
)
GROUND = re.compile(
    r"\b(?:because|since|therefore|otherwise|due to|for example|for instance|so that|evidence"
    r"|shows?|showed|proves?|measured|benchmarks?|tests?|costs?|fails?|breaks?|loses?"
    r"|the reason|why)\b|\d"
)
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
BECAUSE = re.compile(  # a reason follows; a name that is addressed is skipped
    r"(?:,\s+[\w-]+)?\s*(?:(?:,\s+)?\b(?:because|since|as)\s+|[,:;\u2014]\s+|\s-\s)",
    re.IGNORECASE,
)
