"""Events: facts that are recorded once and never changed.

A command returns a `Draft`. The log adds its place in the chain, which makes it an `Event`. An
event keeps every field that its line contains, also fields that this version does not know.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Draft(Value):
    """A fact that is to be recorded as an event, before a log gives the event its place."""

    kind: str
    data: dict[str, Any]
    cause: tuple[str, ...] = ()
    protocol: str = "core"
    session: str | None = None
    actor: str
    origin: str = "direct"
    trust: int = 3
    id: str | None = None


class Event:
    """One recorded fact, with the log that contains it."""

    # Plain attributes for what a fold reads most often; the rest is looked up in `fields`.
    __slots__ = ("branch", "data", "fields", "id", "kind", "log", "touched")

    def __init__(self, fields: dict[str, Any], log: str = "project") -> None:
        self.fields = fields
        self.log = log
        # The fields that a fold reads most often are plain attributes; the others are looked up in
        # `fields`.
        self.branch: str | None = None
        # the branch of the worktree that has the event; None if this checkout has it
        self.id: str = fields["id"]
        self.kind: str = fields["kind"]  # what happened, in the past tense
        self.data: dict[str, Any] = fields.get("data") or {}  # the content; empty once purged
        # set by the function `touches` when it is first called
        self.touched: tuple[str, ...] | None = None

    @property
    def time(self) -> str:
        """The time by the writer's clock when the event was recorded, as an ISO instant."""
        return self.fields["time"]  # type: ignore[no-any-return]

    @property
    def hlc(self) -> str:
        """The stamp: the position of the event in time, which orders the events of all writers."""
        return self.fields["hlc"]  # type: ignore[no-any-return]

    @property
    def writer(self) -> str:
        """The writer of the event: a clone, and a lane (one of the clone's chains of events)."""
        return self.fields["writer"]  # type: ignore[no-any-return]

    @property
    def seq(self) -> int:
        """The event's number in the writer's chain."""
        return self.fields["seq"]  # type: ignore[no-any-return]

    @property
    def actor(self) -> str:
        """Who caused the event."""
        return self.fields["actor"]  # type: ignore[no-any-return]

    @property
    def session(self) -> str | None:
        """The session that the event belongs to, if any."""
        return self.fields["session"]  # type: ignore[no-any-return]

    @property
    def protocol(self) -> str:
        """The published protocol through which the event was recorded, if any."""
        return self.fields["protocol"]  # type: ignore[no-any-return]

    @property
    def prev(self) -> str | None:
        """The digest of the previous event in the writer's chain."""
        return self.fields["prev"]  # type: ignore[no-any-return]

    @property
    def seen(self) -> list[str]:
        """The digests of the last events of other writers that this event's writer had read."""
        return self.fields["seen"]  # type: ignore[no-any-return]

    @property
    def digest(self) -> str:
        """The digest of the envelope; the next event in the chain contains it as `prev`."""
        return self.fields["h"]  # type: ignore[no-any-return]

    @property
    def cause(self) -> tuple[str, ...]:
        """The events that this event answers or changes."""
        return tuple(self.fields["cause"])

    @property
    def origin(self) -> str:
        """The entry point through which the event was recorded."""
        return self.fields["origin"]  # type: ignore[no-any-return]

    @property
    def trust(self) -> int:
        """How far the entry point is trusted, as a number; higher is more."""
        return self.fields["trust"]  # type: ignore[no-any-return]

    @property
    def purged(self) -> bool:
        """Whether the content was erased."""
        return "purged" in self.fields

    @property
    def order(self) -> tuple[str, str, str]:
        """The sort key that puts all events into one total order."""
        fields = self.fields
        return fields["hlc"], fields["writer"], fields["id"]

    def as_dict(self) -> dict[str, Any]:
        """Return all fields; `branch` is set if the event is stored only in another worktree."""
        return self.fields | ({"branch": self.branch} if self.branch else {})

    def __repr__(self) -> str:
        return f"Event({self.id} {self.kind})"
