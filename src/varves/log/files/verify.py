"""Verifies a log: damage is changed content; a gap is content missing from this checkout.

Inside a segment every line must follow the previous line, so a changed, dropped, doubled or
reordered line is damage. Between segments a missing predecessor is only a gap, because it may be on
another branch. A lost event is detected only if something else names it: a later line of its
writer, a line of another writer, a lane's note, the spool or a commit.
"""

from __future__ import annotations

import os

from varves.events.blobs import named
from varves.events.codec import BadLine, assert_canonical
from varves.events.kinds import CLOSED
from varves.events.remnants import holds
from varves.log.doomed import UNPURGED
from varves.log.files.lane import last_segments
from varves.log.files.layout import BLOBS, LOG, SUFFIX, blob_name, is_pack
from varves.log.files.segments import lines, pack_head
from varves.values.answers import Finding, Verification
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event
    from varves.places.port import FileStore


NOT_FOLLOWED = "is not read, because it is a link or not a plain file or folder"
LOOKS = 8  # how many times a log is read again if files vanish during the read


class _Part:
    """One segment as it is stored now, in a file of its own or inside a pack."""

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place
        self.events: list[tuple[int, Event]] = []
        self.size = 0
        self.purged = False


class _Seen:
    """What was read so far from the files of one log."""

    def __init__(self) -> None:
        self.parts: dict[str, _Part] = {}
        # the digest of a line → the digest of the previous line of its chain
        self.heads: dict[str, str | None] = {}
        self.damage: list[Finding] = []
        self.gaps: list[Finding] = []
        from varves.events.bulk import decode_quickly  # slow to import

        self.decode = decode_quickly

    def hurt(self, rule: str, place: str, message: str) -> None:
        fix = (
            "keep the file; git log shows earlier versions, doctor --restore restores spooled ones"
        )
        self.damage.append(Finding(rule=rule, place=place, message=message, fix=fix))

    def miss(self, place: str, message: str) -> None:
        self.gaps.append(Finding(rule="gap", place=place, message=message))


def segment_files(store: FileStore) -> Iterator[str]:
    """Yield the names of all segment and pack files of a log, in order."""
    for month in _months(store):
        if month == BLOBS:
            continue
        names = sorted(n for n, folder, _ in store.entries(f"{LOG}/{month}") if not folder)
        yield from (f"{LOG}/{month}/{name}" for name in names if name.endswith(SUFFIX))


def stored(store: FileStore) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of all files of a log; a vanished file is read from its pack."""
    seen: set[str] = set()
    for _ in range(LOOKS):
        vanished = False
        for name in segment_files(store):
            if name not in seen:
                try:
                    content = store.read(name)
                except FileNotFoundError:
                    vanished = True
                    continue
                seen.add(name)
                yield name, content
        if not vanished:
            return


def verify(
    store: FileStore,
    log: str,
    *,
    deep: bool = False,
    barred: AbstractSet[str] = frozenset(),
    alone: bool = False,
) -> Verification:
    """Read every line of a log and check digests, chains, closings and blobs.

    Args:
        store: where the log is.
        log: the log's name.
        deep: also check that every line has the canonical form.
        barred: the purged memories; no line may still contain their content.
        alone: whether the log is outside git; then no branch can contain a missing segment.
    """
    # first, because the lines that notes name are already written
    ends, (seen, looks) = _noted_ends(store), (_Seen(), 1)
    while not _read_files(seen, store, log, deep=deep) and looks < LOOKS:
        seen, looks = _Seen(), looks + 1
    purged = {
        e.id for part in seen.parts.values() if part.purged for _, e in part.events if e.purged
    }
    for part in list(seen.parts.values()):
        _check_chain(seen, part)
        _check_blobs(seen, part, store)
        _check_purged(seen, part, barred, purged)
    for part in list(seen.parts.values()):
        _check_references(seen, part)
    _check_ends(seen, ends, alone=alone)
    return Verification(
        ok=not seen.damage,
        segments=len(seen.parts),
        events=len({event.id for part in seen.parts.values() for _, event in part.events}),
        damage=tuple(seen.damage),
        gaps=tuple(seen.gaps),
    )


def unread(store: FileStore) -> Iterator[str]:
    """Yield the files in a log's folders that are never read, such as links."""
    for folder in (LOG, *(f"{LOG}/{name}" for name in _months(store))):
        path = f"{store.root}/{folder}"
        if os.path.lexists(path) and store.stat(folder) is None:
            yield folder
        elif os.path.isdir(path):
            with os.scandir(path) as found:
                names = sorted(one.name for one in found if not _is_plain(one))
            yield from (f"{folder}/{name}" for name in names)


def _months(store: FileStore) -> list[str]:
    if store.stat(LOG) is None:
        return []
    return sorted(name for name, is_folder, _ in store.entries(LOG) if is_folder)


def _is_plain(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)


def _noted_ends(store: FileStore) -> dict[str, str]:
    try:
        return last_segments(store)
    except OSError:
        return {}  # the folder is shared, and its lanes belong to another user


def _check_ends(seen: _Seen, ends: dict[str, str], *, alone: bool) -> None:
    """Find segments whose last lines are lost, by the ends that the lanes have noted."""
    for name, last in ends.items():
        if last not in seen.heads and name in seen.parts:
            seen.hurt("cut", name, f"ends before line {last[:12]}, which was written to it")
        elif last not in seen.heads and alone:
            seen.hurt("cut", name, f"is missing, although line {last[:12]} was written to it")


def _read_files(seen: _Seen, store: FileStore, log: str, *, deep: bool) -> bool:
    """Read every file; return False if a file vanished, for example because it was packed."""
    still = True
    for name in segment_files(store):
        try:
            content = store.read(name)
        except FileNotFoundError:
            still = False
            continue
        except OSError as fault:
            seen.hurt("unreadable", name, f"cannot be read: {fault.strerror}")
            continue
        _read_file(seen, name, content, log, deep=deep)
    return still


def _read_file(seen: _Seen, name: str, content: bytes, log: str, *, deep: bool) -> None:
    layout: list[Any] = [(name, None, None, None)]
    skip = 0
    if is_pack(name):
        head = content.partition(b"\n")[0]
        skip = len(head) + 1
        try:
            layout = pack_head(head)
        except ValueError:
            seen.hurt("pack-header", f"{name}:1", "the pack's first line cannot be read")
            return
    numbered = enumerate(lines(content[skip:]), 2 if skip else 1)
    for segment, count, size, last in layout:
        part = _Part(segment, name)
        _read_part(seen, part, numbered, log, limit=count, deep=deep)
        if count is not None:
            _check_extent(seen, part, (count, size, last), f"{name} ({segment})")
        if segment not in seen.parts or len(seen.parts[segment].events) < len(part.events):
            seen.parts[segment] = part
    if skip and (next(numbered, None) or not content.endswith(b"\n")):
        seen.hurt("closed", name, "contains more than its first line lists")


def _read_part(
    seen: _Seen,
    part: _Part,
    numbered: Iterator[tuple[int, tuple[int, bytes]]],
    log: str,
    *,
    limit: int | None,
    deep: bool,
) -> None:
    read = 0
    while limit is None or read < limit:
        try:
            number, (_, line) = next(numbered)
        except StopIteration:
            return
        read += 1
        part.size += len(line) + 1
        try:
            event = seen.decode(line, log)
            if deep:
                assert_canonical(line, event)
        except BadLine as fault:
            seen.hurt("bad-line", f"{part.place}:{number}", str(fault))
            continue
        part.purged = part.purged or event.purged
        part.events.append((number, event))
        seen.heads[event.digest] = event.prev


def _check_chain(seen: _Seen, part: _Part) -> None:
    before: Event | None = None
    held: set[str] = set()
    for number, event in part.events:
        place = f"{part.place}:{number}"
        if event.id in held:
            seen.hurt("doubled", place, f"{event.id} appears here a second time")
        elif before is not None and (
            event.prev != before.digest
            or event.seq != before.seq + 1
            or event.writer != before.writer
        ):
            seen.hurt("chain", place, f"{event.id} does not follow the line before it")
        held.add(event.id)
        before = event


def _check_references(seen: _Seen, part: _Part) -> None:
    for index, (number, event) in enumerate(part.events):
        place = f"{part.place}:{number}"
        prev = event.prev
        if index == 0 and prev is not None and prev not in seen.heads:
            seen.miss(
                place, f"{event.id} follows an event of {event.writer} that is not in this checkout"
            )
        for head in event.seen:
            if head not in seen.heads:
                seen.miss(place, f"{event.id} refers to {head[:12]}, which is not in this checkout")
        if event.kind == CLOSED and not event.purged:
            _check_closing(seen, event, place)


def _check_closing(seen: _Seen, event: Event, place: str) -> None:
    said = event.data
    closed = seen.parts.get(str(said.get("segment")))
    if closed is not None and _goes_on_elsewhere(seen, closed, said.get("last")):
        seen.miss(closed.place, "is cut short; its missing lines are in another file")
    elif closed is not None:
        extent = (said.get("lines"), said.get("bytes"), said.get("last"))
        if not (said.get("restarted") is True and _begins_with(closed, extent)):
            _check_extent(seen, closed, extent, closed.place)
    elif str(said.get("last")) not in seen.heads:
        seen.miss(place, f"{said.get('segment')} was closed but is not in this checkout")


def _goes_on_elsewhere(seen: _Seen, part: _Part, last: object) -> bool:
    """Return whether the lines missing at the end of a segment are in another file."""
    end, head = part.events[-1][1].digest if part.events else "", str(last)
    if head == end:
        return False
    while head in seen.heads and head != end:
        head = seen.heads[head] or ""
    return bool(end) and head == end


def _begins_with(part: _Part, extent: tuple[object, object, object]) -> bool:
    """Return whether a segment has lines after those that its closing line counts.

    After a restart of the machine, a writer closes a segment with the lines that it finds. A power
    cut may have removed a line that was never acknowledged, although a commit contains it.
    """
    count, _, last = extent
    if not isinstance(count, int) or not 0 < count < len(part.events):
        return False
    return part.events[count - 1][1].digest == last


def _check_extent(
    seen: _Seen, part: _Part, extent: tuple[object, object, object], place: str
) -> None:
    count, size, last = extent
    ends_right = part.events and part.events[-1][1].digest == last
    if len(part.events) != count or not ends_right or (part.size != size and not part.purged):
        held = f"{counted(len(part.events), 'line')}, {part.size} bytes"
        closed = f"closed at {count} {'line' if count == 1 else 'lines'}, {size} bytes"
        seen.hurt("closed", place, f"{closed}; it contains {held}")


def _check_purged(
    seen: _Seen, part: _Part, barred: AbstractSet[str], purged: AbstractSet[str]
) -> None:
    """Find purged content that was not erased, and erased lines without a purge.

    Readers prefer an erased line to a complete one. So a copy without content hides the event.
    """
    for number, event in part.events if barred or purged else ():
        place = f"{part.place}:{number}"
        if holds(event, barred):
            message, fix = f"{event.id} still contains purged content", "varves doctor --fix"
            seen.damage.append(Finding(rule=UNPURGED, place=place, message=message, fix=fix))
        elif event.id in purged and not event.purged:
            message = (
                f"{event.id} is hidden by an erased copy, although its memory was never purged"
            )
            fix = f"git log -S{event.id} shows who added the copy; remove its file"
            seen.damage.append(Finding(rule="hidden", place=place, message=message, fix=fix))


def _check_blobs(seen: _Seen, part: _Part, store: FileStore) -> None:
    from hashlib import sha256

    for number, event in part.events:
        for digest in named(event.data):
            try:
                content = store.read(blob_name(digest))
            except (OSError, ValueError):
                place = f"{part.place}:{number}"
                seen.miss(place, f"blob {digest[:12]} is not in this checkout")
                continue
            if sha256(content).hexdigest() != digest:
                seen.hurt("blob", blob_name(digest), "content does not match its name")
