"""Records of other protocols as memories of the agents who stand behind them.

The whole text is the memory; what a sidecar shows of it is shortened, and the link tells the rest.
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
    """What the protocol does with records of others."""

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views a record should have: one for each supporter who has a sidecar.

        Where nobody is named as a supporter, it is the one who said it.
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
        short = shortened(record.text, self.options.content_chars)
        content = {
            "memory": view.id,
            "text": record.text,
            "content": short if short != record.text or len(short) > LONGEST else None,
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
        """Return what prunes the least sure memories of an agent, so that one more has room."""
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
