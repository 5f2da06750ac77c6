"""Shows records of other protocols as memories of the agents that support them.

The memory has the whole text and a link to the record; the sidecar shows a shortened text.
"""

from __future__ import annotations

from varves.events.kinds import RECORDED
from varves.protocols.bridged import Bridged, DueView, speaking, supporters, tied, view_of
from varves.protocols.excerpt import LONGEST, shortened
from varves.protocols.party.closing import CAP, PRUNED
from varves.protocols.party.fold import PROJECT
from varves.protocols.party.sidecars import day, scope_of
from varves.protocols.party.talking import PartyVerbs
from varves.protocols.port import writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.values.memory import Memory


class PartyBridge(Bridged, PartyVerbs):
    """Maintains this protocol's views of other protocols' records."""

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views of a record: one for each supporter that has a sidecar.

        If the record names no supporters, its speaker counts as the supporter.
        """
        known = {name.casefold(): name for name in self._sheets()}
        named = supporters(record) or (record.speaker or record.created_by,)
        agents = [known[name.casefold()] for name in named if name.casefold() in known]
        return tuple(
            view_of(record, "party", category, agent=agent) for agent in dict.fromkeys(agents)
        )

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Add a record of another protocol to an agent's memories."""
        agent = str(view.agent)
        short = shortened(record.titled, self.options.content_chars)
        content = {
            "memory": view.id,
            "text": record.titled,
            "content": short if short != record.titled or len(short) > LONGEST else None,
            "scope": scope_of(agent),
            "type": view.category,
            "confidence": self.options.stated,
            "source_session": day(record.created_at),
            "speaker": agent,
            **tied(record),
        }
        act = self.core.act()
        made = speaking(act, record).draft(RECORDED, content, record.version)
        self.core.append(PROJECT, [*self._room(agent, act), made])

    def _room(self, agent: str, act: Act) -> list[Draft]:
        """Return drafts that prune an agent's least confident memories to make room for one."""
        held = [one for one in self.core.memories(scope=scope_of(agent)) if one.kept == PROJECT]
        held.sort(key=lambda one: one.confidence or 0.0)
        cap = self.options.cap
        return [
            act.draft(
                PRUNED,
                {"memory": one.id, "reason": f"more than {cap} memories", "rule": CAP},
                one.version,
            )
            for one in held[: max(0, len(held) + 1 - cap)]
        ]
