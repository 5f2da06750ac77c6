"""A purge and the prompt files of people into which `scoped inject` put a block."""

from __future__ import annotations

import json

import pytest

from tests.git import conftest as memory
from tests.security.erasing import TEXT, WORD, commit, hits

tmp_path = memory.tmp_path

PROMPT = "prompt.md"
WRITE = ("scoped", "write", "project", "--type", "convention", "--content")


@pytest.fixture
def name(cli, project):
    """Give a memory that a prompt tells."""
    for text in ("What stays", TEXT):
        assert cli(*WRITE, text).code == 0
    (project / PROMPT).write_text("Be kind.\n", encoding="utf-8")
    assert cli("scoped", "inject", PROMPT).code == 0
    told = cli("list", "--status", "all", "--json").json["memories"]
    [found] = [one["id"] for one in told if WORD in json.dumps(one)]
    return found


def named(cli):
    """Return what doctor says of the prompt."""
    found = cli("doctor", "--json").json["findings"]
    return [(one["rule"], one["fix"]) for one in found if one["place"] == PROMPT]


def test_a_purge_and_doctor_name_the_prompt_and_the_verb_that_renews_it(cli, project, name):
    way = f"varves scoped inject {PROMPT} rewrites its block"
    said = cli("purge", name, "--reason", "it leaked", "--yes")
    line = f"{PROMPT} still contains it: varves scoped inject {PROMPT} rewrites its block"
    assert line in said.out.splitlines()
    assert hits(project) == [str(project / PROMPT)]
    assert named(cli) == [("unpurged", way)]
    assert PROMPT not in cli("doctor", "--fix").out
    assert cli("scoped", "inject", PROMPT).code == 0
    assert hits(project) == []
    assert named(cli) == []
    assert (project / PROMPT).read_text(encoding="utf-8").startswith("Be kind.\n")


def test_a_prompt_that_another_clone_wrote_is_found_by_its_marks(cli, project, name):
    (project / PROMPT).rename(project / "AGENTS.md")
    done = cli("purge", name, "--reason", "it leaked", "--yes", "--json").json
    assert done["prompts"] == ["AGENTS.md"]


def test_a_prompt_that_git_ignores_is_named_too(cli, project, name):
    (project / ".gitignore").write_text(f"{PROMPT}\n", encoding="utf-8")
    assert cli("purge", name, "--reason", "it leaked", "--yes", "--json").json["prompts"] == [
        PROMPT
    ]


def test_a_committed_prompt_is_named_with_git(cli, project, name):
    commit(project)
    done = cli("purge", name, "--reason", "it leaked", "--yes", "--json").json
    assert done["git"]["by_hand"] == [PROMPT]


def test_a_prompt_that_tells_others_is_not_named(cli, project, name):
    [other] = [
        one["id"]
        for one in cli("list", "--json").json["memories"]
        if one["id"] != name and "What stays" in json.dumps(one)
    ]
    (project / PROMPT).write_text("Be kind.\n", encoding="utf-8")
    assert cli("purge", name, "--reason", "it leaked", "--yes", "--json").json["prompts"] == []
    assert cli("scoped", "inject", PROMPT).code == 0
    assert cli(*WRITE, "What stays too").code == 0
    assert named(cli) == []
    assert cli("purge", other, "--reason", "too", "--yes", "--json").json["prompts"] == [PROMPT]
