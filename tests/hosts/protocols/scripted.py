"""A client that does nothing but call hooks: it writes its transcript and tells `varves hook`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.consenting import write_settings
from tests.places import local_of
from varves.cli.main import main
from varves.recall.fence import read_block

if TYPE_CHECKING:
    import pytest


class Scripted:
    """One session of Claude Code in a project, told by its hooks alone."""

    def __init__(
        self, root: Path, patch: pytest.MonkeyPatch, *, session: str, client: str = "claude"
    ) -> None:
        self.root = root
        self.session = session
        self.client = client
        self._patch = patch
        self._said = 0
        self.transcript = root.parent / f"transcript-{session}.jsonl"
        self.transcript.touch()

    # What the client does

    def start(self, source: str = "startup") -> str:
        """Begin; return what the agent is told."""
        return self.hook("SessionStart", source=source)

    def prompt(self, text: str) -> str:
        """Let the user ask for something; return what the agent is told with it."""
        told = self.hook("UserPromptSubmit", prompt=text)
        self.write("user", text)
        return told

    def ran(self, command: str, *, fails: str | None = None) -> None:
        """Let the agent run a command."""
        call = {"tool_name": "Bash", "tool_input": {"command": command}}
        if fails is None:
            self.hook("PostToolUse", **call, tool_response={"stdout": "fine", "exit_code": 0})
        else:
            self.hook("PostToolUseFailure", **call, error=fails)

    def edited(self, path: str) -> None:
        """Let the agent write a file."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("text\n", encoding="utf-8")
        call = {"tool_name": "Edit", "tool_input": {"file_path": str(place)}}
        self.hook("PostToolUse", **call, tool_response={"filePath": str(place)})

    def answered(self, text: str) -> None:
        """Let the agent finish a turn."""
        self.write("assistant", text)
        self.hook("Stop", last_assistant_message=text, stop_hook_active=False)

    def compact(self) -> str:
        """Compact, and return what the agent is told after it."""
        self.hook("PreCompact", trigger="auto", custom_instructions="")
        return self.start("compact")

    def end(self) -> None:
        """Leave the client."""
        self.hook("SessionEnd", reason="prompt_input_exit")

    # How it is done

    def write(self, role: str, text: str) -> None:
        """Append a message to the transcript."""
        self._said += 1
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        line = {
            "type": role,
            "uuid": f"{self.session}-{self._said}",
            "sessionId": self.session,
            "timestamp": f"2026-01-01T00:{self._said:02}:00.000Z",
            "cwd": str(self.root),
            "message": {"role": role, "content": content},
        }
        with self.transcript.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")

    def payload(self, event: str, **more: Any) -> str:
        """Return what the client puts on stdin."""
        return json.dumps(
            {
                "session_id": self.session,
                "transcript_path": str(self.transcript),
                "cwd": str(self.root),
                "hook_event_name": event,
                **more,
            }
        )

    def hook(self, event: str, **more: Any) -> str:
        """Call the hook, and return the text that reaches the agent."""
        given = io.TextIOWrapper(io.BytesIO(self.payload(event, **more).encode()), "utf-8")
        told = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)
        with self._patch.context() as patched:
            patched.chdir(self.root)
            patched.setattr(sys, "stdin", given)
            patched.setattr(sys, "stdout", told)
            code = main(["hook", event, "--client", self.client])
        assert code == 0
        assert not self.failures(), self.failures()
        return self.context(told.buffer.getvalue().decode())  # type: ignore[attr-defined]

    def context(self, answer: str) -> str:
        """Return what a hook's answer puts before the model."""
        if not answer.strip():
            return ""
        return str(json.loads(answer)["hookSpecificOutput"]["additionalContext"])

    def failures(self) -> str:
        """Return what hooks wrote into their log because something went wrong."""
        log = local_of(self.root) / "hooks.log"
        return log.read_text(encoding="utf-8") if log.exists() else ""


def records(told: str) -> list[dict[str, Any]]:
    """Return all records in the fenced blocks of what an agent was told."""
    found: list[dict[str, Any]] = []
    for part in told.split("<varves-memory-")[1:]:
        block = f"<varves-memory-{part}".strip()
        block = block[: block.rindex(">") + 1]
        found += read_block(block)
    return found


def texts(told: str) -> list[str]:
    """Return what the records of a block say."""
    return [str(one.get("content") or one.get("text") or "") for one in records(told)]


def switch_on(root: Path, *names: str, more: str = "") -> None:
    """Let hooks drive some protocols."""
    (root / ".varves").mkdir(exist_ok=True)
    listed = ", ".join(f'"{name}"' for name in names)
    text = f"[hooks]\nprotocols = [{listed}]\n{more}\n"
    write_settings(root, text)
