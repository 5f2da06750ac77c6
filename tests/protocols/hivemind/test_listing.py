"""Listing entries, forgetting one, their conflicts, and the documents of every session."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row


@pytest.fixture
def said(varves):
    """Write three entries of two agents; return a function that runs a verb of the protocol."""

    def run(*arguments, **given):
        return varves("hivemind", *arguments, **given)

    for text, agent, scope, tag in (
        ("The oven is blue", "DEV-001", "project:shop", "oven"),
        ("Bread rises twice", "QA-002", "project:shop", "bread"),
        ("Ask Noa about flour", "DEV-001", "team:bakers", "bread"),
    ):
        about = ("--scope", scope, "--tag", tag, "--agent", agent)
        run("write", "--type", "factual", "--content", text, *about)
    return run


def texts(ran):
    return [one["content"]["text"] for one in ran.json["entries"]]


@each_row(
    ("options", "found"),
    [
        ((), ["Ask Noa about flour", "Bread rises twice", "The oven is blue"]),
        (("--scope", "project:shop"), ["Bread rises twice", "The oven is blue"]),
        (("--tag", "BREAD"), ["Ask Noa about flour", "Bread rises twice"]),
        (("--agent", "DEV-001", "--scope", "team:bakers"), ["Ask Noa about flour"]),
        (("--type", "episodic"), []),
        (("--archived",), []),
        (("--limit", "1"), ["Ask Noa about flour"]),
    ],
)
def test_entries_are_listed_the_newest_first(said, options, found):
    assert texts(said("list", *options, "--json")) == found


@each_row(
    "options", [("--limit", "0"), ("--type", "fact"), ("--scope", "moon"), ("--priority", "big")]
)
def test_a_bad_filter_is_refused_in_one_line(said, options):
    ran = said("list", *options)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_list_marks_the_entry_that_a_more_specific_one_overrides(said):
    about = ("write", "--type", "factual", "--tag", "style", "--agent", "DEV-001")
    wide = said(*about, "--content", "The indent width is 2", "--scope", "global", "--json").json
    near = said(*about, "--content", "The indent width is 4", "--json").json
    for options in ((), ("--scope", "global")):
        assert said("list", *options, "--json").json["overridden"] == {wide["id"]: near["id"]}
        marked = [line for line in said("list", *options).out.split("\n") if "overridden" in line]
        assert len(marked) == 1
        assert marked[0].endswith(f" \u00b7 overridden by {near['id']}")
    assert said("forget", near["id"], "--reason", "two is enough").code == 0
    assert "overridden" not in said("list").out


def test_a_forgotten_entry_is_gone_from_the_list_until_that_is_undone(said, varves):
    [name] = [one["id"] for one in said("list", "--tag", "oven", "--json").json["entries"]]
    assert said("forget", name).code == 2
    done = said("forget", name, "--reason", "it is red", "--json").json
    assert texts(said("list", "--tag", "oven", "--json")) == []
    again = said("forget", name, "--reason", "again")
    assert (again.code, f"varves restore {name}" in again.err) == (4, True)
    varves("undo", done["event"])
    assert texts(said("list", "--tag", "oven", "--json")) == ["The oven is blue"]


@pytest.mark.requirement("S3-92")
def test_the_conflicts_between_entries_are_listed(said, varves):
    about = ("--type", "factual", "--scope", "project:shop", "--tag", "oven", "--agent", "QA-002")
    said("write", "--content", "The oven is red", *about)
    varves("remember", "Tea is green", "--project", "shop")
    [conflict] = said("conflicts", "--json").json["conflicts"]
    assert {one["text"] for one in conflict["members"]} == {"The oven is blue", "The oven is red"}
    assert "varves conflicts resolve" in said("conflicts").out
    varves("conflicts", "resolve", conflict["id"], "--keep", "all")
    assert said("conflicts", "--json").json == {"conflicts": [], "more": 0}


def test_a_document_is_replaced_and_shown_and_loaded_by_the_next_session(said, project):
    assert "says nothing yet" in said("document", "user-profile").err
    (project / "mine.json").write_text('{"name": "Lena"}', encoding="utf-8")
    assert "now has" in said("document", "user-profile", "mine.json").out
    assert "already" in said("document", "user-profile.json", "mine.json").out
    assert "Lena" in said("document", "user-profile").out
    assert "Lena" in said("session", "start", "--agent", "DEV-001").out
    stored = json.loads((project / "memory/global/user-profile.json").read_text(encoding="utf-8"))
    assert (stored["content"], stored["priority"]) == ({"name": "Lena"}, "critical")
    assert said("validate").code == 0


def test_a_context_is_a_text_too(said, project):
    (project / "context.txt").write_text("A shop for bread.", encoding="utf-8")
    said("document", "context", "context.txt", "--project", "shop")
    shown = said("document", "context", "--project", "shop", "--json").json
    assert (shown["content"], shown["blank"]) == ({"text": "A shop for bread."}, False)


@each_row(
    ("arguments", "code"),
    [
        (("diary",), 2),
        (("context", "missing.json"), 2),
        (("context", "list.json"), 2),
        (("context", "broken.json"), 2),
    ],
)
def test_a_bad_document_is_refused_and_nothing_is_written(said, project, arguments, code):
    (project / "list.json").write_text("[1]", encoding="utf-8")
    (project / "broken.json").write_text('{"a": ', encoding="utf-8")
    ran = said("document", *arguments)
    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert not (project / "memory/projects/shop/context.json").exists()


@pytest.mark.requirement("S3-15")
def test_an_entry_refers_to_a_memory_a_page_a_file_and_an_agent(said):
    [name] = [one["id"] for one in said("list", "--tag", "oven", "--json").json["entries"]]
    named = {name: "memory", "https://x.org/a": "url", "src/oven.py": "file", "QA-002": "agent"}
    options = [part for one in named for part in ("--reference", one)]
    written = said("write", "--type", "factual", "--content", "Clean it", *options, "--json").json
    assert {one["id"]: one["type"] for one in written["entry"]["references"]} == named
    wrong = said("write", "--type", "factual", "--content", "x", "--reference", "mem_zzzzzzzzzzzz")
    assert wrong.code == 4


@pytest.mark.requirement("S3-38")
def test_a_task_that_nothing_matches_says_so(said):
    ran = said("task", "paint the fence", "--agent", "DEV-001", "--project", "shop")
    assert (ran.code, ran.out) == (0, "")
    assert "no memory matches this task" in ran.err
    ran = said("task", "clean the oven", "--agent", "DEV-001", "--project", "shop")
    assert "no memory matches" not in ran.err


def test_a_document_of_several_fields_is_listed_with_their_names(said, tmp_path):
    profile = tmp_path / "profile.json"
    profile.write_text('{"name": "Mira", "editor": "helix", "tags": ["a"]}', encoding="utf-8")
    said("document", "user-profile", str(profile))
    [found] = json.loads(
        (tmp_path / "project/memory/global/_index.json").read_text(encoding="utf-8")
    )["entries"][:1]
    assert found["summary"] == "name: Mira; editor: helix; tags: a"


def test_a_json_file_for_a_document_must_be_json(said, tmp_path):
    said("document", "context", str(tmp_path / "x.json"))
    broken = tmp_path / "broken.json"
    for text in ("{bad", "plain words", ""):
        broken.write_text(text, encoding="utf-8")
        ran = said("document", "context", str(broken))
        assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")


def test_a_document_that_nobody_filled_in_is_not_listed(varves, project):
    varves("hivemind", "init")
    assert varves("hivemind", "list").out == ""
    path = project / "terms.json"
    path.write_text('{"RMA": "return to the seller"}', encoding="utf-8")
    varves("hivemind", "document", "terminology", str(path))
    [line, _] = varves("hivemind", "list").out.splitlines()
    assert line.endswith("return to the seller")
