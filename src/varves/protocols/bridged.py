"""Code shared by protocols that show records of other protocols: ids, authors and state of views.

A view's id is computed from the record's id and text, the target protocol and the agent. So a view
is created only once, even by several processes, and a record whose text changes gets a new view.
"""

from __future__ import annotations

from varves.events.kinds import ARCHIVED, UNDONE
from varves.events.views import BRIDGE, VIEW_OF, by_bridge
from varves.protocols.port import writes
from varves.protocols.records import texts
from varves.values.ids import memory_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.port import Core
    from varves.values.memory import Memory


class DueView(Value):
    """A view that a record should have."""

    id: str
    category: str
    agent: str | None = None
    """The owner, if each agent has its own view."""


class Bridged:
    """Maintains a protocol's views of other protocols' records."""

    core: Core

    @property
    def bridge(self) -> Bridged:
        """The object that maintains views of other protocols' records: the protocol itself."""
        return self

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        raise NotImplementedError

    def take(self, record: Memory, view: DueView) -> None:
        """Record a view of another protocol's record."""
        raise NotImplementedError

    def shows(self, view: Memory, record: Memory, due: tuple[DueView, ...]) -> bool:
        """Return whether a view shows the current text of its record."""
        del record
        return any(one.id == view.id for one in due)

    @writes
    def put_away(self, view: Memory, reason: str, *cause: str) -> None:
        """Archive a view, because its record is no longer current."""
        content = {"memory": view.id, "reason": reason, "rule": BRIDGE}
        draft = self.core.act().draft(ARCHIVED, content, view.version, *cause)
        self.core.append(view.kept, [draft])

    @writes
    def bring_back(self, view: Memory) -> None:
        """Restore a view that a bridge archived."""
        content = {"event": view.version, "kind": ARCHIVED, "memories": [view.id], "rule": BRIDGE}
        draft = self.core.act().draft(UNDONE, content, view.version)
        self.core.append(view.kept, [draft])

    def rests(self, view: Memory) -> bool:
        """Return whether a view is archived by a bridge and has not changed since."""
        last = self.core.rows().event(view.version)
        return last is not None and last.kind == ARCHIVED and by_bridge(last)


def view_of(record: Memory, target: str, category: str, *, agent: str | None = None) -> DueView:
    """Return the view that a protocol should have of a record."""
    from hashlib import sha256

    parts = ("bridge", record.id, target, agent or "", record.titled)
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()
    return DueView(id=memory_of(digest), category=category, agent=agent)


def tied(record: Memory) -> dict[str, Any]:
    """Return the fields of every new view: the record it shows, and the rule that created it."""
    return {"links": {VIEW_OF: [record.id]}, "rule": BRIDGE}


def speaking(act: Act, record: Memory) -> Act:
    """Return the act that writes a view; it has the origin and trust of the record."""
    return act.replace(origin=record.origin, trust=record.trust)


def supporters(record: Memory) -> tuple[str, ...]:
    """Return the agents that support a record, if the record names any."""
    return texts(record.extra.get("supporters"))


def source_line(record: Memory) -> str:
    """Return one line that names the source of a record."""
    names = supporters(record)
    by = ", ".join(names) or record.speaker or record.created_by
    where = f" in {record.session}" if record.session else ""
    return f"{record.category.capitalize()} of {by}{where}, {record.created_at[:10]}"
