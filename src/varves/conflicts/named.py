"""Stores which conflicts the answers to writes have listed; checks what a caller may see."""

from __future__ import annotations

from varves.values.scope import may_see

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.context.context import Context

# a note in the index: the conflicts that answers to writes have listed, newest last
NAMED = "named"
_MOST = 200


def note_named(context: Context, conflicts: Iterable[str]) -> None:
    """Store that the answer to a write lists some conflicts, so that no later call reports them.

    If this cannot be stored, the conflicts are reported again.
    """
    fresh = [name for name in conflicts if name]
    if not fresh:
        return
    index = context.index.get()
    index.wait(0)
    try:
        notes = index.notes()
        known = (notes.get(NAMED) or "").split()
        notes.put(NAMED, " ".join([*known, *fresh][-_MOST:]))
    except context.index.faults:
        pass
    finally:
        index.wait(None)


def seen_by(context: Context, scope: str) -> bool:
    """Return whether the caller may see a scope."""
    return may_see(scope, actor=context.settings.actor, session=context.settings.session)
