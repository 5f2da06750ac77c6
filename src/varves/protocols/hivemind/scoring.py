"""Which memories a task gets: the published sum, and the gates of priority in front of it.

    score = 3 for each matching tag + 2 for each distinct keyword in the summary
            + 1 x recency + 5 if critical, 3 if high + 0.5 x frequency

Recency is 0.5 ^ (age / 30 days), frequency n / (n + 10); both lie between 0 and 1. A tag matches
when it is a keyword of the task, or all its words are; a keyword is met as a whole word. Equals are
put in order by confidence, then the newer, then the id.
"""

from __future__ import annotations

from varves.protocols.hivemind.documents import counted
from varves.protocols.weighing import frequency, recency
from varves.values.text import words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.port import Counts
    from varves.values.memory import Memory

_EDGES = ".,;:!?()[]{}\"'`"


class EntryScore(Value):
    """A memory's sum, and every term of it."""

    memory: Memory
    total: float
    tags: tuple[str, ...]
    keywords: tuple[str, ...]
    terms: dict[str, float]

    @property
    def hit(self) -> bool:
        """Whether a tag or a keyword of the task met it."""
        return bool(self.tags or self.keywords)

    def reasons(self) -> dict[str, Any]:
        """Return the terms, with the tags and keywords that met."""
        terms = {name: round(term, 6) for name, term in self.terms.items()}
        return {**terms, "tags": list(self.tags), "keywords": list(self.keywords)}


class Scoring:
    """The sum for one task at one instant."""

    def __init__(
        self, asked: Iterable[str], options: HivemindOptions, *, now: int, uses: Counts
    ) -> None:
        self._asked = dict.fromkeys(word.lower() for word in asked)
        self._options = options
        self._now = now
        self._uses = uses
        self._recencies: dict[str, float] = {}

    def score(self, memory: Memory) -> EntryScore:
        """Return the score of one memory; only what an index shows of it is looked at."""
        chosen = self._options
        tags = tuple(tag for tag in memory.tags if self._met(tag))
        keywords = self._keywords((memory.summary or "").lower())
        boosts = {"critical": chosen.critical_boost, "high": chosen.high_boost}
        terms = {
            "tag": chosen.tag_weight * len(tags),
            "keyword": chosen.keyword_weight * len(keywords),
            "recency": chosen.recency_weight * self.recency(memory),
            "priority": boosts.get(memory.priority or "", 0.0),
            "frequency": chosen.frequency_weight * self.frequency(memory),
        }
        total = sum(terms.values())
        return EntryScore(memory=memory, total=total, tags=tags, keywords=keywords, terms=terms)

    def recency(self, memory: Memory) -> float:
        """Return 1 for what is new, halved with every half-life of its age."""
        created = memory.created_at
        if created not in self._recencies:
            half_life = self._options.half_life_days
            self._recencies[created] = recency(created, now=self._now, half_life_days=half_life)
        return self._recencies[created]

    def frequency(self, memory: Memory) -> float:
        """Return how often a memory was read, between 0 and 1."""
        count = counted(memory, self._uses)[0]
        return frequency(count, half=self._options.frequency_half)

    def _met(self, tag: str) -> bool:
        tag = tag.lower()
        if tag in self._asked:
            return True
        parts = [] if tag.isalnum() else words(tag)
        return len(parts) > 1 and all(part in self._asked for part in parts)

    def _keywords(self, summary: str) -> tuple[str, ...]:
        """Return the keywords that are whole words of a summary, or compounds as written there."""
        likely = [word for word in self._asked if word in summary]
        if not likely:
            return ()
        said = {*words(summary), *(word.strip(_EDGES) for word in summary.split())}
        return tuple(word for word in likely if word in said)


def in_order(scores: Iterable[EntryScore]) -> list[EntryScore]:
    """Return scores best first; equals by confidence, then newer, then id."""
    found = sorted(scores, key=lambda one: one.memory.id)
    found.sort(key=lambda one: one.memory.created_at, reverse=True)
    found.sort(key=lambda one: (one.total, one.memory.confidence or 0.0), reverse=True)
    return found


def gate(score: EntryScore) -> str | None:
    """Return why a memory is not loaded by itself, or None if it may be.

    Critical ones always may; high and medium ones where a tag or keyword met; low ones only when
    somebody asks for them.
    """
    priority = score.memory.priority or "medium"
    if priority == "critical":
        return None
    if priority == "low":
        return "low priority: only by search"
    return None if score.hit else "no tag or keyword of the task met"


def chosen(scores: Iterable[EntryScore], top: int) -> tuple[list[EntryScore], list[EntryScore]]:
    """Return the memories to load, and the critical ones there was no room for.

    Critical ones take their places first; all are then in order of their scores.
    """
    ranked = in_order(score for score in scores if gate(score) is None)
    critical = [one for one in ranked if one.memory.priority == "critical"]
    others = [one for one in ranked if one.memory.priority != "critical"]
    taken = critical[:top]
    taken += others[: top - len(taken)]
    return in_order(taken), critical[top:]
