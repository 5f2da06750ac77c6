"""Decides whether a client's source is inside the project, which decides on the trust in it."""

from __future__ import annotations

import os


def is_inside(source: str, root: str) -> bool:
    """Return whether a source is a commit, a memory, an event, or a file of the project.

    Everything else is outside: a URL, another folder, or text that names nothing.
    """
    if "\0" in source or not source.strip():
        return False
    scheme, colon, rest = source.partition(":")
    if colon and scheme == "commit":
        return rest.isalnum()
    if source.startswith(("mem_", "evt_")) and source.replace("_", "").isalnum():
        return True
    path = source.removeprefix("file://")
    if "://" in path:
        return False
    for name in (path, path.partition("::")[0], path.rpartition(":")[0]):
        if name and _lies_in(name, root):
            return True
    return False


def _lies_in(path: str, root: str) -> bool:
    try:
        top = os.path.realpath(root)
        found = os.path.realpath(os.path.join(top, path))
        return found.startswith(top + os.sep) and os.path.isfile(found)
    except (OSError, ValueError):
        return False
