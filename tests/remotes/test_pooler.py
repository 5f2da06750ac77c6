"""A pooler in transaction mode may give every statement another connection."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

import varves as package
from tests.remotes.test_copies import tree
from tests.remotes.test_faults import checkouts, lines

POOLER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
pytestmark = pytest.mark.skipif(POOLER is None, reason="pgbouncer is not installed")


@pytest.fixture
def pooled(server, database) -> Iterator[str]:
    """The address of a pooler with two connections to the database for everybody."""
    place = server.folder / f"pooler-{database}"
    place.mkdir()
    settings = place / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\n* = host={server.folder}\n[pgbouncer]\n"
        f"unix_socket_dir = {place}\nlisten_addr =\nauth_type = trust\nauth_file = {place}/users\n"
        "pool_mode = transaction\ndefault_pool_size = 2\nlogfile =\n"
        f"pidfile = {place}/pid\n",
        encoding="utf-8",
    )
    (place / "users").write_text('"postgres" ""\n"pooled_eve" ""\n', encoding="utf-8")
    nobody = pwd.getpwnam("nobody")
    as_nobody = {}
    if os.geteuid() == 0:  # it refuses to run as root
        as_nobody = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for one in (place, settings, place / "users"):
            os.chown(one, nobody.pw_uid, nobody.pw_gid)
    url = f"postgresql://postgres@/{database}?host={place}&port=6432"
    with subprocess.Popen([POOLER, "-q", settings], **as_nobody) as running:
        try:
            for _ in range(200):
                if (place / ".s.PGSQL.6432").exists():
                    break
                time.sleep(0.05)
            yield url
        finally:
            running.kill()


def test_many_clones_share_two_connections(pooled, tmp_path, monkeypatch, varves):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{pooled}#shop"
    assert varves("team", "init", url).code == 0
    roots = checkouts(tmp_path, url, 6)

    def write(root: Path) -> int:
        with package.open(root) as ledger:
            for number in range(8):
                ledger.remember(f"Release {number} of {root.name} is on a Tuesday")
                ledger.sync()
            return len(ledger.list())

    with ThreadPoolExecutor(len(roots)) as pool:
        assert all(count >= 8 for count in pool.map(write, roots))
    for root in roots:
        assert varves("sync", "--root", str(root)).code == 0
        assert tree(root / ".varves") == tree(roots[0] / ".varves")
    assert len(lines(url)) == 48
    assert varves("clone", url, str(tmp_path / "copy")).code == 0
    assert varves("team", "status", url).code == 0


def test_who_asks_is_not_carried_to_another_statement(pooled, tmp_path, monkeypatch, varves):
    """A role that cannot read the ledger sees nothing after one that can used the connection."""
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    url = f"{pooled}#shop"
    varves("team", "init", url)
    (root,) = checkouts(tmp_path, url, 1)
    varves("remember", "Refunds need two people", "--root", str(root))
    varves("push", "--root", str(root))
    with psycopg.connect(pooled, autocommit=True) as connection:
        connection.execute("create role pooled_eve login")
    try:
        stranger = pooled.replace("postgres@", "pooled_eve@")
        for _ in range(6):
            varves("push", "--root", str(root))
            with psycopg.connect(stranger, autocommit=True, prepare_threshold=None) as connection:
                assert connection.execute("select count(*) from varves.line").fetchone() == (0,)
        assert "Refunds" not in varves("clone", f"{stranger}#shop", str(tmp_path / "eve")).err
        assert not list((tmp_path / "eve").rglob("*.jsonl"))
    finally:
        with psycopg.connect(pooled, autocommit=True) as connection:
            connection.execute("drop role pooled_eve")
