"""Commands, crashes, clocks and git against a plain model of what must hold.

Three checkouts: a repository, a clone of it with a clock of its own, and now and then a worktree.
The model knows the text of every memory, and of memories that only one checkout has touched also
what became of them. Every statement is said once, so that no value is held by two memories; what
several hold at once is left to the properties.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import varves
from tests.git.scene import Checkout, WrongClock, begin, clone, folded
from tests.simulation.model import Family, assert_index_is_the_fold, bytes_of, ids_in
from varves.errors import NotFound, Refused, Rejected

MINUTE = 60_000
EVERY = 4
places = st.integers(0, 2)
numbers = st.integers(0, 255)


class Machine(RuleBasedStateMachine):
    """What may happen, and what must hold after it."""

    inside: Path | None = None  # where the checkouts are made

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=self.inside))
        self.count = 0
        self.texts: dict[str, str] = {}
        self.families: dict[str, Family] = {}
        self.secrets: dict[str, str] = {}  # texts that stand in private logs only, by memory
        self.purged: set[str] = set()
        self.acknowledged: set[str] = set()
        self.worktree: Checkout | None = None
        self.off: dict[str, int] = {}
        self.looks = 0

    @initialize(skew=st.integers(-120, 120))
    def start(self, skew: int) -> None:
        """Begin with a repository, one memory, and a clone."""
        self.main = begin(self.folder / "main", seed="machine")
        for private in (False, False, True):
            self.remember(0, private=private)
        self.main.commit("a ledger")
        self.twin = clone(self.main, "twin", off=skew * MINUTE, seed="machine")
        self.off["twin"] = skew * MINUTE

    def teardown(self) -> None:
        """Bring all together, look once more, and go."""
        try:
            if hasattr(self, "twin") and sys.exc_info()[0] is None:
                self.finish()
        finally:
            for there in self.checkouts():
                there.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def checkouts(self) -> list[Checkout]:
        """Return the checkouts there are."""
        found = [getattr(self, name, None) for name in ("main", "twin")]
        return [there for there in (*found, self.worktree) if there is not None]

    def there(self, place: int) -> Checkout:
        """Return one of the checkouts."""
        found = self.checkouts()
        return found[place % len(found)]

    # Commands

    def text(self) -> str:
        """Return a statement nobody has made before."""
        self.count += 1
        return f"Statement {self.count} of {random.Random(self.count).getrandbits(64):016x}"

    def pick(self, there: Checkout, number: int, *, live: bool | None = None) -> str | None:
        """Return a memory that is known there."""
        names = sorted(memory.id for memory in there.ledger.list(status="all"))
        names = [name for name in names if name in self.families]
        if live is not None:
            names = [name for name in names if (name in self.families[name].live) == live]
        return names[number % len(names)] if names else None

    def did(self, there: Checkout, family: Family, event: object) -> None:
        """Note that an event was acknowledged."""
        self.acknowledged.add(str(event))
        family.events.append(str(event))
        family.touched_by.add(there.root.name)

    def born(
        self, there: Checkout, family: Family, name: str, text: str, *, private: bool = False
    ) -> None:
        """Note a memory that has just come into being."""
        self.texts[name] = text
        self.families[name] = family
        family.lives(name)
        if private:
            self.secrets[name] = text
        memory = there.ledger.show(name)
        assert (memory.text, memory.kept) == (text, "private" if private else "project")

    @rule(place=places, private=st.booleans())
    def remember(self, place: int, *, private: bool) -> None:
        """Say something that was not said before."""
        there, text, family = self.there(place), self.text(), Family()
        told = there.ledger.remember(text, private=private)
        assert told.status == "recorded"
        self.born(there, family, told.id, text, private=private)
        self.did(there, family, told.event)
        family.before = [], {told.id: "forgotten"}

    @rule(place=places, number=numbers)
    def remember_again(self, place: int, number: int) -> None:
        """Say again what is current: it is known."""
        there = self.there(place)
        known = [memory for memory in there.ledger.list() if not getattr(memory, "branch", None)]
        current = sorted(known, key=lambda memory: memory.id)
        if current:
            one = current[number % len(current)]
            told = there.ledger.remember(one.text, private=one.kept == "private")
            assert (told.status, told.id) == ("known", one.id)
            self.did(there, self.families[one.id], told.event)

    @rule(place=places, number=numbers)
    def say_what_was_rejected(self, place: int, number: int) -> None:
        """What was corrected or forgotten is refused."""
        there = self.there(place)
        name = self.pick(there, number, live=False)
        if name is None or not self.is_settled(there, self.families[name]):
            return
        family, memory = self.families[name], there.ledger.show(name)
        if family.gone[name] in ("superseded", "forgotten") and memory.reason != "undone":
            self.assert_refused(there, name)

    def assert_refused(self, there: Checkout, name: str) -> None:
        """Check that what a memory said is not said again by itself."""
        private = there.ledger.show(name).kept == "private"
        try:
            there.ledger.remember(self.texts[name], private=private)
        except Rejected:
            return
        raise AssertionError(f"{name} was said again")

    @rule(place=places, number=numbers)
    def correct(self, place: int, number: int) -> None:
        """Put a newer truth in a memory's place."""
        there, text = self.there(place), self.text()
        name = self.pick(there, number)
        if name is None:
            return
        family = self.families[name]
        try:
            told = there.ledger.correct(name, text)
        except Refused:
            assert self.may_refuse(there, name, "superseded", "forgotten")
            return
        family.keep()
        family.goes(name, "superseded")
        assert family.before
        family.before[1][told.id] = "forgotten"
        self.born(there, family, told.id, text, private=name in self.secrets)
        self.did(there, family, told.event)
        assert there.ledger.show(name).status == "superseded"
        self.assert_refused(there, name)

    @rule(place=places, number=numbers)
    def edit(self, place: int, number: int) -> None:
        """Change what is about a memory."""
        there = self.there(place)
        if name := self.pick(there, number):
            told = there.ledger.edit(name, tag=[f"t{self.count}x{len(self.acknowledged)}"])
            self.families[name].keep()
            self.did(there, self.families[name], told.event)

    @rule(place=places, number=numbers)
    def forget(self, place: int, number: int) -> None:
        """Take a memory out of use."""
        there = self.there(place)
        name = self.pick(there, number)
        if name is None:
            return
        try:
            told = there.ledger.forget(name, reason="no longer so")
        except Refused:
            assert self.may_refuse(there, name, "forgotten")
            return
        family = self.families[name]
        family.keep()
        family.goes(name, "forgotten")
        self.did(there, family, told.event)
        assert there.ledger.show(name).status == "forgotten"
        self.assert_refused(there, name)

    @rule(place=places, number=numbers)
    def restore(self, place: int, number: int) -> None:
        """Bring a memory back."""
        there = self.there(place)
        name = self.pick(there, number)
        if name is None:
            return
        try:
            told = there.ledger.restore(name)
        except Refused:
            assert self.may_refuse(there, name, "active")
            return
        family = self.families[name]
        family.keep()
        family.lives(name)
        self.did(there, family, told.event)
        assert there.ledger.show(name).status == "active"

    @rule(place=places, number=numbers)
    def undo(self, place: int, number: int) -> None:
        """Take back the last thing that was done to a memory, if it was done here."""
        there = self.there(place)
        name = self.pick(there, number)
        family = self.families[name] if name else None
        if family is None or family.before is None or not self.is_settled(there, family):
            return
        events = {event.id: event for event in there.ledger.log()}
        last = events[family.events[-1]]
        if last.kind in ("memory.reinforced", "memory.trusted", "memory.shared"):
            return
        try:
            told = there.ledger.undo(last.id)
        except Refused:
            raise AssertionError(f"{last} of {name} cannot be undone") from None
        (family.live, family.gone), family.before = family.before, None
        self.did(there, family, told.event)

    @rule(place=places, number=numbers)
    def share(self, place: int, number: int) -> None:
        """Publish a private memory; what stood before it stays private."""
        there = self.there(place)
        found = sorted(memory.id for memory in there.ledger.list(private=True))
        if found:
            name = found[number % len(found)]
            told = there.ledger.share(name)
            self.secrets.pop(name, None)
            family = self.families[name]
            family.before = None
            self.did(there, family, told.events[0])
            assert there.ledger.show(name).kept == "project"

    @rule(place=places, number=numbers, how=st.sampled_from(("keep", "merge", "delete")))
    def resolve(self, place: int, number: int, how: str) -> None:
        """Settle a conflict."""
        there = self.there(place)
        found = there.ledger.conflicts()
        if not found:
            return
        conflict = found[number % len(found)]
        names = [memory.id for memory in conflict.members]
        chosen = names[number % len(names)]
        text = self.text()
        choice = {how: text if how == "merge" else chosen}
        settled = self.is_settled(there, self.families[chosen])
        told = there.ledger.resolve(conflict.id, **choice)
        family = self.families[chosen]
        for name in names if how != "delete" else [chosen]:
            if name != chosen or how != "keep":
                family.goes(name, "forgotten" if how == "delete" else "superseded")
        if how == "keep":
            family.lives(chosen)
        elif how == "merge":
            self.born(there, family, told.id, text, private=names[0] in self.secrets)
        family.before = None
        self.did(there, family, told.event)
        if settled and how != "delete":
            assert there.ledger.show(told.id).status == "active"
            assert conflict.id not in {other.id for other in there.ledger.conflicts()}

    @rule(place=places, number=numbers)
    def trust(self, place: int, number: int) -> None:
        """Say something through an untrusted door, then let it in."""
        there, text, family = self.there(place), self.text(), Family()
        told = there.ledger.through("tool").remember(text)
        self.did(there, family, told.event)
        self.texts[told.id] = text
        assert text not in {memory.text for memory in there.ledger.list()}
        assert text not in {hit.memory.text for hit in there.ledger.recall(text)}
        if number % 2:
            told = there.ledger.trust(told.id)
            assert text in {memory.text for memory in there.ledger.list()}
            self.born(there, family, told.ids[0], text)
            self.did(there, family, told.events[0])

    @precondition(lambda self: hasattr(varves.Ledger, "purge"))
    @rule(place=places, number=numbers)
    def purge(self, place: int, number: int) -> None:
        """Erase a memory for good: no byte of its text stays in this checkout."""
        there = self.there(place)
        name = self.pick(there, number)
        if name is None:
            return
        told = there.ledger.purge(name, reason="erased")
        assert told.id == name
        self.purged.add(name)
        self.secrets.pop(name, None)
        family = self.families[name]
        family.goes(name, "purged")
        family.before = None
        family.touched_by |= {"a purge"}  # the others' standing is for the fold's own tests
        self.assert_unseen(there, name)
        if not told.worktrees:  # else another checkout still holds it, and our index reads there
            self.assert_erased(there, name)

    @precondition(lambda self: hasattr(varves.Ledger, "mend") and self.purged)
    @rule(place=places)
    def mend(self, place: int) -> None:
        """Repair what can be repaired: purged content that a merge brought back goes again."""
        there = self.there(place)
        there.ledger.mend()
        verified = there.ledger.verify(deep=True)
        assert verified.ok, verified.damage
        said = {event.data.get("memory") for event in there.ledger.log(kind="memory.purged")}
        for name in sorted(self.purged & said) if self.worktree is None else ():
            self.assert_erased(there, name)

    def assert_erased(self, there: Checkout, name: str) -> None:
        """Check that no file of a checkout holds a byte of a memory's text."""
        text = self.texts[name].encode()
        left = [path for path, content in bytes_of(there) if text in content]
        assert not left, f"{name} still stands in {left}"

    # What goes wrong

    @rule(place=places, torn=st.integers(0, 400))
    def crash(self, place: int, torn: int) -> None:
        """Let the process die, in the middle of a line, and start another."""
        there = self.there(place)
        opened = there.ledger._context.logs._appenders
        appenders = opened._open if opened else {}
        for appender in appenders.values():
            if appender._file is not None and appender._may_continue(appender._lane):
                line = b'{"v":1,"id":"evt_01m7ceb2b0fgg8j2gb1g6gw3rg","hlc":"01a1d8e589600000"'
                os.write(appender._file, (line * 6)[:torn])
            if appender._file is not None:
                os.close(appender._file)
            if appender._lane is not None:
                os.close(appender._lane.handle)
            appender._file = appender._lane = None
        there.ledger._context.index.close()  # nobody's proof; only its handle is given back
        there.ledger = varves.open(
            there.root,
            clock=WrongClock(there.time, self.off.get(there.root.name, 0)),
            ids=there.ledger._context.ids,
            actor="ada",
        )

    @rule(place=places, minutes=st.integers(-600, 600))
    def set_clock(self, place: int, minutes: int) -> None:
        """Set a clock on or back, by less than what makes events wait."""
        there = self.there(place)
        self.off[there.root.name] = there.ledger._context.clock.off = minutes * MINUTE

    @rule(place=places)
    def rebuild(self, place: int) -> None:
        """Make everything derived again: it is what it was."""
        there = self.there(place)
        now = there.time.pass_by()
        before = folded(there.ledger, now)
        shown = [memory.as_dict() for memory in there.ledger.list(status="all")]
        there.ledger.rebuild()
        assert [memory.as_dict() for memory in there.ledger.list(status="all")] == shown
        assert folded(there.ledger, now) == before

    @precondition(lambda self: hasattr(varves.Ledger, "pack"))
    @rule(place=places)
    def pack(self, place: int) -> None:
        """Fold closed segments into one file: nothing else changes."""
        there = self.there(place)
        before = sorted({*ids_in(there)})
        there.ledger.pack()
        assert sorted({*ids_in(there)}) == before

    # Git

    @rule(place=places)
    def commit(self, place: int) -> None:
        """Commit everything."""
        self.there(place).commit()

    @rule(branch=st.sampled_from(("main", "side")))
    def checkout(self, branch: str) -> None:
        """Go to a branch, which may begin here."""
        here = self.main
        self.settle(here)
        if branch not in here.git("branch", "--format=%(refname:short)").split():
            here.git("branch", branch)
        here.git("checkout", "--quiet", branch)

    @rule()
    def merge(self) -> None:
        """Merge the other branch."""
        here = self.main
        others = here.git("branch", "--format=%(refname:short)").split()
        here_now = here.git("branch", "--show-current")
        self.settle(here)
        for other in others:
            if other != here_now:
                self.join(here, "merge", "--quiet", "--no-edit", other)

    @rule(to_twin=st.booleans())
    def pull(self, *, to_twin: bool) -> None:
        """Pull from the clone, or let the clone pull."""
        target, source = (self.twin, self.main) if to_twin else (self.main, self.twin)
        self.settle(target)
        source.commit()
        self.join(target, "pull", "--quiet", "--no-rebase", "--no-edit", str(source.root), "HEAD")

    @rule()
    def work_aside(self) -> None:
        """Open a worktree, or merge its branch and take it away."""
        if self.worktree is None:
            self.settle(self.main)
            self.main.git("worktree", "add", "--quiet", "--force", "-B", "aside", "../aside")
            self.worktree = Checkout(
                self.folder / "aside", time=self.main.time, seed=f"machine {self.count}"
            )
            return
        self.settle(self.main)
        self.worktree.commit("aside")
        self.worktree.close()
        self.worktree = None
        self.join(self.main, "merge", "--quiet", "--no-edit", "aside")
        self.main.git("worktree", "remove", "--force", "../aside")
        self.off.pop("aside", None)

    def join(self, there: Checkout, *words: str) -> None:
        """Bring histories together; git asks about nothing but files that were purged twice.

        Those are settled as the manual says: either side will do, and the purge is finished.
        """
        there.git(*words, check=False)
        asked = {row.partition("\t")[2] for row in there.git("ls-files", "-u").splitlines()}
        assert not asked or self.purged, asked
        for path in sorted(asked):
            assert path.startswith(".varves/log/"), path
            sides = {row.split()[2] for row in there.git("ls-files", "-u", path).splitlines()}
            if sides >= {"2", "3"}:
                there.git("checkout", "--ours", "--", path)
            there.git("add", "--", path)
        if asked:
            there.git("commit", "--quiet", "--no-edit")
            there.ledger.mend()
        assert not there.git("ls-files", "--unmerged")
        assert not (there.root / ".git" / "MERGE_HEAD").exists(), words

    def settle(self, there: Checkout) -> None:
        """Commit what is uncommitted: git joins histories only onto a clean index."""
        there.commit("before git goes on")

    # What must hold

    def holds_all(self, there: Checkout, family: Family) -> bool:
        """Tell whether a checkout knows of everything that happened to a family."""
        return set(family.events) <= {event.id for event in there.ledger.log()}

    def is_settled(self, there: Checkout, family: Family) -> bool:
        """Tell whether the model knows exactly how a family stands in a checkout."""
        return len(family.touched_by) == 1 and self.holds_all(there, family)

    def may_refuse(self, there: Checkout, name: str, *statuses: str) -> bool:
        """Tell whether a command may have been refused because of a memory's status."""
        return there.ledger.show(name).status in statuses

    def assert_unseen(self, there: Checkout, name: str) -> None:
        """Check that a purged memory is not to be seen."""
        text = self.texts[name]
        assert name not in {memory.id for memory in there.ledger.list(status="all")}
        assert text not in {hit.memory.text for hit in there.ledger.recall(text)}
        try:
            assert there.ledger.show(name).text != text
        except NotFound:
            pass

    @invariant()
    def it_holds(self) -> None:
        """Look now and then: a look costs more than a step, and the last one sees everything."""
        self.looks += 1
        if self.looks % EVERY == 0:
            self.the_model_holds()
            self.nothing_private_is_tracked()
            self.nothing_is_damaged()

    def the_model_holds(self) -> None:
        """Check texts and statuses wherever everything about them is known."""
        for there in self.checkouts():
            known = {event.id for event in there.ledger.log()}
            found = {memory.id: memory for memory in there.ledger.list(status="all")}
            for name, memory in found.items():
                assert memory.text == self.texts[name]
            for name, family in self.families.items():
                if len(family.touched_by) == 1 and known.issuperset(family.events):
                    assert name in found, f"{name} is not in {there.root.name}"
                    assert found[name].status == family.status(name), found[name]
            assert known >= {*ids_in(there)}

    def nothing_private_is_tracked(self) -> None:
        """Check that no file git could see holds a private text."""
        secrets = [text.encode() for text in self.secrets.values()]
        for there in self.checkouts():
            for path in (there.root / ".varves").rglob("*"):
                if path.is_file() and "local" not in path.parts and secrets:
                    content = path.read_bytes()
                    assert not any(text in content for text in secrets), path

    def nothing_is_damaged(self) -> None:
        """Check chains and digests, and that the index is what the events fold to."""
        for there in self.checkouts():
            verified = there.ledger.verify(deep=True)
            damage = [one for one in verified.damage if one.rule != "unpurged"]  # merged in later
            assert not damage, damage
            assert_index_is_the_fold(there)

    def finish(self) -> None:
        """Let both clones have everything and compare; nothing acknowledged is lost."""
        if self.worktree is not None:
            self.work_aside()
        self.merge()
        for to_twin in (True, False, True):
            self.pull(to_twin=to_twin)
        self.the_model_holds()
        self.nothing_private_is_tracked()
        self.nothing_is_damaged()
        now = self.main.time.pass_by()
        assert folded(self.main.ledger, now) == folded(self.twin.ledger, now)
        held = {event.id for there in self.checkouts() for event in there.ledger.log()}
        assert self.acknowledged <= held, self.acknowledged - held
        if self.purged:
            self.mend(0)
            self.mend(1)
        for name in sorted(self.purged):
            self.assert_unseen(self.main, name)
            self.assert_unseen(self.twin, name)
        self.nothing_private_in_objects()

    def nothing_private_in_objects(self) -> None:
        """Check that no object git has, reachable or not, holds a private text."""
        secrets = [text.encode() for text in self.secrets.values()]
        for there in (self.main, self.twin):
            content = subprocess.run(
                ["git", "cat-file", "--batch-all-objects", "--batch", "--unordered"],
                cwd=there.root,
                capture_output=True,
                check=True,
            ).stdout
            assert b"memory.recorded" in content
            assert not any(text in content for text in secrets)
