from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.cli.render import Alarm, Dim, Strong, document, field_lines, painted, safe
from varves.values.value import Value


@each_row(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("größer 漢字 שלום", "größer 漢字 שלום"),
        ("\x1b[2J\x07", "\\x1b[2J\\x07"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x00\x7f\x85\x9b", "\\x00\\x7f\\x85\\x9b"),
        ("\u202etxt.exe\u2069", "\\u202etxt.exe\\u2069"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("a\u00a0b", "a\\xa0b"),
        ("\U0001f469\u200d\U0001f52c", "\U0001f469\\u200d\U0001f52c"),
        ("\u2764\ufe0f", "\u2764\\ufe0f"),
        ("\U0001f469\U0001fae8\ue0a0", "\U0001f469\U0001fae8\ue0a0"),
    ],
)
def test_what_steers_or_hides_is_escaped_and_the_rest_is_left(text, shown):
    assert safe(text) == shown


def test_every_control_bidi_and_tag_character_is_escaped():
    steering = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F]
    steering += [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)]
    for code in steering:
        assert safe(chr(code)).startswith("\\")


def test_colour_wraps_what_is_escaped_already():
    line = (Strong("id"), "  \x1b[31m", Dim("d\x1b"), Alarm("!"))
    assert painted(line, colored=False) == "id  \\x1b[31md\\x1b!"
    assert painted(line, colored=True) == (
        "\x1b[1mid\x1b[0m  \\x1b[31m\x1b[2md\\x1b\x1b[0m\x1b[31m!\x1b[0m"
    )


def test_fields_are_aligned_and_empty_ones_left_out():
    fields = {"id": "m", "text": "a\nb", "none": None, "tags": ("x", "y"), "sure": False, "n": 0}
    assert [painted(line, colored=False) for line in field_lines(fields.items())] == [
        "id    m",
        "text  a",
        "      b",
        "tags  x, y",
        "sure  no",
        "n     0",
    ]


def test_documents_are_ascii_and_keep_half_a_surrogate():
    text = document({"text": "é\ud800\x1b"})
    assert text.isascii()
    assert json.loads(text) == {"text": "é\ud800\x1b"}


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
def test_documents_are_what_the_standard_encoder_writes(value):
    assert document(value) == json.dumps(value)


def test_documents_spell_out_values_and_tuples():
    class Pair(Value):
        left: int
        right: tuple[object, ...]

    assert document({"pair": Pair(left=1, right=(None, True))}) == (
        '{"pair": {"left": 1, "right": [null, true]}}'
    )
