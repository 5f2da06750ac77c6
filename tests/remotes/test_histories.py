"""Three clones that write, purge, push, pull and merge in any order end with the same ledger."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

import varves
from tests.figures import full_size
from tests.remotes.test_copies import tree

HISTORIES = 2000 if full_size() else 8
STEPS = 14


class History:
    """Clones of one repository that share a remote; each step is drawn from a seed."""

    def __init__(self, place: Path, url: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.roots = [place / name for name in "abc"]
        self.secrets: list[str] = []
        self.count = 0
        first = self.roots[0]
        first.mkdir(parents=True)
        self.git(first, "init", "-q", "-b", "main")
        self.open(first, lambda ledger: ledger.init())
        self.commit(first)
        for root in self.roots[1:]:
            self.git(place, "clone", "-q", str(first), str(root))
            self.open(root, lambda ledger: ledger.init())
        for root in self.roots:
            self.open(root, lambda ledger: ledger.add_remote("hub", url, when="manual"))

    def git(self, root: Path, *words: str, check: bool = True) -> None:
        subprocess.run(["git", *words], cwd=root, check=check, capture_output=True)

    def open(self, root: Path, act):
        with varves.open(root) as ledger:
            return act(ledger)

    def commit(self, root: Path) -> None:
        self.git(root, "add", "-A")
        self.git(root, "commit", "-q", "--allow-empty", "-m", "what we know")

    # Steps

    def remember(self, root: Path) -> None:
        self.count += 1
        self.open(root, lambda ledger: ledger.remember(f"Release {self.count} is on a Tuesday"))

    def purge(self, root: Path) -> None:
        def act(ledger):
            found = ledger.list()
            if found:
                one = self.chance.choice(found)
                ledger.purge(one.id, reason="asked")
                self.secrets.append(one.text)

        self.open(root, act)

    def correct(self, root: Path) -> None:
        def act(ledger):
            found = ledger.list()
            if found:
                self.count += 1
                one = self.chance.choice(found)
                ledger.correct(one.id, f"Release {self.count} is on a Friday")

        self.open(root, act)

    def push(self, root: Path) -> None:
        self.open(root, lambda ledger: ledger.push())

    def pull(self, root: Path) -> None:
        self.open(root, lambda ledger: ledger.pull())

    def merge(self, root: Path) -> None:
        other = self.chance.choice([one for one in self.roots if one != root])
        self.commit(other)
        self.commit(root)
        self.git(root, "pull", "-q", "--no-rebase", "--no-edit", str(other), "HEAD", check=False)
        self.open(root, lambda ledger: ledger.rebuild())
        self.commit(root)

    def pack(self, root: Path) -> None:
        self.commit(root)
        self.open(root, lambda ledger: ledger.pack())

    def run(self) -> None:
        steps = [self.remember] * 4 + [self.push] * 3 + [self.pull] * 3
        steps += [self.merge, self.purge, self.correct, self.pack]
        for _ in range(STEPS):
            self.chance.choice(steps)(self.chance.choice(self.roots))
        for _ in range(2):
            for root in self.roots:
                self.open(root, lambda ledger: ledger.sync())


def check_equal(history: History) -> None:
    def exported(ledger) -> list[str]:
        return sorted(line for part in ledger.export() for line in part.split("\n"))

    first, *others = [history.open(root, exported) for root in history.roots]
    for other in others:
        assert other == first
    for root in history.roots:
        assert history.open(root, lambda ledger: ledger.verify().ok)
        held = b"".join(tree(root / ".varves").values()).decode()
        assert not [text for text in history.secrets if f'"{text}"' in held]


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_a_random_history_ends_equal_by_a_folder(tmp_path, monkeypatch, seed, project):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    (tmp_path / "hub").mkdir()
    history = History(tmp_path / "clones", f"file:{tmp_path}/hub#shop", seed)
    history.run()
    check_equal(history)
    for path in (tmp_path / "hub").rglob("*.jsonl"):
        assert not [text for text in history.secrets if f'"{text}"'.encode() in path.read_bytes()]


@pytest.mark.parametrize("seed", range(1000, 1000 + HISTORIES // 4))
def test_a_random_history_ends_equal_by_a_database(
    tmp_path, monkeypatch, seed, project, varves, server, database
):
    monkeypatch.setenv("VARVES_HOME", str(tmp_path / "home"))
    varves("team", "init", f"{server.url(database)}#shop")
    history = History(tmp_path / "clones", f"{server.url(database)}#shop", seed)
    history.run()
    check_equal(history)
