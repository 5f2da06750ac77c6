"""A summary without a model: the sentences closest to the topics of the whole conversation.

Sentences are ranked by LexRank (Erkan and Radev, 2004): a sentence is central if central sentences
share its rarer words. They are chosen one by one while there is room. The next is always the
sentence with the best balance of rank and little repetition of those already chosen (maximal
marginal relevance; Carbonell and Goldstein, 1998). They are printed in the order of the
conversation. Agreements, disagreements, decisions and open questions have separate headings, which
are those of the published prompt. A sentence that one of the last summaries contains is left out.

Who agreed and who disagreed is read from the chunk. A side counts if the state contains it as a
reaction to a proposal, or if the sentence names the act ("I disagree that …"). A question is
answered by the next message of another speaker if that looks like an answer, or by a later one with
a word of the question.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log, sqrt

from varves.language.acts import OPPOSES, PROPOSES, SUPPORTS, Situation
from varves.language.english.tongue import ENGLISH
from varves.language.reader import read
from varves.language.sentences import is_shortened, plain, unwrapped
from varves.protocols.deliberation.nearest import Before
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.reactions import About
from varves.protocols.deliberation.state import ACTIVE, OPPOSE, SUPPORT
from varves.protocols.deliberation.subjects import gist
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.text import fold
from varves.values.text import words as words_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from varves.protocols.deliberation.state import ConversationDecision, Message, State

    Vector = dict[str, float]
    Rank = Callable[[Sequence["SummarySentence"]], list[float]]
    from collections.abc import Iterator, Sequence

    from varves.language.reader import Said
    from varves.protocols.deliberation.state import Proposal

_READ = 4000  # the characters of a message that are read
_SIDES = {OPPOSES: OPPOSE, SUPPORTS: SUPPORT}
_KINDS = (PROPOSES, *_SIDES)
_DEFAULTS = DeliberationOptions()
_TWO = 2  # the words of a question about a person, a time or an amount that an answer repeats
_NAMED = 8  # the maximum number of words by which a proposal is named
_FEW = 3  # so few words name no thing; after a question they answer it


class StatedSide(Value):
    """A sentence in which a speaker agrees or disagrees."""

    message: Message
    text: str
    side: str
    proposal: Proposal | None = None

    @property
    def line(self) -> str:
        """The sentence, and the proposal that it is about."""
        said = f"- {self.message.agent_id}: {self.text}"
        if self.proposal is None or self.proposal.content[:20] in self.text:
            return said
        return f'{said} (on "{label(self.proposal.content)}" by {self.proposal.proposer})'


def label(content: str) -> str:
    """Return the words by which a proposal is named: what it is about, or its first words."""
    found = gist(content, _NAMED)
    if len(found.split()) > 1:
        return found
    words = content.split()
    return (
        " ".join(words)
        if len(words) <= _NAMED
        else " ".join(words[:_NAMED]).rstrip(",;:") + " \u2026"
    )


def views(messages: Sequence[Message], state: State) -> Iterator[StatedSide]:
    """Yield at most one view of each side for each message."""
    for at, message in enumerate(messages):
        found: dict[str, StatedSide] = {}
        for one in read(message.content, _situation(messages[:at], message), most=_READ):
            side = _side(one)
            if side is None or side in found:
                continue
            told = message.content[one.sentence.start : one.sentence.end]
            proposal = _meant(message, told, side, state=state, before=messages[:at])
            text = " ".join(told.split())
            argues = len(text.split()) > _FEW and ENGLISH.acts["takes_part"].search(text.lower())
            if proposal is not None or argues:
                found[side] = StatedSide(message=message, text=text, side=side, proposal=proposal)
        yield from found.values()


def _situation(before: Sequence[Message], message: Message) -> Situation:
    others = [one for one in before if one.agent_id != message.agent_id]
    return Situation(tabled=bool(others), answers=bool(others), told=bool(others))


def _side(one: Said) -> str | None:
    return next((side for kind, side in _SIDES.items() if one.act(kind) is not None), None)


def _meant(
    message: Message, told: str, side: str, *, state: State, before: Sequence[Message]
) -> Proposal | None:
    """Return the proposal that a message agrees with or objects to, as it was read when it came.

    The state has only the latest reaction of each agent, and it may be to another proposal.
    """
    places = {one.id: one.index for one in (*before, message) if one.id}
    raised = [
        one
        for one in state.proposals
        if one.message not in places or places[one.message] < message.index
    ]
    raised = [one for one in raised if one.message != message.id]
    about = About(message, _DEFAULTS.quote_chars)
    named = [one for one in raised if about.speaks_of(one.id, one.message, one.content)]
    if named:
        return named[-1]
    mine = [
        one
        for one in raised
        if any(it.agent_id == message.agent_id for it in one.reactions)
        and one.proposer != message.agent_id
    ]
    if not mine:
        return None
    then = state.replace(
        proposals=tuple(one.replace(status=ACTIVE) for one in mine), pending=tuple(before)
    )
    meant = Before(message, then).meant(told)
    clear = ENGLISH.acts["takes_part"].search(told.lower()) is not None
    for one in mine:
        if meant is not None and one.id == meant.id and (clear or _took(one, message, side)):
            return one
    return next((one for one in reversed(mine) if _took(one, message, side)), None)


def _took(proposal: Proposal, message: Message, side: str) -> bool:
    """Return whether the speaker's latest reaction to a proposal is this side."""
    return any(
        one.agent_id == message.agent_id and one.reaction == side for one in proposal.reactions
    )


def is_answered(
    question: Collection[str],
    text: str,
    asker: Message,
    later: Sequence[tuple[Message, Collection[str]]],
) -> bool:
    """Return whether one of the later messages answers a question.

    Args:
        question: the significant words of the question.
        text: the question.
        asker: the message that asks it.
        later: the messages after it, each with its significant words.
    """
    others = [(one, words) for one, words in later if one.agent_id != asker.agent_id]
    asks = _ASKS_FOR.search(text)
    speakers = {one.agent_id.lower() for one, _ in later} | {asker.agent_id.lower()}
    for place, (one, words) in enumerate(others):
        told = one.content.strip()
        if asker.id and one.reply_to == asker.id:
            return True
        if told.endswith("?") or _UNKNOWING.search(told):
            continue
        both = len(set(question) & set(words))
        if both and _fits(asks, told, speakers):
            enough = min(_TWO, len(question)) if asks else len(question) // 2 + 1
            if both >= enough:
                return True
        if not place and (len(told.split()) <= _FEW or _ANSWERS.match(told)):
            return True
    return False


def _fits(asks: re.Match[str] | None, told: str, speakers: Collection[str]) -> bool:
    """Return whether a text names what a question asks for: a person, a time or an amount."""
    if asks is None:
        return True
    if asks["who"] is None:
        return _AMOUNT.search(told) is not None
    words = {word.lower() for word in words_of(told)}
    return (
        not words.isdisjoint(speakers)
        or not words.isdisjoint(_PERSONS)
        or _PERSON.search(told) is not None
    )


_ASKS_FOR = re.compile(
    r"(?P<who>\bwho(?:se|m)?\b)|"
    r"\b(?:when|what time|which day|how (?:many|much|long|often|late|far))\b",
    re.IGNORECASE,
)
_PERSONS_WORDS = """
i me my mine we us our he she they him her nobody everyone someone team
"""
_PERSONS = frozenset(_PERSONS_WORDS.split())
_PERSON = re.compile(
    r"(?<=\w )[A-Z][a-z]+\b|"
    r"^[A-Z][a-z]+ (?:is|does|has|did|will|can|owns?|had|was)\b"
)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|few|many|all|none|"
    r"hundreds?|thousands?|daily|weekly|monthly|hourly|never|always|today|tonight|tomorrow|yesterday|"
    r"soon|now|morning|noon|evening|night|week|month|year|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|minutes?|hours?|days?)\b",
    re.IGNORECASE,
)
_UNKNOWING = re.compile(r"\b(?:no idea|not sure|(?:do not|don['\u2019]t) know)\b", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?:yes|yeah|yep|no|nope|sure|because|about|around|at|in|on|by|from|until|since|it|they|he|she|"
    r"probably|maybe|i think|i guess|i (?:will|can|would|did|do)|i['\u2019](?:ll|d)|\d)\b",
    re.IGNORECASE,
)


POINTS, DECISIONS, QUESTIONS = "Key points raised:", "Decisions made:", "Open questions:"
AGREEMENTS, DISAGREEMENTS = "Agreements reached:", "Disagreements noted:"
DAMPING = 0.85
ROUNDS = 30
NOVELTY = 0.4  # the weight of a sentence's rank; the rest is the weight of not repeating others
SAME = 0.9  # the least similarity of two sentences that say the same
SHOWN = 3  # the number of last summaries whose sentences are not repeated
FEWEST = 3  # the fewest significant words of a sentence
LONGEST = 40  # the maximum number of words of a sentence; the rest is cut
EACH = 15  # the maximum number of sentences of one message
READ = 20_000  # the maximum number of characters of one message
_MARKS = "\"'\u201d)*_` "
_LEADING = (":", "...", "\u2026")  # ends a sentence that only introduces a list or the like
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^)\s]{0,2000}\)")
_ADDRESS = re.compile(r"https?://\S+")
_CODE = re.compile(r"`[^`\n]+`")
_LEAD = re.compile(r"\s*(?:[-*+#\u2022]+\s+|\d+[.)]\s+|\[[ xX]\]\s+)*")
_DENIAL = re.compile(rf"{ENGLISH.negation}|n['\u2019]t\b")
# A remark in brackets belongs to the sentence before it: "I disagree. (on "freeze" by ben)".
_ENDS = re.compile(r"(?<=[.!?\u2026])[\"'\u201d)\]*_]*(?:\n\s*|[^\S\n]++(?!\())|\n+")


class SummarySentence(Value):
    """One sentence of a message."""

    message: Message
    text: str
    vector: Vector
    place: int

    @property
    def line(self) -> str:
        """The sentence as a line of the summary."""
        return f"[{self.message.agent_id}] {self.text}"

    @property
    def words(self) -> int:
        """The number of words in the line."""
        return len(self.line.split())


def extract(messages: Sequence[Message], state: State, *, words: int) -> str:
    """Return a summary of at most `words` words; the same input gives the same summary."""
    ids = {one.id for one in messages if one.id}
    known = [one for one in state.decisions if one.message in ids]
    replaced = {one.replaces for one in state.decisions}
    decided = _fitting(
        [_decision(one) + (" (replaced)" if one.id in replaced else "") for one in known],
        words // 2,
    )
    sides = list(views(messages, state))
    left = words - _length((DECISIONS, *decided))
    opposed = _fitting([_line(one.line) for one in sides if one.side == OPPOSE], left // 2)
    left -= _length((DISAGREEMENTS, *opposed))
    agreed = _fitting([_line(one.line) for one in sides if one.side == SUPPORT], left // 3)
    headings = (POINTS, AGREEMENTS, DISAGREEMENTS, DECISIONS, QUESTIONS)
    room = words - _length((POINTS, *decided, *agreed, *opposed))
    used = ((AGREEMENTS, agreed), (DISAGREEMENTS, opposed), (DECISIONS, decided))
    room -= sum(len(heading.split()) for heading, lines in used if lines)
    told = {fold(one.text) for one in sides if _line(one.line) in (*agreed, *opposed)}
    told |= {fold(one.outcome) for one in known}
    earlier = fold("\n".join(one.content for one in state.summaries[-SHOWN:]))
    errands = ENGLISH.acts["errands"]
    found = [one for one in sentences(messages, asking=1) if not errands.search(plain(one.text))]
    asked = [one for one in found if _is_open(one, found, messages)]
    room -= len(QUESTIONS.split()) if asked else 0
    fresh = [
        one
        for one in found
        if one in asked or (len(one.vector) >= FEWEST and not _repeats(one, told, earlier))
    ]
    chosen = choose(fresh, room)
    points = [one.line for one in chosen if one not in asked]
    questions = [one.line for one in chosen if one in asked]
    lists = (points, agreed, opposed, decided, questions)
    parts = []
    for heading, lines in zip(headings, lists, strict=True):
        if lines:
            parts += [heading, *lines]
    return "\n".join(parts) or _nothing(messages, words)


def _decision(one: ConversationDecision) -> str:
    return f"- {_line(one.topic)}: {_line(one.outcome)}"


def _repeats(one: SummarySentence, told: Collection[str], earlier: str) -> bool:
    """Return whether a sentence is under another heading or in a recent summary already."""
    text = fold(one.text)
    return text in earlier or any(
        text in it or (it in text and 2 * len(it) >= len(text)) for it in told if it
    )


def _is_open(
    one: SummarySentence, found: Sequence[SummarySentence], messages: Sequence[Message]
) -> bool:
    """Return whether a sentence is a question that no one answered."""
    if not one.text.rstrip(_MARKS).endswith("?"):
        return False
    at = next(place for place, held in enumerate(messages) if held is one.message)
    later = [
        (held, {term for it in found if it.message is held for term in it.vector})
        for held in messages[at + 1 :]
    ]
    return not is_answered(one.vector, one.text, one.message, later)


def _fitting(lines: list[str], words: int) -> list[str]:
    """Return the first lines that together have at most this many words."""
    kept = []
    for line in lines:
        words -= len(line.split())
        if words < 0:
            break
        kept.append(line)
    return kept


def _length(lines: Iterable[str]) -> int:
    """Return the number of words of some lines."""
    return sum(len(line.split()) for line in lines)


def _nothing(messages: Sequence[Message], words: int) -> str:
    """Return a list of the speakers, for messages without any sentence to quote."""
    agents = " ".join(dict.fromkeys(one.agent_id for one in messages)).split()
    return " ".join([f"{len(messages)}", "short", "messages:", *agents][:words])


def _line(text: str) -> str:
    return " ".join(text.split())


def sentences(messages: Sequence[Message], *, asking: int = FEWEST) -> list[SummarySentence]:
    """Return the sentences of the messages, without code and quotations.

    Args:
        messages: the messages.
        asking: the fewest significant words of a question.
    """
    found: list[tuple[Message, str, Counter[str]]] = []
    for message in messages:
        own = _QUOTED.sub("", _FENCED.sub("", message.content[:READ]))
        own = unwrapped(_LINK.sub(r"\1", own))
        parts = [_LEAD.sub("", part, count=1).strip() for part in _split(own)]
        told = [part for part in parts if not part.endswith(_LEADING)]
        kept = [
            (part, terms)
            for part in told
            if len(terms := Counter(_terms(part)))
            >= (asking if part.rstrip(_MARKS).endswith("?") else FEWEST)
        ]
        found += [(message, _clipped(part), terms) for part, terms in kept[:EACH]]
    rarity = _rarity([terms for _, _, terms in found])
    return [
        SummarySentence(message=message, text=text, vector=_unit(terms, rarity), place=place)
        for place, (message, text, terms) in enumerate(found)
    ]


def _split(text: str) -> list[str]:
    parts, start = [], 0
    masked = _CODE.sub(lambda code: "_" * len(code[0]), text)  # full stops in code do not count
    for end in _ENDS.finditer(masked):
        if masked[end.start() - 1 : end.start()] == "." and is_shortened(masked, end.start() - 1):
            continue
        parts.append(text[start : end.end()].strip())
        start = end.end()
    return [*parts, text[start:].strip()]


def _clipped(text: str) -> str:
    held = text.split()
    return " ".join(held) if len(held) <= LONGEST else " ".join(held[: LONGEST - 1]) + " …"


def _terms(text: str) -> list[str]:
    found = [word for word in words_of(_ADDRESS.sub("", text)) if word not in STOPWORDS]
    return [stem(word) for word in found if len(word) > 1 or word.isdigit()]


def _rarity(found: Sequence[Counter[str]]) -> Vector:
    held = Counter(term for terms in found for term in terms)
    return {term: log((1 + len(found)) / (0.5 + count)) for term, count in held.items()}


def _unit(terms: Counter[str], rarity: Vector) -> Vector:
    raw = {term: count * rarity[term] for term, count in terms.items()}
    length = sqrt(sum(weight * weight for weight in raw.values())) or 1.0
    return {term: weight / length for term, weight in raw.items()}


def alike(one: Vector, other: Vector) -> float:
    """Return the cosine similarity of two sentences."""
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def lexrank(found: Sequence[SummarySentence]) -> list[float]:
    """Return how central each sentence is, from 0 to 1, by a random walk between similar ones."""
    links = [
        [0.0 if one is other else alike(one.vector, other.vector) for other in found]
        for one in found
    ]
    reach = [sum(row) for row in links]
    rank = [1.0] * len(found)
    for _ in range(ROUNDS):
        share = [part / whole if whole else 0.0 for part, whole in zip(rank, reach, strict=True)]
        rank = [
            1 - DAMPING + DAMPING * sum(a * b for a, b in zip(share, row, strict=True))
            for row in links
        ]
    most = max(rank, default=1.0)
    return [one / most for one in rank]


def _same(one: SummarySentence, other: SummarySentence) -> bool:
    """Return whether two sentences say the same, in the same or almost the same words."""
    if fold(one.text) == fold(other.text):
        return True
    denials = (len(_DENIAL.findall(it.text.lower())) for it in (one, other))
    return alike(one.vector, other.vector) >= SAME and len(set(denials)) == 1


def choose(
    found: Sequence[SummarySentence], words: int, *, rank: Rank = lexrank
) -> list[SummarySentence]:
    """Return the most informative sentences within this many words, in their order."""
    ranks = rank(found)
    left = list(range(len(found)))
    repeats = [0.0] * len(found)
    chosen: list[SummarySentence] = []
    while left:
        best = max(left, key=lambda at: NOVELTY * ranks[at] - (1 - NOVELTY) * repeats[at])
        left.remove(best)
        if found[best].words > words or any(_same(found[best], one) for one in chosen):
            continue
        words -= found[best].words
        chosen.append(found[best])
        for at in left:
            repeats[at] = max(repeats[at], alike(found[at].vector, found[best].vector))
    return sorted(chosen, key=lambda one: one.place)
