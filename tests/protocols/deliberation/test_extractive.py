from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.deliberation.runners import LIMIT, Buses, message
from tests.tables import each_row
from varves.protocols.deliberation.extractive import extract
from varves.protocols.deliberation.state import ConversationDecision, State

TALK = (
    ("ada", "Hello all. Nice weather today! The release train leaves on Friday."),
    ("ben", "Before we start: thanks for coming."),
    ("cid", "The cache is the reason why the release is late, and the cache has no owner."),
    ("ada", "Who could own the cache?"),
    ("ben", "I can own the cache after the release, if somebody takes the release notes."),
    ("cid", "ok"),
    ("ada", "Then the cache has an owner.\n\n```\nrelease cache release cache owner\n```"),
    ("ben", "> the cache has no owner\n\nThat quote is out of date."),
    (
        "cid",
        "The release needs the cache fixed before Friday, see [the notes](https://example.org/x).",
    ),
    ("ada", "Friday it is."),
    ("ben", "Shall we ship the release without the cache if the fix is late?"),
)
MESSAGES = [message(agent, text, id=f"m-{n}") for n, (agent, text) in enumerate(TALK)]


@pytest.mark.requirement("S4-21")
def test_sentences_about_what_all_talk_of_are_chosen_not_the_first_ones(buses: Buses):
    bus = buses.open(summary_interval=len(TALK), summary_words=55)
    for agent, text in TALK:
        bus.add_message(message(agent, text))
    assert bus.drain(LIMIT)
    lines = bus.memory.state.summaries[0].content.splitlines()
    assert lines[0] == "Key points raised:"
    assert not any("Hello" in line or "weather" in line for line in lines)
    assert "[cid] The release needs the cache fixed before Friday, see the notes." in lines
    assert lines[-2:] == [
        "Open questions:",
        "[ben] Shall we ship the release without the cache if the fix is late?",
    ]


@pytest.mark.parametrize("words", [15, 40, 80, 200])
def test_a_summary_keeps_to_its_words_and_quotes_to_the_letter(words):
    text = extract(MESSAGES, State(), words=words)
    assert len(text.split()) <= words
    said = " ".join(" ".join(text.split()) for _, text in TALK)
    said = said.replace("[the notes](https://example.org/x)", "the notes")
    told = [line.partition("] ")[2] for line in text.splitlines() if line.startswith("[")]
    places = [said.index(one) for one in told]
    assert places == sorted(places)
    assert extract(MESSAGES, State(), words=words) == text


def test_code_and_quotations_are_not_told():
    text = extract(MESSAGES, State(), words=200)
    assert "release cache release" not in text
    assert "> " not in text
    assert "https" not in text


def test_decisions_of_the_chunk_stand_under_their_own_heading():
    made = ConversationDecision(
        id="d-1",
        timestamp="",
        topic="cache",
        outcome="Ben owns\nthe cache",
        supporting_agents=("ben",),
        message="m-4",
    )
    other = made.replace(id="d-2", topic="weather", message="m-99")
    text = extract(MESSAGES, State(decisions=(made, other)), words=100)
    assert "Decisions made:\n- cache: Ben owns the cache\n" in text
    assert "- weather" not in text
    assert text.endswith(
        "Open questions:\n[ben] Shall we ship the release without the cache if the fix is late?"
    )


def test_the_same_sentence_is_told_once_but_its_denial_is_told_too():
    says = ["We should cache the sessions in Redis.", "We should not cache the sessions in Redis."]
    text = extract([message("ada", says[n % 2]) for n in range(6)], State(), words=200)
    assert text.splitlines()[1:] == [f"[ada] {one}" for one in says]


@each_row("content", ["ok", "+1", "```\ncode\n```", "👍", "…"])
def test_a_summary_of_short_messages_names_the_speakers(content):
    messages = [message(agent, content) for agent in ("ada", "ben", "ada")]
    assert extract(messages, State(), words=200) == "3 short messages: ada ben"


@each_row(
    "content",
    [
        "word " * 1_000_000,
        "a" * 5_000_000,
        "One sentence of many words here. " * 100_000,
        "`" * 100_000,
        "[" * 100_000,
    ],
)
def test_five_megabytes_are_summarised_too(content):
    text = extract([message("ada", content), *MESSAGES], State(), words=200)
    assert len(text.split()) <= 200


@given(
    st.lists(st.tuples(st.text(max_size=8), st.text(max_size=200)), min_size=1, max_size=12),
    st.integers(12, 200),
)
def test_any_text_is_summarised_within_its_words(talk, words):
    messages = [message(agent, text) for agent, text in talk]
    text = extract(messages, State(), words=words)
    assert text.strip()
    assert len(text.split()) <= words


PARTY = (
    ("ada", "Where should we hold the summer party this year?"),
    ("ben", "The boat house has room for eighty people and costs 400 euros."),
    ("eve", "Let's consider the botanical garden, it is close to the station."),
    ("noa", "Great idea, my kids would love it."),
    ("tom", "I don't think we should, it closes at eight."),
    ("ben", "The boat house has room for eighty people, and costs 400 euros!"),
    ("ada", "Does the garden allow barbecues?"),
    ("liz", "The band needs power. Can someone pass me the coffee?"),
    ("ada", "When does the bus leave?"),
    ("tom", "At nine."),
    ("ben", "The boat house has room for eighty people and costs 400 euros."),
    ("ada", "We decided to book the boat house."),
)


def parts_of(content):
    """Return the lines of a summary by heading."""
    found = {}
    for line in content.splitlines():
        if line.endswith(":") and not line.startswith(("[", "-")):
            lines = found.setdefault(line, [])
        else:
            lines.append(line)
    return found


@pytest.mark.requirement("S4-21")
def test_an_ordinary_discussion_fills_every_heading_and_tells_nothing_twice(buses: Buses):
    bus = buses.open(summary_interval=len(PARTY))
    for agent, text in PARTY:
        bus.add_message(message(agent, text))
    assert bus.drain(LIMIT)
    parts = parts_of(bus.memory.state.summaries[0].content)

    assert parts["Agreements reached:"] == [
        '- noa: Great idea, my kids would love it. (on "botanical garden" by eve)'
    ]
    assert parts["Disagreements noted:"] == [
        '- tom: I don\'t think we should, it closes at eight. (on "botanical garden" by eve)'
    ]
    assert parts["Decisions made:"] == ["- boat house: to book the boat house"]
    assert parts["Open questions:"] == [
        "[ada] Where should we hold the summer party this year?",
        "[ada] Does the garden allow barbecues?",
    ]
    points = parts["Key points raised:"]
    assert sum("eighty people" in line for line in points) == 1
    assert not any("decided" in line or "coffee" in line or "Great idea" in line for line in points)


def test_a_summary_does_not_repeat_what_the_last_ones_say(buses: Buses):
    bus = buses.open(summary_interval=3)
    for number in range(3):
        bus.add_message(message("ada", "The boat house has room for eighty people."))
        bus.add_message(message("ben", f"Invitation letter number {number} was printed on paper."))
        bus.add_message(message("eve", f"Guest list number {number} was sent to the printer."))
    assert bus.drain(LIMIT)
    contents = [one.content for one in bus.memory.state.summaries]
    assert ["eighty people" in one for one in contents] == [True, False, False]


def test_a_decision_that_another_replaced_is_marked(buses: Buses):
    bus = buses.open(summary_interval=2)
    bus.add_message(message("ada", "We decided to move the release to May."))
    bus.add_message(message("ben", "We decided to move the release to June."))
    assert bus.drain(LIMIT)
    assert (
        "- release: to move the release to May (replaced)" in bus.memory.state.summaries[0].content
    )


def test_each_objection_is_under_the_disagreements(buses: Buses):
    bus = buses.open(summary_interval=6)
    objections = {
        "ada": "I disagree with the freeze, the tax fix must go out on Friday.",
        "eve": "I have a problem with the idempotency keys: mobile cannot send headers.",
        "noa": "Won't work for requests over the old gateway, it drops the keys.",
    }
    bus.add_message(message("dev", "I propose idempotency keys on every POST to the payments API"))
    bus.add_message(message("ben", "Let's consider a feature freeze till Monday."))
    for agent, text in objections.items():
        bus.add_message(message(agent, text))
    bus.add_message(message("dev", "The gateway is from 2015."))
    assert bus.drain(LIMIT)
    _, _, noted = bus.memory.state.summaries[0].content.partition("Disagreements noted:")
    for agent, text in objections.items():
        assert f"- {agent}: {text}" in noted


def test_a_verb_without_its_subject_is_about_the_open_proposal(buses: Buses):
    bus = buses.open()
    bus.add_message(message("leo", "I propose we strip the BOM in the upload handler"))
    for agent, text in (
        ("maya", "Won't work for files over SFTP, they arrive elsewhere."),
        ("ben", "Does not scale to large archives."),
        ("eve", "The printer won't work for my badge."),
    ):
        bus.add_message(message(agent, text))
    assert bus.drain(LIMIT)
    reactions = bus.memory.state.proposals[0].reactions
    assert [(one.agent_id, one.reaction) for one in reactions] == [
        ("maya", "oppose"),
        ("ben", "oppose"),
    ]


def test_an_earlier_objection_keeps_what_it_is_about(buses: Buses):
    bus = buses.open(summary_interval=3)
    bus.add_message(message("ada", "I propose a feature freeze till Monday."))
    bus.add_message(message("dev", "I propose idempotency keys on every POST."))
    bus.add_message(message("ben", "I disagree with the freeze, the tax fix is due on Friday."))
    for number, place in enumerate(
        ["Berlin", "Paris", "Rome", "Oslo", "Cork", "Kiel", "Bonn", "Lyon", "Nice"], 2
    ):
        bus.add_message(message("eve", f"Build {number} took {number * 3} minutes in {place}."))
    assert bus.drain(LIMIT)
    earlier = bus.get_memory_context("ada").split("## Earlier Discussion Summary")[0].splitlines()
    assert [line for line in earlier if "freeze" in line and "ada" not in line[:8]] == [
        "- ben: I disagree with the freeze, the tax fix is due on Friday."
        ' (on "feature freeze" by ada)'
    ]
