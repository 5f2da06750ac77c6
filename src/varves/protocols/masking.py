"""Masks secrets in hand edits of a protocol's files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.port import Change, Core


def masked(core: Core, change: Change) -> Change:
    """Mask secrets in the changed fields of a record; unchanged fields stay as they are."""
    if change.after is None:
        return change
    before = change.before or {}
    fresh = {key: part for key, part in change.after.items() if before.get(key) != part}
    masked, rules = core.clean(fresh)
    if rules:
        core.notes.append(f"{change.path}: masked {', '.join(rules)}")
    return change.replace(after={**change.after, **masked})
