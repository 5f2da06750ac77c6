"""A repository with some code in it, and a ledger whose memories point to that code."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.rooms import room
from varves.evidence.fates import Fates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CODE = """\
import os

LIMIT = 10


def load(path):
    with open(path) as file:
        return file.read()


class Store:
    def load(self, key):
        return self.rows[key]

    def save(self, key, row):
        self.rows[key] = row
"""


class Scene:
    """A project's files, its git and its ledger."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ledger = varves.open(str(root))

    def write(self, path: str, text: str | bytes) -> None:
        """Put a file into the project."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def replace(self, path: str, old: str, other: str) -> None:
        """Change a part of a file."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, other))

    def git(self, *args: str) -> str:
        """Run git here and return what it printed."""
        done = subprocess.run(
            ["git", *args], cwd=self.root, capture_output=True, encoding="utf-8", check=True
        )
        return done.stdout.strip()

    def commit(self, message: str = "all") -> str:
        """Commit everything there is and return the commit's name."""
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def remember(self, *pointers: str, **options: Any) -> str:
        """Record a memory about zebras that points somewhere, and return its id."""
        text = f"zebra statement about {' and '.join(pointers)}"
        return str(self.ledger.remember(text, evidence=pointers, **options).id)

    def remembered(self, *pointers: str) -> tuple[Any, ...]:
        """Record a memory and return it as a list gives it: nothing is checked for that."""
        name = self.remember(*pointers)
        return tuple(memory for memory in self.ledger.list() if memory.id == name)

    def fate(self, name: str) -> tuple[str, str] | None:
        """Return the state and the present place of a memory's first pointer."""
        place = self.ledger.show(name).evidence[0]
        return (place["state"], place["now"]) if "state" in place else None

    def judge(self, memory: Any) -> str | None:
        """Return the state of a memory that was read before, and nothing but that."""
        with room(self.root) as seen:
            fate = Fates(seen).of(memory)
        return None if fate is None else fate.state

    def settle(self, *paths: str) -> None:
        """Let files, folders and git look as if nobody had touched them for a while."""
        self.age("src", ".", ".git/index", ".git/HEAD", ".git/refs/heads/main", *paths)

    def age(self, *paths: str) -> None:
        """Let files look as if nobody had touched them for a while."""
        for path in paths:
            os.utime(self.root / path, ns=(10**18, 10**18 + 1))


@pytest.fixture
def scene(project: Path) -> Iterator[Scene]:
    """Give a committed project and its ledger."""
    made = Scene(project)
    made.write("src/store.py", CODE)
    made.write("README.md", "# Zoo\n\nFeed the zebras at noon.\n")
    made.commit("first")
    yield made
    made.ledger.close()
