"""Finds the proposals that a party accepts.

A proposal is accepted if every other agent agrees with it, or if at least one agrees and somebody
says that it is decided ("Great, then that is decided", "let's do it", or "so closing at six is
settled" of a proposal to close at six), and if in the end nobody objects or agrees only in part. A
later decision about the same matter takes its place.
"""

from __future__ import annotations

import re

from varves.language.acts import PROPOSES, RESTATES
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.changes import doubts, is_called_off, named, replacement
from varves.protocols.party.consent import PARTLY, WHOLLY, answered, says
from varves.protocols.party.objections import objects
from varves.protocols.party.phrases import cleaned, decided, is_about_talk
from varves.protocols.party.relevance import significant
from varves.protocols.party.turns import Heard, confirmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from varves.language.acts import SpeechAct
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import DecisionRecorded

_THEN_WE = re.compile(
    r"(?:(?:ok|okay|good|great|fine|right|alright|agreed|yes)\b[,.!]* )*"
    r"(?:then|so|so then|then so),? (?:we|let us)\b"
)
_SETTLED = re.compile(  # what is decided, in words of its own
    r"(?:(?:ok|okay|good|great|fine|right|alright|agreed|yes|so|then|and)\b[,.!]* )*"
    r"(?P<what>.+) is (?:now |then |hereby |therefore )*(?:decided|settled|agreed|fixed)"
    r"(?: then| now)?[.!]*$"
    r"|(?:done|settled|decided|agreed|good|great|perfect|ok|okay|so|then)\b[,:.!]* "
    r"(?:(?:so|then)\b,? )*(?P<how>(?!(?:i|you|he|she|they|it|that|this)\b).+ (?:will|shall)\b.+)"
)
_TAG = re.compile(r",?\s*\w+\W*$")
_SAYING = re.compile(r"^I(?:[\u2019']d| would)\s+say\s+(?:that\s+)?", re.IGNORECASE)


class _Offer:
    """A proposal before the party, and what the others say to it."""

    def __init__(self, one: Heard, text: str) -> None:
        self.number = self.latest = one.turn.number
        self.by = one.turn.agent
        self.text = text
        self.turns = [one.turn.event]
        self.words = significant(text)
        self.accepting: set[str] = set()
        self.against: set[str] = set()
        self.doubting: set[str] = set()  # they answered, and did not accept yet
        self.closed = False
        self.left = False  # the speaker went on to something else
        self.announced = False  # by the speaker alone: "compromise: two weeks. Decided."

    def is_accepted(self, agents: Collection[str]) -> bool:
        """Return whether the party accepts it."""
        if self.against or not (self.accepting or self.announced):
            return False
        return self.closed or {self.by, *self.accepting} >= set(agents)

    def hear(self, one: Heard, *, follows: bool) -> None:
        """Note what another agent's turn says to it."""
        if self.left and not self.words & significant(one.turn.text):
            return
        self.latest = one.turn.number
        if objects(one, self.by, follows=follows):
            self.accepting.discard(one.turn.agent)
            self.against.add(one.turn.agent)
            self.doubting.add(one.turn.agent)
            return
        if _says_again(one, self.words):
            self.closed = True
            answer: str | None = WHOLLY
        else:
            answer = answered(one, self.by, self.text, follows=follows)
        if answer == PARTLY:
            self.accepting.discard(one.turn.agent)
            self.against.add(one.turn.agent)
        elif answer == WHOLLY:
            self.against.discard(one.turn.agent)
            self.doubting.discard(one.turn.agent)
            self.accepting.add(one.turn.agent)
            self.turns = [self.turns[0], one.turn.event]
            self.closed = self.closed or says(one, "adopts")
        elif doubts(one):
            self.doubting.add(one.turn.agent)

    def replaced_by(self, one: Heard) -> TurnSentence | None:
        """Return what a turn names instead, while somebody has answered without accepting."""
        if not self.doubting or one.turn.number == self.number:
            return None
        return replacement(one, self.words, answered=self.doubting != {one.turn.agent})

    def go_on(self, one: Heard, last: Heard) -> None:
        """Note that the speaker goes on, perhaps to something else."""
        answers = (
            any(each.asks for each in last.spoken)
            or objects(last, self.by, follows=True)
            or (last.turn.number == self.number + 1 and not last.bonds)
        )
        about_it = self.words & significant(one.turn.text) or says(one, "concludes")
        self.left = self.left or not (answers or about_it)


def accepted(
    heard: Sequence[Heard], agents: Collection[str], records: Sequence[DecisionRecorded]
) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Yield the proposals that the party accepts: the turn's number, the events, and the text."""
    offers: list[_Offer] = []
    last: Heard | None = None
    steps: list[tuple[int, Heard | DecisionRecorded]] = [(one.turn.number, one) for one in heard]
    steps += [(one.number, one) for one in records]
    for number, step in sorted(steps, key=lambda pair: pair[0]):
        if not isinstance(step, Heard):
            offers = [each for each in offers if not each.words & significant(step.text)]
            continue
        for text in filter(None, map(decided, step.statements)):
            offers = [each for each in offers if not each.words & significant(text)]
        own = next((each for each in reversed(offers) if each.by == step.turn.agent), None)
        if own is not None and last is not None:
            own.go_on(step, last)
            own.closed = own.closed or bool(own.accepting and _says_again(step, own.words))
        last = step
        offer = _answered(step, offers)
        if offer is not None:
            offer.hear(step, follows=offer.latest == number - 1)
        if says(step, "concludes"):
            _close(offers)
        made = _offered(step)
        offers, other = _changed(step, offers)
        offers += [each for each in (made or other,) if each is not None]
    for each in offers:
        if each.is_accepted(agents):
            yield each.number, tuple(each.turns), each.text


def _says_again(one: Heard, words: frozenset[str]) -> bool:
    """Return whether a turn concludes in the words of a proposal: "then we skip the lamps"."""
    for each in one.spoken:
        if not each.is_own or each.said.guards.denies:
            continue
        if _THEN_WE.match(each.plain) and words and words <= significant(each.text):
            return True
        settled = _SETTLED.match(each.plain)
        if settled is None:
            continue
        told = significant(settled["what"] or settled["how"])
        if told and told <= words and (settled["what"] or len(told) > 1):
            return True
    return False


def _answered(one: Heard, offers: Sequence[_Offer]) -> _Offer | None:
    """Return the proposal that a turn answers: the last one of an agent it is about.

    An answer to somebody who has just accepted a proposal is about the proposal.
    """
    about: set[str | None] = {bond.other for bond in one.bonds}
    about = (about or {one.turn.to or one.answers}) - {one.turn.agent}
    return next(
        (
            each
            for each in reversed(offers)
            if each.by in about or (about & each.accepting and each.latest == one.turn.number - 1)
        ),
        None,
    )


def _changed(one: Heard, offers: Sequence[_Offer]) -> tuple[list[_Offer], _Offer | None]:
    """Return the proposals that a turn neither calls off nor replaces, and what replaces one."""
    left: list[_Offer] = []
    other: _Offer | None = None
    for each in offers:
        since = one.turn.number - each.latest
        if one.turn.number > each.number and is_called_off(one, since=since, words=each.words):
            continue
        instead = each.replaced_by(one)
        if instead is None:
            left.append(each)
        elif named(instead) is not None and not instead.asks:
            text = cleaned(instead.text)
            told = f"{text[:1].upper()}{text[1:]} (first proposal: {each.text})"
            other = _Offer(one, told)
    return left, other


def _close(offers: Sequence[_Offer]) -> None:
    """Close the last proposal, if somebody accepts it."""
    if offers and offers[-1].accepting and not offers[-1].left:
        offers[-1].closed = True


def _offered(one: Heard) -> _Offer | None:
    """Return the proposal that a turn puts before the party, if it does."""
    if one.turn.type not in {"statement", "proposal"}:
        return None
    typed = one.turn.type == "proposal"
    for place, each in enumerate(one.spoken):
        text = _proposal(each, typed=typed)
        if text:
            made = _Offer(one, text)
            after = one.spoken[place + 1 :]
            made.closed = made.announced = any(
                ENGLISH.acts["concludes"].search(later.plain) for later in after if later.is_own
            )
            return made
    return None


def _proposal(sentence: TurnSentence, *, typed: bool) -> str:
    """Return what a sentence proposes, without the words that put it forward."""
    meant = sentence.said.guards
    if (
        meant.supposes
        or meant.cites
        or (meant.tells and not typed)
        or sentence.act(RESTATES) is not None
    ):
        return ""
    offers = ENGLISH.acts["offers"].search(sentence.plain)
    act = sentence.act(PROPOSES)
    labelled = offers is not None and offers[0].endswith(":")
    wanted = confirmed(sentence)
    if not (typed or labelled or wanted or (offers is not None and act is not None)):
        return ""
    if decided(sentence) is not None:
        return ""
    text = cleaned(_TAG.sub("", sentence.whole) if wanted else _bare(sentence, act))
    text = _SAYING.sub("", text.rstrip("?").strip())
    told = wanted["value"] if wanted else act.value if act else ""
    if not significant(text) or is_about_talk(told):
        return ""
    return text[:1].upper() + text[1:]


def _bare(sentence: TurnSentence, act: SpeechAct | None) -> str:
    """Return a sentence without "I propose that" or "shall we"; "let's" remains."""
    if act is None or not (act.plainly or sentence.asks):
        return sentence.whole
    rest = sentence.whole[act.end - sentence.said.sentence.start :].strip(" ,:")
    for word in ("that ", "to ", "we ") if sentence.asks else ("that ", "to "):
        rest = rest.removeprefix(word)
    return rest
