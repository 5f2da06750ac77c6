"""The journal of a shutdown: its planned work, stored before the first step.

The journal fixes times and event ids. So a process that continues after a crash does the same work
and recognises completed steps: no event is written twice.
"""

from __future__ import annotations

from collections import Counter

from varves.protocols.layers.composition import PlannedEvent, compose
from varves.protocols.layers.parser import parse
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.port import Core

SHUTDOWN = "shutdown"  # the kind of note
CLOSED = "closed"  # the last shutdown that finished here, of any session
STEPS = ("append", "views", "commit", "handoff", "leave")


class Unit(Value):
    """One event to append."""

    entry: PlannedEvent
    event: str
    """The id of its `log.entry` event."""
    draft: str | None = None
    """The proposal it was made from, if any."""
    equal: int = 0
    """The number of events with exactly the same text before it."""


class ShutdownJournal(Value):
    """The planned work of a shutdown, and its progress."""

    began: int
    """The time in milliseconds; the handoff contains it."""
    booted: bool
    """Whether the session had booted."""
    units: tuple[Unit, ...] = ()
    to: str | None = None
    reason: str
    message: str | None = None
    commit: bool
    share: bool = False
    """Whether the handoff is committed too."""
    files: tuple[str, ...] = ()
    """Additional files for the commit, besides those that events link."""
    handoff: str
    """The id of its `handoff.created` event."""
    modified: tuple[str, ...] = ()
    """The files that differed before the commit."""
    updated: bool = False
    """Whether this session appended anything."""
    committed: str | None = None
    made: bool = False
    """Whether `committed` is a commit of this shutdown, and not one from before it."""
    step: str = STEPS[0]
    """The next step."""

    def past(self, step: str) -> bool:
        """Return whether a step is done."""
        return STEPS.index(self.step) > STEPS.index(step)


def name_of(core: Core, kind: str) -> str:
    """Return the name of a note of this session, or of this actor if there is no session."""
    return note_name(kind, session=core.session, actor=core.actor)


def note_name(kind: str, *, session: str | None, actor: str) -> str:
    """Return the name of a note of a session, or of an actor without a session."""
    return f"{kind}-session-{session}" if session is not None else f"{kind}-actor-{actor}"


def load(core: Core) -> ShutdownJournal | None:
    """Return the journal of an unfinished shutdown; None if there is none."""
    return _journal(core.tree.note(name_of(core, SHUTDOWN)))


def closed(core: Core) -> ShutdownJournal | None:
    """Return the last shutdown here if it was this session's; its answer may have been lost."""
    note = core.tree.note(CLOSED) or {}
    own = note.get("whose") == name_of(core, SHUTDOWN)
    return _journal(note.get("journal")) if own else None


def latest(core: Core) -> ShutdownJournal | None:
    """Return the last shutdown here, of any session."""
    return _journal((core.tree.note(CLOSED) or {}).get("journal"))


def _journal(note: Any) -> ShutdownJournal | None:
    try:
        units = tuple(Unit(**{**one, "entry": _entry(one["entry"])}) for one in note["units"])
        lists = {key: tuple(note[key]) for key in ("files", "modified")}
        journal = ShutdownJournal(**{**note, **lists, "units": units})
    except (KeyError, TypeError, AttributeError):
        return None  # from another version: completed work stays, and the rest starts again
    return journal if journal.step in STEPS else None


def _entry(parts: dict[str, Any]) -> PlannedEvent:
    return PlannedEvent(**{**parts, "files": tuple(parts["files"])})


def save(core: Core, journal: ShutdownJournal) -> ShutdownJournal:
    """Store a journal durably, before its work is done."""
    core.tree.keep(name_of(core, SHUTDOWN), journal.as_dict())
    return journal


def leave(core: Core, journal: ShutdownJournal, *kinds: str) -> None:
    """Delete all notes of a session except the one on its finished shutdown.

    The journal is deleted last: until then, all these deletions can be repeated.
    """
    own = name_of(core, SHUTDOWN)
    core.tree.keep(CLOSED, {"whose": own, "journal": journal.as_dict()})
    for name in (*(name_of(core, kind) for kind in kinds), own):
        if core.tree.note(name) is not None:
            core.tree.keep(name, None)


def counted(units: Iterable[Unit], log: Changelog) -> list[Unit]:
    """Set for each unit the number of equal events before it, in the log and in the list."""
    there = Counter(block.digest for block in log.blocks)
    found = []
    for unit in units:
        digest = _digest(unit)
        found.append(unit.replace(equal=there[digest]))
        there[digest] += 1
    return found


def undone(core: Core, units: Iterable[Unit], log: Changelog) -> list[Unit]:
    """Return the units that are neither in the ledger nor in the file."""
    there = Counter(block.digest for block in log.blocks)
    rows = core.rows()
    return [
        unit
        for unit in units
        if rows.event(unit.event) is None and there[_digest(unit)] <= unit.equal
    ]


def _digest(unit: Unit) -> str:
    return parse(compose(unit.entry).encode()).blocks[0].digest


def missing(units: Sequence[Unit], wanted: Iterable[Unit]) -> list[Unit]:
    """Return the wanted units that `units` lacks; times are ignored, equal units are counted."""
    there = Counter(_saying(one) for one in units)
    found = []
    for one in wanted:
        if there[_saying(one)]:
            there[_saying(one)] -= 1
        else:
            found.append(one)
    return found


def _saying(unit: Unit) -> str:
    return unit.draft or repr(unit.entry.replace(time=""))
