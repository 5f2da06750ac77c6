"""The memory record: one derived, citable statement."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATUSES = (
    "proposed",
    "active",
    "flagged",
    "superseded",
    "archived",
    "forgotten",
    "expired",
    "pruned",
)
PRIORITIES = ("critical", "high", "medium", "low")
SPLIT = "\x1f"  # between tags in a row


class Memory(Value):
    """A memory as folded from its events; what is unknown is None or empty."""

    id: str
    text: str
    summary: str | None = None
    scope: str = "project"
    protocol: str = "core"
    type: str = "note"
    nature: str = "factual"
    category: str = "note"
    tags: tuple[str, ...] = ()
    priority: str | None = None
    confidence: float | None = None
    ttl: str | None = None
    expires_at: str | None = None
    created_at: str
    created_by: str
    updated_at: str
    updated_by: str
    at: str
    speaker: str | None = None
    session: str | None = None
    turn: int | None = None
    source: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    links: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    status: str = "active"
    reason: str | None = None
    kept: str = "project"
    origin: str = "direct"
    trust: int = 3
    trusted: str | None = None
    writer: str = ""
    version: str = ""
    reinforced: int = 0
    extra: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    branch: str | None = None
    """Out in the other worktree this comes from; None for what this checkout holds."""

    def has_expired(self, now: str) -> bool:
        """Tell whether the time for which it holds is over, whatever else became of it."""
        return self.expires_at is not None and self.expires_at <= now

    def is_current(self, now: str) -> bool:
        """Tell whether it is active, and still holds."""
        return self.status == "active" and not self.has_expired(now)
