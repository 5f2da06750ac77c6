"""Copilot CLI: a hooks file that belongs to Varves, and the server in a file shared with others."""

from __future__ import annotations

from varves.hosts.install.agents import (
    SECONDS,
    Agent,
    InstallPlace,
    Wiring,
    described,
    hooks_file,
)
from varves.hosts.install.parts import JsonServer
from varves.hosts.install.words import hook

EVENTS = {
    "sessionStart": "start",
    "userPromptSubmitted": "prompt",
    "postToolUse": "tool",
    "agentStop": "stop",
    "preCompact": "compact",
    "sessionEnd": "end",
}


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    hooks = {
        event: {
            "type": "command",
            "bash": hook(place.program, event, "copilot"),
            "timeoutSec": SECONDS.get(moment, 10),
        }
        for event, moment in EVENTS.items()
    }
    ours = hooks_file(hooks, versioned=True)
    if place.is_project:
        entry = described(place.program, type="stdio", alwaysLoad=True, tools=["*"])
        return [
            Wiring(path=f"{place.root}/.github/hooks/varves.json", part=ours),
            Wiring(
                path=f"{place.root}/.mcp.json", part=JsonServer(path=("mcpServers",), value=entry)
            ),
        ]
    folder = place.folders["copilot"]
    entry = described(place.program, type="local", tools=["*"])
    server = JsonServer(path=("mcpServers",), value=entry)
    return [
        Wiring(path=f"{folder}/hooks/varves.json", part=ours),
        Wiring(path=f"{folder}/mcp-config.json", part=server),
    ]


AGENT = Agent(
    name="copilot",
    hook="copilot",
    binaries=("copilot",),
    tested="1.0.102",
    wirings=wirings,
    project_note="copilot reads .github/hooks of trusted folders only",
)
