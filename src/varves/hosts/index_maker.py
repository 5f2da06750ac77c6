"""Starts a separate process that updates an index which lacks many events of the logs.

A prompt cannot wait for the index, and a hook that reaches its time limit would lose its work.
Until the index is ready, hooks that need it return an empty answer immediately.
"""

from __future__ import annotations

import os

from varves.program import start_apart

MARK = ".varves/local/index.making"
# after this many milliseconds, the process that wrote the mark is assumed to be dead
_LONGEST = 600_000
_OURS = 0o100600
_MAKE = """
import os, sys
from varves import open
try:
    with open(sys.argv[1]) as ledger:
        ledger._status()
finally:
    os.unlink(sys.argv[2])
"""


def is_under_way(root: str) -> bool:
    """Return whether a process is building a project's index."""
    from varves.values.instants import SystemClock

    try:
        found = os.lstat(f"{root}/{MARK}")
    except OSError:
        return False
    ours = found.st_mode == _OURS  # a file from a branch has another mode
    return ours and abs(SystemClock().now() - found.st_mtime * 1000) < _LONGEST


def begin(root: str) -> None:
    """Start building a project's index, unless another process is building it."""
    mark = f"{root}/{MARK}"
    if not is_under_way(root):
        try:
            os.unlink(mark)
        except FileNotFoundError:
            pass
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        os.close(os.open(mark, flags, 0o600))
    except FileExistsError:
        return
    start_apart(("-c", _MAKE, root, mark), root=root)
