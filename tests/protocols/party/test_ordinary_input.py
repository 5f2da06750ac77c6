"""What people say at a party in their own words is understood as the published rules mean it."""

from __future__ import annotations

import pytest

FOUR = ("ada", "ben", "noa", "kim")
PAIR = ("ada", "ben")


def kept_of_each(room, sentences):
    """Hold one party in which each sentence has a speaker of its own; return what each keeps."""
    speakers = [f"guest{number}" for number in range(len(sentences))]
    room.hold(*zip(speakers, sentences, strict=True), agents=speakers)
    return {said: room.kept(name) for said, name in zip(sentences, speakers, strict=True)}


# S0-11: debates and bystanders

CONCEDED = (
    ("ada", "I propose that we cache prices in Redis"),
    ("ben", "I disagree, the database is fast enough.", {"to": "ada"}),
    ("kim", "I agree with Noa that the office needs plants."),
    ("ada", "Redis answers in 2 ms because it keeps everything in memory.", {"to": "ben"}),
    ("noa", "I disagree with Kim about the lunch menu."),
    ("ben", "You are right, I concede.", {"to": "ada"}),
)
DECIDED = (
    ("ada", "I propose to move the build to GitHub Actions because the old server is full"),
    ("ben", "I don't think that is a good idea."),
    ("noa", "I agree with Kim about the release date."),
    ("ada", "Our last ten builds failed because the disk was full."),
    ("kim", "I disagree with Noa about the logo."),
    {"text": "Move the build to GitHub Actions", "pro": ["ada"], "contra": ["ben"]},
)


@pytest.mark.requirement("S0-11")
def test_a_won_debate_keeps_its_argument_while_others_talk_of_plants_and_lunch(room):
    room.hold(*CONCEDED, agents=FOUR)
    argument = "Redis answers in 2 ms because it keeps everything in memory"
    assert room.kept("ada") == [("observation", argument, 0.8)]
    assert [room.kept(name) for name in FOUR[1:]] == [[], [], []]


@pytest.mark.requirement("S0-11")
def test_a_debate_won_by_a_decision_keeps_its_argument_while_others_talk_of_the_logo(room):
    room.hold(*DECIDED, agents=FOUR)
    argument = "Our last ten builds failed because the disk was full"
    assert ("observation", argument, 0.8) in room.kept("ada")
    assert all("observation" not in {kind for kind, _, _ in room.kept(one)} for one in FOUR[1:])


@pytest.mark.requirement("S0-11")
def test_a_decision_is_won_by_whoever_was_for_it_and_lost_by_whoever_was_against(room):
    room.hold(*DECIDED, agents=FOUR)
    outcomes = {one: room.sidecar(one)["decision_history"][0]["outcome"] for one in PAIR}
    assert outcomes == {"ada": "won", "ben": "lost"}


@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize("bystander", ["noa", "kim"])
def test_a_bystander_neither_wins_nor_loses_a_decision(room, bystander):
    room.hold(*DECIDED, agents=FOUR)
    [entry] = room.sidecar(bystander)["decision_history"]
    assert entry["outcome"] not in ("won", "lost")


# S0-12: constraints

CONSTRAINTS = (
    "We must stay on Python 3.9 for legal reasons",
    "We have to keep invoices for ten years for legal reasons",
    "We must keep the old API because two partners call it",
    "We cannot use Google Fonts because of the privacy ruling",
)


@pytest.mark.requirement("S0-12")
def test_a_constraint_with_its_reason_becomes_a_context_memory(room):
    kept = kept_of_each(room, CONSTRAINTS)
    assert kept == {said: [("context", said, 1.0)] for said in CONSTRAINTS}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-12")
@pytest.mark.parametrize(
    "said",
    [
        "The shop has to support IE11",
        "The app has to support Android 9 and newer",
        "The checkout page has to work without JavaScript",
        "There is a hard limit of 512 MB per container",
        "The upload has a hard limit of 10 MB",
        "We have to stay on Java 8 for contractual reasons",
        "We are required by law to encrypt backups",
        "We are required to encrypt backups by law",
    ],
)
def test_has_to_a_hard_limit_and_the_law_become_context_memories(room, said):
    room.hold(("ada", said), agents=PAIR)
    assert room.kept("ada") == [("context", said, 1.0)]


# S0-14: decisions not to do something

POSITIVE = (
    "We decided to use Redis",
    "We agreed to ship on Mondays",
    "The decision is to host in Frankfurt",
)
NEGATIVE = (
    "We decided not to use Redis",
    "We decided against Redis",
    "We agreed not to ship on Fridays",
    "We have decided not to rewrite the login page",
    "We decided against a rewrite of the billing code",
)
REVERSED = {
    "We decided to use Redis": "We decided not to use Redis",
    "We decided to use Redis for sessions": "We decided against Redis for sessions",
    "We agreed to ship on Fridays": "We agreed not to ship on Fridays",
}


@pytest.mark.requirement("S0-14")
def test_a_decision_to_do_something_is_kept_by_everybody(room):
    room.hold(*(("ada", said) for said in POSITIVE), agents=PAIR)
    for name in PAIR:
        assert room.kept(name) == [("decision", said, 1.0) for said in POSITIVE]


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S0-14")
@pytest.mark.parametrize("said", NEGATIVE)
def test_a_decision_not_to_do_something_is_kept_by_everybody(room, said):
    room.hold(("ada", said), agents=PAIR)
    for name in PAIR:
        assert room.kept(name) == [("decision", said, 1.0)]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-14")
@pytest.mark.parametrize("before", REVERSED)
def test_a_reversed_decision_is_superseded_in_every_sidecar(room, before):
    room.hold(("ada", before), agents=PAIR)
    room.later()
    room.hold(("ben", REVERSED[before]), agents=PAIR)
    for name in PAIR:
        assert [text for _, text, _ in room.kept(name)] == [REVERSED[before]]


@pytest.mark.requirement("S0-14", "U-13")
def test_a_reversed_decision_is_superseded_for_those_who_missed_the_reversal(room):
    room.hold({"text": "Prices are shown with tax"}, agents=("ada", "ben", "noa"))
    room.later()
    ended = room.hold({"text": "Prices are no longer shown with tax"}, agents=("ada", "noa"))

    assert room.kept("ben") == []
    assert room.sidecar("ben")["sessions_participated"] == 1
    [gone] = ended.agents["ben"]["superseded"]
    assert gone["by_content"] == "Prices are no longer shown with tax"
    assert ended.agents["ben"]["memories"] == 0
    assert room.verbs.validate() == ()

    room.ledger.undo(gone["event"])
    assert [text for _, text, _ in room.kept("ben")] == ["Prices are shown with tax"]


@pytest.mark.requirement("S0-14")
def test_a_reversal_leaves_what_others_decided_elsewhere(room):
    room.hold({"text": "Prices are shown with tax"}, agents=("ada",))
    room.later()
    room.hold({"text": "Prices are shown with tax"}, agents=("ben",))
    room.later()
    room.hold({"text": "Prices are no longer shown with tax"}, agents=("ada",))
    assert [text for _, text, _ in room.kept("ben")] == ["Prices are shown with tax"]


@pytest.mark.requirement("S0-14")
def test_a_decision_that_is_reversed_in_the_same_party_is_kept_as_reversed(room):
    room.hold(("ada", "We decided to use Redis"), ("ben", "We decided not to use Redis"))
    assert [text for _, text, _ in room.kept("ada")] == ["We decided not to use Redis"]


@pytest.mark.requirement("S0-14")
def test_decisions_on_other_matters_stay(room):
    room.hold(("ada", "We decided to use Redis for sessions"), agents=PAIR)
    room.later()
    room.hold(("ben", "We decided not to use Redis for queues"), agents=PAIR)
    assert len(room.kept("ada")) == len(room.kept("ben")) == 2


@pytest.mark.requirement("S0-14", "S0-36")
@pytest.mark.parametrize(
    "said",
    [
        "As we decided earlier, the cache stays in memory.",
        "Have we decided on naming?",
        "Per our decision, the cache stays in memory.",
    ],
)
def test_citing_a_decision_makes_none(room, said):
    room.hold(("ada", said), agents=PAIR)
    assert [room.kept(one) for one in PAIR] == [[], []]
    assert not any(room.sidecar(one)["decision_history"] for one in PAIR if room.path(one).exists())


# S0-40: a memory that is said again


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-40")
@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("As I said before, the cache is cold on Mondays.", 0.7),
        ("Like I mentioned last time, the cache is cold on Mondays.", 0.7),
        ("I noticed the cache is cold on Mondays.", 0.7),
        ("From our last session: the cache is cold on Mondays.", 0.7),
        ("Last time we said the cache is cold on Mondays.", 0.7),
        ("In the previous party I noted that the cache is cold on Mondays.", 0.7),
        ("Remember that the cache is cold on Mondays, so the first request is slow.", 0.7),
        ("Based on my experience from previous sessions, the cache is cold on Mondays.", 0.7),
        ("Remember to buy a cold drink on Monday.", 0.6),
        ("Last time it was cold on Mondays.", 0.6),
        ("Do you remember that the cache is cold on Mondays?", 0.6),
        ("As I said before, the fridge is cold.", 0.6),
    ],
)
def test_a_memory_that_is_restated_or_cited_is_boosted(room, said, sure):
    text = "I noticed that the cache is cold on Mondays"
    room.hold(("ada", text), agents=PAIR)
    room.later()
    room.hold(("ada", said), agents=PAIR)
    assert room.memories("ada") == {text: sure}


@pytest.mark.requirement("S0-14", "S0-41")
def test_a_memory_that_is_cited_in_other_words_is_not_added_again(room):
    text = "We can't use GPL libraries in the mobile app"
    room.verbs.start(agents=PAIR)
    room.verbs.remember("ada", type="context", content=text, confidence=0.8)
    room.verbs.remember("ada", type="context", content="We can't use GPL fonts", confidence=0.8)
    room.verbs.end()
    room.later()
    room.hold(("ada", "From our last session: we can't use GPL code in the mobile app."))
    room.later()
    room.hold(("ada", "Last time we decided that we can't use GPL libraries in the app."))
    assert room.memories("ada") == {text: 1.0, "We can't use GPL fonts": 0.8}
    assert room.sidecar("ada")["decision_history"] == []


# S0-15: relations to two at once


def relations_after(room, said):
    """Say something twice, as two turns, and return the speaker's relations."""
    room.hold(("ben", said), ("ben", said), agents=("ada", "ben", "noa"))
    return room.sidecar("ben")["relationships"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-15")
@pytest.mark.parametrize(
    ("said", "relation"),
    [
        ("I disagree with both Ada and Noa", "disagrees_with"),
        ("I disagree with Ada and Noa on this.", "disagrees_with"),
        ("I agree with both Ada and Noa, caching is enough.", "agrees_with"),
        ("I agree with Ada and with Noa.", "agrees_with"),
        ("I don't agree with either Ada or Noa.", "disagrees_with"),
    ],
)
def test_agreeing_or_disagreeing_with_two_agents_counts_both(room, said, relation):
    relations = relations_after(room, said)
    assert relations.pop(relation) == ["ada", "noa"]
    assert not any(relations.values())
    assert room.kept("ben") == []


# S0-36: spoken decisions


@pytest.mark.requirement("S0-36")
def test_a_decision_record_enters_the_history_of_everybody(room):
    room.hold({"text": "We ship on Friday", "pro": ["ada"]}, agents=PAIR)
    assert [len(room.sidecar(one)["decision_history"]) for one in PAIR] == [1, 1]


@pytest.mark.requirement("S0-36")
@pytest.mark.parametrize(
    "said",
    [
        "Decision: we ship on Friday.",
        "We decided to drop Internet Explorer.",
        "The decision is to host in Frankfurt.",
    ],
)
def test_a_decision_that_was_only_spoken_enters_the_history(room, said):
    room.hold(("ada", said), agents=PAIR)
    assert [len(room.sidecar(one)["decision_history"]) for one in PAIR] == [1, 1]


# Debates and constraints in other words

ANSWERED = (
    ("ada", "I propose that we store invoices in S3."),
    ("ben", "I don't like that, our auditors need them on premises.", {"to": "ada"}),
    ("ada", "The auditors accepted S3 last year because it is in Frankfurt.", {"to": "ben"}),
    ("ben", "OK, you have convinced me.", {"to": "ada"}),
)


@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize("addressed", [True, False])
def test_an_objection_in_plain_words_opens_a_debate_that_can_be_won(room, addressed):
    turns = ANSWERED if addressed else [turn[:2] for turn in ANSWERED[:3]] + [ANSWERED[3]]
    room.hold(*turns, agents=("ada", "ben", "noa"))
    argument = "The auditors accepted S3 last year because it is in Frankfurt"
    assert room.kept("ada") == [("observation", argument, 0.8)]
    assert [room.kept(one) for one in ("ben", "noa")] == [[], []]


@pytest.mark.requirement("S0-11")
def test_an_objection_to_something_else_is_no_part_of_the_debate(room):
    room.hold(
        ("ada", "I propose that we store invoices in S3."),
        ("noa", "I had lunch with Kim."),
        ("ben", "I don't like the new coffee.", {"to": "noa"}),
        ("ada", "S3 costs half because we pay only for what we store."),
        ("ben", "You have convinced me.", {"to": "noa"}),
        agents=FOUR,
    )
    assert room.kept("ada") == []


@pytest.mark.requirement("S0-12")
@pytest.mark.parametrize(
    "said",
    [
        "We can only use PostgreSQL 12 because the hosting company offers nothing newer",
        "We may only store data in the EU because of the contract",
    ],
)
def test_what_may_only_be_used_is_a_constraint(room, said):
    room.hold(("ada", said), agents=PAIR)
    assert room.kept("ada") == [("context", said, 1.0)]


# U-13: what happens to memories by itself


@pytest.mark.requirement("U-13", "S0-14")
def test_a_supersession_names_both_texts_and_the_event_that_undoes_it(room):
    room.hold(("ada", "We decided to use RabbitMQ for jobs"), agents=PAIR)
    room.later()
    ended = room.hold(("ben", "We decided against RabbitMQ for jobs"), agents=PAIR)
    for name in PAIR:
        [one] = ended.agents[name]["superseded"]
        assert one["content"] == "We decided to use RabbitMQ for jobs"
        assert one["by_content"] == "We decided against RabbitMQ for jobs"
        room.ledger.undo(one["event"])
        assert [text for _, text, _ in room.kept(name)] == [one["content"], one["by_content"]]


@pytest.mark.requirement("U-13", "S0-31")
def test_a_pruned_memory_is_named_with_the_event_that_undoes_it(room):
    room.settings("cap = 1")
    room.hold(("ada", "I prefer small pull requests"), agents=PAIR)
    room.later()
    ended = room.hold(("ada", "I prefer short functions"), agents=PAIR)
    [one] = ended.agents["ada"]["pruned"]
    assert (one["content"], one["reason"]) == (
        "I prefer small pull requests",
        "more than 1 memories",
    )
    room.ledger.undo(one["event"])
    assert ("preference", one["content"], 1.0) in room.kept("ada")


@pytest.mark.requirement("S0-11")
def test_a_proposal_that_is_asked_opens_a_debate(room):
    room.hold(
        ("ada", "How about we bill customers per seat?"),
        ("ben", "I don't think that works, small teams would leave.", {"to": "ada"}),
        ("ada", "The pilot raised revenue by 12% because large teams pay more.", {"to": "ben"}),
        ("ben", "Fair enough, you're right.", {"to": "ada"}),
        agents=("ada", "ben", "noa"),
    )
    argument = "The pilot raised revenue by 12% because large teams pay more"
    assert room.kept("ada") == [("observation", argument, 0.8)]
    assert [room.kept(one) for one in ("ben", "noa")] == [[], []]


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S0-12", "S0-13", "S0-14")
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Our payment provider doesn't support Swiss francs", "context"),
        ("The server only has 2 GB of RAM", "context"),
        ("My favourite approach is trunk-based development", "preference"),
        ("I'd choose Kotlin over Java any day", "preference"),
        ("It's decided then, refunds take five days", "decision"),
    ],
)
def test_what_people_say_in_other_words_is_kept(room, said, kind):
    room.hold(("ada", said), agents=PAIR)
    assert room.kept("ada") == [(kind, said, 1.0)]


@pytest.mark.requirement("S0-15")
@pytest.mark.parametrize(
    ("said", "relation"),
    [
        ("Ada's point about the francs is right.", "agrees_with"),
        ("Ada's estimate of the cost is wrong.", "disagrees_with"),
    ],
)
def test_siding_with_or_against_somebodys_point_counts(room, said, relation):
    assert relations_after(room, said)[relation] == ["ada"]


@pytest.mark.requirement("S0-11")
def test_a_measurement_in_words_and_a_conclusion_are_reasons(room):
    room.hold(
        ("ada", "I suggest we render the tiles on the server."),
        ("ben", "I disagree, clients are fast enough these days."),
        ("ada", "Phones need four seconds for one tile, so the server is the better place."),
        ("ben", "I stand corrected."),
        agents=("ada", "ben", "noa"),
    )
    argument = "Phones need four seconds for one tile, so the server is the better place"
    assert room.kept("ada") == [("observation", argument, 0.8)]
