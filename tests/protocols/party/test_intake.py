"""What is taken during a party, and what is refused with nothing written."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import Damaged, NotFound, Refused, UsageError
from varves.protocols.party.talk import TalkFinding

FINE = {"type": "context", "content": "Redis is run by ops", "confidence": 0.9}


def refused(room, change, error=Refused):
    """Try to remember something, and see that nothing was written; return the message."""
    room.verbs.start(agents=["ada"])
    before, events = room.path("ada").read_bytes(), len(room.ledger.log())
    with pytest.raises(error) as caught:
        room.verbs.remember("ada", **(FINE | change))
    assert room.path("ada").read_bytes() == before
    assert len(room.ledger.log()) == events
    return caught.value.message


@pytest.mark.requirement("S0-17")
@each_row("kind", ["fact", "Context", "", "decisions"])
def test_a_memory_has_one_of_four_types(room, kind):
    assert "type" in refused(room, {"type": kind})


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-17")
@pytest.mark.parametrize("kind", ["observation", "preference", "context", "decision"])
def test_the_four_types_are_taken(room, kind):
    room.verbs.start(agents=["ada"])
    room.verbs.remember("ada", **(FINE | {"type": kind}))
    room.verbs.end()
    assert room.kept() == [(kind, "Redis is run by ops", 0.9)]


@pytest.mark.requirement("S0-18")
def test_101_characters_are_refused_with_their_number_and_100_taken(room):
    assert "101 characters" in refused(room, {"content": "x" * 101})
    room.verbs.remember("ada", **(FINE | {"content": "x" * 100}))
    room.verbs.end()
    assert room.kept() == [("context", "x" * 100, 0.9)]


@pytest.mark.requirement("S0-19")
@pytest.mark.parametrize("content", ["", "   ", "\n\t"], ids=["empty", "spaces", "lines"])
def test_a_blank_memory_is_refused(room, content):
    assert "blank" in refused(room, {"content": content})


@pytest.mark.requirement("S0-21")
@each_row("sure", [0.49, 1.01, -1, True, "high", float("nan")])
def test_a_confidence_outside_the_range_is_refused(room, sure):
    assert "confidence" in refused(room, {"confidence": sure})


@pytest.mark.requirement("S0-21")
@pytest.mark.parametrize("sure", [0.5, 1.0])
def test_the_ends_of_the_range_are_taken(room, sure):
    room.give("ada", ("Redis is run by ops", sure))
    assert room.memories() == {"Redis is run by ops": sure}


@pytest.mark.requirement("S0-20")
def test_the_session_is_named_by_its_iso_date(room):
    room.at("2026-03-04T23:59:00Z").start(agents=["ada"])
    room.verbs.remember("ada", **FINE)
    room.at("2026-03-05T00:30:00Z").end()
    [memory] = room.sidecar()["memories"]
    assert memory["source_session"] == "2026-03-04"


@pytest.mark.requirement("S0-20")
def test_a_sessions_name_written_by_hand_is_taken(room):
    room.give("ada", ("Redis is run by ops", 0.9))
    room.edit("ada", lambda one: one["memories"][0].update(source_session="2025-12-01-party"))
    room.idle(1)
    assert room.sidecar()["memories"][0]["source_session"] == "2025-12-01-party"
    assert room.verbs.validate() == ()


@pytest.mark.requirement("S0-26")
def test_a_memory_in_the_file_has_the_four_published_keys(room):
    room.give("ada", ("Redis is run by ops", 0.9))
    [memory] = room.sidecar()["memories"]
    assert list(memory) == ["type", "content", "source_session", "confidence"]


def test_a_memory_waits_for_the_end_and_is_in_no_file_before(room):
    room.verbs.start(agents=["ada"])
    held = room.verbs.remember("ada", **FINE)
    assert room.kept() == []
    assert room.ledger.show(held.id).status == "proposed"
    room.verbs.end()
    memory = room.ledger.show(held.id)
    assert (memory.status, memory.kept, memory.scope) == ("active", "project", "agent:ada")


def test_a_secret_is_masked_before_anything_keeps_it(room):
    room.verbs.start(agents=["ada"])
    said = room.verbs.remember("ada", **(FINE | {"content": "the key is AKIAIOSFODNN7EXAMPLE"}))
    room.verbs.say("ada", "I prefer the key AKIAIOSFODNN7EXAMPLE")
    room.verbs.end()
    assert said.redacted
    assert "AKIAIOSFODNN7" not in room.path("ada").read_text(encoding="utf-8")


def test_a_secret_that_a_detector_brings_is_masked(room):
    room.verbs.detect = lambda _: [
        TalkFinding(
            agent="ada",
            type="context",
            text="the key is AKIAIOSFODNN7EXAMPLE",
            confidence=0.9,
            turns=(),
            rule="own",
        )
    ]
    room.hold()
    assert len(room.kept()) == 1
    assert "AKIAIOSFODNN7" not in room.path("ada").read_text(encoding="utf-8")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"type": "fact"}, id="type"),
        pytest.param({"text": " "}, id="blank"),
        pytest.param({"confidence": 0.4}, id="confidence"),
        pytest.param({"agent": "eve"}, id="a-stranger"),
    ],
)
def test_what_a_detector_gets_wrong_is_not_added(room, wrong):
    fine = {"agent": "ada", "type": "context", "text": "x", "confidence": 0.9, "turns": ()}
    room.verbs.detect = lambda _: [TalkFinding(**(fine | wrong), rule="own")]
    room.hold()
    assert room.kept() == []
    assert not room.path("eve").exists()


def test_a_text_that_was_rejected_is_refused_until_it_is_said_again(room):
    [added] = room.give("ada", ("Redis is run by ops", 0.9)).agents["ada"]["added"]
    room.ledger.forget(added["id"], reason="wrong")
    assert room.kept() == []
    assert "rejected" in refused(room, {})

    room.verbs.remember("ada", **FINE, again=True)
    room.verbs.end()
    assert room.memories() == {"Redis is run by ops": 0.9}


def test_a_text_that_was_rejected_and_is_found_in_the_talk_is_not_added_but_reported(room):
    [added] = room.hold(("ada", "I prefer tabs")).agents["ada"]["added"]
    room.ledger.forget(added["id"], reason="wrong")
    ended = room.hold(("ada", "I prefer tabs!"))
    [dropped] = ended.agents["ada"]["dropped"]
    assert dropped["content"] == "I prefer tabs!"
    assert "rejected" in dropped["reason"]
    assert room.kept() == []


@pytest.fixture
def begun(room):
    """Start a party of two agents."""
    room.verbs.start(agents=["ada", "ben"])
    return room


@each_row(
    ("call", "error"),
    [
        pytest.param(lambda v: v.say("eve", "hello"), Refused, id="a-stranger"),
        pytest.param(lambda v: v.say("ada", "hello", to="eve"), Refused, id="to-a-stranger"),
        pytest.param(lambda v: v.say("ada", " "), UsageError, id="nothing-said"),
        pytest.param(lambda v: v.say("ada", "x", type="song"), UsageError, id="no-type-of-turn"),
        pytest.param(lambda v: v.decide("x", outcome="maybe"), UsageError, id="no-outcome"),
        pytest.param(lambda v: v.decide("x", pro=["eve"]), Refused, id="decided-by-a-stranger"),
        pytest.param(
            lambda v: v.decide("x", pro=["ada"], contra=["ada"]), UsageError, id="both-sides"
        ),
        pytest.param(lambda v: v.decide("x", colour="red"), UsageError, id="unknown-option"),
        pytest.param(lambda v: v.reference("ada", "mem_000000000000"), NotFound, id="no-memory"),
        pytest.param(lambda v: v.reference("ada", "nothing of hers"), NotFound, id="no-text"),
        pytest.param(lambda v: v.show("eve"), NotFound, id="no-sidecar"),
        pytest.param(lambda v: v.show("../../x"), Refused, id="a-path"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_written(begun, call, error):
    events = len(begun.ledger.log())
    with pytest.raises(error):
        call(begun.verbs)
    assert len(begun.ledger.log()) == events


def test_without_a_party_there_is_nothing_to_say_or_end(room):
    for call in (
        lambda: room.verbs.say("ada", "hello"),
        lambda: room.verbs.remember("ada", **FINE),
        room.verbs.end,
    ):
        with pytest.raises(Refused):
            call()
    assert not (room.root / "_mdan").exists()


def test_a_setting_of_the_wrong_kind_is_named(room):
    for text, name in (("cap = -1", "cap"), ("floor = 2", "floor")):
        room.settings(text)
        with pytest.raises(Damaged) as caught:
            room.verbs.start(agents=["ada"])
        assert name in caught.value.message
