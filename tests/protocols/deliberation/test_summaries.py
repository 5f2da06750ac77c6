from __future__ import annotations

from pathlib import Path

import pytest

import varves
from tests.figures import full_size
from tests.protocols.deliberation.runners import (
    LIMIT,
    Buses,
    Runner,
    fill,
    gather,
    message,
    ranges,
    tiles,
)
from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.deliberation.summaries import shortened
from varves.protocols.runner import ModelAnswer

GOLDEN = Path(__file__).parent / "golden"
LONG = " ".join(f"Sentence {n} says something of its own here now." for n in range(40))


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-12")
def test_a_summary_is_made_every_twelve_messages(buses: Buses):
    bus = buses.open()
    counts = {}
    for count in (11, 12, 24, 25):
        fill(bus, count - bus.get_memory_stats().total_messages)
        assert bus.drain(LIMIT)
        counts[count] = bus.get_memory_stats().summary_count
    assert counts == {11: 0, 12: 1, 24: 2, 25: 2}
    assert ranges(bus) == [(0, 11), (12, 23)]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-13")
def test_the_interval_is_a_setting(buses: Buses):
    bus = buses.open(summary_interval=5)
    made = {}
    for count in range(1, 12):
        fill(bus, 1)
        assert bus.drain(LIMIT)
        made[count] = bus.get_memory_stats().summary_count
    assert [count for count, held in made.items() if held > made.get(count - 1, 0)] == [5, 10]
    assert ranges(bus) == [(0, 4), (5, 9)]


def test_an_interval_that_was_changed_leaves_no_gap():
    state = varves.ConversationMemory({"summary_interval": 12})
    with varves.MessageBus(state) as bus:
        fill(bus, 14)
    later = varves.ConversationMemory({"summary_interval": 5})
    later.restore(state.get_state())
    with varves.MessageBus(later) as bus:
        fill(bus, 7)
        assert bus.drain(LIMIT)
        assert ranges(bus) == [(0, 11), (12, 14), (15, 19)]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-14")
def test_a_failed_summary_is_made_at_the_next_trigger_and_its_chunk_is_not_lost(buses: Buses):
    runner = Runner(OSError("no line"), "The first twelve.", "The second twelve.")
    bus = buses.open(runner)
    failed = []
    bus.subscribe("message:new", lambda _: failed.append(len(bus.failures)))
    fill(bus, 23)
    assert bus.messages[-1].index == 22
    fill(bus, 1)
    assert bus.drain(LIMIT)
    assert ranges(bus) == [(0, 11), (12, 23)]
    assert [one.content for one in bus.memory.state.summaries] == [
        "The first twelve.",
        "The second twelve.",
    ]
    assert [(one.part, one.error) for one in bus.failures] == [("summary 0-11", "OSError: no line")]


@pytest.mark.requirement("S4-14")
def test_a_chunk_stays_due_until_a_runner_works_and_after_three_failures_is_extracted(buses: Buses):
    runner = Runner(OSError("no line"))
    bus = buses.open(runner, summary_interval=4)
    fill(bus, 4)
    assert bus.drain(LIMIT)  # once by the trigger, once more here
    assert (len(runner.queries), ranges(bus)) == (2, [])
    assert bus.drain(LIMIT)
    assert (len(runner.queries), ranges(bus)) == (3, [(0, 3)])
    (made,) = bus.memory.state.summaries
    assert made.by == "extractive"
    assert made.content.startswith("Key points raised:\n[ada] The build")
    assert [one.error for one in bus.failures] == ["OSError: no line"] * 3


@pytest.mark.requirement("S4-15")
@pytest.mark.requirement("S4-16")
def test_the_prompt_is_the_published_one(buses: Buses):
    runner = Runner()
    bus = buses.open(runner, summary_interval=3)
    bus.add_message(message("ada", "The cache is slow."))
    bus.add_message(message("ben", "How slow?\nDo we have numbers?"))
    bus.add_message(message("ada", "40 ms at the median. {braces} stay."))
    assert bus.drain(LIMIT)
    assert [one["prompt"] for one in runner.queries] == [golden("summary_prompt.txt")]
    lines = runner.queries[0]["prompt"].splitlines()
    assert [line for line in lines if line.startswith("- ")] == [
        "- Key points raised",
        "- Agreements reached",
        "- Disagreements noted",
        "- Decisions made",
        "- Open questions",
    ]


@pytest.mark.requirement("S4-17")
def test_a_long_answer_is_cut_at_a_sentences_end_and_marked(buses: Buses):
    assert len(LONG.split()) == 360
    runner = Runner(LONG)
    bus = buses.open(runner)
    fill(bus, 12)
    assert bus.drain(LIMIT)
    assert "Keep it under 200 words." in runner.queries[0]["prompt"]
    kept = bus.memory.state.summaries[0].content
    assert len(kept.split()) <= 200
    assert kept.endswith("here now. […]")
    assert LONG.startswith(kept.removesuffix(" […]"))


@each_row(
    ("text", "words", "kept"),
    [
        pytest.param("One two three.", 3, "One two three.", id="just-fits"),
        pytest.param("One two. Three four five.", 4, "One two. […]", id="sentence"),
        pytest.param("- one two\n- three four\n- five", 6, "- one two […]", id="lines"),
        pytest.param("one two three four", 3, "one two […]", id="no-end"),
        pytest.param('He said "no." Then more came.', 5, 'He said "no." […]', id="quotation"),
        pytest.param("one two three", 1, "one […]", id="no-room"),
        pytest.param("  padded.  ", 9, "padded.", id="blanks"),
    ],
)
def test_what_a_cut_leaves(text: str, words: int, kept: str):
    assert shortened(text, words) == kept


def test_an_answer_that_the_model_broke_off_ends_with_its_last_whole_sentence():
    runner = Runner(
        ModelAnswer(response="They met. They spoke of the", truncated=True, model="m-1")
    )
    with varves.MessageBus(runner=runner, options={"summary_interval": 2}) as bus:
        fill(bus, 2)
        assert bus.drain(LIMIT)
        (kept,) = bus.memory.state.summaries
    assert kept.content == "They met. […]"
    assert kept.by == "m-1"


@pytest.mark.requirement("S4-18")
@pytest.mark.requirement("S4-19")
def test_a_fast_cheap_model_is_asked_with_the_published_system_prompt(buses: Buses):
    runner = Runner()
    bus = buses.open(runner)
    fill(bus, 12)
    assert bus.drain(LIMIT)
    (asked,) = runner.queries
    assert asked["system_prompt"] == "You summarize discussions concisely."
    assert asked["model"] == "haiku"
    assert bus.memory.state.summaries[0].by == "haiku"


@pytest.mark.requirement("S4-19")
def test_the_model_of_summaries_is_a_setting(buses: Buses):
    runner = Runner()
    bus = buses.open(runner, summary_model="tiny-1")
    fill(bus, 12)
    assert bus.drain(LIMIT)
    assert runner.queries[0]["model"] == "tiny-1"


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S4-20")
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("They met.", id="text"),
        pytest.param({"response": "They met."}, id="mapping"),
        pytest.param(ModelAnswer(response="They met."), id="answer"),
    ],
)
def test_any_object_with_query_and_evaluate_is_a_runner(buses: Buses, answer):
    runner = Runner(answer, says={"respond": True})
    bus = buses.open(runner, summary_interval=2)
    fill(bus, 2)
    assert bus.drain(LIMIT)
    assert [one.content for one in bus.memory.state.summaries] == ["They met."]
    persona = varves.Persona(id="eve", name="Eve", system_prompt="You are Eve.")
    listener = varves.AgentListener(persona, bus, runner)
    assert listener.evaluate_reaction(bus.messages[-1]) == {"respond": True}
    assert listener.generate_response() == "They met."


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("", id="empty"),
        pytest.param(None, id="nothing"),
        pytest.param({"response": "x", "success": False}, id="failed"),
        pytest.param(ModelAnswer(response="x", success=False), id="failed-answer"),
    ],
)
def test_an_answer_without_a_text_is_a_failure(answer):
    runner = Runner(answer, "Better.")
    with varves.MessageBus(runner=runner, options={"summary_interval": 2}) as bus:
        fill(bus, 2)
        assert bus.drain(LIMIT)
        assert [one.content for one in bus.memory.state.summaries] == ["Better."]
        assert [one.part for one in bus.failures] == ["summary 0-1"]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-21")
def test_without_a_runner_the_same_messages_give_the_same_summary(buses: Buses):
    texts = []
    for _ in range(2):
        bus = buses.open(summary_interval=6)
        fill(bus, 6, text="Redis number {} keeps the sessions of all our users.")
        assert bus.drain(LIMIT)
        (made,) = bus.memory.state.summaries
        texts.append(made.content)
        assert made.by == "extractive"
    assert texts[0] == texts[1]
    assert "[ben] Redis number 1 keeps the sessions of all our users." in texts[0]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-06", "S4-56")
def test_ranges_count_from_the_first_message_ever_and_leave_no_gap(buses: Buses):
    runner = Runner(lambda asked: f"Of {asked['prompt'].count('[ada]') * 2}.")
    bus = buses.open(runner, keep_summaries=60)
    heard = gather(bus, "summary:new")
    count = 600 if full_size() or buses.home == "alone" else 36
    fill(bus, count)
    assert bus.drain(LIMIT)
    assert [one.index for one in bus.messages] == list(range(count))[-500:]
    assert bus.get_memory_stats().total_messages == count
    found = [one.message_range for one in heard]
    assert tiles(found, count, 12)
    assert ranges(bus) == found
    assert (found[0], found[-1]) == ((0, 11), (count - 12, count - 1))
    assert {one.content for one in heard} == {"Of 12."}


@pytest.mark.requirement("S4-63")
def test_the_bounds_of_a_memory_alone_are_kept_to_the_letter():
    with varves.MessageBus() as bus:
        fill(bus, 451)
        assert [one.index for one in bus.messages] == list(range(451))
        fill(bus, 50)
        assert [one.index for one in bus.messages] == list(range(1, 501))
    memory = varves.ConversationMemory({"keep_decisions": 50, "keep_proposals": 30})
    for number in range(1, 53):
        said = f"We decided on 'topic {number}': outcome {number}. I propose plan number {number}."
        memory.process_message(varves.Message(agent_id="ada", content=said))
        state = memory.state
        assert (len(state.decisions), len(state.proposals)) == (min(number, 50), min(number, 30))
    assert [one.topic for one in state.decisions] == [f"topic {n}" for n in range(3, 53)]
    assert [one.content for one in state.proposals] == [f"plan number {n}" for n in range(23, 53)]


def test_the_rest_is_summarised_when_asked_for():
    with varves.MessageBus() as bus:
        fill(bus, 15, text="Redis number {} keeps the sessions of all our users.")
        assert bus.drain(LIMIT)
        (made,) = bus.memory.summarise(rest=True)
        assert made.message_range == (12, 14)
        assert bus.memory.summarise(rest=True) == ()
        fill(bus, 9)
        assert bus.drain(LIMIT)
        assert ranges(bus) == [(0, 11), (12, 14), (15, 23)]


def test_a_setting_nobody_knows_is_refused():
    with pytest.raises(UsageError, match="has no option"):
        varves.ConversationMemory({"summary_intervall": 5})


@pytest.mark.parametrize("interval", [0, -1, "12", True])
def test_an_interval_is_a_number_above_zero(interval):
    with pytest.raises(UsageError, match="summary_interval"):
        varves.ConversationMemory({"summary_interval": interval})
