"""Any index over any log: the same events give the same memories, however they are kept."""

from __future__ import annotations

import os
from itertools import product

import pytest

from varves.errors import Busy
from varves.events.event import Draft
from varves.events.kinds import PURGED, RECORDED
from varves.index.freshness import is_stale
from varves.index.memory import MemoryIndex
from varves.index.runner import catch_up
from varves.index.sqlite.index import SqliteIndex
from varves.index.where import Where
from varves.log.files.append import Appender
from varves.log.files.log import FileLog
from varves.log.memory import MemoryLog
from varves.places.store import Files
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, Hlc

CLOCK = FixedClock(1_763_251_200_000)
LONG = "a very long story " * 40_000


def in_files(folder):
    store = Files(str(folder), private=True)
    appender = Appender(store, "project", clone="c" * 10, hlc=Hlc(CLOCK), ids=IdSource())
    return FileLog("project", store, appender=lambda: appender)


def in_memory(folder):
    return MemoryLog("project", CLOCK, IdSource())


def recorded(name, text):
    content = {"memory": name, "text": text, "scope": "project"}
    return Draft(kind=RECORDED, data=content, actor="ada")


def read(index, log):
    catch_up(index, [log], now=CLOCK.ms, hold_back=False, progress=None)
    return {memory.id: memory.text for memory in index.memories(Where())}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("log_of", "index_of"),
    list(product((in_files, in_memory), (MemoryIndex, lambda: SqliteIndex(None)))),
    ids=["files-memory", "files-sqlite", "memory-memory", "memory-sqlite"],
)
def test_any_index_reads_any_log(tmp_path, log_of, index_of):
    log, index = log_of(tmp_path / "log"), index_of()
    log.append([recorded("mem_000000000001", "one"), recorded("mem_000000000002", LONG)])
    assert read(index, log) == {"mem_000000000001": "one", "mem_000000000002": LONG}
    log.append([recorded("mem_000000000003", "three")])
    assert is_stale(index, [log], now=CLOCK.ms, hold_back=False)
    assert sorted(read(index, log)) == [f"mem_00000000000{n}" for n in (1, 2, 3)]
    purge = Draft(kind=PURGED, data={"memory": "mem_000000000001"}, actor="ada")
    log.append([purge])
    log.erase({"mem_000000000001"})
    left = read(index, log)
    assert "mem_000000000001" not in left
    assert left == read(index_of(), log), "what is read bit by bit is what is read at once"
    while is_stale(index, [log], now=CLOCK.ms, hold_back=False):
        read(index, log)
    assert read(index, log) == left


def test_an_index_reads_no_more_than_its_caller_allows(tmp_path):
    for log in (in_files(tmp_path / "log"), in_memory(tmp_path)):
        index = MemoryIndex()
        log.append([recorded("mem_000000000001", "one")])
        behind = log.since(index.logs().known(log.key)).behind
        with pytest.raises(Busy, match="far behind"):
            catch_up(index, [log], now=CLOCK.ms, hold_back=False, progress=None, most=behind - 1)
        assert not index.memories(Where())
        catch_up(index, [log], now=CLOCK.ms, hold_back=False, progress=None, most=behind)
        assert len(index.memories(Where())) == 1


def test_an_index_knows_the_size_of_a_part_whether_it_grew_or_was_read_again(tmp_path):
    for number, index in enumerate((MemoryIndex(), SqliteIndex(None))):
        log = in_files(tmp_path / f"log-{number}")
        for name in ("mem_000000000001", "mem_000000000002"):
            log.append([recorded(name, "kept")])
            read(index, log)
            check_sizes(index, tmp_path / f"log-{number}")
        log.erase({"mem_000000000001"})  # what was read of the file is no longer there
        read(index, log)
        check_sizes(index, tmp_path / f"log-{number}")


def check_sizes(index, root):
    sizes = {part: size for _, part, size in index.logs().published_parts()}
    assert sizes
    assert sizes == {part: os.stat(root / part).st_size for part in sizes}
