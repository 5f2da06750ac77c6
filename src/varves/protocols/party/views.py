"""Views: records of other protocols in the sidecars of the agents that support them."""

from __future__ import annotations

from varves.events.kinds import PRUNED, RECORDED
from varves.protocols.bridged import DueView, speaking, supporters, tied, view_of
from varves.protocols.excerpt import LONGEST, shortened
from varves.protocols.party.effect import CAP
from varves.protocols.party.fold import PROJECT, sheets_of
from varves.protocols.party.sidecars import day, scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.port import Core
    from varves.values.memory import Memory


def due(core: Core, options: PartyOptions, record: Memory, *, category: str) -> tuple[DueView, ...]:
    """Return the views of a record: one for each supporter that has a sidecar.

    If the record names no supporters, its speaker counts as the supporter.
    """
    known = {name.casefold(): name for name in sheets_of(core, options)}
    named = supporters(record) or (record.speaker or record.created_by,)
    agents = [known[name.casefold()] for name in named if name.casefold() in known]
    return tuple(view_of(record, "party", category, agent=agent) for agent in dict.fromkeys(agents))


def take(core: Core, options: PartyOptions, record: Memory, *, view: DueView) -> None:
    """Add a record of another protocol to an agent's memories."""
    agent = str(view.agent)
    short = shortened(record.titled, options.content_chars)
    content = {
        "memory": view.id,
        "text": record.titled,
        "content": short if short != record.titled or len(short) > LONGEST else None,
        "scope": scope_of(agent),
        "type": view.category,
        "confidence": options.stated,
        "source_session": day(record.created_at),
        "speaker": agent,
        **tied(record),
    }
    act = core.act()
    made = speaking(act, record).draft(RECORDED, content, record.version)
    core.append(PROJECT, [*_room(core, agent, act, cap=options.cap), made])


def _room(core: Core, agent: str, act: Act, *, cap: int) -> list[Draft]:
    """Return drafts that prune an agent's least confident memories to make room for one."""
    held = [one for one in core.memories(scope=scope_of(agent)) if one.kept == PROJECT]
    held.sort(key=lambda one: one.confidence or 0.0)
    return [
        act.draft(
            PRUNED,
            {"memory": one.id, "reason": f"more than {cap} memories", "rule": CAP},
            one.version,
        )
        for one in held[: max(0, len(held) + 1 - cap)]
    ]
