"""What a session leaves in files is valid by the schemas that the protocol's authors published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protocols.hivemind.schema import breaches
from tests.tables import each_row

SCHEMAS = Path(__file__).with_name("samples") / "at-82e915a" / "memory" / "schemas"


def schema(name: str):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def worked(ledger, project):
    """Let a session write one of everything, and return the files it leaves, by path."""
    mind = ledger.hivemind
    mind.init()
    mind.session_start()
    for scope in ("global", "project", "team:qa", "agent:DEV-001"):
        mind.write(
            {"text": f"Something about {scope}", "steps": [1, 2]},
            type="procedural",
            scope=scope,
            tags=["Step", "api"],
            confidence=0.9,
            references=[{"type": "file", "id": "src/a.py", "relationship": "related_to"}],
        )
    mind.write({"text": "long " * 3000}, type="episodic", ttl="P30D")
    mind.task("fix the api step in src/a.py", agent="DEV-001", team="qa")
    return {
        path.relative_to(project).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for path in (project / "memory").rglob("*.json")
    }


@pytest.mark.requirement("S3-05")
def test_every_entry_is_valid_by_the_published_schema(worked):
    rules = schema("memory-entry")
    entries = {path: one for path, one in worked.items() if "content" in one}
    assert len(entries) >= 9
    found = {path: list(breaches(one, rules)) for path, one in entries.items()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    named = {path for path in entries if not path.rpartition("/")[2].startswith("mem_")}
    assert {path.rpartition("/")[2] for path in named} >= {"user-profile.json", "context.json"}


@pytest.mark.requirement("S3-05")
def test_every_entry_has_all_published_keys(worked):
    keys = set(schema("memory-entry")["properties"]) - {
        *("updated_by", "supersedes", "superseded_by")
    }
    short = {
        path: keys - one.keys()
        for path, one in worked.items()
        if "content" in one and keys - one.keys()
    }
    assert short == {}


@pytest.mark.requirement("S3-74")
def test_every_index_is_valid_by_the_published_schema(worked):
    rules = schema("index")
    indices = {
        path: one
        for path, one in worked.items()
        if path.endswith("/_index.json") and path != "memory/sessions/_index.json"
    }
    assert len(indices) >= 4
    found = {path: list(breaches(one, rules)) for path, one in indices.items()}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    keys = {"version", "last_updated", "entry_count", "entries", "tag_index", "type_index"}
    assert all(one.keys() == keys for one in indices.values())
    assert {one["version"] for one in indices.values()} == {"1.0.0"}


@each_row(
    ("key", "value"),
    [
        ("id", "mem_short"),
        ("type", "fact"),
        ("created_by", "somebody"),
        ("confidence", 1.5),
        ("content", "text"),
        ("tags", [1]),
        ("references", [{"id": "x"}]),
        ("created_at", "yesterday"),
    ],
)
def test_the_judge_itself_finds_what_is_wrong(worked, key, value):
    """Without this a judge that finds nothing would pass everything."""
    entry = next(one for one in worked.values() if one.get("scope") == "team")
    assert list(breaches(entry, schema("memory-entry"))) == []
    [wrong] = breaches(entry | {key: value}, schema("memory-entry"))
    assert wrong.startswith(f"$.{key}")
