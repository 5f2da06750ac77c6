"""Kills a process at every step by which it moves local files out of the work tree.

A step is a system call on a file of ours, or a statement on the notebook.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.durability.faults import Faults
from tests.durability.statements import Statements
from tests.noted import noted
from tests.places import local_of
from tests.rooms import room
from varves.places import store as files
from varves.state import notebook
from varves.state.notebook import place_of

NOTES = (
    "select leaf, event, time, memories from told order by leaf, n",
    "select leaf, kind, first from attended order by leaf, n",
    "select path, digest from rendered order by path",
)


def made_at(path: str) -> None:
    """Make a copy of a notebook one that was made where it is."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("update meta set value = ? where name = 'made'", (f"1 {place_of(path)}",))


def moved(root: Path, at: int) -> bool:
    """Read a ledger in a process that dies before its n-th call; tell whether it died."""
    child = os.fork()
    if child == 0:
        system = Faults()
        files.os, files.fcntl = system.os, system.fcntl  # type: ignore[attr-defined]

        def kill(name: str, args: tuple[Any, ...]) -> None:
            if len(system.calls) == at:
                os.kill(os.getpid(), signal.SIGKILL)

        def before(sql: str) -> None:
            system.calls.append(sql)
            kill(sql, ())

        system.before = kill
        notebook.sqlite3 = Statements(before)  # type: ignore[assignment]
        system.count()
        with room(root) as seen:
            assert seen.places.local
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def contents(folder: Path) -> dict[str, str]:
    """Return what copies and notes a local folder holds, in files."""
    kept = ("usage", "attendance", "aside", "set-aside", "notes", "hooks.log")
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for name in kept
        for path in [folder / name, *(folder / name).rglob("*")]
        if path.is_file()
    }


def main(scene: str, stride: str) -> None:
    """Go through all moments, each in a copy of the scene; print what was found wrong."""
    whole, at, wrong = Path(scene), 0, []
    wanted = contents(whole / ".varves/local")
    wanted["notes/layers/pending.json"] = (whole / ".varves/local/layers/pending.json").read_text(
        encoding="utf-8"
    )
    for name in [*wanted]:
        if name.startswith(("usage", "attendance")):
            del wanted[name]
    lines = None
    while True:
        at += int(stride)
        root = whole.parent / f"copy{at}"
        shutil.copytree(whole, root, symlinks=True)
        made_at(f"{root}/.varves/local/state.sqlite")
        died = moved(root, at)
        moved(root, 0)
        found, left = contents(local_of(root)), contents(root / ".varves/local")
        kept = [noted(root, sql) for sql in NOTES]
        lines = kept if lines is None else lines  # of the first, which died before it began
        if found != wanted or left or kept != lines or not all(kept):
            wrong.append((at, found, left))
        stray = [one.name for one in local_of(root).iterdir() if one.name.startswith(".")]
        wrong += [(at, stray)] if stray else []
        shutil.rmtree(root)
        if not died:
            break
    json.dump({"moments": at, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
