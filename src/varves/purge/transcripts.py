"""Prevents hooks from capturing a purged text again from a client's transcript.

Hooks read a client's transcript turn by turn, and Varves must not change a transcript. So the
current length of each transcript with purged text is stored. Hooks ignore everything before that
point.
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

    # a session's file, its notes, and by transcript the length to ignore
    Heard = list[tuple[str, Noted, dict[str, int]]]


def heard(context: Context, said: Iterable[str], session: str | None) -> Heard:
    """Return the sessions whose transcripts contain a purged text, with the files' lengths.

    Args:
        context: the ledger's context.
        said: the purged texts.
        session: the session in which the memory was learned; its transcript may contain it in other
            words.
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
    """Store how much of each session's transcript hooks must ignore.

    The session's name and the offsets up to which transcripts were read are stored again, because a
    purge may have erased them.
    """
    store = attendance_of(context.places)
    for leaf, noted, reach in sessions:
        lines: list[tuple[str, ...]] = [("who", noted.client, noted.session, noted.agent)]
        for path, end in reach.items():
            lines.append(("hush", str(end), path))
            lines.append(("at", str(noted.offsets[path]), path))
        store.add(leaf, lines)


def _reach(path: str, needles: set[bytes]) -> int:
    """Return the size of a transcript if it contains any of the texts, otherwise 0."""
    try:
        if not os.path.isfile(path):
            return 0
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError):
        return 0
    return len(content) if any(needle in content.lower() for needle in needles) else 0
