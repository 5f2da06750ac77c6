"""The part of MDAN-STATE.json that is ours, and every byte that is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from varves.protocols.party.sidecars import Sheet
from varves.protocols.party.state_file import patched

SAMPLES = Path(__file__).with_name("samples")
STATE = "_mdan/state/MDAN-STATE.json"


def put(room, content):
    path = room.root / STATE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.requirement("S0-47", "S0-48", "S0-49")
def test_a_missing_state_file_is_made(room):
    room.give("ada-2", ("Redis is run by ops", 0.9), ("It rains", 0.8))

    assert (room.root / STATE).read_text(encoding="utf-8") == (
        """\
{
  "agent_sidecars": {
    "ada-2": {
      "path": "_mdan/state/sidecars/ada-2.sidecar.json",
      "last_updated": "2026-01-02T00:00:00Z",
      "memory_count": 2,
      "sessions": 1
    }
  }
}
"""
    )
    sidecar = room.sidecar("ada-2")
    entry = room.state()["agent_sidecars"]["ada-2"]
    assert (room.root / entry["path"]).exists()
    assert entry["last_updated"] == sidecar["last_updated"]
    assert entry["memory_count"] == len(sidecar["memories"])
    assert entry["sessions"] == sidecar["sessions_participated"]


def test_a_name_in_any_script_is_written_as_it_is_and_stays():
    moment = "2026-01-02T00:00:00Z"
    zoe = Sheet(
        agent="zoë",
        display_name="Zoë",
        created_at=moment,
        last_updated=moment,
        relationships={},
    )
    made = patched(None, [zoe])
    assert '"zoë": {' in made.decode("utf-8")
    assert patched(made, [zoe]) == made


@pytest.mark.requirement("S0-49")
def test_a_published_state_file_keeps_every_byte_outside_our_part(room):
    before = (SAMPLES / "MDAN-STATE-taskflow-api-v2.json").read_bytes()
    path = put(room, before)
    room.give("ada", ("Redis is run by ops", 0.9))

    after = path.read_bytes()
    assert after.startswith(before.rstrip().removesuffix(b"}").rstrip())
    old, now = json.loads(before), json.loads(after)
    assert list(now) == [*old, "agent_sidecars"]
    assert {key: now[key] for key in old} == old
    assert list(now["agent_sidecars"]) == ["ada"]

    room.give("ada", ("It rains", 0.9))
    assert path.read_bytes().startswith(before.rstrip().removesuffix(b"}").rstrip())
    assert room.state()["agent_sidecars"]["ada"]["sessions"] == 2


@pytest.mark.requirement("S0-49")
def test_an_empty_part_of_a_published_state_file_is_filled_in_its_place(room):
    before = (SAMPLES / "MDAN-STATE.template.json").read_text(encoding="utf-8")
    path = put(room, before.encode())
    room.verbs.start(agents=["ada"])

    after = path.read_text(encoding="utf-8")
    head, tail = before.split('"agent_sidecars": {}')
    assert after.startswith(f'{head}"agent_sidecars": {{\n    "ada": {{\n      "path":')
    assert after.endswith(f"\n    }}\n  }}{tail}")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-49")
@pytest.mark.parametrize(
    "before",
    [
        pytest.param(b'{"b":1,"a":[1, 2]}', id="one-line"),
        pytest.param(b"{}", id="empty"),
        pytest.param(b'{\r\n\t"b": 1\r\n}\r\n', id="tabs-and-crlf"),
        pytest.param(b'\xef\xbb\xbf{\n    "b": {"agent_sidecars": 5}\n}\n', id="mark-and-four"),
        pytest.param(b'{\n  "agent_sidecars": null,\n  "z": 1\n}', id="null"),
        pytest.param(
            b'{\n  "agent_sidecars": {"eve": {"path": "x"}, "ada": {"note": "mine"}}\n}\n',
            id="others",
        ),
    ],
)
def test_state_files_of_any_style_stay_as_they_are_beside_our_part(room, before):
    path = put(room, before)
    room.give("ada", ("Redis is run by ops", 0.9))

    raw = path.read_bytes()
    old, now = json.loads(before.decode("utf-8-sig")), json.loads(raw.decode("utf-8-sig"))
    assert {key: now[key] for key in old if key != "agent_sidecars"} == {
        key: old[key] for key in old if key != "agent_sidecars"
    }
    kept = old.get("agent_sidecars") or {}
    entry = now["agent_sidecars"]["ada"]
    assert {key: entry[key] for key in ("memory_count", "sessions")} == {
        "memory_count": 1,
        "sessions": 1,
    }
    assert entry.get("note") == kept.get("ada", {}).get("note")
    assert now["agent_sidecars"].get("eve") == kept.get("eve")
    assert (b"\r\n" in raw) == (b"\r\n" in before)
    assert (raw[:3] == b"\xef\xbb\xbf") == (before[:3] == b"\xef\xbb\xbf")
    assert (b"\n" in raw) == (b"\n" in before or before == b"{}")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"{ half", id="no-json"),
        pytest.param(b"[]", id="no-object"),
        pytest.param(b'{"agent_sidecars": []}', id="part-no-object"),
        pytest.param(b'{"a": "\xff"}', id="no-utf-8"),
    ],
)
@pytest.mark.requirement("S0-46")
def test_a_state_file_that_cannot_be_read_is_left_alone_and_the_sidecars_are_saved(room, content):
    path = put(room, content)
    room.give("ada", ("Redis is run by ops", 0.9))

    assert path.read_bytes() == content
    assert room.memories() == {"Redis is run by ops": 0.9}
    assert any(f"{STATE} cannot be read" in note for note in room.verbs.core.notes)
    assert "S0-49" in {one.rule for one in room.verbs.validate()}


@pytest.mark.requirement("S0-46")
def test_the_state_file_is_written_last(room):
    room.give("ada", ("Redis is run by ops", 0.9))
    room.give("ada", ("It rains", 0.9))

    sidecar, state = room.path("ada").stat(), (room.root / STATE).stat()
    assert sidecar.st_mtime_ns <= state.st_mtime_ns


@pytest.mark.requirement("S0-27", "S0-29")
def test_the_end_saves_those_who_took_part_and_no_other(room):
    room.give("ada", ("Redis is run by ops", 0.9))
    room.give("noa", ("It rains", 0.9))
    before = room.path("noa").read_bytes()

    room.at("2026-02-03T04:05:06.789Z").start(agents=["ada", "ben"])
    for agent in ("ada", "ben"):
        room.verbs.remember(agent, type="context", content=f"Of {agent}", confidence=0.9)
    room.at("2026-02-03T05:00:00Z").end()

    assert room.path("noa").read_bytes() == before
    for agent in ("ada", "ben"):
        assert room.sidecar(agent)["last_updated"] == "2026-02-03T05:00:00Z"
        assert room.state()["agent_sidecars"][agent]["last_updated"] == "2026-02-03T05:00:00Z"
    assert room.sidecar("ben")["created_at"] == "2026-02-03T04:05:06Z"


def test_a_part_that_somebody_changed_is_found_and_put_right(room):
    room.give("ada", ("Redis is run by ops", 0.9))
    wrong = room.state()
    wrong["agent_sidecars"]["ada"]["sessions"] = 99
    put(room, json.dumps(wrong).encode())
    assert [one.rule for one in room.verbs.validate()] == ["S0-47"]

    room.ledger.rebuild()

    assert room.state()["agent_sidecars"]["ada"]["sessions"] == 1
    assert room.verbs.validate() == ()


def test_a_published_roster_is_read(room):
    roster = room.root / "_mdan/_config/agent-manifest.csv"
    roster.parent.mkdir(parents=True)
    roster.write_bytes((SAMPLES / "agent-manifest.csv").read_bytes())
    room.verbs.start(agents=["mdan-master", "indexing-specialist", "nobody"])
    names = [room.sidecar(one)["displayName"] for one in ("mdan-master", "indexing-specialist")]
    assert names == ["MDAN Master", "Salma"]
    assert room.sidecar("nobody")["displayName"] == "nobody"


LISTED = {"path": "_mdan/state/sidecars/zoe.sidecar.json", "memory_count": 15, "sessions": 3}


@pytest.mark.requirement("S0-49")
def test_an_entry_whose_sidecar_is_missing_stays_and_is_named(room):
    put(room, json.dumps({"agent_sidecars": {"zoe": LISTED}}).encode())
    room.hold(("ada", "I prefer tabs"), agents=("ada",))
    assert room.state()["agent_sidecars"]["zoe"] == LISTED

    room.later().start(agents=("ada",))
    assert room.verbs.core.notes == [f"{LISTED['path']} is missing, but {STATE} lists it"]
    [finding] = room.verbs.validate()
    assert (finding.place, finding.message) == (
        *(LISTED["path"], f"{STATE} lists it, but it is missing"),
    )


@pytest.mark.requirement("S0-47")
def test_an_agent_whose_listed_sidecar_is_missing_begins_anew_and_that_is_said(room):
    put(room, json.dumps({"agent_sidecars": {"zoe": LISTED}}).encode())
    started = room.verbs.start(agents=("zoe",))
    assert started.blocks[0].first
    assert room.verbs.core.notes == [f"{LISTED['path']} is missing, but {STATE} lists it"]
    assert room.verbs.validate() == ()
