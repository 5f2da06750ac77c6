"""Whole talks as people hold them: what is collected from each, and nothing besides."""

from __future__ import annotations

import pytest

NAMES = ("ada", "ben", "noa")


def left(room, *turns):
    """Hold a party and return what it leaves in each sidecar, and who agreed with whom."""
    room.settings("per_session = 99")
    done = room.hold(*turns).agents
    bonds = {
        (agent, one["relation"], one["other"])
        for agent in NAMES
        for one in done[agent]["relations"]
    }
    return {agent: room.kept(agent) for agent in NAMES if room.kept(agent)}, bonds


OBJECTION = ("ben", "disagrees_with", "ada")


def for_all(*texts):
    """Return the decisions that everybody keeps."""
    return {agent: [("decision", text, 1.0) for text in texts] for agent in NAMES}


def test_a_talk_of_the_day_leaves_nothing(room):
    talk = (
        ("ada", "Morning. I finished the login page yesterday and started on the tests."),
        ("ben", "Nice! I am still blocked by the VPN, I think I will have it by noon."),
        ("noa", "We should maybe talk about the release date. I think Friday is fine."),
        ("ada", "I'd prefer to wait for the numbers. We need to talk because it is late."),
        ("ben", "That's settled, let's move on. We cannot use it. The contract forbids that."),
        ("noa", "Looks like you are tired. Looks like a typo. I'd rather not say."),
        ("ada", "We decided to do it. We agreed on that. We decided to postpone the decision."),
        ("ben", "Our decision is to be made tomorrow. We agreed to meet at noon. I prefer yours."),
        ("noa", "The story is limited to what we know. We cannot use that argument."),
        ("ada", "We need to keep talking because it matters. We must stop because of time."),
        ("ben", "The client demands a lot. We have to be honest because trust matters."),
    )
    assert left(room, *talk) == ({}, set())


@pytest.mark.requirement("S0-14")
def test_decisions_as_people_say_them(room):
    talk = (
        ("ada", "We decided to drop IE11."),
        ("ben", "So we decided: no more plugins."),
        ("noa", "OK, then it's settled: releases go out on Tuesdays."),
        ("ada", "We agreed to use feature flags."),
        ("ben", "The decision is to use gRPC between services."),
    )
    said = (
        "We decided to drop IE11",
        "we decided: no more plugins",
        "releases go out on Tuesdays",
        "We agreed to use feature flags",
        "The decision is to use gRPC between services",
    )
    assert left(room, *talk) == (for_all(*said), set())


@pytest.mark.requirement("S0-14")
def test_a_decision_that_is_said_and_put_on_record_is_one(room):
    talk = (
        ("ada", "So we have decided to use Redis for the sessions."),
        ("ada", "We have decided to use Redis for the queue."),
        {"text": "Redis for sessions"},
    )
    other = "We have decided to use Redis for the queue"
    assert left(room, *talk) == (for_all(other, "Redis for sessions"), set())


@pytest.mark.requirement("S0-14")
def test_decisions_of_another_day_and_of_nobody_are_none(room):
    talk = (
        ("ada", "We originally decided to use Oracle. We decided to use Perl back in 2009."),
        ("ben", "We agreed to disagree. We never decided to ship."),
        ("noa", "They decided to ship. We decided nothing. We decided that already."),
        ("ada", "Let's go with that. We could have decided to wait."),
    )
    assert left(room, *talk) == ({}, set())


@pytest.mark.requirement("S0-12")
def test_constraints_as_people_say_them(room):
    texts = (
        "We can't use Lambda because of the 15 minute limit",
        "The API only allows 100 requests per minute",
        "The client insists on hosting on its own premises",
        "We need to support Python 3.9 because the customer runs RHEL 8",
        "Our licence doesn't allow redistribution",
        "GDPR requires that we delete user records after 30 days",
        "It is not possible to run two writers on SQLite",
        "The budget is capped at 5000 euros a month",
    )
    found, bonds = left(room, *(("ada", f"{text}.") for text in texts))
    assert found == {"ada": [("context", text, 1.0) for text in texts]}
    assert bonds == set()


@pytest.mark.requirement("S0-12", "S0-13")
def test_one_long_turn_is_read_sentence_by_sentence(room):
    text = (
        "Here is how I see it. First, we must keep the audit log for ten years, because the "
        "regulator asks for it. Second, I tend to prefer one table. Third, maybe we could use S3. "
        "What do you think?"
    )
    found, _ = left(room, ("ada", text), ("noa", "As Ada said, we must keep it because of them."))
    kept = "we must keep the audit log for ten years, because the regulator asks for it"
    assert found == {
        "ada": [("context", kept, 1.0), ("preference", "I tend to prefer one table", 1.0)]
    }


@pytest.mark.requirement("S0-15")
def test_agreements_as_people_say_them(room):
    talk = (
        ("ada", "I agree with you, Ben, on the naming."),
        ("noa", "Totally agree with Ben."),
        ("ben", "Strongly disagree with Noa."),
        ("ben", "You would hardly agree with Ada."),
    )
    assert left(room, *talk) == (
        {},
        {
            ("ada", "agrees_with", "ben"),
            ("noa", "agrees_with", "ben"),
            ("ben", "disagrees_with", "noa"),
        },
    )


@pytest.mark.requirement("S0-11", "S0-23")
@pytest.mark.parametrize(
    "concession",
    [
        pytest.param("Fair point. OK.", id="fair-point"),
        pytest.param("Ok, fair enough.", id="fair-enough"),
        pytest.param("Point taken.", id="taken"),
    ],
)
def test_a_debate_without_names_and_set_phrases(room, concession):
    talk = (
        ("ada", "I suggest we cache responses in Redis."),
        ("ben", "I don't think that's a good idea. Redis is one more thing to run."),
        ("ada", "We already run Redis for the queue, so it costs nothing extra."),
        ("ben", concession),
    )
    won = "We already run Redis for the queue, so it costs nothing extra"
    bonds = {OBJECTION, ("ben", "agrees_with", "ada")}
    assert left(room, *talk) == ({"ada": [("observation", won, 0.8)]}, bonds)


@pytest.mark.requirement("S0-11")
def test_a_fair_point_that_is_argued_on_is_no_concession(room):
    talk = (
        ("ada", "I suggest we cache responses in Redis."),
        ("ben", "I disagree. Redis is one more thing to run."),
        ("ada", "We already run Redis for the queue, so it costs nothing extra."),
        ("ben", "Fair point. I still want less to run."),
    )
    assert left(room, *talk) == ({}, {OBJECTION, ("ben", "agrees_with", "ada")})


@pytest.mark.requirement("S0-11")
def test_an_answer_that_shares_no_word_with_the_proposal_is_part_of_the_debate(room):
    talk = (
        ("ada", "My proposal is to use Kafka for events."),
        ("ben", "That's a bad idea: we have 10 messages a day."),
        ("ada", "It will grow, because marketing wants tracking."),
        ("ben", "A queue table in Postgres costs nothing.", {"to": "ada"}),
        ("ada", "Fair enough, you win."),
    )
    won = "A queue table in Postgres costs nothing"
    bonds = {OBJECTION, ("ada", "agrees_with", "ben")}
    assert left(room, *talk) == ({"ben": [("observation", won, 0.8)]}, bonds)


@pytest.mark.requirement("S0-11", "S0-23")
def test_a_debate_that_a_record_settles_goes_to_the_last_argument(room):
    talk = (
        ("ada", "I propose we move to a monorepo."),
        ("ben", "I disagree, builds will take 40 minutes because everything is compiled."),
        ("ada", "Bazel caches compiled parts, so a change takes 3 minutes."),
        ("noa", "I disagree with the vendor, by the way."),
        {"text": "Move to a monorepo", "pro": ["ada"], "contra": ["ben"], "arbitrator": "noa"},
    )
    found, _ = left(room, *talk)
    won = ("observation", "Bazel caches compiled parts, so a change takes 3 minutes", 0.8)
    decision = ("decision", "Move to a monorepo", 1.0)
    assert found == {"ada": [won, decision], "ben": [decision], "noa": [decision]}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize(
    "said",
    [
        pytest.param("I disagree, {}.", id="comma"),
        pytest.param("I disagree, Ada, {}.", id="called"),
        pytest.param("Ada, I object because {}.", id="because"),
        pytest.param("I am against it: {}.", id="colon"),
    ],
)
def test_the_ground_is_kept_without_the_words_that_take_a_side(room, said):
    ground = "builds take 40 minutes since everything is compiled"
    talk = (
        ("ada", "I propose we move to a monorepo because imports are simpler."),
        ("ben", said.format(ground)),
        {"text": "Move to a monorepo", "outcome": "rejected"},
    )
    found, _ = left(room, *talk)
    assert found["ben"][0] == ("observation", ground, 0.8)


@pytest.mark.requirement("S0-11")
def test_a_winning_argument_that_states_a_constraint_is_an_observation_as_firm(room):
    talk = (
        ("ada", "I propose SQLite for the job queue because it is small."),
        ("ben", "I disagree, Ada. We cannot use SQLite because three hosts write at once."),
        ("ada", "You are right, Ben. I concede."),
    )
    found, _ = left(room, *talk)
    won = "We cannot use SQLite because three hosts write at once"
    assert found == {"ben": [("observation", won, 1.0)]}


@pytest.mark.requirement("S0-24", "S0-25")
def test_a_hunt_for_a_fault_leaves_what_was_seen_and_supposed(room):
    talk = (
        ("ada", "I noticed that the p95 doubles when the cache is cold."),
        ("ben", "Looks like the planner takes the wrong index."),
        ("noa", "We measured 340 ms on the staging box. I guess so."),
    )
    assert left(room, *talk)[0] == {
        "ada": [("observation", "I noticed that the p95 doubles when the cache is cold", 0.6)],
        "ben": [("observation", "Looks like the planner takes the wrong index", 0.5)],
        "noa": [("context", "We measured 340 ms on the staging box", 1.0)],
    }


@pytest.mark.requirement("S0-23", "S0-25")
@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("Someone on the forum said the API only allows 10 calls", 0.5),
        ("A guy at the market told me the bridge cannot carry trucks", 0.5),
        ("I read somewhere that the archive must keep records for a year", 0.5),
        ("My neighbour claims the road is limited to 3 tonnes", 0.5),
        ("The contract says we have to deliver by May", 1.0),
        ("The customer said we must support Firefox", 1.0),
    ],
)
def test_hearsay_is_no_stated_fact(room, said, sure):
    assert left(room, ("ada", f"{said}.")) == ({"ada": [("context", said, sure)]}, set())
