"""The tree of files: one index a scope, stable bytes, nothing but files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.protocols.hivemind.schema import breaches
from tests.tables import each_row

SCHEMA = Path(__file__).parent / "samples/at-82e915a/memory/schemas/index.schema.json"
SCOPES = {
    "global": "global",
    "team:qa": "teams/qa",
    "agent:DEV-001": "agents/DEV-001",
    "project:shop": "projects/shop",
    "session:s-1": "sessions/s-1",
}


def write(hive, text, **options):
    made = {"type": "factual", "scope": "project:shop"} | options
    return hive.verbs.write({"text": text}, **made).id


@pytest.mark.requirement("S3-73")
@each_row("scope", SCOPES)
def test_every_scope_has_an_index_from_its_first_entry_on(hive, scope):
    assert not hive.path(SCOPES[scope]).exists()
    name = write(hive, "First", scope=scope)
    index = hive.read(f"{SCOPES[scope]}/_index.json")
    assert [line["id"] for line in index["entries"]] == [name]


@pytest.mark.requirement("S3-74")
def test_an_index_has_the_published_keys_and_fits_the_published_schema(hive):
    hive.at("2026-01-05T00:00:00Z")
    write(hive, "One", tags=["api"])
    hive.at("2026-01-06T00:00:00Z")
    write(hive, "Two", type="semantic")
    index = hive.read("projects/shop/_index.json")
    assert [*index] == [
        *("version", "last_updated", "entry_count", "entries", "tag_index", "type_index")
    ]
    assert (index["version"], index["last_updated"]) == ("1.0.0", "2026-01-06T00:00:00Z")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for path in hive.path("projects").rglob("_index.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        assert list(breaches(document, schema)) == []


@pytest.mark.requirement("S3-75")
def test_an_index_entry_points_to_its_file(hive):
    hive.verbs.init(project="shop")
    write(hive, "One", tags=["api"], subtype="protocol")
    index = hive.read("projects/shop/_index.json")
    assert index["entries"][0]["file_path"] == "context.json"
    for line in index["entries"]:
        assert [*line] == [
            *("id", "type", "subtype", "tags", "summary", "priority", "created_at", "file_path")
        ]
        assert hive.read(f"projects/shop/{line['file_path']}")["id"] == line["id"]


@pytest.mark.requirement("S3-76")
@pytest.mark.requirement("S3-77")
def test_tables_and_count_follow_every_change(hive):
    one = write(hive, "One", tags=["api", "login"])
    two = write(hive, "Two", tags=["api"], type="procedural")
    index = hive.read("projects/shop/_index.json")
    assert index["tag_index"] == {"api": [one, two], "login": [one]}
    assert index["type_index"] == {"factual": [one], "procedural": [two]}
    assert index["entry_count"] == 2
    hive.ledger.forget(one, reason="wrong")
    hive.ledger.edit(two, tag=("+db", "-api"))
    index = hive.read("projects/shop/_index.json")
    assert index["tag_index"] == {"db": [two]}
    assert index["type_index"] == {"procedural": [two]}
    assert (index["entry_count"], len(index["entries"])) == (1, 1)


@pytest.mark.requirement("S3-103")
def test_files_are_all_there_is(hive):
    name = write(hive, "Port 80 is open")
    hive.close()
    for part in ("local", "private"):
        subprocess.run(["rm", "-rf", hive.root / ".varves" / part], check=True)
    assert hive.again().show(name)["content"] == {"text": "Port 80 is open"}


@pytest.mark.requirement("S3-104")
def test_bytes_are_stable_when_nothing_changes(hive):
    hive.at("2026-01-05T00:00:00Z").session_start(project="shop")
    write(hive, "One", tags=["api"])
    write(hive, "Two", scope="team:qa")
    files = {path: path.read_bytes() for path in hive.path("").rglob("*.json")}
    stamps = {path: path.stat().st_mtime_ns for path in files}
    verbs = hive.at("2026-03-01T00:00:00Z")
    verbs.init(project="shop")
    verbs.search("one")
    hive.ledger.rebuild()
    assert {path: path.read_bytes() for path in hive.path("").rglob("*.json")} == files
    assert {path: path.stat().st_mtime_ns for path in files} == stamps
    for content in files.values():
        assert content.endswith(b"}\n")
        assert json.dumps(json.loads(content), indent=2, ensure_ascii=False) + "\n" == (
            content.decode()
        )


@pytest.mark.requirement("S3-104")
def test_git_tracks_what_is_the_projects_and_nothing_else(hive):
    hive.verbs.session_start(project="shop")
    for number, scope in enumerate(SCOPES):
        write(hive, f"Text {number}", scope=scope)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "memory"],
        cwd=hive.root,
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout.split()
    assert {name.split("/")[1] for name in listed if name.endswith(".json")} == {
        *("projects", "teams", "agents")
    }


@pytest.mark.requirement("S3-107")
def test_a_long_index_is_cut_into_parts_and_everything_is_found(hive):
    lines = [
        {"text": f"Fact number{n} of the shop", "scope": "project:shop", "tags": [f"t{n % 7}"]}
        for n in range(1010)
    ]
    with hive.verbs.core.deciding("project"):
        from varves.protocols.hivemind.entries import Wish, draft

        act = hive.verbs.core.act()
        drafts = [
            draft(
                hive.verbs.core,
                Wish(type="factual", content={"text": line["text"]}, scope=line["scope"]),
                act,
            )[1]
            for line in lines
        ]
        hive.verbs.core.append("project", drafts)
    hive.ledger.rebuild()
    index = hive.read("projects/shop/_index.json")
    assert index["parts"] == ["_index-2.json"]
    assert index["entry_count"] == 1010
    parts = [index, hive.read("projects/shop/_index-2.json")]
    assert [len(part["entries"]) for part in parts] == [999, 11]
    named = [line["id"] for part in parts for line in part["entries"]]
    assert len({*named}) == 1010
    assert sum(map(len, index["type_index"].values())) == 1010
    for number in (0, 998, 999, 1009):
        [found] = hive.verbs.task(f"number{number}", project="shop").memories
        assert found.entry["content"]["text"] == f"Fact number{number} of the shop"
        assert found.entry["id"] in named
