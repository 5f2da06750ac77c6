"""Sessions of the OpenAI Agents SDK: the SDK's own, kept in SQLite, is the oracle."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Session,
    SessionSettings,
    SQLiteSession,
    Usage,
    function_tool,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

import varves as package
from tests.frameworks.page import run_example
from varves.frameworks.openai_session import LedgerSession

TEXT = st.text(max_size=12)
ITEM = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": TEXT},
    optional={
        "id": TEXT,
        "content_parts": st.lists(st.dictionaries(TEXT, TEXT | st.integers() | st.none())),
        1: st.floats(allow_nan=False),
    },
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("add_items"), st.lists(ITEM, max_size=4)),
        st.tuples(st.just("get_items"), st.none() | st.integers(-2, 5)),
        st.tuples(st.just("pop_item")),
        st.tuples(st.just("clear_session")),
    ),
    max_size=12,
)


@given(acts=ACTS, limit=st.none() | st.integers(-1, 3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_it_answers_as_the_session_in_sqlite_does(ledger: Any, acts: list[Any], limit: int | None):
    async def both() -> None:
        usual = {"limit": limit}
        ours = LedgerSession("one", ledger, session_settings=usual)
        theirs = SQLiteSession("one", session_settings=usual)
        await ours.clear_session()
        try:
            for name, *args in [*acts, ("get_items", None)]:
                assert await getattr(ours, name)(*args) == await getattr(theirs, name)(*args)
        finally:
            theirs.close()

    asyncio.run(both())


def test_it_is_a_session_and_its_settings_are_the_sdks(ledger: Any):
    session = LedgerSession("one", ledger)
    assert isinstance(session, Session)
    assert session.session_settings == SessionSettings()
    asyncio.run(session.add_items([{"role": "user", "content": str(n)} for n in range(5)]))
    session.session_settings = SessionSettings(limit=2)
    assert [one["content"] for one in asyncio.run(session.get_items())] == ["3", "4"]


@pytest.mark.parametrize("other", ["two", "one/", "one/sub", "ONE", "one%2F", "\n", "é" * 100])
def test_sessions_never_see_each_other(ledger: Any, other: str):
    async def apart() -> Any:
        await LedgerSession("one", ledger).add_items([{"role": "user", "content": "mine"}])
        session = LedgerSession(other, ledger)
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        return await LedgerSession("one", ledger).get_items()

    assert asyncio.run(apart()) == [{"role": "user", "content": "mine"}]


def test_calls_at_once_all_arrive_and_each_stays_together(ledger: Any):
    async def crowd() -> Any:
        session = LedgerSession("one", ledger)
        batches = [[{"role": "user", "content": f"{n}-{m}"} for m in range(3)] for n in range(8)]
        await asyncio.gather(*(session.add_items(batch) for batch in batches))
        return await session.get_items()

    said = [one["content"] for one in asyncio.run(crowd())]
    assert sorted(said) == [f"{n}-{m}" for n in range(8) for m in range(3)]
    assert all(said[at + m] == f"{said[at][0]}-{m}" for at in range(0, 24, 3) for m in range(3))


class Scripted(Model):
    """A model that calls a tool once, then answers, and keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any):
        self.given.append(input)
        output: Any = [_message(f"answer {len(self.given)}")]
        if len(self.given) == 1:
            call = "call_" + "aB3" * 14
            output = [
                ResponseFunctionToolCall(
                    arguments="{}", call_id=call, name="menu", type="function_call", id="fc_1"
                )
            ]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def _message(text: str) -> ResponseOutputMessage:
    said = ResponseOutputText(text=text, type="output_text", annotations=[], logprobs=[])
    return ResponseOutputMessage(
        id="msg_1", content=[said], role="assistant", status="completed", type="message"
    )


@function_tool
def menu() -> str:
    """Return what there is."""
    return "crêpes"


def test_a_run_continues_what_a_run_before_it_said_in_another_process(project: Path):
    model = Scripted()
    agent = Agent(name="cook", model=model, tools=[menu])
    quiet = RunConfig(tracing_disabled=True)

    def ask(text: str) -> Any:
        with package.open(str(project)) as ledger:
            session = LedgerSession("table 4", ledger)
            return asyncio.run(Runner.run(agent, text, session=session, run_config=quiet))

    ask("What is on the menu?")
    assert ask("And for dessert?").final_output == "answer 3"
    first, _, third = model.given
    assert [one["content"] for one in first] == ["What is on the menu?"]
    kinds = [one.get("type", one.get("role")) for one in third]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
    assert third[1]["call_id"] == third[2]["call_id"] == "call_" + "aB3" * 14
    assert third[2]["output"] == "crêpes"
    assert third[4]["content"] == "And for dessert?"
    with package.open(str(project)) as ledger:
        said = ledger.log(kind=["talk.said"])
        assert {(event.log, event.origin) for event in said} == {("private", "agent")}


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("openai")
