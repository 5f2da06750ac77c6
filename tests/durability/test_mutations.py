"""R6: damage is seen, and costs the lines it touched and no others.

What nobody closed and nobody saw cannot be proved missing: the last lines of a segment that is
still open may be cut off unnoticed. Those mutations are counted apart, and so are changes of the
names in a pack's first line, which nothing is read from.
"""

from __future__ import annotations

import json

import pytest

from tests.durability.mutations import MUSEUM, PACK, WAYS, Log, Sweep, files_of, look, noticed
from tests.figures import full_size, note_figure
from varves.events.codec import BadLine
from varves.log.files.segments import read_lines
from varves.log.files.verify import verify

MUTATIONS = 100_000 if full_size() else 500


def test_all_damage_is_noticed_and_costs_only_the_lines_it_touched(home):
    sweep = Sweep(20261115)
    sweep.go(MUTATIONS)
    found = sweep.found
    assert not sweep.wrong, (found, sweep.wrong[:20])
    assert found["detected"] + found["unprovable"] + found["pack_names"] == MUTATIONS
    assert min(sweep.ways[way.__name__] for way in WAYS) >= MUTATIONS // 20, sweep.ways
    assert found["lines_set_apart"] > MUTATIONS // 4, "the damage was hardly any"
    assert found["unprovable"] < MUTATIONS // 5, "most cuts must be ones that can be proved"
    note_figure(
        "R6",
        mutations=MUTATIONS,
        detected=found["detected"],
        missed=found["missed"],
        untouched_lines_lost=found["untouched_lost"],
        cut_off_an_open_end_and_unprovable_by_design=found["unprovable"],
        of_a_pack_only_a_name_changed=found["pack_names"],
    )


@pytest.fixture
def museum() -> Log:
    return Log(files_of(MUSEUM))


def test_a_salt_in_capitals_is_a_bad_line(museum):
    """Regression: it has the same bytes, so the digest alone did not notice."""
    name = museum.names[0]
    lines = list(museum.lines[name])
    start = lines[0].rindex(b',"salt":"') + len(b',"salt":"')
    lines[0] = lines[0][:start] + lines[0][start : start + 32].upper() + lines[0][start + 32 :]
    assert lines[0] != museum.lines[name][0]
    spoilt = b"".join(line + b"\n" for line in lines)
    assert noticed(museum, {**museum.files, name: spoilt})


def test_a_line_behind_the_last_segment_of_a_pack_is_noticed(museum):
    """Regression: nobody looked beyond what the pack's first line lists."""
    [name] = [name for name in museum.names if name.endswith(PACK)]
    content = museum.files[name]
    for rest in (museum.lines[name][2] + b"\n", b"\n", b"{"):
        assert noticed(museum, {**museum.files, name: content + rest})


def test_a_pack_that_lost_its_first_line_lost_no_event(museum):
    """Regression: whatever stood first was taken for the list of its segments."""
    [name] = [name for name in museum.names if name.endswith(PACK)]
    events = museum.lines[name][1:]
    content = b"".join(line + b"\n" for line in events)
    assert noticed(museum, {**museum.files, name: content})
    assert [line for _, line in read_lines(name, content, "").events] == events


def is_json(log: Log, files: dict[str, bytes]) -> bool:
    """Notice only what is no JSON any more."""
    try:
        for name, content in files.items():
            if name.endswith(".jsonl"):
                for line in content.split(b"\n")[:-1]:
                    json.loads(line)
    except ValueError:
        return True
    return False


def is_hashed(log: Log, files: dict[str, bytes]) -> bool:
    """Notice bad lines, and nothing of their order and number."""
    return any(found.rule == "bad-line" for found in look(files).damage)


def test_reading_json_would_not_notice_most_of_it(home):
    sweep = Sweep(1, is_json)
    sweep.go(300)
    assert sweep.found["missed"] > 100


@pytest.mark.full_size
def test_digests_without_chains_would_not_notice_lost_lines(home):
    sweep = Sweep(1, is_hashed)
    sweep.go(300)
    assert {one.split()[0] for one in sweep.wrong} >= {"drop", "swap", "double", "cut_lines"}


@pytest.mark.full_size
def test_a_verify_that_trusts_its_lines_is_caught(home, monkeypatch):
    """Deliberately broken: digests are not compared."""
    from varves.events import bulk, codec

    wanted = (b"id", b"hlc", b"writer", b"seq", b"prev", b"seen", b"h", b"time", b"kind", b"actor")
    wanted += (b"session", b"protocol", b"cause", b"origin", b"trust")

    def unchecked(line: bytes) -> None:
        if not line.startswith(b"{") or any(b'"%s":' % name not in line for name in wanted):
            raise BadLine("not an event line")

    sweep = Sweep(1)
    monkeypatch.setattr(bulk, "check", unchecked)
    monkeypatch.setattr(codec, "check", unchecked)
    monkeypatch.setitem(verify.__globals__, "assert_canonical", lambda line, event: None)
    sweep.go(300)
    assert sweep.found["forged"] > 0
    assert sweep.found["missed"] > 0
