"""What is collected from the talk without anybody asking, and what is not."""

from __future__ import annotations

import pytest

from varves.protocols.party.talk import TalkFinding

NAMES = ("ada", "ben", "noa")


def left_by(room, texts):
    """Return what turns of ada's, all in one party, leave in each sidecar."""
    room.settings("per_session = 99")
    room.hold(*(("ada", text) for text in texts))
    return {agent: room.kept(agent) for agent in NAMES if room.kept(agent)}


def kept(room, text, **options):
    """Return what one turn of ada's leaves in each sidecar."""
    room.hold(("ada", text, options))
    return {agent: room.kept(agent) for agent in NAMES if room.kept(agent)}


@pytest.mark.requirement("S0-12")
def test_a_constraint_of_the_project_becomes_context(room):
    texts = [
        "We cannot use Redis because its licence changed.",
        "We can't use Mongo because its licence changed.",
        "Well, we must not store names since the law changed.",
        "We are not allowed to deploy on Fridays.",
        "The contract requires hosting in Europe.",
        "Our budget rules out a second cluster.",
        "We have to keep Python 3.9 because the client runs it.",
        "Constraint: at most 512 MB of memory.",
    ]
    said = [text.removeprefix("Well, ").removeprefix("Constraint: ") for text in texts]
    expected = [("context", text.removesuffix("."), 1.0) for text in said]
    assert left_by(room, texts) == {"ada": expected}


@pytest.mark.requirement("S0-12")
def test_what_only_looks_like_a_constraint_is_nothing(room):
    texts = [
        "Can we not use Redis because its licence changed?",
        "If we cannot use Redis because of the law, we stop.",
        "We could not use Redis because it was down.",
        "Noa says we cannot use Redis because it is slow.",
        'Noa wrote "we cannot use Redis because it is slow".',
        'The sign reads "We cannot use Redis because it is slow".',
        "> We cannot use Redis because it is slow.",
        "Noa: We cannot use Redis because it is slow.",
        "```\nWe cannot use Redis because it is slow.\n```",
        "We cannot agree because nobody measured it.",
        "It is a myth that we cannot use Redis because it is slow.",
        "We can use Redis because its licence is fine.",
    ]
    assert left_by(room, texts) == {}


@pytest.mark.requirement("S0-13")
def test_a_clear_preference_becomes_one(room):
    texts = [
        "I prefer tabs",
        "I'd really prefer one store",
        "I would rather keep the monolith",
        "My preference is SQLite",
        "I like Rust better than Go",
        "I prefer not to use globals",
    ]
    assert left_by(room, texts) == {"ada": [("preference", text, 1.0) for text in texts]}


@pytest.mark.requirement("S0-13")
def test_what_is_no_clear_preference_is_nothing(room):
    texts = [
        "Do I prefer tabs?",
        "I prefer tabs?",
        "I do not prefer tabs",
        "I used to prefer tabs",
        "I preferred tabs",
        "I would prefer tabs if I had to choose",
        "Noa prefers tabs",
        "Ben said 'I prefer tabs'",
        "I have no preference",
        "I like it",
        "I prefer",
    ]
    assert left_by(room, texts) == {}


@pytest.mark.requirement("S0-14", "S0-22")
def test_a_decision_is_remembered_by_everybody(room):
    room.hold({"text": "Sessions live in Redis.", "pro": ["ada"], "contra": ["ben"]})
    for agent in NAMES:
        assert room.kept(agent) == [("decision", "Sessions live in Redis", 1.0)]


@pytest.mark.requirement("S0-14")
@pytest.mark.parametrize(
    ("outcome", "content"),
    [
        pytest.param("rejected", "Rejected: Sessions live in Redis", id="rejected"),
        pytest.param("compromise", "Compromise: Sessions live in Redis", id="compromise"),
    ],
)
def test_a_decision_is_remembered_with_its_outcome(room, outcome, content):
    room.hold({"text": "Sessions live in Redis", "outcome": outcome})
    assert room.kept("noa") == [("decision", content, 1.0)]


@pytest.mark.requirement("S0-14")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param("Decision: we ship on Friday.", "we ship on Friday", id="label"),
        pytest.param(
            "We have decided to ship on Friday.", "We have decided to ship on Friday", id="now"
        ),
    ],
)
def test_a_decision_that_is_said_is_everybodys(room, text, content):
    assert kept(room, text) == {agent: [("decision", content, 1.0)] for agent in NAMES}


@pytest.mark.requirement("S0-14")
def test_what_is_no_decision_of_here_and_now_is_nothing(room):
    texts = [
        "We decided it last year in an ad-hoc way.",
        "We have not decided to ship.",
        "Have we decided to ship?",
        "Decision: none.",
        "Ben said we have decided to ship.",
        "I think we have decided to ship.",
    ]
    assert left_by(room, texts) == {}


@pytest.mark.requirement("S0-22")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param("Fact: the API allows 100 calls.", "the API allows 100 calls", id="label"),
        pytest.param("We measured 40 ms at most.", "We measured 40 ms at most", id="measured"),
        pytest.param("I verified that it works.", "I verified that it works", id="verified"),
    ],
)
def test_a_stated_fact_is_certain(room, text, content):
    assert kept(room, text) == {"ada": [("context", content, 1.0)]}


@pytest.mark.requirement("S0-24")
def test_an_observation_scores_0_6(room):
    texts = [
        "I noticed that the cache is cold on Mondays",
        "It turns out the index was never used",
        "We found that every third call fails",
    ]
    assert left_by(room, texts) == {"ada": [("observation", text, 0.6) for text in texts]}


@pytest.mark.requirement("S0-25")
def test_an_inference_scores_0_5(room):
    texts = [
        "I assume the traffic doubles in May",
        "Presumably the vendor throttles us",
        "This suggests that the index is stale",
    ]
    assert left_by(room, texts) == {"ada": [("observation", text, 0.5) for text in texts]}


@pytest.mark.requirement("S0-25")
def test_a_constraint_that_is_only_thought_is_an_assumption(room):
    text = "I think we cannot use Redis because its licence changed"
    assert kept(room, text) == {"ada": [("context", text, 0.5)]}


@pytest.mark.requirement("S0-24", "S0-25")
def test_plain_talk_is_nothing(room):
    texts = [
        "I see that you are busy",
        "I assume so",
        "Probably just a typo",
        "I have not verified that it works",
        "It turned out well",
        "Redis is an in-memory store",
        "They noticed that it fails",
        "Did we find that it fails?",
    ]
    assert left_by(room, texts) == {}


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S0-22", "S0-24", "S0-25")
@pytest.mark.parametrize(
    ("given", "kind", "sure"),
    [
        pytest.param("fact", "context", 1.0, id="fact"),
        pytest.param("constraint", "context", 1.0, id="constraint"),
        pytest.param("preference", "preference", 1.0, id="preference"),
        pytest.param("observation", "observation", 0.6, id="observation"),
        pytest.param("inference", "observation", 0.5, id="inference"),
    ],
)
def test_a_turns_type_is_taken_at_its_word(room, given, kind, sure):
    text = "Redis is an in-memory store"
    assert kept(room, text, type=given) == {"ada": [(kind, text, sure)]}


@pytest.mark.requirement("S0-22", "S0-24")
def test_the_ladder_is_settable(room):
    room.settings("stated = 0.9\nobserved = 0.7")
    room.hold(("ada", "I prefer tabs. I noticed that the cache is cold."))
    assert [sure for *_, sure in room.kept("ada")] == [0.9, 0.7]


@pytest.mark.requirement("S0-16")
def test_a_transcript_alone_leaves_what_an_explicit_call_would(room):
    room.hold(("ada", "Good morning. I prefer one store! What do you think?"))
    collected = room.sidecar("ada")["memories"]
    room.verbs.start(agents=["ben"])
    told = {"type": "preference", "content": "I prefer one store!", "confidence": 1.0}
    room.verbs.remember("ben", **told)
    room.verbs.end()
    assert room.sidecar("ben")["memories"] == collected
    assert collected == [{**told, "source_session": "2026-01-01"}]
    kinds = {event.kind for event in room.ledger.log() if event.data.get("speaker") == "ada"}
    assert kinds == {"memory.recorded"}


@pytest.mark.requirement("S0-16")
def test_another_detector_takes_the_place_of_the_rules(room):
    def shouting(talk):
        return [
            TalkFinding(
                agent=turn.agent,
                type="observation",
                text=turn.text,
                confidence=0.9,
                turns=(turn.event,),
                rule="shouting",
            )
            for turn in talk.turns
            if turn.text.isupper()
        ]

    room.verbs.detect = shouting
    room.hold(("ada", "I prefer tabs"), ("ben", "THE DISK IS FULL"))
    assert room.kept("ada") == []
    assert room.kept("ben") == [("observation", "THE DISK IS FULL", 0.9)]


@pytest.mark.requirement("S0-16")
def test_a_detector_that_fails_leaves_it_to_the_rules(room):
    def broken(talk):
        raise RuntimeError(talk.session)

    room.verbs.detect = broken
    room.hold(("ada", "I prefer tabs"))
    assert room.kept("ada") == [("preference", "I prefer tabs", 1.0)]
    assert any("rules" in note for note in room.verbs.core.notes)


@pytest.mark.requirement("S0-18")
def test_what_is_too_long_is_cut_at_a_word_and_kept_whole(room):
    text = "I prefer " + " ".join(f"reason{number:03}" for number in range(29))
    assert len(text) == 298
    [added] = room.hold(("ada", text)).agents["ada"]["added"]
    [(_, content, _)] = room.kept("ada")
    assert len(content) <= 100
    assert content.endswith("…")
    assert text.startswith(content[:-1] + " ")  # nothing of a word is cut off
    assert room.ledger.show(added["id"]).text == text


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-18")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param("x" * 100, "x" * 100, id="100"),
        pytest.param("x" * 101, "x" * 99 + "…", id="one-long-word"),
        pytest.param("x" * 99 + " y", "x" * 99 + "…", id="space-at-the-limit"),
        pytest.param("x" * 60 + ", " + "y" * 60, "x" * 60 + "…", id="comma"),
    ],
)
def test_the_cut_is_the_longest_that_fits(room, text, content):
    assert kept(room, text, type="fact") == {"ada": [("context", content, 1.0)]}


@pytest.mark.requirement("S0-18")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param(
            "I prefer that the labels on the jars for the customers in the mountain villages are"
            " printed in large black letters and never handwritten",
            "I prefer that the labels on the jars … are printed in large black letters and never"
            " handwritten",
            id="details-of-the-subject",
        ),
        pytest.param(
            "I prefer that the second pump, which the former owner of the mill bought from a dealer"
            " in Graz, is used for the pond",
            "I prefer that the second pump is used for the pond",
            id="aside",
        ),
        pytest.param(
            "I prefer that visitors without a badge from the office on the ground floor of the main"
            " building are met at the gate",
            "I prefer that visitors without a badge from the office on the ground floor … are met"
            " at the gate",
            id="limits-stay",
        ),
        pytest.param(
            "I prefer that the lift (max 4 people) at the back of the hall near the door to the"
            " garden is used for goods only",
            "I prefer that the lift (max 4 people) at the back of the hall near the door … is used"
            " for goods only",
            id="limits-in-brackets-stay",
        ),
    ],
)
def test_what_is_too_long_loses_details_before_its_end(room, text, content):
    [added] = room.hold(("ada", f"{text}.")).agents["ada"]["added"]
    assert room.kept("ada") == [("preference", content, 1.0)]
    assert room.ledger.show(added["id"]).text == text


def test_what_is_said_twice_in_a_party_is_kept_once(room):
    room.hold(("ada", "I prefer tabs"), ("ada", "And I prefer  TABS!"))
    assert [content for _, content, _ in room.kept("ada")] == ["I prefer TABS!"]


def test_a_memory_that_is_given_twice_is_kept_once_and_that_is_said(room):
    room.verbs.start(agents=["ada"])
    for _ in range(3):
        room.verbs.remember("ada", type="context", content="The lift is out", confidence=0.9)
    done = room.verbs.end().agents["ada"]
    assert [one["content"] for one in done["added"]] == ["The lift is out"]
    assert [one["reason"] for one in done["dropped"]] == ["said twice"] * 2


def test_a_label_is_not_part_of_what_is_kept(room):
    room.hold(
        ("ada", "For the record, the lift holds 8 people."), ("ben", "It's settled: we walk.")
    )
    assert [text for _, text, _ in room.kept()] == ["the lift holds 8 people", "we walk"]


def test_the_same_talk_always_gives_the_same(room):
    talk = [("ada", "I prefer tabs. I agree with Noa."), ("noa", "We measured 40 ms.")]
    first = room.hold(*talk)
    second = room.hold(*talk)
    assert [len(one.agents["ada"]["added"]) for one in (first, second)] == [1, 0]
    assert room.kept("noa") == [("context", "We measured 40 ms", 1.0)]


def test_a_sentence_without_end_is_nothing(room):
    assert left_by(room, ["I prefer tabs" + " and tabs" * 200, "I prefer spaces"]) == {
        "ada": [("preference", "I prefer spaces", 1.0)]
    }
