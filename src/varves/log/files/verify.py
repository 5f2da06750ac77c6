"""Verifies a log: damage is changed content; a gap is content missing from this checkout.

Inside a segment every line must follow the previous line, so a changed, dropped, doubled or
reordered line is damage. Between segments a missing predecessor is only a gap, because it may be on
another branch. A lost event is detected only if something else names it: a later line of its
writer, a line of another writer, a lane's note, the spool or a commit.
"""

from __future__ import annotations

import os
from array import array
from itertools import islice

from varves.events.blobs import named
from varves.events.codec import BadLine, assert_canonical
from varves.events.kinds import CLOSED
from varves.events.remnants import holds
from varves.log.doomed import UNPURGED
from varves.log.files.lane import last_segments
from varves.log.files.layout import BLOBS, LOG, SUFFIX, blob_name, is_pack
from varves.log.files.segments import lines, pack_head
from varves.values.answers import Finding, Verification
from varves.values.progress import report
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event
    from varves.places.port import FileStore

    _Numbered = Iterator[tuple[int, tuple[int, bytes]]]


NOT_FOLLOWED = "is not read, because it is a link or not a plain file or folder"
_BUCKETS = 64
_KEY_DIGITS = 16  # of a digest: enough to tell the digests of a log apart
_MASK = (1 << 64) - 1
_NO_DIGEST = _MASK  # the key of a text that is not a digest
_BEGINNING = b'{"v":1,"id":"'
_ID_LENGTH = 30
LOOKS = 8  # how many times a log is read again if files vanish during the read


class _Part:
    """One segment as it is stored now, in a file of its own or inside a pack.

    Only what later checks need is kept, so that a log of any size can be verified.
    """

    __slots__ = (
        *("asked", "blobs", "chain", "closings", "count", "last", "missing", "name", "place"),
        *("purged", "size", "unpurged", "writer"),
    )

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place
        self.count = 0
        self.size = 0
        self.writer = ""
        self.last = ""  # the digest of the last line
        self.purged: set[str] = set()  # the events whose content was erased
        self.closings: list[tuple[int, Event]] = []
        self.asked = array("Q")  # the keys of the digests that its lines refer to
        # findings, in the order in which they are reported
        self.chain: list[Finding] = []
        self.blobs: list[Finding] = []
        self.unpurged: list[Finding] = []
        self.missing: list[Finding] = []


class _Keys:
    """Numbers of 64 bits, in little memory: they are compared one bucket at a time."""

    def __init__(self) -> None:
        self._buckets = [array("Q") for _ in range(_BUCKETS)]

    def add(self, key: int) -> None:
        self._buckets[key % _BUCKETS].append(key)

    def distinct(self) -> int:
        return sum(len(set(bucket)) for bucket in self._buckets)

    def without(self, others: _Keys) -> set[int]:
        """Return the numbers that `others` does not contain."""
        found: set[int] = set()
        for bucket, other in zip(self._buckets, others._buckets, strict=True):
            asked = set(bucket)
            asked.difference_update(other)
            found |= asked
        return found


def _key(digest: str) -> int:
    """Return a number that identifies a digest among those of a log."""
    try:
        return int(digest[:_KEY_DIGITS], 16)
    except ValueError:
        return _NO_DIGEST


class _Seen:
    """What was read so far from the files of one log."""

    def __init__(self, store: FileStore, log: str, *, deep: bool, barred: AbstractSet[str]) -> None:
        self.store = store
        self.log = log
        self.deep = deep
        self.barred = barred
        self.parts: dict[str, _Part] = {}
        self.ids = _Keys()
        self.digests = _Keys()
        self.asked = _Keys()
        self.absent: set[int] = set()  # the keys of digests that no line has
        self.lines = 0
        self.damage: list[Finding] = []
        self.gaps: list[Finding] = []
        self._chains: dict[str, dict[str, str | None]] = {}
        from varves.events.bulk import decode_quickly  # slow to import

        self.decode = decode_quickly

    def hurt(self, rule: str, place: str, message: str) -> None:
        self.damage.append(_damage(rule, place, message))

    def miss(self, place: str, message: str) -> None:
        self.gaps.append(_gap(place, message))

    def ask(self, digest: str, part: _Part | None = None) -> None:
        """Note that a digest must be one of the log's."""
        key = _key(digest)
        self.asked.add(key)
        if part is not None:
            part.asked.append(key)

    def has(self, digest: str) -> bool:
        """Return whether a line has a digest that was asked for, after all files were read."""
        return _key(digest) not in self.absent

    def lines_of(self, part: _Part) -> Iterator[tuple[int, bytes]]:
        """Yield (number, line) of a part again."""
        try:
            content = self.store.read(part.place)
        except OSError:
            return  # it was packed or removed meanwhile
        for segment, count, _, _, numbered in _segments(part.place, content):
            read = list(islice(numbered, count))
            if segment == part.name:
                yield from ((number, line) for number, (_, line) in read)
                return

    def events_of(self, part: _Part) -> Iterator[tuple[int, Event]]:
        """Yield (number, event) of the sound lines of a part again."""
        for number, line in self.lines_of(part):
            try:
                yield number, self.decode(line, self.log)
            except BadLine:
                continue

    def chain_of(self, writer: str) -> dict[str, str | None]:
        """Return the previous digest for each digest of a writer's lines."""
        if writer not in self._chains:
            self._chains[writer] = {
                event.digest: event.prev
                for part in self.parts.values()
                for _, event in self.events_of(part)
                if event.writer == writer
            }
        return self._chains[writer]


def _damage(rule: str, place: str, message: str) -> Finding:
    fix = "keep the file; git log shows earlier versions, doctor --restore restores spooled ones"
    return Finding(rule=rule, place=place, message=message, fix=fix)


def _gap(place: str, message: str) -> Finding:
    return Finding(rule="gap", place=place, message=message)


def segment_files(store: FileStore) -> Iterator[str]:
    """Yield the names of all segment and pack files of a log, in order."""
    for name, _ in segment_sizes(store):
        yield name


def segment_sizes(store: FileStore) -> Iterator[tuple[str, int]]:
    """Yield (name, size in bytes) of all segment and pack files of a log, in order of names."""
    for month in _months(store):
        if month == BLOBS:
            continue
        files = sorted(
            (n, size) for n, folder, (size, *_) in store.entries(f"{LOG}/{month}") if not folder
        )
        yield from (
            (f"{LOG}/{month}/{name}", size) for name, size in files if name.endswith(SUFFIX)
        )


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
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Read every line of a log and check digests, chains, closings and blobs.

    Args:
        store: where the log is.
        log: the log's name.
        deep: also check that every line has the canonical form.
        barred: the purged memories; no line may still contain their content.
        alone: whether the log is outside git; then no branch can contain a missing segment.
        progress: called with the number of lines read so far.
    """
    # first, because the lines that notes name are already written
    ends, looks = _noted_ends(store), 1
    seen = _Seen(store, log, deep=deep, barred=barred)
    while not _read_files(seen, progress) and looks < LOOKS:
        seen, looks = _Seen(store, log, deep=deep, barred=barred), looks + 1
    for last in ends.values():
        seen.ask(last)
    seen.absent = seen.asked.without(seen.digests) | {_NO_DIGEST}
    parts = list(seen.parts.values())
    purged = set().union(*(part.purged for part in parts))
    for part in parts:
        seen.damage += (*part.chain, *part.blobs, *part.unpurged)
        seen.gaps += part.missing
        if purged:
            _check_hidden(seen, part, purged)
    for part in parts:
        _check_references(seen, part)
    _check_ends(seen, ends, alone=alone)
    return Verification(
        ok=not seen.damage,
        segments=len(parts),
        events=seen.ids.distinct(),
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
        if seen.has(last):
            continue
        if name in seen.parts:
            seen.hurt("cut", name, f"ends before line {last[:12]}, which was written to it")
        elif alone:
            seen.hurt("cut", name, f"is missing, although line {last[:12]} was written to it")


def _read_files(seen: _Seen, progress: Callable[[int], None] | None) -> bool:
    """Read every file; return False if a file vanished, for example because it was packed."""
    still, done = True, 0
    files = list(segment_sizes(seen.store))
    total = sum(size for _, size in files)
    for name, size in files:
        done += size
        try:
            content = seen.store.read(name)
        except FileNotFoundError:
            still = False
            continue
        except OSError as fault:
            seen.hurt("unreadable", name, f"cannot be read: {fault.strerror}")
            continue
        _read_file(seen, name, content)
        report(progress, seen.lines, part=done, whole=total)
    return still


def _segments(name: str, content: bytes) -> Iterator[tuple[str, Any, Any, Any, _Numbered]]:
    """Yield (name, lines, bytes, last digest) of the segments in a file, and its lines.

    The lines of one segment must be taken before those of the next.

    Raises:
        ValueError: the first line of a pack cannot be read.
    """
    if not is_pack(name):
        yield name, None, None, None, enumerate(lines(content), 1)
        return
    skip = content.find(b"\n") + 1 or len(content) + 1
    numbered = enumerate(lines(content[skip:]), 2)
    for segment in pack_head(content[: skip - 1]):
        yield *segment, numbered
    if next(numbered, None) or not content.endswith(b"\n"):
        yield "", None, None, None, numbered


def _read_file(seen: _Seen, name: str, content: bytes) -> None:
    try:
        for segment, count, size, last, numbered in _segments(name, content):
            if not segment:
                seen.hurt("closed", name, "contains more than its first line lists")
                return
            part = _Part(segment, name)
            _read_part(seen, part, islice(numbered, count))
            if count is not None:
                _check_extent(seen, part, (count, size, last), f"{name} ({segment})")
            if segment not in seen.parts or seen.parts[segment].count < part.count:
                seen.parts[segment] = part
    except ValueError:
        seen.hurt("pack-header", f"{name}:1", "the pack's first line cannot be read")


def _read_part(seen: _Seen, part: _Part, numbered: _Numbered) -> None:
    """Check the lines of a segment one by one, and note what must be compared with other lines."""
    before: Event | None = None
    held: set[str] = set()
    for number, (_, line) in numbered:
        part.size += len(line) + 1
        try:
            event = seen.decode(line, seen.log)
            if seen.deep:
                assert_canonical(line, event)
        except BadLine as fault:
            seen.hurt("bad-line", f"{part.place}:{number}", str(fault))
            continue
        part.count += 1
        seen.lines += 1
        name, digest, prev = event.id, event.digest, event.prev
        if name in held:
            message = f"{name} appears here a second time"
            part.chain.append(_damage("doubled", f"{part.place}:{number}", message))
        elif before is not None and (
            prev != before.digest or event.seq != before.seq + 1 or event.writer != before.writer
        ):
            message = f"{name} does not follow the line before it"
            part.chain.append(_damage("chain", f"{part.place}:{number}", message))
        held.add(name)
        seen.ids.add(hash(name) & _MASK)
        seen.digests.add(_key(digest))
        if before is None and prev is not None:
            seen.ask(prev, part)
        for head in event.seen:
            seen.ask(head, part)
        if event.purged:
            part.purged.add(name)
        else:
            _check_content(seen, part, (number, line), event)
        before = event
    if before is not None:
        part.last, part.writer = before.digest, before.writer


def _check_content(seen: _Seen, part: _Part, read: tuple[int, bytes], event: Event) -> None:
    number, line = read
    if event.kind == CLOSED:
        part.closings.append((number, event))
        seen.ask(str(event.data.get("last")))
    if b'"blob"' in line or b"\\u00" in line:  # a letter may be written as its number
        _check_blobs(seen, part, number, event)
    if seen.barred and holds(event, seen.barred):
        message = f"{event.id} still contains purged content"
        place, fix = f"{part.place}:{number}", "varves doctor --fix"
        part.unpurged.append(Finding(rule=UNPURGED, place=place, message=message, fix=fix))


def _check_references(seen: _Seen, part: _Part) -> None:
    """Find the lines that a segment's lines refer to, and that are not in this checkout."""
    if not seen.absent.isdisjoint(part.asked):
        first = True
        for number, event in seen.events_of(part):
            place = f"{part.place}:{number}"
            prev = event.prev
            if first and prev is not None and not seen.has(prev):
                known = f"an event of {event.writer} that is not in this checkout"
                seen.miss(place, f"{event.id} follows {known}")
            for head in event.seen:
                if not seen.has(head):
                    absent = f"{head[:12]}, which is not in this checkout"
                    seen.miss(place, f"{event.id} refers to {absent}")
            first = False
    for number, event in part.closings:
        _check_closing(seen, event, f"{part.place}:{number}")


def _check_closing(seen: _Seen, event: Event, place: str) -> None:
    said = event.data
    closed = seen.parts.get(str(said.get("segment")))
    if closed is not None and _goes_on_elsewhere(seen, closed, said.get("last")):
        seen.miss(closed.place, "is cut short; its missing lines are in another file")
    elif closed is not None:
        extent = (said.get("lines"), said.get("bytes"), said.get("last"))
        if not (said.get("restarted") is True and _begins_with(seen, closed, extent)):
            _check_extent(seen, closed, extent, closed.place)
    elif not seen.has(str(said.get("last"))):
        seen.miss(place, f"{said.get('segment')} was closed but is not in this checkout")


def _goes_on_elsewhere(seen: _Seen, part: _Part, last: object) -> bool:
    """Return whether the lines missing at the end of a segment are in another file."""
    end, head = part.last, str(last)
    if head == end:
        return False
    before = seen.chain_of(part.writer)
    while head in before and head != end:
        head = before[head] or ""
    return bool(end) and head == end


def _begins_with(seen: _Seen, part: _Part, extent: tuple[object, object, object]) -> bool:
    """Return whether a segment has lines after those that its closing line counts.

    After a restart of the machine, a writer closes a segment with the lines that it finds. A power
    cut may have removed a line that was never acknowledged, although a commit contains it.
    """
    count, _, last = extent
    if not isinstance(count, int) or not 0 < count < part.count:
        return False
    counted_last = next(islice(seen.events_of(part), count - 1, None), None)
    return counted_last is not None and counted_last[1].digest == last


def _check_extent(
    seen: _Seen, part: _Part, extent: tuple[object, object, object], place: str
) -> None:
    count, size, last = extent
    ends_right = part.count and part.last == last
    if part.count != count or not ends_right or (part.size != size and not part.purged):
        held = f"{counted(part.count, 'line')}, {part.size} bytes"
        closed = f"closed at {count} {'line' if count == 1 else 'lines'}, {size} bytes"
        seen.hurt("closed", place, f"{closed}; it contains {held}")


def _check_hidden(seen: _Seen, part: _Part, purged: AbstractSet[str]) -> None:
    """Find complete lines of events of which an erased line exists, although nothing is purged.

    Readers prefer an erased line to a complete one. So a copy without content hides the event.
    """
    ids = {name.encode("ascii") for name in purged if name.isascii()}
    for number, line in seen.lines_of(part):
        usual = line.startswith(_BEGINNING)
        if usual and line[len(_BEGINNING) : len(_BEGINNING) + _ID_LENGTH] not in ids:
            continue
        try:
            event = seen.decode(line, seen.log)
        except BadLine:
            continue
        if event.id in purged and not event.purged and not holds(event, seen.barred):
            message = (
                f"{event.id} is hidden by an erased copy, although its memory was never purged"
            )
            fix = f"git log -S{event.id} shows who added the copy; remove its file"
            place = f"{part.place}:{number}"
            seen.damage.append(Finding(rule="hidden", place=place, message=message, fix=fix))


def _check_blobs(seen: _Seen, part: _Part, number: int, event: Event) -> None:
    from hashlib import sha256

    for digest in named(event.data):
        try:
            content = seen.store.read(blob_name(digest))
        except (OSError, ValueError):
            place = f"{part.place}:{number}"
            part.missing.append(_gap(place, f"blob {digest[:12]} is not in this checkout"))
            continue
        if sha256(content).hexdigest() != digest:
            place = blob_name(digest)
            part.blobs.append(_damage("blob", place, "content does not match its name"))
