"""Reads and atomically replaces whole files at any path that a caller of a verb gives."""

from __future__ import annotations

import os

from varves.disk import replace_file
from varves.errors import NotFound, Refused

_LARGEST = 256 << 20
_CLOSED = (".varves", ".git")


def read(path: str) -> bytes | None:
    """Return a file's bytes, or None if it does not exist.

    Raises:
        Refused: the path is not a plain file, or cannot be read.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise Refused(f"{path} cannot be read: {reason}", "give the path of a plain file") from None
    if len(content) > _LARGEST:
        raise Refused(f"{path} is larger than {_LARGEST >> 20} MiB", "give a smaller file")
    return content


def write(path: str, content: bytes) -> None:
    """Create or replace a file atomically.

    Raises:
        NotFound: the file's folder does not exist.
        Refused: the file is a link, is inside a ledger or git's folder, or cannot be written.
    """
    folder, name = os.path.split(os.path.abspath(path))
    if set(folder.split(os.sep)) & set(_CLOSED) or name in _CLOSED:
        raise Refused(f"{path} is inside .varves or .git", "choose a file outside them")
    if os.path.islink(path) or os.path.isdir(path):
        raise Refused(f"{path} is not a plain file", "give a plain file, not a link or a folder")
    if not os.path.isdir(folder):
        raise NotFound(f"no folder {folder}", "create it first")
    try:
        replace_file(path, content)
    except OSError as fault:
        raise Refused(
            f"{path} cannot be written: {fault.strerror}", "check its permissions"
        ) from None
