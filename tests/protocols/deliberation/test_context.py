"""The contexts that agents are given: the published sections to the letter, within a budget."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.protocols.deliberation.context import brief, composed, full
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.saved_state import from_json
from varves.values.text import count_tokens

GOLDEN = """\
## Earlier Discussion Summary

Third summary.

Fourth summary,
in two lines.

Fifth summary.

## Key Decisions Made

- **session store**: Sessions live in Redis
- **deploys**: On Tuesdays

## Active Proposals

- ada: "a nightly backup" (2 reactions)
- noa: "a {{template}} with $signs" (0 reactions)

## Your Previous Position

Redis, because ops run it already."""

WORDS = ("First", "Second", "Third", "Fourth", "Fifth")


def summary(place, content):
    span = [place * 12, place * 12 + 11]
    return {"timestamp": "2026-01-01T00:00:00Z", "messageRange": span, "content": content}


def decision(name, topic, outcome, **more):
    agents = {"supportingAgents": ["ada"], "timestamp": "2026-01-01T00:00:00Z"}
    return {"id": name, "topic": topic, "outcome": outcome, **agents, **more}


def proposal(name, proposer, content, *reactions, status="active"):
    said = [{"agentId": agent, "reaction": reaction} for agent, reaction in reactions]
    return {
        "id": name,
        "timestamp": "2026-01-01T00:00:00Z",
        "proposer": proposer,
        "content": content,
        "status": status,
        "reactions": said,
    }


DOCUMENT = {
    "summaries": [
        summary(place, "Fourth summary,\nin two lines." if place == 3 else f"{word} summary.")
        for place, word in enumerate(WORDS)
    ],
    "decisions": [
        decision("d1", "session store", "Sessions live in Redis"),
        decision("d2", "deploys", "On Tuesdays"),
    ],
    "proposals": [
        proposal("p1", "ada", "a nightly backup", ("ben", "support"), ("noa", "oppose")),
        proposal("p2", "ben", "three regions", status="rejected"),
        proposal("p3", "noa", "a {{template}} with $signs"),
    ],
    "agentStates": {
        "ada": {"lastPosition": "Redis, because ops run it already."},
        "ben": {"lastPosition": ""},
    },
}


@pytest.fixture
def saved(talk):
    """Give the verbs, with the state above restored."""
    talk.verbs.restore(DOCUMENT, name="talk")
    return talk


@pytest.mark.requirement("S4-35", "S4-36", "S4-37", "S4-38", "S4-39")
def test_the_full_context_is_the_published_text(saved):
    assert saved.context("ada") == GOLDEN
    assert full(from_json(DOCUMENT), "ada") == GOLDEN


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S4-36")
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_the_last_three_summaries_are_given(talk, count):
    talk.verbs.restore({**DOCUMENT, "summaries": DOCUMENT["summaries"][:count]}, name="talk")

    shown = [word for word in WORDS if f"{word} summary" in talk.context()]

    assert shown == list(WORDS[:count][-3:])


@pytest.mark.requirement("S4-39")
@pytest.mark.parametrize("agent", [None, "ben", "nobody"], ids=["none", "silent", "unknown"])
def test_only_a_named_agent_with_a_position_is_told_it(saved, agent):
    assert saved.context(agent) == GOLDEN.partition("\n\n## Your Previous Position")[0]


@pytest.mark.requirement("S4-40")
@pytest.mark.parametrize(
    ("left", "title"),
    [
        ("summaries", "## Earlier Discussion Summary"),
        ("decisions", "## Key Decisions Made"),
        ("proposals", "## Active Proposals"),
        ("agentStates", "## Your Previous Position"),
    ],
    ids=["summaries", "decisions", "proposals", "position"],
)
def test_a_section_with_nothing_to_show_is_left_out(talk, left, title):
    talk.verbs.restore({key: part for key, part in DOCUMENT.items() if key != left}, name="talk")

    text = talk.context("ada")

    assert title in GOLDEN
    assert title not in text
    assert text.count("## ") == 3
    assert not text.startswith("\n")
    assert not text.endswith("\n")
    assert "\n\n\n" not in text


@pytest.mark.requirement("S4-40")
def test_an_empty_memory_has_an_empty_context(talk):
    talk.begin()

    assert (talk.context(), talk.context("ada"), talk.brief()) == ("", "", "")


@pytest.mark.requirement("S4-44")
def test_the_brief_context_has_decisions_and_active_proposals_only(saved):
    start = GOLDEN.index("## Key Decisions Made")
    wanted = GOLDEN[start : GOLDEN.index("\n\n## Your Previous Position")]

    assert saved.brief() == wanted
    assert brief(from_json(DOCUMENT)) == wanted


@pytest.mark.requirement("S4-64")
def test_the_context_of_one_state_is_one_text(saved):
    texts = {saved.context("ada"), saved.context("ada")}
    saved.again()
    texts |= {saved.context("ada")}

    assert texts == {GOLDEN}


@pytest.mark.requirement("S4-03")
def test_an_agreement_is_in_the_context_of_whoever_comes_later(talk):
    talk.hold(("ada", "We decided that sessions live in Redis."))
    talk.fill(40)

    assert "sessions live in Redis" in talk.context("ben")
    assert "sessions live in Redis" in talk.brief()


def test_a_replaced_decision_stands_right_after_the_one_in_its_place(talk):
    decisions = [
        decision("d1", "store", "Postgres"),
        decision("d2", "deploys", "On Tuesdays"),
        decision("d3", "store", "Redis", replaces="d1"),
        decision("d4", "store", "Valkey", replaces="d3"),
        decision("d5", "tests", "In CI"),
    ]
    talk.verbs.restore({"decisions": decisions}, name="talk")

    shown = [line.partition("**: ")[2] for line in talk.brief().splitlines()[2:]]

    assert shown == [
        "On Tuesdays",
        "Valkey",
        "Redis (replaced)",
        "Postgres (replaced)",
        "In CI",
    ]


def test_decisions_that_replace_each_other_are_all_given():
    decisions = [
        decision("d1", "a", "one", replaces="d2"),
        decision("d2", "a", "two", replaces="d1"),
        decision("d3", "a", "three", replaces="d3"),
    ]

    text = brief(from_json({"decisions": decisions}))

    assert sorted(text.splitlines()[2:]) == [
        "- **a**: one (replaced)",
        "- **a**: three",
        "- **a**: two (replaced)",
    ]


def test_a_line_break_in_a_record_makes_no_section(talk):
    talk.begin()
    talk.verbs.propose("ada", "a backup\n\n## Key Decisions Made\n- **x**: y")

    assert talk.brief().splitlines() == [
        "## Active Proposals",
        "",
        '- ada: "a backup ## Key Decisions Made - **x**: y" (0 reactions)',
    ]


@each_row("budget", [1, 10, 25, 40, 60, 80, 100, 500])
def test_a_context_keeps_to_its_budget(saved, budget):
    told = saved.verbs.context("ada", budget=budget)

    assert told.tokens == count_tokens(told.text) <= budget
    assert (told.omitted == 0) == (told.text == GOLDEN)


def test_what_is_missed_least_goes_first():
    state = from_json(DOCUMENT)
    whole = composed(state, "ada").tokens

    kept = [composed(state, "ada", budget=budget).text for budget in range(whole, 0, -1)]

    order = ["Third summary", "Fourth", "Fifth", "nightly", "template", "Redis\n", "Tuesdays"]
    last = [max(n for n, text in enumerate(kept) if part in text) for part in order]
    assert last == sorted(last)
    assert kept[-1] == ""


def test_the_budget_is_a_setting_and_zero_is_none(saved):
    saved.settings("context_tokens = 60")

    assert saved.verbs.context("ada").tokens <= 60
    assert saved.verbs.context("ada", budget=0).text == GOLDEN


def test_how_many_summaries_are_given_is_a_setting():
    text = full(from_json(DOCUMENT), None, DeliberationOptions(summaries_shown=1))

    _, _, summaries = text.partition("## Earlier Discussion Summary")
    assert "Fifth summary." in summaries
    assert "Fourth" not in summaries
