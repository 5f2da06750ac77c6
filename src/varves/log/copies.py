"""Copies of one log, in the checkout and on remotes, and how one gets the lines that it lacks.

A line is identified by its digest, and its place is a segment and a number in it. A segment has one
writer, only grows at its end, and may lose the content of purged lines; so three facts about it
(a `SegmentHead`) tell what another copy lacks. A copy never loses a line: `carry` only adds.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from varves.values.progress import report
from varves.values.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_FILE = re.compile(r"log/\d{4}-\d\d/[0-9A-Za-z-]{1,80}(\.pack)?\.jsonl")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NO_PACKS: Mapping[str, bytes] = MappingProxyType({})


class SegmentHead(NamedTuple):
    """The state of one segment in one copy."""

    lines: int
    last: str
    """The digest of the last line; empty if there is no line."""
    purged: int
    """How many of its lines have lost their content to a purge."""


class Heads(Value):
    """The state of one copy of a log."""

    segments: Mapping[str, SegmentHead]
    packs: Mapping[str, bytes] = _NO_PACKS
    """The first line of each pack, which names the segments in it."""
    blobs: frozenset[str] = frozenset()
    """The digests of the texts that are too long for a line."""


class Run(NamedTuple):
    """Successive lines of one segment, without their newlines."""

    segment: str
    first: int
    """The number of the first line in the segment, from 0."""
    lines: list[bytes]


class Copy(Protocol):
    """One copy of a log."""

    def heads(self) -> Heads:
        """Return the state of this copy."""
        ...

    def pull(self, wanted: Mapping[str, SegmentHead]) -> Iterator[Run]:
        """Yield the lines of the named segments that another copy lacks, in that order.

        Args:
            wanted: the state of each segment in the other copy. If its last line is not the same
                here, the whole segment is returned.
        """
        ...

    def push(self, runs: Iterable[Run], packs: Mapping[str, bytes]) -> int:
        """Add lines durably; return how many of them this copy did not have.

        Args:
            runs: the lines; the segments of one pack follow each other.
            packs: the first lines of packs, by name.
        """
        ...

    def purge(self, runs: Iterable[Run]) -> int:
        """Replace lines by their purged form, matched by digest; return how many were replaced."""
        ...

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this copy does not have them."""
        ...

    def put_blob(self, digest: str, content: bytes) -> None:
        """Store the bytes with this SHA-256 durably."""
        ...

    def drop_blobs(self, digests: Iterable[str]) -> int:
        """Delete the given texts; return how many of them this copy had."""
        ...

    @property
    def damaged(self) -> Sequence[str]:
        """The places of lines and texts that were offered and are none; they were left out."""
        ...


class Carried(NamedTuple):
    """What `carry` has changed in the target."""

    lines: int
    purged: int
    blobs: int
    behind: int
    """How many lines the target has that the source lacks, roughly: by their number only."""


ABSENT = SegmentHead(0, "", 0)
"""The state of a segment that a copy does not have."""


def is_file_of_log(name: str) -> bool:
    """Return whether a name from elsewhere is the name of a segment or pack, and nothing else."""
    return _FILE.fullmatch(name) is not None


def is_blob_digest(name: str) -> bool:
    """Return whether a name from elsewhere is the name of a blob."""
    return _DIGEST.fullmatch(name) is not None


def digest_of(line: bytes) -> str:
    """Return the digest of a stored line, which is its last field."""
    return line[-66:-2].decode("ascii", "replace")


def is_purged(line: bytes) -> bool:
    """Return whether a stored line has lost its content to a purge."""
    return line[-157:-143] == b',"purged":true'


def head_of(lines: Sequence[bytes]) -> SegmentHead:
    """Return the state of a segment with these lines."""
    last = digest_of(lines[-1]) if lines else ""
    return SegmentHead(len(lines), last, sum(map(is_purged, lines)))


def is_prefix(found: Sequence[bytes], there: SegmentHead) -> bool:
    """Return whether a segment elsewhere is the beginning of one with these lines."""
    if not there.lines:
        return True
    return there.lines <= len(found) and digest_of(found[there.lines - 1]) == there.last


def segments_of(header: bytes) -> list[str]:
    """Return the names of the segments that a pack's first line lists; empty if it lists none."""
    import json

    try:
        return [str(entry[0]) for entry in json.loads(header)["segments"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return []


def lacking(source: Heads, target: Heads) -> dict[str, SegmentHead]:
    """Return the segments of which the target may lack lines, with their state there.

    The segments of one pack follow each other.
    """
    wanted: dict[str, SegmentHead] = {}
    for name in _in_order(source):
        here, there = source.segments[name], target.segments.get(name, ABSENT)
        if there.lines < here.lines or (there.lines == here.lines and there.last != here.last):
            wanted[name] = there
    return wanted


def _in_order(heads: Heads) -> Iterator[str]:
    packed = (name for _, header in sorted(heads.packs.items()) for name in segments_of(header))
    yield from dict.fromkeys((*(n for n in packed if n in heads.segments), *sorted(heads.segments)))


def less_purged(source: Heads, target: Heads) -> dict[str, SegmentHead]:
    """Return the segments in which the target still has content that the source has purged."""
    return {
        name: ABSENT
        for name, here in source.segments.items()
        if 0 <= target.segments.get(name, here).purged < here.purged
    }


def carry(
    source: Copy,
    target: Copy,
    *,
    purges: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Carried:
    """Give the target every line that it lacks and the source has.

    Blobs are carried before the lines that name them. If the call is interrupted, the next one
    continues where it stopped.

    Args:
        source: the copy to read.
        target: the copy to write.
        purges: also erase in the target what the source has purged.
        progress: called with the number of lines carried so far.
    """
    here, there = source.heads(), target.heads()
    purged = dropped = 0
    if purges and (behind := less_purged(here, there)):
        purged = target.purge(_only_purged(source.pull(behind)))
        dropped = target.drop_blobs(_unnamed(target, there.blobs - here.blobs))
    added = 0
    for digest in sorted(here.blobs - there.blobs):
        content = source.blob(digest)
        if content is not None:
            target.put_blob(digest, content)
            added += 1
    wanted = lacking(here, there)
    packs = {name: header for name, header in here.packs.items() if name not in there.packs}
    runs = source.pull(wanted)
    if progress is not None:
        whole = sum(here.segments[name].lines - known.lines for name, known in wanted.items())
        runs = _counted(runs, whole, progress)
    lines = target.push(runs, packs) if wanted or packs else 0
    more = sum(
        max(0, there.segments[name].lines - head.lines)
        for name, head in lacking(there, here).items()
    )
    return Carried(lines=lines, purged=purged + dropped, blobs=added, behind=more)


def _counted(runs: Iterable[Run], whole: int, progress: Callable[[int], None]) -> Iterator[Run]:
    """Yield the runs, and report how many lines they have had so far."""
    done = 0
    for run in runs:
        yield run
        done += len(run.lines)
        report(progress, done, part=done, whole=whole)


def _only_purged(runs: Iterable[Run]) -> Iterator[Run]:
    for run in runs:
        yield run._replace(lines=[line for line in run.lines if is_purged(line)])


def _unnamed(copy: Copy, digests: frozenset[str]) -> set[str]:
    """Return those texts that no line of a copy names."""
    left = set(digests)
    wanted = dict.fromkeys(copy.heads().segments, ABSENT) if left else {}
    for run in copy.pull(wanted):
        for line in run.lines:
            if b'"sha256"' in line:
                left = {one for one in left if one.encode("ascii") not in line}
    return left
