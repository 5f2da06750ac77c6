"""Shows records of other protocols as proposals that wait for approval."""

from __future__ import annotations

from varves.errors import Refused
from varves.events.kinds import PROPOSED
from varves.protocols.bridged import Bridged, DueView, speaking, tied, view_of
from varves.protocols.port import writes
from varves.protocols.scoped.desk import Desk
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.options import CONFIDENCE
from varves.protocols.scoped.places import PROJECT
from varves.values.text import fold, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.values.memory import Memory


class ScopedBridge(Bridged, Desk):
    """Maintains this protocol's views of other protocols' records."""

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "scoped", category),)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Propose a record of another protocol for this project, unless its text is known there.

        Raises:
            Refused: the text was rejected in this project before.
        """
        held = Holdings(self.core)
        scope = f"{PROJECT}:{self._project()}"
        if any(fold(one.text) == fold(record.titled) for one in held.standing(scope)):
            return
        rejected = self.core.rows().rejecting(
            value_key(self.core.log_of(scope), scope, record.titled)
        )
        if rejected:
            raise Refused(f"rejected in {scope} by {rejected[0]}", f"varves undo {rejected[0]}")
        content = {
            "memory": view.id,
            "text": record.titled,
            "scope": scope,
            "type": view.category,
            "confidence": CONFIDENCE if record.confidence is None else record.confidence,
            "source": record.protocol,
            **tied(record),
        }
        act = speaking(self._act(), record)
        self.core.append("private", [act.draft(PROPOSED, content, record.version)])
