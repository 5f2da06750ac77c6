"""Random histories of the protocols: edits, accidents and git, and the laws that hold throughout.

A failing seed is in the test's name: run it alone with `-k 'seed-1'`.
"""

from __future__ import annotations

import os

import pytest

from tests.protocols.deliberation.walk import TalkWalk
from tests.protocols.five import FiveWalk
from tests.protocols.layers.walk import LayersWalk
from tests.protocols.party.walk import PartyWalk
from tests.protocols.walk import Walk

STEPS_EACH = 10
DEEP = bool(os.environ.get("VARVES_TORTURE"))
WALKS = 300 if DEEP else 3
TOGETHER = 1000 if DEEP else 1


def take(walk):
    try:
        walk.go(STEPS_EACH)
        walk.finish()
    finally:
        walk.close()


@pytest.mark.parametrize("seed", range(WALKS), ids="seed-{}".format)
def test_whatever_people_and_git_do_the_files_follow_the_log(tmp_path, home, seed):
    take(Walk(tmp_path, seed))


@pytest.mark.parametrize("seed", range(WALKS), ids="seed-{}".format)
def test_whatever_people_and_git_do_the_sidecars_follow_the_log(tmp_path, home, seed):
    take(PartyWalk(tmp_path, seed))


@pytest.mark.parametrize("seed", range(WALKS), ids="seed-{}".format)
def test_whatever_people_and_git_do_the_views_follow_the_log_of_events(tmp_path, home, seed):
    take(LayersWalk(tmp_path, seed))


@pytest.mark.requirement("U-02")
@pytest.mark.parametrize("seed", range(WALKS), ids="seed-{}".format)
def test_whatever_people_and_git_do_the_states_follow_the_conversations(project, seed):
    walk = TalkWalk(project.parent, seed)
    take(walk)
    assert (walk.steps, walk.main.changes()) == (STEPS_EACH, "")


@pytest.mark.requirement("U-02", "U-04")
@pytest.mark.parametrize("seed", range(TOGETHER), ids="seed-{}".format)
def test_whatever_people_and_git_do_every_protocol_keeps_to_its_own(project, seed):
    walk = FiveWalk(project.parent, seed)
    take(walk)
    assert (walk.steps, walk.main.changes()) == (STEPS_EACH, "")
