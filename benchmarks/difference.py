"""What one more memory adds to git: counted, not timed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import varves
from benchmarks.row import Row
from benchmarks.scene import git

if TYPE_CHECKING:
    from benchmarks.scene import Scene


def run(scene: Scene) -> list[Row]:
    """Add a memory to an open segment, and one that opens a segment; count the diff's lines."""
    root = scene.project("difference")
    index = f"{scene.folder}/difference.index"
    with varves.open(root) as ledger:
        ledger.remember("the first memory begins the ledger")
        before = _tree(root, index)
        ledger.remember("the second memory goes on in the same segment")
        going_on = _added(root, before, _tree(root, index))
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "memory")
        before = _tree(root, index)
        ledger.remember("the third memory opens a segment, because HEAD moved")
        opening = _added(root, before, _tree(root, index))
    return [
        _row("one memory added: lines git adds", going_on, ["memory.recorded"]),
        _row("the same if it opens a segment", opening, ["segment.closed", "memory.recorded"]),
    ]


def _row(what: str, lines: list[str], wanted: list[str]) -> Row:
    kinds = [line.partition('"kind":"')[2].partition('"')[0] or line for line in lines]
    return Row(
        what,
        f"{len(lines)} ({', '.join(kinds)})",
        target=f"{len(wanted)} ({', '.join(wanted)})",
        met=kinds == wanted,
    )


def _tree(root: str, index: str) -> str:
    """Write the work tree as git would add it, beside git's own index, which the log looks at."""
    git(root, "add", "--all", index=index)
    return git(root, "write-tree", index=index).strip()


def _added(root: str, before: str, after: str) -> list[str]:
    """Return the lines a diff adds, with a remark in place of any it takes away."""
    found = []
    for line in git(root, "diff-tree", "-r", "-p", "-U0", before, after).splitlines():
        if line.startswith("+") and not line.startswith("+++"):
            found.append(line[1:])
        elif line.startswith("-") and not line.startswith("---"):
            found.append("a line taken away")
    return found
