"""A random walk through what people do with git while agents remember.

After every step that brings histories together: git found nothing to ask, both sides' events are
there, and merging the other way round gives the same memories. The same seed walks the same way;
each step is printed, so a failing test shows how it got there.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.git.scene import (
    HOUR,
    Checkout,
    assert_each_counts_once,
    assert_index_follows,
    assert_reading_changes_nothing,
    assert_whole,
    begin,
    clone,
    folded,
)
from varves.errors import Refused, UsageError

if TYPE_CHECKING:
    from pathlib import Path

CONSTANTS = ".varves/format.json"
SUBJECTS = ("storage", "the queue", "validation", "logging", "time zones")
CHOICES = ("Postgres", "SQLite", "Redis", "Zod", "Valibot", "structlog", "UTC")


class Walk:
    """One history: a main checkout, a clone with a wrong clock, and a worktree now and then."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.seed = str(seed)
        self.writes_documents = seed % 2 == 1  # the walks of the others stay what they were
        self.main = begin(folder / "main", seed=self.seed)
        self.acked: set[str] = set()
        self.branches = ["main"]
        self.done: dict[str, int] = {}
        if seed % 3:
            self.remember(self.main)
            self.main.commit("the ledger")
        else:
            self.begin_twice()
        off = self.random.choice((2, -2)) * HOUR
        self.twin = clone(self.main, "twin", off=off, seed=self.seed)
        shared = ("--shared", "--no-checkout")
        self.scratch = [clone(self.main, f"scratch{n}", *shared, seed=self.seed) for n in (1, 2)]
        self.worktree: Checkout | None = None

    def begin_twice(self) -> None:
        """Start a ledger on each of two branches that know nothing of each other."""
        self.main.git("branch", "elsewhere")
        for branch in ("main", "elsewhere"):
            self.main.git("checkout", "--quiet", branch)
            self.main.ledger.init()
            self.remember(self.main)
            self.main.commit(f"a ledger on {branch}")
        self.main.git("checkout", "--quiet", "main")
        self.branches.append("elsewhere")

    def go(self, steps: int) -> None:
        """Take so many steps; one that does not apply just now is not counted."""
        choices = [name for name, weight in STEPS.items() for _ in range(weight)]
        while sum(self.done.values()) < steps:
            name = self.random.choice(choices)
            if getattr(self, name)() is not False:
                print(f"{sum(self.done.values()):3} {name}")  # noqa: T201 - shown on failure
                self.done[name] = self.done.get(name, 0) + 1

    def finish(self) -> None:
        """Bring everything together and look whether anything is missing."""
        while self.pop() is not False:
            pass
        self.main.commit("the rest")
        self.twin.commit("the rest")
        self.leave_worktree()
        self.main.git("checkout", "--quiet", "main")
        self.pull(self.main, self.twin, "HEAD")
        for branch in self.branches[1:]:
            self.merge(branch)
        self.pull(self.twin, self.main, "main")
        here, now = self.look(self.main), self.main.time.pass_by()
        assert self.acked <= here, f"lost: {self.acked - here}"
        assert folded(self.twin.ledger, now) == folded(self.main.ledger, now)
        assert_whole(self.main.ledger)
        assert_whole(self.twin.ledger)
        assert_reading_changes_nothing(self.main)
        assert not self.main.changes()

    def close(self) -> None:
        """Let go of every ledger."""
        for checkout in (self.main, self.twin, *self.scratch, self.worktree):
            if checkout is not None:
                checkout.close()

    # Remembering

    def append(self) -> None:
        """Write with the ledger that has been open all the time."""
        self.write(self.main)

    def append_elsewhere(self) -> bool | None:
        """Write in the worktree or in the clone."""
        return self.write(self.random.choice([self.twin, self.worktree or self.twin]))

    def append_while_staged(self) -> None:
        """Write between `git add` and `git commit`."""
        self.write(self.main)
        self.main.git("add", "-A")
        self.write(self.main)
        assert " M" not in {row[:2] for row in self.main.changes().splitlines()}
        assert "AM" not in {row[:2] for row in self.main.changes().splitlines()}
        self.main.git("commit", "--quiet", "--allow-empty", "-m", "staged before")

    def remember(self, there: Checkout) -> None:
        """Record a value of a few, so that branches say the same and the opposite."""
        value = f"{self.random.choice(CHOICES)} for {self.random.choice(SUBJECTS)}"
        self.acked.add(there.remember(f"Use {value}", again=self.random.random() < 0.3))

    def put(self, there: Checkout) -> None:
        """Write one of two documents that everybody writes, or delete it."""
        key, text = self.random.choice(("plan", "notes")), self.random.choice(CHOICES)
        shelf = there.ledger.shelf("walk")
        done = shelf.delete(key) if self.random.random() < 0.2 else shelf.put(key, text, again=True)
        self.acked |= {done.event} if done.event else set()

    def write(self, there: Checkout) -> None:
        """Do one thing to the memories, whichever is lawful."""
        before = len(self.acked)
        while len(self.acked) == before:
            try:
                self.try_write(there)
            except (Refused, UsageError):
                self.acked.add(there.remember(f"Note {there.time.ms}"))

    def try_write(self, there: Checkout) -> None:
        """Try something at random; the ledger may refuse what makes no sense."""
        ledger, choice = there.ledger, self.random.random()
        memories = ledger.list(status="all")
        conflicts = ledger.conflicts()
        if choice < 0.15 and self.writes_documents:
            self.put(there)
            return
        if choice < 0.4 or not memories:
            self.remember(there)
            return
        one = self.random.choice(memories)
        text = f"Use {self.random.choice(CHOICES)} for {self.random.choice(SUBJECTS)}"
        if conflicts and choice < 0.6:
            conflict = self.random.choice(conflicts)
            member = self.random.choice(conflict.members).id
            how = self.random.choice(({"keep": member}, {"merge": text}, {"delete": member}))
            done = ledger.resolve(conflict.id, **how)
        elif choice < 0.7:
            done = ledger.correct(one.id, text, again=self.random.random() < 0.3)
        elif choice < 0.78:
            done = ledger.forget(one.id, reason="no longer so")
        elif choice < 0.86:
            done = ledger.restore(one.id)
        elif choice < 0.94:
            done = ledger.edit(one.id, tag=[self.random.choice(("+hot", "-hot", "+cold"))])
        else:
            done = ledger.undo(self.random.choice(ledger.history(one.id)).id)
        self.acked.add(str(done.event))

    # Everyday git

    def commit(self) -> None:
        """Commit all there is, in some checkout."""
        self.random.choice([self.main, self.main, self.twin]).commit()

    def branch(self) -> bool | None:
        """Begin a branch where we stand."""
        if len(self.branches) > 6:
            return False
        self.branches.append(f"branch{len(self.branches)}")
        self.main.git("branch", self.branches[-1])
        return None

    def checkout(self) -> bool | None:
        """Go to another branch with whatever is uncommitted."""
        others = self.others()
        if not others:
            return False
        self.settle_beginning()
        self.main.git("checkout", "--quiet", self.random.choice(others))
        self.look(self.main)
        return None

    def others(self) -> list[str]:
        """Return the branches that can be checked out here."""
        here = (self.main.root / ".git/HEAD").read_text("utf-8").strip().rpartition("/")[2]
        return [name for name in self.branches if name not in (here, "aside")]

    def settle_beginning(self) -> None:
        """Commit a ledger that was begun here: git goes over no untracked file, not even a twin."""
        if (self.main.root / CONSTANTS).exists() and not self.main.tracks(CONSTANTS):
            self.main.commit("a ledger begun here")

    def stash(self) -> bool | None:
        """Put everything uncommitted away, staged or not."""
        self.settle_beginning()
        if not self.main.changes():
            return False
        if self.random.random() < 0.5:
            self.main.git("add", "-A")
        self.main.git("stash", "--quiet", "--include-untracked")
        self.look(self.main)
        return None

    def pop(self) -> bool | None:
        """Bring back what was put away last."""
        if not (self.main.root / ".git/refs/stash").exists():
            return False
        self.unstage()
        self.main.git("stash", "pop", "--quiet")
        self.look(self.main)
        return None

    def bite(self) -> None:
        """Lose what is uncommitted, one way or another, and have it brought back."""
        self.settle_beginning()
        before = set(self.main.held())
        how = self.random.choice(("clean", "reset", "stash"))
        if how == "clean":
            self.main.git("clean", "-fdxq")
        elif how == "reset":
            self.main.git("add", "-A")
            self.main.git("reset", "--quiet", "--hard")
        else:
            self.main.git("stash", "--quiet", "--include-untracked")
        self.main.ledger.restore_eaten()
        after = self.look(self.main)
        branches = self.main.git("for-each-ref", "--format=%(refname)", "refs/heads").split()
        tips = {name for branch in branches for name in self.main.held_by(branch)}
        assert before <= after | tips, f"eaten: {before - after - tips}"
        assert not (after - before) & tips, "pulled in from a branch that holds them"

    def pack(self) -> bool | None:
        """Pack somewhere; mostly, not always, the next thing is to commit that."""
        there = self.random.choice([self.main, self.main, self.twin])
        before = set(there.held())
        if not there.ledger.pack().segments:
            return False
        assert set(there.held()) == before
        self.look(there)
        if self.random.random() < 0.7:
            there.commit("packed")
        return None

    def unstage(self) -> None:
        """Commit what is staged: git joins histories only onto a clean index."""
        self.settle_beginning()
        if self.main.git("diff", "--cached", "--name-only"):
            self.main.git("commit", "--quiet", "-m", "what was staged")

    # Bringing histories together

    def merge_some(self) -> bool | None:
        """Merge a branch."""
        others = [*self.others(), *(["aside"] if self.worktree else [])]
        return self.merge(self.random.choice(others)) if others else False

    def merge(self, other: str) -> None:
        """Merge a branch, and compare with the merge the other way round."""
        self.unstage()
        before = set(self.main.held())
        tips = self.main.git("rev-parse", "HEAD", other).split()
        self.main.git("merge", "--quiet", "--no-edit", other)
        self.joined(before | self.main.held_by(other))
        self.compare_directions(*tips)

    def squash(self) -> bool | None:
        """Squash a branch, sometimes writing before the commit."""
        others = self.others()
        if not others:
            return False
        self.unstage()
        other = self.random.choice(others)
        expected = set(self.main.held()) | self.main.held_by(other)
        self.main.git("merge", "--quiet", "--squash", other)
        if self.random.random() < 0.5:
            self.write(self.main)
        self.main.git("commit", "--quiet", "--allow-empty", "-m", f"squash {other}")
        self.joined(expected)
        return None

    def cherry_pick(self) -> bool | None:
        """Take one commit of another branch; what is here already counts once."""
        self.unstage()
        found = [
            commit
            for other in self.others()
            for commit in self.main.git("rev-list", "--no-merges", f"HEAD..{other}").split()
        ]
        if not found:
            return False
        commit = self.random.choice(found)
        gained = self.main.held_by(commit) - self.main.held_by(f"{commit}^")
        expected = set(self.main.held()) | gained
        self.main.git("cherry-pick", "--keep-redundant-commits", "--allow-empty", commit)
        self.joined(expected)
        return None

    def rebase(self) -> bool | None:
        """Put this branch on top of another."""
        others = self.others()
        if not others:
            return False
        self.unstage()
        if self.main.git("diff", "--name-only"):  # packed and not committed: git would refuse
            self.main.commit("packed before")
        other = self.random.choice(others)
        expected = set(self.main.held()) | self.main.held_by(other)
        self.main.git("rebase", "--quiet", other)
        self.joined(expected)
        return None

    def pull_twin(self) -> None:
        """Pull from the clone, or let the clone pull from here."""
        self.unstage()
        self.twin.commit()
        if self.random.random() < 0.5:
            self.pull(self.main, self.twin, "HEAD")
        else:
            branch = self.random.choice(self.branches)
            self.pull(self.twin, self.main, branch)

    def pull(self, there: Checkout, source: Checkout, what: str) -> None:
        """Pull, and compare with the merge the other way round."""
        expected = set(there.held()) | source.held_by(what)
        before, theirs = there.git("rev-parse", "HEAD"), source.git("rev-parse", what)
        there.git("pull", "--quiet", "--no-rebase", "--no-edit", str(source.root), what)
        self.joined(expected, there)
        if there is self.main:
            self.compare_directions(before, theirs)

    def work_aside(self) -> bool | None:
        """Open a worktree, or merge its branch and close it."""
        if self.worktree is not None:
            self.leave_worktree()
            return None
        self.settle_beginning()
        self.main.git("branch", "--force", "aside")
        self.main.git("worktree", "add", "--quiet", "../aside", "aside")
        self.worktree = Checkout(self.folder / "aside", time=self.main.time, seed=self.seed)
        self.write(self.worktree)
        return None

    def leave_worktree(self) -> None:
        """Commit in the worktree, merge its branch and take it away."""
        if self.worktree is not None:
            self.worktree.commit("aside")
            self.look(self.worktree)
            self.merge("aside")
            self.worktree.close()
            self.worktree = None
            self.main.git("worktree", "remove", "../aside")

    # What must hold

    def look(self, there: Checkout) -> set[str]:
        """Check that the open ledger sees exactly what lies there now."""
        seen = assert_each_counts_once(there)
        assert_index_follows(there.ledger, there.time.ms)
        return seen

    def joined(self, expected: set[str], there: Checkout | None = None) -> None:
        """Check that nothing waits to be merged by hand and nothing is missing."""
        there = there or self.main
        assert not there.git("ls-files", "--unmerged")
        seen = self.look(there)
        assert expected <= seen, f"missing: {expected - seen}"

    def compare_directions(self, one: str, other: str) -> None:
        """Merge two commits both ways in throw-away clones and compare all that is folded."""
        found = []
        now = self.main.time.pass_by()
        for scratch, ours, theirs in zip(self.scratch, (one, other), (other, one), strict=True):
            scratch.git("checkout", "--quiet", "--force", "--detach", ours)
            scratch.git("merge", "--quiet", "--no-edit", theirs)
            assert_each_counts_once(scratch)
            conflicts = [conflict.as_dict() for conflict in scratch.ledger.conflicts()]
            found.append((assert_index_follows(scratch.ledger, now), conflicts))
        assert found[0] == found[1]


STEPS = {
    "append": 22,
    "append_elsewhere": 9,
    "append_while_staged": 6,
    "commit": 10,
    "branch": 5,
    "checkout": 12,
    "merge_some": 9,
    "squash": 5,
    "cherry_pick": 6,
    "rebase": 5,
    "stash": 4,
    "pop": 5,
    "bite": 4,
    "pull_twin": 6,
    "work_aside": 4,
    "pack": 9,
}
