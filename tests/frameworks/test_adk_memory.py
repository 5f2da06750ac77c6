"""The memory of Google ADK's agents: ADK's own, kept in memory, is the oracle."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from google.adk.events.event import Event
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai.types import Content, FunctionCall, Part
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varves as package
from tests.frameworks.page import run_example
from varves.errors import Refused, UsageError
from varves.frameworks.adk_memory import LedgerMemory

WHO: Any = {"app_name": "shop", "user_id": "ada"}
WORDS = ("oven", "crêpe", "Lisbon", "sister", "Python", "migrations", "blue", "日本", "café")
TURNS = st.lists(
    st.tuples(
        st.sampled_from([("shop", "ada"), ("shop", "ben"), ("bank", "ada")]),
        st.sampled_from(["s1", "s2"]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    ),
    max_size=8,
    unique_by=lambda turn: (turn[0], tuple(sorted(turn[2]))),
)


def event(name: str, text: str, *, author: str = "user", at: float = 1_794_640_284.0) -> Event:
    content = Content(role="user" if author == "user" else "model", parts=[Part(text=text)])
    return Event(id=name, author=author, timestamp=at, content=content)


def session(*events: Event, app: str = "shop", user: str = "ada", name: str = "s1") -> Session:
    return Session(id=name, app_name=app, user_id=user, events=list(events))


def texts(found: Any) -> list[str]:
    return [entry.content.parts[0].text for entry in found.memories]


def search(memory: Any, query: str, **who: str) -> Any:
    return asyncio.run(memory.search_memory(**{**WHO, **who}, query=query))


@given(turns=TURNS, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_what_adks_own_finds_by_its_words_is_found_and_nobody_elses(
    tmp_path_factory: Any, home: Path, turns: list[Any], query: list[str]
):
    asked = " ".join(query)

    async def both() -> None:
        with package.open(str(tmp_path_factory.mktemp("adk"))) as ledger:
            services = (LedgerMemory(ledger), InMemoryMemoryService())
            for service in services:
                for n, ((app, user), name, words) in enumerate(turns):
                    await service.add_events_to_memory(
                        app_name=app,
                        user_id=user,
                        session_id=name,
                        events=[event(f"e{n}", " ".join(words), at=1_794_640_284.0 + n)],
                    )
            for app, user in (("shop", "ada"), ("shop", "ben"), ("bank", "ada"), ("bank", "ben")):
                ours, theirs = [
                    await service.search_memory(app_name=app, user_id=user, query=asked)
                    for service in services
                ]
                assert {one.id for one in theirs.memories} <= {one.id for one in ours.memories}
                own = {f"e{n}" for n, turn in enumerate(turns) if turn[0] == (app, user)}
                assert {one.id for one in ours.memories} <= own

    asyncio.run(both())


def test_a_session_may_be_added_again_and_again(ledger: Any):
    memory = LedgerMemory(ledger)
    first, second = event("a", "The oven is broken."), event("b", "A man will come.", author="cook")
    asyncio.run(memory.add_session_to_memory(session(first)))
    asyncio.run(memory.add_session_to_memory(session(first, second)))
    assert texts(search(memory, "oven"))[0] == "The oven is broken."  # then what was said beside it
    assert len(ledger.log(kind=["memory.recorded"])) == 2
    found = search(memory, "man come").memories[0]
    assert (found.id, found.author, found.content.role) == ("b", "cook", "model")
    assert found.timestamp == "2026-11-14T07:11:24.000Z"


def test_calls_and_empty_turns_say_nothing(ledger: Any):
    call = Content(role="model", parts=[Part(function_call=FunctionCall(name="oven", args={}))])
    events = [Event(id="a", author="cook", content=call), Event(id="b", author="cook")]
    asyncio.run(LedgerMemory(ledger).add_session_to_memory(session(*events, event("c", "  "))))
    assert ledger.list(status="all") == ()
    assert search(LedgerMemory(ledger), "oven").memories == []
    assert search(LedgerMemory(ledger), " ?! ").memories == []


OTHERS = [
    {"app_name": "shop", "user_id": "ben"},
    {"app_name": "bank", "user_id": "ada"},
    {"app_name": "shopada", "user_id": ""},
    {"app_name": "shop.ada", "user_id": "ada"},
    {"app_name": "SHOP", "user_id": "ada"},
    {"app_name": "shop", "user_id": "ada\u200b"},
    {"app_name": 'shop","ada', "user_id": "%"},
]


def test_no_other_user_app_or_reader_of_the_project_sees_a_users_memories(
    project: Path, ledger: Any, varves: Any
):
    memory = LedgerMemory(ledger)
    asyncio.run(memory.add_session_to_memory(session(event("a", "My sister lives in Lisbon."))))
    for other in OTHERS:
        assert search(memory, "sister Lisbon", **other).memories == []
        asyncio.run(memory.delete_memory(**other, memory_id="a"))
        mem = ledger.list(scope="session")[0].id
        asyncio.run(memory.delete_memory(**other, memory_id=mem))
    assert texts(search(memory, "sister Lisbon")) == ["My sister lives in Lisbon."]
    assert ledger.recall("sister Lisbon").hits == ()
    assert ledger.recall("sister Lisbon", session="s1").hits == ()
    assert "Lisbon" not in ledger.brief(task="sister Lisbon").text
    assert "Lisbon" not in varves("recall", "sister Lisbon").out
    assert "Lisbon" not in "\n".join(ledger.export())
    log = [path.read_bytes() for path in (project / ".varves/log").rglob("*") if path.is_file()]
    assert not any(b"Lisbon" in content for content in log)


def test_a_users_memories_are_all_that_is_found(ledger: Any):
    ledger.remember("The project's oven is broken.")
    ledger.remember("Another session's oven.", scope="session:s1")
    memory = LedgerMemory(ledger)
    asyncio.run(memory.add_session_to_memory(session(event("a", "My oven is blue."))))
    assert texts(search(memory, "oven")) == ["My oven is blue."]


def test_long_names_that_begin_alike_are_told_apart(ledger: Any):
    memory = LedgerMemory(ledger)
    app, user = "x" * 30, "x" * 29
    asyncio.run(memory.add_session_to_memory(session(event("a", "My oven."), app=app, user=user)))
    assert search(memory, "oven", app_name=user, user_id=app).memories == []
    assert len(search(memory, "oven", app_name=app, user_id=user).memories) == 1


def test_each_turn_is_a_memory_with_its_speaker_its_time_and_its_place(ledger: Any):
    turns = [event("a", "The oven is broken."), event("b", "I call a man.", author="cook")]
    asyncio.run(LedgerMemory(ledger).add_session_to_memory(session(*turns)))
    one, two = sorted(ledger.list(), key=lambda memory: memory.turn)
    assert (one.turn, two.turn) == (0, 1)
    assert (one.speaker, two.speaker) == ("user", "cook")
    assert one.session == two.session
    assert one.scope == two.scope == f"session:{one.scope.partition(':')[2]}"
    assert {memory.kept for memory in (one, two)} == {"private"}
    assert {memory.origin for memory in (one, two)} == {"agent"}  # nobody typed it here by hand


def test_a_deleted_memory_stays_away_though_its_session_comes_again(ledger: Any):
    memory = LedgerMemory(ledger)
    said = session(event("a", "The oven is broken."), event("b", "The oven is blue."))
    asyncio.run(memory.add_session_to_memory(said))
    asyncio.run(memory.delete_memory(**WHO, memory_id="a"))
    asyncio.run(memory.add_session_to_memory(said))
    asyncio.run(memory.delete_memory(**WHO, memory_id="nothing"))
    asyncio.run(memory.delete_memory(**WHO))
    asyncio.run(memory.delete_memory(**WHO, memory_id="a"))
    assert texts(search(memory, "oven")) == ["The oven is blue."]
    again = session(event("c", "The oven is broken."), name="s2")  # as ADK's own, it may be said
    asyncio.run(memory.add_session_to_memory(again))
    assert sorted(texts(search(memory, "oven"))) == ["The oven is blue.", "The oven is broken."]


def test_what_a_person_rejected_does_not_come_back_with_another_turn(ledger: Any):
    memory = LedgerMemory(ledger)
    asyncio.run(memory.add_session_to_memory(session(event("a", "The oven is broken."))))
    ledger.forget(ledger.list()[0].id, reason="it was mended")
    again = session(event("b", "The oven is broken."), event("c", "The door is blue."), name="s2")
    asyncio.run(memory.add_session_to_memory(again))
    assert texts(search(memory, "oven door")) == ["The door is blue."]


def test_statements_can_be_added_with_what_is_known_about_them(ledger: Any):
    memory = LedgerMemory(ledger)
    entry = MemoryEntry(
        id="pref-1",
        author="cook",
        timestamp="yesterday",
        content=Content(parts=[Part(text="Ada likes"), Part(text="her crêpes thin.")]),
        custom_metadata={"tags": ["taste"], "unknown": 1},
    )
    more = {"ttl": "30d", "priority": "high"}
    for _ in range(2):
        asyncio.run(memory.add_memory(**WHO, memories=[entry], custom_metadata=more))
    (found,) = search(memory, "crêpes").memories
    assert (found.id, found.author) == ("pref-1", "cook")
    assert found.custom_metadata["tags"] == ["taste"]
    (kept,) = ledger.list()
    assert (kept.text, kept.ttl, kept.priority) == ("Ada likes\nher crêpes thin.", "30d", "high")
    asyncio.run(memory.delete_memory(**WHO, memory_id="pref-1"))
    assert search(memory, "crêpes").memories == []
    with pytest.raises(UsageError):
        asyncio.run(memory.add_memory(**WHO, memories=[entry], custom_metadata={"ttl": "soon"}))
    other = entry.model_copy(update={"content": Content(parts=[Part(text="Ada likes soup.")])})
    with pytest.raises(Refused):
        asyncio.run(memory.add_memory(**WHO, memories=[other]))


def test_secrets_are_masked_and_a_correction_is_what_is_found(ledger: Any):
    memory = LedgerMemory(ledger)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    asyncio.run(memory.add_session_to_memory(session(event("a", f"the oven's token: {secret}"))))
    asyncio.run(memory.add_session_to_memory(session(event("a", f"the oven's token: {secret}"))))
    assert texts(search(memory, "oven")) == ["the oven's token: [redacted:github-pat]"]
    fixed = ledger.correct(ledger.list()[0].id, "the oven has no token")
    (found,) = search(memory, "oven token").memories
    assert (found.id, texts(search(memory, "oven token"))) == (fixed.id, ["the oven has no token"])
    asyncio.run(memory.delete_memory(**WHO, memory_id=found.id))
    assert search(memory, "oven").memories == []


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("adk")
