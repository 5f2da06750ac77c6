"""The lives a memory may have had before it is purged, each brought about by the public doors."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from tests.places import local_of
from tests.security.erasing import TEXT, WORD, commit, git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = f"{TEXT}. " * 4500
WHY = "asked to be forgotten"


class Careless(sqlite3.Connection):
    """An SQLite that leaves deleted rows where they are, as most builds of it do."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.execute("pragma secure_delete = off")


class Scene:
    """A project with some memories that stay, and a way to bring about one that goes."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project = project
        self.home = home
        self.ledger = package.open(project)
        self.stays = [self.say(f"Stays {number}") for number in range(3)]

    def say(self, text: str, **options: Any) -> str:
        return str(self.ledger.remember(text, **options).id)

    def correct(self, name: str, text: str) -> str:
        return str(self.ledger.correct(name, text, reason=f"because of {len(text)}").id)

    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = package.open(self.project)

    def commit(self) -> None:
        commit(self.project)

    def rivals(self, first: str, second: str) -> tuple[str, str]:
        """Let two branches correct one memory, each in its own way."""
        name = self.say("Rivals begin here")
        self.commit()
        git(self.project, "checkout", "--quiet", "-b", "other")
        one = self.correct(name, first)
        self.commit()
        git(self.project, "checkout", "--quiet", "main")
        two = self.correct(name, second)
        self.commit()
        git(self.project, "merge", "--quiet", "-m", "both", "other")
        return one, two

    def settle(self, **choice: str) -> str:
        [conflict] = self.ledger.conflicts()
        return str(self.ledger.resolve(conflict.id, **choice).id)

    def places(self) -> tuple[Path, Path]:
        return self.project, self.home


@pytest.fixture
def scene(project: Path, home: Path) -> Iterator[Scene]:
    real = sqlite3.connect
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite3, "connect", partial(real, factory=Careless))
        made = Scene(project, home)
        yield made
        made.ledger.close()


def recorded(scene: Scene) -> str:
    return scene.say(TEXT, tags=[WORD], source=f"{WORD}.md", speaker=WORD)


def known_again(scene: Scene) -> str:
    name = scene.say(TEXT)
    scene.say(TEXT)
    return name


def corrected_from(scene: Scene) -> str:
    name = scene.say(TEXT)
    scene.correct(scene.correct(name, "What is true now"), "What is truer")
    return name


def corrected_to(scene: Scene) -> str:
    name = scene.correct(scene.say("What was true"), TEXT)
    scene.correct(name, "What is true now")
    return name


def corrected_to_last(scene: Scene) -> str:
    return scene.correct(scene.say("What was true"), TEXT)


def edited(scene: Scene) -> str:
    name = scene.say(TEXT)
    scene.ledger.edit(name, tag=[f"+{WORD}"], priority="high", confidence=0.5)
    return name


def forgotten(scene: Scene) -> str:
    name = scene.say(TEXT)
    scene.ledger.forget(name, reason=f"{WORD} is wrong")
    return name


def restored(scene: Scene) -> str:
    name = forgotten(scene)
    scene.ledger.restore(name)
    return name


def said_again(scene: Scene) -> str:
    """Said once more on purpose after it was rejected, so that its record lifts the rejection."""
    name = forgotten(scene)
    again = scene.say(TEXT, again=True)
    scene.ledger.purge(name, reason="the first of two")
    return again


def private(scene: Scene) -> str:
    return scene.say(TEXT, private=True)


def shared(scene: Scene) -> str:
    name = private(scene)
    scene.ledger.share(name)
    return name


def unshared(scene: Scene) -> str:
    name = private(scene)
    [event] = scene.ledger.share(name).events
    scene.ledger.undo(event)
    return name


def of_all_projects(scene: Scene) -> str:
    return scene.say(TEXT, scope="global")


def undone(scene: Scene) -> str:
    said = scene.ledger.remember(TEXT)
    scene.ledger.undo(said.event)
    return str(said.id)


def sibling_that_is_current(scene: Scene) -> str:
    return scene.rivals("Another truth", TEXT)[1]


def sibling_that_is_not(scene: Scene) -> str:
    return scene.rivals(TEXT, "Another truth")[0]


def kept_of_two(scene: Scene) -> str:
    one, _ = scene.rivals(TEXT, "Another truth")
    return scene.settle(keep=one)


def dropped_of_two(scene: Scene) -> str:
    one, two = scene.rivals(TEXT, "Another truth")
    scene.settle(keep=two)
    return one


def merged(scene: Scene) -> str:
    scene.rivals("One truth", "Another truth")
    return scene.settle(merge=TEXT)


def one_of_the_merged(scene: Scene) -> str:
    one, _ = scene.rivals(TEXT, "Another truth")
    scene.settle(merge="Both truths")
    return one


def deleted_of_two(scene: Scene) -> str:
    one, _ = scene.rivals(TEXT, "Another truth")
    scene.settle(delete=one)
    return one


def in_a_blob(scene: Scene) -> str:
    name = scene.say(LONG, allow_secret=True)
    assert list((scene.project / ".varves/log/blobs").iterdir())
    return name


def corrected_in_blobs(scene: Scene) -> str:
    name = scene.say(LONG, allow_secret=True)
    scene.ledger.correct(name, "In short", allow_secret=True)
    return name


def in_a_pack(scene: Scene) -> str:
    name = scene.say(TEXT)
    for number in range(6):
        scene.commit()
        scene.say(f"Stays in segment {number}")
    scene.commit()
    assert scene.ledger.pack().segments > 3
    return name


def committed(scene: Scene) -> str:
    name = scene.say(TEXT)
    scene.commit()
    return name


def staged(scene: Scene) -> str:
    name = scene.say(TEXT)
    git(scene.project, "add", "-A")
    return name


def torn(scene: Scene) -> str:
    """A line of it was torn at the end of a segment that nobody may continue."""
    name = scene.say(TEXT)
    scene.commit()
    [segment] = sorted((scene.project / ".varves/log").glob("*/*.jsonl"))
    line = segment.read_bytes().splitlines()[-1]
    scene.reopen()
    with segment.open("ab") as file:
        file.write(line[:-60])
    return name


def set_aside(scene: Scene) -> str:
    """A line of it was torn, and the next writer set the piece aside."""
    name = scene.say(TEXT)
    [segment] = sorted((scene.project / ".varves/log").glob("*/*.jsonl"))
    line = segment.read_bytes().splitlines()[-1]
    scene.reopen()
    with segment.open("ab") as file:
        file.write(line[:-60])
    scene.say("Stays beside a torn line")
    [piece] = (local_of(scene.project) / "set-aside").iterdir()
    assert WORD.encode() in piece.read_bytes()
    return name


def in_stray_files(scene: Scene) -> str:
    """Processes were killed while they put whole files into their places."""
    name = scene.say(LONG, allow_secret=True)
    scene.ledger.edit(name, tag=[WORD])
    scene.say(f"Private {TEXT}", private=True)
    [segment] = sorted((scene.project / ".varves/log").glob("*/*.jsonl"))
    [blob] = (scene.project / ".varves/log/blobs").iterdir()
    local = scene.project / ".varves/local"
    beside = scene.project / ".git/varves"
    (local / f".{segment.name}.4711.1").write_bytes(segment.read_bytes())
    (local / f".{blob.name}.4711.1").write_bytes(blob.read_bytes()[:1000])
    (beside / "spool/blobs" / f".{blob.name}.4711.1").write_bytes(blob.read_bytes()[:1000])
    month = segment.parent.name
    (beside / "spool" / month / f".{segment.name}.4711.1").write_bytes(segment.read_bytes())
    [own] = (beside / "private/log").glob("*/*.jsonl")
    (own.parent / f".{own.name}.4711.1").write_bytes(own.read_bytes())
    [other] = [memory.id for memory in scene.ledger.list(private=True)]
    scene.ledger.purge(other, reason="in the way")
    return name


def in_a_damaged_line(scene: Scene) -> str:
    """One bit of its line has turned, so it is no event any more; the correction still is."""
    name = scene.say(TEXT)
    scene.commit()
    scene.correct(name, "What is true now")
    segment = next(
        path
        for path in sorted((scene.project / ".varves/log").glob("*/*.jsonl"))
        if b"memory.recorded" in path.read_bytes() and WORD.encode() in path.read_bytes()
    )
    segment.write_bytes(segment.read_bytes().replace(b"third bell", b"third cell", 1))
    return name


LIVES = [
    *(recorded, known_again, corrected_from, corrected_to, corrected_to_last, edited, forgotten),
    *(restored, said_again, private, shared, unshared, of_all_projects, undone),
    *(sibling_that_is_current, sibling_that_is_not, kept_of_two, dropped_of_two, merged),
    *(one_of_the_merged, deleted_of_two, in_a_blob, corrected_in_blobs, in_a_pack, committed),
    *(staged, torn, set_aside, in_stray_files),
]
FREED = {sibling_that_is_current, sibling_that_is_not}  # a rival that goes frees the other one
