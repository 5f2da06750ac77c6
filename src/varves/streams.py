"""Writes to stdout and stderr, each answer in one write, so that answers never mix.

Python's streams split a text at the end of their buffer, and if they are unbuffered
(`PYTHONUNBUFFERED=1`), they write a line and its newline separately. If processes share a pipe or a
file, their output could then mix within a line.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO


def say(text: str, *, encoding: str = "") -> None:
    """Write a text to stdout, if the process has a stdout.

    Args:
        text: the answer, including its final newline.
        encoding: the encoding that the reader expects; by default that of stdout.

    Raises:
        OSError: The reader has closed the pipe, or the disk is full.
    """
    if sys.stdout is not None:
        _say(text, sys.stdout, encoding)


def tell(text: str) -> None:
    """Write a text to stderr; errors are ignored."""
    if sys.stderr is not None:
        try:
            _say(text, sys.stderr, "")
        except OSError:
            pass


def write(raw: Any, content: bytes) -> None:
    """Write bytes to an unbuffered file, repeating until all are written."""
    while content:
        count = raw.write(content)
        if count is None:  # the file is non-blocking, and its buffer is full
            from select import select

            select((), (raw,), ())
        else:
            content = content[count:]


def _say(text: str, stream: TextIO, encoding: str) -> None:
    encoding = encoding or getattr(stream, "encoding", None) or "utf-8"
    content = text.encode(encoding, "backslashreplace")
    stream.flush()  # the output of other code must come first
    buffer = getattr(stream, "buffer", None)
    if buffer is not None:
        write(getattr(buffer, "raw", buffer), content)
    else:  # the stream is not a file: Jupyter's output, or a stream that collects text
        stream.write(content.decode(encoding))
        stream.flush()
