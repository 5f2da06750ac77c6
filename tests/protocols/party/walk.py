"""A random walk with parties: talk, ends, edited sidecars, and whatever git does to them.

Sidecars and the state file are read as JSON and held against what the core lists; nothing of the
protocol's code is asked how they ought to look.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.places import forget_local
from tests.protocols import laws
from tests.protocols.wander import ANYWHERE, NothingThere, Wander
from varves.errors import Damaged
from varves.events.kinds import touches

if TYPE_CHECKING:
    from tests.protocols.laws import Tree

AGENTS = ("ada", "ben", "noa", "dev-2")
FOLDER = "_mdan/state/sidecars"
STATE = "_mdan/state/MDAN-STATE.json"
SENTENCES = (
    *("I prefer {}.", "We cannot use {} because ops said no.", "I agree with {other}."),
    *("I disagree with {other}.", "Perhaps {} matters.", "We decided to use {}."),
)
MANY = 5  # memories that vanish from a sidecar at once are put back


class PartyWalk(Wander):
    """One history of one project with parties."""

    folders = ("_mdan",)
    protocols = ("party",)
    verbs = (
        *("hold", "hold", "hold", "hold", "say_more", "end", "recover", "idle", "named"),
        *("core_forget", "core_correct", "core_undo", "core_resolve", "core_restore"),
    )
    ways = {"verb": 30, "lose_core": 2, "edit": 22, "edit_head": 8, "edit_state": 4, **ANYWHERE}  # noqa: RUF012

    def begin(self, tree: Tree) -> None:
        """Make a project with a sidecar, and a state file that is somebody else's too."""
        tree.ledger.init(protocols=("party",))
        tree.write(STATE, {"project": {"name": "p"}, "phase": 1})
        self.write_some(tree)

    def write_some(self, tree: Tree) -> None:
        """Hold a party that leaves a memory."""
        party = tree.ledger.party
        party.start(agents=["ada", "ben"])
        party.remember("ada", type="context", content=self.text(), confidence=0.9)
        party.end()

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return the memories of a sidecar."""
        try:
            document = json.loads(content) if path.startswith(f"{FOLDER}/") else {}
        except ValueError:
            return []
        return [one["content"] for one in document.get("memories", ())]

    def keep_private(self, tree: Tree) -> None:
        """Begin a party, and talk."""
        super().keep_private(tree)
        party = tree.ledger.party
        party.start(agents=["ada"], topic="a secret topic")
        party.say("ada", "I prefer secrets to talk.")

    # Verbs

    def hold(self, tree: Tree, ledger: Any) -> None:
        """Hold a party, and mostly end it."""
        some = self.random.sample(AGENTS, self.random.randint(1, 3))
        ledger.party.start(agents=some, topic="storage")
        self.talk(tree, ledger, some)
        if self.random.random() < 0.8:
            ledger.party.end()

    def talk(self, tree: Tree, ledger: Any, agents: list[str]) -> None:
        """Let agents talk, decide, remember and refer to what they know."""
        for _ in range(self.random.randint(0, 4)):
            agent, other = self.random.choice(agents), self.random.choice(agents)
            how = self.random.choice(("say", "say", "remember", "decide", "refer"))
            if how == "say":
                said = self.random.choice(SENTENCES).format(self.text(), other=other)
                ledger.party.say(agent, said)
            elif how == "remember":
                sure = self.random.choice((0.5, 0.6, 0.85, 1.0))
                ledger.party.remember(agent, type="context", content=self.text(), confidence=sure)
            elif how == "decide":
                outcome = self.random.choice(("accepted", "rejected", "compromise"))
                ledger.party.decide(self.text(), outcome=outcome, pro=(agent,))
            else:
                known = [one for one in tree.memories("party") if one.scope == f"agent:{agent}"]
                active = sorted(one.id for one in known if one.status == "active")
                if active:
                    ledger.party.reference(agent, self.random.choice(active))

    def named(self, tree: Tree, ledger: Any) -> None:
        """Hold a party whose name other clones use too."""
        ledger = tree.opened(session="the-weekly")
        ledger.party.start(agents=["ada", "noa"])
        ledger.party.remember("noa", type="preference", content=self.text(), confidence=0.7)
        if self.random.random() < 0.7:
            ledger.party.end()
        tree.close()

    def say_more(self, tree: Tree, ledger: Any) -> None:
        ledger.party.say("ada", f"I prefer {self.text()}.")

    def end(self, tree: Tree, ledger: Any) -> None:
        ledger.party.end()
        ledger.party.end()

    def recover(self, tree: Tree, ledger: Any) -> None:
        ledger.party.recover()

    def idle(self, tree: Tree, ledger: Any) -> None:
        """Hold parties in which nothing is said: memories fade."""
        agent = self.random.choice(AGENTS)
        for _ in range(self.random.choice((2, 5))):
            ledger.party.start(agents=[agent])
            ledger.party.end()

    def core_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.forget(one.id, reason="no longer so")

    def core_restore(self, tree: Tree, ledger: Any) -> None:
        ledger.restore(self.some(tree, status=self.random.choice(("forgotten", "pruned"))).id)

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

    def ran(self, tree: Tree, name: str) -> None:
        """Check, after a verb, that what people did before was adopted."""
        if name.startswith("core"):  # it may undo what was edited
            tree.expected = {key: there for key, there in tree.expected.items() if there}
        else:
            self.adopted(tree)

    def adopted(self, tree: Tree) -> None:
        """Check what the edits since the last verb said."""
        for (path, text), there in tree.expected.items():
            if path == STATE:
                assert (tree.document(STATE) or {}).get("by hand") == text
            elif there:
                assert tree.has_said(text), (path, text)
            else:
                scope = f"agent:{agent_of(path)}"
                standing = [
                    one.text
                    for one in tree.memories("party")
                    if one.scope == scope and one.status == "active"
                ]
                assert text not in standing, (path, text)
        tree.expected.clear()
        tree.removed = 0

    def look_without(self, tree: Tree) -> None:
        """Check that every verb stops, and leaves the files alone."""
        files, party = tree.files(), tree.ledger.party
        if not any(path.startswith(f"{FOLDER}/") for path in files):
            return  # nothing lies here that could be taken for news
        for verb in (party.recover, party.validate):
            with pytest.raises(Damaged):
                verb()
        assert tree.files() == files

    # Editors

    def sidecar(self, tree: Tree) -> tuple[str, Any] | None:
        """Return some sidecar that lies here."""
        paths = sorted(path for path in tree.files() if path.startswith(f"{FOLDER}/"))
        if not paths:
            return None
        path = self.random.choice(paths)
        document = tree.document(path)
        return None if document is None else (path, document)

    def edit(self, tree: Tree) -> bool | None:
        """Change a sidecar by hand: a memory added, changed or taken out."""
        found = self.sidecar(tree)
        if found is None:
            return False
        path, document = found
        memories = document["memories"]
        how = self.random.choice(("add", "add", "change", "confidence", "remove", "many", "long"))
        if how not in ("add", "long") and not memories:
            return False
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        if how in ("add", "long"):
            said = self.text() if how == "add" else f"{self.text()} {'and so on ' * 9}".strip()
            memories.append(
                {
                    "type": "observation",
                    "content": said,
                    "source_session": "2026-11-15",
                    "confidence": 0.8,
                }
            )
            self.expect(tree, path, said, there=True)
        elif how == "change":
            one, said = self.random.choice(memories), self.text()
            self.expect(tree, path, one["content"], there=False)
            self.expect(tree, path, said, there=True)
            self.gone.add(one["content"])
            one["content"] = said
        elif how == "confidence":
            self.random.choice(memories)["confidence"] = self.random.choice((0.5, 0.61, 0.87))
        else:
            most = 1 if how == "remove" else self.random.randint(2, 9)
            self.take_out(tree, path, document, memories[:most])
        tree.write(path, document)
        return None

    def take_out(self, tree: Tree, path: str, document: Any, some: list[Any]) -> None:
        """Take memories out of a sidecar; more than five are an accident."""
        texts = {one["content"] for one in some}
        document["memories"] = [one for one in document["memories"] if one["content"] not in texts]
        tree.removed += len(texts)
        self.gone.update(texts, [one.id for one in tree.memories("party") if one.text in texts])
        if tree.removed <= MANY and self.random.random() < 0.6:
            document["note"] = self.text()  # else it may be as it was rendered before
            for text in texts:
                self.expect(tree, path, text, there=False)

    def expect(self, tree: Tree, path: str, text: str, *, there: bool) -> None:
        """Expect an edit to be so after the next verb, if git does nothing in between."""
        tree.expected.pop((path, text), None)
        if tree.settled:
            tree.expected[path, text] = there

    def edit_head(self, tree: Tree) -> bool | None:
        """Change what stands in a sidecar beside its memories."""
        found = self.sidecar(tree)
        if found is None:
            return False
        path, document = found
        how = self.random.choice(("name", "key", "relation", "unrelated", "decision", "count"))
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        said = self.text()
        if how == "name":
            document["displayName"] = said
        elif how == "key":
            document["team"] = said
        elif how == "relation":
            document["relationships"].setdefault("trusts", []).append(said)
        elif how == "unrelated":
            document["relationships"]["agrees_with"] = []
        elif how == "decision":
            one = {"dr_id": f"DR-{self.said:03}", "role": "pro", "position": said}
            document["decision_history"].append({**one, "outcome": "won"})
        else:
            document["sessions_participated"] += 1
        if how not in ("count", "unrelated"):
            self.expect(tree, path, said, there=True)
        tree.write(path, document)
        return None

    def edit_state(self, tree: Tree) -> bool | None:
        """Change what is not ours in the state file."""
        document = tree.document(STATE)
        if document is None:
            return False
        document["by hand"] = self.text()
        tree.write(STATE, document)
        for path, text in [key for key in tree.expected if key[0] == STATE]:
            del tree.expected[path, text]
        self.expect(tree, STATE, document["by hand"], there=True)
        return None

    # What must hold

    def settle(self, tree: Tree) -> None:
        """Rebuild; where both sides changed what is not ours in the state file, a person does."""
        tree.ledger.rebuild()
        content = tree.files().get(STATE, b"")
        if laws.MARKS in content:
            tree.git("checkout", "--ours", "--", STATE, check=False)
            if laws.MARKS in tree.files().get(STATE, b""):
                (tree.root / STATE).unlink()
            tree.ledger.rebuild()

    def look(self, tree: Tree) -> None:
        """Rebuild, and look whether all laws hold."""
        self.settle(tree)
        self.adopted(tree)
        tree.settled = True
        assert_sidecars_are_the_log(tree)
        assert_state_follows(tree)
        self.assert_nothing_vanished(tree)
        assert_once(tree)
        assert_valid(tree)
        assert_reading_writes_nothing(tree)

    def assert_stable(self, tree: Tree) -> None:
        """Check that rendering again, also from nothing, changes no byte and records nothing."""
        assert_stable(tree)

    def assert_nothing_vanished(self, tree: Tree) -> None:
        """Check that nothing was forgotten but what somebody forgot."""
        for one in tree.memories("party"):
            joined = "before its log came" in (one.reason or "")
            if one.status in ("forgotten", "superseded") and not joined:
                known = {one.id, one.text, one.extra.get("content")}
                assert self.gone & known, (one.id, one.text, one.status, one.reason)


def agent_of(path: str) -> str:
    """Return whose sidecar a file is."""
    return path.rpartition("/")[2].removesuffix(".sidecar.json")


def assert_sidecars_are_the_log(tree: Tree) -> None:
    """Check that every active memory of an agent stands in its sidecar once, and nothing else."""
    shown = {
        agent_of(path): json.loads(content)
        for path, content in tree.files().items()
        if path.startswith(f"{FOLDER}/")
    }
    held: dict[str, Counter[str]] = {agent: Counter() for agent in shown}
    for one in tree.memories("party"):
        agent = one.scope.removeprefix("agent:")
        if one.kept == "project" and one.status == "active":
            held.setdefault(agent, Counter())[one.extra.get("content") or one.text] += 1
    lies = {agent: Counter(m["content"] for m in one["memories"]) for agent, one in shown.items()}
    assert lies == held, (lies, held)
    ended: dict[str, set[str]] = {}
    counted = set()
    events = [one for one in tree.ledger.log() if one.branch is None and one.log == "project"]
    undone = {one.data.get("event") for one in events if one.kind == "event.undone"}
    for event in events:
        if event.kind == "session.ended" and event.id not in undone:
            for agent in event.data["agents"]:
                ended.setdefault(agent, set()).add(event.data["start"])
        if event.kind == "participant.revised" and {"sessions", "least"} & event.data.keys():
            counted.add(event.data["agent"])
    for agent, document in shown.items():
        assert document["agent"] == agent
        if agent not in counted:
            assert document["sessions_participated"] <= len(ended.get(agent, ())), agent


def assert_state_follows(tree: Tree) -> None:
    """Check that the state file lists every sidecar as it is, and none that is not there."""
    listed = (tree.document(STATE) or {}).get("agent_sidecars", {})
    paths = {path for path in tree.files() if path.startswith(f"{FOLDER}/")}
    assert {one["path"] for one in listed.values()} == paths
    for agent, one in listed.items():
        document = tree.document(one["path"])
        assert one == {
            "path": f"{FOLDER}/{agent}.sidecar.json",
            "last_updated": document["last_updated"],
            "memory_count": len(document["memories"]),
            "sessions": document["sessions_participated"],
        }


def assert_once(tree: Tree) -> None:
    """Check that no memory of an agent stands there twice: every text was said once."""
    texts = Counter(
        (one.scope, one.text) for one in tree.memories("party") if one.status == "active"
    )
    assert not [key for key, count in texts.items() if count > 1]


def assert_valid(tree: Tree) -> None:
    """Check that nothing is found but what a person wrote too long."""
    found = [one for one in tree.ledger.party.validate() if one.rule != "S0-18"]
    assert not found, found


def assert_reading_writes_nothing(tree: Tree) -> None:
    """Check the law of read verbs: no event, and nothing that git can see."""
    changes, events, files = tree.changes(), tree.events(), tree.files()
    ledger = tree.ledger
    for path in files:
        if path.startswith(f"{FOLDER}/"):
            ledger.party.show(agent_of(path))
            ledger.party.prompt(agent_of(path), topic="storage and the cache")
    ledger.party.validate()
    ledger.recall("what about storage?")
    ledger.conflicts()
    ledger.doctor()
    assert tree.files() == files
    assert tree.changes() == changes
    assert tree.events() == events


def assert_stable(tree: Tree) -> None:
    """Check that rendering again, also from nothing, changes no byte and records nothing."""
    before, events = tree.files(), tree.events()
    tree.ledger.rebuild()
    laws.assert_same(before, tree.files())
    tree.close()
    shutil.rmtree(tree.root / FOLDER, ignore_errors=True)
    forget_local(tree.root)
    tree.write(STATE, {**tree.document(STATE), "agent_sidecars": {}})
    tree.ledger.rebuild()
    laws.assert_same(before, tree.files())
    assert tree.events() == events
