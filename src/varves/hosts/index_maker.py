"""An index that is far behind is made beside the hooks: by one process, which ends when it is made.

A prompt cannot wait for it, and what a hook has made of it until its time is up would be lost.
Until then hooks that need it say nothing, at once.
"""

from __future__ import annotations

import os

MARK = ".varves/local/index.making"
_LONGEST = 600_000  # milliseconds after which whoever left the mark is taken for dead
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
    """Tell whether somebody is making the index of a project."""
    from varves.values.instants import SystemClock

    try:
        found = os.lstat(f"{root}/{MARK}")
    except OSError:
        return False
    ours = found.st_mode == _OURS  # what a branch brought along has another mode
    return ours and abs(SystemClock().now() - found.st_mtime * 1000) < _LONGEST


def begin(root: str) -> None:
    """Have the index of a project made, unless somebody is at it."""
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
    import sys
    from subprocess import DEVNULL, Popen

    Popen(
        [sys.executable, "-c", _MAKE, root, mark],
        cwd=root,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    )
