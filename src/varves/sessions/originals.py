"""Finds the message of a session from which a memory was captured, where the client still has it.

Varves stores no messages. The notes of hooks name the transcripts of a session, and a captured
memory's id is derived from its message, so the message is found exactly. What a transcript says
before a point at which something was purged is not read, as by hooks.
"""

from __future__ import annotations

from varves.sessions.capture import captured_id
from varves.state.attendance import attendance_of
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.context.context import Context
    from varves.values.memory import Memory
    from varves.values.signals import SessionMessage

    Reader = Callable[[str, str, int, str], tuple[tuple[SessionMessage, ...], int]]

_PIECES = 24  # the most pieces of one transcript that are read


class SessionTranscript(Value):
    """One transcript of a session, and the offset from which it may be read."""

    client: str
    session: str
    path: str
    begin: int


class OriginalMessage(Value):
    """A message of a session, with secrets masked."""

    client: str
    role: str
    """The speaker: user, assistant or tool."""
    text: str
    at: str | None


def transcripts(context: Context, session: str) -> list[SessionTranscript]:
    """Return the transcripts of a session that the notes of hooks name."""
    store, found = attendance_of(context.places), list[SessionTranscript]()
    for leaf in store.leaves():
        noted = store.noted(leaf)
        if session in (noted.session, noted.agent):
            found += (
                SessionTranscript(
                    client=noted.client,
                    session=noted.session,
                    path=path,
                    begin=noted.hushed.get(path, 0),
                )
                for path in noted.offsets
            )
    return found


def original(
    context: Context, memory: Memory, places: list[SessionTranscript], read: Reader
) -> OriginalMessage | None:
    """Return the message from which a memory was captured; None if it is in no transcript.

    Args:
        context: the ledger's context; its rules mask secrets.
        memory: the captured memory.
        places: the transcripts of its session.
        read: reads the messages of a client's transcript from an offset.
    """
    alike = None
    for place in places:
        for one in _messages(place, read):
            if captured_id(memory.session, one, memory.text) == memory.id:
                return _masked(context, place, one)
            if alike is None and fold(memory.text) in fold(one.text):
                alike = _masked(context, place, one)
    return alike


def _messages(place: SessionTranscript, read: Reader) -> Iterator[SessionMessage]:
    offset = place.begin
    for _ in range(_PIECES):
        found, reached = read(place.client, place.path, offset, place.session)
        yield from found
        if reached <= offset:
            return
        offset = reached


def _masked(context: Context, place: SessionTranscript, one: SessionMessage) -> OriginalMessage:
    text, _ = context.clean(one.text)
    return OriginalMessage(client=place.client, role=one.role, text=text, at=one.at)
