"""The statements of one log that may not be in the index yet.

This process wrote them, or read them from the log. Lines of other processes are decoded only when
they are needed. Statements are found by their keys, which the caller computes. Only plain events
are added, which change no other memory; after any other event, the recorder reads the index again.
"""

from __future__ import annotations

from collections import deque
from json import dumps

from varves.events.codec import BadLine, decode
from varves.events.kinds import RECORDED
from varves.events.raw import text_of
from varves.events.views import VIEW_OF
from varves.values.memory import Memory
from varves.values.near import MEMBERS, Near, is_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.events.event import Event
    from varves.index.where import Trusted

MOST = 20_000  # the most statements that are kept; the newest are kept


class Unread:
    """The unread statements of one log, in the order in which this process received them."""

    def __init__(self, log: str, trusted: Trusted) -> None:
        self._log = log
        self._trusted = trusted
        # statements whose keys are not computed yet
        self._waiting: deque[bytes | Near] = deque(maxlen=MOST)
        self._by_key: dict[int, list[Near]] = {}
        self._keyed = 0
        self.tried = 0
        """How many statements there were at the last failed attempt to update the index."""

    def __len__(self) -> int:
        return self._keyed + len(self._waiting)

    def read(self, line: bytes) -> None:
        """Add a line that another process wrote."""
        if text_of(line):
            self._waiting.append(line)

    def wrote(self, events: Iterable[Event]) -> None:
        """Add events that this process wrote."""
        for event in events:
            near = recorded(event, self._trusted)
            if near is not None:
                self._waiting.append(near)

    def sharing(
        self, keys: Iterable[int], name: str, keys_of: Callable[[Near], Iterable[int]]
    ) -> list[Near]:
        """Return the unread statements that share the most keys with a later memory.

        The given memory is added to the statements.

        Args:
            keys: the keys of the memory.
            name: the id of the memory; statements after it are left out.
            keys_of: computes the keys of a statement.
        """
        if self._keyed > MOST:
            self._by_key.clear()
            self._keyed = 0
        own = None
        while self._waiting and own is None:
            near = self._decoded(self._waiting.popleft())
            if near is not None and near.id == name:
                own = near
            elif near is not None:
                self._keep(near, keys_of(near))
        keys = list(keys)
        found: dict[str, list[Near]] = {}
        for key in keys:
            for near in self._by_key.get(key, ())[-MEMBERS:]:
                found.setdefault(near.id, []).append(near)
        if own is not None:
            self._keep(own, keys)
        ranked = sorted(found.values(), key=len, reverse=True)
        return [same[0] for same in ranked]

    def _keep(self, near: Near, keys: Iterable[int]) -> None:
        self._keyed += 1
        for key in keys:
            self._by_key.setdefault(key, []).append(near)

    def _decoded(self, one: bytes | Near) -> Near | None:
        if isinstance(one, Near):
            return one
        try:
            return recorded(decode(one, self._log), self._trusted)
        except BadLine:
            return None


def recorded(event: Event, trusted: Trusted) -> Near | None:
    """Return a recorded statement in the form of the index; None if it is not compared."""
    said = event.data
    text, links = said.get("text"), said.get("links") or {}
    if event.kind != RECORDED or not isinstance(text, str):
        return None
    category = said.get("type") or Memory.type
    if not is_statement(event.protocol, category):
        return None
    if VIEW_OF in links or "sensitive" in (said.get("tags") or ()):
        return None
    if not trusted.admits(event.trust, event.writer, None):
        return None
    at = said.get("at") or event.time
    known = dumps(links) if links else None
    fields = (said["memory"], text, said.get("speaker"), at, said.get("scope"))
    return Near((*fields, event.log, 0, "", known, event.hlc, event.protocol, category))
