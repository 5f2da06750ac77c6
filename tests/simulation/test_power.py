"""Regressions: what the simulation found, each told in a few lines.

All need a process killed, or a disk that fails, and a power cut soon after. What a cut leaves is a
matter of luck, so each is told many times.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.simulation.clone import HOUR, Agent, Clone, Time
from tests.simulation.disk import Dead, File, Folder, Store
from varves.errors import NotDurable
from varves.log.files import lane
from varves.log.files.append import Appender
from varves.log.files.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable

TELLINGS = 30
LANE = "local/lanes/0.lock"


def steps_of(clone: Clone, agent: Agent, text: str) -> int:
    """Remember something and return how many steps the disk took."""
    before = clone.disk.steps
    agent.ledger.remember(text)
    return clone.disk.steps - before


def a_killed_writer(clone: Clone) -> None:
    """Let a process die between its write and its sync, after another of the same length."""
    agent = clone.start("ada")
    agent.ledger.remember("first")
    steps = steps_of(clone, agent, "one")
    clone.disk.arm(steps, "kill")
    with pytest.raises(Dead):
        agent.ledger.remember("two")
    clone.bury()


def lines_of_a_dead_writer(clone: Clone) -> None:
    """Another process goes on after them, in a segment of its own because HEAD has moved."""
    a_killed_writer(clone)
    clone.commit()
    clone.start("bob").ledger.remember("three")


def lines_that_were_cut_back(clone: Clone) -> None:
    """A write fails half-way, is cut back, and its segment is closed."""
    agent = clone.start("ada")
    agent.ledger.remember("first")
    batch = [{"text": f"{number} of several"} for number in range(9)]
    before = clone.disk.steps
    agent.ledger.remember_many(batch[:2])
    clone.disk.arm(clone.disk.steps - before - 1, "fail")
    try:
        agent.ledger.remember_many([{"text": f"{part['text']} more"} for part in batch])
    except NotDurable:
        pass
    clone.disk.disarm()
    agent.ledger.remember("after it")


def a_note_taken_back(clone: Clone) -> None:
    """A lane has gone on to a next segment; its note of that may not have reached the disk."""
    agent = clone.start("ada")
    agent.ledger.remember("first")
    agent.stop()
    clone.disk.cut()  # what is noted by now stays noted
    clone.bury()
    agent = clone.start("ada")
    steps = steps_of(clone, agent, "one")
    clone.disk.arm(min(steps, 1), "fail")
    try:
        agent.ledger.remember("two")
    except NotDurable:
        pass
    clone.disk.disarm()
    agent.ledger.remember("in another segment")


def a_folder_of_a_dead_writer(clone: Clone) -> None:
    """A process dies right after it made the log's folder; the next one uses it as it is."""
    agent = clone.start("ada")
    agent.ledger._context.places.clone("project", clone.ids)
    for steps in range(1, 40):
        clone.disk.arm(steps, "kill")
        try:
            agent.ledger.remember("never said")
        except Dead:
            clone.bury()
            agent = clone.start("ada")
        if isinstance(clone.disk.find(f"{clone.folder}/log"), Folder):
            break
    clone.disk.disarm()
    clone.bury()
    clone.start("bob").ledger.remember("said")


SCENES = [
    lines_of_a_dead_writer,
    lines_that_were_cut_back,
    a_note_taken_back,
    a_folder_of_a_dead_writer,
]


def what_is_wrong(scene: Callable[[Clone], None]) -> list[str]:
    """Tell a scene many times, cut the power, go on a little, and list what does not hold."""
    wrong = []
    for telling in range(TELLINGS):
        clone = Clone("a", f"{scene.__name__} {telling}", Time(), 0)
        scene(clone)
        clone.cut(index_survives=telling % 2 == 0)
        agent = clone.start("cyd")
        agent.ledger.remember("after the cut")
        held = {event.id for event in clone.events()}
        wrong += [f"lost {event}" for event in clone.acknowledged if event.id not in held]
        found = verify(agent.ledger._context.places.store("project"), "project", deep=True)
        wrong += [finding.message for finding in found.damage]
    return wrong


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_power_cut_leaves_a_whole_log(scene):
    assert what_is_wrong(scene) == []


def test_a_line_that_only_a_commit_kept_is_no_damage():
    """The cut takes a line nobody was told of; git has it, and a checkout brings it back."""
    came_back = 0
    for telling in range(TELLINGS):
        clone = Clone("a", f"kept by git {telling}", Time(), 0)
        a_killed_writer(clone)
        clone.commit()
        clone.cut(index_survives=True)
        agent = clone.start("bob")
        agent.ledger.remember("closes what the cut has left")
        before = clone.work_tree()
        for name, content in clone.tracked.items():
            clone.disk.place(f"{clone.folder}/{name}", content)
            came_back += content.startswith(before[name]) and content != before[name]
        found = verify(agent.ledger._context.places.store("project"), "project", deep=True)
        assert not found.damage
    assert came_back, "no cut took a line"


def test_a_segment_is_not_closed_by_a_lane_that_cannot_note_it():
    """Otherwise the next owner of the lane, who finds the old note, would continue it."""
    closings = 0
    for telling in range(TELLINGS):
        clone = Clone("a", f"no note {telling}", Time(), 0)
        agent = clone.start("ada")
        agent.ledger.remember("first")
        agent.stop()
        clone.disk.cut()  # what is noted by now stays noted
        clone.bury()
        clone.commit()
        agent = clone.start("ada")
        clone.disk.arm(2 + telling % 8, "fail")  # the note, its sync, what follows
        try:
            agent.ledger.remember("in another segment")
        except NotDurable:
            pass
        clone.disk.disarm()
        clone.moves, clone.branches["main"] = 0, {}  # a commit taken back: HEAD as noted
        note = clone.disk.find(f"{clone.folder}/{LANE}")
        note._pending.clear()  # of what was not synced nothing reaches the disk
        clone.cut(index_survives=True)
        clone.start("cyd").ledger.remember("after the cut")
        lines = {name: content.count(b"\n") for name, content in clone.work_tree().items()}
        for event in clone.events():
            if event.kind == "segment.closed":
                closings += 1
                assert lines[event.data["segment"]] == event.data["lines"]
    assert closings


def no_sync_of_found_lines(patch):
    patch.setattr(Appender, "_secure", lambda appender, lane: None)


def no_sync_of_a_cut(patch):
    real = File.sync

    def sync(file: File) -> None:
        if file._pending and file._pending[-1][1] is None:
            return
        real(file)

    patch.setattr(File, "sync", sync)


def no_sync_of_a_note(patch):
    patch.setattr(Appender, "_secure_note", lambda appender, lane: None)


def no_sync_of_found_folders(patch):
    real = Store._folder_of

    def folder_of(store: Store, name: str, *, sure: bool = False) -> tuple[Folder, str]:
        return real(store, name)

    patch.setattr(Store, "_folder_of", folder_of)


BROKEN = dict(
    zip(
        [scene.__name__ for scene in SCENES],
        [no_sync_of_found_lines, no_sync_of_a_cut, no_sync_of_a_note, no_sync_of_found_folders],
        strict=True,
    )
)


@pytest.mark.full_size
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_without_its_remedy_each_is_found(scene, monkeypatch):
    """Deliberately broken: what was mended is taken out again."""
    BROKEN[scene.__name__](monkeypatch)
    assert what_is_wrong(scene)


def test_a_note_torn_between_two_is_no_note():
    """Half of one note and half of the next may read as a third that was never written."""
    clone = Clone("a", "torn note", Time(), 0)
    agent = clone.start("ada")
    agent.ledger.remember("first")
    place = f"{clone.folder}/{LANE}"
    one = bytes(clone.disk.find(place).content)
    agent.stop()
    clone.bury()
    agent = clone.start("ada")
    agent.ledger.remember("second")
    agent.stop()
    other = bytes(clone.disk.find(place).content)
    assert lane._note(one)
    assert lane._note(other)
    read = 0
    for cut in range(1, min(len(one), len(other))):
        mixed = other[:cut] + one[cut:]
        if mixed in (one, other):
            continue
        assert lane._note(mixed) == {}
        try:
            read += isinstance(json.loads(mixed), dict)
        except ValueError:
            pass
    assert read, "no mixture is JSON: nothing was tried"


def test_a_remember_is_stamped_above_all_that_was_read():
    """Regression: whoever reads catches the index up, and a write then skipped those stamps."""
    time = Time()
    here, ahead = Clone("a", "stamps", time, 0), Clone("b", "stamps", time, 2 * HOUR)
    agent = here.start("ada")
    agent.ledger.remember("first")
    agent.ledger.remember("second")
    ahead.start("bob").ledger.remember("from a clock that is ahead")
    ahead.commit()
    here.merge(ahead.tracked)
    assert len(agent.ledger.list()) == 3
    told = agent.ledger.remember("said after it was read")
    assert agent.ledger.log()[-1].id == told.event
