"""Many parties at once, and ends that are killed: nothing lost, nothing torn, nothing twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.figures import full_size

GUESTS, EACH = (8, 6) if full_size() else (3, 2)
KILLS = 200 if full_size() else 3
GUEST = Path(__file__).with_name("guest.py")
KEYS = {
    *("agent", "displayName", "created_at", "last_updated", "sessions_participated"),
    *("memories", "relationships", "decision_history"),
}


def crowd(root, agents_of):
    """Let guests hold their parties at once; read every file until they are done."""
    guests = [
        subprocess.Popen(
            [sys.executable, GUEST, f"g{number}", str(EACH), root, *agents_of(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(GUESTS)
    ]
    polls = 0
    while running := [guest for guest in guests if guest.poll() is None]:
        polls += poll(root)
        with suppress(subprocess.TimeoutExpired):
            running[0].wait(0.01)  # and leaves them room to work
    said = [guest.communicate() for guest in guests]
    assert [err[-800:] for _, err in said if err] == []
    assert [guest.returncode for guest in guests] == [0] * GUESTS
    assert polls > 0
    return [tuple(row.split("\t")) for out, _ in said for row in out.splitlines()]


def poll(root):
    """Read every file as a person's tool would: half a document is an error."""
    read = 0
    for path in (root / "_mdan").rglob("*.json"):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue
        document = json.loads(content)
        assert "agent_sidecars" in document or document.keys() >= KEYS
        read += 1
    return read


def held(room, agent):
    return [one["content"] for one in room.sidecar(agent)["memories"]]


@pytest.mark.full_size
@pytest.mark.requirement("S0-28", "S0-37")
def test_parties_of_agents_of_their_own_all_count(room):
    said = crowd(room.root, lambda number: (f"agent-{number}",))

    assert len(said) == GUESTS * EACH
    for number in range(GUESTS):
        agent = f"agent-{number}"
        assert held(room, agent) == [content for name, content in said if name == agent]
        assert room.sidecar(agent)["sessions_participated"] == EACH
    entries = room.state()["agent_sidecars"]
    assert {one["sessions"] for one in entries.values()} == {EACH}
    assert room.verbs.validate() == ()


@pytest.mark.requirement("S0-28", "S0-37")
def test_parties_of_the_same_agents_all_count(room):
    room.settings("floor = 0.0\ncap = 1000")  # so many sessions would prune the first memories
    said = crowd(room.root, lambda _: ("ada", "ben"))

    assert len(said) == 2 * GUESTS * EACH
    for agent in ("ada", "ben"):
        kept = [content for name, content in said if name == agent]
        assert room.sidecar(agent)["sessions_participated"] == GUESTS * EACH
        assert sorted(held(room, agent)) == sorted(kept)
    before = {one: room.path(one).read_bytes() for one in ("ada", "ben")}
    room.ledger.rebuild()
    assert {one: room.path(one).read_bytes() for one in before} == before
    assert room.verbs.validate() == ()


END = """
import sys, varves
from varves.values.instants import FixedClock, instant
with varves.open(sys.argv[1], clock=FixedClock(instant("2026-01-01T00:00:00Z"))) as ledger:
    sys.stdout.write("ready\\n")
    sys.stdout.flush()
    ledger.party.end()
    sys.stdout.write("done\\n")
"""


@pytest.mark.requirement("S0-37", "S0-38")
def test_an_end_that_is_killed_leaves_whole_files_and_counts_once(project, room):
    chance = random.Random(7)
    longest = 0.12
    for number in range(1, KILLS + 1):
        room.again().start(agents=["ada"])
        room.verbs.say("ada", f"I prefer way {number}")
        room.close()
        before = room.sidecar()
        ending = subprocess.Popen(
            [sys.executable, "-c", END, room.root], stdout=subprocess.PIPE, encoding="utf-8"
        )
        ending.stdout.readline()
        try:
            ending.wait(chance.uniform(0, longest))
        except subprocess.TimeoutExpired:
            ending.send_signal(signal.SIGKILL)
        ending.communicate()

        found = room.sidecar()  # whole, the old or the new one
        assert found == before or found["sessions_participated"] == number
        room.again().recover()
        found = room.sidecar()
        assert found["sessions_participated"] == number
        assert [one["content"] for one in found["memories"]].count(f"I prefer way {number}") == 1
        assert room.state()["agent_sidecars"]["ada"]["sessions"] == number
    assert room.ledger.verify().ok
