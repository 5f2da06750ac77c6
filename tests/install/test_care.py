"""Links, races, rules of other people's files, and half-done work."""

from __future__ import annotations

import json
import os

import pytest

from tests.install.scene import ALL, JSON, commands, fill, places, read
from varves.hosts.install import files as writing


def test_a_link_among_the_dotfiles_is_followed_and_stays(cli, home, tmp_path):
    real = tmp_path / "dotfiles" / "gemini.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}\n', encoding="utf-8")
    (home / ".gemini").mkdir()
    link = home / ".gemini" / "settings.json"
    link.symlink_to(real)
    assert cli("install", "--client", "gemini").code == 0
    assert link.is_symlink()
    assert "varves" in read(real)["mcpServers"]
    assert cli("uninstall", "--client", "gemini").code == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == '{"a": 1}\n'


def test_a_link_to_nothing_is_refused(cli, home, tmp_path):
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").symlink_to(tmp_path / "gone.json")
    said = cli("install", "--client", "gemini")
    assert (said.code, "which does not exist" in said.err) == (3, True)
    assert not (tmp_path / "gone.json").exists()


@pytest.mark.parametrize("key", [key for key in ALL if key[1] == "project"], ids="-".join)
def test_a_repository_cannot_lead_us_out_of_itself(cli, home, project, tree, key):
    """Its links could name any file of the user's, by a file or by a folder above it."""
    secret = home / "precious"
    secret.mkdir()
    for path in places(home, project, key):
        top = path.relative_to(project).parts[0]
        (project / top).symlink_to(secret if top != path.name else secret / "file")
        before = tree()
        said = cli("install", "--client", key[0], "--scope", "project")
        assert (said.code, "leads out of the project" in said.err) == (3, True), said
        assert tree() == before
        (project / top).unlink()


def test_files_by_our_name_that_are_not_ours_are_refused(cli, home, tree):
    theirs = {
        "copilot": (".copilot/hooks/varves.json", '{"hooks": {"stop": [{"bash": "rm -r x"}]}}'),
        "opencode": (".config/opencode/plugin/varves.js", "export const X = 1\n"),
        "gemini": (".gemini/settings.json", '{"mcpServers": {"varves": {"command": "x"}}}'),
        "codex": (".codex/config.toml", '[mcp_servers.varves]\nurl = "https://example.org"\n'),
        "goose": (".config/goose/config.yaml", "extensions:\n  varves:\n    cmd: other\n"),
    }
    for client, (name, text) in theirs.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
        before = tree()
        for verb in ("install", "uninstall"):
            said = cli(verb, "--client", client)
            assert (said.code, "by Varves; rename or remove it" in said.err) == (3, True), said
        assert tree() == before


def test_a_file_with_a_twin_key_or_the_wrong_kind_is_refused(cli, home, tree):
    (home / ".gemini").mkdir()
    path = home / ".gemini" / "settings.json"
    for text in ('{"hooks": {}, "hooks": {}}', '{"hooks": 3}', "[]", '{"hooks": {"Stop": {}}}'):
        path.write_text(text.replace("Stop", "SessionStart"), encoding="utf-8")
        before = tree()
        assert cli("install", "--client", "gemini").code in (3, 5)
        assert tree() == before


def test_all_files_of_an_agent_or_none(cli, home, tree, monkeypatch):
    fill([home / ".codex/config.toml"], {".toml": 'model = "x"\n'})
    before = tree()
    real = os.replace

    def failing(source, target):
        if str(target).endswith("hooks.json"):
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(writing.os, "replace", failing)
    said = cli("install", "--client", "codex")
    monkeypatch.undo()
    assert (said.code, "No space left" in said.err) == (3, True)
    after = {path: held for path, held in tree().items() if "installed" not in path}
    assert {path: held for path, held in after.items() if "/home/varves" not in path} == before


def test_what_is_written_meanwhile_is_not_overwritten(cli, home, monkeypatch):
    path = home / ".gemini" / "settings.json"
    fill([path], {".json": '{"a": 1}'})
    real = os.fsync

    def slow(handle):
        real(handle)
        path.write_text('{"a": 2}', encoding="utf-8")

    monkeypatch.setattr(writing.os, "fsync", slow)
    said = cli("install", "--client", "gemini")
    assert said.code == 6
    assert path.read_text(encoding="utf-8") == '{"a": 2}'
    assert sorted(os.listdir(path.parent)) == ["settings.json"]


def test_our_hook_in_a_group_with_others_leaves_the_others(cli, home):
    cli("install", "--client", "claude-code")
    path = home / ".claude" / "settings.json"
    held = read(path)
    mine = {"type": "command", "command": "say done"}
    held["hooks"]["Stop"][0]["hooks"].insert(0, mine)
    path.write_text(json.dumps(held), encoding="utf-8")
    cli("uninstall", "--client", "claude-code")
    assert read(path) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_an_older_program_is_replaced_and_stands_once(cli, home):
    cli("install", "--client", "claude-code")
    for name in (".claude/settings.json", ".claude.json"):
        text = (home / name).read_text(encoding="utf-8")
        old = text.replace(
            commands(read(home / ".claude/settings.json"))[0].split()[0], "/old/varves"
        )
        (home / name).write_text(old, encoding="utf-8")
    assert "installed" in cli("install", "--client", "claude-code").out
    lines = commands(read(home / ".claude/settings.json"))
    assert len(lines) == len(set(lines)) == 7
    assert "/old/" not in (home / ".claude.json").read_text(encoding="utf-8")


def test_a_copy_is_kept_while_installed(cli, home):
    path = home / ".gemini" / "settings.json"
    fill([path], {".json": JSON})
    said = cli("install", "--client", "gemini", "--json").json
    (kept,) = [file["backup"] for file in said["clients"][0]["files"]]
    with open(kept, encoding="utf-8") as file:
        assert file.read() == JSON
    assert os.stat(kept).st_mode & 0o077 == 0
    cli("uninstall", "--client", "gemini")
    assert not os.path.exists(kept)


def test_a_program_with_a_space_is_quoted(cli, home, tmp_path, monkeypatch):
    folder = tmp_path / "my tools"
    folder.mkdir()
    (folder / "varves").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "varves").chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(folder / "varves")])
    for client in ("claude-code", "goose", "codex"):
        cli("install", "--client", client)
    line = commands(read(home / ".claude/settings.json"))[0]
    assert line == f"'{folder}/varves' hook SessionStart --client claude"
    assert (
        read(home / ".config/goose/config.yaml")["extensions"]["varves"]["cmd"]
        == f"{folder}/varves"
    )
    assert read(home / ".codex/config.toml")["mcp_servers"]["varves"]["required"] is True
    assert "is installed already" in cli("install", "--client", "claude-code").out


def test_secrets_beside_our_keys_are_not_shown(cli, home):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path = home / ".gemini" / "settings.json"
    fill([path], {".json": '{\n  "token": "' + token + '"\n}\n'})
    for more in ((), ("--json",), ("--dry-run",)):
        said = cli("install", "--client", "gemini", *more)
        assert token not in said.out + said.err


def test_without_an_entry_point_python_is_kept_from_the_project(cli, home, monkeypatch, tmp_path):
    """`python -m varves` in a hostile folder would import that folder's `varves`."""
    python = tmp_path / "bare" / "python3"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\n", encoding="utf-8")
    monkeypatch.setattr("sys.executable", str(python))
    cli("install", "--client", "claude-code")
    line = commands(read(home / ".claude/settings.json"))[0]
    assert line == f"{python} -P -m varves hook SessionStart --client claude"
    assert read(home / ".claude.json")["mcpServers"]["varves"]["args"] == [
        "-P",
        "-m",
        "varves",
        "mcp",
    ]
    assert "is installed already" in cli("install", "--client", "claude-code").out
    cli("uninstall")
    assert not (home / ".claude.json").exists()
