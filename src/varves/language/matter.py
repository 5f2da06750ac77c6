"""Reads what a text is about and which states it gives to things, without parsing sentences.

Frames compare clauses of similar form. Two people who write about one thing months apart use other
words and other sentences. For such texts the content words are compared by topic, and the states
and denials of a text are collected from all of its clauses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import pairwise

from varves.language.english.nouns import ENVIRONMENTS, PEOPLE
from varves.language.english.scales import (
    AREAS,
    DENYING_PHRASES,
    NEGATORS,
    ONLY,
    REVERSING,
    SAID_SHORTER,
    SCALES,
)
from varves.language.english.topics import TOPICS
from varves.language.english.verbs import AUXILIARIES, MODALS, WEAK
from varves.language.english.words import (
    CHANGES,
    CONDITIONS,
    EMPTY,
    GENERIC,
    PREPOSITIONS,
    SOFT,
    listed,
)
from varves.language.frames import MEASURES, begins_with_name
from varves.language.tokens import KIND_OF, Token, canonical, words_of

_NONE: frozenset[int] = frozenset()
_FOLLOWING = frozenset(("without", "insteadof", "except"))
"""Negations of only the words after them."""
_BREAKS = listed("but because so while although though whereas otherwise hence which since")
_BEGINNING = listed("the a an we i you they it he she there nobody nothing our no never")
_IDLE = listed("problem problems doubt matter wonder")
_LIGHTLY = frozenset(
    word
    for table in (SOFT, GENERIC, WEAK, EMPTY)
    for word in (*table, *(canonical(each) for each in table))
)
_NOWHERE_ELSE = "nowhereelse"
_OWNING = listed("the our my your his her its their")
_LINKING = AUXILIARIES | frozenset(MODALS) - {"must"}
_SURROUNDINGS = ENVIRONMENTS | {canonical(word) for word in ENVIRONMENTS}
_WORDS = re.compile(r"[\w-]+")
_LIGHT, _DENYING, _CHANGING = 0.25, 0.4, 0.2  # the weights of words that say little


@cache
def _topics() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, row in enumerate(TOPICS):
        for word in row.split():
            found[word].add(number)
            found[canonical(word)].add(number)
    return {word: frozenset(rows) for word, rows in found.items()}


State = tuple[str, int]
"""The name of a scale, and the place of one of its states."""
_Phrases = dict[str, list[tuple[tuple[str, ...], State]]]


@cache
def _states() -> tuple[dict[str, set[State]], _Phrases]:
    words: dict[str, set[State]] = defaultdict(set)
    phrases: _Phrases = defaultdict(list)
    for name, row in SCALES.items():
        for place, state in enumerate(row):
            for word in state.split():
                if "_" in word:
                    parts = tuple(word.split("_"))
                    phrases[parts[0]].append((parts, (name, place)))
                else:
                    words[word].add((name, place))
    return dict(words), dict(phrases)


@cache
def _denials() -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in DENYING_PHRASES:
        parts = tuple(phrase.split())
        found[parts[0]].append(parts)
    return dict(found)


_TWO = frozenset(name for name, row in SCALES.items() if len(row) == 2)
_AREA = {word: number for number, row in enumerate(AREAS) for word in row.split()}
_SHORTER = {word: re.compile("|".join(rows), re.IGNORECASE) for word, rows in SAID_SHORTER.items()}
KIND_WORDS = {kind: frozenset((canonical(kind),)) for kind in set(KIND_OF.values())}


def _shortened(text: str) -> str:
    """Return a text in which certain phrases are replaced by a single word of the same meaning."""
    for word, phrases in _SHORTER.items():
        text = phrases.sub(f" {word} ", text)
    return text


class TopicWord:
    """A content word of a text."""

    __slots__ = (
        *("before", "clause", "key", "low", "mentioned", "named", "place", "slot", "states"),
        *("topics", "weight"),
    )

    def __init__(self, low: str, key: str, *, clause: int, slot: str) -> None:
        self.low = low
        self.key = key
        self.topics = topics_of(low, key)
        self.weight = 1.0
        self.clause = clause
        self.place = 0
        """Its position in the clause."""
        self.slot = slot
        """The preposition before it; `first` before the verb, `rest` after it."""
        self.before = ""
        """The key of the content word just before it, which may restrict it."""
        self.named = False
        self.states: frozenset[str] = frozenset()
        """The scales of which it names a state."""
        self.mentioned: frozenset[State] = frozenset()
        """These states, whether they are affirmed or denied."""


class Passage:
    """The words of a clause, and whether they are denied."""

    __slots__ = ("cases", "denied", "keys", "number", "topics", "words")

    def __init__(
        self, number: int, words: list[TopicWord], cases: set[str], *, denied: bool
    ) -> None:
        self.number = number
        self.words = words
        self.cases = cases
        """The values and environments that it names, which may limit it."""
        self.denied = denied
        self.keys = {word.key for word in words}
        self.topics = frozenset().union(*(word.topics for word in words))

    def shared(self, words: list[TopicWord]) -> float:
        """Return the weight of the given words that this clause shares, by word or by topic."""
        keys, topics = self.keys, self.topics
        return sum(
            [
                word.weight * (1.0 if word.key in keys else RELATED)
                for word in words
                if word.key in keys or not topics.isdisjoint(word.topics)
            ]
        )


RELATED = 0.7  # what a word counts of which the other text has only another word of its topic


class Matter:
    """What a text is about: its content words, the states and values it mentions, its denials."""

    __slots__ = (
        *("areas", "claimed", "clauses", "environments", "keys", "limits", "lows", "only", "pairs"),
        *("states", "tools", "topics", "valued", "values", "words"),
    )

    def __init__(self, text: str) -> None:
        self.words: list[TopicWord] = []
        self.clauses: list[Passage] = []
        self.states: dict[str, set[int]] = {}
        self.values: dict[str, set[object]] = {}
        self.valued: list[tuple[str, int]] = []
        """The kind of each value, and its clause."""
        self.only = False
        """Whether it says of something that it is the only one."""
        self.limits: list[tuple[int, list[list[TopicWord]]]] = []
        """Each "only", as its clause and the phrases that it limits."""
        text = _shortened(text)
        tokens = words_of(text)
        parts = _parts(tokens)
        for number, part in enumerate(parts):
            after = parts[number + 1][0].low if number + 1 < len(parts) else ""
            self._read(part, number, waits=after == "until")
        self.keys = {word.key for word in self.words}
        self.lows = {word.low for word in self.words}
        self.claimed = {key for part in self.clauses if not part.denied for key in part.keys}
        """The words of the clauses that are not denied."""
        self.topics = _NONE.union(*(word.topics for word in self.words))
        self.tools: dict[str, set[str]] = {}
        for token in tokens:
            if isinstance(token, Token) and token.kind == "name" and token.low in KIND_OF:
                self.tools.setdefault(KIND_OF[token.low], set()).add(token.canon)
        plain = [found.casefold() for found in _WORDS.findall(text)]
        self.areas = {_AREA[word] for word in plain if word in _AREA}
        self.pairs = set(pairwise(plain))
        self.environments = {word.key for word in self.words if word.key in _SURROUNDINGS}

    def _read(self, part: list[Token], number: int, *, waits: bool) -> None:
        """Add the words of a clause; one that waits ("not merged until …") denies nothing."""
        flat = [
            (word, place)
            for place, token in enumerate(part)
            for word in token.raw.casefold().replace("\u2019", "'").split() or [token.low]
        ]
        denials = {} if waits else _denied_at(part, flat)
        named = _phrases_in(flat)
        denied = sum(place_denies for place_denies, _ in denials.values()) % 2 == 1
        reversed_ = sum(reverses for _, reverses in denials.values()) % 2 == 1
        # a phrase such as "no limit" is not reversed by its own words
        outside = sum(r for place, (_, r) in denials.items() if place not in named) % 2 == 1
        words: list[TopicWord] = []
        cases: set[str] = set()
        slot, before = "first", ""
        for place, token in enumerate(part):
            low = token.low
            self.only = self.only or low in ONLY
            if low in _FOLLOWING:
                reversed_ = not reversed_
            states = self._stated(
                low,
                named.get(place, set()),
                outside=outside,
                turned=reversed_ != (denials.get(place, (0, 0))[1] == 1),
            )
            if token.kind in MEASURES and token.kind != "ordinal":
                size = token.size if token.size is not None else low
                self.values.setdefault(token.kind, set()).add(size)
                self.valued.append((token.kind, number))
                cases.add(f"{token.kind} {size}")
                before = ""
                continue
            if low in PREPOSITIONS or low in _LINKING:
                slot = PREPOSITIONS.get(low, "rest" if slot == "first" else slot)
                before = ""
                continue
            if token.kind == "mark" or _is_empty(token, states, denied=place in denials):
                before = before if low in EMPTY and place not in denials else ""
                continue
            word = _word(token, number, slot, denied=place in denials)
            word.before = before
            word.states = frozenset(name for name, _ in states)
            word.mentioned = frozenset(states)
            word.place = place
            words.append(word)
            cases |= {word.key} & _SURROUNDINGS
            before = word.key
        for at, token in enumerate(part):
            limited = _limited(part, at, words) if token.low in ONLY else []
            if limited:
                self.limits.append((number, limited))
            elif token.low in ONLY and self.words:  # "in Vault, nowhere else"
                self.limits.append((self.words[-1].clause, [self.words[-1:]]))
        self.words += words
        self.clauses.append(Passage(number, words, cases, denied=denied))

    def _stated(self, low: str, named: set[State], *, outside: bool, turned: bool) -> set[State]:
        """Return the states that a word or its phrase names; add them as the clause means them."""
        states = set(named)
        if low not in MODALS:
            words = _states()[0]
            states.update(words.get(low, ()), words.get(low.removesuffix("s"), ()))
        for name, state in states:
            if not (outside if (name, state) in named else turned):
                self.states.setdefault(name, set()).add(state)
            elif name in _TWO:  # "not open" says "closed", "no database" names no other store
                self.states.setdefault(name, set()).add(1 - state)
        return states

    def said(self, scale: str) -> set[tuple[int, bool]]:
        """Return the states of a scale that the text mentions, each with whether it is denied."""
        denied = {clause.number: clause.denied for clause in self.clauses}
        return {
            (place, denied[word.clause])
            for word in self.words
            for name, place in word.mentioned
            if name == scale
        }

    def matched(self, word: TopicWord) -> float:
        """Return how far this text mentions a word of another text, from 0 to 1."""
        if word.key in self.keys or word.low in self.lows:
            return 1.0
        if word.topics & self.topics:
            return RELATED
        kind = KIND_OF.get(word.low)
        if kind and KIND_WORDS[kind] & self.keys:
            return RELATED
        for tool in self.tools:
            if word.key in KIND_WORDS[tool] or _topics().get(tool, _NONE) & word.topics:
                return RELATED
        return 0.0


def _limited(part: list[Token], at: int, words: list[TopicWord]) -> list[list[TopicWord]]:
    """Return the phrases of a clause to which the word "only" at this position belongs.

    They are the phrase after it, and the next one if a preposition comes between them ("only
    reachable from the office"); or else the phrase before it ("by bank transfer only", "in English
    and no other language").
    """
    if at and part[at - 1].low in _OWNING:
        return [[]]  # "Lena is the only goalkeeper" limits its subject
    phrases: list[list[TopicWord]] = []
    for word in words:
        if word.low in ONLY:
            continue
        if not phrases or phrases[-1][-1].place + 1 != word.place:
            phrases.append([])
        phrases[-1].append(word)
    after = [phrase for phrase in phrases if phrase[0].place > at]
    if not after or part[at].low == _NOWHERE_ELSE or part[at].raw.casefold() not in ONLY:
        return [phrase for phrase in phrases if phrase[0].place < at][-1:]
    end = after[0][-1].place + 1
    joined = end < len(part) and part[end].low in PREPOSITIONS
    return after[: 2 if joined else 1]


def names_area(word: TopicWord) -> bool:
    """Return whether a word is the name of a place."""
    return word.low in _AREA


def topics_of(low: str, key: str) -> frozenset[int]:
    """Return the rows of topics that a word belongs to."""
    return _topics().get(low) or _topics().get(key) or _topics().get(low.removesuffix("s")) or _NONE


def _parts(tokens: list[Token | str]) -> list[list[Token]]:
    """Return the tokens of a text in clauses."""
    parts: list[list[Token]] = [[]]
    for place, token in enumerate(tokens):
        if not isinstance(token, Token):
            parts.append([])
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        begins = isinstance(after, Token) and after.low in _BEGINNING
        begins = begins or begins_with_name(tokens, place + 1)
        joins = token.low in ("and", "or") and begins
        if token.low in _BREAKS:
            parts.append([])
            continue
        if joins or token.low in CONDITIONS or token.low in ("until", "as"):
            parts.append([])
        parts[-1].append(token)
    return [part for part in parts if part]


def _denied_at(part: list[Token], flat: list[tuple[str, int]]) -> dict[int, tuple[int, int]]:
    """Return the words that deny something, by position, each with the extent of its denial.

    For each, whether it denies the whole clause, and whether it also reverses states.
    """
    found: dict[int, tuple[int, int]] = {}
    denials = _denials()
    for at, (word, place) in enumerate(flat):
        for parts in denials.get(word, ()):
            if tuple(each for each, _ in flat[at : at + len(parts)]) == parts:
                found[place] = (1, 1)
    for place, token in enumerate(part):
        if place in found:
            continue
        low = token.low
        zero = token.kind == "number" and token.size == 0.0
        denying = low in NEGATORS or (token.kind == "word" and token.canon in NEGATORS)
        if not zero and not denying:
            continue
        after = part[place + 1] if place + 1 < len(part) else None
        if after is not None and low == "no" and after.low in _IDLE:
            continue
        attribute = low == "failed" and after is not None and after.low not in EMPTY
        if not attribute:
            following = low in _FOLLOWING
            found[place] = (int(not following), int(not following and (zero or low in REVERSING)))
            if following:
                found[place] = (0, 0)
    return found


def _phrases_in(flat: list[tuple[str, int]]) -> dict[int, set[State]]:
    """Return the states that phrases name, by the places of their words."""
    found: dict[int, set[State]] = {}
    phrases = _states()[1]
    for at, (word, _) in enumerate(flat):
        for parts, state in phrases.get(word, ()):
            here = flat[at : at + len(parts)]
            if tuple(each for each, _ in here) == parts:
                for _, place in here:
                    found.setdefault(place, set()).add(state)
    return found


def _is_empty(token: Token, states: set[State], *, denied: bool) -> bool:
    """Return whether a word has no content of its own."""
    if token.low in CONDITIONS or token.low in ("insteadof", _NOWHERE_ELSE):
        return True
    if states:
        return False
    if denied and not topics_of(token.low, token.canon):
        return True
    return token.low in EMPTY and not (token.raw.isupper() and len(token.raw) > 1)


def _word(token: Token, clause: int, slot: str, *, denied: bool) -> TopicWord:
    low = token.low
    key = token.canon if token.kind in ("word", "name") else low
    word = TopicWord(low, key, clause=clause, slot=slot)
    word.named = token.kind != "word" or (low in PEOPLE and token.raw[:1].isupper())
    if low in _LIGHTLY or key in _LIGHTLY:
        word.weight = _LIGHT
    elif low in CHANGES:
        word.weight = _CHANGING
    elif denied:
        word.weight = _DENYING
    return word
