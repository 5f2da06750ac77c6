"""One project at moments of a test's choice, and what stands in its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAWN = "2026-01-01T00:00:00Z"


class Hive:
    """The protocol over one project; time stands still until it is set."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._clock = FixedClock(instant(DAWN))
        self._ledger: Any = None
        self._given: dict[str, Any] = {}

    @property
    def ledger(self) -> Any:
        """The opened ledger."""
        if self._ledger is None:
            self._ledger = package.open(str(self.root), clock=self._clock, **self._given)
        return self._ledger

    @property
    def verbs(self) -> Any:
        """The protocol's verbs."""
        return self.ledger.hivemind

    def at(self, moment: str) -> Any:
        """Set the time and return the verbs."""
        self._clock.ms = instant(moment)
        return self.verbs

    def again(self, **given: Any) -> Any:
        """Open the ledger anew, as another process would, and return the verbs."""
        self.close()
        self._given = given
        return self.verbs

    def close(self) -> None:
        """Let go of the ledger."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def settings(self, text: str) -> None:
        """Write the table of settings, and open anew."""
        self.close()
        folder = self.root / ".varves"
        folder.mkdir(exist_ok=True)
        (folder / "settings.toml").write_text(f"[hivemind]\n{text}\n", encoding="utf-8")

    def path(self, name: str) -> Path:
        """Return a file's place below `memory/`."""
        return self.root / "memory" / name

    def read(self, name: str) -> Any:
        """Return a file below `memory/` as JSON."""
        return json.loads(self.path(name).read_text(encoding="utf-8"))

    def edit(self, name: str, **changes: Any) -> None:
        """Change a file as a person would."""
        document = self.read(name) if self.path(name).exists() else {}
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document | changes, indent=4)
        self.path(name).write_text(text, encoding="utf-8")

    def entry(self, written: Any) -> Any:
        """Return the file of an entry that was written."""
        level, _, name = written.scope.partition(":")
        folder = {"global": "global", "session": f"sessions/{name}"}.get(level)
        return self.read(f"{folder or f'{level}s/{name}'}/{written.id}.json")

    def events(self, kind: str) -> list[Any]:
        """Return the events of a kind."""
        return list(self.ledger.log(kind=(kind,)))


@pytest.fixture
def hive(project: Path) -> Iterator[Hive]:
    """Give the protocol over a fresh project."""
    made = Hive(project)
    yield made
    made.close()
