from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UnsafeName, UsageError
from varves.values.scope import level_of, scope


@each_row(
    ("text", "read"),
    [
        ("project", "project"),
        ("global", "global"),
        ("agent:alice", "agent:alice"),
        ("team:core", "team:core"),
        ("session:s-1", "session:s-1"),
        ("project:web", "project:web"),
    ],
)
def test_a_scope_with_all_it_needs_is_kept(text, read):
    assert scope(text) == read


def test_session_and_agent_take_the_callers_own_id():
    assert scope("session", session="s-9", actor="alice") == "session:s-9"
    assert scope("agent", session="s-9", actor="alice") == "agent:alice"
    assert scope("agent:bob", actor="alice") == "agent:bob"


@each_row(
    "text", ["", "world", "Project", "session", "agent", "team", "team:", "global:x", "projekt:a"]
)
def test_an_unknown_level_or_a_missing_id_is_a_usage_error(text):
    with pytest.raises(UsageError):
        scope(text)


@each_row("name", ["../evil", "/etc", "a/../b", "a\\b", "a:b", "CON", "a\0", "x" * 300])
def test_an_id_that_could_leave_its_folder_is_refused(name):
    for level in ("session", "agent", "team", "project"):
        with pytest.raises(UnsafeName):
            scope(f"{level}:{name}")


def test_the_callers_own_id_is_checked_as_well():
    with pytest.raises(UnsafeName):
        scope("agent", actor="../evil")


def test_the_level_is_what_stands_before_the_colon():
    assert level_of("agent:alice") == "agent"
    assert level_of("project") == "project"
