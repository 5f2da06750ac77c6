"""Scores how likely two texts in different words contradict each other.

Frames judge two clauses of similar form. This is the last stage, for texts of which no clauses can
be compared. It asks two questions: are the texts about one matter, and do they give it two states,
two values, or a claim and its denial? The answer is a sum of weighted features, some of them in
pairs, and the texts disagree if the sum is high enough. The weights were fitted by
`benchmarks/fit_judge.py`, so that harmless texts of one project rarely reach the limit.
"""

from __future__ import annotations

from varves.language.differences import excluded_by
from varves.language.english.scales import ONLY, SELECTING, VAGUE
from varves.language.matter import RELATED, Matter, Passage, TopicWord, names_area
from varves.language.opposing_weights import LEAST, WEIGHTS

Features = dict[str, float]
_CONTENT = 0.9  # the least weight of a word that says what a text is about
_MUCH = 3.0
_TWO, _RELATED = 2.0, 1.4  # what two words weigh that are the same, or of one topic
_CLOSE = 0.7  # how much of each text the other must mention if they share only one word
_MOSTLY = 0.5  # how much of a text that says "only" the other text must mention
_NEAR = frozenset(("first", "rest"))


def opposed(older: Matter, newer: Matter) -> str:
    """Return how two texts contradict each other, in words; "" if they do not."""
    if not older.topics & newer.topics and not older.keys & newer.keys:
        return ""
    found = Opposition(older, newer)
    if not found.any or score(found.features) < LEAST:
        return ""
    return found.reason


def score(features: Features) -> float:
    """Return the weighted sum of features and of pairs of features."""
    held = {name: value for name, value in features.items() if value}  # most features are 0
    total = 0.0
    for head, row in WEIGHTS.items():
        if head in held:
            worth = 0.0
            for name, weight in row.items():
                if name in held:
                    worth += held[name] * weight
            total += held[head] * worth
    return total


class Opposition:
    """What two texts disagree about, and what else differs."""

    __slots__ = (
        *("agreed", "areas", "choices", "denial", "excluded", "firm", "named", "newer", "older"),
        *("restated", "scales", "tools", "values"),
    )

    def __init__(self, older: Matter, newer: Matter) -> None:
        self.older, self.newer = older, newer
        both = older.states.keys() & newer.states.keys()
        apart = {name for name in both if older.states[name].isdisjoint(newer.states[name])}
        # "direct writes are forbidden" and "don't write directly" name one state
        self.scales = {name for name in apart if not older.said(name) & newer.said(name)}
        if "kept" in self.scales and _of_one_kind("duration", older, newer):
            self.scales.discard("kept")  # "kept for 14 days" is "deleted after two weeks"
        self.agreed = {name for name in both if older.states[name] == newer.states[name]}
        late = newer.claimed - older.keys
        self.choices = {
            word: others & late
            for word in older.claimed - newer.keys
            if (others := excluded_by(word)) and others & late
        }
        self.named = self.scales | self.agreed
        self.excluded = self.choices.keys() | set().union(*self.choices.values())
        kinds = older.tools.keys() & newer.tools.keys()
        self.tools = {kind for kind in kinds if older.tools[kind].isdisjoint(newer.tools[kind])}
        self.areas = bool(older.areas and newer.areas and older.areas.isdisjoint(newer.areas))
        kinds = older.values.keys() & newer.values.keys()
        self.values = {kind for kind in kinds if older.values[kind].isdisjoint(newer.values[kind])}
        self.denial, self.firm, self.restated = _clauses(older, newer)

    @property
    def denies(self) -> bool:
        """Whether a clause of one text denies a clause of the other."""
        return self.denial >= _CONTENT and self.denial > self.restated

    @property
    def any(self) -> bool:
        """Whether the texts may disagree at all."""
        named = self.scales or self.choices or self.tools or self.areas or self.values
        return bool(named or self.firmly_denies or self.is_limited)

    @property
    def firmly_denies(self) -> bool:
        """Whether a denied clause is about the same as a clause of the other text.

        One word in common is not enough: "API v1 is gone", "our API has no database".
        """
        if not self.denies:
            return False
        if self.firm >= _TWO:
            return True
        heavy = {word.key for word in self.older.words if word.weight >= _CONTENT}
        here, there = _Covered(self, self.older, self.newer), _Covered(self, self.newer, self.older)
        close = min(here.share, there.share) >= _CLOSE
        return self.firm >= _RELATED and (close or len(heavy & self.newer.keys) > 1)

    @property
    def is_limited(self) -> bool:
        """Whether one text says "only" of something, and the other says it of something else."""
        if self.older.only == self.newer.only:
            return False
        pair = (self.older, self.newer)
        limited, other = pair if self.older.only else reversed(pair)
        adds = not other.keys <= limited.keys
        if not adds and other.values.keys() <= limited.values.keys():
            return False
        return any(_meets(limited, other, *one) for one in limited.limits)

    def concerns(self, word: TopicWord, text: Matter) -> bool:
        """Return whether a word belongs to what the texts agree or disagree about."""
        return (
            (bool(word.states) and not word.states.isdisjoint(self.named))
            or word.key in self.excluded
            or (bool(self.tools) and any(word.key in text.tools[kind] for kind in self.tools))
            or (self.areas and names_area(word))
        )

    @property
    def reason(self) -> str:
        """What the texts disagree about, in their words."""
        for name in sorted(self.scales, key=lambda name: (name in VAGUE, name)):
            one, other = (_named(name, text) for text in (self.older, self.newer))
            if one and other and one != other:
                return f"the older says {one}, the newer {other}"
        for word, others in sorted(self.choices.items()):
            one, other = _said(self.older, {word}), _said(self.newer, others)
            return f"the older says {one}, the newer {other}"
        for kind in sorted(self.tools):
            one = _said(self.older, self.older.tools[kind])
            return f"the older says {one}, the newer {_said(self.newer, self.newer.tools[kind])}"
        if self.denies:
            return "one says it, the other denies it"
        if self.values:
            return f"two values of one kind: {min(self.values)}"
        return "only one of them can be true"

    @property
    def features(self) -> Features:
        """The features by which the score is computed."""
        here, there = _Covered(self, self.older, self.newer), _Covered(self, self.newer, self.older)
        exact = sum(
            word.weight
            for word in {word.key: word for word in self.older.words}.values()
            if word.key in self.newer.keys and not self.concerns(word, self.older)
        )
        most, least = max(here.share, there.share), min(here.share, there.share)
        known = min(max(here.known, there.known), 4.0) / 4
        mine, yours = sum(w.weight for w in here.new), sum(w.weight for w in there.new)
        named = self.scales or self.choices
        kinds = sum(map(bool, (named, self.tools, self.areas, self.values, self.denies)))
        local, part = self._local()
        made: Features = {
            "always": 1.0,
            "most": most,
            "least": least,
            "older": here.share,
            "known": known,
            "exact": min(exact, 4.0) / 4,
            "no exact": exact < _CONTENT,
            "two exact": exact >= 2 * _CONTENT,
            "fewest new": min(mine, yours, _MUCH) / _MUCH,
            "most new": min(max(mine, yours), 2 * _MUCH) / (2 * _MUCH),
            "covered": min(mine, yours) < 0.5,
            "denial": min(self.denial, _MUCH) / _MUCH,
            "denied": self.denial >= 1.4 and self.denial > self.restated,
            "only denied": self.denial >= _CONTENT and self.denial > self.restated + 0.5,
            "denied part": min(1.0, self.denial / max(1.0, here.all)) * self.denies,
            "denied clause": _denied_share(self.older, self.newer),
            "scale": bool(self.scales),
            "scales": len(self.scales) > 1,
            "clear scale": not self.scales <= VAGUE,
            "selecting": bool(self.scales) and self.scales <= SELECTING,
            "stating": not self.scales <= SELECTING,
            "attributes": self._attributes(),
            "choice": bool(self.choices),
            "tool": bool(self.tools),
            "area": self.areas,
            "value": bool(self.values),
            "equal value": self._equal_values(),
            "only": self.older.only != self.newer.only,
            "kinds": kinds > 1,
            "any": kinds > 0,
            "any most": most * (kinds > 0),
            "any known": known * (kinds > 0),
            "local": min(local, _MUCH) / _MUCH,
            "local part": part,
            "modifiers": self._other_modifiers(here.new, there.new),
            "slots": bool((_slots(here.new) & _slots(there.new)) - _NEAR),
            "first": "first" in _slots(here.new) & _slots(there.new),
            "environments": _differ(self.older.environments, self.newer.environments),
            "environment": bool(self.older.environments) != bool(self.newer.environments),
            "names": any(w.named for w in here.new) and any(w.named for w in there.new),
            "name": any(w.named for w in here.new) != any(w.named for w in there.new),
            "wording": _wording(self.older, self.newer),
        }
        return made

    def _equal_values(self) -> bool:
        one, other = self.older.values, self.newer.values
        return any(one[kind] & other[kind] for kind in one.keys() & other.keys())

    def _attributes(self) -> bool:
        """Return whether two opposed states only say which things are meant: "the old wiki"."""
        return any(
            all(_is_attribute(name, text) for text in (self.older, self.newer))
            for name in self.scales
        )

    def _local(self) -> tuple[float, float]:
        """Return how much the clauses with the opposed words share, as a weight and as a share."""
        best = (0.0, 0.0)
        there = self._places(self.newer)
        for one in self._places(self.older):
            words = [word for word in one.words if not self.concerns(word, self.older)]
            whole = sum(word.weight for word in words)
            for other in there:
                shared = other.shared(words)
                if shared > best[0]:
                    best = (shared, shared / whole)
        return best

    def _places(self, text: Matter) -> list[Passage]:
        """Return the clauses of a text that contain what the texts disagree about."""
        valued = {number for kind, number in text.valued if kind in self.values}
        for word in text.words:
            if word.states & self.scales or (
                self.concerns(word, text) and not word.states & self.agreed
            ):
                valued.add(word.clause)
        return [clause for clause in text.clauses if clause.number in valued]

    def _other_modifiers(self, mine: list[TopicWord], yours: list[TopicWord]) -> bool:
        """Return whether other words restrict one noun: "access tokens", "refresh tokens"."""
        here, there = {word.key for word in mine}, {word.key for word in yours}
        heads = {word.key for word in self.older.words if word.before in here}
        return any(word.key in heads and word.before in there for word in self.newer.words)


class _Covered:
    """How far one text's words are mentioned by the other text."""

    __slots__ = ("all", "known", "new")

    def __init__(self, found: Opposition, text: Matter, other: Matter) -> None:
        self.all = self.known = 0.0
        self.new: list[TopicWord] = []
        seen = set()
        for word in text.words:
            if word.key in seen or found.concerns(word, text):
                continue
            seen.add(word.key)
            matched = other.matched(word)
            self.all += word.weight
            self.known += word.weight * matched
            if not matched:
                self.new.append(word)

    @property
    def share(self) -> float:
        return self.known / self.all if self.all else 0.0


def _meets(limited: Matter, other: Matter, clause: int, phrases: list[list[TopicWord]]) -> bool:
    """Return whether another text says of something else what a clause says "only" of its limit.

    "Guests can delete projects" does, beside "only admins can delete projects". "Admins can delete
    projects" names the limit itself, and "guests can't delete projects" agrees.
    """
    said = [word for one in other.clauses if not one.denied for word in one.words]
    named = {word.key for word in said if word.slot != "without"}
    focus = {id(word) for words in phrases for word in words}
    rest = [word for word in limited.words if id(word) not in focus and word.low not in ONLY]
    for words in phrases:
        heavy = {word.key for word in words if word.weight >= _CONTENT}
        if heavy and heavy <= named - {word.key for word in rest}:
            return False
    here = [word for word in rest if word.clause == clause]
    before = [word for word in rest if word.clause < clause]
    about = Passage(0, _once(here or before or rest), set(), denied=False)
    there = Passage(0, said, set(), denied=False)
    known = min(there.shared(about.words), about.shared(_once(said)))
    whole = sum(word.weight for word in about.words)
    return known >= (_RELATED if not here else RELATED) and known >= _MOSTLY * whole


def _of_one_kind(kind: str, older: Matter, newer: Matter) -> bool:
    """Return whether both texts give the same value of a kind."""
    return bool(older.values.get(kind, set()) & newer.values.get(kind, set()))


def _once(words: list[TopicWord]) -> list[TopicWord]:
    return list({word.key: word for word in words}.values())


def _clauses(older: Matter, newer: Matter) -> tuple[float, float, float]:
    """Return the weights that clauses share: with a denied clause, firmly, and of like clauses.

    A denied clause is shared firmly if the other text mentions a word of what is denied, and not
    only the subject: "the gateway has no cache", "the gateway is written in Go".
    """
    denial = firm = restated = 0.0
    if len({clause.denied for clause in (*older.clauses, *newer.clauses)}) < 2:
        return denial, firm, restated  # nothing is denied, so nothing else counts
    for one in older.clauses:
        for other in newer.clauses:
            shared = other.shared(one.words)
            if one.denied == other.denied:
                restated = max(restated, shared)
                continue
            denied, claim, text = (one, other, newer) if one.denied else (other, one, older)
            if _denies_too(denied, claim, text) or (denied.cases and not _cases(text)):
                continue
            denial = max(denial, shared)
            said = [word for word in denied.words if word.slot != "first"]
            said = [word for word in said if word.weight >= _CONTENT]
            if not said or claim.shared(said):
                firm = max(firm, shared)
    return denial, firm, restated


def _cases(text: Matter) -> set[str]:
    """Return the values and environments that a text names.

    "No job runs at 01:00" denies nothing of a text that names no hour.
    """
    return {case for clause in text.clauses for case in clause.cases}


def _denies_too(denied: Passage, claim: Passage, text: Matter) -> bool:
    """Return whether the text of a claim denies what a denied clause says beyond the claim.

    "No longer in Redis" and "in Postgres, not in Redis" agree.
    """
    heavy = {word.key for word in denied.words if word.weight >= _CONTENT}
    more = heavy - claim.keys
    return bool(more) and any(more <= one.keys for one in text.clauses if one.denied)


def _denied_share(older: Matter, newer: Matter) -> float:
    """Return how much of a denied clause is affirmed by a clause of the other text."""
    best = 0.0
    for text, other in ((older, newer), (newer, older)):
        for clause in text.clauses:
            whole = sum(word.weight for word in clause.words)
            if not clause.denied or whole < _CONTENT:
                continue
            for claim in other.clauses:
                shared = 0.0 if claim.denied else claim.shared(clause.words)
                if shared >= _CONTENT:
                    best = max(best, shared / whole)
    return best


def _is_attribute(name: str, text: Matter) -> bool:
    heads = {word.before for word in text.words}
    words = [word for word in text.words if name in word.states]
    return bool(words) and all(word.key in heads for word in words)


def _named(name: str, text: Matter) -> str:
    """Return the words by which a text names a state of a scale."""
    return " ".join(dict.fromkeys(word.low for word in text.words if name in word.states))


def _said(text: Matter, keys: set[str]) -> str:
    """Return the words of a text that have one of these keys."""
    return " ".join(dict.fromkeys(word.low for word in text.words if word.key in keys))


def _slots(words: list[TopicWord]) -> set[str]:
    return {word.slot for word in words if word.weight >= _CONTENT}


def _differ(one: set[str], other: set[str]) -> bool:
    return bool(one and other and one.isdisjoint(other))


def _wording(older: Matter, newer: Matter) -> float:
    """Return the share of the pairs of neighbouring words that both texts have."""
    fewest = min(len(older.pairs), len(newer.pairs))
    return len(older.pairs & newer.pairs) / max(1, fewest)
