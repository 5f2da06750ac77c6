"""What a purge takes out of a file, and what it leaves alone, whole or damaged."""

from __future__ import annotations

from tests.properties.lines import line_of, purged
from varves.log.doomed import Doomed
from varves.log.files.erase import erased

NAME = "log/2026-11/20261115-aaaaaa-0000000000.jsonl"
GONE, KEPT = "mem_gone00000000", "mem_kept00000000"
FOUND = Doomed(barred={GONE}, blobs=set(), known_by={GONE.encode()})


def said(memory: str, number: int) -> bytes:
    content = {"memory": memory, "scope": "project", "text": f"words {number}"}
    return line_of(id=f"evt_{number}", seq=number, data=content)


def test_a_line_of_the_memory_is_purged_and_every_other_stays():
    lines = [said(KEPT, 1), said(GONE, 2), said(KEPT, 3)]
    content = b"\n".join([*lines, b""])
    assert erased(NAME, content, FOUND).split(b"\n") == [lines[0], purged(lines[1]), lines[2], b""]


def test_a_damaged_line_goes_only_if_it_speaks_of_the_memory():
    hurt = said(KEPT, 1).replace(b"words", b"wards"), said(GONE, 2).replace(b"words", b"wards")
    content = b"\n".join([*hurt, b""])
    assert erased(NAME, content, FOUND).split(b"\n") == [hurt[0], b'{"purged":true}', b""]


def test_a_damaged_line_that_was_purged_before_is_left_as_it_is():
    """It has no content to lose, and its other fields are evidence."""
    line = purged(said(GONE, 1)).replace(b'"seq":1', b'"seq":9').replace(b"evt_1", GONE.encode())
    assert erased(NAME, line + b"\n", FOUND) == line + b"\n"


def test_a_torn_tail_goes_only_if_it_speaks_of_the_memory():
    whole = said(KEPT, 1) + b"\n"
    assert erased(NAME, whole + said(GONE, 2)[:-40], FOUND) == whole
    assert erased(NAME, whole + said(KEPT, 2)[:-40], FOUND) == whole + said(KEPT, 2)[:-40]
