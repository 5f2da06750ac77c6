"""The command line without a process of its own, where hundreds of calls are made."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from varves.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Said:
    """What a verb answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Read stdout as the one JSON document it should be."""
        return json.loads(self.out)


@pytest.fixture
def cli(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Run a verb in this process, in the project's folder."""
    monkeypatch.chdir(project)

    def run(*args: str, stdin: bytes = b"") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        code = main(args)
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run
