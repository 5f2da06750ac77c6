"""What a party costs as sessions pile up: its start, what is said, and its end.

A project of twenty agents, fifty memories each, after a few and after many past sessions.
"""

from __future__ import annotations

import gc
from contextlib import ExitStack
from time import process_time
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer
from benchmarks.layers import capped
from benchmarks.measure import Samples
from benchmarks.row import Row, compared
from benchmarks.scene import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchmarks.scene import Scene

AGENTS = tuple(f"agent-{number:02}" for number in range(20))
EACH = 50
TABLE = 4  # agents in one of the past sessions
SESSIONS = (50, 500)
MOST = 0.3  # seconds of CPU for any one verb
LINEAR = 1.2  # of the growth in sessions: what more is beyond the noise of a run
VERBS = ("start", "say", "end")


def run(scene: Scene) -> list[Row]:
    """Hold parties in projects with few and with many behind them, in turn."""
    counts = (5, 50) if scene.quick else SESSIONS
    taken: dict[tuple[str, int], list[float]] = {}
    with ExitStack() as stack:
        opened: dict[int, Any] = {}
        for count in counts:
            say(f"writing {count} past parties of {len(AGENTS)} agents")
            root = _past(scene, count)
            opened[count] = stack.enter_context(varves.open(root, home=f"{root}-home")).party
        for turn in range(-1, scene.size(10, 3)):
            for count in counts:
                for verb, used in _party(opened[count], turn).items():
                    if turn >= 0:
                        taken.setdefault((verb, count), []).append(used)
    return [row for verb in VERBS for row in rows(verb, {n: taken[verb, n] for n in counts})]


def rows(verb: str, taken: dict[int, list[float]]) -> list[Row]:
    """Return what a verb costs after few and after many sessions, and how they compare."""
    few, many = taken
    found = {count: Samples(tuple(values)) for count, values in taken.items()}
    what = f"`party {verb}` of {len(AGENTS)} agents"
    more = f"{what} after {many:,} sessions against {few}"
    return [
        *(capped(f"{what} after {n:,} sessions", found[n], most=MOST) for n in (few, many)),
        compared(more, found[many], found[few], at_most=LINEAR * many / few),
    ]


def _party(party: Any, turn: int) -> dict[str, float]:
    """Hold one party and return the seconds of CPU that each verb took."""
    steps: tuple[Callable[[], object], ...] = (
        lambda: party.start(agents=AGENTS, topic="the cache"),
        lambda: party.say(AGENTS[0], f"I propose that the tokens of {turn} go through the cache."),
        party.end,
    )
    used = {}
    for verb, step in zip(VERBS, steps, strict=True):
        gc.collect()
        began = process_time()
        step()
        used[verb] = process_time() - began
    return used


def _past(scene: Scene, count: int) -> str:
    """Make a project whose log tells of so many parties, and of what each agent remembers."""
    root = scene.project(f"party-{count}")
    texts = Writer(count).texts(len(AGENTS) * EACH)
    with varves.open(root, home=f"{root}-home", mode="fast") as ledger:
        core = ledger.party.core
        act = core.act()
        recorded = [
            act.draft(
                "memory.recorded",
                {
                    "memory": f"mem_{place:02}{number:010}",
                    "scope": f"agent:{agent}",
                    "type": "observation",
                    "text": next(texts),
                    "confidence": 1.0,
                    "source_session": "2026-11-01",
                },
            )
            for place, agent in enumerate(AGENTS)
            for number in range(EACH)
        ]
        joined = [
            act.draft("participant.joined", {"agent": agent, "display_name": agent})
            for agent in AGENTS
        ]
        began = core.append("private", [act.draft("session.started", _begun())] * count)
        ended = [
            act.draft(
                "session.ended",
                {
                    "start": event.id,
                    "date": "2026-11-01",
                    "agents": {AGENTS[(number + seat) % 20]: {} for seat in range(TABLE)},
                },
            )
            for number, event in enumerate(began)
        ]
        core.append("project", [*joined, *ended, *recorded])
    scene.settle(root)
    return root


def _begun() -> dict[str, Any]:
    return {"checkout": "", "agents": [[agent, agent] for agent in AGENTS[:TABLE]], "named": False}
