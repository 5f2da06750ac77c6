"""Git's conflict marks in a published file: both sides of it, and the way out."""

from __future__ import annotations

from varves.values.answers import Finding

_OURS, _ORIGINAL, _SPLIT, _THEIRS = b"<<<<<<< ", b"||||||| ", b"=======", b">>>>>>> "
REBUILD = "varves rebuild settles it with the records of both sides"


def cut_apart(content: bytes) -> tuple[bytes, bytes] | None:
    """Return both sides of a text with git's conflict marks; None if there are none."""
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
    """Return the finding of a file in which git left both sides; None: there are no marks."""
    if cut_apart(content) is None:
        return None
    line = 1 + content[: content.index(_OURS) if _OURS in content else 0].count(b"\n")
    message = "git's conflict marks stand here"
    return Finding(rule=rule, place=f"{path}:{line}", message=message, fix=REBUILD)
