"""Reads the sentences of an event that state a relation, a pack's completion, or a status.

"[[login]] depends on [[tokens]]", "login now uses tokens", "pack-auth is 60% complete". Both ends
of a relation must be names: in double brackets, with the prefix `skill-` or `pack-`, or known to
the graph already. Questions, conditions and intentions state nothing.

Statuses and removals: "[[login]] is done", "Status of [[login]]: blocked", "Marked [[login]] as
done", "Removed [[login]]", "the pack [[auth]]". The names are in double brackets, have the prefix
`skill-` or `pack-`, or are called a skill. A status is one of the words below; after "status" it
may be any short text.
"""

from __future__ import annotations

import re

from varves.protocols.layers.denials import is_believed, undenied
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    r"(?:(?:the|our|its|an?|both) )?(?:new )?(?:(?:skills?|packs?|modules?|services?|files?) )?"
    rf"{NAMED}{_KIND}"
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
_NOTHING = r"(?! (?:nothing|nobody|no one|none)\b)"  # "blocked by nothing"
_WIDE = rf"(?={_STOP}(?:(?:{_AFTER})\b|(?:{_WHERE})\b{_NOTHING})))"
_ALL = (*_STATES, *_EVENTS, *_PLACED, *_HELD, *_EVENTS_PLACED, *_EVENTS_HELD)
_WORDS = (
    rf"(?:(?:{_any((*_STATES, *_EVENTS))})\b{_END}"
    rf"|(?:{_any((*_PLACED, *_HELD, *_EVENTS_PLACED, *_EVENTS_HELD))})\b{_WIDE})"
)
_STATUS = re.compile(rf"(?:not |not yet )?(?:{_any(_ALL)})", re.IGNORECASE)
_MONTH = "jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec"
_DAY = (
    r"(?:(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|week(?:end)?|month|quarter|q[1-4]"
    r"|sprint|year|morning|afternoon|evening|night|noon|midnight|spring|summer|autumn|winter"
    rf"|(?:{_MONTH})|january|february|march|april|august|september|october|november|december"
    r"|\d{4}(?:-\d\d)*|\d\d?(?:st|nd|rd|th|:\d\d| ?[ap]m"
    rf"|\.? (?:{_MONTH})[a-z]*))\b)"
)
_WHEN = (
    rf"(?:on|in|at|by|before|last|this|earlier|late|early) (?:last |this |early |late )?{_DAY}"
    r"|(?:an?|one|two|three|few|some|\d+) \w+ ago|by (?!\[\[|nothing\b|nobody\b|no one\b|hand\b)"
)
_PAST_END = rf"(?={_STOP}(?:{_AFTER})\b|{_WHEN}))"
"""After a verb in the past, a time and who did it may follow: "was finished by Bo on Monday"."""
_HAPPENED = (
    rf"(?:(?:{_any(_EVENTS)})\b{_PAST_END}|(?:{_any((*_EVENTS_PLACED, *_EVENTS_HELD))})\b{_WIDE})"
)
_FREE = r"[\w%][\w%+/-]*(?: [\w%][\w%+/-]*){0,3}"
_NOW = (
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
_WHO = r"(?:(?:we|i|they|the team|you) (?:have |has )?)?"
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
            rf"{START}{_WHO}{_JUST}{_SET} (?:the )?status (?:of|for) (?P<names>{NAMES})"
            rf" (?:back )?(?:from {_FREE} )?to {_QUOTE}(?P<status>{_FREE}){_QUOTE}\s*(?=$|[.,;!(])"
        ),
        rf"{START}(?P<names>{NAMES}) {_NOW}{_IS} {_NOW}{_NOT}{_NOW}(?P<status>{_WORDS})",
        (
            rf"{START}(?P<names>{NAMES}) {_NOW}(?:was|were|has been|have been|got) {_NOW}"
            rf"(?P<status>{_HAPPENED})"
        ),
        rf"^status: (?P<names>{NAMES}) (?:[\u2014\u2013-] )?{_QUOTE}(?P<status>{_WORDS})",
        (
            rf"{START}(?P<names>{NAMES}) {_NOW}(?:(?:is|are|was|were|has been|have been) )?{_NOW}"
            rf"{_PUT} {_CHANGE}{_QUOTE}(?P<status>{_WORDS}|done)"
        ),
        rf"{START}(?P<names>{NAMES}) ?(?::|=|\u2192|->) ?{_QUOTE}(?P<status>{_WORDS})",
        rf"{START}(?P<names>{NAMES}) \((?:now )?(?P<status>{_WORDS})\)",
        rf"^(?P<names>{NAMES}) (?:now )?(?P<status>{_WORDS})(?=[.!]?$)",
        rf"{START}{_WHO}{_JUST}{_PUT} (?P<names>{NAMES}) {_CHANGE}{_QUOTE}(?P<status>{_WORDS})",
        rf"{START}{_WHO}{_JUST}(?P<status>{_any(_DONE_TO)}) (?P<names>{NAMES}){_PAST_END}",
        rf"{START}{_WHO}{_JUST}(?P<status>{_any(_EVENTS_PLACED)}) (?P<names>{NAMES}){_WIDE}",
    )
)
_FROM_ALL = (
    r"(?: (?:from|out of) (?:the|our|this) (?:\w+ )?(?:repo|repository|project|code ?base|code"
    r"|sources?|tree|workspace|product|application|app|system|registry|catalog(?:ue)?|graph))?"
)
_GONE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{START}{_WHO}{_JUST}(?:{_REMOVED}|dropped) (?P<names>{NAMES}){_FROM_ALL}{_PAST_END}",
        (
            rf"{START}(?P<names>{NAMES}) {_NOW}(?:is|are|was|were|has been|have been|got) {_NOW}"
            rf"(?:{_REMOVED}|gone){_FROM_ALL}{_PAST_END}"
        ),
        (
            rf"{START}(?P<names>{NAMES}) {_NOW}(?:no longer exists?|(?:does|do) not exist any ?more"
            rf"|ceased to exist){_END}"
        ),
    )
)
_RENAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{START}{_WHO}{_JUST}renamed (?P<name>{_TITLED}) (?:to|as|into) (?P<target>{_TITLED})",
        (
            rf"{START}(?P<name>{_TITLED}) {_NOW}(?:is|was|has been|got) {_NOW}renamed"
            rf" (?:to|as|into) (?P<target>{_TITLED})"
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
    r"\b(?:if|whether|unless|suppose|would|could|should|might|(?-i:may)|maybe"
    r"|perhaps|plan(?:s|ned)? to|until|till|once|not true|hope|expect|assume|want|wait|goal|aim"
    r"|imagine|ensure|make sure|check|verify|unclear|unsure|not sure|doubt|think|believe|guess|will"
    r"|nobody|no one|nothing|pretend|claim(?:s|ed)?|before|as soon as|by the time)\b[^,]*$",
    re.IGNORECASE,
)
_WORTH = re.compile(
    rf"\b(?:{_any((*_ALL, *_DONE_TO))}|{_REMOVED}|gone|exist|status)", re.IGNORECASE
)


def is_status(text: str) -> bool:
    """Return whether a text is a status and nothing else."""
    return _STATUS.fullmatch(text.strip()) is not None


def _is_doubted(before: str) -> bool:
    return _DOUBT.search(before) is not None or is_believed(before)


def statuses_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield each name in a sentence with the status it states; an empty one is a removal."""
    if not _CALLED.search(sentence) or not _WORTH.search(sentence):
        return
    wide = _SKILL.search(sentence)
    for pattern in _GONE if wide else _GONE_IN_BRACKETS:
        for found in pattern.finditer(sentence):
            if "[[" in found["names"] and not _is_doubted(sentence[: found.start()]):
                yield from ((name, "") for name in names_of(found["names"]))
    seen: dict[str, tuple[int, str]] = {}
    for pattern in _STATED if wide else _IN_BRACKETS:
        for found in pattern.finditer(sentence):
            if not _CALLED.search(found["names"]) or _is_doubted(sentence[: found.start()]):
                continue
            said = found.groupdict()
            status = next(filter(None, map(said.get, ("status", "changed", "stands", "bare"))))
            denied = "not " if said.get("not") or said.get("isnt") else ""
            for name in names_of(found["names"]):
                before = seen.get(name)
                if before is None or found.start() > before[0]:
                    seen[name] = found.start(), denied + status.casefold()
    yield from ((name, status) for name, (_, status) in seen.items())


def renamed_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the old and the new name of each entity that a sentence says was renamed."""
    if "enamed" not in sentence:
        return
    for pattern in _RENAMED:
        for found in pattern.finditer(sentence):
            if not _is_doubted(sentence[: found.start()]):
                yield names_of(found["name"])[0], names_of(found["target"])[0]


def packs_in(sentence: str) -> list[str]:
    """Return the names, in double brackets, that a sentence calls a pack."""
    if "pack" not in sentence.casefold():
        return []
    return [
        name
        for found in _PACKS.finditer(sentence)
        for name in names_of(next(filter(None, found.groups())))
    ]


DEPENDS, PART, REFERENCES = "Depends On", "Part Of", "References"


class SentenceFact(Value):
    """A statement of a sentence about names, which are given as written."""

    what: str
    """What it states.

    `relation`, `member` (a relation if its target is a pack), `cut` (the relation is no longer
    true), `share`, `status`, `removed` (the entity), `renamed` (to the target), or `pack` (the
    entity is one).
    """
    name: str
    target: str = ""
    relation: str | None = None
    share: str = ""
    """The completion in per cent."""
    count: str = ""
    """The number of a pack's skills."""
    status: str = ""


_VERBS = {
    DEPENDS: r"depends? (?:up)?on|requires?|needs?|relies on|rely on|uses?|builds? on"
    r"|(?:is|are) (?:built|based|dependent) on|runs? on(?: top of)?"
    r"|(?:has|have) a dependency on",
    PART: r"(?:is|are) (?:a |now )?(?:part|member|parts|members) of|belongs? to"
    r"|(?:is|are) (?:now )?in(?= (?:the pack|(?:the )?\[\[[^\[\]]+\]\] pack))",
    REFERENCES: r"references?|refers? to|links? to|points? to|documents?|replaces?|supersedes?",
}
_STOPPED = {DEPENDS: r"depending (?:up)?on|requiring|needing|relying on|using"}
_HOW = r"(?:(?:now|also|still|currently|directly|only|always|therefore) )?"
_NO = r"(?P<no>no longer |(?:does|do|did) not |(?:doesn|don|didn)['\u2019]t |never |stopped )?"
# a further end of a relation is not the subject of the next clause
_NEXT = (
    r"(?![\w/-]|\.\w)(?! (?:(?:is|are|was|were|has|will|now|also|still|no|does|can) "
    rf"|(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))})\b))"
)
_ENDED = (
    r"(?!(?:,| and|, and| as well as) (?:(?:it|they|now|also|still|no longer|never|is|are|was|has"
    rf"|does|stopped) |(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))})\b))"
)
_TARGETS = rf"{ONE}(?:{_ENDED}{MORE}{_NEXT}){{0,7}}"
_OF_KIND = "|".join(
    f"(?P<{name}>{verbs})"
    for name, verbs in zip(("depends", "part", "references"), _VERBS.values(), strict=True)
)
_DOES = (
    rf"{_HOW}{_NO}{_HOW}"
    rf"(?:{_OF_KIND}|(?P<stopped>{_STOPPED[DEPENDS]})) (?P<targets>{_TARGETS})"
)
_RELATION = re.compile(rf"{START}(?P<sources>{NAMES}) {_DOES}", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"{START}(?P<sources>{NAMED}) (?:is|was|has been) (?:[\w%-]+ ){{1,4}}?(?=and )", re.IGNORECASE
)
_FURTHER = re.compile(rf"(?:,? (?:and|but)|,) (?:(?:it|they) )?{_DOES}", re.IGNORECASE)
"""A second statement about the same subject: "[[a]] is part of [[p]] and uses [[b]]"."""
_MOVED = (
    r"(?:we |i |they )?(?:have |has )?(?:now |just |also )?"
    r"(?P<verb>added|moved|assigned|put|joined|included|removed|took|taken|dropped|detached)"
)
_MEMBERS = (
    re.compile(
        rf"{START}{_MOVED} (?P<sources>{_TARGETS})(?: (?:out of|from) {ONE})?"
        r" (?P<way>to|into|in|out of|from|under)"
        rf" (?P<targets>{ONE})(?![\w/-])",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{START}(?P<sources>{NAMES}) {_HOW}(?:(?:is|are|was|were|has been|have been) )?{_HOW}"
        r"(?P<verb>added|moved|assigned|put|joined|included|joins?|moves?|left|leaves?|removed"
        rf"|taken|dropped) ?(?P<way>to|into|in|out of|from|under|) (?P<targets>{ONE})(?![\w/-])",
        re.IGNORECASE,
    ),
)
_HOLDS = re.compile(
    rf"{START}(?P<targets>{ONE}) {_HOW}"
    r"(?:contains?|includes?|consists? of|comprises?|holds?|groups|bundles|is made up of"
    rf"|is made of) (?P<sources>{_TARGETS})",
    re.IGNORECASE,
)
_LINK = re.compile(
    rf"{START}{_MOVED} (?:the|a|an|its) (?:dependency|dependence) (?:of|from) (?P<sources>{ONE})"
    rf" (?:on|upon|to) (?P<targets>{_TARGETS})",
    re.IGNORECASE,
)
_ALONE = re.compile(r"join|left|leave", re.IGNORECASE)  # verbs that need no preposition
_LEAVING = frozenset(("removed", "took", "taken", "dropped", "detached", "left", "leave", "leaves"))
_CHANGING = (
    "pack|added|move|join|removed|left|leave|took|taken|put|assign|drop|detach|dependenc"
    "|contain|includ|consist|compris|hold|group|bundle|made of|made up"
)
_AT_ONCE = re.compile(
    rf"%|\b(?:{'|'.join((*_VERBS.values(), *_STOPPED.values()))}|{_CHANGING})", re.IGNORECASE
)
_SHARE = re.compile(
    rf"{START}(?P<name>{ONE}) (?:is|stands) (?:now |still |currently |about )?(?:at )?"
    r"(?P<share>\d{1,3}(?:\.\d+)?) ?%(?: (?:complete|completed|done|finished|ready))?"
    r"(?:,? ?(?:\(|(?:with|and (?:now )?(?:has|holds|contains|includes)|of) (?:its |all )?)"
    r"(?P<count>\d{1,6}) (?:skills?|members?))?",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|whether|unless|suppose|would|could|should|might|(?-i:may)|maybe"
    r"|perhaps|plan(?:s|ned)? to|until|once|not true|nothing|no one|nobody)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_BEGINS = re.compile(rf"{_TITLED}(?= (?!(?:and|or|as well)\b)\w)", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:It|it) ")  # the subject of the sentence before: "[[a]] is done. It …"
_MARK = re.compile(r"^(?:[>\s]*(?:[-*+]|\d+[.)])\s+)?(?:#+\s+\d{4}-\S+ \S+ [\u2014\u2013-] )?")


_ONWARD = re.compile(
    r"(?:[,:\u2014\u2013-]|\b(?:a|an|and|any|as|at|be|but|by|each|for|from|has|have|he|her|his|i|in"
    r"|into|is|it|its|my|no|not|of|on|or|our|she|so|than|the|their|them|these|they|this|those|to"
    r"|via|was|we|were|which|who|with|your|skill|pack|file|module|service)"
    r"|\b(?:say|tell|claim|mean|note|doubt|hear|see|know|feel|show|wonder|ask|require|need|use)s?"
    r"|\b(?:said|told|meant|noted|wrote|heard|saw|knew|asked)|[.!?;])$"
    r"|\b(?:when|whenever|after|as long as|as if|because|since|while|that|why|how|where|what)\b",
    re.IGNORECASE,
)
"""A line after which a sentence goes on, or that may govern what the next line says."""
_WIDTH = 50  # characters of a line that ends before an editor would have wrapped it


def as_text(part: Sequence[str]) -> str:
    """Return the lines of a paragraph as one text.

    A short line without a full stop is a sentence of its own if the next line begins with a name
    and its verb.
    """
    text = ""
    for line in part:
        plain = " ".join(line.split())
        last = _MARK.sub("", text.rpartition("\n")[2])
        alone = last and len(last) < _WIDTH and _BEGINS.match(plain)
        doubted = alone and (_ONWARD.search(last) or _is_doubted(last) or _is_unsure(last))
        stop = "." if alone and not doubted else ""
        text += f"{stop}\n{plain}" if text else plain
    return " ".join(text.split())


def said_in(text: str) -> Iterator[SentenceFact]:
    """Yield the statements of the sentences of a paragraph."""
    if not ("[[" in text or "skill" in text.casefold() or _AT_ONCE.search(text)):
        return
    subject = ""
    plain = _MARK.sub("", text).replace("**", "").replace("__", "")
    for sentence in undenied(_SENTENCE.split(plain)):
        said = _PRONOUN.sub(f"{subject} ", sentence) if subject else sentence
        named = _BEGINS.match(said)
        subject = named[0] if named else ""
        if not said.rstrip().endswith("?"):
            yield from _facts(said)


def _facts(sentence: str) -> Iterator[SentenceFact]:
    for name in packs_in(sentence):
        yield SentenceFact(what="pack", name=name)
    for found in _SHARE.finditer(sentence):
        names = names_of(found["name"])
        if len(names) == 1 and not _is_unsure(sentence[: found.start()]):
            yield SentenceFact(
                what="share", name=names[0], share=found["share"], count=found["count"] or ""
            )
    if _AT_ONCE.search(sentence):
        yield from _all_relations(sentence)
    for name, target in renamed_in(sentence):
        yield SentenceFact(what="renamed", name=name, target=target)
    for name, status in statuses_in(sentence):
        yield SentenceFact(what="status" if status else "removed", name=name, status=status)


def _is_unsure(before: str) -> bool:
    return _UNSURE.search(before) is not None or is_believed(before)


def _all_relations(sentence: str) -> Iterator[SentenceFact]:
    place = 0
    while found := _RELATION.search(sentence, place):
        place = found.end()
        sure = not _is_unsure(sentence[: found.start()])
        further: re.Match[str] | None = found
        while further:
            place = further.end()
            if sure:
                yield from _relations(further, found["sources"])
            further = _FURTHER.match(sentence, place)
    for found in _SUBJECT.finditer(sentence):
        place = found.end()
        further = _FURTHER.match(sentence, place - 1)
        while further and not _is_unsure(sentence[: further.start()]):
            yield from _relations(further, found["sources"])
            further = _FURTHER.match(sentence, further.end())
    for pattern in (*_MEMBERS, _HOLDS, _LINK):
        for found in pattern.finditer(sentence):
            if not _is_unsure(sentence[: found.start()]):
                yield from _members(found)


def _members(found: re.Match[str]) -> Iterator[SentenceFact]:
    """Yield what an addition to a pack states, or the removal of a dependency."""
    said = found.groupdict()
    way, leaving = (
        (said.get("way") or "").casefold(),
        (said.get("verb") or "").casefold() in _LEAVING,
    )
    if "way" in said and not way and not _ALONE.match(said["verb"]):
        return
    if way in ("out of", "from") and not leaving:
        return  # "moved from A" does not say where to
    kind = "member" if found.re is not _LINK else "relation"
    for name in names_of(found["sources"]):
        for target in names_of(found["targets"]):
            if name != target:
                yield SentenceFact(
                    what="cut" if leaving else kind,
                    name=name,
                    target=target,
                    relation=DEPENDS if found.re is _LINK else PART,
                )


def _relations(found: re.Match[str], sources: str) -> Iterator[SentenceFact]:
    kind = PART if found["part"] else REFERENCES if found["references"] else DEPENDS
    stopped = (found["no"] or "").casefold().startswith("stopped")
    if stopped != bool(found["stopped"]):
        return
    what = "cut" if found["no"] else "relation"
    for name in names_of(sources):
        for target in names_of(found["targets"]):
            if name != target:
                yield SentenceFact(what=what, name=name, target=target, relation=kind)
