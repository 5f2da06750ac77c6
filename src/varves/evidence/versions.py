"""The file that evidence points to: as it was when the evidence was recorded, and as it is now.

Evidence has the digest of the whole file, so the version found in git is that very file, whichever
commit has it: also one that was made after the memory was written, on another branch, or rebased.
"""

from __future__ import annotations

import os

from varves.evidence.fates import CHANGED, GONE, valid
from varves.evidence.sight import LARGEST, Sight
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.context.context import Context
    from varves.git import Git

    Place = dict[str, Any]
    Span = tuple[int, int]  # the first and the last line, counted from 1

_COMMITS = 2_000  # the most commits of HEAD's history that are searched
_SMALLER = 32  # versions that may differ in their line ends only


class PointedFile(Value):
    """What one piece of evidence points to.

    The lines are those of the whole file; None if it is not there, too large or not text.
    """

    path: str
    """The path of the file now."""
    then: tuple[str, ...] | None
    now: tuple[str, ...] | None
    span: tuple[int, int] | None
    """The lines that are meant, in `then` if it is known, else in `now`; None for all of them."""
    changed: bool
    """Whether the lines that are meant are not what they were."""


def pointed(context: Context, place: Place, *, now: bool = True) -> PointedFile | None:
    """Return the file that a pointer with its state points to; None if it points to no file.

    Args:
        context: the ledger.
        place: the pointer, with its state and its present place if they are known.
        now: whether the file is read as it is now; if not, git is asked for what it was.
    """
    found = valid(place)
    if found is None or "digest" not in found:
        return None
    path, line = _present(place, found["path"])
    sight = Sight(context.settings.root)
    look = sight.look(path)
    here = sight.content(look) if now and look.kind == "file" else None
    changed = not now or place.get("state") in (CHANGED, GONE)
    there = None
    if changed and context.places.git is not None:
        there = _recorded(context.places.git, context.settings.root, found)
    at = found if there is not None or line is None else found | {"line": line}
    lines = _lines(here) if there is None else _lines(there)
    return PointedFile(
        path=path,
        then=None if there is None else lines,
        now=_lines(here),
        span=None if lines is None else _span(at, lines),
        changed=changed,
    )


def _present(place: Place, path: str) -> tuple[str, int | None]:
    """Return the path and the line at which the evidence is now."""
    where = place.get("now")
    if not isinstance(where, str):
        return path, None
    name, _, number = where.rpartition(":")
    return (name, int(number)) if name and number.isdigit() else (where, None)


def _lines(content: bytes | None) -> tuple[str, ...] | None:
    from varves.evidence import passages

    lines = None if content is None else passages.lines_of(content)
    if lines is None:
        return None
    return tuple(line.encode("utf-8", "replace").decode("utf-8", "replace") for line in lines)


def _span(place: Place, lines: tuple[str, ...]) -> Span | None:
    from varves.evidence import passages
    from varves.evidence.pointers import PYTHON

    if "symbol" in place:
        python = place["path"].endswith(PYTHON)
        spans = passages.block(list(lines), place["symbol"], python=python)
        return spans[0] if spans else None
    if "line" not in place:
        return None
    return place["line"], place["line"] + place.get("count", 1) - 1


def _recorded(git: Git, root: str, place: Place) -> bytes | None:
    """Return the version of a file that has the digest of the evidence, from git's objects."""
    below = os.path.relpath(os.path.realpath(root), os.path.realpath(git.top))
    path = os.path.normpath(os.path.join(below, place["path"]))
    sizes = _sizes(git, list(_objects(git, path)))
    size = place.get("size", 0)
    likely = [name for name, found in sizes.items() if found == size]
    others = [name for name, found in sizes.items() if 0 < found < size <= LARGEST]
    try:
        for content in git.contents([*likely, *others[:_SMALLER]]):
            for one in (content, content.replace(b"\n", b"\r\n")):
                if len(one) == size and _digest(one) == place["digest"]:
                    return one
    except OSError:
        pass  # a partial clone lacks some objects
    return None


def _objects(git: Git, path: str) -> Iterator[str]:
    """Yield the versions of a file in the last commits of every branch, newest first."""
    far = git.run("rev-list", "--max-count=1", f"--skip={_COMMITS}", "HEAD", "--", check=False)
    until = far.decode("ascii").split()
    asked = ("HEAD", "--branches", *(f"^{one}" for one in until))
    for _, _, name in git.brought(*asked, places=[path], check=False):
        yield name
    for one in until:  # the version that none of these commits changed, or the first of them
        found = git.run("rev-parse", "--quiet", "--verify", f"{one}:{path}", check=False)
        yield from found.decode("ascii").split()


def _sizes(git: Git, names: list[str]) -> dict[str, int]:
    """Return the sizes of those objects that are here, in the given order."""
    asked = "".join(f"{name}\n" for name in names if name.strip("0")).encode("ascii")
    printed = git.run("cat-file", "--batch-check", stdin=asked, check=False) if asked else b""
    rows = [line.split() for line in printed.decode("ascii").splitlines()]
    return {row[0]: int(row[2]) for row in rows if row[1:2] == ["blob"]}


def _digest(content: bytes) -> str:
    from hashlib import sha256

    return sha256(content).hexdigest()
