"""R9 at size: random histories, each arranged in many ways, and one state for all of them.

The laws of `test_fold` again, driven by plain seeds: no shrinking, but tens of thousands of
examples. An example is one arrangement of one history's events, folded from nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from tests.figures import add_figure, full_size
from tests.properties.world import HOUR, PROJECTION, START, VERBS, play, union
from varves.events.bulk import decode_quickly
from varves.fold import memories
from varves.fold.base import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.events.event import Event

EXAMPLES, EACH = (100_000, 40) if full_size() else (1_200, 40)
NOW = START + HOUR


class History:
    """Every event of three replicas that met now and then, and the lines they stand in."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        script = [chance.randrange(3 * len(VERBS) * 32 * 32) for _ in range(chance.randint(20, 50))]
        skew = [chance.randint(-HOUR, HOUR) for _ in range(3)]
        group = play(script, skew)
        self.events = list(union(*(one.events.values() for one in group)).values())
        self.lines = {name: line for one in group for name, line in one.lines.items()}


def digest(state: memories.MemoryState) -> bytes:
    """Return a state as the digest of its dump."""
    return sha256(PROJECTION.dump(state, NOW, hold_back=False).encode()).digest()


def permute(history: History, chance: random.Random) -> memories.MemoryState:
    """Take the events in any order."""
    return replay(PROJECTION, chance.sample(history.events, len(history.events)))


def duplicate(history: History, chance: random.Random) -> memories.MemoryState:
    """Take some events several times."""
    more = chance.choices(history.events, k=chance.randrange(1, 2 * len(history.events)))
    both = [*history.events, *more]
    chance.shuffle(both)
    return replay(PROJECTION, both)


def split(history: History, chance: random.Random) -> memories.MemoryState:
    """Take the events in portions, looking at the state between them."""
    events = chance.sample(history.events, len(history.events))
    state = PROJECTION.empty()
    cuts = sorted(chance.sample(range(len(events) + 1), k=min(3, len(events))))
    for start, stop in zip([0, *cuts], [*cuts, len(events)], strict=True):
        for event in events[start:stop]:
            PROJECTION.apply(state, event)
        PROJECTION.rows(state, NOW, hold_back=False)
    return state


def merge(history: History, chance: random.Random) -> memories.MemoryState:
    """Put two sets together that hold everything between them, in either direction."""
    left = [event for event in history.events if chance.random() < 0.6]
    held = {event.id for event in left}
    right = [e for e in history.events if e.id not in held or chance.random() < 0.5]
    sides = [left, right]
    chance.shuffle(sides)
    return replay(PROJECTION, [event for side in sides for event in side])


def reread(history: History, chance: random.Random) -> memories.MemoryState:
    """Read the events from their lines, in the order of the lines."""
    events: list[Event] = [
        decode_quickly(history.lines[event.id], event.log) for event in history.events
    ]
    events.sort(key=lambda event: history.lines[event.id], reverse=chance.random() < 0.5)
    return replay(PROJECTION, events)


WAYS: tuple[Callable[[History, random.Random], memories.MemoryState], ...]
WAYS = (permute, duplicate, split, merge, reread)


def arrange(examples: int, each: int) -> Counter[str]:
    """Fold so many arrangements and count those that give another state."""
    found: Counter[str] = Counter()
    seed = 0
    while found["examples"] < examples:
        history, chance = History(seed), random.Random(f"arrangement {seed}")
        seed += 1
        if len(history.events) < 2:
            continue
        found["histories"] += 1
        found["events"] += len(history.events)
        expected = digest(replay(PROJECTION, history.events))
        for _ in range(each):
            way = chance.choice(WAYS)
            found[way.__name__] += 1
            found["examples"] += 1
            if digest(way(history, chance)) != expected:
                found[f"other state by {way.__name__}"] += 1
                found["other states"] += 1
    return found


def test_a_set_of_events_has_one_state_however_it_is_arranged():
    found = arrange(EXAMPLES, EACH)
    assert found["other states"] == 0, found
    assert min(found[way.__name__] for way in WAYS) >= EXAMPLES // 10, found
    assert found["events"] > 10 * found["histories"], "the histories were hardly any"
    add_figure(
        "R9",
        examples=found["examples"],
        histories=found["histories"],
        events=found["events"],
        other_states=0,
    )


def test_a_fold_that_goes_by_arrival_is_caught(monkeypatch):
    """Deliberately broken: events count in the order they come."""
    from varves.fold import family

    turn = iter(range(10**9))
    seen: dict[str, int] = {}
    arrival = lambda event: seen.setdefault(event.id, next(turn))  # noqa: E731
    monkeypatch.setattr(family, "_order", arrival)
    monkeypatch.setattr(memories.Memories, "apply", _by_arrival(seen, turn))
    assert arrange(200, 40)["other states"] > 20


def _by_arrival(seen: dict[str, int], turn: object) -> Callable[..., None]:
    real = memories.Memories.apply

    def apply(self: memories.Memories, state: memories.MemoryState, event: Event) -> None:
        seen[event.id] = next(turn)  # type: ignore[call-overload]
        real(self, state, event)

    return apply
