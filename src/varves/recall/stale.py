"""Ranked memories meet what became of their evidence: the changed step back, the gone stay out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from varves.recall.features import Candidate
    from varves.values.memory import Memory

    class FateSeen(Protocol):
        """A fate, as recall sees it."""

        @property
        def state(self) -> str:
            """One of unchanged, moved, changed and gone."""
            ...

        @property
        def place(self) -> str:
            """Where the evidence is now."""
            ...

    FateOf = Callable[[Memory], FateSeen | None]
    Ranked = tuple[Memory, Candidate]

LEFT = 0.5  # of a score whose evidence has changed


def checked(
    ranked: Iterable[Ranked], fate: FateOf | None, *, gone: bool
) -> Iterator[tuple[Memory, Candidate, FateSeen | None]]:
    """Yield memories with what became of their evidence, best first and no sooner than needed.

    Args:
        ranked: memories with their scores, best first.
        fate: tells what became of a memory's evidence; None: nothing can be told.
        gone: whether those are wanted of whose evidence nothing is left.
    """
    waiting: list[tuple[Memory, Candidate, FateSeen]] = []  # changed ones, the best last
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
    """Return what a hit says about its evidence; nothing if that is as it was."""
    return None if told is None or told.state == "unchanged" else told.state
