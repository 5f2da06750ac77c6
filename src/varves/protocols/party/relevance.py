"""Finds the memories of an agent that are relevant to a topic: they share significant words.

Words are compared by stem, without case and accents; recall's table of related words connects those
that differ ("tires" and "tyres", "billing" and "invoices"). Common words, words typical of any
talk, and single letters are not significant. A word that occurs with any topic ("open", "minutes",
"ten") shows this only together with another word, the verb of a memory ("shipments arrive") and the
general half of a compound ("kiln room") also beside another memory that is relevant. If no memory
is relevant, nothing is offered.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from unicodedata import combining, normalize

from varves.recall.question import terms_of
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from varves.values.memory import Memory

    _Near = tuple[frozenset[str], frozenset[str], bool]

_EVERYDAY = """
    use using used make made get go going come take give put want need try work way thing think
    believe say know see look good better best well bad new old one two first last many much lot
    time day must may might shall cannot let prefer preference decide decision decided agree
    disagree propose proposal suggest observation fact constraint reject rejected accept
    accepted compromise project team party topic discuss instead rather always never
    still yet even really maybe perhaps probably without within notice noticed found turn since
    also keep ok okay yes yeah
"""
_ANY_TOPIC = """
    zero three four five six seven eight nine ten eleven twelve dozen twenty thirty forty fifty
    hundred thousand million half double second third fourth fifth next several single minute
    hour week month quarter year morning afternoon evening night today tomorrow yesterday date
    moment period while often usually sometimes soon later early late ago daily weekly monthly
    yearly annual

    open close start stop begin end finish run call ask answer tell show stay leave move turn
    bring hold set help play live happen seem feel become meet talk write read send find follow
    learn add change check create allow include continue spend grow offer remember consider
    appear wait expect stand sit fall reach remain raise pass require cause mean plan care act
    fill cover carry drop pick pull push handle fit join choose speak hear watch listen explain
    describe compare prepare improve reduce increase enable provide support receive avoid
    involve affect depend contain

    big small large little high low long short easy hard simple difficult great nice fine bad
    worse important different similar same other another able free full empty clear possible
    impossible real true false main whole entire certain common general special normal usual
    typical current recent previous final future past quick slow fast strong weak right wrong
    left wide deep far near available necessary useful useless ready busy happy basic extra
    total enough likely major minor top bottom

    question reason idea problem issue point part place case group number amount list item kind
    sort type level side line name word example result step order area course matter story view
    people person man woman child world life hand eye head country system meeting session agenda
    note task goal option choice detail information status update overview summary outlook
    situation condition aspect factor impact effect risk chance benefit advantage approach
    method process rule standard role state rest bit piece sign term sense difference purpose
    position direction action activity event feedback comment review opinion thought experience
    topic subject theme focus priority beginning middle company business everyone everybody
    someone somebody anyone something anything nothing everything
"""
_WEAK = frozenset(stem(word) for word in _EVERYDAY.split())
_UNTELLING = frozenset(stem(word) for word in _ANY_TOPIC.split())
LINE = "{agent}, based on your experience from previous sessions..."
_INSIGNIFICANT = _WEAK | _UNTELLING
_MENT = re.compile(r"(?<=\w{3})ment$")
_RECURS = re.compile(  # a moment that comes again
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}[:.]\d\d|\d+ ?[ap]\.?m"
    r"|noon|midnight)\b",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\bhours\b", re.IGNORECASE)
_SURE = 7 / 9  # the least strength of a related word that shows alone what a text is about
_LEAST = 2  # the fewest letters of a significant word


class FacilitatorLine(Value):
    """The facilitator's line for one agent, and the memories it is based on; both may be empty."""

    text: str
    cited: tuple[Memory, ...]


def significant(text: str) -> frozenset[str]:
    """Return the stems of a text's significant words."""
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    found = (word for word in terms_of(text) if word not in STOPWORDS and len(word) >= _LEAST)
    return frozenset(stem(word) for word in found) - _WEAK


def relevant(topic: str, memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """Return the memories relevant to a topic, those that share the most words first.

    Ties are ordered by confidence, then newest first. Related words count only if no memory has
    enough words of the topic; a verb alone counts only beside a memory that has enough.
    """
    return _ranked(topic, memories, ()) or _ranked(topic, memories, _related(topic))


def _ranked(topic: str, memories: Iterable[Memory], near: Collection[_Near]) -> tuple[Memory, ...]:
    wanted = _roots(topic)
    recurs = _RECURS.search(topic) or _HOURS.search(topic)
    found: list[tuple[int, int, float, int, Memory]] = []
    also: list[tuple[int, int, float, int, Memory]] = []
    for place, memory in enumerate(memories):
        held = _roots(memory.text)
        shared = wanted.keys() & held.keys()
        met = [(origins - shared, sure) for words, origins, sure in near if words <= held.keys()]
        alike = frozenset[str]().union(*(origins for origins, _ in met))
        at_a_time = bool(shared and recurs and _RECURS.search(memory.text))
        sure = any(origins for origins, strongly in met if strongly)
        backs = _supporting(memory.text) if shared < wanted.keys() else frozenset()
        told = {wanted[word] for word in shared if _is_telling(held[word])}
        enough = told - backs or sure or len(shared) + len(alike) + at_a_time > 1
        if told or enough:
            kept = found if enough else also
            kept.append((len(shared), len(alike), memory.confidence or 0.0, place, memory))
    ranked = sorted([*found, *also], key=lambda one: one[:4], reverse=True) if found else []
    return tuple(memory for *_, memory in ranked)


def _roots(text: str) -> dict[str, str]:
    """Return the roots of a text's significant words, each with its stem: "payment" has "pay"."""
    return {_root(word): word for word in significant(text)}


def _root(word: str) -> str:
    return _MENT.sub("", word)


def _related(topic: str) -> list[_Near]:
    """Return what is related to a topic: its words, the topic's words it stands for, how surely."""
    from varves.recall.related import related

    wanted = _roots(topic)
    found = []
    for other, came in related(terms_of(topic)).items():
        words = _roots(other)
        origins = (
            frozenset(_root(one) for word in came for one in significant(word)) & wanted.keys()
        )
        if words and origins and not words.keys() & wanted.keys():
            telling = any(map(_is_telling, words)) and any(map(_is_telling, origins))
            sure = telling and max(came.values()) >= _SURE
            found.append((frozenset(words), frozenset(origins), sure))
    return found


def _supporting(text: str) -> frozenset[str]:
    """Return the verbs of a memory, and the general halves of its compounds, as stems."""
    modals, words = _heads()
    said = [word.casefold() for word in re.findall(r"[^\W_]+", text)]
    return frozenset(
        stem(word)
        for before, word in pairwise(said)
        if stem(word) in words
        and (before in modals or (before not in STOPWORDS and stem(before) not in _INSIGNIFICANT))
    )


@cache
def _heads() -> tuple[frozenset[str], frozenset[str]]:
    """Return the modal verbs, and the stems of the words that may be a verb or a general noun."""
    from varves.language.english.nouns import PLACE_LABELS
    from varves.language.english.verbs import MODALS, VERBS

    return frozenset(MODALS), frozenset(map(stem, (*VERBS, *PLACE_LABELS)))


def _is_telling(word: str) -> bool:
    """Return whether a word is enough to show what a text is about."""
    return word not in _UNTELLING and not word.isdecimal()


def offer(display_name: str, topic: str, memories: Sequence[Memory]) -> FacilitatorLine:
    """Return the facilitator's line to an agent about a topic; `memories` has the oldest first."""
    cited = relevant(topic, memories)
    text = LINE.format(agent=display_name) if cited else ""
    return FacilitatorLine(text=text, cited=cited)
