"""A scene in memory where the machine offers it: git is started hundreds of times here."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.register_assert_rewrite("tests.git.scene", "tests.git.walk")

MEMORY = "/dev/shm"  # noqa: S108 - a fresh folder is made there


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder in memory, so that `home` and `project` lie there too."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        yield tmp_path_factory.mktemp("git")
        return
    folder = tempfile.mkdtemp(prefix="varves-git-", dir=MEMORY)
    yield Path(folder)
    shutil.rmtree(folder)
