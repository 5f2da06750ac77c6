"""A segment between git's marks: each event once, purged if either side has purged it."""

from __future__ import annotations

import pytest

from varves.events.codec import encode, purged_line
from varves.log.files.unmerged import without_marks
from varves.values.ids import IdSource

KEYS = "v id hlc time writer seq prev seen protocol session actor cause origin trust kind data salt"


def line(number: int) -> bytes:
    ids = IdSource()
    fields = dict.fromkeys(KEYS.split())
    fields |= {"v": 1, "id": f"evt_{number:026}", "hlc": f"{number:016x}", "writer": "a.b"}
    fields |= {"time": "2026-11-15T06:20:00.000Z", "seq": number, "seen": [], "cause": []}
    fields |= {"protocol": "core", "actor": "ada", "origin": "direct", "trust": 3}
    fields |= {"kind": "memory.recorded", "data": {"n": number}, "salt": ids.salt()}
    return encode(fields)[:-1]


A, B, C, D = (line(number) for number in range(1, 5))
GONE_B, GONE_C = purged_line(B), purged_line(C)


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_what_either_side_purged_stays_purged(style):
    between = [b"||||||| 1a2b3c4", B, C] if style == "diff3" else []
    marked = [A, b"<<<<<<< HEAD", GONE_B, C, *between, b"=======", B, GONE_C, b">>>>>>> other", D]
    assert without_marks(b"\n".join([*marked, b""])) == b"\n".join([A, GONE_B, GONE_C, D, b""])


def test_what_is_whole_on_both_sides_and_a_torn_end_stay():
    marked = [b"<<<<<<< HEAD", GONE_B, C, b"=======", B, C, b">>>>>>> other", D, b'{"v":1,"id']
    assert without_marks(b"\n".join(marked)) == b"\n".join([GONE_B, C, D, b'{"v":1,"id'])


def test_bad_lines_are_kept_for_whoever_looks_into_them():
    marked = [b'{"pack":1}', b"<<<<<<< HEAD", GONE_B, b"=======", B, b">>>>>>> x", b"noise", b""]
    assert without_marks(b"\n".join(marked)) == b"\n".join([b'{"pack":1}', GONE_B, b"noise", b""])


def test_a_file_without_marks_is_the_same_afterwards():
    content = b"\n".join([A, GONE_B, C, D, b""])
    assert without_marks(content) == content
