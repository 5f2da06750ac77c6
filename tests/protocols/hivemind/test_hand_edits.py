"""What a person does to the protocol's files becomes part of the log."""

from __future__ import annotations

import json
import shutil

import pytest

CURRENT = "sessions/current.json"


def write(hive, text="The API speaks JSON", **options):
    made = {"type": "factual", "scope": "project:shop"} | options
    return hive.verbs.write({"text": text}, **made).id


def adopted(hive):
    """Let a writing verb look at the files, and return its notes."""
    hive.verbs.init(project="shop")
    return list(hive.verbs.core.notes)


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"content": {"text": "It speaks CBOR", "why": "size"}}, {}),
        ({"content": "It speaks CBOR"}, {"content": {"text": "It speaks CBOR"}}),
        ({"tags": ["api", "wire"]}, {}),
        ({"priority": "critical"}, {}),
        ({"confidence": 0.25}, {}),
        ({"type": "semantic", "subtype": "protocol"}, {}),
        ({"references": [{"type": "file", "id": "a.py"}]}, {}),
        ({"ttl": "P7D"}, {}),
        ({"created_by": "DEV-007"}, {}),
        ({"mood": {"x": [1]}}, {}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else None,
)
def test_a_changed_value_is_taken_over(hive, changes, shown):
    name = write(hive, tags=["api"])
    hive.edit(f"projects/shop/{name}.json", **changes)
    read = hive.verbs.show(name)
    assert {key: read[key] for key in changes} == {**changes, **shown}
    assert hive.events("memory.revised") == []
    adopted(hive)
    entry = hive.read(f"projects/shop/{name}.json")
    assert {key: entry[key] for key in changes} == {**changes, **shown}
    [event] = hive.events("memory.revised")
    assert event.actor == "USER"
    hive.verbs.init(project="shop")
    assert len(hive.events("memory.revised")) == 1


def test_the_index_follows_an_edited_file(hive):
    name = write(hive)
    hive.edit(f"projects/shop/{name}.json", content={"text": "It speaks CBOR"}, tags=["wire"])
    adopted(hive)
    index = hive.read("projects/shop/_index.json")
    [line] = [one for one in index["entries"] if one["id"] == name]
    assert (line["summary"], line["tags"]) == ("It speaks CBOR", ["wire"])
    found = hive.verbs.task("wire", project="shop").memories
    assert [one.entry["id"] for one in found] == [name]


def test_an_edited_ttl_ends_when_it_says(hive):
    name = write(hive, "The login", priority="high")
    hive.edit(f"projects/shop/{name}.json", ttl="P7D")
    adopted(hive)
    assert hive.at("2026-01-08T00:00:00Z").task("login", project="shop").memories == ()


def test_an_unknown_key_can_be_taken_out_again(hive):
    name = write(hive)
    path = f"projects/shop/{name}.json"
    hive.edit(path, mood="calm", colour="red")
    adopted(hive)
    document = hive.read(path)
    del document["mood"]
    hive.path(path).write_text(json.dumps(document), encoding="utf-8")
    adopted(hive)
    assert [*hive.read(path)][16:] == ["colour"]


def test_values_outside_the_rules_are_taken_as_found_and_said(hive):
    name = write(hive)
    hive.edit(f"projects/shop/{name}.json", type="opinion", subtype="Odd One", priority="urgent")
    notes = adopted(hive)
    entry = hive.read(f"projects/shop/{name}.json")
    assert (entry["type"], entry["subtype"], entry["priority"]) == ("opinion", "Odd One", "urgent")
    assert any(
        "recorded although not a published value: type, subtype, priority" in note for note in notes
    )


def test_values_no_event_can_hold_stay_as_they_were_and_that_is_said(hive):
    name = write(hive, tags=["api"])
    hive.edit(f"projects/shop/{name}.json", tags="api", confidence=7, ttl="30d", created_at="soon")
    notes = adopted(hive)
    entry = hive.read(f"projects/shop/{name}.json")
    assert (entry["tags"], entry["confidence"], entry["ttl"]) == (["api"], 0.5, "P90D")
    assert any("ignored, not valid: created_at, tags, ttl, confidence" in note for note in notes)


def test_a_text_among_the_references_is_the_id_of_what_it_names(hive):
    name, other = write(hive), write(hive, text="Carts live in Redis")
    path = f"projects/shop/{name}.json"
    given = [other, "https://example.org/a", "src/cart.py"]
    hive.edit(path, references=given)
    adopted(hive)
    assert [(one["type"], one["id"]) for one in hive.read(path)["references"]] == [
        *zip(("memory", "url", "file"), given, strict=True)
    ]
    assert {one["relationship"] for one in hive.read(path)["references"]} == {"references"}
    hive.edit(path, references=[7])
    notes = adopted(hive)
    assert len(hive.read(path)["references"]) == len(given)
    assert any('a reference is a text or {"type"' in one and "[7]" in one for one in notes)


def test_counters_are_not_a_persons_to_set(hive):
    name = write(hive)
    hive.edit(f"projects/shop/{name}.json", access_count=99, updated_at="2030-01-01T00:00:00Z")
    adopted(hive)
    assert hive.read(f"projects/shop/{name}.json")["access_count"] == 0
    assert hive.events("memory.revised") == []


def test_an_added_file_is_recorded_with_its_id(hive):
    hive.verbs.init(project="shop")
    hive.edit(
        "projects/shop/mem_a7b3c9d2e4f1.json",
        id="mem_a7b3c9d2e4f1",
        type="factual",
        content={"text": "The wombat digs"},
        created_by="DEV-003",
        created_at="2025-12-18T08:00:00+08:00",
        mood="calm",
    )
    adopted(hive)
    entry = hive.read("projects/shop/mem_a7b3c9d2e4f1.json")
    assert (entry["created_by"], entry["created_at"]) == ("DEV-003", "2025-12-18T00:00:00Z")
    assert (entry["scope"], entry["scope_id"], entry["mood"]) == ("project", "shop", "calm")
    assert [one.entry["id"] for one in hive.verbs.search("wombat").memories] == [entry["id"]]


@pytest.mark.parametrize("given", [None, "note-1", "mem_short"], ids=str)
def test_an_added_file_without_a_proper_id_gets_one_and_keeps_its_name(hive, given):
    hive.verbs.init(project="shop")
    hive.edit("projects/shop/note.json", id=given, content={"text": "The wombat digs"})
    adopted(hive)
    entry = hive.read("projects/shop/note.json")
    assert entry["id"].startswith("mem_")
    assert len(entry["id"]) == 16
    if given:
        assert hive.verbs.show(given)["id"] == entry["id"]
    files = {path.name for path in hive.path("projects/shop").iterdir()}
    assert files == {"context.json", "note.json", "_index.json"}


def test_a_removed_file_comes_back(hive):
    name = write(hive)
    hive.path(f"projects/shop/{name}.json").unlink()
    adopted(hive)
    assert hive.read(f"projects/shop/{name}.json")["id"] == name
    assert hive.events("memory.forgotten") == []


def test_a_file_that_cannot_be_read_is_left_alone(hive):
    name = write(hive)
    path = hive.path(f"projects/shop/{name}.json")
    path.write_text('{"id": "mem', encoding="utf-8")
    assert any("not JSON" in note for note in adopted(hive))
    assert path.read_text(encoding="utf-8") == '{"id": "mem'
    assert hive.verbs.show(name)["content"] == {"text": "The API speaks JSON"}


def test_a_secret_in_an_edit_is_masked(hive):
    name = write(hive)
    secret = "ghp_" + "a1B2" * 9
    hive.edit(f"projects/shop/{name}.json", content={"text": secret})
    adopted(hive)
    assert secret not in hive.path(f"projects/shop/{name}.json").read_text(encoding="utf-8")


def test_a_long_content_is_edited_in_the_file_that_has_it_whole(hive):
    name = write(hive, "word " * 3000)
    hive.edit(f"projects/shop/{name}.json", priority="high")
    adopted(hive)
    assert hive.verbs.show(name)["content"] == {"text": "word " * 3000}
    hive.edit(f"projects/shop/{name}.full.json", content={"text": "other " * 3000})
    adopted(hive)
    assert hive.verbs.show(name)["content"] == {"text": "other " * 3000}
    hive.edit(f"projects/shop/{name}.json", content={"text": "Short now"})
    adopted(hive)
    assert hive.verbs.show(name)["content"] == {"text": "Short now"}
    assert not hive.path(f"projects/shop/{name}.full.json").exists()


def test_a_session_goes_on_by_the_activity_its_file_says(hive):
    first = hive.at("2026-01-01T08:00:00Z").session_start()
    hive.edit(CURRENT, last_activity="2026-01-01T10:00:00Z", mood="calm")
    later = hive.at("2026-01-01T13:00:00Z").session_start()
    assert later.session == first.session
    assert hive.read(CURRENT)["mood"] == "calm"
    hive.edit(CURRENT, last_activity="2026-01-01T08:00:00Z")
    assert hive.at("2026-01-01T13:30:00Z").session_start().archived == first.session
    assert hive.read(f"sessions/archive/{first.session}.json")["mood"] == "calm"


def test_working_memory_can_be_edited(hive):
    hive.verbs.task("Fix it")
    working = hive.read(CURRENT)["working_memory"]
    hive.edit(CURRENT, working_memory=working | {"pending_items": ["tests"]})
    hive.verbs.task("Go on with src/a.py")
    working = hive.read(CURRENT)["working_memory"]
    assert working["pending_items"] == ["tests"]
    assert (len(working["task_history"]), working["entities_mentioned"]) == (2, ["src/a.py"])


def test_an_instant_that_is_none_is_not_taken(hive):
    hive.verbs.session_start()
    hive.edit(CURRENT, last_activity="yesterday")
    hive.verbs.session_start()
    assert any("last_activity is not a valid time" in note for note in hive.verbs.core.notes)
    assert hive.read(CURRENT)["last_activity"] == "2026-01-01T00:00:00Z"


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("value", [7, [1, {"a": 1}, ["b"], None]], ids=["number", "list"])
@pytest.mark.parametrize(
    "place",
    [
        ("user_context", "active_project"),
        ("working_memory", "current_task"),
        ("working_memory", "task_history"),
        ("memory_operations", "memories_loaded"),
        ("memory_operations", "memories_created"),
        ("agent_context", "last_agent"),
        ("working_memory",),
        ("handoff_memory",),
    ],
    ids=".".join,
)
def test_whatever_a_person_writes_into_a_session_every_verb_still_runs(hive, place, value):
    hive.verbs.session_start(project="shop")
    hive.verbs.task("Fix the login in src/a.py", agent="DEV-001")
    hive.verbs.handoff("QA-002", summary="go on")
    *outer, last = place
    document = hive.read(CURRENT)
    part = document
    for key in outer:
        part = part[key]
    part[last] = value
    hive.edit(CURRENT, **document)
    hive.verbs.task("Go on")
    hive.verbs.done("We decided on tabs")
    hive.verbs.handoff("DEV-002", summary="and on")
    hive.verbs.accept("QA-002")
    hive.verbs.error("Crash", "it broke")
    assert hive.verbs.session_end().session == document["session_id"]


def test_without_any_log_the_files_are_enough_to_start_again(hive, tmp_path):
    hive.verbs.session_start(project="shop")
    short = write(hive, "The wombat digs", tags=["zoo"])
    long = write(hive, "word " * 3000)
    session = hive.read(CURRENT)
    before = {
        str(path.relative_to(hive.root)): json.loads(path.read_text(encoding="utf-8"))
        for path in hive.path("projects").rglob("*.json")
    }
    hive.close()
    shutil.rmtree(hive.root / ".varves")
    shutil.rmtree(hive.root / ".git")
    shutil.rmtree(tmp_path / "home" / "varves")
    hive.at("2026-01-01T01:00:00Z").session_start(project="shop")
    assert hive.verbs.show(short)["tags"] == ["zoo"]
    assert hive.verbs.show(long)["content"] == {"text": "word " * 3000}
    assert hive.read(CURRENT)["session_id"] == session["session_id"]
    assert hive.read(CURRENT)["started_at"] == session["started_at"]
    after = {
        str(path.relative_to(hive.root)): json.loads(path.read_text(encoding="utf-8"))
        for path in hive.path("projects").rglob("*.json")
    }
    assert after.keys() == before.keys()


@pytest.mark.requirement("S3-29")
def test_a_team_folder_by_its_other_published_name_is_read_and_moved(hive):
    """The publication writes `team/[team]` in the steps of a task; the files are in `teams/`."""
    grid = write(hive, "Web uses grid", scope="team:web", tags=["grid"])
    document = hive.read(f"teams/web/{grid}.json")
    document |= {"id": "mem_a7b3c9d2e4f2", "content": {"text": "Web uses flex"}, "tags": ["flex"]}
    hive.edit("team/web/mem_a7b3c9d2e4f2.json", **document)
    [found] = hive.verbs.task("flex", team="web").memories
    assert found.entry["id"] == "mem_a7b3c9d2e4f2"
    adopted(hive)
    assert hive.read("teams/web/mem_a7b3c9d2e4f2.json")["content"] == {"text": "Web uses flex"}
    assert not hive.path("team/web/mem_a7b3c9d2e4f2.json").exists()
    assert hive.verbs.validate() == ()
    [index] = [one for one in hive.read("teams/web/_index.json")["entries"] if one["id"] != grid]
    assert index["tags"] == ["flex"]
    hive.edit("teams/web/mem_a7b3c9d2e4f2.json", tags=["flex", "css"])
    adopted(hive)
    assert hive.verbs.show("mem_a7b3c9d2e4f2")["tags"] == ["flex", "css"]


def test_a_deleted_session_says_how_to_begin_a_new_one(hive):
    """Regression: the hint named a command that fails for a session."""
    before = hive.verbs.session_start(project="shop").session
    hive.path(CURRENT).unlink()
    hive.again().session_start()
    [note] = [one for one in hive.verbs.core.notes if CURRENT in one]
    assert note.endswith("varves hivemind session end begins a new session")
    assert hive.read(CURRENT)["session_id"] == before
    hive.verbs.session_end()
    assert hive.read(CURRENT)["session_id"] != before


def placed(hive, name, scope, **changes):
    """Put a file in the published form into a scope's folder, as a person would."""
    entry = {
        "id": name,
        "type": "factual",
        "subtype": "fact",
        "created_by": "QA-002",
        "created_at": "2025-03-01T08:00:00Z",
        "updated_at": "2025-04-01T08:00:00Z",
        "scope": scope.partition(":")[0],
        "scope_id": scope.partition(":")[2] or None,
        "tags": ["parking"],
        "priority": "medium",
        "ttl": "permanent",
        "content": {"text": "The garage opens at six"},
        "references": [],
        "confidence": 0.9,
        "access_count": 3,
        "last_accessed": "2025-05-01T08:00:00Z",
    }
    hive.edit(f"teams/{scope.partition(':')[2]}/{name}.json", **(entry | changes))


def test_a_file_put_there_by_hand_keeps_its_counters_and_dates(hive):
    hive.verbs.session_start()
    placed(hive, "mem_parking00001", "team:desk")
    hive.verbs.write("Lunch is at noon", type="factual", scope="team:desk")
    read = hive.read("teams/desk/mem_parking00001.json")
    assert read["access_count"] == 3
    assert read["last_accessed"] == "2025-05-01T08:00:00Z"
    assert read["updated_at"] == "2025-04-01T08:00:00Z"


def test_counters_and_dates_that_cannot_be_are_left_out(hive):
    hive.verbs.session_start()
    wrong = {"access_count": -1, "last_accessed": "soon", "updated_at": "1999-01-01T00:00:00Z"}
    placed(hive, "mem_parking00002", "team:desk", **wrong)
    hive.verbs.write("Lunch is at noon", type="factual", scope="team:desk")
    read = hive.read("teams/desk/mem_parking00002.json")
    assert (read["access_count"], read["last_accessed"]) == (0, None)
    assert read["updated_at"] >= read["created_at"]


def test_a_copy_of_a_file_in_another_scope_becomes_one_memory_with_its_own_id(hive):
    made = hive.verbs.write("The garage opens at six", type="factual", scope="team:north")
    placed(hive, made.id, "team:south")
    for number in range(3):
        hive.verbs.write(f"Desk {number} is free", type="factual", scope="team:north")
        hive.verbs.session_start()
    [copy] = hive.verbs.list(scope="team:south").entries
    assert copy["id"] != made.id
    names = sorted(one.name for one in hive.path("teams/south").iterdir())
    assert names == ["_index.json", f"{copy['id']}.json"]
    assert hive.entry(made)["id"] == made.id
    assert hive.verbs.validate() == ()
