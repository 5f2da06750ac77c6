"""When a party is at work, when it is over, and what becomes of one that never ended."""

from __future__ import annotations

import subprocess
import sys

import pytest

from varves.errors import Refused
from varves.values.instants import FixedClock, instant

CRASH = """
import os, sys, varves
with varves.open(sys.argv[1]) as ledger:
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.remember("ada", type="context", content="Redis is run by ops", confidence=0.9)
    ledger.party.say("ben", "I prefer tabs")
    os._exit(9)
"""


@pytest.mark.requirement("S0-28")
def test_a_session_counts_once_however_often_it_ends(room):
    room.verbs.start(agents=["ada", "ben"])
    first = room.verbs.end()
    assert not first.already
    again = room.verbs.end()
    assert (again.already, again.session, again.event) == (True, first.session, first.event)
    assert room.again().end().already
    assert [room.sidecar(one)["sessions_participated"] for one in ("ada", "ben")] == [1, 1]
    room.idle(2)
    assert [room.verbs.show(one).sessions for one in ("ada", "ben")] == [3, 1]
    room.give("ada", ("Something new", 0.9))
    assert [room.sidecar(one)["sessions_participated"] for one in ("ada", "ben")] == [4, 1]


@pytest.mark.requirement("S0-38")
def test_a_party_that_never_ended_is_recovered_by_the_next_start(ledger, room):
    done = subprocess.run([sys.executable, "-c", CRASH, room.root], check=False)
    assert done.returncode == 9
    assert room.kept("ada") == []

    begun = room.at("2030-01-01T00:00:00Z").start(agents=["ada"])

    assert room.kept("ada") == [("context", "Redis is run by ops", 0.9)]
    assert room.kept("ben") == [("preference", "I prefer tabs", 1.0)]
    assert [room.sidecar(one)["sessions_participated"] for one in ("ada", "ben")] == [1, 1]
    [recovered] = begun.recovered
    assert [one["content"] for one in recovered.agents["ada"]["added"]] == ["Redis is run by ops"]
    assert "Redis is run by ops" in begun.text
    room.verbs.end()
    assert [room.sidecar(one)["sessions_participated"] for one in ("ada", "ben")] == [2, 1]


def test_recover_does_so_on_demand_and_once(room):
    room.verbs.start(agents=["ada"])
    room.verbs.say("ada", "I prefer tabs")
    room.again()
    [recovered] = room.verbs.recover()
    assert recovered.session == "2026-01-01-party"
    assert room.verbs.recover() == ()
    assert room.verbs.start(agents=["ada"]).recovered == ()
    assert room.sidecar()["sessions_participated"] == 1


def test_the_name_is_the_date_and_a_number_where_that_is_taken(room):
    names = []
    for _ in range(3):
        names.append(room.verbs.start(agents=["ada"]).session)
        room.verbs.end()
    names.append(room.later().start(agents=["ada"]).session)
    assert names == [
        *("2026-01-01-party", "2026-01-01-party-2", "2026-01-01-party-3", "2026-01-02-party")
    ]


def test_a_named_party_is_left_alone_until_it_is_long_idle(room):
    room.again(session="monday").start(agents=["ada"])
    room.verbs.say("ada", "I prefer tabs")
    assert room.again().start(agents=["ben"]).recovered == ()
    room.verbs.end()
    assert room.later(3.99 / 24) is not None
    assert room.verbs.start(agents=["ben"]).recovered == ()
    room.verbs.end()
    room.later(0.01 / 24)
    [recovered] = room.verbs.start(agents=["ben"]).recovered
    assert recovered.session == "monday"
    assert room.kept("ada") == [("preference", "I prefer tabs", 1.0)]


def test_a_party_of_the_same_name_is_recovered_whatever_the_time(room):
    room.again(session="monday").start(agents=["ada"])
    room.verbs.say("ada", "I prefer tabs")
    [recovered] = room.again(session="monday").start(agents=["ada"]).recovered
    assert recovered.session == "monday"
    room.verbs.say("ada", "I prefer spaces")
    ended = room.verbs.end()
    assert [one["content"] for one in ended.agents["ada"]["added"]] == ["I prefer spaces"]
    assert room.sidecar()["sessions_participated"] == 2


def test_two_named_parties_at_once_keep_their_talk_apart(room):
    room.again(session="one").start(agents=["ada", "ben"])
    room.verbs.say("ada", "I prefer tabs")
    room.again(session="two").start(agents=["ada", "noa"])
    room.verbs.say("noa", "I prefer spaces")
    with pytest.raises(Refused):
        room.verbs.say("ben", "I am not here")
    room.again(session="one").end()
    assert room.kept("noa") == []
    room.again(session="two").end()
    assert room.kept("ada") == [("preference", "I prefer tabs", 1.0)]
    assert room.kept("noa") == [("preference", "I prefer spaces", 1.0)]
    counts = {one: room.sidecar(one)["sessions_participated"] for one in ("ada", "ben", "noa")}
    assert counts == {"ada": 2, "ben": 1, "noa": 1}


def test_another_actors_party_is_joined_where_it_is_the_only_one(room):
    room.again(actor="alice").start(agents=["ada"])
    assert room.again(actor="bob").say("ada", "I prefer tabs").turn == 1
    room.again(actor="carol").start(agents=["ben"])
    with pytest.raises(Refused, match="no party of bob"):
        room.again(actor="bob").say("ada", "I prefer spaces")


def test_in_a_linked_worktree_a_party_is_its_own(room, tmp_path):
    import varves as package

    subprocess.run(
        ["git", "commit", "--quiet", "--allow-empty", "-m", "x"], cwd=room.root, check=True
    )
    other = tmp_path / "other"
    subprocess.run(
        ["git", "worktree", "add", "--quiet", str(other), "-b", "other"], cwd=room.root, check=True
    )
    with package.open(other, clock=FixedClock(instant(room.now))) as there:
        there.party.start(agents=["ada"])
        there.party.say("ada", "I prefer tabs")
    assert room.verbs.start(agents=["ben"]).recovered == ()
    room.verbs.end()
    subprocess.run(["git", "worktree", "remove", "--force", str(other)], cwd=room.root, check=True)
    [recovered] = room.again().start(agents=["ben"]).recovered
    assert recovered.agents.keys() == {"ada"}
    assert room.kept("ada") == [("preference", "I prefer tabs", 1.0)]


def test_a_party_that_ended_on_another_branch_is_over_here_too(room):
    def git(*words):
        subprocess.run(["git", *words], cwd=room.root, check=True, capture_output=True)

    room.verbs.init()
    room.close()
    git("add", "--all")
    git("commit", "--allow-empty", "-m", "base")
    git("switch", "--quiet", "--create", "side")
    room.hold(("ada", "I prefer tabs"))
    room.close()
    git("add", "--all")
    git("commit", "-m", "side")
    git("switch", "--quiet", "main")

    assert room.verbs.recover() == ()
    assert not room.path("ada").exists()
