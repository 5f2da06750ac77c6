"""Random histories of the protocols: edits, accidents and git, and the laws that hold throughout.

A failing seed is in the test's name: run it alone with `-k 'seed-1'`.
"""

from __future__ import annotations

import pytest

from tests.figures import full_size
from tests.protocols import five
from tests.protocols.deliberation.walk import TalkWalk
from tests.protocols.five import FiveWalk
from tests.protocols.layers.walk import LayersWalk
from tests.protocols.party.walk import PartyWalk
from tests.protocols.walk import Walk

STEPS_EACH = 10 if full_size() else 4
LONG = 20
WALKS = range(300) if full_size() else (1,)  # it has two clones; each third has three
TOGETHER = range(1000) if full_size() else (1,)
AT_FULL_SIZE = pytest.mark.skipif(not full_size(), reason="a long walk is taken at full size only")


def take(walk, steps=STEPS_EACH):
    try:
        walk.go(steps)
        walk.finish()
    finally:
        walk.close()


@pytest.mark.parametrize("seed", WALKS, ids="seed-{}".format)
def test_whatever_people_and_git_do_the_files_follow_the_log(tmp_path, home, seed):
    take(Walk(tmp_path, seed))


@pytest.mark.parametrize("seed", WALKS, ids="seed-{}".format)
def test_whatever_people_and_git_do_the_sidecars_follow_the_log(tmp_path, home, seed):
    take(PartyWalk(tmp_path, seed))


@AT_FULL_SIZE
def test_an_edit_of_rewritten_words_is_no_second_memory_where_the_renderings_are_lost(
    tmp_path, home
):
    """Found by a long walk: git has the old words, the log the new ones, and nobody the file."""
    take(PartyWalk(tmp_path, 442), LONG)


@AT_FULL_SIZE
def test_what_is_undone_and_restored_is_the_same_where_it_was_heard(project, monkeypatch):
    """Found by a long walk without conversations."""
    monkeypatch.setattr(five, "PARTS", five.PARTS[:3])
    take(FiveWalk(project.parent, 167), LONG)


@pytest.mark.parametrize("seed", WALKS, ids="seed-{}".format)
def test_whatever_people_and_git_do_the_views_follow_the_log_of_events(tmp_path, home, seed):
    take(LayersWalk(tmp_path, seed))


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("seed", WALKS, ids="seed-{}".format)
def test_whatever_people_and_git_do_the_states_follow_the_conversations(project, seed):
    walk = TalkWalk(project.parent, seed)
    take(walk)
    assert (walk.steps, walk.main.changes()) == (STEPS_EACH, "")


@pytest.mark.requirement("U-02", "U-04")
@pytest.mark.parametrize("seed", TOGETHER, ids="seed-{}".format)
def test_whatever_people_and_git_do_every_protocol_keeps_to_its_own(project, seed):
    walk, steps = FiveWalk(project.parent, seed), STEPS_EACH if full_size() else 2
    take(walk, steps)
    assert (walk.steps, walk.main.changes()) == (steps, "")
