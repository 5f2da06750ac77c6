"""Similarity of memories to a query by their meaning, from vectors that a model computes.

Each query scans all vectors once; the model and the vectors stay in memory between calls. This
module is imported only if dense similarity, as this is called, is requested or likely available,
because the encoder imports numpy.
"""

from __future__ import annotations

from varves.index.vectors import Vectors, products
from varves.index.where import Where
from varves.models import wordllama
from varves.recall.dense import choose
from varves.recall.features import ROLES
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from numpy import float32
    from numpy.typing import NDArray

    from varves.index.port import Index
    from varves.recall.dense import Choice
    from varves.values.embedder import Embedder


OFF = "switched off by settings.toml or VARVES_DENSE"
# The mean of a small store is unreliable, so it is moved towards the usual mean of this model.
_USUAL, _USUAL_MEAN, _USUAL_SPREAD = 20, 0.1, 0.1
# how many times the search for visible candidates is repeated, each time four times as wide
_ROUNDS = 4


class StoreMeaning:
    """The similarity of all memories of a store to one query."""

    def __init__(self, vectors: Vectors, query: NDArray[float32]) -> None:
        self._vectors = vectors
        self._cosines = vectors.cosines(query)
        self._near = vectors.neighbours.near(self._cosines)
        self.mean, self.spread = _usual(self._cosines)
        self._near_mean, self._near_spread = _usual(self._near)
        self.top: tuple[int, ...] = ()

    def cosine(self, number: int) -> float | None:
        """Return the cosine of the vectors of a memory and the query; None without a vector."""
        place = self._vectors.place(number)
        return None if place is None else float(self._cosines[place])

    def scores(self, numbers: Iterable[int]) -> dict[int, tuple[float, float, float]]:
        """Return three scores for each memory: alone, with neighbours, and the best of its session.

        Each score is in standard deviations above the mean of the store; memories without a vector
        are left out.
        """
        import numpy as np

        known = [(n, place) for n in numbers if (place := self._vectors.place(n)) is not None]
        if not known:
            return {}
        places = np.array([place for _, place in known])
        best = self._vectors.neighbours.best(self._cosines, places)
        own = (self._cosines[places] - self.mean) / self.spread
        near = (self._near[places] - self._near_mean) / self._near_spread
        columns = (own.tolist(), near.tolist(), ((best - self.mean) / self.spread).tolist())
        return {n: row for (n, _), row in zip(known, zip(*columns, strict=True), strict=True)}

    def choose_top(self, count: int, allowed: Callable[[list[int]], Iterable[int]] | None) -> None:
        """Set `top` to the `count` visible memories most similar to the query, best first."""
        found: list[int] = []
        look = count if allowed is None else 4 * count
        for _ in range(_ROUNDS):
            ranked = self._ranked(look)
            seen = None if allowed is None else set(allowed(ranked))
            found = [n for n in ranked if seen is None or n in seen][:count]
            if len(found) >= count or look >= len(self._cosines):
                break
            look *= 4
        self.top = tuple(found)

    def _ranked(self, count: int) -> list[int]:
        import numpy as np

        cosines, numbers = self._cosines, self._vectors.numbers
        count = min(count, len(cosines))
        if not count:
            return []
        places = np.argpartition(cosines, len(cosines) - count)[-count:]
        order = np.lexsort((-numbers[places], -cosines[places]))  # equal scores: newest first
        ranked: list[int] = numbers[places[order]].tolist()
        return ranked


class Semantic:
    """The similarity of texts by their meaning, for one opened ledger.

    The encoder and the vectors stay in memory between calls.
    """

    def __init__(
        self, present: Callable[[], Index], *, allowed: bool, encoder: Embedder | None = None
    ) -> None:
        self._present = present
        self._allowed = allowed
        self._encoder = encoder
        self._vectors: Vectors | None = None
        self._why_not: str | None = None if encoder is None else ""

    @property
    def why_not(self) -> str:
        """The reason why there is no encoder, in a few words; "" if there is one."""
        if self._why_not is None:
            self._encoder, self._why_not = wordllama.load()
        return self._why_not

    def ready(self) -> bool:
        """Return whether there is an encoder; the first call loads it."""
        return not self.why_not

    def prepare(
        self,
        index: Index,
        *,
        wanted: bool | None,
        progress: Callable[[int], None] | None = None,
    ) -> Choice:
        """Decide whether a query over an index uses dense similarity; embed texts if it does."""
        against = "" if wanted is False else self._against(wanted=wanted)
        if wanted is False or against:
            return choose(wanted=wanted, why_not=against, waiting=0, total=0)
        vectors = self._over(index)
        choice = choose(
            wanted=wanted,
            why_not="",
            waiting=vectors.waiting,
            total=vectors.waiting + len(vectors.numbers),
        )
        if choice.embed is None or choice.embed:
            vectors.embed(choice.embed, progress)
        return choice

    def _against(self, *, wanted: bool | None) -> str:
        if wanted is None and not self._allowed:
            return OFF
        return self.why_not

    def similar(
        self,
        text: str,
        index: Index,
        *,
        allowed: Callable[[list[int]], Iterable[int]] | None = None,
        top: int = 50,
    ) -> StoreMeaning:
        """Compare a text with every embedded memory of an index; call `prepare` first."""
        vectors = self._over(index)
        asked = _without_names(text, vectors.speakers)
        found = StoreMeaning(vectors, vectors.encoder.encode([asked])[0])
        found.choose_top(top, allowed)
        return found

    def alike(self, text: str, others: Sequence[str]) -> list[float] | None:
        """Return the similarity of a text to each of the others; None if there is no encoder."""
        if self._against(wanted=None) or self._encoder is None:
            return None
        rows = self._encoder.encode([text, *others])
        return [round(float(one), 4) for one in products(rows[1:], rows[0])]

    def _over(self, index: Index) -> Vectors:
        """Return the vectors of an index.

        The vectors of the current index are cached for the next call.
        """
        if self._encoder is None:
            raise RuntimeError(self.why_not)
        held = self._vectors
        if held is None or held.generation is not index.generation:
            held = Vectors(index, self._encoder)
            if index is self._present() or self._vectors is None:
                self._vectors = held
        held.refresh()
        return held


def installed() -> bool:
    """Return whether an encoder is installed; this loads none."""
    return not wordllama.absence()


def standing(index: Index, *, allowed: bool) -> dict[str, Any]:
    """Return the fields of `status` on similarity by meaning, without loading the encoder."""
    why_not = OFF if not allowed else wordllama.absence()
    done, total = index.vectors().count(), index.count(Where())
    return {
        "model": None if why_not else wordllama.NAME,
        "embedded": done,
        "memories": total,
        **({"why_not": why_not} if why_not else {}),
    }


def _without_names(text: str, speakers: set[str]) -> str:
    """Return a question without the names of speakers, because these are not embedded either."""
    names = {part for who in speakers for part in who.lower().split()} - ROLES
    kept = [word for word in text.split() if not names.intersection(words(word))]
    return " ".join(kept) or text


def _usual(values: NDArray[float32]) -> tuple[float, float]:
    """Return the mean and the standard deviation of the given values.

    If there are few values, both are moved towards the typical values of the model.
    """
    count = len(values)
    if not count:
        return _USUAL_MEAN, _USUAL_SPREAD
    mean, variance = float(values.mean()), float(values.var())
    share = count / (count + _USUAL)
    spread = (share * variance + (1 - share) * _USUAL_SPREAD**2) ** 0.5
    return share * mean + (1 - share) * _USUAL_MEAN, max(spread, 1e-3)
