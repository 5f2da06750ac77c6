"""What a purge erases, worked out from events, and how pieces of it are known."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from varves.events.blobs import named, texts_of
from varves.values.ids import is_event_id
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.events.event import Event

UNPURGED = "unpurged"  # the rule of a finding about purged content that is still there
_NEEDLE = 48  # so many bytes of a text tell that a torn piece is of it
_LEAST = 16  # fewer would be met everywhere; a line names its memory before any text


class Doomed(Value):
    """What is to be erased: memories, the blobs that only they name, and how pieces are known."""

    barred: set[str]
    blobs: set[str]
    known_by: set[bytes]
    """In a line of a log, whole or torn."""
    said: frozenset[bytes] = frozenset()
    """In a file of any other form."""


class PublishedPlaces(Value):
    """Where the protocols keep files, from the project's folder on."""

    rendered: tuple[str, ...] = ()
    """Folders of files that are made from the log."""
    views: tuple[str, ...] = ()
    """Files that are made from those that people write."""
    written: tuple[str, ...] = ()
    """Files that people write, or that others write too."""


def doomed(events: Iterable[Event], barred: set[str], kept: set[str]) -> Doomed:
    """Work out what goes with some events.

    Args:
        events: those that hold purged content.
        barred: the purged memories, and events that go with them.
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
    )


def said_of(content: bytes, found: Doomed) -> bool:
    """Tell whether something of any form says what is to be erased."""
    return any(needle in content for needle in (*found.known_by, *found.said))


def said_in(events: Iterable[Event], barred: set[str]) -> set[str]:
    """Return the texts of purged memories, and of the talk that goes with them, in some events."""
    return {
        text
        for event in events
        for name, text in texts_of(event.data)
        if name in barred or event.id in barred
    }


def needles_of(text: str, *, short: bool = True) -> Iterator[bytes]:
    """Yield what a text is known by in a file, in plain words and as JSON writes it.

    Args:
        text: what was said.
        short: whether a few letters count too, as a whole string of JSON.
    """
    from json import dumps

    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for part in {lines[0], max(lines, key=len)} if lines else ():
        plain = part.encode("utf-8", "surrogatepass")
        forms = [dumps(part), dumps(part, ensure_ascii=False)]
        if len(plain) >= _LEAST:
            yield plain[:_NEEDLE]
            yield from (form[1:-1].encode("utf-8", "surrogatepass")[:_NEEDLE] for form in forms)
        elif short:  # met everywhere, but for a string that says this and no more
            yield from (form.encode("utf-8", "surrogatepass") for form in forms)


def known_ids(barred: set[str]) -> set[bytes]:
    """Return how lines are known: by the memory they name, or by the event they are."""
    known = (f'"id":"{name}"' if is_event_id(name) else _quoted(name)[1:-1] for name in barred)
    return {one.encode("ascii") for one in known}
