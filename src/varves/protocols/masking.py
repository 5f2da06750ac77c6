"""Secrets in what a person wrote into a protocol's file by hand."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.port import Change, Core


def masked(core: Core, change: Change) -> Change:
    """Mask secrets in what a person wrote; what stood there before is left as it was."""
    if change.after is None:
        return change
    before = change.before or {}
    fresh = {key: part for key, part in change.after.items() if before.get(key) != part}
    masked, rules = core.clean(fresh)
    if rules:
        core.notes.append(f"{change.path}: masked {', '.join(rules)}")
    return change.replace(after={**change.after, **masked})
