"""Finds the acts of a sentence, such as deciding, proposing, agreeing, ordering or correcting.

The tables of the language find phrases. Guards then decide whether a phrase counts. A question
decides nothing, a report describes another person's act, and a sentence that cites a decision does
not make one. A negation before a phrase reverses it. Some phrases count only in a situation: "I can
do that" accepts a task only if somebody asked for it, and "that breaks users" objects only to a
proposal.
"""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.language.guards import bygone, negated
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from varves.language.guards import Guards
    from varves.language.sentences import SpokenSentence
    from varves.language.tables import Tongue

DECIDES, PROPOSES, SUPPORTS, OPPOSES = "decides", "proposes", "supports", "opposes"
PREFERS, ORDERS, CORRECTS = "prefers", "orders", "corrects"
FIXES, CONSTRAINS, STATES = "fixes", "constrains", "states"
BINDS, ATTESTS, LEARNS, OBSERVES = "binds", "attests", "learns", "observes"
INFERS, LACKS, CHOOSES, RESTATES = "infers", "lacks", "chooses", "restates"
RESOLVES, LIKES = "resolves", "likes"
CONCEDES, YIELDS, GRANTS = "concedes", "yields", "grants"
EDITS, RUNS = "edits", "runs"
AGREES, DISAGREES, COMPLEMENTS = "agrees", "disagrees", "complements"
KINDS = (
    *(DECIDES, PROPOSES, SUPPORTS, OPPOSES),
    *(PREFERS, ORDERS, CORRECTS, FIXES, CONSTRAINS, STATES),
    *(BINDS, ATTESTS, LEARNS, OBSERVES, INFERS, LACKS, CHOOSES, RESTATES),
    *(CONCEDES, YIELDS, GRANTS, EDITS, RUNS),
    *(RESOLVES, LIKES),
)
_LASTING = (ORDERS, CORRECTS, CONSTRAINS, STATES)
_BINDING = (BINDS, PREFERS, LIKES)  # for these acts, a report of another person's words counts too
_CLAIMS = (  # these acts do not count if they are denied
    *(FIXES, ATTESTS, LEARNS, OBSERVES, INFERS, LACKS, CHOOSES),
    *(EDITS, RUNS),
)
_RETURNS = (RESTATES, CONCEDES, YIELDS, GRANTS)
_SIDES = (AGREES, DISAGREES, COMPLEMENTS)
_PLAINLY = {DECIDES: "announces", PROPOSES: "puts_forward", OPPOSES: "objects", PREFERS: "favours"}
_ABOUT = re.compile(r"\b(?:about|regarding|on|for) (?P<subject>(?:\S+ ?){1,8}?)(?= ?[:,;]|[.!?]*$)")
_AGAINST = re.compile(r"^\W*(?:\w+ ){0,2}(?:not|against|never|no)\b")
_NOT_PROPOSED = (
    "errands",
    "wonders",
    "disclaims",
    "expects",
    "unsettled",
)  # phrases that put nothing forward
_NO_SIDE = ("resigns", "abstains")  # phrases that take no side, whatever else they say
# What someone agrees or disagrees with is not put forward: "I disagree that we need a bigger disk".
_SIDED_WITH = re.compile(r"\b(?:dis)?agreed? (?:(?!(?:and|but|so|yet|because|or)\b)[\w'@-]+ )*$")
_OPENS = 15  # the most characters before words that answer a proposal by doing it
_REACTS = 2  # only so many sentences at a message's start may react to the previous message
_SIDES_THAT = ("agree that", "disagree that", "agreed that")
_MAY = re.compile(r"\b(?:can|could|might)\b")  # an offer that nobody asked for settles nothing
_WITH = re.compile(
    r"\b(?:agree|disagree|concur|am|side|sided)\w* (?:\w+ )?with "
    r"(?!(?:that|this|it|you|your)\b)(?P<whom>@?\w+(?:[.-]\w+)*)"
)
_MARK = re.compile(r"@\d+")
_OWNED = re.compile(r"(?<=\d)'s? ")
_OWN = re.compile(r"\b(?:i|me|my|mine|we|our)\b")
_ADDRESSED = re.compile(r"\byou(?:rs?)?\b")
_CLAUSE = re.compile(r"[,;:]\s*|\s-\s|\b(?:and|but|so|because|yet)\s+")
YOU = "you"  # stands for the person whom the speaker addresses


class Situation(Value):
    """What happened before a message, as far as it changes the message's meaning."""

    tabled: bool = False
    """Whether another speaker made a proposal shortly before."""
    asked: bool = False
    """Whether someone asked for a volunteer, or asked who will do a task."""
    agreed: bool = False
    """Whether the last statement agreed, so that this one may settle the matter."""
    agrees: bool = False
    """Whether the speaker agreed earlier in the same message."""
    answers: bool = False
    """Whether another speaker's last statement was a proposal, so that "yes" means agreement."""
    told: bool = False
    """Whether another speaker's last statement was more than a question.

    If so, "yes, and" agrees with it.
    """
    called: bool = False
    """Whether another speaker's last statement asked this speaker to do a task."""
    settled: bool = False
    """Whether the speaker summed up earlier in the same message, so that the outcome follows."""
    named: bool = False
    """Whether people's names are marked, so that agreement with a named person is found."""


NOTHING = Situation()


class SpeechAct(Value):
    """One act of a speaker in a sentence, such as a decision or a proposal."""

    kind: str
    start: int
    end: int
    """The position in the message at which the act's phrase ends."""
    subject: str = ""
    """The act's subject in plain words; "" if the sentence names none."""
    value: str = ""
    """The text after the phrase, in plain words: an outcome, an order, a choice."""
    whom: tuple[str, ...] = ()
    """The people with whom the speaker agrees or disagrees.

    They are given as plain names or as marks; () if no person is named.
    """
    own: bool = True
    """Whether the speaker is one of the people that complement each other."""
    plainly: bool = False
    """Whether the sentence names the act, as in "we decided", "I propose", "I disagree"."""
    offers: bool = False
    """Whether the speaker takes on a task for which nobody asked, as in "I'll write it up"."""
    against: bool = False
    """Whether the act rejects or denies something, as in "we decided against Redis"."""


def acts(
    sentence: SpokenSentence,
    guarded: Guards,
    situation: Situation = NOTHING,
    *,
    kinds: Collection[str] = KINDS,
    tongue: Tongue = ENGLISH,
) -> tuple[SpeechAct, ...]:
    """Return the acts of a sentence, in the order of `KINDS`.

    Args:
        sentence: the sentence to read.
        guarded: the guards of the sentence.
        situation: what happened before the message.
        kinds: the acts that are looked for.
        tongue: the tables of its language.
    """
    reading = _Reading(sentence, guarded, situation, kinds=kinds, tongue=tongue)
    found = dict(reading.acts())
    done = [
        _act(kind, found[kind], sentence, tongue, asked=situation.asked)
        for kind in KINDS
        if kind in found and kind in kinds
    ]
    return (*done, *reading.sides()) if situation.named else tuple(done)


class _Reading:
    """Reads one sentence for its acts."""

    def __init__(
        self,
        sentence: SpokenSentence,
        guarded: Guards,
        situation: Situation,
        *,
        kinds: Collection[str],
        tongue: Tongue,
    ) -> None:
        self._sentence = sentence
        self._done = sentence.done
        self._guards = guarded
        self._situation = situation
        self._kinds = kinds
        self._tongue = tongue
        self._tables = tongue.acts

    def acts(self) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield (kind, phrase) for each act that the sentence performs."""
        for kind, found in self._claims(*_BINDING):
            if not self._guards.tells and not (self._guards.reports and found.start()):
                yield kind, found
        if self._guards.reports:
            return
        against = self._opposes() if OPPOSES in self._kinds or PROPOSES in self._kinds else None
        favour = self._supports() if SUPPORTS in self._kinds else None
        decided = self._decides() if DECIDES in self._kinds or PROPOSES in self._kinds else None
        if against is not None:
            yield OPPOSES, against
        if favour is not None:
            yield SUPPORTS, favour
        if decided is not None:
            yield DECIDES, decided
        elif PROPOSES in self._kinds:
            raised = self._proposes()
            if raised is not None and not (against is not None and self._refuses(raised)):
                yield PROPOSES, raised
        if RESOLVES in self._kinds and not (self._guards.past or self._guards.cites):
            yield from self._claims(RESOLVES)
        yield from self._lasting()

    def sides(self) -> Iterator[SpeechAct]:
        """Yield the acts that agree or disagree with people whose names are marked."""
        guards, form = self._guards, self._sentence.plain
        if guards.asks or guards.supposes or guards.reports or guards.tells:
            return
        if self._tables["halves"].search(form):
            return
        called = self._tables["addresses"].search(form)
        spoken_to = tuple(_MARK.findall(called[0])) if called else ()
        begin = called.end() if called and not called.start() else 0
        said = form[begin:].lstrip(" ,:")  # "@0 no" answers as "no" does
        begin = len(form) - len(said)
        found = [
            (kind, match)
            for kind in _SIDES
            for match in self._tables[kind].finditer(said)
            if not self._withheld(said[: match.start()])
        ]
        if found:
            carried = self._tables["carries"].finditer(said)
            found += [
                (DISAGREES if one["carried"] == "disagree" else AGREES, one) for one in carried
            ]
        for kind, match in found:
            start, end = self._sentence.place(
                begin + match.start(), begin + match.end(), done=False
            )
            whom, own = self._people(kind, match[0])
            whom = whom or (YOU,)
            if spoken_to:
                whom = (*(one for one in whom if one != YOU), *(spoken_to if YOU in whom else ()))
            yield SpeechAct(kind=kind, start=start, end=end, whom=whom, own=own, plainly=True)

    def _people(self, kind: str, phrase: str) -> tuple[tuple[str, ...], bool]:
        """Return the people that a phrase names, and whether the phrase includes the speaker."""
        if kind != COMPLEMENTS:  # "@0's point about @1" is about @0
            return tuple(_MARK.findall(_OWNED.split(phrase)[0])), True
        whom = (*_MARK.findall(phrase), *((YOU,) if _ADDRESSED.search(phrase) else ()))
        return whom, len(whom) == 1 or _OWN.search(phrase) is not None

    def _withheld(self, before: str) -> bool:
        """Return whether words before a phrase show that it is not the speaker's own statement."""
        return self._tables["withholds"].search(_CLAUSE.split(before)[-1]) is not None

    def _phrases(self, kind: str) -> Iterator[re.Match[str]]:
        """Yield the phrases that may perform an act of a kind, explicit phrases first."""
        if kind in _PLAINLY:
            yield from self._tables[_PLAINLY[kind]].finditer(self._done)
        yield from self._tables[kind].finditer(self._done)

    def _decides(self) -> re.Match[str] | None:
        guards = self._guards
        for found in self._phrases(DECIDES):
            if found[0].startswith("["):
                return found
            if guards.asks or self._negated(found):
                continue
            if self._idle(found) or self._in(found, "weighs"):
                continue
            if not bygone(self._sentence, found.start()):
                return found
        if guards.asks or guards.past or guards.cites:
            return None
        closing = re.search(r"\blet us\b", self._done)
        weighs = closing is None or self._in(closing, "weighs")
        if closing is not None and not weighs and not self._idle(closing) and self._closes():
            return closing
        if self._situation.called and self._sentence.number == 0:
            accepted = self._tables["accepts"].match(self._sentence.plain)
            if accepted is not None:
                return accepted
        taken = self._tables["takes_on"].search(self._done)
        if (
            taken is None
            or self._negated(taken)
            or self._idle(taken)
            or self._tables["answers_no"].match(self._done)
        ):
            return None
        offered = self._situation.tabled and not _MAY.search(taken[0]) and self._leads(taken)
        return taken if self._situation.asked or offered else None

    def _leads(self, found: re.Match[str]) -> bool:
        """Return whether a message begins with a phrase, after a word such as "okay" at most."""
        return self._sentence.number == 0 and found.start() <= _OPENS

    def _closes(self) -> bool:
        """Return whether a "let us" decides a matter, because somebody agreed with it before."""
        agreed = self._situation.agreed or self._supports() is not None
        return agreed and self._tables["proposes"].search(self._done) is not None

    def _proposes(self) -> re.Match[str] | None:
        if self._situation.settled or (self._guards.wishes and not self._guards.asks):
            return None
        for found in self._phrases(PROPOSES):
            before = self._done[: found.start()]
            unsure = before.rstrip().endswith(
                ("i do not think", "i do not believe", "not sure", "do not feel")
            )
            if not (unsure or _SIDED_WITH.search(before) or self._idle(found)):
                return found
        return None

    def _idle(self, found: re.Match[str]) -> bool:
        """Return whether a phrase belongs to an errand, to small talk or to an open question."""
        return self._in(found, *_NOT_PROPOSED)

    def _in(self, found: re.Match[str], *tables: str) -> bool:
        """Return whether a phrase overlaps with a phrase of one of some tables."""
        return any(
            one.start() < found.end() and found.start() < one.end()
            for table in tables
            for one in self._tables[table].finditer(self._done)
        )

    def _supports(self) -> re.Match[str] | None:
        if self._guards.asks and "," not in self._sentence.plain:
            return None
        if any(self._tables[name].search(self._sentence.plain) for name in _NO_SIDE):
            return None
        for found in self._tables["supports"].finditer(self._done):
            if self._holds_negation(found) or not self._negated(found):
                return found
        if self._sentence.number or self._guards.asks or self._situation.called:
            return None
        if self._situation.answers:
            return self._tables["assents"].search(self._done)
        return (
            self._tables["builds_on"].match(self._sentence.plain) if self._situation.told else None
        )

    def _opposes(self) -> re.Match[str] | None:
        if self._situation.agrees and not re.search(self._tongue.turn, self._done):
            return None
        agreed = self._tables["supports"].search(self._done)
        firm = self._against("objects", agreed)
        if firm is None and agreed is not None and not self._holds_negation(agreed):
            firm = agreed if self._denied(agreed) else None
        firm = firm or self._against("opposes", agreed)
        if firm is not None:
            return firm
        if self._sentence.number == 0 and self._situation.told:
            turned = self._tables["turns_from"].match(self._sentence.plain)
            if turned is not None:
                return turned
        if not self._situation.tabled or self._sentence.number >= _REACTS:
            return None
        if self._sentence.number == 0 and (self._situation.answers or self._situation.told):
            turned = self._tables["turns_against"].match(self._sentence.plain)
            if turned is not None:
                return turned
        return self._against("counters", agreed)

    def _against(self, table: str, agreed: re.Match[str] | None) -> re.Match[str] | None:
        """Return the first phrase of a table that no negation and no agreement cancels."""
        return next(
            (
                found
                for found in self._tables[table].finditer(self._done)
                if not self._negated(found)
                and not self._agreed_to(agreed, found)
                and not (self._guards.asks and self._in(found, "inquires"))
            ),
            None,
        )

    def _lasting(self) -> Iterator[tuple[str, re.Match[str]]]:
        if self._guards.asks:
            return
        for kind in (*_LASTING, *_RETURNS):
            found = self._tables[kind].search(self._done) if kind in self._kinds else None
            if found is not None:
                yield kind, found
        yield from self._claims(*_CLAIMS)

    def _claims(self, *kinds: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield (kind, phrase) for the claims that are not denied by the words before them."""
        if self._guards.asks:
            return
        for kind in kinds:
            tables = [self._tables[_PLAINLY[kind]]] if kind in _PLAINLY else []
            found = next(
                (
                    one
                    for table in (*tables, self._tables[kind])
                    if (one := table.search(self._done))
                ),
                None,
            )
            if found is not None and not self._tables["unsays"].search(self._done[: found.start()]):
                yield kind, found

    def _agreed_to(self, agreed: re.Match[str] | None, against: re.Match[str]) -> bool:
        """Return whether the speaker agrees with an objection.

        This is so if there is no "but" between agreement and objection.
        """
        if agreed is None or agreed.start() >= against.start():
            return False
        return re.search(self._tongue.turn, self._done[agreed.end() : against.start()]) is None

    def _refuses(self, raised: re.Match[str]) -> bool:
        """Return whether a sentence has a negation outside the phrase that proposes something."""
        return self._guards.denies and not self._holds_negation(raised)

    def _negated(self, found: re.Match[str]) -> bool:
        return negated(self._done, found.start(), self._tongue)

    def _denied(self, found: re.Match[str]) -> bool:
        """Return whether a negation precedes a phrase, with at most one word in between."""
        return (
            re.search(rf"{self._tongue.negation}(?: \w+)? $", self._done[: found.start()])
            is not None
        )

    def _holds_negation(self, found: re.Match[str]) -> bool:
        """Return whether a negation is part of a phrase, as in "no objection"."""
        return re.search(self._tongue.negation, found[0]) is not None


def _act(
    kind: str, found: re.Match[str], sentence: SpokenSentence, tongue: Tongue, *, asked: bool
) -> SpeechAct:
    start, end = sentence.place(found.start(), found.end())
    rest = sentence.done[found.end() :].strip(" .!?,;:")
    about = _ABOUT.search(sentence.done, found.end())
    with_whom = _WITH.search(sentence.done) if kind in (SUPPORTS, OPPOSES) else None
    parts = found.groupdict()
    plain = tongue.acts.get(_PLAINLY.get(kind, ""))
    return SpeechAct(
        kind=kind,
        start=start,
        end=end,
        subject=parts.get("subject") or (about["subject"] if about else ""),
        value=parts.get("value") or rest,
        whom=(with_whom["whom"],) if with_whom else (),
        plainly=plain is not None
        and found.re is plain.pattern
        and not (kind == DECIDES and tongue.acts["pends"].match(rest)),
        offers=kind == DECIDES
        and not asked
        and found.re is tongue.acts["takes_on"].pattern
        and tongue.acts["together"].search(found[0]) is None,
        against=_AGAINST.match(rest) is not None
        or re.search(r" (?:against|not)$", found[0]) is not None,
    )
