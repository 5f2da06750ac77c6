"""All agents at a glance: how sure each memory was after each session, and who agrees with whom."""

from __future__ import annotations

from varves.values.value import plain


def course(one) -> list[tuple[int, float]]:
    return [(point.session, point.confidence) for point in one.course]


def by_content(agent) -> dict[str, object]:
    return {one.content: one for one in agent.courses}


def test_nobody_is_listed_before_the_first_party(room, varves):
    assert room.verbs.list() == ()
    said = varves("party", "list")
    assert (said.code, said.out) == (0, "")
    assert "no agent" in said.err


def test_a_memory_loses_confidence_while_nobody_needs_it_and_gains_by_use(room):
    room.give("ada", ("Redis is run by ops", 0.8), ("The API is versioned", 0.7))
    [held] = [one for one in room.verbs.show("ada").memories if "Redis" in one["content"]]
    room.idle(5)
    verbs = room.later()
    verbs.start(agents=("ada",))
    verbs.reference("ada", held["id"])
    verbs.end()
    [ada] = room.verbs.list()
    assert (ada.agent, ada.sessions, ada.memories) == ("ada", 7, 2)
    used, idle = by_content(ada)["Redis is run by ops"], by_content(ada)["The API is versioned"]
    assert course(used) == [(1, 0.8), (6, 0.7), (7, 0.8)]
    assert [point.why for point in used.course] == ["recorded", "idle", "used"]
    assert course(idle)[:2] == [(1, 0.7), (6, 0.6)]
    assert (used.status, used.last, used.confidence) == ("active", 7, 0.8)


def test_a_memory_that_was_pruned_says_when_and_why(room):
    room.give("ada", ("The build is slow", 0.5))
    room.idle(15)
    [ada] = room.verbs.list()
    [one] = ada.courses
    assert ada.memories == 0
    assert one.status != "active"
    assert "below 0.3" in one.reason
    assert one.last == one.course[-1].session
    assert one.course[-1].confidence < ada.floor


def test_relationships_have_the_number_of_times_they_were_seen(room):
    room.hold(
        ("ada", "We should cache the list."),
        ("ben", "I agree with ada.", {"to": "ada"}),
        ("ada", "And the detail page too."),
        ("ben", "I agree with ada.", {"to": "ada"}),
    )
    ben = next(one for one in room.verbs.list() if one.agent == "ben")
    [bond] = ben.relationships
    assert (bond.relation, bond.agent, bond.count) == ("agrees_with", "ada", 2)


def test_the_past_is_listed_as_it_was(room, varves):
    room.give("ada", ("Redis is run by ops", 0.8))
    before = room.now
    room.later(0.5)
    room.idle(5)
    [then] = room.verbs.list(as_of=before)
    assert (then.sessions, course(then.courses[0])) == (1, [(1, 0.8)])
    [now] = varves("party", "list", "--json").json["agents"]
    assert now["sessions"] == 6
    assert [point["confidence"] for point in now["courses"][0]["course"]] == [0.8, 0.7]
    [said] = varves("--as-of", before, "party", "list", "--json").json["agents"]
    assert said == plain(then)


def test_the_list_is_short_on_a_terminal(room, varves):
    room.give("ada", ("Redis is run by ops", 0.8))
    assert varves("party", "list").out == "ada  1 session, 1 memory\n"
