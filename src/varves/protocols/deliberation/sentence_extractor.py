"""The default extractor: the reader of language, together with the published patterns.

Some sentences do not do what their words say (`varves.language`): a question, a condition, a report
of another's or an earlier act, a quoted decision. A negation reverses a word. These guards also
veto a match of a published pattern; any other match counts. Agreement and objection apply to the
proposal that the message answers, names or quotes. If there is none, they apply to the nearest open
proposal that fits. The result depends only on the message and the conversation before it.
"""

from __future__ import annotations

import re

from varves.language.acts import DECIDES, OPPOSES, PROPOSES, SUPPORTS
from varves.language.english.tongue import ENGLISH
from varves.language.frames import statement
from varves.language.guards import bygone, negated
from varves.language.reader import read
from varves.language.sentences import LONGEST, MOST, plain
from varves.protocols.deliberation.consequences import (
    adopted,
    backing,
    decision,
    raising,
    repeated,
    resolutions,
)
from varves.protocols.deliberation.findings import Backed, Raised, Reacted, Resolved, Stance
from varves.protocols.deliberation.nearest import Before, bears
from varves.protocols.deliberation.pattern_extractor import argued, on, spoken_of
from varves.protocols.deliberation.patterns import (
    DECISION,
    KINDS,
    OPPOSE,
    PROPOSAL,
    SUPPORT,
    PatternPlace,
    Patterns,
    said,
)
from varves.protocols.deliberation.reactions import About, sides_of, without
from varves.protocols.deliberation.repeats import likeness, shared
from varves.protocols.deliberation.state import NEUTRAL, REJECTED, SYSTEM
from varves.protocols.deliberation.subjects import (
    chosen,
    idea,
    names_thing,
    quotes,
    rest,
    sentence,
    subject,
    trimmed,
    without_topic,
)
from varves.protocols.deliberation.verdicts import verdict
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.reader import Said
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.patterns import SearchedText
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import Message, Proposal, State

_TABLED = 0.5  # the least similarity of a preference to another agent's proposal that it supports
_AROUND = 300  # the characters read around a match in a sentence too long to be read whole
_BARE = 3  # the most words of a sentence that only says "fine"
_PREFERS = ("prefer", "rather")
# The end of a phrase that an outcome follows: a verb, or the mark of a heading.
_DECIDED = re.compile(
    r"\b(?:agreed|decided|concluded|settled|resolved|voted|opted)\b(?! ?:)|:(?!\d)"
)
_LEADS_ON = re.compile(r"\s(?:to|that|on|against|not|in favou?r)\b")
_HEAD = re.compile(
    r"(?:[\w']+,? ){0,3}?(?:(?:decided|settled|agreed|resolved|decision|verdict|conclusion|"
    r"consensus|resolution|agreement|final (?:call|answer|word))\b"
    r"(?: (?:on|about|regarding|for) [^:]{2,60}?)?(?:,? (?:then|now|is))?"
    r"(?:\s?:|\s(?:--?|\u2014|\u2013)(?=\s))|"
    r"(?:the|our) (?:\w+ )?(?:decision|verdict|consensus|final (?:call|answer|word)) is\b)"
)
# A sentence of words that only point to what was said.
_POINTS = re.compile(
    r"\W*(?:(?:let['\u2019]?s|let|us|do|go|try|for|with|it|this|that|so|then|now|ok|okay|yes|yeah|yep|"
    r"great|sure|all|right|alright|agreed|ahead|and|we|just|make|happen|happy|glad|to|be|i|i['\u2019]"
    r"(?:d|ll|m)|will|can|would|good|fine|perfect|cool|one|please|love|anyway|regardless|"
    r"instead|everyone|everybody|folks|team)\b\W*)+"
)
# A sentence that says only that there is a decision.
_SAYS_ONLY = re.compile(
    r"(?:(?:so|ok|okay|well|then|now|great|good|right|and|yes|all|i think|i guess|it seems|"
    r"we|we've|we have|have|has|us|everyone|everybody|both|finally|also|just|"
    r"agreed|decided|concluded|settled|resolved|consensus|agreement|decision|answer|conclusion|"
    r"reached|made|taken|final|the|our|a|is|was|been|there|that|this|it|on)\b\W*)*"
)
# An outcome that only points to a proposal, and the words that say which one it points to.
_IT = re.compile(
    r"\W*(?:(?:with|on|for) )?(?:(?:the|your|this|that|his|her|their|@?[\w-]+['\u2019]s) )?"
    r"(?:(?:same|original|new|(?P<which>first|former|second|third|last|latest)) )?"
    r"(?:proposal|idea|plan|suggestion|option|approach|version|solution|variant|alternative|one|"
    r"(?P<end>former|latter))"
    r"(?: (?:then|now|above|(?:of|by|from) @?[\w-]+))*\W*|"
    r"\W*(?:accepted|approved|adopted|passed|carried|granted)\W*",
    re.IGNORECASE,
)
_IT_SAYS = re.compile(r"\b(?:it|that|this|them|these|those)\b", re.IGNORECASE)
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1, "latest": -1}
_TWO_WORDS = re.compile(r"\W*\w+ (?:it|that|this|them)\W*", re.IGNORECASE)  # "drop it"
# Another idea in place of one's own: "what if we open on Tuesdays instead?"
_INSTEAD = re.compile(r"\binstead\b(?! of\b)")
_TAGGED = re.compile(r"\[\w+\]")
# What an offer takes up: what was spoken of, a task of the group, or a new text for it.
_POINTED = re.compile(
    r"\b(?:it|that|this|them|these|those|so|one|both|volunteer|action|task|item|todo|"
    r"(?:write|draft|file|open|submit|prepare|post|nominate|organi[sz]e|schedule) (?:up )?an?)\b",
    re.IGNORECASE,
)
# A formal step of the group, and finding something out, which leaves the matter open.
_FORMAL_STEP = re.compile(r"\bmov(?:e|ing) to (?:close|merge|accept|approve|postpone|reject)\b")
_FINDS_OUT = re.compile(
    r"\b(?:ask|call|phone|check|compare|dig|figure|find|investigate|look|measure|read|research|see|"
    r"talk|test|think)\b"
)
_BESIDE = 2  # how many words after an offer say what is offered
_OWN = re.compile(r"\b(?:I|[Ww]e)\b")  # "I'll do it" takes on a task; it does not settle whether
_OPENS_WITH = re.compile(
    r"(?:(?:ok(?:ay)?|fine|great|good|right|alright|yes|so|then|well|agreed)\b[,.!]*\s*)+",
    re.IGNORECASE,
)
_COMMITS = re.compile(r"i(?:'ll| will| shall|(?:'m| am) (?:going|about) to)\b")
_OWN_TASK = re.compile(r"\bI\b")
_ACTS = {DECIDES: DECISION, PROPOSES: PROPOSAL, SUPPORTS: SUPPORT, OPPOSES: OPPOSE}


def by_reader(options: DeliberationOptions, likeness: Likeness | None = None) -> Extractor:
    """Return the extractor that reads, which also uses the patterns of the settings.

    Raises:
        UsageError: a pattern of the settings is not a valid regular expression.
    """
    return ReadingExtractor(options, likeness)


class Deed(Value):
    """One act of a message: its phrase, and the sentence that performs it."""

    place: PatternPlace
    within: PatternPlace
    plainly: bool = False
    """Whether the sentence names the act, as in "we decided"."""
    assents: bool = False
    """Whether it agrees only by a word such as "yes"."""
    offers: bool = False
    """Whether it takes on a task for which nobody asked, as in "I'll write it up"."""
    known: bool = False
    """Whether the phrase is a published one, or one of the settings."""


class ReadingExtractor:
    """Detects a speaker's acts, sentence by sentence."""

    name = "reader"

    def __init__(self, options: DeliberationOptions, likeness: Likeness | None = None) -> None:
        self._options = options
        self._likeness = likeness
        self._patterns = Patterns(options)

    def read(self, message: Message, state: State) -> tuple[Finding, ...]:
        """Return the findings in a message; a system message has no speaker and no findings."""
        if message.type == SYSTEM:
            return ()
        before = Before(message, state)
        about = About(message, self._options.quote_chars)
        named = spoken_of(message, about, state)
        text = said(message.content)
        done = self._done(
            without(text, tuple(one.content for one in named)), before, named=bool(named)
        )
        closes = _settling(text, done, named, before=before)
        joins = [] if named else _joined(text, done, before, closes=closes)
        taken = _side(text, done)
        each = {} if joins else self._sides(text, done, named, before)
        aims = tuple(one for one in before.open if one.id in each and not named)
        aims = aims or (() if joins else _aims(text, done, named, before=before))
        found: list[Finding] = [
            Reacted(proposal=one.id, agent_id=message.agent_id, reaction=to)
            for one in aims
            # A decision resolves the proposals it names; a neutral reaction would mean nothing.
            if (to := each.get(one.id, taken)) != NEUTRAL or DECISION not in done
            if one.proposer != message.agent_id
        ]
        if DECISION in done:
            settled = done[DECISION]
            about_what = closes or named or aims or _taken_on(text, settled, before)
            came_to = idea(closes[0].content) if closes else _outcome(text, settled)
            spoken_of_it: tuple[Proposal, ...] = ()
            if not about_what:
                came_to = _stated(text, settled, before) or came_to
                spoken_of_it = about_what = _meant(text, settled, came_to, before=before)
            borrows = len(about_what) == 1 and not names_thing(came_to)
            whole = about_what[0].content if borrows else came_to
            place, most = settled.place, self._options.topic_words
            topic, marked = subject(text, place, whole, most)
            came_to = without_topic(came_to, topic)
            found += decision(topic, came_to, message=message, state=state, marked=marked)
            refused = tuple(one for one in spoken_of_it if _refuses(came_to, one.content))
            taken_up = tuple(
                one for one in aims if taken == SUPPORT and shared(came_to, one.content) >= _TABLED
            )
            settles = (
                resolutions(came_to, closes or named or refused)
                or adopted(topic, came_to, state, named=named)
                or resolutions(came_to, taken_up)
            )
            found += [*settles, *repeated(settles, state)]
        elif joins or taken == SUPPORT:
            found += joins or backing(message, about, state)
        raised = self._raised(text, done, message, state, found=found)
        mine = before.made
        if raised is not None and mine is not None and _INSTEAD.search(text.folded):
            alike = shared(raised.content, mine.content) > 0
            raised = raised.replace(modifies=mine.id if alike else None)
        found += _withdrawn(text, mine)
        content = raised.content if raised is not None else ""
        found += [raised] if raised is not None else []
        found += _stance(text, done, aims, agent=message.agent_id, content=content)
        return tuple(found)

    def _raised(
        self,
        text: SearchedText,
        done: dict[str, Deed],
        message: Message,
        state: State,
        *,
        found: list[Finding],
    ) -> Raised | None:
        """Return the proposal of a message; what it objects to it does not propose."""
        deed = done.get(PROPOSAL)
        states = deed is not None and (deed.known or deed.plainly)
        content = "" if deed is None else _told(text, deed)
        if deed is not None and states:
            content = rest(text, deed.place, PROPOSAL)
        if not content or (not states and _TWO_WORDS.fullmatch(content)):
            return None
        least = self._options.likeness
        made = raising(content, message, state, least=least, likeness=self._likeness)
        if not any(_objects(one, made.repeats) for one in found):
            return made
        if states:  # "I propose Redis for the cache": it proposes something else
            return made.replace(repeats=None, score=0.0, rejected=False)
        del done[PROPOSAL]
        return None

    def _sides(
        self,
        text: SearchedText,
        done: dict[str, Deed],
        named: tuple[Proposal, ...],
        before: Before,
    ) -> dict[str, str]:
        """Return the reaction to each of several proposals; empty if there is only one."""
        if not {SUPPORT, OPPOSE} & done.keys() or max(len(named), len(before.open)) <= 1:
            return {}

        def side_of(part: SearchedText) -> str:
            return _side(part, self._done(part, before, named=True))

        if named:
            return sides_of(text, named, side_of)
        found = sides_of(text, (), side_of, before.mentioned)
        return {name: taken for name, taken in found.items() if taken != NEUTRAL}

    def _done(self, text: SearchedText, before: Before, *, named: bool) -> dict[str, Deed]:
        """Return the acts of a message, one of each kind; a published phrase takes precedence."""
        situation = before.situation()
        if named:
            situation = situation.replace(tabled=True)
        heard = read(text.plain, situation)
        deeds: dict[str, list[Deed]] = {kind: [] for kind in KINDS}
        for one in heard:
            within = PatternPlace(start=one.sentence.start, end=one.sentence.end)
            kinds = {_ACTS[act.kind]: act for act in one.acts if act.kind in _ACTS}
            if PROPOSAL in kinds and _for_tabled(one.sentence.plain, before.open):
                kinds[SUPPORT] = kinds.pop(PROPOSAL)
            abstains = ENGLISH.acts["abstains"].search(one.sentence.plain)
            if abstains is not None and not (one.guards.asks or one.guards.reports):
                start, end = one.sentence.place(*abstains.span(), done=False)
                neutral = Deed(place=PatternPlace(start=start, end=end), within=within)
                deeds.setdefault(NEUTRAL, []).append(neutral)
            for kind, act in kinds.items():
                place = PatternPlace(start=act.start, end=act.end)
                bare = ENGLISH.acts["supports"].search(one.sentence.done) is None
                deed = Deed(
                    place=place,
                    within=within,
                    plainly=act.plainly,
                    assents=bare,
                    offers=act.offers,
                )
                deeds[kind].append(deed)
        published = self._published(text, heard)
        found = {}
        for kind in KINDS:
            own = published[kind]
            phrases = [one for one in own if not one.place.marker or kind == PROPOSAL]
            chosen = next(iter([*phrases, *own, *deeds[kind]]), None)
            if chosen is not None:
                found[kind] = chosen
        if NEUTRAL in deeds and not {SUPPORT, OPPOSE} & found.keys():
            found[NEUTRAL] = deeds[NEUTRAL][0]
        raised, backs = found.get(PROPOSAL), found.get(SUPPORT)
        if named and raised and backs and not raised.known and raised.within.holds(backs.place):
            del found[PROPOSAL]  # "Great idea: …" repeats the proposal that it agrees with
        return found

    def _published(self, text: SearchedText, heard: tuple[Said, ...]) -> dict[str, list[Deed]]:
        """Return the matches of the published patterns and of the settings that no guard vetoes."""
        return {
            kind: [
                Deed(place=place, within=within, known=True)
                for place in self._patterns.places(kind, text)
                if (within := _counted(kind, text, place, heard)) is not None
            ]
            for kind in KINDS
        }


def _counted(
    kind: str, text: SearchedText, place: PatternPlace, heard: tuple[Said, ...]
) -> PatternPlace | None:
    """Return the sentence of a match if no guard vetoes the match there."""
    one = next((it for it in heard if it.sentence.start <= place.start < it.sentence.end), None)
    if one is None and not _skipped(text.plain, place):
        return None  # in code or in a quotation
    within = PatternPlace(start=place.start, end=place.end)
    if one is not None:
        within = PatternPlace(start=one.sentence.start, end=max(one.sentence.end, place.end))
    if place.marker:
        return within
    if one is None or place.end > within.start + LONGEST:
        one = _beside(text.plain, place)
    if one is None or one.taken_back or one.guards.reports:
        return None
    phrase = plain(text.plain[place.start : place.end].split("\n")[0])
    at = _found(phrase, one, text.plain[one.sentence.start : place.start])
    if at < 0:  # quoted, or only a condition
        return None
    if kind == PROPOSAL:
        return None if _within(one, at, "disclaims", "expects") else within
    return None if _vetoed(kind, one, at) or negated(one.sentence.done, at) else within


def _found(phrase: str, one: Said, before: str) -> int:
    """Return the position in `done` of a phrase, which may occur several times; -1 without one."""
    at = -1
    for _ in range(plain(before).count(phrase) + 1):
        later = one.sentence.done.find(phrase, at + 1)
        at = later if later >= 0 else at
    return at


def _within(one: Said, at: int, *tables: str) -> bool:
    """Return whether a position in a sentence belongs to a phrase of some tables."""
    return any(
        it.start() <= at < it.end()
        for table in tables
        for it in ENGLISH.acts[table].finditer(one.sentence.done)
    )


def _vetoed(kind: str, one: Said, at: int) -> bool:
    meant = one.guards
    if kind == DECISION:
        return meant.asks or _within(one, at, "unsettled") or bygone(one.sentence, at)
    if kind == OPPOSE:
        return meant.asks and _within(one, at, "inquires")
    return kind == SUPPORT and meant.asks and "," not in one.sentence.plain


def _skipped(text: str, place: PatternPlace) -> bool:
    """Return whether a match is in the middle of a message too long to be read whole."""
    return len(text) > MOST and MOST // 2 <= place.start < len(text) - MOST // 2


def _beside(text: str, place: PatternPlace) -> Said | None:
    """Read the words around a match in a sentence too long to be read whole."""
    start, end = max(0, place.start - _AROUND), place.end + _AROUND
    said = read(text[start:end])
    return next((one for one in said if place.start - start < one.sentence.end), None)


def _stance(
    text: SearchedText,
    done: dict[str, Deed],
    aims: tuple[Proposal, ...],
    *,
    agent: str,
    content: str,
) -> list[Finding]:
    """Return the speaker's position, if the message states one."""
    order = (PROPOSAL, OPPOSE, SUPPORT, DECISION, NEUTRAL)
    kind = next((one for one in order if one in done), None)
    if kind is None:
        told = "" if ENGLISH.acts["resigns"].search(plain(text.plain)) else argued(text)
        return [Stance(agent_id=agent, position=told)] if told else []
    told = sentence(text, done[kind].place) or _told(text, done[kind])
    sides = tuple(one for one in (SUPPORT, OPPOSE) if one in done)
    return [
        Stance(
            agent_id=agent,
            position=on(told, aims) if kind in (*sides, NEUTRAL) else told,
            contribution=content or (told if kind == DECISION else None),
            sides=sides,
        )
    ]


def _withdrawn(text: SearchedText, own: Proposal | None) -> list[Finding]:
    """Return the resolution of the speaker's own proposal, if the message withdraws it."""
    if own is None:
        return []
    heard = read(text.plain, kinds=())
    said = any(ENGLISH.acts["withdraws"].search(one.sentence.plain) for one in heard)
    return [Resolved(proposal=own.id, status=REJECTED, reason="withdrawn")] if said else []


def _objects(one: Finding, name: str | None) -> bool:
    return isinstance(one, Reacted) and one.reaction == OPPOSE and one.proposal == name


def _for_tabled(form: str, tabled: tuple[Proposal, ...]) -> bool:
    """Return whether a sentence states a preference for another agent's proposal."""
    return any(word in form for word in _PREFERS) and any(
        likeness(form, one.content) >= _TABLED for one in tabled
    )


def _aims(
    text: SearchedText, done: dict[str, Deed], named: tuple[Proposal, ...], *, before: Before
) -> tuple[Proposal, ...]:
    """Return the proposals to which a message's agreement or objection applies."""
    kind = next((one for one in (SUPPORT, OPPOSE, NEUTRAL) if one in done), None)
    if kind is None or named:
        return named
    within, place = done[kind].within, done[kind].place
    told = text.text[within.start : within.end]
    meant = before.meant(told)
    if meant is None:
        return ()
    begin, end = place.start - within.start, place.end - within.start
    opens = kind == NEUTRAL or (
        kind == SUPPORT and done[kind].assents and not begin
    )  # "Absolutely, the old one leaks."
    return (meant,) if opens or bears(told, begin, end, meant.content) else ()


def _yields(text: SearchedText, favour: Deed, before: Before) -> bool:
    """Return whether an opponent of a proposal only says a word such as "fine"."""
    meant = before.meant(text.text[favour.within.start : favour.within.end]) or before.settled
    stood = {one.agent_id: one.reaction for one in meant.reactions} if meant is not None else {}
    bare = favour.assents and len(_told(text, favour).split()) <= _BARE
    return bare and stood.get(before.agent) == OPPOSE


def _side(text: SearchedText, done: dict[str, Deed]) -> str:
    """Return the reaction that counts: the objection, unless an agreement follows a "but"."""
    if SUPPORT in done and OPPOSE in done:
        between = text.folded[done[OPPOSE].place.end : done[SUPPORT].place.end]
        return SUPPORT if re.search(ENGLISH.turn, between) else OPPOSE
    return next((one for one in (SUPPORT, OPPOSE) if one in done), NEUTRAL)


def _settles_only(done: dict[str, Deed]) -> bool:
    """Return whether words that may object are part of a decision: "then it's settled"."""
    settled, against = done.get(DECISION), done.get(OPPOSE)
    if settled is None or against is None or against.known or against.plainly:
        return False
    return settled.within == against.within


def _joined(
    text: SearchedText, done: dict[str, Deed], before: Before, *, closes: tuple[Proposal, ...]
) -> list[Finding]:
    """Return the decisions of the message before, with an agent who agrees and adds nothing.

    A decision that only points back, as in "[CONSENSUS]", agrees too if nothing else is open.
    """
    settled = done.get(DECISION)
    again = settled is not None and not closes and _points_back(text, settled)
    if again and before.decided:
        del done[DECISION]
    elif done.keys() != {SUPPORT}:
        return []
    return [
        Backed(decision=one.id, agent_id=before.agent)
        for one in before.decided
        if before.agent not in one.supporting_agents
    ]


def _closed(
    text: SearchedText,
    done: dict[str, Deed],
    named: tuple[Proposal, ...],
    *,
    before: Before,
    says_only: bool,
) -> tuple[Proposal, ...]:
    """Return the proposal that a message closes without naming an outcome: "Let's do it"."""
    settled = done.get(DECISION)
    if settled is None:
        return ()
    told = _told(text, settled)
    if settled.known or settled.plainly:
        points = says_only or _points_back(text, settled)
    else:
        points = says_only or (_points_only(told) and not _OWN.search(told))
    if not points:
        return ()
    place = _IT.fullmatch(_outcome(text, settled))
    which = (place["which"] or place["end"] or "").lower() if place else ""
    meant = before.placed(_PLACES[which]) if which else before.on_the_table(told)
    return named[:1] or ((meant,) if meant is not None else ())


def _settling(
    text: SearchedText, done: dict[str, Deed], named: tuple[Proposal, ...], *, before: Before
) -> tuple[Proposal, ...]:
    """Drop the acts of a message that others of its acts cancel; return what it closes."""
    if _settles_only(done):
        del done[OPPOSE]
    if DECISION in done and _promises(text, done[DECISION], before, named=bool(named)):
        del done[DECISION]
    says_only = DECISION in done and _says_only(text, done[DECISION])
    closes = _closed(text, done, named, before=before, says_only=says_only)
    if says_only and not closes:
        del done[DECISION]
    elif (
        closes
        and not (done[DECISION].known or done[DECISION].plainly)
        and any(_opposed(one, before.agent) or _alone(done, one, before.agent) for one in closes)
    ):
        done.setdefault(SUPPORT, done.pop(DECISION))
        closes = ()
    favour = done.get(SUPPORT)
    short = favour is not None and len(_told(text, favour).split()) <= _BARE
    if favour is not None and (
        _yields(text, favour, before) or (short and before.asked and not named)
    ):
        del done[SUPPORT]
    return closes


def _says_only(text: SearchedText, settled: Deed) -> bool:
    """Return whether a message only says that something was decided: "We agreed."."""
    if settled.place.marker or not (settled.known or settled.plainly):
        return False
    return _SAYS_ONLY.fullmatch(_outcome(text, settled).lower().replace("\u2019", "'")) is not None


def _points_back(text: SearchedText, settled: Deed) -> bool:
    """Return whether an outcome only points to what was said before: "let's go with that"."""
    if not (settled.known or settled.plainly):
        return False
    told = _TAGGED.sub(" ", _outcome(text, settled)).strip().lower().replace("\u2019", "'")
    return any(one.fullmatch(told) for one in (_SAYS_ONLY, _POINTS, _IT))


def _stated(text: SearchedText, settled: Deed, before: Before) -> str:
    """Return what another agent has just stated, if a decision takes it up: "go with that"."""
    if settled.place.marker or not _points_back(text, settled):
        return ""
    return before.last() if _IT_SAYS.search(_told(text, settled)) else ""


def _meant(
    text: SearchedText, settled: Deed, came_to: str, *, before: Before
) -> tuple[Proposal, ...]:
    """Return the proposal that a decision is about without naming it: "against it"."""
    came_to = _OPENS_WITH.sub("", came_to)
    if names_thing(came_to) or settled.offers or _OWN_TASK.search(came_to):
        return ()
    meant = before.on_the_table(_told(text, settled))
    if meant is None:
        return ()
    says_it = _IT_SAYS.search(came_to) is not None
    return (meant,) if says_it or _refuses(came_to, meant.content) else ()


def _refuses(came_to: str, content: str) -> bool:
    """Return whether an outcome turns a proposal down; "drop it" does not, if to drop it is it."""
    words = re.findall(r"\w{4,}", content.lower())
    again = any(word in words for word in re.findall(r"\w{4,}", came_to.lower()))
    return verdict(came_to, content) == REJECTED and not again


def _promises(text: SearchedText, settled: Deed, before: Before, *, named: bool) -> bool:
    """Return whether a speaker only takes on something of their own: "I'll get lunch".

    In an answer to a proposal that is so of every promise for which nobody asked: "I'll write it
    up" and "I'm going to cancel the booking" do not settle whether the group does it.
    """
    if not named:
        return settled.offers and not _points_to(text, settled)
    commits = _COMMITS.match(text.folded, settled.place.start) is not None
    return settled.offers or (commits and not before.situation().asked)


def _points_to(text: SearchedText, settled: Deed) -> bool:
    """Return whether an offer is to do what was spoken of, or a task of the group.

    "I'll write it up" takes on what was proposed; "I'll get lunch" and "I'll look into it" do not.
    """
    later = text.folded[settled.place.end : settled.within.end]
    offer = text.folded[settled.place.start : settled.place.end]
    if _FINDS_OUT.search(offer):
        return False
    beside = " ".join((*offer.split(), *later.split()[:_BESIDE]))
    points = _POINTED.search(beside) or _FORMAL_STEP.search(later)
    return points is not None or not later.strip(" .!,")


def _taken_on(text: SearchedText, settled: Deed, before: Before) -> tuple[Proposal, ...]:
    """Return the proposal whose task a speaker takes on, as in "Sure, I'd be happy to"."""
    told = _told(text, settled)
    points = _points_only(told) or (settled.offers and _points_to(text, settled))
    if settled.known or settled.plainly or not (_OWN.search(told) and points):
        return ()
    meant = before.meant(told)
    return (meant,) if meant is not None else ()


def _points_only(told: str) -> bool:
    """Return whether a sentence names nothing: "Let's do it"."""
    if quotes(told):
        return False
    return _POINTS.fullmatch(told.lower()) is not None or not statement(told).frames


def _opposed(proposal: Proposal, agent: str) -> bool:
    """Return whether someone else objects to a proposal."""
    return any(one.reaction == OPPOSE and one.agent_id != agent for one in proposal.reactions)


def _alone(done: dict[str, Deed], proposal: Proposal, agent: str) -> bool:
    """Return whether the first to support a proposal says so by a published phrase.

    "Let's do it" supports, as published; it settles what somebody else supports already.
    """
    favour = done.get(SUPPORT)
    published = favour is not None and favour.known and favour.within == done[DECISION].within
    others = (one for one in proposal.reactions if one.agent_id != agent)
    return published and not any(one.reaction == SUPPORT for one in others)


def _outcome(text: SearchedText, settled: Deed) -> str:
    """Return what was decided: the text after the phrase or, if there is none, the sentence."""
    if settled.known:
        return rest(text, settled.place, DECISION)
    head = _HEAD.match(text.folded, settled.within.start, settled.within.end)
    verb = head or _DECIDED.search(text.folded, settled.place.start, settled.place.end)
    leads = verb is not None and _LEADS_ON.match(text.folded, verb.end())
    if head is None and verb is not None and (settled.plainly or leads or verb[0] == ":"):
        return rest(text, PatternPlace(start=settled.place.start, end=verb.end()), DECISION)
    if head is not None and head.end() < settled.within.end:
        return trimmed(text.text[head.end() : settled.within.end])
    return chosen(_told(text, settled))


def _told(text: SearchedText, found: Deed) -> str:
    """Return the sentence of an act as it was written."""
    whole = trimmed(text.text[found.within.start : found.within.end])
    return whole or sentence(text, found.within)
