"""The block in a prompt file: between two markers, and nothing else in the file is touched."""

from __future__ import annotations

import os
import re

from varves.errors import NotFound, Refused
from varves.values.names import safe_path

BEGIN = "<!-- varves memory: begin -->"
END = "<!-- varves memory: end -->"
_NONCE = re.compile(r"<varves-memory-([0-9a-f]{32})>")
_LARGEST = 8 << 20
_OURS = (".varves", ".git", "memory")  # a block in one of their files would break it


def with_block(text: str, block: str) -> str:
    """Put a block between the markers of a text, at its end where it has none yet.

    Raises:
        Refused: the markers do not stand there as one pair.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    inside = ending.join([BEGIN, *block.splitlines(), END])
    begins, ends = text.count(BEGIN), text.count(END)
    if (begins, ends) == (0, 0):
        gap = "" if not text else ending if text.endswith("\n") else ending * 2
        return f"{text}{gap}{inside}{ending}"
    start, stop = text.find(BEGIN), text.find(END)
    if (begins, ends) != (1, 1) or stop < start:
        raise Refused("the markers are not one pair", f"leave one {BEGIN} before one {END}")
    return f"{text[:start]}{inside}{text[stop + len(END) :]}"


def nonce_in(text: str) -> str | None:
    """Return the nonce of the block a text holds, so that an equal block is written alike."""
    start, stop = text.find(BEGIN), text.find(END)
    found = _NONCE.search(text, start, stop) if 0 <= start < stop else None
    return found[1] if found else None


def read(root: str, path: str) -> tuple[str, str]:
    """Return a prompt file's place in the project and its text.

    Raises:
        NotFound: there is no such file.
        Refused: it is no plain text inside the project.
        UnsafeName: the path leaves the project.
    """
    if os.path.isabs(path) and path.startswith(f"{root}/"):
        path = path[len(root) + 1 :]
    place = safe_path(path, "path")
    if place.partition("/")[0].lower() in _OURS:
        raise Refused(f"{place} is no prompt", "name a file outside .varves, .git and memory")
    whole = f"{root}/{place}"
    inside = os.path.realpath(root)
    if not os.path.lexists(whole):
        raise NotFound(f"no file {place}", "make it first; only its block is ours")
    if os.path.realpath(whole) != f"{inside}/{place}" or not os.path.isfile(whole):
        raise Refused(f"{place} is no plain file of the project", "name a file, not a link")
    try:
        with open(whole, "rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise Refused(f"{place} is larger than 8 MiB", "name a prompt")
        return place, content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{place} is no text in UTF-8", "name a prompt") from None
    except OSError as fault:
        raise Refused(f"{place} cannot be read: {fault.strerror}", "allow it") from None


def write(root: str, place: str, text: str) -> None:
    """Replace a prompt file in one step, with the mode it has.

    Raises:
        Refused: it cannot be written.
    """
    whole = f"{root}/{place}"
    beside = f"{whole}.varves-tmp"
    try:
        mode = os.stat(whole).st_mode & 0o777
        if not mode & 0o222:
            raise Refused(f"{place} is read-only", "allow it to be written")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(beside, flags, mode), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, whole)
    except OSError as fault:
        raise Refused(f"{place} cannot be written: {fault.strerror}", "allow it") from None
