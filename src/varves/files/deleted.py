"""Published files that were deleted: no removal of what they show, for git deletes files too.

They are made again from the log, and that is said with the way to take a record out.
"""

from __future__ import annotations

from varves.values.ids import is_memory_id
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FEW = 5  # files that are named one by one


def deletion_notes(paths: Iterable[str], *, again: bool) -> list[tuple[str, str]]:
    """Return the deleted files to report, each with a message.

    Args:
        paths: those that were deleted, and that the log still renders.
        again: whether they are made again now; else the next write does so.
    """
    gone = sorted(paths)
    named = gone if len(gone) <= _FEW else gone[:1]
    others = len(gone) - len(named)
    found = []
    for path in named:
        name = path.rpartition("/")[2].partition(".")[0]
        which = name if is_memory_id(name) and not others else "ID"
        what = f"deleted, with {counted(others, 'other file')}" if others else "deleted"
        them = "them" if others else "it"
        does = "made again from the log" if again else f"the next write makes {them} again"
        found.append((path, f"{what}; {does}: varves forget {which} takes a record out"))
    return found
