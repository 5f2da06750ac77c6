"""The command line as tests call it: in this process, or in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from varves.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

STRICT = {
    "PYTHONWARNDEFAULTENCODING": "1",
    "PYTHONWARNINGS": "error::EncodingWarning,error::DeprecationWarning",
}


@dataclass(frozen=True)
class Answer:
    """What a verb printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Read stdout as the one JSON document it should be."""
        return json.loads(self.out)


def call(
    *words: str, cwd: Path, stdin: str | bytes | None = None, env: Mapping[str, str] | None = None
) -> Answer:
    """Run a verb in this process, as a process of its own would: same folder, same streams."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=how)
        for how in ("strict", "backslashreplace")
    )
    said = stdin.encode() if isinstance(stdin, str) else stdin or b""
    given = io.TextIOWrapper(io.BytesIO(said), encoding="utf-8")
    with (
        _folder(cwd),
        patch.dict(os.environ, env or {}),
        patch.multiple(sys, stdin=given, stdout=out, stderr=err),
    ):
        code = main(list(words))
    return Answer(code, *(_text(stream) for stream in (out, err)))


def call_process(
    *words: str, cwd: Path, stdin: str | None = None, env: Mapping[str, str] | None = None
) -> Answer:
    """Run a verb in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "varves", *words],
        cwd=cwd,
        env={**os.environ, **STRICT, **(env or {})},
        input=stdin if stdin is not None else "",
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


@contextmanager
def _folder(path: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
