"""A foreign tree comes in whole: every file told of, every value kept, the same tree only once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.protocols.hivemind.foreign import SAMPLES, TREE, laid, one, told
from tests.tables import each_row

FILES = sorted(SAMPLES.rglob("*.json"))
INDICES = [
    path
    for path in FILES
    if path.name == "_index.json" or "entries" in json.loads(path.read_text(encoding="utf-8"))
]
KEYS = {
    *("id", "type", "subtype", "created_by", "created_at", "updated_at", "scope", "scope_id"),
    *("tags", "priority", "ttl", "content", "references", "confidence", "access_count"),
    *("last_accessed", "supersedes", "superseded_by"),
}
LINE = {"id", "type", "subtype", "tags", "summary", "priority", "created_at", "file_path"}
INDEX = {"version", "last_updated", "entry_count", "entries", "tag_index", "type_index"}


def below(path: Path) -> str:
    return path.relative_to(SAMPLES).as_posix()


@pytest.fixture
def brought(ledger):
    """Import all samples, trusted."""
    return ledger.import_("hivemind", str(SAMPLES), trust=True)


def leaves(part):
    """Yield every text and number of a JSON value, with every key above them."""
    if isinstance(part, dict):
        for key, inner in part.items():
            yield key
            yield from leaves(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from leaves(inner)
    elif part is not None and not isinstance(part, bool):
        yield part


@pytest.mark.requirement("U-18")
def test_every_sample_file_is_told_of_and_none_refused(brought):
    silent = [below(path) for path in FILES if not told(brought, below(path))]
    assert silent == []
    assert brought.refused == ()
    assert len(FILES) == 77


@pytest.mark.requirement("U-18")
def test_all_that_the_sample_files_say_is_in_the_memories_afterwards(brought, ledger):
    memories = [memory.as_dict() for memory in ledger.list(status="all")]
    kept = {json.dumps(part) for memory in memories for part in leaves(memory)}
    lost = []
    for path in FILES:
        if path.name == "_index.json":
            continue  # derived: the summaries in it have a test of their own
        for part in leaves(json.loads(path.read_text(encoding="utf-8"))):
            bare = part in KEYS or part in ("version", "entries", "1.0", "1.0.0", 0)
            empty = "no content -> nothing" in told(brought, below(path))
            if not bare and not empty and json.dumps(part) not in kept:
                lost.append((below(path), part))
    assert lost == []


@pytest.mark.requirement("U-18")
def test_keys_that_nobody_knows_stand_in_the_file_again(brought, ledger, project):
    shown = ledger.hivemind.show("MEM-20251218-USR001")
    source = json.loads((TREE / "user" / "profile.json").read_text(encoding="utf-8"))
    unknown = {key: part for key, part in source.items() if key not in KEYS}
    assert unknown.keys() == {
        *("$schema", "title", "description", "protected", "lifecycle", "metadata")
    }
    file = json.loads((project / f"memory/global/{shown['id']}.json").read_text(encoding="utf-8"))
    assert {key: file[key] for key in unknown} == unknown
    assert file["content"] == source["content"]


@pytest.mark.requirement("U-18")
def test_the_same_tree_a_second_time_is_known_and_changes_no_byte(brought, ledger, project):
    def state():
        return {
            path: path.read_bytes()
            for folder in ("memory", ".varves/log")
            for path in (project / folder).rglob("*")
            if path.is_file()
        }

    before = state()
    again = ledger.import_("hivemind", str(SAMPLES), trust=True)
    assert (again.written, again.known) == (0, brought.written)
    assert state() == before


@pytest.mark.requirement("U-18")
@pytest.mark.parametrize("change", ["edited", "forgotten"])
def test_what_became_of_a_memory_here_outlives_another_import(tmp_path, ledger, project, change):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/mem_aaaaaaaaaaaa.json": one()})
    ledger.import_("hivemind", str(tree), trust=True)
    path = project / "memory/projects/shop/mem_aaaaaaaaaaaa.json"
    if change == "edited":
        path.write_text(path.read_text(encoding="utf-8").replace("Tabs", "Spaces"), "utf-8")
        ledger.hivemind.session_start()
    else:
        ledger.forget("mem_aaaaaaaaaaaa", reason="no longer so")
    again = ledger.import_("hivemind", str(tree), trust=True)
    assert (again.written, again.known) == (0, 1)
    memory = ledger.show("mem_aaaaaaaaaaaa")
    assert (memory.text, memory.status) == {
        "edited": ("Spaces are not used", "active"),
        "forgotten": ("Tabs are not used", "forgotten"),
    }[change]


@pytest.mark.requirement("S3-79")
@each_row("path", INDICES)
def test_each_sample_index_is_read_and_written_again_as_published(brought, project, path):
    assert told(brought, below(path))
    if path.name != "_index.json":
        return
    assert "-> rebuilt in the published format" in told(brought, below(path))
    scope = path.parent.relative_to(TREE)
    made = project / "memory" / scope / "_index.json"
    if scope.as_posix() in ("archive", "sessions", "projects"):
        return  # folders that hold no memories of a scope
    index = json.loads(made.read_text(encoding="utf-8"))
    assert index.keys() == INDEX
    assert index["entry_count"] == len(index["entries"]) > 0
    assert all(line.keys() == LINE for line in index["entries"])
    listed = json.loads(path.read_text(encoding="utf-8"))["entries"]
    summaries = {line["id"]: line["summary"] for line in index["entries"]}
    assert {line["id"]: summaries[line["id"]] for line in listed} == {
        line["id"]: line["summary"] for line in listed
    }


@pytest.mark.requirement("S3-79")
def test_an_index_line_whose_file_is_missing_is_told(tmp_path, ledger):
    line = {"id": "mem_bbbbbbbbbbbb", "type": "factual", "summary": "Was once", "file": "b.json"}
    tree = laid(tmp_path / "tree", {"memory/global/_index.json": {"memories": [line]}})
    done = ledger.import_("hivemind", str(tree))
    assert (
        "memory/global/_index.json: lists mem_bbbbbbbbbbbb in b.json, which is missing,"
        " with the summary: Was once"
    ) in done.mappings


@pytest.mark.requirement("S3-06")
@pytest.mark.parametrize(
    ("word", "type", "subtype"),
    [
        ("fact", "factual", "fact"),
        ("rule", "procedural", "rule"),
        ("anti_pattern", "procedural", "anti-pattern"),
        ("event", "episodic", "event"),
        ("decision", "semantic", "decision"),
        ("whim", "factual", "whim"),
    ],
)
def test_a_type_of_another_list_is_mapped_and_told(tmp_path, ledger, word, type, subtype):
    entry = {"id": "mem_aaaaaaaaaaaa", "type": word, "content": "x y z", "tags": []}
    tree = laid(tmp_path / "tree", {"memory/long-term/all.json": {"entries": [entry]}})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert f"memory/long-term/all.json: type '{word}' -> {type}" in done.mappings
    shown = ledger.hivemind.show("mem_aaaaaaaaaaaa")
    assert (shown["type"], shown["subtype"]) == (type, subtype)


@pytest.mark.requirement("S3-09")
def test_times_of_another_zone_become_the_same_instants_and_the_old_text_is_kept(brought, ledger):
    path = "at-82e915a/memory/long-term/preferences.json"
    shown = ledger.hivemind.show("mem_2qhf9sg9zxds")
    assert shown["created_at"] == shown["updated_at"] == "2025-12-18T12:46:12Z"
    moved = "created_at 2025-12-18T20:46:12+08:00 -> 2025-12-18T12:46:12.000Z"
    assert f"{path}: {moved}" in brought.mappings
    was = ledger.show("mem_2qhf9sg9zxds").extra["was"]
    assert was["created_at"] == was["updated_at"] == "2025-12-18T20:46:12+08:00"


@pytest.mark.requirement("S3-09")
def test_an_update_before_the_creation_is_set_to_it_and_told(tmp_path, ledger):
    entry = one(updated_at="2025-12-17T00:00:00Z")
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": entry})
    done = ledger.import_("hivemind", str(tree), trust=True)
    shown = ledger.hivemind.show("mem_aaaaaaaaaaaa")
    assert shown["updated_at"] == shown["created_at"] == "2025-12-18T00:00:00Z"
    assert "updated_at 2025-12-17T00:00:00Z -> created_at" in told(
        done, "memory/projects/shop/a.json"
    )


@pytest.mark.requirement("S3-12")
def test_priority_normal_comes_in_as_medium(tmp_path, ledger):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(priority="normal")})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert ledger.hivemind.show("mem_aaaaaaaaaaaa")["priority"] == "medium"
    assert "memory/projects/shop/a.json: priority 'normal' -> medium" in done.mappings


@pytest.mark.parametrize(
    ("ttl", "meant"),
    [("30d", "P30D"), ("12h", "PT12H"), ("2w", "P2W"), ("1y", "P1Y"), ("P7D", "P7D")],
)
def test_short_durations_are_understood_on_import_only(tmp_path, ledger, varves, ttl, meant):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(ttl=ttl)})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert ledger.hivemind.show("mem_aaaaaaaaaaaa")["ttl"] == meant
    assert (f"ttl {ttl} -> {meant}" in told(done, "memory/projects/shop/a.json")) == (ttl != meant)


@pytest.mark.requirement("S3-14")
@pytest.mark.parametrize(
    ("content", "meant"),
    [("Always run tests", {"text": "Always run tests"}), ([1, 2], {"value": [1, 2]})],
    ids=["text", "list"],
)
def test_content_that_is_no_object_becomes_one(tmp_path, ledger, content, meant):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(content=content)})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert ledger.hivemind.show("mem_aaaaaaaaaaaa")["content"] == meant
    assert "content" in told(done, "memory/projects/shop/a.json")


def test_the_five_identical_learnings_become_one_that_all_five_ids_find(ledger):
    done = ledger.import_("hivemind", str(SAMPLES / "at-35d290a"), trust=True)
    assert done.written == 1
    path = SAMPLES / "at-35d290a/memory/long-term/learnings.json"
    ids = [line["id"] for line in json.loads(path.read_text(encoding="utf-8"))["entries"]]
    assert len(ids) == 5
    found = {ledger.show(name).id for name in ids}
    assert found == {ids[0]}
    assert {ledger.hivemind.show(name)["id"] for name in ids} == {ids[0]}
    merged = [
        line for line in done.mappings if f"has the same content as {ids[0]} -> merged" in line
    ]
    assert len(merged) == 4
    record = ledger.show(ids[0])
    assert record.extra["was"]["created_at"] == "2025-12-22T05:47:38+08:00"
    assert [twin["was"]["created_at"][-14:] for twin in record.extra["merged"]] == [
        "05:49:00+08:00",
        "17:58:23+08:00",
        "18:06:51+08:00",
        "20:44:12+08:00",
    ]


def test_twins_add_their_counts_up_and_unite_their_tags(tmp_path, ledger):
    twins = [
        {
            **one(id=f"mem_aaaaaaaaaaa{number}", tags=["style", f"t{number}"]),
            "access_count": number,
            "last_accessed": f"2025-12-2{number}T00:00:00Z",
        }
        for number in (1, 2, 3)
    ]
    tree = laid(tmp_path / "tree", {"memory/projects/shop/all.json": {"entries": twins}})
    ledger.import_("hivemind", str(tree), trust=True)
    shown = ledger.hivemind.show("mem_aaaaaaaaaaa3")
    assert (shown["id"], shown["access_count"]) == ("mem_aaaaaaaaaaa1", 6)
    assert shown["last_accessed"] == "2025-12-23T00:00:00Z"
    assert shown["tags"] == ["style", "t1", "t2", "t3"]


def test_all_forty_old_ids_of_the_map_find_something(brought, ledger):
    path = TREE / "ops" / "id-migration-map.json"
    mapping = json.loads(path.read_text(encoding="utf-8"))["mapping"]
    assert len(mapping) == 40
    [document] = {ledger.show(old).id for old, name in mapping.items() if not here(ledger, name)}
    assert ledger.show(document).extra["body"]["mapping"] == mapping
    found = {old: ledger.show(old).id for old, name in mapping.items() if here(ledger, name)}
    assert found == {old: mapping[old] for old in found}
    assert len(found) == 16
    empty = {path for path in FILES if path.name == "working-memory.json"}
    assert {mapping[old] for old in mapping.keys() - found.keys()} >= {
        json.loads(path.read_text(encoding="utf-8"))["id"] for path in empty
    }
    assert len(empty) == 4
    assert sum(old in line for old in mapping for line in brought.mappings) >= 40


def here(ledger, name: str) -> bool:
    return name in {memory.id for memory in ledger.list(status="all")}


def test_an_id_that_breaks_the_rule_is_an_alias_on_the_command_line_too(brought, varves):
    shown = varves("show", "MEM-20251218-USR001", "--json")
    assert shown.code == 0
    assert shown.json["id"].startswith("mem_")
    assert shown.json["extra"]["aliases"] == ["MEM-20251218-USR001"]
    same = varves("hivemind", "show", "MEM-20251218-USR001", "--json")
    assert same.code == 0
    assert same.json["id"] == shown.json["id"]
    assert same.json["created_by"] == "SYSTEM"


def test_a_reference_that_leads_nowhere_is_told(brought):
    assert (
        "at-82e915a/memory/sessions/current.json: refers to mem_userprofile, which is missing;"
        " mem_userprofile0 exists"
    ) in brought.mappings


def test_a_reference_by_an_old_id_is_turned_to_the_memory(tmp_path, ledger):
    files = {
        "memory/projects/shop/a.json": one(references=["MEM-OLD", "https://example.org/x"]),
        "memory/projects/shop/b.json": one(id="MEM-OLD", content="The old one"),
    }
    tree = laid(tmp_path / "tree", files)
    ledger.import_("hivemind", str(tree), trust=True)
    target = ledger.show("MEM-OLD").id
    assert ledger.hivemind.show("mem_aaaaaaaaaaaa")["references"] == [
        {"type": "memory", "id": target, "relationship": "references"},
        {"type": "url", "id": "https://example.org/x", "relationship": "references"},
    ]


def test_a_session_and_documents_without_ids_are_kept_whole(brought, ledger):
    session = ledger.show("sess_hivemind_enhance")
    source = json.loads((TREE / "sessions" / "current.json").read_text(encoding="utf-8"))
    assert session.extra["body"] == source
    assert (session.type, session.category) == ("episodic", "session")
    for name in ("long-term/project.json", "short-term/working.json"):
        assert "no content -> nothing" in told(brought, f"at-82e915a/memory/{name}")
    for name in ("schemas/index.json", "schemas/query.json"):
        body = json.loads((TREE / name).read_text(encoding="utf-8"))
        [memory] = [
            memory for memory in ledger.list(status="all") if memory.extra.get("body") == body
        ]
        assert memory.source == f"at-82e915a/memory/{name}"
        assert memory.priority == "low"


def test_a_rule_deep_inside_a_document_is_a_memory_and_the_rest_names_it(brought, ledger):
    rule = ledger.show("mem_2qhf9sg9zxds")
    assert (rule.text, rule.type) == ("Always run tests", "procedural")
    [rest] = [
        memory
        for memory in ledger.list(status="all")
        if "user_preferences" in memory.extra.get("body", {})
    ]
    assert rest.extra["body"]["user_preferences"]["rules"] == [{"memory": "mem_2qhf9sg9zxds"}]
    assert rest.extra["body"]["user_preferences"]["detail_level"] == "standard"
