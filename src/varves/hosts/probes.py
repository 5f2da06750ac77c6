"""Starts the hooks and the server as an agent would, and describes the problems found."""

from __future__ import annotations

import os

from varves import program as programs
from varves.settings import child_environ, host_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.hosts.install.agents import Agent

_SECONDS = 20
_FACT = "Doctors wash their hands before they look at a ledger"
_ASKED = "what do doctors wash before they look at a ledger?"
_REVISION = "2025-11-25"


def asked_versions(agents: Mapping[str, Agent]) -> dict[str, str | None]:
    """Ask the agents on this machine for their versions, all at once; None without an answer.

    The agents run in the user's home, so that a project's files cannot influence them.
    """
    from shutil import which
    from subprocess import DEVNULL, PIPE, Popen

    running: dict[str, Any] = {}
    for name, one in agents.items():
        path = next((found for binary in one.binaries if (found := which(binary))), "")
        if os.path.isabs(path):  # the PATH may contain a relative folder
            try:
                running[name] = Popen(
                    [path, "--version"],
                    stdin=DEVNULL,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    cwd=host_folders()["home"],
                )
            except OSError:
                running[name] = None
    return {name: _version(process) for name, process in running.items()}


def _version(process: Any) -> str | None:
    from re import search
    from subprocess import TimeoutExpired

    if process is None:
        return None
    try:
        said, _ = process.communicate(timeout=_SECONDS)
    except TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    found = search(rb"\d+\.\d+(?:\.\d+)?(?:[\w.-]*\w)?", said)
    return found[0].decode() if found and process.returncode == 0 else None


def hook_trouble() -> str:
    """Return a message if the hooks of Varves do not work, otherwise "".

    The hooks work if they return the only memory of a test project.
    """
    from json import dumps, loads
    from tempfile import TemporaryDirectory

    import varves

    with TemporaryDirectory(prefix="varves-doctor-") as folder:
        root, home = f"{folder}/project", f"{folder}/home"
        os.mkdir(root)
        with varves.open(root, home=home) as ledger:
            ledger.init()
            ledger.remember(_FACT)
        sent = {"session_id": "doctor", "hook_event_name": "UserPromptSubmit", "cwd": root}
        words = ("hook", "UserPromptSubmit", "--client", "claude")
        said = _run(words, dumps(sent | {"prompt": _ASKED}), root=root, home=home)
    if isinstance(said, str):
        return said
    try:
        told = loads(said)["hookSpecificOutput"]["additionalContext"]
    except (ValueError, KeyError, TypeError):
        return "varves hook does not answer a prompt"
    return "" if _FACT in told else "varves hook does not return what was remembered"


def server_trouble() -> str:
    """Return a message if the MCP server of Varves fails the handshake, otherwise ""."""
    from json import dumps, loads
    from tempfile import TemporaryDirectory

    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": _REVISION,
            "capabilities": {},
            "clientInfo": {"name": "varves-doctor", "version": "1"},
        },
    }
    with TemporaryDirectory(prefix="varves-doctor-") as folder:
        said = _run(("mcp",), dumps(call) + "\n", root=folder, home=f"{folder}/home")
    if isinstance(said, str):
        return said
    try:
        answer = loads(said.split(b"\n", 1)[0])
        return "" if answer["result"]["protocolVersion"] == _REVISION else "no such revision"
    except (ValueError, KeyError, TypeError):
        return "varves mcp does not complete the handshake"


def _run(words: tuple[str, ...], sent: str, *, root: str, home: str) -> bytes | str:
    """Run this installation in a folder; return its output or, as a str, an error message."""
    from subprocess import TimeoutExpired, run

    shown = f"varves {words[0]}"
    try:
        done = run(
            [*programs.own(), *words],
            input=sent.encode(),
            capture_output=True,
            timeout=_SECONDS,
            cwd=root,
            check=False,
            env=child_environ({"VARVES_ROOT": root, "VARVES_HOME": home}),
        )
    except TimeoutExpired:
        return f"{shown} takes longer than {_SECONDS} s"
    except OSError as fault:
        return f"{shown} cannot be run: {fault.strerror}"
    return done.stdout if done.returncode == 0 else f"{shown} ends with code {done.returncode}"
