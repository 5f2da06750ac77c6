"""Packs closed segments into fewer and larger files; each segment stays complete.

A pack's first line lists where each segment begins and ends, so the pack can be verified like the
separate segments. Only segments that will never be appended to are packed. The pack is synced to
disk before the first original is removed. If the process is killed in between, both exist. Readers
count an event only once.
"""

from __future__ import annotations

import json
import os
from itertools import pairwise

from varves.events.codec import BadLine, decode
from varves.events.kinds import CLOSED
from varves.log.copies import digest_of, is_file_of_log, is_purged
from varves.log.files.lane import last_segments
from varves.log.files.layout import LOG, MAX_LINES, PACK_SUFFIX, SUFFIX, is_pack
from varves.log.files.segments import pack_head, packed, read_lines
from varves.log.files.spool import tree_of
from varves.log.files.verify import segment_files, segment_sizes
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from varves.git import Git
    from varves.log.files.spool import LogTree
    from varves.places.places import Places
    from varves.places.port import FileStore

MAX_BYTES = 4 << 20  # lines may be long, and a purge or a commit processes a whole pack
LARGE = 256 << 10  # a segment of this size or more is not packed
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


class Segment(Value):
    """A segment (a file of the log) that can be packed, with its bytes."""

    name: str
    content: bytes
    lines: int
    last: str


class Folded(Value):
    """The result of packing: a pack that was made (or would be), and what it contains."""

    name: str | None
    segments: tuple[str, ...]
    lines: int
    bytes: int


def waiting(
    places: Places, key: str, store: FileStore, *, closed: Callable[[], Iterable[str]]
) -> dict[str, str]:
    """Return the segments of a log that can be packed, with their git object ids, if any.

    In a work tree these are the segments that are the same in HEAD and git's index, because no
    writer continues a file that git tracks. Outside a work tree they are the segments in `closed`,
    which have a successor. The last segment of a lane is not packed, because the next owner of the
    lane reads the end of the chain in it.
    """
    loose = [(name, size) for name, size in segment_sizes(store) if not is_pack(name)]
    tree = tree_of(places, key)
    known = _committed(places, tree.git) if tree else None
    if known is None:
        known = dict.fromkeys(closed(), "")
    left = last_segments(store)
    return {
        name: known[name]
        for name, size in loose
        if name in known and name not in left and size < LARGE
    }


def _committed(places: Places, git: Git) -> dict[str, str] | None:
    """Return the object id of each file that is the same in HEAD and in git's index.

    None if git ignores the log.
    """
    prefix = f"{places.folder[len(git.top) + 1 :]}/"
    path = f"{prefix}{LOG}"
    staged = git.run("--literal-pathspecs", "ls-files", "-s", "-z", "--", path)
    if not staged and git.run("check-ignore", "--", path, check=False):
        return None
    if any(os.path.exists(f"{git.folder}/{mark}") for mark in _UNDER_WAY):
        return {}
    head = git.run("ls-tree", "-r", "-z", "HEAD", "--", path, check=False)
    agreed = _objects(head, 2).items() & _objects(staged, 1).items()
    return {path[len(prefix) :]: oid for path, oid in agreed}


def _objects(listed: bytes, column: int) -> dict[str, str]:
    rows = listed.decode("utf-8", "surrogateescape").split("\0")
    cut = [row.partition("\t") for row in rows if row]
    return {path: head.split(" ")[column] for head, _, path in cut}


def pack(
    store: FileStore,
    names: dict[str, str],
    *,
    word: Callable[[int], str],
    tree: LogTree | None = None,
    dry_run: bool = False,
) -> Iterator[Folded]:
    """Pack the given segments, then delete them; yield the result of each pack.

    A segment that a pack already contains is removed only if git does not track the pack. If git
    tracked the pack, it would remove the pack when the branch is left, and not restore the segment.
    """
    inside, known = _inside_packs(store, names, tree)
    closed = _closed(store) if tree is not None else names.keys()
    names = {name: oid for name, oid in names.items() if name in closed and name not in known}
    staying = _staying(store, names)
    twice = _fit(store, {name: names[name] for name in inside if name in names}, staying)
    done = [segment for segment in twice if segment.content in inside[segment.name]]
    if done:  # an earlier run stopped between writing the pack and removing the segments
        gone = done if dry_run else _remove(store, done)
        yield _folded(None, gone)
    settled = {segment.name for segment in done}
    fit = _fit(store, {name: oid for name, oid in names.items() if name not in settled}, staying)
    for group in _groups(fit):
        if dry_run:
            yield _folded(None, group)
            continue
        folder, _, leaf = group[0].name.rpartition("/")
        begins = leaf.removesuffix(SUFFIX).rpartition("-")[0] or "pack"
        target = f"{folder}/{begins}-{word(10)}{PACK_SUFFIX}"
        yield _folded(target, _replace(store, target, _joined(group), group))


def pack_as(store: FileStore, name: str, header: bytes) -> None:
    """Replace segments by the pack that another copy of the log has of them.

    The pack is made from the bytes of this copy. Nothing happens unless each segment is here, in a
    file of its own, with the lines that the pack's first line states.
    """
    try:
        listed = pack_head(header + b"\n")
    except ValueError:
        return
    group = []
    for part, count, size, last in listed:
        if not is_file_of_log(part) or is_pack(part):
            return
        try:
            content = store.read(part)
        except FileNotFoundError:
            return
        lines = content.splitlines()
        purged = any(map(is_purged, lines))
        whole = content.endswith(b"\n") and (purged or len(content) == size)
        if not lines or not whole or (len(lines), digest_of(lines[-1])) != (count, last):
            return
        group.append(Segment(name=part, content=content, lines=count, last=last))
    if group and header == _header(listed):
        _replace(store, name, b"\n".join((header, b"".join(one.content for one in group))), group)


def _replace(store: FileStore, target: str, content: bytes, group: list[Segment]) -> list[Segment]:
    """Write a pack and delete the segments in it; return those that are deleted."""
    store.replace(target, content)
    gone = _remove(store, group)
    if len(gone) < len(group):
        _take_out(store, target, group, gone)
    return gone


def _folded(name: str | None, group: list[Segment]) -> Folded:
    return Folded(
        name=name,
        segments=tuple(segment.name for segment in group),
        lines=sum(segment.lines for segment in group),
        bytes=sum(len(segment.content) for segment in group),
    )


def _inside_packs(
    store: FileStore, names: dict[str, str], tree: LogTree | None
) -> tuple[dict[str, list[bytes]], set[str]]:
    """Return the bytes of these segments in packs, and the segments in packs that git tracks."""
    found: dict[str, list[bytes]] = {}
    known: set[str] = set()
    for name in segment_files(store):
        parts = (
            [one for one in packed(store.read(name)) if one[0] in names] if is_pack(name) else []
        )
        for part, content in parts:
            found.setdefault(part, []).append(content)
        if parts and tree is not None and tree.staged(f"{store.root}/{name}"):
            known.update(part for part, _ in parts)
    return found, known


def _closed(store: FileStore) -> set[str]:
    """Return the segments that are closed: a later segment names them as its predecessor.

    No segment names a restored copy, so no clone packs one. If a clone packed a restored copy and a
    stash then restored the original, git would see a rename of the copy to the original, and a
    merge could report a conflict.
    """
    names: set[str] = set()
    for name in segment_files(store):
        content = store.read(name)
        for part in [one for _, one in packed(content)] if is_pack(name) else [content]:
            first = part.partition(b"\n")[0]
            if CLOSED.encode("ascii") in first:
                try:
                    names.add(str(decode(first, "").data.get("segment")))
                except BadLine:
                    continue
    return names


def _staying(store: FileStore, names: dict[str, str]) -> set[bytes]:
    """Return the lines of the segments that must not be packed.

    A segment that was restored beside its original has the same lines as the original. If one were
    removed and the other were added, git would see a rename. Two branches could then have a merge
    conflict.
    """
    lines: set[bytes] = set()
    for name in segment_files(store):
        if name not in names and not is_pack(name):
            try:
                lines.update(store.read(name).splitlines())
            except OSError:
                continue
    return lines


def _fit(store: FileStore, names: dict[str, str], staying: set[bytes]) -> Iterator[Segment]:
    """Yield the segments that can be packed; leave out those with unexpected content.

    They are not packed, so that they can still be examined.
    """
    from varves.events.bulk import decode_quickly

    for name, oid in names.items():
        try:
            content = store.read(name)
        except OSError:
            continue
        if (oid and oid != object_id(content, oid)) or not staying.isdisjoint(content.splitlines()):
            continue
        reading = read_lines(name, content, "", read=decode_quickly)
        events = [event for event, _ in reading.events]
        chained = all(
            (after.prev, after.seq, after.writer) == (event.digest, event.seq + 1, event.writer)
            for event, after in pairwise(events)
        )
        if events and chained and not reading.bad and reading.end == len(content):
            yield Segment(
                name=name, content=content, lines=len(events), last=str(events[-1].digest)
            )


def object_id(content: bytes, like: str) -> str:
    """Return git's object id of some bytes, with the hash algorithm of the id `like`."""
    from hashlib import new

    digest = new("sha1" if len(like) == 40 else "sha256", usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content) + content)
    return digest.hexdigest()


def _groups(segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Yield groups of neighbouring segments of one month, each for one pack.

    A segment that would be alone in its pack is left out.

    Packs stay in the folder of their segments. If a folder became empty while another grew, git
    would see a renamed folder and move a branch's new files there.
    """
    group: list[Segment] = []
    lines = size = 0
    for segment in segments:
        full = lines + segment.lines > MAX_LINES or size + len(segment.content) > MAX_BYTES
        if group and (full or _month(group[0]) != _month(segment)):
            yield from _worth_it(group)
            group, lines, size = [], 0, 0
        group.append(segment)
        lines += segment.lines
        size += len(segment.content)
    yield from _worth_it(group)


def _month(segment: Segment) -> str:
    return segment.name.rpartition("/")[0]


def _worth_it(group: list[Segment]) -> Iterator[list[Segment]]:
    """Split off the segments of a group that are too large to be packed with others.

    Yield the group if at least two segments remain.

    Git would see such a pack as a renamed segment, and two branches that both pack the segment
    would have different renames, which conflict.
    """
    group = list(group)
    while len(group) > 1:
        largest = max(group, key=lambda segment: len(segment.content))
        if 2 * len(largest.content) < len(_joined(group)):
            yield group
            return
        group.remove(largest)


def _joined(group: list[Segment]) -> bytes:
    head = _header([(part.name, part.lines, len(part.content), part.last) for part in group])
    return head + b"\n" + b"".join(part.content for part in group)


def _header(listing: Iterable[tuple[str, int, int, str]]) -> bytes:
    """Return the first line of a pack, without its line end."""
    told = {"pack": 1, "segments": [[*part] for part in listing]}
    return json.dumps(told, separators=(",", ":")).encode("ascii")


def _remove(store: FileStore, group: list[Segment]) -> list[Segment]:
    """Delete the segments that were packed, if their bytes still equal the packed bytes.

    Return those segments.
    """
    gone = []
    for segment in group:
        try:
            with store.guard(segment.name):
                if store.read(segment.name) == segment.content:
                    store.remove(segment.name)
                    gone.append(segment)
        except FileNotFoundError:
            gone.append(segment)  # git has removed the segment; the pack still contains it
        except OSError:
            continue  # the segment cannot be removed, so it stays next to the pack
    return gone


def _take_out(store: FileStore, target: str, group: list[Segment], gone: list[Segment]) -> None:
    """Remove from a pack the segments whose originals were changed by a purge in the meantime."""
    left = {segment.name for segment in gone}
    for segment in group:
        try:
            if segment.name not in left and store.read(segment.name) == segment.content:
                left.add(segment.name)  # the segment could not be removed, but is unchanged
        except OSError:
            left.add(segment.name)
    if len(left) == len(group):
        return
    with store.guard(target):
        held = dict(packed(store.read(target)))  # read it again, because lines may have been purged
        kept = [one.replace(content=held[one.name]) for one in group if one.name in left]
        if kept:
            store.replace(target, _joined(kept))
        else:
            store.remove(target)
