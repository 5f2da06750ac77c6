"""Neighbours: projects, people, agents, sessions and worktrees that share a machine.

Every memory holds a mark of its own, so that any answer tells from the marks in it what reached
it. Ours is always the same, to the byte; neighbours come beside it or they do not, and an answer
that differs by their being there has told something of them.
"""

from __future__ import annotations

import random
import re
import subprocess
from typing import TYPE_CHECKING, Any

import varves
from tests.consenting import write_settings
from tests.properties.world import START, SeededIds, Watchmaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

WORDS = (
    *("deploy", "review", "staging", "billing", "schema", "cache", "token", "branch"),
    *("queue", "release", "backup", "invoice", "login", "search", "layout", "index"),
)
SEED = 11
CLIENTS = ("claude", "codex", "gemini", "copilot", "cursor", "opencode")
SESSIONS = ("s-one", "s-two")
MARK = re.compile(r"mark-[a-z]+-\d{3}")
ID = re.compile(r"mem_[a-z0-9]{12}")
NONCE = re.compile(r"varves-memory-[0-9a-f]{32}")
INSTANT = re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+Z")


class House:
    """One machine: our project, and beside it neighbours or nobody."""

    def __init__(self, place: Path, *, seed: int, neighbours: bool) -> None:
        self.place = place
        self.seed = seed
        self.homes = {"ada": place / "ada", "bob": place / "bob"}
        self.ours = place / "ours"
        self.owners: dict[str, str] = {}
        """By mark: whose it is."""
        self._opened: dict[str, int] = {}
        place.mkdir()
        self.repository(self.ours)
        settings = f'[teams.core]\nroot = "{place / "core"}"\n'
        for one in self.homes.values():
            write_settings(self.ours, settings, one)
        chance = random.Random(seed)
        self._fill_ours(chance)
        if neighbours:
            self._fill_neighbours(random.Random(seed + 1))

    def repository(self, root: Path) -> None:
        """Make an empty git repository."""
        root.mkdir()
        self.git(root, "init", "--quiet")

    def git(self, root: Path, *words: str) -> None:
        """Run git."""
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)

    def open(self, root: Path, person: str = "ada", **options: Any) -> varves.Ledger:
        """Open a project as a person; all is drawn from the seed."""
        times = self._opened[root.name] = self._opened.get(root.name, 0) + 1
        ids = SeededIds(hash((self.seed, len(root.name), times)))
        clock = Watchmaker(START + 1000 * times)
        return varves.open(root, home=self.homes[person], ids=ids, clock=clock, **options)

    def _fill_ours(self, chance: random.Random) -> None:
        lines = self._lines("ours", ["project"] * 6, chance)
        lines += self._lines("ours", ["project"] * 4, chance, private=True)
        lines += self._lines("ours", [f"agent:{name}" for name in CLIENTS], chance)
        lines += self._lines("ours", [f"session:{name}" for name in SESSIONS] * 2, chance)
        lines += self._lines("global", ["global"] * 3, chance)
        lines += self._lines("team", ["team:core"] * 3, chance)
        self.write(self.ours, lines)

    def _fill_neighbours(self, chance: random.Random) -> None:
        """Let another project, another person and their clone of ours move in."""
        theirs = self.place / "theirs"
        self.repository(theirs)
        scopes = ["project"] * 8 + [f"agent:{name}" for name in CLIENTS]
        scopes += [f"session:{name}" for name in SESSIONS] * 2 + ["team:core"] * 2
        lines = self._lines("theirs", scopes, chance)
        lines += self._lines("theirs", ["project"] * 8, chance, private=True)
        self.write(theirs, lines)
        clone = self.place / "clone"
        self.git(self.place, "clone", "--quiet", str(self.ours), str(clone))
        lines = self._lines("bob", ["global"] * 6, chance)
        lines += self._lines("bob", ["project"] * 6, chance, private=True)
        lines += self._lines("bob", ["project"] * 3, chance)  # recorded, and never pushed
        lines += self._lines("bob", [f"session:{name}" for name in SESSIONS], chance)
        self.write(clone, lines, "bob")
        with self.open(theirs) as ledger:
            ledger.scoped.write("project", type="decision", content="deploy mark-theirs-900")
        with self.open(theirs, actor="DEV-001") as ledger:
            ledger.hivemind.write("deploy mark-theirs-901", type="factual")
        with self.open(theirs) as ledger:
            ledger.deliberation.begin("s-one")
            ledger.deliberation.say("user", "We decided on deploy mark-theirs-902.")

    def _lines(
        self, whose: str, scopes: Iterable[str], chance: random.Random, **more: Any
    ) -> list[dict[str, Any]]:
        made = []
        for scope in scopes:
            number = sum(mark.startswith(f"mark-{whose}-") for mark in self.owners)
            mark = f"mark-{whose}-{number:03}"
            self.owners[mark] = scope if whose == "ours" else whose
            said = " ".join(chance.sample(WORDS, 5))
            kind = chance.choice(("note", "convention", "decision"))
            text = f"The {said} stands at {mark}"
            made.append({"text": text, "scope": scope, "type": kind, **more})
        return made

    def write(self, root: Path, lines: list[dict[str, Any]], person: str = "ada") -> None:
        """Record lines in a project."""
        with self.open(root, person) as ledger:
            assert ledger.remember_many(lines).written == len(lines)

    def ids_unseen_by(self, client: str, session: str) -> list[str]:
        """Return memories of our project, and of neighbours, that a session must not see."""
        found: list[str] = []
        for root, person in (("ours", "ada"), ("theirs", "ada"), ("clone", "bob")):
            with self.open(self.place / root, person) as ledger:
                found += [
                    one.id
                    for one in ledger.list()
                    if root != "ours" or foreign(one.text, client, session, self)
                    if one.kept != "global" or person == "bob"
                ]
        return found

    def plain(self, answer: str) -> str:
        """Return an answer without what differs between two runs: places, nonces and moments."""
        said = NONCE.sub("varves-memory-", answer).replace(str(self.place), "PLACE")
        return INSTANT.sub("INSTANT", said)


def questions(chance: random.Random) -> Iterator[str]:
    """Yield what is asked, some of it with a neighbour's mark in it."""
    for number in range(2):
        words = " ".join(chance.sample(WORDS, 3))
        yield f"{words} mark-theirs-{number:03} mark-bob-{number:03}"
    yield "what do we know about deploy and staging?"


def marks(answer: str) -> set[str]:
    """Return the marks of all memories that an answer tells of."""
    return set(MARK.findall(answer))


def foreign(answer: str, client: str, session: str, house: House) -> set[str]:
    """Return the marks in an answer that a client's session in our project may not see."""
    return {
        mark
        for mark in marks(answer)
        if house.owners.get(mark, "nobody")
        not in ("project", "global", "team", f"agent:{client}", f"session:{session}")
    }
