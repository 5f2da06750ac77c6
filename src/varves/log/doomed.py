"""Computes from events what a purge must erase, and the byte strings to search for."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from varves.events.blobs import named, texts_of
from varves.values.ids import is_event_id
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.events.event import Event

UNPURGED = "unpurged"  # the name of the rule that reports purged content that still exists
_NEEDLE = 48  # at least this many bytes of a text identify a fragment of it
# fewer bytes would match everywhere, except the memory's id, which precedes the text in a line
_LEAST = 16


class Doomed(Value):
    """What a purge must erase: memories, their long texts (blobs), and strings to search for."""

    barred: set[str]
    blobs: set[str]
    known_by: set[bytes]
    """The byte strings that identify purged content in lines of a log, complete or torn."""
    said: frozenset[bytes] = frozenset()
    """The byte strings that identify purged content in all other files."""
    texts: frozenset[str] = frozenset()
    """The purged texts themselves."""
    sessions: frozenset[str] = frozenset()
    """The sessions in which they were recorded."""


class PublishedPlaces(Value):
    """The paths of the protocols' files, relative to the project's folder."""

    rendered: tuple[str, ...] = ()
    """Folders of files that are rendered from the log."""
    views: tuple[str, ...] = ()
    """Files that are rendered from files that people write."""
    written: tuple[str, ...] = ()
    """Files that people write, or that other programs also write."""


def doomed(events: Iterable[Event], barred: set[str], kept: set[str]) -> Doomed:
    """Return what a purge must erase from the given events.

    Args:
        events: the events that contain purged content.
        barred: the purged memories, and the events that are purged with them.
        kept: the blobs that other events name.
    """
    gone = list(events)
    said = said_in(gone, barred)
    begun = {_quoted(text)[1:-1].encode("ascii")[:_NEEDLE] for text in said}
    return Doomed(
        barred=barred,
        blobs={digest for event in gone for digest in named(event.data)} - kept,
        known_by=known_ids(barred) | {text for text in begun if len(text) >= _LEAST},
        said=frozenset(needle for text in said for needle in needles_of(text)),
        texts=frozenset(said),
        sessions=frozenset(event.session for event in gone if event.session),
    )


def said_of(content: bytes, found: Doomed) -> bool:
    """Return whether an event's content includes anything that must be erased."""
    return any(needle in content for needle in (*found.known_by, *found.said))


def said_in(events: Iterable[Event], barred: set[str]) -> set[str]:
    """Return the texts of events about purged memories, and of messages purged with them."""
    return {
        text
        for event in events
        for name, text in texts_of(event.data)
        if name in barred or event.id in barred
    }


def needles_of(text: str, *, short: bool = True) -> Iterator[bytes]:
    """Yield the byte strings by which a text is found in a file, as plain text and as JSON.

    Args:
        text: the text to recognise.
        short: also yield a text of only a few letters, as a complete JSON string.
    """
    from json import dumps

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for part in {lines[0], max(lines, key=len)} if lines else ():
        plain = part.encode("utf-8", "surrogatepass")
        forms = [dumps(part), dumps(part, ensure_ascii=False)]
        if len(plain) >= _LEAST:
            yield plain[:_NEEDLE]
            yield from (form[1:-1].encode("utf-8", "surrogatepass")[:_NEEDLE] for form in forms)
        elif short:  # a short text matches everywhere, except as a complete JSON string
            yield from (form.encode("utf-8", "surrogatepass") for form in forms)


def known_ids(barred: set[str]) -> set[bytes]:
    """Return the bytes that identify a line to erase: the id of its memory or of its event."""
    known = (f'"id":"{name}"' if is_event_id(name) else _quoted(name)[1:-1] for name in barred)
    return {one.encode("ascii") for one in known}
