"""Ids: the layout of UUIDv7, the alphabets, and that a fixed source fixes them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.values.ids import IdSource, base32, is_event_id, is_memory_id

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
MOMENT = st.integers(min_value=0, max_value=2**48 - 1)


class Said(IdSource):
    """A source whose every byte is the same."""

    def __init__(self, byte: int = 0) -> None:
        self.byte = byte

    def entropy(self, count: int) -> bytes:
        return bytes([self.byte]) * count


def number(identity: str) -> int:
    value = 0
    for letter in identity.removeprefix("evt_"):
        value = value << 5 | CROCKFORD.index(letter)
    return value


@given(MOMENT, st.integers(0, 255))
def test_an_event_id_is_a_uuid_of_version_7_and_its_variant(ms, byte):
    value = number(Said(byte).event(ms))
    assert value >> 80 == ms
    assert value >> 76 & 0xF == 7
    assert value >> 62 & 0b11 == 0b10
    assert value.bit_length() <= 128


@given(MOMENT, MOMENT)
def test_event_ids_sort_by_the_instant_they_were_made_for(one, other):
    source = IdSource()
    first, second = source.event(min(one, other)), source.event(max(one, other))
    assert one == other or first < second


def test_all_random_bits_of_an_event_id_come_from_the_source():
    low, high = number(Said(0x00).event(0)), number(Said(0xFF).event(0))
    assert (low ^ high).bit_count() == 74


def test_ids_have_their_form_and_say_so():
    source = IdSource()
    for _ in range(200):
        assert is_event_id(source.event(1_794_726_000_000))
        assert is_memory_id(source.memory())
        assert len(bytes.fromhex(source.salt())) == 16


def test_two_ids_of_one_source_differ():
    source = IdSource()
    assert len({source.memory() for _ in range(500)}) == 500
    assert len({source.event(5) for _ in range(500)}) == 500


def test_a_fixed_source_gives_the_same_ids_again():
    assert Said(9).memory() == Said(9).memory()
    assert Said(9).event(7) == Said(9).event(7)
    assert Said(9).salt() == "09" * 16


@each_row(
    "text",
    [
        *("", "mem_", "mem_aaaaaaaaaaa", "mem_aaaaaaaaaaaaa", "MEM_aaaaaaaaaaaa"),
        *("mem_AAAAAAAAAAAA", "mem_aaaa/aaaaaaa", "mem_aaaaaaaaaaa\n", "mem_../../../..", "evt_x"),
        "mem_aaaaaaaaaaa²",
    ],
)
def test_anything_else_is_no_memory_id(text):
    assert not is_memory_id(text)


@each_row("text", ["", "evt_", "evt_" + "i" * 26, "evt_" + "0" * 25, "evt_" + "0" * 27, "0" * 30])
def test_anything_else_is_no_event_id(text):
    assert not is_event_id(text)


def test_base32_is_written_most_significant_letter_first():
    assert base32(0, 4) == "0000"
    assert base32(33, 3) == "011"
    assert base32(31, 1) == "z"
