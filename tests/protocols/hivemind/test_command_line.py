"""What people type, and what they get to read."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row

WRITE = ("hivemind", "write", "--type", "factual", "--scope", "project:shop")


def entries(project, folder):
    """Return the entries of a folder below `memory/`, in the order of its index."""
    place = project / "memory" / folder
    index = json.loads((place / "_index.json").read_text(encoding="utf-8"))
    paths = [place / line["file_path"] for line in index["entries"]]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


@pytest.mark.requirement("S3-14")
@pytest.mark.parametrize(
    ("typed", "content"),
    [
        pytest.param("17", {"text": "17"}, id="number"),
        pytest.param("{{ name }}", {"text": "{{ name }}"}, id="braces"),
        pytest.param("[x] done", {"text": "[x] done"}, id="brackets"),
        pytest.param('{"a": [1, {"b": null}]}', {"a": [1, {"b": None}]}, id="object"),
        pytest.param("one\ntwo \u65e5\u672c \U0001f998", None, id="lines-and-signs"),
    ],
)
def test_a_content_is_text_or_an_object(varves, project, typed, content):
    assert varves(*WRITE, "--content", typed).code == 0
    [entry] = entries(project, "projects/shop")
    assert entry["content"] == (content or {"text": typed})


@pytest.mark.requirement("S3-14")
@pytest.mark.parametrize("typed", ["[1, 2]", '{"a": 1', ' { "a": }'])
def test_a_list_and_half_an_object_are_refused(varves, project, typed):
    answer = varves(*WRITE, "--content", typed)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("varves: the content is no")
    assert answer.err.count("\n") == 1
    assert not (project / "memory").exists()


@pytest.mark.requirement("S3-64")
def test_an_exception_is_reported_by_its_type_and_message(varves, project):
    assert varves("hivemind", "task", "load the users", "--agent", "DEV-001").code == 0
    answer = varves("hivemind", "error", "KeyError", "'users'", "--failed", "--agent", "DEV-001")
    assert answer.code == 0
    assert answer.out.endswith("recorded in project:project\n")
    [_, entry] = entries(project, "projects/project")
    assert (entry["type"], entry["subtype"]) == ("episodic", "error")
    assert entry["content"]["error_type"] == "KeyError"
    assert entry["content"]["error_message"] == "'users'"
    assert entry["content"]["context"] == "load the users"
    assert entry["tags"][:2] == ["error", "key-error"]
    dashed = ("hivemind", "error", "--agent", "DEV-001", "--", "ValueError", "-1 is not allowed")
    assert varves(*dashed).code == 0
    last = entries(project, "projects/project")[-1]
    assert last["content"]["error_message"] == "-1 is not allowed"


@pytest.mark.requirement("S3-89")
def test_why_and_conflicts_say_the_rule_in_words(varves):
    for agent, text in (("DEV-001", "The cache is enabled"), ("DEV-002", "The cache is disabled")):
        report = json.dumps({"facts": [{"text": text, "tags": ["cache"]}]})
        done = varves(
            *("hivemind", "done", "--report", "-", "--project", "shop", "--agent", agent),
            stdin=report,
        )
        assert done.code == 0
    assert "different-creators: one says it, the other denies it" in varves("conflicts").out
    name = json.loads(varves("hivemind", "search", "cache", "-k", "1", "--json").out)["memories"][0]
    said = varves("why", name["entry"]["id"]).out
    assert "different-creators: one says it, the other denies it" in said
    assert "varves conflicts resolve cfl_" in said


@each_row(
    "argv",
    [
        ("session", "start", "--project", "archive"),
        ("init", "--project", "current"),
        ("task", "x", "--project", "_index"),
        ("task", "x", "--team", "Archive"),
        ("task", "x", "--agent", "current"),
        ("done", "We decided on tabs", "--team", "archive"),
        ("error", "Crash", "it broke", "--project", "archive"),
        ("handoff", "archive", "--summary", "x"),
    ],
)
def test_a_reserved_name_is_refused_and_nothing_is_written(varves, project, argv):
    answer = varves("hivemind", *argv)
    by_environment = varves("hivemind", "session", "start", env={"VARVES_PROJECT": "archive"})
    for one in (answer, by_environment):
        assert (one.code, one.out) == (2, "")
        assert "is a reserved name" in one.err
    assert not (project / "memory").exists()
    assert not (project / ".varves").exists()


def test_an_explanation_lists_the_best_that_are_left_out_and_counts_the_others(ledger, varves):
    for number in range(25):
        ledger.hivemind.write(f"Shelf {number} is green", type="factual", tags=["shelf"])
    said = varves("hivemind", "task", "Water the plants", "--explain").out.splitlines()
    listed = [line for line in said if line.startswith("left out mem_")]
    assert len(listed) == 20
    assert said[-1] == "left out 5 more: no tag or keyword of the task matches"
    assert not any("tag +0.00" in line for line in said)


def test_a_contradiction_is_told_once(varves):
    about = ("hivemind", "write", "--type", "factual", "--tag", "lamp", "--agent", "DEV-001")
    varves(*about, "--content", "The hall lamp is red")
    said = varves(*about, "--content", "The hall lamp is blue").err
    assert said.count("red and blue") == 1
    assert "superseded by" in said
