"""Reports published files that were deleted; their records stay, because git deletes files too.

The files are rendered again from the log, and a note explains how to remove a record.
"""

from __future__ import annotations

from varves.values.ids import is_memory_id
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FEW = 5  # at most this many files are named in a note


def deletion_notes(
    paths: Iterable[str], *, again: bool, endings: Iterable[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """Return (file, message) for the deleted files to report.

    Args:
        paths: the deleted files that the log still renders.
        again: whether this call renders them; otherwise the next write does.
        endings: by the beginning of a path, what to do about a file that no memory's id removes.
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
        does = "rendered again from the log" if again else f"the next write renders {them} again"
        own = next((hint for beginning, hint in endings if path.startswith(beginning)), None)
        hint = own if own and not others else f"varves forget {which} removes a record"
        found.append((path, f"{what}; {does}: {hint}"))
    return found
