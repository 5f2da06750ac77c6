"""Text that verbs read from stdin and from files."""

from __future__ import annotations

import sys

from varves.errors import Refused, UsageError

LONGEST = 64 << 20


def text_of(word: str) -> str:
    """Return a word unchanged; if it is a dash, return the text on stdin."""
    return from_stdin() if word == "-" else word


def from_stdin() -> str:
    """Return the text on stdin, without its final newline."""
    return _decoded(sys.stdin.buffer.read(LONGEST + 1), "stdin")


def from_file(path: str) -> str:
    """Return the text of a file; a dash means stdin."""
    if path == "-":
        return from_stdin()
    try:
        with open(path, "rb") as file:
            return _decoded(file.read(LONGEST + 1), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {path}: {reason}", "name a text file") from None


def _decoded(content: bytes, where: str) -> str:
    if len(content) > LONGEST:
        raise Refused(f"{where} is longer than {LONGEST >> 20} MiB", "split the input")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{where} is not valid UTF-8", "encode the text as UTF-8") from None
    return text.removesuffix("\n").removesuffix("\r")
