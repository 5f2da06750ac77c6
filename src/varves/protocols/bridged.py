"""What the protocols share that take records of others: how a view is named, and by whom it is.

A view's id is made from the record, what it says, and whose view it is. So it is made once, by
whichever process comes first, and a record that says something else has another.
"""

from __future__ import annotations

from varves.events.kinds import ARCHIVED, UNDONE
from varves.events.views import BRIDGE, VIEW_OF, by_bridge
from varves.protocols.port import writes
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
    """Whose it is, where each agent has its own."""


class Bridged:
    """What every protocol that takes records of others does with its views of them."""

    core: Core

    @property
    def bridge(self) -> Bridged:
        """What keeps views of other protocols' records: the protocol itself."""
        return self

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        raise NotImplementedError

    def take(self, record: Memory, view: DueView) -> None:
        """Record a view of another protocol's record."""
        raise NotImplementedError

    def shows(self, view: Memory, record: Memory, due: tuple[DueView, ...]) -> bool:
        """Tell whether a view shows what its record says now."""
        del record
        return any(one.id == view.id for one in due)

    @writes
    def put_away(self, view: Memory, reason: str, *cause: str) -> None:
        """Let a view rest, since its record does not stand any more."""
        content = {"memory": view.id, "reason": reason, "rule": BRIDGE}
        draft = self.core.act().draft(ARCHIVED, content, view.version, *cause)
        self.core.append(view.kept, [draft])

    @writes
    def bring_back(self, view: Memory) -> None:
        """Let a view be again as it was before a bridge put it away."""
        content = {"event": view.version, "kind": ARCHIVED, "memories": [view.id], "rule": BRIDGE}
        draft = self.core.act().draft(UNDONE, content, view.version)
        self.core.append(view.kept, [draft])

    def rests(self, view: Memory) -> bool:
        """Tell whether a bridge put a view away, and nobody did anything to it since."""
        last = self.core.rows().event(view.version)
        return last is not None and last.kind == ARCHIVED and by_bridge(last)


def view_of(record: Memory, target: str, category: str, *, agent: str | None = None) -> DueView:
    """Return the view that a protocol should have of a record."""
    from hashlib import sha256

    parts = ("bridge", record.id, target, agent or "", record.text)
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()
    return DueView(id=memory_of(digest), category=category, agent=agent)


def tied(record: Memory) -> dict[str, Any]:
    """Return what the birth of every view says: of which record it is, and by which rule."""
    return {"links": {VIEW_OF: [record.id]}, "rule": BRIDGE}


def speaking(act: Act, record: Memory) -> Act:
    """Return the act by which a view is written: it is trusted as far as its record is."""
    return act.replace(origin=record.origin, trust=record.trust)


def supporters(record: Memory) -> tuple[str, ...]:
    """Return the agents who stand behind a record, as far as it names them."""
    named = record.extra.get("supporters")
    return tuple(one for one in named if isinstance(one, str)) if isinstance(named, list) else ()


def source_line(record: Memory) -> str:
    """Say on one line where a record comes from."""
    names = supporters(record)
    by = ", ".join(names) or record.speaker or record.created_by
    where = f" in {record.session}" if record.session else ""
    return f"{record.category.capitalize()} of {by}{where}, {record.created_at[:10]}"
