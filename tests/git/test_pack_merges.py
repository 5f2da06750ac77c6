"""Packs and merges: both sides may pack what they like, and git has nothing to ask."""

from __future__ import annotations

import random

import pytest

from tests.git.packed import dumped, files, segments
from tests.git.scene import (
    assert_each_counts_once,
    assert_whole,
    begin,
    clone,
    folded,
)
from varves.log.files import pack as packs
from varves.log.files import upkeep


@pytest.fixture
def here(tmp_path, home):
    there = begin(tmp_path / "main")
    yield there
    there.close()


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("sizes", ["equal", "one large"])
def test_two_branches_that_pack_differently_merge_without_a_question(here, sizes):
    """One large: git would take the pack for that segment renamed, twice and differently."""
    if sizes == "one large":
        for number in range(40):
            here.remember(f"A long beginning, line {number}")
        here.commit("large")
    segments(here, 6)
    here.git("branch", "other")
    here.remember("Only on main")
    here.commit("main goes on")
    here.ledger.pack()
    here.commit("packed on main")
    ours = here.held_by("HEAD")
    here.git("checkout", "--quiet", "other")
    here.remember("Only on other")
    here.commit("other goes on")
    here.ledger.pack()
    here.commit("packed on other")
    theirs = here.held_by("HEAD")
    here.git("merge", "--quiet", "--no-edit", "main")
    assert here.git("ls-files", "--unmerged") == ""
    assert set(here.held()) == ours | theirs
    assert_whole(here.ledger)
    dumped(here)


def test_without_the_rule_about_halves_git_would_ask(here, monkeypatch):
    """Deliberately broken: the guard above is not there for nothing."""
    monkeypatch.setattr(packs, "_worth_it", lambda group: [list(group)] if group else [])
    with pytest.raises(AssertionError, match="rename/rename"):
        test_two_branches_that_pack_differently_merge_without_a_question(here, "one large")


def test_packs_stay_in_the_month_of_their_segments(here):
    """Else git may see a renamed folder and move what another branch adds to it."""
    segments(here, 4)
    here.git("checkout", "--quiet", "-b", "other")
    here.remember("In the old month")
    here.commit("on other")
    added = files(here)
    here.git("checkout", "--quiet", "main")
    added -= files(here)
    here.time.ms += 31 * 86_400_000
    segments(here, 4, seed=2)
    done = here.ledger.pack()
    assert {str(one.path).split("/")[2] for one in done.packs} == {"2026-11", "2026-12"}
    here.commit("packed")
    here.git("merge", "--quiet", "--no-edit", "other")
    assert added <= {path.name for path in (here.root / ".varves/log/2026-11").iterdir()}
    assert_whole(here.ledger)


def test_both_sides_of_a_merge_pack_any_subset_and_nothing_is_lost_or_doubled(
    tmp_path, home, monkeypatch
):
    """A property over seeds: what each side packs is picked at random, again and again."""
    real = packs.waiting
    for seed in range(3):
        chance = random.Random(seed)

        def some(*args, chance=chance, **kwargs):
            found = real(*args, **kwargs)
            return {name: oid for name, oid in found.items() if chance.random() < 0.7}

        monkeypatch.setattr(upkeep, "waiting", some)
        (tmp_path / str(seed)).mkdir()
        one = begin(tmp_path / str(seed) / "one", seed=str(seed))
        segments(one, 7, seed=seed)
        two = clone(one, "two", seed=str(seed))
        for turn in range(2):
            expected = set(one.held()) | set(two.held())
            for side in (one, two):
                expected.add(side.remember(f"Turn {turn} of {side.root.name}"))
                side.commit("said")
                before = dumped(side)
                side.ledger.pack()
                assert dumped(side) == before
                side.commit("packed")
            one.git("pull", "--quiet", "--no-rebase", "--no-edit", str(two.root), "HEAD")
            two.git("pull", "--quiet", "--no-rebase", "--no-edit", str(one.root), "HEAD")
            assert expected <= set(one.held()) == set(two.held())
            assert_each_counts_once(one)
            now = one.time.pass_by()
            assert folded(one.ledger, now) == folded(two.ledger, now)
            assert_whole(one.ledger)
            assert_whole(two.ledger)
        one.close()
        two.close()


def test_what_a_stash_brings_back_after_its_copy_was_packed_is_no_rename(here):
    """The original comes back beside a pack with its lines, where the copy was removed."""
    segments(here, 4)
    for number in range(2):
        here.remember(f"Put away {number}")
        here.git("stash", "--quiet", "--include-untracked")
        here.ledger.restore_eaten()
        here.commit(f"restored {number}")
    segments(here, 4)
    here.git("branch", "other")
    here.ledger.pack()
    here.commit("packed on main")
    here.git("checkout", "--quiet", "other")
    here.ledger.pack()
    here.commit("packed on other")
    for _ in range(2):
        here.git("stash", "pop", "--quiet")
    here.commit("the originals")
    expected = here.held_by("HEAD") | here.held_by("main")

    here.git("merge", "--quiet", "--no-edit", "main")

    assert here.git("ls-files", "--unmerged") == ""
    assert set(here.held()) == expected
    assert_whole(here.ledger)
    dumped(here)


def test_a_segment_beside_a_committed_pack_stays_through_a_checkout(here):
    """Git takes the pack away with its branch; were the segment removed, that would stay so."""
    segments(here, 5)
    here.git("branch", "other")
    expected = set(here.held())
    here.ledger.pack()
    here.git("add", ".varves/log")
    here.git("reset", "--quiet")
    here.git("checkout", "--", ".varves/log")
    here.commit("both the pack and its segments")
    here.ledger.pack()

    here.git("checkout", "--quiet", "other")

    assert expected <= set(here.held())
    here.commit("all")
    assert expected <= here.held_by("HEAD")
