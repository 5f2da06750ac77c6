from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

import varves
from tests.figures import note_figure
from tests.requirements.sources import Seeded, Ticking
from varves.errors import Refused, VarvesError

SEQUENCES = 1000
PER_LEDGER = 1 if os.environ.get("VARVES_TORTURE") else 40
TEXTS = ("use zod", "Use Zod.", "use yup", "use valibot", "check by hand", "no check at all")
KINDS = (
    *("remember", "again", "correct", "edit", "forget", "restore", "undo", "undo", "resolve"),
    *("id", "twin", "twin"),
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
    elif kind == "id":
        ledger.remember(text, scope=scope, id=some)
    elif kind == "twin":  # two memories of one value, as two clones would write them
        ledger.remember(text, scope=scope, id=f"mem_{draw.randrange(36**8):012d}"[:16])
    else:
        for conflict in ledger.conflicts():
            if any(member.scope == scope for member in conflict.members):
                ledger.resolve(conflict.id, keep=conflict.members[-1].id)


def dump(ledger, moment: str) -> str:
    """Write everything the ledger tells, at one instant, as canonical lines."""
    memories = ledger.list(status="all", as_of=None)
    told = {
        "memories": [memory.as_dict() for memory in memories],
        "conflicts": [conflict.as_dict() for conflict in ledger.conflicts()],
        "events": [event.as_dict() for event in ledger.log()],
        "recall": [hit.as_dict() for hit in ledger.recall("use zod yup valibot check", k=500)],
        "moment": moment,
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
    """A thousand random sequences of commands, each in a scope of its own."""
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
    index = project / ".varves/local/index.sqlite"
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
