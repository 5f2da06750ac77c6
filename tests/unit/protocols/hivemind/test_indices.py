"""The files of an index, and the names that one of its size may have used."""

from __future__ import annotations

from tests.tables import each_row
from varves.protocols.hivemind.codec import index_files, part_names


def lines(count: int) -> list[dict]:
    return [{"id": f"mem_{n}", "tags": [], "type": "fact"} for n in range(count)]


@each_row("split_at", [0, 1, 2, 3, 5])
@each_row("count", range(9))
def test_every_file_of_an_index_has_a_name_that_is_looked_for(split_at, count):
    made = index_files("a", lines(count), changed="", split_at=split_at)
    assert {*made} <= {*part_names("a", count, split_at)}


def test_an_index_is_split_below_its_limit_and_no_name_is_looked_for_in_vain():
    made = index_files("a", lines(5), changed="", split_at=3)
    assert [*made] == ["a/_index.json", "a/_index-2.json", "a/_index-3.json"]
    assert [*part_names("a", 5, 3)] == [*made]
    assert len(index_files("a", lines(3), changed="", split_at=2)) == 3
    assert [*part_names("a", 2, 2)] == ["a/_index.json", "a/_index-2.json", "a/_index-3.json"]
