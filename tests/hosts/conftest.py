"""A coding agent that calls our hook as its configuration says, in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.places import local_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


HINTS = ("CLAUDE_", "COPILOT_", "CURSOR_", "GEMINI_", "CODEX_")


@pytest.fixture(autouse=True)
def own_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing of an agent that may be running these tests."""
    import os

    for name in tuple(os.environ):
        if name.startswith(HINTS):
            monkeypatch.delenv(name)


class Agent:
    """One client in one session."""

    def __init__(self, cli: Callable[..., Any], project: Path, client: str, session: str) -> None:
        self.cli = cli
        self.project = project
        self.client = client
        self.session = session

    def sends(self, event: str, **sent: Any) -> str:
        """Call the hook and return what it says, which must never be an error."""
        payload = {
            "session_id": self.session,
            "cwd": str(self.project),
            "hook_event_name": event,
            **sent,
        }
        said = self.cli("hook", event, "--client", self.client, stdin=json.dumps(payload).encode())
        assert (said.code, said.err) == (0, "")
        return str(said.out)

    def told(self, event: str, **sent: Any) -> str:
        """Call the hook and return the text that reaches the model."""
        out = self.sends(event, **sent)
        if not out:
            return ""
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"])

    def asks(self, prompt: str) -> str:
        """Submit a prompt and return the text that reaches the model."""
        return self.told("UserPromptSubmit", prompt=prompt)


@pytest.fixture
def agent(cli: Callable[..., Any], project: Path) -> Callable[..., Agent]:
    """Give a client in a session."""
    assert cli("init").code == 0

    def begin(client: str = "claude", session: str = "11111111-2222-3333-4444-555555555555") -> Any:
        return Agent(cli, project, client, session)

    return begin


@pytest.fixture
def hook_log(project: Path) -> Callable[[], list[str]]:
    """Give the lines of the project's log of hooks."""

    def lines() -> list[str]:
        path = local_of(project) / "hooks.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    return lines


def records(text: str) -> list[dict[str, Any]]:
    """Read the memories of the one block that a text is."""
    from varves.recall.fence import read_block

    return list(read_block(text)) if text else []
