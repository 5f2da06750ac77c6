"""Caches the states of evidence in the index, each under the state of the files it depends on.

The cache is derived and disposable: without it, files are read and git is run again.
"""

from __future__ import annotations

from varves.evidence.sight import is_stable
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.context.context import Context
    from varves.evidence.sight import Sight

UNCHANGED, MOVED, CHANGED, GONE = STATES = ("unchanged", "moved", "changed", "gone")


class Fate(Value):
    """The state of a memory's evidence, and the place where the evidence is now."""

    state: str
    path: str
    line: int | None = None
    why: str = ""

    @property
    def place(self) -> str:
        """The path and the line of the evidence, as one text."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Verdicts:
    """The cache of the states of evidence, and of digests of files."""

    def __init__(self, context: Context, sight: Sight) -> None:
        self._context = context
        self._notes = context.index.get().notes()
        self._sight = sight

    def or_else(
        self, place: dict[str, Any], seen: str, reach: Callable[[], Fate | None], *, touched: int
    ) -> Fate | None:
        """Return the cached state of a pointer's evidence, or compute and cache it.

        Args:
            place: the pointer.
            seen: the state the verdict depends on, as one string.
            reach: computes the verdict.
            touched: the time when that state last changed, according to the files.
        """
        key = repr(sorted(place.items()))
        row = self._notes.verdict(key, seen)
        if row is not None:
            known = Fate(state=row[0], path=row[1], line=row[2], why=row[3])
            if self._beside(place, known)[0] == row[4]:
                return known
        fate = reach()
        if fate is not None:
            there, latest = self._beside(place, fate)
            if is_stable(max(touched, latest)):
                self._keep(key, seen, fate, there)
        return fate

    def _beside(self, place: dict[str, Any], fate: Fate) -> tuple[str, int]:
        """Return the signature of the file to which evidence has moved, and its last change."""
        if "commit" in place:
            return "", 0
        if fate.path != place["path"]:
            look = self._sight.look(fate.path)
            return look.signature, look.touched
        if fate.state == GONE:
            return self._sight.surroundings(fate.path, self._context.places.git)
        return "", 0

    def digest(self, path: str, seen: str) -> str | None:
        """Return the cached digest of a file, or None if the file's signature has changed."""
        row = self._notes.verdict(f"digest {path}", seen)
        return None if row is None else str(row[3])

    def keep_digest(self, path: str, seen: str, digest: str) -> None:
        """Cache a file's digest under its signature."""
        self._keep(f"digest {path}", seen, Fate(state="", path=path, why=digest), "")

    def _keep(self, key: str, seen: str, fate: Fate, there: str) -> None:
        verdict = (fate.state, fate.path, fate.line, fate.why, there)
        self._notes.put_verdict(key, seen, verdict)
