"""OpenCode: the server in its settings, and a plugin that calls hooks for its events."""

from __future__ import annotations

import os

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, script_file
from varves.hosts.install.parts import JsonServer


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    folder = place.root if place.is_project else place.folders["opencode"]
    plugins = f"{place.root}/.opencode/plugin" if place.is_project else f"{folder}/plugin"
    settings = f"{folder}/opencode.json"
    if not os.path.lexists(settings) and os.path.lexists(f"{settings}c"):
        settings += "c"
    entry = {"type": "local", "command": [*place.program, "mcp"], "enabled": True}
    return [
        Wiring(path=settings, part=JsonServer(path=("mcp",), value=entry)),
        Wiring(path=f"{plugins}/varves.js", part=script_file("opencode/varves.js", place.program)),
    ]


AGENT = Agent(
    name="opencode",
    hook="opencode",
    binaries=("opencode",),
    tested="1.18.33",
    wirings=wirings,
)
