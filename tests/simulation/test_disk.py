"""The simulated disk: the same answers as the real store, and crashes that forget what they may."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from tests.simulation.disk import Dead, Disk, Process, Store
from varves.places import store as files
from varves.places.store import Files

SEGMENT = "log/2026-11/a.jsonl"


def opened(seed: int = 0) -> tuple[Disk, Store]:
    disk = Disk(random.Random(seed))
    return disk, Process(disk).store("/ledger")


def after_cut(disk: Disk) -> Store:
    disk.cut()
    return Process(disk).store("/ledger")


def play(store: Any, chance: random.Random) -> list[Any]:
    """Do a hundred things to a store and return what each of them answered."""
    told: list[Any] = []
    handles: list[int] = []
    names = [f"log/{month}/{leaf}" for month in ("2026-10", "2026-11") for leaf in "ab"]

    def lock(name: str) -> bool:
        handle = store.lock(f"{name}.lock")
        if handle is None:
            return False
        store.rewrite(handle, name.encode() * chance.randint(0, 3))
        store.close(handle)
        return True

    def append(name: str) -> Any:
        handle = store.reopen(name)
        taken = store.write(handle, name.encode())
        store.sync(handle)
        if chance.random() < 0.3:
            store.truncate(handle, chance.randint(0, 5))
        size = store.stat_handle(handle)[0]
        store.close(handle)
        return taken, size

    acts = {
        "create": lambda name: handles.append(store.create(name)),
        "append": append,
        "read": lambda name: store.read(name, chance.randint(0, 9)),
        "reader": lambda name: (store.reader(name).size(), store.reader(name).read(2, 5)),
        "stat": lambda name: (found := store.stat(name)) and found[0],
        "entries": lambda name: sorted(
            (n, d) for n, d, _ in store.entries(name.rpartition("/")[0])
        ),
        "lock": lock,
        "replace": lambda name: store.replace(name, name.encode() * 2),
        "claim": lambda name: store.claim(name, b"claimed"),
        "remove": store.remove,
        "link": lambda name: store.link(name, store, f"spool/{name}"),
    }
    for _ in range(100):
        verb, name = chance.choice([*acts]), chance.choice(names)
        try:
            told.append((verb, name, acts[verb](name)))
        except OSError as fault:
            told.append((verb, name, type(fault).__name__))
    for handle in handles:
        store.close(handle)
    return told


@pytest.mark.parametrize("seed", range(12))
def test_both_stores_answer_alike(tmp_path, seed):
    real = play(Files(str(tmp_path / "ledger"), private=False), random.Random(seed))
    assert play(opened()[1], random.Random(seed)) == real


def test_the_real_store_syncs_every_folder_on_the_way_to_a_file(tmp_path, monkeypatch):
    """Regression: a process killed between making a folder and syncing it left it unsafe for good.

    The simulated store does the same, so that its crashes speak for the real one.
    """
    store = Files(str(tmp_path), private=False)
    store.close(store.create("log/2026-11/before.jsonl"))
    synced: list[str] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        real(handle)

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc to name a handle")
    monkeypatch.setattr(files.os, "fsync", fsync)
    store.close(store.create(SEGMENT))
    assert {str(tmp_path), f"{tmp_path}/log", f"{tmp_path}/log/2026-11"} <= set(synced)
    synced.clear()
    store.replace("log/blobs/x", b"x")
    assert {f"{tmp_path}/log", f"{tmp_path}/log/blobs"} <= set(synced)


def test_what_was_synced_survives_every_cut():
    for seed in range(50):
        disk, store = opened(seed)
        handle = store.create(SEGMENT)
        store.write(handle, b"safe\n")
        store.sync(handle)
        store.write(handle, b"perhaps\n")
        store.replace("local/note", b"whole")
        found = after_cut(disk).read(SEGMENT)
        assert found.startswith(b"safe\n")
        assert found.rstrip(b"\0").startswith(b"safe\n")
        assert b"safe\nperhaps\n".startswith(found.rstrip(b"\0"))
        assert Process(disk).store("/ledger").read("local/note") == b"whole"


def test_what_was_not_synced_is_a_matter_of_luck():
    found = set()
    for seed in range(200):
        disk, store = opened(seed)
        handle = store.create(SEGMENT)
        store.write(handle, b"abc")
        store.link(SEGMENT, store, "spool/a")
        after = after_cut(disk)
        found.add((after.read(SEGMENT), after.stat("spool/a") is not None))
    contents = {content for content, _ in found}
    assert {b"", b"a", b"ab", b"abc", b"a\0"} <= contents
    assert {linked for _, linked in found} == {False, True}


def replace_for_ever(store: Store) -> None:
    while True:
        store.replace("name", b"new")


def test_a_rename_is_the_old_file_or_the_new():
    found = set()
    for seed in range(100):
        disk, store = opened(seed)
        store.replace("name", b"old")
        disk.arm(seed % 12 + 1, "cut")
        with pytest.raises(Dead):
            replace_for_ever(store)
        disk.crash()
        found.add(Process(disk).store("/ledger").read("name"))
    assert found == {b"old", b"new"}


def test_a_failed_sync_loses_its_bytes_even_if_the_next_succeeds():
    disk, store = opened()
    handle = store.create(SEGMENT)
    store.write(handle, b"one")
    disk.arm(1, "fail")
    with pytest.raises(OSError, match="failed"):
        store.sync(handle)
    store.write(handle, b"two")
    store.sync(handle)
    assert store.read(SEGMENT) == b"onetwo"
    assert after_cut(disk).read(SEGMENT) == b"\0\0\0two"


def test_the_dead_do_nothing_more():
    disk, store = opened()
    handle = store.create(SEGMENT)
    lock = store.lock("local/lock")
    assert lock is not None
    disk.arm(1, "kill")
    with pytest.raises(Dead):
        store.sync(handle)
    for act in (lambda: store.write(handle, b"x"), lambda: store.close(handle)):
        with pytest.raises(Dead):
            act()
    other = Process(disk).store("/ledger")
    assert other.read(SEGMENT) == b""
    assert other.lock("local/lock") is not None
