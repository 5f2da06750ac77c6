"""After a purge: sessions in which the text was said, of which nothing is to be noted again.

Hooks read a client's transcript turn by turn, and a transcript is not ours to change. So the place
up to which it holds what was purged is noted; what stands before is read by no hook any more.
"""

from __future__ import annotations

import os

from varves.log.doomed import needles_of
from varves.state.attendance import attendance_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.context.context import Context
    from varves.state.attendance import Noted

    Heard = list[tuple[str, Noted, dict[str, int]]]  # a session's file, its notes, and how far


def heard(context: Context, said: Iterable[str], session: str | None) -> Heard:
    """Return the sessions whose transcripts hold any of these texts, and how far they reach now.

    Args:
        context: the ledger's.
        said: what is purged.
        session: where it was learned; it may have been said there in other words.
    """
    needles = {needle.lower() for text in said for needle in needles_of(text)}
    store, found = attendance_of(context.places), []
    for leaf in store.leaves():
        noted = store.noted(leaf)
        known = {b""} if session and noted.session == session else needles
        reach = {path: _reach(path, known) for path in noted.offsets}
        if any(reach.values()):
            found.append((leaf, noted, {path: end for path, end in reach.items() if end}))
    return found


def hush(context: Context, sessions: Heard) -> None:
    """Note how far nothing is to be learned from; a purge may have removed the notes themselves."""
    store = attendance_of(context.places)
    for leaf, noted, reach in sessions:
        lines: list[tuple[str, ...]] = [("who", noted.client, noted.session, noted.agent)]
        for path, end in reach.items():
            lines.append(("hush", str(end), path))
            lines.append(("at", str(noted.offsets[path]), path))
        store.add(leaf, lines)


def _reach(path: str, needles: set[bytes]) -> int:
    """Return the size of a transcript that holds any of these, else 0."""
    try:
        if not os.path.isfile(path):
            return 0
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError):
        return 0
    return len(content) if any(needle in content.lower() for needle in needles) else 0
