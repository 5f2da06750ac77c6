"""Codex: the server is a table of its TOML file, and the hooks are in a JSON file next to it."""

from __future__ import annotations

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, described, grouped
from varves.hosts.install.parts import Hooks
from varves.hosts.install.tomltext import TomlServer

EVENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "Stop": "stop",
    "PreCompact": "compact",
    "SessionEnd": "end",
}


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    folder = f"{place.root}/.codex" if place.is_project else place.folders["codex"]
    # Before its first request, Codex waits only for servers that are marked as required.
    table = TomlServer(value=described(place.program, required=True, startup_timeout_sec=20))
    hooks = Hooks(path=("hooks",), groups=grouped(place.program, "codex", EVENTS))
    return [
        Wiring(path=f"{folder}/config.toml", part=table),
        Wiring(path=f"{folder}/hooks.json", part=hooks),
    ]


AGENT = Agent(
    name="codex",
    hook="codex",
    binaries=("codex",),
    tested="0.166.0",
    wirings=wirings,
    note="codex asks once whether to trust the hooks (/hooks)",
    project_note="codex reads .codex/ of trusted projects only",
)
