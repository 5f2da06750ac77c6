"""Erases the content of stored lines; the lines themselves remain.

In an erased line, `"purged":true` replaces `data` and `salt`. The digests are defined so that the
line and its chain can still be verified. Two clones that purge the same line write the same bytes.
"""

from __future__ import annotations

from varves.errors import Busy
from varves.events.blobs import named
from varves.events.codec import purged_line
from varves.events.kinds import precedence
from varves.events.remnants import PURGE_MARKS, claims, covers, holds, in_force, purged_by
from varves.log.doomed import Doomed, doomed, known_ids
from varves.log.files.layout import BLOBS, LOG, SUFFIX, blob_name
from varves.log.files.segments import read_lines
from varves.log.files.spool import spooled
from varves.log.files.verify import stored
from varves.places.local import DATABASES
from varves.places.locks import PACKING
from varves.places.store import files_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from varves.events.event import Event
    from varves.log.files.spool import Spool
    from varves.places.port import FileStore

_PATIENCE = 200  # attempts, 50 ms apart, to get the lock while another process is packing
# These local files are rebuilt, or are cleaned by the code that renders files, or contain no text.
_KEPT_LOCAL = ("usage", *DATABASES, "lanes", ".gitignore")
_UNREADABLE = b'{"purged":true}'  # replaces a damaged line that contains purged content


def barred_in(stores: Iterable[FileStore]) -> set[str]:
    """Return the memories that any of these logs purges, and the events purged with memories."""
    logs = {str(place): store for place, store in enumerate(stores)}
    found = in_force(_read(logs, PURGE_MARKS))
    named = {name for event in found for pair in claims(event) for name in pair}
    there: dict[str, Event] = {}
    for event in _read(logs, known_ids(named)) if named else ():
        held = there.get(event.id)
        if held is None or precedence(event) < precedence(held):
            there[event.id] = event
    return purged_by(found).union(*(covers(event, there.get) for event in found))


def _read(logs: Mapping[str, FileStore], needles: set[bytes]) -> Iterator[Event]:
    """Yield the events of those files that contain any of the needles (byte strings)."""
    for log, store in logs.items():
        for name, content in stored(store):
            if any(needle in content for needle in needles):
                yield from (event for event, _ in read_lines(name, content, log).events)


def holding(store: FileStore, log: str, barred: set[str]) -> Iterator[tuple[str, Event]]:
    """Yield the events that still contain content of a purged memory, each with its file's name."""
    return _holding(stored(store), log, barred)


def spooled_holding(spool: Spool, barred: set[str]) -> Iterator[tuple[str, Event]]:
    """Yield the events in the spool (links next to git's files) that contain purged content."""
    kept = ((name, spool.read(name) or b"") for name in spool.names())
    return _holding(kept, "project", barred)


def _holding(
    files: Iterable[tuple[str, bytes]], log: str, barred: set[str]
) -> Iterator[tuple[str, Event]]:
    ids = known_ids(barred)
    for name, content in files:
        if any(one in content for one in ids):
            for event, _ in read_lines(name, content, log).events:
                if holds(event, barred):
                    yield name, event


def still_named(contents: Iterable[bytes], events: Iterable[Event], barred: set[str]) -> set[str]:
    """Return the long texts (blobs) of events to erase that other events still need."""
    digests = {digest for event in events for digest in named(event.data)}
    found: set[str] = set()
    for content in contents if digests else ():
        for line in content.splitlines():
            if any(digest.encode("ascii", "replace") in line for digest in digests):
                for event, _ in read_lines("", line + b"\n", "").events:
                    found |= set() if holds(event, barred) else set(named(event.data))
    return found


def erase_all(
    store: FileStore,
    spool: Spool | None,
    barred: set[str],
    first: Callable[[Doomed], list[str]] | None = None,
) -> list[str]:
    """Erase content in one log and in its spool (second links); return the changed files.

    Lines are erased last. If this process crashes before, another process can find in them what
    else must be erased.
    """
    packing = _keep_from_packing(store)
    try:
        found = _doomed_in(store, spool, barred)
        files = first(found) if first is not None else []
        files += clear_strays(store, found) + drop_blobs(store, spool, found)
        if spool is not None:
            files += clear_spool(spool, found) + erase_spooled(spool, found)
        return files + erase(store, found)
    finally:
        if packing is not None:
            store.close(packing)


def _doomed_in(store: FileStore, spool: Spool | None, barred: set[str]) -> Doomed:
    gone = [event for _, event in holding(store, "", barred)]
    contents = [content for _, content in stored(store)]
    if spool is not None:
        gone += [event for _, event in spooled_holding(spool, barred)]
        contents += [spool.read(name) or b"" for name in spool.names()]
    return doomed(gone, barred, still_named(contents, gone, barred))


def _keep_from_packing(store: FileStore) -> int | None:
    """Prevent other processes from merging files of the log (packing) during the erasure.

    Return the handle of the lock, or None if locks do not work.
    """
    from time import sleep

    for _ in range(_PATIENCE):
        try:
            handle = store.lock(PACKING)
        except OSError:
            # locks do not work here: lines packed in the meantime are found and erased later
            return None
        if handle is not None:
            return handle
        sleep(0.05)
    raise Busy("another process is packing the log", "varves doctor --fix finishes the purge")


def erase(store: FileStore, found: Doomed) -> list[str]:
    """Erase the content of all lines with purged content; return the changed files."""
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
    """Erase the same content in the spool, whose links become copies; return the changed files."""
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
    """Return a file's bytes without the content to erase, also in damaged lines."""
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


def drop_blobs(store: FileStore, spool: Spool | None, found: Doomed) -> list[str]:
    """Remove the long texts (blobs) that only purged events name; return the removed files."""
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


def clear_strays(store: FileStore, found: Doomed) -> list[str]:
    """Remove temporary files, and stored incomplete lines, that contain purged content.

    The name of a temporary file contains its target's name. The file is in `local/`, or next to its
    target under a name that git ignores.
    """
    removed = []
    for name in [*_local(store), *_unfinished(store, LOG)]:
        try:
            of_blob = any(digest in name for digest in found.blobs)
            if of_blob or _met(store.read(name), found):
                store.remove(name)
                removed.append(name)
        except FileNotFoundError:
            # its writer was still running, and has just renamed the file to its final name
            continue
    return removed


def _local(store: FileStore) -> Iterator[str]:
    for name in files_below(store, "local"):
        if not name.split("/")[1].startswith(_KEPT_LOCAL):
            yield name


def _unfinished(store: FileStore, folder: str) -> Iterator[str]:
    for name in files_below(store, folder):
        leaf = name.rsplit("/", 1)[1]
        if leaf.startswith(".") and not leaf.endswith(SUFFIX):
            yield name


def clear_spool(spool: Spool, found: Doomed) -> list[str]:
    """Remove temporary files with purged long texts from the spool (links next to git's files)."""
    removed = []
    for name in spool.blobs():
        leaf = name.rsplit("/", 1)[1]
        if leaf.startswith(".") and any(digest in leaf for digest in found.blobs):
            spool.drop(name)
            removed.append(f"spool/{spooled(name)}")
    return removed
