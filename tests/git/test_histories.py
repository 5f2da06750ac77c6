"""R10: random git histories, walked with ledgers that stay open all the time.

A failing seed is in the test's name: run it alone with `-k 'seed-17'`.
"""

from __future__ import annotations

import pytest

from tests.figures import add_figure, full_size
from tests.git.walk import Walk
from varves.log.files.spool import LogTree

STEPS_EACH = 45
SEEDS = [*range(230)] if full_size() else [94]  # 94: packed text was under a second name as well
# A stash brought back what had been packed under the name of its restored copy (2003: by another
# clone), and a segment was removed beside a pack that a checkout took away (2018).
FOUND = [(1085, STEPS_EACH)]
if full_size():
    FOUND += [(202, 130), (2003, 130), (2018, 70)]


def take(folder, seed, steps):
    walk = Walk(folder, seed)
    try:
        walk.go(steps)
        walk.finish()
    finally:
        walk.close()


@pytest.mark.parametrize(("seed", "steps"), FOUND)
def test_histories_that_once_failed_merge_without_a_question(tmp_path, home, seed, steps):
    take(tmp_path, seed, steps)


@pytest.mark.parametrize("seed", SEEDS, ids="seed-{}".format)
def test_merging_never_asks_never_loses_and_never_depends_on_direction(tmp_path, home, seed):
    take(tmp_path, seed, STEPS_EACH)
    add_figure("R10", operations=STEPS_EACH, histories=1, conflicts=0, lost=0)


def test_the_walk_catches_a_writer_that_goes_on_in_a_file_git_knows(tmp_path, home, monkeypatch):
    """Deliberately broken: it looks neither at HEAD nor at git's index."""
    monkeypatch.setattr(LogTree, "head", lambda tree: ("never moves",))
    monkeypatch.setattr(LogTree, "staged", lambda tree, path: False)
    for seed in range(3):
        (tmp_path / str(seed)).mkdir()
        walk = Walk(tmp_path / str(seed), seed)
        try:
            walk.go(STEPS_EACH)
            walk.finish()
        except AssertionError:
            return
        finally:
            walk.close()
    pytest.fail("no walk caught it")
