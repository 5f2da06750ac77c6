"""S10: what is purged is gone from every file, for good, and nothing else is."""

from __future__ import annotations

import subprocess
import sys

import pytest

import varves as package
from tests.consenting import write_settings
from tests.figures import add_figure, full_size
from tests.git import conftest as memory
from tests.places import forget_local
from tests.security import purge_lives
from tests.security.erasing import TEXT, WORD, git, hits, state_of
from tests.security.purge_lives import (
    FREED,
    LIVES,
    LONG,
    WHY,
    corrected_from,
    corrected_in_blobs,
    forgotten,
    in_a_blob,
    in_a_damaged_line,
    merged,
    one_of_the_merged,
    recorded,
    shared,
)
from varves.errors import NotFound, Refused, VarvesError

tmp_path = memory.tmp_path  # git is started hundreds of times here
scene = purge_lives.scene


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("life", LIVES, ids=lambda life: life.__name__)
def test_whatever_became_of_it_no_byte_is_left_and_nothing_else_changes(scene, life):
    name = life(scene)
    scene.ledger.log()  # into the index as well
    before = state_of(scene.ledger, but=[name])
    said_before = {event.id for event in scene.ledger.log()}
    assert hits(*scene.places())

    done = scene.ledger.purge(name, reason=WHY)

    assert hits(*scene.places()) == []
    assert done.id == name
    assert done.files
    after = state_of(scene.ledger, but=[name])
    if life in FREED:
        for rows in (before, after):
            for row in rows:
                row.update(status="", reason="")
    assert after == before
    check = scene.ledger.verify(deep=True)
    assert check.ok, check.damage
    assert said_before <= {event.id for event in scene.ledger.log()}, "an event is gone"
    assert_says_so(scene.ledger, name)
    add_figure("S10", lives=1, byte_hits=len(hits(*scene.places())))


def assert_says_so(ledger: package.Ledger, name: str) -> None:
    """Check that every door says who and why, in one line, and lets it in no more."""
    history = ledger.history(name)
    purges = [event for event in history if event.kind == "memory.purged"]
    assert {event.data["reason"] for event in purges} == {WHY}
    assert {event.actor for event in purges} == {ledger.actor}
    for refuses in (
        lambda: ledger.show(name),
        lambda: ledger.correct(name, "again"),
        lambda: ledger.edit(name, tag=["x"]),
        lambda: ledger.forget(name, reason="again"),
        lambda: ledger.restore(name),
        lambda: ledger.trust(name),
        lambda: ledger.share(name),
        lambda: ledger.remember("from it", derived_from=[name]),
    ):
        with pytest.raises(NotFound, match=f"^{name} was purged$"):
            refuses()
    with pytest.raises(Refused, match="was purged"):
        ledger.remember("something else", id=name)
    for event in purges:
        with pytest.raises(Refused, match=r"memory\.purged cannot be undone"):
            ledger.undo(event.id)
    assert name not in {memory.id for memory in ledger.list(status="all")}
    assert name not in {hit.memory.id for hit in ledger.recall(WORD, include=("superseded",))}
    why = ledger.why(name)
    assert [(rule.rule, rule.event) for rule in why.rules] == [("purged", purges[0].id)]
    assert not why.recalled


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("life", LIVES if full_size() else [merged, shared, corrected_in_blobs])
def test_a_rebuild_gives_the_same_and_brings_nothing_back(scene, life):
    name = life(scene)
    scene.ledger.purge(name, reason=WHY)
    before = state_of(scene.ledger)
    scene.ledger.rebuild()
    assert state_of(scene.ledger) == before
    forget_local(scene.project)
    scene.reopen()
    assert state_of(scene.ledger) == before
    assert hits(*scene.places()) == []


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("life", LIVES if full_size() else [shared, one_of_the_merged])
def test_a_second_purge_is_fine_and_says_nothing_twice(scene, life):
    name = life(scene)
    scene.ledger.purge(name, reason=WHY)
    events, state = len(scene.ledger.log()), state_of(scene.ledger)
    done = scene.ledger.purge(name, reason="once more")
    assert done.files == ()
    assert (len(scene.ledger.log()), state_of(scene.ledger)) == (events, state)


def test_the_same_may_be_said_again(scene):
    """A purge is no rejection, and it ends those there were."""
    name = forgotten(scene)
    with pytest.raises(VarvesError, match="rejected"):
        scene.say(TEXT)
    scene.ledger.purge(name, reason=WHY)
    again = scene.ledger.remember(TEXT)
    assert (again.status, again.id != name) == ("recorded", True)
    assert scene.ledger.show(again.id).status == "active"


def test_a_text_that_another_memory_says_too_stays_with_that_one(scene):
    name = scene.say(LONG, allow_secret=True)
    other = scene.say(LONG, scope="agent:bob", allow_secret=True)
    done = scene.ledger.purge(name, reason=WHY)
    assert done.same == (other,)
    assert scene.ledger.show(other).text == LONG
    scene.ledger.rebuild()
    assert scene.ledger.show(other).text == LONG
    assert scene.ledger.verify(deep=True).gaps == ()
    assert scene.ledger.purge(other, reason=WHY).same == ()
    assert hits(*scene.places()) == []


def test_a_rival_that_goes_leaves_the_other_current(scene):
    one, two = scene.rivals("One truth", TEXT)
    assert scene.ledger.show(one).status == "flagged"
    scene.ledger.purge(two, reason=WHY)
    assert scene.ledger.show(one).status == "active"
    assert scene.ledger.conflicts() == ()


def test_rivals_stay_rivals_when_everything_between_them_is_purged(scene):
    """Their tie runs through two memories that are both gone."""
    root = scene.say(f"{TEXT}, the root")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "-b", "other")
    between = scene.correct(root, f"{TEXT}, between")
    one = scene.correct(between, "One truth")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "main")
    two = scene.correct(root, "Another truth")
    scene.commit()
    git(scene.project, "merge", "--quiet", "-m", "both", "other")
    for name in (root, between):
        scene.ledger.purge(name, reason=WHY)
    [conflict] = scene.ledger.conflicts()
    assert {memory.id for memory in conflict.members} == {one, two}
    assert hits(*scene.places()) == []


def test_what_a_purged_memory_lifted_stays_lifted(scene):
    """It was said on purpose after a rejection; others that say the same stand by that."""
    first = scene.say("Use the old form")
    scene.commit()
    git(scene.project, "checkout", "--quiet", "-b", "other")
    scene.ledger.forget(first, reason="not so")
    again = scene.say("Use the old form", again=True, tags=[WORD])
    scene.commit()
    git(scene.project, "checkout", "--quiet", "main")
    other = scene.say("Use the old form!", id="mem_abcdefghijkl")
    scene.commit()
    git(scene.project, "merge", "--quiet", "-m", "both", "other")
    assert scene.ledger.show(other).status == "active"
    scene.ledger.purge(again, reason=WHY)
    assert scene.ledger.show(other).status == "active"
    scene.ledger.rebuild()
    assert scene.ledger.show(other).status == "active"
    assert hits(*scene.places()) == []


def test_a_damaged_line_loses_its_content_too(scene):
    name = in_a_damaged_line(scene)
    damage = [(one.rule, one.place) for one in scene.ledger.verify().damage]
    scene.ledger.purge(name, reason=WHY)
    assert hits(*scene.places()) == []
    assert [(one.rule, one.place) for one in scene.ledger.verify().damage] == damage
    assert_says_so(scene.ledger, name)


def test_without_git_nothing_is_left_either(tmp_path, home):
    root = tmp_path / "bare"
    root.mkdir()
    with package.open(root) as ledger:
        name = ledger.remember(TEXT).id
        own = ledger.remember(f"{TEXT}, in private", private=True).id
        ledger.correct(name, "What is true now")
        assert ledger.purge(name, reason=WHY).git is None
        ledger.purge(own, reason=WHY)
        assert hits(root, home) == []
        assert ledger.verify(deep=True).ok


def test_a_team_log_is_purged_like_any_other(scene, tmp_path):
    write_settings(scene.project, f'[teams.core]\nroot = "{tmp_path}/core"\n')
    scene.reopen()
    name = scene.say(TEXT, scope="team:core")
    assert hits(tmp_path / "core")
    scene.ledger.purge(name, reason=WHY)
    assert hits(*scene.places(), tmp_path / "core") == []
    assert scene.ledger.verify(deep=True).ok


# The spool and git's eaters


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("life", "when"), [(recorded, "before"), (corrected_from, "after"), (in_a_blob, "before")]
)
def test_what_git_ate_does_not_come_back(scene, life, when):
    name = life(scene)
    state = state_of(scene.ledger, but=[name])
    if when == "before":
        scene.ledger.log()
        git(scene.project, "clean", "--quiet", "-fdx")
        git(scene.project, "stash", "clear")
    scene.reopen()
    if when == "before":  # only the spool has it: it must be brought back to be purged
        assert scene.ledger.restore_eaten().restored
    scene.ledger.purge(name, reason=WHY)
    git(scene.project, "clean", "--quiet", "-fdx")
    scene.reopen()
    assert scene.ledger.restore_eaten().restored
    assert state_of(scene.ledger, but=[name]) == state
    assert hits(*scene.places()) == []
    assert_says_so(scene.ledger, name)
    assert scene.ledger.verify(deep=True).ok


def test_lines_that_only_the_spool_has_are_purged_there(scene):
    """They were eaten after the purge of another branch took them out of sight."""
    name = scene.say(TEXT)
    tied = scene.correct(name, "What is true now")
    kept = scene.project / ".git/varves/spool"
    old = {path: path.read_bytes() for path in kept.rglob("*.jsonl")}
    scene.ledger.purge(name, reason=WHY)
    state = state_of(scene.ledger)
    for path, content in old.items():  # an older copy comes back, as from a backup
        path.write_bytes(content)
    assert {one.rule for one in scene.ledger.doctor()} == {"unpurged"}
    assert scene.ledger.mend().done
    assert hits(*scene.places()) == []
    assert (state_of(scene.ledger), scene.ledger.show(tied).status) == (state, "active")
    assert scene.ledger.doctor() == ()


# Other worktrees


def test_another_worktree_is_named_and_finished_there(scene, tmp_path):
    name = scene.say(TEXT)
    tied = scene.correct(name, "What is true now")
    scene.commit()
    there = tmp_path / "beside"
    git(scene.project, "worktree", "add", "--quiet", "-b", "other", str(there))
    with package.open(there) as other:
        other.remember("Said in the other one")
        assert other.show(tied).status == "active"
        done = scene.ledger.purge(name, reason=WHY)
        assert done.worktrees == (f"{there}/.varves",)
        beside = [path for path in hits(*scene.places()) if "/.git/worktrees/" not in path]
        assert beside == [], "but for that checkout's own index"
        assert other.mend().done
        assert other.show(tied).status == "active"
        with pytest.raises(NotFound):
            other.show(name)
    scene.ledger.log()
    assert hits(*scene.places(), there) == []
    assert scene.ledger.purge(name, reason=WHY).worktrees == ()


def test_a_worktree_that_only_read_it_is_named_too(scene, tmp_path):
    """Its index holds what it read from here."""
    there = tmp_path / "beside"
    scene.commit()
    git(scene.project, "worktree", "add", "--quiet", "-b", "other", str(there))
    name = scene.say(TEXT)
    with package.open(there) as other:
        assert other.show(name).text == TEXT
    assert scene.ledger.purge(name, reason=WHY).worktrees == (f"{there}/.varves",)
    with package.open(there) as other:
        other.log()
    assert hits(*scene.places(), there) == []


# Beside live writers

WRITER = """
import sys, varves
with varves.open(sys.argv[1], actor=sys.argv[2]) as ledger:
    for turn in sys.stdin:
        for number in range(10):
            print(ledger.remember(f"{sys.argv[2]} says {number} in {turn}").event, flush=True)
"""


def test_writers_that_go_on_lose_nothing_while_purges_rewrite_their_segments(scene):
    """Each writer holds its segment open; what it says into it meanwhile must be kept."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(scene.project), f"writer{n}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for n in range(3)
    ]
    told: list[str] = []
    rounds = 200 if full_size() else 4
    for turn in range(rounds):
        for writer in writers:
            assert writer.stdin
            print(turn, file=writer.stdin, flush=True)
        said = [m.id for m in scene.ledger.list() if " says " in m.text] if turn % 3 else []
        scene.ledger.purge(said[turn % len(said)] if said else scene.say(TEXT), reason=WHY)
    for writer in writers:
        told += writer.communicate()[0].split()
        assert writer.returncode == 0
    assert len(told) == rounds * 30
    events = {event.id for event in scene.ledger.log()}
    assert set(told) <= events, "an acknowledged event is gone"
    check = scene.ledger.verify(deep=True)
    assert check.ok, check.damage
    assert hits(*scene.places()) == []
    purged = [e.data["memory"] for e in scene.ledger.log(kind="memory.purged")]
    assert not {m.id for m in scene.ledger.list(status="all")} & set(purged)
    add_figure("S10", purges_beside_writers=rounds, lost=0)


def test_a_process_that_holds_the_index_open_goes_on(scene):
    """The index is made clean under it, and neither side notices."""
    name = scene.say(TEXT)
    with package.open(scene.project) as other:
        assert other.show(name).text == TEXT
        scene.ledger.purge(name, reason=WHY)
        assert hits(*scene.places()) == []
        assert other.remember("Said by the other").status == "recorded"
        assert other.remember("Stays 1").status == "known"
        assert len(other.list()) == len(scene.ledger.list()) == 4
    assert len(scene.ledger.list()) == 4
    assert hits(*scene.places()) == []
