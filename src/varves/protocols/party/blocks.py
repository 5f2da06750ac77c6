"""The block an agent receives when a party begins: its memories, or a line for a new agent."""

from __future__ import annotations

from varves.protocols.party.answers import AgentBlock
from varves.protocols.party.sidecars import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sidecars import Sheet
    from varves.values.memory import Memory

MEMORIES = "📝 Your memories from previous sessions:"
RELATIONS = "🤝 Relationship notes:"
FIRST = "First session for this agent — no prior memories"


def told(sheet: Sheet, options: PartyOptions) -> tuple[Memory, ...]:
    """Return the memories of a sidecar that are shown: the last ones."""
    return sheet.memories[-options.top :]


def block(sheet: Sheet, options: PartyOptions, *, first: bool, plain: bool) -> AgentBlock:
    """Return the block for an agent."""
    return AgentBlock(
        agent=sheet.agent,
        display_name=sheet.display_name,
        first=first,
        text=FIRST if first else _text(sheet, options, plain=plain),
        memories=len(told(sheet, options)),
        sessions=sheet.sessions,
    )


def _text(sheet: Sheet, options: PartyOptions, *, plain: bool) -> str:
    heads = (MEMORIES, RELATIONS)
    if plain:
        heads = (MEMORIES.partition(" ")[2], RELATIONS.partition(" ")[2])
    relations = [
        f"{relation}: {', '.join(_flat(name) for name in names)}"
        for relation, names in sheet.relationships.items()
        if isinstance(names, list) and names
    ]
    memories = [_line(line(one)) for one in told(sheet, options)]
    return "\n".join([heads[0], *memories, heads[1], *relations])


def _line(shown: dict[str, Any]) -> str:
    sure = decimal(_within(shown["confidence"]))
    return f"- [{_flat(shown['type'])}] {_flat(shown['content'])} (confidence: {sure})"


def _within(number: Any) -> Any:
    """Return a confidence that a person wrote as the nearest one that is possible."""
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    return min(max(number, 0.0), 1.0) if is_number else number


def _flat(text: object) -> str:
    """Return a text on one line, so that stored text cannot add lines to a block."""
    return " ".join(str(text).split())


def decimal(number: Any) -> str:
    """Format a confidence as the shortest decimal with at least one digit; others unchanged."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return _flat(number)
    from decimal import Decimal

    text = format(Decimal(repr(float(number))), "f")
    return text if "." in text else f"{text}.0"
