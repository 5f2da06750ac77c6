"""The MCP inspector's command line finds nothing to complain of, whichever revision it speaks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.clients.rig import VARVES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clients.rig import Seat

ERAS = ("legacy", "auto", "modern")
CALLS = 200


def inspect(seat: Seat, era: str, method: str, *words: str) -> Any:
    """Ask our server something by the inspector."""
    ended = seat.run(
        *("mcp-inspector", "--cli", "--protocol-era", era, "--format", "json", "--quiet"),
        *("--cwd", str(seat.project), "--method", method, *words),
        *("--", VARVES, "mcp"),
    )
    return json.loads(ended.out)["result"]


@pytest.mark.client("inspector")
@pytest.mark.parametrize("era", ERAS)
def test_everything_a_server_offers(era: str, seat: Seat, proven: Callable[[str], None]):
    seat.varves("remember", "The staging database listens on port 6543.")
    tools = inspect(seat, era, "tools/list", "--strict")["tools"]
    assert 0 < len(tools) <= 8
    called = inspect(
        seat, era, "tools/call", "--tool-name", "recall", "--tool-arg", "query=staging port"
    )
    assert "6543" in json.dumps(called["structuredContent"])
    assert "6543" in called["content"][0]["text"]
    resources = inspect(seat, era, "resources/list")["resources"]
    read = inspect(seat, era, "resources/read", "--uri", resources[0]["uri"])
    assert read["contents"]
    assert inspect(seat, era, "resources/templates/list")["resourceTemplates"]
    prompts = inspect(seat, era, "prompts/list")["prompts"]
    prompt = next(prompt for prompt in prompts if prompt["name"] == "recall")
    arguments = [f"{one['name']}=staging port" for one in prompt.get("arguments", ())[:1]]
    told = inspect(seat, era, "prompts/get", "--prompt-name", "recall", "--prompt-args", *arguments)
    assert "6543" in json.dumps(told["messages"])
    proven(f"{era}: tools (--strict), resources, templates and prompts over stdio")


@pytest.mark.client("inspector")
@pytest.mark.parametrize("era", ERAS)
def test_many_calls_at_once(era: str, seat: Seat, proven: Callable[[str], None]):
    seat.varves("remember", "The staging database listens on port 6543.")
    told = inspect(
        *(seat, era, "tools/call", "--tool-name", "recall", "--tool-arg", "query=staging port"),
        *("--load", "--load-requests", str(CALLS), "--load-concurrency", "8"),
    )
    assert (told["ok"], told["errors"] + told["toolErrors"]) == (CALLS, 0), told
    proven(f"{era}: {CALLS} calls, 8 at once, all answered")
