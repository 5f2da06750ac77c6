"""Random histories of a project: git, accidents and time, whichever protocol's files they meet.

Two clones, sometimes a third and a linked worktree. What people and agents do to a protocol's
files, and what must hold of them, is each walk's own. The same seed walks the same way; each step
is printed, so a failing test shows how it got there.
"""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING, Any, ClassVar

from tests.git.scene import HOUR, Time
from tests.places import forget_local
from tests.protocols import laws
from tests.protocols.laws import Tree
from varves.errors import NotFound, Refused, Rejected, UsageError

if TYPE_CHECKING:
    from pathlib import Path

DAY = 24 * HOUR
SUBJECTS = ("storage", "the queue", "validation", "logging", "time zones", "the cache")
TAKEN_WELL = (Refused, Rejected, NotFound, UsageError)
BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")
ANYWHERE = {
    "check": 8,
    "lose_files": 2,
    "lose_local": 2,
    "lose_one": 2,
    "later": 2,
    "commit": 8,
    "commit_known": 3,
    "stash": 3,
    "pop": 4,
    "throw_away": 5,
    "switch": 4,
    "join": 8,
    "worktree": 2,
}


class NothingThere(Exception):
    """A verb has nothing to work on just now, and does not run."""


class Wander:
    """One history of one project."""

    folders: ClassVar[tuple[str, ...]]
    """Where the protocols' files lie."""
    tracked: ClassVar[tuple[str, ...] | None] = None
    """Those of them that git tracks; None: all."""
    protocols: ClassVar[tuple[str, ...]]
    verbs: ClassVar[tuple[str, ...]]
    ways: ClassVar[dict[str, int]]
    """The steps, each with how often it is taken."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        self.random = random.Random(seed)
        self.time = Time()
        self.said = 0
        self.steps = 0
        self.gone: set[str] = set()  # memories that somebody forgot, or what they said
        self.main = self.tree("main")
        self.main.root.mkdir()
        self.main.git("init", "--quiet", "--initial-branch", "main")
        self.begin(self.main)
        self.main.commit("begin")
        self.twin = self.clone("twin", off=self.random.choice((0, 2, -2)) * HOUR)
        self.trees = [self.main, self.twin]
        if seed % 3 == 0:
            self.trees.append(self.clone("third"))
        self.branches = ["main"]
        self.scratches = 0

    @property
    def in_git(self) -> tuple[str, ...]:
        """Where those files lie that git tracks."""
        return self.folders if self.tracked is None else self.tracked

    # What each walk says for itself

    def begin(self, tree: Tree) -> None:
        """Make the project."""
        raise NotImplementedError

    def ran(self, tree: Tree, name: str) -> None:
        """Check, after a verb, that what people did before was adopted."""

    def write_some(self, tree: Tree) -> None:
        """Write through every protocol, conflicts or not."""
        raise NotImplementedError

    def settle(self, tree: Tree) -> None:
        """Let the protocols settle what git could not."""
        tree.ledger.rebuild()

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return what a file of the protocols says."""
        raise NotImplementedError

    def look(self, tree: Tree) -> None:
        """Rebuild, and look whether all laws hold."""
        raise NotImplementedError

    def assert_stable(self, tree: Tree) -> None:
        """Check that rendering again, also from nothing, changes no byte and records nothing."""
        raise NotImplementedError

    def keep_private(self, tree: Tree) -> None:
        """Do what must not show in any file that git tracks."""
        tree.ledger.remember("A secret of this clone", private=True)

    def tree(self, name: str, off: int = 0) -> Tree:
        """Return a work tree of this walk."""
        made = Tree(self.folder / name, time=self.time, off=off, seed=str(self.seed))
        made.folders, made.protocols = self.folders, self.protocols
        return made

    def clone(self, name: str, off: int = 0, of: Tree | None = None) -> Tree:
        """Clone a repository beside itself."""
        (of or self.main).git("clone", "--quiet", ".", str(self.folder / name))
        return self.tree(name, off)

    def close(self) -> None:
        """Let go of every ledger."""
        for tree in self.trees:
            tree.close()

    def text(self) -> str:
        """Return something nobody has said yet."""
        self.said += 1
        words = [f"{self.random.randrange(16**6):06x}" for _ in range(3)]
        return f"W{self.said:03} {' '.join(words)} for {self.random.choice(SUBJECTS)}"

    def go(self, steps: int) -> None:
        """Take so many steps; one that does not apply just now is not counted."""
        choices = [name for name, weight in self.ways.items() for _ in range(weight)]
        while self.steps < steps:
            tree, name = self.random.choice(self.trees), self.random.choice(choices)
            if self.random.random() < 0.2:
                tree.close()
            print(f"{self.steps:3} {tree.root.name} {name}")  # noqa: T201 - shown on failure
            if getattr(self, name)(tree) is not False:
                self.steps += 1
                if self.random.random() < 0.4 and tree in self.trees:
                    self.random.choice((self.verb, self.check))(tree)

    def verb(self, tree: Tree) -> None:
        """Run some writing verb of a protocol, whichever is lawful."""
        name = self.random.choice(self.verbs)
        print(f"      verb {name}")  # noqa: T201 - shown on failure
        try:
            getattr(self, name)(tree, tree.ledger)
        except NothingThere:
            return
        except TAKEN_WELL as fault:
            print(f"      {type(fault).__name__}: {fault}")  # noqa: T201 - shown on failure
        self.ran(tree, name)

    def some(self, tree: Tree, protocol: str | None = None, status: str | None = "active") -> Any:
        """Return some memory of the protocols."""
        found = [one for one in tree.memories(protocol) if status in (one.status, None)]
        if not found:
            raise NothingThere
        return self.random.choice(sorted(found, key=lambda one: one.id))

    # Accidents

    def lose_files(self, tree: Tree) -> None:
        """Delete the whole tree of files."""
        for folder in self.folders:
            shutil.rmtree(tree.root / folder, ignore_errors=True)
        self.disturbed(tree)

    def lose_local(self, tree: Tree) -> None:
        """Delete what can be thrown away at any time."""
        tree.close()
        forget_local(tree.root)
        self.disturbed(tree)

    def lose_core(self, tree: Tree) -> None:
        """Delete the ledger, and bring it back from git and the spool: no event is lost."""
        held = {one.id for one in tree.ledger.log() if one.log == "project" and one.branch is None}
        tree.close()
        shutil.rmtree(tree.root / ".varves")
        self.look_without(tree)
        tree.close()
        tree.git("checkout", "--", ".varves")
        tree.ledger.restore_eaten()
        lost = held - {one.id for one in tree.ledger.log()}
        assert not lost, lost
        self.disturbed(tree)

    def look_without(self, tree: Tree) -> None:
        """Check what the protocols do where the ledger is gone, and git has it."""

    def lose_one(self, tree: Tree) -> bool | None:
        """Delete one file."""
        paths = sorted(tree.files())
        if not paths:
            return False
        (tree.root / self.random.choice(paths)).unlink()
        self.disturbed(tree)
        return None

    def later(self, tree: Tree) -> None:
        """Let time go by."""
        self.time.ms += self.random.choice((HOUR, 5 * HOUR, DAY, 40 * DAY))

    def disturbed(self, tree: Tree) -> None:
        """Expect nothing any more of edits that no verb has seen yet."""
        tree.expected.clear()
        tree.settled = False

    # Git

    def moved(self, tree: Tree) -> None:
        """Take note that git moved files about."""
        self.disturbed(tree)
        tree.numbers.clear()

    def commit(self, tree: Tree) -> None:
        """Commit everything; what nobody has adopted becomes its author's."""
        tree.commit()
        self.moved(tree)

    def commit_known(self, tree: Tree) -> None:
        """Commit what git knows already, and no new file."""
        tree.git("commit", "--quiet", "--all", "--allow-empty", "--message", "known files")
        self.moved(tree)

    def stash(self, tree: Tree) -> bool | None:
        """Put work away."""
        if not tree.changes():
            return False
        words = self.random.choice(((), ("--include-untracked",)))
        tree.git("stash", "--quiet", *words)
        self.moved(tree)
        return None

    def pop(self, tree: Tree) -> bool | None:
        """Bring work back, conflicts and all."""
        if not tree.git("stash", "list"):
            return False
        tree.git("stash", "pop", "--quiet", check=False)
        self.moved(tree)
        self.settle_conflicts(tree)
        return None

    def throw_away(self, tree: Tree) -> None:
        """Throw away what is not committed, one way or another."""
        words = self.random.choice(
            (
                ("checkout", "--", "."),
                ("checkout", "--", *self.in_git),
                ("reset", "--quiet", "--hard"),
                ("reset", "--quiet", "--hard", "HEAD~1"),
                ("clean", "-fdxq", *self.folders),
            )
        )
        print(f"      git {' '.join(words)}")  # noqa: T201 - shown on failure
        tree.git(*words, check=False)
        self.moved(tree)

    def switch(self, tree: Tree) -> bool | None:
        """Go to another branch, or begin one."""
        branches = tree.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        here = tree.git("branch", "--show-current")
        others = sorted({*branches} - {here, "aside"})
        if not others or self.random.random() < 0.3:
            tree.git("checkout", "--quiet", "-b", f"b{self.steps}-{tree.root.name}")
        else:
            tree.git("checkout", "--quiet", self.random.choice(others), check=False)
        self.moved(tree)
        return None

    def join(self, tree: Tree) -> bool | None:
        """Bring histories together: merge, pull, rebase or cherry-pick, with their conflicts."""
        if self.random.random() < 0.85:
            tree.commit("before")
        elif tree.changes():
            return False
        other = self.random.choice([one for one in self.trees if one is not tree])
        other.commit("here")
        self.moved(other)
        tree.git("fetch", "--quiet", str(other.root), "HEAD")
        how = self.random.choice(
            (
                ("merge", "--quiet", "--no-edit", "FETCH_HEAD"),
                ("merge", "--quiet", "--no-edit", "FETCH_HEAD"),
                ("rebase", "--quiet", "FETCH_HEAD"),
                ("cherry-pick", "--allow-empty", "--keep-redundant-commits", "FETCH_HEAD"),
            )
        )
        print(f"      git {' '.join(how)} of {other.root.name}")  # noqa: T201 - shown on failure
        both = self.texts_at(tree, "HEAD") | self.texts_at(tree, "FETCH_HEAD")
        tree.git(*how, check=False)
        self.moved(tree)
        kept = self.settle_conflicts(tree)
        if how[0] == "merge" and kept:
            self.settle(tree)
            lost = [text for text in both if text.encode() not in tree.log_bytes()]
            assert not lost, lost
        return None

    def texts_at(self, tree: Tree, commit: str) -> set[str]:
        """Return what the records in a commit's files say, below the folders git tracks."""
        asked = ("ls-tree", "-r", "-z", "--name-only", commit, *self.folders)
        return {
            text
            for path in tree.git(*asked).split("\0")
            if path
            for text in self.said_in(path, tree.git("show", f"{commit}:{path}").encode())
        }

    def settle_conflicts(self, tree: Tree) -> bool:
        """Finish what git could not; tell whether no side was thrown away on purpose."""
        kept = True
        for _ in range(30):
            busy = [one for one in BUSY if tree.has(one)]
            unmerged = tree.git("ls-files", "--unmerged")
            if not busy and not unmerged:
                return kept
            how = self.random.choice(("rebuild", "verb", "marks", "ours", "theirs"))
            print(f"      {' '.join(busy) or 'unmerged'}: {how}")  # noqa: T201 - shown on failure
            if how == "rebuild":
                self.settle(tree)
            elif how == "verb":
                self.write_some(tree)
            elif how != "marks" and unmerged:
                kept = False
                tree.git("checkout", f"--{how}", "--", *self.in_git, check=False)
            tree.git("add", "--all")
            if "MERGE_HEAD" in busy:
                tree.git("commit", "--quiet", "--no-edit", "--no-verify")
            elif "CHERRY_PICK_HEAD" in busy and not any("rebase" in one for one in busy):
                tree.git("commit", "--quiet", "--allow-empty", "--no-edit")
            elif busy:
                tree.git("rebase", "--continue", check=False)
            elif tree.has("refs/stash"):
                tree.git("stash", "drop", "--quiet", check=False)
                tree.git("reset", "--quiet")
        raise AssertionError(tree.git("status"))

    def worktree(self, tree: Tree) -> bool | None:
        """Open a worktree beside the main one, or merge its branch and take it away."""
        aside = next((one for one in self.trees if one.root.name == "aside"), None)
        if aside is None:
            self.main.git("worktree", "add", "--quiet", "--force", "-B", "aside", "../aside")
            self.trees.append(self.tree("aside"))
            return None
        aside.commit("aside")
        self.main.commit("before")
        self.main.git("merge", "--quiet", "--no-edit", "aside", check=False)
        self.moved(self.main)
        self.settle_conflicts(self.main)
        self.trees.remove(aside)
        aside.close()
        self.main.git("worktree", "remove", "--force", "../aside")
        return None

    # What must hold

    def check(self, tree: Tree) -> None:
        """Look whether all laws hold, and every now and then what takes longer to see."""
        print("      check")  # noqa: T201 - shown on failure
        self.look(tree)
        if self.random.random() < 0.5:
            self.assert_stable(tree)
        if self.random.random() < 0.3:
            self.compare(tree)

    def compare(self, tree: Tree) -> None:
        """Commit, and check that it is clean and a fresh clone renders the same."""
        tree.commit("checked")
        tree.numbers.clear()
        self.settle(tree)
        assert tree.changes() == "", tree.changes() + tree.git("diff")
        self.scratches += 1
        other = self.clone(f"scratch{self.scratches}", of=tree)
        try:
            events = other.events()
            self.keep_private(other)
            before = other.log_bytes()
            self.settle(other)
            laws.assert_same(tree.files(tracked=True), other.files(tracked=True))
            assert other.changes() == ""
            assert (len(events) > 0, other.log_bytes()) == (True, before)
        finally:
            other.close()
            shutil.rmtree(other.root)

    def finish(self) -> None:
        """Bring everything together, and compare."""
        for tree in self.trees:
            self.check(tree)
        for tree in self.trees[1:]:
            tree.commit("the rest")
            self.main.commit("the rest")
            self.main.git("fetch", "--quiet", str(tree.root), "HEAD")
            self.main.git("merge", "--quiet", "--no-edit", "FETCH_HEAD", check=False)
            self.moved(self.main)
            self.settle(self.main)
            self.main.commit("joined")
        self.check(self.main)
        self.compare(self.main)
        for tree in self.trees[1:]:
            tree.git("fetch", "--quiet", str(self.main.root), "HEAD")
            tree.git("reset", "--quiet", "--hard", "FETCH_HEAD")
            self.settle(tree)
            laws.assert_same(self.main.files(tracked=True), tree.files(tracked=True))
            assert tree.changes() == "", tree.changes() + tree.git("diff")
