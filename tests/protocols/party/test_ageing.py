"""What the end of a session does to memories: boosts, decay, floor, additions, cap."""

from __future__ import annotations

import pytest


@pytest.mark.requirement("S0-30")
def test_five_are_added_the_surest_and_of_equals_the_newest(room):
    given = [
        *(("one", 0.9), ("two", 0.6), ("three", 0.7), ("four", 1.0)),
        *(("five", 0.6), ("six", 0.6), ("seven", 0.6)),
    ]
    ended = room.give("ada", *given)

    assert list(room.memories()) == ["one", "three", "four", "six", "seven"]
    dropped = ended.agents["ada"]["dropped"]
    assert sorted(one["content"] for one in dropped) == ["five", "two"]
    assert all("5" in one["reason"] for one in dropped)
    assert len(ended.agents["ada"]["added"]) == 5


@pytest.mark.requirement("S0-30")
def test_each_agent_has_five_of_its_own(room):
    room.verbs.start(agents=["ada", "ben"])
    for agent in ("ada", "ben"):
        for n in range(6):
            room.verbs.remember(agent, type="context", content=f"fact {n}", confidence=0.9)
    room.verbs.end()
    assert len(room.kept("ada")) == len(room.kept("ben")) == 5


def fill(room, *confidences):
    """Write a sidecar with so many memories by hand, and let it be adopted."""
    room.verbs.start(agents=["ada"])
    room.verbs.end()
    memories = [
        {
            "type": "context",
            "content": f"fact {n}",
            "source_session": "2026-01-01",
            "confidence": sure,
        }
        for n, sure in enumerate(confidences)
    ]
    room.edit("ada", lambda one: one.update(memories=memories))


@pytest.mark.requirement("S0-31")
def test_above_fifty_the_least_sure_go_and_of_equals_the_oldest(room):
    sure = [0.9] * 53
    sure[7] = 0.6
    sure[20] = sure[30] = sure[40] = 0.7
    fill(room, *sure)

    room.later()
    ended = room.hold(agents=["ada"])

    left = [f"fact {n}" for n in range(53) if n not in (7, 20, 30)]
    assert list(room.memories()) == left
    pruned = ended.agents["ada"]["pruned"]
    assert [one["content"] for one in pruned] == ["fact 7", "fact 20", "fact 30"]
    assert ended.agents["ada"]["memories"] == 50


@pytest.mark.requirement("S0-31", "S0-43")
def test_the_cap_counts_what_was_added(room):
    fill(room, *[0.9] * 50)

    ended = room.give("ada", ("a late one", 0.5))

    assert len(room.memories()) == 50
    assert "a late one" not in room.memories()
    [pruned] = ended.agents["ada"]["pruned"]
    assert (pruned["content"], pruned["rule"]) == ("a late one", "cap")


@pytest.mark.requirement("S0-39")
def test_five_idle_sessions_cost_a_tenth_and_each_further_five_as_much(room):
    room.give("ada", ("Redis is run by ops", 0.8))
    seen = []
    for _ in range(10):
        room.idle(1)
        seen.append(room.memories()["Redis is run by ops"])
    assert seen == [0.8, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.7, 0.7, 0.6]


@pytest.mark.requirement("S0-39")
def test_a_setting_takes_a_tenth_in_every_session_from_the_sixth(room):
    room.settings("decay_each = true")
    room.give("ada", ("Redis is run by ops", 0.8))
    seen = []
    for _ in range(7):
        room.idle(1)
        seen.append(room.memories()["Redis is run by ops"])
    assert seen == [0.8, 0.8, 0.8, 0.8, 0.8, 0.7, 0.6]


@pytest.mark.requirement("S0-40")
def test_three_tenths_stay_and_less_goes(room):
    room.settings("decay_sessions = 1")
    room.give("ada", ("Redis is run by ops", 0.8))
    room.idle(5)
    assert room.memories() == {"Redis is run by ops": 0.3}
    room.idle(1)
    assert room.memories() == {}


@pytest.mark.requirement("S0-40")
def test_0_29_written_by_hand_is_pruned_by_the_next_end(room):
    fill(room, 0.29, 0.3, 0.31)
    room.idle(1)
    assert room.memories() == {"fact 1": 0.3, "fact 2": 0.31}


@pytest.mark.requirement("S0-41")
def test_a_reference_gains_a_tenth_at_most_to_one_and_once_in_a_session(room):
    [added] = room.give("ada", ("Redis is run by ops", 0.95)).agents["ada"]["added"]
    room.verbs.start(agents=["ada"])
    room.verbs.reference("ada", added["id"])
    room.verbs.reference("ada", "redis is run by OPS.")
    ended = room.verbs.end()
    assert room.memories() == {"Redis is run by ops": 1.0}
    [boosted] = ended.agents["ada"]["boosted"]
    assert (boosted["before"], boosted["confidence"]) == (0.95, 1.0)


@pytest.mark.requirement("S0-41")
def test_after_a_reference_a_memory_ages_anew(room):
    room.give("ada", ("Redis is run by ops", 0.6))
    room.idle(4)
    room.later().start(agents=["ada"])
    room.verbs.reference("ada", "Redis is run by ops")
    room.verbs.reference("ada", "Redis is run by ops")
    room.verbs.end()
    assert room.memories() == {"Redis is run by ops": 0.7}
    room.idle(4)
    assert room.memories() == {"Redis is run by ops": 0.7}
    room.idle(1)
    assert room.memories() == {"Redis is run by ops": 0.6}


def test_what_is_said_again_counts_as_a_reference_and_is_not_added_twice(room):
    room.hold(("ada", "Observation: the cache is cold"))
    before = room.kept()
    room.later()
    ended = room.hold(("ada", "Observation: The cache is cold!"))
    assert len(room.kept()) == len(before) == 1
    assert room.kept()[0][2] == pytest.approx(before[0][2] + 0.1)
    assert ended.agents["ada"]["added"] == []


@pytest.mark.requirement("S0-42")
def test_what_is_said_again_in_other_words_counts_as_a_reference(room):
    note = "Prefers glass over plastic for milk"
    poll = "The counter closes at six"
    room.give("ada", (note, 0.6), (poll, 0.6))
    room.later()
    said = "I still prefer glass over plastic for milk."
    room.hold(("ada", said), ("ada", f"Based on our earlier decision {poll.lower()}."))
    assert room.memories() == {note: 0.7, poll: 0.7}


@pytest.mark.requirement("S0-41")
def test_sessions_of_others_age_nothing(room):
    room.give("ada", ("Redis is run by ops", 0.8))
    room.idle(7, "ben", "noa")
    assert room.memories() == {"Redis is run by ops": 0.8}
    room.idle(4, "ada", "ben")
    assert room.memories() == {"Redis is run by ops": 0.8}
    room.idle(1, "ada")
    assert room.memories() == {"Redis is run by ops": 0.7}


@pytest.mark.requirement("S0-43")
def test_a_memory_is_not_decayed_in_its_own_session(room):
    room.settings("decay_sessions = 1")
    room.give("ada", ("Redis is run by ops", 0.5))
    assert room.memories() == {"Redis is run by ops": 0.5}


@pytest.mark.requirement("S0-43")
def test_the_steps_come_in_their_order(room):
    room.settings("decay_sessions = 1\ncap = 3\nfloor = 0.5")
    room.give("ada", ("boosted", 0.5), ("faint", 0.5), ("firm", 0.9))
    room.later().start(agents=["ada"])
    room.verbs.reference("ada", "boosted")
    room.verbs.remember("ada", type="context", content="fresh", confidence=0.55)
    room.verbs.remember("ada", type="context", content="late", confidence=0.5)
    room.verbs.end()

    assert room.memories() == {"boosted": 0.6, "firm": 0.8, "fresh": 0.55}
    [ended] = [one for one in room.events("session.ended") if one.log == "project"][1:]
    kinds = [one.kind for one in room.ledger.log() if one.data.get("start") == ended.data["start"]]
    kinds = [kind for kind in kinds if kind.startswith("memory.") and kind != "memory.proposed"]
    assert kinds[: kinds.index("memory.recorded")] == [
        *("memory.revised", "memory.decayed", "memory.decayed", "memory.pruned")
    ]
    assert kinds[kinds.index("memory.recorded") :] == [
        *("memory.recorded", "memory.recorded", "memory.pruned")
    ]


# Every automatic change can be explained and taken back


def last(room, kind):
    return room.events(kind)[-1]


@pytest.mark.requirement("U-13")
def test_a_decay_is_explained_and_undone_and_not_done_again_at_once(room):
    [added] = room.give("ada", ("Redis is run by ops", 0.8)).agents["ada"]["added"]
    room.idle(5)
    why = room.ledger.why(added["id"])
    assert any("decay" in one.rule or "decay" in one.says for one in why.rules)

    room.ledger.undo(last(room, "memory.decayed").id)

    assert room.memories() == {"Redis is run by ops": 0.8}
    room.idle(4)
    assert room.memories() == {"Redis is run by ops": 0.8}
    room.idle(1)
    assert room.memories() == {"Redis is run by ops": 0.7}


@pytest.mark.requirement("U-13")
def test_a_boost_is_explained_and_undone(room):
    [added] = room.give("ada", ("Redis is run by ops", 0.8)).agents["ada"]["added"]
    room.verbs.start(agents=["ada"])
    room.verbs.reference("ada", added["id"])
    room.verbs.end()
    assert room.memories() == {"Redis is run by ops": 0.9}
    assert any("referenced" in one.says for one in room.ledger.why(added["id"]).rules)

    room.ledger.undo(last(room, "memory.revised").id)

    assert room.memories() == {"Redis is run by ops": 0.8}
    assert room.state()["agent_sidecars"]["ada"]["memory_count"] == 1


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-13")
@pytest.mark.parametrize("way", ["undo", "restore"])
def test_a_pruned_memory_is_explained_and_comes_back_and_stays(room, way):
    room.settings("decay_sessions = 2")
    [added] = room.give("ada", ("Redis is run by ops", 0.5)).agents["ada"]["added"]
    room.idle(6)
    assert room.memories() == {}
    memory = room.ledger.show(added["id"])
    assert (memory.status, memory.reason) == ("pruned", "confidence 0.2 is below 0.3")
    assert any("below 0.3" in one.says for one in room.ledger.why(added["id"]).rules)

    if way == "undo":
        room.ledger.undo(last(room, "memory.pruned").id)
    else:
        room.ledger.restore(added["id"])

    assert room.memories() == {"Redis is run by ops": 0.2}
    room.idle(1)
    assert room.memories() == {"Redis is run by ops": 0.2}
    room.idle(1)
    assert room.memories() == {}


@pytest.mark.requirement("U-13")
def test_what_the_cap_took_comes_back(room):
    room.settings("cap = 2")
    room.give("ada", ("one", 0.9), ("two", 0.6), ("three", 0.8))
    assert list(room.memories()) == ["one", "three"]

    room.ledger.undo(last(room, "memory.pruned").id)

    assert list(room.memories()) == ["one", "two", "three"]


MOVED = (  # the same words: what is said, and the reverse
    ("The cache sits in front of the gateway", "The gateway sits in front of the cache"),
    ("Gate A is north of gate B", "Gate B is north of gate A"),
    ("The press is behind the store", "The store is behind the press"),
    ("The shop depends on the depot", "The depot depends on the shop"),
    ("The mill feeds the pond", "The pond feeds the mill"),
    ("Bake the bread before the cakes", "Bake the cakes before the bread"),
    ("Round 1 item 2 about clay", "Round 2 item 1 about clay"),
)
TURNED = (  # the same words: what is said, and the same in another order
    ("The shop is closed on Mondays", "On Mondays the shop is closed"),
    ("The office signs the build", "The build is signed by the office"),
    ("The till prints in cents and euros", "The till prints in euros and cents"),
    ("Ann is the editor of the guide", "The editor of the guide is Ann"),
)


@pytest.mark.requirement("S0-30", "S0-39")
@pytest.mark.parametrize(("older", "newer"), MOVED)
def test_the_same_words_in_places_that_matter_are_another_memory(room, older, newer):
    room.give("ada", (older, 0.8))
    room.give("ada", (newer, 0.8))
    assert room.memories() == {older: 0.8, newer: 0.8}


@pytest.mark.requirement("S0-30", "S0-39")
@pytest.mark.parametrize(("older", "newer"), TURNED)
def test_the_same_words_in_another_order_are_the_same_memory(room, older, newer):
    room.give("ada", (older, 0.8))
    room.give("ada", (newer, 0.8))
    assert room.memories() == {older: 0.9}


@pytest.mark.requirement("S0-41")
@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ("As Ada said last time, the barn is behind the mill.", "The barn is behind the mill"),
        ("As Ada said last time, the mill is behind the barn.", "The mill is behind the barn"),
        ("Remember, the mill is behind the barn.", "The mill is behind the barn"),
    ],
)
def test_a_citation_boosts_no_memory_of_the_same_words_in_other_places(room, said, cited):
    texts = ("The barn is behind the mill", "The mill is behind the barn")
    for text in texts:
        room.give("ada", (text, 0.8))
    room.later()
    room.hold(("ben", said))
    assert room.memories() == {text: 0.9 if text == cited else 0.8 for text in texts}


@pytest.mark.requirement("S0-41")
@pytest.mark.parametrize(
    ("agent", "said", "sure"),
    [
        ("ben", "As Ada said last time, the mill runs on river water.", 0.9),
        ("ben", "Ada's note about the mill and the river still holds.", 0.9),
        ("ada", "My note about the mill and the river still holds.", 0.9),
        ("ada", "And yes, my earlier remark about the river mill is still true.", 0.9),
        ("ben", "Remember, the mill runs on river water.", 0.9),
        ("ben", "As Noa said last time, the mill runs on river water.", 0.8),
        ("ada", "My note about the mill and the river no longer holds.", 0.8),
        ("ada", "My note about the oven and the door still holds.", 0.8),
        ("ben", "If Ada's note about the mill and the river still holds, we wait.", 0.8),
    ],
)
def test_a_memory_is_referenced_in_talk_by_its_agent_or_another(room, agent, said, sure):
    room.give("ada", ("The mill runs on river water", 0.8))
    room.later()
    room.hold((agent, said))
    assert room.memories()["The mill runs on river water"] == sure
