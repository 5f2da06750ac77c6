"""Reads and replaces whole prompt files, which belong to people, when a protocol requests it."""

from __future__ import annotations

import os

from varves.disk import replace_file
from varves.errors import NotFound, Refused
from varves.values.names import safe_path

NOTED = "prompts"  # the name of the note that lists the prompt files that have a block
_LARGEST = 8 << 20
_OURS = (".varves", ".git", "memory")  # folders with files that a block of memories would break


def read(root: str, path: str) -> tuple[str, str]:
    """Return a prompt file's path in the project and its text.

    Raises:
        NotFound: the file does not exist.
        Refused: the file is not plain text inside the project.
        UnsafeName: the path leaves the project.
    """
    if os.path.isabs(path) and path.startswith(f"{root}/"):
        path = path[len(root) + 1 :]
    place = safe_path(path, "path")
    if place.partition("/")[0].lower() in _OURS:
        raise Refused(
            f"{place} is not a prompt file", "choose a file outside .varves, .git and memory"
        )
    whole = f"{root}/{place}"
    inside = os.path.realpath(root)
    if not os.path.lexists(whole):
        raise NotFound(f"no file {place}", "create it first; Varves only manages a block in it")
    if os.path.realpath(whole) != f"{inside}/{place}" or not os.path.isfile(whole):
        raise Refused(
            f"{place} is not a plain file of the project", "give a plain file, not a link"
        )
    try:
        with open(whole, "rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise Refused(f"{place} is larger than 8 MiB", "give a smaller file")
        return place, content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{place} is not UTF-8 text", "save it as UTF-8") from None
    except OSError as fault:
        raise Refused(
            f"{place} cannot be read: {fault.strerror}", "check its permissions"
        ) from None


def write(root: str, place: str, text: str) -> None:
    """Replace a prompt file atomically; its mode is not changed.

    Raises:
        Refused: the file cannot be written.
    """
    whole = f"{root}/{place}"
    try:
        mode = os.stat(whole).st_mode & 0o777
        if not mode & 0o222:
            raise Refused(f"{place} is read-only", "make it writable")
        replace_file(whole, text.encode(), mode=mode, exact=True)
    except OSError as fault:
        raise Refused(
            f"{place} cannot be written: {fault.strerror}", "check its permissions"
        ) from None
