"""A file of settings, read whole, or refused in a line that says what is wrong with it.

It came with a clone: a link is not followed, and nothing is read that would take long to parse.
"""

from __future__ import annotations

import os
from errno import EISDIR, ELOOP

from varves.errors import Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST = 256 << 10  # bytes
_DOTS = 200  # in one line; the time to read a dotted key grows with the square of its parts
_MEND = "mend or remove it"
_MARKED = "git left a conflict in it: settle that by hand, git add it, then varves rebuild"
_KINDS = {ELOOP: "is a link", EISDIR: "is a folder"}


def read(path: str, shown: str) -> dict[str, Any]:
    """Return what a file says.

    Raises:
        Damaged: it cannot be read, or is too large.
    """
    content = _content(path, shown)
    if large := _is_large(content):
        raise Damaged(f"{shown} {large}", _MEND)
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        raise Damaged(f"{shown} is nested too deeply", _MEND) from None
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise Damaged(f"{shown} cannot be read: line {line} is not UTF-8", _MEND) from None
    except ValueError as fault:
        hint = _MARKED if b"<<<<<<< " in content else _MEND
        raise Damaged(f"{shown} cannot be read: {fault}", hint) from None


def _content(path: str, shown: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            parts, left = [], LARGEST + 1
            while left and (part := os.read(handle, left)):
                parts.append(part)
                left -= len(part)
        finally:
            os.close(handle)
    except OSError as fault:
        kind = _KINDS.get(fault.errno or 0, f"cannot be read: {fault.strerror}")
        raise Damaged(f"{shown} {kind}", _MEND) from None
    return b"".join(parts)


def _is_large(content: bytes) -> str:
    """Say what would take long to parse, if anything: the file, or a key of very many parts."""
    if len(content) > LARGEST:
        return f"is larger than {LARGEST >> 10} KiB"
    if content.count(b".") > _DOTS and any(n.count(b".") > _DOTS for n in content.split(b"\n")):
        return f"has a line with more than {_DOTS} dots"
    return ""
