"""Finds the events that other open sessions of this checkout appended and have not committed yet.

A shutdown leaves them out of its commit: they are committed by the shutdown of their own session.
Their entries in `.varves/log` are committed with it, because a log is committed whole; so the
shutdown records which events it left out, and other clones do not treat these events as removed.
"""

from __future__ import annotations

from varves.events.kinds import LOGGED, WITHHELD
from varves.protocols.layers import journal
from varves.protocols.layers.known import LOG, parsed
from varves.protocols.layers.session_note import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.port import Core

LEFT = "left"  # the note of the events that were left out here


def of_others(core: Core, log: Changelog) -> tuple[Block, ...]:
    """Return the uncommitted events of other open sessions, in the order of the file."""
    head = parsed(core.tree.committed(LOG))
    committed = {block.name for block in head.blocks} if head else set()
    fresh = {block.name: block for block in log.blocks if block.name not in committed}
    if not fresh:
        return ()
    own = journal.name_of(core, RULES)
    seen: set[str] = set()
    found: set[str] = set()
    for event in core.events(LOGGED):
        name = event.data.get("memory")
        if name not in fresh or name in seen:
            continue
        seen.add(name)
        note = journal.note_name(RULES, session=event.session, actor=event.actor)
        if note != own and name in (core.tree.note(note) or {}).get("appended", ()):
            found.add(name)
    return tuple(block for name, block in fresh.items() if name in found)


def whose(core: Core, blocks: Sequence[Block]) -> str:
    """Return who can commit these events: their sessions, or actors without a session."""
    names = {block.name for block in blocks}
    owners: dict[str, str] = {}
    for event in core.events(LOGGED):
        if event.data.get("memory") in names:
            owner = f"session {event.session}" if event.session else f"actor {event.actor}"
            owners.setdefault(event.data["memory"], owner)
    return ", ".join(dict.fromkeys(owners.values()))


def leave_out(core: Core, blocks: Sequence[Block]) -> None:
    """Record the events that the next commit leaves out."""
    names = [block.name for block in blocks]
    core.append("project", [core.act().draft(WITHHELD, {"entries": names})])
    known = (core.tree.note(LEFT) or {}).get("entries", ())
    core.tree.keep(LEFT, {"entries": sorted({*known, *names})})


def left_out(core: Core, names: Iterable[str]) -> set[str]:
    """Return the named events that a commit of another checkout left out and HEAD lacks."""
    wanted = set(names)
    told = {name for event in core.events(WITHHELD) for name in event.data.get("entries", ())}
    told &= wanted - {*(core.tree.note(LEFT) or {}).get("entries", ())}
    if not told:
        return told
    head = parsed(core.tree.committed(LOG))
    return told - {block.name for block in head.blocks} if head else told
