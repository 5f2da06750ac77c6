"""Several replicas of one ledger, all in memory: real commands, real lines, no files.

A script is a list of small steps; each step names a replica, a verb and two numbers, and what the
numbers mean is worked out from what that replica knows at that moment. So every script is legal,
and Hypothesis can shorten one freely.
"""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st

from varves.commands import correct, edit, forget, remember, resolve, share, shelve, undo
from varves.commands.port import Act
from varves.conflicts.flagged import open_conflicts
from varves.errors import VarvesError
from varves.events.codec import stamped
from varves.events.event import Draft, Event
from varves.events.remnants import purged_by
from varves.fold.base import replay
from varves.fold.family import fold_family
from varves.fold.memories import Memories, _families
from varves.values.ids import IdSource, memory_of
from varves.values.instants import Hlc, iso
from varves.values.memory import TRUSTWORTHY, Memory
from varves.values.text import value_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.commands.port import Decision
    from varves.fold.conflicts import Conflict

START = 1_790_000_000_000
HOUR = 3_600_000
TEXTS = ("Use Zod", "use  zod!", "Use Valibot", "Use Yup", "use yup.", "Use nothing")
SCOPES = ("project", "project", "project", "agent:ada", "agent:bob")
KEYS = ("a", "b", "c")  # of documents
PROJECTION = Memories()
many = settings(max_examples=3 * settings.default.max_examples)  # for the laws that matter most


class Watchmaker:
    """A clock that goes as the test tells it to."""

    def __init__(self, ms: int = START, *, fixed: bool = True) -> None:
        self.ms = ms
        self.fixed = fixed

    def now(self) -> int:
        return self.ms


class SeededIds(IdSource):
    """Identities from a seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        return self._random.randbytes(count)


def union(*sides: Iterable[Event]) -> dict[str, Event]:
    """Put sets of events together."""
    return {event.id: event for side in sides for event in side}


def rows_of(events: Iterable[Event], now: int = START) -> dict[str, dict[str, Any]]:
    """Fold events from nothing into rows."""
    return PROJECTION.rows(replay(PROJECTION, events), now, hold_back=False)


def dump_of(events: Iterable[Event], now: int = START) -> str:
    """Fold events from nothing into their canonical dump."""
    return PROJECTION.dump(replay(PROJECTION, events), now, hold_back=False)


def judgements(events: Iterable[Event]) -> tuple[set[tuple[str, bytes, str]], set[tuple[str, str]]]:
    """Return what events reject and what they lift, as the index keeps both."""
    families = [fold_family(group) for group in _families(replay(PROJECTION, events), "g")]
    rejected = {one for family in families for one in family.rejections}
    return rejected, {one for family in families for one in family.lifts}


class Known:
    """What commands may ask, answered by folding a set of events."""

    def __init__(self, events: dict[str, Event], now: int) -> None:
        self._events = events
        self._now = iso(now)
        self.rows = rows_of(events.values(), now)
        rejected, lifted = judgements(events.values())
        targets = {target for target, _ in lifted}
        self._rejections = sorted(one for one in rejected if one[0] not in targets)
        self._state = replay(PROJECTION, events.values())

    def memory(self, name: str) -> Memory | None:
        row = self.rows.get(name)
        return (
            None
            if row is None
            else Memory(**{key: row[key] for key in Memory._fields if key in row})
        )

    def holders(self, key: bytes) -> list[str]:
        """Return every current memory that holds a value, the earliest first."""
        held = [
            row
            for row in self.rows.values()
            if row["status"] == "active"
            and not (row["expires_at"] and row["expires_at"] <= self._now)
            and "heads" not in row["extra"]  # a document will say otherwise
            and value_key(row["kept"], row["scope"], row["text"]) == key
        ]
        return [row["id"] for row in sorted(held, key=lambda row: row["hlc"])]

    def standing(
        self, key: bytes, text: str = "", trust: int = 3, *, protocol: str | None = None
    ) -> tuple[str | None, list[str]]:
        return next(iter(self.holders(key)), None), self.rejecting(key)

    def free(self, name: str) -> bool:
        return bool(self.rows[name]["trust"] >= TRUSTWORTHY)

    def rejecting(self, key: bytes) -> list[str]:
        return list(self.rejections(key))

    def rejections(self, key: bytes) -> dict[str, str]:
        found = sorted(self._rejections, reverse=True)
        return dict(sorted({event: memory for event, held, memory in found if held == key}.items()))

    def event(self, name: str) -> Event | None:
        return self._events.get(name)

    def history(self, memory: str) -> list[Event]:
        return sorted(self._state.of.get(memory, ()), key=lambda event: event.order)

    def flagged(self) -> list[tuple[str, Memory]]:
        return [
            (row["flag"], memory)
            for row in self.rows.values()
            if row["flag"] and (memory := self.memory(row["id"])) is not None
        ]


class Replica:
    """One clone: its events, its clock, and its place in each chain."""

    def __init__(self, name: str, *, skew: int = 0, ids: IdSource | None = None) -> None:
        self.name = name
        self.clock = Watchmaker(START + skew)
        self.ids = ids or SeededIds()
        self.events: dict[str, Event] = {}
        self.lines: dict[str, bytes] = {}
        self._hlc = Hlc(self.clock)
        self._chains: dict[str, tuple[int, str | None]] = {}
        self._known: Known | None = None

    @property
    def known(self) -> Known:
        """What this replica knows now."""
        if self._known is None:
            self._known = Known(self.events, self.clock.now())
        return self._known

    def wait(self, ms: int) -> None:
        """Let this replica's clock move on, or back."""
        self.clock.ms += ms
        self._known = None

    def take(self, events: Iterable[Event], lines: dict[str, bytes]) -> None:
        """Receive events, as a merge brings them."""
        for event in events:
            if event.id not in self.events:
                self.events[event.id] = event
                self.lines[event.id] = lines[event.id]
                self._hlc.read(event.hlc)
        self._known = None

    def meet(self, other: Replica) -> None:
        """Take all that another replica publishes."""
        self.take([e for e in other.events.values() if e.log != "private"], other.lines)

    def stamp(self, draft: Draft, log: str = "project") -> Event:
        """Give a draft its place in the chain, as the log does."""
        seq, prev = self._chains.get(log, (0, None))
        now = self.clock.now()
        stamp = {
            "id": draft.id or self.ids.event(now),
            "hlc": self._hlc.tick(now),
            "time": iso(now),
            "writer": f"{self.name}.main",
            "seq": seq + 1,
            "prev": prev,
            "seen": (),
            "salt": self.ids.salt(),
        }
        event, line = stamped(draft, log, stamp)
        line = line[:-1]
        self._chains[log] = (seq + 1, event.digest)
        self.events[event.id] = event
        self.lines[event.id] = line
        self._known = None
        return event

    def do(self, decide: Callable[..., Decision], command: Any) -> tuple[str, str]:
        """Decide and record; return the memory it is about and the last event's id."""
        self.clock.ms += 1
        self._known = None
        act = Act(actor=self.name, session=None, now=self.clock.now())
        decision = decide(self.known, command, act)
        events = [self.stamp(draft, decision.log) for draft in decision.drafts]
        return decision.memory, events[-1].id if events else ""

    # The verbs, with the words the ledger uses.

    def remember(
        self, text: str, *, scope: str = "project", private: bool = False, **rest: Any
    ) -> tuple[str, str]:
        log = "private" if private else "project"
        own = {name: rest.pop(name) for name in remember.Remember._fields if name in rest}
        name = self.ids.memory()
        wish = remember.Remember(text=text, log=log, scope=scope, id=name, about=rest, **own)
        return self.do(remember.decide, wish)

    def correct(self, name: str, text: str, **rest: Any) -> tuple[str, str]:
        wish = correct.Correct(memory=name, text=text, id=self.ids.memory(), **rest)
        return self.do(correct.decide, wish)

    def edit(self, name: str, **rest: Any) -> tuple[str, str]:
        log = "project" if "scope" in rest else None
        own = {one: rest.pop(one) for one in edit.Edit._fields if one in rest}
        wish = edit.Edit(memory=name, changes=rest, scope_log=log, **own)
        return self.do(edit.decide, wish)

    def forget(self, name: str) -> tuple[str, str]:
        return self.do(forget.decide_forget, forget.Forget(memory=name, reason="not so"))

    def restore(self, name: str) -> tuple[str, str]:
        return self.do(forget.decide_restore, forget.Restore(memory=name))

    def undo(self, event: str) -> tuple[str, str]:
        return self.do(undo.decide, undo.Undo(event=event))

    def share(self, name: str) -> tuple[str, str]:
        return self.do(share.decide, share.Share(memory=name))

    def put(
        self, key: str, text: str | None, *, private: bool = False, **rest: Any
    ) -> tuple[str, str]:
        """Write a version of a document, or delete it: then there is no text."""
        log = "private" if private else "project"
        wish = shelve.Shelve(
            memory=self.place_of(key, private=private),
            shelf="notes",
            key=key,
            log=log,
            scope="project",
            source=f"shelf:notes/{key}",
            text=text,
            **rest,
        )
        return self.do(lambda *given: shelve.decide(*given)[0], wish)

    def place_of(self, key: str, *, private: bool = False) -> str:
        """Return the id of a document's memory: the first in line that no purge has barred."""
        barred, turn = purged_by(self.events.values()), 0
        while True:
            said = f"{self.name if private else ''} {key} {turn}"
            name = memory_of(blake2b(said.encode(), digest_size=16).digest())
            if name not in barred:
                return name
            turn += 1

    def conflicts(self) -> tuple[Conflict, ...]:
        return open_conflicts(self.known)  # type: ignore[arg-type]

    def resolve(self, conflict: Conflict, **choice: str) -> tuple[str, str]:
        wish = resolve.Resolve(
            conflict=conflict.id, members=conflict.members, id=self.ids.memory(), **choice
        )
        return self.do(resolve.decide, wish)

    # What a test asks.

    def row(self, name: str) -> dict[str, Any]:
        return self.known.rows[name]

    def status(self, name: str) -> str:
        return str(self.row(name)["status"])

    def current(self) -> dict[str, str]:
        """Return the texts that are current, by id."""
        rows = self.known.rows.values()
        return {row["id"]: row["text"] for row in rows if row["status"] == "active"}


def replicas(*names: str, skews: Iterable[int] = ()) -> list[Replica]:
    """Make replicas that share one source of identities."""
    ids, given = SeededIds(7), [*skews]
    return [
        Replica(name, skew=given[place] if place < len(given) else 0, ids=ids)
        for place, name in enumerate(names)
    ]


def meet_all(*group: Replica) -> None:
    """Let every replica have what any of them publishes."""
    for _ in range(2):
        for one in group:
            for other in group:
                one.meet(other)


VERBS = (
    *("remember",) * 4,
    *("correct",) * 5,
    *("sync",) * 4,
    *("forget", "restore", "undo", "undo", "edit", "resolve", "resolve"),
    *("private", "share", "wait"),
    *("put", "put", "put", "delete"),
)
# A step is one number, so that Hypothesis draws them evenly and 0 can mean nothing at all.
steps = st.integers(0, 3 * len(VERBS) * 32 * 32)
scripts = st.lists(steps, min_size=30, max_size=60)
skews = st.lists(st.integers(-HOUR, HOUR), min_size=3, max_size=3)


def play(script: Iterable[int], skew: Iterable[int] = ()) -> list[Replica]:
    """Act a script out on three replicas; what a rule refuses is passed over."""
    group = replicas("ada", "bob", "cyd", skews=skew)
    for step in script:
        if step:
            rest, place = divmod(step - 1, 3)
            rest, verb = divmod(rest, len(VERBS))
            b, a = divmod(rest, 32)
            try:
                _step(group, place, VERBS[verb], (a, b))
            except VarvesError:
                continue
    return group


def _step(group: list[Replica], place: int, verb: str, numbers: tuple[int, int]) -> None:
    a, b = numbers
    here = group[place]
    names = sorted(here.known.rows, key=lambda name: here.known.rows[name]["hlc"])
    name = names[-1 - a % len(names)] if names else ""
    text = TEXTS[b % len(TEXTS)]
    if verb == "remember":
        ttl = "30m" if a == 31 else None
        here.remember(text, scope=SCOPES[a % len(SCOPES)], again=b > 25, ttl=ttl)
    elif verb == "private":
        if place == 0:
            here.remember(text, private=True, again=b > 25)
    elif verb in ("put", "delete"):
        own = place == 0 and a % 8 == 7
        here.put(KEYS[a % 3], text if verb == "put" else None, private=own, again=b > 25)
    elif verb == "correct":
        here.correct(name, text, again=b > 25)
    elif verb == "sync":
        _sync(group[b % 3], here, a)
    elif verb == "edit":
        _edit(here, name, b)
    elif verb == "undo":
        events = sorted(here.events.values(), key=lambda event: event.order)
        here.undo(events[-1 - a % len(events)].id if events else "")
    elif verb == "resolve":
        _resolve(here, a, b)
    elif verb == "wait":
        here.wait((a - 8) * 5 * 60_000)
    else:
        {"forget": here.forget, "restore": here.restore, "share": here.share}[verb](name)


def _sync(source: Replica, target: Replica, mask: int) -> None:
    """Take everything another replica publishes, or only some of it."""
    events = [event for event in source.events.values() if event.log != "private"]
    if mask > 15:
        keep = random.Random(mask)
        events = [event for event in events if keep.random() < 0.6]
    target.take(events, source.lines)


def _edit(here: Replica, name: str, b: int) -> None:
    if b < 12:
        here.edit(name, add_tags=(f"t{b % 3}",))
    elif b < 20:
        here.edit(name, remove_tags=(f"t{b % 3}",))
    elif b < 26:
        here.edit(name, scope=SCOPES[b % len(SCOPES)])
    else:
        here.edit(name, priority="high", confidence=b / 32, ttl="30m" if b == 31 else None)


def _resolve(here: Replica, a: int, b: int) -> None:
    found = here.conflicts()
    if not found:
        return
    conflict = found[a % len(found)]
    member = conflict.members[b % len(conflict.members)].id
    if b < 16:
        here.resolve(conflict, keep=member)
    elif b < 24:
        here.resolve(conflict, merge=TEXTS[a % len(TEXTS)])
    else:
        here.resolve(conflict, delete=member)
