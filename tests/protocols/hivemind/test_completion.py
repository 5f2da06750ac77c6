"""Task completion: what a task taught becomes memory, and what contradicts is settled."""

from __future__ import annotations

import pytest

from tests.protocols.hivemind.conftest import Hive
from tests.protocols.hivemind.sentences import (
    CHANGED,
    DECISIONS,
    ERRORS,
    FACTS,
    NOTHING,
    OF_THE_WORK,
    PLAIN_FACTS,
    PROCEDURES,
)
from tests.tables import each_row
from varves.errors import UsageError

CURRENT = "sessions/current.json"
REPORT = {
    "facts": ["The gateway limits calls to 50 a minute"],
    "procedures": [{"text": "Run the seed script before the tests", "tags": ["tests"]}],
    "errors": [{"error": "Login answers 500 at midnight", "solution": "Reload the signing keys"}],
    "decisions": ["Sessions are kept in Redis"],
    "summary": "Made the login stable",
}


def learned(done, kind):
    [one] = [one for one in done.learned if one.kind == kind]
    return one


@pytest.fixture
def reported(hive):
    """Report on a task, and return what was learned."""
    hive.verbs.task("fix the login", agent="DEV-001")
    return hive.verbs.done(report=REPORT)


@pytest.mark.requirement("S3-42", "S3-43", "S3-44", "S3-45", "S3-46")
@each_row(
    ("kind", "type_", "subtype", "content"),
    [
        pytest.param(
            "facts",
            "factual",
            "fact",
            {"text": "The gateway limits calls to 50 a minute"},
            id="fact",
        ),
        pytest.param(
            "procedures",
            "procedural",
            "procedure",
            {"text": "Run the seed script before the tests"},
            id="procedure",
        ),
        pytest.param(
            "errors",
            "procedural",
            "error-solution",
            {"error": "Login answers 500 at midnight", "solution": "Reload the signing keys"},
            id="error",
        ),
        pytest.param(
            "decisions",
            "semantic",
            "decision",
            {"text": "Sessions are kept in Redis"},
            id="decision",
        ),
        pytest.param(
            "summary",
            "episodic",
            "task-summary",
            {"text": "Made the login stable", "task": "fix the login", "intent": "fix"},
            id="summary",
        ),
    ],
)
def test_each_kind_of_learning_becomes_its_type_of_memory(
    hive, reported, kind, type_, subtype, content
):
    entry = hive.entry(learned(reported, kind))
    assert (entry["type"], entry["subtype"]) == (type_, subtype)
    assert entry["content"] == content
    assert entry["created_by"] == "DEV-001"
    assert len(reported.learned) == 5


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize(
    ("text", "kind", "content"),
    [
        pytest.param(
            "Learned that tokens expire after an hour.",
            "facts",
            {"text": "Learned that tokens expire after an hour."},
            marks=pytest.mark.requirement("S3-42"),
            id="fact",
        ),
        pytest.param(
            "To reset the cache, run make clean.",
            "procedures",
            {"text": "To reset the cache, run make clean."},
            marks=pytest.mark.requirement("S3-43"),
            id="procedure",
        ),
        pytest.param(
            "The build broke on arm, the fix was to pin the compiler.",
            "errors",
            {"error": "The build broke on arm", "solution": "pin the compiler"},
            marks=pytest.mark.requirement("S3-44"),
            id="error",
        ),
        pytest.param(
            "We decided to keep sessions in Redis.",
            "decisions",
            {"text": "We decided to keep sessions in Redis."},
            marks=pytest.mark.requirement("S3-45"),
            id="decision",
        ),
        pytest.param(
            "Summary: the login is stable",
            "summary",
            {"text": "the login is stable"},
            marks=pytest.mark.requirement("S3-46"),
            id="summary",
        ),
    ],
)
def test_free_text_teaches_by_its_phrases(hive, text, kind, content):
    done = hive.verbs.done(f"I looked at it.\n{text}\nNothing else happened.")
    assert hive.entry(learned(done, kind))["content"] == content
    assert {one.kind for one in done.learned} == {kind, "summary"}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("sentences", "type_", "subtype"),
    [
        pytest.param(FACTS, "factual", "fact", marks=pytest.mark.requirement("S3-42"), id="facts"),
        pytest.param(
            PROCEDURES,
            "procedural",
            "procedure",
            marks=pytest.mark.requirement("S3-43"),
            id="procedures",
        ),
        pytest.param(
            DECISIONS,
            "semantic",
            "decision",
            marks=pytest.mark.requirement("S3-45"),
            id="decisions",
        ),
    ],
)
def test_each_of_a_dozen_natural_sentences_is_understood(hive, sentences, type_, subtype):
    done = hive.verbs.done(" ".join(("I looked at it.", *sentences)), agent="DEV-001")
    *learned, summary = [hive.entry(one) for one in done.learned]
    assert [(one["type"], one["subtype"]) for one in learned] == [(type_, subtype)] * len(sentences)
    assert [one["content"]["text"] for one in learned] == [*sentences]
    assert summary["subtype"] == "task-summary"


@pytest.mark.requirement("S3-44")
def test_each_way_to_tell_of_an_error_and_its_solution_is_understood(hive):
    done = hive.verbs.done("\n".join(ERRORS), agent="DEV-001")
    *learned, _ = [hive.entry(one) for one in done.learned]
    assert [(one["content"]["error"], one["content"]["solution"]) for one in learned] == [
        *ERRORS.values()
    ]
    assert {(one["type"], one["subtype"]) for one in learned} == {("procedural", "error-solution")}
    assert all("error" in one["tags"] for one in learned)
    told = [f"{error}: {solution}" for error, solution in ERRORS.values()]
    assert [one.text for one in done.learned[:-1]] == told
    listed = hive.read("projects/project/_index.json")["entries"]
    assert [line["summary"] for line in listed[1:-1]] == told  # the first is the context


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-44")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The server hung at midnight. Fixed it by restarting.", id="pronoun"),
        pytest.param("The server hung at midnight. The fix was to restart.", id="fix"),
        pytest.param("Error: The server hung at midnight\nSolution: restart", id="labels"),
        pytest.param("**Problem:** The server hung at midnight; fix: restart", id="one-line"),
    ],
)
def test_the_error_may_stand_before_its_solution(hive, text):
    done = hive.verbs.done(text, agent="DEV-001")
    content = hive.entry(learned(done, "errors"))["content"]
    assert content["error"] == "The server hung at midnight"
    assert content["solution"].startswith("restart")


@each_row("sentence", NOTHING)
def test_questions_denials_and_guesses_teach_nothing(hive, sentence):
    done = hive.verbs.done(f"I looked at it.\n{sentence}", agent="DEV-001")
    assert [one.kind for one in done.learned] == ["summary"]


@pytest.mark.requirement("S3-42")
def test_a_plain_statement_of_how_things_are_is_a_fact(hive):
    """Regression: a fact needed a phrase such as "learned that"."""
    done = hive.verbs.done("\n".join(PLAIN_FACTS), agent="DEV-001")
    assert [(one.kind, one.text) for one in done.learned[:-1]] == [
        ("facts", text) for text in PLAIN_FACTS
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("## Summary\n- Fixed the parser\n- Wrote tests\n", "Fixed the parser"),
        ("# Report\n\n**Done**\n\n1. Moved the gate. It is white.", "Moved the gate. It is white."),
        ("Result\n", "Result"),
        ("# Only a heading", "Only a heading"),
        ("Moved the gate\n# Later\nnothing", "Moved the gate"),
    ],
)
def test_the_summary_of_a_report_is_the_first_line_that_says_something(hive, text, line):
    done = hive.verbs.done(text, agent="DEV-001")
    listed = hive.read("projects/project/_index.json")["entries"]
    [found] = [one["summary"] for one in listed if one["id"] == done.learned[-1].id]
    assert found == line


def test_what_tells_of_the_work_itself_is_no_fact(hive):
    done = hive.verbs.done("\n".join(OF_THE_WORK), agent="DEV-001")
    assert [one.text for one in done.learned[:-1]] == []


@pytest.mark.requirement("S3-42", "S3-49")
@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_a_change_is_learned_and_the_old_value_is_no_longer_current(hive, old, new):
    subject = old.split()[0].lower() if old.split()[0] != "The" else old.split()[1].lower()
    given = {"type": "factual", "scope": "project:shop", "agent": "DEV-001"}
    older = hive.verbs.write(old, tags=[subject], **given).id
    [fact, _] = hive.verbs.done(new, agent="DEV-001", project="shop").learned
    assert (fact.type, fact.text) == ("factual", new)
    assert hive.ledger.show(older).status == "superseded"
    task = hive.verbs.task(f"Look at the {subject}", agent="DEV-001", project="shop")
    facts = [one.entry for one in task.memories if one.entry["type"] == "factual"]
    assert [one["content"]["text"] for one in facts] == [new]


def test_a_label_may_stand_above_a_list(hive):
    text = """## Report
    Decisions:
    - sessions move to Postgres
    - carts stay in Redis
    Lessons learned:
      1. Redis drops keys at midnight. Really.
    Nothing else, so I went home.
    - We tested it.
    """
    done = hive.verbs.done(text, agent="DEV-001")
    assert [(one.kind, one.text) for one in done.learned[:-1]] == [
        ("decisions", "sessions move to Postgres"),
        ("decisions", "carts stay in Redis"),
        ("facts", "Redis drops keys at midnight. Really."),
    ]


def test_tags_name_the_subject_and_not_the_kind_of_what_was_learned(hive):
    text = "We decided to keep carts in Redis. Fixed the stall by waiting. Turns out tea sells."
    done = hive.verbs.done(text, agent="DEV-001")
    assert {one.kind: hive.entry(one)["tags"] for one in done.learned} == {
        "decisions": ["carts", "redis"],
        "errors": ["error", "stall"],
        "facts": ["tea", "sells"],
        "summary": ["carts", "redis", "stall", "waiting", "tea", "sells"],
    }


def test_what_is_said_twice_is_learned_once(hive):
    done = hive.verbs.done("We decided on tabs. We decided on tabs.", agent="DEV-001")
    assert [one.kind for one in done.learned] == ["decisions", "summary"]


@pytest.mark.requirement("S3-46")
def test_a_summary_keeps_all_that_was_said(hive):
    text = "I looked at the login.\n" + "It took a while. " * 40
    hive.verbs.task("fix the login", agent="DEV-001")
    entry = hive.entry(learned(hive.verbs.done(text), "summary"))
    assert entry["content"]["text"] == text.strip()
    [_, line] = hive.read("projects/project/_index.json")["entries"]
    assert line["summary"] == "I looked at the login."
    history = hive.read(CURRENT)["working_memory"]["task_history"][-1]
    assert history["summary"].startswith("I looked at the login. It took")
    assert len(history["summary"]) <= 200


@pytest.mark.requirement("S3-46")
def test_a_task_finished_without_a_word_still_leaves_its_summary(hive):
    hive.verbs.task("fix the login")
    done = hive.verbs.done()
    assert [one.text for one in done.learned] == ["Completed: fix the login"]


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S3-47")
@pytest.mark.parametrize(
    ("given", "named", "scope"),
    [
        pytest.param({"agent": "DEV-001"}, None, "project:project", id="project-of-the-folder"),
        pytest.param(
            {"agent": "DEV-001", "team": "core", "project": "shop"}, None, "project:shop", id="all"
        ),
        pytest.param({"agent": "DEV-001"}, "shop", "project:shop", id="project-of-the-environment"),
        pytest.param({"agent": "DEV-001", "team": "core"}, None, "project:project", id="team"),
        pytest.param({}, None, "project:project", id="nobody"),
        pytest.param({"agent": "DEV-001", "scope": "agent"}, None, "agent:DEV-001", id="agent"),
        pytest.param(
            {"project": "shop", "scope": "team:core"}, None, "team:core", id="another-scope"
        ),
        pytest.param({"scope": "global"}, "shop", "global", id="global"),
        pytest.param({"scope": "project"}, "shop", "project:shop", id="its-project"),
    ],
)
def test_a_learning_gets_the_most_specific_scope_that_fits(hive, monkeypatch, given, named, scope):
    if named:
        monkeypatch.setenv("VARVES_PROJECT", named)
    done = hive.verbs.done(report={"facts": ["Tokens expire after an hour"]}, **given)
    [one] = done.learned
    assert one.scope == scope
    assert one.id.startswith("mem_")
    folder = {"project:shop": "projects/shop", "agent:DEV-001": "agents/DEV-001"}
    folder |= {"team:core": "teams/core", "global": "global", "project:project": "projects/project"}
    listed = hive.read(f"{folder[scope]}/_index.json")["entries"]
    assert one.id in [entry["id"] for entry in listed]
    assert hive.entry(one)["id"] == one.id


@pytest.mark.requirement("S3-47")
def test_a_project_that_was_only_detected_counts_too(hive):
    hive.verbs.init()
    hive.verbs.session_start()
    done = hive.verbs.done(report={"facts": ["Tokens expire after an hour"]}, agent="DEV-001")
    assert [one.scope for one in done.learned] == ["project:project"]


@pytest.mark.requirement("S3-47")
def test_what_one_agent_learns_in_a_new_folder_reaches_the_next(hive):
    hive.verbs.session_start(agent="DEV-001")
    hive.verbs.task("Add flags", agent="DEV-001")
    text = "Decision: use feature flags for the new checkout."
    decided = hive.verbs.done(text, agent="DEV-001").learned[0]
    loaded = hive.verbs.task("Add a feature flag for the checkout banner", agent="DEV-002").memories
    assert decided.id in [one.entry["id"] for one in loaded]


@pytest.mark.requirement("S3-47")
@pytest.mark.parametrize(
    ("given", "scope"),
    [
        ({"agent": "DEV-001", "team": "core"}, "team:core"),
        ({"agent": "DEV-001"}, "agent:DEV-001"),
        ({}, "global"),
    ],
)
def test_a_folder_whose_name_no_project_can_have_gives_no_project(project, given, scope):
    root = project.parent / "archive"  # a name that the tree uses for something else
    root.mkdir()
    hive = Hive(root)
    assert hive.verbs.session_start().project is None
    [one] = hive.verbs.done(report={"facts": ["Tokens expire after an hour"]}, **given).learned
    assert one.scope == scope
    hive.close()


@pytest.mark.requirement("S3-47")
def test_a_learning_may_say_where_it_belongs(hive):
    part = {"text": "Tokens expire after an hour", "scope": "team:core", "priority": "high"}
    done = hive.verbs.done(report={"facts": [part]}, agent="DEV-001")
    [one] = done.learned
    assert hive.entry(one)["priority"] == "high"
    assert one.scope == "team:core"


def taught(hive, text, **options):
    part = {"text": text, "tags": ["api"], **options.pop("part", {})}
    given = {"agent": "DEV-001"} | options
    return hive.verbs.done(report={"facts": [part]}, **given)


@pytest.mark.requirement("S3-48")
@pytest.mark.requirement("S3-50")
def test_newer_information_supersedes_the_older_and_both_say_so(hive):
    old = taught(hive, "The API accepts trailing commas").learned[0]
    done = taught(hive, "The API does not accept trailing commas")
    [action] = done.actions
    assert (action.rule, action.action) == ("same-creator", "supersede")
    assert (action.gives_way, action.stands) == (old.id, done.learned[0].id)
    assert hive.entry(done.learned[0])["supersedes"] == old.id
    archived = hive.read(f"projects/project/archive/{old.id}.json")
    assert archived["superseded_by"] == done.learned[0].id
    assert not hive.path(f"projects/project/{old.id}.json").exists()


@pytest.mark.requirement("S3-48")
@pytest.mark.parametrize(
    ("text", "tags"),
    [
        pytest.param("The API does not accept trailing commas", ["style"], id="other-tags"),
        pytest.param("The API accepts trailing commas in lists", ["api"], id="no-opposite"),
    ],
)
def test_without_a_shared_tag_or_an_opposite_claim_nothing_is_settled(hive, text, tags):
    taught(hive, "The API accepts trailing commas")
    assert taught(hive, text, part={"tags": tags}).actions == ()


@pytest.mark.requirement("S3-49")
def test_what_is_uncertain_is_left_to_a_person(hive):
    old = taught(hive, "The timeout is 30 seconds").learned[0]
    done = taught(hive, "The timeout is 60 seconds", part={"confidence": 0.4})
    [action] = done.actions
    assert (action.rule, action.action) == ("uncertain", "review")
    [conflict] = [one for one in hive.ledger.conflicts() if one.kind == "detected"]
    assert {one.id for one in conflict.members} == {old.id, done.learned[0].id}
    surer = taught(hive, "The timeout is 90 seconds", part={"confidence": 0.5})
    assert {one.action for one in surer.actions} == {"supersede"}


@pytest.mark.requirement("S3-51")
def test_completion_is_noted_in_the_session(hive):
    task = hive.verbs.task("fix the login", agent="DEV-001")
    before = hive.read(CURRENT)["working_memory"]
    assert before["current_task"]["id"] == task.task
    done = hive.verbs.done(report=REPORT)
    after = hive.read(CURRENT)
    assert after["working_memory"]["current_task"] is None
    line = after["working_memory"]["task_history"][-1]
    assert (line["id"], line["status"]) == (task.task, "completed")
    assert line["summary"] == "Made the login stable"
    made = [one.id for one in done.learned]
    assert len(made) == 5
    assert after["memory_operations"]["memories_created"] == made
    [event] = hive.events("task.completed")
    assert event.data["created"] == made
    packed = hive.verbs.handoff("QA-002", summary="go on").handoff_memory
    assert packed["memories_created"] == made
    assert after["working_memory"]["decisions_made"] == ["Sessions are kept in Redis"]


def test_what_stands_already_is_known_and_not_recorded_twice(hive):
    first = taught(hive, "The API speaks JSON").learned[0]
    again = taught(hive, "The API speaks JSON").learned[0]
    assert (again.status, again.id) == ("known", first.id)
    assert hive.read("projects/project/_index.json")["type_index"]["factual"][1:] == [first.id]


def test_what_was_rejected_is_refused_and_the_rest_is_recorded(hive):
    old = taught(hive, "The API speaks XML").learned[0]
    hive.ledger.forget(old.id, reason="it never did")
    done = hive.verbs.done(
        report={"facts": ["The API speaks XML", "The API speaks JSON"]}, agent="DEV-001"
    )
    assert [one.status for one in done.learned] == ["refused", "recorded"]


def test_what_is_nearly_rejected_is_flagged(hive):
    old = taught(hive, "The API of the shop speaks XML to its clients").learned[0]
    hive.ledger.forget(old.id, reason="it never did")
    done = taught(hive, "The API of the shop speaks XML to all its clients")
    assert [one.status for one in done.learned] == ["flagged"]
    assert hive.ledger.show(done.learned[0].id).status == "flagged"


@pytest.fixture
def in_session(hive):
    """Start a session."""
    hive.verbs.session_start()
    return hive


@each_row(
    "report",
    [
        pytest.param([], id="no-object"),
        pytest.param({"lessons": []}, id="unknown-key"),
        pytest.param({"facts": "one"}, id="no-list"),
        pytest.param({"facts": [7]}, id="no-text"),
        pytest.param({"errors": [{"error": "x"}]}, id="no-solution"),
        pytest.param({"facts": [{"text": "x", "tags": "y"}]}, id="tags-no-list"),
        pytest.param({"facts": ["fine", {"text": "x", "priority": "urgent"}]}, id="priority"),
        pytest.param({"summary": 3}, id="summary"),
    ],
)
def test_a_bad_report_is_refused_and_nothing_is_written(in_session, report):
    before = len(in_session.ledger.log())
    with pytest.raises(UsageError):
        in_session.verbs.done(report=report)
    assert len(in_session.ledger.log()) == before


def test_secrets_in_a_report_are_masked(hive):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    hive.verbs.done(report={"facts": [f"The key is {key}"], "summary": f"used {key}"})
    found = [path for path in hive.root.rglob("*") if path.is_file()]
    assert not [path for path in found if key.encode() in path.read_bytes()]


def test_steps_that_worked_are_one_procedure(hive):
    text = "Steps to move the printer:\n1) stop the queue\n2) print a test page\n\nAll good."
    [steps, summary] = hive.verbs.done(text, agent="DEV-001").learned
    assert (steps.type, summary.kind) == ("procedural", "summary")
    assert steps.text.endswith("1) stop the queue\n2) print a test page")
    [steps, _] = hive.verbs.done("What worked: 1) drain 2) reboot", agent="DEV-001").learned
    assert (steps.type, steps.text) == ("procedural", "1) drain 2) reboot")


def test_tags_from_free_text_are_subjects(hive):
    text = "We found that two of 12 scanners came back and nothing else runs."
    [fact, _] = hive.verbs.done(text, agent="DEV-001").learned
    assert set(hive.entry(fact)["tags"]) == {"scanners"}
