"""How a conflict came about: on each side the versions since the last one that both share."""

from __future__ import annotations

from varves.values.value import Value
from varves.web.life import Version, linked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves import Event, Memory
    from varves.web.visit import Visit

_LINEAGE = 30  # the most versions of one side


class Ancestor(Value):
    """One version, and the event that recorded it."""

    memory: Memory
    before: Memory | None
    """The version that it replaced."""
    event: Event | None
    clone: str | None
    """The copy of the project in which it was written, if the sides come from several."""


class Lineage(Value):
    """The versions of both sides."""

    sides: tuple[tuple[Ancestor, ...], ...]
    """For each member, in order: the versions after the shared one, newest first."""
    ancestor: Ancestor | None
    """The newest version from which all members descend; None if there is none."""


def lineage(visit: Visit, members: Sequence[Memory]) -> Lineage:
    """Return how the members of a conflict came about."""
    chains = [_chain(visit, one) for one in members]
    shared = set.intersection(*({one.memory.id for one in chain} for chain in chains))
    last = next((one for one in chains[0] if one.memory.id in shared), None)
    sides = [
        [one for n, one in enumerate(chain) if n == 0 or one.memory.id not in shared]
        for chain in chains
    ]
    found = {one.memory.id: _born(visit, one) for side in sides for one in side}
    clones = {one.writer.partition(".")[0] for one in found.values() if one is not None}
    return Lineage(
        sides=tuple(
            tuple(_ancestor(one, found[one.memory.id], told=len(clones) > 1) for one in side)
            for side in sides
        ),
        ancestor=None if last is None else _ancestor(last, _born(visit, last), told=False),
    )


def _chain(visit: Visit, member: Memory) -> list[Version]:
    """Return a memory and what it replaced, newest first."""
    found, waiting = {member.id: member}, linked(member, "supersedes")
    while waiting and len(found) < _LINEAGE:
        name = waiting.pop(0)
        one = None if name in found else visit.read(name)
        if one is not None:
            found[name] = one
            waiting += linked(one, "supersedes")
    return [
        Version(
            memory=one, before=next(filter(None, map(found.get, linked(one, "supersedes"))), None)
        )
        for one in found.values()
    ]


def _born(visit: Visit, one: Version) -> Event | None:
    """Return the event that recorded a version."""
    name = one.memory.id
    for event in visit.record.history(name):
        record = event.data.get("record")
        if name == (record if isinstance(record, dict) else event.data).get("memory"):
            return event
    return None


def _ancestor(one: Version, event: Event | None, *, told: bool) -> Ancestor:
    clone = event.writer.partition(".")[0] if told and event is not None else None
    return Ancestor(memory=one.memory, before=one.before, event=event, clone=clone)
