"""Goose: the server is an extension in its YAML file; the hooks are a plugin folder of ours."""

from __future__ import annotations

from varves.hosts.install.agents import Agent, InstallPlace, Wiring, grouped, hooks_file
from varves.hosts.install.yamltext import YamlServer

EVENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PostToolUse": "tool",
    "PostToolUseFailure": "tool",
    "Stop": "stop",
    "SessionEnd": "end",
}


def wirings(place: InstallPlace) -> list[Wiring]:
    """Return the parts of the settings that belong to Varves, with their files."""
    above = place.root if place.is_project else place.folders["home"]
    hooks = hooks_file(grouped(place.program, "goose", EVENTS))
    wired = [Wiring(path=f"{above}/.agents/plugins/varves/hooks/hooks.json", part=hooks)]
    if place.is_project:
        return wired
    entry = {
        "enabled": True,
        "type": "stdio",
        "name": "varves",
        "description": "Memory of this project and of the user",
        "cmd": place.program[0],
        "args": [*place.program[1:], "mcp"],
        "envs": {},
        "timeout": 60,
    }
    return [
        Wiring(path=f"{place.folders['goose']}/config.yaml", part=YamlServer(value=entry)),
        *wired,
    ]


AGENT = Agent(
    name="goose",
    hook="goose",
    binaries=("goose",),
    tested="1.34.0",
    wirings=wirings,
    project_note="goose has servers for the user only: also run varves install --client goose",
)
