"""One project at moments of a test's choice, its conversations, and what their files say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.protocols.deliberation.runners import Buses
from tests.protocols.timed import Timed
from varves.values.instants import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

MINUTE = 60_000
FILLER = "The build took a while today, number {}."


class Talk(Timed):
    """The protocol over one project; every message comes a minute after the one before."""

    protocol = "deliberation"

    @property
    def now(self) -> str:
        """The present moment, as files write it."""
        return iso(self._clock.ms)

    def begin(self, name: str = "talk", **options: Any) -> Any:
        """Begin a conversation."""
        return self.verbs.begin(name, **options)

    def say(self, agent: str, text: str, **options: Any) -> Any:
        """Say one thing, a minute later."""
        self._clock.ms += MINUTE
        return self.verbs.say(agent, text, **options)

    def hold(self, *posts: Any, name: str = "talk", agents: Sequence[str] = ()) -> list[Any]:
        """Begin a conversation and say all this: (agent, text), or so with options."""
        self.begin(name, agents=agents)
        said = []
        for post in posts:
            agent, text, *options = post
            said.append(self.say(agent, text, **(options[0] if options else {})))
        return said

    def fill(self, count: int, *agents: str, **options: Any) -> list[Any]:
        """Say so many things in which there is nothing to find, one agent after the other."""
        names = agents or ("ada", "ben")
        posts = ((names[n % len(names)], FILLER.format(n)) for n in range(count))
        return [self.say(agent, text, **options) for agent, text in posts]

    def path(self, name: str = "talk") -> Path:
        """Return where a conversation's file lies."""
        return self.root / f"deliberations/{name}/memory.json"

    def file(self, name: str = "talk") -> Any:
        """Return a conversation's file as JSON."""
        return json.loads(self.path(name).read_text(encoding="utf-8"))

    def edit(self, change: Callable[[Any], Any], name: str = "talk") -> None:
        """Change a conversation's file as a person would."""
        document = self.file(name)
        change(document)
        self.path(name).write_text(json.dumps(document, indent=4), encoding="utf-8")

    def context(self, agent: str | None = None, **options: Any) -> str:
        """Return the text of the full context."""
        return str(self.verbs.context(agent, **options).text)

    def brief(self, **options: Any) -> str:
        """Return the text of the brief context."""
        return str(self.verbs.brief(**options).text)

    def events(self, *kinds: str) -> list[Any]:
        """Return the events of some kinds."""
        return list(self.ledger.log(kind=kinds))


@pytest.fixture
def talk(project: Path) -> Iterator[Talk]:
    """Give the protocol over a fresh project."""
    made = Talk(project)
    yield made
    made.close()


@pytest.fixture(params=["alone", "ledger"])
def buses(request: pytest.FixtureRequest, project: Path) -> Iterator[Buses]:
    """Give conversations in either home: the process alone, and a ledger."""
    made = Buses(request.param, project)
    yield made
    made.close()
