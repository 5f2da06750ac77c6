"""Reads a whole settings file, or raises an error that states the problem in one line.

The file may come from a foreign clone, so links are not followed and content that would take long
to parse is refused.
"""

from __future__ import annotations

import os
from errno import EISDIR, ELOOP

from varves.errors import Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST = 256 << 10  # the largest settings file, in bytes
_DOTS = 200  # the most dots in one line, because parsing a dotted key takes quadratic time
_MEND = "fix or remove it"
_MARKED = "resolve its git conflict markers by hand, git add it, then run varves rebuild"
_KINDS = {ELOOP: "is a link", EISDIR: "is a folder"}


def read(path: str, shown: str) -> dict[str, Any]:
    """Return the content of a settings file.

    Raises:
        Damaged: the file cannot be read, or is too large.
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
    """Return why a file is too large to parse (its size, or a very long key); "" if it is not."""
    if len(content) > LARGEST:
        return f"is larger than {LARGEST >> 10} KiB"
    if content.count(b".") > _DOTS and any(n.count(b".") > _DOTS for n in content.split(b"\n")):
        return f"has a line with more than {_DOTS} dots"
    return ""
