"""Builds a briefing: finds and rates memories, from which the package `recall` then chooses.

Only memories that a default recall would return to the agent are considered.
"""

from __future__ import annotations

from varves.conflicts.flagged import open_conflicts
from varves.errors import UsageError
from varves.evidence.verdicts import CHANGED, GONE
from varves.questions.lookup import fates, query_of
from varves.questions.nonces import nonces
from varves.recall.brief import BUDGET, Briefing, Parts, Topic, briefing
from varves.recall.recall import recall
from varves.recall.replaced import replacements
from varves.recall.scopes import precedence
from varves.recall.shadow import shadowed
from varves.recall.stopwords import STOPWORDS
from varves.values.names import safe_name
from varves.values.scope import CONVERSING, may_see
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.recall.recall import Hit
    from varves.values.memory import Memory
    from varves.values.query import Query

ANSWERS = 30  # the most answers to the task that are considered
POOR = 0.2  # an answer with less usefulness is not treated as an answer to the task
ASKING = 0.4  # if an answer is itself a question, its usefulness is multiplied by this
BESIDE = 0.2  # if a turn has none of the task's words, its usefulness is multiplied by this
PRESSING = 100  # the most critical memories that are considered
HELD = 150  # the most lasting memories that are considered
NEWEST = 40
WIDER = 4  # times as many memories are considered if another block shows some of them
COMPARED = 120  # the most memories that are compared for shadowing
_NATURES = {"procedural": 0.45, "semantic": 0.4, "factual": 0.2}
_PRIORITIES = {"high": 0.5, "medium": 0.1, "low": -0.3}
_PREFERENCE, _OWN, _REINFORCED, _TURN = 0.4, 0.3, 0.05, -0.3
_STEM = 5  # words are compared by this many first letters


def brief(
    context: Context,
    view: View,
    *,
    task: str | None = None,
    agent: str | None = None,
    budget: int | None = None,
    elsewhere: Callable[[Memory], bool] | None = None,
) -> Briefing:
    """Choose memories for an agent and put them into one block within a budget of tokens.

    Memories for which `elsewhere` returns True are left out: another block shows them.
    """
    if budget is not None and budget < 1:
        raise UsageError("the budget is not a positive number", "give a number of tokens")
    query = query_of(context, view, task or "", k=ANSWERS)
    if agent is not None:
        query = query.replace(actor=safe_name(agent, "agent"))
    budget = budget or BUDGET
    parts = _Gathering(context, view, query, budget=budget, elsewhere=elsewhere).parts()
    total = view.index.search().count(query)
    return briefing(
        parts, budget=budget, total=total, nonce=nonces(context, query.actor, query.now)
    )


class _Gathering:
    """Gathers the memories from which a briefing is chosen."""

    def __init__(
        self,
        context: Context,
        view: View,
        query: Query,
        *,
        budget: int,
        elsewhere: Callable[[Memory], bool] | None,
    ) -> None:
        self._query = query
        self._elsewhere = elsewhere
        self._index = view.index
        self._search = view.index.search()
        self._newest = min(HELD, max(NEWEST, budget // 20))
        self._fate = fates(context, view)
        self._own = (f"agent:{query.actor}", f"session:{query.session}")
        self._clones = frozenset(context.places.own_clones())
        self._disputed = {
            memory.id: conflict.id
            for conflict in open_conflicts(view.index)
            for memory in conflict.members
        }

    def parts(self) -> Parts:
        """Return the memories that may be included, without memories that are shadowed."""
        answers = [*recall(self._search, self._query)] if self._query.text else []
        musts = self._search.critical(self._up_to(PRESSING))
        if self._disputed:
            musts += self._search.named(self._up_to(PRESSING), [*self._disputed])
        lasting = self._search.lasting(self._up_to(HELD), self._own)
        recent = self._search.recent(self._up_to(self._newest))
        every = [*musts, *(hit.memory for hit in answers), *lasting, *recent]
        known = {memory.id: memory for memory in every}
        behind = shadowed([*known.values()], precedence(), first=COMPARED)
        behind |= replacements(self._index, known.values())

        def topics(
            memories: Iterable[Memory], use: Callable[[int, Memory], float]
        ) -> tuple[Topic, ...]:
            here = [one for one in memories if not (self._elsewhere and self._elsewhere(one))]
            return tuple(
                Topic(memory, use(place, memory), about=self._about(memory), stale=self._stale)
                for place, memory in enumerate(here)
                if memory.id not in behind and self._may_see(memory) and not memory.is_unfilled
            )

        uses = self._answer_uses(answers)
        ranked = sorted(answers, key=lambda hit: -uses[hit.memory.id])
        return Parts(
            musts=topics({memory.id: memory for memory in musts}.values(), lambda *_: 1.0),
            lasting=topics(lasting, lambda _, memory: self._lasting_use(memory)),
            recent=topics(recent, self._recent_use),
            answers=topics((hit.memory for hit in ranked), lambda _, memory: uses[memory.id]),
        )

    def _up_to(self, most: int) -> Query:
        return self._query.replace(k=most if self._elsewhere is None else most * WIDER)

    def _may_see(self, memory: Memory) -> bool:
        """Return whether the reader may see a memory, by rules that the search does not check."""
        if memory.protocol == CONVERSING:
            return True
        return may_see(memory.scope, actor=self._query.actor, session=self._query.session)

    def _answer_uses(self, answers: list[Hit]) -> dict[str, float]:
        """Return how useful each answer is: its score, reduced for a text that says little alone.

        Recall may find a turn because of its neighbours, but the briefing does not show the
        neighbours.
        """
        best = max((hit.score for hit in answers), default=1.0) or 1.0
        asked = {word[:_STEM] for word in words(self._query.text) if word not in STOPWORDS}
        uses = {}
        for hit in answers:
            said, use = hit.memory.text, hit.score / best
            if use < POOR:
                use = 0.0
            if said.rstrip().endswith("?"):
                use *= ASKING
            if hit.memory.turn is not None and asked.isdisjoint(w[:_STEM] for w in words(said)):
                use *= BESIDE
            uses[hit.memory.id] = use
        return uses

    def _lasting_use(self, memory: Memory) -> float:
        """Return how useful a memory is for any task, whatever its age."""
        use = _PREFERENCE if memory.category == "preference" else _NATURES.get(memory.nature, 0.1)
        use += _PRIORITIES.get(memory.priority or "", 0.0)
        use += _OWN if memory.scope in self._own else 0.0
        use += _REINFORCED * min(memory.reinforced, 4)
        use += _TURN if memory.turn is not None else 0.0
        sure: float = 1.0 if memory.confidence is None else memory.confidence
        return max(0.0, use) * (0.5 + 0.5 * sure)

    def _recent_use(self, place: int, memory: Memory) -> float:
        """Return how useful a recent memory is; a short turn is of little use.

        `place` is its position among the recent memories, newest first.
        """
        newness: float = 0.4 * 0.5 ** (place / 10)
        if memory.turn is not None:
            newness *= 0.25 * min(1.0, len(memory.text.split()) / 6)
        return 0.5 * self._lasting_use(memory) + newness

    def _stale(self, memory: Memory) -> str | None:
        """Return the current state of a memory's evidence.

        Return None if it is unchanged, or for a view of the past.
        """
        fate = self._fate(memory) if self._fate else None
        if fate is None or fate.state not in (CHANGED, GONE):
            return None
        return GONE if fate.state == GONE else f"{fate.state} {fate.place}"

    def _about(self, memory: Memory) -> dict[str, Any]:
        """Return the fields that a memory's record has in a briefing besides the usual fields."""
        about = {}
        if memory.id in self._disputed:
            about["conflict"] = self._disputed[memory.id]
        if (clone := memory.writer.partition(".")[0]) not in self._clones:
            about["clone"] = clone  # the id of another person's clone, as that clone recorded it
        if memory.branch:
            about["branch"] = memory.branch
        return about
