"""A random walk: what people and agents do to the protocols' files while git moves them about.

Two clones, sometimes a third and a linked worktree, both protocols in use. Every now and then
everything is rebuilt and the laws are checked. The same seed walks the same way; each step is
printed, so a failing test shows how it got there.
"""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING, Any

from tests.git.scene import HOUR, Time
from tests.protocols import laws
from tests.protocols.laws import Tree, hive_folder, said_by, scoped_file
from varves.errors import NotFound, Refused, Rejected, UsageError
from varves.events.memories import touches

if TYPE_CHECKING:
    from pathlib import Path

DAY = 24 * HOUR
SUBJECTS = ("storage", "the queue", "validation", "logging", "time zones", "the cache")
SCOPED = ("project:p", "project:p", "project:p", "team:t", "global")
HIVE = ("project:p", "project:p", "project:p", "team:t", "agent:DEV-001", "global")
TAKEN_WELL = (Refused, Rejected, NotFound, UsageError)


class NothingThere(Exception):
    """A verb has nothing to work on just now, and does not run."""


class Walk:
    """One history of one project."""

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
        self.main.ledger.init(protocols=("scoped", "hivemind"))
        self.main.ledger.hivemind.session_start(project="p")
        self.main.ledger.scoped.write("project", "p", type="pattern", content=self.text())
        self.main.ledger.hivemind.write(
            type="factual", content={"text": self.text()}, scope="project:p"
        )
        self.main.commit("begin")
        self.twin = self.clone("twin", off=self.random.choice((0, 2, -2)) * HOUR)
        self.trees = [self.main, self.twin]
        if seed % 3 == 0:
            self.trees.append(self.clone("third"))
        self.branches = ["main"]
        self.scratches = 0

    def tree(self, name: str, off: int = 0) -> Tree:
        """Return a work tree of this walk."""
        return Tree(self.folder / name, time=self.time, off=off, seed=str(self.seed))

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
        choices = [name for name, weight in STEPS.items() for _ in range(weight)]
        while self.steps < steps:
            tree, name = self.random.choice(self.trees), self.random.choice(choices)
            if self.random.random() < 0.2:
                tree.close()
            print(f"{self.steps:3} {tree.root.name} {name}")  # noqa: T201 - shown on failure
            if getattr(self, name)(tree) is not False:
                self.steps += 1
                if self.random.random() < 0.4 and tree in self.trees:
                    self.random.choice((self.verb, self.check))(tree)

    # Verbs

    def verb(self, tree: Tree) -> None:
        """Run some writing verb of a protocol, whichever is lawful."""
        name = self.random.choice(VERBS)
        print(f"      verb {name}")  # noqa: T201 - shown on failure
        try:
            getattr(self, name)(tree, tree.ledger)
        except NothingThere:
            return
        except TAKEN_WELL as fault:
            print(f"      {type(fault).__name__}: {fault}")  # noqa: T201 - shown on failure
        self.ran(tree, name)

    def ran(self, tree: Tree, name: str) -> None:
        """Check, after a verb, that what people did before was adopted."""
        protocols = ("scoped", "hivemind")
        if name.startswith(protocols):
            protocols = (name.partition("_")[0],)
        elif name.startswith("core"):  # it may undo what was edited
            tree.expected = {key: there for key, there in tree.expected.items() if there}
            return
        self.adopted(tree, *protocols)

    def adopted(self, tree: Tree, *protocols: str) -> None:
        """Check what the edits since the last verb said."""
        for (path, text), there in list(tree.expected.items()):
            protocol = "scoped" if path.endswith("/memory.json") else "hivemind"
            if protocol in protocols:
                del tree.expected[path, text]
                if there:
                    assert tree.has_said(text), (path, text)
                else:
                    active = [one.text for one in tree.memories(protocol) if one.status == "active"]
                    assert text not in active, (path, text)
        if "scoped" in protocols:
            tree.removed = 0

    def scoped_write(self, tree: Tree, ledger: Any) -> None:
        scope = self.random.choice(SCOPED)
        ledger.scoped.write(scope, type="pattern", content=self.text(), confidence=0.97)

    def scoped_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "scoped")
        number = self.random.random() < 0.5 and tree.numbers.get(one.scope, {}).get(one.id)
        name = f"mem-{number:03}" if number else one.id
        done = ledger.scoped.forget(name, scope=one.scope, reason="no longer so")
        self.gone.add(done.memory)

    def scoped_restore(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, "scoped", status="forgotten")
        ledger.scoped.restore(one.id, scope=one.scope)

    def scoped_approve(self, tree: Tree, ledger: Any) -> None:
        text = f"Decision: {self.text()}"
        made = ledger.scoped.done(text=text, scope="project", id="p")
        for one in made:
            if self.random.random() < 0.7:
                ledger.scoped.approve(one.id)
            else:
                self.gone.add(one.id)
                ledger.scoped.reject(one.id)

    def scoped_session(self, tree: Tree, ledger: Any) -> None:
        ledger.scoped.session_start(project="p")
        ledger.scoped.note(self.text(), kind="decision")
        ledger.scoped.task("the fact for storage", project="p")
        if self.random.random() < 0.6:
            ledger.scoped.session_end()

    def hivemind_write(self, tree: Tree, ledger: Any) -> None:
        kind = self.random.choice(("factual", "procedural", "episodic", "semantic"))
        scope = self.random.choice(HIVE)
        ledger.hivemind.write(type=kind, content={"text": self.text()}, scope=scope)

    def hivemind_task(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.session_start(project="p")
        ledger.hivemind.task("Fix the fact for storage", project="p")
        if self.random.random() < 0.6:
            ledger.hivemind.done(f"Decided to use {self.text()}", project="p")

    def hivemind_error(self, tree: Tree, ledger: Any) -> None:
        message = f"Timed out waiting for {self.random.choice(SUBJECTS)}"
        ledger.hivemind.error("timeout", message, context=self.text(), prevention="Retry twice")

    def hivemind_maintain(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.maintain(force=True)

    def hivemind_session(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.session_start(project="p")
        content = {"text": self.text()}
        ledger.hivemind.write(type="working", content=content, scope="session")
        if self.random.random() < 0.6:
            ledger.hivemind.session_end()

    def hivemind_rollback(self, tree: Tree, ledger: Any) -> None:
        ledger.hivemind.rollback(self.some(tree, "hivemind", status="superseded").id)

    def core_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.forget(one.id, reason="no longer so")

    def core_correct(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.correct(one.id, self.text())

    def core_undo(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, status=None)
        event = self.random.choice(ledger.history(one.id))
        self.gone.update({one.id, *touches(event)})
        ledger.undo(event.id)

    def core_resolve(self, tree: Tree, ledger: Any) -> None:
        conflicts = ledger.conflicts()
        if not conflicts:
            raise NothingThere
        conflict = self.random.choice(conflicts)
        names = [one.id for one in conflict.members]
        member = self.random.choice(names)
        self.gone.update(names)
        how = self.random.choice(({"keep": member}, {"merge": self.text()}, {"delete": member}))
        ledger.resolve(conflict.id, **how)

    def some(self, tree: Tree, protocol: str | None = None, status: str | None = "active") -> Any:
        """Return some memory of the protocols."""
        found = [one for one in tree.memories(protocol) if status in (one.status, None)]
        if not found:
            raise NothingThere
        return self.random.choice(sorted(found, key=lambda one: one.id))

    # Editors

    def edit_scoped(self, tree: Tree) -> bool | None:
        """Change memory.json by hand: an entry added, changed or taken out."""
        scope = self.random.choice(SCOPED)
        path = scoped_file(scope)
        document = tree.document(path)
        if document is None or not document["entries"]:
            return False
        how = self.random.choice(("add", "change", "change", "confidence", "remove", "many"))
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        entries = document["entries"]
        one = self.random.choice(entries)
        if how == "add":
            self.add_entry(tree, path, entries)
        elif how == "change":
            said = self.text()
            self.expect(tree, path, one["content"], there=False)
            self.expect(tree, path, said, there=True)
            one["content"] = said
        elif how == "confidence":
            one["confidence"] = self.random.choice((0.5, 0.61, 0.87))
        elif how == "remove":
            self.take_out(tree, path, entries, [one])
        else:
            self.take_out(tree, path, entries, entries[: self.random.randint(2, 9)])
        tree.write(path, document)
        return None

    def add_entry(self, tree: Tree, path: str, entries: list[Any]) -> None:
        """Write an entry by hand, with a number as people choose it, or none."""
        said = self.text()
        numbers = [int(one["id"][4:]) for one in entries if one.get("id", "").startswith("mem-")]
        number = self.random.choice((max(numbers, default=0) + 1, max(numbers, default=0) + 1, 1))
        entry = {
            "id": f"mem-{number:03}",
            "type": "decision",
            "content": said,
            "confidence": 0.8,
            "created_at": laws.moment(tree),
            "accessed_count": 0,
        }
        if self.random.random() < 0.2:
            del entry["id"]
        entries.append(entry)
        self.expect(tree, path, said, there=True)

    def take_out(self, tree: Tree, path: str, entries: list[Any], some: list[Any]) -> None:
        """Take entries out of a file; more than five are an accident."""
        texts = {one["content"] for one in some}
        entries[:] = [one for one in entries if one["content"] not in texts]
        tree.removed += len(texts)
        named = [one.id for one in tree.memories("scoped") if one.text in texts]
        if tree.removed <= 5:
            self.gone.update([*named, *texts])  # or one that is to be adopted first
        if entries and self.random.random() < 0.6:  # else it may be as it was rendered before
            entries[0]["confidence"] = self.random.randint(100, 999) / 1000
            for text in texts:
                self.expect(tree, path, text, there=tree.removed > 5)

    def expect(self, tree: Tree, path: str, text: str, *, there: bool) -> None:
        """Expect an edit to be so after the next verb, if git does nothing in between."""
        if tree.settled:
            tree.expected[path, text] = there

    def edit_hive(self, tree: Tree) -> bool | None:
        """Change the file of a memory by hand, add one, or take one away."""
        folder = hive_folder(self.random.choice(HIVE))
        paths = sorted(
            path
            for path, content in tree.files().items()
            if path.startswith(f"{folder}/mem_") and said_by(path, content)
        )
        if not paths:
            return False
        path = self.random.choice(paths)
        document = tree.document(path)
        how = self.random.choice(("add", "change", "change", "tags", "confidence", "remove"))
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        if how == "remove":
            (tree.root / path).unlink()
            return None
        if how == "add":
            name = f"mem_{self.random.randrange(10**12):012}"
            path, said = f"{folder}/{name}.json", self.text()
            document = {**document, "id": name, "content": {"text": said}, "tags": ["by-hand"]}
            for key in ("supersedes", "superseded_by"):
                document.pop(key, None)
            document["references"] = []
            self.expect(tree, path, said, there=True)
        elif how == "change":
            said = self.text()
            self.expect(tree, path, document["content"]["text"], there=False)
            self.expect(tree, path, said, there=True)
            document["content"] = {"text": said}
        elif how == "tags":
            document["tags"] = sorted({*document["tags"], self.random.choice(("hot", "cold"))})
        else:
            document["confidence"] = self.random.choice((0.5, 0.61, 0.87))
        tree.write(path, document)
        return None

    # Accidents

    def lose_files(self, tree: Tree) -> None:
        """Delete the whole tree of files."""
        shutil.rmtree(tree.root / "memory", ignore_errors=True)
        self.disturbed(tree)

    def lose_local(self, tree: Tree) -> None:
        """Delete what can be thrown away at any time."""
        tree.close()
        shutil.rmtree(tree.root / ".varves" / "local", ignore_errors=True)
        self.disturbed(tree)

    def lose_one(self, tree: Tree) -> bool | None:
        """Delete one file."""
        paths = sorted(path for path in tree.files() if path.endswith(".json"))
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
                ("checkout", "--", "memory"),
                ("reset", "--quiet", "--hard"),
                ("reset", "--quiet", "--hard", "HEAD~1"),
                ("clean", "-fdxq", "memory"),
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
            tree.ledger.rebuild()
            lost = [text for text in both if text.encode() not in tree.log_bytes()]
            assert not lost, lost
        return None

    def texts_at(self, tree: Tree, commit: str) -> set[str]:
        """Return what the records in a commit's files say, below the folders git tracks."""
        listed = tree.git("ls-tree", "-r", "-z", "--name-only", commit, "memory").split("\0")
        return {
            text
            for path in listed
            if path.startswith("memory/") and path.endswith(".json")
            for text in said_by(path, tree.git("show", f"{commit}:{path}").encode())
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
                tree.ledger.rebuild()
            elif how == "verb":
                tree.ledger.scoped.write("project:p", type="pattern", content=self.text())
                tree.ledger.hivemind.write(
                    type="factual", content={"text": self.text()}, scope="project:p"
                )
            elif how != "marks" and unmerged:
                kept = False
                tree.git("checkout", f"--{how}", "--", "memory", check=False)
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
        """Rebuild, and look whether all laws hold."""
        print("      check")  # noqa: T201 - shown on failure
        quiet = tree.settled
        tree.ledger.rebuild()
        self.adopted(tree, "scoped", "hivemind")
        tree.settled = True
        laws.assert_files_are_the_log(tree)
        laws.assert_nothing_vanished(tree, self.gone)
        laws.assert_once(tree)
        laws.assert_numbers_stand(tree, quiet=quiet)
        laws.assert_valid(tree)
        laws.assert_reading_writes_nothing(tree)
        if self.random.random() < 0.5:
            laws.assert_stable(tree)
        if self.random.random() < 0.3:
            self.compare(tree)

    def compare(self, tree: Tree) -> None:
        """Commit, and check that it is clean and a fresh clone renders the same."""
        tree.commit("checked")
        tree.numbers.clear()
        tree.ledger.rebuild()
        assert tree.changes() == ""
        self.scratches += 1
        other = self.clone(f"scratch{self.scratches}", of=tree)
        try:
            events = other.events()
            other.ledger.remember("A secret of this clone", private=True)
            other.ledger.scoped.write(
                "global", type="preference", content="Prefers tabs", confidence=0.99
            )
            before = other.log_bytes()
            other.ledger.rebuild()
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
            self.main.ledger.rebuild()
            self.main.commit("joined")
        self.check(self.main)
        self.compare(self.main)
        for tree in self.trees[1:]:
            tree.git("fetch", "--quiet", str(self.main.root), "HEAD")
            tree.git("reset", "--quiet", "--hard", "FETCH_HEAD")
            tree.ledger.rebuild()
            laws.assert_same(self.main.files(tracked=True), tree.files(tracked=True))
            assert tree.changes() == ""


BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")
VERBS = (
    *("scoped_write", "scoped_write", "scoped_write", "scoped_forget", "scoped_restore"),
    *("scoped_approve", "scoped_session", "hivemind_write", "hivemind_write", "hivemind_write"),
    *("hivemind_task", "hivemind_error", "hivemind_maintain", "hivemind_session"),
    *("hivemind_rollback", "core_forget", "core_correct", "core_undo", "core_resolve"),
)
STEPS = {
    "verb": 30,
    "check": 8,
    "edit_scoped": 14,
    "edit_hive": 12,
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
