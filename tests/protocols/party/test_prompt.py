"""The facilitator's line: offered where memories bear on the topic, with those memories cited."""

from __future__ import annotations

import pytest

from tests.tables import each_row

LINE = "{}, based on your experience from previous sessions..."


@pytest.fixture
def informed(room):
    """Give a project where ada knows something of caches, and ben nothing at all."""
    folder = room.root / "_mdan" / "_config"
    folder.mkdir(parents=True)
    rows = "name,displayName\nada,Ada Lovelace\n"
    (folder / "agent-manifest.csv").write_text(rows, encoding="utf-8")
    room.hold(
        ("ada", "I noticed that the cache is cold on Mondays."),
        ("ada", "We cannot use Redis because its licence changed."),
        ("ada", "I prefer one cache for Redis and for the café menu."),
        agents=["ada", "ben"],
    )
    return room


def offered(informed, topic, agent="ada"):
    answer = informed.verbs.prompt(agent, topic=topic)
    return answer.text, [one["content"] for one in answer.memories]


@pytest.mark.requirement("S0-44")
def test_a_topic_the_agent_knows_is_worth_the_line(informed):
    text, cited = offered(informed, "Redis licences")
    assert text == LINE.format("Ada Lovelace")
    assert cited == [
        "We cannot use Redis because its licence changed",
        "I prefer one cache for Redis and for the café menu",
    ]


@pytest.mark.requirement("S0-44", "S0-45")
@each_row(
    ("topic", "count"),
    [
        pytest.param("caching", 2, id="another-form"),
        pytest.param("CACHES", 2, id="upper-case"),
        pytest.param("the cafe", 1, id="without-accent"),
        pytest.param("which licence do we need", 1, id="question"),
    ],
)
def test_words_are_compared_by_stem_without_case_and_accents(informed, topic, count):
    text, cited = offered(informed, topic)
    assert text == LINE.format("Ada Lovelace")
    assert len(cited) == count


@pytest.mark.requirement("S0-45")
@each_row(
    "topic",
    [
        pytest.param("the colour of the door", id="unrelated"),
        pytest.param("we cannot use it because of the one", id="common-words"),
        pytest.param("what do you prefer", id="words-of-every-talk"),
        pytest.param("the category of cachalots", id="same-beginning"),
        pytest.param("is a", id="no-word"),
    ],
)
def test_an_unrelated_topic_gets_no_line(informed, topic):
    assert offered(informed, topic) == ("", [])


@pytest.mark.requirement("S0-44", "S0-45")
@each_row(
    ("topic", "count"),
    [
        ("open questions about the roadmap", 0),
        ("ten reasons to hire", 0),
        ("minutes of the last meeting", 0),
        ("the longest day of the year", 0),
        ("10 things about the stage", 0),
        ("alarms", 1),
        ("the cold chain", 1),
        ("how many minutes may it stay open", 1),
    ],
)
def test_a_word_that_fits_any_topic_is_not_enough(room, topic, count):
    room.give("ada", ("The cold store alarms when the door stays open for ten minutes", 1.0))
    room.give("ada", ("A delivery takes 10 days", 1.0))
    assert len(offered(room, topic)[1]) == count


@pytest.mark.requirement("S0-44", "S0-45")
@each_row(
    ("topic", "cited"),
    [
        ("opening on Sunday", ["The bakery opens on Mondays"]),
        ("opening hours", ["The bakery opens on Mondays"]),
        ("payment terms", ["Guests pay by card only"]),
        ("late deliveries", ["Flour shipments arrive late"]),
        ("authentication", ["The login page times out after 5 minutes"]),
        ("billing", ["Invoices go out by post", "Guests pay by card only"]),
        ("four new people arrive", []),
        ("the room for the meeting", []),
        ("page layout", []),
        ("paying attention", []),
        ("the drying room", ["The drying room is closed at night"]),
    ],
)
def test_other_words_for_it_count_and_the_verb_or_half_a_compound_alone_does_not(
    room, topic, cited
):
    for text in (
        "The bakery opens on Mondays",
        "Guests pay by card only",
        "Flour shipments arrive late",
        "The login page times out after 5 minutes",
        "Invoices go out by post",
        "The drying room is closed at night",
    ):
        room.give("ada", (text, 1.0))
    assert offered(room, topic)[1] == cited


@pytest.mark.requirement("S0-45")
def test_an_agent_without_memories_gets_no_line(informed):
    assert offered(informed, "Redis", agent="ben") == ("", [])


@pytest.mark.requirement("S0-44")
def test_each_citation_names_a_memory(informed):
    answer = informed.verbs.prompt("ada", topic="Mondays")
    [one] = answer.memories
    assert informed.ledger.show(one["id"]).text == one["content"]
    assert (one["type"], one["confidence"]) == ("observation", 0.6)


@pytest.mark.requirement("S0-44", "S0-45")
def test_the_command_prints_the_line_and_what_it_rests_on_or_nothing(informed, varves):
    informed.close()
    answer = varves("party", "prompt", "ada", "--topic", "Mondays")
    first, second = answer.out.splitlines()
    assert first == LINE.format("Ada Lovelace")
    assert second.endswith("  I noticed that the cache is cold on Mondays")
    silent = varves("party", "prompt", "ada", "--topic", "the colour of the door")
    assert (silent.code, silent.out) == (0, "")
