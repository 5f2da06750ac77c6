"""The quick way of reading lines gives what the slow way gives, good lines and bad."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.events.bulk import LineEvent, decode_quickly
from varves.events.codec import BadLine, decode, encode

ASKED = (
    *("id", "kind", "data", "hlc", "time", "writer", "seq", "prev", "seen", "actor", "session"),
    *("protocol", "cause", "origin", "trust", "purged", "order", "digest", "log", "fields"),
)
SALT = "00" * 16

numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
contents = st.dictionaries(st.text(max_size=8), plain, max_size=4)


def envelope(**changes: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "v": 1,
        "id": "evt_01knf1nfc0f7z9q3djrgh2q5ng",
        "hlc": "019d5e1abd800000",
        "time": "2026-04-05T14:45:04.000Z",
        "writer": "clone.lane",
        "seq": 7,
        "prev": None,
        "seen": ["aa"],
        "protocol": "core",
        "session": None,
        "actor": "USER",
        "cause": ["evt_1"],
        "origin": "direct",
        "trust": 3,
        "kind": "memory.recorded",
        "data": {"memory": "mem_1", "scope": "project", "text": "a text"},
        "salt": SALT,
    }
    return fields | changes


def nested(depth: int) -> list[object]:
    return [nested(depth - 1)] if depth else []


def outcome(read, line: bytes) -> object:
    try:
        event = read(line, "project")
    except BadLine as fault:
        return str(fault)
    return {name: getattr(event, name) for name in ASKED}


def check_same(line: bytes) -> None:
    assert outcome(decode_quickly, line) == outcome(decode, line)


def test_a_plain_line_is_read_quickly():
    line = encode(envelope())[:-1]
    assert isinstance(decode_quickly(line, "project"), LineEvent)
    check_same(line)


@given(contents)
@example({"text": "\ud800 alone"})
@example({"text": "\U0001f600"})
@example({"deep": nested(70)})
def test_any_content_is_read_alike(content):
    check_same(encode(envelope(data=content))[:-1])


@each_row(
    "changes",
    [
        {"v": 0},
        {"v": 2},
        {"v": 1.0},
        {"seq": -1},
        {"seq": 2**60},
        {"seq": 1.5},
        {"trust": None},
        {"hlc": "019D5E1ABD800000"},
        {"hlc": "short"},
        {"seen": [1]},
        {"cause": [None]},
    ],
)
def test_an_unusual_envelope_is_read_alike(changes):
    check_same(encode(envelope(**changes))[:-1])


@each_row("at", range(0, 600, 7))
def test_a_changed_byte_is_found_alike(at):
    line = bytearray(encode(envelope())[:-1])
    line[at % len(line)] ^= 1
    check_same(bytes(line))


@each_row("length", [0, 1, 10, 146, 200, 400])
def test_a_cut_line_is_found_alike(length):
    check_same(encode(envelope())[:length])


def test_a_purged_line_is_read_alike():
    line = encode(envelope())[:-1]
    head, tail = line.partition(b',"data":')[0], line[line.rfind(b',"c":') :]
    check_same(head + b',"purged":true' + tail)
    assert decode_quickly(head + b',"purged":true' + tail, "project").purged
