from __future__ import annotations

from tests.tables import each_row
from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.tree import (
    folder_of,
    is_entry,
    is_index,
    is_session,
    kept_here,
    name_of,
    place_of,
)

SCOPES = {
    "global": "memory/global",
    "project:shop": "memory/projects/shop",
    "team:qa": "memory/teams/qa",
    "agent:DEV-001": "memory/agents/DEV-001",
    "session:sess_1": "memory/sessions/sess_1",
}


@each_row("scope", SCOPES)
def test_every_scope_has_its_folder_and_its_archive(scope):
    folder = folder_of(scope)
    assert folder == SCOPES[scope]
    assert place_of(f"{folder}/mem_aaaaaaaaaaaa.json") == (scope, False, "mem_aaaaaaaaaaaa.json")
    assert place_of(f"{folder}/archive/x.json") == (scope, True, "x.json")
    assert is_entry(f"{folder}/archive/mem_aaaaaaaaaaaa.full.json")
    assert is_index(f"{folder}/_index.json")
    assert is_index(f"{folder}/archive/_index-2.json")


@each_row(
    "path",
    [
        "memory/global/memory.json",
        "memory/projects/shop/memory.json",
        "memory/teams/qa/memory.json",
        "memory/sessions/2025-12-18.json",
        "memory/projects/shop/deep/er/x.json",
        "memory/projects/shop/_index.json",
        "memory/projects/shop/notes.md",
        "memory/projects/x.json",
        "memory/x.json",
        "other/global/x.json",
    ],
)
def test_files_of_others_are_not_entries(path):
    assert not is_entry(path)
    assert not is_session(path)


def test_sessions_have_two_places():
    assert is_session("memory/sessions/current.json")
    assert is_session("memory/sessions/archive/sess_1.json")
    assert not is_entry("memory/sessions/archive/sess_1.json")
    assert is_index("memory/sessions/_index.json")


@each_row(
    ("file", "name"),
    [
        ("context.json", "context.json"),
        ("_index.json", "mem_aaaaaaaaaaaa.json"),
        ("memory.json", "mem_aaaaaaaaaaaa.json"),
        ("mem_bbbbbbbbbbbb.json", "mem_aaaaaaaaaaaa.json"),
        ("x.full.json", "mem_aaaaaaaaaaaa.json"),
        ("../x.json", "mem_aaaaaaaaaaaa.json"),
        ("x.md", "mem_aaaaaaaaaaaa.json"),
        (None, "mem_aaaaaaaaaaaa.json"),
    ],
)
def test_a_name_that_is_not_free_gives_way_to_the_id(file, name):
    assert name_of(memory(extra={"file": file})) == name


@each_row(
    ("scope", "kept", "here"),
    [
        ("project:shop", "project", True),
        ("project:shop", "private", False),
        ("agent:DEV-001", "project", True),
        ("global", "global", True),
        ("global", "project", False),
        ("session:s", "private", True),
        ("session:s", "project", False),
        ("team:qa", "team:qa", True),
        ("team:qa", "project", True),
        ("team:qa", "team:dev", False),
    ],
)
def test_a_folder_shows_only_what_its_own_log_keeps(scope, kept, here):
    assert kept_here(memory(scope=scope, kept=kept)) is here
