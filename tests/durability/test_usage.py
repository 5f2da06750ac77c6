"""What was told is counted once, whoever dies over it, and never in anybody's way."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.faults import Faults
from tests.durability.scene import bare, program
from tests.places import forget_local, local_of
from varves.log.files import store as files
from varves.state import usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LIMIT_BYTES = 256 << 10


def told(root: Path) -> Counter[str]:
    """Count what the log says was told, by memory."""
    found: Counter[str] = Counter()
    with varves.open(root) as ledger:
        for event in ledger.log(kind="context.injected"):
            for part in event.data["told"]:
                found.update({name: pair[0] for name, pair in part["memories"].items()})
        verified = ledger.verify(deep=True)
        assert verified.ok, verified.damage
    return found


def collected(root: Path) -> list[str]:
    """Return the files that wait to be settled."""
    folder = local_of(root) / "usage"
    return sorted(os.listdir(folder)) if folder.is_dir() else []


def begun(root: Path) -> str:
    """Make a ledger with one memory."""
    with varves.open(bare(root)) as ledger:
        return str(ledger.remember("Validation is done with Zod").id)


def test_killed_at_any_step_of_settling_nothing_is_lost_or_counted_twice(tmp_path, home):
    answer = program("usage_kills", str(tmp_path))
    assert answer["steps"] > 20
    assert answer["wrong"] == []


def test_many_readers_and_writers_at_once_count_every_reading_once(tmp_path, home):
    answer = program("usage_crowd", str(tmp_path), "4", "12")
    assert answer["read"] > 0
    assert answer["told"] == answer["read"]
    assert answer["events"] == answer["distinct"]
    assert answer["damage"] == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_no_failing_call_keeps_anybody_from_being_told(number, tmp_path, home, monkeypatch):
    """Each system call of noting fails in turn; the answer is the same."""
    root = tmp_path / "a"
    name = begun(root)
    system = Faults()
    monkeypatch.setattr(usage, "os", system.os)
    monkeypatch.setattr(usage, "fcntl", system.fcntl)
    for at in count(1):
        shutil.rmtree(local_of(root) / "usage", ignore_errors=True)
        with varves.open(root) as ledger:
            ledger.list()
            system.fail_nth(at, number)
            hits = [hit.memory.id for hit in ledger.recall("Zod")]
            system.heal()
        assert name in hits
        if not system.failed:
            break
    assert at > 5
    assert len(collected(root)) == 1


def test_where_the_folder_cannot_be_there_nobody_is_the_worse(tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    place = local_of(root) / "usage"
    for spoil in (lambda: place.write_bytes(b"in the way"), lambda: place.symlink_to(tmp_path)):
        spoil()
        before = sorted(os.listdir(tmp_path))
        with varves.open(root, session="s") as ledger:
            assert name in [hit.memory.id for hit in ledger.recall("Zod")]
            assert ledger.remember("Another", again=True).event
        assert sorted(os.listdir(tmp_path)) == before
        place.unlink()
    assert told(root) == {}


def test_a_torn_line_costs_itself_and_no_other(tmp_path, home):
    name = begun(tmp_path / "a")
    with varves.open(tmp_path / "a") as ledger:
        ledger.recall("Zod")
        [file] = collected(tmp_path / "a")
        with (local_of(tmp_path / "a") / "usage" / file).open("ab") as lines:
            lines.write(b"\n2026-11-15T06:20:00.000Z\trecall\tada\tada\ts\tmem_abcdefgh")
        ledger.recall("Zod")
        ledger.remember("One more")
    assert told(tmp_path / "a")[name] == 2


def test_what_cannot_be_recorded_stays_and_the_write_stands(tmp_path, home, monkeypatch):
    """A private log nobody can write: the memory is kept, the lines wait."""
    root = tmp_path / "a"
    name = begun(root)
    real = files.Files.write

    def write(self: Any, handle: int, content: bytes) -> int:
        if b'"context.injected"' in content:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, handle, content)

    with varves.open(root) as ledger:
        ledger.recall("Zod")
        monkeypatch.setattr(files.Files, "write", write)
        assert ledger.remember("Two").status == "recorded"
        assert len(ledger.list()) == 2
        assert ledger.log(kind="context.injected") == ()
        monkeypatch.undo()
        assert len(collected(root)) == 1
        ledger.recall("Zod")
        ledger.remember("Three")
    assert told(root)[name] == 2
    assert collected(root) == []


@pytest.mark.parametrize("mode", ["durable", "group", "fast"])
def test_every_mode_settles(mode, tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, mode=mode) as ledger:
        for n in range(3):
            ledger.recall("Zod")
            ledger.remember(f"Number {n}")
    assert told(root)[name] == 3


def test_a_session_is_noted_up_to_its_limit_and_not_beyond(tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
        [path] = (local_of(root) / "usage").iterdir()
        line = path.read_bytes()
        path.write_bytes(line * (LIMIT_BYTES // len(line)))
        full = path.stat().st_size
        assert name in [hit.memory.id for hit in ledger.recall("Zod")]
        assert path.stat().st_size == full
        ledger.remember("One more")
    assert told(root)[name] == LIMIT_BYTES // len(line)


def test_a_reader_never_makes_more_than_so_many_files(tmp_path, home, monkeypatch):
    root = tmp_path / "a"
    begun(root)
    monkeypatch.setattr(usage, "SESSIONS", 3)
    for n in range(6):
        with varves.open(root, session=f"s{n}") as ledger:
            assert ledger.recall("Zod").hits
    assert collected(root) == ["s-s0", "s-s1", "s-s2"]


@pytest.mark.parametrize("verb", ["verify", "doctor", "status"])
def test_who_judges_the_ledger_leaves_it_as_it_is(verb, tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root) as ledger:
        ledger.recall("Zod")
        ledger.remember("Two")
        files = {path: path.read_bytes() for path in root.rglob("*.jsonl")}
        getattr(ledger, verb)()
        assert {path: path.read_bytes() for path in root.rglob("*.jsonl")} == files
        assert len(collected(root)) == 1
    assert told(root)[name] == 1


def test_a_busy_index_is_not_waited_for(tmp_path, home):
    """One died over settling; whether it was done must be looked up, in an index that is busy."""
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
    [path] = (local_of(root) / "usage").iterdir()
    path.rename(f"{path}~evt_{'0' * 26}")
    other = sqlite3.connect(local_of(root) / "index.sqlite", isolation_level=None)
    other.execute("begin immediate")

    def write() -> None:
        with varves.open(root) as ledger:
            ledger.remember("Two")
            ledger.remember("Three")

    writer = Thread(target=write, daemon=True)
    writer.start()
    writer.join(30)
    waited = writer.is_alive()
    other.execute("rollback")
    other.close()
    writer.join()
    assert not waited, "a write stood still for the sake of a count"
    assert len(collected(root)) == 1
    with varves.open(root) as ledger:
        ledger.remember("Four")
        assert len(ledger.list()) == 4
    assert told(root) == {name: 1}


def test_without_its_folder_only_what_waited_is_lost(tmp_path, home):
    """`local/` may be deleted at any time."""
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root) as ledger:
        ledger.recall("Zod")
        ledger.remember("Two")
        ledger.recall("Zod")
    forget_local(root)
    with varves.open(root) as ledger:
        ledger.remember("Three")
        ledger.recall("Zod")
        ledger.remember("Four")
    assert told(root)[name] == 2


def test_a_session_nobody_read_in_for_a_day_has_ended(tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
    with varves.open(root, session="other") as ledger:
        ledger.remember("Two")
    assert told(root) == {}
    [path] = (local_of(root) / "usage").iterdir()
    before = path.stat().st_mtime - 90_000
    os.utime(path, (before, before))
    with varves.open(root, session="other") as ledger:
        ledger.remember("Three")
    assert told(root)[name] == 1


class Meanwhile:
    """A module of the system, in which something else happens just before a call."""

    def __init__(self, module: Any, call: str, happens: Callable[[], None]) -> None:
        self._module = module
        self._call = call
        self._happens = happens

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._module, name)
        if name != self._call:
            return real

        def called(*args: Any, **kwargs: Any) -> Any:
            self._happens()
            return real(*args, **kwargs)

        return called


@pytest.mark.parametrize("call", ["write", "fstat", "open", "flock"])
def test_a_line_written_while_its_session_is_settled_is_not_lost(call, tmp_path, home, monkeypatch):
    """Another process settles between any two calls of a reader."""
    root = tmp_path / "a"
    name = begun(root)
    busy = []

    def settle() -> None:
        if not busy:
            busy.append(True)
            with varves.open(root, session="s") as other:
                other.remember("the other's")

    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
        with monkeypatch.context() as patched:
            patched.setattr(usage, "os", Meanwhile(os, call, settle))
            patched.setattr(usage, "fcntl", Meanwhile(fcntl, call, settle))
            ledger.recall("Zod")
        assert busy
        ledger.remember("our own")
    assert told(root)[name] == 2
    assert collected(root) == []


@pytest.mark.parametrize("call", ["rename", "stat", "fstat"])
def test_a_line_written_between_the_steps_of_taking_is_not_lost(call, tmp_path, home, monkeypatch):
    """Another process reads between any two calls of whoever settles."""
    root = tmp_path / "a"
    name = begun(root)
    busy = []

    def read() -> None:
        if not busy:
            busy.append(True)
            with ThreadPoolExecutor(1) as pool:
                busy.append(pool.submit(recall_elsewhere, root))

    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
        ledger.remember("a write")
        with monkeypatch.context() as patched:
            patched.setattr(usage, "os", Meanwhile(os, call, read))
            ledger.list()
        assert busy
        ledger.remember("another")
    assert told(root)[name] == 2


def recall_elsewhere(root: Path) -> None:
    with varves.open(root, session="s") as other:
        other.recall("Zod")
