from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.places import local_of
from tests.requirements.sources import Seeded, Ticking
from varves.errors import Damaged, Refused, VarvesError

SEQUENCES, PER_LEDGER = (1000, 1) if full_size() else (40, 40)
PROTOCOL_SEQUENCES, PER_PROJECT = (1000, 10) if full_size() else (5, 5)
TEXTS = ("use zod", "Use Zod.", "use yup", "use valibot", "check by hand", "no check at all")
KINDS = (
    *("remember", "again", "correct", "edit", "forget", "restore", "undo", "undo", "resolve"),
    *("id", "twin", "twin", "put", "put", "delete", "say", "pop"),
)
MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a throw-away place where a sync costs nothing


@pytest.fixture
def folder(tmp_path):
    """A place for many small ledgers, in memory where there is such a disk."""
    if not os.access(MEMORY_DISK, os.W_OK):
        yield tmp_path
        return
    import shutil
    import tempfile

    place = Path(tempfile.mkdtemp(dir=MEMORY_DISK, prefix="varves-test-"))
    yield place
    shutil.rmtree(place)


def command(ledger, draw: random.Random, scope: str) -> None:
    """Do one random thing in a scope; a refusal is as good an outcome as any."""
    memories = ledger.list(scope=scope, status="all")
    some = draw.choice(memories).id if memories else ""
    text = draw.choice(TEXTS)
    kind = draw.choice(KINDS)
    if kind in ("remember", "again") or not some:
        ledger.remember(text, scope=scope, again=kind == "again", ttl=draw.choice((None, "2m")))
    elif kind == "correct":
        ledger.correct(some, text, again=draw.random() < 0.3)
    elif kind == "edit":
        ledger.edit(some, tag=[draw.choice(("+a", "-a", "+b"))], confidence=draw.random())
    elif kind == "forget":
        ledger.forget(some, reason="r")
    elif kind == "restore":
        ledger.restore(some)
    elif kind == "undo":
        ledger.undo(draw.choice(ledger.history(some)).id)
    elif kind in ("put", "delete", "say", "pop"):
        beside(ledger, kind, text, scope)
    elif kind == "id":
        ledger.remember(text, scope=scope, id=some)
    elif kind == "twin":  # two memories of one value, as two clones would write them
        ledger.remember(text, scope=scope, id=f"mem_{draw.randrange(36**8):012d}"[:16])
    else:
        for conflict in ledger.conflicts():
            if any(member.scope == scope for member in conflict.members):
                ledger.resolve(conflict.id, keep=conflict.members[-1].id)


def beside(ledger, kind: str, text: str, scope: str) -> None:
    """Write or delete a document, or say something in a talk or take it back."""
    shelf, talk = ledger.shelf("notes", scope=scope), ledger.talk(scope)
    {
        "put": lambda: shelf.put(text[:5], text, again=True),
        "delete": lambda: shelf.change({text[:5]: None, "and": text}),
        "say": lambda: talk.append([text], keys=[text]),
        "pop": talk.pop,
    }[kind]()


def dump(ledger, moment: str) -> str:
    """Write everything the ledger tells, at one instant, as canonical lines."""
    memories = ledger.list(status="all", as_of=None)
    told = {
        "memories": [memory.as_dict() for memory in memories],
        "conflicts": [conflict.as_dict() for conflict in ledger.conflicts()],
        "events": [event.as_dict() for event in ledger.log()],
        "recall": [hit.as_dict() for hit in ledger.recall("use zod yup valibot check", k=500)],
        "moment": moment,
        "talks": {
            talk.name: [entry.as_dict() for entry in ledger.talk(talk.name).entries()]
            for talk in ledger.talks()
        },
    }
    for part in told["recall"]:
        part.pop("score")  # a rank among the words of the moment, not a fact about the memory
        part.pop("reasons")
    told["recall"].sort(key=lambda hit: hit["id"])
    return json.dumps(told, sort_keys=True)


class Stopped:
    """A clock held at an instant, for two looks at the same moment."""

    fixed = True

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def now(self) -> int:
        return self.ms


@pytest.mark.requirement("U-02")
def test_what_was_kept_up_step_by_step_equals_a_full_rebuild(folder):
    """Random sequences of commands, each in a scope of its own; a thousand at full size."""
    done = refused = conflicts = 0
    for number in range(0, SEQUENCES, PER_LEDGER):
        draw = random.Random(number)
        root = folder / f"p{number}"
        root.mkdir()
        clock = Ticking()
        options = {"home": folder / f"h{number}", "ids": Seeded(number)}
        with varves.open(root, clock=clock, **options) as ledger:
            for sequence in range(number, number + PER_LEDGER):
                for _ in range(draw.randint(2, 5)):
                    try:
                        command(ledger, draw, f"agent:s{sequence}")
                        done += 1
                    except VarvesError as fault:
                        assert isinstance(fault, Refused), fault  # noqa: PT017 - counted, not awaited
                        refused += 1
        with varves.open(root, clock=Stopped(clock.ms), **options) as ledger:
            before = dump(ledger, "same")
            conflicts += len(ledger.conflicts())
            ledger.rebuild()
            assert dump(ledger, "same") == before, f"seed {number}"
    assert done > 2 * SEQUENCES
    assert refused > SEQUENCES // 20, "the sequences reach the rules"
    assert conflicts > 0, "the sequences reach conflicts"
    note_figure("R8", sequences_rebuilt=SEQUENCES)


@pytest.mark.requirement("U-02")
def test_an_index_that_is_deleted_or_damaged_comes_back_the_same(project, ledger):
    for number in range(30):
        name = ledger.remember(f"statement {number}").id
        if number % 3 == 0:
            ledger.correct(name, f"better statement {number}")
    before = [memory.as_dict() for memory in ledger.list(status="all")]
    ledger.close()
    index = local_of(project) / "index.sqlite"
    whole = index.read_bytes()
    for content in (None, b"", b"not a database", whole[: len(whole) // 2], b"\0" * 4096):
        for beside in index.parent.glob("index.sqlite*"):
            beside.unlink()
        if content is not None:
            index.write_bytes(content)
        assert [memory.as_dict() for memory in ledger.list(status="all")] == before
        ledger.close()


@pytest.mark.requirement("U-02")
def test_the_files_of_a_ledger_are_the_same_whoever_makes_them(tmp_path, home, project, varves):
    """The rendered files of the core are constants: two inits give the same bytes."""
    other = tmp_path / "other"
    other.mkdir()
    assert varves("init").code == 0
    assert varves("init", "--root", str(other)).code == 0
    made = {
        name: (project / ".varves" / name).read_bytes()
        for name in ("format.json", ".gitignore", ".gitattributes")
    }
    assert made == {name: (other / ".varves" / name).read_bytes() for name in made}
    assert varves("rebuild").code == 0
    assert made == {name: (project / ".varves" / name).read_bytes() for name in made}


DEEDS = {
    "scoped": ("write", "session", "approve", "reject", "forget"),
    "hivemind": ("write", "task", "done", "error", "maintain", "handoff"),
    "party": ("talk", "decide", "idle"),
    "layers": ("append", "draft", "boot", "shutdown"),
    "deliberation": ("begin", "say", "say", "decide", "propose", "settle"),
    "core": ("forget", "restore", "correct", "undo", "edit"),
}
RULES = "# Rules\n\n## Do\n- Run the tests\n"
EVENT = {"type": "change", "scope": "project", "what": "Done.", "why": "Asked."}


def in_protocol(ledger, draw: random.Random, *, number: int, step: int) -> None:
    """Do one random thing through a protocol, or to what one of them has recorded."""
    protocol = draw.choice(list(DEEDS))
    deed, word = (
        draw.choice(DEEDS[protocol]),
        f"{draw.randrange(16**6):06x} is number {number}-{step}",
    )
    known = [one for one in ledger.list(status="all") if one.protocol != "core"]
    some = draw.choice(known).id if known else ""
    {
        "scoped": in_scoped,
        "hivemind": in_hivemind,
        "party": in_party,
        "layers": in_layers,
        "deliberation": in_deliberation,
        "core": in_core,
    }[protocol](ledger, deed, word, some)


def in_scoped(ledger, deed: str, word: str, some: str) -> None:
    scoped = ledger.scoped
    if deed == "write":
        scoped.write("project", "p", type="pattern", content=word)
    elif deed == "session":
        scoped.session_start(project="p")
        scoped.note(word)
        scoped.session_end()
    elif deed == "forget":
        scoped.forget(some, scope="project", project="p", reason="no longer so")
    else:
        for one in scoped.done(text=f"Decision: {word}", scope="project", id="p"):
            getattr(scoped, deed)(one.id)


def in_hivemind(ledger, deed: str, word: str, some: str) -> None:
    hivemind = ledger.hivemind
    if deed == "write":
        hivemind.write(type="factual", content={"text": word}, scope="project:p")
    elif deed == "task":
        hivemind.task(f"Fix {word}", project="p")
    elif deed == "done":
        hivemind.done(f"Decided to use {word}", project="p")
    elif deed == "error":
        hivemind.error("timeout", f"Timed out: {word}", context=word, prevention="Retry")
    elif deed == "handoff":
        hivemind.handoff("DEV-002", summary=word)
        hivemind.accept("DEV-002")
    else:
        hivemind.maintain(force=True)


def in_party(ledger, deed: str, word: str, some: str) -> None:
    party = ledger.party
    party.start(agents=["ada", "ben"])
    if deed == "talk":
        party.say("ada", f"I prefer {word}.")
        party.remember("ben", type="context", content=word, confidence=0.9)
    elif deed == "decide":
        party.decide(word, outcome="accepted", pro=("ada",))
    party.end()


def in_layers(ledger, deed: str, word: str, some: str) -> None:
    layers = ledger.layers
    if deed in ("append", "draft"):
        layers.append(**EVENT, title=word, draft=deed == "draft")
    elif deed == "boot":
        layers.boot()
    else:
        layers.shutdown(commit=False)


def in_deliberation(ledger, deed: str, word: str, some: str) -> None:
    talk = ledger.deliberation
    if deed == "begin" or not talk.list():
        talk.begin(word.partition(" ")[0])
    if deed == "say":
        for agent, said in (("ada", "[DECISION] {}"), ("ben", "I propose {}."), ("ada", "So {}.")):
            talk.say(agent, said.format(word))
    elif deed == "decide":
        talk.decide("storage", word, agent="ada")
    elif deed in ("propose", "settle"):
        made = talk.propose("ben", word)
        talk.react("ada", made.id, "support")
        if deed == "settle":
            talk.resolve(made.id, "rejected")


def in_core(ledger, deed: str, word: str, some: str) -> None:
    if deed == "forget":
        ledger.forget(some, reason="no longer so")
    elif deed == "restore":
        ledger.restore(some)
    elif deed == "correct":
        ledger.correct(some, word)
    elif deed == "undo":
        ledger.undo(ledger.history(some)[0].id)
    else:
        ledger.edit(some, tag=["+hot"])


def shown(root, ledger) -> dict[str, bytes | str]:
    """Return every file of the protocols byte for byte, and the index in canonical form."""
    places = ("memory", "_mdan", ".memory", "deliberations")
    found = {
        str(path.relative_to(root)): path.read_bytes()
        for place in places
        for path in (root / place).rglob("*")
        if path.is_file()
    }
    rows = [one.as_dict() for one in ledger.list(status="all")]
    return {
        **found,
        "CHANGELOG.md": (root / "CHANGELOG.md").read_bytes(),
        "the index": json.dumps(sorted(rows, key=lambda row: row["id"]), sort_keys=True),
    }


@pytest.mark.requirement("U-02")
def test_the_files_of_all_protocols_equal_a_full_rebuild(folder):
    """Random sequences through all five in one project; a thousand of them where there is time."""
    done = refused = 0
    for number in range(0, PROTOCOL_SEQUENCES, PER_PROJECT):
        draw, root, clock = random.Random(number), folder / f"five{number}", Ticking()
        root.mkdir()
        (root / "AGENTS.md").write_text(RULES, encoding="utf-8")
        options = {"home": folder / f"home{number}", "ids": Seeded(number), "actor": "DEV-001"}
        with varves.open(root, clock=clock, **options) as ledger:
            ledger.layers.init(begin=True)
            for sequence in range(number, number + PER_PROJECT):
                for step in range(draw.randint(3, 6)):
                    try:
                        in_protocol(ledger, draw, number=sequence, step=step)
                        done += 1
                    except VarvesError as fault:
                        assert not isinstance(fault, Damaged), fault  # noqa: PT017 - counted
                        refused += 1
                ledger.layers.boot()
                before = shown(root, ledger)
                with varves.open(root, clock=Stopped(clock.ms), **options) as fresh:
                    fresh.rebuild()
                    now = shown(root, fresh)
                differ = [name for name in before | now if before.get(name) != now.get(name)]
                assert differ == [], f"sequence {sequence}"
            assert ledger.verify(deep=True).ok
            faults = [one for one in ledger.doctor() if getattr(one, "level", "error") == "error"]
            assert [one for one in faults if "git" not in one.message] == []
    assert done > 2 * PROTOCOL_SEQUENCES
    assert refused > 0, "the sequences reach the rules"
