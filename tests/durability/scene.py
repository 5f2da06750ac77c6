"""What the tests of this folder share: small projects, acknowledged events, and the checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import varves
from tests.durability.reader import Segment, read_log, read_private
from tests.places import local_of

REPOSITORY = Path(__file__).parents[2]
DEEP = bool(os.environ.get("VARVES_TORTURE"))


def bare(root: Path) -> Path:
    """Make a project whose git folder has just what the log looks at; no process is started."""
    (root / ".git" / "refs" / "heads").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return root


def move_head(root: Path, mark: int) -> None:
    """Let HEAD's branch point elsewhere."""
    branch = root / ".git" / "refs" / "heads" / "main"
    branch.write_text(f"{mark:040x}\n", encoding="utf-8")


def program(name: str, *args: str, timeout: int = 600) -> Any:
    """Run a program of this folder in a process of its own and return its JSON answer.

    Writers are forked there: a test process has threads, and a fork would copy their locks.
    """
    done = subprocess.run(
        [sys.executable, "-m", f"tests.durability.{name}", *args],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    sys.stderr.write(done.stderr)  # shown if the test fails
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)


def only_segment(root: Path) -> Path:
    """Return the one segment of a project's log."""
    (segment,) = (root / ".varves" / "log").glob("*/*.jsonl")
    return segment


def torn_tails(root: Path) -> list[Segment]:
    """Return the segments that end in a torn line."""
    return [segment for segment in read_log(root) if segment.torn]


def set_aside(root: Path) -> dict[str, bytes]:
    """Return the torn rests that were set aside, by file name."""
    folder = local_of(root) / "set-aside"
    return {path.name: path.read_bytes() for path in folder.glob("*")} if folder.is_dir() else {}


def assert_kept(root: Path, acknowledged: list[str]) -> list[dict[str, Any]]:
    """Check that the logs are whole and hold each acknowledged event; return the files' events."""
    segments = read_log(root) + read_private(root)  # where it is said what readers were told
    found = [event for segment in segments for event in segment.events]
    ids = [event["id"] for event in found]
    assert set(acknowledged) <= set(ids)
    with varves.open(root) as ledger:
        logged = [event.id for event in ledger.log()]
        assert len(logged) == len(set(logged))
        assert set(logged) == set(ids)
        verified = ledger.verify(deep=True)
        assert verified.ok, verified.damage
        assert verified.events == len(set(ids))
    return found
