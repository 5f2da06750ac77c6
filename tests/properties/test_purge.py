"""S10: a purge changes nothing but what was purged, and nothing ever brings that back.

Three clones act at random, each on what it knows; purges come beside corrections, settlings,
undoings and sharings, and are cut short here and there. What one clone has erased another may still
hold, so lines with and without their content meet in every merge.
"""

from __future__ import annotations

import os
import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import varves as package
from tests.figures import full_size, note_figure
from tests.git import conftest as memory
from tests.properties.purging import Clone, act_out, assert_others_stay, clones, unsigned
from tests.properties.shelf import index_dump
from tests.properties.world import HOUR, START, Watchmaker, dump_of, meet_all
from tests.rooms import room
from varves.events.blobs import texts_of
from varves.events.event import Draft
from varves.events.remnants import holds

if TYPE_CHECKING:
    from pathlib import Path

    from varves.events.event import Event

tmp_path = memory.tmp_path
HISTORIES = 1000 if full_size() else 40
ON_DISK = 60 if full_size() else 6


def a_history(seed: int) -> tuple[random.Random, list[Clone]]:
    """Let three clones with wrong clocks do what they may."""
    chance = random.Random(f"purge {seed}")
    skews = [chance.randrange(-HOUR, HOUR) for _ in range(3)]
    group = clones("ada", "bob", "cyd", seed=seed, skews=skews)
    act_out(chance, group, chance.randrange(25, 60))
    return chance, group


def shuffled(events: list[Event], chance: random.Random) -> list[Event]:
    return chance.sample(events, len(events))


def test_over_many_merge_histories_a_purged_memory_never_comes_back():
    purges = late = 0
    for seed in range(HISTORIES):
        chance, group = a_history(seed)
        dumps = set()
        for _ in range(2):  # everybody meets everybody, in some order
            for one, other in chance.sample([(a, b) for a in group for b in group], 9):
                one.meet(other)
        for one in group:
            barred = one.barred()
            assert not barred & set(one.known.rows), f"seed {seed}"
            late += len(one.unfinished())
            dumps.add(dump_of(shuffled(one.public(), chance)))
        assert len(dumps) == 1, f"seed {seed}: clones disagree"
        dumps = {unsigned(dump) for dump in dumps}
        for one in group:
            one.erase()
            assert one.unfinished() == []
            assert said_of(one, one.barred()) == set(), f"seed {seed}"
            dumps.add(unsigned(dump_of(shuffled(one.public(), chance))))
        assert len(dumps) == 1, f"seed {seed}: finishing changed something"
        for one, other in [(a, b) for a in group for b in group] * 2:
            one.meet(other)
        last = {dump_of(shuffled(one.public(), chance)) for one in group}
        assert len(last) == 1, f"seed {seed}: clones disagree at last"
        assert {unsigned(dump) for dump in last} == dumps, f"seed {seed}: a last merge did"
        purges += len(group[0].barred())
    assert purges > HISTORIES
    assert late > HISTORIES, "no merge brought content back: the histories are too tame"
    note_figure("S10", merge_histories=HISTORIES, purges=purges, lines_come_late=late, returned=0)


def said_of(clone: Clone, names: set[str]) -> set[str]:
    """Return the texts of some memories that its lines still hold."""
    return {
        text
        for event in clone.events.values()
        for name, text in texts_of(event.data)
        if name in names
    }


def test_erasing_is_neutral_at_every_step():
    """Between the saying and the last erased line, each state folds to the same memories."""
    for seed in range(HISTORIES):
        chance, group = a_history(seed + 5000)
        for one in group:
            before = unsigned(dump_of(one.events.values()))
            one.erase(some=chance)
            assert unsigned(dump_of(one.events.values())) == before, f"seed {seed}"
            one.erase()
            assert unsigned(dump_of(one.events.values())) == before, f"seed {seed}"


def test_a_purge_changes_no_other_memory():
    for seed in range(HISTORIES):
        chance, group = a_history(seed + 9000)
        for one in group:
            one.erase()
            for name in chance.sample(sorted(one.known.rows), min(2, len(one.known.rows))):
                before = dump_of(one.events.values())
                one.bar(name)
                one.erase()
                assert_others_stay(before, dump_of(one.events.values()), {name})


def test_finishing_twice_says_nothing_more():
    for seed in range(10):
        _, group = a_history(seed + 12_000)
        for one in group:
            one.erase()
            count = len(one.events)
            one.erase()
            assert len(one.events) == count


def test_what_followed_on_an_undone_replacement_stays_a_rival_when_that_is_purged():
    """Its record is gone; that it stood there, and was taken back, is not."""
    ada, bob = clones("ada", "bob", seed=1)
    root, _ = ada.remember("Tea at four")
    between, replaced = ada.correct(root, "Tea at five")
    bob.meet(ada)
    last, _ = ada.correct(between, "Tea at six")
    bob.undo(replaced)
    ada.meet(bob)
    [conflict] = ada.conflicts()
    assert {member.id for member in conflict.members} == {root, last}
    before = dump_of(ada.events.values())
    ada.bar(between)
    assert_others_stay(before, dump_of(ada.events.values()), {between})
    ada.erase()
    assert_others_stay(before, dump_of(ada.events.values()), {between})
    assert [c.id for c in ada.conflicts()] == [conflict.id]


def test_rivals_stay_rivals_when_two_clones_purge_both_ends_of_their_tie():
    """Each clone says again what the other purges; of that neither end may be left."""
    ada, bob = clones("ada", "bob", seed=3)
    root, _ = ada.remember("Tea at four")
    bob.meet(ada)
    two, _ = bob.correct(root, "Tea at eight")
    between, _ = ada.correct(root, "Tea at five")
    one, _ = ada.correct(between, "Tea at six")
    meet_all(ada, bob)
    before = dump_of(ada.events.values())
    ada.bar(root)
    ada.erase()
    bob.bar(between)
    bob.erase()
    meet_all(ada, bob)
    for here in (ada, bob):
        assert here.unfinished()
        here.erase()
        assert said_of(here, {root, between}) == set()
        [conflict] = here.conflicts()
        assert {member.id for member in conflict.members} == {one, two}
        assert_others_stay(before, dump_of(here.events.values()), {root, between})


def test_an_untrusted_stand_in_does_not_displace_an_event_that_is_here():
    """The purge is known, the event came late and is whole; somebody hostile speaks for it."""
    ada, bob, eve = clones("ada", "bob", "eve", seed=2)
    root, _ = ada.remember("Tea at four")
    bob.meet(ada)
    tied, event = bob.correct(root, "Tea at five")
    ada.bar(root)
    ada.erase()
    place = bob.events[event]
    said = {"event": event, "hlc": place.hlc, "writer": place.writer}
    said |= {"time": place.time, "actor": place.actor}
    content = {"memory": root, "by": "mem_evil00000000", "instead": said}
    eve.stamp(Draft(kind="memory.superseded", data=content, actor="eve", origin="tool", trust=0))
    ada.meet(eve)
    ada.meet(bob)
    assert ada.current() == {tied: "Tea at five"}
    ada.erase()
    assert ada.current() == {tied: "Tea at five"}


# The same on disk, through the ledger


def lay_out(root: Path, clone: Clone, chance: random.Random) -> None:
    """Write what a clone knows as segments of a project, private ones beside git."""
    folders = {"project": root / ".varves", "private": root / ".git/varves/private"}
    chains: dict[tuple[str, str], list[Event]] = {}
    for event in sorted(clone.events.values(), key=lambda event: event.seq):
        chains.setdefault((event.log, event.writer), []).append(event)
    for number, ((log, writer), chain) in enumerate(sorted(chains.items())):
        folder = folders[log] / "log/2026-09"
        folder.mkdir(parents=True, exist_ok=True)
        runs = [chain[:1]]
        for before, event in pairwise(chain):
            follows = event.prev == before.digest
            runs = [*runs[:-1], [*runs[-1], event]] if follows else [*runs, [event]]
        for place, run in enumerate(runs):
            cut = chance.randrange(len(run))
            for half, part in enumerate((run[:cut], run[cut:])):
                if part:
                    name = f"20260921-{writer[:3]}-{number:04}{place:03}{half:03}.jsonl"
                    lines = b"".join(clone.lines[event.id] + b"\n" for event in part)
                    (folder / name).write_bytes(lines)


def bytes_of(root: Path) -> bytes:
    """Return all bytes of all files of a project, one after the other."""
    found = []
    for here, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(here, name), "rb") as file:
                found.append(file.read())
    return b"\n".join(found)


def dumped(root: Path) -> str:
    with room(root, clock=Watchmaker(START + 3 * HOUR)) as seen:
        return index_dump(seen.fresh().index, START)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("seed", range(ON_DISK))
def test_a_ledger_purges_as_the_fold_does(project, seed):
    """Random memories as files; each purge leaves the others, the chain and no byte of its own."""
    chance, group = a_history(seed + 20_000)
    clone = group[0]
    lay_out(project, clone, chance)
    with package.open(project, clock=Watchmaker(START + 3 * HOUR)) as ledger:
        for turn in range(4):
            names = sorted(memory.id for memory in ledger.list(status="all"))
            if not names:
                return
            name = chance.choice(names)
            before = dumped(project)
            ledger.purge(name, reason="asked for")
            after = dumped(project)
            assert_others_stay(before, after, {name})
            check = ledger.verify(deep=True)
            assert check.ok, check.damage
            if turn == 2:
                ledger.rebuild()
                assert dumped(project) == after
        purged = {event.data["memory"] for event in ledger.log(kind="memory.purged")}
        events = ledger.log()
        assert not any(holds(event, purged) for event in events)
    left = {text for event in events for _, text in texts_of(event.data)}
    every = {text for event in clone.events.values() for _, text in texts_of(event.data)}
    found = bytes_of(project)
    assert [text for text in every - left if text.encode() in found] == []
