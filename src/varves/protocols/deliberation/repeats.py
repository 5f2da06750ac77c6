"""Detection of proposals that were made before, in the same words or in others.

Two proposals are compared by the stems of their significant words. Words that only introduce an
idea ("I propose", "could we") do not count, and synonyms count as one word. The score is the weight
of the shared words relative to all words; general words weigh less. A second score counts words of
one topic ("cushions", "pillows") as partly shared. If a comparison by meaning is available, it is
used too, and any of them may detect a repetition.

Neither comparison recognises different ideas with similar texts, so these are checked separately:
another number for the same thing, a negation in only one of them, or the same sentence with one
word replaced, such as dark for light.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache

from varves.language.differences import excludes
from varves.language.judge import CONTRADICTION, SAME
from varves.language.matter import RELATED, topics_of
from varves.language.replacing import opinion
from varves.language.tokens import canonical
from varves.values.lexicon import COUNTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from varves.protocols.deliberation.state import ConversationDecision, Proposal

    Likeness = Callable[[str, Sequence[str]], list[float] | None]
    """Returns how similar in meaning a text is to each of several others, up to 1, or None."""

# Defaults, chosen on one half of benchmarks/deliberation/pairs.jsonl.
THRESHOLD = 0.36  # the least similarity by words
MEANING = 0.5  # the least similarity by meaning
TOPICS = 0.36  # the least similarity if words of one topic count as similar
SUBJECT = 0.45  # the least similarity if the texts share no word, or only the name of one thing
_VERBATIM = 0.4  # the share of equal words above which a replaced word makes it a different idea
_MOST = 60  # the maximum number of words of a proposal that are compared
_WEAK = 0.35  # the weight of a general word
_ENOUGH = 3  # the least shared weight for a short text to repeat a longer one that contains it
_FEWEST = 1.3  # the least shared weight for two texts that each say more to be one idea
_OWN = 2  # the least words that each of two texts with one subject says of it alone
_ALIKE = 4  # the letters that two words of one family begin with: "colour", "colour-coded"
_PHRASE = 2  # the least words of a text with which another one begins
_HELD = 0.7  # the score of a short text whose words the longer one all contains
_REACH = 3  # the number of words that a negation applies to
_TAKEN = 0.3  # the factor for the score of two different ideas
_TURN = "!"  # stands for each negating word
_LACK = "lacking"  # negates one word: "without gluten"
# A question that invites: its negation does not belong to the idea.
_INVITES = re.compile(
    r"^\W*(?:why (?:don't|do not|not|can't|couldn't|shouldn't|wouldn't)|"
    r"(?:shouldn't|couldn't|can't|wouldn't it be (?:better|best|good|wise) (?:if|to)))\b"
)
# A reason is not part of the idea: "because hardly anyone comes".
_REASON = re.compile(
    r"^\W*(?:since|because|as there|given that) [^,]{3,80}, | (?:because|since|given that) .*$"
)
# Phrases, and the word that stands for each.
_PHRASES = tuple(
    (re.compile(rf"\b{phrase}\b"), word)
    for phrase, word in (
        (r"([a-z]{3,})-free", r"lacking \1"),
        (
            r"without ([a-z]+)(?= (?:weekly|monthly|for|on|in|at|every|once|each)\b|\W*$)",
            r"lacking \1",
        ),
        ("using", "with"),
        ("(?:goes|go|going) out", "go"),
        ("after lunch", "afternoon"),
        ("(?:at )?the end of (?:the|each|every) day", "evening"),
        ("(?:drop|dropping|end|ending|no longer) support(?:ing)?", "stop support"),
        ("pre-?orders?", "order"),
        ("stay (?=shut|closed|open)", ""),
    )
)
_AWAY = re.compile(r"\b(?:out of(?! the box)|away from)\b")  # moving there or leaving there
_WORD = re.compile(r"[a-z0-9][a-z0-9'.+#-]*[a-z0-9+#]|[a-z0-9]")

# Words that only introduce an idea, or join words.
_FORWARD = """
a an the this that these those it its itself is are was were be been being am i me my mine we us our
ours you your they them their he she his her and or of to in into on onto at by from with as for if
so do does did done have has had having what how about why should shall could can would will may
might must ought let lets propose suggest suggestion proposal think guess say mean maybe perhaps
probably just also too then than there here when where who which whose any some all each every both
more most much very really i'd i'll i'm i've we'd we'll we've let's it's that's isn't like rather
prefer want wish need consider idea please now once because since up out off down over one ones
thing things something someone somebody anyone everyone people instead ideally only even still yet
"""
# Words that occur in many ideas and so characterise none: verbs, and others.
_DOING = """
use make put get give take go come move keep set add change write run see show look start try ask
happen support allow require need introduce decide bake cook offer
"""
_ANYWHERE = """
project system way version case time part first next last other
different same good better best big small old newer
"""
# Words that reverse an idea, as in dropping instead of keeping.
_ROUND = """
not no never without cannot don't won't shouldn't can't stop drop remove delete disable abandon
scrap quit skip reject discard
"""
# Synonyms in talk about work; the first one stands for all.
_SENSES = (
    "keep retain preserve",
    "postpone delay defer wait",
    "repository repo",
    "documentation docs doc document",
    "configuration config setting",
    "directory folder",
    "color colour",
    "issue ticket",
    "package dependency library",
    "fix repair mend",
    "join merge unite combine",
    "split separate divide break",
    "hire recruit",
    "rotate change renew",
    "introduce add",
    "write author",
    "second another",
    "month monthly",
    "week weekly",
    "year yearly annually",
    "day daily",
    "begin start",
    "fast quick rapid",
    "database db",
    "function fn method",
    "message notification",
    "ship launch",
    "leftover unsold surplus",
    "discount rebate",
    "donate give",
    "async asynchronous asynchronously",
    "sync synchronous synchronously",
    "authentication auth",
    "administrator admin",
    "production prod",
    "environment env",
    "specification spec",
    "kubernetes k8s",
    "postgresql postgres",
)
# Words that introduce or join, but also limit an idea or turn its direction: "from", "only".
_LIMITING = "off down out from only some any most more once until"
_BEING = frozenset(["is", "are", "was", "were", "be", "been", "being", "gets"])
_SILENT = frozenset(_FORWARD.split())
_VERBS = frozenset(map(canonical, _DOING.split()))
_GENERAL = _VERBS.union(map(canonical, _ANYWHERE.split()))
_LIMITS = frozenset(_LIMITING.split())
_TURNING = frozenset(map(canonical, _ROUND.split()))
_SENSE = {
    canonical(word): canonical(row.split()[0]) for row in reversed(_SENSES) for word in row.split()
}


def earlier(
    content: str, proposals: Iterable[Proposal], least: float, *, likeness: Likeness | None = None
) -> tuple[str | None, float]:
    """Return the proposal that a text repeats, or None, and the similarity.

    Args:
        content: the new proposal.
        proposals: the earlier proposals, including resolved ones.
        least: the least similarity; 0 selects the measured defaults.
        likeness: compares meanings; None to compare only words.
    """
    own = _told(content)
    others = [(one.id, _told(one.content)) for one in proposals]
    meant = likeness(own.plain, [told.plain for _, told in others]) if likeness and others else None
    best: tuple[str | None, float] = (None, 0.0)
    for (name, told), meaning in zip(others, meant or [0.0] * len(others), strict=True):
        words, topics = _overlap(own, told), _related(own, told)
        score = max(words, topics, min(meaning, 1.0))
        near = words >= (least or THRESHOLD) or topics >= (least or TOPICS)
        near = near and (score >= (least or SUBJECT) or not _one_subject(own, told))
        near = near or meaning >= (least or MEANING)
        if near and score > best[1] and not _apart_by_judge(own, told):
            best = name, score
    return best


def _apart_by_judge(own: _Told, other: _Told) -> bool:
    """Return whether two similar texts are different ideas; the judge decides if it can."""
    verdict = opinion(other.text, own.text)
    if verdict is not None and verdict.kind == SAME:
        return False
    against = verdict is not None and verdict.kind == CONTRADICTION
    return against or _differ(own, other)


def restates(one: str, other: str) -> bool:
    """Return whether two proposals say the same in nearly the same words.

    Both have the same words in the same order, but for endings, synonyms and words that only join.
    A general verb may stand elsewhere, and one of the two may add some: "use cosign to sign
    releases". "Errors are logged" has the order of "log errors".
    """
    content = _content(one)
    if not content or content != _content(other):
        return False
    here, there = (
        Counter(word for word in _exact(text) if word in _VERBS) for text in (one, other)
    )
    return here <= there or there <= here


def same_words(one: str, other: str) -> bool:
    """Return whether two texts have the same words in any order, except for general verbs."""
    return set(_content(one)) == set(_content(other))


@lru_cache(maxsize=2048)
def _content(text: str) -> tuple[str, ...]:
    """Return the words of a text as `_exact` does, without general verbs."""
    return tuple(word for word in _exact(text) if word not in _VERBS)


def _exact(text: str) -> list[str]:
    """Return the words that say what is proposed, in the order of an active sentence.

    Words that reverse an idea stay apart here: to disable a thing is not to remove it.
    """
    told: list[str] = []
    passive = False
    for word in _spelled(text):
        if word in _BEING and told:
            passive = True
        elif word not in _SILENT or word in _LIMITS:
            own = canonical(word)
            number = _number(word)
            own = f"#{number}" if number else _SENSE.get(own, own)
            told.insert(0 if passive else len(told), own)
            passive = False
    return told


def _spelled(text: str) -> list[str]:
    """Return the words of a proposal without a reason, each phrase as its word."""
    plain = _AWAY.sub(" without ", text.lower().replace("\u2019", "'"))
    plain = _INVITES.sub("", plain)
    plain = _REASON.sub("", plain) or plain
    for phrase, word in _PHRASES:
        plain = phrase.sub(word, plain)
    return [word.removesuffix("'s") for word in _WORD.findall(plain)]


def begins(whole: str, part: str) -> bool:
    """Return whether a text says what another says, and then more: "signed cookies for guests"."""
    left, right = _content(whole), _content(part)
    return len(left) > len(right) >= _PHRASE and left[: len(right)] == right


def decided_before(
    content: str, decisions: Sequence[ConversationDecision]
) -> ConversationDecision | None:
    """Return the decision in force that says what a proposal says, or None."""
    replaced = {one.replaces for one in decisions}
    standing = (one for one in reversed(decisions) if one.id not in replaced)
    return next((one for one in standing if restates(content, one.outcome)), None)


def likeness(one: str, other: str) -> float:
    """Return the similarity of two proposals by their words, from 0 to 1."""
    here, there = _told(one), _told(other)
    score = _overlap(here, there)
    return score * _TAKEN if score and _differ(here, there) else score


def shared(one: str, other: str) -> float:
    """Return the share of the shorter text's words that the other contains, from 0 to 1."""
    here, there = _told(one), _told(other)
    least = min(_weight(here.all), _weight(there.all))
    return _weight(here.all & there.all) / least if least else 0.0


def covered(one: str, other: str) -> float:
    """Return the share of a text's significant words that the other contains, from 0 to 1."""
    here, there = _told(one), _told(other)
    whole = _weight(here.all)
    return _weight(here.all & there.all) / whole if whole else 0.0


def significant(text: str) -> frozenset[str]:
    """Return the words of a text that characterise an idea, as they are compared."""
    return _told(text).all


def contradicts(one: str, other: str) -> bool:
    """Return whether two texts are different ideas, however similar: another number, a negation."""
    return _apart_by_judge(_told(one), _told(other))


def is_name(text: str) -> bool:
    """Return whether a text has only one significant word, such as "go with Redis"."""
    words = _told(text).all
    return sum(word not in _GENERAL for word in words) == 1


class _Told:
    """The words of a proposal, prepared for comparison."""

    __slots__ = ("all", "carried", "order", "plain", "said", "text", "topics")

    def __init__(self, text: str) -> None:
        self.text = text
        words = _spelled(text)[:_MOST]
        while len(words) > 1 and words[0] in _SILENT:
            del words[0]
        self.order = [_sense(word) for word in words]
        """All words, normalised; in `carried`, all but the significant ones are empty."""
        self.carried = [_carried(*pair) for pair in zip(words, self.order, strict=True)]
        self.all = frozenset(self.carried) - {"", _TURN, _LACK}
        self.topics = {
            sense: topics_of(word, sense)
            for word, sense in zip(words, self.carried, strict=True)
            if sense in self.all
        }
        """The topics of each significant word."""
        self.said = [word for word in self.carried if word]
        """The significant words in order."""
        self.plain = " ".join(word for word in words if word not in _SILENT)

    def turned(self) -> dict[str, set[bool]]:
        """Return for each word whether it is negated.

        A word that occurs twice may have both values.
        """
        found: dict[str, set[bool]] = {}
        told = self.said
        for at, word in enumerate(told):
            before = told[max(0, at - _REACH) : at]
            turns = before.count(_TURN) + (before[-1:] == [_LACK])
            found.setdefault(word, set()).add(turns % 2 == 1)
        return found

    def counted(self) -> dict[str, set[str]]:
        """Return the numbers next to each word."""
        found: dict[str, set[str]] = {}
        told = self.said
        for at, word in enumerate(told):
            if word[0] == "#":
                for beside in (*told[max(0, at - 1) : at], *told[at + 1 : at + 2]):
                    if beside[0] != "#":
                        found.setdefault(beside, set()).add(word)
        return found


@lru_cache(maxsize=2048)  # a proposal is compared with each one after it
def _told(text: str) -> _Told:
    return _Told(text)


def _number(word: str) -> str:
    return COUNTS.get(word, "") if word.isalpha() else word if word[0].isdigit() else ""


def _sense(word: str) -> str:
    number, own = _number(word), canonical(word)
    if word == _LACK:
        return word
    return f"#{number}" if number else _TURN if own in _TURNING else _SENSE.get(own, own)


def _carried(word: str, sense: str) -> str:
    return "" if word in _SILENT else sense


def _weight(words: Iterable[str]) -> float:
    return sum(_WEAK if word in _GENERAL else 1.0 for word in sorted(words))


def _overlap(one: _Told, other: _Told) -> float:
    both = _weight(one.all & other.all)
    if not both or (both < _FEWEST and one.all - other.all and other.all - one.all):
        return 0.0
    here, there = _weight(one.all), _weight(other.all)
    score = 2 * both / (here + there)
    return max(score, _HELD * both / min(here, there)) if both >= _ENOUGH else score


def _related(one: _Told, other: _Told) -> float:
    """Return the similarity of two texts by the topics of their words, from 0 to 1.

    At least two words must be related.
    """
    found = [_nearest(word, topics, other) for word, topics in one.topics.items()]
    back = [_nearest(word, topics, one) for word, topics in other.topics.items()]
    whole = _weight(one.all) + _weight(other.all)
    several = min(sum(map(bool, found)), sum(map(bool, back))) > 1
    return (sum(found) + sum(back)) / whole if several else 0.0


def _one_subject(one: _Told, other: _Told) -> bool:
    """Return whether two texts share no word, or one name of which each says something else.

    "Cache the product list in Redis" and "rate limit the product list by IP" share a subject only.
    """
    both = one.all & other.all
    if not both:
        return True
    if not (_is_run(both, one) and _is_run(both, other)):
        return False
    own = [{word for word in told.all - both if word not in _GENERAL} for told in (one, other)]
    if min(map(len, own)) < _OWN:
        return False
    return not any(
        here[:_ALIKE] == there[:_ALIKE] or one.topics[here] & other.topics[there]
        for here in own[0]
        for there in own[1]
    )


def _is_run(words: frozenset[str], told: _Told) -> bool:
    """Return whether a text has some words beside each other and nowhere else."""
    at = [place for place, word in enumerate(told.said) if word in words]
    return bool(at) and at[-1] - at[0] + 1 == len(at)


def _nearest(word: str, topics: frozenset[int], other: _Told) -> float:
    """Return how far a text mentions a word, weighted: itself, or a word of one of its topics."""
    weight = _weight((word,))
    if word in other.all:
        return weight
    related = (_weight((near,)) for near, those in other.topics.items() if topics & those)
    return RELATED * min(weight, max(related, default=0.0))


def _differ(one: _Told, other: _Told) -> bool:
    """Return whether two similar texts are different ideas."""
    return (
        _counts_apart(one.all, other.all)
        or _apart(one.counted(), other.counted())
        or _apart(one.turned(), other.turned())
        or _swapped(one, other)
        or _opposed(one.all - other.all, other.all - one.all)
    )


def _counts_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether only the numbers of two texts differ: "the 12th", "the 19th"."""
    here, there = ({word for word in words if word[0] == "#"} for words in (one, other))
    return bool(here and there) and here.isdisjoint(there) and one - here == other - there


def _opposed(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether the texts name opposite values: raise and lower, IPv4 and IPv6."""
    return any(excludes(here, there) for here in one for there in other)


def _apart(one: Mapping[str, set[Any]], other: Mapping[str, set[Any]]) -> bool:
    """Return whether two texts have different values for a word that both contain."""
    both = one.keys() & other.keys() - _GENERAL - {_TURN, _LACK}
    return any(one[word].isdisjoint(other[word]) for word in both)


def _swapped(one: _Told, other: _Told) -> bool:
    """Return whether two texts have mostly the same wording with some words replaced."""
    steps = SequenceMatcher(None, one.order, other.order, autojunk=False).get_opcodes()
    same = sum(end - start for kind, start, end, _, _ in steps if kind == "equal")
    if 2 * same <= _VERBATIM * (len(one.order) + len(other.order)):
        return False
    moved = one.all & other.all if one.all != other.all else frozenset()
    for kind, start, end, begin, stop in steps:
        left = {word for word in one.carried[start:end] if word} - moved
        right = {word for word in other.carried[begin:stop] if word} - moved
        if kind == "replace" and left and right and not _GENERAL.issuperset(left | right):
            return True
    return False
