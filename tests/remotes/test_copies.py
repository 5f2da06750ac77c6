"""Copies of a log in files: whatever was written, purged or packed, carrying makes them equal."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

import varves
from varves.log.copies import ABSENT, Run, carry
from varves.log.files.file_copy import FileCopy
from varves.places.store import Files


def copy(root: Path) -> FileCopy:
    return FileCopy(Files(str(root), private=False))


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted((root / "log").rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def here(project: Path) -> FileCopy:
    return copy(project / ".varves")


def test_an_empty_folder_gets_the_same_bytes_and_then_nothing(ledger, here, tmp_path):
    for number in range(30):
        ledger.remember(f"The shard {number} is in Frankfurt")
    ledger.remember("x" * (300 << 10))  # a blob
    there = copy(tmp_path / "there")
    assert carry(here, there) == (31, 0, 1, 0)
    assert tree(tmp_path / "there") == tree(Path(here.store.root))
    assert carry(here, there) == (0, 0, 0, 0)


def test_a_segment_that_grew_is_appended_to(ledger, here, tmp_path):
    there = copy(tmp_path / "there")
    for number in range(5):
        ledger.remember(f"Release {number} is on a Tuesday")
        assert carry(here, there).lines == 1
    assert tree(tmp_path / "there") == tree(Path(here.store.root))


def test_two_clones_meet_in_a_folder(project, ledger, here, tmp_path):
    between, other = copy(tmp_path / "between"), tmp_path / "other"
    other.mkdir()
    with varves.open(other) as second:
        ledger.remember("Ada owns the parser")
        second.remember("Ben owns the printer")
        theirs = copy(other / ".varves")
        for one in (here, theirs):
            carry(one, between)
        for one in (here, theirs):
            carry(between, one)
        assert tree(Path(here.store.root)) == tree(other / ".varves")
        texts = {"Ada owns the parser", "Ben owns the printer"}
        assert {memory.text for memory in ledger.list()} == texts
        assert {memory.text for memory in second.list()} == texts


def test_a_purge_reaches_the_other_copy_and_its_blobs(ledger, here, tmp_path):
    there = copy(tmp_path / "there")
    short = ledger.remember("The door code is 4711")
    long = ledger.remember("The long secret " + "y" * (300 << 10))
    carry(here, there)
    ledger.purge(short.id, reason="private")
    ledger.purge(long.id, reason="private")
    assert carry(here, there, purges=True).purged >= 3
    left = tree(tmp_path / "there")
    assert not [name for name, content in left.items() if b"4711" in content or b"yyy" in content]
    assert left == tree(Path(here.store.root))


def commit(ledger):
    for words in (("add", "-A"), ("commit", "-qm", "all")):
        subprocess.run(["git", *words], cwd=ledger.root, check=True)


@pytest.fixture
def days(ledger, monkeypatch):
    """Eight memories, each in a closed segment of its own that git has."""
    for day in range(1, 9):
        monkeypatch.setenv("VARVES_NOW", f"2026-11-{day:02}T10:00:00Z")
        with varves.open(ledger.root) as one:
            one.remember(f"The count on day {day} was {day * 7}")
        commit(ledger)
    return ledger


def packed(ledger):
    with varves.open(ledger.root) as one:
        assert one.pack().packs


def on_remote(place: Path) -> FileCopy:
    return FileCopy(Files(str(place), private=False), packs=True)


def test_a_remote_takes_a_pack_in_the_place_of_its_segments(days, here, tmp_path):
    there, checkout = on_remote(tmp_path / "there"), copy(tmp_path / "checkout")
    for one in (there, checkout):
        carry(here, one)
    loose = tree(tmp_path / "there")
    packed(days)
    assert carry(here, there) == (0, 0, 0, 0)
    assert tree(tmp_path / "there") == tree(Path(here.store.root))
    carry(here, checkout)
    assert tree(tmp_path / "checkout") == loose  # git brings a checkout its packs
    assert carry(checkout, there) == (0, 0, 0, 0)
    assert tree(tmp_path / "there") == tree(Path(here.store.root))


def test_a_pack_and_a_purge_reach_a_remote_in_either_order(days, here, tmp_path):
    before, after = on_remote(tmp_path / "before"), on_remote(tmp_path / "after")
    for one in (before, after):
        carry(here, one)
    days.purge(days.list()[-2].id, reason="private")
    carry(here, before, purges=True)
    commit(days)
    packed(days)
    for place, one in (("before", before), ("after", after)):
        carry(here, one, purges=True)
        assert tree(tmp_path / place) == tree(Path(here.store.root))
    days.purge(days.list()[-2].id, reason="private")
    assert carry(here, after, purges=True).purged
    assert tree(tmp_path / "after") == tree(Path(here.store.root))


def test_what_a_remote_still_has_beside_its_pack_is_purged_too(days, here, tmp_path):
    there = on_remote(tmp_path / "there")
    carry(here, there)
    loose = tree(tmp_path / "there")
    packed(days)
    carry(here, there)
    for name, content in loose.items():  # a process was killed before it removed these files
        (tmp_path / "there" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "there" / name).write_bytes(content)
    gone = next(one for one in days.list() if one.text == "The count on day 2 was 14")
    days.purge(gone.id, reason="private")
    carry(here, there, purges=True)
    assert not [1 for content in tree(tmp_path / "there").values() if b"day 2 was" in content]


@pytest.mark.parametrize("fault", ["missing", "longer", "another", "size", "order", "name", "json"])
def test_a_pack_that_is_not_of_a_remotes_own_segments_is_not_made(days, here, tmp_path, fault):
    there = on_remote(tmp_path / "there")
    carry(here, there)
    packed(days)
    ((name, header),) = here.heads().packs.items()
    parts = json.loads(header)["segments"]
    first = tmp_path / "there" / parts[0][0]
    if fault == "missing":
        first.unlink()
    elif fault == "longer":
        first.write_bytes(first.read_bytes() * 2)
    elif fault == "another":
        first.write_bytes((tmp_path / "there" / parts[1][0]).read_bytes())
    elif fault == "size":
        header = header.replace(f",{parts[0][2]},".encode(), f",{parts[0][2] + 1},".encode(), 1)
    elif fault == "order":
        header = json.dumps({"segments": parts, "pack": 1}).encode()
    elif fault == "name":
        name = "log/2026-11/../../x.pack.jsonl"
    else:
        header = b"{"
    before = tree(tmp_path / "there")
    there.push([], {name: header})
    assert tree(tmp_path / "there") == before
    assert not (tmp_path / "x.pack.jsonl").exists()


def test_packs_travel_as_packs_into_a_new_copy(days, here, tmp_path):
    packed(days)
    assert here.heads().packs
    fresh, earlier = copy(tmp_path / "fresh"), copy(tmp_path / "earlier")
    carry(here, fresh)
    assert tree(tmp_path / "fresh") == tree(Path(here.store.root))
    carry(fresh, earlier)
    assert carry(here, earlier) == (0, 0, 0, 0)


HOSTILE = ["../x.jsonl", "log/../../x.jsonl", "/etc/x.jsonl", "log/2026-11/a/b.jsonl", "x", ""]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_from_elsewhere_cannot_leave_the_log(ledger, here, tmp_path, name):
    ledger.remember("The parser is strict")
    (run,) = here.pull(dict.fromkeys(here.heads().segments, ABSENT))
    there, before = copy(tmp_path / "there"), {*tmp_path.rglob("*")}
    assert there.push([Run(name, 0, run.lines)], {}) == 0
    assert there.damaged == [name]
    assert {*tmp_path.rglob("*")} == before


def test_lines_that_are_no_events_are_left_out_and_named(ledger, here, tmp_path):
    ledger.remember("The parser is strict")
    (run,) = here.pull(dict.fromkeys(here.heads().segments, ABSENT))
    there = copy(tmp_path / "there")
    bad = [run.lines[0].replace(b"strict", b"lax   "), b"{}", b"", run.lines[0]]
    assert there.push([Run(run.segment, 0, bad)], {}) == 1
    assert there.damaged == [f"{run.segment}:{number}" for number in (1, 2, 3)]


def test_any_order_of_carrying_among_three_copies_ends_equal(tmp_path):
    chance = random.Random(7)
    roots = [tmp_path / name for name in "abc"]
    for root in roots:
        root.mkdir()
    for _ in range(12):
        root = chance.choice(roots)
        with varves.open(root) as one:
            one.remember(f"Note {chance.random()} of {root.name}")
        source, target = chance.sample(roots, 2)
        carry(copy(source / ".varves"), copy(target / ".varves"))
    for source in roots:
        for target in roots:
            carry(copy(source / ".varves"), copy(target / ".varves"))
    for source in roots:
        carry(copy(source / ".varves"), copy(roots[0] / ".varves"))
    first = tree(roots[0] / ".varves")
    for root in roots[1:]:
        carry(copy(roots[0] / ".varves"), copy(root / ".varves"))
        assert tree(root / ".varves") == first
        with varves.open(root) as one:
            assert one.verify().ok


def test_noted_heads_are_those_of_the_files(ledger, here):
    noting = FileCopy(here.store, notes="local/heads")
    made = [ledger.remember(f"Release {number} is on a Tuesday") for number in range(3)]
    assert noting.heads() == here.heads() == noting.heads()
    ledger.remember("Refunds need two people")
    assert noting.heads() == here.heads()
    ledger.purge(made[0].id, reason="asked")
    assert noting.heads() == here.heads()
    Path(here.store.root, "local", "heads").write_bytes(b'{"log/2026-11/x.jsonl": 7}')
    assert FileCopy(here.store, notes="local/heads").heads() == here.heads()
