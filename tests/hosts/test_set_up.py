"""Hooks drive the protocols that this person set up here, and say what else there is."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.consenting import write_settings

LINE = "hooks record privately here"
WRITE = ("scoped", "write", "project", "--type", "decision", "--content", "Backups run at night")


@pytest.fixture
def starts(cli, project):
    """Answer the start of a session in a folder, by default the project; return what is shown."""

    def run(folder=project):
        sent = {"session_id": "s1", "cwd": str(folder), "source": "startup"}
        words = ("hook", "SessionStart", "--client", "claude", "--root", str(folder))
        return cli(*words, stdin=json.dumps(sent)).out

    return run


@pytest.mark.parametrize("init", [("init", "--protocol", "scoped"), ("scoped", "init")])
def test_a_protocol_that_was_set_up_here_is_driven(cli, project, starts, init):
    assert cli(*init).code == 0
    assert cli(*WRITE).code == 0
    said = starts()
    assert "mem-001" in said
    assert LINE not in said
    assert (project / "memory/sessions/s1.json").exists()


@pytest.mark.parametrize(
    "init", [("init", "--protocol", "hivemind"), ("hivemind", "init")], ids=" ".join
)
def test_hivemind_is_driven_after_either_init(cli, project, starts, init):
    assert cli(*init).code == 0
    assert LINE not in starts()
    session = json.loads((project / "memory/sessions/current.json").read_text(encoding="utf-8"))
    assert session["agent_context"]["last_agent"] == "CLAUDE-001"


def test_a_protocol_that_was_only_used_is_not_driven_and_the_start_says_so(cli, project, starts):
    assert cli("init").code == 0
    assert cli(*WRITE).code == 0
    said = starts()
    assert "varves init --protocol scoped" in said
    assert "mem-001" not in said
    assert not (project / "memory/sessions/s1.json").exists()


def test_an_empty_list_in_the_settings_means_none(cli, project, home, starts):
    assert cli("init", "--protocol", "scoped").code == 0
    assert cli(*WRITE).code == 0
    write_settings(project, "[hooks]\nprotocols = []\n", home / "varves")
    said = starts()
    assert "mem-001" not in said
    assert LINE not in said


def test_a_fresh_clone_is_not_driven_until_somebody_sets_it_up_there(
    cli, project, starts, tmp_path
):
    assert cli("init", "--protocol", "scoped").code == 0
    assert cli(*WRITE).code == 0
    for words in (("add", "-A"), ("commit", "-qm", "memory")):
        subprocess.run(["git", *words], cwd=project, check=True)
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(project), str(clone)], check=True)
    said = starts(clone)
    assert said.count(LINE) == 1
    assert "varves init --protocol scoped" in said
    assert not (clone / "memory/sessions/s1.json").exists()
    assert cli("init", "--protocol", "scoped", "--root", str(clone)).code == 0
    said = starts(clone)
    assert LINE not in said
    assert "mem-001" in said


def test_a_project_without_protocols_says_nothing_of_them(cli, starts):
    assert cli("remember", "Backups run at night").code == 0
    assert LINE not in starts()
