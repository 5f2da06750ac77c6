"""Converts one foreign entry to a record of the protocol, and reports every changed value.

The original values are kept in `was`, and keys that the protocol does not have in `unknown`.
Nothing is refused here: a tree from another tool is imported as found.
"""

from __future__ import annotations

import re
from hashlib import sha256

from varves.errors import UsageError, VarvesError
from varves.events.codec import canonical
from varves.protocols.hivemind.entries import TYPES, kind_named, reference_to
from varves.protocols.hivemind.lifetimes import expires
from varves.protocols.hivemind.options import HivemindOptions
from varves.values.facets import facets
from varves.values.ids import is_memory_id, memory_of
from varves.values.instants import PERMANENT, instant, iso
from varves.values.memory import PRIORITIES
from varves.values.names import safe_name
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Tell = Callable[[str], None]

RELATIONS = ("related_to", "derived_from", "supersedes", "part_of", "references")
KINDS = ("memory", "file", "url", "agent", "project")
ACTOR = re.compile(r"[A-Z]+-\d{3}|COORDINATOR|SYSTEM|USER")
OURS = frozenset(
    (
        *("id", "type", "subtype", "created_by", "created_at", "updated_at", "scope", "scope_id"),
        *("tags", "priority", "ttl", "content", "references", "confidence", "access_count"),
        *("last_accessed", "supersedes", "superseded_by", "summary"),
    )
)
_RENAMED = {"created": "created_at", "updated": "updated_at", "category": "type"}
_SHORT = re.compile(r"(\d+)([hdwmy])")
_NAMED_LEVELS = ("project", "team", "agent", "session")


class Spot(Value):
    """The position of an entry: its file, the place in the file, and the scope of its folder."""

    path: str
    at: str = ""
    scope: str | None = None
    project: str
    """The current project, for entries that name no scope."""


def made_id(*parts: str) -> str:
    """Return an id computed from the parts; the same parts always give the same id."""
    return memory_of(sha256("\0".join(parts).encode()).digest())


def is_entry(part: Any, *, inside: bool) -> bool:
    """Return whether `part` is a memory: it has an id, or inside a list at least a type."""
    if not isinstance(part, dict) or "content" not in part:
        return False
    if not isinstance(part.get("id"), str | None):
        return False
    return "id" in part or (inside and ("type" in part or "category" in part))


def entry(foreign: dict[str, Any], spot: Spot, tell: Tell) -> dict[str, Any]:
    """Return the record for an entry of another tool."""
    given = {_renamed(key, foreign, tell): value for key, value in foreign.items()}
    was: dict[str, Any] = {}
    record: dict[str, Any] = {"source": spot.path}
    _name(record, given, spot, tell)
    record["scope"] = _scope(given, was, spot, tell)
    _kind(record, given, was, tell)
    record["body"] = _body(given.get("content"), was, tell)
    record["tags"] = _tags(given.get("tags"), was, tell)
    record["priority"] = _priority(given.get("priority"), was, tell)
    record["ttl"] = _ttl(given, was, record["type"], tell=tell)
    record["confidence"] = _confidence(given.get("confidence"), was, tell)
    record["created_by"] = _actor(given.get("created_by"), was, tell)
    _times(record, given, was, tell)
    record["references"] = _references(given.get("references"), was, tell)
    record["supersedes"] = _ids(given, "supersedes", was)
    record["superseded_by"] = _ids(given, "superseded_by", was)
    record["uses"] = _uses(given, was, tell)
    if isinstance(given.get("summary"), str):
        record["summary"] = given["summary"]
    unknown = {key: value for key, value in given.items() if key not in OURS}
    if unknown:
        tell(f"kept as found: {', '.join(sorted(unknown))}")
    return record | {"unknown": unknown, "was": was}


def _renamed(key: str, foreign: dict[str, Any], tell: Tell) -> str:
    ours = _RENAMED.get(key)
    if ours is None or ours in foreign:
        return key
    tell(f"{key} -> {ours}")
    return ours


def _name(record: dict[str, Any], given: dict[str, Any], spot: Spot, tell: Tell) -> None:
    """Keep a valid id; replace any other id by a computed one and keep it as an alias."""
    found = given.get("id")
    if isinstance(found, str) and is_memory_id(found):
        record["memory"], record["aliases"] = found, []
    elif isinstance(found, str) and found:
        record["memory"], record["aliases"] = made_id("alias", found), [found]
        tell(f"id {quoted(found)} -> {record['memory']}, with the old one as alias")
    else:
        said = canonical({**given, "id": None}).decode("ascii")
        record["memory"], record["aliases"] = made_id("place", spot.path, said), []
        tell(f"no id -> {record['memory']}")


def _scope(given: dict[str, Any], was: dict[str, Any], spot: Spot, tell: Tell) -> str:
    level, name = given.get("scope"), given.get("scope_id")
    folder = spot.scope or f"project:{spot.project}"
    if level is None:
        tell(f"no scope -> {folder}")
        return folder
    if isinstance(level, str) and ":" in level and name is None:
        level, _, name = level.partition(":")
    if level == "global":
        if name is not None:
            was["scope_id"] = name
            tell(f"scope_id {quoted(name)} of global -> none")
        return "global"
    if level in _NAMED_LEVELS:
        if isinstance(name, str):
            try:
                return f"{level}:{safe_name(name, 'scope id')}"
            except VarvesError:
                pass
        elif name is None and folder.startswith(f"{level}:"):
            tell(f"scope_id none -> {folder.partition(':')[2]}")
            return folder
    was["scope"], was["scope_id"] = level, name
    tell(f"scope {quoted(level)} with scope_id {quoted(name)} -> {folder}")
    return folder


def _kind(record: dict[str, Any], given: dict[str, Any], was: dict[str, Any], tell: Tell) -> None:
    word, subtype = given.get("type"), given.get("subtype")
    if word in TYPES:
        record["type"] = word
    else:
        was["type"] = word
        native = kebab(word) if isinstance(word, str) else ""
        record["type"] = facets(native.replace("-", "_"))[0] if native else "factual"
        subtype = subtype or native or None
        tell(f"type {quoted(word)} -> {record['type']}" if word else "no type -> factual")
    if subtype is not None and (written := kebab(str(subtype))):
        record["subtype"] = written
        if given.get("subtype") not in (None, record["subtype"]):
            was["subtype"] = given["subtype"]
            tell(f"subtype {quoted(subtype)} -> {record['subtype']}")


def kebab(word: str) -> str:
    """Return a word in kebab case."""
    return re.sub(r"[^a-z0-9]+", "-", word.lower())[:64].strip("-")


def _body(content: Any, was: dict[str, Any], tell: Tell) -> dict[str, Any]:
    if isinstance(content, dict):
        return content
    if isinstance(content, str):
        tell('content as text -> {"text": ...}')
        return {"text": content}
    was["content"] = content
    tell('content -> {"value": ...}' if content is not None else "no content -> {}")
    return {} if content is None else {"value": content}


def _tags(tags: Any, was: dict[str, Any], tell: Tell) -> list[str]:
    found = [tags] if isinstance(tags, str) else tags if isinstance(tags, list) else []
    words = [str(tag).strip().lower() for tag in found]
    clean = [word for word in dict.fromkeys(words) if _is_tag(word)]
    if tags is not None and clean != tags:
        was["tags"] = tags
        tell(f"tags {quoted(tags)} -> {', '.join(clean) or 'none'}")
    return clean


def _is_tag(word: str) -> bool:
    return bool(word) and len(word) <= 64 and "," not in word and word.isprintable()


def _priority(priority: Any, was: dict[str, Any], tell: Tell) -> str:
    if priority in PRIORITIES:
        return str(priority)
    if priority is not None:
        was["priority"] = priority
    tell(f"priority {quoted(priority)} -> medium" if priority else "no priority -> medium")
    return "medium"


def _ttl(given: dict[str, Any], was: dict[str, Any], type: str, *, tell: Tell) -> str:
    """Return the time to live; the default is permanent, or 4 hours for working memory."""
    ttl = given.get("ttl")
    if ttl == PERMANENT:
        return PERMANENT
    if isinstance(ttl, str):
        try:
            if ttl.startswith("P"):
                expires(ttl, 0)
                return ttl
            if (short := _SHORT.fullmatch(ttl)) is not None:
                was["ttl"] = ttl
                number, unit = short.groups()
                word = f"PT{number}H" if unit == "h" else f"P{number}{unit.upper()}"
                expires(word, 0)
                tell(f"ttl {ttl} -> {word}")
                return word
        except UsageError:
            pass
    word = HivemindOptions().working_ttl if type == "working" else PERMANENT
    if ttl is not None:
        was["ttl"] = ttl
    tell(f"ttl {quoted(ttl)} -> {word}" if ttl else f"no ttl -> {word}")
    return word


def _confidence(value: Any, was: dict[str, Any], tell: Tell) -> float | None:
    if value is None:
        tell("no confidence -> the default")
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    was["confidence"] = value
    tell(f"confidence {quoted(value)} -> the default")
    return None


def _actor(name: Any, was: dict[str, Any], tell: Tell) -> str:
    if isinstance(name, str) and ACTOR.fullmatch(name):
        return name
    upper = name.upper() if isinstance(name, str) else ""
    actor = upper if ACTOR.fullmatch(upper) else "SYSTEM"
    if name is not None:
        was["created_by"] = name
    tell(f"created_by {quoted(name)} -> {actor}" if name else "no created_by -> SYSTEM")
    return actor


def _times(record: dict[str, Any], given: dict[str, Any], was: dict[str, Any], tell: Tell) -> None:
    for key in ("created_at", "updated_at"):
        record[key] = _instant(given.get(key), key, was, tell=tell)
    created, updated = record["created_at"], record["updated_at"]
    if created is None:
        tell("no created_at -> the time of the import")
        record["updated_at"] = None
    elif updated is not None and updated < created:
        was.setdefault("updated_at", given["updated_at"])
        tell(f"updated_at {given['updated_at']} -> created_at, which it preceded")
        record["updated_at"] = created


def _instant(text: Any, key: str, was: dict[str, Any], *, tell: Tell) -> str | None:
    if text is None:
        return None
    try:
        moment = iso(instant(text))
        instant(moment)  # in UTC it may be outside the range of dates
    except (UsageError, AttributeError, TypeError, OverflowError, ValueError, OSError):
        was[key] = text
        tell(f"{key} {quoted(text)} -> none, because it is not a valid time")
        return None
    if not text.endswith("Z"):
        was[key] = text
        tell(f"{key} {text} -> {moment}")
    return moment


_PROFILES = ("memory_profile", "profile", "metadata", "meta")
"""Keys of an object in which a document may describe itself."""


def stated(body: dict[str, Any]) -> dict[str, Any]:
    """Return how a document without an id describes itself: summary, priority and dates."""
    own = [body, *(body[key] for key in _PROFILES if isinstance(body.get(key), dict))]

    def first(*keys: str) -> Any:
        found = (part[key] for part in own for key in keys if isinstance(part.get(key), str))
        return next((text for text in found if text.strip()), None)

    record: dict[str, Any] = {}
    summary, priority = first("summary", "description"), first("priority")
    if summary is not None:
        record["summary"] = summary
    if priority in PRIORITIES:
        record["priority"] = priority
    times: dict[str, Any] = {}
    given = {
        "created_at": first("created_at", "created"),
        "updated_at": first("updated_at", "last_updated", "updated"),
    }
    _times(times, given, {}, lambda _: None)
    return record | {key: moment for key, moment in times.items() if moment is not None}


def _references(found: Any, was: dict[str, Any], tell: Tell) -> list[dict[str, Any]]:
    if found is None:
        return []
    if not isinstance(found, list):
        was["references"] = found
        tell("references -> none, because it is not a list")
        return []
    links = []
    for part in found:
        if isinstance(part, str) and part:
            links.append(reference_to(part))
            tell(f"reference {quoted(part)} -> a {links[-1]['type']}")
        elif isinstance(part, dict) and isinstance(part.get("id"), str) and part["id"]:
            links.append(_link(part, tell))
        else:
            was.setdefault("references", []).append(part)
            tell("a reference without an id -> kept in the history only")
    return links


def _link(part: dict[str, Any], tell: Tell) -> dict[str, Any]:
    link = dict(part)
    if link.get("type") not in KINDS:
        link["type"] = kind_named(part["id"])
        tell(f"reference of type {quoted(part.get('type'))} -> {link['type']}")
    if link.get("relationship", RELATIONS[0]) not in RELATIONS:
        link["relationship"] = RELATIONS[0]
        tell(f"relationship {quoted(part['relationship'])} -> {RELATIONS[0]}")
    return link


def _ids(given: dict[str, Any], key: str, was: dict[str, Any]) -> list[str]:
    found = given.get(key)
    names = found if isinstance(found, list) else [found]
    if any(name is not None and not isinstance(name, str) for name in names):
        was[key] = found
    return [name for name in names if isinstance(name, str) and name]


def _uses(given: dict[str, Any], was: dict[str, Any], tell: Tell) -> tuple[int, str | None]:
    count = given.get("access_count")
    last = _instant(given.get("last_accessed"), "last_accessed", was, tell=tell)
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count < 2**53:
        return count, last
    if count is not None:
        was["access_count"] = count
        tell(f"access_count {quoted(count)} -> 0")
    return 0, last
