"""Gemini CLI: hooks and server in one file, in which times are in milliseconds."""

from __future__ import annotations

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, described, grouped
from varves.hosts.install.parts import Hooks, JsonServer

EVENTS = {
    "SessionStart": "start",
    "BeforeAgent": "prompt",
    "AfterTool": "tool",
    "AfterAgent": "stop",
    "PreCompress": "compact",
    "SessionEnd": "end",
}


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    folder = f"{place.root}/.gemini" if place.is_project else place.folders["gemini"]
    groups = grouped(place.program, "gemini", EVENTS, unit=1000)
    for group in groups.values():
        group["hooks"][0] = {"name": "varves", **group["hooks"][0]}
    path = f"{folder}/settings.json"
    server = JsonServer(path=("mcpServers",), value=described(place.program, timeout=30_000))
    return [
        Wiring(path=path, part=Hooks(path=("hooks",), groups=groups)),
        Wiring(path=path, part=server),
    ]


AGENT = Agent(
    name="gemini",
    hook="gemini",
    binaries=("gemini",),
    tested="0.61.0",
    wirings=wirings,
    project_note="gemini reads .gemini/ of trusted folders only",
)
