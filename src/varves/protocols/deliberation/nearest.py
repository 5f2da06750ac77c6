"""Finds the proposal that a message refers to without naming it, among the messages before it.

Words of agreement or objection may also be about something else. "I agree" and "that is too slow"
speak of what is on the table. "I love this song" and "the coffee is too cold" speak of a thing of
their own: they count only if that thing occurs in the proposal, or is a ground on which people
decide, such as a cost or a deadline.
"""

from __future__ import annotations

import re

from varves.language.acts import OPPOSES, PROPOSES, SUPPORTS, Situation
from varves.language.english.tongue import ENGLISH
from varves.language.frames import MEASURES, is_soft, statement
from varves.language.reader import read
from varves.language.sentences import plain, sentences
from varves.language.tokens import canonical
from varves.protocols.deliberation.repeats import shared
from varves.protocols.deliberation.state import ACTIVE, PURGED, SUPPORT, SYSTEM
from varves.protocols.deliberation.subjects import trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.reader import Said
    from varves.protocols.deliberation.state import Message, Proposal, State

_REACH = 6  # how many messages back a statement may refer
_BARE = 3  # the most words of an answer that names nothing
_ASKS = 3  # how many messages back "I can do that" may refer
_READ = 4000  # the characters of an earlier message that are read again
_VIEWS = 2  # how many messages back an objection to a view may refer
_ALIKE = 0.15  # the least share of a proposal's words in a statement about it
_BOTH = re.compile(r"\bboth\b|\beither (?:one|idea|proposal)\b|\bneither\b")
_TABLED = Situation(tabled=True, answers=True)
_VIEWED = (PROPOSES, SUPPORTS, OPPOSES)


class Before:
    """The situation before a message."""

    def __init__(self, message: Message, state: State) -> None:
        self._message = message
        self._raised = {one.message for one in state.proposals}
        self._order = {one.id: place for place, one in enumerate(state.proposals)}
        self.agent = message.agent_id
        recent = [
            one
            for one in state.pending
            if one.type not in (SYSTEM, PURGED) and one.id != message.id
        ]
        self._pending = recent
        self.recent = _of_topic(recent[-_REACH:], message)
        self._turned = len(self.recent) < len(recent[-_REACH:])
        self.elsewhere = self._is_elsewhere(state)
        self.open = () if self.elsewhere else self._open(state)
        last = [one.id for one in self.recent[-_VIEWS:]]
        while last and last[0] not in {one.message for one in state.decisions}:
            del last[0]
        self.decided = [
            one
            for one in state.decisions
            if one.message in last[:1] and self._raised.isdisjoint(last[1:]) and not self.elsewhere
        ]
        """The decisions of one of the last messages, if nothing was proposed after it."""
        places = {one.id for one in self.recent}
        mine = (one for one in reversed(state.proposals) if one.message in places)
        self.own = next((one for one in mine if one.status == ACTIVE), None)
        """The last open proposal, which the speaker may have made."""
        self.asked = self._is_asked()
        """Whether the last message only asks: "yes" answers its question, and no proposal."""
        self.made = next(
            (
                one
                for one in reversed(state.proposals)
                if one.status == ACTIVE and one.proposer == message.agent_id
            ),
            None,
        )
        """The speaker's own last open proposal."""
        self.settled = next(
            (one for one in reversed(state.proposals) if one.status != ACTIVE), None
        )
        """The last proposal that is not open any more."""

    def _is_asked(self) -> bool:
        last = self.recent[-1] if self.recent else None
        if last is None or last.agent_id == self.agent or last.id in self._raised:
            return False
        heard = read(last.content, most=_READ)
        return bool(heard) and _errand(heard[-1]) and heard[-1].guards.asks

    def _open(self, state: State) -> tuple[Proposal, ...]:
        """Return others' active proposals that are recent enough to be meant, the latest first."""
        places = {one.id: place for place, one in enumerate(reversed(self.recent))}
        found = [
            one
            for one in reversed(state.proposals)
            if one.status == ACTIVE
            and one.proposer != self._message.agent_id
            and one.message != self._message.id
        ]
        near = [one for one in found if one.message in places or self._discussed(one)]
        # If a summary has just covered the messages, the last proposal still counts as near.
        alone = len(self.recent) < _ASKS and not self._turned
        return tuple(near or (found[:1] if alone else ()))

    def _is_elsewhere(self, state: State) -> bool:
        """Return whether the message answers one that is not about an open proposal or a decision.

        An answer to an answer is about what the first one is about.
        """
        known = {one.id: one for one in self._pending}
        reply, visited = self._message.reply_to, set[str]()
        while reply and reply not in visited:
            visited.add(reply)
            if any(reply in (one.message, one.id) for one in state.decisions):
                return False
            asked = [one for one in state.proposals if reply in (one.message, one.id)]
            if asked:
                return all(one.status != ACTIVE for one in asked)
            answered = known.get(reply)
            if answered is None:
                return True  # it is too long ago to be read
            if self._is_about(answered, state):
                return False
            reply = answered.reply_to
        return bool(visited)

    def _is_about(self, message: Message, state: State) -> bool:
        """Return whether a message that proposes nothing may be about an open proposal."""
        heard = read(message.content, _TABLED, most=_READ, kinds=_VIEWED)
        if any(map(_sides, heard)):
            return True
        points = ENGLISH.acts["points_back"]
        return any(points.search(one.sentence.plain) for one in heard) or any(
            shared(message.content, one.content) > 0
            for one in state.proposals
            if one.status == ACTIVE
        )

    def _discussed(self, proposal: Proposal) -> bool:
        """Return whether agents still react to a proposal that was made some messages ago."""
        if not proposal.reactions:
            return False
        reacting = {one.agent_id for one in proposal.reactions}
        began = next(
            (at for at, one in enumerate(self._pending) if one.id == proposal.message), None
        )
        last = began
        for at, one in enumerate(self._pending):
            if last is not None and last < at <= last + _REACH and one.agent_id in reacting:
                heard = read(one.content, _TABLED, most=_READ, kinds=_VIEWED)
                last = at if any(map(_sides, heard)) else last
        return last != began and last is not None and len(self._pending) - last <= _REACH

    def situation(self) -> Situation:
        """Return the situation before the speaker's message."""
        others = [one for one in self.recent if one.agent_id != self._message.agent_id]
        heard = [read(one.content, most=_READ) for one in others[-_ASKS:]]
        name = self._message.agent_id.lower()
        last = heard[-1] if heard else ()
        return Situation(
            tabled=not (last and _errand(last[-1]))
            and (
                bool(self.open or (self._message.reply_to and not self.elsewhere))
                or (not self.elsewhere and any(map(_viewed, heard[-_VIEWS:])))
            ),
            asked=any(_calls(one, name) for said in heard for one in said),
            agreed=any(one.act(SUPPORTS) for one in last),
            answers=_answerable(last)
            and (not last[-1].guards.asks or others[-1].id in self._raised),
            told=bool(last) and not _plainly_asks(last),
            called=any(_called(one, name) for one in last),
        )

    def meant(self, text: str) -> Proposal | None:
        """Return the open proposal that an agreement or objection most likely refers to."""
        folded = text.lower()
        for message in self.recent:
            who = message.agent_id
            if who != self._message.agent_id and _names(folded, who):
                return next((one for one in self.open if one.proposer == who), None)
        if not self.open:
            return None
        last = self.recent[-1] if self.recent else None
        if last is not None and len(text.split()) <= _BARE and last.id not in self._raised:
            spoken_of = self.mentioned(last.content)  # "Ben's idea, then." "I agree."
            one = next((one for one in self.open if one.id in spoken_of[:1]), None)
            if one is not None:
                return one
        scores = [(shared(text, one.content), one) for one in self.open]
        best = max(scores, key=lambda pair: pair[0])
        return best[1] if best[0] >= _ALIKE else self.open[0]

    def on_the_table(self, text: str) -> Proposal | None:
        """Return the proposal that "that" refers to: what is open, or the speaker's own proposal.

        The speaker's own is meant if another agent supported it after the others were made.
        """
        meant = self.meant(text)
        if meant is None or self.own is None or shared(text, meant.content) >= _ALIKE:
            return meant or self.own
        backed = any(one.reaction == SUPPORT for one in self.own.reactions)
        return self.own if backed and self._order[self.own.id] > self._order[meant.id] else meant

    def placed(self, place: int) -> Proposal | None:
        """Return the open proposal at a place in the order in which they were made, or None."""
        found = {one.id: one for one in (*self.open, *([self.own] if self.own else []))}
        known = sorted(found.values(), key=lambda one: self._order[one.id])
        return known[place] if len(known) > max(place, -place - 1) else None

    def last(self) -> str:
        """Return what another agent stated in the message before, or an empty string."""
        last = self.recent[-1] if self.recent else None
        if last is None or last.agent_id == self.agent or self.elsewhere:
            return ""
        heard = read(last.content, most=_READ)
        return trimmed(heard[-1].sentence.text) if heard and not heard[-1].guards.asks else ""

    def mentioned(self, text: str) -> tuple[str, ...]:
        """Return the ids of the open proposals that a clause mentions by their words or makers."""
        folded = text.lower()
        if len(self.open) == len(("one", "other")) and _BOTH.search(folded):
            return tuple(one.id for one in self.open)
        makers = {one.proposer for one in self.open}
        named = [who for who in makers if _names(folded, who)]
        if len(named) == 1:
            return tuple(one.id for one in self.open if one.proposer == named[0])[:1]
        scores = sorted(((shared(text, one.content), one.id) for one in self.open), reverse=True)
        best, *others = scores
        clear = best[0] >= _ALIKE and (not others or best[0] > others[0][0])
        return (best[1],) if clear else ()


def _of_topic(recent: list[Message], message: Message) -> list[Message]:
    """Return the last messages, from the one that changed the topic on."""
    if _changes_topic(message.content, first=True):
        return []
    turns = [at for at, one in enumerate(recent) if _changes_topic(one.content)]
    return recent[turns[-1] :] if turns else recent


def _changes_topic(text: str, *, first: bool = False) -> bool:
    """Return whether a message turns to another topic; with `first`, by its first sentence."""
    heard = sentences(text, most=_READ)
    turns = ENGLISH.acts["turns_to"]
    return any(turns.match(one.plain) for one in (heard[:1] if first else heard))


def _sides(one: Said) -> bool:
    """Return whether a sentence agrees or objects."""
    return one.act(SUPPORTS) is not None or one.act(OPPOSES) is not None


def _viewed(heard: tuple[Said, ...]) -> bool:
    """Return whether a message expresses a view on what should be done."""
    return any(one.act(kind) for one in heard for kind in _VIEWED)


def _answerable(heard: tuple[Said, ...]) -> bool:
    """Return whether "yes" to a message means assent.

    It does not if the message ends with a question that proposes nothing.
    """
    return bool(heard) and not _plainly_asks(heard) and _viewed(heard)


def _plainly_asks(heard: tuple[Said, ...]) -> bool:
    """Return whether a message ends with a question that proposes nothing."""
    return heard[-1].guards.asks and heard[-1].act(PROPOSES) is None


def _calls(one: Said, name: str) -> bool:
    """Return whether a sentence proposes that someone does a task, or asks this speaker."""
    form = one.sentence.plain
    named = re.search(rf"\b{re.escape(name)}\b", form) is not None
    wonders = ENGLISH.acts["wonders"].search(form) is not None  # "who can write it?"
    if one.act(PROPOSES) is not None or (one.guards.asks and wonders):
        return named or ENGLISH.acts["calls"].search(form) is not None
    return one.guards.asks and named and not _errand(one)


def _errand(one: Said) -> bool:
    """Return whether a sentence only asks for a favour."""
    return ENGLISH.acts["errands"].search(one.sentence.plain) is not None


def _called(one: Said, name: str) -> bool:
    """Return whether a sentence asks this speaker, by "you" or by name, to do a task."""
    form = one.sentence.done
    if not one.guards.asks or one.act(PROPOSES) is None:
        return False
    named = re.search(rf"\b(?:you|{re.escape(name)})\b", form) is not None
    return named and ENGLISH.acts["calls"].search(form) is not None


def _names(folded: str, who: str) -> bool:
    name = re.escape(who.lower())
    thing = r"(?:\w+ )?(?:idea|proposal|plan|suggestion|option|version|approach|solution)"
    pattern = rf"\b(?:with|to|as|like) @?{name}\b|\b{name}['\u2019]s {thing}\b"
    return re.search(pattern, folded) is not None


# A verb without its subject, which is what is on the table: "Won't work for large files."
_SUBJECTLESS = re.compile(
    r"\W*(?:will|would|can|could|does|is) not "
    r"(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|the|an?|my|our|your|their)\b)\w"
)
_AGREES = re.compile(r"\b(?:dis)?agree(?:d|s|ing)?\b|\bconcur\b", re.IGNORECASE)
_DEGREE = re.compile(r"^\s+(?:\w+ly|very much|a lot|a bit|more|less|enough|at all|too|here)\b")
_WITH_WHOM = re.compile(
    r"\s+with\s+@?[\w-]+['\u2019]s?\s+(?:point|concern|view|argument|idea|proposal|plan)\b|"
    r"\s+with\s+(?:@?[\w-]+|what\s+(?:@?[\w-]+|you)\s+"
    r"(?:said|says?|wrote|proposed?|suggest\w*)|(?:you|him|her|them|everyone|everybody|both|all)"
    r"(?:\s+(?:two|all|both|of you))?)"
    r"(?:\s+(?:here|there|on (?:this|that|it)|completely|fully|entirely|too|again))*\W*$"
)
_FOR_THE_GROUP = re.compile(
    r"\bwe\s+(?:really\s+|all\s+)?"
    r"(?:should|need|must|ought|can|could|have to|might|want|shall|will)\b|"
    r"\blet(?:['\u2019]?s| us)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:\u2013\u2014]\s|\s(?:and|but|because|so|since|as)\s")


def bears(text: str, start: int, end: int, content: str) -> bool:
    """Return whether a phrase in a sentence may be about a proposal that it does not name.

    Args:
        text: the sentence.
        start: the position at which the phrase begins.
        end: the position at which the phrase ends.
        content: the proposal.
    """
    begin = max((one.end() for one in _CLAUSE.finditer(text, 0, start)), default=0)
    stop = _CLAUSE.search(text, end)
    clause = text[begin : stop.start() if stop else len(text)]
    form = plain(clause)
    if ENGLISH.acts["points_back"].search(form):
        return True
    agrees = _AGREES.search(clause)
    if agrees is not None:  # "I agree that the concert was lovely" is about the concert
        told = _DEGREE.sub("", clause[agrees.end() :])
        if _WITH_WHOM.match(told) or _FOR_THE_GROUP.search(told):
            return True
        things, amounts = _things(told, 0, 0)
    elif ENGLISH.acts["takes_part"].search(form) or (start == begin and _SUBJECTLESS.match(form)):
        return True
    else:
        things, amounts = _things(clause, start - begin, end - begin)
    if not things or shared(" ".join((*things, *amounts)), content) > 0:
        return True
    return any(canonical(word.lower()) in _GROUNDS for word in things)


def _things(clause: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words for things in a clause, and for amounts.

    Within the phrase, only words with an article are things.
    """
    found, amounts = [], []
    for frame in statement(clause).frames:
        for one in frame.terms.values():
            if one.kind in MEASURES:
                amounts.append(one.raw)
            if one.kind in MEASURES or one.role == "verb" or is_soft(one.key):
                continue
            at = clause.find(one.raw)
            inside = start <= at < end and not _ARTICLE.search(clause[:at])
            if not inside and canonical(one.raw.lower()) not in _OPINIONS:
                found.append(one.raw)
    return found, amounts


_ARTICLE = re.compile(
    r"\b(?:the|a|an|this|that|these|those|my|your|our|their|his|her)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_OPINIONS_WORDS = """
idea plan proposal point approach option change suggestion solution compromise way call move choice
step direction sense thing view opinion concern doubt worry objection problem issue reason argument
case principle general theory whole sentiment speaker reasoning everything above good great fine
nice right wrong bad better best okay ok sure yes no agree fan thanks part
"""
_GROUNDS_WORDS = """
cost price budget money fee expense deadline schedule time effort work workload risk danger user
customer client reader member people team staff colleague neighbour parent performance speed latency
disk security privacy safety maintenance complexity compatibility quality reliability downtime
licence license law rule contract policy migration support space load noise scale precedent
experience evidence test data backup rollback timing location wording
"""
_OPINIONS = frozenset(map(canonical, _OPINIONS_WORDS.split()))
_GROUNDS = frozenset(map(canonical, _GROUNDS_WORDS.split()))
