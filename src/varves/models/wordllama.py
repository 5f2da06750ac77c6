"""WordLlama as an encoder: a text's vector is the mean of its tokens' rows.

Only two files of the package are read, and none of its code is run. Its own loader would look for
the tokenizer in a folder that the wheel does not contain, and then use the network. The digest of
the weights and the tokenizer is fixed, so vectors with the same name are equal everywhere.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from mmap import mmap
    from typing import Any

    from numpy import float32
    from numpy.typing import NDArray

PACKAGE = "wordllama"
PIECES = "tokenizers/l2_supercat_tokenizer_config.json"
WEIGHTS = "weights/l2_supercat_256.safetensors"
DIGEST = "27e1822132933d3a"  # the digest of the two files, in this order
NAME = f"wordllama-l2-256-{DIGEST}"
MISSING = "not installed (pip install 'varves[semantic]')"

WIDTH = 256
_START = "\u2581"  # marks the beginning of a word
_LONGEST_WORD = 32  # in characters; the cost of merging is quadratic, and few words are longer
_LONGEST_TEXT = 32_000  # in characters; the mean of a longer text is meaningless
_FEW = 64  # so many texts are embedded with the mapped table, which has half precision
_REMEMBERED = 100_000  # the most words whose tokens are cached


class Unusable(Exception):
    """The package is installed, but its files do not have the expected digest."""


class WordLlama:
    """The encoder; its table (16 MB) is mapped from the file, and processes share its memory."""

    name = NAME
    width = WIDTH

    def __init__(self, folder: str) -> None:
        import numpy as np

        self._numpy = np
        self._ids, weights = _read(folder)
        # Each two tokens whose letters form a token may be merged, in the order of the tokens'
        # numbers; runs of word beginnings are merged last.
        self._ranks = dict(self._ids)
        run = 2 * _START
        while run in self._ids:
            self._ranks[run] += len(self._ids)
            run += _START
        start = 8 + int.from_bytes(weights[:8], "little")
        table = np.frombuffer(weights, np.float16, offset=start)
        self._table: NDArray[Any] = table.reshape(len(self._ids), WIDTH)
        self._known: dict[str, list[int]] = {}

    def encode(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return one unit vector for each text.

        The vectors are rounded as they are stored, so that a stored vector and a new one are equal.
        """
        np = self._numpy
        if len(texts) > _FEW and self._table.dtype == np.float16:
            self._table = self._table.astype(np.float32)  # 33 MB, but twice as fast
        rows = np.empty((len(texts), WIDTH), np.float32)
        for place, text in enumerate(texts):
            tokens = self._table.take(self.pieces(text), axis=0)
            rows[place] = tokens.astype(np.float32, copy=False).sum(axis=0)
        rows /= np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-9)
        rounded: NDArray[float32] = rows.astype(np.float16).astype(np.float32)
        return rounded

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a text, at least one number."""
        found: list[int] = []
        known = self._known
        for word in text[:_LONGEST_TEXT].split():
            ids = known.get(word)
            if ids is None:
                if len(known) >= _REMEMBERED:
                    known.clear()
                ids = self._split(word)
                known[word] = ids
            found += ids
        return found or [self._ids[_START]]

    def _split(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            parts = [word[at : at + _LONGEST_WORD] for at in range(0, len(word), _LONGEST_WORD)]
        else:
            parts = [word]
        found: list[int] = []
        for place, part in enumerate(parts):
            found += self._merge(part, begins=place == 0)
        return found

    def _merge(self, word: str, *, begins: bool) -> list[int]:
        """Merge the letters of a word into tokens; pairs with lower numbers are merged first.

        `begins` says whether the word begins after a space.
        """
        from itertools import pairwise

        parts = [_START] if begins else []
        for letter in word:
            if letter in self._ids:
                parts.append(letter)
            else:
                parts += [f"<0x{byte:02X}>" for byte in letter.encode("utf-8", "replace")]
        ranks, never = self._ranks, 2 * len(self._ranks)
        while len(parts) > 1:
            pairs = [ranks.get(a + b, never) for a, b in pairwise(parts)]
            rank = min(pairs)
            if rank == never:
                break
            place = pairs.index(rank)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return [self._ids[part] for part in parts]


def absence() -> str:
    """Return which package is missing for an encoder; "" if none is missing."""
    return "" if _place() is not None and _is_there("numpy") else MISSING


def load() -> tuple[WordLlama | None, str]:
    """Return the encoder and ""; if it cannot be loaded, None and a short reason."""
    folder = _place()
    if folder is None or not _is_there("numpy"):
        return None, MISSING
    try:
        return WordLlama(folder), ""
    except ImportError as fault:
        return None, f"numpy cannot be loaded: {fault}".splitlines()[0]
    except (OSError, Unusable) as fault:
        return None, f"{PACKAGE} is not the version that varves requires ({fault})"


def _is_there(package: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _place() -> str | None:
    """Return the folder of the package, which is not imported; None if it is not installed."""
    from importlib.util import find_spec

    try:
        spec = find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return places[0] if places else None


def _read(folder: str) -> tuple[dict[str, int], mmap]:
    """Return the numbers of the tokens, and the weights; raise Unusable on another digest."""
    from hashlib import blake2b
    from json import loads
    from mmap import ACCESS_READ, mmap

    with open(os.path.join(folder, PIECES), "rb") as file:
        pieces = file.read()
    with open(os.path.join(folder, WEIGHTS), "rb") as file:
        try:
            weights = mmap(file.fileno(), 0, access=ACCESS_READ)
        except ValueError as fault:  # an empty file
            raise Unusable(f"{WEIGHTS}: {fault}") from None
    digest = blake2b(pieces, digest_size=8)
    digest.update(weights)
    if digest.hexdigest() != DIGEST:
        raise Unusable(f"its weights are {digest.hexdigest()}, not {DIGEST}")
    # the rest of the file, which is twice as large, follows from the numbers
    start = pieces.index(b"{", pieces.index(b'"vocab"'))
    return loads(pieces[start : pieces.rindex(b"}", 0, pieces.index(b'"merges"')) + 1]), weights
