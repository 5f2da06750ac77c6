"""What was told is counted once, whoever dies over it, and never in anybody's way."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.scene import DEEP, bare, program
from tests.durability.statements import Statements
from tests.noted import add_row, notebook, noted, waiting
from tests.places import forget_local, local_of
from varves.places import store as files
from varves.places.store import Files
from varves.state import notebook as book

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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


def begun(root: Path) -> str:
    """Make a ledger with one memory."""
    with varves.open(bare(root)) as ledger:
        return str(ledger.remember("Validation is done with Zod").id)


def test_killed_at_any_step_of_settling_nothing_is_lost_or_counted_twice(tmp_path, home):
    answer = program("usage_kills", str(tmp_path), "1" if DEEP else "8")
    assert answer["steps"] > 20
    assert answer["wrong"] == []


def test_many_readers_and_writers_at_once_count_every_reading_once(tmp_path, home):
    answer = program("usage_crowd", str(tmp_path), "4", "12")
    assert answer["read"] > 0
    assert answer["told"] == answer["read"]
    assert answer["events"] == answer["distinct"]
    assert answer["damage"] == []


class Failing:
    """Lets so many statements succeed and fails those after them."""

    def __init__(self, fault: Callable[[], Exception]) -> None:
        self.fault = fault
        self.left = -1  # statements still to succeed; below 0 all
        self.failed = False

    def __call__(self, _: str) -> None:
        if self.left == 0:
            self.failed = True
            raise self.fault()
        self.left -= 1


def said_by_sqlite(code: int) -> sqlite3.DatabaseError:
    """Make a fault as SQLite does."""
    fault = sqlite3.OperationalError(f"code {code}")
    fault.sqlite_errorcode = code
    return fault


FAULTS = {
    "full": lambda: said_by_sqlite(sqlite3.SQLITE_FULL),
    "busy": lambda: said_by_sqlite(sqlite3.SQLITE_BUSY),
    "damaged": lambda: said_by_sqlite(sqlite3.SQLITE_CORRUPT),
    "failing disk": lambda: said_by_sqlite(sqlite3.SQLITE_IOERR),
    "refused": lambda: PermissionError(errno.EACCES, "Permission denied"),
    "torn name": lambda: UnicodeDecodeError("utf-8", b"x", 0, 1, "invalid"),
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_failing_statement_keeps_anybody_from_being_told(fault, tmp_path, home, monkeypatch):
    """Each statement of noting fails in turn, and all after it; the answer is the same."""
    root = tmp_path / "a"
    name = begun(root)
    system = Failing(FAULTS[fault])
    monkeypatch.setattr(book, "sqlite3", Statements(system))
    for at in count(0):
        with varves.open(root) as ledger:
            ledger.list()
            system.left, system.failed = at, False
            hits = [hit.memory.id for hit in ledger.recall("Zod")]
            system.left = -1
        assert name in hits
        if not system.failed:
            break
    assert at > 4
    assert len(waiting(root)) == 1


def test_where_the_file_cannot_be_there_nobody_is_the_worse(tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    place = notebook(root)
    for spoil in (place.mkdir, lambda: place.symlink_to(tmp_path / "outside")):
        spoil()
        before = sorted(os.listdir(tmp_path))
        with varves.open(root, session="s") as ledger:
            assert name in [hit.memory.id for hit in ledger.recall("Zod")]
            assert ledger.remember("Another", again=True).event
        assert sorted(os.listdir(tmp_path)) == before
        place.unlink() if place.is_symlink() else place.rmdir()


def test_a_foreign_line_costs_itself_and_no_other(tmp_path, home):
    name = begun(tmp_path / "a")
    with varves.open(tmp_path / "a") as ledger:
        ledger.recall("Zod")
        [line] = noted(tmp_path / "a", "select * from told")
        for n, (time, verb, names) in enumerate(
            [("yesterday", "recall", name), (line[5], "rec\x1ball", name), (line[5], "recall", "x")]
        ):
            row = (*line[:2], 7 + n, *line[3:5], time, verb, *line[7:10], names)
            add_row(tmp_path / "a", *row)
        ledger.recall("Zod")
        ledger.remember("One more")
    assert told(tmp_path / "a")[name] == 2
    assert waiting(tmp_path / "a") == []


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
        assert len(waiting(root)) == 1
        ledger.recall("Zod")
        ledger.remember("Three")
    assert told(root)[name] == 2
    assert waiting(root) == []


@pytest.mark.parametrize("mode", ["durable", "group", "fast"])
def test_every_mode_settles(mode, tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, mode=mode) as ledger:
        for n in range(3):
            ledger.recall("Zod")
            ledger.remember(f"Number {n}")
    assert told(root)[name] == 3


def test_a_session_is_noted_up_to_its_limit_and_not_beyond(tmp_path, home, monkeypatch):
    root = tmp_path / "a"
    name = begun(root)
    monkeypatch.setattr(book, "LIMIT", 5 * len(name))
    with varves.open(root, session="s") as ledger:
        for _ in range(9):
            assert name in [hit.memory.id for hit in ledger.recall("Zod")]
        assert noted(root, "select count(*) from told") == [(5,)]
        ledger.remember("One more")
    assert told(root)[name] == 5


def test_a_reader_never_begins_more_than_so_many_sessions(tmp_path, home, monkeypatch):
    root = tmp_path / "a"
    begun(root)
    monkeypatch.setattr(book, "SESSIONS", 3)
    for n in range(6):
        with varves.open(root, session=f"s{n}") as ledger:
            assert ledger.recall("Zod").hits
    assert waiting(root) == ["s-s0", "s-s1", "s-s2"]


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
        assert len(waiting(root)) == 1
    assert told(root)[name] == 1


def test_a_busy_index_is_not_waited_for(tmp_path, home):
    """One died over settling; whether it was done must be looked up, in an index that is busy."""
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
    noted(root, "update told set event = ?", f"evt_{'0' * 26}")
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
    assert len(waiting(root)) == 1
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
    noted(root, "update told set at = at - 90000000")
    with varves.open(root, session="other") as ledger:
        ledger.remember("Three")
    assert told(root)[name] == 1


class Meanwhile:
    """Lets something else happen just before the n-th statement that begins somehow."""

    def __init__(self, begins: str, nth: int, happens: Callable[[], None]) -> None:
        self.begins = begins
        self.left = nth
        self.happens = happens

    def __call__(self, sql: str) -> None:
        if sql.startswith(self.begins):
            self.left -= 1
            if self.left == 0:
                with ThreadPoolExecutor(1) as pool:
                    pool.submit(self.happens).result()


@pytest.mark.parametrize("statement", ["pragma", "select", "begin"])
def test_a_line_written_while_its_session_is_settled_is_not_lost(
    statement, tmp_path, home, monkeypatch
):
    """Another process settles before any statement of a reader that is not a change yet."""
    root = tmp_path / "a"
    name = begun(root)

    def settle() -> None:
        with varves.open(root, session="s") as other:
            other.remember("the other's")

    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
    system = Meanwhile(statement, 1, settle)
    with varves.open(root, session="s") as ledger:
        ledger.list()
        with monkeypatch.context() as patched:
            patched.setattr(book, "sqlite3", Statements(system))
            ledger.recall("Zod")
        assert system.left <= 0
        ledger.remember("our own")
    assert told(root)[name] == 2
    assert waiting(root) == []


@pytest.mark.parametrize("step", [1, 2], ids=["before the claim", "before it is dropped"])
def test_a_line_written_between_the_steps_of_settling_is_not_lost(
    step, tmp_path, home, monkeypatch
):
    """Another process reads between any two changes of whoever settles."""
    root = tmp_path / "a"
    name = begun(root)

    def read() -> None:
        with varves.open(root, session="s") as other:
            other.recall("Zod")

    system = Meanwhile("begin", step, read)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
        ledger.remember("a write")
        ledger._context.places.close()  # noqa: SLF001 - the notebook alone is let go of
        with monkeypatch.context() as patched:
            patched.setattr(book, "sqlite3", Statements(system))
            ledger.list()
        assert system.left <= 0
        ledger.remember("another")
    assert told(root)[name] == 2
    assert waiting(root) == []


def test_a_session_that_another_process_settles_is_left_to_it(tmp_path, home):
    root = tmp_path / "a"
    name = begun(root)
    with varves.open(root, session="s") as ledger:
        ledger.recall("Zod")
        store = Files(str(local_of(root)), private=True)
        lock = store.lock(book.LOCK)
        ledger.remember("a write")
        assert ledger.log(kind="context.injected") == ()
        store.close(lock)
        ledger.remember("another")
    assert told(root) == {name: 1}
