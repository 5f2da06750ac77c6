"""Derives the nature and the category of a memory from its type in its protocol."""

from __future__ import annotations

_NATURE = {
    "decision": "semantic",
    "convention": "procedural",
    "pattern": "procedural",
    "rule": "procedural",
    "anti_pattern": "procedural",
    "procedure": "procedural",
    "event": "episodic",
    "change": "episodic",
    "result": "episodic",
    "milestone": "episodic",
    "error": "episodic",
    "summary": "episodic",
    "proposal": "working",
}
_NATURES = ("factual", "procedural", "episodic", "semantic", "working")


def facets(native_type: str) -> tuple[str, str]:
    """Return (nature, category) of a memory, given its type's name in its protocol."""
    if native_type in _NATURES:
        return native_type, native_type
    return _NATURE.get(native_type, "factual"), native_type
