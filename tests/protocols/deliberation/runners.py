"""Runners that do as a test says, and the two homes a conversation may have."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import varves
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LIMIT = 60  # seconds after which a wait is given up; nothing takes that long
DAWN = "2026-01-01T00:00:00Z"
FILLER = "The build took a while today, number {}."


class Runner:
    """Answers with what it was given, one after the other, the last one for ever."""

    def __init__(self, *answers: Any, says: Any = False) -> None:
        self.answers = list(answers) or ["They talked."]
        self.says = says
        self.queries: list[dict[str, Any]] = []
        self.evaluations: list[str] = []

    def query(self, **asked: Any) -> Any:
        self.queries.append(asked)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer(asked) if callable(answer) else answer

    def evaluate(self, *, eval_prompt: str) -> Any:
        self.evaluations.append(eval_prompt)
        return self.says(eval_prompt) if callable(self.says) else self.says


class Held(Runner):
    """Answers only once it is let go."""

    def __init__(self, *answers: Any, says: Any = False) -> None:
        super().__init__(*answers, says=says)
        self.asked = Event()
        self.go = Event()

    def query(self, **asked: Any) -> Any:
        self.asked.set()
        assert self.go.wait(LIMIT)
        return super().query(**asked)


class Counted(IdSource):
    """Gives ids in a fixed order."""

    def __init__(self) -> None:
        self.given = 0

    def entropy(self, count: int) -> bytes:
        self.given += 1
        return self.given.to_bytes(count, "big")


class Buses:
    """Opens conversations in one of their homes: the process alone, or a ledger."""

    def __init__(self, home: str, root: Path) -> None:
        self.home = home
        self.root = root
        self.clock = FixedClock(instant(DAWN))
        self._opened: list[Any] = []

    def open(self, runner: Any = None, **options: Any) -> Any:
        """Open a bus over a conversation of its own."""
        if self.home == "alone":
            bus = varves.MessageBus(runner=runner, options=options, clock=self.clock, ids=Counted())
            self._opened.append(bus)
            return bus
        folder = self.root / ".varves"
        folder.mkdir(exist_ok=True)
        lines = [f"{name} = {value!r}\n" for name, value in options.items()]
        (folder / "settings.toml").write_text("[deliberation]\n" + "".join(lines), encoding="utf-8")
        ledger = varves.open(str(self.root), clock=self.clock, mode="fast")
        ledger.deliberation.begin(f"talk-{len(self._opened)}")
        bus = ledger.deliberation.bus(runner=runner)
        self._opened += [ledger, bus]
        return bus

    def close(self) -> None:
        """Close everything that was opened, the last first."""
        while self._opened:
            self._opened.pop().close()


def message(agent: str, content: str, **more: Any) -> Any:
    """Return a message."""
    return varves.Message(agent_id=agent, content=content, **more)


def fill(bus: Any, count: int, *agents: str, text: str = FILLER) -> list[Any]:
    """Say so many things, numbered, one agent after the other."""
    names = agents or ("ada", "ben")
    start = bus.get_memory_stats().total_messages
    return [
        bus.add_message(message(names[n % len(names)], text.format(n)))
        for n in range(start, start + count)
    ]


def ranges(bus: Any) -> list[tuple[int, int]]:
    """Return what the summaries that are held cover."""
    return [tuple(one.message_range) for one in bus.memory.state.summaries]


def tiles(found: list[tuple[int, int]], total: int, interval: int) -> bool:
    """Tell whether ranges cover all full chunks, each once, in order, without a gap."""
    return found == [(n, n + interval - 1) for n in range(0, total - interval + 1, interval)]


def gather(bus: Any, event: str = "message:new") -> list[Any]:
    """Return a list that fills with what subscribers are given."""
    heard: list[Any] = []
    append: Callable[[Any], None] = heard.append
    bus.subscribe(event, append)
    return heard
