"""Extracts a learning from one sentence of free text, by fixed phrases.

A question or an unsure sentence (`maybe`, `might`, `I think`, ...) gives no learning. Neither does
a phrase that is denied (`was not fixed by`), in the future (`will be fixed by`) or hypothetical
(`if we decided`). The first matching rule applies:

    error       fixed (solved, resolved, repaired) X by doing Y, or with a Y
                X was (is, can be) fixed by doing Y, by the Y, or with a Y
                doing Y fixed X; X went away (disappeared) after Y
                X, the fix was to Y; the fix (solution, workaround) for X is to Y
                worked around (avoided, got rid of) X by doing Y
    decision    we decided, agreed to, chose, opted for, went with, settled on; it was decided that
                we will (are going to) use, go with, adopt, keep, switch to, move to, drop
                at the beginning: decided to, chose, opted for, going with, settled on
                the decision is
    fact        learned, found, noticed, confirmed, verified that; we found out, discovered
                it turns out; the root cause was; note, remember, keep in mind, be aware that
                somebody prefers
    procedure   to do X, run (use, call, set, ...) Y; run (use, call, ...) Y to, before, after X
                before, after, when or if X, run (use, ...) Y; you have to Y before (after, to) X
                X works when (if, once, after) Y; doing Y works, worked, did the trick
                the way to X is to Y; the trick is to; what worked was
                at the beginning: always, never, make sure, be sure to

If the error is only `it`, `this` or `that`, or only the fix is given, the previous sentence is used
as the error, provided it mentions a problem; otherwise there is no learning.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|presumably|supposedly|might|undecided|unsure|tbd|todo"
    r"|not (?:yet )?(?:sure|clear|decided)|no idea|i (?:think|guess|suspect|assume|wonder|hope))\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\s*(?:if|unless|suppose|assuming|imagine|in case)\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|suppose|nobody|no one)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|hardly|neither|nor)|n['\u2019]t"
    r"|\b(?:would|could|should|may|must|will|shall|to))"
    r"(?:\s+(?:be|been|being|get|yet|really|fully|completely|even|have|had|has|rather|also))*\s*$",
    re.IGNORECASE,
)
_MENDED = r"(?:fixed|solved|resolved|repaired|cured|mended)"
_NO_DOING = r"(?:during|nothing|everything|anything|something|morning|evening|string|being|king)\b"
_DOING = rf"(?:(?:\w+ly\s+|just\s+|first\s+)*(?!{_NO_DOING})\w+ing\b)"  # "simply adding"
_PEOPLE = r"(?:team|vendor|author|user|customer|maintainer|admin|developer|colleague|other)s?"
_TIME = r"(?:end|time|next|weekend|evening|morning|deadline|way)"
_THING = rf"(?:a|an|the|its|our|this)\s+(?!(?:\w+\s+){{0,2}}{_PEOPLE}\b|{_TIME}\b)"
_WHO = r"(?:(?:i|we|they|he|she|you|the team|[A-Z]+-\d{3})\s+)?"
_ALREADY = r"(?:(?:have|has|had|also|then|finally|just|now|all|both|eventually)\s+)*"
_BY = rf"by\s+(?=(?:{_DOING}|{_THING}))"
_WITH = rf"with\s+(?=an?\b|{_DOING})"
_ITS = r"(?<!issue\s)(?<!issues\s)(?<!problem\s)(?<!problems\s)(?<!bug\s)"  # not "bug with X"
_ONE = rf"(?=to\s|{_DOING}|(?:a|an|the)\s+(?!same\b))(?:to\s+)?"
_FIX = r"the\s+(?:fix|solution|workaround|remedy)"
_WAIT = r"(?:a\s+while|some\s+time|(?:an?|one|two|\d+)\s+(?:second|minute|hour|day|week)s?)\b"
_FIXED = rf"(?:{_MENDED}|worked\s+around|avoided|got\s+rid\s+of)"
_WAS = r"(?:(?:was|were|is|are|got|can\s+be|(?:has|have|had)\s+been)\s+)?"
_AND = r"[,;:.]?\s+(?:and\s+|but\s+)?"
_GONE = rf"(?:went\s+away|disappeared)\s+(?:after|when|once)\s+(?!{_WAIT})"
_END = r"(?P<solution>.+)"
_ERRORS = tuple(
    re.compile(said, re.IGNORECASE)
    for said in (
        rf"(?P<lead>{_WHO}{_ALREADY}){_FIXED}\s+(?P<error>.+?),?\s+(?:{_BY}|{_ITS}{_WITH}){_END}",
        rf"{_FIX}\s+for\s+(?P<error>.+?)\s+(?:was|is)\s+{_ONE}{_END}",
        rf"(?P<error>(?P<lead>.+?)){_AND}{_WAS}{_MENDED}\s+(?:{_BY}|{_WITH}){_END}",
        rf"(?P<solution>{_DOING}[^,;]*?)\s+(?:has\s+)?{_MENDED}\s+(?P<error>.+)",
        rf"(?P<error>.+?)\s+{_GONE}{_END}",
        rf"(?:(?P<error>.+?){_AND})?{_FIX}\s+(?:was|is)\s+{_ONE}{_END}",
    )
)
_BARE = ("it", "this", "that", "them", "")
_TROUBLE = re.compile(
    r"\b(?:error|fail|broke|break|crash|bug|timeout|timed out|exception|wrong|hung|hang|leak|stuck"
    r"|slow|refus|reject|miss|corrupt|lost|issue|problem|trouble|not\b|cannot|[45]\d\d\b)"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"(?:(?:i|we)\s+)?(?:learned|learnt|found(?:\s+out)?|noticed|discovered|note)\s+that\s+"
    r"|(?:it\s+)?turn(?:s|ed)\s+out\s+(?:that\s+)?",
    re.IGNORECASE,
)
_DOES = (
    r"(?:run|use|call|execute|invoke|install|restart|start|stop|export|open|type|clear|delete"
    r"|remove|add|set|put|pass|enable|disable|edit|change|copy|create|press|check|reload|rebuild)\b"
)
_FIRST = r"(?:(?:first|just|simply|please|then|always|you\s+(?:must|can|have\s+to|need\s+to))\s+)*"
_CHOSE = r"(?:decided|chose|agreed\s+(?:to|on|that)|opted\s+(?:for|to)|went\s+with|settled\s+on)\b"
_KEEP = r"keep(?!\s+(?:you|an\s+eye|\w+ing)\b)"
_ADOPT = (
    rf"(?:use|go\s+with|adopt|{_KEEP}|switch\s+to|move\s+to(?!\s+the\s+next)"
    r"|stick\s+(?:to|with)|stay\s+with|drop(?!\s+by))\b"
)
_SHALL = r"(?:['\u2019]ll|\s+will|(?:['\u2019]re|\s+are|\s+am)\s+going\s+to)"
_NO_FACT = r"(?!(?:why|how|who|what|whether|if|nothing)\b)"
_CAUSE = r"\bthe\s+(?:root\s+|real\s+|actual\s+)?cause\b.*?\b(?:is|was)\s+"
_WORKS = r"(?<!\bi\s)(?<!\bwe\s)(?<!\bthey\s)\b(?:works?|worked)\s+(?:only\s+|best\s+)?"
_DO = r"^(?:run|use(?!\s+of)|call|execute|install|restart|start|export|reload)"
_DECISIONS = (
    rf"\b(?:we|they|i|the\s+team|team)\s+{_ALREADY}{_CHOSE}",
    r"\bit\s+(?:was|has\s+been)\s+(?:decided|agreed)\s+(?:to|that|on)\b",
    r"\bdecided\s+(?:to|on|against|that|not)\b",
    rf"\b(?:we|i){_SHALL}\s+(?:now\s+)?{_ADOPT}",
    r"^(?:chose|opted\s+for|going\s+with|settled\s+on)\b",
    r"^(?:the|our)\s+decision\s+(?:is|was)\b",
)
_FACTS = (
    r"\b(?:learned|learnt|found(?:\s+out)?|noticed|confirmed|verified|observed)\s+that\b",
    rf"(?:^|\b(?:i|we|they)\s+){_ALREADY}(?:found\s+out|discovered|reali[sz]ed)\s+{_NO_FACT}",
    r"\bturn(?:s|ed)\s+out\b",
    rf"{_CAUSE}(?!(?:still\s+)?(?:unknown|unclear|not)\b)",
    r"\b(?:note|remember|be\s+aware|keep\s+in\s+mind)\s+that\b",
    r"\bprefers?\b",
)
_PROCEDURES = (
    rf"^to\s+(?!(?:be|me|my|sum|date|conclude)\b)[^,;]{{2,80}}?,?\s+{_FIRST}{_DOES}",
    rf"^(?:before|after|when(?:ever)?|if|once)\b[^,;]{{3,}},\s*{_FIRST}{_DOES}",
    rf"{_DO}\s+\S.*?\s+(?:to|before|after|when|whenever|first)\b",
    r"^you\s+(?:have\s+to|need\s+to|must)\s+\S.*?\s+(?:to|before|after|when|first)\b",
    rf"{_WORKS}(?:when|if|once|after|as\s+soon\s+as)\b",
    rf"^{_DOING}.*\s(?:works|worked|did\s+the\s+trick|helped)\b",
    r"\bthe\s+(?:\w+\s+)?way\s+to\s+\S.*?\s(?:is|was)\s+(?:to|by)\b",
    r"\bthe\s+trick\s+(?:is|was)\s+to\b",
    r"^what\s+(?:worked|helped)\s+(?:is|was)\b",
    r"^always\s+(?!(?:nice|good|fun|great)\b)|^never\s+(?!(?:mind|seen|had|been)\b)",
    r"^(?:please\s+)?(?:make\s+sure|be\s+sure\s+to|ensure\s+that)\b",
)
_RULES = tuple(
    (key, re.compile("|".join(said), re.IGNORECASE))
    for key, said in (
        ("decisions", _DECISIONS),
        ("facts", _FACTS),
        ("procedures", _PROCEDURES),
    )
)


def taught(sentence: str, before: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield at most one pair of a report's key and a content for a sentence."""
    if sentence.rstrip(" \"'`)*_").endswith("?") or _UNSURE.search(sentence):
        return
    solved = _solved(sentence, before)
    if solved is not None:
        yield from [("errors", solved)] if solved["error"] else []
        return
    for key, phrase in _RULES:
        found = phrase.search(sentence)
        if found is not None and not _doubted(sentence[: found.start()]):
            yield key, {"text": sentence}
            return


def _solved(sentence: str, before: str) -> dict[str, str] | None:
    """Return the error and the solution that a sentence describes, or None."""
    for phrase in _ERRORS:
        found = phrase.fullmatch(sentence)
        if found is None:
            continue
        if _doubted(found.groupdict().get("lead") or ""):
            return None
        error = _TELLING.sub("", (found["error"] or "").strip(" .,;:"), count=1)
        if error.lower() in _BARE:  # the error may be in the previous sentence
            error = before.strip(" .,;:") if _TROUBLE.search(before) else ""
        return {"error": error, "solution": found["solution"].strip(" .!")}
    return None


def _doubted(lead: str) -> bool:
    """Return whether the text before a phrase denies, postpones or only supposes it."""
    clause = re.split(r"[,;:]\s", lead)[-1]
    return bool(_IF.match(lead) or _DENIED.search(clause) or _SUPPOSED.search(clause))
