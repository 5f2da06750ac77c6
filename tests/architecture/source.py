"""Which modules a piece of code loads in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def loaded_by(code: str, *args: str, cwd: Path | None = None) -> set[str]:
    """Run code in a fresh interpreter and name every module it imported, beyond a bare start."""
    return _imports(code, *args, cwd=cwd) - _at_start()


@cache
def _at_start() -> set[str]:
    return _imports("pass")


def _imports(code: str, *args: str, cwd: Path | None = None) -> set[str]:
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COVERAGE_"))
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, *args],
        cwd=cwd,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    timed = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    rest = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert done.returncode == 0, "\n".join(rest)
    return {line.rpartition("|")[2].strip() for line in timed}
