"""The rules that find memories in a party's talk; pure and deterministic.

Each sentence of a turn is read separately, first for relations. A sentence that states a relation
is not used for anything else. Decisions belong to all agents; everything else belongs to the
speaker. The levels of confidence are published: a decision or a stated fact is highest, then a
strong argument without an answer, then an observation, then an inference.

A proposal is accepted if every other agent agrees with it, or if at least one agrees and somebody
says that it is decided ("Great, then that is decided", "let's do it"), and if in the end nobody
objects. A later decision about the same matter takes its place.
"""

from __future__ import annotations

from varves.language.acts import PROPOSES, RESTATES
from varves.language.english.tongue import ENGLISH
from varves.language.names import Names
from varves.protocols.party.debates import (
    Heard,
    debates_in,
    is_disputed,
    objects,
    unchallenged,
    won,
)
from varves.protocols.party.options import PartyOptions
from varves.protocols.party.phrases import (
    KEPT,
    KeptSentence,
    cleaned,
    covers,
    decided,
    is_about_talk,
    is_choice,
    worth,
)
from varves.protocols.party.relations import AGREES, TYPED, addressees, bonds, named, said
from varves.protocols.party.relevance import significant
from varves.protocols.party.sentences import sentences
from varves.protocols.party.talk import SAID, TalkFinding
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from varves.language.acts import SpeechAct
    from varves.protocols.party.debates import Won
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import Bond, DecisionRecorded, PartyTalk, Turn


class _Offer:
    """A proposal before the party, and what the others say to it."""

    def __init__(self, one: Heard, text: str) -> None:
        self.number = one.turn.number
        self.by = one.turn.agent
        self.text = text
        self.turns = [one.turn.event]
        self.words = significant(text)
        self.accepting: set[str] = set()
        self.against: set[str] = set()
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
        if objects(one, self.by, follows=follows):
            self.accepting.discard(one.turn.agent)
            self.against.add(one.turn.agent)
        elif _agrees(one, self.by):
            self.against.discard(one.turn.agent)
            self.accepting.add(one.turn.agent)
            self.turns = [self.turns[0], one.turn.event]
            self.closed = self.closed or _says(one, "adopts")

    def go_on(self, one: Heard, last: Heard) -> None:
        """Note that the speaker goes on, perhaps to something else."""
        answers = any(each.asks for each in last.spoken) or objects(last, self.by, follows=True)
        about_it = self.words & significant(one.turn.text) or _says(one, "concludes")
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
        last = step
        answered = _answered(step, offers)
        if answered is not None:
            answered.hear(step, follows=answered.number == number - 1)
        if _says(step, "concludes"):
            _close(offers)
        made = _offered(step)
        if made is not None:
            offers.append(made)
    for each in offers:
        if each.is_accepted(agents):
            yield each.number, tuple(each.turns), each.text


def _answered(one: Heard, offers: Sequence[_Offer]) -> _Offer | None:
    """Return the proposal that a turn answers: the last one of an agent it is about."""
    about: set[str | None] = {bond.other for bond in one.bonds}
    about = (about or {one.turn.to or one.answers}) - {one.turn.agent}
    return next((each for each in reversed(offers) if each.by in about), None)


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
    if not (typed or labelled or (offers is not None and act is not None)):
        return ""
    if decided(sentence) is not None:
        return ""
    text = cleaned(_bare(sentence, act)).rstrip("?").strip()
    if not significant(text) or (act is not None and is_about_talk(act)):
        return ""
    return text[:1].upper() + text[1:]


def _bare(sentence: TurnSentence, act: SpeechAct | None) -> str:
    """Return a sentence without "I propose that" or "shall we"; "let's" remains."""
    if act is None or not (act.plainly or sentence.asks):
        return sentence.text
    rest = sentence.text[act.end - sentence.said.sentence.start :].strip(" ,:")
    for word in ("that ", "to ", "we ") if sentence.asks else ("that ", "to "):
        rest = rest.removeprefix(word)
    return rest


def _agrees(one: Heard, speaker: str) -> bool:
    """Return whether a turn agrees with a speaker."""
    if any((bond.relation, bond.other) == (AGREES, speaker) for bond in one.bonds):
        return True
    answers = (one.turn.to or one.answers) == speaker
    return answers and (
        one.turn.type == "agreement" or _says(one, "adopts") or _says(one, "concludes")
    )


def _says(one: Heard, table: str) -> bool:
    """Return whether a turn's own sentences have a phrase of a table."""
    return any(ENGLISH.acts[table].search(each.plain) for each in one.spoken if each.is_own)


PUBLISHED = PartyOptions()
WON = "won-argument"
"""The rule of a finding that is an argument which won, or to which nobody objected."""
_OUTCOMES = {"accepted": "", "rejected": "Rejected: ", "compromise": "Compromise: "}


def detect(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding | Bond]:
    """Return, in order, the findings worth remembering in a talk, and who agreed with whom.

    Findings of one agent with the same text are merged: the most confident remains, or the last.
    """
    names = Names(talk.agents)
    heard = _all_heard((turn for turn in talk.turns if turn.agent in talk.agents), names)
    found: list[tuple[int, TalkFinding]] = []
    for record in talk.decisions:
        found += [(record.number, one) for one in _recorded(record, talk.agents, options)]
    for number, events, text in _spoken(heard, talk):
        spoken = _for_all(text, talk.agents, turns=events, rule=SAID, options=options)
        found += [(number, each) for each in spoken]
    for one in heard:
        found += [(one.turn.number, each) for each in _kept(one, options)]
    places = {turn.event: turn.number for turn in talk.turns}
    debates = debates_in(heard, talk.decisions)
    for argument in won(debates):
        best = _won(argument, [one for _, one in found], options)
        found.append((places[argument.turns[0]], best))
    won_by = {event for _, one in found if one.rule == WON for event in one.turns}
    for argument in unchallenged(heard, debates):
        if argument.turns[0] not in won_by:
            best = _won(argument, [one for _, one in found], options)
            found.append((places[argument.turns[0]], best))
    found.sort(key=lambda pair: pair[0])
    return [*once(each for _, each in found), *(bond for one in heard for bond in one.bonds)]


def _spoken(heard: Sequence[Heard], talk: PartyTalk) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Yield the decisions that were only said: the turn's number, the events, and the text.

    A choice to which somebody objects is not a decision, and a decision that is recorded in the
    same words is not repeated. Of several decisions that say the same thing, the one with the most
    words is kept.
    """
    recorded = [record.text for record in talk.decisions]
    found: list[tuple[int, tuple[str, ...], str, bool]] = []
    for place, one in enumerate(heard):
        if one.turn.type != "statement":
            continue
        for sentence in one.statements:
            text = decided(sentence)
            if sentence.act(RESTATES) is not None:
                continue
            if text is not None and not (is_choice(sentence) and is_disputed(place, heard)):
                found.append((one.turn.number, (one.turn.event,), text, is_choice(sentence)))
    found += [(*each, True) for each in accepted(heard, talk.agents, talk.decisions)]
    found.sort(key=lambda each: each[0])
    on_record = {significant(text) for text in recorded}
    for place, (number, events, text, chosen) in enumerate(found):
        words = significant(text)
        others = [*recorded, *(each[2] for each in found[:place])]
        others += [each[2] for each in found[place + 1 :] if significant(each[2]) != words]
        if words in on_record or (chosen and any(covers(each, text) for each in others)):
            continue
        yield number, events, text


def _won(argument: Won, found: Iterable[TalkFinding], options: PartyOptions) -> TalkFinding:
    """Return a winning argument as an observation, with the confidence of equal findings."""
    rung = options.observed if argument.challenged else options.unchallenged
    same = (argument.agent, fold(argument.text))
    stated = [one.confidence for one in found if (one.agent, fold(one.text)) == same]
    return TalkFinding(
        agent=argument.agent,
        type="observation",
        text=argument.text,
        confidence=max([rung, *stated]),
        turns=argument.turns,
        rule=WON,
    )


def once(findings: Iterable[TalkFinding]) -> list[TalkFinding]:
    """Keep one of an agent's findings with equal text: the most confident, else the last."""
    best: dict[tuple[str, str], TalkFinding] = {}
    for one in findings:
        key = (one.agent, fold(one.text))
        if key not in best or one.confidence >= best[key].confidence:
            best.pop(key, None)
            best[key] = one
    return list(best.values())


def recorded(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding]:
    """Return the findings of the decision records alone: one memory for each agent."""
    return [one for each in talk.decisions for one in _recorded(each, talk.agents, options)]


def _recorded(
    record: DecisionRecorded, agents: Iterable[str], options: PartyOptions
) -> Iterator[TalkFinding]:
    text = _OUTCOMES.get(record.outcome, "") + cleaned(record.text)
    yield from _for_all(text, agents, turns=(record.event,), rule="decision", options=options)


def _for_all(
    text: str, agents: Iterable[str], *, turns: tuple[str, ...], rule: str, options: PartyOptions
) -> Iterator[TalkFinding]:
    for agent in agents:
        yield TalkFinding(
            agent=agent,
            type="decision",
            text=text,
            confidence=options.stated,
            turns=turns,
            rule=rule,
        )


def _all_heard(turns: Iterable[Turn], names: Names) -> list[Heard]:
    """Return the turns as they are understood, each in answer to the last statement of another."""
    heard: list[Heard] = []
    for turn in turns:
        last = next((one for one in reversed(heard) if one.turn.agent != turn.agent), None)
        heard.append(_heard(turn, names, None if last is None else _stating(last, turn.agent)))
    return heard


def _stating(last: Heard, speaker: str) -> str | None:
    """Return the agent whose statement an answer to a turn means; None if the turn only asks.

    If an answer is to an agent who only agreed, it refers to the agent with whom that one agreed.
    """
    if not last.states:
        return None
    agreed = {bond.other for bond in last.bonds if bond.relation == AGREES} - {speaker}
    if not last.statements and len(agreed) == len({bond.relation for bond in last.bonds}) == 1:
        return agreed.pop()
    return last.turn.agent


def _heard(turn: Turn, names: Names, before: str | None) -> Heard:
    spoken = sentences(turn.text, names, turn.agent)
    answered = addressees(turn, spoken, names, before)
    related = [
        said(each, turn.agent, names, you) for each, you in zip(spoken, answered, strict=True)
    ]
    met = {*named(spoken, names), *([turn.to] if turn.to is not None else [])}
    return Heard(
        turn=turn,
        spoken=tuple(spoken),
        bonds=tuple(bonds(turn, spoken, names, before)),
        named=frozenset(met - {turn.agent}),
        answers=before,
        statements=tuple(
            each
            for each, bonds_of in zip(spoken, related, strict=True)
            if not any(whose == turn.agent != other for _, whose, other in bonds_of)
        ),
    )


def _kept(one: Heard, options: PartyOptions) -> Iterator[TalkFinding]:
    """Yield the memories that the sentences of a turn state."""
    turn = one.turn
    if turn.type in KEPT:
        whole = KeptSentence(rule=turn.type, text=cleaned(turn.text))
        if whole.text:
            yield _finding(turn, whole, options)
        return
    if turn.type == "question" or turn.type in TYPED:
        return
    for sentence in one.statements:
        found = worth(sentence)
        if found is not None and decided(sentence) is None:
            yield _finding(turn, found, options)


def _finding(turn: Turn, found: KeptSentence, options: PartyOptions) -> TalkFinding:
    rung = {"observation": options.observed, "inference": options.inferred}
    confidence = options.inferred if found.unsure else rung.get(found.rule, options.stated)
    return TalkFinding(
        agent=turn.agent,
        type=KEPT[found.rule],
        text=found.text,
        confidence=confidence,
        turns=(turn.event,),
        rule=found.rule,
    )
