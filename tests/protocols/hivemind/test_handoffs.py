"""Handoff: what one agent packs up, and what the next one starts from."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import NotFound, Refused, UsageError
from varves.recall.fence import read_block

CURRENT = "sessions/current.json"
KEYS = [
    "working_memory_snapshot",
    "memories_loaded",
    "memories_created",
    "task_summary",
    "pending_items",
    "recommended_context",
]


@pytest.fixture
def work(hive):
    """Take a task, learn something and leave the rest to another agent."""
    told = hive.verbs.write("The login times out", type="factual", scope="global", tags=["login"])
    hint = hive.verbs.write("Keys are rotated at midnight", type="factual", scope="global")
    own = hive.verbs.write("Test with two browsers", type="procedural", scope="agent:QA-002")
    hive.at("2026-01-01T01:00:00Z").task("fix the login", agent="DEV-001")
    made = hive.verbs.write("Signing keys are cached", type="factual", scope="agent:DEV-001")
    hive.verbs.write("Line 12 is next", type="working", scope="session", agent="DEV-001")
    handed = hive.verbs.handoff(
        "QA-002", summary="the keys were stale", pending=["test it"], recommended=[hint.id]
    )
    return {"told": told.id, "hint": hint.id, "own": own.id, "made": made.id, "handed": handed}


@pytest.mark.requirement("S3-52")
def test_a_handoff_packs_the_six_published_parts(hive, work):
    package = work["handed"].handoff_memory
    assert list(package) == KEYS
    assert package["task_summary"] == "the keys were stale"
    assert package["pending_items"] == ["test it"]
    assert package["recommended_context"] == [work["hint"]]
    [working] = package["working_memory_snapshot"]
    assert working["content"] == {"text": "Line 12 is next"}
    assert package["memories_created"] == [work["made"], working["id"]]
    assert work["told"] in package["memories_loaded"]
    names = [*package["memories_loaded"], *package["memories_created"], work["hint"]]
    assert [hive.ledger.show(name).id for name in names] == names
    assert hive.read(CURRENT)["handoff_memory"] == package


@pytest.mark.requirement("S3-52")
def test_after_the_task_is_done_all_that_the_session_made_is_named(hive):
    first = hive.verbs.session_start()
    made = [hive.verbs.write("Signing keys are cached", type="factual", scope="agent:DEV-001").id]
    hive.verbs.task("fix the login", agent="DEV-001")
    made += [one.id for one in hive.verbs.done("We decided on tabs. All is well.").learned]
    assert len(made) == 3
    handed = hive.verbs.handoff("QA-002", summary="go on")
    assert handed.session == first.session
    assert handed.handoff_memory["memories_created"] == made
    assert {*hive.read(CURRENT)["memory_operations"]["memories_created"]} == {*made}


WORKING = [
    "current_task",
    "task_history",
    "entities_mentioned",
    "decisions_made",
    "pending_items",
]


@pytest.mark.requirement("S3-52")
def test_in_its_file_a_handoff_has_the_published_order(hive, work):
    document = hive.read(CURRENT)
    assert list(document["handoff_memory"]) == KEYS
    [working] = document["handoff_memory"]["working_memory_snapshot"]
    assert list(working)[:4] == ["id", "type", "subtype", "created_by"]
    hive.verbs.accept("QA-002")
    document = hive.read(CURRENT)
    assert list(document["working_memory"]) == WORKING
    assert list(document["working_memory"]["current_task"])[:3] == ["id", "task", "intent"]
    assert list(document["working_memory"]["task_history"][0])[:3] == ["id", "task", "status"]


@pytest.mark.requirement("S3-53")
def test_a_handoff_stands_in_the_session_and_its_history(hive, work):
    document = hive.read(CURRENT)
    line = document["working_memory"]["task_history"][-1]
    assert (line["status"], line["from"], line["to"]) == ("handoff", "DEV-001", "QA-002")
    assert line["summary"] == "the keys were stale"
    assert document["working_memory"]["pending_items"] == ["test it"]
    assert document["last_activity"] == "2026-01-01T01:00:00Z"


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "which",
    [
        pytest.param("told", marks=pytest.mark.requirement("S3-54"), id="loaded"),
        pytest.param("hint", marks=pytest.mark.requirement("S3-55"), id="recommended"),
        pytest.param("own", marks=pytest.mark.requirement("S3-57"), id="own"),
    ],
)
def test_the_receiver_loads(hive, work, which):
    taken = hive.verbs.accept("QA-002")
    assert work[which] in [entry["id"] for entry in taken.memories]
    assert work[which] in [one["id"] for one in read_block(taken.text)]
    assert work[which] in hive.read(CURRENT)["memory_operations"]["memories_loaded"]


@pytest.mark.requirement("S3-54")
def test_what_says_nothing_is_loaded_and_left_out_of_the_block(hive, work):
    taken = hive.verbs.accept("QA-002")
    assert "mem_userprofile0" in [entry["id"] for entry in taken.memories]
    assert "mem_userprofile0" in hive.read(CURRENT)["memory_operations"]["memories_loaded"]
    assert {one["id"] for one in read_block(taken.text)} == {
        *(work["told"], work["hint"], work["own"], taken.working_memory_snapshot[0]["id"])
    }


@pytest.mark.requirement("S3-56")
def test_the_receiver_starts_from_the_snapshot(hive, work):
    taken = hive.verbs.accept("QA-002")
    snapshot = work["handed"].handoff_memory["working_memory_snapshot"]
    assert list(taken.working_memory_snapshot) == snapshot
    document = hive.read(CURRENT)["working_memory"]
    assert document["current_task"] == taken.working_memory["current_task"]
    assert [line["status"] for line in document["task_history"]] == [
        "received",
        "handoff",
        "accepted",
    ]
    assert (taken.source, taken.task_summary) == ("DEV-001", "the keys were stale")
    assert taken.pending == ("test it",)


@pytest.mark.requirement("S3-56")
def test_a_handoff_waits_for_the_next_session(hive, work):
    hive.verbs.session_end()
    assert hive.read(CURRENT)["handoff_memory"] == work["handed"].handoff_memory
    hive.at("2026-01-01T09:00:00Z").session_start(agent="QA-002")
    taken = hive.verbs.accept("QA-002")
    snapshot = work["handed"].handoff_memory["working_memory_snapshot"]
    assert list(taken.working_memory_snapshot) == snapshot
    assert "handoff_memory" not in hive.read(CURRENT)
    document = hive.read(CURRENT)["working_memory"]
    assert document["current_task"] == taken.working_memory["current_task"]
    assert document["current_task"]["task"] == "fix the login"


def test_a_handoff_is_taken_once_and_by_its_receiver_only(hive, work):
    with pytest.raises(NotFound):
        hive.verbs.accept("DEV-009")
    hive.verbs.accept("QA-002")
    with pytest.raises(NotFound):
        hive.verbs.accept("QA-002")


@pytest.mark.requirement("U-15")
def test_what_is_sensitive_is_not_handed_over(hive):
    secret = hive.verbs.write("Ada is ill", type="factual", scope="global", tags=["sensitive"]).id
    hive.verbs.write("Bob is well", type="factual", scope="agent:QA-002", tags=["sensitive"])
    handed = hive.verbs.handoff("QA-002", summary="done", recommended=[secret])
    assert handed.handoff_memory["recommended_context"] == []
    taken = hive.verbs.accept("QA-002")
    assert not {"Ada is ill", "Bob is well"} & {
        one["content"]["text"] for one in taken.memories if "text" in one["content"]
    }


def test_secrets_in_a_handoff_are_masked(hive):
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    hive.verbs.handoff("QA-002", summary=f"the key is {key}", pending=[f"rotate {key}"])
    found = [path for path in hive.root.rglob("*") if path.is_file()]
    assert not [path for path in found if key.encode() in path.read_bytes()]


@pytest.fixture
def in_session(hive):
    """Start a session."""
    hive.verbs.session_start()
    return hive


@each_row(
    ("options", "fault"),
    [
        pytest.param({"to": "../x"}, Refused, id="unsafe-name"),
        pytest.param({"to": "noa"}, Refused, id="not-an-agent"),
        pytest.param({"to": ""}, UsageError, id="nobody"),
        pytest.param({"summary": " "}, UsageError, id="no-summary"),
        pytest.param({"recommended": ["mem_zzzzzzzzzzzz"]}, NotFound, id="unknown-memory"),
        pytest.param({"pending": "test it"}, UsageError, id="pending-no-list"),
    ],
)
def test_a_bad_handoff_is_refused_and_nothing_is_written(in_session, options, fault):
    before = len(in_session.ledger.log())
    given = {"to": "QA-002", "summary": "done"} | options
    with pytest.raises(fault):
        in_session.verbs.handoff(given.pop("to"), **given)
    assert len(in_session.ledger.log()) == before


@each_row("verb", ["task", "done", "accept", "session_start"])
def test_nobody_works_who_may_not_create_entries(hive, verb):
    call = getattr(hive.verbs, verb)
    with pytest.raises(Refused, match="may not create entries"):
        call("noa") if verb == "accept" else call(*(["x"] * (verb != "session_start")), agent="noa")


def test_a_task_counts_only_in_the_session_that_completed_it(hive):
    hive.verbs.task("Sort the shelves", agent="DEV-001")
    hive.verbs.done("The shelves have labels now.", agent="DEV-001")
    hive.verbs.task("Order new lamps", agent="DEV-001")
    hive.verbs.handoff("QA-002", summary="two offers are in", agent="DEV-001")
    hive.verbs.session_end()
    taken = hive.verbs.accept("QA-002")
    told = [one["task"] for one in taken.working_memory["task_history"]]
    assert "Sort the shelves" in told
    hive.verbs.done("Ordered twelve lamps", agent="QA-002")
    hive.verbs.session_end()
    sessions = hive.read("sessions/_index.json")
    assert [one["tasks_completed"] for one in sessions["sessions"]] == [1, 1, 0]
    assert sessions["statistics"]["total_tasks_completed"] == 2


def test_accepting_keeps_what_the_receiving_session_did_before(hive):
    hive.verbs.task("Order new lamps", agent="DEV-001")
    hive.verbs.handoff("QA-002", summary="two offers are in", agent="DEV-001")
    hive.verbs.session_end()
    hive.verbs.task("Sweep the hall", agent="QA-002")
    hive.verbs.done("The hall is clean.", agent="QA-002")
    hive.verbs.accept("QA-002")
    history = hive.read(CURRENT)["working_memory"]["task_history"]
    assert [one["status"] for one in history] == ["received", "completed", "accepted"]


@pytest.mark.requirement("S3-52")
def test_what_another_agent_made_meanwhile_is_not_this_tasks(hive):
    """Regression: a package named all memories of the session since the task began."""
    hive.verbs.task("fix the feed", agent="DEV-001", project="shop")
    hive.verbs.task("fix the cart", agent="DEV-002", project="shop")
    given = {"type": "factual", "scope": "project:shop"}
    made = [
        hive.verbs.write(f"Written by {who}", agent=who, **given).id
        for who in ("DEV-001", "DEV-002", "USER")
    ]
    handed = hive.verbs.handoff("QA-003", summary="half done", agent="DEV-001")
    assert handed.handoff_memory["memories_created"] == [made[0], made[2]]
