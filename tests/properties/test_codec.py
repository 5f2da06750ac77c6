"""The line: one way to write an event, read back whole, and every changed bit seen."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.lines import FIELDS, forged, line_of, purged
from tests.properties.world import dump_of, replicas, rows_of
from tests.tables import each_row
from varves.errors import Refused
from varves.events.bulk import decode_quickly
from varves.events.codec import (
    HEAD_KEYS,
    MAX_DEPTH,
    MAX_INT,
    BadLine,
    assert_canonical,
    canonical,
    check,
    decode,
    encode,
    lawful,
    purged_line,
)
from varves.events.event import Draft
from varves.events.upcast import upcast

DECODERS = pytest.mark.parametrize("read", [decode, decode_quickly])
some = settings(max_examples=3 * settings.default.max_examples)
# Everything a string can hold but halves of characters, which are mended when read.
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INT, MAX_INT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
contents = st.dictionaries(texts, values, max_size=6)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("id", "time", "writer", "protocol", "actor", "origin", "kind"), texts),
        "session": st.none() | texts,
        "prev": st.none() | texts,
        "seen": st.lists(texts, max_size=3),
        "cause": st.lists(texts, max_size=3),
        "seq": st.integers(0, MAX_INT),
        "trust": st.integers(0, 3),
        "hlc": st.integers(0, 2**64 - 1).map("{:016x}".format),
        "salt": st.binary(min_size=16, max_size=16).map(bytes.hex),
    },
)


def same(left, right) -> bool:
    """Compare JSON values with their types: 1 is not 1.0 and not True."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@pytest.mark.full_size(sample=1)
@DECODERS
@some
@given(envelope=envelopes, content=contents)
def test_reading_what_was_written_gives_it_back(read, envelope, content):
    fields = FIELDS | envelope | {"data": content}
    line = encode(fields)
    assert line.endswith(b"\n")
    assert line.isascii()
    assert line.count(b"\n") == 1
    event = read(line[:-1], "project")
    assert same(event.fields, fields)
    assert encode(dict(event.fields)) == line
    assert_canonical(line[:-1], event)


@given(contents, st.randoms())
def test_the_bytes_do_not_depend_on_the_order_of_keys(content, chance):
    def shuffled(value):
        if isinstance(value, dict):
            pairs = list(value.items())
            chance.shuffle(pairs)
            return {key: shuffled(part) for key, part in pairs}
        return [shuffled(part) for part in value] if isinstance(value, list) else value

    assert canonical(shuffled(content)) == canonical(content)


def test_the_digests_are_those_of_the_format():
    """Spec: c over salt and canonical data, h over the line without data, salt and h."""
    fields = FIELDS | {"data": {"b": "\u00fc", "a": 1.5}, "salt": "ab" * 16}
    line = encode(fields)
    body = b'{"a":1.5,"b":"\\u00fc"}'
    assert b',"data":' + body + b',"salt":"' in line
    assert fields["c"] == sha256(bytes.fromhex("ab" * 16) + body).hexdigest()
    head = json.dumps(
        {key: fields[key] for key in (*HEAD_KEYS, "c")}, separators=(",", ":")
    ).encode()
    assert fields["h"] == sha256(head).hexdigest()


@given(st.text(st.characters(categories=("Cs", "Cc", "Lu", "So")), max_size=12))
def test_halves_of_characters_are_kept_in_the_line_and_mended_when_read(text):
    line = line_of(data={text: text})
    for read in (decode, decode_quickly):
        event = read(line, "project")
        [(key, value)] = event.data.items()
        assert key == value
        value.encode("utf-8")
        assert len(value) <= len(text)
        if not any("\ud800" <= c <= "\udfff" for c in text):
            assert value == text


@pytest.mark.parametrize("escape", [b"\\ud800", b"\\uD800", b"\\uDfFf", b"\\udc00\\ud800"])
def test_halves_of_characters_are_mended_however_they_are_escaped(escape):
    for read in (decode, decode_quickly):
        event = read(forged(b'{"text":"' + escape + b'"}'), "project")
        event.data["text"].encode("utf-8")


LINE = line_of(data={"memory": "mem_000000000000", "scope": "project", "text": "Use Zod \u00fc"})


@DECODERS
def test_every_single_flipped_bit_of_a_line_is_found(read):
    """All of them: 8 for each byte, whether the result still is JSON or not."""
    read(LINE, "project")
    for place in range(len(LINE)):
        for bit in range(8):
            broken = bytearray(LINE)
            broken[place] ^= 1 << bit
            with pytest.raises(BadLine):
                read(bytes(broken), "project")


@DECODERS
def test_every_single_flipped_bit_of_a_purged_line_is_found(read):
    gone = purged(LINE)
    assert read(gone, "project").purged
    for place in range(len(gone)):
        for bit in range(8):
            broken = bytearray(gone)
            broken[place] ^= 1 << bit
            with pytest.raises(BadLine):
                read(bytes(broken), "project")


@DECODERS
def test_a_line_cut_anywhere_is_found(read):
    for size in range(len(LINE)):
        with pytest.raises(BadLine):
            read(LINE[:size], "project")
        with pytest.raises(BadLine):
            read(LINE[size:] if size else b"", "project")


@pytest.mark.full_size(sample=1)
@DECODERS
@given(content=contents)
def test_a_purged_line_still_verifies_and_says_nothing(read, content):
    line = line_of(data=content)
    event = read(purged(line), "project")
    assert event.purged
    assert event.data == {}
    assert event.fields["h"] == read(line, "project").fields["h"]
    assert "salt" not in event.fields
    assert_canonical(purged(line), event)


FORGED = {
    "not a number": b'{"a":NaN}',
    "infinity": b'{"a":Infinity}',
    "a number out of range": b'{"a":1e999}',
    "a number of 5000 digits": b'{"a":' + b"9" * 5000 + b"}",
    "a list as content": b"[1]",
    "a word as content": b'"x"',
    "nothing": b"",
    "a lone brace": b"{",
    "bytes beyond ASCII": '{"a":"\u00fc"}'.encode(),
    "deep lists": b'{"a":' + b"[" * 70 + b"]" * 70 + b"}",
    "very deep lists": b'{"a":' + b"[" * 900 + b"]" * 900 + b"}",
    "bottomless lists": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 70 + b"1" + b"}" * 70,
}


@DECODERS
@each_row("body", FORGED.values())
def test_what_the_format_does_not_hold_is_a_bad_line_even_with_right_digests(read, body):
    with pytest.raises(BadLine):
        read(forged(body), "project")


BAD_ENVELOPES = [
    {"v": 0},
    {"v": -1},
    {"v": "1"},
    {"v": True},
    {"hlc": "0" * 15},
    {"hlc": "0" * 17},
    {"hlc": "G" * 16},
    {"hlc": "A" * 16},
    {"hlc": "fffffffffff_ffff"},
    {"hlc": "+fffffffffffffff"},
    {"hlc": " fffffffffffffff"},
    {"hlc": 5},
    {"hlc": ["0"] * 16},
    {"seq": -1},
    {"seq": 2**64},
    {"seq": 1.0},
    {"trust": -1},
    {"trust": 10**30},
    {"trust": True},
    {"trust": None},
    {"seen": [None]},
    {"seen": [{}]},
    {"seen": {}},
    {"cause": [1]},
    {"cause": "evt"},
    {"id": None},
    {"kind": 1},
    {"time": 1},
    {"actor": []},
    {"writer": {}},
    {"origin": None},
    {"protocol": None},
    {"prev": 1},
    {"session": 1},
]


@DECODERS
@each_row("fields", BAD_ENVELOPES)
def test_an_envelope_with_a_wrong_type_is_a_bad_line(read, fields):
    with pytest.raises(BadLine):
        read(forged(b"{}", **fields), "project")


@some
@given(
    st.dictionaries(
        st.sampled_from(HEAD_KEYS),
        values | st.lists(texts | st.none(), max_size=2) | st.just(10**30),
        max_size=3,
    ),
    st.binary(max_size=12) | contents.map(lambda one: json.dumps(one).encode()),
)
def test_both_decoders_agree_about_every_line(fields, body):
    """The quick one is for many lines; what it takes and refuses must be the same."""
    line = forged(body, **fields)
    answers = []
    for read in (decode, decode_quickly):
        try:
            event = read(line, "project")
        except BadLine as fault:
            answers.append(str(fault))
        else:
            shown = json.dumps(event.as_dict(), sort_keys=True)
            answers.append((shown, event.order, event.cause, event.purged, event.data))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("around", [lambda one: {"a": one}, lambda one: [one]], ids=["{}", "[]"])
@given(st.integers(1, 40))
def test_depth_is_limited_when_writing(around, more):
    content = around("text")
    for _ in range(MAX_DEPTH - 1):
        content = around(content)
    lawful(content)
    for _ in range(more):
        content = around(content)
    with pytest.raises(Refused):
        lawful(content)


@pytest.mark.parametrize("read", [decode, decode_quickly])
def test_a_line_of_sixty_four_levels_is_read_and_a_deeper_one_is_not(read):
    """Format, section on canonical JSON; the event itself is the first level."""
    for opening, closing in ((b'{"a":', b"}"), (b"[", b"]")):
        deepest = b'{"a":' + opening * 61 + b"{}" + closing * 61 + b"}"
        assert read(forged(deepest), "project").data
        with pytest.raises(BadLine, match="nested too deep"):
            read(forged(b'{"a":' + deepest + b"}"), "project")


def test_a_line_whose_digest_goes_by_another_name_is_bad():
    """What h covers may be anything at all; only a `c` in its place makes it an event."""
    line = forged(b"{}")
    at = line.rindex(b',"c":"')
    head, digest = line[: line.index(b',"data":')], line[at + 6 : at + 70]
    h = sha256(head + b',"x":"' + digest + b'"}').hexdigest().encode()
    other = line[:at] + b',"x":"' + digest + b'","h":"' + h + b'"}'
    with pytest.raises(BadLine):
        check(other)


def test_the_largest_counts_are_held():
    line = line_of(seq=MAX_INT, trust=MAX_INT)
    assert decode(line, "project").seq == decode_quickly(line, "project").seq == MAX_INT


def test_purging_a_line_twice_is_purging_it_once():
    line = forged(b'{"text":"words"}')
    assert purged_line(line) == purged_line(purged_line(line)) == purged(line)


def test_a_purged_line_with_a_key_of_its_own_is_not_canonical():
    """Its head is written as it was read, so only the list of keys can tell."""
    line = purged(forged(b"{}"))
    assert_canonical(line, decode(line, "project"))
    cut, at = line.index(b',"purged":'), line.rindex(b',"c":"')
    head = line[:cut] + b',"more":1'
    h = sha256(head + line[at : at + 71] + b"}").hexdigest().encode()
    other = head + b',"purged":true' + line[at : at + 71] + b',"h":"' + h + b'"}'
    with pytest.raises(BadLine, match="keys"):
        assert_canonical(other, decode(other, "project"))


def test_a_purged_line_holds_nothing_beside_its_mark():
    """No digest covers what stands between the mark and `c`."""
    line = purged(forged(b"{}"))
    check(line)
    at = line.rindex(b',"c":"')
    with pytest.raises(BadLine):
        check(line[:at] + b',"text":"smuggled"' + line[at:])


@each_row("value", [MAX_INT + 1, -MAX_INT - 1, float("nan"), float("inf"), {1: 2}])
def test_what_other_readers_could_not_hold_is_refused_when_writing(value):
    with pytest.raises(Refused):
        lawful({"a": [value]})
    lawful({"a": [MAX_INT, -MAX_INT, 0.1]})


@given(contents.filter(lambda content: "memory" not in content), st.sampled_from([1, 2, 7]))
def test_unknown_kinds_and_newer_versions_pass_through_and_fold_to_nothing(content, version):
    line = line_of(v=version, kind="memory.from_the_future", data=content)
    event = decode(line, "project")
    assert encode(dict(event.fields))[:-1] == line
    check(line)
    assert dump_of([event]) == ""


@given(contents)
def test_fields_we_do_not_know_survive_in_the_memory(more):
    known = {"memory", "text", "scope", "blob", "type", "tags", "at", "session", "evidence"}
    known |= {"links", "lifts", "redacted", "record", "memories", "created_at", "created_by"}
    known |= {"protocol", "summary", "priority", "confidence", "ttl", "expires_at", "speaker"}
    known |= {"turn", "source", "reason"}
    more = {key: value for key, value in more.items() if key not in known}
    [ada] = replicas("ada")
    record = {"memory": "mem_000000000000", "text": "Use Zod", "scope": "project"}
    event = ada.stamp(Draft(kind="memory.recorded", data=record | more, actor="ada"))
    act = {"memory": "mem_000000000000", "by": "mem_000000000001"}
    act["record"] = record | more | {"memory": "mem_000000000001"}
    ada.stamp(Draft(kind="memory.superseded", data=act, actor="ada"))
    rows = rows_of(decode(line, "project") for line in ada.lines.values())
    assert same(rows["mem_000000000000"]["extra"], more)
    assert same(rows["mem_000000000001"]["extra"], more)
    assert same(decode(ada.lines[event.id], "project").data, record | more)


def test_old_versions_are_brought_up_step_by_step():
    steps = {
        1: lambda fields: {**fields, "data": {**fields["data"], "b": fields["data"]["a"] + 1}},
        2: lambda fields: {**fields, "kind": fields["kind"].upper()},
    }
    old = {"v": 1, "kind": "x", "data": {"a": 1}}
    assert upcast(dict(old), steps, 3) == {"v": 3, "kind": "X", "data": {"a": 1, "b": 2}}
    assert upcast({**old, "v": 2}, steps, 3) == {"v": 3, "kind": "X", "data": {"a": 1}}
    assert upcast({**old, "v": 3}, steps, 3) == {**old, "v": 3}
    assert upcast({**old, "v": 9}, steps, 3) == {**old, "v": 9}
