"""The files that the house rules read: each is read and parsed at most once."""

from __future__ import annotations

import ast
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

ROOT = Path(__file__).parents[2]
PACKAGE = "src/varves/"

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Repository:
    """Texts by their path from the root of the repository."""

    def __init__(self, names: Iterable[str], read: Callable[[str], str]) -> None:
        self.names = sorted(set(names))
        self.text = cache(read)
        self.tree = cache(lambda name: ast.parse(self.text(name), filename=name))
        self.nodes = cache(lambda name: tuple(ast.walk(self.tree(name))))

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Repository:
        """Make a repository of the given texts; an example for a rule."""
        return cls(texts, texts.__getitem__)

    @classmethod
    def here(cls) -> Repository:
        """Read the files of this repository that git tracks, or would track."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        names = (name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())
        return cls(names, lambda name: (ROOT / name).read_bytes().decode(errors="replace"))

    def modules(self) -> list[str]:
        """List the modules of the package."""
        return [name for name in self.names if name.startswith(PACKAGE) and name.endswith(".py")]

    def has(self, name: str) -> bool:
        """Return whether a file or a folder has this name."""
        return name in self.names or any(one.startswith(f"{name}/") for one in self.names)
