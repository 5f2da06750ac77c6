from __future__ import annotations

import subprocess
import sys

from tests.architecture.source import ROOT


def test_imports_keep_every_contract():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
