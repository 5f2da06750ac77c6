"""Repairs segments that git could not merge, because two clones purged neighbouring lines.

Normally segments are only added. Only a purge changes lines of a file that other clones also have.
If git then leaves both versions between conflict markers, each line appears twice. The line without
content is correct.
"""

from __future__ import annotations

from varves.events.codec import BadLine, decode
from varves.events.kinds import precedence
from varves.log.files.verify import stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.events.event import Event
    from varves.places.port import FileStore

_BEGIN = b"<<<<<<< "
_MARKS = (_BEGIN, b"||||||| ", b">>>>>>> ")
_BETWEEN = b"======="


def conflicted(store: FileStore) -> Iterator[str]:
    """Yield the files that contain conflict markers of an unfinished merge."""
    for name, content in stored(store):
        if b"\n" + _BEGIN in b"\n" + content:
            yield name


def resolve_marks(store: FileStore, name: str) -> None:
    """In a file with conflict markers, replace git's two versions by one line for each event."""
    with store.guard(name):
        store.replace(name, without_marks(store.read(name)))


def without_marks(content: bytes) -> bytes:
    """Return a file's bytes without git's conflict markers and with each event once.

    All other lines are kept.
    """
    lines: list[bytes] = []
    places: dict[str, tuple[int, Event]] = {}
    for line in content.split(b"\n"):
        if line.startswith(_MARKS) or line == _BETWEEN:
            continue
        try:
            event = decode(line, "")
        except BadLine:
            lines.append(line)
            continue
        place, held = places.setdefault(event.id, (len(lines), event))
        if place == len(lines):
            lines.append(line)
        elif precedence(event) < precedence(held):
            places[event.id] = place, event
            lines[place] = line
    return b"\n".join(lines)
