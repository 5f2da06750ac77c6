"""R11: everyday git commands that take files away, and how everything acknowledged comes back."""

from __future__ import annotations

import json
import re
import shutil
from typing import NamedTuple

import pytest

from tests.figures import add_figure, full_size
from tests.git.scene import (
    HOUR,
    Checkout,
    assert_each_counts_once,
    assert_index_follows,
    assert_reading_changes_nothing,
    assert_whole,
    begin,
    clone,
    rules,
)
from tests.places import forget_local
from varves.cli.main import main

LONG = "a long story" * 30_000  # kept in a blob beside its line


class Eater(NamedTuple):
    """What was done with the events first, what eats them then, and whether it really does."""

    name: str
    state: str  # untracked, staged or committed
    commands: tuple[str, ...]
    eats: bool


EATERS = (
    Eater("reset", "untracked", ("reset --hard",), False),
    Eater("reset", "staged", ("reset --hard",), True),
    Eater("reset", "committed", ("reset --hard HEAD~1",), True),
    Eater("checkout", "untracked", ("checkout -- .",), False),
    Eater("checkout", "staged", ("checkout -- .",), False),
    Eater("checkout", "committed", ("checkout -- .",), False),
    Eater("checkout-forced", "untracked", ("checkout -f other",), False),
    Eater("checkout-forced", "staged", ("checkout -f other",), True),
    Eater("checkout-forced", "committed", ("checkout -f other",), False),
    Eater("stash", "untracked", ("stash",), False),
    Eater("stash", "staged", ("stash",), True),
    Eater("stash", "committed", ("reset --soft HEAD~1", "stash"), True),
    Eater("stash-all", "untracked", ("stash -u",), True),
    Eater("stash-all", "staged", ("stash -u",), True),
    Eater("stash-all", "committed", ("reset HEAD~1", "stash -u"), True),
    Eater("stash-lost", "untracked", ("stash -u", "stash drop"), True),
    Eater("clean", "untracked", ("clean -fdq",), True),
    Eater("clean", "staged", ("reset", "clean -fdq"), True),
    Eater("clean", "committed", ("reset HEAD~1", "clean -fdq"), True),
    Eater("clean-ignored", "untracked", ("clean -fdxq",), True),
    Eater("clean-ignored", "staged", ("reset", "clean -fdxq"), True),
    Eater("clean-ignored", "committed", ("reset HEAD~1", "clean -fdxq"), True),
    Eater("restore", "untracked", ("restore .",), False),
    Eater("restore", "staged", ("restore --staged --worktree .",), True),
    Eater("restore", "committed", ("restore .",), False),
    Eater("gc", "untracked", ("gc --quiet --prune=now",), False),
    Eater("gc", "staged", ("reset --hard", "gc --quiet --prune=now"), True),
    Eater(
        "gc",
        "committed",
        ("reset --hard HEAD~1", "reflog expire --expire=now --all", "gc --quiet --prune=now"),
        True,
    ),
    Eater("branch-deleted", "committed", ("checkout other", "branch -D main"), True),
    Eater(
        "filtered",
        "committed",
        (
            "filter-branch -f --index-filter 'git read-tree $GIT_COMMIT^' -- HEAD~1..HEAD",
            "update-ref -d refs/original/refs/heads/main",
        ),
        True,
    ),
    Eater("rewritten", "committed", ("rebase --quiet --onto HEAD~1 HEAD",), True),
)
TRIED = EATERS if full_size() else (*EATERS[:3], *{one.name: one for one in EATERS[3:]}.values())
"""All at full size; else every state once, and every other way once."""


@pytest.fixture
def scene(tmp_path, home):
    """Give a ledger with a past on main, and a branch that alone holds an event of its own."""
    here = begin(tmp_path / "project")
    here.remember("Use Postgres for storage", id="mem_aaaaaaaaaaaa")
    here.commit("first")
    here.git("checkout", "--quiet", "-b", "other")
    here.remember("Only the other branch says this")
    here.commit("other")
    here.git("checkout", "--quiet", "main")
    yield here
    here.close()


def act_and(state: str, here: Checkout) -> set[str]:
    """Acknowledge some events and leave them in a state; return all that is here by then."""
    here.remember("Use Redis for the queue")
    here.ledger.correct("mem_aaaaaaaaaaaa", "Use SQLite for storage", reason="smaller")
    if state == "staged":
        here.git("add", "-A")
    elif state == "committed":
        here.commit("more")
    return set(here.held())


def eat(here: Checkout, commands: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git take its bite."""
    import shlex

    monkeypatch.setenv("FILTER_BRANCH_SQUELCH_WARNING", "1")
    for command in commands:
        here.git(*shlex.split(command))


def kept_by_refs(here: Checkout) -> set[str]:
    """Return the events in the history of any ref but the stash."""
    refs = here.git("for-each-ref", "--format=%(refname)").split()
    commits = here.git("rev-list", *(ref for ref in refs if ref != "refs/stash"), "HEAD").split()
    return {name for commit in commits for name in here.held_by(commit)}


def doctor(here: Checkout, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict]:
    """Ask the doctor as a shell would: with a ledger opened for this one question."""
    capsys.readouterr()
    code = main(["doctor", *options, "--json", "--root", str(here.root)])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("eater", TRIED, ids=lambda eater: f"{eater.name}-{eater.state}")
def test_whatever_git_eats_comes_back_once_and_nothing_else_does(scene, eater, monkeypatch, capsys):
    acked = act_and(eater.state, scene)
    eat(scene, eater.commands, monkeypatch)
    kept = kept_by_refs(scene)
    lost = acked - set(scene.held()) - kept
    assert bool(lost) == eater.eats, "the scene is not what it should be"

    code, answer = doctor(scene, capsys)
    found = [finding["rule"] for finding in answer["findings"]]
    assert (code, found) == ((1, ["eaten"]) if lost else (0, []))
    before = set(scene.held())
    code, answer = doctor(scene, capsys, "--restore")
    assert (code, answer["restored"]) == (0, len(lost))
    assert set(scene.held()) == before | lost, "only what was eaten comes back"
    assert acked <= set(scene.held()) | kept

    files = sorted(path.name for path in scene.root.glob(".varves/log/*/*"))
    assert doctor(scene, capsys, "--restore") == (0, {"restored": 0, "segments": []})
    assert files == sorted(path.name for path in scene.root.glob(".varves/log/*/*"))
    assert doctor(scene, capsys)[0] == 0
    assert_each_counts_once(scene)
    assert_index_follows(scene.ledger, scene.time.ms)
    assert_whole(scene.ledger)
    bring_together(scene, acked)
    add_figure("R11", ways=1, events_eaten=len(lost), lost=0)


def bring_together(here: Checkout, acked: set[str]) -> None:
    """Pop what was stashed, commit, merge every branch: nobody is asked, nothing is missing."""
    if here.git("stash", "list"):
        here.git("stash", "pop", "--quiet")
        assert_each_counts_once(here)
        assert_index_follows(here.ledger, here.time.ms)
        assert_whole(here.ledger)
    here.remember("Life goes on")
    here.commit("after")
    for branch in here.git("for-each-ref", "--format=%(refname)", "refs/heads").split():
        here.git("merge", "--quiet", "--no-edit", branch)
    assert acked <= assert_each_counts_once(here)
    assert {memory.text for memory in here.ledger.list()} >= {
        "Use Redis for the queue",
        "Use SQLite for storage",
        "Only the other branch says this",
    }
    assert_whole(here.ledger)
    assert_reading_changes_nothing(here)
    assert not here.changes()


def test_what_another_branch_holds_is_not_pulled_into_this_one(scene):
    acked = act_and("committed", scene)
    scene.git("branch", "keeper")
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    assert not scene.ledger.doctor()
    assert scene.ledger.restore_eaten().restored == 0
    assert not acked <= set(scene.held())
    scene.git("branch", "-D", "keeper")
    assert rules(scene.ledger.doctor()) == ["eaten"]
    scene.ledger.restore_eaten()
    assert acked <= set(scene.held())


def test_what_a_tag_or_a_remote_holds_is_not_lost(scene):
    act_and("committed", scene)
    scene.git("tag", "v1")
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    assert not scene.ledger.doctor()
    scene.git("update-ref", "refs/remotes/origin/main", "v1")
    scene.git("tag", "-d", "v1")
    assert not scene.ledger.doctor()


def test_the_index_alone_is_enough_to_bring_events_back(scene):
    acked = act_and("staged", scene)
    scene.ledger.list()
    shutil.rmtree(scene.root / ".git/varves/spool")
    scene.git("reset", "--hard")
    assert scene.ledger.restore_eaten().restored == len(acked - scene.held_by("HEAD"))
    assert acked <= set(scene.held())
    assert_whole(scene.ledger)


SEGMENT = re.compile(r"log/(\d{4})-(\d\d)/\1\2\d\d-[a-z0-9]{6}-[a-z0-9]{10}\.jsonl$")


def test_what_git_tracks_alone_is_enough_to_bring_events_back(scene):
    """A committed file removed from the work tree: the next commit would drop it."""
    acked = act_and("committed", scene)
    scene.close()
    shutil.rmtree(scene.root / ".git/varves/spool")
    forget_local(scene.root)
    for path in scene.root.glob(".varves/log/*/*.jsonl"):
        path.unlink()
    with Checkout(scene.root).ledger as reopened:
        back = reopened.restore_eaten()
        assert back.restored >= len(acked)
        assert all(SEGMENT.search(name) for name in back.segments)
        assert acked <= {event.id for event in reopened.log()}
        assert_whole(reopened)


def test_the_spool_alone_is_enough_when_nobody_has_read_yet(tmp_path, home):
    """The whole ledger, index and all, is cleaned away before the first commit."""
    here = begin(tmp_path / "project")
    acked = [here.remember("Use Postgres for storage"), here.remember("Use UTC")]
    here.git("clean", "-fdxq")
    here.close()
    assert not (here.root / ".varves").exists()
    with Checkout(here.root).ledger as reopened:
        assert rules(reopened.doctor()) == ["eaten"]
        assert reopened.restore_eaten().restored == 2
        assert [event.id for event in reopened.log()] == acked
        assert_whole(reopened)


def test_half_a_segment_comes_back_as_runs_that_each_follow_one_chain(scene):
    """A line that stands elsewhere leaves a hole; a break inside a segment would be damage."""
    first, second, third = (scene.remember(text) for text in ("one", "two", "three"))
    (segment,) = [
        path
        for path in scene.root.glob(".varves/log/*/*.jsonl")
        if first in path.read_text("utf-8")
    ]
    lines = segment.read_text("utf-8").splitlines(keepends=True)
    middle = next(line for line in lines if second in line)
    segment.with_name("20261115-elsewh-0000000000.jsonl").write_text(middle, "utf-8")
    segment.unlink()
    scene.ledger.restore_eaten()
    assert {first, second, third} <= assert_each_counts_once(scene)
    assert_whole(scene.ledger)


def test_a_long_text_comes_back_with_its_event(scene):
    memory = scene.ledger.remember(LONG)
    scene.git("clean", "-fdxq")
    scene.ledger.restore_eaten()
    assert scene.ledger.show(memory.id).text == LONG
    assert_whole(scene.ledger)
    assert not [gap for gap in scene.ledger.verify().gaps if "blob" in gap.message]


def test_a_long_text_that_another_branch_holds_stays_there(scene):
    """Brought here it would be an untracked file in the way of every checkout of that branch."""
    scene.git("checkout", "--quiet", "other")
    scene.remember(LONG)
    scene.commit("long")
    scene.git("checkout", "--quiet", "main")
    acked = scene.remember("Use Redis for the queue")
    scene.git("clean", "-fdq")
    assert scene.ledger.restore_eaten().restored == 2
    assert acked in scene.held()
    scene.git("checkout", "--quiet", "other")
    assert_each_counts_once(scene)


def test_events_of_a_worktree_are_eaten_only_when_it_is_gone(scene):
    """Worktrees share the spool; what lies uncommitted in another one is not lost."""
    scene.git("worktree", "add", "--quiet", "../aside")
    aside = Checkout(scene.root.parent / "aside", time=scene.time)
    there = aside.remember("Said in the worktree")
    here = scene.remember("Said in the main checkout")
    assert not scene.ledger.doctor()
    assert not aside.ledger.doctor()
    assert scene.ledger.restore_eaten().restored == 0
    aside.close()
    scene.git("worktree", "remove", "--force", "../aside")
    assert rules(scene.ledger.doctor()) == ["eaten"]
    scene.ledger.restore_eaten()
    assert {here, there} <= assert_each_counts_once(scene)
    assert_whole(scene.ledger)


def test_an_open_ledger_goes_on_after_everything_under_it_was_cleaned(scene):
    act_and("untracked", scene)
    scene.git("clean", "-fdxq")
    after = scene.remember("Use UTC for time zones")
    assert after in scene.held()
    scene.ledger.restore_eaten()
    assert_each_counts_once(scene)
    assert_index_follows(scene.ledger, scene.time.ms)
    scene.close()
    with Checkout(scene.root, time=scene.time, seed="again").ledger as reopened:
        assert after in {event.id for event in reopened.log()}
        assert_index_follows(reopened, scene.time.ms)


def test_an_open_ledger_shows_nothing_of_a_log_that_is_gone(tmp_path, home):
    here = begin(tmp_path / "project")
    acked = {here.remember("Use Postgres for storage"), here.remember("Use UTC")}
    assert len(here.ledger.list()) == 2
    here.git("clean", "-fdxq")
    assert not here.ledger.list()
    assert not here.ledger.log()
    assert here.ledger.restore_eaten().restored == 2
    assert acked == assert_each_counts_once(here)
    here.close()


def test_bringing_back_is_itself_safe_to_eat_again(scene):
    acked = act_and("untracked", scene)
    for _ in range(3):
        scene.git("clean", "-fdxq")
        scene.ledger.restore_eaten()
        assert acked <= assert_each_counts_once(scene)
    assert_whole(scene.ledger)


def test_a_stash_git_will_not_pop_whole_still_gives_every_event_back(tmp_path, home):
    """Git restores no untracked file over another, be they equal; it brings the rest and says so.

    So it is with a ledger that was never committed, and with a long text brought back already.
    """
    here = begin(tmp_path / "project")
    acked = {here.remember("Use Postgres for storage"), here.remember(LONG)}
    here.git("stash", "--include-untracked", "--quiet")
    here.ledger.restore_eaten()
    acked.add(here.remember("Use Redis for the queue"))
    here.git("stash", "pop", "--quiet", check=False)
    assert acked <= assert_each_counts_once(here)
    assert LONG in {memory.text for memory in here.ledger.list()}
    assert_whole(here.ledger)
    here.commit("all")
    assert not here.changes()
    here.close()


def spooled(scene):
    return sorted(path.name for path in scene.root.glob(".git/varves/spool/*/*.jsonl"))


def test_the_spool_lets_go_of_what_a_remote_has(tmp_path, home):
    origin = begin(tmp_path / "origin")
    origin.git("config", "receive.denyCurrentBranch", "ignore")
    here = clone(origin, "here")
    acked = {here.remember("Pushed at once")}
    here.commit()
    here.ledger.pack()
    assert len(spooled(here)) == 1, "a commit of today can be reset away"
    here.git("push", "--quiet", "origin", "HEAD")
    acked.add(here.remember("Said after the push"))
    here.commit()
    here.ledger.rebuild()
    assert len(spooled(here)) == 2
    here.ledger.pack()
    assert len(spooled(here)) == 1
    here.git("reset", "--quiet", "--hard", "HEAD~1")
    here.git("reflog", "expire", "--expire=now", "--all")
    here.ledger.restore_eaten()
    assert acked <= set(here.held())
    for one in (origin, here):
        one.close()


def test_the_spool_lets_go_only_of_what_was_committed_long_ago(scene):
    acked = {scene.remember("Written and never committed")}
    scene.ledger.close()
    kept = spooled(scene)
    assert len(kept) == 3
    scene.ledger.pack()
    assert spooled(scene) == kept
    scene.time.ms += 40 * 24 * HOUR
    scene.ledger.rebuild()
    assert spooled(scene) == kept, "to make the index again is no reason"
    scene.ledger.pack()
    assert len(spooled(scene)) == 1, "what is in no commit stays"
    scene.git("clean", "-fdxq")
    scene.ledger.restore_eaten()
    assert acked <= assert_each_counts_once(scene)


def test_a_checkpoint_of_another_tool_put_back_over_the_work_tree_is_mended(scene):
    """Tools snapshot the work tree into a git folder of their own, which moves no HEAD of ours."""
    shadow = f"--git-dir={scene.root.parent}/shadow", f"--work-tree={scene.root}"
    scene.git(*shadow, "init", "--quiet")
    acked = {scene.remember("Use Redis for the queue")}
    scene.git(*shadow, "add", "-A")
    scene.git(*shadow, "commit", "--quiet", "-m", "checkpoint")
    acked |= {scene.remember("Use UTC for time zones"), scene.remember("Use Zod for validation")}
    scene.git(*shadow, "reset", "--quiet", "--hard")
    assert not acked <= set(scene.held())
    assert rules(scene.ledger.doctor()) == ["eaten"]
    assert scene.ledger.restore_eaten().restored == 2
    acked.add(scene.remember("Life goes on"))
    assert acked <= assert_each_counts_once(scene)
    assert_index_follows(scene.ledger, scene.time.ms)
    assert_whole(scene.ledger)
