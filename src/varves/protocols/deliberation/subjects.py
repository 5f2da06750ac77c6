"""The topic and outcome of a decision, and the content of a proposal.

The outcome is the text after the phrase that decides, up to the end of its sentence. The topic is
the text in quotation marks in that sentence, or else the text after about, regarding, on or for.
A label ("Rate limit: …") comes before these, and otherwise it is the subject: what the outcome's
clause is about. A proposal's content is the text after the phrase that proposes.
"""

from __future__ import annotations

import re

from varves.language.frames import MEASURES, TIMES, statement
from varves.language.sentences import is_shortened
from varves.protocols.deliberation.punctuation import predicative
from varves.values.gist import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.language.frames import Frame, Mention
    from varves.protocols.deliberation.patterns import PatternPlace, SearchedText

LONGEST = 500  # the maximum number of characters of a topic, an outcome, a content or a position
_BACK = 2000  # characters before a match in which its sentence may begin
# A question in quotation marks does not end a sentence that goes on: `ask "Who pays?" first`.
_ENDS = re.compile(
    r"[.!?\u2026]+(?=[\"'\u201d\u2019)\]*_]*(?:\s|$))(?![\"\u201d\u2019']+ [a-z])|\n|$"
)
_TAG = re.compile(r"\[[A-Za-z]+\]|(?<!\S)(?:={3,}|-{3,}|~{3,})(?!\S)")
_LEADING = re.compile(r"(?:[\s:,;.!\u2013\u2014*_\u2026-]|--+|#{1,6}(?=\s))+")
_LIST = re.compile(
    r"[\s:;.!*_]*\n\s*((?:[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]+[^\n]{1,500}(?:\n|$)){1,20})"
)
_POINT = re.compile(r"^[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_EMPHASIS = re.compile(
    r"(?<![\w/*_`])(?P<opens>\*{1,3}|_{1,3})(?=[^\s*_])|"
    r"(?<=[^\s*_/`])(?P<closes>\*{1,3}|_{2,3}|_(?=[:;,.!?)]))(?![\w*_/`])"
)
_TRAILING = " \t\r\n.!?,;:*_\u2026"
_QUOTES = (
    re.compile(r"\"([^\"\n]{1,100})\""),
    re.compile(r"\u201c([^\u201d\n]{1,100})\u201d"),
    re.compile(r"\u00ab\s?([^\u00bb\n]{1,100}?)\s?\u00bb"),
    re.compile(r"`([^`\n]{1,100})`"),
    # An apostrophe has a letter on its left; an opening quotation mark has none.
    re.compile(r"(?<![\w'])['\u2018](?=\S)([^\n]{1,100}?)(?<=\S)['\u2019](?!\w)"),
)
_AFTER = (
    re.compile(r"(?<![\w-])(?:about|regarding)\s+", re.IGNORECASE),
    re.compile(r"(?<![\w-])(?:on|for)\s+", re.IGNORECASE),
)
_STOP = re.compile(
    r"[,;!?()\n\u2013\u2014]|:(?!\d)|\.(?=\s|$)|\s-+\s|\s(?:that|to|is|are|was|will|would|because|since|so|"
    r"but|with|by|in|as|until|if|when|we|it|they|for|on|about|except|unless|from|after|before|"
    r"while|once)\s",
    re.IGNORECASE,
)
_NOTHING = """
now example instance sure good this that these those it me us you them him her all both once time
hold board top everyone everybody everything reasons later today tomorrow ever
"""
_NO_TOPIC = frozenset(_NOTHING.split())
_ARTICLES = frozenset(("a", "an", "the", "our", "its"))
_OTHER_DETERMINERS = "this that these those my your their each every"
_DETERMINERS = _ARTICLES.union(_OTHER_DETERMINERS.split())
_TOPIC_FIRST = re.compile(r"\W*(?:about|regarding|on|for)\s+\W*", re.IGNORECASE)
_CHOOSING = (
    r"(?:to )?(?:(?:use|go with|pick|choose|take|adopt|try|keep|stay with|stick with|switch to|"
    r"move to) )?(?:(?:the|a|an|our) )?"
)
_JOINING = frozenset(("in", "on", "at", "with", "by", "from", "to", "of", "and", "or", "not"))
# The words before the verb or the thing that an outcome begins with.
_LEAD = re.compile(
    r"^(?:(?:so|then|and|now|ok(?:ay)?|yes|agreed|great|good|from now on)\b,? )*"
    r"(?:@?\w+, )?(?:(?:can|could|would|will) (?:you|someone|anyone) (?:please )?)?"
    r"(?:that )?(?:(?:let['\u2019]?s|we|you|i|everyone)(?:['\u2019](?:ll|re|ve|d))? )?"
    r"(?:(?:will|should|shall|would|can|could|must|may|might|need|want|have|are|going|ought|all|"
    r"just|now|not|never|to|against|on|for|with|go|stick|stay|settle) )*",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"(?<=\w)(?:,? it is)?(?:,? then)?$", re.IGNORECASE)
# The subject at a sentence's start: on the release we agreed.
_OPENING = re.compile(
    r"\s*(?:\W*(?:so|and|now|ok(?:ay)?)\b,? )?(?:as )?"
    r"((?:about|regarding|on|for)\s+[^,:;\n]{2,60}?)"
    r"(?:[,:;]|\s(?=(?:we|let's|everyone)\b))",
    re.IGNORECASE,
)
# The words that may be between two terms of one topic: "copy of the sessions".
_BETWEEN = frozenset(("of", "the", "a", "an", "and", "per", "our", "based", "free", "level"))
_ENDING = re.compile(r"['\u2019]s?(?!\w)|(?:-\w+)+|(?::\d+)+")
# A verb with the word that belongs to it: "roll back the wrapper".
_PARTICLE = re.compile(
    r"(\w+ (?:back|up|out|off|over|down|away|through|ahead|forward|along|apart|together))"
    r"\s+(?!(?:on|in|to|with|for|from|at|of|by|into|onto)\b)(?=\w)",
    re.IGNORECASE,
)
# The last word of a name after its other words: the "limit" of "add the rate limit".
_LAST_WORD = re.compile(r" (?!\w*ly\b)([a-z]{3,})(?=\s*(?:[.!?,;:]|$))")
_NO_LAST_WORDS = """
back out off over down away through ahead forward along apart together again now then too instead
first later soon today tomorrow tonight anyway here there once twice only also free open
"""
_NO_LAST = frozenset(_NO_LAST_WORDS.split())
_MAKES = re.compile(
    r"\W*(?:make|keep|leave|get|turn|set|render|declare|hold|let|call)\b", re.IGNORECASE
)
_ADVERB = re.compile(
    r"(?i:only|also|still|just|even|again|instead|too|always|never|soon|often)$|"
    r"(?!(?:family|supply|reply|assembly|anomaly|monopoly|ally|rally|tally|fly)$)\w{3,}ly$"
)
_DURATION = re.compile(
    r"(?:(?:at (?:least|most)|about|around|roughly|up to|more than|less than|only|just|one|two|"
    r"three|four|five|six|ten|another|the|a|an|this|that|next|last|each|every|whole|full|entire|first|"
    r"second|coming|current|few|couple|of|half|several|some|many|rest|remainder|end|start|beginning|more|"
    r"other|\d+)\s+)*"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|weekends?|months?|quarters?|years?|sprints?|while|"
    r"bit|time being|time|moment|summer|winter|spring|autumn|season|mornings?|afternoons?|"
    r"evenings?|nights?|noon|midnight|q[1-4])\W*",
    re.IGNORECASE,
)
_LINKING = {
    "decision": re.compile(r"\s*(?:is|was|that)\b|,?\s+(?:then|now|so)\s*(?=:)", re.IGNORECASE),
    "proposal": re.compile(r"\s*(?:that|is|was|would\s+be)\b(?:\s+that\b)?", re.IGNORECASE),
}
_WITH_THAT = re.compile(r"with\s+that\s+\w")  # "let's go with that from May on"
_WORD = re.compile(r"\w+")
_THEN = re.compile(r"^\W*(?:then|so|now|namely|this)\b\s?[:,]\s*", re.IGNORECASE)
_AT_LAST = re.compile(r",?\s+(?:then|now|too|anyway|after all|instead|for now)$", re.IGNORECASE)
# Words that stand for what was proposed, and verdicts on it.
_STANDS_FOR = re.compile(
    r"(?:\w+ ){0,2}(?:(?:it|them)\b|(?:that|this)\b(?=\W*$| (?:with|for|as|in|on|at|by|from|until|"
    r"then|now)\b))|"
    r"(?:rejected|accepted|approved|declined|denied|postponed|deferred|adopted|passed|carried|"
    r"granted|yes|no|go|no-go|agreed)\W*$",
    re.IGNORECASE,
)
_INVITING = re.compile(
    r"(?:(?:so|and|or|maybe|perhaps|ok(?:ay)?|well|then|i think|i suggest|i'd say),? )*"
    r"(?:(?:how|what) about|what if we|why not|why don['\u2019]t we|"
    r"(?:should|could|can|would|shall)(?:n['\u2019]t)? we|let['\u2019]?s|"
    r"we (?:could|should|might|can))"
    r"(?: (?:just|simply|also|perhaps|maybe|rather))*\s+(?!not\b)",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"(?:(?:ok(?:ay)?|fine|great|good|right|alright|yes|so|then|well)\b[,.!]*\s+)*"
    r"(\S+(?:\s+\S+){0,5}?),?\s+it\s+is(?:,?\s+then)?",
    re.IGNORECASE,
)
# What is said between the verb and what was decided: ", after long talks, to".
_BETWEEN_VERB = re.compile(
    r"(?:\s*,|\s+[\u2013\u2014-]{1,2})\s[^,;:.!?\n\u2013\u2014]{2,80}"
    r"(?:,|\s[\u2013\u2014-]{1,2})(?=\s+(?:to|that|on|not|against)\b)"
)
_ON = re.compile(
    r"(?:up)?on\s+(?!(?:\w+days?|tomorrow|the \d|\d{1,2}(?:st|nd|rd|th)|behalf|condition|how|what|"
    r"whether|which|who|when|where)\b)(?=\S)",
    re.IGNORECASE,
)
# The name of a matter before its outcome: "Rate limit: 100 requests per minute".
_LABEL = re.compile(
    r"(?!(?:about|regarding|on|upon|for|with|option|variant|plan|proposal|step|note|"
    r"yes|no|ok|so|this|it|we|the following|result|outcome|conclusion|answer|reason|because|\d)\b)"
    r"([a-z][\w/.+-]*(?: [\w/.+-]+){0,3}):\s+(?!.*;)(?=\S)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"[,;(]|:(?!\d)|\s(?:to|with|by|in|on|for|as|at|from|per|before|after|until|except|unless|via|through|"
    r"over|under|instead|and that)\s",
    re.IGNORECASE,
)
_FORM = re.compile(r"\w{2,}(?:ed|ing|ly)", re.IGNORECASE)  # of a word that describes a noun
_CHARGES = frozenset(("own", "lead", "review", "chair", "maintain", "handle", "manage"))
_CHOOSES = frozenset(("use", "choose", "pick", "select", "adopt", "prefer"))
_CLAUSE_END = re.compile(r"[,;:\u2013\u2014]\s|\s(?:because|since|so that|as)\s")


def sentence_bounds(text: str, place: PatternPlace) -> tuple[int, int]:
    """Return the beginning and the end of the sentence that contains a place."""
    begin = max(0, place.start - _BACK)
    start = begin
    for match in _ENDS.finditer(text, begin, place.start):
        if match.end() <= place.start and match[0] and not _shortened(text, match):
            start = match.end()
    return start, sentence_end(text, place.end)


def sentence_end(text: str, start: int) -> int:
    """Return the end of the sentence that contains a position."""
    limit = min(len(text), start + LONGEST)
    for match in _ENDS.finditer(text, start, limit):
        if match[0] != "" and match[0] != "\n" and _shortened(text, match):
            continue
        return match.start()
    return limit


def _shortened(text: str, stop: re.Match[str]) -> bool:
    """Return whether a full stop belongs to an abbreviation."""
    return stop[0] == "." and is_shortened(text, stop.start())


def sentence(text: SearchedText, place: PatternPlace) -> str:
    """Return the sentence that contains a place, as it was written."""
    start, end = sentence_bounds(text.plain, place)
    start += len(text.plain[start:end]) - len(text.plain[start:end].lstrip())
    return trimmed(text.text[start : min(len(text.text), end + 1)], ends=" ,;")


def trimmed(text: str, ends: str = _TRAILING) -> str:
    """Return a text on one line, without tags and leading marks, and cut to the limit."""
    short = " ".join(_TAG.sub(" ", text[: 2 * LONGEST]).split())
    lead = _LEADING.match(short)
    short = short[lead.end() :] if lead else short
    short = _balanced(short.rstrip(ends) if ends else short.rstrip(), short)
    if len(short) > LONGEST:
        short = short[: LONGEST - 1].rsplit(" ", 1)[0] + "\u2026"
    return short


def _balanced(text: str, whole: str) -> str:
    """Return the beginning of a text with the closing marks of its emphasis, and no other ones."""
    opened: list[re.Match[str]] = []
    parts, at = [], 0
    for mark in _EMPHASIS.finditer(text):
        if mark["opens"]:
            opened.append(mark)
        elif opened and opened[-1]["opens"] == mark["closes"]:
            opened.pop()
        else:
            parts.append(text[at : mark.start()])
            at = mark.end()
    rest = "".join((*parts, text[at:]))
    closing = opened[-1]["opens"] if opened else ""
    return rest + closing if closing and whole.startswith(closing, len(text)) else rest


def rest(text: SearchedText, place: PatternPlace, kind: str) -> str:
    """Return the text after a phrase, up to the end of the sentence; if empty, the sentence."""
    start = place.end
    while (
        start < len(text.plain) and text.plain[start - 1].isalnum() and text.plain[start].isalnum()
    ):
        start += 1  # the pattern ended within a word
    aside = _BETWEEN_VERB.match(text.plain, start) if kind == "decision" else None
    start = aside.end() if aside else start
    names = _WITH_THAT.match(text.folded, max(0, start - len("with")))
    linking = None if names else _LINKING[kind].match(text.plain, start)
    start = linking.end() if linking else start
    points = _points(text, start)
    if points:
        return points
    lead = _LEADING.match(text.plain, start, start + LONGEST)
    after = lead.end() if lead else start
    between = text.plain[start:after].lstrip("*_ \t")
    broken = "\n" in between and kind == "decision" and not place.marker
    told = between[:1] in (".", "!") and (
        predicative(text.plain[: place.start]) or (kind == "decision" and not place.marker)
    )
    if not (broken or told) or between.startswith(":"):
        end = sentence_end(text.plain, after)
        found = trimmed(text.text[after:end])
        if _WORD.search(found):
            leads_on = text.plain[after:end].rstrip().endswith(":")
            points = _points(text, end) if leads_on else ""
            return trimmed(f"{found}: {points}") if points else found
    whole = trimmed(sentence(text, place))
    return whole or _all(text)


def _points(text: SearchedText, start: int) -> str:
    """Return a list that begins on the next line, as one line; empty if there is none."""
    found = _LIST.match(text.plain, start, start + 2 * LONGEST)
    if found is None:
        return ""
    lines = _POINT.sub("", text.text[found.start(1) : found.end(1)]).splitlines()
    return trimmed("; ".join(line for each in lines if (line := trimmed(each))))


def _all(text: SearchedText) -> str:
    """Return the message on one line, including a message that is only a tag."""
    return trimmed(text.text) or " ".join(text.text.split())[:LONGEST]


def quotes(part: str) -> list[str]:
    """Return the texts in quotation marks in a sentence."""
    found = [match for pattern in _QUOTES for match in pattern.finditer(part)]
    told = (" ".join(match[1].split()).rstrip(",;:") for match in sorted(found, key=_place))
    return [one for one in told if _WORD.search(one)]


def _place(match: re.Match[str]) -> int:
    return match.start()


def subject(text: SearchedText, place: PatternPlace, outcome: str, words: int) -> tuple[str, bool]:
    """Return the topic of a decision that the reader found, and whether its sentence names it.

    Args:
        text: the message.
        place: the phrase that decides.
        outcome: what was decided, or the proposal that was.
        words: the maximum number of words of the topic.
    """
    start, end = sentence_bounds(text.plain, place)
    for quoted in quotes(text.text[start:end]):
        return quoted, True
    label = _LABEL.match(outcome)
    if label:
        return label[1], True
    opening = _OPENING.match(text.text, start, end)
    opens = text.text[opening.start(1) : opening.end()] if opening else ""
    for pattern in _AFTER:
        told = "" if _tells(outcome) else outcome
        for part in (told, opens, text.text[place.start : place.end]):
            for match in pattern.finditer(part):
                found = _named(part, match.end(), words)
                if found and not _is_time(found) and not _opens_with(part, match, found):
                    return found, part is told or not limits(text, place, found)
    return gist(outcome, words) or _all(text), False


def _opens_with(part: str, match: re.Match[str], found: str) -> bool:
    """Return whether a part begins with a limit: "For the next release, we need a changelog"."""
    begins = not part[: match.start()].strip() and match[0].lower().startswith("for")
    after = part[match.end() + len(found) :].lstrip()
    return begins and after.startswith(",") and _WORD.search(after) is not None


def _tells(outcome: str) -> bool:
    """Return whether an outcome is a clause about its subject: "images are resized on the client".

    In "Redis is used for sessions", the subject is what is chosen.
    """
    frame = next(iter(statement(outcome).frames), None)
    if frame is None or not frame.verb or _nominal(frame) or frame.verb in _CHOOSES:
        return False
    if _TOPIC_FIRST.match(outcome):
        return False
    return _LEAD.match(outcome)[0] == "" and any(  # type: ignore[index]
        one.role in ("subject", "patient") for one in frame.terms.values()
    )


def is_phrase(text: str) -> bool:
    """Return whether a text only names a thing: "signed cookies", but not "to sign cookies"."""
    frame = next(iter(statement(text).frames), None)
    return frame is None or not frame.verb or _nominal(frame)


def _nominal(frame: Frame) -> bool:
    """Return whether the verb of a frame is a noun: "chunked uploads", "nightly snapshots"."""
    about = [one for one in frame.terms.values() if one.role == "subject"]
    return len(about) == 1 and (
        _FORM.fullmatch(about[0].raw) is not None or about[0].kind in (*MEASURES, *TIMES)
    )


def gist(text: str, words: int) -> str:
    """Return what the first clause of a text is about, in at most this many of its words."""
    told = _IT_IS.sub("", _LEAD.sub("", text))
    apart = _PARTICLE.match(told)
    if apart and told != text:  # "roll back the wrapper" is read as "roll the wrapper"
        told = told[: apart.end(1)].split()[0] + told[apart.end(1) :]
    for frame in statement(told).frames[:1]:
        begins = told != text and told.lower().startswith(_first(frame))
        terms = [one for one in frame.terms.values() if not one.aside]
        if not begins and frame.verb and _nominal(frame):
            return trimmed(" ".join(_PREPOSITION.split(told)[0].split()[:words]))
        if begins:  # with a verb, which is read as a noun if it is not known as one
            roles: tuple[tuple[str, ...], ...] = (("object", "subject", "patient"), ("to", "with"))
            terms = terms[1:]
        else:
            roles = (("subject", "patient"), ("object",), ("to", "with"))
            who = any(one.kind == "person" and told.startswith(f"{one.raw} ") for one in terms)
            roles = (roles[1], roles[0], roles[2]) if who or frame.verb in _CHARGES else roles
        for role in roles:
            some = [one for one in terms if one.role in role and not _ADVERB.match(one.raw)]
            found = _span(told, some, whole=told != text and not _MAKES.match(told))
            if found:
                return trimmed(" ".join(found.split()[:words]))
    return trimmed(" ".join(told.split()[:words])) or trimmed(" ".join(text.split()[:words]))


def _first(frame: Frame) -> str:
    return next((one.raw.lower() for one in frame.terms.values()), " ")


def _is_time(found: str) -> bool:
    """Return whether a text is only a time or an amount, and so cannot be a topic."""
    if _DURATION.fullmatch(found):
        return True
    terms = [one for frame in statement(found).frames for one in frame.terms.values()]
    return bool(terms) and all(one.kind in MEASURES for one in terms)


def names_thing(text: str) -> bool:
    """Return whether the first clause of a text names what it is about: not in "to do it"."""
    clause = _CLAUSE_END.split(_THEN.sub("", text))[0]
    if _STANDS_FOR.match(_LEAD.sub("", clause)):
        return False
    found = [one for frame in statement(clause).frames for one in frame.terms.values()]
    told = _LEAD.sub("", clause).lower()
    begun = told != clause.lower()  # with a verb
    return any(
        one.role != "verb" and not (begun and told.startswith(one.raw.lower())) for one in found
    )


def _span(text: str, terms: Sequence[Mention], *, whole: bool = False) -> str:
    """Return the part of a text from its first term on, with the terms that follow closely.

    With `whole`, a last word that is no term belongs to it: the "limit" of "the rate limit".
    """
    begin = end = 0
    for one in terms:
        found = re.compile(rf"(?<!\w){re.escape(one.raw)}(?!\w)").search(text, end)
        if found is None or (not end and one.kind in MEASURES) or one.kind in TIMES:
            continue
        between = text[end : found.start()]
        if end and not _BETWEEN.issuperset(between.lower().split()):
            break
        ending = _ENDING.match(text, found.end())
        begin, end = begin if end else found.start(), ending.end() if ending else found.end()
    last = _LAST_WORD.match(text, end) if whole and end else None
    if last and last[1] not in _NO_LAST:
        end = last.end(1)
    hyphened = re.search(r"[\w-]+-$", text[:begin])
    return text[hyphened.start() if hyphened else begin : end]


def _named(part: str, start: int, words: int) -> str:
    """Return the text after a word such as about, or an empty string if it is not a topic."""
    stop = _STOP.search(part, start)
    found = trimmed(" ".join(part[start : stop.start() if stop else len(part)].split()[:words]))
    found = _AT_LAST.sub("", found)
    told = found.lower().split()
    return "" if not told or told[0] in _NO_TOPIC else found


def without_topic(found: str, about: str) -> str:
    """Return an outcome without what only introduces it: "on caching: use Redis", "on Redis"."""
    lead = re.match(
        rf"(?:about|regarding|on|for)\s+[\"'\u201c\u2018`]?{re.escape(about)}[\"'\u201d\u2019`]?\s*:\s*",
        found,
        re.IGNORECASE,
    )
    lead = lead or _ON.match(found)
    return found[lead.end() :] if lead and lead.end() < len(found) else found


def chosen(told: str) -> str:
    """Return what is chosen in a sentence such as "OK, Redis it is then", or else the sentence."""
    found = _CHOSEN.fullmatch(told)
    return found[1] if found else told


def idea(content: str) -> str:
    """Return a proposal without the words that only invite to it: "how about", "shouldn't we"."""
    found = _INVITING.match(content)
    return content[found.end() :] if found and names_thing(content[found.end() :]) else content


def same_topic(one: str, other: str) -> bool:
    """Return whether two topics are the same, ignoring case, marks, endings and articles."""
    return _bare(one) == _bare(other)


def within(topic: str, outcome: str) -> bool:
    """Return whether an outcome contains its topic: "use X for the shop", but not "on the shop: X".

    Such a topic may have several decisions, of which each is about something else.
    """
    found = re.search(rf"(?<!\w){re.escape(topic)}(?!\w)", outcome, re.IGNORECASE)
    label = _LABEL.match(outcome)
    if label and same_topic(label[1], topic):
        return False
    return found is not None and _TOPIC_FIRST.fullmatch(outcome[: found.start()]) is None


def limits(text: SearchedText, place: PatternPlace, topic: str) -> bool:
    """Return whether a sentence begins with its topic as a limit: "For the shop we decided …"."""
    start, end = sentence_bounds(text.plain, place)
    lead = rf"\W*(?:(?:so|and|now|ok(?:ay)?)\b,? )?for\s+\W*{re.escape(topic)}(?!\w)(?!\W?:)"
    return re.match(lead, text.text[start:end], re.IGNORECASE) is not None


def chosen_for(topic: str, outcome: str) -> bool:
    """Return whether an outcome only names what is chosen for a purpose: "use files for storage".

    A purpose has no article: much may be decided for the billing service.
    """
    purpose = topic.lower().split()[:1] and topic.lower().split()[0] not in _DETERMINERS
    shape = rf"{_CHOOSING}(?P<choice>[\w.+#-]+(?: [\w.+#-]+){{0,2}}) (?:for|as) {re.escape(topic)}"
    found = re.fullmatch(shape, outcome, re.IGNORECASE) if purpose else None
    return found is not None and _JOINING.isdisjoint(found["choice"].lower().split())


def same_outcome(one: str, other: str) -> bool:
    """Return whether two outcomes have the same words, in any order."""
    return sorted(_bare(one)) == sorted(_bare(other))


def _bare(text: str) -> list[str]:
    words = (word for word in _WORD.findall(text.lower()) if word not in _ARTICLES)
    return [stem(word) for word in words]
