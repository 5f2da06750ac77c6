"""S10: a purge takes along what was said only where a record of that memory names it so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.figures import full_size
from tests.git import conftest as memory
from tests.security import purge_lives
from tests.security.erasing import WORD, hits
from tests.security.test_purge_doors import forge

tmp_path = memory.tmp_path
scene = purge_lives.scene
OTHER = "mem_other0000000"


@pytest.fixture
def talk(scene: Any) -> dict[str, str]:
    """Hold a shared talk; return the ids of its message, decision and others' events."""
    verbs = scene.ledger.deliberation
    verbs.begin("talk", shared=True)
    said = verbs.say("ada", f"We decided on 'the word': {WORD}.")
    plain = verbs.say("ben", "The sky is blue.")
    verbs.begin("mine")
    own = verbs.say("ada", "We decided on 'the drink': tea.", conversation="mine")
    births = {event.data["memory"]: event.id for event in scene.ledger.log(kind="memory.recorded")}
    decision, mine = said.found[0].id, own.found[0].id
    return {
        "said": said.event,
        "plain": plain.event,
        "private": own.event,
        "decision": decision,
        "birth": births[decision],
        "mine": mine,
        "own birth": births[mine],
        "stays": births[scene.stays[0]],
        "started": scene.ledger.log(kind="session.started")[0].id,
    }


def content_of(scene: Any) -> dict[str, Any]:
    return {event.id: event.data for event in scene.ledger.log() if event.kind != "memory.purged"}


CLAIMS = {
    "no proof": (OTHER, "said", "nobody"),
    "another memory's birth": (OTHER, "said", "birth"),
    "a birth that names it not": ("decision", "plain", "birth"),
    "of another log": ("mine", "private", "own birth"),
    "no talk": (OTHER, "stays", "birth"),
    "the start of a session": ("decision", "started", "birth"),
    "itself": (OTHER, "said", "said"),
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_purge_that_claims_what_is_not_its_own_takes_nothing(scene, talk, claim):
    name, source, proof = (talk.get(part, part) for part in CLAIMS[claim])
    before = content_of(scene)
    kept = {talk[one] for one in ("plain", "private", "stays", "started")}
    kept |= {talk["said"]} if name == OTHER else set()
    forge(scene, "memory.purged", {"memory": name, "sources": [[source, proof]]}, trust=3)

    scene.reopen()
    scene.ledger.mend()
    after = content_of(scene)

    if CLAIMS[claim][0] == "mine":  # finishing that one is this clone's own doing
        kept -= {talk["private"]}
    assert {one: after[one] for one in kept} == {one: before[one] for one in kept}


def test_a_purge_in_the_project_hides_nothing_that_is_private(scene, talk):
    """Its own log is all it speaks for; what is private this clone must purge itself."""
    before = content_of(scene)[talk["private"]]
    pairs = [[talk["private"], talk["own birth"]]]
    forge(scene, "memory.purged", {"memory": talk["mine"], "sources": pairs}, trust=3)

    scene.reopen()

    assert content_of(scene)[talk["private"]] == before


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("trust", [0, 1])
def test_an_untrusted_purge_takes_nothing(scene, talk, trust):
    before = content_of(scene)
    pairs = [[talk["said"], talk["birth"]]]
    forge(scene, "memory.purged", {"memory": talk["decision"], "sources": pairs}, trust=trust)

    scene.ledger.mend()

    assert content_of(scene) == before


FORMS = [5, "evt", {"a": 1}, [5], [[]], [["a"]], [[1, 2]], [["a", ["b"]]], [["a", "b", "c"]]]


@pytest.mark.parametrize("forms", [FORMS, *([one] for one in FORMS if full_size())], ids=repr)
def test_claims_of_no_known_form_are_passed_over(scene, talk, forms):
    for sources in forms:
        said = {"memory": talk["decision"], "sources": sources}
        forge(scene, "memory.purged", said, trust=3)

    scene.reopen()
    scene.ledger.mend()

    assert hits(*scene.places()) == []  # the memory is purged all the same, and so is its source
    assert content_of(scene)[talk["plain"]]
    assert scene.ledger.verify(deep=True).ok


def test_a_purge_by_another_clone_counts_after_the_record_has_lost_its_content(scene, talk):
    scene.ledger.purge(talk["decision"], reason="asked for")

    scene.reopen()
    scene.ledger.rebuild()

    assert hits(*scene.places()) == []
    [said] = [event for event in scene.ledger.log() if event.id == talk["said"]]
    assert said.purged
    assert scene.ledger.mend().plan == ()
