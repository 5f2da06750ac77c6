"""The choice of memories for a task: the published score, and priority gates before it.

    score = 3 for each matching tag + 2 for each distinct keyword in the summary
            + 1 x recency + 5 if critical, 3 if high + 0.5 x frequency

Recency is 0.5 ^ (age / 30 days), frequency is n / (n + 10); both are between 0 and 1. A tag matches
if it is a keyword, the intent or the word that expresses it, or if all its words are keywords. A
keyword matches whole words, in any of their forms (spelling.py). Equal scores are ordered by
confidence, then newest first, then by id.

The global scope and the scope of the running session are always relevant to a task. A team's scope
is relevant for a team's task, an agent's scope if an agent is assigned, and the project's scope if
there is a project. If memories of two scopes contradict each other, only the more specific one is
shown; nothing is written.
"""

from __future__ import annotations

from varves.protocols.hivemind.documents import counted
from varves.protocols.hivemind.spelling import beginning_of, composed, form_of, whole_words
from varves.protocols.weighing import frequency, recency
from varves.recall.shadow import shadowed
from varves.values.names import safe_name
from varves.values.scope import LEVELS
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.protocols.port import Counts
    from varves.values.memory import Memory

COMPARED = 40
SENSITIVE = "sensitive"


def scopes_for(
    *,
    project: str | None = None,
    team: str | None = None,
    agent: str | None = None,
    session: HivemindSession | None = None,
) -> tuple[str, ...]:
    """Return the relevant scopes, the most specific first."""
    names = {
        "session": session.name if session else None,
        "agent": agent,
        "project": project,
        "team": team,
    }
    found = [
        f"{level}:{safe_name(name, f'{level} id')}"
        for level in LEVELS
        if (name := names.get(level))
    ]
    return (*found, "global")


def behind(memories: Sequence[Memory]) -> dict[str, str]:
    """Return the ids of memories to hide, each with the id of the memory to show instead.

    A critical memory is always shown.
    """
    found = shadowed(memories, LEVELS, first=COMPARED)
    for other, name in overrides(memories):
        found[other] = name
        if found.get(name) == other:
            del found[name]
    critical = {one.id for one in memories if one.priority == "critical"}
    return {other: name for other, name in found.items() if other not in critical}


def overrides(memories: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    """Yield the ids of hidden memories, each with the one that a rule or a person chose instead."""
    may = {one.id for one in memories if one.priority != "critical"}
    for one in memories:
        for other in may.intersection(one.links.get("overrides", ())):
            yield other, one.id


_EDGES = ".,;:!?()[]{}\"'`"


class EntryScore(Value):
    """The score of a memory, with all its terms."""

    memory: Memory
    total: float
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    terms: dict[str, float]

    @property
    def hit(self) -> bool:
        """Whether a tag or a keyword of the task matches."""
        return bool(self.tags or self.keywords)

    def reasons(self) -> dict[str, Any]:
        """Return the terms, with the tags and keywords that match."""
        terms = {name: round(term, 6) for name, term in self.terms.items()}
        return {**terms, "tags": list(self.tags), "keywords": list(self.keywords)}


class Scoring:
    """The scoring for one task at one time."""

    def __init__(
        self,
        asked: Iterable[str],
        options: HivemindOptions,
        *,
        now: int,
        uses: Counts,
        doing: Iterable[str] = (),
    ) -> None:
        self._asked: dict[str, str] = {}  # the words of the task, by their form
        for word in asked:
            self._asked.setdefault(form_of(word.lower()), word.lower())
        self._doing = {form_of(word.lower()) for word in doing}  # the intent; only tags match it
        self._options = options
        self._now = now
        self._uses = uses
        self._recencies: dict[str, float] = {}
        self._tags: dict[str, bool] = {}  # whether the task meets a tag
        self._beginnings = [beginning_of(word) for word in self._asked.values()]
        self._boosts = {"critical": options.critical_boost, "high": options.high_boost}

    def score(self, memory: Memory) -> EntryScore:
        """Return the score of one memory; only the fields shown in an index are read."""
        chosen = self._options
        tags = tuple(tag for tag in memory.tags if self._met(tag))
        keywords = self._keywords((memory.summary or "").lower())
        terms = {
            "tag": chosen.tag_weight * len(tags),
            "keyword": chosen.keyword_weight * len(keywords),
            "recency": chosen.recency_weight * self.recency(memory),
            "priority": self._boosts.get(memory.priority or "", 0.0),
            "frequency": chosen.frequency_weight * self.frequency(memory),
        }
        total = sum(terms.values())
        return EntryScore(memory=memory, total=total, tags=tags, keywords=keywords, terms=terms)

    def recency(self, memory: Memory) -> float:
        """Return 1 for a new memory, halved with every half-life of its age."""
        created = memory.created_at
        if created not in self._recencies:
            half_life = self._options.half_life_days
            self._recencies[created] = recency(created, now=self._now, half_life_days=half_life)
        return self._recencies[created]

    def frequency(self, memory: Memory) -> float:
        """Return how often a memory was read, as a number between 0 and 1."""
        if memory.id not in self._uses and "merged_from" not in memory.links:
            return 0.0
        count = counted(memory, self._uses)[0]
        return frequency(count, half=self._options.frequency_half)

    def _met(self, tag: str) -> bool:
        met = self._tags.get(tag)
        if met is None:
            met = self._tags[tag] = self._meets(tag)
        return met

    def _meets(self, tag: str) -> bool:
        tag = composed(tag).lower()
        form = form_of(tag)
        if form in self._asked or form in self._doing:
            return True
        parts = [] if tag.isalnum() else whole_words(tag)
        return len(parts) > 1 and all(form_of(part) in self._asked for part in parts)

    def _keywords(self, summary: str) -> tuple[str, ...]:
        """Return the keywords that are whole words of a summary, or compounds as written in it."""
        summary = composed(summary)
        if not any(beginning in summary for beginning in self._beginnings):
            return ()
        said = forms_in(summary)
        return tuple(word for form, word in self._asked.items() if form in said)


def forms_in(text: str) -> set[str]:
    """Return the words of a text, and its compounds as written, in the form of comparison."""
    written = (word.strip(_EDGES) for word in text.split())
    return {form_of(word) for word in {*whole_words(text), *written}}


def in_order(scores: Iterable[EntryScore], *, most: int | None = None) -> list[EntryScore]:
    """Return scores best first; equal scores by confidence, then newest first, then id.

    With `most`, only so many are returned, and all others need not be sorted.
    """
    found = list(scores)
    if most is not None and len(found) > most > 0:
        from heapq import nlargest

        [*_, least] = nlargest(most, (one.total for one in found))
        found = [one for one in found if one.total >= least]
    found.sort(key=lambda one: one.memory.id)
    found.sort(key=lambda one: one.memory.created_at, reverse=True)
    found.sort(key=lambda one: (one.total, one.memory.confidence or 0.0), reverse=True)
    return found[:most]


def gate(score: EntryScore) -> str | None:
    """Return why a memory is not loaded automatically, or None if it may be.

    Critical memories are always loaded, high and medium ones if a tag or keyword matches, and low
    ones only by search.
    """
    priority = score.memory.priority or "medium"
    if priority == "critical":
        return None
    if priority == "low":
        return "low priority: only by search"
    return None if score.hit else "no tag or keyword of the task matches"


def chosen(scores: Iterable[EntryScore], top: int) -> tuple[list[EntryScore], list[EntryScore]]:
    """Return the memories to load, and the critical ones that exceed the limit.

    Critical memories are taken first; the result is ordered by score.
    """
    passed = [score for score in scores if gate(score) is None]
    critical = in_order(one for one in passed if one.memory.priority == "critical")
    others = (one for one in passed if one.memory.priority != "critical")
    taken = critical[:top]
    taken += in_order(others, most=max(0, top - len(taken)))
    return in_order(taken), critical[top:]
