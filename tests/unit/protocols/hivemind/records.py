"""Memories of the protocol, made without a ledger."""

from __future__ import annotations

from typing import Any

from varves.values.memory import Memory

NOW = "2026-11-15T06:20:00.000Z"


def memory(name: str = "mem_aaaaaaaaaaaa", text: str = "Use Zod", **fields: Any) -> Memory:
    """Make an entry with what a test wants to be special about it."""
    extra = {"subtype": "fact", "body": {"text": text}} | fields.pop("extra", {})
    given = {
        "summary": text,
        "scope": "project:shop",
        "protocol": "hivemind",
        "type": "factual",
        "priority": "medium",
        "confidence": 0.5,
        "ttl": "permanent",
        "created_at": NOW,
        "created_by": "USER",
        "updated_at": NOW,
        "updated_by": "USER",
        "at": NOW,
        "kept": "project",
        "extra": extra,
    }
    return Memory(id=name, text=text, **(given | fields))
