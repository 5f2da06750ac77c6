"""The journal of a shutdown: what it set out to do, noted before its first step.

Times and event ids are fixed there. So whoever goes on after a crash does the same thing, and a
step that was done already is seen to be done: no event is written twice.
"""

from __future__ import annotations

from collections import Counter

from varves.protocols.layers.composing import PlannedEvent, compose
from varves.protocols.layers.reading import parse
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.port import Core

SHUTDOWN = "shutdown"  # the kind of note
CLOSED = "closed"  # the last shutdown that came to its end here, whosever it was
STEPS = ("append", "views", "commit", "handoff", "leave")


class Unit(Value):
    """One event to append."""

    entry: PlannedEvent
    event: str
    """The id its `log.entry` gets."""
    draft: str | None = None
    """The proposal it was made from, if any."""
    equal: int = 0
    """How many events of the very same text go before it."""


class ShutdownJournal(Value):
    """What a shutdown is to do, and how far it has come."""

    began: int
    """The instant in milliseconds; the handoff carries it."""
    booted: bool
    """Whether the session had booted: its end is another one's beginning."""
    units: tuple[Unit, ...] = ()
    to: str | None = None
    reason: str
    message: str | None = None
    commit: bool
    files: tuple[str, ...] = ()
    """What goes into the commit beside what events link."""
    handoff: str
    """The id that `handoff.created` gets."""
    modified: tuple[str, ...] = ()
    """The files that differed before the commit."""
    updated: bool = False
    """Whether this session appended anything."""
    committed: str | None = None
    step: str = STEPS[0]
    """The next one to do."""

    def past(self, step: str) -> bool:
        """Tell whether a step is done."""
        return STEPS.index(self.step) > STEPS.index(step)


def name_of(core: Core, kind: str) -> str:
    """Return the name of a note that only this session, or without one this actor, keeps."""
    whose = f"session-{core.session}" if core.session is not None else f"actor-{core.actor}"
    return f"{kind}-{whose}"


def load(core: Core) -> ShutdownJournal | None:
    """Return the journal of a shutdown that did not come to its end; None: there is none."""
    return _journal(core.tree.note(name_of(core, SHUTDOWN)))


def closed(core: Core) -> ShutdownJournal | None:
    """Return the last shutdown here if it was this session's: its caller may not have heard."""
    note = core.tree.note(CLOSED) or {}
    own = note.get("whose") == name_of(core, SHUTDOWN)
    return _journal(note.get("journal")) if own else None


def _journal(note: Any) -> ShutdownJournal | None:
    try:
        units = tuple(Unit(**{**one, "entry": _entry(one["entry"])}) for one in note["units"])
        lists = {key: tuple(note[key]) for key in ("files", "modified")}
        journal = ShutdownJournal(**{**note, **lists, "units": units})
    except (KeyError, TypeError, AttributeError):
        return None  # of another version: what it did stands, the rest is done afresh
    return journal if journal.step in STEPS else None


def _entry(parts: dict[str, Any]) -> PlannedEvent:
    return PlannedEvent(**{**parts, "files": tuple(parts["files"])})


def save(core: Core, journal: ShutdownJournal) -> ShutdownJournal:
    """Keep a journal, durably, before what it says is done."""
    core.tree.keep(name_of(core, SHUTDOWN), journal.as_dict())
    return journal


def leave(core: Core, journal: ShutdownJournal, *kinds: str) -> None:
    """Retain nothing of a session; only the last one that was closed is known a while longer.

    The journal goes last: until then all of this can be done again.
    """
    own = name_of(core, SHUTDOWN)
    core.tree.keep(CLOSED, {"whose": own, "journal": journal.as_dict()})
    for name in (*(name_of(core, kind) for kind in kinds), own):
        if core.tree.note(name) is not None:
            core.tree.keep(name, None)


def counted(units: Iterable[Unit], log: Changelog) -> list[Unit]:
    """Note with each unit how many events of its very text go before it, in the log and here."""
    there = Counter(block.digest for block in log.blocks)
    found = []
    for unit in units:
        digest = _digest(unit)
        found.append(unit.replace(equal=there[digest]))
        there[digest] += 1
    return found


def undone(core: Core, units: Iterable[Unit], log: Changelog) -> list[Unit]:
    """Return the units that neither the log of events nor the file holds."""
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
    """Return what is wanted and not among the units; times do not count, numbers do."""
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
