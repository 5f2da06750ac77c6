"""Keys that a person added to a file besides `version` and `entries`: they are kept and shown.

Each edit records which keys it set and which it removed, so edits of two branches combine. Keys
that begin with a dollar sign, such as `$schema`, come first by convention; all others come last.
"""

from __future__ import annotations

from varves.events import kinds
from varves.protocols.scoped.places import logs_of, scope_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.port import Change

ADOPTED = kinds.FILE_ADOPTED
PUBLISHED = ("version", "entries")
WHOLE = ""
"""The key for the parts of a file outside its entries; no entry has it."""
_NOTHING = object()


def adopted(change: Change, scope: str, act: Act) -> list[Draft]:
    """Return the draft that records a person's change to the added keys of a file."""
    after, held = change.after, change.ours or {}
    if after is None:
        return []
    if change.before is None:  # the earlier state is unknown, so nothing counts as removed
        after = {**held, **after}
    unknown = {key: part for key, part in after.items() if held.get(key, _NOTHING) != part}
    removed = sorted(key for key in held if key not in after)
    if not unknown and not removed:
        return []
    content = {"path": change.path, "scope": scope, "unknown": unknown, "removed": removed}
    return [act.draft(ADOPTED, content)]


def folded_keys(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """Return the added keys of each file, by scope, from that file's log."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        content = event.data
        scope = scope_in(str(content.get("path")))
        if event.kind != ADOPTED or scope is None or event.log not in logs_of(scope):
            continue
        keys = found.setdefault(scope, {})
        said, removed = content.get("unknown", {}), content.get("removed", [])
        for key in removed if isinstance(removed, list) else ():
            keys.pop(str(key), None)
        if isinstance(said, dict):
            keys |= {key: part for key, part in said.items() if key not in PUBLISHED}
    return found


def around(document: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the keys a person added, in their places."""
    names = sorted(keys)
    first = {name: keys[name] for name in names if name.startswith("$")}
    return first | document | {name: keys[name] for name in names if name not in first}
