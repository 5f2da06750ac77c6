"""Talks: conversations that frameworks store in a ledger, in their own format.

A talk is private to this clone and is not a memory: recall does not find it. An append reads and
writes in one locked step, so a key is recorded only once and the entries of one call stay together.
"""

from __future__ import annotations

from varves.commands.port import Decision
from varves.errors import NotFound, Refused, UsageError
from varves.events.blobs import inflate
from varves.events.kinds import DROPPED, SAID
from varves.events.talk import dropped_by, identity, key_of, masked, value_of, written
from varves.index.where import EventWhere
from varves.log.blobs import find_blob
from varves.values.talks import Appended, Entry, Talked
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from varves.context.context import Context
    from varves.context.guard import VerbGuard
    from varves.events.event import Draft, Event
    from varves.index.port import Index

    Place = tuple[str, str, str]
    Note = Callable[[Any, list[Any]], Any]

CORE, PRIVATE = "core", "private"
LONGEST_NAME = 1024
LARGEST = 8 << 20  # the most bytes of an entry; the limit of any text
_PORTION = 500  # the most events that one event names as its causes


class Talk:
    """One conversation that a framework stores in a ledger; the first entry creates it."""

    def __init__(self, guard: VerbGuard, name: str, *, purge: Callable[..., object]) -> None:
        self.name = _checked(name, "talk")
        self._guard = guard
        self._context = guard.context
        self._purge = purge
        self._known = _Known(self.name)

    def append(
        self,
        values: Iterable[Any],
        *,
        keys: Sequence[str | None] | None = None,
        note: Note | None = None,
    ) -> Appended:
        """Add entries at the end of the talk, all in one durable write.

        Args:
            values: JSON values; `entries` returns equal values, except for masked secrets.
            keys: for each value a key or None; a value whose key the talk already has is left out.
            note: called with the talk's note and the added values, as they are recorded; its result
                becomes the note. It runs before anything is written.

        Raises:
            UsageError: a value is not JSON, or the numbers of keys and values differ.
            NotDurable: the disk did not accept the entries; nothing was recorded.
        """
        given = list(values)
        called = [None] * len(given) if keys is None else [_key(key) for key in keys]
        if len(called) != len(given):
            raise UsageError(
                "the numbers of keys and entries differ", "pass None for an entry without a key"
            )
        pairs = list(zip(called, given, strict=True))
        return self._guard.run(lambda: _append(self._context, self._known, pairs, note))

    def entries(self, *, limit: int | None = None, after: str | None = None) -> tuple[Entry, ...]:
        """Return entries of the talk, in order.

        Args:
            limit: the maximum number of entries; the last ones or, with `after`, the first ones
                after it.
            after: only entries after the one with this id, even if that entry was removed.
        """
        if limit is not None and limit < 0:
            raise UsageError("limit is negative", "use 0 or more")
        return self._guard.run(lambda: _entries(self._context, self.name, limit=limit, after=after))

    def pop(self) -> Entry | None:
        """Remove the last entry and return it; return None if the talk has no entry."""
        return self._guard.run(lambda: _pop(self._context, self.name))

    def clear(self) -> int:
        """Remove all entries and return how many there were; the talk is still listed."""
        return self._guard.run(lambda: _drop(self._context, self.name, gone=False))

    def delete(self) -> int:
        """Remove all entries, and take the talk off the list of talks.

        Return the number of entries. Their content stays in the log.
        """
        return self._guard.run(lambda: _drop(self._context, self.name, gone=True))

    def purge(self, *, reason: str) -> int:
        """Delete the talk and erase its whole content from every file of this checkout.

        Returns the number of erased entries.
        """
        self.delete()
        memory, count = self._guard.run(lambda: _doomed(self._context, self.name))
        if count:
            self._purge(memory, reason=reason)
        return count

    def __repr__(self) -> str:
        return f"Talk({self.name!r})"


def talks(context: Context, prefix: str) -> tuple[Talked, ...]:
    """Return the talks whose names begin with a prefix, sorted by name."""
    index = context.fresh().index
    found = []
    for name in index.counts().sessions(prefix, CORE, SAID):
        standing = _Standing(index, name)
        if standing.is_there():
            _, when = index.counts().last_in_session(name, CORE, (SAID, DROPPED))
            found.append(Talked(name=name, changed_at=when, note=standing.note()))
    return tuple(found)


def _of(name: str, kind: str) -> EventWhere:
    """Return the condition that selects the events of a talk in the index.

    Only private events are included, because a branch may contain any others.
    """
    here = EventWhere(log=PRIVATE, here=True, held=False)
    return here.replace(session=name, protocol=CORE, kinds=(kind,))


class _Standing:
    """Finds which entries of a talk are left, and which were removed."""

    def __init__(self, index: Index, name: str) -> None:
        self._index = index
        self._name = name
        self.floor: Place | None = None
        self.gone = False
        self.dropped: set[str] = set()
        for event in index.events(_of(name, DROPPED)):
            some = dropped_by(event)
            if some is None:
                self.floor, self.dropped = event.order, set()
                self.gone = event.data.get("gone") is True
            else:
                self.dropped |= some

    def events(
        self,
        *,
        after: Place | None = None,
        first: int | None = None,
        last: int | None = None,
        noted: bool = False,
    ) -> list[Event]:
        """Return the events of entries that were neither removed nor purged."""
        start = max((place for place in (self.floor, after) if place is not None), default=None)
        more = len(self.dropped)
        found = self._index.events(
            _of(self._name, SAID).replace(beyond=start, noted=noted),
            first=None if first is None else first + more,
            last=None if last is None else last + more,
        )
        left = [event for event in found if event.id not in self.dropped and event.data]
        if last is not None:
            return left[len(left) - last :] if len(left) > last else left
        return left if first is None else left[:first]

    def is_there(self) -> bool:
        """Return whether a talk exists: it has entries, or was cleared but not deleted."""
        seen = self.floor is not None and not self.gone
        left = _of(self._name, SAID).replace(beyond=self.floor)
        return seen or bool(self._index.events(left, last=1))

    def note(self) -> Any:
        """Return the newest note (a value that the framework stores with a talk), or None."""
        found = self.events(last=1, noted=True)
        return value_of(found[0].data.get("note"))[1] if found else None


class _Known:
    """The keys of a talk's entries, cached; they are read again after an unexpected change."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._seal: tuple[object, int] = (None, 0)
        self._last: Place | None = None
        self._held: dict[str, tuple[Place, str]] = {}

    def keys(self, index: Index, standing: _Standing) -> set[str]:
        """Return the keys of the entries that were not removed."""
        total, wish = index.counts().in_session(self.name, CORE, (SAID,)), _of(self.name, SAID)
        fresh = index.events(wish.replace(beyond=self._last))
        if self._last is not None and self._seal != (index.generation, total - len(fresh)):
            self._held, fresh = {}, index.events(wish)
        for event in fresh:
            key = key_of(event)
            if key is not None and event.data:
                self._held[key] = event.order, event.id
            self._last = event.order
        self._seal = index.generation, total
        floor = standing.floor or ("",) * 3
        return {
            key
            for key, (place, name) in self._held.items()
            if place > floor and name not in standing.dropped
        }


def _append(
    context: Context, known: _Known, given: list[tuple[str | None, Any]], note: Note | None
) -> Appended:
    if not given:
        return Appended(entries=(), known=0, redacted=())
    clean = [(key, *_masked(value)) for key, value in given]
    context.begin(PRIVATE)
    with context.deciding(PRIVATE):
        context.current()
        index = context.index.get()
        standing = _Standing(index, known.name)
        held = known.keys(index, standing) if any(key for key, _ in given) else set()
        added: list[tuple[str | None, Any, tuple[str, ...]]] = []
        for key, value, rules in clean:
            if key is None or key not in held:
                added.append((key, value, rules))
                held.update(() if key is None else (key,))
        drafts = [
            _draft(context, known.name, SAID, key=key, text=_fitting(value), redacted=list(rules))
            for key, value, rules in added
        ]
        if note is not None and drafts:
            now = note(standing.note(), [value for _, value, _ in added])
            noted = {**drafts[-1].data, "note": _fitting(_masked(now)[0])}
            drafts[-1] = drafts[-1].replace(data=noted)
        _, events = context.append(Decision(log=PRIVATE, drafts=tuple(drafts), memory=""))
    recorded = zip(events, added, strict=True)
    return Appended(
        entries=tuple(_entry(event, value) for event, (_, value, _) in recorded),
        known=len(given) - len(added),
        redacted=tuple(sorted({rule for _, _, rules in added for rule in rules})),
    )


def _entries(
    context: Context, name: str, *, limit: int | None, after: str | None
) -> tuple[Entry, ...]:
    index = context.fresh().index
    standing = _Standing(index, name)
    if after is None:
        return _read(context, standing.events(last=limit))
    event = index.event(after)
    if event is None or (event.kind, event.session) != (SAID, name):
        raise NotFound(f"no entry {quoted(after)} in this talk", "omit `after`")
    return _read(context, standing.events(after=event.order, first=limit))


def _pop(context: Context, name: str) -> Entry | None:
    if not _Standing(context.fresh().index, name).events(last=1):
        return None
    with context.deciding(PRIVATE):
        context.current()
        standing = _Standing(context.index.get(), name)
        found: tuple[Entry, ...] = ()
        passed: list[str] = []
        while not found:
            events = standing.events(last=1)
            if not events:
                break
            found = _read(context, events)
            passed.append(events[0].id)
            standing.dropped.add(events[0].id)
        if passed:
            draft = _draft(context, name, DROPPED, entries=passed)
            context.append(Decision(log=PRIVATE, drafts=(draft,), memory=""))
    return found[0] if found else None


def _drop(context: Context, name: str, *, gone: bool) -> int:
    if not _Standing(context.fresh().index, name).is_there():
        return 0
    with context.deciding(PRIVATE):
        context.current()
        standing = _Standing(context.index.get(), name)
        left = standing.events()
        if left or (gone and standing.is_there()):
            draft = _draft(context, name, DROPPED, all=True, gone=gone or None)
            context.append(Decision(log=PRIVATE, drafts=(draft,), memory=""))
    return len(left)


def _doomed(context: Context, name: str) -> tuple[str, int]:
    """Record a memory made from all entries of a talk; return its id and the entries' number.

    A purge erases the causes of a memory. So purging this memory erases the talk.
    """
    from varves.events.kinds import RECORDED

    context.current()
    said = [event.id for event in context.index.get().events(_of(name, SAID)) if event.data]
    memory: str = context.ids.memory()
    content = {"memory": memory, "text": "A talk that is to be erased.", "scope": "session:erased"}
    act = context.act()
    drafts = tuple(
        act.draft(RECORDED, content, *said[start : start + _PORTION])
        for start in range(0, len(said), _PORTION)
    )
    context.append(Decision(log=PRIVATE, drafts=drafts, memory=memory))
    return memory, len(said)


def _draft(context: Context, name: str, kind: str, **content: Any) -> Draft:
    """Return a draft of an event in a talk, whose name is stored as the event's session."""
    return context.act().replace(session=name).draft(kind, content)


def _read(context: Context, events: Iterable[Event]) -> tuple[Entry, ...]:
    """Return the entries that the given events contain.

    An entry whose blob is missing is left out; `verify` reports the blob.
    """
    found, sources = [], context.logs.own
    for event in events:
        held = dict(event.data)
        inflate(held, lambda digest: find_blob(sources(), PRIVATE, digest))
        whole, value = value_of(held.get("text"))
        if whole:
            found.append(_entry(event, value))
    return tuple(found)


def _entry(event: Event, value: Any) -> Entry:
    return Entry(id=event.id, value=value, key=key_of(event), at=event.time, actor=event.actor)


def _masked(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Return a value as it comes back from JSON, with secrets masked."""
    return masked(value_of(_fitting(value))[1])


def _fitting(value: Any) -> str:
    text = written(value)
    if len(text) * 4 > LARGEST and len(text.encode("utf-8")) > LARGEST:
        raise Refused("an entry is larger than 8 MiB", "keep the large part in a file")
    return text


def _key(key: str | None) -> str | None:
    return None if key is None else _checked(key, "key")


def _checked(name: Any, what: str) -> str:
    """Return the name of a talk or key if it is valid, and has no secret; else raise an error."""
    if not isinstance(name, str) or not name or not name.isprintable():
        raise UsageError(f"not the name of a {what}: {quoted(name)}", "give one line of text")
    if len(name) > LONGEST_NAME:
        raise UsageError(f"the name of a {what} is too long", f"use at most {LONGEST_NAME} letters")
    return identity(name)
