"""The files of every agent, and configurations people have in them."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    ("claude-code", "user"): [".claude/settings.json", ".claude.json"],
    ("claude-code", "project"): [".claude/settings.json", ".mcp.json"],
    ("codex", "user"): [".codex/config.toml", ".codex/hooks.json"],
    ("codex", "project"): [".codex/config.toml", ".codex/hooks.json"],
    ("gemini", "user"): [".gemini/settings.json"],
    ("gemini", "project"): [".gemini/settings.json"],
    ("copilot", "user"): [".copilot/hooks/varves.json", ".copilot/mcp-config.json"],
    ("copilot", "project"): [".github/hooks/varves.json", ".mcp.json"],
    ("opencode", "user"): [".config/opencode/opencode.json", ".config/opencode/plugin/varves.js"],
    ("opencode", "project"): ["opencode.json", ".opencode/plugin/varves.js"],
    ("goose", "user"): [
        ".config/goose/config.yaml",
        ".agents/plugins/varves/hooks/hooks.json",
    ],
    ("goose", "project"): [".agents/plugins/varves/hooks/hooks.json"],
    ("cursor", "user"): [".cursor/hooks.json", ".cursor/mcp.json"],
    ("cursor", "project"): [".cursor/hooks.json", ".cursor/mcp.json"],
}
ALL = sorted(FILES)
OURS_ALONE = ("varves.json", "varves.js", "plugins/varves/hooks/hooks.json")

JSON = """\
{
    // how it was set up by hand
    "model": "opus", /* for now */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]} // mine
        ],
        "SessionStart": []
    },
    "mcpServers": {
        "other": {"command": "other", "args": ["--url", "http://x/*y*/"]}, // theirs
    },
    "mcp": {"old": {"type": "remote", "url": "https://example.org//path"}},
    "last": [1, 2,   3]
    // the end
}
"""
TOML = """\
# mine
model = "gpt-6"   # for now

[mcp_servers.other]
command = "other"

[projects."/a b"]
trust_level = "trusted"
note = \"\"\"
[mcp_servers.fake]
\"\"\"
"""
YAML = """\
# mine
GOOSE_MODEL: gpt-6  # for now
extensions:
  developer:
    enabled: true
    type: builtin
    args:
    - a: b
  # the last of mine

other:
  - 1
  - text: "extensions:"
"""
EXISTING = {".json": JSON, ".toml": TOML, ".yaml": YAML}
DAMAGED = {
    ".json": '{"hooks": {',
    ".toml": "model = \n",
    ".yaml": "extensions:\n\tdeveloper: [\n",
}


def places(home: Path, project: Path, key: tuple[str, str]) -> list[Path]:
    """Return an agent's files in a scope."""
    top = home if key[1] == "user" else project
    return [top / name for name in FILES[key]]


def shared(home: Path, project: Path, key: tuple[str, str]) -> list[Path]:
    """Return those of an agent's files that others write into as well."""
    return [path for path in places(home, project, key) if not str(path).endswith(OURS_ALONE)]


def fill(paths: list[Path], texts: dict[str, str]) -> None:
    """Write a configuration into each file, by its form."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[path.suffix], encoding="utf-8")
        path.chmod(0o640)


def plain(text: str) -> str:
    """Leave out comments and trailing commas."""
    text = re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', r"\1", text)
    return re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', r"\1", text)


def read(path: Path) -> Any:
    """Read a file by its form, with a parser that is not ours."""
    return parse(path.read_text(encoding="utf-8"), path.suffix)


def parse(text: str, suffix: str) -> Any:
    """Read a text by its form."""
    if suffix == ".toml":
        return tomllib.loads(text)
    if suffix == ".yaml":
        return yaml.safe_load(text)
    return json.loads(plain(text))


def without_us(value: Any) -> Any:
    """Leave out what is ours, and the lists and objects that hold nothing else."""
    if isinstance(value, dict):
        kept = {key: without_us(part) for key, part in value.items() if key != "varves"}
        return {key: part for key, part in kept.items() if part not in ({}, [])}
    if isinstance(value, list):
        return [without_us(part) for part in value if not commands(part)]
    return value


def commands(value: Any) -> list[str]:
    """Return every command line of ours in a value."""
    if isinstance(value, dict):
        found = [value[key] for key in ("command", "bash") if isinstance(value.get(key), str)]
        return [line for line in found if " hook " in line] + [
            line for part in value.values() for line in commands(part)
        ]
    if isinstance(value, list):
        return [line for part in value for line in commands(part)]
    return []
