"""The numbers of entries: `mem-001` and up, counted in each file, never used twice.

The event that recorded an entry contains its number, or a later event fixes it. Two branches may
use the same number. Then the older entry keeps it, as git's merge driver decides too, which knows
only the files: the one created earlier or, in the same second, the first by text. The other entry
is shown under the next number above all that were ever used, until the next write to that file
fixes that number by an event; from then on this number is its own. An entry without a number, such
as one created by `varves correct`, is shown and fixed in the same way. If two records of one entry
are merged, the remaining record also keeps the other's number. The numbers of purged entries stay
reserved: no other entry gets them, and no other number changes. All of this follows from the events
alone, so every clone shows the same numbers.
"""

from __future__ import annotations

from varves.events.kinds import PURGED
from varves.protocols.scoped.entries import LABEL, LEAST, NUMBERLESS, label
from varves.protocols.scoped.places import logs_of
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.values.memory import Memory


_SECOND = 19  # length of an instant up to the seconds
_STAMP = 12  # hex digits of a stamp that are its milliseconds
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
        text_of: returns the text of a record; only asked where two claim one number.
    """

    def __init__(
        self,
        records: Sequence[Memory],
        gone: Sequence[Gone] = (),
        text_of: Callable[[Memory], str] | None = None,
    ) -> None:
        self._same = _given_way(records)
        self._gone = {one.id for one in gone}
        self._borne: dict[int, dict[str, Any]] = {}
        whole: list[Memory | Gone] = [*records, *gone]
        claims = {one.id: claimed(one) for one in whole}
        for name, other in self._same.items():  # a merged record leaves out those it shares
            claims[name] = claims[name] - claimed(other)
        for one in whole:
            for number in claims[one.id]:
                self._borne.setdefault(number, {})[one.id] = one
        self.shown: dict[str, int] = {}
        """The number of each record, by its id."""
        self.loose: dict[str, int] = {}
        """The numbers that no event has fixed yet, by record id."""
        ranked = _ranked(whole, claims, text_of or _text)
        taken: set[int] = set()
        for own, one in ranked:
            if own != NUMBERLESS and own not in taken:
                taken.add(own)
                self.shown[one.id] = own
        self.highest = max(self._borne, default=0)
        for _, one in ranked if len(self.shown) < len(whole) else ():
            if one.id in self.shown or one.id in self._same:
                continue
            self.highest += 1
            self.shown[one.id] = self.highest
            if one.id not in self._gone:
                self.loose[one.id] = self.highest
                self._borne[self.highest] = {one.id: one}
        for name, other in self._same.items():
            self.shown.setdefault(name, self.shown[other.id])

    def label(self, name: str) -> str:
        """Return the label of a record in its file."""
        return label(self.shown[name])

    def bearers(self, text: str) -> list[Memory]:
        """Return the records that a number, or its alias `mem-015~WRITER`, can mean.

        That is the record that the file shows under the number. A record that had the number on
        another branch is meant by the alias, or if no record is shown under the number any more.
        """
        found = LABEL.fullmatch(text)
        if found is None:
            return []
        number, writer = int(found[1]), found[2]
        borne = [
            one
            for one in self._borne.get(number, {}).values()
            if writer is None or _is_by(one, writer)
        ]
        shown = [one for one in borne if self._is_shown(one.id, number)]
        return [one for one in shown or borne if one.id not in self._gone]

    @property
    def is_plain(self) -> bool:
        """Whether nobody ever claimed another's number, so that every file agrees with the log."""
        return not self.loose and all(len(bearers) == 1 for bearers in self._borne.values())

    def others(self, memory: Memory) -> list[tuple[int, Memory]]:
        """Return the records that had the number of a record on another branch."""
        number = self.shown[memory.id]
        return [
            (number, one)
            for one in self._borne.get(number, {}).values()
            if self.shown[one.id] != number and one.id not in self._gone
        ]

    def _is_shown(self, name: str, number: int) -> bool:
        return self.shown[name] == number and name not in self._same


def _ranked(
    records: Sequence[Memory | Gone],
    claims: Mapping[str, set[int]],
    text_of: Callable[[Memory], str],
) -> list[tuple[int, Memory | Gone]]:
    """Return records with their own numbers, by age; of equal age by number and then by text.

    Git's merge driver knows no more than that, and gives the same numbers.
    """
    rows = [
        (_born(one), max(claims[one.id]) if claims[one.id] else NUMBERLESS, "", place)
        for place, one in enumerate(records)
    ]
    tied = _tied(rows)
    for born, own, _, place in tuple(rows) if tied else ():
        one = records[place]
        if (born, own) in tied and not isinstance(one, Gone):
            rows[place] = born, own, text_of(one), place
    return [(own, records[place]) for _, own, _, place in sorted(rows)]


def _tied(rows: Iterable[tuple[str, int, str, int]]) -> set[tuple[str, int]]:
    """Return the ages and numbers that several rows have."""
    seen: set[tuple[str, int]] = set()
    found: set[tuple[str, int]] = set()
    for born, own, _, _ in rows:
        (found if (born, own) in seen and own != NUMBERLESS else seen).add((born, own))
    return found


def _born(record: Memory | Gone) -> str:
    """Return when an entry was created, to the second."""
    if not isinstance(record, Gone):
        return record.created_at[:_SECOND]
    return iso(int(min(str(stamp) for stamp, *_ in record.extra["numbers"])[:_STAMP], 16))[:_SECOND]


def _text(record: Memory) -> str:
    return record.text


def _given_way(records: Iterable[Memory]) -> dict[str, Memory]:
    """Return, by the id of each merged record, the remaining record of the same entry."""
    by_id = {one.id: one for one in records}
    found = {}
    for one in by_id.values():
        other = by_id.get(next(iter(one.links.get("superseded_by", ())[-1:]), ""))
        if one.status == "superseded" and one.reason == SAME and other is not None:
            found[one.id] = other
    return {name: other for name, other in found.items() if other.id not in found}


def claimed(record: Memory | Gone) -> set[int]:
    """Return the numbers that a record's own events name."""
    said = record.extra.get("numbers")
    named = [record.extra.get("number")] if said is None else [claim[-1] for claim in said]
    return {number for number in named if type(number) is int and number >= LEAST}


def _is_by(memory: Memory, writer: str) -> bool:
    return writer in (memory.writer, memory.writer.partition(".")[0])


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
