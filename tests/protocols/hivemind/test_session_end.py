"""Session end: working memory is reviewed, the session archived, a fresh one begun."""

from __future__ import annotations

import pytest

from tests.tables import each_row

CURRENT = "sessions/current.json"


def working(hive, text, **options):
    session = hive.read(CURRENT)["session_id"]
    given = {"type": "working", "scope": f"session:{session}", "agent": "DEV-001"} | options
    return hive.verbs.write(text, **given).id


@pytest.fixture
def started(hive):
    hive.verbs.session_start(agent="DEV-001")
    return hive


@pytest.mark.requirement("S3-58")
def test_every_working_memory_is_promoted_or_dropped(started):
    kept = [working(started, f"matters {n}", priority="high") for n in range(2)]
    gone = [working(started, f"passes {n}") for n in range(3)]
    elsewhere = working(started, "the agent's own", scope="agent:DEV-001")
    done = started.verbs.session_end()
    assert [old for old, _ in done.promoted] == kept
    assert [*done.dropped] == [*gone, elsewhere]
    left = started.ledger.list(type="working", status="active", private=True)
    assert not left


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S3-59")
@pytest.mark.parametrize(
    ("options", "reads", "promoted"),
    [
        pytest.param({"priority": "critical"}, 0, True, id="critical"),
        pytest.param({"priority": "high"}, 0, True, id="high"),
        pytest.param({"priority": "medium"}, 0, False, id="medium"),
        pytest.param({"confidence": 0.8}, 0, True, id="confidence-0.8"),
        pytest.param({"confidence": 0.79}, 0, False, id="confidence-0.79"),
        pytest.param({}, 1, False, id="read-once"),
        pytest.param({}, 2, True, id="read-twice"),
        pytest.param({"priority": "high", "tags": ["sensitive"]}, 0, False, id="sensitive"),
    ],
)
def test_what_is_significant_is_promoted(started, options, reads, promoted):
    name = working(started, "The build needs two cores", **options)
    for _ in range(reads):
        started.verbs.show(name)
    done = started.verbs.session_end()
    assert len(done.promoted) == promoted
    if promoted:
        [(_, made)] = done.promoted
        entry = started.read(f"agents/DEV-001/{made}.json")
        assert entry["type"] == "factual"
        assert entry["content"] == {"text": "The build needs two cores"}
        assert entry["created_by"] == "DEV-001"


@pytest.mark.requirement("S3-59")
@each_row(
    ("content", "kind"),
    [
        ("Decision: we ship on Thursdays", "decision"),
        ("We decided against Redis", "decision"),
        ({"decision": "ship on Thursdays"}, "decision"),
        ("Error: port in use. Solution: kill the old server", "error-solution"),
        ({"error": "port in use", "solution": "kill the old server"}, "error-solution"),
        ("Fixed the deadlock by taking the locks in order.", "error-solution"),
        ("To reset the cache, run make clean.", "procedure"),
        ("Learned that dates are in UTC", "fact"),
        ("looking at line 40", None),
        ("Should we decide on tabs?", None),
        ("Error: port in use", None),
        ("Maybe we decided to use Redis", None),
        ("Decision: none", None),
        ({"step": "read the decision"}, None),
    ],
)
def test_what_the_end_of_a_task_would_teach_is_significant(hive, content, kind):
    """Regression: decisions and solutions noted as working memory were dropped."""
    hive.verbs.session_start(agent="DEV-001")
    name = working(hive, content)
    done = hive.verbs.session_end()
    if kind is None:
        assert (done.promoted, done.dropped) == ((), (name,))
    else:
        [(_, made)] = done.promoted
        assert hive.verbs.show(made)["subtype"] == kind


@pytest.mark.requirement("S3-59")
def test_a_session_that_was_idle_for_too_long_keeps_its_decisions(started):
    working(started, "Decision: we ship on Thursdays")
    started.at("2026-01-01T05:00:00Z").session_start(agent="DEV-001")
    [kept] = [one for one in started.verbs.list(type="semantic").entries if one["content"]][:1]
    assert kept["content"] == {"text": "Decision: we ship on Thursdays"}


@pytest.mark.requirement("S3-59")
def test_the_marks_of_significance_are_settable(hive):
    hive.settings("significant_reads = 1")
    hive.verbs.session_start(agent="DEV-001")
    hive.verbs.show(working(hive, "The build needs two cores"))
    assert len(hive.verbs.session_end().promoted) == 1


@pytest.mark.requirement("S3-60")
def test_what_is_ephemeral_leaves_the_files_and_stays_in_history(started):
    name = working(started, "look at line 12 next")
    started.verbs.session_end()
    found = [path for path in started.path("").rglob("*") if path.is_file()]
    assert not [path for path in found if b"look at line 12" in path.read_bytes()]
    assert [event.kind for event in started.ledger.history(name)][-1] == "memory.forgotten"
    [event] = [one for one in started.ledger.history(name) if one.kind == "memory.forgotten"]
    assert event.data["rule"] == "ephemeral-working"
    started.ledger.undo(event.id)
    assert started.ledger.show(name).status == "active"


@pytest.mark.requirement("S3-61")
def test_the_session_is_archived_as_it_last_stood(started):
    started.verbs.task("fix the login", agent="DEV-001")
    started.verbs.done(report={"facts": ["Keys are cached"]})
    last = started.path(CURRENT).read_bytes()
    session = started.read(CURRENT)["session_id"]
    assert started.verbs.session_end().session == session
    assert started.path(f"sessions/archive/{session}.json").read_bytes() == last


@pytest.mark.requirement("S3-62")
def test_indices_and_statistics_agree_with_a_recount(started):
    started.verbs.done(report={"facts": ["Keys are cached", "Tokens expire"]}, agent="DEV-001")
    started.verbs.write("The shop sells tea", type="factual", scope="project:shop")
    working(started, "The build needs two cores", priority="high")
    done = started.verbs.session_end()
    listed = started.read("sessions/_index.json")
    archived = [*started.path("sessions/archive").glob("*.json")]
    assert listed["total_sessions"] == len(listed["sessions"]) == len(archived) + 1 == 2
    assert listed["active_session"] == done.fresh
    assert listed["statistics"]["total_tasks_completed"] == 1
    assert [one["tasks_completed"] for one in listed["sessions"]] == [1, 0]
    folders = {
        "global": "global",
        "project:project": "projects/project",
        "project:shop": "projects/shop",
    }
    assert done.statistics.keys() == folders.keys()
    for scope, folder in folders.items():
        index = started.read(f"{folder}/_index.json")
        files = {path.name for path in started.path(folder).glob("*.json")} - {"_index.json"}
        assert index["entry_count"] == len(index["entries"]) == len(files)
        assert done.statistics[scope] == len(files)
        assert {one["file_path"] for one in index["entries"]} == files


@pytest.mark.requirement("S3-63")
def test_a_fresh_session_begins(started):
    started.verbs.task("fix the login")
    before = started.read(CURRENT)
    done = started.verbs.session_end()
    after = started.read(CURRENT)
    assert after["session_id"] == done.fresh != before["session_id"]
    assert after["working_memory"]["task_history"] == []
    assert after["working_memory"]["current_task"] is None


@pytest.mark.requirement("S3-96")
def test_consolidation_runs_when_a_session_ends(started):
    assert not started.events("consolidation.run")
    started.verbs.session_end()
    [event] = started.events("consolidation.run")
    assert event.data["trigger"] == "session-end"


@pytest.mark.requirement("S3-105")
def test_the_archive_lists_past_sessions_by_date(started):
    ended = [started.verbs.session_end().session]
    for day in (2, 3):
        started.at(f"2026-01-0{day}T00:00:00Z").session_start()
        ended.append(started.verbs.session_end().session)
    files = {path.stem: path for path in started.path("sessions/archive").glob("*.json")}
    assert {*ended} <= files.keys()
    begun = [started.read(f"sessions/archive/{name}.json")["started_at"] for name in ended]
    assert begun == sorted(begun)
    listed = [one["session_id"] for one in started.read("sessions/_index.json")["sessions"]]
    assert [name for name in listed if name in ended] == ended


@pytest.mark.requirement("S3-58")
def test_what_an_abandoned_session_left_is_reviewed_at_the_next_start(started):
    kept = working(started, "The build needs two cores", priority="high")
    gone = working(started, "look at line 12 next")
    started.at("2026-01-01T08:00:00Z").session_start()
    assert started.ledger.show(kept).reason.startswith("promoted to mem_")
    assert started.ledger.show(gone).status == "forgotten"


def test_without_a_session_there_is_nothing_to_end(hive):
    assert hive.verbs.session_end().session is None
    assert not hive.ledger.log()


def test_no_folder_of_the_ended_session_is_left(hive):
    hive.verbs.write("Half of the boxes are packed", type="working", scope="session")
    session = hive.verbs.session_start().session
    assert hive.path(f"sessions/{session}").exists()
    hive.verbs.session_end()
    assert not hive.path(f"sessions/{session}").exists()
    assert hive.path(f"sessions/archive/{session}.json").exists()
