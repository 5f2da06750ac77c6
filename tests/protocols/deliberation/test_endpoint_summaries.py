"""Summaries by a model behind an address: what fails is tried again, and no secret gets in."""

from __future__ import annotations

import json

import pytest

from tests.loopback import fails, says

SECRET = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.fixture
def verb(project, varves, loopback):
    """Give the verbs of a conversation with a chunk every four messages."""
    folder = project / ".varves"
    folder.mkdir(exist_ok=True)
    settings = f"[deliberation]\nsummary_interval = 4\n{loopback.settings(retries=0)}"
    (folder / "settings.toml").write_text(settings, encoding="utf-8")

    def run(*words):
        done = varves("deliberation", *words, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    run("new", "talk")
    return run


def kept(project):
    path = project / "deliberations/talk/memory.json"
    summaries = json.loads(path.read_text(encoding="utf-8"))["summaries"]
    return [(one["messageRange"], one["content"]) for one in summaries]


@pytest.mark.requirement("S4-14")
def test_an_endpoint_that_fails_then_works_covers_a_chunk_once(verb, project, loopback):
    loopback.plays(fails(500), says("They talked of tea."))
    for number in range(3):
        verb("say", "ada", f"Tea, number {number}.", "--model")
    failed = verb("say", "ben", "Tea, number 3.", "--model")
    assert (failed["summaries"], kept(project)) == ([], [])

    again = verb("say", "ben", "Tea, number 4.", "--model")

    assert [one["message_range"] for one in again["summaries"]] == [[0, 3]]
    assert verb("summarise", "--model")["summaries"] == []
    assert kept(project) == [([0, 3], "They talked of tea.")]
    assert len(loopback.asked) == 2


def test_a_secret_in_a_models_answer_is_masked_and_its_summary_told(verb, project, loopback):
    loopback.plays(says(f"The key is {SECRET} now."))
    for number in range(4):
        verb("say", "ada", f"The key {SECRET}, number {number}.")
    assert len(kept(project)) == 1  # without a model, of the messages' own sentences
    for number in range(3):
        verb("say", "ada", f"The key {SECRET}, number {number}.")

    done = verb("say", "ada", "That was the last one.", "--model")

    [made] = done["summaries"]
    assert made["message_range"] == [4, 7]
    assert made["content"] == "The key is [redacted:aws-access-key-id] now."
    assert kept(project)[1] == ([4, 7], made["content"])
    assert SECRET not in json.dumps(loopback.asked)
    files = [path for path in project.rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in path.read_bytes() for path in files)


@pytest.mark.requirement("S4-14")
def test_failures_are_counted_over_processes_and_end_in_an_extractive_summary(
    verb, project, loopback
):
    loopback.plays(*[fails(500)] * 9)
    for number in range(7):
        verb("say", "ada", f"Tea and milk, number {number}.", "--model")
    [(span, content)] = kept(project)
    assert span == [0, 3]
    assert "Tea and milk" in content
    assert len(loopback.asked) == 3  # after so many the model is not asked for this chunk again


def test_a_call_of_the_model_names_the_conversation_it_was_for(verb, varves, loopback):
    loopback.plays(says("They talked of tea."))
    for number in range(4):
        verb("say", "ada", f"Tea, number {number}.", "--model")
    [event] = json.loads(varves("log", "--kind", "model.called", "--json").out)["events"]
    assert event["session"] == "talk"


@pytest.mark.requirement("S4-42")
def test_a_failing_model_is_reported_in_a_line_with_exit_code_1(verb, varves, project, loopback):
    loopback.plays(*[fails(500)] * 9)
    lines = [f"Ada: Tea and milk, number {number}." for number in range(4)]
    (project / "tea.md").write_text("\n".join(lines), encoding="utf-8")

    done = varves("deliberation", "replay", "tea.md", "--name", "tea", "--model")
    assert (done.code, len(done.err.splitlines())) == (1, 1)
    assert "1 time the model returned no summary" in done.err
    assert "conversation tea" in done.out

    again = varves("deliberation", "summarise", "--model", "--conversation", "tea")
    assert (again.code, len(again.err.splitlines())) == (1, 1)
    assert "summary 0-3 failed" in again.err
    assert "4 messages without a summary yet" in again.out
