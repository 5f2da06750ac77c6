"""Applies fates: a memory with changed evidence scores lower; without evidence, it is omitted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from varves.recall.features import Candidate
    from varves.values.memory import Memory

    class FateSeen(Protocol):
        """The fields of a fate (the state of a memory's evidence) that recall uses."""

        @property
        def state(self) -> str:
            """The state of the evidence: unchanged, moved, changed or gone."""
            ...

        @property
        def place(self) -> str:
            """The current place of the evidence."""
            ...

    FateOf = Callable[[Memory], FateSeen | None]
    Ranked = tuple[Memory, Candidate]

LEFT = 0.5  # the score of a memory with changed evidence is multiplied by this


def checked(
    ranked: Iterable[Ranked], fate: FateOf | None, *, gone: bool
) -> Iterator[tuple[Memory, Candidate, FateSeen | None]]:
    """Yield memories with the state of their evidence, best first; it is checked only if needed.

    Args:
        ranked: memories with their scores, best first.
        fate: returns the fate of a memory's evidence; None if fates cannot be checked.
        gone: whether to yield memories whose evidence is gone.
    """
    # memories whose evidence changed; the best is at the end
    waiting: list[tuple[Memory, Candidate, FateSeen]] = []
    for memory, one in ranked:
        while waiting and waiting[-1][1].score > one.score:
            yield waiting.pop()
        told = fate(memory) if fate is not None and memory.evidence else None
        if told is not None and told.state == "changed":
            one.score -= abs(one.score) * (1 - LEFT)
            waiting.append((memory, one, told))
            waiting.sort(key=lambda entry: entry[1].score)
        elif told is None or told.state != "gone" or gone:
            yield memory, one, told
    yield from reversed(waiting)


def stale(told: FateSeen | None) -> str | None:
    """Return the state of a hit's evidence; None if it is unchanged or unknown."""
    return None if told is None or told.state == "unchanged" else told.state
