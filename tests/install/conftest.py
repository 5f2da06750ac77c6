"""A home of its own with no agent in it, and the command line in this process."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


ELSEWHERE = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME")
Tree = dict[str, tuple[int, bytes | str | None]]


@pytest.fixture(autouse=True)
def nobody(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find no agent on this machine but those a test puts into `bin`."""
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "bin"), "/usr/bin", "/bin"]))


@pytest.fixture
def tree(home: Path, project: Path) -> Callable[[], Tree]:
    """Return what lies in the home and in the project, git's and the ledger's own aside."""

    def taken() -> Tree:
        found: Tree = {}
        for top in (home, project):
            for path in sorted(top.rglob("*")):
                if ".git" in path.parts or ".varves" in path.parts:
                    continue
                mode = stat.S_IMODE(path.lstat().st_mode)
                if path.is_symlink():
                    found[str(path)] = (0, os.readlink(path))
                else:
                    found[str(path)] = (mode, path.read_bytes() if path.is_file() else None)
        return found

    return taken


@pytest.fixture
def put_program(tmp_path: Path) -> Callable[..., Path]:
    """Put a program on the PATH."""

    def put(name: str, script: str = "echo 1.2.3") -> Path:
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return put
