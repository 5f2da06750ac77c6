"""Scenes in memory where the machine offers it: thousands of small syncs would wait for a disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.durability.faults import Faults
from varves.places import store as files

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = "/dev/shm"  # noqa: S108 - a fresh folder in it, not a known name


@pytest.fixture
def tmp_path(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """Give a folder in memory, so that `home` and `project` lie there too.

    A module that says ON_DISK wants its syncs to cost what they cost.
    """
    on_disk = getattr(request.module, "ON_DISK", False)
    if on_disk or not os.access(MEMORY, os.W_OK | os.X_OK):
        yield tmp_path_factory.mktemp("durability")
        return
    folder = tempfile.mkdtemp(prefix="varves-durability-", dir=MEMORY)
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Faults:
    """Put a system that can be told to fail beneath every store."""
    system = Faults()
    monkeypatch.setattr(files, "os", system.os)
    monkeypatch.setattr(files, "fcntl", system.fcntl)
    return system
