"""Two clones: sidecars come from the project's log alone, and merging loses nothing of either."""

from __future__ import annotations

import json
import shutil

import pytest

SIDECARS = "_mdan/state/sidecars"
STATE = "_mdan/state/MDAN-STATE.json"
TALK = "the quick brown walrus juggles"
TOPIC = "whether walruses ought to juggle"


def files(clone):
    """Return the protocol's files here, by name."""
    found = {path.name: path.read_bytes() for path in (clone.root / SIDECARS).iterdir()}
    return {**found, STATE: (clone.root / STATE).read_bytes()}


def tracked(clone):
    """Return what git tracks here, as one run of bytes."""
    names = clone.git("ls-files", "-z").split("\0")
    return b"\n".join((clone.root / name).read_bytes() for name in names if name)


def hold(clone, moment, *turns, agents=("ada", "ben"), **memories):
    ledger = clone.at(moment)
    ledger.party.start(agents=agents, topic=TOPIC)
    for agent, text in turns:
        ledger.party.say(agent, text)
    for agent, content in memories.items():
        ledger.party.remember(agent, type="context", content=content, confidence=0.9)
    ended = ledger.party.end()
    clone.close()
    return ended


def pull(clone, other):
    """Merge another clone's work, and let the files be made again, whatever git made of them."""
    clone.git("fetch", "--quiet", str(other.root), "main")
    clone.git("merge", "--quiet", "--no-edit", "FETCH_HEAD", check=False)
    clone.at("2026-02-01T00:00:00Z").rebuild()
    clone.commit("merged")


def sidecar(clone, agent):
    return json.loads(files(clone)[f"{agent}.sidecar.json"])


@pytest.mark.requirement("U-07")
def test_talk_and_topic_are_in_no_tracked_file(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ("ada", f"Well, {TALK} today."), ada="Redis is run by ops")
    here.at("2026-01-02T09:00:00Z").party.start(agents=["ada"], topic=TOPIC)
    here.at("2026-01-02T09:00:00Z").party.say("ada", TALK)
    here.commit()

    content = tracked(here)
    assert b"Redis is run by ops" in content
    for words in (TALK, TOPIC):
        assert words.encode() not in content
        assert json.dumps(words).encode() not in content


@pytest.mark.requirement("U-07")
def test_clones_at_one_commit_render_the_same_bytes_whatever_is_private(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ("ada", "I agree with Ben."), ada="Redis is run by ops")
    here.commit()
    there = clone("there", of=here)
    hold_nothing = there.at("2026-01-03T09:00:00Z")
    hold_nothing.party.recover()
    here.at("2026-01-02T09:00:00Z").party.start(agents=["ada"], topic=TOPIC)
    here.at("2026-01-02T09:00:00Z").party.say("ada", "I prefer tabs")
    here.at("2026-01-02T09:00:00Z").remember("a private thing", private=True)

    for one in (here, there):
        for path in (one.root / SIDECARS).iterdir():
            path.unlink()
        one.at("2026-01-04T09:00:00Z").rebuild()

    assert files(here) == files(there)
    assert here.git("status", "--porcelain", "_mdan") == ""


@pytest.mark.requirement("U-07")
def test_parties_of_two_clones_are_all_there_after_a_merge_in_both(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Known to both")
    here.commit()
    there = clone("there", of=here)
    hold(here, "2026-01-02T09:00:00Z", ada="From here", ben="Also from here")
    hold(there, "2026-01-02T09:00:00Z", ada="From there", agents=("ada", "noa"))
    for one in (here, there):
        one.commit()

    pull(here, there)
    pull(there, here)

    assert files(here) == files(there)
    ada = sidecar(here, "ada")
    contents = [one["content"] for one in ada["memories"]]
    assert contents[0] == "Known to both"
    assert sorted(contents[1:]) == ["From here", "From there"]
    counts = {name: sidecar(here, name)["sessions_participated"] for name in ("ada", "ben", "noa")}
    assert counts == {"ada": 3, "ben": 2, "noa": 1}
    state = json.loads((here.root / STATE).read_text(encoding="utf-8"))["agent_sidecars"]
    assert state["ada"]["memory_count"] == 3
    assert here.at("2026-02-02T00:00:00Z").party.validate() == ()


@pytest.mark.requirement("S0-28")
def test_a_party_that_two_copies_of_one_clone_end_counts_once(clone, tmp_path):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Known to both")
    here.commit()
    ledger = here.at("2026-01-02T09:00:00Z")
    ledger.party.start(agents=["ada", "ben"])
    ledger.party.say("ada", "I prefer tabs")
    ledger.party.reference("ada", "Known to both")
    here.close()
    shutil.copytree(here.root, tmp_path / "copy", symlinks=True)
    there = type(here)(tmp_path / "copy", here.home)
    for one in (here, there):
        one.at("2026-01-02T10:00:00Z").party.end()
        one.commit()

    pull(here, there)

    ada = sidecar(here, "ada")
    assert [(one["content"], one["confidence"]) for one in ada["memories"]] == [
        ("Known to both", 1.0),
        ("I prefer tabs", 1.0),
    ]
    assert ada["sessions_participated"] == 2


def test_a_decision_each_of_two_clones_is_two(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z")
    here.commit()
    there = clone("there", of=here)
    for one, text in ((here, "Ship"), (there, "Wait")):
        ledger = one.at("2026-01-02T09:00:00Z")
        ledger.party.start(agents=["ada"])
        assert ledger.party.decide(text, positions={"ada": text}).id == "DR-001"
        ledger.party.end()
        one.commit()

    pull(here, there)

    def check():
        held = sidecar(here, "ada")["decision_history"]
        assert sorted(one["position"] for one in held) == ["Ship", "Wait"]
        assert [one["dr_id"] for one in held] == ["DR-001", "DR-002"]
        return held

    held = check()
    shown = here.at("2026-02-02T09:00:00Z").party.show("ada").decisions
    assert [one["dr_id"] for one in shown] == ["DR-001", "DR-002"]
    pull(there, here)
    assert sidecar(there, "ada")["decision_history"] == held

    ledger = here.at("2026-02-03T09:00:00Z")
    ledger.party.start(agents=["ada"])
    assert ledger.party.decide("Next").id == "DR-003"
    ledger.party.end()
    assert sidecar(here, "ada")["decision_history"][:2] == held


def test_two_decisions_with_equal_entries_are_two_after_a_merge(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z")
    here.commit()
    there = clone("there", of=here)
    for one, text, hour in ((here, "Racks are steel", 9), (there, "Ovens are leased", 10)):
        ledger = one.at(f"2026-01-02T{hour:02}:00:00Z")
        ledger.party.start(agents=["ada", "ben"])
        ledger.party.decide(text, pro=["ada"])
        ledger.party.end()
        one.commit()

    pull(here, there)

    for agent in ("ada", "ben"):
        history = sidecar(here, agent)["decision_history"]
        assert [one["dr_id"] for one in history] == ["DR-001", "DR-002"]


def test_an_edit_by_hand_and_a_party_on_two_branches_both_count(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Known to both")
    here.commit()
    there = clone("there", of=here)
    path = there.root / SIDECARS / "ada.sidecar.json"
    edited = json.loads(path.read_text(encoding="utf-8"))
    edited["memories"][0]["content"] = "Known to both, put better"
    path.write_text(json.dumps(edited, indent=2) + "\n", encoding="utf-8")
    there.commit("edit")
    hold(here, "2026-01-02T09:00:00Z", ada="From here")
    here.commit()

    pull(here, there)

    contents = [one["content"] for one in sidecar(here, "ada")["memories"]]
    assert contents == ["Known to both, put better", "From here"]
    assert sidecar(here, "ada")["sessions_participated"] == 2


def test_a_file_that_came_before_its_log_is_no_second_memory(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Known to both")
    here.commit()
    there = clone("there", of=here)
    hold(here, "2026-01-02T09:00:00Z", ada="From here")
    here.git("add", "_mdan")
    here.git("commit", "--quiet", "--message", "files alone")
    pull(there, here)
    assert [one["content"] for one in sidecar(there, "ada")["memories"]][-1] == "From here"
    here.commit("log")

    pull(there, here)
    pull(here, there)

    assert files(here) == files(there)
    contents = [one["content"] for one in sidecar(here, "ada")["memories"]]
    assert contents == ["Known to both", "From here"]
    assert sidecar(here, "ada")["sessions_participated"] == 2


def test_a_memory_ages_by_the_sessions_of_both_clones(clone):
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Known to both")
    here.commit()
    there = clone("there", of=here)
    for number, one in enumerate((here, there)):
        for day in range(2, 4):
            hold(one, f"2026-01-0{day}T1{number}:00:00Z")
        one.commit()
    pull(here, there)
    hold(here, "2026-02-02T09:00:00Z")
    [memory] = sidecar(here, "ada")["memories"]
    assert memory["confidence"] == 0.8
    assert sidecar(here, "ada")["sessions_participated"] == 6


@pytest.mark.requirement("U-07")
def test_a_memory_undone_and_restored_is_the_same_in_the_clone_that_heard_it_and_in_others(clone):
    """Only one clone heard it said, and sees it proposed again once its record is undone."""
    here = clone()
    hold(here, "2026-01-01T09:00:00Z", ada="Redis is run by ops")
    here.commit()
    there = clone("there", of=here)

    ledger = there.at("2026-01-02T09:00:00Z")
    [memory] = [one for one in ledger.list() if one.text == "Redis is run by ops"]
    [recorded] = [one for one in ledger.history(memory.id) if one.kind == "memory.recorded"]
    ledger.undo(recorded.id)
    ledger.party.recover()
    there.commit("undone")
    pull(here, there)
    assert here.at("2026-02-02T09:00:00Z").show(memory.id).status == "proposed"
    assert there.at("2026-02-02T09:00:00Z").show(memory.id).status == "forgotten"
    assert sidecar(here, "ada")["memories"] == sidecar(there, "ada")["memories"] == []

    there.at("2026-02-03T09:00:00Z").restore(memory.id)
    there.at("2026-02-03T09:00:00Z").party.recover()
    there.commit("restored")
    pull(here, there)
    assert here.at("2026-02-04T09:00:00Z").show(memory.id).status == "active"
    assert [one["content"] for one in sidecar(here, "ada")["memories"]] == ["Redis is run by ops"]
    there.at("2026-02-04T09:00:00Z").rebuild()
    assert files(here) == files(there)
