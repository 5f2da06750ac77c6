"""A seat for one client: a home, projects and a model of its own, and nothing of this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.clients import install
from tests.clients.stub import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.clients.stub import Asked, Stub

LIMIT = 240  # seconds for one session; the slowest takes twenty
VARVES = os.path.join(os.path.dirname(sys.executable), "varves")
GIT = "[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"


@dataclass(frozen=True)
class Ended:
    """How a process ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> str:
        """Return what it said at the end, for a failure to show."""
        return f"exit {self.code}\n{self.out[-3000:]}\n{self.err[-3000:]}"


def run(
    command: list[str], *, cwd: Path, env: Mapping[str, str], stdin: str = "", limit: float = LIMIT
) -> Ended:
    """Run a program, and leave nothing of it or of what it started."""
    begun = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = begun.communicate(stdin, timeout=limit)
    except subprocess.TimeoutExpired:
        _end(begun.pid)
        out, err = begun.communicate()
        err += f"\nended after {limit} s"
    finally:
        _end(begun.pid)
    return Ended(begun.returncode, out, err)


def _end(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Seat:
    """Where a client works."""

    def __init__(self, folder: Path, stub: Stub) -> None:
        self.stub = stub
        self.folder, self.home = folder, folder / "home"
        self.project, self.other = folder / "bakery", folder / "brewery"
        self.home.mkdir()
        (self.home / ".gitconfig").write_text(GIT, encoding="utf-8")
        bins = (
            install.node(),
            install.FOLDER / "node_modules/.bin",
            "/usr/local/bin",
            "/usr/bin",
            "/bin",
        )
        # Whatever is not on this machine is asked of the stub, which refuses it and remembers.
        self.env = {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, bins)),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "SHELL": "/bin/bash",
            "HTTP_PROXY": stub.address,
            "HTTPS_PROXY": stub.address,
            "NO_PROXY": "127.0.0.1,localhost",
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
            "VARVES_DENSE": "0",
        }
        for project in (self.project, self.other):
            project.mkdir()
            (project / "settings.ini").write_text("[database]\nport = 5432\n", encoding="utf-8")
            for words in (
                ["init", "--quiet"],
                ["add", "--all"],
                ["commit", "--quiet", "-m", "Begin"],
            ):
                self.run("git", *words, cwd=project)
            self.varves("init", cwd=project)

    def run(
        self, *command: str, cwd: Path | None = None, expect: int | None = 0, **more: Any
    ) -> Ended:
        """Run a program at this seat."""
        ended = run(list(command), cwd=cwd or self.project, env=self.env, **more)
        assert expect is None or ended.code == expect, f"{' '.join(command)}: {ended.told}"
        return ended

    def varves(self, *words: str, cwd: Path | None = None) -> Ended:
        """Run our own command line at this seat."""
        return self.run(VARVES, *words, cwd=cwd)

    def memories(self, word: str, *, cwd: Path | None = None) -> list[dict[str, Any]]:
        """Return the memories of a project in which a word stands."""
        listed = json.loads(self.varves("list", "--json", cwd=cwd).out)
        rows = listed["memories"] if isinstance(listed, dict) else listed
        return [row for row in rows if word in row["text"]]

    def write(self, path: str, content: Any) -> Path:
        """Write a file of the home: text as it is, anything else as JSON."""
        written = self.home / path
        written.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        written.write_text(text, encoding="utf-8")
        return written

    def opening(self) -> Asked:
        """Return the first request of a session in which tools were offered."""
        told = [(asked.form, asked.path, len(asked.offered)) for asked in self.stub.asked]
        found = [asked for asked in self.stub.asked if asked.offered]
        assert found, f"no request offered a tool: {told}"
        return found[0]


@dataclass(frozen=True)
class Client:
    """How one client is pointed at the stub and asked."""

    package: str
    settle: Callable[[Seat], None]
    """Writes what points it at the stub, before ours is installed beside it."""
    command: Callable[[str], list[str]]
    injects: bool = True
    """Whether its hooks can put a text before the model."""

    def ask(self, seat: Seat, prompt: str, *more: str) -> Ended:
        """Hold a session of one prompt, in which no hook of ours fails."""
        first, *rest = self.command(prompt)
        ended = seat.run(first, *rest, *more)
        logs = [*seat.folder.glob("*/.git/varves/local/hooks.log"), *seat.home.rglob("hooks.log")]
        assert not [log.read_text(encoding="utf-8") for log in logs]
        return ended


def _claude(seat: Seat) -> None:
    seat.env |= {
        "ANTHROPIC_BASE_URL": seat.stub.address,
        "ANTHROPIC_API_KEY": "x",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex(seat: Seat) -> None:
    seat.env |= {"CODEX_HOME": str(seat.home / ".codex"), "RIG_KEY": "x"}
    seat.write(
        ".codex/config.toml",
        f"""\
model = "{MODEL}"
model_provider = "rig"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.rig]
name = "rig"
base_url = "{seat.stub.address}/v1"
wire_api = "responses"
env_key = "RIG_KEY"

[projects."{seat.project}"]
trust_level = "trusted"
""",
    )


def _gemini(seat: Seat) -> None:
    seat.env |= {"GOOGLE_GEMINI_BASE_URL": seat.stub.address, "GEMINI_API_KEY": "x"}
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    seat.write(".gemini/settings.json", settings)
    seat.write(".gemini/trustedFolders.json", {str(seat.project): "TRUST_FOLDER"})


def _copilot(seat: Seat) -> None:
    seat.env |= {
        "COPILOT_HOME": str(seat.home / ".copilot"),
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{seat.stub.address}/v1",
        "COPILOT_PROVIDER_API_KEY": "x",
        "COPILOT_MODEL": MODEL,
    }


def _opencode(seat: Seat) -> None:
    seat.env |= {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    }
    model = {"name": MODEL, "limit": {"context": 200_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",  # which it carries along
        "name": "rig",
        "options": {"baseURL": f"{seat.stub.address}/v1", "apiKey": "x"},
        "models": {MODEL: model},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "permission": "allow",
        "model": f"rig/{MODEL}",
        "small_model": f"rig/{MODEL}",
        "provider": {"rig": provider},
    }
    seat.write(".config/opencode/opencode.json", settings)


def _goose(seat: Seat) -> None:
    seat.env |= {
        "OPENAI_HOST": seat.stub.address,
        "OPENAI_API_KEY": "x",
        "GOOSE_PROVIDER": "openai",
        "GOOSE_MODEL": MODEL,
        "GOOSE_DISABLE_KEYRING": "1",
        "GOOSE_MODE": "auto",
    }


CLIENTS = {
    "claude-code": Client(
        "@anthropic-ai/claude-code",
        _claude,
        lambda prompt: [
            *("claude", "-p", prompt, "--output-format", "json"),
            *("--allowedTools", "mcp__varves,mcp__plugin_varves_varves"),
        ],
    ),
    "codex": Client(
        "@openai/codex",
        _codex,
        lambda prompt: ["codex", "exec", "--dangerously-bypass-hook-trust", "--json", prompt],
    ),
    "copilot": Client(
        "@github/copilot",
        _copilot,
        lambda prompt: [
            *("copilot", "-p", prompt),
            *("--allow-all-tools", "--trust-folder", "--output-format", "json"),
        ],
    ),
    "gemini": Client(
        "@google/gemini-cli",
        _gemini,
        # A model by name, since the choice between several would be asked of a model.
        lambda prompt: [
            *("gemini", "-p", prompt, "--model", "gemini-3.5-flash", "--approval-mode", "yolo"),
            *("--output-format", "json"),
        ],
    ),
    "goose": Client(
        "@aaif/goose",
        _goose,
        lambda prompt: ["goose", "run", "--text", prompt],
        injects=False,
    ),
    "opencode": Client(
        "opencode-ai",
        _opencode,
        lambda prompt: ["opencode", "run", "--format", "json", prompt],
    ),
}
