"""The vectors of an index's memories, loaded into one matrix that is scanned linearly.

The speaker of a memory is not embedded: a name would make all memories of one person similar to a
question that names the person. A long text that is not a turn of a conversation is embedded as a
whole and in passages; the most similar of these counts.

Each stored row has a seal: a digest of the model's name, the text and the vectors. A row that is
damaged, or was made by another model or from another text, counts as missing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from numpy import float32, int64
    from numpy.typing import NDArray

    from varves.index.port import Index
    from varves.values.embedder import Embedder

BATCH = 512  # texts embedded between two progress reports
_ROOM = 1024
_AT_ONCE = 8192  # the number of rows that are summed at a time
_PASSAGE = 500  # the number of characters in one passage
_LONG = 900  # a text with more characters is also embedded in passages
_PASSAGES = 64  # the most passages of one text


class Vectors:
    """The vectors stored for the memories of one index, as rows of a matrix."""

    def __init__(self, index: Index, encoder: Embedder) -> None:
        import numpy as np

        self.generation = index.generation
        self._kept = index.vectors()
        self.encoder = encoder
        self.neighbours = Neighbours()
        self._numpy = np
        self._place: dict[int, int] = {}  # a memory's number → its row in the matrix
        self._texts: dict[int, int] = {}  # number → hash of the text from which the vector was made
        self._session: dict[int, str] = {}
        self._waiting: dict[int, list[str]] = {}  # number → the text, then its passages
        self._parts: dict[int, NDArray[float32]] = {}  # number → the vectors of its passages
        self._passages: tuple[NDArray[int64], NDArray[float32]] | None = None
        self.speakers: set[str] = set()
        """The names of all who said something in a session."""
        self._numbers: NDArray[int64] = np.empty(_ROOM, np.int64)
        self._matrix: NDArray[float32] = np.empty((_ROOM, encoder.width), np.float32)

    @property
    def numbers(self) -> NDArray[int64]:
        """The memories' numbers, in the order of the matrix."""
        return self._numbers[: len(self._place)]

    @property
    def matrix(self) -> NDArray[float32]:
        """The unit vectors, one in each row."""
        return self._matrix[: len(self._place)]

    @property
    def waiting(self) -> int:
        """How many memories have no vector yet."""
        return len(self._waiting)

    def place(self, number: int) -> int | None:
        """Return the row of a memory in the matrix, or None if the memory has no vector."""
        return self._place.get(number)

    def cosines(self, query: NDArray[float32]) -> NDArray[float32]:
        """Return the cosine of a query and each memory, in the order of the matrix.

        For a memory with passages, it is the highest cosine of the whole and its passages.
        """
        found = products(self.matrix, query)
        if self._parts:
            places, rows = self._all_passages()
            self._numpy.maximum.at(found, places, products(rows, query))
        return found

    def _all_passages(self) -> tuple[NDArray[int64], NDArray[float32]]:
        """Return the vectors of all passages, each with its memory's row in the matrix."""
        if self._passages is None:
            np, parts = self._numpy, self._parts
            owners = [self._place[n] for n, rows in parts.items() for _ in rows]
            self._passages = np.array(owners, np.int64), np.concatenate([*parts.values()])
        return self._passages

    # Vectors in the index

    def refresh(self) -> None:
        """Read those vectors that changed in the index since the last call."""
        changed = self._kept.changed()
        if changed is None or changed:
            try:
                self._read(changed)
            except BaseException:
                self._kept.forget_changes()  # changes were not recorded until now
                raise

    def _read(self, changed: set[int] | None) -> None:
        kept: list[tuple[int, list[str], bytes]] = []
        seen: set[int] = set()
        sessions: set[str] = set()
        for n, text, speaker, session, seal, row in self._kept.rows(changed):
            seen.add(n)
            if changed is not None:
                before = self._session.pop(n, session)
                sessions |= {one for one in (session, before) if one is not None}
            if session is not None:
                self._session[n] = session
                if speaker:
                    self.speakers.add(speaker)
            if self._texts.get(n) == hash(text):
                continue
            texts = [text] if speaker and session else [text, *_passages(text)]
            if self._is_sealed(texts, seal, row):
                self._waiting.pop(n, None)
                kept.append((n, texts, row))
            else:
                self._waiting[n] = texts
        gone = ({*self._place, *self._waiting} if changed is None else changed) - seen
        moved = self._drop(gone, self._waiting.keys() & self._place.keys())
        if kept:
            rows = self._numpy.frombuffer(b"".join([row for _, _, row in kept]), "<f2")
            self._put([n for n, _, _ in kept], [texts for _, texts, _ in kept], rows)
        self._link(None if changed is None or moved else sessions)

    def _is_sealed(self, texts: list[str], seal: object, row: object) -> bool:
        if not isinstance(row, bytes) or len(row) != 2 * self.encoder.width * len(texts):
            return False
        return seal == _seal(self.encoder.name, texts[0], row)

    # Making them

    def embed(self, limit: int | None, progress: Callable[[int], None] | None = None) -> None:
        """Make and store at most `limit` vectors for memories that have none, newest first."""
        waiting = sorted(self._waiting, reverse=True)[:limit]
        for start in range(0, len(waiting), BATCH):
            self._embed(waiting[start : start + BATCH])
            if progress is not None:
                progress(min(start + BATCH, len(waiting)))
        if waiting:
            self._link({self._session[n] for n in waiting if n in self._session})

    def _embed(self, numbers: list[int]) -> None:
        waiting = [self._waiting[n] for n in numbers]
        phrases = [phrase for texts in waiting for phrase in texts]
        distinct = {phrase: place for place, phrase in enumerate(dict.fromkeys(phrases))}
        rows = self.encoder.encode(list(distinct))[[distinct[phrase] for phrase in phrases]]
        self._put(numbers, waiting, rows)
        for n in numbers:
            del self._waiting[n]
        stored, kept = rows.astype("<f2"), []
        for n, start, texts in zip(numbers, _starts(waiting), waiting, strict=True):
            row = stored[start : start + len(texts)].tobytes()
            kept.append((n, _seal(self.encoder.name, texts[0], row), row, texts[0]))
        self._kept.keep(kept)

    # The matrix

    def _put(self, numbers: list[int], texts: list[list[str]], rows: Any) -> None:
        """Add vectors for some memories: one for each whole text, and one for each passage."""
        np = self._numpy
        before, after = len(self._place), len(self._place) + len(numbers)
        if after > len(self._numbers):
            room = 2 * after  # pages that were never written take up no memory
            self._numbers = np.resize(self._numbers, room)
            grown = np.empty((room, self.encoder.width), np.float32)
            grown[:before] = self._matrix[:before]
            self._matrix = grown
        rows, starts = rows.reshape(-1, self.encoder.width), _starts(texts)
        for n, start, (text, *passages) in zip(numbers, starts, texts, strict=True):
            self._place.setdefault(n, len(self._place))
            self._texts[n] = hash(text)
            self._parts.pop(n, None)
            if passages:
                self._parts[n] = rows[start + 1 : start + 1 + len(passages)].astype(np.float32)
        self._passages = None
        places = [self._place[n] for n in numbers]
        self._numbers[places] = numbers
        self._matrix[places] = rows[starts]

    def _drop(self, gone: set[int], outdated: set[int]) -> bool:
        """Remove memories that are gone, and vectors whose text changed."""
        for n in gone:
            self._session.pop(n, None)
            self._waiting.pop(n, None)
        for n in gone | outdated:
            self._texts.pop(n, None)
            self._parts.pop(n, None)
        places = [self._place[n] for n in gone | outdated if n in self._place]
        if places:
            left = len(self._place) - len(places)
            self._matrix[:left] = self._numpy.delete(self.matrix, places, axis=0)
            self._numbers[:left] = self._numpy.delete(self.numbers, places)
            self._place = {int(n): place for place, n in enumerate(self._numbers[:left])}
            self._passages = None
        return bool(places)

    def _link(self, sessions: set[str] | None) -> None:
        """Find again which memories are neighbours in a session, for some sessions or all."""
        if sessions is None:
            self.neighbours = Neighbours()
        found = self._kept.chains(sessions)
        chained = [(session, self._place[n]) for session, n in found if n in self._place]
        self.neighbours.link(chained, self.matrix)


class Neighbours:
    """The previous and the next memory of each memory in its session, as rows of the matrix."""

    def __init__(self) -> None:
        import numpy as np

        self._numpy = np
        self._codes: dict[str, int] = {}
        self._code: NDArray[int64] = np.empty(0, np.int64)
        self._before: NDArray[int64] = self._code
        self._after: NDArray[int64] = self._code
        self._length: NDArray[float32] = np.empty(0, np.float32)
        self._segments: tuple[Any, Any, Any] | None = None

    def link(self, chained: list[tuple[str, int]], matrix: NDArray[float32]) -> None:
        """Add the memories of whole sessions, session by session, in the order of recording."""
        np = self._numpy
        self._grow(len(matrix))
        self._segments = None
        if not chained:
            return
        codes = [self._codes.setdefault(session, len(self._codes)) for session, _ in chained]
        code, places = np.array(codes), np.array([place for _, place in chained])
        same = code[1:] == code[:-1]
        self._code[places] = code
        self._before[places] = self._after[places] = -1
        self._before[places[1:][same]] = places[:-1][same]
        self._after[places[:-1][same]] = places[1:][same]
        for start in range(0, len(places), _AT_ONCE):
            part = places[start : start + _AT_ONCE]
            total = matrix[part]
            for side in (self._before[part], self._after[part]):
                total += matrix[side] * (side >= 0)[:, None]
            self._length[part] = np.maximum(np.sqrt(np.square(total).sum(axis=1)), 1e-6)

    def _grow(self, size: int) -> None:
        np, more = self._numpy, size - len(self._code)
        if more > 0:
            none = np.full(more, -1, np.int64)
            self._code, self._before, self._after = (
                np.concatenate([held, none]) for held in (self._code, self._before, self._after)
            )
            self._length = np.concatenate([self._length, np.ones(more, np.float32)])

    def near(self, cosines: NDArray[float32]) -> NDArray[float32]:
        """Return, for each memory, its cosine combined with the cosines of its neighbours."""
        padded = self._numpy.append(cosines, self._numpy.float32(0))
        total: NDArray[float32] = cosines + padded[self._before] + padded[self._after]
        return total / self._length

    def best(self, cosines: NDArray[float32], places: NDArray[int64]) -> NDArray[float32]:
        """Return, for each of the given memories, the best cosine in the memory's session."""
        np = self._numpy
        if self._segments is None:
            order = np.argsort(self._code, kind="stable")[int((self._code < 0).sum()) :]
            starts = np.flatnonzero(np.diff(self._code[order], prepend=-1))
            segment = np.full(len(self._codes) + 1, -1)
            segment[self._code[order[starts]]] = np.arange(len(starts))
            self._segments = order, starts, segment
        order, starts, segment = self._segments
        own = cosines[places]
        if not len(starts):
            return own
        best = np.maximum.reduceat(cosines[order], starts)
        code = self._code[places]
        found: NDArray[float32] = np.where(code < 0, own, best[segment[code]])
        return found


def products(matrix: NDArray[float32], query: NDArray[float32]) -> NDArray[float32]:
    """Multiply each row with the query, in one pass over the matrix.

    The operator `@` is not used, because the last bits of its results depend on the row's position.
    Two memories with the same text could then have a different order in each process.
    """
    import numpy as np

    found: NDArray[float32] = np.einsum("ij,j->i", matrix, query)
    return found


def _passages(text: str) -> list[str]:
    """Return the passages of a long text, split between words; none for a short text."""
    if len(text) <= _LONG:
        return []
    found: list[str] = []
    start = 0
    while start < len(text) and len(found) < _PASSAGES:
        end = start + _PASSAGE
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1
            end = end if end > start else start + _PASSAGE
        found.append(text[start:end])
        start = end
    return found


def _starts(texts: list[list[str]]) -> list[int]:
    """Return, for each memory, the index of its first text in the list of all texts."""
    from itertools import accumulate

    return [0, *accumulate(len(one) for one in texts[:-1])]


def _seal(model: str, text: str, row: bytes) -> bytes:
    from hashlib import blake2b

    content = row + text.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=8, key=model.encode("utf-8")[:64]).digest()
