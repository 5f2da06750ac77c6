"""Which agents are found, and what a project gets that others share."""

from __future__ import annotations

import json
import sys

from tests.install.scene import commands, fill, read


def test_no_agent_is_found_where_there_is_none(cli, tree):
    before = tree()
    said = cli("install")
    assert (said.code, "no coding agent found" in said.err) == (4, True)
    assert tree() == before
    assert cli("uninstall").out == "varves is not installed in this scope\n"


def test_an_unknown_name_is_a_usage_error(cli):
    assert cli("install", "--client", "emacs").code == 2


def test_auto_takes_a_program_on_the_path_or_a_folder_of_settings(cli, home, put_program):
    put_program("codex")
    (home / ".gemini").mkdir()
    said = cli("install", "--json").json
    assert [(one["client"], one["status"]) for one in said["clients"]] == [
        ("codex", "installed"),
        ("gemini", "installed"),
    ]
    assert [one["status"] for one in cli("install", "--json").json["clients"]] == ["current"] * 2
    gone = cli("uninstall", "--json").json
    assert [one["client"] for one in gone["clients"]] == ["codex", "gemini"]


def test_one_agents_damage_does_not_stop_the_others(cli, home, put_program):
    put_program("codex")
    fill([home / ".gemini/settings.json"], {".json": "{"})
    said = cli("install", "--json")
    assert said.code == 5
    assert [one["status"] for one in said.json["clients"]] == ["installed", "refused"]
    assert (home / ".gemini/settings.json").read_text(encoding="utf-8") == "{"


def test_a_project_gets_a_ledger_and_keeps_it(cli, project):
    said = cli("install", "--client", "cursor", "--scope", "project", "--dry-run")
    assert "ledger would be created: .varves/" in said.out
    assert not (project / ".varves").exists()
    said = cli("install", "--client", "cursor", "--scope", "project")
    assert "ledger created: .varves/format.json" in said.out
    cli("uninstall", "--client", "cursor", "--scope", "project")
    assert (project / ".varves/format.json").exists()


def test_a_project_gets_our_bare_name_where_a_shell_knows_it(cli, project, tmp_path):
    own = f"{sys.executable.rpartition('/')[0]}/varves"
    (tmp_path / "bin" / "varves").symlink_to(own)
    cli("install", "--client", "claude-code", "--scope", "project")
    assert commands(read(project / ".claude/settings.json"))[0].startswith("varves hook ")
    assert read(project / ".mcp.json")["mcpServers"]["varves"]["command"] == "varves"
    cli("install", "--client", "claude-code")
    assert (
        cli("install", "--client", "claude-code", "--scope", "project", "--json").json["clients"][
            0
        ]["status"]
        == "current"
    )


def test_a_file_two_agents_read_goes_with_the_last_of_them(cli, project, tree):
    before = tree()
    both = ("--client", "claude", "--client", "copilot", "--scope", "project")
    cli("install", *both)
    cli("uninstall", *both[:2], "--scope", "project")
    assert "varves" in read(project / ".mcp.json")["mcpServers"]
    assert not (project / ".claude").exists()
    assert "not installed in this scope" in cli("uninstall").out
    assert "still in .github/hooks/varves.json, .mcp.json" in cli("uninstall").out
    cli("uninstall", "--client", "copilot", "--scope", "project")
    assert tree() == before


def test_a_clone_without_our_record_is_cleaned_as_well(cli, home, project, tree):
    before = tree()
    cli("install", "--client", "gemini", "--client", "codex", "--scope", "project")
    for path in sorted((home / "varves").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (home / "varves").rmdir()
    assert cli("uninstall", "--scope", "project").code == 0
    assert tree() == before


def test_opencode_with_comments_in_its_own_kind_of_file(cli, home):
    path = home / ".config/opencode/opencode.jsonc"
    text = '{\n  // mine\n  "theme": "dark",\n}\n'
    fill([path], {".jsonc": text})
    cli("install", "--client", "opencode")
    assert not path.with_suffix(".json").exists()
    assert "// mine" in path.read_text(encoding="utf-8")
    cli("uninstall", "--client", "opencode")
    assert path.read_text(encoding="utf-8") == text


def test_the_document_has_every_change(cli):
    said = cli("install", "--client", "cursor", "--json").json
    assert list(said) == ["dry_run", "clients", "created", "git", "next"]
    (one,) = said["clients"]
    assert json.dumps(one["files"]).count("varves hook") == 6
    assert said["next"] == ("varves init in each project that should remember, then restart cursor")
    cli("init")
    assert cli("install", "--client", "codex", "--json").json["next"] == "restart codex"
