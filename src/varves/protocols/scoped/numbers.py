"""The numbers of entries: `mem-001` and up, counted in each file, never used twice.

The event that recorded an entry contains its number, or a later event fixes it. Two branches may
use the same number. Then the entry of the earlier event keeps it. The other entry is shown under
the next number above all that were ever used, until the next write to that file fixes that number
by an event. An entry without a number, such as one created by `varves correct`, is shown and fixed
in the same way. If two records of one entry are merged, the remaining record also keeps the other's
number. The numbers of purged entries stay reserved, with their place in the order: no other entry
gets them, and no other number changes. All of this follows from the events alone, so every clone
shows the same numbers.
"""

from __future__ import annotations

import re

from varves.events.kinds import PURGED
from varves.protocols.scoped.places import logs_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.values.memory import Memory

    Claim = tuple[tuple[str, ...], int]  # the order of an event, and the number it names

_LABEL = re.compile(r"mem-(\d{1,9})(?:~([0-9a-z.]+))?")
_LEAST = 1
SAME = "the same entry"
"""The reason recorded when a record is merged into another record of the same entry."""
_CLAIM = 4  # parts of a claim that a purge keeps: stamp, writer and id of an event, and the number


class Gone(Value):
    """The remains of a purged record: its id and the numbers it had named."""

    id: str
    extra: dict[str, Any]


class Numbering:
    """The numbers of one file.

    Args:
        records: all records that ever belonged to the file, in order.
        gone: the remains of purged records.
    """

    def __init__(self, records: Sequence[Memory], gone: Sequence[Gone] = ()) -> None:
        whole: list[Memory | Gone] = [*records, *gone]
        same = _given_way(records)
        claims = [
            (order, place, number)
            for place, record in enumerate(whole)
            for order, number in _claims(record)
            if record.id not in same or number not in claimed(same[record.id])
        ]
        claims.sort()
        self.shown: dict[str, int] = {}
        """The number of each record, by its id."""
        self.loose: dict[str, int] = {}
        """The numbers that no event has fixed yet, by record id."""
        self._gone = {one.id for one in gone}
        self._borne: dict[int, dict[str, Any]] = {}
        for _, place, number in claims:
            record = whole[place]
            borne = self._borne.setdefault(number, {})
            if record.id not in self.shown and not any(
                self.shown.get(name) == number for name in borne
            ):
                self.shown[record.id] = number
            borne[record.id] = record
        self.highest = max(self._borne, default=0)
        own = [one for one in records if one.id not in same]
        for name in self._without(own, gone):
            self.highest += 1
            self.shown[name] = self.highest
            if name not in self._gone:
                self.loose[name] = self.highest
        for name, other in same.items():
            self.shown.setdefault(name, self.shown[other.id])
        self._borne |= {
            self.loose[one.id]: {one.id: one} for one in records if one.id in self.loose
        }

    def _without(self, records: Sequence[Memory], gone: Sequence[Gone]) -> list[str]:
        """Return the records that got none of the numbers they claim, in order of recording."""
        left: list[Any] = [one for one in records if one.id not in self.shown]
        for one in gone:
            if one.id not in self.shown:
                place = [at for at, other in enumerate(left, 1) if _first(other) < _first(one)]
                left.insert(max(place, default=0), one)
        return [one.id for one in left]

    def label(self, name: str) -> str:
        """Return the label of a record in its file."""
        return label(self.shown[name])

    def bearers(self, text: str) -> list[Memory]:
        """Return the records that have had a number, or its alias `mem-015~WRITER`."""
        found = _LABEL.fullmatch(text)
        if found is None:
            return []
        number, writer = int(found[1]), found[2]
        borne = self._borne.get(number, {}).values()
        there = [one for one in borne if one.id not in self._gone]
        return [one for one in there if writer is None or _is_by(one, writer)]

    def alias(self, memory: Memory, number: int) -> str:
        """Return the alias that distinguishes a record from another with the same number."""
        return f"{label(number)}~{memory.writer}"


def _given_way(records: Iterable[Memory]) -> dict[str, Memory]:
    """Return, by the id of each merged record, the remaining record of the same entry."""
    by_id = {one.id: one for one in records}
    found = {}
    for one in by_id.values():
        other = by_id.get(next(iter(one.links.get("superseded_by", ())[-1:]), ""))
        if one.status == "superseded" and one.reason == SAME and other is not None:
            found[one.id] = other
    return {name: other for name, other in found.items() if other.id not in found}


def claimed(record: Memory) -> set[int]:
    """Return the numbers that a record's own events name."""
    return {number for _, number in _claims(record)}


def _is_by(memory: Memory, writer: str) -> bool:
    return writer in (memory.writer, memory.writer.partition(".")[0])


def _first(record: Any) -> tuple[str, ...]:
    """Return the order of the first event that names a number; a record without one sorts first."""
    return min((order for order, _ in _claims(record)), default=())


def _claims(record: Memory | Gone) -> Iterator[Claim]:
    """Yield the numbers that a record's events name, each with the event's order."""
    said = record.extra.get("numbers")
    if said is None:
        said = [["", record.extra.get("number")]]
    for *order, number in said:
        if type(number) is int and number >= _LEAST:
            yield tuple(order), number


def label(number: int) -> str:
    """Format a number as the files do."""
    return f"mem-{number:03}"


def number_in(text: object) -> int | None:
    """Parse a number of a file; None if it is not a number."""
    found = _LABEL.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] is not None or int(found[1]) < _LEAST:
        return None
    return int(found[1])


def is_label(text: str) -> bool:
    """Return whether a text is an entry's number, with or without the writer."""
    return _LABEL.fullmatch(text) is not None


def in_file(records: Iterable[Memory], scope: str) -> list[Memory]:
    """Return the records that ever belonged to a scope's file: no proposals, no other logs."""
    logs = logs_of(scope)
    return [one for one in records if one.scope == scope and one.kept in logs]


def gone_from(events: Iterable[Event]) -> dict[str, list[Gone]]:
    """Return the remains of purged records by scope; only from the log that a file is made of."""
    found: dict[str, dict[str, Gone]] = {}
    for event in events:
        scope, numbers = event.data.get("scope"), event.data.get("numbers")
        if event.kind != PURGED or not isinstance(scope, str) or not isinstance(numbers, list):
            continue
        name = str(event.data.get("memory"))
        if event.log in logs_of(scope) and numbers and all(map(_is_claim, numbers)):
            one = Gone(id=name, extra={"numbers": numbers})
            found.setdefault(scope, {}).setdefault(name, one)
    return {scope: list(ones.values()) for scope, ones in found.items()}


def _is_claim(claim: object) -> bool:
    return (
        isinstance(claim, list)
        and len(claim) == _CLAIM
        and all(isinstance(part, str) for part in claim[:-1])
    )
