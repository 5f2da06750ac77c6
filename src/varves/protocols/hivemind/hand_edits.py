"""Converts hand edits of the protocol's files to events.

A value that breaks a rule of the protocol is recorded unchanged, and a note reports it. A value
that cannot be recorded, such as tags that are not a list, is ignored, and a note reports that too.
"""

from __future__ import annotations

from varves.commands import intake
from varves.commands.forget import Restore, decide_restore
from varves.errors import VarvesError
from varves.events.codec import canonical
from varves.events.kinds import (
    ACCESSED,
    ARCHIVED,
    FORGOTTEN,
    RECORDED,
    SESSION_ARCHIVED,
    SESSION_STARTED,
)
from varves.events.kinds import REVISED as MEMORY_REVISED
from varves.protocols.hand_edit import REMOVED, found_id, made_id, said_in
from varves.protocols.hivemind import sessions
from varves.protocols.hivemind.creators import is_creator
from varves.protocols.hivemind.documents import (
    KEYS,
    SUPERSEDES,
    derived_references,
    entry,
    shortened,
    succession,
)
from varves.protocols.hivemind.entries import (
    SUBTYPES,
    TYPES,
    body_of,
    default_priority,
    is_kebab,
    recorded_content,
    reference_to,
)
from varves.protocols.hivemind.lifetimes import expires
from varves.protocols.hivemind.options import options
from varves.protocols.hivemind.tree import CURRENT, FULL, LIVE, place_of
from varves.protocols.records import is_count, moment
from varves.values.ids import is_memory_id
from varves.values.instants import instant
from varves.values.memory import PRIORITIES
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.hivemind.documents import Find
    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.port import Change, Core
    from varves.values.memory import Memory

    Drafts = list[tuple[str, Draft]]

OURS = ("id", "updated_at", "access_count", "last_accessed", "supersedes", "superseded_by")
"""Keys derived from events; an edit that changes only these is ignored."""
_REFERENCE = '{"type": "memory", "id": "mem_…", "relationship": "references"}'
_STATED = ("type", "subtype", "created_by")


def memory(core: Core, change: Change, act: Act) -> Drafts:
    """Return the drafts for a change to one memory's file."""
    known = core.memory(change.key) if is_memory_id(change.key) else None
    if change.after is None:
        return _removed(change, act, known)
    after, rules = core.clean(change.after)
    if rules:
        core.notes.append(f"{change.path}: masked {', '.join(rules)}")
    place = place_of(change.path)
    if known is None or known.protocol != "hivemind" or place is None or place[0] != known.scope:
        return _added(core, change.replace(after=after), act)
    return _changed(
        core, change.replace(after=after), act, _Known(known, options(core.table), core.memory)
    )


def _removed(change: Change, act: Act, known: Memory | None) -> Drafts:
    if known is None or known.status == "forgotten" or change.path.endswith(FULL):
        return []
    content = {"memory": known.id, "reason": REMOVED}
    # if the text is current, it is rejected; a retired memory is only removed
    if known.status in LIVE:
        content |= {"text": known.text, "scope": known.scope}
    return [(known.kept, act.draft(FORGOTTEN, content, known.version))]


def _added(core: Core, change: Change, act: Act) -> Drafts:
    """Record a memory from a file written by hand; keep its id if that id is free."""
    after = change.after or {}
    held = [one for one in core.rows().history(change.key) if one.branch is None]
    fresh = not is_memory_id(change.key) or bool(held)
    said = (change.path, change.key, said_in(after))
    if fresh and _is_adopted(core, after, *said):
        return []
    name = found_id(core, "hivemind", *said) if fresh else change.key
    if name != change.key:
        core.notes.append(f"{change.path}: the entry's id is {name}")
    place = place_of(change.path)
    scope, archived, file = place or ("global", False, "")
    record = _record(core, change.path, after, act)
    given = after.get("id")
    content = {
        "memory": name,
        **record,
        "scope": scope,
        "file": file if file not in (f"{name}.json", f"{name}{FULL}") else None,
        "aliases": [given] if isinstance(given, str) and given and given != name else [],
        "unknown": {key: part for key, part in after.items() if key not in KEYS},
    }
    updated, uses = _counted(content.get("created_at"), after)
    content["updated_at"] = updated
    log = core.log_of(scope)
    drafts = [(log, act.draft(RECORDED, content))]
    if uses is not None:
        drafts.append((log, act.draft(ACCESSED, {"accessed": {name: uses}})))
    if archived:
        about = {"memory": name, "scope": scope, "reason": "found in the archive"}
        drafts.append((log, act.draft(ARCHIVED, about)))
    return drafts


def _is_adopted(core: Core, after: dict[str, Any], *said: str) -> bool:
    """Return whether a file whose id is taken was recorded already, under an id of its own."""
    held = core.memory(made_id("found", "hivemind", *said, "0"))
    return held is not None and held.status in LIVE and body_of(held) == after.get("content")


def _counted(
    created: str | None, after: dict[str, Any]
) -> tuple[str | None, list[int | str] | None]:
    """Return when a found entry was changed, and how often and when it was read, if valid."""
    updated = moment(after.get("updated_at"))
    if updated is not None and created is not None and updated < created:
        updated = None
    read, last = after.get("access_count"), moment(after.get("last_accessed"))
    if not is_count(read) or not read:
        return updated, None
    seen = last or updated or created
    return updated, None if seen is None else [read, seen]


def _record(core: Core, path: str, after: dict[str, Any], act: Act) -> dict[str, Any]:
    """Return the record of an entry as found, and note each value that breaks a rule."""
    values = _values(core, path, after)
    kind = values.get("type") or "factual"
    created = values.get("created_at")
    tags = values.get("tags", [])
    subtype = values.get("subtype") or SUBTYPES.get(kind, "fact")
    priority = values.get("priority") or default_priority(
        subtype, tags, _object(after.get("content"))
    )
    ttl = values.get("ttl") or options(core.table).default_ttl(kind, priority)
    creator = values.get("created_by")
    return {
        "type": kind,
        "subtype": subtype,
        "tags": tags,
        "priority": priority,
        "ttl": ttl,
        "expires_at": _expiry(ttl, instant(created) if created else act.now),
        "confidence": values.get("confidence"),
        "references": values.get("references"),
        "created_at": created,
        "created_by": creator if creator != act.actor else None,
        **recorded_content(after.get("content")),
    }


def _object(content: Any) -> dict[str, Any]:
    return content if isinstance(content, dict) else {"text": str(content)}


class _Known:
    """A memory as recorded in the log, and the document its file should contain."""

    def __init__(self, memory: Memory, options: HivemindOptions, find: Find) -> None:
        self.memory = memory
        self.options = options
        self.find = find

    def document(self, path: str) -> dict[str, Any]:
        """Return the memory's document; the complete one if `path` is its full-text file."""
        whole = path.endswith(FULL)
        return entry(self.memory, {}, self.options, find=self.find, whole=whole)

    def given(self, references: list[Any]) -> list[Any]:
        """Return the references that a person gave.

        All other references are derived from links. Derived references change with other memories,
        so a file from another branch may contain a link here that is in a separate key now.
        """
        derived = derived_references(self.memory, succession(self.memory, self.find))
        for name in self.memory.links.get(SUPERSEDES, ()):
            derived.append({"type": "memory", "id": name, "relationship": SUPERSEDES})
        return [one for one in references if one not in derived]

    def says(self, content: Any) -> bool:
        """Return whether some content equals the memory's content, either complete or shortened."""
        body = body_of(self.memory)
        return content in (body, shortened(body, self.options))


def _changed(core: Core, change: Change, act: Act, own: _Known) -> Drafts:
    """Revise the keys that differ from the file's earlier content, or from the log if unknown."""
    known, after = own.memory, change.after or {}
    ours = change.ours or own.document(change.path)
    earlier = change.before if change.before is not None else ours
    edited = {
        key: part
        for key, part in after.items()
        if key not in OURS and _differs(earlier, key, part) and ours.get(key) != part
    }
    drafts: Drafts = []
    put_back = change.before is None and change.ours is None
    if put_back and known.status != "active":
        restored = decide_restore(core.rows(), Restore(memory=known.id), act)
        drafts += [(restored.log, draft) for draft in restored.drafts]
    gone = [key for key in earlier if key not in after and key not in KEYS]
    content = _revision(core, change.path, edited, own)
    unknown = {**(known.extra.get("unknown") or {})}
    unknown.update({key: part for key, part in edited.items() if key not in KEYS})
    for key in gone:
        unknown.pop(key, None)
    if unknown != (known.extra.get("unknown") or {}):
        content["set"]["unknown"] = unknown
    content = {key: part for key, part in content.items() if part}
    if content:
        revised = {"memory": known.id, **content}
        drafts.append((known.kept, act.draft(MEMORY_REVISED, revised, known.version)))
    return drafts


def _differs(earlier: dict[str, Any], key: str, part: Any) -> bool:
    return key not in earlier or bool(earlier[key] != part)


def _revision(core: Core, path: str, edited: dict[str, Any], own: _Known) -> dict[str, Any]:
    """Return the values that a revision sets and the tags that it adds and removes."""
    known = own.memory
    values = _values(core, path, {key: part for key, part in edited.items() if key in KEYS})
    tags = values.pop("tags", None)
    content: dict[str, Any] = {"set": values}
    if tags is not None:
        content["add_tags"] = [tag for tag in tags if tag not in known.tags]
        content["remove_tags"] = [tag for tag in known.tags if tag not in tags]
    if "ttl" in values or "created_at" in values:
        created = values.get("created_at") or known.created_at
        values["expires_at"] = _expiry(values.get("ttl") or known.ttl, instant(created))
    if "references" in values:
        values["references"] = own.given(values["references"])
        if values["references"] == (known.extra.get("references") or []):
            del values["references"]
    if "content" in edited and not own.says(edited["content"]):
        said = recorded_content(edited["content"])
        values |= said | {"body": said["body"] or {}}
    if {"scope", "scope_id"} & edited.keys():
        core.notes.append(f"{path}: the folder determines the scope; move the file to change it")
    return content


def _values(core: Core, path: str, after: dict[str, Any]) -> dict[str, Any]:
    """Return an entry's values as the record stores them; note each value that breaks a rule."""
    found: dict[str, Any] = {}
    odd = []
    for key in _STATED:
        if isinstance(after.get(key), str) and after[key]:
            found[key] = after[key]
    for key, check in _CHECKS.items():
        if after.get(key) is None:
            continue
        try:
            found[key] = check(after[key])
        except (VarvesError, AttributeError, TypeError):
            odd.append(key)
    odd += [
        key for key, kinds in _KINDS.items() if key in after and not isinstance(after[key], kinds)
    ]
    if odd:
        core.notes.append(f"{path}: ignored, not valid: {', '.join(dict.fromkeys(odd))}")
    if "references" in odd:
        said = quoted(canonical(after["references"]).decode())
        core.notes.append(f"{path}: a reference is a text or {_REFERENCE}, not as in {said}")
    strange = [key for key, rule in _RULES.items() if key in found and not rule(found[key])]
    if strange:
        core.notes.append(f"{path}: recorded although not a published value: {', '.join(strange)}")
    return found


def _ttl(value: Any) -> str:
    expires(value, 0)
    return str(value)


def _references(value: Any) -> list[dict[str, Any]]:
    """Return the references that a value names; a text is the id of what it names.

    Raises:
        TypeError: a part is neither an object nor a text.
    """
    parts = value if isinstance(value, list) else [value]
    named = [reference_to(one) if isinstance(one, str) and one else one for one in parts]
    if not all(isinstance(one, dict) for one in named):
        raise TypeError
    return named


_CHECKS: dict[str, Any] = {
    "created_at": intake.moment,
    "tags": lambda value: list(intake.tags(value)),
    "priority": lambda value: intake.word(value, "priority"),
    "ttl": _ttl,
    "confidence": intake.confidence,
    "references": _references,
}
_KINDS: dict[str, Any] = {
    **dict.fromkeys(_STATED, (str, type(None))),
    "content": (dict, str),
}
_RULES: dict[str, Any] = {
    "type": lambda value: value in TYPES,
    "subtype": is_kebab,
    "created_by": is_creator,
    "tags": lambda value: all(tag == tag.lower() for tag in value),
    "priority": lambda value: value in PRIORITIES,
}


def _expiry(ttl: str | None, created: int) -> str | None:
    try:
        return None if ttl is None else expires(ttl, created)
    except VarvesError:
        return None


# Sessions


def session(core: Core, change: Change, act: Act) -> Drafts:
    """Return the drafts for a change to a session's document."""
    after = change.after
    if after is None:
        return []
    try:
        name = safe_name(change.key, "session")
    except VarvesError:
        core.notes.append(f"{change.path}: its session_id is not a valid file name")
        return []
    after = core.clean(after)[0]
    doing = act.replace(session=name)
    about = {"checkout": core.checkout}
    drafts = []
    ours = change.ours or {}
    if not ours and not core.events(SESSION_STARTED, session=name):
        drafts.append(doing.draft(SESSION_STARTED, about))
        if change.path != CURRENT:
            closing = about | {"reason": "found in the archive"}
            drafts.append(doing.draft(SESSION_ARCHIVED, closing))
    earlier = change.before if change.before is not None else ours
    changes, dropped = _differences(earlier, after)
    for key in [key for key in ("started_at", "last_activity") if key in changes]:
        if moment(changes[key]) is None:
            core.notes.append(f"{change.path}: {key} is not a valid time; the edit is ignored")
            del changes[key]
    if changes or dropped:
        drafts.append(doing.draft(sessions.REVISED, about | {"set": changes, "drop": dropped}))
    return [("private", draft) for draft in drafts]


def _differences(
    earlier: dict[str, Any], after: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the keys that an edit set and dropped, down to the second level."""
    changes: dict[str, Any] = {}
    dropped = [key for key in earlier if key not in after]
    for key, part in after.items():
        before: Any = earlier.get(key)
        if key == "session_id" or (key in earlier and part == before):
            continue
        if not (_is_flat(part) and _is_flat(before)):
            changes[key] = part
            continue
        dropped += [f"{key}.{inner}" for inner in before if inner not in part]
        for inner, value in part.items():
            if inner not in before or before[inner] != value:
                changes[f"{key}.{inner}"] = value
    return changes, dropped


def _is_flat(part: Any) -> bool:
    """Return whether the keys of `part` can be addressed as `key.inner`."""
    return isinstance(part, dict) and not any("." in inner for inner in part)
