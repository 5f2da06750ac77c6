"""Entries for records of other protocols; the category determines type and subtype."""

from __future__ import annotations

from varves.protocols.bridged import Bridged, DueView, speaking, tied, view_of
from varves.protocols.hivemind.creators import is_creator
from varves.protocols.hivemind.entries import Wish, scope_of
from varves.protocols.hivemind.parts import HivemindVerbs
from varves.protocols.port import writes
from varves.values.facets import facets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.values.memory import Memory

_SYSTEM = "SYSTEM"


class HivemindBridge(Bridged, HivemindVerbs):
    """Views of other protocols' records as entries."""

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "hivemind", category),)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Create an entry that shows a record of another protocol."""
        scope = scope_of(self.core, "project")
        act = self.core.act()
        if not (self.options.any_actor or is_creator(act.actor)):
            act = self.core.act(actor=_SYSTEM)
        wish = Wish(
            id=view.id,
            type=facets(view.category)[0],
            subtype=view.category,
            scope=scope,
            content={"text": record.titled},
            tags=record.tags,
            confidence=record.confidence,
            **tied(record),
        )
        self.enter(wish, speaking(act, record))
        self.entered([scope], act)
