"""Every index passes the suite that is shipped with the port."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from varves.index.memory import MemoryIndex
from varves.index.sqlite.index import SqliteIndex
from varves.testing.index import IndexSuite

if TYPE_CHECKING:
    from pathlib import Path

    from varves.index.port import Index


class TestSqlite(IndexSuite):
    """In files."""

    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path):
        self.made: list[SqliteIndex] = []
        self.paths = (str(tmp_path / f"{number}.sqlite") for number in count())
        yield
        for index in self.made:
            index.close()

    def make(self) -> Index:
        self.made.append(SqliteIndex(next(self.paths)))
        return self.made[-1]


class TestMemory(IndexSuite):
    """Dictionaries."""

    def make(self) -> Index:
        return MemoryIndex()
