"""What a long log costs, counted in calls: a step on it is the same step, however long it is.

Time is not measured here. A child counts every call that a verb makes, of Python's functions and
of those written in C, over a short log and over a long one: of 5,000 events at full size.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.figures import full_size
from tests.protocols.layers.conftest import LOG, RULES

SHORT, LONG = (500, 5000) if full_size() else (200, 1000)
SKILLS, EDGES = (10_000, 5_000) if full_size() else (2_000, 1_000)

CHILD = """
import gc, json, sys
import varves

calls = syncs = 0
def count(frame, event, argument):
    global calls, syncs
    calls += event in ("call", "c_call")
    syncs += event == "c_call" and argument.__name__ in ("fsync", "fdatasync", "sync")

def add(layers):
    said = dict(type="change", scope="project", what="It was made.", why="To count.")
    return layers.append(title=f"Step {calls}", **said)

STEPS = {
    "boot": lambda layers: layers.boot(),
    "append": add,
    "query": lambda layers: layers.graph_query(id="skill-1"),
    "rebuild": lambda layers: layers.rebuild(),
    "find": lambda layers: layers.find("number 7"),
    "context": lambda layers: layers.context(),
    "validate": lambda layers: layers.validate(),
}
found = {}
with varves.open(sys.argv[1], actor="ada", session="s1") as ledger:
    layers = ledger.layers
    found["adopted"] = len(layers.boot().adopted)
    for name in ("append", "query", "boot"):
        STEPS[name](layers)
    found["syncs"] = most = 0
    for name, step in STEPS.items():
        counts = []
        for _ in range(6):  # the first ones may survey the folder again
            calls = syncs = 0
            gc.disable()
            sys.setprofile(count)
            step(layers)
            sys.setprofile(None)
            gc.enable()
            counts.append(calls)
            most = max(most, syncs) if name == "append" else 0
        found[name] = min(counts)
        found["syncs"] = max(found["syncs"], most)
print(json.dumps(found))
"""


def event(number: int) -> str:
    time = f"2025-{number // 1000 + 1:02}-01 {number // 60 % 24:02}:{number % 60:02}"
    what = f"- [[skill-{number % 40}]] → [[skill-{number % 7}]]"
    return (
        f"## {time} — Event number {number}\n\n**Type:** change\n**Scope:** project\n\n"
        f"### What\n{what}\n\n### Why\nIt was asked for.\n"
    )


def counted(project) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(project)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lay(folder, events: list[str]):
    folder.mkdir()
    (folder / "AGENTS.md").write_text(RULES, encoding="utf-8")
    (folder / LOG).write_text("# Log\n\n" + "\n".join(events), encoding="utf-8")
    return folder


@pytest.mark.requirement("U-19")
def test_a_step_on_a_long_log_is_the_same_as_on_a_short_one(tmp_path):
    short, long = (
        counted(lay(tmp_path / f"log-{count}", [event(number) for number in range(count)]))
        for count in (SHORT, LONG)
    )
    assert (short["adopted"], long["adopted"]) == (SHORT, LONG)
    for name in ("boot", "append", "query"):
        assert long[name] < 1.2 * short[name], (name, short[name], long[name])
    for name in ("rebuild", "find", "context", "validate"):  # these look at everything
        assert long[name] < 1.2 * short[name] * LONG / SHORT, (name, short[name], long[name])
    assert 20 * long["context"] < long["rebuild"]  # what the file shows is not read again
    assert 2 * long["validate"] < long["rebuild"]
    assert short["syncs"] <= 5  # the log, its folder, the ledger's log; and when the folder is new
    assert long["syncs"] <= 5


@pytest.mark.full_size
@pytest.mark.requirement("U-19")
def test_a_graph_of_thousands_of_entities_is_asked_in_a_few_calls_for_each_line(tmp_path):
    said = [f"- [[skill-{number}]] — Name {number} — done — pack-1" for number in range(SKILLS)]
    said += [f"- [[skill-{one % SKILLS}]] → [[skill-{one * 7 % SKILLS}]]" for one in range(EDGES)]
    head, _, tail = event(1).partition("- [[")
    events = [
        f"{head}" + "\n".join(said[start : start + 500]) + f"\n{tail.partition(chr(10))[2]}"
        for start in range(0, len(said), 500)
    ]
    found = counted(lay(tmp_path / "graph", events))
    lines = 2 * SKILLS + EDGES  # a skill has a line of its own, and one that it is part of a pack
    assert found["query"] < 40 * lines, found
    assert found["boot"] < 5000, found
