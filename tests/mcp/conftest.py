"""A server in this process, fed with messages and heard at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening
from varves.mcp.eras import ABILITIES, CLIENT, VERSION
from varves.mcp.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORMS = {"elicitation": {"form": {}}}


class Talk:
    """One client and the server it talks to."""

    def __init__(
        self,
        catalogue: Any,
        era: str,
        *,
        told: Callable[[Any], object] = lambda message: None,
        **more: Any,
    ) -> None:
        self.heard: list[Any] = []
        self._told = told
        self.server = Server(catalogue, self._hear, **more)
        self.era = era
        self.abilities: dict[str, Any] = {}
        self.name = "claude-code"
        self.last = 0

    def _hear(self, message: Any) -> None:
        self.heard.append(message)
        self._told(message)

    @property
    def modern(self) -> bool:
        return self.era >= "2026"

    def begin(self, **abilities: Any) -> Any:
        """Say who is there, in the era's way."""
        self.abilities = abilities
        if self.modern:
            return self.ask("server/discover")["result"]
        who = {"name": self.name, "version": "1"}
        answer = self.ask(
            "initialize", protocolVersion=self.era, capabilities=abilities, clientInfo=who
        )
        self.tell("notifications/initialized")
        return answer["result"]

    def send(self, method: str, **params: Any) -> int:
        """Send a request and return its id."""
        self.last += 1
        if self.modern:
            who = {"name": self.name, "version": "1"}
            params["_meta"] = {
                VERSION: self.era,
                ABILITIES: self.abilities,
                CLIENT: who,
                **params.get("_meta", {}),
            }
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.server.receive(json.loads(json.dumps(message)))
        return self.last

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and return its answer."""
        return self.answer(self.send(method, **params))

    def answer(self, number: int) -> Any:
        found = [one for one in self.heard if one.get("id") == number and "method" not in one]
        assert len(found) == 1, (number, self.heard)
        self.heard.remove(found[0])
        return json.loads(json.dumps(found[0]))

    def tell(self, method: str, **params: Any) -> None:
        self.server.receive({"jsonrpc": "2.0", "method": method, "params": params})

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; its text and its structure must say the same."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return read(result)


def read(result: Any) -> Any:
    """Return what a tool says."""
    [content] = result["content"]
    said = json.loads(content["text"])
    if result.get("isError"):
        assert "structuredContent" not in result
        return {"isError": True, **said}
    assert said == result["structuredContent"]
    return said


@pytest.fixture
def catalogue(project: Path) -> Iterator[MemoryCatalogue]:
    made = MemoryCatalogue(Opening(root=str(project)))
    yield made
    made.close()


@pytest.fixture
def talks(catalogue: MemoryCatalogue) -> Callable[..., Talk]:
    """Return what makes talks; each begins unless it is told not to."""

    def make(
        era: str = "2025-11-25", *, begun: bool = True, name: str = "claude-code", **more: Any
    ) -> Talk:
        talk = Talk(catalogue, era, **more)
        talk.name = name
        if begun:
            talk.begin()
        return talk

    return make


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def talk(request: pytest.FixtureRequest, talks: Callable[..., Talk]) -> Talk:
    """Return a talk in each era."""
    return talks(request.param)
