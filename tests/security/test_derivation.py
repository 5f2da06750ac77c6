"""S1: a memory is trusted no more than the least of what it was made from.

Random graphs of derivation, written by real commands through every door, with acts of trust in
between. A plain model says what each must be stamped with at the moment it is written; later acts
change the memory they name and no other.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.properties.world import START, Replica, SeededIds, Watchmaker, rows_of
from varves.commands import correct, remember, share, trust, undo
from varves.commands.port import Act
from varves.errors import VarvesError
from varves.values.memory import TRUST, TRUSTWORTHY

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

GRAPHS = 50_000 if full_size() else 300
ORIGINS = tuple(TRUST)


class Graph:
    """One graph as it grows, and what each of its memories must be trusted with."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.replica = Replica("ada", ids=SeededIds(seed))
        self.expected: dict[str, int] = {}
        self.vouched: dict[str, tuple[str, int]] = {}  # the act of trust, and what was before

    def grow(self, steps: int) -> None:
        for number in range(steps):
            verb = self.chance.choice(
                ("derive",) * 5 + ("trust", "trust", "correct", "share", "undo")
            )
            try:
                getattr(self, verb)(number)
            except VarvesError:
                continue  # a rule forbids it: an untrusted door, a memory that is replaced

    def do(self, decide: Callable[..., Any], wish: Any, origin: str) -> tuple[str, str]:
        here = self.replica
        here.wait(1)
        act = Act(
            actor="ada", session=None, now=here.clock.now(), origin=origin, trust=TRUST[origin]
        )
        rows = here.known
        rows.free = lambda name: rows.rows[name]["trust"] >= TRUSTWORTHY  # type: ignore[attr-defined]
        decision = decide(rows, wish, act)
        events = [here.stamp(draft, decision.log) for draft in decision.drafts]
        return decision.memory, events[-1].id

    def derive(self, number: int) -> None:
        origin = self.chance.choice(ORIGINS)
        known = list(self.expected)
        sources = self.chance.sample(known, self.chance.randint(0, min(3, len(known))))
        wish = remember.Remember(
            text=f"statement {number}",
            log=self.chance.choice(("project", "project", "private")),
            scope="project",
            id=self.replica.ids.memory(),
            links={"derived_from": sources} if sources else {},
        )
        name, _ = self.do(remember.decide, wish, origin)
        self.expected[name] = min([TRUST[origin], *(self.expected[one] for one in sources)])

    def correct(self, number: int) -> None:
        origin = self.chance.choice(ORIGINS)
        old = self.chance.choice([*self.expected] or ["mem_none"])
        wish = correct.Correct(
            memory=old, text=f"correction {number}", id=self.replica.ids.memory()
        )
        name, _ = self.do(correct.decide, wish, origin)
        # A person answers for their own words; whoever else corrects has made it from the old one.
        own = TRUST[origin]
        self.expected[name] = own if origin == "direct" else min(own, self.expected[old])

    def share(self, _: int) -> None:
        name = self.chance.choice([*self.expected] or ["mem_none"])
        self.do(share.decide, share.Share(memory=name), self.chance.choice(ORIGINS))
        if name in self.vouched:  # it is published as it stands, and stamped so
            self.vouched[name] = (self.vouched[name][0], self.expected[name])

    def trust(self, _: int) -> None:
        name = self.chance.choice([*self.expected] or ["mem_none"])
        origin = self.chance.choice(ORIGINS)
        before = self.expected.get(name, 0)
        _, event = self.do(trust.decide, trust.Trust(memory=name), origin)
        assert TRUST[origin] >= TRUSTWORTHY
        self.expected[name] = max(before, TRUSTWORTHY)
        self.vouched[name] = (event, before)

    def undo(self, _: int) -> None:
        """Take an act of trust back."""
        name = self.chance.choice([*self.vouched] or ["mem_none"])
        event, before = self.vouched.get(name, ("evt_none", 0))
        self.do(undo.decide, undo.Undo(event=event), self.chance.choice(ORIGINS))
        del self.vouched[name]
        self.expected[name] = before

    def above(self) -> dict[str, tuple[int, int]]:
        """Return what is trusted otherwise than it must be: (found, expected)."""
        rows = rows_of(self.replica.events.values(), self.replica.clock.now())
        return {
            name: (rows[name]["trust"], expected)
            for name, expected in self.expected.items()
            if rows[name]["trust"] != expected
        }


def test_a_derived_memory_is_trusted_as_little_as_its_least_source():
    memories = derived = wrong = 0
    for seed in range(GRAPHS):
        graph = Graph(seed)
        graph.grow(graph.chance.randint(4, 14))
        found = graph.above()
        assert not found, f"graph {seed}"
        memories += len(graph.expected)
        derived += sum(bool(row["links"]) for row in graph.replica.known.rows.values())
        wrong += len(found)
    note_figure("S1", graphs=GRAPHS, memories=memories, derived=derived, above_their_sources=wrong)
    assert derived > GRAPHS


@pytest.fixture
def house(tmp_path, home):
    """Give a ledger without git, whose clock and ids are the test's."""
    root = tmp_path / "house"
    root.mkdir()
    with varves.open(root, clock=Watchmaker(START), ids=SeededIds(1)) as ledger:
        yield ledger


def test_the_stamp_stays_when_the_source_is_trusted_later(house):
    page = house.through("tool").remember("The page says to use Yup").id
    note = house.through("agent").remember("We may use Yup", derived_from=[page]).id
    assert house.show(note).trust == 0
    house.trust(page)
    after = house.through("agent").remember("We shall use Yup", derived_from=[page]).id
    assert [house.show(name).trust for name in (page, note, after)] == [2, 0, 2]
    assert {hit.memory.id for hit in house.recall("Yup")} == {page, after}
    house.rebuild()
    assert [house.show(name).trust for name in (page, note, after)] == [2, 0, 2]


def test_a_chain_of_any_length_does_not_wash_a_memory_clean(house):
    last = house.through("tool").remember("step 0 of the poisoned runbook").id
    for number in range(1, 30):
        door = house.through(("agent", "direct", "repo")[number % 3])
        beside = door.remember(f"clean note {number}").id
        last = door.remember(f"step {number} of it", derived_from=[beside, last]).id
        assert house.show(last).trust == 0
    assert not house.recall("runbook poisoned step")


def test_a_source_that_is_not_there_is_refused(house):
    with pytest.raises(varves.errors.NotFound):
        house.remember("made of nothing", derived_from=["mem_000000000000"])


def test_a_derived_memory_in_a_batch_is_stamped_too(house):
    page = house.through("tool").remember("The page says to use Yup").id
    lines = [{"text": f"copy {number} of the page", "derived_from": [page]} for number in range(9)]
    assert house.remember_many(lines).written == 9
    assert {memory.trust for memory in house.list(status="quarantined")} == {0}
    assert len(house.list(status="quarantined")) == 10
    assert not house.list()
