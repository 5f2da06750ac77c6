"""Transcripts of the Claude Agent SDK: its conformance suite, its own readers, and its oracle."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import claude_agent_sdk as sdk
import pytest
from claude_agent_sdk.testing import run_session_store_conformance
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import varves as package
from tests.frameworks.page import run_example
from varves.frameworks.claude_session import LedgerSessionStore

SESSION = "11111111-2222-4333-8444-555555555555"
KEY: Any = {"project_key": "-home-ada-shop", "session_id": SESSION}
SUB: Any = {**KEY, "subpath": "subagents/agent-1"}


def said(uuid: str, text: str, parent: str | None = None) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "timestamp": "2026-11-15T06:20:00.000Z",
        "message": {"role": "user", "content": text},
    }


def test_it_passes_the_sdks_own_suite(tmp_path: Path, home: Path):
    with ExitStack() as opened:
        made: list[Path] = []

        def store() -> LedgerSessionStore:
            made.append(tmp_path / str(len(made)))
            made[-1].mkdir()
            ledger = package.open(str(made[-1]))
            opened.push(ledger)
            return LedgerSessionStore(ledger)

        asyncio.run(run_session_store_conformance(store))
        assert len(made) > 14


PLACES = st.sampled_from(
    [
        {"project_key": project, "session_id": session} | sub
        for project in ("p", "q")
        for session in ("s", "t")
        for sub in ({}, {"subpath": "x/1"}, {"subpath": "x"})
    ]
)
ENTRY = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "tag", "summary"])},
    optional={"customTitle": st.text(max_size=5), "n": st.integers(), "tag": st.text(max_size=3)},
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), PLACES, st.lists(ENTRY, min_size=1, max_size=3)),
        st.tuples(st.just("delete"), PLACES),
    ),
    max_size=10,
)


@given(acts=ACTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_it_answers_as_the_store_in_memory_does(ledger: Any, acts: list[Any]):
    async def both() -> None:
        ours, theirs = LedgerSessionStore(ledger), sdk.InMemorySessionStore()
        for talk in ledger.talks():
            ledger.talk(talk.name).delete()
        for name, *args in acts:
            for store in (ours, theirs):
                await getattr(store, name)(*args)
        for project in ("p", "q"):
            found = [
                sorted((one["session_id"], str(one["data"])) for one in summaries)
                for summaries in [
                    await store.list_session_summaries(project) for store in (ours, theirs)
                ]
            ]
            assert found[0] == found[1]
            listed = [await store.list_sessions(project) for store in (ours, theirs)]
            assert len({str(sorted(one["session_id"] for one in some)) for some in listed}) == 1
            for session in ("s", "t"):
                key: Any = {"project_key": project, "session_id": session}
                assert await ours.load(key) == await theirs.load(key)
                subs = sorted(await ours.list_subkeys(key))
                assert subs == sorted(await theirs.list_subkeys(key))
                for sub in subs:
                    place = {**key, "subpath": sub}
                    assert await ours.load(place) == await theirs.load(place)

    asyncio.run(both())


@pytest.mark.parametrize(
    "other",
    [
        {"project_key": "p", "session_id": "s/x"},
        {"project_key": "p/s", "session_id": "x"},
        {"project_key": "p", "session_id": "s", "subpath": "x/"},
        {"project_key": "p", "session_id": "s%2Fx"},
        {"project_key": "P", "session_id": "s", "subpath": "x"},
    ],
)
def test_no_two_keys_are_one_transcript(ledger: Any, other: Any):
    async def apart() -> None:
        store = LedgerSessionStore(ledger)
        own: Any = {"project_key": "p", "session_id": "s", "subpath": "x"}
        await store.append(own, [said("a", "mine")])
        assert await store.load(other) is None
        await store.append(other, [said("b", "yours")])
        await store.delete(other)
        assert [one.get("uuid") for one in await store.load(own) or ()] == ["a"]

    asyncio.run(apart())


def test_a_batch_that_is_sent_again_is_recorded_once(project: Path, ledger: Any):
    batch = [said("a", "one"), {"type": "mode"}, said("b", "two", "a")]
    asyncio.run(LedgerSessionStore(ledger).append(KEY, batch))
    with package.open(str(project)) as other:  # and by another process
        store = LedgerSessionStore(other)
        asyncio.run(store.append(KEY, [*batch, said("c", "three", "b")]))
        loaded = asyncio.run(store.load(KEY))
    assert [one.get("uuid") for one in loaded or ()] == ["a", None, "b", None, "c"]


def test_the_sdks_own_readers_find_what_was_mirrored(project: Path, ledger: Any):
    async def read() -> None:
        store = LedgerSessionStore(ledger)
        key = {"project_key": sdk.project_key_for_directory(str(project)), "session_id": SESSION}
        await store.append(key, [said(SESSION, "Where is the oven?")])
        sub = {**key, "subpath": "subagents/agent-7"}
        await store.append(sub, [{**said("s", "look"), "isSidechain": True, "agentId": "7"}])
        await sdk.rename_session_via_store(store, SESSION, "The oven", str(project))
        (found,) = await sdk.list_sessions_from_store(store, str(project))
        assert (found.session_id, found.custom_title) == (SESSION, "The oven")
        assert found.first_prompt == "Where is the oven?"
        messages = await sdk.get_session_messages_from_store(store, SESSION, str(project))
        assert [one.message["content"] for one in messages] == ["Where is the oven?"]
        assert await sdk.list_subagents_from_store(store, SESSION, str(project)) == ["7"]
        fork = await sdk.fork_session_via_store(store, SESSION, str(project))
        listed = await sdk.list_sessions_from_store(store, str(project))
        assert {one.session_id for one in listed} == {SESSION, fork.session_id}
        await sdk.delete_session_via_store(store, SESSION, str(project))
        listed = await sdk.list_sessions_from_store(store, str(project))
        assert [one.session_id for one in listed] == [fork.session_id]
        assert await store.load(sub) is None

    asyncio.run(read())


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("erase", [False, True])
def test_a_deleted_session_is_erased_where_that_is_asked_for(
    project: Path, ledger: Any, erase: bool
):
    async def live() -> None:
        store = LedgerSessionStore(ledger, erase=erase)
        await store.append(KEY, [said("a", "My sister lives in Lisbon.")])
        await store.append(SUB, [said("b", "Lisbon is far.")])
        await store.delete(KEY)
        assert await store.load(KEY) is await store.load(SUB) is None
        await store.append(KEY, [said("a", "Anew.")])
        assert len(await store.load(KEY) or ()) == 1

    asyncio.run(live())
    assert ledger.verify(deep=True).ok
    ledger.close()
    held = [path.read_bytes() for path in project.rglob("*") if path.is_file()]
    assert any(b"Lisbon" in content for content in held) is not erase


def test_secrets_are_masked_and_uuids_kept(ledger: Any):
    store = LedgerSessionStore(ledger)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    asyncio.run(store.append(KEY, [said(SESSION, f"use {secret}")]))
    (entry,) = asyncio.run(store.load(KEY)) or ()
    assert entry == said(SESSION, "use [redacted:github-pat]")
    (summary,) = asyncio.run(store.list_session_summaries(KEY["project_key"]))
    assert summary["data"]["first_prompt"] == "use [redacted:github-pat]"


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("claude")
