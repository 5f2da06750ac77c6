"""Identities: random, sortable where that helps, and never a path.

An event id is a UUIDv7 in 26 letters of Crockford's base32, so that ids sort by time of making. A
memory id is `mem_` and twelve of a-z0-9. All randomness comes from an `IdSource`, so a test can
fix it.
"""

from __future__ import annotations

import os

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_ALNUM = "0123456789abcdefghijklmnopqrstuvwxyz"


class IdSource:
    """Makes identities from the system's randomness."""

    def entropy(self, count: int) -> bytes:
        """Return that many random bytes; a fixed source overrides only this."""
        return os.urandom(count)

    def event(self, ms: int) -> str:
        """Return an event id for an instant in milliseconds."""
        tail = int.from_bytes(self.entropy(10), "big")
        high = (tail >> 62) & 0xFFF
        low = tail & 0x3FFF_FFFF_FFFF_FFFF
        value = (ms & 0xFFFF_FFFF_FFFF) << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low
        return "evt_" + base32(value, 26)

    def memory(self) -> str:
        """Return a memory id."""
        return "mem_" + self.word(12)

    def salt(self) -> str:
        """Return sixteen random bytes in hex."""
        return self.entropy(16).hex()

    def word(self, length: int) -> str:
        """Return a random word of lower-case letters and digits."""
        value = int.from_bytes(self.entropy(length), "big")
        letters = []
        for _ in range(length):
            value, digit = divmod(value, 36)
            letters.append(_ALNUM[digit])
        return "".join(letters)


def base32(value: int, length: int) -> str:
    """Write a number in Crockford's base32, most significant letter first."""
    return "".join(_CROCKFORD[value >> shift & 31] for shift in range(5 * (length - 1), -1, -5))


def is_memory_id(text: str) -> bool:
    """Tell whether the text has the form of a memory id."""
    return len(text) == 16 and text.startswith("mem_") and _only(text[4:], _ALNUM)


def is_event_id(text: str) -> bool:
    """Tell whether the text has the form of an event id."""
    return len(text) == 30 and text.startswith("evt_") and _only(text[4:], _CROCKFORD)


def _only(text: str, letters: str) -> bool:
    return all(letter in letters for letter in text)
