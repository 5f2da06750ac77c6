"""Reads what an event says about blockers: what prevents progress, and what was resolved.

A tag at the start of a line or sentence (`Blocker: no certificate`, `Resolved: …`), a list below
such a tag, or a sentence in plain words ("We are blocked by …", "waiting for …", "cannot proceed
until …", "… has arrived"). A sentence counts if it says that people or their work cannot go on.
What a program does to requests, writes or merges is its description: "The firewall blocks port 25".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from varves.language.english.verbs import IRREGULAR
from varves.protocols.layers.grammar import groups, tidy
from varves.protocols.layers.lacks import LACKS, LEANING, PEOPLE, WORK, lacking, leans
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCKER, RESOLVED, DONE = "blocker", "resolved", "done"

_TAGS = {
    BLOCKER: r"blockers?(?:/issues)?|blocked(?: by| on)?|blocking(?: issues?)?|waiting (?:for|on)"
    r"|(?:(?:known|open) )?issues?|problems?|impediments?",
    RESOLVED: r"resolved|unblocked|solved|fixed|blockers? (?:resolved|removed|cleared|lifted)",
    DONE: r"done|completed|finished|cancell?ed|dropped|abandoned|given up|withdrawn|obsolete"
    r"|won['\u2019]t do|will not do|no longer needed",
}
_TAGGED = re.compile(
    r"(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _TAGS.items()) + r")\s*:\s*(.*)",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:{_TAGS[BLOCKER]})", re.IGNORECASE)
_KEPT = re.compile(r"(?:blocked|waiting) (?:by|on|for)", re.IGNORECASE)
_LEAD = re.compile(r"^(?:\s*>)*\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[( |x|X)\]\s+)?")
_TITLE = re.compile(r"^\\?#+ (?:\d{4}-\d\d-\d\d\S*(?: \d\d:\d\d)? [\u2014\u2013-] )?")
_BULLETED = re.compile(r"(?:\s*>)*\s*(?:[-*+]|\d+[.)])\s")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_CANNOT = (
    r"(?:(?:nobody|no one) can|cannot|can['\u2019]t|can not|(?:is|are|am|be) unable to|not able to)"
)
_HELD = re.compile(
    r"\b(?P<verb>(?:is|are|am|be|remains?|stays?|\w+['\u2019](?:re|m|s)|still|currently|now)"
    r" (?:\w+ )?|^)(?:blocked|stuck|held up|on hold|waiting)"
    r" (?:by|on|for|until|because|at)\b(?! (?:nothing|nobody|no one|none)\b)",
    re.IGNORECASE,
)
_STATE = re.compile(r"\]\] is (?:blocked|stuck|stalled|held up)$", re.IGNORECASE)
_UNABLE = re.compile(
    rf"\b{_CANNOT} (?:[\w-]+ ){{1,5}}?(?:until|unless|without|before|as long as|because)\b",
    re.IGNORECASE,
)
_CAUSES = re.compile(
    rf"\b(?:blocks|is (?:now |still )?blocking|are (?:now |still )?blocking|prevents"
    rf"|is preventing|(?:holds|is (?:now |still )?holding|are (?:now |still )?holding) up)"
    rf" (?=(?:{PEOPLE}|everything|progress|development|work)\b|\[\["
    rf"|(?:the|our|my|their|this|that|these|those|all|any|every|further|both|its|two|three)"
    rf" (?:[\w.-]+ ){{0,3}}?(?:{WORK}\b|\[\[))",
    re.IGNORECASE,
)
_GLADLY = re.compile(
    r"\b(?:with (?:joy|excitement|delight|pleasure|glee|great|curiosity)|eagerly|excitedly|happily"
    r"|gladly|joyfully|impatiently|curiously|look(?:s|ing)? forward)\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"\b(?:as (?:intended|expected|designed|planned|wanted|it should)|by (?:design|default)"
    r"|on purpose|deliberately|intentionally|correctly|rightly"
    r"|which is (?:fine|ok(?:ay)?|good|right|intended|what we want)"
    r"|(?:that|this|and it) is fine)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(r"\b(?:when|whenever|if|unless)\b", re.IGNORECASE)
_MADE = re.compile(
    r"\b(?:add(?:s|ed)?|introduc(?:es|ed)|enabl(?:es|ed)|configured|set up|implemented|wrote|built"
    r"|installed)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:[,;:(\u2014] |\b(?:and|but|so|because|while|since|as|that|therefore|then) )", re.IGNORECASE
)
_ADVERBS = re.compile(
    r"^(?:(?:still|currently|now|also|then|so|and|but|yet|however|today|meanwhile|unfortunately"
    r"|since \w+|for now),? )+",
    re.IGNORECASE,
)
_OURS = re.compile(
    rf"(?:we|i|they|he|she|it|this|that|everyone|everybody|everything|{PEOPLE}|.*\[\[.*)",
    re.IGNORECASE,
)
_DEFINITE = re.compile(
    r"(?:the|our|this|that|these|those|my|his|her|their|its|all|every|both) ", re.IGNORECASE
)
_INDEFINITE = re.compile(
    r"(?:an?|any|some|each|one|no|most|many|few|several|such|other) ", re.IGNORECASE
)
_MACHINES = frozenset(
    (
        *("request", "traffic", "ip", "address", "port", "script", "ad", "cookie", "connection"),
        *("packet", "thread", "worker", "query", "consumer", "caller", "loop", "lock", "write"),
        *("read", "bot", "popup", "user", "visitor", "transaction", "socket", "producer", "mutex"),
        *("tracker", "redirect", "goroutine", "coroutine", "reader", "writer", "call"),
    )
)
"""What programs block, or let wait, by themselves."""
_HEAD = re.compile(r"(.*?)(?: (?:of|on|in|for|to|from|with|by|at)\b.*)?", re.IGNORECASE)
_PRESENT = ("until", "because")
_CAUSING = ("blocks", "blocking", "prevents", "preventing", "up")
_NOT = re.compile(
    r"\b(?:no longer|nothing|not (?:blocked|blocking|waiting|stuck)|isn['\u2019]t|aren['\u2019]t"
    r"|if|whether|would|might|(?-i:may)|could be|maybe|perhaps|possibly|was|were|had|until now"
    r"|never)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\bno longer (?:blocked|waiting|stuck|held up|on hold)(?: by| for| on| at)?\b"
    r"|\b(?:is|are|was|were|been|got|now) (?:now |finally |all )?(?:resolved|unblocked|cleared"
    r"|solved|fixed|lifted|gone|available|approved|delivered|granted|signed(?: off)?|restored"
    r"|repaired)\b"
    r"|\b(?:(?:is|are|was|were|came|come|comes|went) (?:now |finally )?)?(?:back|up|online|running"
    r"|working|live|reachable|available|green|healthy|well|fit|open"
    r"|there) again\b"
    r"|\b(?:is|are|was|were|came|went) (?:now |finally )?back (?:up|online|to normal|in service)\b"
    r"|\b(?:is|are) (?:now |finally )?back\b(?! to)|\b(?:works?|responds?|answers?|runs?) again\b"
    r"|\b(?:arrived|came through|came in|has landed|(?:has |have )?recovered)\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(r"\bno longer ", re.IGNORECASE)
_GOT = re.compile(
    r"(?:^|\b(?:we|i|they|finally|now|have|has|\w+['\u2019]ve) )(?:got|received|obtained) "
    r"(?=the |our |an? |\w)",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"(?<=\w )(?:(?:has |have )?(?:now |finally |just |also )?)(?:sent|delivered|provided|supplied"
    r"|gave|given|handed|shared|uploaded|returned|granted|published|submitted|signed|answered)"
    r"(?: (?:us|me|over|in|back))* (?=the |our |an? |\w)",
    re.IGNORECASE,
)
_OURSELVES = re.compile(r"(?:^|\W)(?:i|we)(?: \w+)? ?$", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:not|never|until|once|if|when|unless|before|will|should|would|must|nearly|almost"
    r"|half|part(?:ly|ial\w*)|nobody|no one|could|can|(?-i:may)|might|asked|\w+n['\u2019]t)\b",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    "|".join(
        (
            rf"(?:{'|'.join(_TAGS.values())})(?:\*\*|__)?\s*:",
            r"#.*(?:block|wait|issue|problem|impediment)",
            r"stuck|held up|on hold|waiting|blocked",
            *(one.pattern for one in (_UNABLE, _CAUSES, _ENDS, _NO_LONGER, _GOT, _SENT)),
            r"can(?:not|['\u2019]t| not)\b|unable|(?:nobody|no one) can|need |hold",
        )
    ),
    re.IGNORECASE,
)
_LATER = re.compile(r"(?<=[.!?;])\s+(?=(?:" + "|".join(_TAGS.values()) + r")\s*:\s)", re.IGNORECASE)
"""Where a sentence begins with a tag, within a line."""
_TO = re.compile(r"\s+(?:[\w.'\u2019-]+ ){1,4}?to (?P<verb>[a-z]+) ", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    stem(word).rstrip("e")
    for word in (
        *("blocked", "blocker", "blocking", "waiting", "stuck", "hold", "cannot", "unable"),
        *("arrives", "arrived", "comes", "approved", "still", "currently", "missing", "finally"),
    )
)


def is_tagged(line: str) -> bool:
    """Return whether a line is a tag with its text, and not a step of its own."""
    return _TAGGED.fullmatch(_bare(line).strip("~").strip()) is not None


def _bare(line: str) -> str:
    return tidy(_LEAD.sub("", line).replace("**", "").replace("__", ""))


def told(text: str) -> tuple[tuple[str, str], ...]:
    """Return (`blocker`, `resolved` or `done`, text) for the statements of an event, in order."""
    return tuple(_told(text))


def _told(text: str) -> Iterator[tuple[str, str]]:
    if not _MAYBE.search(text):
        return
    mode: str | None = None
    reasons = False
    for part in groups(text):
        rest = []
        if part[0].lstrip(" >").startswith(("#", "\\#")):
            title = _TITLE.sub("", part[0].lstrip(" >")).strip("# ")
            mode = BLOCKER if _LABEL.fullmatch(title.rstrip(":")) else None
            reasons = title.casefold() == "why"
            yield from _sentences("" if mode else title)
            continue
        for bare in (piece for line in part for piece in _LATER.split(_bare(line))):
            struck = bare.startswith("~~") and bare.endswith("~~")
            found = _TAGGED.fullmatch(bare.strip("~").strip())
            if found is None:
                rest.append(bare)
                continue
            mark = next(name for name in _TAGS if found[name])
            said = tidy(found[4])
            if not said:
                mode = mark
            elif mark == BLOCKER:
                kept = _KEPT.fullmatch(found[1])
                yield RESOLVED if struck else mark, f"{found[1]} {said}" if kept else said
            else:
                yield mark, said
        if not rest:
            continue
        said = tidy(" ".join(rest))
        ticked = _LEAD.match(part[0])
        if mode and _BULLETED.match(part[0]):
            yield RESOLVED if mode == BLOCKER and ticked and ticked[1] in ("x", "X") else mode, said
        else:
            mode = None
            yield from _sentences(said, reasons=reasons)


def _sentences(text: str, *, reasons: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what sentences say.

    Among the `reasons` of an event, "without it nobody can log in" says why, and is no blocker.
    """
    before = ""
    for sentence in _SENTENCE.split(text):
        last, before = before, sentence
        if sentence.endswith("?") or not sentence:
            continue
        states, whole = _obstacle(sentence), sentence
        if states and states.re in LACKS:
            if leans(sentence, last):
                whole = f"{last} {sentence}"
            if not reasons and (whole != sentence or not LEANING.search(states[0])):
                yield BLOCKER, whole
            continue
        if states and not _NOT.search(sentence, 0, states.end()):
            yield BLOCKER, sentence
            continue
        ends = _ENDS.search(sentence) or _GOT.search(sentence) or _SENT.search(sentence)
        if ends and ends.re is _SENT and _OURSELVES.search(sentence[: ends.start()]):
            continue
        if ends and not _OPEN.search(sentence, 0, ends.end()):
            ahead = ends.re in (_GOT, _SENT) or ends[0].casefold().startswith("no longer")
            subject = sentence[ends.end() :] if ahead else sentence[: ends.start()]
            if words(subject):
                yield f"{RESOLVED} in passing", subject
            continue
        over = _NO_LONGER.search(sentence)
        if over and not _OPEN.search(sentence, 0, over.start()):
            yield f"{RESOLVED} in passing", sentence[: over.start()] + sentence[over.end() :]


def _obstacle(sentence: str) -> re.Match[str] | None:
    """Return the part of a sentence by which it says that people or their work cannot go on."""
    if _GLADLY.search(sentence):
        return None
    if lacks := lacking(sentence):
        return lacks
    for found in _HELD.finditer(sentence):
        verb = found["verb"].partition(" ")[0].casefold()
        ours = "'" in verb or "\u2019" in verb or _is_ours(sentence[: found.start()], verb)
        if ours and not _MEANT.search(sentence):
            return found
    for found in _UNABLE.finditer(sentence):
        subject = sentence[: found.start()]
        temporary = found[0].rstrip().casefold().endswith(_PRESENT)
        subject = subject if temporary else _subject(subject)
        if temporary and _is_ours(subject, ""):
            return found
        if not temporary and _is_person(subject) and subject.casefold() != "you":
            return found
    cause = _CAUSES.search(sentence)
    if cause is None or _MADE.search(sentence, 0, cause.start()):
        return None
    return None if _MEANT.search(sentence) or _HABIT.search(sentence) else cause


def _subject(before: str) -> str:
    """Return the subject of a clause, given the text of its sentence before the verb."""
    return _ADVERBS.sub("", _CLAUSE.split(before)[-1].strip()).strip()


def _is_person(subject: str) -> bool:
    return not subject or _OURS.fullmatch(subject) is not None


def _is_ours(before: str, verb: str) -> bool:
    """Return whether the subject is people, their work or a definite thing; a kind is neither."""
    subject = _subject(before)
    if _is_person(subject):
        return True
    if _INDEFINITE.match(subject):
        return False
    named = _HEAD.fullmatch(subject)
    head = (named[1] if named else subject).split()[-1].casefold()
    if head in _MACHINES or head.removesuffix("s") in _MACHINES:
        return False
    if _DEFINITE.match(subject) or re.fullmatch(WORK, head):
        return True
    return verb == "is" or not head.endswith("s")


def stems(text: str) -> frozenset[str]:
    """Return the words of a text without endings and without the most common ones."""
    found = (word for word in _WORD.findall(text.casefold()) if word not in STOPWORDS)
    return frozenset(_root(word) for word in found)


_PASTS = {**IRREGULAR, "ground": "grind", "bound": "bind", "wound": "wind", "laid": "lie"}
"""The irregular verbs, with those whose past is another word too; "lay" and "lie" are one here."""
_UNCHANGED = frozenset(
    (
        *("cut", "put", "set", "let", "shut", "split", "hit", "spread", "cast", "read", "reset"),
        *("quit", "burst", "knit", "shed", "rid", "fit", "bid", "broadcast", "hurt", "input"),
    )
)
"""Verbs whose past has the form of the verb."""
_NO_SUBJECT = frozenset(
    (
        *("to", "please", "you", "then", "and", "or", "the", "a", "an", "this", "that", "these"),
        *("our", "my", "his", "her", "their", "its", "your", "each", "no", "let", "who", "help"),
        *("of", "for", "in", "on", "at", "with", "by", "us"),
    )
)
"""Words before a verb by which it is an order, an infinitive or a noun."""
_BETWEEN = frozenset(("also", "already", "finally", "first", "just", "now", "quickly", "together"))
_NOT_ONCE = re.compile(
    r"\b(?:every|always|usually|often|sometimes|normally|regularly|each|daily|weekly|who|how"
    r"|tomorrow|soon|next|promis\w*|agree\w*|want\w*)\b"
)


def _root(word: str) -> str:
    """Return the stem of a word; irregular verbs have that of the infinitive."""
    if word.endswith("ied") and len(word) > len("died"):
        word = f"{word[:-3]}y"  # "applied", as "apply"
    return stem(_PASTS.get(word, word)).rstrip("e")


def past(text: str) -> frozenset[str]:
    """Return the stems of the verbs that a text has in the past, or as participles."""
    found = _WORD.findall(text.casefold())
    return frozenset(
        _root(word)
        for word in found
        if (word in _PASTS and not word.endswith(("ing", "s")))
        or (word.endswith("ed") and not word.endswith("eed"))
    ) | frozenset(_root(word) for word in _unchanged_pasts(found, text))


def _unchanged_pasts(said: list[str], text: str) -> Iterator[str]:
    """Yield the verbs in the past that have the form of the verb: "we put", but not "to put"."""
    if _UNCHANGED.isdisjoint(said) or _NOT_ONCE.search(text.casefold()):
        return
    for place, word in enumerate(said):
        before = [one for one in said[:place] if one not in _BETWEEN]
        if word in _UNCHANGED and before and before[-1] not in _NO_SUBJECT:
            yield word


def words(text: str) -> frozenset[str]:
    """Return the stems of the words that distinguish a text from others."""
    return stems(text) - _EMPTY


class ReportedEvent(NamedTuple):
    """What a sentence reports: the stems of its words, and those of its verbs in the past."""

    words: frozenset[str]
    past: frozenset[str]


def happened(text: str) -> Iterator[ReportedEvent]:
    """Yield what the sentences of an event report; questions and plans report nothing."""
    for part in groups(text):
        for sentence in _SENTENCE.split(tidy(" ".join(part))):
            if not sentence.endswith("?") and not _OPEN.search(sentence):
                yield ReportedEvent(stems(sentence), past(sentence))


class Awaited(NamedTuple):
    """An event that a blocker waits for."""

    words: frozenset[str]
    verb: str
    """The stem of its verb, if the blocker says who is to do it: "waiting for Ben to decide"."""

    def came(self, said: ReportedEvent) -> bool:
        """Return whether a sentence reports the event."""
        return self.words <= said.words and (not self.verb or self.verb in said.past)


def awaited(blocker: str) -> Awaited | None:
    """Return the event that a blocker waits for; None if it names none."""
    found = _obstacle(blocker)
    if found is None or found.re in LACKS:
        return None
    rest = blocker[found.end() :]
    event = stems(rest)
    due = _TO.match(f" {rest} ")
    if due:
        return Awaited(event, _root(due["verb"].casefold()))
    if not found[0].rstrip().casefold().endswith(("until", "unless", "before")):
        return None
    return Awaited(event, "") if len(event) > 1 else None


def awaits(blocker: str) -> bool:
    """Return whether a blocker says that its subject cannot go on: "[[a]] is blocked by …"."""
    return bool(_HELD.search(blocker) or _STATE.search(blocker))


def resolves(mark: str, said: str, blocker: str) -> bool:
    """Return whether something that is resolved is a blocker, in the same or in fewer words."""
    if fold(said) == fold(blocker):
        return True
    freed, held, cause = words(said), words(blocker), words(_cause(blocker))
    if not freed or not held:
        return False
    if mark == RESOLVED:
        return freed <= held or (bool(cause) and cause <= freed)
    return freed <= held and 2 * len(freed & cause) >= len(cause) > 0


def _cause(blocker: str) -> str:
    """Return what a blocker waits for, if its sentence says so."""
    found = _obstacle(blocker)
    if found is None:
        return blocker
    if found.re in LACKS:
        return blocker[: found.start()] if LEANING.search(found[0]) else found["cause"]
    ends = found[0].rstrip().casefold().endswith(_CAUSING)
    return blocker[: found.start()] if ends else blocker[found.end() :]
