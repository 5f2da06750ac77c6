"""Recognises a `git merge --squash` that is not committed yet: git stores only its message.

Git stores no name for the other side. Some versions of git keep the message after `git reset`. So
the message is used only for files whose version in git's index differs from HEAD.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.git import Git

MESSAGE = "SQUASH_MSG"
_TIP = re.compile(rb"^commit ([0-9a-f]{40,64})$", re.MULTILINE)
_MOST = 65_536  # the most bytes of the message that are searched for its first commit


def tip(git: Git) -> str:
    """Return the newest commit of the squash; "" if there is none."""
    try:
        with open(f"{git.folder}/{MESSAGE}", "rb") as file:
            found = _TIP.search(file.read(_MOST))
    except OSError:
        return ""
    return found[1].decode("ascii") if found else ""


def staged(git: Git, places: Sequence[str]) -> set[str]:
    """Return the files whose version in git's index differs from HEAD, relative to the top."""
    asked = ("diff", "--cached", "--name-only", "--no-renames", "-z", "--", *places)
    listed = git.run("--literal-pathspecs", *asked, check=False)
    return {path for path in os.fsdecode(listed).split("\0") if path}
