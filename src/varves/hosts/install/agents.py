"""The coding agents for which Varves can be installed, one module each, and their common parts."""

from __future__ import annotations

import os

from varves.errors import UsageError
from varves.hosts.install.parts import OwnFile
from varves.hosts.install.words import hook, hook_program
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from varves.hosts.install.parts import ConfigPart

NAMES = ("claude-code", "codex", "gemini", "copilot", "opencode", "goose", "cursor")
ALIASES = {"claude": "claude-code"}
KIT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "kit")
SECONDS = {"stop": 30, "end": 3}
"""The seconds that an agent waits for a hook, by moment; ten for all others."""


class InstallPlace(Value):
    """Where Varves is installed (for the user or in a project), and the program to run."""

    scope: str
    root: str
    folders: dict[str, str]
    """The folders with agents' settings, and the user's home, by name."""
    program: tuple[str, ...]

    @property
    def is_project(self) -> bool:
        """Return whether the installation is for one project."""
        return self.scope == "project"


class Wiring(Value):
    """The entries of Varves in an agent's settings, and the file that contains them."""

    path: str
    part: ConfigPart


class Agent(Value):
    """One coding agent."""

    name: str
    hook: str
    """The name of the agent in `varves hook --client`."""
    binaries: tuple[str, ...]
    tested: str
    """The version of the agent that the tests use."""
    wirings: Callable[[InstallPlace], list[Wiring]]
    note: str = ""
    """A note that tells users what to expect."""
    project_note: str = ""


def agent(name: str) -> Agent:
    """Return an agent by its name.

    Raises:
        UsageError: no agent has that name.
    """
    name = ALIASES.get(name, name)
    if name not in NAMES:
        raise UsageError(f"unknown client {name!a}", f"use one of {', '.join(NAMES)}, or auto")
    module = f"varves.hosts.install.clients.{name.replace('-', '_')}"
    found: Agent = __import__(module, fromlist=("AGENT",)).AGENT
    return found


def is_present(one: Agent, folders: Mapping[str, str]) -> bool:
    """Return whether an agent is on this machine: its program, or its folder of settings."""
    from shutil import which

    return os.path.isdir(folders[one.name]) or any(which(name) for name in one.binaries)


def grouped(
    program: Sequence[str], client: str, events: Mapping[str, str], *, unit: int = 1
) -> dict[str, dict[str, Any]]:
    """Return the hooks in the form of most agents: for each event, one group with one hook.

    Args:
        program: the program to run.
        client: the agent's name in `varves hook`.
        events: the agent's event names, each with its moment.
        unit: the number of the agent's time units in a second.
    """
    return {
        event: {
            "hooks": [
                {
                    "type": "command",
                    "command": hook(program, event, client),
                    "timeout": SECONDS.get(moment, 10) * unit,
                }
            ]
        }
        for event, moment in events.items()
    }


def hooks_file(groups: dict[str, dict[str, Any]], *, versioned: bool = False) -> OwnFile:
    """Return the description of a file of hooks that belongs to Varves alone."""
    from json import dumps

    events = [f'    "{event}": [\n      {dumps(one)}\n    ]' for event, one in groups.items()]
    lines = ["{", *(['  "version": 1,'] if versioned else []), '  "hooks": {']
    content = "\n".join([*lines, ",\n".join(events), "  }", "}", ""])
    return OwnFile(content=content, is_ours=_only_hooks, reads=_hook_programs)


def _handlers(text: str) -> list[Any]:
    from json import loads

    try:
        events = loads(text)["hooks"].values()
        groups = [group for groups in events for group in groups]
        return [one for group in groups for one in group.get("hooks", [group])]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


def _only_hooks(text: str) -> bool:
    handlers = _handlers(text)
    return bool(handlers) and all(hook_program(one) for one in handlers)


def _hook_programs(text: str) -> list[list[str]]:
    return [hook_program(one) for one in _handlers(text)]


def script_file(name: str, program: Sequence[str]) -> OwnFile:
    """Return the description of a script that belongs to Varves and runs a program.

    The first line of the script says that Varves wrote it.
    """
    from json import dumps

    with open(f"{KIT}/{name}", encoding="utf-8") as file:
        content = file.read()
    mark = content.split("\n", 1)[0]
    line = _program_line(content)
    content = content.replace(line, f"const PROGRAM = {dumps(list(program))};")
    return OwnFile(
        content=content,
        is_ours=lambda text: text.startswith(mark),
        reads=lambda text: [_program_in(text)],
    )


def _program_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.startswith("const PROGRAM = ")), "")


def _program_in(text: str) -> list[str]:
    from json import loads

    try:
        words = loads(_program_line(text).removeprefix("const PROGRAM = ").rstrip(";\r"))
    except ValueError:
        return []
    return words if isinstance(words, list) and all(isinstance(w, str) for w in words) else []


def described(program: Sequence[str], **more: Any) -> dict[str, Any]:
    """Return the entry of a server in the form that most agents use."""
    return {"command": program[0], "args": [*program[1:], "mcp"], **more}
