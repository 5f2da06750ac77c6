"""`hivemind validate` names file, place and rule of every breach, and mends none of them."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager

import pytest

from tests.tables import each_row

ENTRY = "memory/teams/qa/mem_aaaaaaaaaaaa.json"
INDEX = "memory/teams/qa/_index.json"


@pytest.fixture
def store(ledger):
    """Record two entries of one team, and what every session has."""
    for name, text in (("a", "Tests run first"), ("b", "Flaky tests are quarantined")):
        ledger.hivemind.write(
            text,
            type="procedural",
            subtype="practice",
            scope="team:qa",
            tags=["testing", name],
            id=f"mem_{name * 12}",
        )
    ledger.hivemind.session_start()
    ledger.close()
    return ledger


def changed(project, path: str, change) -> bytes:
    """Change a file as a person would, and return its bytes."""
    file = project / path
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return file.read_bytes()


@contextmanager
def for_now(project, path: str, change):
    """Change a file as a person would; check that nothing else changes it, and put it back."""
    file = project / path
    whole = file.read_bytes()
    before = changed(project, path, change)
    try:
        yield
        assert file.read_bytes() == before
    finally:
        file.write_bytes(whole)


@pytest.mark.requirement("U-14")
def test_what_a_session_leaves_has_no_findings(store, varves):
    done = varves("hivemind", "validate", "--json")
    assert (done.code, done.json) == (0, {"ok": True, "findings": []})


@pytest.mark.requirement("U-14")
@each_row(
    ("rule", "place", "key", "value"),
    [
        ("S3-74", "version", "version", "1.0"),
        ("S3-74", "last_updated", "last_updated", "yesterday"),
        ("S3-74", "entries", "entries", {}),
        ("S3-77", "entry_count", "entry_count", 3),
        ("S3-76", "tag_index['testing']", "tag_index", {"testing": ["mem_aaaaaaaaaaaa"]}),
        ("S3-76", "type_index['procedural']", "type_index", {}),
    ],
)
def test_an_index_that_is_not_as_published_is_found(
    store, varves, project, rule, place, key, value
):
    with for_now(project, INDEX, lambda index: index.update({key: value})):
        done = varves("hivemind", "validate", "--json")
    assert done.code == 1
    assert (rule, f"{INDEX}: {place}") in {
        (one["rule"], one["place"]) for one in done.json["findings"]
    }
    assert all(one["fix"] for one in done.json["findings"])


@pytest.mark.requirement("U-14")
@each_row("key", ["entry_count", "tag_index", "type_index", "version"])
def test_a_key_that_an_index_lacks_is_found(store, varves, project, key):
    with for_now(project, INDEX, lambda index: index.pop(key)):
        done = varves("hivemind", "validate", "--json")
    assert [(one["rule"], one["place"]) for one in done.json["findings"]] == [
        ("S3-74", f"{INDEX}: {key}")
    ]


@pytest.mark.requirement("U-14")
def test_a_line_without_its_file_and_a_file_without_its_line_are_found(store, varves, project):
    (project / ENTRY).rename(project / "memory/teams/qa/renamed.json")
    done = varves("hivemind", "validate", "--json")
    assert [(one["rule"], one["place"]) for one in done.json["findings"]] == [
        ("S3-75", f"{INDEX}: entries[0]"),
        ("S3-75", "memory/teams/qa/renamed.json"),
    ]


@pytest.mark.requirement("U-14")
def test_a_key_that_a_line_of_the_index_lacks_is_found(store, varves, project):
    changed(project, INDEX, lambda index: index["entries"][1].pop("summary"))
    done = varves("hivemind", "validate")
    assert done.code == 1
    assert done.out == (
        f"S3-75  {INDEX}: entries[1]  without summary\n  `varves rebuild` writes it again\n"
    )


@pytest.mark.requirement("U-14")
@each_row(
    ("rule", "key", "value"),
    [
        ("S3-06", "type", "fact"),
        ("S3-07", "subtype", "Not Kebab"),
        ("S3-08", "created_by", "somebody"),
        ("S3-09", "created_at", "yesterday"),
        ("S3-10", "scope", "global"),
        ("S3-11", "tags", ["API", "api"]),
        ("S3-12", "priority", "normal"),
        ("S3-13", "ttl", "30d"),
        ("S3-14", "content", "text"),
        ("S3-15", "references", ["mem_bbbbbbbbbbbb"]),
        ("S3-16", "confidence", 1.1),
        ("S3-17", "access_count", -1),
        ("S3-71", "id", "MEM-1"),
        ("S3-72", "id", "mem_bbbbbbbbbbbb"),
    ],
)
def test_an_entry_against_a_rule_is_found_with_that_rule(store, varves, project, rule, key, value):
    with for_now(project, ENTRY, lambda entry: entry.update({key: value})):
        done = varves("hivemind", "validate", "--json")
    assert done.code == 1
    found = {(one["rule"], one["place"].partition(": ")[2]) for one in done.json["findings"]}
    assert (rule, key) in found


@pytest.mark.requirement("U-14")
def test_a_file_that_is_no_json_is_found_with_its_line_and_left_as_it_is(store, varves, project):
    (project / ENTRY).write_text('{\n  "id": oops\n}\n', encoding="utf-8")
    done = varves("hivemind", "validate", "--json")
    assert ("U-11", f"{ENTRY}:2") in {(one["rule"], one["place"]) for one in done.json["findings"]}
    assert (project / ENTRY).read_text(encoding="utf-8") == '{\n  "id": oops\n}\n'


@pytest.mark.requirement("U-14")
def test_repair_is_another_verb_and_afterwards_nothing_is_found(store, varves, project):
    changed(project, INDEX, lambda index: index.update(entry_count=7))
    assert varves("hivemind", "validate").code == 1
    assert varves("rebuild").code == 0
    assert varves("hivemind", "validate").out == "ok\n"
    index = json.loads((project / INDEX).read_text(encoding="utf-8"))
    assert index["entry_count"] == 2


@pytest.mark.requirement("U-14")
def test_the_doctor_says_what_it_would_render_and_does_it_only_when_told_to(store, varves, project):
    changed(project, INDEX, lambda index: index.update(entry_count=7))
    before = (project / INDEX).read_bytes()

    found = varves("doctor")
    assert found.code == 1
    assert f"{INDEX}: entry_count" in found.out
    shown = varves("doctor", "--fix", "--dry-run")
    assert f"render {INDEX} again" in shown.out
    assert (project / INDEX).read_bytes() == before

    assert varves("doctor", "--fix").code == 0
    assert json.loads((project / INDEX).read_bytes())["entry_count"] == 2
    assert varves("hivemind", "validate").out == "ok\n"


@pytest.mark.requirement("U-14")
def test_a_folder_without_an_index_is_found(store, varves, project):
    (project / INDEX).unlink()
    done = varves("hivemind", "validate", "--json")
    assert [(one["rule"], one["place"]) for one in done.json["findings"]] == [
        ("S3-73", "memory/teams/qa")
    ]


def test_a_folder_that_is_gone_is_found(hive):
    for place in ("attic", "cellar"):
        hive.verbs.write(f"The {place} is dry", type="factual", scope=f"project:{place}")
    shutil.rmtree(hive.path("projects/attic"))
    [one] = [found for found in hive.verbs.validate() if found.rule == "S3-03"]
    assert one.place == "memory/projects/attic"
    assert "1 entry" in one.message
    shutil.rmtree(hive.path(""))
    places = [found.place for found in hive.verbs.validate()]
    assert places == ["memory/projects/attic", "memory/projects/cellar"]
    hive.ledger.rebuild()
    assert hive.verbs.validate() == ()
