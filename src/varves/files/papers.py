"""Files that a caller names, anywhere: read whole, and replaced in one step."""

from __future__ import annotations

import os

from varves.disk import replace_file
from varves.errors import NotFound, Refused

_LARGEST = 256 << 20
_CLOSED = (".varves", ".git")


def read(path: str) -> bytes | None:
    """Return a file's bytes; None where there is none.

    Raises:
        Refused: it is no plain file, or may not be read.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST + 1)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise Refused(f"{path} cannot be read: {reason}", "name a plain file") from None
    if len(content) > _LARGEST:
        raise Refused(f"{path} is larger than {_LARGEST >> 20} MiB", "name a smaller one")
    return content


def write(path: str, content: bytes) -> None:
    """Replace a file in one step, or make it.

    Raises:
        NotFound: its folder is not there.
        Refused: it is a link, within a ledger or git, or may not be written.
    """
    folder, name = os.path.split(os.path.abspath(path))
    if set(folder.split(os.sep)) & set(_CLOSED) or name in _CLOSED:
        raise Refused(f"{path} is no place for it", "name a file outside .varves and .git")
    if os.path.islink(path) or os.path.isdir(path):
        raise Refused(f"{path} is no plain file", "name a file, not a link or a folder")
    if not os.path.isdir(folder):
        raise NotFound(f"no folder {folder}", "make it first")
    try:
        replace_file(path, content)
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}", "allow it") from None
