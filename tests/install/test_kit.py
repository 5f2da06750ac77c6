"""The folders agents load as they are: whole, of one mind with the installer, and in the wheel."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import yaml

from varves.hosts.clients import CLIENTS
from varves.hosts.install.agents import KIT, NAMES, InstallPlace, agent
from varves.hosts.install.changes import by_file

ROOT = Path(__file__).parents[2]
HERE = Path(KIT)
PLUGIN = HERE / "plugin"


def load(name: str):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def files(folder: str = ".") -> list[Path]:
    return [path for path in (HERE / folder).rglob("*") if path.is_file()]


def wanted(name: str) -> dict[str, list]:
    """Return what the installer would write for an agent, by file name, with our bare name."""
    folders = dict.fromkeys((*NAMES, "home", "claude.json"), "")
    place = InstallPlace(scope="user", root="", folders=folders, program=("varves",))
    files = by_file(agent(name).wirings(place))
    return {Path(path).name: [part.wanted for part in parts] for path, parts in files.items()}


def test_hooks_and_servers_of_the_kit_are_those_of_the_installer():
    hooks, server = wanted("gemini")["settings.json"]
    assert load("gemini/hooks/hooks.json")["hooks"] == hooks
    assert load("gemini/gemini-extension.json")["mcpServers"]["varves"] == server
    assert [load("cursor/hooks.json")["hooks"]] == wanted("cursor")["hooks.json"]
    assert [load("cursor/mcp.json")["mcpServers"]["varves"]] == wanted("cursor")["mcp.json"]


def test_files_of_the_kit_are_those_of_the_installer():
    assert json.loads(*wanted("goose")["hooks.json"]) == load("goose/hooks/hooks.json")
    assert wanted("opencode")["varves.js"] == [(HERE / "opencode/varves.js").read_text("utf-8")]
    assert wanted("opencode")["opencode.json"] == [load("opencode/opencode.json")["mcp"]["varves"]]
    entry = yaml.safe_load((HERE / "goose/extension.yaml").read_text(encoding="utf-8"))
    assert [entry["extensions"]["varves"]] == wanted("goose")["config.yaml"]


def test_the_plugins_hooks_are_known_to_all_who_read_them():
    """Claude Code, Codex and Copilot load the same file, so nothing in it names one of them."""
    hooks = load("plugin/hooks/hooks.json")["hooks"]
    for event, groups in hooks.items():
        (one,) = groups[0]["hooks"]
        assert one["command"] == f"varves hook {event}"
        for client in ("claude", "codex", "copilot"):
            assert CLIENTS[client].moments[event] != "other"


def test_the_vendor_neutral_manifest_is_not_where_hooks_are():
    """Beside one Codex and Copilot ignore hooks, and Codex starts the server elsewhere."""
    assert not [name for name in ("plugin.json", "mcp.json") if (PLUGIN / name).exists()]
    alone = {path.relative_to(HERE / "agent-plugin").as_posix() for path in files("agent-plugin")}
    assert alone == {
        *("plugin.json", "mcp.json", "skills/varves-memory/SKILL.md", "README.md", "LICENSE"),
    }
    for name in ("plugin.json", "mcp.json"):
        schema = load(f"agent-plugin/{name}")["$schema"]
        assert schema == f"https://agent-plugins.org/schemas/1.0.0/{name[:-5]}.schema.json"


def test_what_every_session_pays_for_is_short():
    heads = [*PLUGIN.rglob("SKILL.md"), *(PLUGIN / "commands").glob("*.md")]
    said = [yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1]) for path in heads]
    assert len(said) == 3
    assert sum(len(one["description"]) for one in said) <= 150


def test_every_manifest_says_the_same():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    ours = [
        load(name)
        for name in (
            "plugin/.claude-plugin/plugin.json",
            "agent-plugin/plugin.json",
            "gemini/gemini-extension.json",
            "goose/plugin.json",
            "plugin/.claude-plugin/marketplace.json",
        )
    ]
    ours[-1] = ours[-1]["plugins"][0]
    assert {one["name"] for one in ours} == {"varves"}
    assert {one["version"] for one in ours} == {version}
    assert len({one["description"] for one in ours}) == 1
    for name in ("plugin/.mcp.json", "agent-plugin/mcp.json"):
        server = load(name)["mcpServers"]["varves"]
        assert (server["command"], server["args"]) == ("varves", ["mcp"])


def test_there_is_one_skill_and_its_description_is_short():
    texts = {path.read_text(encoding="utf-8") for path in HERE.rglob("SKILL.md")}
    assert len(texts) == 1
    (text,) = texts
    head = yaml.safe_load(text.split("---")[1])
    assert head["name"] == "varves-memory"
    assert len(head["description"]) <= 160, "every session pays for it"


def test_the_skill_names_tools_and_verbs_that_are_there():
    import re

    from varves.cli.table import every_verb
    from varves.mcp.tools import TOOLS

    text = (HERE / "skill/varves-memory/SKILL.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`varves (\w+)", text)) <= set(every_verb())
    assert set(re.findall(r"\| `(\w+)` \|", text)) <= set(TOOLS)


def test_the_icon_is_a_square_the_directory_takes():
    head = (PLUGIN / "assets/icon.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (512, 512)


def test_the_wheel_holds_the_whole_kit(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {path.relative_to(HERE).as_posix() for path in files()}
    assert ours
    assert {f"varves/hosts/kit/{name}" for name in ours} <= names
