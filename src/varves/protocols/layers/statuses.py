"""Reads the sentences of an event that state a status, a removal, or that something is a pack.

"[[login]] is done", "Status of [[login]]: blocked", "Marked [[login]] as done", "Removed
[[login]]", "the pack [[auth]]". The names are in double brackets, have the prefix `skill-` or
`pack-`, or are called a skill. A status is one of the words below; after "status" it may be any
short text.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = r"\[\[[^\[\]]+\]\]"
_WORD = r"[A-Za-z0-9][\w./-]*\w|[A-Za-z0-9]"
_KIND = r"(?: (?:skills?|packs?|modules?|files?|services?|components?))?"
ONE = (
    r"(?:(?:the|our|its|an?|both) )?(?:new )?(?:(?:skills?|packs?|modules?|services?) )?"
    rf"(?:{NAMED}|{_WORD}){_KIND}"
)
MORE = rf"(?:,| and|, and| as well as) {ONE}"
NAMES = rf"{ONE}(?:{MORE}){{0,7}}"
_TITLED = (
    rf"(?:(?:the|our|its|an?|both) )?(?:new )?(?:(?:packs?|modules?|services?) )?{NAMED}{_KIND}"
)
BRACKETED = rf"{_TITLED}(?:(?:,| and|, and| as well as) {_TITLED}){{0,7}}"
START = (
    r"(?:^|(?<=[,:;(\u2014] )"
    r"|(?<=\band )|(?<=\bthat )|(?<=\bbecause )|(?<=\bso )|(?<=\bnow )|(?<=\bsince )"
    r"|(?<=\bbut )|(?<=\bwhile ))"
)
_EACH = re.compile(rf"{NAMED}|{_WORD}")
_PLAIN = frozenset(
    (
        *("the", "our", "its", "a", "an", "both", "and", "as", "well", "new"),
        *("skill", "skills", "pack", "packs", "module", "modules", "file", "files"),
        *("service", "services", "component", "components"),
    )
)


def names_of(text: str) -> list[str]:
    """Return the names of a list such as "the skill [[a]], b and [[c]]", as written."""
    return [name for name in _EACH.findall(text) if name.casefold() not in _PLAIN]


_STATES = (
    *("done", "complete", "feature complete", "code complete", "ready", "stable", "unstable"),
    *("in progress", "under way", "underway", "ongoing", "work in progress", "wip", "half done"),
    *("partially done", "partially complete", "partly done", "incomplete", "unfinished"),
    *("planned", "proposed", "draft", "queued", "open", "todo", "to do", "up next", "unstarted"),
    *("in review", "under review", "in code review", "in testing", "in development", "in design"),
    *("ready for review", "ready for release", "ready for testing", "ready for production"),
    *("experimental", "alpha", "beta", "broken", "failing", "obsolete", "inactive", "idle"),
    *("unblocked", "up to date", "out of date", "unmaintained", "end of life"),
)
_PLACED = ("active", "live", "in use", "in production", "up and running")
"""States after which a place or a purpose may follow."""
_HELD = ("blocked", "stuck", "stalled", "on hold", "pending", "waiting", "held up")
"""States after which a cause may follow."""
_EVENTS = (
    *("completed", "finished", "started", "begun", "closed", "reopened", "resumed", "merged"),
    *("implemented", "tested", "validated", "verified", "reviewed", "approved", "rejected"),
    *("cancelled", "canceled", "abandoned", "archived", "retired", "deprecated", "superseded"),
    *("delivered", "published", "reverted", "rolled back", "rolled out", "signed off", "discarded"),
    *("disabled", "enabled", "activated", "deactivated", "discontinued", "frozen", "unblocked"),
    *("dropped", "decommissioned", "sunset", "wrapped up"),
)
_EVENTS_PLACED = ("released", "shipped", "deployed", "launched")
_EVENTS_HELD = ("paused", "postponed", "deferred", "suspended", "put on hold", "delayed")
_DONE_TO = (*_EVENTS, *_EVENTS_PLACED, *_EVENTS_HELD, "blocked", "paused")
"""Verbs in the past whose object has that status: "We shipped [[login]]"."""
_REMOVED = "removed|deleted|erased|purged|eliminated|ripped out|thrown out"


def _any(words: tuple[str, ...]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(word.replace(" ", "[ -]") for word in longest)


_AFTER = (
    "and|but|now|again|already|today|yesterday|since|because|after|so|while|as|though|although|too"
    "|yet|thanks to|for now|at last|except that"
)
_WHERE = "by|on|until|till|for|due|in|at|with|to"
_STOP = r"\s*(?:$|[.,;:!)(\u2026]|[\u2014\u2013] |"
_END = rf"(?={_STOP}(?:{_AFTER})\b))"
_WIDE = rf"(?={_STOP}(?:{_AFTER}|{_WHERE})\b))"
_ALL = (*_STATES, *_EVENTS, *_PLACED, *_HELD, *_EVENTS_PLACED, *_EVENTS_HELD)
_WORDS = (
    rf"(?:(?:{_any((*_STATES, *_EVENTS))})\b{_END}"
    rf"|(?:{_any((*_PLACED, *_HELD, *_EVENTS_PLACED, *_EVENTS_HELD))})\b{_WIDE})"
)
_ALONE = re.compile(rf"(?:not |not yet )?(?:{_any(_ALL)})", re.IGNORECASE)
_HAPPENED = (
    rf"(?:(?:{_any(_EVENTS)})\b{_END}|(?:{_any((*_EVENTS_PLACED, *_EVENTS_HELD))})\b{_WIDE})"
)
_FREE = r"[\w%][\w%+/-]*(?: [\w%][\w%+/-]*){0,3}"
_HOW = (
    r"(?:(?:now|already|currently|still|again|finally|fully|officially|temporarily|completely|also"
    r"|therefore|just|today|once again|at last|100%) ){0,2}"
)
_NOT = r"(?P<not>not yet |not |no longer |never )?"
_IS = (
    r"(?:is|are|has been|have been|became|becomes?|got|gets|remains?|stays?|went|goes|turned|stands"
    r"|(?P<isnt>isn['\u2019]t|aren['\u2019]t))"
)
_PUT = (
    r"(?:marked|set|moved|changed|switched|promoted|updated|flagged|put|declared|considered|counted"
    r"|reported|labelled|labeled|flipped|transitioned|returned|demoted)"
)
_CHANGE = rf"(?:back )?(?:from {_FREE} )?(?:(?:as|to|into|in) (?:being )?(?:the status )?)?"
_QUOTE = r"[\"'\u201c\u2018*_]?"
_SET = r"(?:set|changed|updated|moved|switched|put|reset)"
_SUBJECT = r"(?:(?:we|i|they|the team|you) (?:have |has )?)?"
_JUST = r"(?:(?:now|just|finally|also|already|today|officially) )?"
_STATUS_OF = (
    rf"(?:(?:the|its|current|new) )*status (?:of|for) (?P<names>{NAMES})",
    rf"(?P<names>{NAMES})(?:['\u2019]s?)?,? (?:has the |with the )?(?:new |current )?status",
)
_GIVEN = (
    rf"(?: ?(?::|=|\u2192|->|[\u2014\u2013-]) ?{_QUOTE}(?P<status>{_FREE})"
    rf"|(?: (?:is|was|has|have|been|now|just))* (?:changed|set|moved|updated|switched|went|goes)"
    rf"(?: back)?(?: from {_QUOTE}{_FREE}{_QUOTE})? to {_QUOTE}(?P<changed>{_FREE})"
    rf"|(?: (?:is|now|became|remains|stays))+ {_QUOTE}(?P<stands>{_WORDS}|[\w%-]+)"
    rf"| {_QUOTE}(?P<bare>{_WORDS})){_QUOTE}\s*(?=$|[.,;!()]|(?:{_AFTER})\b)"
)
_STATED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        *(rf"{START}{place}{_GIVEN}" for place in _STATUS_OF),
        (
            rf"{START}{_SUBJECT}{_JUST}{_SET} (?:the )?status (?:of|for) (?P<names>{NAMES})"
            rf" (?:back )?(?:from {_FREE} )?to {_QUOTE}(?P<status>{_FREE}){_QUOTE}\s*(?=$|[.,;!(])"
        ),
        rf"{START}(?P<names>{NAMES}) {_HOW}{_IS} {_HOW}{_NOT}{_HOW}(?P<status>{_WORDS})",
        rf"{START}(?P<names>{NAMES}) {_HOW}(?:was|were) {_HOW}(?P<status>{_HAPPENED})",
        (
            rf"{START}(?P<names>{NAMES}) {_HOW}(?:(?:is|are|was|were|has been|have been) )?{_HOW}"
            rf"{_PUT} {_CHANGE}{_QUOTE}(?P<status>{_WORDS}|done)"
        ),
        rf"{START}(?P<names>{NAMES}) ?(?::|=|\u2192|->) ?{_QUOTE}(?P<status>{_WORDS})",
        rf"{START}(?P<names>{NAMES}) \((?:now )?(?P<status>{_WORDS})\)",
        rf"^(?P<names>{NAMES}) (?:now )?(?P<status>{_WORDS})(?=[.!]?$)",
        rf"{START}{_SUBJECT}{_JUST}{_PUT} (?P<names>{NAMES}) {_CHANGE}{_QUOTE}(?P<status>{_WORDS})",
        rf"{START}{_SUBJECT}{_JUST}(?P<status>{_any(_DONE_TO)}) (?P<names>{NAMES}){_END}",
    )
)
_GONE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{START}{_SUBJECT}{_JUST}(?:{_REMOVED}|dropped) (?P<names>{NAMES}){_END}",
        (
            rf"{START}(?P<names>{NAMES}) {_HOW}(?:is|are|was|were|has been|have been|got) {_HOW}"
            rf"(?:{_REMOVED}|gone){_END}"
        ),
        (
            rf"{START}(?P<names>{NAMES}) {_HOW}(?:no longer exists?|(?:does|do) not exist any ?more"
            rf"|ceased to exist){_END}"
        ),
    )
)
_PACKS = re.compile(
    rf"\b(?:the|a|an|our|this|that|its|to|of|in|from|into|for|new|and) packs? (?P<after>{NAMED}"
    rf"(?:(?:, | and |, and ){NAMED})*)"
    rf"|^packs? (?P<first>{NAMED})(?= (?:is|has|holds|contains|includes|was|now)\b|:)"
    rf"|(?P<before>{NAMED}) pack\b(?! \[\[)"
    rf"|(?P<called>{NAMED}) is (?:now )?(?:a|our|the) (?:\w+ )?pack\b",
    re.IGNORECASE,
)
_IN_BRACKETS, _GONE_IN_BRACKETS = (
    tuple(re.compile(one.pattern.replace(NAMES, BRACKETED), re.IGNORECASE) for one in patterns)
    for patterns in (_STATED, _GONE)
)
"""The same for names in double brackets only, which is much faster."""
_SKILL = re.compile(r"skill", re.IGNORECASE)
_CALLED = re.compile(r"\[\[|\bskill-|\bpack-|\bskills?\b", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:if|whether|unless|suppose|would|could|should|might|may|maybe|perhaps|plan(?:s|ned)? to"
    r"|until|till|once|not true|hope|expect|assume|want|wait|goal|aim|imagine|ensure|make sure"
    r"|check|verify|unclear|unsure|not sure|doubt|think|believe|guess|will|nobody|no one|nothing"
    r"|pretend|claim(?:s|ed)?|before|as soon as|by the time)\b[^,]*$",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    rf"\b(?:{_any((*_ALL, *_DONE_TO))}|{_REMOVED}|gone|exist|status)", re.IGNORECASE
)


def is_status(text: str) -> bool:
    """Return whether a text is a status and nothing else."""
    return _ALONE.fullmatch(text.strip()) is not None


def statuses_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield each name in a sentence with the status it states; an empty one is a removal."""
    if not _CALLED.search(sentence) or not _AT_ONCE.search(sentence):
        return
    wide = _SKILL.search(sentence)
    for pattern in _GONE_IN_BRACKETS:
        for found in pattern.finditer(sentence):
            if "[[" in found["names"] and not _DOUBT.search(sentence[: found.start()]):
                yield from ((name, "") for name in names_of(found["names"]))
    seen: dict[str, tuple[int, str]] = {}
    for pattern in _STATED if wide else _IN_BRACKETS:
        for found in pattern.finditer(sentence):
            if not _CALLED.search(found["names"]) or _DOUBT.search(sentence[: found.start()]):
                continue
            said = found.groupdict()
            status = next(filter(None, map(said.get, ("status", "changed", "stands", "bare"))))
            denied = "not " if said.get("not") or said.get("isnt") else ""
            for name in names_of(found["names"]):
                before = seen.get(name)
                if before is None or found.start() > before[0]:
                    seen[name] = found.start(), denied + status.casefold()
    yield from ((name, status) for name, (_, status) in seen.items())


def packs_in(sentence: str) -> list[str]:
    """Return the names, in double brackets, that a sentence calls a pack."""
    if "pack" not in sentence.casefold():
        return []
    return [
        name
        for found in _PACKS.finditer(sentence)
        for name in names_of(next(filter(None, found.groups())))
    ]
