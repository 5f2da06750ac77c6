"""The commands with which an agent runs Varves, and their recognition in its settings.

A command is ours if it runs a program called `varves`, or Python's module of that name, with the
verb `hook` or `mcp`. In a file from a repository, such a command may still be hostile. So it is
only compared, replaced or removed, and never run.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NAME = "varves"
_PROGRAMS = ("varves", "varves.exe")


def command(program: Sequence[str], *words: str) -> str:
    """Return the shell command that runs a program, quoted as needed."""
    from shlex import join

    return join([*program, *words])


def hook(program: Sequence[str], event: str, client: str) -> str:
    """Return the command that an agent must run at one of its events."""
    return command(program, "hook", event, "--client", client)


def split(line: object) -> list[str]:
    """Return the words of a command; [] if it cannot be parsed."""
    from shlex import split as words

    try:
        return words(line) if isinstance(line, str) else []
    except ValueError:
        return []


def program_of(words: Sequence[str], verb: str) -> list[str]:
    """Return the program in a command that runs this verb of Varves; [] for another command."""
    if len(words) > 1 and words[1] == verb and os.path.basename(words[0]) in _PROGRAMS:
        return list(words[:1])
    for module in (["-P", "-m", NAME], ["-m", NAME]):
        end = 1 + len(module)
        if list(words[1:end]) == module and list(words[end : end + 1]) == [verb]:
            return list(words[:end])
    return []


def hook_program(held: object) -> list[str]:
    """Return the program that an entry in a list of hooks runs, if the entry belongs to Varves."""
    if not isinstance(held, dict):
        return []
    line = held.get("command", held.get("bash"))
    return program_of(split(line), "hook")


def server_program(held: object) -> list[str]:
    """Return the program that a server's entry runs, if the entry belongs to Varves."""
    if not isinstance(held, dict):
        return []
    words: list[Any] = []
    for key in ("command", "cmd", "args"):
        part = held.get(key, [])
        words += part if isinstance(part, list) else [part]
    if not all(isinstance(word, str) for word in words):
        return []
    return program_of(words, "mcp")
