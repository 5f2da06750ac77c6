"""The number of memories, as full-text search in SQLite stores it."""

from __future__ import annotations

from varves.index.sqlite.index import SqliteIndex


def test_a_number_of_memories_is_read_whatever_bytes_it_is_stored_in():
    """SQLite's variable-length integers: seven bits a byte, the highest first."""
    index = SqliteIndex(None)
    assert index.search().total() == 0
    for stored, total in (("7f", 127), ("8100", 128), ("817f", 255), ("818000", 16_384)):
        block = bytes.fromhex(stored) + b"\x05\x05"  # the sizes of the columns follow
        index.db.execute("replace into words_data (id, block) values (1, ?)", (block,))
        assert index.search().total() == total
