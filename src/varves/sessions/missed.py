"""Finds the sessions of a project whose transcripts were not read to their end."""

from __future__ import annotations

from os import stat

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.state.attendance import Attendance


class Missed(Value):
    """A session whose transcript was not read to its end."""

    client: str
    session: str
    agent: str | None
    transcript: str
    offset: int


def missed(store: Attendance, own: tuple[str, str]) -> list[Missed]:
    """Return the sessions that were not read to their end; the caller's own is left out."""
    found = []
    for name in store.leaves():
        noted = store.noted(name)
        if (noted.session, noted.agent) == own:
            continue
        for path, offset in noted.offsets.items():
            try:
                size = stat(path).st_size
            except (OSError, ValueError):
                continue
            place = noted.caught.get(path, offset)
            if noted.session and size != place:
                found.append(
                    Missed(
                        client=noted.client,
                        session=noted.session,
                        agent=noted.agent or None,
                        transcript=path,
                        offset=place,
                    )
                )
    return found
