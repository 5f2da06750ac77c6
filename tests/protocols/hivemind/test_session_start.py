"""Session start: go on or begin, load the documents, note the moment."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from varves.protocols.hivemind.loaded import TERMS
from varves.recall.fence import read_block

CURRENT = "sessions/current.json"
DOCUMENTS = ("user-profile", "system-config", "terminology")


@pytest.mark.requirement("S3-18")
def test_a_session_goes_on_within_four_hours(hive):
    first = hive.at("2026-01-01T08:00:00Z").session_start()
    later = hive.at("2026-01-01T11:59:00Z").session_start()
    assert (first.status, later.status) == ("started", "continued")
    assert later.session == first.session == hive.read(CURRENT)["session_id"]
    again = hive.at("2026-01-01T15:58:59Z").session_start()
    assert again.session == first.session


@pytest.mark.requirement("S3-19")
def test_after_four_hours_it_is_archived_and_another_begins(hive):
    first = hive.at("2026-01-01T08:00:00Z").session_start()
    before = hive.path(CURRENT).read_bytes()
    later = hive.at("2026-01-01T12:00:00Z").session_start()
    assert (later.status, later.archived) == ("started", first.session)
    assert hive.read(CURRENT)["session_id"] == later.session != first.session
    archived = hive.read(f"sessions/archive/{first.session}.json")
    assert archived["session_id"] == first.session
    assert hive.path(f"sessions/archive/{first.session}.json").read_bytes() == before


@pytest.mark.requirement("S3-19")
def test_the_hours_are_a_setting(hive):
    hive.settings("session_hours = 1")
    first = hive.at("2026-01-01T08:00:00Z").session_start()
    assert hive.at("2026-01-01T08:59:59Z").session_start().session == first.session
    assert hive.at("2026-01-01T09:59:59Z").session_start().archived == first.session


@pytest.mark.requirement("S3-20")
def test_without_a_session_one_is_made(hive):
    assert not hive.path(CURRENT).exists()
    started = hive.verbs.session_start()
    assert hive.read(CURRENT)["session_id"] == started.session
    assert hive.read(CURRENT)["working_memory"] == {
        "current_task": None,
        "task_history": [],
        "entities_mentioned": [],
        "decisions_made": [],
        "pending_items": [],
    }


@pytest.mark.requirement("S3-21")
def test_three_global_documents_are_loaded(hive):
    started = hive.verbs.session_start()
    for name in DOCUMENTS:
        document = hive.read(f"global/{name}.json")
        assert document["id"] in started.loaded
        assert (document["created_by"], document["content"]) == ("SYSTEM", {})
    assert len(started.loaded) == 4  # with the context of the folder's project
    assert hive.read(CURRENT)["memory_operations"]["memories_loaded"] == list(started.loaded)
    for name in DOCUMENTS:
        hive.edit(f"global/{name}.json", content={"note": f"says {name}"})
    told = read_block(hive.verbs.session_start().text)
    assert [json.loads(one["content"]) for one in told] == [
        {"note": f"says {name}"} for name in DOCUMENTS
    ]


@pytest.mark.requirement("S3-21")
def test_a_document_that_says_nothing_is_loaded_and_left_out_of_the_block(hive):
    started = hive.verbs.session_start(project="shop")
    assert started.text == ""
    assert len(started.loaded) == 4
    assert started.empty == (
        *(f"memory/global/{name}.json" for name in DOCUMENTS),
        "memory/projects/shop/context.json",
    )
    hive.edit("projects/shop/context.json", content={"goal": "sell tea"})
    started = hive.verbs.session_start(project="shop")
    [told] = read_block(started.text)
    assert "sell tea" in told["content"]
    assert len(started.loaded) == 4
    assert started.empty == tuple(f"memory/global/{name}.json" for name in DOCUMENTS)


@pytest.mark.requirement("S3-21")
def test_what_a_person_wrote_into_a_document_is_loaded(hive):
    hive.verbs.session_start()
    hive.edit("global/user-profile.json", content={"name": "Ada"})
    assert "Ada" in hive.verbs.session_start().text


@pytest.mark.requirement("S3-21")
def test_a_missing_document_is_no_error(hive):
    first = hive.verbs.session_start()
    hive.path("global/terminology.json").unlink()
    assert hive.verbs.session_start().loaded == first.loaded
    assert hive.path("global/terminology.json").exists()
    hive.ledger.forget("mem_840f4b504fc8", reason="not needed")
    started = hive.verbs.session_start()
    assert len(started.loaded) == 3
    assert any("terminology.json" in note for note in hive.verbs.core.notes)


@pytest.mark.requirement("S3-22")
def test_a_project_is_detected_by_its_id_the_environment_or_the_folder(hive, monkeypatch):
    assert hive.verbs.session_start().project == "project"
    hive.verbs.write("Known here", type="factual", scope="project:project")
    by_folder = hive.verbs.session_start()
    monkeypatch.setenv("VARVES_PROJECT", "store")
    by_environment = hive.again().session_start()
    by_id = hive.verbs.session_start(project="shop")
    found = [by_folder.project, by_environment.project, by_id.project]
    assert found == ["project", "store", "shop"]
    for started in (by_folder, by_environment, by_id):
        context = hive.read(f"projects/{started.project}/context.json")
        assert context["id"] in started.loaded
    assert (by_folder.entries, by_id.entries) == (2, 1)
    assert by_folder.index["types"] == {"factual": 2}
    assert by_id.index["tags"] == {"context": 1, "project": 1}
    assert hive.read(CURRENT)["user_context"]["active_project"] == "shop"


@pytest.mark.requirement("S3-23")
def test_the_moment_is_noted(hive):
    hive.at("2026-01-01T08:00:00Z").session_start()
    hive.at("2026-01-01T10:30:00Z").session_start()
    current = hive.read(CURRENT)
    assert current["started_at"] == "2026-01-01T08:00:00Z"
    assert current["last_activity"] == "2026-01-01T10:30:00Z"


@pytest.mark.requirement("S3-24")
def test_the_profile_is_noted_as_loaded(hive):
    hive.verbs.session_start(agent="DEV-001")
    current = hive.read(CURRENT)
    assert current["user_context"]["loaded_profile"] is True
    assert current["user_context"]["preferences_applied"] == list(DOCUMENTS)
    assert current["agent_context"]["last_agent"] == "DEV-001"


@pytest.mark.requirement("S3-02")
def test_everything_survives_the_end_of_a_process(hive):
    started = hive.verbs.session_start(project="shop")
    made = hive.verbs.write("Port 8080 is taken", type="factual", scope="project:shop")
    before = hive.path(CURRENT).read_bytes()
    hive.close()
    (hive.root / "memory").rename(hive.root / "elsewhere")
    verbs = hive.again()
    assert verbs.session_start().session == started.session
    assert verbs.show(made.id)["content"] == {"text": "Port 8080 is taken"}
    assert hive.path(f"projects/shop/{made.id}.json").exists()
    assert hive.read(CURRENT)["session_id"] in before.decode()


KILLED = """
import os, signal, sys
import varves

ledger = varves.open(".", actor="DEV-001")
begun = ledger.hivemind.session_start(project="shop")
ledger.hivemind.task("fix the login in src/a.py", project="shop")
made = ledger.hivemind.write("Port 8080 is taken", type="factual", scope="project:shop")
print(begun.session, made.id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.requirement("S3-02")
def test_everything_survives_a_kill(hive):
    done = subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=hive.root,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    session, name = done.stdout.split()
    assert hive.read(CURRENT)["session_id"] == session
    now = datetime.now(UTC).isoformat()
    again = hive.at(now).session_start(project="shop")
    assert (again.session, again.status) == (session, "continued")
    assert hive.verbs.show(name)["content"] == {"text": "Port 8080 is taken"}
    assert hive.read(f"projects/shop/{name}.json")["id"] == name
    working = hive.read(CURRENT)["working_memory"]
    assert working["current_task"]["task"] == "fix the login in src/a.py"


def test_init_makes_four_documents_once(hive):
    made = hive.verbs.init(project="shop")
    assert made.created == (
        *(f"memory/global/{name}.json" for name in DOCUMENTS),
        "memory/projects/shop/context.json",
    )
    assert all((hive.root / path).is_file() for path in made.created)
    assert hive.path("projects/shop/context.json").exists()
    files = {path: path.read_bytes() for path in hive.path("").rglob("*.json")}
    assert hive.at("2026-02-01T00:00:00Z").init(project="shop").created == ()
    assert {path: path.read_bytes() for path in hive.path("").rglob("*.json")} == files
    assert hive.events("session.started") == []


def test_init_of_another_project_reports_the_files_it_finds_missing_there(hive, tmp_path):
    first = hive.verbs.init(project="shop").created
    (tmp_path / "other").mkdir()
    other = type(hive)(tmp_path / "other")
    assert other.verbs.init(project="shop").created == first
    assert other.verbs.init(project="shop").created == ()
    other.close()
    hive.path("global/terminology.json").unlink()
    assert hive.verbs.init(project="shop").created == ("memory/global/terminology.json",)
    assert hive.path("global/terminology.json").exists()


def test_a_task_begins_a_session_by_itself_and_a_quiet_one_is_over(hive):
    first = hive.at("2026-01-01T08:00:00Z").task("Look around")
    second = hive.at("2026-01-01T13:00:00Z").task("Look again")
    assert first.session != second.session
    assert hive.path(f"sessions/archive/{first.session}.json").exists()


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("way", ["undone", "purged", "rejected"])
def test_a_document_that_cannot_be_made_again_stops_no_session(cli, way):
    """Regression: `mem_… is taken`, after the other documents had been recorded."""
    if way == "rejected":
        said = cli("remember", "Terms and their definitions", "--scope", "global", "--json").json
        assert cli("correct", said["id"], "Words and what they mean").code == 0
    else:
        assert cli("hivemind", "init").code == 0
        terms = cli("history", TERMS, "--json").json["events"][0]["id"]
        verb = ("undo", terms) if way == "undone" else ("purge", TERMS, "--reason", "x", "--yes")
        assert cli(*verb).code == 0
    for status in ("started", "continued"):
        started = cli("hivemind", "session", "start", "--json")
        assert (started.code, started.json["status"]) == (0, status)
        assert TERMS not in started.json["loaded"]
        assert len(started.json["loaded"]) >= 2
