"""Subscriptions to changes; a regular check of the ledger detects the changes.

While there are subscriptions, a thread regularly reads the ledger's pulse, a value that changes
with the logs. This costs a few folder listings and also detects other processes' writes. If the
pulse has changed, the watched resources are read again, and the changed ones are reported.
"""

from __future__ import annotations

from varves.mcp.eras import STREAM
from varves.mcp.faults import BAD_PARAMS, INTERNAL, Fault
from varves.mcp.messages import key_of, notification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event
    from typing import Any

    from varves.mcp.eras import Caller
    from varves.mcp.messages import Key
    from varves.mcp.port import Catalogue, Json

MOST = 1000
"""The most resources that are watched, and the most streams."""
_LISTED = "notifications/resources/list_changed"
_UPDATED = "notifications/resources/updated"


class Subscription:
    """A subscription to one resource, or to the list of resources."""

    __slots__ = ("client", "seen", "uri")

    def __init__(self, uri: str | None, client: Caller, seen: str) -> None:
        self.uri = uri
        self.client = client
        self.seen = seen


class Stream:
    """An open stream, requested with `subscriptions/listen`."""

    __slots__ = ("name", "watches")

    def __init__(self, name: int | str, watches: list[Subscription]) -> None:
        self.name = name
        self.watches = watches


class Subscriptions:
    """All subscriptions of one connection."""

    def __init__(
        self, catalogue: Catalogue, send: Callable[[Any], None], *, every: float | None
    ) -> None:
        self._catalogue = catalogue
        self._send = send
        self._every = every
        self._single: dict[str | None, Subscription] = {}  # for clients with a handshake
        self._streams: dict[Key, Stream] = {}
        self._pulses: dict[str, object] = {}
        self._stop: Event | None = None

    def subscribe(self, uri: str, client: Caller) -> None:
        """Report the changes of a resource to the client from now on."""
        if uri not in self._single:
            self._room()
            self._single[uri] = self._watch(uri, client)
            self._begin()

    def unsubscribe(self, uri: str) -> None:
        """Stop reporting the changes of a resource."""
        self._single.pop(uri, None)

    def follow_list(self, client: Caller) -> None:
        """Report changes of the list of resources to the client, which has just read the list."""
        self._single[None] = self._watch(None, client)
        self._begin()

    def has(self, name: int | str) -> bool:
        """Return whether a stream with this id is open."""
        return key_of(name) in self._streams

    def listen(self, name: int | str, params: Json, client: Caller) -> None:
        """Open a stream, and tell the client what the stream will report."""
        wanted = params.get("notifications")
        uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
        if not isinstance(wanted, dict) or not isinstance(uris, list | None):
            raise Fault(BAD_PARAMS, "notifications must be an object, resourceSubscriptions a list")
        if not all(isinstance(uri, str) for uri in uris or ()):
            raise Fault(BAD_PARAMS, "resourceSubscriptions must be strings")
        self._room(len(uris or ()))
        named: list[str | None] = list(dict.fromkeys(uris or ()))
        honoured: Json = {"resourceSubscriptions": list(named)} if named else {}
        if wanted.get("resourcesListChanged") is True:
            honoured["resourcesListChanged"] = True
            named.append(None)
        watches = [self._watch(uri, client) for uri in named]
        stream = self._streams[key_of(name)] = Stream(name, watches)
        self._tell("notifications/subscriptions/acknowledged", {"notifications": honoured}, stream)
        self._begin()

    def end(self, name: int | str) -> None:
        """Close a stream, because its client has ended it."""
        self._streams.pop(key_of(name), None)

    def close(self) -> None:
        """Close every stream, and notify its client."""
        if self._stop is not None:
            self._stop.set()
        self._single.clear()
        while self._streams:
            _, stream = self._streams.popitem()
            result = {"resultType": "complete", "_meta": {STREAM: stream.name}}
            self._send({"jsonrpc": "2.0", "id": stream.name, "result": result})

    def look(self) -> None:
        """Report what has changed since the last check."""
        moved: dict[str, bool] = {}
        for watch, stream in self._all():
            who = watch.client.name
            if who not in moved:
                pulse = self._catalogue.pulse(watch.client)
                moved[who] = self._pulses.get(who) != pulse
                self._pulses[who] = pulse
            if moved[who]:
                self._compare(watch, stream)

    def _compare(self, watch: Subscription, stream: Stream | None) -> None:
        now = self._catalogue.fingerprint(watch.uri, watch.client)
        if now == watch.seen:
            return
        watch.seen = now
        if stream is not None and key_of(stream.name) not in self._streams:
            return
        if watch.uri is None:
            self._tell(_LISTED, {}, stream)
        else:
            self._tell(_UPDATED, {"uri": watch.uri}, stream)

    def _tell(self, method: str, params: Json, stream: Stream | None) -> None:
        if stream is not None:
            params = {"_meta": {STREAM: stream.name}, **params}
        self._send(notification(method, params))

    def _all(self) -> list[tuple[Subscription, Stream | None]]:
        single: list[tuple[Subscription, Stream | None]]
        single = [(watch, None) for watch in list(self._single.values())]
        streams = list(self._streams.values())
        return single + [(watch, one) for one in streams for watch in one.watches]

    def _watch(self, uri: str | None, client: Caller) -> Subscription:
        return Subscription(uri, client, self._catalogue.fingerprint(uri, client))

    def _room(self, more: int = 1) -> None:
        if len(self._all()) + more > MOST or len(self._streams) >= MOST:
            raise Fault(INTERNAL, "too many subscriptions")

    def _begin(self) -> None:
        """Start a thread that checks for changes as long as there are subscriptions."""
        if self._every is None or self._stop is not None:
            return
        from threading import Event, Thread

        self._stop = stop = Event()
        Thread(target=self._go_on, args=(stop, self._every), name="watch", daemon=True).start()

    def _go_on(self, stop: Event, every: float) -> None:
        while not stop.wait(every):
            try:
                if self._single or self._streams:
                    self.look()
            except Exception:  # noqa: BLE001, S112 - the next check may succeed
                continue
