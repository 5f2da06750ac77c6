"""Checks whether an event's content has the right shape to act on memories; see also `kinds`.

Digests prove that a line is unchanged, not that its writer is honest: a hostile branch can carry
any JSON. An event whose content does not have its kind's shape is kept and shown, but has no
effect.
"""

from __future__ import annotations

from varves.values.memory import FIELDS, LINKS, NUMBER, OBJECTS, STRING, TEXT, WHOLE, WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OPTIONAL = (str, type(None))
_TYPES: dict[str, Any] = {
    STRING: str,
    TEXT: _OPTIONAL,
    NUMBER: (int, float, type(None)),
    WHOLE: (int, type(None)),
    WORDS: list,
    OBJECTS: list,
    LINKS: dict,
}
# In addition to a memory's fields, a record may have these fields.
_RECORD: dict[str, Any] = {
    **{row.key or name: _TYPES[row.stored] for name, row in FIELDS.items() if row.stored},
    **dict.fromkeys(("lifts", "memories"), list),
    **dict.fromkeys(("blob", "document"), dict),
    "reason": _OPTIONAL,
}
# In addition to a memory's fields, a revision may set these, which only documents and protocols
# have.
_EDITABLE: dict[str, Any] = {
    **{name: _TYPES[row.revised] for name, row in FIELDS.items() if row.revised},
    **dict.fromkeys(("subtype", "file", "digest", "title", "area", "content"), str),
    **dict.fromkeys(("source_session", "topic", "proposer"), str),
    **dict.fromkeys(("body", "unknown", "blob", "document"), dict),
    **dict.fromkeys(("references", "aliases", "supporters", "range", "reactions"), list),
    **dict.fromkeys(("number", "ordinal"), int),
}
_MAX = 2**53


def record(content: Any) -> bool:
    """Return whether the content is the record of a memory."""
    if not isinstance(content, dict):
        return False
    if not (
        "memory" in content and "scope" in content and ("text" in content or "blob" in content)
    ):
        return False
    for key, value in content.items():
        if not isinstance(value, _RECORD.get(key, object)):
            return False
        if key in _INSIDE and not _INSIDE[key](value):
            return False
    return True


def _texts(value: Any) -> bool:
    return isinstance(value, list) and (not value or all(isinstance(part, str) for part in value))


def _words(value: Any) -> bool:
    return _texts(value) and all(part and "\x1f" not in part for part in value)


def _dicts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, dict) for part in value)


def _number(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and abs(value) <= _MAX)


_WITHIN: dict[str, Callable[[Any], bool]] = {
    NUMBER: _number,
    WHOLE: _number,
    WORDS: _words,
    OBJECTS: _dicts,
    LINKS: lambda links: all(_texts(ids) for ids in links.values()),
}
_INSIDE: dict[str, Callable[[Any], bool]] = {
    **{name: _WITHIN[row.stored] for name, row in FIELDS.items() if row.stored in _WITHIN},
    "lifts": _texts,
    "memories": _texts,
}


def act(content: Any) -> bool:
    """Return whether the content names a memory, and gives the scope of each text it rejects."""
    return "memory" in content and _ties(content)


def _ties(content: Any) -> bool:
    """Return whether the content refers to memories, values and events in a valid form."""
    return (
        isinstance(content.get("memory", ""), str)
        and isinstance(content.get("brought", ""), str)
        and _value(content)
        and isinstance(content.get("reason"), _OPTIONAL)
        and _texts(content.get("lifts", []))
        and _texts(content.get("memories", []))
        and isinstance(content.get("document", {}), dict)
        and ("record" not in content or record(content["record"]))
        and ("instead" not in content or _place(content["instead"]))
    )


def _place(instead: Any) -> bool:
    """Return whether `instead` names the replaced event and its place in the order."""
    return (
        isinstance(instead, dict)
        and all(isinstance(instead.get(key), str) for key in ("event", "writer", "time", "actor"))
        and isinstance(instead.get("session"), _OPTIONAL)
        and isinstance(instead.get("hlc"), str)
        and len(instead["hlc"]) == 16
        and not instead["hlc"].strip("0123456789abcdef")
    )


def _value(content: Any) -> bool:
    """Return whether a rejected text has a scope; the text may be in the line or in a blob."""
    if "text" not in content and "blob" not in content:
        return True
    return (
        isinstance(content.get("text", ""), str)
        and isinstance(content.get("blob", {}), dict)
        and isinstance(content.get("scope"), str)
    )


def superseded(content: Any) -> bool:
    """Return whether the content names a memory and the memory that replaces it."""
    by = content.get("by")
    replacement = content.get("record", {"memory": by})
    return act(content) and isinstance(by, str) and replacement["memory"] == by


def merged(content: Any) -> bool:
    """Return whether the content has the shape of a merge of two memories, and names both."""
    return (
        superseded(content)
        and _words(content.get("add_tags", []))
        and isinstance(content.get("links", {}), dict)
        and all(map(_texts, content.get("links", {}).values()))
        and _dicts(content.get("references", []))
    )


def revised(content: Any) -> bool:
    """Return whether the content sets only those fields of a memory that may be set."""
    changes = content.get("set", {})
    return (
        act(content)
        and isinstance(changes, dict)
        and all(_editable(key, value) for key, value in changes.items())
        and _words(content.get("add_tags", []))
        and _texts(content.get("remove_tags", []))
    )


def _editable(key: str, value: Any) -> bool:
    if key not in _EDITABLE or not isinstance(value, _EDITABLE[key]):
        return False
    return key not in _INSIDE or _INSIDE[key](value)


def linked(content: Any) -> bool:
    """Return whether the content names a memory and the targets of its links."""
    links = content.get("links")
    return act(content) and isinstance(links, dict) and all(map(_texts, links.values()))


def resolved(content: Any) -> bool:
    """Return whether the content names the kept and the dropped memories of a conflict."""
    dropped = content.get("drop", [])
    return (
        _ties(content)
        and "memories" in content
        and isinstance(content.get("keep"), _OPTIONAL)
        and _texts(content.get("left", []))
        and _dicts(dropped)
        and all(isinstance(part.get("memory"), str) for part in dropped)
        and all(_value(part) for part in dropped)
    )


def undone(content: Any) -> bool:
    """Return whether the content names the event that it undoes."""
    return _ties(content) and isinstance(content.get("event"), str)


def unshared(content: Any) -> bool:
    """Return whether the content names a memory, and the event that shared it."""
    return "memory" in content and undone(content)


def reacted(content: Any) -> bool:
    """Return whether the content states an agent's reaction to a proposal."""
    return act(content) and all(isinstance(content.get(key), str) for key in ("agent", "reaction"))


def proposal_resolved(content: Any) -> bool:
    """Return whether the content states the outcome of a proposal."""
    return (
        act(content)
        and content.get("status") in ("active", "accepted", "rejected", "modified")
        and isinstance(content.get("successor"), _OPTIONAL)
    )
