"""What is said on stdout and stderr: every answer is one write, so that answers never mix.

Python's own streams cut a text where their buffer ends, and unbuffered (`PYTHONUNBUFFERED=1`) they
write a line and its end apart. Processes that share a pipe or a file would then meet on one line.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO


def say(text: str, *, encoding: str = "") -> None:
    """Write a text to stdout, if there is one.

    Args:
        text: the answer, with its last line's end.
        encoding: what the reader expects; by default what stdout is set to.

    Raises:
        OSError: Nobody reads it any more, or it has no room.
    """
    if sys.stdout is not None:
        _say(text, sys.stdout, encoding)


def tell(text: str) -> None:
    """Write a text to stderr; where that fails there is nobody left to tell."""
    if sys.stderr is not None:
        try:
            _say(text, sys.stderr, "")
        except OSError:
            pass


def write(raw: Any, content: bytes) -> None:
    """Write bytes to an unbuffered file at once; what it did not take follows."""
    while content:
        count = raw.write(content)
        if count is None:  # it does not block, and is full
            from select import select

            select((), (raw,), ())
        else:
            content = content[count:]


def _say(text: str, stream: TextIO, encoding: str) -> None:
    encoding = encoding or getattr(stream, "encoding", None) or "utf-8"
    content = text.encode(encoding, "backslashreplace")
    stream.flush()  # what somebody else printed comes first
    buffer = getattr(stream, "buffer", None)
    if buffer is not None:
        write(getattr(buffer, "raw", buffer), content)
    else:  # no file: a notebook's, or somebody who collects texts
        stream.write(content.decode(encoding))
        stream.flush()
