"""Replicas that purge: the world of `world.py`, where lines lose their content for good.

What a replica erases it erases as the log does: the events first, then the lines. A line that was
purged anywhere goes before the same line with its content, as in every reader.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.properties.world import TEXTS, VERBS, Replica, SeededIds, _step
from varves.commands import purge
from varves.commands.port import Act
from varves.errors import VarvesError
from varves.events.codec import check, decode, purged_line
from varves.events.kinds import precedence
from varves.events.remnants import holds, is_purge, purged_by, stands_for
from varves.fold.rivals import TWIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from varves.commands.port import Decision
    from varves.events.event import Event


class Clone(Replica):
    """A replica that can purge, and finish what others have purged."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self.purged: set[str] = set()  # what it was asked to erase itself

    def take(self, events: Iterable[Event], lines: dict[str, bytes]) -> None:
        """Receive events; of two lines of one id a purged one counts."""
        for event in events:
            held = self.events.get(event.id)
            if held is None or precedence(event) < precedence(held):
                self.events[event.id] = event
                self.lines[event.id] = lines[event.id]
                self._hlc.read(event.hlc)
        self._known = None

    def do(self, decide: Callable[..., Decision], command: Any) -> tuple[str, str]:
        """Decide and record, in a session of one's own."""
        decision = decide(self.known, command, self.act())
        events = [self.stamp(draft, decision.log) for draft in decision.drafts]
        return decision.memory, events[-1].id if events else ""

    def act(self) -> Act:
        self.clock.ms += 1
        self._known = None
        return Act(actor=self.name, session=f"of {self.name}", now=self.clock.now())

    def bar(self, name: str) -> None:
        """Say that a memory is purged, and erase nothing yet."""
        drafts = purge.decide(self.known, purge.Purge(memory=name, reason="asked for"), self.act())
        self._say(drafts)
        self.purged.add(name)

    def erase(self, *, some: Random | None = None) -> None:
        """Take the content out of lines: of all that hold any, or of some."""
        self._say(purge.completing(self.unfinished(), self.standing(), self.act()))
        for event in self.unfinished():
            if some is None or some.random() < 0.5:
                line = purged_line(self.lines[event.id])
                check(line)
                self.lines[event.id] = line
                self.events[event.id] = decode(line, event.log)
        self._known = None

    def _say(self, drafts: dict[str, list[Any]]) -> None:
        for log, made in drafts.items():
            for draft in made:
                self.stamp(draft, log)

    def barred(self) -> set[str]:
        return purged_by(self.events.values())

    def standing(self) -> list[Event]:
        return [e for e in self.events.values() if is_purge(e) or stands_for(e)]

    def unfinished(self) -> list[Event]:
        """Return the events that hold purged content."""
        barred = self.barred()
        return [event for event in self.events.values() if holds(event, barred)]

    def public(self) -> list[Event]:
        return [event for event in self.events.values() if event.log != "private"]


def clones(*names: str, seed: int, skews: Iterable[int] = ()) -> list[Clone]:
    """Make clones that share one source of identities."""
    ids, given = SeededIds(seed), [*skews]
    return [
        Clone(name, skew=given[place] if place < len(given) else 0, ids=ids)
        for place, name in enumerate(names)
    ]


def act_out(chance: Random, group: list[Clone], steps: int) -> None:
    """Let clones do what they may, purges among it; what a rule refuses is passed over."""
    for _ in range(steps):
        place = chance.randrange(len(group))
        numbers = (chance.randrange(32), chance.randrange(32))
        try:
            fate = chance.random()
            if fate < 0.12:
                one_purge(chance, group[place])
            elif fate < 0.2:
                publish(chance, group[0])
            elif fate < 0.3:
                decide(chance, group[place])
            elif fate < 0.4:
                fork(chance, *chance.sample(group, 2))
            else:
                _step(group, place, chance.choice(VERBS), numbers)  # type: ignore[arg-type]
        except VarvesError:
            continue


def publish(chance: Random, here: Clone) -> None:
    """Say something in private, or publish what was said so."""
    own = [name for name, row in here.known.rows.items() if row["kept"] == "private"]
    if own and chance.random() < 0.7:
        here.share(chance.choice(own))
    else:
        here.remember(chance.choice(TEXTS), private=True)


def decide(chance: Random, here: Clone) -> None:
    """Settle a conflict in one of the three ways, if there is any."""
    for conflict in here.conflicts()[:1]:
        member = chance.choice(conflict.members).id
        way = chance.choice(({"keep": member}, {"delete": member}, {"merge": chance.choice(TEXTS)}))
        here.resolve(conflict, **way)


def fork(chance: Random, one: Clone, other: Clone) -> None:
    """Let two clones correct the same memory, and often see what the other did."""
    other.meet(one)
    both = [name for name in one.current() if other.current().get(name) and one.row(name)]
    shared = [name for name in both if one.row(name)["kept"] == "project"]
    if shared:
        name = chance.choice(shared)
        one.correct(name, chance.choice(TEXTS), again=True)
        other.correct(name, chance.choice(TEXTS), again=True)
        if chance.random() < 0.7:
            one.meet(other)


def one_purge(chance: Random, here: Clone) -> None:
    """Purge some memory, old or new; it may be cut short before, or while, lines are erased."""
    names = sorted(here.known.rows)
    if not names:
        return
    here.bar(chance.choice(names))
    if chance.random() < 0.7:
        here.erase(some=chance if chance.random() < 0.3 else None)


def unsigned(dump: str) -> str:
    """Return a dump without who wrote each memory: what is said again is its purger's to answer."""
    rows = [json.loads(line) for line in dump.splitlines()]
    return json.dumps([{**row, "writer": None} for row in rows])


def rows_but(dump: str, names: set[str]) -> list[dict[str, Any]]:
    """Return a dump's rows without some memories and without what links to them."""
    rows = [json.loads(line) for line in dump.splitlines()]
    kept = [row for row in rows if row["id"] not in names]
    for row in kept:
        links = {key: [one for one in ids if one not in names] for key, ids in row["links"].items()}
        row["links"] = {key: ids for key, ids in links.items() if ids}
    return kept


def assert_others_stay(before: str, after: str, purged: set[str]) -> None:
    """Check that a purge changed no other memory, but for what was judged against the purged one.

    Its value is no longer rejected and it is nobody's rival any more; whoever is current again for
    that may be a rival in turn. Nothing a person decided may differ.
    """
    old, left = rows_but(before, purged), rows_but(after, purged)
    assert [row["id"] for row in old] == [row["id"] for row in left]
    pairs = [(was, now) for was, now in zip(old, left, strict=True) if _judged(was) != _judged(now)]
    for was, now in zip(old, left, strict=True):
        differ = {key for key in was if was[key] != now[key]}
        # Whoever says it again answers for it.
        assert differ <= {"status", "reason", "flag", "links", "writer"}, (was, now)
        if "status" in differ or "reason" in differ:
            assert _by_itself(was), (was, now)
            assert _by_itself(now), (was, now)
    assert not pairs or any(was["flag"] or was["reason"] == TWIN for was, _ in pairs), pairs


def _judged(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["status"], row["reason"], row["flag"]


def _by_itself(row: dict[str, Any]) -> bool:
    """Tell whether nobody but the ranking has given a row its status."""
    return row["status"] in ("active", "expired", "flagged") or row["reason"] == TWIN
