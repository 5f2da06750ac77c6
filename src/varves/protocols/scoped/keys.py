"""Keys that a person wrote into a file beside `version` and `entries`: kept, and shown again.

Each edit says what it set and what it took out, so edits of two branches add up. Keys that open
with a dollar sign, such as `$schema`, stand first, as is the custom; all others stand last.
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
"""The key of what stands in a file beside its entries; no entry has it."""
_NOTHING = object()


def adopted(change: Change, scope: str, act: Act) -> list[Draft]:
    """Return the draft that makes a person's change of such keys so."""
    after, held = change.after, change.ours or {}
    if after is None:
        return []
    if change.before is None:  # what was there before is not known: nothing was taken out
        after = {**held, **after}
    unknown = {key: part for key, part in after.items() if held.get(key, _NOTHING) != part}
    removed = sorted(key for key in held if key not in after)
    if not unknown and not removed:
        return []
    content = {"path": change.path, "scope": scope, "unknown": unknown, "removed": removed}
    return [act.draft(ADOPTED, content)]


def folded_keys(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """Return the keys that files show, by scope, as the log of each file has them."""
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
    """Return a document with the keys a person wrote into it, where they belong."""
    names = sorted(keys)
    first = {name: keys[name] for name in names if name.startswith("$")}
    return first | document | {name: keys[name] for name in names if name not in first}
