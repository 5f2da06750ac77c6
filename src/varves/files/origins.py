"""Finds the commit that an entry of a committed file comes from, and compares it with its log.

A merge combines entries of both sides in one file, and a number may stand for different records on
the two sides. So an entry that is the same in a parent's file belongs to the parent. In this way
the search goes back to older commits. It ends at a commit whose log renders the entry, which is
then not an edit, or at the commit that introduced the entry.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.files.committed import Judge
    from varves.protocols.port import FileRecord

    Records = dict[str, dict[str, Any]]
    Read = Callable[[str, bytes | None], Records]

# the most commits that are checked; an older entry is attributed to the commit at which the search
# ended
_DEEPEST = 20


def traced(
    judge: Judge, read: Read, *, path: str, entries: Sequence[FileRecord], commit: str
) -> list[tuple[str, list[FileRecord]]]:
    """Return the entries that no log renders, grouped by the commit that introduced them."""
    found: dict[str, list[FileRecord]] = {}
    graph = judge.graph(path, commit)
    waiting = [(graph.nearest, list(entries))]
    for _ in range(_DEEPEST):
        if not waiting:
            break
        here, some = waiting.pop(0)
        rendered = read(path, judge.rendering(here).get(path))
        some = [one for one in some if rendered.get(one.key) != one.content]
        for parent in graph.parents.get(here, ()) if some else ():
            records = read(path, judge.at(parent, path))
            same = [one for one in some if records.get(one.key) == one.content]
            some = [one for one in some if one not in same]
            if same:
                waiting.append((parent, same))
        if some and not judge.is_composed(path, here):
            found.setdefault(here, []).extend(some)
    for here, some in waiting:
        found.setdefault(here, []).extend(some)
    return list(found.items())
