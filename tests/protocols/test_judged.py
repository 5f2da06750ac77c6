"""A protocol names what its new record contradicts, in the words of `remember`."""

from __future__ import annotations

import pytest

DECIDE = ("layers", "append", "--scope", "project", "--title", "A title", "--why", "a reason")
FACT = ("hivemind", "write", "--type", "factual", "--content")


def relations(done):
    return [(one["relation"], one["id"], one["memory"]) for one in done.json["conflicts"]]


@pytest.fixture
def party(varves):
    """Hold one party in which bob remembers some things; return the answer to its end."""

    def hold(*texts, said=()):
        varves("party", "start", "--agents", "bob,alice", "--topic", "work")
        about = ("--type", "observation", "--confidence", "1.0")
        for text in texts:
            varves("party", "remember", "bob", "--content", text, *about)
        for text in said:
            varves("party", "decide", text, "--pro", "bob", "--contra", "alice")
        return varves("party", "end", "--json")

    return hold


def test_a_decision_of_the_log_is_compared_with_what_is_remembered(project, varves):
    old = varves("remember", "The API listens on port 8080", "--json").json["id"]
    varves("layers", "init")
    what = ("--type", "decision", "--what", "The API listens on port 9090")
    done = varves(*DECIDE, *what, "--json")
    [name] = done.json["ids"]
    assert relations(done) == [("contradiction", old, name)]
    assert f"varves: {name} contradicts {old}: " in done.err
    [conflict] = varves("conflicts", "--json").json["conflicts"]
    assert f"({conflict['id']}: varves conflicts)" in done.err
    assert conflict["id"] == done.json["conflicts"][0]["conflict"]


def test_a_change_in_the_log_is_news_and_contradicts_nothing(project, varves):
    varves("layers", "init")
    varves(*DECIDE, "--type", "change", "--what", "The timeout is 30 seconds")
    done = varves(*DECIDE, "--type", "change", "--what", "The timeout is 60 seconds", "--json")
    assert done.json["conflicts"] == []
    assert not varves("conflicts", "--json").json["conflicts"]


def test_the_reason_and_the_title_of_a_decision_are_not_compared(project, varves):
    varves("remember", "The API listens on port 8080")
    varves("layers", "init")
    about = ("--type", "decision", "--what", "Requests are logged as JSON")
    words = ("--impact", "The API listens on port 9090 while it is tested")
    assert varves(*DECIDE, *about, *words, "--json").json["conflicts"] == []


def test_the_end_of_a_party_names_what_a_sidecar_contradicts(project, varves, party):
    [old] = party("Alice owns billing").json["agents"]["bob"]["added"]
    done = party("Bob owns billing")
    [new] = done.json["agents"]["bob"]["added"]
    assert relations(done) == [("contradiction", old["id"], new["id"])]
    assert f"{new['id']} contradicts {old['id']}: two values" in done.err


def test_what_a_party_reverses_or_says_again_is_no_conflict(project, party):
    party("Redis is run by ops", said=["We deploy on Fridays"])
    done = party("Redis is run by ops", said=["We never deploy on Fridays"])
    assert done.json["conflicts"] == []
    assert not done.err


def test_a_decision_of_a_conversation_names_the_current_one_it_contradicts(project, varves):
    varves("deliberation", "new", "talk", "--agents", "x,y")

    def decide(topic, port):
        text = f"The worker listens on port {port}"
        return varves("deliberation", "decide", topic, text, "--agent", "y", "--json")

    decide("port", 7070)
    later = decide("port", 7071)
    assert later.json["conflicts"] == []  # it replaces the first
    beside = decide("the listening address", 7072)
    name, current = beside.json["id"], later.json["id"]
    assert relations(beside) == [("contradiction", current, name)]
    assert f"{name} contradicts {current}" in beside.err
    seen = varves("conflicts", "--session", "talk", "--json").json["conflicts"]
    assert [{one["id"] for one in found["members"]} for found in seen] == [{name, current}]


def test_two_proposals_may_differ(project, varves):
    varves("deliberation", "new", "talk", "--agents", "x,y")
    varves("deliberation", "propose", "x", "The API listens on port 8080")
    varves("deliberation", "propose", "y", "The API listens on port 9090")
    assert not varves("conflicts", "--session", "talk", "--json").json["conflicts"]


def test_hivemind_names_only_what_its_rules_leave_to_a_person(project, varves):
    first = varves(*FACT, "The cache lives in Redis", "--tag", "cache", "--json").json["id"]
    done = varves(*FACT, "The cache lives in Memcached", "--tag", "cache", "--json")
    assert done.json["changes"][0]["memory"] == first
    assert done.json["conflicts"] == []
    about = ("--tag", "cache", "--agent", "DEV-002", "--json")
    other = varves(*FACT, "The cache lives in Hazelcast", *about)
    assert relations(other) == [("contradiction", done.json["id"], other.json["id"])]
    [conflict] = varves("conflicts", "--json").json["conflicts"]
    assert conflict["id"] == other.json["conflicts"][0]["conflict"]


def test_a_failing_judge_fails_no_verb(project, varves, monkeypatch):
    def fails(*_):
        raise RuntimeError

    varves("remember", "The API listens on port 8080")
    varves("layers", "init")
    monkeypatch.setattr("varves.conflicts.arrivals.keys_of", fails)
    what = ("--type", "decision", "--what", "The API listens on port 9090")
    done = varves(*DECIDE, *what, "--json")
    assert done.code == 0
    assert done.json["conflicts"] == []
