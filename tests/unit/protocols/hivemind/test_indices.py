"""The files of an index, and the names that one of its size may have used."""

from __future__ import annotations

from tests.tables import each_row
from tests.unit.protocols.hivemind.records import memory
from varves.protocols.hivemind.codec import index_files, index_names
from varves.values.outline import Outline


def files(count: int, split_at: int, since: int = 0) -> dict[str, bytes]:
    entries = [Outline.of(memory(f"mem_{n:012}")) for n in range(count)]
    names = {one.id: f"{one.id}.json" for one in entries}
    return index_files("a", entries, names, changed="", split_at=split_at, since=since)


@each_row("split_at", [0, 1, 2, 3, 5])
@each_row("count", range(9))
def test_every_file_of_an_index_has_its_name(split_at, count):
    assert [*files(count, split_at)] == index_names("a", count, split_at)


def test_an_index_is_split_below_its_limit():
    assert [*files(5, 3)] == ["a/_index.json", "a/_index-2.json", "a/_index-3.json"]
    assert len(files(3, 2)) == 3


@each_row("split_at", [2, 3, 5])
@each_row("since", range(9))
def test_files_with_unchanged_entries_only_are_left_out_but_for_the_first(split_at, since):
    whole, tail = files(8, split_at), files(8, split_at, since)
    assert tail == {path: whole[path] for path in tail}
    assert "a/_index.json" in tail
    most = split_at - 1
    kept = sum(most * n > since or n == 1 for n in range(1, len(whole) + 1))
    assert len(tail) == kept
