from __future__ import annotations

from tests.unit.commands.rows import event
from varves.protocols.hivemind.sessions import fold
from varves.protocols.sessions import current


def happened(number, kind, session="sess_1", **content):
    made = event(f"evt_{number}", kind, log="private", checkout="main", **content)
    made.fields["session"] = session
    made.fields["time"] = f"2026-01-01T{number:02}:00:00.000Z"
    return made


def test_a_session_is_what_its_events_say():
    [found] = fold(
        [
            happened(1, "session.started", project="shop", agent="DEV-001", loaded=["mem_a"]),
            happened(
                2, "task.received", task="t1", text="Fix it", entities=["a.py"], loaded=["mem_b"]
            ),
            happened(
                3, "task.completed", task="t1", text="Fix it", created=["mem_c"], pending=["x"]
            ),
        ]
    )
    assert (found.project, found.agent, found.current_task) == ("shop", "DEV-001", None)
    assert (found.loaded, found.created) == (["mem_a", "mem_b"], ["mem_c"])
    assert (found.entities, found.pending) == (["a.py"], ["x"])
    assert [line["status"] for line in found.task_history] == ["received", "completed"]
    assert (found.started_at, found.last_activity) == (
        "2026-01-01T01:00:00Z",
        "2026-01-01T03:00:00Z",
    )
    assert (found.tasks_completed, found.minutes) == (1, 120)


def test_the_newest_session_that_nobody_closed_is_running():
    found = fold(
        [
            happened(1, "session.started"),
            happened(2, "session.archived"),
            happened(3, "session.started", session="sess_2"),
        ]
    )
    assert [one.state for one in found] == ["archived", "running"]
    assert current(found, "main") is found[1]
    assert current(found, "other") is None


def test_a_hand_edit_changes_a_document_and_is_no_activity():
    [found] = fold(
        [
            happened(1, "session.started"),
            happened(
                2,
                "session.revised",
                set={"last_activity": "2025-01-01T00:00:00Z", "mood": "good", "user_context.x": 1},
                drop=["agent_context", "user_context.active_project"],
            ),
        ]
    )
    assert found.last_activity == "2025-01-01T00:00:00Z"
    assert found.document["mood"] == "good"
    assert found.document["user_context"] == {
        "loaded_profile": True,
        "preferences_applied": ["user-profile", "system-config", "terminology"],
        "x": 1,
    }
    assert "agent_context" not in found.document


def test_events_of_unknown_sessions_say_nothing():
    assert fold([happened(1, "task.received", text="x")]) == []


def test_a_session_that_a_branch_brings_is_none():
    brought = happened(1, "session.started")
    brought.log = "project"
    assert fold([brought]) == []
