"""Reads a growing file of JSON lines from an offset: whole lines, up to a limit."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PIECE = 4 << 20  # the most bytes of one read
LONGEST = 1 << 20  # in bytes; a longer line is not read as a message
_FARTHEST = 256 << 20  # the bytes that are searched for the end of a longer line


def records(path: str, offset: int) -> tuple[list[dict[str, Any]], int]:
    """Return the records in the complete lines after an offset, and the offset of their end."""
    found = piece_of(path, offset, PIECE)
    if found is None:
        return [], offset
    piece, start = found
    end = piece.rfind(b"\n") + 1
    if not end:
        return [], _behind(path, start) if len(piece) >= PIECE else start
    return parsed(piece[:end]), start + end


def piece_of(path: str, offset: int, size: int) -> tuple[bytes, int] | None:
    """Return the next bytes of a file and the offset of their first byte; None at the end.

    A read always ends at the end of a line. If there is no end of a line at the offset, the file
    was rewritten since, and is read from its beginning.
    """
    try:
        if not _is_plain(os.stat(path).st_mode):  # opening a pipe or a device could have effects
            return None
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError):
        return None
    try:
        seen = os.fstat(handle)
        if not _is_plain(seen.st_mode):
            return None
        start = offset if 0 < offset <= seen.st_size else 0
        if start and os.pread(handle, 1, start - 1) != b"\n":
            start = 0
        return os.pread(handle, size, start), start
    except OSError:
        return None
    finally:
        os.close(handle)


def _behind(path: str, start: int) -> int:
    """Return the offset after a line that is too long to be read.

    If the line is not complete yet, return the offset of its start.
    """
    with open(path, "rb", buffering=0) as file:
        file.seek(start)
        for count in range(_FARTHEST // PIECE):
            found = file.read(PIECE).find(b"\n")
            if found >= 0:
                return start + count * PIECE + found + 1
    return start


def _is_plain(mode: int) -> bool:
    from stat import S_ISREG

    return S_ISREG(mode)


def parsed(piece: bytes) -> list[dict[str, Any]]:
    """Return the objects in lines of JSON.

    Damaged lines and those that are too long are skipped.
    """
    from json import loads

    found = []
    for line in piece.split(b"\n"):
        if not line or len(line) > LONGEST:
            continue
        try:
            record = loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            found.append(record)
    return found
