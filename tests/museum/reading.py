"""How the museum is read: a copy of it becomes a project's ledger, and that is asked."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import varves

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
CLOSING = 1_795_132_800_000  # 2026-11-20, when everything in it has happened


class Hand:
    """A clock that stands where it is put."""

    fixed = True

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def now(self) -> int:
        return self.ms


@contextmanager
def opened(whole: Path, over: Path | None = None) -> Iterator[varves.Ledger]:
    """Open a copy of a log, with the files of a damaged one laid over it."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        shutil.copytree(whole, root / ".varves")
        if over is not None:
            shutil.copytree(over, root / ".varves", dirs_exist_ok=True)
        with varves.open(root, home=root / "home", clock=Hand(CLOSING)) as ledger:
            yield ledger


def state(whole: Path, over: Path | None = None) -> list[dict[str, Any]]:
    """Return every memory, by id."""
    with opened(whole, over) as ledger:
        found = [memory.as_dict() for memory in ledger.list(status="all")]
    return sorted(found, key=lambda memory: str(memory["id"]))


def beside(whole: Path) -> dict[str, Any]:
    """Return every document of a shelf, and every talk with what is left of it."""
    with opened(whole) as ledger:
        return {
            "documents": [one.as_dict() for one in ledger.shelf("notes").list()],
            "private": [one.as_dict() for one in ledger.shelf("notes", private=True).list()],
            "talks": {
                talk.name: [one.as_dict() for one in ledger.talk(talk.name).entries()]
                for talk in ledger.talks()
            },
            "conflicts": [one.id for one in ledger.conflicts()],
            "verified": ledger.verify(deep=True).ok,
        }


def report(whole: Path, over: Path | None = None) -> dict[str, Any]:
    """Return what verify says: counts, and each finding by rule and place."""
    with opened(whole, over) as ledger:
        found = ledger.verify(deep=True)
        return {
            "ok": found.ok,
            "segments": found.segments,
            "events": found.events,
            "damage": [[one.rule, one.place] for one in found.damage],
            "gaps": [one.place for one in found.gaps],
            "memories": len(ledger.list(status="all")),
            "readable": len(ledger.log()),
        }
