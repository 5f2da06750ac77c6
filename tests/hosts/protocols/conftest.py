"""Sessions of a client in the project of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.hosts.protocols.scripted import Scripted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def session(project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    """Give the means to begin sessions in the project."""
    with package.open(str(project)) as ledger:
        ledger.init()

    def begin(name: str = "s-1", **more: Any) -> Scripted:
        return Scripted(more.pop("root", project), monkeypatch, session=name, **more)

    return begin
