"""A ledger with a clock of its own, and lines that somebody else's hand put into its log."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.properties.lines import forged
from tests.properties.world import SeededIds, Watchmaker
from varves.values.instants import DAY_MS, instant, iso

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = "2026-11-15T12:00:00.000Z"


class Scene:
    """A project's ledger at a fixed instant."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Watchmaker(instant(NOW))
        self.ledger = varves.open(str(root), clock=self.clock, ids=SeededIds(5))
        self._opened = [self.ledger]
        self._lines = 0

    def remember(self, text: str, **options: Any) -> str:
        """Record a memory and return its id; `ago` says how many days before now it was said."""
        if "ago" in options:
            options["at"] = iso(self.clock.ms - round(options.pop("ago") * DAY_MS))
        return str(self.ledger.remember(text, **options).id)

    def talk(self, session: str, *turns: tuple[str, str], **options: Any) -> list[str]:
        """Record a dialogue of (speaker, text) and return the ids of its turns."""
        return [
            self.remember(text, speaker=who, session=session, turn=turn, **options)
            for turn, (who, text) in enumerate(turns)
        ]

    def opened(self, **options: Any) -> varves.Ledger:
        """Open the same ledger as somebody else, or in another session."""
        other = varves.open(str(self.root), clock=self.clock, ids=SeededIds(6), **options)
        self._opened.append(other)
        return other

    def texts(self, query: str, **options: Any) -> list[str]:
        """Return the texts of the hits, best first."""
        return [hit.memory.text for hit in self.ledger.recall(query, **options)]

    def ids(self, query: str, **options: Any) -> list[str]:
        """Return the ids of the hits, best first."""
        return [hit.memory.id for hit in self.ledger.recall(query, **options)]

    def told(self, names: list[str], times: int) -> None:
        """Let memories be told some times, and that be recorded."""
        for _ in range(times):
            for name in names:
                self.ledger.show(name)
        self.ledger.remember("an aside, so that what was told is written down")
        self.ledger.log()

    def forge(self, **record: Any) -> str:
        """Put a memory into the log that no door of ours would have taken; return its id."""
        self._lines += 1
        name = f"mem_forged{self._lines:06}"
        content = {"memory": name, "scope": "project", **record}
        line = forged(
            dumps(content, separators=(",", ":")).encode(),
            id=f"evt_forged{self._lines}",
            seq=self._lines,
            writer=f"forger{self._lines}.main",
        )
        folder = self.root / ".varves/log/2026-09"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"20260921-forger{self._lines}-0000000000.jsonl").write_bytes(line + b"\n")
        return name

    def close(self) -> None:
        """Let go of every ledger that was opened."""
        for ledger in self._opened:
            ledger.close()


@pytest.fixture
def scene(project: Path) -> Iterator[Scene]:
    """Give a project with a ledger whose clock stands still."""
    made = Scene(project)
    yield made
    made.close()
