"""A project in which time stands still, and its files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

START = "2026-11-15T06:20:00Z"
DAY = 86_400_000


@pytest.fixture
def clock() -> FixedClock:
    """Give a clock that a test sets."""
    return FixedClock(instant(START))


@pytest.fixture
def ledger(project: Path, clock: FixedClock) -> Iterator[Any]:
    """Open the project's ledger at a fixed instant."""
    with package.open(str(project), clock=clock) as opened:
        yield opened


@pytest.fixture
def entries(project: Path) -> Callable[..., list[dict[str, Any]]]:
    """Read the entries of a file as anybody can."""

    def read(path: str = "projects/shop/memory.json") -> list[dict[str, Any]]:
        text = (project / "memory" / path).read_text(encoding="utf-8")
        return json.loads(text)["entries"]

    return read


@pytest.fixture
def write(ledger: Any) -> Callable[..., Any]:
    """Write to the project called shop, as a decision that is quite sure."""

    def run(content: str, scope: str = "project", name: str | None = None, **options: Any) -> Any:
        if scope == "project":
            name = name or "shop"
        if scope == "global":
            options = {"confidence": 0.9, **options}
        return ledger.scoped.write(
            scope, name, **{"type": "decision", "content": content, **options}
        )

    return run
