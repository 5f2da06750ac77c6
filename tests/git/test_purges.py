"""S10 with real git: clones that purge beside each other, on branches that merge late."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.figures import add_figure, full_size
from tests.git.scene import (
    Checkout,
    Time,
    assert_whole,
    begin,
    clone,
    folded,
    rules,
)
from tests.properties.purging import unsigned
from tests.properties.shelf import index_dump
from tests.properties.world import dump_of
from tests.rooms import room
from varves.errors import VarvesError
from varves.events.blobs import texts_of
from varves.events.remnants import holds, purged_by

if TYPE_CHECKING:
    from pathlib import Path

HISTORIES = 60 if full_size() else 1
STEPS = 40 if full_size() else 15
VERBS = (
    *("remember",) * 5,
    *("correct",) * 4,
    *("purge",) * 4,
    *("pull",) * 5,
    *("forget", "restore", "undo", "resolve", "share", "branch", "late"),
)


class History:
    """Clones of one repository, each doing what it may."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(f"purges {seed}")
        time = Time()
        origin = begin(folder / "origin", time=time, seed=str(seed))
        others = [clone(origin, name, seed=str(seed)) for name in ("bob", "cyd")]
        self.clones = [origin, *others][: self.chance.choice((2, 3))]
        self.time = time
        self.said = 0
        self.texts: dict[str, str] = {}
        self.settled = 0

    def step(self) -> None:
        """Let somebody do something; what a rule refuses is passed over."""
        here = self.chance.choice(self.clones)
        verb = self.chance.choice(VERBS)
        names = [memory.id for memory in here.ledger.list(status="all")]
        name = self.chance.choice(names) if names else ""
        try:
            if verb in ("remember", "correct", "share"):
                self.say(here, verb, name)
            elif verb == "pull":
                self.pull(here, self.chance.choice(self.clones))
            elif verb in ("branch", "late"):
                self.branch(here, verb)
            elif verb == "purge":
                here.ledger.purge(name, reason="asked for")
            elif verb == "undo":
                here.ledger.undo(here.ledger.log()[-1 - self.chance.randrange(6) :][0].id)
            elif verb == "resolve":
                for conflict in here.ledger.conflicts()[:1]:
                    here.ledger.resolve(conflict.id, keep=conflict.members[0].id)
            elif verb == "forget":
                here.ledger.forget(name, reason="not so")
            else:
                here.ledger.restore(name)
        except (VarvesError, IndexError):
            return

    def say(self, here: Checkout, verb: str, name: str) -> None:
        self.said += 1
        text = f"Statement {self.said} speaks of quagga{self.said}x"
        if verb == "correct":
            here.ledger.correct(name, text)
        else:
            made = here.ledger.remember(text, private=verb == "share")
            if verb == "share":
                here.ledger.share(made.id)

    def branch(self, here: Checkout, verb: str) -> None:
        """Go to a branch of one's own, or merge one that was left long ago."""
        here.commit()
        branches = here.git("branch", "--format=%(refname:short)").split()
        if verb == "branch" and len(branches) < 3:
            here.git("checkout", "--quiet", "-B", f"b{self.said}")
        elif len(branches) > 1:
            here.git("checkout", "--quiet", "main")
            for other in branches:
                if other != "main":
                    self.merge(here, other)
                    here.git("branch", "--quiet", "-D", other)

    def pull(self, here: Checkout, there: Checkout) -> None:
        """Take what another clone has committed on its branch."""
        if here is not there:
            here.commit()
            there.commit()
            here.git("fetch", "--quiet", str(there.root), "HEAD")
            self.merge(here, "FETCH_HEAD")

    def merge(self, here: Checkout, other: str) -> None:
        """Merge; where both sides have purged neighbouring lines, git needs our help."""
        done = here.git("merge", "--quiet", "--no-edit", other, check=False)
        if "CONFLICT" in done:
            assert here.ledger.mend().failed == ()
            here.commit("settled")
            self.settled += 1

    def meet(self) -> None:
        """Bring everything to main, and every clone to everything."""
        for here in self.clones:
            self.branch(here, "late")
        for _ in range(2):
            for here in self.clones:
                for there in self.clones:
                    self.pull(here, there)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_clones_that_purge_beside_each_other_agree_and_bring_nothing_back(tmp_path, home, seed):
    history = History(tmp_path, seed)
    for _ in range(STEPS):
        history.step()
    history.meet()
    dumps, barred, late = set(), set(), 0
    for here in history.clones:
        events = [event for event in here.ledger.log() if event.log == "project"]
        barred |= purged_by(events)
        assert not barred & {memory.id for memory in here.ledger.list(status="all")}
        with room(here.root, clock=here.clock) as seen:
            dump = index_dump(seen.fresh().index, history.time.ms)
        assert dump == dump_of(here.ledger.log(), history.time.ms)
        dumps.add(unsigned(folded(here.ledger, history.time.ms)))
        found = here.ledger.verify()
        assert set(rules(found.damage)) <= {"unpurged"}
        late += len(found.damage)
    assert len(dumps) == 1, "clones disagree"
    for here in history.clones:
        assert here.ledger.mend().failed == ()
        assert_whole(here.ledger)
        dumps.add(unsigned(folded(here.ledger, history.time.ms)))
    assert len(dumps) == 1, "finishing changed something"
    history.meet()
    for here in history.clones:
        here.ledger.mend()
        assert_whole(here.ledger)
        assert_gone(here, barred)
        dumps.add(unsigned(folded(here.ledger, history.time.ms)))
    assert len(dumps) == 1, "a last merge did"
    assert barred
    counts = {"lines_come_late_by_git": late, "conflicts_settled": history.settled}
    add_figure("S10", git_histories=1, returned_by_git=0, **counts)


def assert_gone(here: Checkout, barred: set[str]) -> None:
    """Check that the files of a checkout hold no text that only purged memories had."""
    events = here.ledger.log()
    assert not any(holds(event, barred) for event in events)
    kept = " ".join(text for event in events for _, text in texts_of(event.data))
    places = [here.root / ".varves", here.root / ".git/varves"]
    content = b"\n".join(
        path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()
    )
    words = set(content.split(b"quagga")[1:])
    found = {f"quagga{word.split(b'x')[0].decode('ascii', 'replace')}x" for word in words}
    strange = {word for word in found if word not in kept}
    assert strange == set(), strange


def test_two_clones_that_purge_neighbouring_lines_are_settled(tmp_path, home):
    """Git leaves both versions between its marks; nothing is lost or said while they stand."""
    ada = begin(tmp_path / "ada")
    names = [ada.ledger.remember(f"Statement {n} of quagga{n}x").id for n in range(6)]
    ada.commit()
    bob = clone(ada, "bob")
    ada.ledger.purge(names[2], reason="one")
    ada.commit()
    bob.ledger.purge(names[3], reason="another")
    bob.commit()
    bob.git("fetch", "--quiet", str(ada.root), "HEAD")
    assert "CONFLICT" in bob.git("merge", "--no-edit", "FETCH_HEAD", check=False)
    shown = [memory.id for memory in bob.ledger.list()]
    assert set(shown) == {*names} - {names[2], names[3]}
    plan = bob.ledger.mend(dry_run=True).plan
    assert any("resolve git's conflict" in says for says in plan)
    assert "conflict" in rules(bob.ledger.doctor())
    assert bob.ledger.mend().failed == ()
    bob.commit("settled")
    assert_whole(bob.ledger)
    assert_gone(bob, {names[2], names[3]})
    assert [memory.id for memory in bob.ledger.list()] == shown
    bob.ledger.rebuild()
    assert [memory.id for memory in bob.ledger.list()] == shown
    ada.git("pull", "--quiet", str(bob.root))
    assert_whole(ada.ledger)
    assert {memory.id for memory in ada.ledger.list()} == set(shown)


def test_a_pack_made_beside_a_purge_is_finished(tmp_path, home):
    """One clone packs the segment whose lines another purges."""
    ada = begin(tmp_path / "ada")
    name = ada.ledger.remember("Statement of quagga0x").id
    for number in range(1, 6):
        ada.commit()
        ada.remember(f"Statement {number} stays")
    ada.commit()
    bob = clone(ada, "bob")
    bob.ledger.purge(name, reason="asked for")
    bob.commit()
    assert ada.ledger.pack().segments > 2
    ada.commit()
    bob.git("fetch", "--quiet", str(ada.root), "HEAD")
    bob.git("merge", "--no-edit", "FETCH_HEAD", check=False)
    bob.commit()
    assert "unpurged" in rules(bob.ledger.verify().damage)
    assert bob.ledger.mend().failed == ()
    assert_whole(bob.ledger)
    assert_gone(bob, {name})
