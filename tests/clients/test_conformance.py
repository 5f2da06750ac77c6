"""The protocol's own conformance suites, before a catalogue of the fixtures that they ask for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.clients import install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.clients.rig import Seat

ROOT = install.HERE.parent.parent
SUITES = {
    ("conformance 0.1", "2025-11-25"): ("conformance-1",),
    ("conformance 0.2", "2025-11-25"): ("conformance-2", "--requirements", "2025-11-25"),
    ("conformance 0.2", "2026-07-28"): ("conformance-2", "--requirements", "2026-07-28"),
}


@pytest.fixture
def served() -> Iterator[str]:
    """Serve the fixture over HTTP, and give its address."""
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.clients.fixture"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    with running:
        try:
            assert running.stdout is not None
            yield running.stdout.readline().strip()
        finally:
            os.killpg(running.pid, signal.SIGKILL)


@pytest.mark.parametrize(("name", "revision"), SUITES)
def test_only_what_is_expected_fails(
    name: str, revision: str, served: str, seat: Seat, proven: Callable[[str], None]
):
    package, *words = SUITES[name, revision]
    expected = install.HERE / f"expected-{revision}.yml"
    ended = seat.run(
        *("node", str(install.FOLDER / "node_modules" / package / "dist/index.js"), "server"),
        *("--url", served, *words, "--expected-failures", str(expected)),
        expect=None,
    )
    assert ended.code == 0, ended.told
    total = next(line for line in ended.out.splitlines() if line.startswith("Total:"))
    listed = sum(line.startswith("  - ") for line in expected.read_text("utf-8").splitlines())
    passed = total.split()[1]
    proven(f"{revision} over HTTP: {passed} checks passed, {listed} are on the list of failures")
