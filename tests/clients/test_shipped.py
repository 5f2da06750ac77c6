"""The folders we ship are taken by the clients they are for, and work without `varves install`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import varves
from tests.clients import install
from tests.clients.rig import VARVES
from tests.clients.test_sessions import ASK, PORT, RECALL, SAY, check_answered

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clients.rig import Client, Seat

KIT = Path(str(varves.__file__)).parent / "hosts/kit"
PLUGIN = str(KIT / "plugin")
ADDED = {
    "claude-code": (
        ("claude", "plugin", "marketplace", "add", PLUGIN),
        ("claude", "plugin", "install", "varves@varves"),
    ),
    "codex": (
        ("codex", "plugin", "marketplace", "add", PLUGIN),
        ("codex", "plugin", "add", "varves@varves"),
    ),
    "copilot": (
        ("copilot", "plugin", "marketplace", "add", PLUGIN),
        ("copilot", "plugin", "install", "varves@varves"),
    ),
    "gemini": (("gemini", "extensions", "link", str(KIT / "gemini"), "--consent"),),
}


@pytest.mark.client("claude-code")
def test_claude_code_finds_nothing_wrong_with_the_plugin(seat: Seat, proven: Callable[[str], None]):
    for part in (".", ".claude-plugin/plugin.json"):
        words = ("--strict", "--json", *(("--profile", "directory") if part == "." else ()))
        ended = seat.run("claude", "plugin", "validate", str(KIT / "plugin" / part), *words)
        assert json.loads(ended.out)["success"]
    proven("`plugin validate --strict --profile directory` passes our plugin")


@pytest.mark.client("claude-code")
def test_the_plugin_costs_a_session_little(seat: Seat, proven: Callable[[str], None]):
    for command in ADDED["claude-code"]:
        seat.run(*command)
    told = seat.run("claude", "plugin", "details", "varves").out
    (tokens,) = re.findall(r"Always-on:\s+~(\d+) tok", told)
    assert int(tokens) < 50
    proven(f"`plugin details` reports that our plugin uses {tokens} tokens a session")


@pytest.mark.client("gemini")
def test_gemini_finds_nothing_wrong_with_the_extension(seat: Seat, proven: Callable[[str], None]):
    seat.run("gemini", "extensions", "validate", str(KIT / "gemini"))
    proven("`extensions validate` passes our extension")


@pytest.mark.client("agentskills")
@pytest.mark.parametrize("folder", ["skill", "plugin/skills", "agent-plugin/skills"])
def test_the_skill_is_one(folder: str, seat: Seat, proven: Callable[[str], None]):
    program = install.FOLDER / "venv/bin/agentskills"
    seat.run(str(program), "validate", str(KIT / folder / "varves-memory"))
    proven("`agentskills validate` passes our skill, alone and in both plugins")


@pytest.mark.parametrize("name", ADDED)
def test_a_plugin_alone_is_enough(
    name: str, client: Client, seat: Seat, proven: Callable[[str], None]
):
    programs = seat.folder / "bin"
    programs.mkdir()
    (programs / "varves").symlink_to(VARVES)
    seat.env["PATH"] += f":{programs}"
    for command in ADDED[name]:
        seat.run(*command)
    seat.stub.plays(says="Noted.")
    client.ask(seat, SAY)
    seat.stub.plays(RECALL, says="On 6543.")
    client.ask(seat, ASK)
    assert PORT in seat.opening().text
    assert len(seat.memories(PORT)) == 1
    assert seat.stub.called
    what = "extension" if name == "gemini" else "plugin, from its marketplace,"
    proven(f"our {what} alone: a statement made in session 1 was in the first request of session 2")
    if name == "copilot":  # which starts a plugin's server in the plugin's folder
        results = [result for asked in seat.stub.asked for result in asked.results]
        assert any("no project is known" in result for result in results), results
        proven("as a plugin, its tools do not know the project and report this")
    else:
        check_answered(seat)
        proven(f"our {what} alone: our tool was called, and its result was in the next request")
