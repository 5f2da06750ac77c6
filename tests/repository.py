"""Fresh git repositories: copies of one that git made, cheaper than asking git for each."""

from __future__ import annotations

import functools
import subprocess
import tempfile
from pathlib import Path

_KEPT = ("HEAD", "config")  # what git asks for beside two empty folders


@functools.cache
def _made() -> dict[str, bytes]:
    """Return the files of an empty repository, as git itself makes it."""
    with tempfile.TemporaryDirectory(prefix="varves-repository-") as folder:
        words = ["git", "-c", "init.defaultBranch=main", "init", "--quiet", "--template=", folder]
        subprocess.run(words, check=True)
        return {name: Path(folder, ".git", name).read_bytes() for name in _KEPT}


def make(root: Path) -> None:
    """Make a folder and in it a git repository without commits, on the branch `main`."""
    for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info", "hooks"):
        (root / ".git" / folder).mkdir(parents=True)
    for name, content in _made().items():
        (root / ".git" / name).write_bytes(content)
