"""What PostgreSQL acknowledged is there, whatever happens to the server and the connections."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

import varves as package
from tests.figures import full_size, note_figure
from tests.remotes.test_copies import tree
from varves.errors import VarvesError
from varves.testing.postgres import PostgresServer, binaries

KILLS = 20 if full_size() else 2
FAILOVERS = 20 if full_size() else 1
WRITERS = 16 if full_size() else 4
FOLLOWED_KILLS = 5 if full_size() else 1
WRITES = 40 if full_size() else 6


@pytest.fixture
def durable() -> PostgresServer:
    """A server of its own that syncs every commit."""
    made = PostgresServer(next(iter(binaries().values())), settings="-c fsync=on")
    yield made
    made.close()


def checkouts(tmp_path: Path, url: str, count: int) -> list[Path]:
    roots = [tmp_path / f"clone{number}" for number in range(count)]
    for root in roots:
        root.mkdir()
        with package.open(root) as ledger:
            ledger.add_remote("hub", url, when="manual")
    return roots


class Writers:
    """Checkouts that remember and push until they are told to stop."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.exits: set[int] = set()
        self.stop = threading.Event()

    def write(self, root: Path) -> None:
        with package.open(root) as ledger:
            number = 0
            while not self.stop.is_set():
                number += 1
                text = f"Release {number} of {root.name} is on a Tuesday"
                ledger.remember(text)
                try:
                    ledger.push()
                    self.acknowledged.append(text)
                except VarvesError as fault:
                    self.exits.add(fault.exit)

    @contextmanager
    def running(self, roots: list[Path]) -> Iterator[None]:
        with ThreadPoolExecutor(len(roots)) as pool:
            running = [pool.submit(self.write, root) for root in roots]
            try:
                yield
            finally:
                self.stop.set()
            for one in running:
                one.result()

    def wait(self, count: int) -> None:
        """Wait until more pushes are acknowledged."""
        most = len(self.acknowledged) + count
        while len(self.acknowledged) < most:
            time.sleep(0.01)

    def check(self, url: str, **figures: int) -> None:
        """Nothing acknowledged is missing, and each failure had its exit code."""
        held = "".join(line for _, line in lines(url))
        lost = [text for text in self.acknowledged if f'"{text}"' not in held]
        note_figure("R15", **figures, acknowledged=len(self.acknowledged), lost=len(lost))
        assert lost == []
        assert self.exits <= {3, 6}
        check_no_gap(url)


def lines(url: str) -> list[tuple[int, str]]:
    with psycopg.connect(url.partition("#")[0]) as connection:
        return connection.execute("select pos, line from varves.line order by pos").fetchall()


def check_no_gap(url: str) -> None:
    places = [pos for pos, _ in lines(url)]
    assert places == list(range(1, len(places) + 1))


def test_no_acknowledged_line_is_lost_when_the_server_is_killed(
    durable, tmp_path, monkeypatch, varves
):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{durable.url(durable.database())}#shop"
    varves("team", "init", url)
    roots = checkouts(tmp_path, url, WRITERS)
    writers = Writers()
    with writers.running(roots):
        for _ in range(KILLS):
            writers.wait(5)
            durable.kill()
            durable.start()
    writers.check(url, kills=KILLS)


def test_no_acknowledged_line_is_lost_when_a_standby_takes_over(tmp_path, monkeypatch, varves):
    """The address names both servers; after each failover the old one is replaced by a new one."""
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    programs, both = next(iter(binaries().values())), tmp_path / "servers"
    servers = [PostgresServer(programs, settings="-c fsync=on")]
    database = servers[0].database()
    writers = Writers()
    try:
        # the address stays the same: the two folders are links that are moved
        both.mkdir()
        for name, target in (("a", servers[0].folder), ("b", servers[0].folder)):
            (both / name).symlink_to(target)
        hosts = f"{both / 'a'},{both / 'b'}"
        url = f"postgresql://postgres@/{database}?host={hosts}&target_session_attrs=read-write#shop"
        varves("team", "init", url)
        roots = checkouts(tmp_path, url, WRITERS // 2)
        with writers.running(roots):
            for failover in range(FAILOVERS):
                old = servers[-1]
                servers.append(PostgresServer(programs, settings="-c fsync=on", primary=old))
                free = both / "ba"[failover % 2]
                free.unlink()
                free.symlink_to(servers[-1].folder)
                writers.wait(5)
                old.kill()
                servers[-1].promote()
        writers.check(servers[-1].url(database), failovers=FAILOVERS)
    finally:
        for one in servers:
            one.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_of_the_server_is_named_and_loses_nothing(tmp_path, monkeypatch, varves):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    disk = Path(tempfile.mkdtemp(prefix="varves-pg-disk-", dir="/tmp"))
    disk.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let us mount a small disk")
    server = None
    try:
        (disk / "pg").mkdir()
        small = "-c fsync=on -c wal_recycle=off -c max_wal_size=64MB -c min_wal_size=32MB"
        server = PostgresServer(next(iter(binaries().values())), settings=small, folder=disk / "pg")
        url = f"{server.url(server.database())}#shop"
        varves("team", "init", url)
        (root,) = checkouts(tmp_path, url, 1)
        with package.open(root) as ledger:
            ledger.remember("Refunds need two people")
            ledger.push()
            words = random.Random(7)
            texts = (
                " ".join(words.choices(["the", "lake", "keeps", "a", "layer"], k=4000))
                for _ in range(100)
            )
            ledger.remember_many({"text": text} for text in texts)
            room = os.statvfs(disk)
            (disk / "ballast").write_bytes(b"x" * (room.f_bavail * room.f_frsize - 500_000))
            answer = varves("push", "--root", str(root))
            assert answer.code in {3, 6}, answer
            assert len(answer.err.splitlines()) == 1
            (disk / "ballast").unlink()
            server.restart()
            ledger.push()
            assert ledger.push()[0].pushed == 0
        assert len(lines(url)) == 101
        check_no_gap(url)
    finally:
        if server is not None:
            server.close()
        subprocess.run(["umount", "--lazy", str(disk)], check=False)
        disk.rmdir()


def test_followers_miss_nothing_and_get_nothing_twice(durable, tmp_path, monkeypatch, varves):
    """Writers push at once, some hold the ledger for a while, and the server is killed."""
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{durable.url(durable.database())}#shop"
    varves("team", "init", url)
    *roots, reader, late = checkouts(tmp_path, url, WRITERS + 2)
    stop = threading.Event()

    def insist(act: Callable[[], Any]) -> Any:
        while True:
            try:
                return act()
            except (VarvesError, psycopg.Error):
                time.sleep(0.05)

    def write(root: Path) -> None:
        with package.open(root) as ledger:
            for number in range(WRITES):
                ledger.remember(f"Release {number} of {root.name} is on a Tuesday")
                insist(ledger.push)

    def hold() -> None:
        with psycopg.connect(url.partition("#")[0], autocommit=True) as connection:
            while not stop.is_set():
                with connection.transaction():
                    connection.execute("select 1 from varves.ledger for update")
                    connection.execute("select pg_sleep(0.02)")

    def read() -> int:
        got = 0
        with package.open(reader) as ledger:
            while not stop.is_set():
                got += insist(ledger.pull)[0].pulled
            return got + insist(ledger.pull)[0].pulled

    with ThreadPoolExecutor(len(roots) + 2) as pool:
        holding = pool.submit(lambda: insist(hold))
        reading = pool.submit(read)
        writing = [pool.submit(write, root) for root in roots]
        for _ in range(FOLLOWED_KILLS):
            time.sleep(0.2)  # some lines are written and some are not
            durable.kill()
            durable.start()
        for one in writing:
            one.result()
        stop.set()
        holding.result()
        received = reading.result()
    written = lines(url)
    note_figure("R15", written=len(written), received=received)
    assert received == len(written)
    check_no_gap(url)
    with package.open(late) as ledger:
        ledger.pull()
    assert tree(late / ".varves") == tree(reader / ".varves")


def test_a_connection_that_is_cut_leaves_a_whole_ledger(
    server, database, tmp_path, monkeypatch, varves
):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{server.url(database)}#shop"
    varves("team", "init", url)
    (root,) = checkouts(tmp_path, url, 1)
    stop = threading.Event()

    def cut() -> None:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            while not stop.wait(0.01):
                connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s",
                    (database,),
                )

    exits: set[int] = set()
    with ThreadPoolExecutor(1) as pool, package.open(root) as ledger:
        cutting = pool.submit(cut)
        for number in range(WRITES * 2):
            ledger.remember(f"Release {number} is on a Tuesday")
            try:
                ledger.push()
            except VarvesError as fault:
                exits.add(fault.exit)
        stop.set()
        cutting.result()
        ledger.push()
        assert ledger.push()[0].pushed == 0
    assert exits <= {3, 6}
    check_no_gap(url)
    assert len(lines(url)) == len({line for _, line in lines(url)})


def test_what_arrives_twice_is_stored_once(server, database, tmp_path, monkeypatch, varves):
    """Two processes push the same checkout at the same moment."""
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{server.url(database)}#shop"
    varves("team", "init", url)
    (root,) = checkouts(tmp_path, url, 1)
    with package.open(root) as ledger:
        ledger.remember_many({"text": f"Release {n} is on a Tuesday"} for n in range(300))

    def push() -> int:
        with package.open(root) as ledger:
            return ledger.push()[0].pushed

    with ThreadPoolExecutor(4) as pool:
        sent = [one.result() for one in [pool.submit(push) for _ in range(4)]]
    assert sum(sent) == len(lines(url)) == 300
    check_no_gap(url)


def test_a_clock_two_hours_off_loses_nothing(server, database, tmp_path, monkeypatch, varves):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{server.url(database)}#shop"
    varves("team", "init", url)
    ahead, behind = checkouts(tmp_path, url, 2)
    for root, now in ((ahead, "2026-11-15T12:00:00Z"), (behind, "2026-11-15T10:00:00Z")):
        monkeypatch.setenv("VARVES_NOW", now)
        varves("remember", f"The clock of {root.name} says {now}", "--root", str(root))
        varves("sync", "--root", str(root))
    varves("sync", "--root", str(ahead))
    assert tree(ahead / ".varves") == tree(behind / ".varves")
    assert len(varves("list", "--root", str(ahead), "--json").json["memories"]) == 2
