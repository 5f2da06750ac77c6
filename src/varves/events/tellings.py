"""The content of `context.injected` events, which record the memories that agents were shown.

The counts affect the ranking of memories. So they are read only from this clone's own private log:
events on a branch do not prove what was shown in this clone.
"""

from __future__ import annotations

from varves.events.kinds import INJECTED
from varves.values.ids import is_memory_id
from varves.values.instants import is_instant
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.events.event import Event

    Reading = tuple[str, str, str, tuple[str, ...]]  # time, verb, agent, ids of the memories shown

_MOST = 2**31


def content(readings: Iterable[Reading], moments: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return the content of an event on shown memories.

    Args:
        readings: the answers, which are counted by agent and verb.
        moments: what an agent was shown at each moment, in order.
    """
    told: dict[tuple[str, str], dict[str, Any]] = {}
    for time, verb, agent, memories in readings:
        fresh = {"agent": agent, "verb": verb, "times": 0, "first": time, "last": ""}
        part = told.setdefault((agent, verb), {**fresh, "memories": {}})
        part["times"] += 1
        part["first"] = min(part["first"], time)
        part["last"] = max(part["last"], time)
        for name in memories:
            count, last = part["memories"].get(name, (0, ""))
            part["memories"][name] = [count + 1, max(last, time)]
    shown = [*moments]
    return {"told": [told[key] for key in sorted(told)]} | ({"shown": shown} if shown else {})


def tellings(event: Event) -> dict[tuple[str, str], tuple[int, str]]:
    """Return how often, and when last, each agent was shown each memory according to an event.

    The result is empty if the event must not be counted.
    """
    if not _is_own(event) or event.trust < TRUSTWORTHY:
        return {}
    told = event.data.get("told")
    if not isinstance(told, list) or not all(_is_part(part) for part in told):
        return {}
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for part in told:
        for name, (count, last) in part["memories"].items():
            before, latest = found.get((name, part["agent"]), (0, ""))
            found[name, part["agent"]] = (before + count, max(latest, last))
    return found


def moments(event: Event) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (place, content) for each moment at which an event says memories were shown.

    Whoever recorded it, it is listed; it has no effect.
    """
    shown = event.data.get("shown") if _is_own(event) else None
    for place, part in enumerate(shown if isinstance(shown, list) else ()):
        if _is_moment(part):
            yield place, part


def accesses(event: Event) -> dict[str, tuple[int, str]]:
    """Return how often, and when last, each memory was read according to a protocol's files."""
    counted = event.data.get("accessed")
    if event.trust < TRUSTWORTHY or not isinstance(counted, dict):
        return {}
    return {
        name: (pair[0], pair[1])
        for name, pair in counted.items()
        if is_memory_id(name) and _is_count(pair)
    }


def _is_own(event: Event) -> bool:
    return event.kind == INJECTED and event.log == "private"


def _is_moment(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and all(isinstance(part.get(name), str) for name in ("at", "client", "moment"))
        and is_instant(part["at"])
        and isinstance(part.get("ids"), list)
        and all(is_memory_id(name) for name in part["ids"])
        and type(part.get("tokens")) is int
    )


def _is_part(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("agent"), str)
        and isinstance(part.get("memories"), dict)
        and all(is_memory_id(name) for name in part["memories"])
        and all(_is_count(pair) for pair in part["memories"].values())
    )


def _is_count(pair: Any) -> bool:
    return (
        isinstance(pair, list)
        and [type(one) for one in pair] == [int, str]
        and 0 < pair[0] < _MOST
        and is_instant(pair[1])
    )
