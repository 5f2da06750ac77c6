"""`python -m benchmarks.stages STAGE FOLDER SIZE`: one stage of one system, in its own process.

Prints the seconds of processor time that each step took, and the most memory that the process used,
as JSON. Processor time hardly changes when the machine does other things too; waiting for the disk
is not in it. A stage finds in its folder what the stages before it have left there.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sqlite3
import sys
from contextlib import closing
from importlib import import_module
from itertools import islice
from time import process_time
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer, prompts
from benchmarks.measure import Samples, interleave
from benchmarks.systems import match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Steps = dict[str, float]

GROUP = 1000  # memories that are stored together
ROUNDS, FEW = 30, 3
SLOW = 0.5  # seconds of a call that is measured only a few times
SEED, LATER = 3, 4  # of the texts that are stored first, and of those that are added one by one


def main() -> None:
    """Run a stage, and print what it took."""
    stage, folder, size = sys.argv[1:]
    steps = STAGES[stage](folder, int(size))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"steps": steps, "peak": peak * 1024}))


def once(name: str, call: Callable[[], object]) -> Steps:
    """Time one call."""
    began = process_time()
    call()
    return {name: process_time() - began}


def often(calls: dict[str, Callable[[], object]]) -> Steps:
    """Return the median times of some calls, which take turns; slow ones are called less often."""
    slow = max(once(name, call)[name] for name, call in calls.items()) > SLOW
    found: dict[str, Samples] = interleave(
        calls, rounds=FEW if slow else ROUNDS, warmup=0 if slow else 2, clock=process_time
    )
    return {name: samples.median for name, samples in found.items()}


def _groups(size: int) -> Iterator[list[str]]:
    texts = Writer(SEED).texts(size)
    while group := list(islice(texts, GROUP)):
        yield group


def _asked() -> Iterator[str]:
    """Yield questions without end."""
    known = prompts()
    while True:
        yield from known


# Varves


def varves_store(folder: str, size: int) -> Steps:
    """Store memories through the ledger, one sync for each group."""

    def store() -> None:
        with varves.open(folder) as ledger:
            ledger.remember_many({"text": text} for text in Writer(SEED).texts(size))

    return once("store", store)


def varves_index(folder: str, size: int) -> Steps:  # noqa: ARG001
    """Make the index of a ledger that has none, as the first read of a clone does."""

    def read() -> None:
        with varves.open(folder) as ledger:
            ledger.rebuild()
            ledger.list(limit=1)

    return once("make the index", read)


def varves_verify(folder: str, size: int) -> Steps:
    """Check every digest, chain and closing."""

    def check() -> None:
        with varves.open(folder) as ledger:
            proof = ledger.verify()
        if not proof.ok or proof.events < size:
            raise RuntimeError(f"not whole: {proof}")

    return once("verify", check)


def varves_use(folder: str, size: int) -> Steps:
    """Do in one running process what agents and people do."""
    later, asked = Writer(LATER).texts(10 * ROUNDS), _asked()
    with varves.open(folder) as ledger:
        position = ledger.news().position
        middle = ledger.log(limit=max(1, size // 2))[0].id
        steps = often(
            {
                "search": lambda: ledger.recall(next(asked), dense=False),
                "list a page": lambda: ledger.list(limit=50),
                "log a page": lambda: ledger.log(limit=50),
                "status": ledger.status,
                "look for news": lambda: ledger.news(position),
            }
        )
        steps |= often({"add one": lambda: ledger.remember(next(later))})
        ledger.list(limit=1)
        steps |= once("a moment, first", lambda: ledger.list(limit=50, as_of=middle))
        steps |= once("a moment, again", lambda: ledger.list(limit=50, as_of=middle))
    return steps


# SQLite FTS5, durable as the ledger: each transaction is synced


def fts5(folder: str, size: int) -> Steps:
    """Store texts in a table with a word index, and search it."""
    with closing(sqlite3.connect(f"{folder}/fts5.sqlite", isolation_level=None)) as db:
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        db.execute("create virtual table held using fts5(text, tokenize='porter unicode61')")

        def add(texts: list[str]) -> None:
            db.execute("begin")
            db.executemany("insert into held values (?)", [(text,) for text in texts])
            db.execute("commit")

        def search(query: str) -> object:
            sql = "select rowid from held where held match ? order by bm25(held) limit 10"
            return db.execute(sql, (match(query),)).fetchall()

        later, asked = Writer(LATER).texts(10 * ROUNDS), _asked()
        steps = once("store", lambda: [add(group) for group in _groups(size)])
        return steps | often(
            {"search": lambda: search(next(asked)), "add one": lambda: add([next(later)])}
        )


# LangGraph's store in SQLite; without vectors it does not search texts


def langgraph(folder: str, size: int) -> Steps:
    """Put texts into LangGraph's store in SQLite."""
    put: Any = import_module("langgraph.store.base").PutOp
    kind: Any = import_module("langgraph.store.sqlite").SqliteStore
    later = Writer(LATER).texts(10 * ROUNDS)
    number = iter(range(2 * size + 1000))
    with kind.from_conn_string(f"{folder}/langgraph.sqlite") as store:
        store.setup()

        def add(texts: list[str]) -> None:
            store.batch([put(("memories",), str(next(number)), {"text": text}) for text in texts])

        steps = once("store", lambda: [add(group) for group in _groups(size)])
        return steps | often({"add one": lambda: add([next(later)])})


# google-adk's memory service, which is in memory only


def adk(folder: str, size: int) -> Steps:  # noqa: ARG001
    """Store turns in google-adk's memory service, and search it."""
    memory: Any = import_module("google.adk.memory.in_memory_memory_service")
    sessions: Any = import_module("google.adk.sessions.session")
    events: Any = import_module("google.adk.events.event")
    types: Any = import_module("google.genai.types")
    service = memory.InMemoryMemoryService()
    number = iter(range(size + 1000))

    def add(texts: list[str]) -> None:
        turns = [
            events.Event(
                author="user",
                content=types.Content(role="user", parts=[types.Part(text=text)]),
            )
            for text in texts
        ]
        name = f"s{next(number)}"
        made = sessions.Session(id=name, app_name="app", user_id="ada", events=turns)
        asyncio.run(service.add_session_to_memory(made))

    def search(query: str) -> object:
        return asyncio.run(service.search_memory(app_name="app", user_id="ada", query=query))

    later, asked = Writer(LATER).texts(10 * ROUNDS), _asked()
    steps = once("store", lambda: [add(group) for group in _groups(size)])
    return steps | often(
        {"search": lambda: search(next(asked)), "add one": lambda: add([next(later)])}
    )


STAGES: dict[str, Callable[[str, int], Steps]] = {
    "varves store": varves_store,
    "varves index": varves_index,
    "varves verify": varves_verify,
    "varves use": varves_use,
    "fts5": fts5,
    "langgraph": langgraph,
    "adk": adk,
}


if __name__ == "__main__":
    # the home of the caller's settings is not ours
    os.environ.setdefault("VARVES_HOME", f"{sys.argv[2]}/home")
    main()
