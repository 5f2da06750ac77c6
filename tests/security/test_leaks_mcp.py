"""Nobody sees a neighbour's memories through MCP: no tool, resource, prompt or completion tells."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.figures import note_figure
from tests.security.neighbours import SEED, House, foreign, marks, questions
from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening
from varves.mcp.server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CLIENT, SESSION = "claude", "s-one"
TEMPLATES = ("memory/{id}", "scope/{scope}", "conversation/{name}")


class Asking:
    """A client of the server over our project, in this process."""

    def __init__(self, house: House, root: Path, *, session: str = SESSION) -> None:
        self._catalogue = MemoryCatalogue(Opening(root=str(root), session=session))
        self._heard: list[Any] = []
        self._server = Server(self._catalogue, self._heard.append)
        self._number = 0
        self._house = house
        who = {"name": CLIENT, "version": "1"}
        self("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=who)
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self._server.receive(told)

    def __call__(self, method: str, **params: Any) -> str:
        """Send a request and return its whole answer."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._server.receive(message)
        answer = next(one for one in self._heard if one.get("id") == self._number)
        return json.dumps({**answer, "id": 0}, ensure_ascii=False)

    def close(self) -> None:
        """Let go of the ledger."""
        self._catalogue.close()


def answers(asking: Asking, others: list[str]) -> Iterator[tuple[str, str]]:
    """Ask for everything that can be asked for, others' ids and scopes by name among it."""
    for number, asked in enumerate(questions(random.Random(SEED))):
        given = {"query": asked, "k": 50, "budget": 20_000}
        yield f"recall {number}", asking("tools/call", name="recall", arguments=given)
        prompt = {"name": "recall", "arguments": {"question": asked}}
        yield f"prompt {number}", asking("prompts/get", **prompt)
    for scope in ("agent:codex", "session:s-two", "team:core", "project", "global"):
        given = {"query": "deploy staging", "scope": scope}
        yield f"recall {scope}", asking("tools/call", name="recall", arguments=given)
        yield f"scope {scope}", asking("resources/read", uri=f"varves://scope/{scope}")
    yield "brief", asking("tools/call", name="brief", arguments={"budget": 8000})
    yield "conflicts", asking("tools/call", name="conflicts", arguments={})
    yield "handoff", asking("tools/call", name="handoff", arguments={"take": True})
    yield "resources", asking("resources/list")
    yield "conversation", asking("resources/read", uri="varves://conversation/s-one")
    for name in others:
        yield f"show {name}", asking("tools/call", name="show", arguments={"id": name})
        yield f"memory {name}", asking("resources/read", uri=f"varves://memory/{name}")
    for template in TEMPLATES:
        argument = {"name": template.partition("{")[2][:-1], "value": ""}
        ref = {"type": "ref/resource", "uri": f"varves://{template}"}
        yield f"complete {template}", asking("completion/complete", ref=ref, argument=argument)
    yield "review", asking("prompts/get", name="review", arguments={})


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, House]:
    """Give our project alone on a machine, and among neighbours."""
    place = tmp_path_factory.mktemp("houses")
    return (
        House(place / "alone", seed=SEED, neighbours=False),
        House(place / "among", seed=SEED, neighbours=True),
    )


def test_no_answer_tells_of_a_neighbour(
    houses: tuple[House, House], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither of another project or person, nor of another agent's or session's."""
    monkeypatch.setenv("VARVES_NOW", "2030-01-01T00:00:00Z")  # a score depends on the moment
    others = houses[1].ids_unseen_by(CLIENT, SESSION)
    assert len(others) > 10
    told: list[dict[str, str]] = []
    for house in houses:
        monkeypatch.setenv("VARVES_HOME", str(house.homes["ada"]))
        asking = Asking(house, house.ours)
        told.append(dict(answers(asking, others)))
        asking.close()
    alone, among = told
    seen: set[str] = set()
    for name, answer in among.items():
        assert not foreign(answer, CLIENT, SESSION, houses[1]), name
        unseen = [one for one in others if one in answer and one not in name]
        assert not unseen, name
        assert houses[0].plain(alone[name]) == houses[1].plain(answer), f"{name} differs"
        seen |= marks(answer)
    owners = {houses[1].owners[mark] for mark in seen}
    assert owners == {"project", "global", "team", f"agent:{CLIENT}", f"session:{SESSION}"}
    note_figure("S4", answers_through_mcp=len(among), leaks_through_mcp=0)
