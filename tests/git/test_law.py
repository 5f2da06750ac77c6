"""The law of where memories live: what git tracks is folded from the project's log alone.

A failing seed is in the test's name: run it alone with `-k 'seed-2'`.
"""

from __future__ import annotations

import os
import random
import subprocess
from typing import TYPE_CHECKING

import pytest

import varves
from tests.git.scene import Checkout, SeededIds, WrongClock, assert_whole, begin, clone, folded
from varves.errors import Refused, UsageError

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 25 if os.environ.get("VARVES_TORTURE") else 1
LONG = 300_000  # bytes; such a text lies in a blob


def tracked(there: Checkout) -> dict[str, bytes]:
    """Return the content of every tracked file, by name."""
    names = there.git("ls-files", "-z").rstrip("\0").split("\0")
    return {name: (there.root / name).read_bytes() for name in names}


def objects(there: Checkout) -> bytes:
    """Return the content of every object git holds, reachable or not."""
    asked = ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"]
    return subprocess.run(asked, cwd=there.root, capture_output=True, check=True).stdout


class Day:
    """A day of work, at random: every private text carries a word of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.main = begin(folder / "project", seed=str(seed))
        self.main.ledger.init()
        self.main.commit("the ledger")
        self.trees = {"main": self.main}
        self.secret: set[str] = set()
        self.public: set[str] = set()
        self.done: dict[str, int] = {}

    def word(self) -> str:
        """Return a word nobody has said before."""
        return "w" + self.random.randbytes(6).hex()

    def go(self, steps: int) -> None:
        """Take so many steps; one that makes no sense just now does nothing."""
        for _ in range(steps):
            name = self.random.choice(STEPS)
            there = self.random.choice(list(self.trees.values()))
            print(name, there.root.name)  # noqa: T201 - shown on failure
            try:
                getattr(self, name)(there)
                self.done[name] = self.done.get(name, 0) + 1
            except (Refused, UsageError, IndexError):
                pass

    def remember_private(self, there: Checkout) -> None:
        """Keep something to this clone, one way or another."""
        word = self.word()
        self.secret.add(word)
        text = f"The word is {word}" + " and more" * self.random.choice((0, 0, 0, LONG // 9))
        how = self.random.choice((1, 2, 3))
        if how == 1:
            there.ledger.remember(text, private=True, tags=[self.tag()])
        elif how == 2:
            there.ledger.remember(text, scope="session:today", speaker=self.tag())
        else:
            there.ledger.remember(text, scope="global", source=f"https://example.org/{self.tag()}")

    def tag(self) -> str:
        """Return something secret to say about a memory."""
        word = self.word()
        self.secret.add(word)
        return word

    def remember_public(self, there: Checkout) -> None:
        """Tell everybody."""
        word = self.word()
        self.public.add(word)
        there.ledger.remember(f"Everybody knows {word}")

    def some(self, there: Checkout, *, private: bool) -> varves.Memory:
        """Pick a memory."""
        found = [m for m in there.ledger.list() if (m.kept == "private") == private]
        return self.random.choice(found)

    def correct_private(self, there: Checkout) -> None:
        """Correct what is private; it stays private."""
        memory = self.some(there, private=True)
        there.ledger.correct(memory.id, f"Rather {self.tag()}", reason=self.tag())

    def correct_public(self, there: Checkout) -> None:
        """Correct what is public."""
        memory = self.some(there, private=False)
        if memory.kept == "project":
            word = self.word()
            self.public.add(word)
            there.ledger.correct(memory.id, f"Everybody knows {word}")

    def forget_private(self, there: Checkout) -> None:
        """Forget what is private, for a reason that is nobody's business."""
        there.ledger.forget(self.some(there, private=True).id, reason=self.tag())

    def edit_private(self, there: Checkout) -> None:
        """Say more about what is private."""
        there.ledger.edit(self.some(there, private=True).id, tag=[f"+{self.tag()}"])

    def share(self, there: Checkout) -> None:
        """Publish a short private memory as it stands, and nothing of its past."""
        memory = self.some(there, private=True)
        if len(memory.text) < 1000:
            there.ledger.share(memory.id)
            shown = f"{memory.text} {' '.join(memory.tags)} {memory.speaker} {memory.source}"
            self.secret -= {word for word in self.secret if word in shown}

    def unshare(self, there: Checkout) -> None:
        """Take a sharing back; what was said stays in git's history."""
        shared = [event for event in there.ledger.log() if event.kind == "memory.shared"]
        there.ledger.undo(self.random.choice(shared).id)

    def commit(self, there: Checkout) -> None:
        """Commit all that git sees."""
        there.git("add", "-A")
        there.git("commit", "--quiet", "--allow-empty", "-m", "all")

    def stage(self, there: Checkout) -> None:
        """Have git make objects of everything it sees."""
        there.git("add", "-A")

    def branch(self, there: Checkout) -> None:
        """Go on elsewhere; once in a while on a branch from before the ledger."""
        self.commit(there)
        start = self.random.choice(("HEAD", "HEAD", "HEAD~1", ":/start"))
        there.git("checkout", "--quiet", "-B", f"b{self.random.randrange(3)}", start, check=False)

    def merge(self, there: Checkout) -> None:
        """Merge some branch."""
        self.commit(there)
        names = there.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        there.git("merge", "--quiet", "--no-edit", self.random.choice(names))

    def stash(self, there: Checkout) -> None:
        """Put everything away, untracked files too, and perhaps bring it back."""
        there.git("stash", "--include-untracked", "--quiet")
        if self.random.random() < 0.7:
            there.git("stash", "pop", "--quiet", check=False)

    def worktree(self, there: Checkout) -> None:
        """Open a worktree, or close it."""
        if "aside" not in self.trees:
            self.main.git("worktree", "add", "--quiet", "-B", "aside", "../aside")
            self.trees["aside"] = Checkout(
                self.folder / "aside", time=self.main.time, seed=str(there.time.ms)
            )
        elif self.random.random() < 0.3:
            self.trees.pop("aside").close()
            self.main.git("worktree", "remove", "--force", "../aside")

    def close(self) -> None:
        """Let go of every ledger."""
        for checkout in self.trees.values():
            checkout.close()


STEPS = (
    *("remember_private", "remember_private", "remember_private", "remember_public"),
    *("correct_private", "correct_public", "forget_private", "edit_private", "share", "unshare"),
    *("commit", "commit", "stage", "branch", "merge", "stash", "worktree"),
)


@pytest.mark.parametrize("seed", range(DAYS), ids="seed-{}".format)
def test_after_a_day_of_work_nothing_private_is_in_any_tracked_file_or_object(tmp_path, home, seed):
    day = Day(tmp_path, seed)
    try:
        day.go(60)
        for there in day.trees.values():
            day.commit(there)
        stored = b"".join(objects(day.main).split(b"\n"))
        shown = b"".join(b"".join(tracked(there).values()) for there in day.trees.values())
        assert day.secret
        assert len(day.done) > 10, day.done
        assert any(word.encode() in stored for word in day.public), "the search finds what is there"
        found = {word for word in day.secret if word.encode() in stored or word.encode() in shown}
        assert not found
        for there in day.trees.values():
            assert_whole(there.ledger)
    finally:
        day.close()


def test_a_stash_of_untracked_files_holds_nothing_private(tmp_path, home):
    """The ignored index holds every text: who asks for `stash --all` or `add --force` gets it."""
    here = begin(tmp_path / "project")
    here.remember("Everybody knows walrus")
    here.remember("The word is zanzibar", private=True)
    here.ledger.recall("word")
    here.git("stash", "--include-untracked", "--quiet")
    assert b"walrus" in objects(here)
    assert b"zanzibar" not in objects(here)
    here.close()


def scribble(there: Checkout, home: Path, seed: int) -> None:
    """Fill the private and the global ledger of a clone at random, and change what is there."""
    seeded = random.Random(seed)
    options = {"clock": WrongClock(there.time), "ids": SeededIds(f"scribble {seed}")}
    with varves.open(there.root, home=home, **options) as ledger:
        for number in range(seeded.randrange(5, 15)):
            text = seeded.choice(("Use Postgres for storage", f"Note {number}", "Use Redis"))
            how = seeded.choice(({"private": True}, {"scope": "session:s"}, {"scope": "global"}))
            try:
                made = ledger.remember(text, **how)
                if seeded.random() < 0.5:
                    ledger.correct(made.id, f"Rather {number}")
                elif seeded.random() < 0.5:
                    ledger.forget(made.id, reason="because")
            except Refused:
                pass
        ledger.recall("storage")
        ledger.rebuild()
        ledger.doctor()


@pytest.mark.parametrize("seed", range(DAYS), ids="seed-{}".format)
def test_two_clones_at_one_commit_fold_the_same_whatever_is_private(tmp_path, home, seed):
    origin = begin(tmp_path / "origin", seed=str(seed))
    memory = origin.ledger.remember("Use Postgres for storage")
    origin.ledger.correct(memory.id, "Use SQLite for storage")
    origin.commit("first")
    clones = [clone(origin, name, seed=f"{seed}{name}") for name in ("one", "two")]
    for number, there in enumerate(clones):
        scribble(there, tmp_path / f"home{number}", seed * 2 + number)
    one, two = clones
    now = origin.time.pass_by()
    for there in clones:
        assert not there.changes(), "nothing tracked was touched"
    assert tracked(one) == tracked(two) == tracked(origin)
    assert folded(one.ledger, now) == folded(two.ledger, now) == folded(origin.ledger, now)

    # And what each writes for all depends on nothing private either: it merges to one state.
    for there in clones:
        there.remember("Use UTC for time zones")
        there.commit("more")
    for there, other in ((one, two), (two, one)):
        there.git("pull", "--quiet", "--no-rebase", "--no-edit", str(other.root), "HEAD")
    assert tracked(one) == tracked(two)
    assert folded(one.ledger, now) == folded(two.ledger, now)
    for there in (origin, *clones):
        there.close()


def test_sharing_publishes_and_unsharing_takes_back_for_everybody(tmp_path, home):
    here = begin(tmp_path / "project")
    private = here.ledger.remember("The word is xylophone", private=True)
    here.commit("nothing of it")
    assert b"xylophone" not in objects(here)
    shared = here.ledger.share(private.id)
    here.commit("shared")
    assert b"xylophone" in b"".join(tracked(here).values())
    other = clone(here, "other")
    assert other.ledger.show(private.id).kept == "project"
    here.ledger.undo(shared.events[0])
    here.commit("private again")
    other.git("pull", "--quiet", "--no-edit")
    assert not other.ledger.list(status="all")
    assert here.ledger.show(private.id).kept == "private"
    assert b"xylophone" in objects(here), "what was committed stays in git's history"
    for there in (here, other):
        assert_whole(there.ledger)
        there.close()
