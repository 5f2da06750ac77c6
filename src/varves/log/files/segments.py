"""Splits the bytes of a segment (a file of the log) into lines and decodes them as events.

A pack's first line is not an event: it lists the complete segments that follow.
"""

from __future__ import annotations

from varves.events.codec import BadLine, decode
from varves.log.files.layout import is_pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from varves.events.event import Event


def lines(content: bytes, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, line) for each complete line; an incomplete last line is skipped."""
    at = start
    while (end := content.find(b"\n", at - start)) >= 0:
        yield at, content[at - start : end]
        at = start + end + 1


class LinesRead:
    """The result of one pass over a file's bytes: events, bad ranges, and the end offset."""

    __slots__ = ("bad", "end", "events")

    def __init__(self) -> None:
        self.events: list[tuple[Event, bytes]] = []
        self.bad: list[tuple[int, int, str]] = []
        self.end = 0


def read_lines(
    name: str,
    content: bytes,
    log: str,
    *,
    start: int = 0,
    read: Callable[[bytes, str], Event] = decode,
) -> LinesRead:
    """Decode the complete lines of a segment or pack; the result also lists bad lines."""
    found = LinesRead()
    found.end = start
    # the first line of the pack is missing
    if start == 0 and is_pack(name) and not content.startswith(b'{"v":'):
        found.end = content.find(b"\n") + 1
    events = found.events
    for at, line in lines(content[found.end - start :], found.end):
        try:
            events.append((read(line, log), line))
        except BadLine as fault:
            found.bad.append((at, at + len(line) + 1, str(fault)))
    found.end = max(found.end, start + content.rfind(b"\n") + 1)
    return found


def pack_head(content: bytes) -> list[tuple[str, int, int, Any]]:
    """Read a pack's first line: (name, lines, bytes, last digest) of each segment in it.

    Raises:
        ValueError: the line cannot be read.
    """
    import json

    try:
        listed = json.loads(content.partition(b"\n")[0])["segments"]
        return [(str(name), int(count), int(size), last) for name, count, size, last in listed]
    except (KeyError, TypeError, OverflowError, RecursionError) as fault:
        raise ValueError(str(fault)) from None


def packed(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each segment in a pack.

    Segments are found by their line counts, because purges change the sizes.
    """
    try:
        listed = pack_head(content)
    except ValueError:
        return
    at = content.find(b"\n") + 1
    for name, count, _, _ in listed:
        start = at
        for _ in range(count):
            at = content.find(b"\n", at) + 1
            if not at:
                return
        yield name, content[start:at]
