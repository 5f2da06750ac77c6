"""The index is shared by every process; one that is busy with it must not cost another a write."""

from __future__ import annotations

import json
import os
import sqlite3
import threading

import varves
from tests.durability.scene import assert_kept, program
from tests.figures import full_size
from tests.places import local_of


def test_an_index_in_the_making_is_waited_for(project):
    """Regression: of processes that start at once on a fresh ledger, some were told it is busy.

    SQLite does not wait for others while it changes its journal.
    """
    with varves.open(project) as ledger:
        ledger.init()
    path = local_of(project) / "index.sqlite"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    maker = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    maker.execute("begin immediate")
    timer = threading.Timer(0.2, maker.execute, ["commit"])
    timer.start()
    try:
        with varves.open(project) as ledger:
            assert ledger.remember("said meanwhile").status == "recorded"
    finally:
        timer.join()
        maker.close()


def test_processes_that_start_at_once_on_nothing_are_all_served(project):
    for number in range(3 if full_size() else 1):
        root = project / f"fresh{number}"
        root.mkdir()
        told = program("crowd", "remember", "12", str(root), json.dumps({"each": 1}))
        assert_kept(root, [name for ids in told for name in ids])
