"""Clones of one project, and what the protocols' files say there."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import varves as package
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Clone:
    """A work tree with git, and its ledger through the public door."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self._ledger: Any = None

    def at(self, moment: str, **options: Any) -> Any:
        """Open the ledger at a fixed moment; whatever was open is closed."""
        self.close()
        clock = FixedClock(instant(moment))
        self._ledger = package.open(self.root, home=self.home, clock=clock, **options)
        return self._ledger

    def close(self) -> None:
        """Let go of the ledger."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def git(self, *words: str, check: bool = True) -> str:
        """Run git here and return what it says."""
        self.close()
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, encoding="utf-8", check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def without_driver(self) -> Clone:
        """Let git merge files as text, as where our merge driver is not installed."""
        self.close()
        with package.open(self.root, home=self.home) as ledger:
            ledger.disconnect_git()
        return self

    def commit(self, message: str = "work") -> None:
        """Commit everything there is."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def files(self, *, tracked: bool = False) -> dict[str, bytes]:
        """Return the protocol files here, all or those git tracks, by path."""
        found = {}
        for place, _, names in os.walk(self.root / "memory"):
            for name in names:
                path = os.path.relpath(os.path.join(place, name), self.root)
                with open(self.root / path, "rb") as file:
                    found[path] = file.read()
        if tracked:
            listed = self.git("ls-files", "-z", "memory").split("\0")
            found = {path: found[path] for path in listed if path in found}
        return found

    def read(self, path: str) -> Any:
        """Return a file as JSON."""
        return json.loads((self.root / path).read_text(encoding="utf-8"))


@pytest.fixture
def clone(project: Path, tmp_path: Path) -> Iterator[Callable[..., Clone]]:
    """Make the project's first work tree, or a clone of another one, each with its own home."""
    made: list[Clone] = []

    def make(name: str = "project", of: Clone | None = None) -> Clone:
        root = tmp_path / name if of else project
        if of is not None:
            subprocess.run(["git", "clone", "--quiet", of.root, root], check=True)
        made.append(Clone(root, tmp_path / f"home-{name}"))
        return made[-1]

    yield make
    for one in made:
        one.close()
