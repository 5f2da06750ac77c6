"""What verbs take from stdin and from files, as text."""

from __future__ import annotations

import sys

from varves.errors import Refused, UsageError

LONGEST = 64 << 20


def text_of(word: str) -> str:
    """Return a word as it was typed; a dash stands for what is on stdin."""
    return from_stdin() if word == "-" else word


def from_stdin() -> str:
    """Return the text on stdin, without the newline that ends it."""
    return _decoded(sys.stdin.buffer.read(LONGEST + 1), "stdin")


def from_file(path: str) -> str:
    """Return the text of a file; a dash stands for stdin."""
    if path == "-":
        return from_stdin()
    try:
        with open(path, "rb") as file:
            return _decoded(file.read(LONGEST + 1), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {path}: {reason}", "name a file of text") from None


def _decoded(content: bytes, where: str) -> str:
    if len(content) > LONGEST:
        raise Refused(f"{where} is longer than {LONGEST >> 20} MiB", "hand over less")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise UsageError(f"{where} is not valid UTF-8", "encode the text as UTF-8") from None
    return text.removesuffix("\n").removesuffix("\r")
