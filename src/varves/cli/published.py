"""The published commands of the scoped protocol: `memory-read` for `varves scoped read`, etc."""

from __future__ import annotations

import sys

from varves.cli.main import main


def read() -> int:
    """Run `memory-read`."""
    return _run("read")


def write() -> int:
    """Run `memory-write`."""
    return _run("write")


def search() -> int:
    """Run `memory-search`."""
    return _run("search")


def forget() -> int:
    """Run `memory-forget`."""
    return _run("forget")


def restore() -> int:
    """Run `memory-restore`."""
    return _run("restore")


def init() -> int:
    """Run `memory-init`."""
    return _run("init")


def rank() -> int:
    """Run `memory-rank`."""
    return _run("rank")


def validate() -> int:
    """Run `memory-validate`."""
    return _run("validate")


def _run(verb: str) -> int:
    return main(["scoped", verb, *sys.argv[1:]], name=f"memory-{verb}")
