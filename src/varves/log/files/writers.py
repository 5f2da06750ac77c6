"""All the logs a ledger writes, each with its appender, taken up when first needed."""

from __future__ import annotations

from varves.errors import Busy, Damaged, NotDurable
from varves.events.blobs import deflated
from varves.log.files.append import Appender, not_durable
from varves.log.files.layout import blob_name
from varves.log.files.local import GIVE_WAY, SET_ASIDE, in_the_way
from varves.log.files.locks import NoLocks, exclusive
from varves.values.instants import Hlc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from varves.events.event import Draft, Event
    from varves.log.files.group import Group
    from varves.log.files.places import Places
    from varves.log.files.port import Lockable
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

    Heads = Callable[[str, str, str], Sequence[str]]

DECIDE = "local/decide.lock"
WAIT_SECONDS = 60.0
LONGEST_PAUSE = 0.003  # a writer that comes again at once leaves others a short moment


class Writers:
    """Appends drafts to the log they belong to."""

    def __init__(
        self, places: Places, clock: Clock, ids: IdSource, *, group: Group | None = None
    ) -> None:
        self.hlc = Hlc(clock)
        self._group = group
        self._places = places
        self._ids = ids
        self._open: dict[str, Appender] = {}

    def to(self, log: str) -> Appender:
        """Return the appender of a log."""
        try:
            self._places.guard(log)
        except OSError as fault:
            raise not_durable(fault) from None
        if log not in self._open:
            self._refuse_in_the_way(f"{self._places.store(log).root}/local")
            try:
                clone = self._places.clone(log, self._ids)
                if log not in ("project", "private"):  # a folder somebody may have put under git
                    self._places.hide(log)
            except OSError as fault:
                raise NotDurable(
                    f"cannot write {fault.filename or log}: {fault.strerror}", "check the folder"
                ) from None
            self._open[log] = Appender(
                self._places.store(log),
                log,
                clone=clone,
                hlc=self.hlc,
                ids=self._ids,
                tree=self._places.tree(log),
            )
            self._open[log].group = self._group
            if log == "project":
                self._open[log].aside = (self._places.local, SET_ASIDE)
        return self._open[log]

    def _refuse_in_the_way(self, folder: str) -> None:
        """Refuse a log whose lanes and locks have no folder: a clone may bring anything."""
        if reason := in_the_way(folder):
            raise NotDurable(f"cannot write the log: {folder} {reason}", GIVE_WAY)

    def append(self, log: str, drafts: Sequence[Draft], heads: Heads) -> list[Event]:
        """Record drafts durably, naming the heads of others this process has folded."""
        appender = self.to(log)
        drafts = [self._without_long_texts(log, draft) for draft in drafts]
        writer, stamp = appender.last()
        return appender.append(drafts, heads(log, stamp, writer))

    def _without_long_texts(self, log: str, draft: Draft) -> Draft:
        content = deflated(draft.data, lambda text: self._put_blob(log, text))
        return draft if content is draft.data else draft.replace(data=content)

    def _put_blob(self, log: str, content: bytes) -> dict[str, object]:
        """Keep a long text beside the log, durable before the event that names it."""
        from hashlib import sha256

        digest = sha256(content).hexdigest()
        store, spool = self._places.store(log), self._places.spool(log)
        try:
            if store.stat(blob_name(digest)) is None:
                store.replace(blob_name(digest), content)
                if spool is not None:
                    spool.keep(store, blob_name(digest))
        except OSError as fault:
            raise NotDurable(f"cannot write a blob: {fault.strerror}", "check the disk") from None
        return {"sha256": digest, "bytes": len(content)}

    def deciding(self, log: str, *, proven: bool = False) -> Deciding:
        """Return a lock under which look and append are one step for all processes.

        Where locks do not hold a `proven` one is refused; without, two may act on the same look.
        """
        return Deciding(self._places.store(log), lambda: self._settle(log), proven=proven)

    def _settle(self, log: str) -> None:
        if self._group is not None and log in self._open:
            self._open[log].settle()

    def close(self) -> None:
        """Let go of every segment and lane."""
        for appender in self._open.values():
            appender.close()
        self._open.clear()


class Deciding:
    """Holds the decide lock of a log, or of a folder, for the length of a `with` block.

    Others decide on what they can read, so nothing there may wait for its sync beyond the lock.
    """

    def __init__(
        self,
        store: Lockable,
        settle: Callable[[], None],
        *,
        proven: bool = False,
        name: str = DECIDE,
    ) -> None:
        self._store = store
        self._settle = settle
        self._proven = proven
        self._name = name
        self._handle: int | None = None

    def __enter__(self) -> None:
        try:
            self._handle = self._take()
        except NoLocks:
            if self._proven:
                reason = f"locks do not hold in {self._store.root}"
                raise Damaged(reason, "leave --expect out; see varves doctor") from None
        self._settle()

    def _take(self) -> int:
        from time import monotonic, sleep

        until = monotonic() + WAIT_SECONDS
        pause = 0.001
        while (handle := exclusive(self._store, self._name)) is None:
            if monotonic() > until:
                raise Busy("another process is deciding", "try again")
            sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        return handle

    def __exit__(self, *exc: object) -> None:
        self._settle()
        if self._handle is not None:
            self._store.close(self._handle)
