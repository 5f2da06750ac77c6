"""The memory store of pydantic-ai-harness, held against the three that come with it."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.workspaces import LocalWorkspaceBackend
from pydantic_ai_harness.memory import (
    FileStore,
    InMemoryStore,
    MemoryConflictError,
    MemoryOperation,
    MemoryOperationConflictError,
    MemoryStore,
    SearchableMemoryStore,
    SqliteMemoryStore,
)

import varves as package
from tests.frameworks.page import run_example
from tests.tables import each_row
from varves.errors import Rejected
from varves.frameworks.pydantic_ai_memory import LedgerMemoryStore

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = count()
BOUNDS = {"limit": 10, "max_files": 50, "max_chars": 4000, "max_file_chars": 4000}


@pytest.fixture
def store(ledger: Any) -> LedgerMemoryStore:
    return LedgerMemoryStore(ledger)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("kept")
    with package.open(root, home=tmp_path_factory.mktemp("home"), actor="ada") as ledger:
        yield ledger


def references(folder: Path) -> dict[str, Any]:
    return {
        "memory": InMemoryStore(),
        "sqlite": SqliteMemoryStore(database=folder / "memory.sqlite"),
        "file": FileStore(".", workspace=LocalWorkspaceBackend(str(folder / "files"))),
    }


class Played:
    """One store, and the versions of its files as they came: each store has its own words."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.versions: dict[str, list[str]] = {}

    def version(self, path: str, which: str) -> str | None:
        known = self.versions.get(path, [])
        choices = {"none": None, "wrong": "no-such-version"}
        choices |= {"last": known[-1] if known else None, "first": known[0] if known else None}
        return choices[which]

    async def play(self, step: dict[str, Any]) -> Any:
        """Carry out a step; return what it came to, but for versions."""
        try:
            return await self._play(**step)
        except (MemoryConflictError, MemoryOperationConflictError, ValueError) as fault:
            return type(fault).__name__

    async def _play(self, verb: str, path: str, which: str, operation: Any, text: str) -> Any:
        if verb == "read":
            found = await self.store.read(path, max_chars=7)
            if found is None:
                return None
            assert not self.versions.get(path) or found.version == self.versions[path][-1]
            return found.content, found.operation_id, found.truncated
        if verb == "list":
            return await self.store.list_paths(path, limit=3)
        if verb == "receipt":
            done = await self.store.get_operation(operation) if operation else None
        elif verb == "write":
            done = await self.store.write(
                path, text, expected_version=self.version(path, which), operation=operation
            )
            if not done.replayed:
                self.versions.setdefault(path, []).append(done.version)
        else:
            done = await self.store.delete(
                path, expected_version=self.version(path, which), operation=operation
            )
            if not done.replayed:
                self.versions.pop(path, None)
        return done and (done.replayed, done.existed, done.version is None)


PATHS = st.sampled_from(["MEMORY.md", "main/a.md", "main/b.md", "main/deep/c", "a", "../x", "a//b"])
OPERATIONS = st.one_of(
    st.none(), st.builds(MemoryOperation, st.sampled_from(["1", "2", "3"]), st.sampled_from("fg"))
)
STEP = st.fixed_dictionaries(
    {
        "verb": st.sampled_from(["write", "write", "write", "delete", "read", "list", "receipt"]),
        "path": PATHS,
        "which": st.sampled_from(["none", "last", "last", "last", "first", "wrong"]),
        "operation": OPERATIONS,
    }
)


@given(steps=st.lists(STEP, min_size=1, max_size=14))
@settings(max_examples=30)
def test_it_does_what_the_references_do(
    steps: list[dict[str, Any]], kept: Any, tmp_path_factory: pytest.TempPathFactory
):
    folder = tmp_path_factory.mktemp("stores")
    (folder / "files").mkdir()
    others = {name: Played(store) for name, store in references(folder).items()}
    if any(step["path"] == "a" for step in steps):  # there it is a file or a folder
        del others["file"]
    ours = Played(LedgerMemoryStore(kept, shelf=f"p{next(NUMBERS)}"))

    async def session() -> None:
        for number, step in enumerate(steps):
            whole = {**step, "text": f"text number {number}"}
            came = await ours.play(whole)
            for name, other in others.items():
                assert came == await other.play(whole), (name, whole)

    anyio.run(session)


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("pydantic-ai")


def test_it_is_a_store_that_can_be_searched(store: LedgerMemoryStore):
    assert isinstance(store, MemoryStore)
    assert isinstance(store, SearchableMemoryStore)


FILES = {
    "main/MEMORY.md": "Ada prefers dark mode. The deploy is on Friday, deploy, deploy.",
    "main/deploy.md": "Ship with the script.",
    "main/other.md": "Nothing of interest, preferences aside.",
    "main/deep/MEMORY.md": "deploy of another agent",
    "mainly/MEMORY.md": "deploy of a third",
}


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("query", ["deploy", "prefer", "Friday script", "DARK mode", "absent"])
def test_a_search_finds_what_the_references_find(query: str, kept: Any, tmp_path: Path):
    (tmp_path / "files").mkdir()
    ours = LedgerMemoryStore(kept, shelf=f"s{next(NUMBERS)}")

    async def session() -> None:
        found = {}
        for name, store in {"ours": ours, **references(tmp_path)}.items():
            for path, text in FILES.items():
                await store.write(path, text, expected_version=None)
            result = await store.search("main/", query, **BOUNDS)
            parts = {one.path: (one.snippet, int(one.score)) for one in result.matches}
            assert list(parts) == sorted(parts, key=lambda path: -parts[path][1])
            found[name] = (parts, result.scanned, result.truncated)
        assert found["ours"] == found["memory"] == found["sqlite"] == found["file"]

    anyio.run(session)


@each_row(
    "bounds",
    [
        {"limit": 1},
        {"max_files": 1},
        {"max_chars": 30},
        {"max_chars": 8},
        {"max_file_chars": 20},
        {"limit": 0},
        {"max_chars": 90},
    ],
)
def test_a_search_keeps_to_its_bounds_as_the_references_do(bounds: dict[str, int], kept: Any):
    async def session() -> None:
        found = []
        for store in (LedgerMemoryStore(kept, shelf=f"b{next(NUMBERS)}"), InMemoryStore()):
            for path, text in FILES.items():
                await store.write(path, text, expected_version=None)
            result = await store.search("main/", "deploy", **(BOUNDS | bounds))
            parts = [(one.path, one.snippet) for one in result.matches]
            found.append((parts, result.scanned, result.truncated))
        assert found[0] == found[1]

    anyio.run(session)


def test_recall_finds_what_parts_of_words_do_not(store: LedgerMemoryStore):
    async def session() -> list[str]:
        await store.write("main/a.md", "She preferred the train.", expected_version=None)
        found = await store.search("main/", "preferring trains", **BOUNDS)
        return [one.path for one in found.matches]

    assert anyio.run(session) == ["main/a.md"]


def test_what_the_model_wrote_is_a_memory_of_an_agent(store: LedgerMemoryStore, ledger: Any):
    async def write(path: str, text: str) -> None:
        await store.write(path, text, expected_version=None)

    anyio.run(write, "main/MEMORY.md", "Ada likes espresso.")
    [hit] = ledger.recall("espresso").hits
    assert (hit.memory.origin, hit.memory.source) == ("agent", "shelf:pydantic-ai/main/MEMORY.md")
    ledger.forget(hit.memory.id, reason="wrong")
    with pytest.raises(Rejected):
        anyio.run(write, "main/MEMORY.md", "Ada likes espresso.")


def test_many_tasks_write_one_file_and_none_is_lost(store: LedgerMemoryStore):
    async def add(name: str) -> None:
        for number in range(4):
            while True:
                held = await store.read("count", max_chars=10_000)
                text = f"{held.content if held else ''}{name}{number} "
                try:
                    await store.write("count", text, expected_version=held and held.version)
                    break
                except MemoryConflictError:
                    pass

    async def session() -> str:
        async with anyio.create_task_group() as group:
            for name in "abc":
                group.start_soon(add, name)
        held = await store.read("count", max_chars=10_000)
        return held.content if held else ""

    assert len(anyio.run(session).split()) == 12
