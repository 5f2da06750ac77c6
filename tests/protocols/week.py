"""Seven days of one project in which people and agents use every protocol, and edit every file.

Each day is a function. Whoever acts does so through the verbs of one protocol at a time, and no
file of another may change meanwhile. What is planted must be found again every evening.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.consenting import write_settings
from tests.git.scene import SeededIds
from tests.places import forget_local, local_of
from tests.protocols.laws import assert_same
from tests.protocols.layers.conftest import CONTEXT, GRAPH, LOG, RULES, block
from tests.protocols.layout import FIVE, STATE, files, owner, sidecar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.protocols.conftest import Clone

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FIRST = 16  # of November 2026, a Monday
SCOPED = "memory/projects/harbour/memory.json"
HANDED_ON = ".memory/handoff.json"  # for who comes next to read, not a view
TALK = "deliberations/about-lantern/memory.json"
INDEX = "memory/projects/harbour/_index.json"
CORRECTED = (
    ("jetty", "basin", "scoped", "project:harbour"),
    ("barge", "pontoon", "hivemind", "project:harbour"),
    ("berth", "bunk", "party", "agent:ada"),
    ("sextant", "astrolabe", "deliberation", "session:about-sextant"),
)
SAYINGS = (  # unlike each other: what is alike may be merged
    *("The {} in the harbour is painted red", "Ask the office before moving a harbour {}"),
    *("Work on the {} starts at dawn, harbour time", "Every harbour wants its own {} by spring"),
    *("Nobody in this harbour trusts an old {}", "Three men carry the {} to the harbour gate"),
    *("Fog hides the {} behind a harbour wall", "Monks built the {} when the harbour was young"),
    *("Paint for the {} comes through harbour customs", "Gulls like our {} best of all harbour"),
    *("Since May the harbour master pays for {} repairs",),
)
EVENT = {
    "type": "change",
    "scope": "project",
    "why": "It was asked for.",
    "impact": "None.",
    "next": "- Rest",
}


class Fact(NamedTuple):
    """Something said once, and where it must be found."""

    protocol: str
    scope: str
    kept: str
    origin: str
    by: str  # who recorded it


class Week:
    """One project, what was planted in it so far, and what each evening answered."""

    def __init__(self, clone: Callable[..., Clone], targets: Sequence[str] = ()) -> None:
        self.targets = targets  # the protocols that show what conversations decide
        bridges = [f"deliberation.decision -> {target}" for target in targets]
        self.settings = f"bridges = {json.dumps(bridges)}\n[hivemind]\nany_actor = true\n"
        self.make = clone
        self.here = self.there = clone()
        self.day = 0
        self.hour = 8
        self.opened = 0
        self.facts: dict[str, Fact] = {}
        self.gone: set[str] = set()
        self.secrets: list[str] = []
        self.evenings: dict[str, dict[str, str]] = {}

    def now(self) -> str:
        """Return the present moment."""
        return f"2026-11-{FIRST + self.day:02}T{self.hour:02}:00:00Z"

    def at(self, where: Clone | None = None, *, actor: str = "ada") -> Any:
        """Open the ledger at the present moment, as somebody."""
        self.opened += 1
        ids = SeededIds(f"week {self.opened}")
        return (where or self.here).at(self.now(), actor=actor, ids=ids)

    def later(self, hours: int = 1) -> None:
        """Let time go by."""
        self.hour += hours

    def plant(self, word: str, protocol: str, scope: str, **more: str) -> str:
        """Return a statement with a word of its own, to be found under what is told here."""
        told = {"kept": "project", "origin": "direct", "by": "ada", **more}
        self.facts[word] = Fact(protocol, scope, **told)
        said = sum(fact.protocol == protocol for fact in self.facts.values())
        return SAYINGS[said % len(SAYINGS)].format(word)

    def shows(self, protocol: str) -> set[str | None]:
        """Return the protocols whose files may show what one of them records."""
        return {protocol, *(self.targets if protocol == "deliberation" else ())}

    @contextmanager
    def alone(self, protocol: str, where: Clone | None = None) -> Iterator[None]:
        """Check that what one protocol does changes no file of another, but over a bridge."""
        root, own = (where or self.here).root, self.shows(protocol)
        before = {path: raw for path, raw in files(root).items() if owner(path) not in own}
        yield
        after = {path: raw for path, raw in files(root).items() if owner(path) not in own}
        assert_same(before, after)

    def hide(self, *texts: str) -> None:
        """Expect that texts stand in no file that git tracks, unless a bridge leads there."""
        if not self.targets:
            self.secrets += texts

    def edit(self, path: str, change: Callable[[Any], None]) -> None:
        """Change a JSON file as a person with an editor does."""
        document = self.here.read(path)
        change(document)
        text = json.dumps(document, ensure_ascii=False, indent=4)
        (self.here.root / path).write_text(text, encoding="utf-8")

    def add_line(self, path: str, line: str) -> None:
        """Add to a file as a person does."""
        text = (self.here.root / path).read_text(encoding="utf-8")
        (self.here.root / path).write_text(f"{text}{line}", encoding="utf-8")


def saying(ledger: Any, word: str, **options: Any) -> list[Any]:
    """Return the memories with a word that one search finds."""
    return [hit.memory for hit in ledger.recall(word, **options) if word in hit.memory.text]


# One piece of work through each protocol


def write_scoped(week: Week, word: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Hold a session that leaves one entry, and a note that stays private."""
    secret = f"scoped-secret-{word}"
    week.secrets.append(secret)
    with week.alone("scoped", where):
        scoped = week.at(where, actor=actor).scoped
        scoped.session_start(project="harbour")
        text = week.plant(word, "scoped", "project:harbour", by=actor)
        scoped.write("project", "harbour", type="pattern", content=text, confidence=0.9)
        scoped.note(secret, kind="edit")
        scoped.session_end()


def write_hivemind(week: Week, word: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Hold a session with a task that leaves one memory."""
    secret = f"hivemind-secret-{word}"
    week.secrets.append(secret)
    with week.alone("hivemind", where):
        hivemind = week.at(where, actor=actor).hivemind
        hivemind.session_start(project="harbour", agent=actor)
        hivemind.task(f"Look after {secret}", project="harbour", agent=actor)
        text = week.plant(word, "hivemind", "project:harbour", by=actor)
        hivemind.write(type="factual", content={"text": text}, scope="project:harbour")
        hivemind.session_end()


def hold_party(week: Week, word: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Hold a party in which something is said and one thing kept."""
    secret = f"party-secret-{word}"
    week.secrets.append(secret)
    with week.alone("party", where):
        party = week.at(where, actor=actor).party
        party.start(agents=["ada", "ben"], topic=secret)
        party.say("ben", f"Perhaps {secret} matters.")
        text = week.plant(word, "party", "agent:ada", by=actor)
        party.remember("ada", type="context", content=text, confidence=0.9)
        party.end()


def log_work(week: Week, word: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Boot, append one event, and shut down with a commit."""
    with week.alone("layers", where):
        layers = week.at(where, actor=actor).layers
        layers.boot()
        text = week.plant(word, "layers", "project", by=actor)
        layers.append(**EVENT, title=text, what=f"See [[{word}]].")
        layers.shutdown()


def hold_talk(week: Week, word: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Hold a conversation that decides one thing; one in another clone is shared with all."""
    name, shared = f"about-{word}", where is not None
    secret = f"talk-secret-{len(week.secrets)}"
    with week.alone("deliberation", where):
        talk = week.at(where, actor=actor).deliberation
        talk.begin(name, agents=["ada", "ben"], topic=None if shared else secret, shared=shared)
        told = {"kept": "project" if shared else "private", "origin": "agent", "by": actor}
        text = week.plant(word, "deliberation", f"session:{name}", **told)
        talk.say("ada", f"[DECISION] {text}.")
        if not shared:
            week.secrets.append(secret)
            week.hide(text)
            talk.say("ben", f"I propose {secret} for the time being.")
            talk.say("ada", f"I agree: {secret} for the time being.")


WORKS = (write_scoped, write_hivemind, hold_party, log_work, hold_talk)


def work(week: Week, words: str, where: Clone | None = None, actor: str = "ada") -> None:
    """Let every protocol work once, each an hour after the other."""
    for one, word in zip(WORKS, words.split(), strict=True):
        one(week, word, where, actor)
        week.later()


# The days


def monday(week: Week) -> None:
    """Begin, with a state file that is somebody else's too."""
    (week.here.root / "AGENTS.md").write_text(RULES, encoding="utf-8")
    (week.here.root / STATE).parent.mkdir(parents=True)
    (week.here.root / STATE).write_text('{"phase": 1}\n', encoding="utf-8")
    (week.here.root / ".varves").mkdir()
    write_settings(week.here.root, week.settings, week.here.home)
    week.at().init(protocols=FIVE)
    week.here.commit("begin")
    work(week, "crane buoy quay winch lantern")


def tuesday(week: Week) -> None:
    """Approve and reject, hand over and take over, agree and decide."""
    with week.alone("scoped"):
        scoped = week.at().scoped
        text = week.plant("gantry", "scoped", "project:harbour")
        [wanted] = scoped.done(text=f"Decision: {text}", scope="project", id="harbour")
        scoped.approve(wanted.id)
        [other] = scoped.done(text="Decision: Use a pylon", scope="project", id="harbour")
        scoped.reject(other.id, reason="there is no room")
    week.later()
    with week.alone("hivemind"):
        hivemind = week.at().hivemind
        hivemind.session_start(project="harbour", agent="ada")
        hivemind.task("Mend the lamp", project="harbour", agent="ada")
        hivemind.handoff("ben", summary="hivemind-secret-lamp is half done", pending=["the wick"])
        assert hivemind.accept("ben").agent == "ben"
        hivemind.done("Decided to use a beacon in the harbour", project="harbour", agent="ben")
        week.secrets.append("hivemind-secret-lamp")
        hivemind.session_end()
    week.later()
    with week.alone("party"):
        party = week.at().party
        party.start(agents=["ada", "ben"], topic="the pier")
        for _ in range(3):
            party.say("ada", "I agree with ben.")
        party.decide("A pier of oak", outcome="accepted", pro=("ada",), contra=("ben",))
        party.end()
    week.later()
    with week.alone("layers"):
        layers = week.at().layers
        layers.boot()
        layers.append(**EVENT, title="Drafted a slipway", what="A slipway.", draft=True)
        layers.shutdown(to="ben")
        week.later()
        assert week.at(actor="ben").layers.accept().consumed_by == "ben"
    week.later()
    with week.alone("deliberation"):
        talk_it_over(week)


def talk_it_over(week: Week) -> None:
    """Talk for so long that a summary is made; propose, react, decide and resolve."""
    talk = week.at().deliberation
    talk.begin("the-mooring", agents=["ada", "ben", "noa"])
    idea = talk.propose("ben", "talk-secret-chains hold the boats")
    week.secrets.append("talk-secret-chains")
    talk.react("noa", idea.id, "support")
    for number in range(12):
        talk.say(("ada", "ben")[number % 2], f"Boat {number} came in with the tide.")
    done = talk.decide("mooring", "chains it is", agent="ada", resolves=idea.id)
    state = talk.state()
    assert [one.message_range for one in state.summaries] == [(0, 11)], state.summaries
    assert [one.status for one in state.proposals] == ["accepted"], state.proposals
    assert done.supporters == ("ada",), done


def wednesday(week: Week) -> None:
    """Edit a file of each class by hand, and see what becomes of it."""
    edit_rules_and_log(week)
    edit_records(week)
    edit_derived(week)


def edit_rules_and_log(week: Week) -> None:
    """Edit what others write: the rules are read, the log's new event is adopted."""
    rules = RULES.replace("- Say why\n", "- Say why\n- Mind the tide\n")
    (week.here.root / "AGENTS.md").write_text(rules, encoding="utf-8")
    title = week.plant("anchor", "layers", "project", by="USER")
    week.add_line(LOG, "\n" + block("2026-11-18 08:00", title))
    before = (week.here.root / LOG).read_bytes()
    with week.alone("layers"):
        layers = week.at().layers
        booted = layers.boot()
    assert len(booted.adopted) == 1
    assert "Mind the tide" in str(layers.constraints())
    assert (week.here.root / LOG).read_bytes() == before
    assert (week.here.root / "AGENTS.md").read_text(encoding="utf-8") == rules


def edit_records(week: Week) -> None:
    """Edit records of two-way files: they are adopted, and the rest of a shared file is left."""
    said = week.plant("chandler", "scoped", "project:harbour", by="USER")
    entry = {"id": "mem-009", "type": "convention", "content": said, "confidence": 0.8}
    week.edit(SCOPED, lambda document: document["entries"].append(entry))
    with week.alone("scoped"):
        assert said in [one.content for one in week.at().scoped.read("project", "harbour").entries]
        week.at().scoped.session_start(project="harbour")
        week.at().scoped.session_end()

    [path] = [
        path for path, raw in files(week.here.root).items() if b"buoy" in raw and "/mem_" in path
    ]
    said = week.plant("capstan", "hivemind", "project:harbour")
    week.gone.add("buoy")
    week.edit(path, lambda document: document.update(content={"text": said}))
    with week.alone("hivemind"):
        week.at().hivemind.session_start(project="harbour")
        week.at().hivemind.session_end()

    said = week.plant("bollard", "party", "agent:ben", by="USER")
    memory = {"type": "observation", "content": said, "source_session": "2026-11-18"}
    week.edit(sidecar("ben"), lambda document: document["memories"].append(memory))
    week.edit(STATE, lambda document: document.update(phase=2))
    with week.alone("party"):
        week.at().party.recover()
    assert week.here.read(STATE)["phase"] == 2

    scope = "session:about-lantern"
    said = week.plant("torch", "deliberation", scope, kept="private", origin="agent")
    more = week.plant("candle", "deliberation", scope, kept="private", by="USER")
    week.gone.add("lantern")
    week.hide(said, more)
    week.edit(TALK, lambda document: document["decisions"][0].update(outcome=said))
    decided = {"topic": "light", "outcome": more, "supportingAgents": ["ben"]}
    week.edit(TALK, lambda document: document["decisions"].append(decided))
    with week.alone("deliberation"):
        week.at().deliberation.say("ben", "It is dark.", conversation="about-lantern")
    shown = [one["outcome"] for one in week.here.read(TALK)["decisions"]]
    assert shown == [said, more], shown


def edit_derived(week: Week) -> None:
    """Edit files that are made from others: they are made again, and the edit is set aside."""
    made = {path: (week.here.root / path).read_bytes() for path in (GRAPH, CONTEXT, INDEX)}
    week.add_line(GRAPH, "- [[mole]] — Made up — done — none\n")
    week.add_line(CONTEXT, "\nA mole was made up.\n")
    week.edit(INDEX, lambda document: document.update(entry_count=77))
    edited = {path: (week.here.root / path).read_bytes() for path in made}
    week.at().rebuild()
    for path, content in made.items():
        assert (week.here.root / path).read_bytes() == content, path
    aside = local_of(week.here.root) / "aside"
    for path, content in edited.items():
        assert (aside / path.replace("/", "__")).read_bytes() == content, path


def thursday(week: Week) -> None:
    """Work on a branch and on the main one, and merge."""
    week.here.git("checkout", "--quiet", "-b", "side")
    work(week, "ferry barge trawler skiff compass")
    week.here.commit("on the side")
    week.here.git("checkout", "--quiet", "main")
    week.hour -= 4
    work(week, "jetty wharf berth dinghy sextant")
    week.here.commit("on the main one")
    week.here.without_driver()
    week.here.git("merge", "--quiet", "--no-edit", "side", check=False)
    assert b"<<<<<<<" in (week.here.root / LOG).read_bytes()
    ledger = week.at()
    ledger.layers.merge()
    ledger.rebuild()
    ledger.connect_git()


def friday(week: Week) -> None:
    """Let somebody work in a clone, and pull it; then both show the same."""
    week.there = week.make("there", week.here)
    week.at(week.there, actor="ben").remember("clone-secret", private=True)
    week.secrets.append("clone-secret")
    work(week, "mizzen topsail keel rudder hammock", week.there, "ben")
    week.there.commit("from the other clone")
    (week.here.root / "README.md").write_text("A harbour.\n", encoding="utf-8")
    week.here.commit("meanwhile")
    week.here.git("pull", "--quiet", "--no-rebase", "--no-edit", week.there.root, "main")
    week.at().rebuild()


def saturday(week: Week) -> None:
    """Take back, correct, forget and restore records of every protocol."""
    ledger = week.at()
    for word in ("crane", "wharf", "quay", "winch", "compass"):
        [one] = saying(ledger, word)
        done = ledger.forget(one.id, reason="no longer so")
        assert saying(ledger, word) == []
        told = ledger.why(one.id)
        assert not told.recalled
        assert "memory.forgotten" in [step.kind for step in told.provenance]
        if word in ("crane", "quay"):
            assert ledger.undo(done.event).undone == done.event
        else:
            ledger.restore(one.id)
        assert [again.id for again in saying(ledger, word)] == [one.id]
    week.later()
    ledger = week.at()
    for old, word, protocol, scope in CORRECTED:
        [one] = saying(ledger, old)
        ledger.correct(one.id, week.plant(word, protocol, scope, kept=one.kept))
        week.gone.add(old)
        assert ledger.show(one.id).status == "superseded"
    found = ledger.conflicts()
    assert not found, found


def sunday(week: Week) -> None:
    """Lose everything that can be made again, and make it again."""
    before = files(week.here.root)
    week.here.close()
    for path in before:
        if path not in (LOG, STATE, HANDED_ON):
            (week.here.root / path).unlink()
    forget_local(week.here.root)
    week.at().rebuild()
    assert_same(before, files(week.here.root))
    assert week.at().verify(deep=True).ok
