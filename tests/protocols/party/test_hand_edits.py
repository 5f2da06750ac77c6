"""What people do to sidecars by hand: taken over record by record, and nothing lost silently."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.protocols.party.conftest import STATE
from varves.errors import Damaged

ONE = "Redis is run by ops"
TWO = "The cache is cold"
THREE = "It rains"


@pytest.fixture
def seat(room):
    """Give a room in which ada remembers three things."""
    room.give("ada", (ONE, 0.9), (TWO, 0.8), (THREE, 0.7))
    return room


def adopt(room):
    """Let a verb that writes look at the files, an hour later."""
    return room.later(1 / 24).recover()


def line(content, **changes):
    return {
        "type": "context",
        "content": content,
        "source_session": "2026-01-02",
        "confidence": 0.9,
    } | changes


def ids(room):
    return {one["content"]: one["id"] for one in room.verbs.show("ada").memories}


@pytest.mark.requirement("U-07")
def test_a_memory_that_was_added_is_recorded_as_the_persons(seat):
    seat.edit("ada", lambda one: one["memories"].append(line("Added by hand")))
    adopt(seat)

    assert list(seat.memories()) == [ONE, TWO, THREE, "Added by hand"]
    memory = seat.ledger.show(ids(seat)["Added by hand"])
    assert (memory.created_by, memory.origin, memory.scope) == ("USER", "direct", "agent:ada")
    assert seat.state()["agent_sidecars"]["ada"]["memory_count"] == 4


@pytest.mark.requirement("U-07")
def test_a_read_verb_answers_with_the_edit_and_writes_nothing(seat):
    seat.edit("ada", lambda one: one["memories"].append(line("Added by hand")))
    before, events = seat.path("ada").read_bytes(), len(seat.ledger.log())

    shown = seat.verbs.show("ada")

    assert shown.memories[-1]["content"] == "Added by hand"
    assert seat.verbs.core.notes
    assert seat.path("ada").read_bytes() == before
    assert len(seat.ledger.log()) == events


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"content": "Redis is run by us"}, id="content"),
        pytest.param({"confidence": 0.6}, id="confidence"),
        pytest.param({"type": "observation"}, id="type"),
        pytest.param({"source_session": "2025-11-30"}, id="session"),
        pytest.param({"content": "All", "type": "decision", "confidence": 0.5}, id="all"),
    ],
)
def test_a_memory_that_was_changed_is_revised_and_keeps_its_id(seat, change):
    name = ids(seat)[ONE]
    seat.edit("ada", lambda one: one["memories"][0].update(change))
    adopt(seat)

    assert seat.sidecar()["memories"][0] == line(ONE) | change
    assert seat.verbs.show("ada").memories[0]["id"] == name
    assert len(seat.memories()) == 3
    assert seat.ledger.history(name)[-1].kind == "memory.revised"


@pytest.mark.requirement("U-07")
def test_a_memory_that_was_removed_is_forgotten_and_can_be_restored(seat):
    name = ids(seat)[TWO]
    seat.edit("ada", lambda one: one["memories"].pop(1))
    adopt(seat)

    assert list(seat.memories()) == [ONE, THREE]
    memory = seat.ledger.show(name)
    assert (memory.status, memory.reason) == ("forgotten", "removed by hand")
    seat.ledger.restore(name)
    assert list(seat.memories()) == [ONE, TWO, THREE]


def test_a_memory_that_is_written_in_again_is_the_same_one(seat):
    name = ids(seat)[TWO]
    seat.edit("ada", lambda one: one["memories"].pop(1))
    adopt(seat)
    seat.edit("ada", lambda one: one["memories"].append(line(TWO, confidence=0.75)))
    adopt(seat)
    assert ids(seat)[TWO] == name
    assert seat.memories()[TWO] == 0.75


@pytest.mark.requirement("S0-57")
def test_several_that_were_removed_are_told_in_one_line(seat):
    names = ids(seat).values()
    seat.edit("ada", lambda one: one["memories"].clear())
    adopt(seat)
    told = [note for note in seat.verbs.core.notes if "adopted" in note]
    removed = ", ".join(f"removed {name}" for name in names)
    assert told == [f"adopted 3 edits of _mdan/state/sidecars/ada.sidecar.json: {removed}"]
    assert seat.memories() == {}


def test_more_than_five_that_vanish_at_once_are_put_back(seat):
    seat.give("ada", *((f"fact {n}", 0.9) for n in range(5)))
    seat.edit("ada", lambda one: one.update(memories=one["memories"][:2]))
    adopt(seat)
    assert len(seat.memories()) == 8
    assert any("put 6 records back" in note for note in seat.verbs.core.notes)


def test_all_kinds_of_edits_at_once(seat):
    def change(one):
        one["memories"][0]["content"] = "Redis is run by us"
        del one["memories"][1]
        one["memories"].append(line("Added by hand"))
        one["displayName"] = "Ada the First"

    name = ids(seat)[ONE]
    seat.edit("ada", change)
    adopt(seat)
    assert list(seat.memories()) == ["Redis is run by us", THREE, "Added by hand"]
    assert seat.sidecar()["displayName"] == "Ada the First"
    assert ids(seat)["Redis is run by us"] == name or seat.ledger.show(name).status == "forgotten"


def test_two_memories_of_the_same_content_are_two(seat):
    twin = line(ONE, confidence=0.6)
    seat.edit("ada", lambda one: one["memories"].append(twin))
    adopt(seat)
    assert [sure for _, content, sure in seat.kept() if content == ONE] == [0.9, 0.6]
    seat.edit("ada", lambda one: one["memories"].pop())
    adopt(seat)
    assert [sure for _, content, sure in seat.kept() if content == ONE] == [0.9]


def test_an_edit_in_another_style_alone_changes_nothing(seat):
    rendered, events = seat.path("ada").read_bytes(), len(seat.ledger.log())
    seat.edit("ada", lambda one: one["memories"].reverse())
    adopt(seat)
    assert seat.path("ada").read_bytes() == rendered
    assert len(seat.ledger.log()) == events


# Beside the memories


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"displayName": "Ada the First"}, id="name"),
        pytest.param({"created_at": "2025-01-01"}, id="created"),
        pytest.param({"sessions_participated": 12}, id="sessions"),
        pytest.param({"sessions_participated": 0}, id="fewer-sessions"),
        pytest.param({"mood": {"b": [1], "a": None}, "$schema": "x"}, id="unknown-keys"),
        pytest.param(
            {
                "relationships": {
                    "agrees_with": ["ben", "noa"],
                    "disagrees_with": [],
                    "complements": ["eve"],
                    "mentors": ["zoe"],
                }
            },
            id="relationships",
        ),
        pytest.param(
            {
                "decision_history": [
                    {"dr_id": "DR-009", "role": "opponent", "position": "no", "outcome": "lost"},
                    {"role": "opponent", "note": "without a name"},
                ]
            },
            id="decisions",
        ),
    ],
)
def test_an_edit_of_the_head_is_taken_and_stays(seat, change):
    seat.edit("ada", lambda one: one.update(change))
    adopt(seat)
    found = seat.sidecar()
    assert {key: found[key] for key in change} == change

    before = seat.sidecar()["sessions_participated"]
    seat.idle(1)
    assert seat.verbs.show("ada").sessions == before + 1
    seat.give("ada", ("Something new", 0.9))
    found = seat.sidecar()
    kept = {key: change[key] for key in change if key != "sessions_participated"}
    assert {key: found[key] for key in kept} == kept
    assert found["sessions_participated"] == before + 2


def test_what_is_taken_out_of_the_head_by_hand_is_out(seat):
    full = {
        "relationships": {"agrees_with": ["ben", "noa"], "disagrees_with": [], "complements": []},
        "decision_history": [
            {"dr_id": f"DR-00{n}", "role": "participant", "position": "", "outcome": "won"}
            for n in (1, 2)
        ],
        "mood": "good",
    }
    seat.edit("ada", lambda one: one.update(full))
    adopt(seat)

    def clear(one):
        one["relationships"]["agrees_with"] = ["noa"]
        del one["decision_history"][0]
        del one["mood"]

    seat.edit("ada", clear)
    adopt(seat)
    found = seat.sidecar()
    assert found["relationships"]["agrees_with"] == ["noa"]
    assert [one["dr_id"] for one in found["decision_history"]] == ["DR-002"]
    assert "mood" not in found
    assert len(found["memories"]) == 3


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"agent": "eve"}, id="agent"),
        pytest.param({"sessions_participated": "many"}, id="sessions"),
        pytest.param({"relationships": []}, id="relationships"),
        pytest.param({"decision_history": "none"}, id="decisions"),
        pytest.param({"displayName": 5}, id="name"),
    ],
)
def test_what_no_event_can_be_made_of_stays_as_it_was_and_that_is_said(seat, change):
    before = seat.sidecar()
    seat.edit("ada", lambda one: one.update(change))
    adopt(seat)
    assert seat.sidecar() == before
    assert any("is not changed" in note for note in seat.verbs.core.notes)


# Values outside the rules


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-26", "U-07")
@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(line("x" * 140), id="140-characters"),
        pytest.param(line("short", type="fact"), id="type"),
        pytest.param(line("short", type=7), id="type-a-number"),
        pytest.param(line("short", confidence=7), id="confidence"),
        pytest.param(line("short", confidence="high"), id="confidence-a-word"),
        pytest.param(line("short", source_session=None), id="session"),
        pytest.param(line("short", mood="good", nested={"b": 1}), id="unknown-keys"),
    ],
)
def test_a_value_outside_the_rules_is_taken_as_found_and_reported(seat, odd):
    seat.edit("ada", lambda one: one["memories"].append(odd))
    adopt(seat)
    noted = list(seat.verbs.core.notes)
    seat.idle(1)
    assert seat.sidecar()["memories"][-1] == odd
    broken = {one.rule for one in seat.verbs.validate()}
    if "mood" in odd:
        assert not broken
    else:
        assert any("recorded as found" in note for note in noted)
        assert broken <= {"S0-17", "S0-18", "S0-20", "S0-21"}
        assert broken


def test_what_a_hand_written_memory_leaves_out_is_added(seat):
    seat.edit("ada", lambda one: one["memories"].append({"content": "Bare"}))
    adopt(seat)
    assert seat.sidecar()["memories"][-1] == {
        "type": "observation",
        "content": "Bare",
        "source_session": "2026-01-02",
        "confidence": 0.5,
    }


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("U-07")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"{ half", id="no-json"),
        pytest.param(b"[]", id="no-object"),
        pytest.param(b'{"agent": "ada"}', id="no-memories"),
        pytest.param(b'{"memories": [{"content": 5}]}', id="no-content"),
        pytest.param(b'{"memories": []}\xff', id="no-utf-8"),
        pytest.param(b'{"memories": [{"content": "x", "confidence": NaN}]}', id="not-a-number"),
    ],
)
def test_a_sidecar_that_cannot_be_read_is_never_overwritten(seat, content):
    seat.path("ada").write_bytes(content)
    events = len(seat.ledger.log())
    with pytest.raises(Damaged):
        seat.hold(agents=["ada"])
    assert len(seat.ledger.log()) == events
    seat.later()
    assert seat.path("ada").read_bytes() == content
    assert any(one.place.startswith("_mdan") for one in seat.verbs.validate())
    seat.idle(1, "ben")
    assert seat.sidecar("ben")["sessions_participated"] == 1
    assert seat.path("ada").read_bytes() == content


def test_a_sidecar_that_somebody_else_wrote_is_taken_whole(room):
    whole = {
        "agent": "eve",
        "displayName": "Eve",
        "created_at": "2025-01-01T00:00:00.000Z",
        "last_updated": "2025-05-05",
        "sessions_participated": 7,
        "memories": [line("Known before"), line("Also known", type="decision", confidence=1.0)],
        "relationships": {"agrees_with": ["ada"], "disagrees_with": [], "complements": []},
        "decision_history": [
            {"dr_id": "DR-003", "role": "proponent", "position": "for", "outcome": "won"}
        ],
    }
    room.edit("eve", lambda one: one.update(whole))

    begun = room.verbs.start(agents=["eve"])

    assert "Known before" in begun.text
    assert "agrees_with: ada" in begun.text
    assert not begun.blocks[0].first
    found = room.sidecar("eve")
    assert {key: found[key] for key in found if key != "last_updated"} == {
        key: whole[key] for key in whole if key != "last_updated"
    }
    assert room.verbs.decide("Next").id == "DR-004"
    room.verbs.end()
    assert room.sidecar("eve")["sessions_participated"] == 8


def test_a_secret_in_an_edit_is_masked(seat):
    seat.edit("ada", lambda one: one["memories"].append(line("key AKIAIOSFODNN7EXAMPLE")))
    adopt(seat)
    assert "AKIAIOSFODNN7" not in seat.path("ada").read_text(encoding="utf-8")
    assert any("masked" in note for note in seat.verbs.core.notes)


# Through the core's own verbs


def test_what_the_core_corrects_forgets_purges_and_hides_is_so_in_the_sidecar(seat):
    names = ids(seat)
    longer = "Redis is run by ops, " + "and they say so in every meeting, " * 4
    corrected = seat.ledger.correct(names[ONE], longer.strip(), reason="more exact")
    [_, _, shown] = seat.sidecar()["memories"]
    assert len(shown["content"]) <= 100
    assert longer.startswith(shown["content"].rstrip("…"))
    assert seat.ledger.show(corrected.id).text == longer.strip()
    assert shown["confidence"] == 0.9

    seat.ledger.edit(names[TWO], tag=("+sensitive",))
    assert TWO not in seat.memories()
    assert TWO not in seat.verbs.start(agents=["ada"]).text
    seat.verbs.end()
    seat.ledger.edit(names[TWO], tag=("-sensitive",))
    assert TWO in seat.memories()

    seat.ledger.purge(names[THREE], reason="private")
    assert THREE not in seat.path("ada").read_text(encoding="utf-8")
    assert seat.state()["agent_sidecars"]["ada"]["memory_count"] == 2


def test_a_shortened_memory_keeps_its_whole_text_when_something_else_of_it_is_edited(room):
    text = "I prefer " + " ".join(f"reason{number:03}" for number in range(29))
    [added] = room.hold(("ada", text)).agents["ada"]["added"]
    room.edit("ada", lambda one: one["memories"][0].update(confidence=0.75))
    adopt(room)
    assert room.sidecar()["memories"][0]["confidence"] == 0.75
    assert room.ledger.show(added["id"]).text == text
    room.edit("ada", lambda one: one["memories"][0].update(content="I prefer one"))
    adopt(room)
    assert room.memories() == {"I prefer one": 0.75}
    assert room.ledger.show(added["id"]).text == "I prefer one"


def test_a_memory_that_is_kept_in_two_sidecars_is_changed_in_one(room):
    room.hold({"text": "Sessions live in Redis"})
    room.edit("ada", lambda one: one["memories"].clear())
    adopt(room)
    assert (room.kept("ada"), len(room.kept("ben"))) == ([], 1)


# With git


def git(room, *words):
    done = subprocess.run(
        ["git", *words], cwd=room.root, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout


def commit(room, *paths):
    room.close()
    git(room, "add", *(paths or ("--all",)))
    git(room, "commit", "--quiet", "--message", "work")


@pytest.mark.requirement("U-07")
def test_a_committed_edit_is_its_authors_and_an_older_version_is_none(seat):
    commit(seat)
    seat.edit("ada", lambda one: one["memories"][0].update(content="Redis is run by us"))
    commit(seat)
    adopt(seat)
    assert list(seat.memories()) == ["Redis is run by us", TWO, THREE]
    revised = seat.events("memory.revised")[-1]
    assert (revised.actor, revised.origin) == ("Ada Example", "repo")

    seat.idle(1)
    git(seat, "checkout", "--", ".")
    events = len(seat.ledger.log())
    adopt(seat)
    assert list(seat.memories()) == ["Redis is run by us", TWO, THREE]
    assert len(seat.ledger.log()) == events


def test_without_any_log_everything_found_is_adopted(seat):
    document = seat.sidecar()
    memories = len(document["memories"])
    seat.close()
    subprocess.run(["rm", "-rf", ".varves", ".git/varves"], cwd=seat.root, check=True)

    seat.verbs.start(agents=["ben"])

    found = seat.sidecar()
    assert found["memories"] == document["memories"]
    assert found["sessions_participated"] == 1
    [told] = [note for note in seat.verbs.core.notes if "there is no log" in note]
    assert f"adopted {memories} records" in told
    assert told.endswith("without history and reasons")
    seat.verbs.end()
    seat.idle(1)
    assert seat.verbs.show("ada").sessions == 2


def test_rebuild_renders_the_same_bytes(seat):
    seat.edit("ada", lambda one: one.update(mood="good"))
    seat.hold(("ada", "I agree with Ben. I agree with Ben, too."), {"text": "Ship"})
    before = {one: seat.path(one).read_bytes() for one in ("ada", "ben", "noa")}
    state = json.dumps(seat.state())
    for one in before:
        seat.path(one).unlink()
    seat.ledger.rebuild()
    assert {one: seat.path(one).read_bytes() for one in before} == before
    assert json.dumps(seat.state()) == state


@pytest.mark.requirement("U-07")
def test_a_rewritten_memory_is_not_taken_twice_where_the_renderings_are_lost(seat):
    """Git's version still has the old words; only the log knows that they were rewritten here."""
    for words in (("add", "-A"), ("commit", "--quiet", "-m", "three")):
        subprocess.run(["git", *words], cwd=seat.root, check=True)
    seat.edit("ada", lambda one: one["memories"][0].update(content="Ops hands out every cache"))
    adopt(seat)
    seat.close()
    for place in (".varves/local", ".git/varves/local"):
        shutil.rmtree(seat.root / place, ignore_errors=True)

    seat.edit("ada", lambda one: one.update(sessions_participated=7))
    adopt(seat)

    assert sorted(seat.memories()) == sorted(["Ops hands out every cache", TWO, THREE])
    said = [one.text for one in seat.ledger.list(status="all")]
    assert said.count("Ops hands out every cache") == 1


@pytest.mark.requirement("U-07")
def test_the_newest_memory_taken_out_by_hand_is_forgotten(room):
    """The sidecar then remembers what an earlier version of it did."""
    room.give("ada", (ONE, 0.9))
    first = room.memories()
    room.give("ada", (TWO, 0.8))
    assert list(room.memories()) == [*first, TWO]
    room.edit("ada", lambda one: one["memories"].pop())

    adopt(room)

    assert list(room.memories()) == [ONE]
    [gone] = room.ledger.list(status="forgotten")
    assert (gone.text, gone.reason) == (TWO, "removed by hand")


@pytest.mark.requirement("S0-48")
def test_an_edit_that_is_not_recorded_yet_is_no_finding(seat):
    seat.later()
    seat.edit("ada", lambda found: found["memories"][0].update(content="Changed by hand"))
    assert seat.verbs.validate() == ()
    state = seat.state()
    state["agent_sidecars"]["ada"]["memory_count"] += 1
    (seat.root / STATE).write_text(json.dumps(state), encoding="utf-8")
    [finding] = seat.verbs.validate()
    assert finding.rule == "S0-47"
