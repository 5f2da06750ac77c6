"""Git's conflict markers in a published file."""

from __future__ import annotations

from varves.values.answers import Finding

_OURS, _ORIGINAL, _SPLIT, _THEIRS = b"<<<<<<< ", b"||||||| ", b"=======", b">>>>>>> "
REBUILD = "varves rebuild merges the records of both sides"


def cut_apart(content: bytes) -> tuple[bytes, bytes] | None:
    """Return both sides of a text with git's conflict markers; None if it has none."""
    ours: list[bytes] = []
    theirs: list[bytes] = []
    into: tuple[list[bytes], ...] = (ours, theirs)
    cuts = 0
    for line in content.splitlines(keepends=True):
        if line.startswith(_OURS):
            into = (ours,)
        elif line.startswith(_ORIGINAL) and into == (ours,):
            into = ()
        elif line.rstrip() == _SPLIT and len(into) < len((ours, theirs)):
            into = (theirs,)
        elif line.startswith(_THEIRS):
            into, cuts = (ours, theirs), cuts + 1
        else:
            for side in into:
                side.append(line)
    return (b"".join(ours), b"".join(theirs)) if cuts else None


def marked(path: str, content: bytes, rule: str) -> Finding | None:
    """Return the finding for a file with git's conflict markers; None if it has none."""
    if cut_apart(content) is None:
        return None
    line = 1 + content[: content.index(_OURS) if _OURS in content else 0].count(b"\n")
    message = "the file contains git's conflict markers"
    return Finding(rule=rule, place=f"{path}:{line}", message=message, fix=REBUILD)
