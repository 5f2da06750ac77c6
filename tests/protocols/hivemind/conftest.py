"""One project at moments of a test's choice, and what stands in its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.protocols.timed import Timed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Hive(Timed):
    """The protocol over one project; time stands still until it is set."""

    protocol = "hivemind"

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
