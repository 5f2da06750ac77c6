"""Decides whether two texts are the same value, ignoring case, white space and final stops."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

_blake2b: Any = None
_QUOTED = 80
_NEAR = 0.75  # two words with at least this share of common letters may be the same word, misspelt
LONGEST = 20  # the most bytes in a token; the estimate counts in twentieths of a token
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CASES = bytes.maketrans(_LETTERS, b"a" * 26 + b"A" * 26)  # each letter as `a` or `A`
_RUNS = bytes(97 if code in _LETTERS else 32 for code in range(256))
# the cost of each word in addition to its letters, and the cost of any other sign
_WORD, _SIGN = 11, 12
_WEIGHTS = ((_LETTERS, 3), (b"0123456789", 14), (bytes(range(128, 256)), 8), (b" \n\r\t", 1))
_FINAL = ".!?;:,… 。"  # NFKC has already folded the full-width forms


def fold(text: str) -> str:
    """Return a text in the form in which values are compared."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text)
    return " ".join(text.casefold().split()).rstrip(_FINAL)


def keyed(content: dict[str, Any], text: str) -> str:
    """Return a structured content as lines, each value after its key: "prod: db-2".

    The field with which `text` begins comes first, and has no key if this is `text`. An inner key
    follows the outer one: "terms.SKU: stock keeping unit". Empty values are left out.
    """
    opening = text.partition("\n")[0].strip()
    main: list[str] = []
    others: list[str] = []
    for key, value in _leaves(content, ""):
        opens = not main and value.startswith(opening)
        line = value if key == "text" else f"{key}: {value}"
        (main if opens else others).append(line)
    return "\n".join(main + others)


def _leaves(part: Any, key: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each value of a content."""
    if isinstance(part, dict):
        for name, inner in part.items():
            bare = " ".join(str(name).split())
            yield from _leaves(inner, f"{key}.{bare}" if key else bare)
    elif isinstance(part, (list, tuple)):
        if any(isinstance(one, (dict, list, tuple)) for one in part):
            for place, inner in enumerate(part, 1):
                yield from _leaves(inner, f"{key}.{place}")
        elif said := ", ".join(_leaf(one) for one in part):
            yield key, said
    elif said := _leaf(part):
        yield key, said


def _leaf(part: Any) -> str:
    if isinstance(part, str):
        return part.strip()
    return "" if part is None else str(part).lower() if isinstance(part, bool) else str(part)


def words(text: str) -> list[str]:
    """Split a text into its words, lower-case, without punctuation."""
    return runs(text.lower())


def runs(text: str) -> list[str]:
    """Split a text into its runs of letters and digits; all other characters are dropped."""
    # a text has few different signs; checking every letter would take ten times as long
    for sign in set(text):
        if not sign.isalnum():
            text = text.replace(sign, " ")
    return text.split()


def entities(text: str) -> list[str]:
    """Return the parts of names that are written as one word, such as `PaymentGateway`.

    People search for "payment gateway", but a full-text index contains only the whole name.
    """
    if text.isascii() and b"aA" not in text.encode("ascii").translate(_CASES):
        return []
    found: dict[str, None] = {}
    for run in runs(text):
        if run.islower() or run.isupper() or run[1:].islower() or run.isdigit():
            continue
        start = 0
        for place in range(1, len(run)):
            if run[place].isupper() and run[place - 1].islower():
                found[run[start:place]] = None
                start = place
        found[run[start:]] = None
    if not found:
        return []
    known = set(words(text))
    return [part for part in found if part.lower() not in known]


def quoted(value: object) -> str:
    """Quote a value in a message; of a long value, give only the length, to hide secrets."""
    text = str(value)
    return repr(text) if len(text) <= _QUOTED else f"{len(text)} characters"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known name that is closest to a misspelt name, or "" if none is close."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1, _NEAR)), "")


def counted(number: int, what: str) -> str:
    """Return a count with its noun: `1 memory`, `2 memories`."""
    if number == 1:
        return f"1 {what}"
    ends = what[-1:] == "y" and what[-2:-1] not in "aeiou"
    return f"{number} {what[:-1]}ies" if ends else f"{number} {what}s"


def listed(names: Sequence[str], *, most: int) -> str:
    """Return names in a row; if there are more than `most`, the first of them and how many more."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up.

    The estimate adds a weight for each word, letter, digit, other sign, space, and byte of a letter
    beyond ASCII. The estimate for several lines together is at most the sum for the single lines.
    """
    left = text.encode("utf-8", "surrogatepass")
    parts = _WORD * (b" " + left.translate(_RUNS)).count(b" a")
    for letters, weight in _WEIGHTS:
        rest = left.translate(None, letters)
        parts += weight * (len(left) - len(rest))
        left = rest
    return -(-(parts + _SIGN * len(left)) // LONGEST)


def value_key(log: str, scope: str, text: str) -> bytes:
    """Return the key under which a text is looked up as a value of one log and scope."""
    global _blake2b  # noqa: PLW0603 - hashlib is dear, and recall never needs it
    if _blake2b is None:
        from hashlib import blake2b as _blake2b

    where = f"{log}\n{scope}\n{fold(text)}".encode("utf-8", "surrogatepass")
    key: bytes = _blake2b(where, digest_size=16).digest()
    return key


def first_line(text: str) -> str:
    """Return the first line of a text, with the lines that it introduces by a colon."""
    line, _, rest = text.partition("\n")
    return " ".join(f"{line} {rest}".split()) if line.rstrip(" *_").endswith(":") else line
