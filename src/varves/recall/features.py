"""Features of a candidate: numbers that measure how well a memory answers a question.

Some features count the question's words in the memory, in the turns next to it and in the rest of
its session. Others test whether the memory is the kind of answer the question asks for. The last
ones do not depend on the question.
"""

from __future__ import annotations

from itertools import pairwise

from varves.recall.terms import SEARCHED, Terms, masks, prepared
from varves.recall.times import days
from varves.values.memory import PRIORITIES, SPLIT
from varves.values.scope import LEVELS
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.recall.question import Question

FAR = 5  # so many turns before and after a candidate show what the conversation is about
K1, B = 0.9, 0.3  # parameters of BM25
# what a word adds if a second or a third neighbouring turn also contains it
TWICE, THRICE = 0.31, 0.15
HALF_LIFE = 30.0  # after this many days, the recency is half as high
OFTEN = 10  # the number of uses at which the feature has half its maximum
DIRECT = 3  # the trust of a statement that a person made directly
SPECIFIC = {level: 1 - place / len(LEVELS) for place, level in enumerate(LEVELS)}
UNKNOWN = 0.5  # the confidence of a memory that states none
ROLES = frozenset(("user", "assistant", "system", "human", "ai", "model", "tool"))
SAYING = frozenset(("say", "says", "said", "tell", "tells", "told", "mention", "mentioned"))
ANSWERING = frozenset(("assistant", "ai", "model"))
SCALED = ("words", "near", "next", "session", "peak", "reply")
_TIME_WORDS = (
    *(" today", " yesterday", " tomorrow", " tonight", " last ", " next ", " ago ", " week"),
    *(" month", " year", " morning", " recently", " january", " february", " march ", " april"),
    *(" june", " july", " august", " september", " october", " november", " december", " 20"),
    *(" 19", " monday", " tuesday", " wednesday", " thursday", " friday", " saturday", " sunday"),
)
_NUMBER_WORDS = (
    *(" one ", " two ", " three ", " four ", " five ", " six ", " seven ", " eight ", " nine "),
    *(" ten ", " once ", " twice ", " dozen ", " couple ", " several "),
)
_PLACES = (" in ", " at ", " to ", " from ", " near ", " around ")
_DIGITS = "0123456789"
_LOOKED_AT = 2000  # the most characters of a text that are searched for signs of an answer


class Candidate:
    """The fields of a memory that ranking uses, and its features."""

    __slots__ = (
        *("n", "id", "text", "summary", "topic", "tags", "speaker", "session", "at", "priority"),
        *("confidence", "trust", "scope", "hlc", "words", "held", "size"),
        *("spread", "features", "score", "uses", "kind"),
    )

    def __init__(self, row: tuple[Any, ...], score: float) -> None:
        (self.n, self.text, self.summary, self.topic, self.tags, self.speaker, self.session,
         self.at, self.priority, self.confidence, self.trust, self.scope, self.id, self.hlc,
         _) = row  # fmt: skip
        self.spread = ""  # the texts that are searched, and the mask of the terms in them
        self.held = 0
        self.size = 1 + min(len(self.text), SEARCHED) / 6
        self.words = score
        self.features: dict[str, float] = {}
        self.score = 0.0
        self.uses = 0
        self.kind = "plain"
        if self.speaker and self.session:
            self.kind = "chat" if self.speaker.lower() in ROLES else "people"


def candidates_of(
    rows: Sequence[tuple[Any, ...]], scores: dict[int, float], terms: Terms
) -> dict[int, Candidate]:
    """Return the candidates of rows that a search returned, by number."""
    found = [Candidate(row, scores.get(row[0], 0.0)) for row in rows]
    # speaker, text, summary, topic, tags and cited paths
    spreads = prepared([(row[5], *row[1:5], row[-1]) for row in rows])
    for one, text, held in zip(found, spreads, terms.held(spreads), strict=True):
        one.spread, one.held = text, held
    return {one.n: one for one in found}


def measure(
    candidates: Sequence[Candidate],
    question: Question,
    terms: Terms,
    *,
    runs: Iterable[Sequence[Candidate]],
    now: str,
) -> None:
    """Compute the features of every candidate, and store them in it.

    Args:
        candidates: the candidates.
        question: the question.
        terms: its terms.
        runs: the turns of conversations that follow each other without a gap; candidates that are
            not plain memories are among them.
        now: the instant of the question.
    """
    if not candidates:
        return
    today = days(now)
    average = sum([one.size for one in candidates]) / len(candidates)
    named = _named(candidates, question)
    hidden = ~terms.mask(named)
    sessions = _sessions(candidates, terms, hidden)
    moments = {one.at for one in candidates}
    recency = {at: 0.5 ** (max(0.0, today - days(at)) / HALF_LIFE) for at in moments}
    times = question.times
    dates = {} if times is None else {at: times.match(at) for at in moments}
    pairs = masks([(pair, True) for pair in question.pairs], [one.spread for one in candidates])
    for one, paired in zip(candidates, pairs, strict=True):
        found = one.features
        held = one.held & hidden
        found["words"] = one.words
        found["peak"] = terms.peak(one.spread, held)
        found["size"] = min(1.0, (one.size / average) ** 0.5 / 2)
        if one.session:
            found["session"] = sessions[one.session]
        if named and one.speaker in named:
            found["who"] = 1.0
        if dates:
            found["date"] = dates[one.at]
        if paired:
            found["pairs"] = paired.bit_count() / len(question.pairs)
        _looks(one, question)
        found["recency"] = recency[one.at]
        _priors(one, question)
    for run in runs:
        _around(run, terms, average, hidden)
    every = [one.features for one in candidates]
    covered = max([terms.worth(one.held) for one in candidates]) / terms.whole
    for name in SCALED:
        most = max([found.get(name, 0.0) for found in every])
        if most > 0:
            scale = covered / most
            for found in every:
                if name in found:
                    found[name] *= scale


def _norm(size: float) -> float:
    return (K1 + 1) / (1 + K1 * (1 - B + B * size))


def _around(run: Sequence[Candidate], terms: Terms, average: float, hidden: int) -> None:
    """Add the features that come from a memory's neighbours in its session.

    Args:
        run: turns that follow each other; those that have features already are candidates.
        terms: the terms of the question.
        average: the average size of a candidate.
        hidden: the mask of the terms that count.
    """
    worth, mass = terms.worth, terms.mass
    ends = [0] * FAR
    held = [*ends, *[one.held & hidden for one in run], *ends]
    sizes = [0.0, 0.0, *[one.size for one in run], 0.0, 0.0]
    for place, one in enumerate(run):
        found = one.features
        if not found or one.kind == "plain":  # a plain memory has no neighbours in its session
            continue
        e, d, c, b, a, own, v, w, x, y, z = held[place : place + 2 * FAR + 1]
        once = a | v
        twice, once = a & v | own & once, own | once
        size = sizes[place + 1] + sizes[place + 2] + sizes[place + 3]
        found["next"] = (worth(once) + TWICE * worth(twice)) * _norm(size / average / 3)
        thrice = a & own & v | twice & (b | w) | once & b & w
        twice |= once & (b | w) | b & w
        once |= b | w
        full = worth(once) + TWICE * worth(twice) + THRICE * worth(thrice)
        size += sizes[place] + sizes[place + 4]
        found["near"] = full * _norm(size / average / 5)
        found["far"] = worth(once | c | d | e | x | y | z) / mass
        if place and (asking := run[place - 1]).speaker != one.speaker and "?" in asking.text:
            found["reply"] = worth(a)


def _sessions(candidates: Sequence[Candidate], terms: Terms, hidden: int) -> dict[str, float]:
    """Return a score by session, from the terms that its candidates contain.

    A term that is frequent in the session counts for more.
    """
    counts: dict[str, list[int]] = {}
    for one in candidates:
        if one.session:
            held = counts.setdefault(one.session, [0] * len(terms.weights))
            mask, place = one.held & hidden, 0
            while mask:
                held[place] += mask & 1
                mask >>= 1
                place += 1
    return {
        session: sum(
            weight * count * 2 / (count + 1)
            for weight, count in zip(terms.weights, held, strict=True)
        )
        for session, held in counts.items()
    }


def _named(candidates: Sequence[Candidate], question: Question) -> set[str]:
    """Return the speaker that a question names, as a set; empty if it names none or several.

    The speaker of a plain memory counts only if the question asks what somebody said: otherwise,
    what others recorded about the person is as good an answer.
    """
    saying = not SAYING.isdisjoint(question.names)
    speakers = {
        one.speaker
        for one in candidates
        if (one.session or (saying and one.speaker not in ROLES)) and (one.speaker or "").strip()
    }
    named = {who for who in speakers if question.names.issuperset(who.lower().split())}
    named = named or {who for who in speakers if who.split()[0].lower() in question.names}
    return named if len(named) == 1 else set()


def _looks(one: Candidate, question: Question) -> None:
    """Add the features that show whether a memory is the kind of answer that is asked for."""
    found, wants = one.features, question.wants
    text = one.text[:_LOOKED_AT]
    if text.rstrip()[-1:] == "?":
        found["asks"] = 1.0
    if one.speaker in ROLES:
        found["role"] = float((one.speaker in ANSWERING) == ("told" in wants))
    if not wants:
        return
    if "when" in wants and any(word in one.spread for word in _TIME_WORDS):
        found["when"] = 1.0
    if "number" in wants and (
        any(digit in text for digit in _DIGITS) or any(word in one.spread for word in _NUMBER_WORDS)
    ):
        found["number"] = 1.0
    if "place" in wants and _has_place(text):
        found["place"] = 1.0
    if "name" in wants and _has_name(text):
        found["name"] = 1.0
    if "quote" in wants and ('"' in text or "“" in text):
        found["quote"] = 1.0


def _has_place(text: str) -> bool:
    for word in _PLACES:
        at = text.find(word)
        while at >= 0:
            if text[at + len(word) : at + len(word) + 1].isupper():
                return True
            at = text.find(word, at + 1)
    return False


def _has_name(text: str) -> bool:
    """Return whether a word inside a sentence begins with a capital letter."""
    said = text.split()
    return any(
        word[0].isupper() and word[1:].islower() and before[-1].islower()
        for before, word in pairwise(said)
    )


def _priors(one: Candidate, question: Question) -> None:
    """Add the features that do not depend on the question, including those of protocols."""
    found = one.features
    # the number or text may be from anyone who can write to the log
    found["confidence"] = UNKNOWN if one.confidence is None else min(1.0, max(0.0, one.confidence))
    if one.priority in PRIORITIES:
        found[one.priority] = 1.0
    if one.uses:
        found["use"] = one.uses / (one.uses + OFTEN)
    if one.trust >= DIRECT:
        found["trust"] = 1.0
    found["scope"] = SPECIFIC.get(one.scope.partition(":")[0], 0.0)
    if one.tags:
        tags = [words(tag) for tag in one.tags.split(SPLIT)]
        tagged = sum([bool(tag) and question.names.issuperset(tag) for tag in tags])
        if tagged:
            found["tags"] = float(tagged)


def count_keywords(candidates: Sequence[Candidate], question: Question) -> None:
    """Add the number of the question's terms that are whole words of the candidate's summary."""
    terms = frozenset(question.terms)
    for one in candidates:
        held = terms.intersection(words(one.summary or one.text))
        if held:
            one.features["keywords"] = float(len(held))
