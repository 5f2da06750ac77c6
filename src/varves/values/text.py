"""When two texts are one value: case, white space, width and final punctuation do not count."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_blake2b: Any = None
_QUOTED = 80
PER_TOKEN = 4  # characters, as an estimate
_FINAL = ".!?;:,… 。"  # NFKC has folded the full-width forms


def fold(text: str) -> str:
    """Fold a text to the form in which values are compared."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text)
    return " ".join(text.casefold().split()).rstrip(_FINAL)


def words(text: str) -> list[str]:
    """Split a text into its words, lower-case, without punctuation."""
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def quoted(value: object) -> str:
    """Quote a value in a message: whole if short, else by length, since half a secret is one."""
    text = str(value)
    return ascii(text) if len(text) <= _QUOTED else f"{len(text)} characters"


def tokens(text: str) -> int:
    """Estimate the tokens of a text: four characters each, rounded up."""
    return (len(text) + PER_TOKEN - 1) // PER_TOKEN


def value_key(log: str, scope: str, text: str) -> bytes:
    """Return the key under which a value is looked up in one log and scope."""
    global _blake2b  # noqa: PLW0603 - hashlib is dear, and recall never needs it
    if _blake2b is None:
        from hashlib import blake2b as _blake2b

    where = f"{log}\n{scope}\n{fold(text)}".encode("utf-8", "surrogatepass")
    key: bytes = _blake2b(where, digest_size=16).digest()
    return key
