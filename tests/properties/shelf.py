"""Segment files that appear, grow, vanish and come back, and the SQLite index read from them."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any
from unittest import mock

from varves.events.codec import decode
from varves.events.kinds import precedence
from varves.fold.memories import dump_rows
from varves.index import work
from varves.index.freshness import is_stale
from varves.index.runner import catch_up, rebuild
from varves.index.sqlite.index import SqliteIndex
from varves.index.sqlite.schema import COLUMNS, FIELDS
from varves.log.files.layout import PACK_SUFFIX, SUFFIX
from varves.log.files.log import FileLog
from varves.places.store import Files
from varves.values.memory import SPLIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from varves.events.event import Event
    from varves.log.port import Source

Contents = dict[str, list[tuple[Any, ...]]]
LOGS = ("project", "private")
OLD_NS = 1_600_000_000_000_000_000


class Segment:
    """One file as its writer would leave it, and how much of it can be seen now."""

    def __init__(self, log: str, name: str, lines: list[bytes]) -> None:
        self.log = log
        self.name = name
        self.content = b"".join(line + b"\n" for line in lines)
        self.seen = -1  # bytes; below 0 the file is not there

    def events(self) -> list[Event]:
        """Return the events of the whole lines that can be seen."""
        seen = self.content[: max(self.seen, 0)]
        lines = seen[: seen.rfind(b"\n") + 1].split(b"\n")[:-1]
        if self.name.endswith(PACK_SUFFIX):
            lines = lines[1:]
        return [decode(line, self.log) for line in lines]


class Shelf:
    """Two logs on disk with segments of known events, and an index over them."""

    def __init__(self, folder: str, *, settled: bool = False) -> None:
        self.folder = folder
        self.settled = settled
        self.segments: list[Segment] = []
        self.sources = [FileLog(log, Files(f"{folder}/{log}", private=False)) for log in LOGS]
        self.index = SqliteIndex(None)
        self._ticks = 0

    def lay_out(self, events: list[Event], lines: dict[str, bytes], chance: Random) -> None:
        """Cut each writer's chain into segments; some lines also stand in a pack."""
        chains: dict[tuple[str, str], list[Event]] = {}
        for event in sorted(events, key=lambda event: event.seq):
            chains.setdefault((event.log, event.writer), []).append(event)
        for (log, writer), chain in sorted(chains.items()):
            rest = chain
            while rest:
                size = chance.randint(1, 6)
                name = f"20260921-{writer[:3]}-{len(self.segments):010}{SUFFIX}"
                self.add(log, name, [lines[event.id] for event in rest[:size]])
                rest = rest[size:]
        again = [event for event in events if event.log == "project" and chance.random() < 0.3]
        if again:
            pack = [b'{"pack":1,"segments":[]}', *(lines[event.id] for event in again)]
            self.add("project", f"20260921-pack-{len(self.segments):010}{PACK_SUFFIX}", pack)

    def add(self, log: str, name: str, lines: list[bytes]) -> None:
        self.segments.append(Segment(log, f"log/2026-09/{name}", lines))

    def show(self, segment: Segment, size: int) -> None:
        """Make that many bytes of a segment visible; a negative size takes it away."""
        path = f"{self.folder}/{segment.log}/{segment.name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if size < 0:
            if segment.seen >= 0:
                os.unlink(path)
        elif 0 <= segment.seen <= size and self._newest(segment):
            with open(path, "ab") as file:
                file.write(segment.content[segment.seen : size])
        else:  # as git does it: a file of its own under the old name
            with open(f"{path}.coming", "wb") as file:
                file.write(segment.content[:size])
            os.replace(f"{path}.coming", path)
        segment.seen = min(size, len(segment.content))
        if self.settled:
            self._age(os.path.dirname(path))

    def _newest(self, segment: Segment) -> bool:
        """Tell whether a segment may still grow: no later one of its kind is there."""
        later = self.segments[self.segments.index(segment) + 1 :]
        kin = segment.name.split("-")[2]
        return not any(
            other.seen >= 0 and other.log == segment.log and other.name.split("-")[2] == kin
            for other in later
        )

    def _age(self, folder: str) -> None:
        """Give a folder an old time it never had before, so that its signature settles."""
        self._ticks += 1
        moment = OLD_NS + self._ticks * 1_000_001
        for path in (folder, os.path.dirname(folder)):
            os.utime(path, ns=(moment, moment))

    def events(self) -> list[Event]:
        """Return the set of events that can be seen."""
        found: dict[str, Event] = {}
        for segment in self.segments:
            for event in segment.events():
                held = found.setdefault(event.id, event)
                found[event.id] = min(held, event, key=precedence)
        return list(found.values())

    def catch_up(self, now: int, *, hold_back: bool = False) -> None:
        """Bring the index up to the files if it says that it is behind them."""
        if is_stale(self.index, self.sources, now=now, hold_back=hold_back):
            catch_up(self.index, self.sources, now=now, hold_back=hold_back, progress=None)


def index_rows(index: SqliteIndex) -> list[dict[str, Any]]:
    """Return the index's rows in the form the pure fold gives them."""
    names = [*(name for name in FIELDS if name != "branch"), "flag", "hlc"]
    rows = []
    for values in index.db.execute(f"select {', '.join(names)} from memory"):  # noqa: S608
        row = dict(zip(names, values, strict=True))
        row["tags"] = row["tags"].split(SPLIT) if row["tags"] else []
        row["evidence"] = json.loads(row["evidence"] or "[]")
        row["links"] = json.loads(row["links"] or "{}")
        row["extra"] = json.loads(row["extra"] or "{}")
        rows.append(row)
    return rows


def index_dump(index: SqliteIndex, now: int) -> str:
    """Return the canonical dump of the index's memories."""
    return dump_rows(index_rows(index), now)


def index_judgements(
    index: SqliteIndex,
) -> tuple[set[tuple[str, bytes, str]], set[tuple[str, str]]]:
    """Return what the index holds as rejected and as lifted."""
    rejected = index.db.execute("select event, key, memory from rejection").fetchall()
    lifted = index.db.execute("select target, event from lift").fetchall()
    return set(rejected), set(lifted)


def assert_words_match(index: SqliteIndex) -> None:
    """Let SQLite compare the word index with the rows it was made from."""
    index.db.execute("insert into words (words, rank) values ('integrity-check', 1)")


_TABLES = {
    "event": "select * from event",
    "touch": "select * from touch",
    "head": "select * from head",
    "kind": "select * from kind where count > 0",
    "talk": "select * from talk where count > 0",
    "rejection": "select * from rejection",
    "lift": "select * from lift",
    "missing": "select * from missing",
    "told": "select * from told",
    "accessed": "select * from accessed",
    "use": "select * from use",
    "source": "select key from source",
    "meta": "select name from meta",
    "part": "select source, name, bytes, closed, events from part",
    "place": "select p.source, p.name, l.event, l.mark from place l join part p on p.n = l.part",
    "bad": "select p.source, p.name, start, stop, reason from bad join part p on p.n = bad.part",
    "memory": f"select {', '.join(COLUMNS)} from memory",  # noqa: S608
    "pending": "select m.id, keyed from pending join memory m using (n)",
    "indexes": "select type, name, sql from sqlite_master where name not like 'sqlite%'",
}


def assert_filled_alike(sources: Sequence[Source], now: int, *, hold_back: bool = False) -> None:
    """Compare the ways to fill an index: at once, in portions of a few events, and in bulk."""
    ordinary, *others = [
        _filled(sources, now, hold_back=hold_back, bulk=bulk, portion=portion)
        for bulk, portion in ((sys.maxsize, work.PORTION), (sys.maxsize, 3), (-1, work.PORTION))
    ]
    for filled in others:
        _assert_alike(ordinary, filled)


def _filled(
    sources: Sequence[Source], now: int, *, hold_back: bool, bulk: int, portion: int
) -> Contents:
    index = SqliteIndex(None)
    with mock.patch.object(work, "PORTION", portion):
        rebuild(index, sources, now=now, hold_back=hold_back, progress=None, bulk=bulk)
    assert_words_match(index)
    found = contents(index)
    index.close()
    return found


def _assert_alike(ordinary: Contents, filled: Contents) -> None:
    for name, rows in ordinary.items():
        assert filled[name] == rows, (name, filled[name], rows) if len(rows) < 9 else name


def contents(index: SqliteIndex) -> Contents:
    """Return everything that an index stores, without the numbers that it gives itself."""
    return {
        name: sorted(index.db.execute(sql).fetchall(), key=repr) for name, sql in _TABLES.items()
    }
