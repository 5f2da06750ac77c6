"""Which events are well formed.

Digests prove that a line is unchanged, not that its writer meant well: a hostile branch can carry
any JSON. An event whose content does not have its kind's shape is kept and shown, and folds to
nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OPTIONAL_TEXT = (
    *("summary", "type", "priority", "ttl", "expires_at", "speaker", "source", "at"),
    *("session", "created_at", "created_by", "protocol", "reason"),
)
_EDITABLE = {"priority": str, "ttl": str, "expires_at": str, "scope": str, "confidence": float}


def record(content: Any) -> bool:
    """Tell whether this is the record of a memory."""
    if not isinstance(content, dict):
        return False
    if not isinstance(content.get("memory"), str) or not isinstance(content.get("scope"), str):
        return False
    if not isinstance(content.get("text"), str) and not isinstance(content.get("blob"), dict):
        return False
    if len(content) == 3:
        return True
    return (
        all(isinstance(content.get(key) or "", str) for key in _OPTIONAL_TEXT)
        and isinstance(content.get("confidence") or 0, (int, float))
        and isinstance(content.get("turn") or 0, int)
        and _texts(content.get("tags", []))
        and _texts(content.get("lifts", []))
        and _dicts(content.get("evidence", []))
        and isinstance(content.get("links", {}), dict)
        and all(_texts(ids) for ids in content.get("links", {}).values())
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _dicts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, dict) for part in value)


def _act(content: Any) -> bool:
    """Tell whether this names a memory, and a scope wherever it rejects a text."""
    return (
        isinstance(content.get("memory"), str)
        and ("text" not in content or _value(content))
        and isinstance(content.get("reason") or "", str)
        and _texts(content.get("lifts", []))
    )


def _value(content: Any) -> bool:
    return isinstance(content.get("text"), str) and isinstance(content.get("scope"), str)


def _superseded(content: Any) -> bool:
    replacement = content.get("record")
    return (
        _act(content)
        and isinstance(content.get("by"), str)
        and (
            replacement is None or (record(replacement) and replacement["memory"] == content["by"])
        )
    )


def _revised(content: Any) -> bool:
    changes = content.get("set", {})
    return (
        _act(content)
        and isinstance(changes, dict)
        and all(_editable(key, value) for key, value in changes.items())
        and _texts(content.get("add_tags", []))
        and _texts(content.get("remove_tags", []))
    )


def _editable(key: str, value: Any) -> bool:
    if key == "confidence" and isinstance(value, int):
        return not isinstance(value, bool)
    return key in _EDITABLE and (isinstance(value, _EDITABLE[key]) or value is None)


def _resolved(content: Any) -> bool:
    dropped = content.get("drop", [])
    return (
        _dicts(dropped)
        and all(isinstance(part.get("memory"), str) for part in dropped)
        and all("text" not in part or _value(part) for part in dropped)
        and isinstance(content.get("keep") or "", str)
        and _texts(content.get("memories"))
        and _texts(content.get("lifts", []))
        and ("record" not in content or record(content["record"]))
    )


def _undone(content: Any) -> bool:
    return isinstance(content.get("event"), str) and _texts(content.get("memories", []))


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "memory.recorded": record,
    "memory.shared": record,
    "memory.superseded": _superseded,
    "memory.revised": _revised,
    "memory.restored": _revised,
    "memory.unshared": lambda content: _act(content) and _undone(content),
    "conflict.resolved": _resolved,
    "event.undone": _undone,
}


def well_formed(kind: str, content: Any) -> bool:
    """Tell whether an event of this kind may act on memories."""
    shape = _SHAPES.get(kind)
    if shape is not None:
        return isinstance(content, dict) and shape(content)
    return kind.startswith("memory.") and isinstance(content, dict) and _act(content)
