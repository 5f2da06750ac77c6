"""One project at moments of a test's choice, its parties, and what stands in the sidecars."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.protocols.timed import Timed
from varves.values.instants import DAY_MS, iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

NAMES = ("ada", "ben", "noa")
STATE = "_mdan/state/MDAN-STATE.json"


class Room(Timed):
    """The protocol over one project; time stands still until it is set."""

    protocol = "party"

    @property
    def now(self) -> str:
        """The present moment, as files write it."""
        return f"{iso(self._clock.ms)[:19]}Z"

    def later(self, days: float = 1) -> Any:
        """Let time pass and return the verbs."""
        self._clock.ms += int(days * DAY_MS)
        return self.verbs

    def hold(self, *posts: Any, agents: Sequence[str] = NAMES) -> Any:
        """Hold a party: each post is (agent, text), or so with options, or a decision's options."""
        self.verbs.start(agents=agents)
        for post in posts:
            if isinstance(post, dict):
                self.verbs.decide(**post)
            else:
                agent, text, *options = post
                self.verbs.say(agent, text, **(options[0] if options else {}))
        return self.verbs.end()

    def give(self, agent: str, *given: tuple[str, float], among: Sequence[str] = ()) -> Any:
        """Hold a party a day later in which an agent is given memories; return its end."""
        verbs = self.later()
        verbs.start(agents=(agent, *among))
        for content, confidence in given:
            verbs.remember(agent, type="context", content=content, confidence=confidence)
        return verbs.end()

    def idle(self, sessions: int, *agents: str) -> None:
        """Hold parties in which nothing is said."""
        for _ in range(sessions):
            self.later()
            self.hold(agents=agents or ("ada",))

    def path(self, agent: str) -> Path:
        """Return where an agent's sidecar lies."""
        return self.root / f"_mdan/state/sidecars/{agent}.sidecar.json"

    def sidecar(self, agent: str = "ada") -> Any:
        """Return an agent's sidecar as JSON."""
        return json.loads(self.path(agent).read_text(encoding="utf-8"))

    def kept(self, agent: str = "ada") -> list[tuple[str, str, float]]:
        """Return type, content and confidence of an agent's memories, in file order."""
        if not self.path(agent).exists():
            return []
        found = self.sidecar(agent)["memories"]
        return [(one["type"], one["content"], one["confidence"]) for one in found]

    def memories(self, agent: str = "ada") -> dict[str, Any]:
        """Return what an agent remembers, with its confidence, in file order."""
        return {one["content"]: one["confidence"] for one in self.sidecar(agent)["memories"]}

    def state(self) -> Any:
        """Return the state file as JSON."""
        return json.loads((self.root / STATE).read_text(encoding="utf-8"))

    def edit(self, agent: str, change: Callable[[Any], Any]) -> None:
        """Change a sidecar as a person would."""
        document = self.sidecar(agent) if self.path(agent).exists() else {}
        change(document)
        self.path(agent).parent.mkdir(parents=True, exist_ok=True)
        self.path(agent).write_text(json.dumps(document, indent=4), encoding="utf-8")

    def events(self, kind: str) -> list[Any]:
        """Return the events of a kind."""
        return list(self.ledger.log(kind=(kind,)))


@pytest.fixture
def room(project: Path) -> Iterator[Room]:
    """Give the protocol over a fresh project."""
    made = Room(project)
    yield made
    made.close()
