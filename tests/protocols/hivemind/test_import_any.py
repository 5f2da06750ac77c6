"""Whatever JSON a foreign tree holds: every file is told of, every id is one memory's, always."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.hivemind.foreign import laid, one
from varves.protocols.hivemind.foreign_tree import read_tree
from varves.protocols.hivemind.validate import findings

KEYS = (
    *("id", "type", "subtype", "created_by", "created_at", "updated_at", "scope", "scope_id"),
    *("tags", "priority", "ttl", "content", "references", "confidence", "access_count"),
    *("supersedes", "superseded_by", "summary", "entries", "mapping", "session_id", "lifecycle"),
)
WORDS = (
    *("mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb", "MEM-1", "fact", "global", "project", "../x"),
    *("2025-12-18T00:00:00+08:00", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"),
    *("30d", "P", "", "team:qa", "system", "archived", "\x1f,"),
)
PATHS = (
    *("memory/global/user-profile.json", "memory/global/_index.json", "x.json"),
    *("memory/projects/shop/context.json", "memory/projects/shop/mem_aaaaaaaaaaaa.json"),
    *("memory/projects/shop/mem_aaaaaaaaaaaa.full.json", "memory/teams/qa/_index.json"),
    *("memory/sessions/current.json", "memory/archive/c.json", "global/archive/z.json"),
)
LEAVES = st.sampled_from([None, True, 0, -1, 1.5, *WORDS])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)
ENTRIES = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=10).map(
    lambda found: {"content": "x", **found}
)
FILES = st.dictionaries(
    st.sampled_from(PATHS),
    VALUES | ENTRIES | st.lists(ENTRIES, max_size=3).map(lambda found: {"entries": found}),
    min_size=1,
    max_size=4,
)


@given(FILES)
def test_every_file_is_told_of_and_read_the_same_again(files):
    raw = {path: json.dumps(content).encode() for path, content in files.items()}
    reading = read_tree(raw, project="shop")
    told = {line.partition(": ")[0] for line in reading.mappings}
    assert told | {one.path for one in reading.unread} == raw.keys()
    ids = [brought.wish.id for brought in reading.brought]
    assert len(set(ids)) == len(ids)
    assert read_tree(raw, project="shop") == reading
    findings(raw)  # judges anything without falling over


def test_an_empty_content_is_known_again(tmp_path, ledger):
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": one(content={}, summary="Bare")})
    assert ledger.import_("hivemind", str(tree), trust=True).written == 1
    again = ledger.import_("hivemind", str(tree), trust=True)
    assert (again.written, again.known) == (0, 1)


def test_an_instant_beyond_the_calendar_and_a_nameless_reference_refuse_nothing(tmp_path, ledger):
    odd = one(created_at="9999-12-31T23:59:59-14:00", references=[{"id": ""}, ""])
    tree = laid(tmp_path / "tree", {"memory/projects/shop/a.json": odd})
    done = ledger.import_("hivemind", str(tree), trust=True)
    assert (done.written, done.refused) == (1, ())
    was = ledger.show("mem_aaaaaaaaaaaa").extra["was"]
    assert was["created_at"] == "9999-12-31T23:59:59-14:00"
    assert was["references"] == [{"id": ""}, ""]
