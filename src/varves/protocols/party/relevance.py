"""Finds the memories of an agent that are relevant to a topic: they share significant words.

Words are compared by stem, without case and accents. Common words, words typical of any talk, and
single letters are not significant. A word that occurs with any topic ("open", "minutes", "ten")
shows this only together with another word. If no memory is relevant, nothing is offered.
"""

from __future__ import annotations

from unicodedata import combining, normalize

from varves.recall.question import terms_of
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.values.memory import Memory

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


def relevant(topic: str, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories relevant to a topic, those that share the most words first.

    Ties are ordered by confidence, then newest first.
    """
    wanted = significant(topic)
    found = []
    for place, memory in enumerate(memories):
        shared = wanted & significant(memory.text)
        if len(shared) > 1 or any(_is_telling(word) for word in shared):
            found.append((len(shared), memory.confidence or 0.0, place, memory))
    found.sort(key=lambda one: one[:3], reverse=True)
    return tuple(memory for *_, memory in found)


def _is_telling(word: str) -> bool:
    """Return whether a word is enough to show what a text is about."""
    return word not in _UNTELLING and not word.isdecimal()


def offer(display_name: str, topic: str, memories: Sequence[Memory]) -> FacilitatorLine:
    """Return the facilitator's line to an agent about a topic; `memories` has the oldest first."""
    cited = relevant(topic, memories)
    text = LINE.format(agent=display_name) if cited else ""
    return FacilitatorLine(text=text, cited=cited)
