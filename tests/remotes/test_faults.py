"""What PostgreSQL acknowledged is there, whatever happens to the server and the connections."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

import varves as package
from tests.figures import full_size, note_figure
from tests.remotes.test_copies import tree
from varves.errors import VarvesError
from varves.testing.postgres import PostgresServer, binaries

KILLS = 20 if full_size() else 2
WRITERS = 16 if full_size() else 4
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
    acknowledged: list[str] = []
    exits: set[int] = set()
    stop = threading.Event()

    def write(root: Path) -> None:
        with package.open(root) as ledger:
            number = 0
            while not stop.is_set():
                number += 1
                text = f"Release {number} of {root.name} is on a Tuesday"
                ledger.remember(text)
                try:
                    ledger.push()
                    acknowledged.append(text)
                except VarvesError as fault:
                    exits.add(fault.exit)

    with ThreadPoolExecutor(len(roots)) as pool:
        running = [pool.submit(write, root) for root in roots]
        for kill in range(KILLS):
            while len(acknowledged) < (kill + 1) * 5 and not any(one.done() for one in running):
                pass
            durable.kill()
            durable.start()
        stop.set()
        for one in running:
            one.result()
    held = "".join(line for _, line in lines(url))
    lost = [text for text in acknowledged if f'"{text}"' not in held]
    note_figure("R15", kills=KILLS, acknowledged=len(acknowledged), lost=len(lost))
    assert lost == []
    assert exits <= {3, 6}
    check_no_gap(url)


def test_followers_miss_nothing_and_get_nothing_twice(
    server, database, tmp_path, monkeypatch, varves
):
    """Writers push at once, some hold the ledger for a while; followers end with every line."""
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{server.url(database)}#shop"
    varves("team", "init", url)
    *roots, reader, late = checkouts(tmp_path, url, WRITERS + 2)
    stop = threading.Event()

    def write(root: Path) -> None:
        with package.open(root) as ledger:
            for number in range(WRITES):
                ledger.remember(f"Release {number} of {root.name} is on a Tuesday")
                ledger.push()

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
                got += ledger.pull()[0].pulled
            return got + ledger.pull()[0].pulled

    with ThreadPoolExecutor(len(roots) + 2) as pool:
        holding, reading = pool.submit(hold), pool.submit(read)
        for one in [pool.submit(write, root) for root in roots]:
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
