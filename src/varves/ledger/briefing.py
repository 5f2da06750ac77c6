"""What an agent is told now: chosen by the ledger, fenced by recall.

First what answers the task, then what is in dispute, then what is pressing, then what is newest;
and of all this only what a default recall would return to that agent.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.ledger.reading import open_conflicts, query_of
from varves.recall.briefing import BUDGET, Briefing, age, briefing
from varves.recall.recall import recall
from varves.stores.sqlite.search import Search
from varves.values.instants import instant
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.ledger.engine import Engine, View
    from varves.values.memory import Memory
    from varves.values.query import Query

ANSWERS = 20  # of the task
PRESSING = 100  # critical or of high priority
NEWEST = 20


def brief(
    engine: Engine,
    view: View,
    *,
    task: str | None = None,
    agent: str | None = None,
    budget: int | None = None,
) -> Briefing:
    """Choose what to tell an agent, and put it into one block within a budget."""
    if budget is not None and budget < 1:
        raise UsageError("the budget is not a positive number", "give a number of tokens")
    query = query_of(engine, view, task or "", k=ANSWERS, options={})
    if agent is not None:
        query = query.replace(actor=safe_name(agent, "agent"))
    disputed = {one.current: one.id for one in open_conflicts(view.index) if one.current}
    own = frozenset(engine.places.own_clones())
    chosen = {memory.id: memory for memory in _chosen(view, query, [*disputed])}
    told = []
    for memory in chosen.values():
        about = {"age": _age(memory, view.now)}
        if memory.id in disputed:
            about["conflict"] = disputed[memory.id]
        if (clone := memory.writer.partition(".")[0]) not in own:
            about["clone"] = clone  # somebody else's, on their word
        if memory.branch:
            about["branch"] = memory.branch
        told.append((memory, {name: part for name, part in about.items() if part}))
    return briefing(told, budget=budget or BUDGET, nonce=engine.ids.salt())


def _chosen(view: View, query: Query, disputed: list[str]) -> Iterator[Memory]:
    search = Search(view.index)
    if query.text:
        yield from (hit.memory for hit in recall(search, query))
    if disputed:
        marks = ", ".join("?" * len(disputed))
        yield from search.standing(query, f"m.id in ({marks})", disputed)
    yield from search.standing(query.replace(k=PRESSING), "m.priority in ('critical', 'high')", [])
    yield from search.standing(
        query.replace(k=NEWEST), "m.priority is null or m.priority not in ('critical', 'high')", []
    )


def _age(memory: Memory, now: int) -> str:
    """Return a memory's age; what another clone wrote may hold no instant at all."""
    try:
        return age(instant(memory.at), now)
    except UsageError:
        return ""
