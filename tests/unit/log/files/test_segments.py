"""Lines cut out of a segment's bytes; what is torn or bad never stops the rest."""

from __future__ import annotations

import re

import varves
from tests.properties.lines import line_of
from tests.tables import each_row
from varves.log.files.layout import blob_name, is_pack, segment_name
from varves.log.files.segments import lines, read_lines


def line(seq: int, text: str = "x") -> bytes:
    data = {"memory": "mem_aaaaaaaaaaaa", "scope": "project", "text": text}
    return line_of(id=f"evt_{seq:026}", hlc=f"{seq:016x}", seq=seq, data=data) + b"\n"


def test_whole_lines_come_with_their_offsets():
    assert list(lines(b"ab\nc\n\nrest")) == [(0, b"ab"), (3, b"c"), (5, b"")]
    assert list(lines(b"c\n", 3)) == [(3, b"c")]
    assert list(lines(b"")) == []


def test_a_segment_cut_at_any_byte_gives_the_whole_lines_before_the_cut():
    whole = [line(n, f"text {n}") for n in range(1, 4)]
    content = b"".join(whole)
    ends = [0, len(whole[0]), len(whole[0] + whole[1]), len(content)]
    for cut in range(len(content) + 1):
        reading = read_lines("log/2026-11/a.jsonl", content[:cut], "project")
        complete = sum(end <= cut for end in ends) - 1
        assert [event.seq for event, _ in reading.events] == list(range(1, complete + 1))
        assert reading.end == ends[complete]
        assert not reading.bad


@each_row("junk", [b"", b"{}", b"not json", b"\xff\xfe", b"[" * 5000, b"null"])
def test_a_bad_line_is_noted_with_its_place_and_the_rest_is_read(junk):
    first, last = line(1), line(2)
    reading = read_lines("a.jsonl", first + junk + b"\n" + last, "project")
    assert [event.seq for event, _ in reading.events] == [1, 2]
    start, stop, reason = reading.bad[0]
    assert (start, stop) == (len(first), len(first) + len(junk) + 1)
    assert reason


def test_one_changed_character_makes_a_line_bad():
    content = line(1, "deploy on friday")
    reading = read_lines("a.jsonl", content.replace(b"friday", b"monday"), "project")
    assert not reading.events
    assert "digest" in reading.bad[0][2]


def test_a_packs_first_line_is_no_event():
    content = b'{"segments":[]}\n' + line(1)
    assert len(read_lines("log/2026-11/a.pack.jsonl", content, "project").events) == 1
    assert len(read_lines("log/2026-11/a.jsonl", content, "project").bad) == 1


def test_names_say_the_month_the_day_and_the_clone():
    name = segment_name("2026-11-15", "abcdefghij", "0123456789")
    assert name == "log/2026-11/20261115-abcdef-0123456789.jsonl"
    assert not is_pack(name)
    assert is_pack("log/2026-11/x.pack.jsonl")
    assert blob_name("ab" * 32) == "log/blobs/" + "ab" * 32


def test_a_segment_is_named_by_its_day_its_clone_and_chance(tmp_path):
    with varves.open(tmp_path, home=tmp_path / "home") as ledger:
        told = ledger.remember("Use Zod")
        [event] = [event for event in ledger.log() if event.id == told.event]
    [path] = tmp_path.glob(".varves/log/*/*.jsonl")
    day, clone = event.time[:10], event.writer[:6]
    assert path.parent.name == day[:7]
    assert re.fullmatch(f"{day.replace('-', '')}-{clone}-[a-z0-9]{{10}}.jsonl", path.name)


def test_a_stranger_cannot_name_itself_out_of_the_folder():
    assert segment_name("2026-11-15", "../../x", "r") == "log/2026-11/20261115--------r.jsonl"
    assert segment_name("2026-11-15", "a\0b.é", "r") == "log/2026-11/20261115-a-b---r.jsonl"
