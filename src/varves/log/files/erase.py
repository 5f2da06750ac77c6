"""Erasing content from stored lines: what was said goes, that it was said stays.

`data` and `salt` give way to `"purged":true`. The digests were made so that the line and its chain
still verify, and two clones that purge the same line write the same bytes.
"""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from varves.events.blobs import named, texts_of
from varves.events.codec import purged_line
from varves.events.kinds import PURGED, precedence
from varves.events.purge import claims, covers, holds, purged_by, purges
from varves.log.files.layout import BLOBS, LOG, SUFFIX, blob_name
from varves.log.files.local import ASIDE, ATTENDANCE, INDEX, NOTES, SET_ASIDE, VIEWS
from varves.log.files.remains import needles_of
from varves.log.files.segments import read_lines
from varves.log.files.spool import spooled
from varves.log.files.verify import stored
from varves.values.ids import is_event_id
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from varves.events.event import Event
    from varves.log.files.port import LogStore
    from varves.log.files.spool import Spool

_BARRING = f'"kind":"{PURGED}"'.encode("ascii")
_NEEDLE = 48  # so many bytes of a text tell that a torn piece is of it
_LEAST = 16  # fewer would be met everywhere; a line names its memory before any text
# Made again, scrubbed by whoever renders files, or without any text.
_TEXTS = (ASIDE, SET_ASIDE, ATTENDANCE, NOTES)
_KEPT_LOCAL = ("usage", "index.sqlite", "views.sqlite", "lanes", ".gitignore")
_UNREADABLE = b'{"purged":true}'  # what is left of a damaged line that held purged content


class Doomed(Value):
    """What is to be erased: memories, the blobs that only they name, and how pieces are known."""

    barred: set[str]
    blobs: set[str]
    known_by: set[bytes]
    """In a line of a log, whole or torn."""
    said: frozenset[bytes] = frozenset()
    """In a file of any other form."""


def barred_in(stores: Iterable[LogStore]) -> set[str]:
    """Return the memories that any of these logs says are purged, and the events that go too."""
    logs = {str(place): store for place, store in enumerate(stores)}
    found = [event for event in _read(logs, {_BARRING}) if purges(event)]
    named = {name for event in found for pair in claims(event) for name in pair}
    there: dict[str, Event] = {}
    for event in _read(logs, _ids(named)) if named else ():
        held = there.get(event.id)
        if held is None or precedence(event) < precedence(held):
            there[event.id] = event
    return purged_by(found).union(*(covers(event, there.get) for event in found))


def _read(logs: Mapping[str, LogStore], needles: set[bytes]) -> Iterator[Event]:
    """Yield the events of files in which any of these stands."""
    for log, store in logs.items():
        for name, content in stored(store):
            if any(needle in content for needle in needles):
                yield from (event for event, _ in read_lines(name, content, log).events)


def holding(store: LogStore, log: str, barred: set[str]) -> Iterator[tuple[str, Event]]:
    """Return the events, each with its file, that still hold content of a purged memory."""
    return _holding(stored(store), log, barred)


def spooled_holding(spool: Spool, barred: set[str]) -> Iterator[tuple[str, Event]]:
    """Return the same for the spool."""
    kept = ((name, spool.read(name) or b"") for name in spool.names())
    return _holding(kept, "project", barred)


def _holding(
    files: Iterable[tuple[str, bytes]], log: str, barred: set[str]
) -> Iterator[tuple[str, Event]]:
    ids = _ids(barred)
    for name, content in files:
        if any(one in content for one in ids):
            for event, _ in read_lines(name, content, log).events:
                if holds(event, barred):
                    yield name, event


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
        known_by=_ids(barred) | {text for text in begun if len(text) >= _LEAST},
        said=frozenset(needle for text in said for needle in needles_of(text)),
    )


def said_in(events: Iterable[Event], barred: set[str]) -> set[str]:
    """Return the texts of purged memories, and of the talk that goes with them, in some events."""
    return {
        text
        for event in events
        for name, text in texts_of(event.data)
        if name in barred or event.id in barred
    }


def still_named(contents: Iterable[bytes], events: Iterable[Event], barred: set[str]) -> set[str]:
    """Return those blobs of doomed events that others name in any of these files."""
    digests = {digest for event in events for digest in named(event.data)}
    found: set[str] = set()
    for content in contents if digests else ():
        for line in content.splitlines():
            if any(digest.encode("ascii", "replace") in line for digest in digests):
                for event, _ in read_lines("", line + b"\n", "").events:
                    found |= set() if holds(event, barred) else set(named(event.data))
    return found


def _ids(barred: set[str]) -> set[bytes]:
    """Return how lines are known: by the memory they name, or by the event they are."""
    known = (f'"id":"{name}"' if is_event_id(name) else _quoted(name)[1:-1] for name in barred)
    return {one.encode("ascii") for one in known}


def erase(store: LogStore, found: Doomed) -> list[str]:
    """Purge every line of a log that holds content of these memories; return the files changed."""
    changed = []
    for name, before in stored(store):
        if _met(before, found):
            with store.guard(name):
                content = store.read(name)
                rest = erased(name, content, found)
                if rest != content:
                    store.replace(name, rest)
                    changed.append(name)
    return changed


def erase_spooled(spool: Spool, found: Doomed) -> list[str]:
    """Do the same in the spool, whose files are then copies of their own."""
    changed = []
    for name in spool.names():
        content = spool.read(name) or b""
        rest = erased(name, content, found) if _met(content, found) else content
        if rest != content:
            spool.place.replace(spooled(name), rest)
            changed.append(f"spool/{spooled(name)}")
    return changed


def _met(content: bytes, found: Doomed) -> bool:
    return any(needle in content for needle in found.known_by)


def erased(name: str, content: bytes, found: Doomed) -> bytes:
    """Return a file's bytes with the content of these memories gone, damaged and torn lines too."""
    end = content.rfind(b"\n") + 1
    reading = read_lines(name, content, "")
    gone = {line: purged_line(line) for event, line in reading.events if holds(event, found.barred)}
    for start, stop, _ in reading.bad:
        line = content[start : stop - 1]
        if _met(line, found) and purged_line(line) != line:
            gone[line] = _UNREADABLE
    lines = content[:end].split(b"\n")
    lines[-1] = b"" if _met(content[end:], found) else content[end:]
    return b"\n".join(gone.get(line, line) for line in lines)


def drop_blobs(store: LogStore, spool: Spool | None, found: Doomed) -> list[str]:
    """Remove the blobs of purged events that no other event names."""
    removed = []
    for digest in sorted(found.blobs):
        where = [(store, blob_name(digest), blob_name(digest))]
        if spool is not None:
            where.append((spool.place, f"{BLOBS}/{digest}", f"spool/{BLOBS}/{digest}"))
        for place, name, shown in where:
            if place.stat(name) is not None:
                place.remove(name)
                removed.append(shown)
    return removed


def clear_strays(store: LogStore, found: Doomed) -> list[str]:
    """Remove set-aside pieces, and files a killed process left, that hold any of this.

    What waits to be renamed lies in `local/`, or beside its target where git does not look, and
    carries that one's name.
    """
    removed = []
    for name in [*_local(store), *_unfinished(store, LOG)]:
        try:
            of_blob = any(digest in name for digest in found.blobs)
            if of_blob or _met(store.read(name), found):
                store.remove(name)
                removed.append(name)
        except FileNotFoundError:
            continue  # its writer was alive, and has just put it into place
    return removed


def clear_local(local: LogStore, found: Doomed) -> list[str]:
    """Do the same in a local folder; what is noted of a session goes whole."""
    removed = []
    below = [name for folder in _TEXTS for name in _files_below(local, folder)]
    for name in [*_loose(local), *below]:
        try:
            content = local.read(name)
            if _met(content, found) or any(needle in content for needle in found.said):
                local.remove(name)
                removed.append(name)
        except OSError:
            continue
    return removed


def _loose(local: LogStore) -> Iterator[str]:
    """Yield the files that lie in a local folder itself; databases are scrubbed, not searched."""
    for name, is_folder, _ in local.entries(""):
        if not is_folder and not name.startswith((INDEX, VIEWS)):
            yield name


def _local(store: LogStore) -> Iterator[str]:
    for name in _files_below(store, "local"):
        if not name.split("/")[1].startswith(_KEPT_LOCAL):
            yield name


def _unfinished(store: LogStore, folder: str) -> Iterator[str]:
    for name in _files_below(store, folder):
        leaf = name.rsplit("/", 1)[1]
        if leaf.startswith(".") and not leaf.endswith(SUFFIX):
            yield name


def clear_spool(spool: Spool, found: Doomed) -> list[str]:
    """Remove what a killed process left of these blobs in the spool."""
    removed = []
    for name in spool.blobs():
        leaf = name.rsplit("/", 1)[1]
        if leaf.startswith(".") and any(digest in leaf for digest in found.blobs):
            spool.drop(name)
            removed.append(f"spool/{spooled(name)}")
    return removed


def _files_below(store: LogStore, folder: str) -> Iterator[str]:
    if store.stat(folder) is None:
        return
    for leaf, is_folder, _ in store.entries(folder):
        if is_folder:
            yield from _files_below(store, f"{folder}/{leaf}")
        else:
            yield f"{folder}/{leaf}"
