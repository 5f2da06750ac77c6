"""Git with our merge driver: whatever it joins, nothing conflicts and nobody has edited.

The driver is a process for each file that both sides changed, so a scene has all protocols at once.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.figures import full_size
from tests.protocols.settling import (
    FIVE,
    KNOWN,
    OURS,
    THEIRS,
    Hivemind,
    Party,
    Scoped,
    read,
    unmerged,
)
from varves.errors import VarvesError
from varves.protocols.jsonfile import read_object

SEEDS = 40 if full_size() else 1
ENTRIES = Scoped.conflicts
SIDECAR = Party.conflicts
INDEX = Hivemind.conflicts
MARKS = (b"<<<<<<< ", b">>>>>>> ")


# What two people do


def work(here, random, text, hour):
    """Work through all protocols, and change or forget some of what is there."""
    ledger = here.at(f"2026-11-15T{hour}:00:00Z")
    for number, protocol in enumerate(random.sample(FIVE, len(FIVE))):
        protocol.work(here.at(f"2026-11-15T{hour}:{10 + number}:00Z"), f"{text}, {protocol.name}")
    ledger = here.at(f"2026-11-15T{hour}:30:00Z")
    found = [
        one
        for one in ledger.list()
        if one.protocol in ("scoped", "hivemind") and one.text.startswith(KNOWN)
    ]
    for one in sorted(found, key=lambda memory: memory.protocol):
        [change] = random.choices(("tag", "correct", "forget", "leave"))
        try:
            if change == "tag":
                ledger.edit(one.id, tag=[f"+{text[:4].lower()}"], confidence=random.random())
            elif change == "correct":
                ledger.correct(one.id, f"{one.text} and {text.lower()}")
            elif change == "forget":
                ledger.forget(one.id, reason="outdated")
        except VarvesError as fault:
            print(f"{change}: {fault}")  # noqa: T201 - shown on failure
    here.commit(text)


def begun(here):
    """Begin a project in which every protocol has said something."""
    for protocol in FIVE:
        protocol.work(here.at("2026-11-15T08:00:00Z"), f"{KNOWN}, {protocol.name}")
    here.commit("begin")
    here.git("branch", "-M", "main")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Keep each project that was made, by its seed: making one takes seconds."""
    return lambda seed: tmp_path_factory.getbasetemp() / f"parted-{os.getpid()}-{seed}"


def parted(here, kept, seed):
    """Make a project whose branches `main` and `theirs` each went on from one commit."""
    if kept.exists():
        shutil.rmtree(here.root)
        shutil.copytree(kept / "root", here.root)
        shutil.copytree(kept / "home", here.home)
        return
    random = Random(seed)
    begun(here)
    here.git("switch", "--quiet", "--create", "theirs")
    work(here, random, THEIRS, "09")
    here.git("switch", "--quiet", "main")
    work(here, random, OURS, "10")
    here.close()
    shutil.copytree(here.root, kept / "root")
    shutil.copytree(here.home, kept / "home")


# What git does


def run(here, *words):
    """Run git; if it stops at files that one side removed or renamed, settle these and go on."""
    said = here.git(*words, check=False)
    for line in said.splitlines():
        assert not line.startswith("CONFLICT") or "rename" in line or "delete" in line, line
    if not unmerged(here):
        return
    here.at("2026-11-15T11:00:00Z").rebuild()
    assert unmerged(here) == []
    if words[0] != "stash" and "--squash" not in words:
        verb = "commit --no-edit" if words[0] == "merge" else f"{words[0]} --continue"
        here.git("-c", "core.editor=true", *verb.split())


def merge(here):
    """Merge their branch."""
    run(here, "merge", "--no-edit", "theirs")


def merge_back(here):
    """Merge ours into theirs."""
    here.git("switch", "--quiet", "theirs")
    run(here, "merge", "--no-edit", "main")


def squash(here):
    """Take their work over without their commits, and leave it staged."""
    run(here, "merge", "--squash", "theirs")


def rebase(here):
    """Rebase ours onto theirs."""
    run(here, "rebase", "theirs")


def cherry_pick(here):
    """Take their commit over."""
    run(here, "cherry-pick", "theirs")


def revert(here):
    """Take back the commit before the last one."""
    run(here, "merge", "--no-edit", "theirs")
    here.at("2026-11-15T12:00:00Z").scoped.write(
        "project", "p", type="pattern", content="Written after the merge"
    )
    here.commit("more")
    run(here, "revert", "--no-edit", "--mainline", "1", "HEAD~1")


def stash(here):
    """Put their uncommitted work away, and bring it onto ours."""
    here.git("switch", "--quiet", "theirs")
    here.git("reset", "--quiet", "--soft", "HEAD~1")
    here.git("stash", "--quiet", "--include-untracked")
    here.git("switch", "--quiet", "main")
    run(here, "stash", "pop", "--quiet")


WAYS = [merge, merge_back, squash, rebase, cherry_pick, revert, stash]


# What must hold


def rows(ledger):
    return sorted(
        (one.id, one.text, one.status, one.version, one.tags) for one in ledger.list(status="all")
    )


def assert_merged(here):
    """Check that nothing is unmerged, and that every JSON file can be read."""
    assert unmerged(here) == []
    listed = here.git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for path in filter(os.path.exists, (str(here.root / name) for name in listed if name)):
        content = Path(path).read_bytes()
        assert not any(mark in content for mark in MARKS), path
        if path.endswith(".json"):
            read_object(content)


def assert_nobody_edited(here):
    """Check that no verb takes a merged file for an edit, and return the files of the log."""
    ledger = here.at("2026-11-15T13:00:00Z")
    before = rows(ledger)
    for protocol in ("scoped", "hivemind", "party"):
        assert getattr(ledger, protocol).core.notes == []
    done = ledger.rebuild()
    assert rows(ledger) == before, done["notes"]
    assert_merged(here)
    return here.files(tracked=True)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("seed", range(SEEDS), ids="seed-{}".format)
@pytest.mark.parametrize("way", WAYS, ids=lambda one: one.__name__)
def test_nothing_conflicts_and_nobody_is_taken_to_have_edited(clone, made, way, seed):
    here = clone()
    parted(here, made(seed), seed)
    way(here)
    assert_merged(here)
    if way not in (squash, stash):
        there = clone("there", here)
        assert_nobody_edited(there)
        assert there.git("diff", "--name-only", "--", ".varves") == ""
    assert_nobody_edited(here)
    here.commit("settled")
    if not full_size():
        return
    other = clone("other", here)
    other.at("2026-11-15T14:00:00Z").rebuild()
    assert other.git("status", "--porcelain") == ""


# What people edited before git merged it


def two_entries(clone):
    """Make a project with two entries of scoped memory, on two branches."""
    here = clone()
    for minute, text in enumerate(("First", "Second")):
        ledger = here.at(f"2026-11-15T08:0{minute}:00Z")
        ledger.scoped.write("project", "p", type="pattern", content=text)
    here.commit("begin")
    here.git("branch", "-M", "main")
    here.git("branch", "theirs")
    return here


def edit(here, old, new):
    """Edit the file of entries by hand."""
    text = (here.root / ENTRIES).read_text(encoding="utf-8")
    assert old in text
    (here.root / ENTRIES).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize("known", [True, False], ids=["here", "in a fresh clone"])
def test_edits_that_both_sides_committed_by_hand_are_adopted(clone, known):
    here = two_entries(clone)
    for branch, old in (("theirs", "First"), ("main", "Second")):
        here.git("switch", "--quiet", branch)
        edit(here, old, f"{old}, edited on {branch}")
        here.git("commit", "--quiet", "--all", "--message", branch)
    here.git("merge", "--no-edit", "theirs")
    side = here if known else clone("there", here)
    side.at("2026-11-15T10:00:00Z").rebuild()
    said = ["First, edited on theirs", "Second, edited on main"]
    assert [one["content"] for one in read(side.root, ENTRIES)["entries"]] == said
    texts = {one.text for one in side.at("2026-11-15T10:01:00Z").list()}
    assert texts == {*said}


@pytest.mark.requirement("U-07")
def test_two_edits_of_one_entry_are_both_kept_and_listed_as_a_conflict(clone):
    here = two_entries(clone)
    for branch in ("theirs", "main"):
        here.git("switch", "--quiet", branch)
        edit(here, "First", f"First, edited on {branch}")
        here.git("commit", "--quiet", "--all", "--message", branch)
    here.git("merge", "--no-edit", "theirs")
    here.at("2026-11-15T10:00:00Z").rebuild()
    ledger = here.at("2026-11-15T10:01:00Z")
    texts = {one.text for one in ledger.list(status="all")}
    assert {"First, edited on theirs", "First, edited on main"} <= texts
    assert len(ledger.conflicts()) == 1


@pytest.mark.requirement("U-07")
def test_an_edit_that_was_stashed_is_adopted_where_it_is_merged(clone):
    here = two_entries(clone)
    edit(here, "First", "First, edited")
    here.git("stash", "--quiet")
    here.at("2026-11-15T09:00:00Z").scoped.write("project", "p", type="pattern", content="Third")
    here.commit("more")
    here.git("stash", "pop", "--quiet")
    here.at("2026-11-15T10:00:00Z").rebuild()
    said = [one["content"] for one in read(here.root, ENTRIES)["entries"]]
    assert said == ["First, edited", "Second", "Third"]


def test_an_edit_of_a_merged_file_is_an_edit(clone):
    here = two_entries(clone)
    for branch in ("theirs", "main"):
        here.git("switch", "--quiet", branch)
        ledger = here.at("2026-11-15T09:00:00Z")
        ledger.scoped.write("project", "p", type="pattern", content=f"On {branch}")
        here.commit(branch)
    here.git("merge", "--no-edit", "theirs")
    edit(here, "First", "First, edited")
    here.at("2026-11-15T10:00:00Z").rebuild()
    texts = sorted(one.text for one in here.at("2026-11-15T10:01:00Z").list())
    assert texts == ["First, edited", "On main", "On theirs", "Second"]


def test_a_purge_leaves_no_digest_of_a_merged_file(clone):
    here = two_entries(clone)
    for branch in ("theirs", "main"):
        here.git("switch", "--quiet", branch)
        ledger = here.at("2026-11-15T09:00:00Z")
        ledger.scoped.write("project", "p", type="pattern", content=f"On {branch}")
        here.commit(branch)
    here.git("merge", "--no-edit", "theirs")
    note = here.root / ".git" / "varves" / "merged"
    assert note.exists()
    ledger = here.at("2026-11-15T10:00:00Z")
    ledger.rebuild()
    [name] = [one.id for one in ledger.list() if one.text == "On theirs"]
    ledger.purge(name, reason="asked")
    assert not note.exists()


# What git does without a driver


def branches(here, count):
    """Let some branches each write with every protocol that tracks its files."""
    for number in range(count):
        here.git("switch", "--quiet", "--create", f"b{number}", "main")
        for protocol in FIVE[:4]:
            protocol.work(here.at(f"2026-11-15T09:{number}0:00Z"), f"{OURS} {number}")
        here.commit(f"b{number}")
    here.git("switch", "--quiet", "main")


def test_rebuild_settles_what_an_octopus_merge_left(clone):
    here = clone()
    begun(here)
    branches(here, 2)
    said = here.git("merge", "--no-edit", "b0", "b1", check=False)
    print(said)  # noqa: T201 - shown on failure
    here.at("2026-11-15T10:00:00Z").rebuild()
    assert_merged(here)


@pytest.mark.requirement("U-07")
def test_rebuild_settles_a_file_that_one_side_removed(clone):
    here = two_entries(clone)
    here.git("rm", "--quiet", ENTRIES)
    here.git("commit", "--quiet", "--message", "remove it")
    here.git("switch", "--quiet", "theirs")
    here.at("2026-11-15T09:00:00Z").scoped.write("project", "p", type="pattern", content="Third")
    here.commit("more")
    here.git("switch", "--quiet", "main")
    here.git("merge", "--no-edit", "theirs", check=False)
    assert unmerged(here) == [ENTRIES]
    here.at("2026-11-15T10:00:00Z").rebuild()
    assert_merged(here)
    texts = [one["content"] for one in read(here.root, ENTRIES)["entries"]]
    assert texts == ["First", "Second", "Third"]
