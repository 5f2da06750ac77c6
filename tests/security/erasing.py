"""Looking for what must be gone: every byte of every file, and what git can be asked for."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import varves

WORD = "zyzzogeton"  # stands in every text that is purged, and in no other
TEXT = f"The {WORD} sleeps behind the Crêperie, third bell from the left"


def files_below(*folders: Path) -> list[Path]:
    """List every file, those in git's store of objects apart."""
    found = []
    for folder in folders:
        for here, below, names in os.walk(folder):
            if os.path.basename(here) == ".git" or os.path.exists(os.path.join(here, "HEAD")):
                below[:] = [name for name in below if name != "objects"]
            found += [type(folder)(here, name) for name in names]
    return found


def hits(*folders: Path, words: Iterable[str] = (WORD,)) -> list[str]:
    """Return the files that hold any of these words in any case, in bytes or in JSON's escapes."""
    needles = {word.lower().encode() for word in words}
    needles |= {json.dumps(word)[1:-1].lower().encode() for word in words}
    return [
        str(path)
        for path in files_below(*folders)
        if path.is_file() and any(needle in path.read_bytes().lower() for needle in needles)
    ]


def in_objects(root: Path, word: str = WORD) -> bool:
    """Tell whether any object git has, reachable or not, holds a word."""
    command = ["git", "cat-file", "--batch-all-objects", "--batch"]
    printed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    return word.encode() in printed.lower()


def git(root: Path, *args: str) -> str:
    """Run git and return what it printed."""
    done = subprocess.run(
        ["git", *args], cwd=root, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"git {' '.join(args)}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


def commit(root: Path, message: str = "all") -> None:
    """Commit everything there is."""
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "--allow-empty", "-m", message)


def state_of(
    ledger: varves.Ledger, *, but: Iterable[str] = (), **options: Any
) -> list[dict[str, Any]]:
    """Return every memory in full, without some and without what links to them."""
    gone = {*but}
    rows = []
    for memory in sorted(ledger.list(status="all", **options), key=lambda memory: memory.id):
        row = memory.as_dict()
        links = {key: [one for one in ids if one not in gone] for key, ids in row["links"].items()}
        row["links"] = {key: ids for key, ids in links.items() if ids}
        rows += [] if memory.id in gone else [row]
    return rows
