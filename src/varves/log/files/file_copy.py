"""A copy of a log in files: a checkout's own, or one in a folder that others can reach.

A segment keeps its name and its bytes, so copies in files are equal byte for byte. A pack is
written as a pack if none of its segments exists here; otherwise only the segments that are missing
are written, each in its own file. A copy on a remote then replaces them all by the pack.
"""

from __future__ import annotations

import json
import os
from errno import EACCES, EPERM
from hashlib import sha256
from itertools import chain

from varves.errors import NotDurable
from varves.events.codec import BadLine, check
from varves.log.copies import (
    Heads,
    Run,
    SegmentHead,
    digest_of,
    head_of,
    is_blob_digest,
    is_file_of_log,
    is_prefix,
    is_purged,
    segments_of,
)
from varves.log.files.layout import BLOBS, LOG, blob_name, is_pack
from varves.log.files.segments import lines, packed
from varves.log.files.verify import segment_files, stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from varves.log.files.spool import Spool
    from varves.places.port import FileStore, Stat

    _Noted = list[Any]
    """The signature of a file, the first line of a pack, and the state of the segments in it."""


_EVENT = b'{"v":'  # how the line of an event begins


class FileCopy:
    """A copy of a log in a folder.

    Args:
        store: where the files are.
        spool: holds second names for the segments, if there is one.
        packs: whether segments are replaced by a pack that another copy has of them. Not in a
            checkout: git would see files removed.
        notes: a file of the store that notes the state of each file, so that only files that
            changed are read; empty if every file is read each time. It may be deleted.
    """

    def __init__(
        self,
        store: FileStore,
        spool: Spool | None = None,
        *,
        packs: bool = False,
        notes: str = "",
    ) -> None:
        self.store = store
        self._packs = packs
        self._notes = notes
        self._spool = spool
        self.erased = 0
        """How many lines and texts this object has erased."""
        self.damaged: list[str] = []
        """The places of lines that were offered, or found on a remote, and are no events."""

    # Reading

    def heads(self) -> Heads:
        """Return the state of this copy; files that changed since the last call are read."""
        before = self._noted()
        now: dict[str, _Noted] = {}
        for name in segment_files(self.store):
            stat = self.store.stat(name)
            held = before.get(name)
            if held is None or stat is None or held[0] != [*stat]:
                try:
                    content = self.store.read(name)
                except FileNotFoundError:
                    continue  # it was packed in this moment: the pack has its lines
                held = _noted(stat, name, content)
                if not self._notes:
                    self._note_foreign(name, content)
            now[name] = held
        if self._notes and now != before:
            self._note(now)
        segments: dict[str, SegmentHead] = {}
        for _, _, found in now.values():
            for segment, head in found.items():
                made, known = SegmentHead(*head), segments.get(segment)
                if known is None or known.lines < made.lines:
                    segments[segment] = made
                elif known.lines == made.lines and known.purged > made.purged:
                    segments[segment] = made  # one of two files still has what was purged
        packs = {name: header.encode("latin-1") for name, (_, header, _) in now.items() if header}
        return Heads(segments=segments, packs=packs, blobs=frozenset(self._blobs()))

    def _note_foreign(self, name: str, content: bytes) -> None:
        """Note lines that nobody would offer, because they do not even look like events."""
        for number, (_, line) in enumerate(lines(content), 1):
            place, is_head = f"{name}:{number}", number == 1 and is_pack(name)
            if not line.startswith(_EVENT) and not is_head and place not in self.damaged:
                self.damaged.append(place)

    def _noted(self) -> dict[str, _Noted]:
        """Return the noted state of each file; empty if there are no notes that can be read."""
        if not self._notes or self.store.stat(self._notes) is None:
            return {}
        try:
            return dict(json.loads(self.store.read(self._notes)))
        except (OSError, ValueError, TypeError):
            return {}

    def _note(self, now: dict[str, _Noted]) -> None:
        try:
            self.store.replace(self._notes, json.dumps(now, separators=(",", ":")).encode())
        except OSError:
            pass  # the next call reads the files again

    def _blobs(self) -> Iterator[str]:
        folder = f"{LOG}/{BLOBS}"
        if self.store.stat(folder) is not None:
            for leaf, is_folder, _ in self.store.entries(folder):
                if not is_folder and is_blob_digest(leaf):
                    yield leaf

    def pull(self, wanted: Mapping[str, SegmentHead]) -> Iterator[Run]:
        """Yield the lines of the named segments that another copy lacks, in that order."""
        places = self._places(wanted)
        read: tuple[str, dict[str, list[bytes]]] = ("", {})
        for segment, there in wanted.items():
            place = places.get(segment, segment)
            if place != read[0]:
                try:
                    read = place, dict(_segments(place, self.store.read(place)))
                except FileNotFoundError:
                    continue
            found = read[1].get(segment, [])
            first = there.lines if is_prefix(found, there) else 0
            if found[first:]:
                yield Run(segment, first, found[first:])

    def _places(self, wanted: Mapping[str, SegmentHead]) -> dict[str, str]:
        """Return the packs that contain those segments without a file of their own."""
        if all(self.store.stat(name) is not None for name in wanted):
            return {}
        return {
            segment: name
            for name, content in stored(self.store)
            if is_pack(name)
            for segment in segments_of(content.partition(b"\n")[0])
            if self.store.stat(segment) is None
        }

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this copy does not have them."""
        from varves.log.files.log import read_blob

        return read_blob(self.store, digest)

    # Writing

    def push(self, runs: Iterable[Run], packs: Mapping[str, bytes]) -> int:
        """Add lines durably; return how many of them this copy did not have.

        Raises:
            NotDurable: the disk did not store the lines.
        """
        added = 0
        for group, header in self._groups(runs, packs):
            try:
                added += self._write_pack(group, *header) if header else self._write_segment(group)
            except OSError as fault:
                raise not_durable(self.store, fault) from None
        if self._packs:
            self._take_packs(packs)
        return added

    def _take_packs(self, packs: Mapping[str, bytes]) -> None:
        from varves.log.files.pack import pack_as

        for name, header in packs.items():
            if is_file_of_log(name) and is_pack(name) and self.store.stat(name) is None:
                try:
                    pack_as(self.store, name, header)
                except OSError as fault:
                    raise not_durable(self.store, fault) from None

    def _groups(
        self, runs: Iterable[Run], packs: Mapping[str, bytes]
    ) -> Iterator[tuple[list[Run], tuple[str, bytes] | None]]:
        """Yield runs, each alone or with all runs of a pack that can be written as a pack."""
        inside = {
            segment: (name, header)
            for name, header in packs.items()
            if is_file_of_log(name) and is_pack(name)
            for segment in segments_of(header)
        }
        waiting: list[Run] = []
        for given in runs:
            run = self._sound(given)
            if not run.lines:
                continue
            pack = inside.get(run.segment)
            if waiting and pack != inside[waiting[0].segment]:
                yield from (([one], None) for one in waiting)
                waiting = []
            if pack is None or run.first or self.store.stat(run.segment) is not None:
                yield [run], None
                continue
            waiting.append(run)
            if [one.segment for one in waiting] == segments_of(pack[1]):
                yield waiting, pack
                waiting = []
        yield from (([one], None) for one in waiting)

    def _sound(self, run: Run) -> Run:
        """Return a run without the lines that are no events, and empty if its name is unsafe."""
        if not is_file_of_log(run.segment) or is_pack(run.segment):
            self.damaged.append(run.segment)
            return run._replace(lines=[])
        kept = []
        for number, line in enumerate(run.lines, run.first + 1):
            try:
                check(line)
                kept.append(line)
            except BadLine:
                self.damaged.append(f"{run.segment}:{number}")
        return run._replace(lines=kept)

    def _write_segment(self, group: list[Run]) -> int:
        """Append to a segment the lines that it does not have yet."""
        (run,) = group
        if self.store.stat(run.segment) is None:
            content = b"".join(line + b"\n" for line in run.lines)
            if self.store.claim(run.segment, content):
                self._keep(run.segment)
                return len(run.lines)
        with self.store.guard(run.segment):
            before = self.store.read(run.segment)
            whole = before[: before.rfind(b"\n") + 1]
            known = {digest_of(line) for _, line in lines(whole)}
            fresh = [line for line in run.lines if digest_of(line) not in known]
            if fresh:
                self.store.replace(run.segment, whole + b"".join(line + b"\n" for line in fresh))
                self._keep(run.segment)
        return len(fresh)

    def _write_pack(self, group: list[Run], name: str, header: bytes) -> int:
        content = [header, *(line for run in group for line in run.lines), b""]
        if not self.store.claim(name, b"\n".join(content)):
            return 0
        self._keep(name)
        return sum(len(run.lines) for run in group)

    def _keep(self, name: str) -> None:
        if self._spool is not None:
            self._spool.keep(self.store, name)

    def purge(self, runs: Iterable[Run]) -> int:
        """Replace lines by their purged form, matched by digest; return how many were replaced."""
        purged = {
            digest_of(line): line
            for run in runs
            for line in self._sound(run).lines
            if is_purged(line)
        }
        replaced, again = 0, bool(purged)
        while again:
            again = False
            for name, content in stored(self.store):
                if not any(purged.get(digest_of(line), line) != line for _, line in lines(content)):
                    continue
                try:
                    replaced += self._erase(name, purged)
                except FileNotFoundError:  # it was packed in this moment
                    again = True
        self.erased += replaced
        return replaced

    def _erase(self, name: str, purged: Mapping[str, bytes]) -> int:
        """Replace lines of a file by their purged form; return how many were replaced."""
        with self.store.guard(name):
            before = self.store.read(name).split(b"\n")
            kept = [purged.get(digest_of(line), line) for line in before]
            self.store.replace(name, b"\n".join(kept))
        return sum(made != line for made, line in zip(kept, before, strict=True))

    def put_blob(self, digest: str, content: bytes) -> None:
        """Store the bytes with this SHA-256 durably; other bytes are left out."""
        if not is_blob_digest(digest) or sha256(content).hexdigest() != digest:
            self.damaged.append(f"{LOG}/{BLOBS}/{digest}")
            return
        name = blob_name(digest)
        try:
            if self.store.stat(name) is None:
                self.store.replace(name, content)
                self._keep(name)
        except OSError as fault:
            raise not_durable(self.store, fault) from None

    def drop_blobs(self, digests: Iterable[str]) -> int:
        """Delete the given texts; return how many of them this copy had."""
        dropped = 0
        for digest in digests:
            if is_blob_digest(digest) and self.store.stat(blob_name(digest)) is not None:
                self.store.remove(blob_name(digest))
                dropped += 1
        self.erased += dropped
        return dropped


def not_durable(store: FileStore, fault: OSError) -> NotDurable:
    """Return the error for a copy whose disk did not store what was given."""
    if fault.errno in (EACCES, EPERM):
        return no_right(closed_folder(store.root) or store.root, fault)
    reason = f"cannot write to {store.root}: {fault.strerror or fault}"
    return NotDurable(reason, "check the disk, then repeat; what was stored is kept")


def no_right(folder: str, fault: OSError, *, write: bool = True) -> NotDurable:
    """Return the error for a copy in which this account may not use a folder."""
    act, right = ("write to", "g+rwX") if write else ("read", "g+rX")
    reason = f"cannot {act} {folder}: {fault.strerror or fault}"
    hint = f"give this account the right, such as by chmod -R {right} {folder}, then repeat"
    return NotDurable(reason, f"{hint}; what was stored is kept")


def closed_folder(root: str, *, write: bool = True) -> str:
    """Return the first folder, from a root down, that this account cannot use; "" if none."""
    rights = os.R_OK | os.X_OK | (os.W_OK if write else 0)
    below = (f"{above}/{one}" for above, folders, _ in os.walk(root) for one in folders)
    return next((place for place in chain([root], below) if not os.access(place, rights)), "")


def _noted(stat: Stat | None, name: str, content: bytes) -> _Noted:
    header = content.partition(b"\n")[0].decode("latin-1") if is_pack(name) else ""
    found = {segment: [*head_of(held)] for segment, held in _segments(name, content)}
    return [[*(stat or ())], header, found]


def _segments(name: str, content: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Yield the segments in a file, each with its complete lines that are events by their form."""
    parts = packed(content) if is_pack(name) else [(name, content)]
    for segment, found in parts:
        yield segment, [line for _, line in lines(found) if line.startswith(_EVENT)]
