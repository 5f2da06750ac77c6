"""The protocol's records at one moment, by scope and number, and their form in answers."""

from __future__ import annotations

from collections import Counter

from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import PURGED
from varves.protocols.excerpt import shortened
from varves.protocols.jsonfile import read_object
from varves.protocols.records import seconds
from varves.protocols.scoped.answers import (
    Aged,
    Dispute,
    EntryLine,
    ProposedEntry,
    Ranked,
)
from varves.protocols.scoped.codec import SENSITIVE
from varves.protocols.scoped.entries import confidence, is_label, label, number_in
from varves.protocols.scoped.numbers import Numbering, gone_from, in_file
from varves.protocols.scoped.options import SHOWN
from varves.protocols.scoped.places import logs_of, path_of
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.instants import iso
from varves.values.memory import STATUSES
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.fold.conflicts import Conflict
    from varves.protocols.port import Core
    from varves.protocols.scoped.numbers import Gone
    from varves.protocols.scoped.ranking import RelevanceScore
    from varves.values.memory import Memory


class Holdings:
    """The records of the protocol, with any status; those of a scope are read when needed."""

    def __init__(self, core: Core, *, lean: bool = False) -> None:
        self._uses: dict[str, tuple[int, str]] | None = None
        self._core = core
        self._lean = lean
        self._scopes: list[str] | None = None
        self._numbers: dict[str, Numbering] = {}
        self._gone: dict[str, list[Gone]] | None = None
        self._by_scope: dict[str, list[Memory]] = {}
        self._now = iso(core.now)

    @property
    def uses(self) -> dict[str, tuple[int, str]]:
        """How often each memory was read or injected up to now, and when last."""
        if self._uses is None:
            self._uses = self._core.uses()
        return self._uses

    def scopes(self, level: str) -> list[str]:
        """Return the scopes of a level that ever had a record."""
        if self._scopes is None:
            self._scopes = sorted(self._core.sizes(STATUSES, private=False))
        return [scope for scope in self._scopes if scope.partition(":")[0] == level]

    def records(self, scope: str) -> list[Memory]:
        """Return all records that ever belonged to a scope's file."""
        if scope not in self._by_scope:
            found = self._core.memories(scope=scope, statuses=STATUSES, lean=self._lean)
            self._by_scope[scope] = in_file(found, scope)
        return self._by_scope[scope]

    def standing(self, *scopes: str) -> list[Memory]:
        """Return the current entries of some scopes.

        Their files show these, and those that have expired: what a file shows depends on the log
        only, not on the time.
        """
        return [one for scope in scopes for one in self.records(scope) if self._stands(one)]

    def saying(self, part: str, *scopes: str) -> list[Memory]:
        """Return the current entries of some scopes whose folded texts contain a part."""
        return [
            one
            for scope in scopes
            for one in in_file(self._core.memories(scope=scope, saying=part), scope)
            if self._stands(one)
        ]

    def _stands(self, one: Memory) -> bool:
        return one.is_current(self._now) and SENSITIVE not in one.tags

    def numbers(self, scope: str) -> Numbering:
        """Return the numbers of a scope's file."""
        if scope not in self._numbers:
            if self._gone is None:
                self._gone = gone_from(self._core.events(PURGED))
            gone = self._gone.get(scope, ())
            self._numbers[scope] = Numbering(self.records(scope), gone, self._text_of)
        return self._numbers[scope]

    def _text_of(self, memory: Memory) -> str:
        found = self._core.memory(memory.id) if self._lean else memory
        return (found or memory).text

    def label(self, memory: Memory) -> str:
        """Return the number of an entry."""
        return self.numbers(memory.scope).label(memory.id)

    def proposals(self, session: str | None = None) -> list[ProposedEntry]:
        """Return the proposals that wait for approval, of all sessions or of one."""
        return [
            proposal(one)
            for one in self._core.memories(statuses=("proposed",))
            if one.kept not in logs_of(one.scope) and session in (None, one.session)
        ]

    def find(self, name: str, scopes: Iterable[str]) -> Memory:
        """Return the record that a number or an id names, in one of some scopes.

        Raises:
            Refused: several records have had that number.
            NotFound: no record has had it.
            UsageError: the name is neither a number nor an id.
        """
        places = list(scopes)
        if is_memory_id(name):
            found = [one for scope in places for one in self.records(scope) if one.id == name]
        elif is_label(name):
            found = [one for scope in places for one in self.numbers(scope).bearers(name)]
        else:
            raise UsageError(f"not an entry: {quoted(name)}", "write it as mem-001")
        if not found:
            raise NotFound(
                f"no {name} in {' or '.join(places) or 'any scope'}",
                "varves scoped read lists the entries",
            )
        holders = sorted({one.scope for one in found})
        if len(holders) > 1:
            level = holders[0].partition(":")[0]
            names = ", ".join(scope.partition(":")[2] for scope in holders)
            hint = f"choose one with --{level} ID"
            if level != "project":
                hint = f"choose one with --scope {level}:ID"
            raise Refused(f"{name} exists in several {level}s: {names}", hint)
        if len(found) > 1:
            both = " and ".join(one.id for one in found)
            raise Refused(f"{name} is the number of two entries: {both}", "use one of these ids")
        if not is_memory_id(name):
            self._compare(name, found[0])
        return found[0]

    def _compare(self, name: str, memory: Memory) -> None:
        """Note which other entry had a number on another branch.

        Raises:
            Refused: the file shows another entry under the number, as git merged it.
        """
        if self.numbers(memory.scope).is_plain:
            return
        path, number = path_of(memory.scope), self.label(memory)
        for shown, one in self.misplaced(memory.scope, self._core.files().get(path, b"")):
            if shown == name:
                message = f"{path} shows {_named(one, shown)}, which is {self.label(one)}"
                hint = f"the file is as git merged it: run varves rebuild, or use {self.label(one)}"
                raise Refused(message, hint)
        for _, one in self.numbers(memory.scope).others(memory):
            if one.status == "active":
                told = f"another branch had {_named(one, number)}"
                self._core.notes.append(f"{told}, which is {self.label(one)} now")

    def misplaced(self, scope: str, content: bytes) -> Iterator[tuple[str, Memory]]:
        """Yield the entries that a file shows under another number than the log, with that one.

        Git's merge driver gives the same numbers as the log, except after numbers that no file
        shows, such as those of forgotten entries.
        """
        if self.numbers(scope).is_plain:
            return
        try:
            listed = read_object(content).get("entries")
        except Unreadable:
            return
        found = listed if isinstance(listed, list) else []
        entries = [one for one in found if isinstance(one, dict)]
        names = [number_in(one.get("id")) for one in entries]
        often = Counter(names)
        by_label = {self.label(one): one for one in self.standing(scope)}
        held = {(one.text, seconds(one.created_at)): one for one in by_label.values()}
        for one, number in zip(entries, names, strict=True):
            other = held.get((str(one.get("content")), str(one.get("created_at"))))
            if number is None or often[number] > 1 or label(number) != one["id"]:
                continue  # `validate` has another finding about it
            if other is not None and other is not by_label.get(one["id"]):
                yield one["id"], other

    # Conversion to answers

    def line(self, memory: Memory) -> EntryLine:
        """Return an entry as a verb shows it."""
        return EntryLine(**self._shown(memory))

    def ranked(self, one: RelevanceScore) -> Ranked:
        """Return a scored entry as a verb shows it."""
        return Ranked(**self._shown(one.memory), score=one.total, terms=one.terms)

    def aged(self, memory: Memory) -> Aged:
        """Return an entry with the time it was last used."""
        last = self.uses.get(memory.id, (0, ""))[1]
        return Aged(**self._shown(memory), last_accessed=seconds(last) if last else None)

    def dispute(self, conflict: Conflict) -> Dispute:
        """Return a conflict with its entries."""
        return Dispute(
            conflict=conflict.id,
            kind=conflict.kind,
            scope=conflict.members[0].scope,
            reason=" ".join(conflict.reason.split()),
            entries=tuple(self.line(one) for one in conflict.members),
        )

    def _shown(self, memory: Memory) -> dict[str, Any]:
        shown = self.numbers(memory.scope).shown
        return {
            "id": self.label(memory) if memory.id in shown else memory.id,
            "memory": memory.id,
            "scope": memory.scope,
            "type": memory.type,
            "content": memory.text,
            "confidence": confidence(memory),
            "created_at": seconds(memory.created_at),
            "accessed_count": self.uses.get(memory.id, (0, ""))[0],
            "kind": _kind(memory),
        }


def _named(memory: Memory, name: str) -> str:
    return f'{name} as "{shortened(memory.text, SHOWN)}"'


def _kind(memory: Memory) -> str | None:
    """Return the kind of a session's note; a note whose type says so is a decision by now."""
    kind = memory.extra.get("kind")
    return memory.type if kind is not None and memory.type == "decision" else kind


def proposal(memory: Memory) -> ProposedEntry:
    """Return a proposed memory as a verb shows it."""
    return ProposedEntry(
        id=memory.id,
        scope=memory.scope,
        type=memory.type,
        content=memory.text,
        confidence=confidence(memory),
        session=memory.session,
        source=memory.source,
    )
