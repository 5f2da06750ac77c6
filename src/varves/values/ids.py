"""Creates random ids, which cannot be read as a path; ids of events sort by time.

An event id is a UUIDv7 in 26 letters of Crockford's base32, so that ids sort by creation time. A
memory id is `mem_` and twelve of a-z0-9. All randomness comes from an `IdSource`, which a test can
replace by a fixed one.
"""

from __future__ import annotations

import os

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_ALNUM = "0123456789abcdefghijklmnopqrstuvwxyz"
_MEMORY = 12  # the number of random letters in a memory id
_TO_CROCKFORD = (_CROCKFORD * 8).encode()  # maps each byte to a letter
_TO_ALNUM = (_ALNUM * 8)[:256].encode()


class IdSource:
    """Creates ids from the system's randomness."""

    def entropy(self, count: int) -> bytes:
        """Return random bytes; a source of fixed ids overrides only this method."""
        return os.urandom(count)

    def event(self, ms: int) -> str:
        """Return an event id for an instant, given in milliseconds.

        The first ten letters contain fifty bits of time. The eleventh and the fourteenth letter
        contain the UUID's version and variant. The rest is random.
        """
        chance = self.entropy(16)
        letters = chance.translate(_TO_CROCKFORD).decode("ascii")
        version = _CROCKFORD[0b01110 | chance[0] & 1]
        variant = _CROCKFORD[0b01000 | chance[3] & 0b10011]
        return f"evt_{base32(ms, 10)}{version}{letters[1:3]}{variant}{letters[4:]}"

    def memory(self) -> str:
        """Return a memory id."""
        return "mem_" + self.word(_MEMORY)

    def salt(self) -> str:
        """Return sixteen random bytes in hex."""
        return self.entropy(16).hex()

    def word(self, length: int) -> str:
        """Return a random word of lower-case letters and digits."""
        return self.entropy(length).translate(_TO_ALNUM).decode("ascii")


def base32(value: int, length: int) -> str:
    """Write a number in Crockford's base32, most significant letter first."""
    return "".join(_CROCKFORD[value >> shift & 31] for shift in range(5 * length - 5, -1, -5))


def is_memory_id(text: str) -> bool:
    """Return whether the text has the form of a memory id."""
    return len(text) == 16 and text.startswith("mem_") and _only(text[4:], _ALNUM)


def memory_of(digest: bytes) -> str:
    """Return a memory id derived from a digest; the same digest always gives the same id."""
    number, letters = int.from_bytes(digest, "big"), []
    for _ in range(_MEMORY):
        number, rest = divmod(number, len(_ALNUM))
        letters.append(_ALNUM[rest])
    return "mem_" + "".join(letters)


def is_event_id(text: str) -> bool:
    """Return whether the text has the form of an event id."""
    return len(text) == 30 and text.startswith("evt_") and _only(text[4:], _CROCKFORD)


def made_at(event: str) -> int:
    """Return the instant, in milliseconds, that an event id contains."""
    ms = 0
    for letter in event[4:14]:
        ms = ms * 32 + _CROCKFORD.index(letter)
    return ms


def _only(text: str, letters: str) -> bool:
    return not text.strip(letters)
