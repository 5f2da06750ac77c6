"""Memories for an agent's context: one fenced block of data, one entry per line."""

from __future__ import annotations

import json

from varves.protocols.hivemind.documents import is_long, kind_of, shortened
from varves.protocols.hivemind.entries import body_of
from varves.protocols.hivemind.wording import filled, in_order
from varves.recall.fence import block, line_of, nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.port import Core
    from varves.values.memory import Memory

_DAY = 10


def block_of(core: Core, memories: Iterable[Memory], options: HivemindOptions) -> str:
    """Return memories as one block whose fence no text inside can close; empty if there are none.

    A memory with an empty content is omitted, and so is a document that was never filled in.
    """
    lines = [line_of(_record(memory, options)) for memory in memories if _content(memory)]
    if not lines:
        return ""
    return block(lines, nonce_for(lines, key=core.ids.salt(), place=core.actor))


def _record(memory: Memory, options: HivemindOptions) -> dict[str, str]:
    """Return the fields of an entry that an agent needs, the content last.

    A content that is too long for its file is shortened here too; `show` returns it in full.
    """
    content = _content(memory)
    if is_long(content, options):
        content = shortened(content, options)
    only = content.get("text") if len(content) == 1 else None
    return {
        "id": memory.id,
        "type": kind_of(memory),
        "subtype": str(memory.extra.get("subtype") or ""),
        "scope": memory.scope,
        "priority": memory.priority or "medium",
        "by": memory.created_by,
        "at": memory.created_at[:_DAY],
        "content": only if isinstance(only, str) else json.dumps(content, ensure_ascii=False),
    }


def _content(memory: Memory) -> dict[str, Any]:
    """Return the content of a memory; for a document, only the parts that were filled in."""
    content = body_of(memory)
    if memory.extra.get("subtype") == "error":
        content = {name: part for name, part in in_order(content).items() if part is not None}
    return (filled(content) or {}) if "file" in memory.extra else content
