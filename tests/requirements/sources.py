"""Clocks and ids that say the same thing every time, and the log read straight from its files."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from varves.values.ids import IdSource
from varves.values.instants import instant

if TYPE_CHECKING:
    from pathlib import Path

START = "2026-11-15T06:20:00Z"


class Ticking:
    """A clock that goes on by one second each time it is asked."""

    fixed = True

    def __init__(self, start: str = START) -> None:
        self.ms = instant(start)

    def now(self) -> int:
        self.ms += 1000
        return self.ms


class Seeded(IdSource):
    """Ids drawn from a seed."""

    def __init__(self, seed: int = 0) -> None:
        self.draw = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        return self.draw.randbytes(count)


LOGS = {"project": ".varves", "private": ".git/varves/private"}


def segments(project: Path, home: Path | None = None) -> dict[str, bytes]:
    """Read every segment of every log, by its place."""
    folders = {log: project / place for log, place in LOGS.items()}
    if home is not None:
        folders["global"] = home / "varves/global"
    return {
        f"{log} {path.name}": path.read_bytes()
        for log, folder in folders.items()
        for path in sorted(folder.glob("log/*/*.jsonl"))
    }


def events(content: dict[str, bytes]) -> list[dict[str, Any]]:
    """Read all lines of some segments, in the order of their stamps."""
    found = [json.loads(line) for text in content.values() for line in text.splitlines()]
    return sorted(found, key=lambda event: (event["hlc"], event["writer"], event["id"]))
