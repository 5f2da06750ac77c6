"""Claude Code: hooks in its settings, the server in a separate file."""

from __future__ import annotations

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, described, grouped
from varves.hosts.install.parts import Hooks, JsonServer

EVENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "PostToolUseFailure": "tool",
    "Stop": "stop",
    "PreCompact": "compact",
    "SessionEnd": "end",
}


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    hooks = Hooks(path=("hooks",), groups=grouped(place.program, "claude", EVENTS))
    entry = described(place.program, type="stdio", alwaysLoad=True)
    if place.is_project:
        entry |= {"tools": ["*"]}  # Copilot reads the same file, and requires this key
    settings = f"{place.root}/.claude" if place.is_project else place.folders["claude-code"]
    servers = f"{place.root}/.mcp.json" if place.is_project else place.folders["claude.json"]
    return [
        Wiring(path=f"{settings}/settings.json", part=hooks),
        Wiring(path=servers, part=JsonServer(path=("mcpServers",), value=entry)),
    ]


AGENT = Agent(
    name="claude-code",
    hook="claude",
    binaries=("claude",),
    tested="2.1.325",
    wirings=wirings,
    project_note="claude asks once whether the server of .mcp.json may run",
)
