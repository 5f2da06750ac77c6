"""Cursor: a file of hooks and a file of servers, which other programs use too."""

from __future__ import annotations

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, described
from varves.hosts.install.parts import Hooks, JsonServer
from varves.hosts.install.words import hook

SEED = '{\n  "version": 1\n}\n'
EVENTS = ("sessionStart", "beforeSubmitPrompt", "postToolUse", "stop", "preCompact", "sessionEnd")


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    folder = f"{place.root}/.cursor" if place.is_project else place.folders["cursor"]
    groups = {event: {"command": hook(place.program, event, "cursor")} for event in EVENTS}
    return [
        Wiring(
            path=f"{folder}/hooks.json",
            part=Hooks(path=("hooks",), groups=groups, seed=SEED),
        ),
        Wiring(
            path=f"{folder}/mcp.json",
            part=JsonServer(path=("mcpServers",), value=described(place.program)),
        ),
    ]


AGENT = Agent(
    name="cursor",
    hook="cursor",
    binaries=("cursor", "cursor-agent"),
    tested="",
    wirings=wirings,
)
