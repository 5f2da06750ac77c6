from __future__ import annotations

from pathlib import Path

import pytest

import varves
from tests.protocols.deliberation.runners import LIMIT, Buses, Held, Runner, fill, message
from tests.tables import each_row
from varves.protocols.runner import Evaluation

GOLDEN = Path(__file__).parent / "golden"
TALK = (
    ("ada", "Message one."),
    ("ada", "Message two."),
    ("ada", "Message three."),
    ("ben", "I propose we measure it first."),
    ("cid", "We agreed to use Redis for the cache."),
    ("ada", "Message six."),
)
BEN = varves.Persona(id="ben", name="Ben", system_prompt="You are Ben, who measures.\nBe brief.")
DORA = varves.Persona(id="dora", name="Dora", system_prompt="You are Dora.")
EVE = varves.Persona(id="eve", name="Eve", system_prompt="You are Eve.")


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8").rstrip("\n")


def held(buses: Buses):
    bus = buses.open()
    for agent, text in TALK:
        bus.add_message(message(agent, text))
    return bus


@pytest.mark.requirement("S4-45")
def test_the_question_whether_to_speak_is_the_published_one(buses: Buses):
    bus = held(buses)
    runner = Runner()
    varves.AgentListener(DORA, bus, runner).evaluate_reaction(bus.messages[-1])
    assert runner.evaluations == [golden("evaluate_prompt.txt")]


def test_where_nothing_was_decided_the_question_begins_with_the_rule(buses: Buses):
    bus = buses.open()
    fill(bus, 1)
    runner = Runner()
    varves.AgentListener(DORA, bus, runner).evaluate_reaction(bus.messages[-1])
    assert runner.evaluations[0].startswith("---\nRecent messages:\n[ada]: ")


@pytest.mark.requirement("S4-46")
def test_what_the_runner_says_to_the_question_is_returned(buses: Buses):
    bus = held(buses)
    result = Evaluation(respond=True, reason="asked by name")
    runner = Runner(says=result)
    listener = varves.AgentListener(DORA, bus, runner)
    assert listener.evaluate_reaction(bus.messages[-1]) is result
    assert len(runner.evaluations) == 1
    assert runner.evaluations[0].endswith("Should Dora respond?")
    assert runner.queries == []


@pytest.mark.requirement("S4-47")
def test_an_answer_is_asked_for_with_the_persona_and_its_full_context(buses: Buses):
    bus = held(buses)
    runner = Runner("Let me measure.")
    assert varves.AgentListener(BEN, bus, runner).generate_response() == "Let me measure."
    assert [one["system_prompt"] for one in runner.queries] == [golden("response_system.txt")]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-48")
def test_the_last_fifteen_messages_are_the_prompt(buses: Buses):
    bus = buses.open()
    fill(bus, 20, text="Message {}.")
    runner = Runner()
    varves.AgentListener(BEN, bus, runner).generate_response()
    expected = [f"[{('ada', 'ben')[n % 2]}]: Message {n}." for n in range(5, 20)]
    assert runner.queries[0]["prompt"] == "\n\n".join(expected)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-46")
@each_row(
    ("says", "answers"),
    [
        pytest.param(True, True, id="yes"),
        pytest.param(False, False, id="no"),
        pytest.param(Evaluation(respond=True), True, id="evaluation"),
        pytest.param({"shouldRespond": True}, True, id="mapping"),
        pytest.param({"respond": False}, False, id="mapping-no"),
        pytest.param("yes", False, id="no-sense"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_a_listener_answers_once_if_its_evaluation_says_so(buses: Buses, says, answers):
    bus = buses.open()
    runner = Runner("I have a view.", says=says)
    with varves.AgentListener(DORA, bus, runner):
        asked = bus.add_message(message("ada", "Who has a view?"))
        assert bus.drain(LIMIT)
    said = [(one.agent_id, one.content, one.reply_to) for one in bus.messages[1:]]
    assert said == ([("dora", "I have a view.", asked.id)] if answers else [])
    assert len(runner.evaluations) == 1  # its own message is not judged
    assert bus.failures == ()


def test_listeners_answer_each_other_only_so_often_until_somebody_else_speaks():
    with varves.MessageBus() as bus:
        talkative = Runner("And another thing.", says=True)
        listeners = [
            varves.AgentListener(who, bus, talkative, max_replies=4) for who in (DORA, EVE)
        ]
        for one in listeners:
            one.start()
            one.start()
        for round_ in (1, 2):
            bus.add_message(message("ada", "Go on."))
            assert bus.drain(LIMIT)
            said = [one.agent_id for one in bus.messages]
            assert len(said) == 5 * round_
            assert said.count("ada") == round_
            assert {"dora", "eve"} <= set(said)
        for one in listeners:
            one.stop()
            one.stop()
        bus.add_message(message("ada", "Go on."))
        assert bus.drain(LIMIT)
        assert len(bus.messages) == 11


def test_a_failing_runner_is_noted_and_the_word_it_did_not_say_is_not_counted():
    with varves.MessageBus() as bus:
        runner = Runner(OSError("no line"), OSError("no line"), "Here I am.", says=True)
        silent = varves.AgentListener(EVE, bus, Runner())
        with silent, varves.AgentListener(DORA, bus, runner, max_replies=1):
            for agent in ("ada", "eve", "eve"):  # a listener's own words give no floor back
                bus.add_message(message(agent, "Dora?"))
                assert bus.drain(LIMIT)
        assert [one.agent_id for one in bus.messages] == ["ada", "eve", "eve", "dora"]
        assert [one.error for one in bus.failures] == ["OSError: no line"] * 2
        assert all(one.part.startswith("subscriber AgentListener") for one in bus.failures)


def test_a_runner_that_cannot_judge_stops_nobody():
    def broken(_: str):
        raise OSError("no line")

    with varves.MessageBus() as bus:
        with (
            varves.AgentListener(DORA, bus, Runner(says=broken)),
            varves.AgentListener(EVE, bus, Runner("I am here.", says=lambda p: "[eve]" not in p)),
        ):
            bus.add_message(message("ada", "Hello?"))
            assert bus.drain(LIMIT)
        assert [one.agent_id for one in bus.messages] == ["ada", "eve"]
        assert len(bus.failures) == 2


def test_an_answer_that_comes_after_the_stop_is_not_said():
    with varves.MessageBus() as bus:
        runner = Held("Too late.", says=True)
        listener = varves.AgentListener(DORA, bus, runner)
        listener.start()
        bus.add_message(message("ada", "Dora?"))
        assert runner.asked.wait(LIMIT)
        listener.stop()
        runner.go.set()
        assert bus.drain(LIMIT)
        assert [one.agent_id for one in bus.messages] == ["ada"]
        assert bus.failures == ()
