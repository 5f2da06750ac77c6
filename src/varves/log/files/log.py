"""A log in plain files; its parts are segments and packs."""

from __future__ import annotations

from varves.errors import NotDurable, Refused
from varves.log.files.layout import blob_name
from varves.log.files.survey import folders_of, still
from varves.log.sources import log_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from varves.events.event import Draft, Event
    from varves.log.doomed import Doomed
    from varves.log.files.append import Appender
    from varves.log.files.changes import FileChanges
    from varves.log.files.follower import FileFollower
    from varves.log.files.spool import Spool
    from varves.log.port import Head, Heads, Known
    from varves.log.sources import Lines
    from varves.places.locks import Deciding
    from varves.places.port import FileStore, Readable


class FileLog:
    """A readable log in files, of this checkout or of another worktree.

    Args:
        key: the source key of the log.
        store: where the files are.
        spool: returns the spool, which holds second names for the segments, if there is one.
        appender: returns the writer of the log, called at each write; None if the log is read-only.
    """

    def __init__(
        self,
        key: str,
        store: FileStore,
        *,
        spool: Callable[[], Spool | None] = lambda: None,
        appender: Callable[[], Appender] | None = None,
    ) -> None:
        self.key = key
        self.store = store
        self._spool = spool
        self._appender = appender
        self._writing: Appender | None = None

    # Reading

    def is_unchanged(self, known: Known) -> bool:
        """Return whether no file has changed since the marks were made.

        This uses only `stat` calls.
        """
        files = known.open() | known.recent()
        return still(self.store, folders_of(known.whole()), files)

    def since(self, known: Known) -> FileChanges:
        """Return what was added to the log since the marks in `known` were made."""
        from varves.log.files.changes import FileChanges

        return FileChanges(self.key, self.store, known)

    def part(self, name: str) -> Lines:
        """Read one whole file of the log (a segment or a pack) again."""
        from varves.log.files.segments import read_lines

        return read_lines(name, self.store.read(name), log_of(self.key)).events

    def follow(self, known: Known) -> FileFollower:
        """Return a reader of the lines that are added after the marks in `known`."""
        from varves.log.files.follower import FileFollower

        return FileFollower(self.store, known)

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this log does not have them."""
        return read_blob(self.store, digest)

    def heads(self) -> list[Head]:
        """Return the newest event of each writer, by reading the whole log."""
        from varves.log.files.segments import read_lines
        from varves.log.files.verify import stored

        found: dict[str, Event] = {}
        for name, content in stored(self.store):
            for event, _ in read_lines(name, content, log_of(self.key)).events:
                if event.writer not in found or found[event.writer].seq < event.seq:
                    found[event.writer] = event
        return [(e.writer, e.seq, e.hlc, e.digest) for _, e in sorted(found.items())]

    # Writing

    @property
    def written(self) -> str:
        """The name of the file that this process wrote last; empty if it has written none."""
        return self._writing.segment if self._writing else ""

    def append(self, drafts: Sequence[Draft], heads: Heads = lambda *_: ()) -> list[Event]:
        """Append drafts durably as events, which name the last events of other writers."""
        from varves.events.blobs import deflated

        if self._appender is None:
            raise Refused(
                f"{self.key} is read-only here", "write to it in the checkout that owns it"
            )
        self._writing = appender = self._appender()
        ready = []
        for draft in drafts:
            content = deflated(draft.data, self._put_blob)
            ready.append(draft if content is draft.data else draft.replace(data=content))
        writer, stamp = appender.last()
        return appender.append(ready, heads(stamp, writer))

    def _put_blob(self, content: bytes) -> dict[str, object]:
        """Store a long text in its own file; the file is durable before the event that names it."""
        from hashlib import sha256

        digest = sha256(content).hexdigest()
        name = blob_name(digest)
        try:
            if self.store.stat(name) is None:
                self.store.replace(name, content)
                if (spool := self._spool()) is not None:
                    spool.keep(self.store, name)
        except OSError as fault:
            raise NotDurable(
                f"cannot write a long text: {fault.strerror}", "check the disk"
            ) from None
        return {"sha256": digest, "bytes": len(content)}

    def deciding(self, *, proven: bool = False) -> Deciding:
        """Return a lock under which reading and appending are one step for all processes.

        Where file locks do not work, a `proven` lock is refused; without `proven`, two processes
        may act on the same read.
        """
        from varves.places.locks import Deciding

        return Deciding(self.store, self._settle, proven=proven)

    def _settle(self) -> None:
        if self._writing is not None:
            self._writing.sync_pending()

    def erase(
        self, barred: set[str], first: Callable[[Doomed], list[str]] | None = None
    ) -> list[str]:
        """Remove the content of purged memories from the log's files and from their copies."""
        from varves.log.files.erase import erase_all

        if self.store.stat("") is None:
            return []
        return erase_all(self.store, self._spool(), barred, first)


def read_blob(store: Readable, digest: str) -> bytes | None:
    """Return a blob's bytes if the file exists and its content matches its name."""
    from hashlib import sha256

    try:
        content = store.read(blob_name(digest))
    except (OSError, ValueError):
        return None
    return content if sha256(content).hexdigest() == digest else None
