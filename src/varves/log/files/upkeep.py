"""Maintenance of a log in files: verifies its bytes, packs segments and restores lines."""

from __future__ import annotations

from varves.errors import Busy
from varves.log.files.erase import holding, spooled_holding
from varves.log.files.layout import LOG, blob_name, is_pack
from varves.log.files.pack import pack, waiting
from varves.log.files.rescue import write_runs
from varves.log.files.spool import spool_of, tree_of
from varves.log.files.verify import NOT_FOLLOWED, segment_files, unread, verify
from varves.log.sources import log_of
from varves.places.locks import PACKING
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from varves.events.event import Event
    from varves.log.files.pack import Folded
    from varves.places.places import Places
    from varves.places.port import FileStore
    from varves.values.answers import Verification
    from varves.values.ids import IdSource

    Closed = Callable[[], Iterable[str]]

_PLAIN = "replace the link with the files it leads to; git log shows who added it"


class FileUpkeep:
    """The maintenance of one log of this checkout.

    Git's state limits which segments may be packed.
    """

    def __init__(self, key: str, store: FileStore, places: Places, ids: IdSource) -> None:
        self.key = key
        self.root = store.root
        self.store = store
        self._places = places
        self._ids = ids

    def exists(self) -> bool:
        """Return whether anything was ever recorded in this log."""
        return self.store.stat(LOG) is not None

    def verify(
        self,
        *,
        deep: bool,
        barred: AbstractSet[str],
        progress: Callable[[int], None] | None = None,
    ) -> Verification:
        """Read every line and report what is damaged or missing.

        A symbolic link counts as damage.
        """
        alone = self.key == "private" or (self.key == "project" and self._places.git is None)
        found = verify(
            self.store,
            log_of(self.key),
            deep=deep,
            barred=barred,
            alone=alone,
            progress=progress,
        )
        damage = (*found.damage, *self.unread())
        return found.replace(ok=not damage, damage=damage)

    def unread(self) -> list[Finding]:
        """Return findings about files in the log's folders that are never read."""
        return [
            Finding(rule="unreadable", place=name, message=NOT_FOLLOWED, fix=_PLAIN)
            for name in unread(self.store)
        ]

    def holding(self, barred: set[str], *, copies: bool = False) -> Iterator[tuple[str, Event]]:
        """Yield the events that still contain content of a purged memory, each with its file.

        Args:
            barred: the purged memories, and the events that are purged with them.
            copies: search the spool instead.
        """
        spool = spool_of(self._places, self.key) if copies else None
        if spool is not None:
            yield from spooled_holding(spool, barred)
        elif not copies:
            yield from holding(self.store, log_of(self.key), barred)

    def loose(self) -> int:
        """Return the number of segments outside packs, whether or not they can be packed now."""
        return sum(not is_pack(name) for name in segment_files(self.store))

    def waiting(self, closed: Closed) -> dict[str, str]:
        """Return the segments that are ready to be packed, with their git object ids, if any.

        Args:
            closed: returns the parts that a reader of the log knows to be closed.
        """
        return waiting(self._places, self.key, self.store, closed=closed)

    def pack(self, closed: Closed, *, dry_run: bool = False) -> list[Folded]:
        """Pack the segments that are ready; return the packs made or, in a dry run, to be made.

        Raises:
            Busy: another process is packing the log.
        """
        names = self.waiting(closed)
        if not names:
            return []
        lock = self.store.lock(PACKING)
        if lock is None:
            raise Busy(f"another process is packing the log {self.key}", "wait until it finishes")
        try:
            tree = tree_of(self._places, self.key)
            word = self._ids.word
            return list(pack(self.store, names, word=word, tree=tree, dry_run=dry_run))
        finally:
            self.store.close(lock)

    def restore(self, lines: Sequence[bytes], blobs: Mapping[str, bytes], *, day: str) -> list[str]:
        """Write the lines of existing events into new segments, after the long texts they name.

        Args:
            lines: lines of this log, or of another ledger's.
            blobs: texts by their SHA-256; those that no line names are left out.
            day: the current day, like 2026-11-15.
        """
        spool = spool_of(self._places, log_of(self.key))
        content = b"".join(lines)
        for digest, text in blobs.items():
            name = blob_name(digest)
            if digest.encode("ascii") in content and self.store.stat(name) is None:
                self.store.replace(name, text)
                if spool is not None:
                    spool.keep(self.store, name)
        return write_runs(self.store, list(lines), day=day, word=self._ids.word, spool=spool)
