"""A random walk with conversations: talk, decisions, edited states, and whatever git does around.

States are read as JSON and held against what the core lists; nothing of the protocol's code is
asked how they ought to look.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.protocols import laws
from tests.protocols.wander import ANYWHERE, NothingThere, Wander
from varves.events.kinds import touches

if TYPE_CHECKING:
    from tests.protocols.laws import Tree

AGENTS = ("ada", "ben", "noa")
FOLDER = "deliberations"
SETTINGS = ".varves/settings.toml"
SENTENCES = (
    *("I propose {}.", "What if we use {}?", "We agreed on {}.", "Let's go with {}."),
    *("The build took a while: {}.", "[DECISION] {}", "I agree.", "I disagree with {}."),
)
REACTING = ("I agree: {}", "There is a problem with this: {}", "I heard: {}")
LISTS = {"summaries": "content", "decisions": "outcome", "proposals": "content"}


class TalkWalk(Wander):
    """One history of one project with conversations."""

    folders = (FOLDER,)
    tracked = ()
    protocols = ("deliberation",)
    verbs = (
        *("talk_say", "talk_say", "talk_say", "talk_say", "talk_begin", "talk_decide"),
        *("talk_propose", "talk_react", "talk_resolve", "talk_summarise"),
        *("core_forget", "core_restore", "core_correct", "core_undo"),
    )
    ways = {"verb": 34, "edit_talk": 20, **ANYWHERE}  # noqa: RUF012 - constant

    def begin(self, tree: Tree) -> None:
        """Make a project in which every fourth message makes a summary."""
        tree.ledger.init(protocols=("deliberation",))
        tree.ledger.remember("Something that the project knows")
        (tree.root / SETTINGS).write_text(
            "[deliberation]\nsummary_interval = 4\n", encoding="utf-8"
        )
        tree.close()
        self.write_some(tree)

    def write_some(self, tree: Tree) -> None:
        """Begin a conversation and decide something."""
        talk = tree.ledger.deliberation
        name = f"talk-{self.said}-{tree.root.name}"
        talk.begin(name, agents=AGENTS, shared=self.random.random() < 0.25)
        talk.say("ada", f"We agreed on {self.text()}.", conversation=name)

    def said_in(self, path: str, content: bytes) -> list[str]:
        """Return what a file that git tracks says; it tracks none."""
        return []

    def keep_private(self, tree: Tree) -> None:
        """Talk in private."""
        super().keep_private(tree)
        tree.ledger.deliberation.begin(f"secret-{self.scratches}")
        tree.ledger.deliberation.say("ada", "We agreed on secrets.")

    # Verbs

    def some_talk(self, ledger: Any) -> str:
        """Return some conversation."""
        talks = [one.conversation for one in ledger.deliberation.list()]
        if not talks:
            raise NothingThere
        return str(self.random.choice(talks))

    def some_proposal(self, tree: Tree) -> Any:
        """Return some proposal that is under discussion."""
        rows = [one for one in tree.memories("deliberation") if one.type == "proposal"]
        found = [one for one in rows if one.status == "active" and is_open(one)]
        if not found:
            raise NothingThere
        return self.random.choice(sorted(found, key=lambda one: one.id))

    def talk_begin(self, tree: Tree, ledger: Any) -> None:
        self.write_some(tree)

    def talk_say(self, tree: Tree, ledger: Any) -> None:
        name = self.some_talk(ledger)
        for _ in range(self.random.randint(1, 4)):
            said = self.random.choice(SENTENCES).format(self.text())
            ledger.deliberation.say(self.random.choice(AGENTS), said, conversation=name)

    def talk_decide(self, tree: Tree, ledger: Any) -> None:
        name, topic = self.some_talk(ledger), self.random.choice(("disk", "queue"))
        ledger.deliberation.decide(topic, self.text(), agent="ada", conversation=name)

    def talk_propose(self, tree: Tree, ledger: Any) -> None:
        name = self.some_talk(ledger)
        ledger.deliberation.propose("ben", self.text(), conversation=name)

    def talk_react(self, tree: Tree, ledger: Any) -> None:
        """Quote a proposal, or take a side outright."""
        one = self.some_proposal(tree)
        agent, name = self.random.choice(AGENTS), one.scope.partition(":")[2]
        if self.random.random() < 0.5:
            said = self.random.choice(REACTING).format(one.text)
            ledger.deliberation.say(agent, said, conversation=name)
        else:
            side = self.random.choice(("support", "oppose", "neutral"))
            ledger.deliberation.react(agent, one.id, side, conversation=name)

    def talk_resolve(self, tree: Tree, ledger: Any) -> None:
        one, status = self.some_proposal(tree), self.random.choice(("accepted", "rejected"))
        name = one.scope.partition(":")[2]
        ledger.deliberation.resolve(one.id, status, conversation=name)

    def talk_summarise(self, tree: Tree, ledger: Any) -> None:
        rest = self.random.random() < 0.5
        ledger.deliberation.summarise(conversation=self.some_talk(ledger), rest=rest)

    def core_forget(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.forget(one.id, reason="no longer so")

    def core_restore(self, tree: Tree, ledger: Any) -> None:
        ledger.restore(self.some(tree, status="forgotten").id)

    def core_correct(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree)
        self.gone.add(one.id)
        ledger.correct(one.id, self.text())

    def core_undo(self, tree: Tree, ledger: Any) -> None:
        one = self.some(tree, status=None)
        event = self.random.choice(ledger.history(one.id))
        self.gone.update({one.id, *touches(event)})
        ledger.undo(event.id)

    def ran(self, tree: Tree, name: str) -> None:
        """Check, after a verb, that what people did before was adopted."""
        if name.startswith("core"):  # it may undo what was edited
            tree.expected = {key: there for key, there in tree.expected.items() if there}
        else:
            self.adopted(tree)

    def adopted(self, tree: Tree) -> None:
        """Check what the edits since the last verb said."""
        for (path, text), there in tree.expected.items():
            if there:
                assert tree.has_said(text), (path, text)
            else:
                standing = [one.text for one in tree.memories() if one.status == "active"]
                assert text not in standing, (path, text)
        tree.expected.clear()

    # Editors

    def edit_talk(self, tree: Tree) -> bool | None:
        """Change the state of a conversation by hand."""
        paths = sorted(tree.files())
        if not paths:
            return False
        path = self.random.choice(paths)
        document = tree.document(path)
        how = self.random.choice(("add", "change", "change", "remove", "stance", "key", "propose"))
        key = self.random.choice(("decisions", "proposals"))
        if how in ("change", "remove") and not document[key]:
            return False
        print(f"      {how} {path}")  # noqa: T201 - shown on failure
        said = self.text()
        if how == "add":
            one = {"topic": "by hand", "outcome": said, "supportingAgents": ["ada"]}
            document["decisions"].append(one)
        elif how == "propose":
            document["proposals"].append({"proposer": "ben", "content": said})
        elif how == "stance":
            stance = document["agentStates"].setdefault("ada", {})
            tree.expected.pop((path, stance.get("lastPosition")), None)  # nobody saw it yet
            stance["lastPosition"] = said
        elif how == "key":
            tree.expected.pop((path, document.get("by hand")), None)
            document["by hand"] = said
        else:
            one = self.random.choice(document[key])
            self.expect(tree, path, one[LISTS[key]], there=False)
            self.gone.update((one.get("id", ""), one[LISTS[key]]))
            if how == "remove":
                document[key].remove(one)
                tree.expected.pop((path, document.get("note")), None)
                document["note"] = said  # else it may be as it was rendered before
            else:
                one[LISTS[key]] = said
        self.expect(tree, path, said, there=True)
        tree.write(path, document)
        return None

    def expect(self, tree: Tree, path: str, text: str, *, there: bool) -> None:
        """Expect an edit to be so after the next verb, if git does nothing in between."""
        tree.expected.pop((path, text), None)
        if tree.settled:
            tree.expected[path, text] = there

    # What must hold

    def look(self, tree: Tree) -> None:
        """Rebuild, and look whether all laws hold."""
        tree.ledger.rebuild()
        self.adopted(tree)
        tree.settled = True
        assert_states_are_the_log(tree)
        self.assert_nothing_vanished(tree)
        assert not tree.ledger.deliberation.validate()
        assert tree.git("ls-files", "--", FOLDER) == ""
        assert_reading_writes_nothing(tree)

    def assert_nothing_vanished(self, tree: Tree) -> None:
        """Check that nothing was forgotten but what somebody forgot."""
        for one in tree.memories():
            lost = one.status == "forgotten" or (one.status == "superseded" and is_open(one))
            if lost:
                assert self.gone & {one.id, one.text}, (one.id, one.text, one.status, one.reason)

    def assert_stable(self, tree: Tree) -> None:
        """Check that rendering again, also from nothing, changes no byte and records nothing."""
        laws.assert_stable(tree)


def is_open(one: Any) -> bool:
    """Tell whether a record is no proposal that was settled."""
    return one.extra.get("resolution") in (None, "active")


def talked_in_two(tree: Tree) -> set[str]:
    """Return the conversations that went on in two clones: each summed up what it had."""
    clones: dict[str, set[str]] = {}
    for event in tree.ledger.log(kind=("message.posted",)):
        clones.setdefault(event.session, set()).add(event.writer.partition(".")[0])
    return {name for name, writers in clones.items() if len(writers) > 1}


def assert_states_are_the_log(tree: Tree) -> None:
    """Check that each state shows the records that stand, once, and counts what was said."""
    held: dict[str, dict[str, Counter[str]]] = {}
    for one in tree.memories():
        lists = held.setdefault(one.scope.partition(":")[2], {key: Counter() for key in LISTS})
        if one.status == "active" or (
            one.status in ("archived", "superseded") and not is_open(one)
        ):
            lists[{"summary": "summaries"}.get(one.type, f"{one.type}s")][one.text] += 1
    said, apart = Counter[str](), talked_in_two(tree)
    undone = {one.data["event"] for one in tree.ledger.log(kind=("event.undone",))}
    for event in tree.ledger.log(kind=("message.posted",)):
        if event.protocol == "deliberation" and event.branch is None and event.id not in undone:
            said[event.session] += 1
    for path in tree.files():
        name, document = path.split("/")[1], tree.document(path)
        for key, text in LISTS.items():
            shown = Counter(one[text] for one in document[key])
            assert shown == +held.get(name, {}).get(key, Counter()), (path, key)
        if name in apart:  # numbers are the clone's that spoke: some may not be here yet
            assert document["processedMessageCount"] >= said[name], path
            continue
        assert document["processedMessageCount"] == said[name], path
        spans = sorted(one["messageRange"] for one in document["summaries"])
        assert all(a[1] < b[0] for a, b in pairwise(spans)), spans
        waiting = [one["index"] for one in document["pendingMessages"]]
        covered = {n for start, end in spans for n in range(start, end + 1)}
        assert not covered & set(waiting), (spans, waiting)


def assert_reading_writes_nothing(tree: Tree) -> None:
    """Check the law of read verbs: no event, and nothing that git can see."""
    changes, events, files = tree.changes(), tree.events(), tree.files()
    talk = tree.ledger.deliberation
    for one in talk.list()[:2]:
        name = one.conversation
        talk.context("ada", conversation=name)
        talk.brief(conversation=name)
        talk.stats(conversation=name)
        talk.state(conversation=name)
        talk.messages(3, conversation=name)
    talk.validate()
    tree.ledger.recall("what was agreed?")
    tree.ledger.doctor()
    assert tree.files() == files
    assert tree.changes() == changes
    assert tree.events() == events
