"""Nobody sees a neighbour's memories through a framework: projects, users and sessions apart."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.security.neighbours import marks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def both(tmp_path: Path, home: Path) -> Iterator[tuple[Any, Any]]:
    """Give two projects of one person."""
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    with varves.open(tmp_path / "ours") as ours, varves.open(tmp_path / "theirs") as theirs:
        yield ours, theirs


def told_by(ledger: Any) -> str:
    """Return everything that a project's own answers say."""
    parts = [
        ledger.recall("deploy token", k=50).as_dict(),
        ledger.brief(budget=20_000).as_dict(),
        [one.as_dict() for one in ledger.list(status="all")],
        *ledger.export(),
    ]
    return json.dumps(parts, default=str)


def test_files_of_the_memory_tool_are_one_projects(both: tuple[Any, Any]) -> None:
    """The same paths in two projects, and on two shelves of one."""
    pytest.importorskip("anthropic")
    from varves.frameworks.anthropic_memory import LedgerMemoryTool

    ours, theirs = both
    tools = [LedgerMemoryTool(ours), LedgerMemoryTool(theirs), LedgerMemoryTool(ours, shelf="b")]
    for tool, mark in zip(
        tools, ("mark-ours-000", "mark-theirs-000", "mark-ours-001"), strict=True
    ):
        made = {"command": "create", "path": "/memories/deploy.md", "file_text": f"deploy {mark}"}
        tool.call(made)
    seen = [
        marks(str(tool.call({"command": "view", "path": "/memories/deploy.md"}))) for tool in tools
    ]
    assert seen == [{"mark-ours-000"}, {"mark-theirs-000"}, {"mark-ours-001"}]
    tools[1].call({"command": "delete", "path": "/memories/deploy.md"})
    assert marks(str(tools[0].call({"command": "view", "path": "/memories/deploy.md"})))
    assert marks(told_by(ours)) == {"mark-ours-000", "mark-ours-001"}
    assert "theirs" not in str(marks(told_by(ours)))


def test_a_session_of_the_agents_sdk_is_its_own(both: tuple[Any, Any]) -> None:
    """Another session, and the same one in another project, hold nothing of it."""
    pytest.importorskip("agents")
    from varves.frameworks.openai_session import LedgerSession

    ours, theirs = both

    async def talk() -> list[set[str]]:
        sessions = [
            LedgerSession("s-one", ours),
            LedgerSession("s-two", ours),
            LedgerSession("s-one", theirs),
        ]
        said = [{"role": "user", "content": "deploy mark-ours-000"}]
        await sessions[0].add_items(said)  # type: ignore[arg-type]
        return [marks(str(await one.get_items())) for one in sessions]

    assert asyncio.run(talk()) == [{"mark-ours-000"}, set(), set()]
    assert not marks(told_by(ours)), "talk is no memory"
    assert not marks(told_by(theirs))


def test_what_one_user_said_no_other_finds(both: tuple[Any, Any]) -> None:
    """Users and apps apart; nobody's words are in the project's own answers."""
    pytest.importorskip("google.adk")
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai.types import Content, Part

    from varves.frameworks.adk_memory import LedgerMemory

    ours, theirs = both
    people = [("shop", "ada"), ("shop", "bob"), ("desk", "ada")]

    async def ask() -> list[set[str]]:
        memory = LedgerMemory(ours)
        for number, (app, user) in enumerate(people):
            content = Content(role="user", parts=[Part(text=f"deploy mark-user-{number:03}")])
            entry = MemoryEntry(content=content)
            await memory.add_memory(app_name=app, user_id=user, memories=[entry])
        found = []
        for where in (ours, theirs):
            for app, user in people:
                answer = await LedgerMemory(where).search_memory(
                    app_name=app, user_id=user, query="deploy mark-user-000 mark-user-001"
                )
                found.append(marks(answer.model_dump_json()))
        return found

    own = [{f"mark-user-{number:03}"} for number in range(3)]
    assert asyncio.run(ask()) == [*own, set(), set(), set()]
    said = json.dumps([ours.recall("deploy", k=50).as_dict(), ours.brief().as_dict()], default=str)
    assert not marks(said)
    assert not marks(told_by(theirs))


def test_a_graphs_store_stays_in_its_namespace_and_project(both: tuple[Any, Any]) -> None:
    """A search, a listing and a get under one user's names find nothing of another's."""
    pytest.importorskip("langgraph.store.base")
    from varves.frameworks.langgraph_store import LedgerStore

    ours, theirs = LedgerStore(both[0]), LedgerStore(both[1])
    for store, user, mark in (
        (ours, "ada", "mark-ours-000"),
        (ours, "bob", "mark-bob-000"),
        (theirs, "ada", "mark-theirs-000"),
    ):
        store.put(("users", user), "deploy", {"text": f"deploy {mark}"})
    words = "deploy mark-ours-000 mark-bob-000 mark-theirs-000"
    found = ours.search(("users", "ada"), query=words, limit=50)
    assert marks(str(found)) == {"mark-ours-000"}
    assert marks(str(ours.search(("users", "ada"), limit=50))) == {"mark-ours-000"}
    assert marks(str(ours.get(("users", "bo"), "deploy"))) == set()
    assert marks(str(ours.search((), query=words, limit=50))) == {"mark-ours-000", "mark-bob-000"}
    assert marks(told_by(both[1])) == {"mark-theirs-000"}


def test_a_harness_keeps_to_its_shelf_and_project(both: tuple[Any, Any]) -> None:
    """Reading, listing and searching find the files of one store."""
    pytest.importorskip("pydantic_ai_harness")
    from varves.frameworks.pydantic_ai_memory import LedgerMemoryStore

    stores = [
        LedgerMemoryStore(both[0]),
        LedgerMemoryStore(both[1]),
        LedgerMemoryStore(both[0], shelf="other"),
    ]
    own = ["mark-ours-000", "mark-theirs-000", "mark-ours-001"]
    room = {"limit": 10, "max_files": 50, "max_chars": 4000, "max_file_chars": 4000}

    async def ask() -> list[set[str]]:
        for number, (store, mark) in enumerate(zip(stores, own, strict=True)):
            await store.write(f"deploy-{number}.md", f"deploy {mark}", expected_version=None)
        found = []
        for number, store in enumerate(stores):
            said = [await store.search("", "deploy", **room)]
            said += [await store.read(f"deploy-{n}.md", max_chars=4000) for n in range(3)]
            assert await store.list_paths(limit=10) == [f"deploy-{number}.md"]
            found.append(marks(str(said)))
        return found

    assert asyncio.run(ask()) == [{mark} for mark in own]
    assert "mark-theirs-000" not in marks(told_by(both[0]))


def test_a_transcript_of_the_agent_sdk_is_its_sessions(both: tuple[Any, Any]) -> None:
    """Another project key, another session, another ledger: nothing of it, and no memory."""
    pytest.importorskip("claude_agent_sdk")
    from varves.frameworks.claude_session import LedgerSessionStore

    ours, theirs = LedgerSessionStore(both[0]), LedgerSessionStore(both[1])
    key: Any = {"project_key": "-shop", "session_id": "s-one"}
    entry: Any = {"type": "user", "uuid": "u1", "message": {"content": "deploy mark-ours-000"}}

    async def ask() -> list[set[str]]:
        await ours.append(key, [entry])
        others = [
            await ours.load({**key, "session_id": "s-two"}),
            await ours.load({**key, "project_key": "-desk"}),
            await ours.list_sessions("-desk"),
            await ours.list_sessions("-sho"),
            await theirs.load(key),
            await theirs.list_sessions("-shop"),
        ]
        return [marks(str(await ours.load(key))), marks(str(others))]

    assert asyncio.run(ask()) == [{"mark-ours-000"}, set()]
    assert not marks(told_by(both[0]))
