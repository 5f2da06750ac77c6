"""Collects the messages of a turn from the client's transcript and from the hook's input."""

from __future__ import annotations

from varves.errors import Refused
from varves.values.signals import SessionMessage
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from varves.sessions.attendance import Attending
    from varves.sessions.missed import Missed
    from varves.values.signals import Signal

_MOST = 20  # the most sessions with an unread rest that are read at one start
_NEAR = 1 << 20  # the most bytes of an earlier turn that are read again
_PIECES = 64  # the most pieces of a transcript that are read at one moment
_BESIDE = 100  # the messages of a piece that are given as context to the next piece


class HeardTurn(Value):
    """The messages of one turn, and the offset in the transcript up to which they were read."""

    messages: tuple[SessionMessage, ...] = ()
    transcript: str | None = None
    offset: int | None = None
    start: int = 0
    """The index of the turn's first message; earlier messages were learned from before."""
    in_time: Callable[[], bool] = lambda: True
    """A function that returns whether another portion may be started."""


def heard(
    attending: Attending, signal: Signal, sent: dict[str, Any], *, limit: int
) -> Iterator[HeardTurn]:
    """Yield the messages since the last call; a long turn comes in several parts.

    The transcript may be incomplete. So the last message that the host sent is added if it is
    missing.

    Args:
        attending: the session.
        signal: the host's signal.
        sent: everything the host sent.
        limit: the milliseconds after which no other portion is started; the rest is left for later.
    """
    from varves.hosts.signals import messages_of

    messages, path = messages_of(sent), signal.transcript
    if messages or not path or not _is_own(attending, path):
        messages = _with_last(messages, signal)
        yield HeardTurn(messages=_of_subagent(messages) if signal.agent else messages)
        return
    begun = attending.offset(path)
    earlier, in_time = _before(attending, signal.client, path, begun), _until(limit)
    for found, reached, is_last in _parts(signal.client, path, begun, in_time):
        said = (*earlier, *(_with_last(found, signal) if is_last else found))
        yield HeardTurn(
            messages=_of_subagent(said) if signal.agent else said,
            start=len(earlier),
            transcript=path,
            offset=reached,
            in_time=in_time,
        )
        if attending.left:
            return
        earlier = found[-_BESIDE:]


def _parts(
    client: str, path: str, begun: int, in_time: Callable[[], bool]
) -> Iterator[tuple[tuple[SessionMessage, ...], int, bool]]:
    """Yield a transcript in pieces.

    A piece is its messages, the offset after them, and whether it is the last one.
    """
    from varves.hosts.transcripts import read

    found, reached = read(client, path, begun)
    for _ in range(_PIECES):
        ahead, beyond = read(client, path, reached)
        yield found, reached, beyond == reached
        if beyond == reached or not in_time():
            return
        found, reached = ahead, beyond


def _with_last(messages: tuple[SessionMessage, ...], signal: Signal) -> tuple[SessionMessage, ...]:
    last = signal.message
    if last is None or any(last.text.strip() == one.text.strip() for one in messages):
        return messages
    return (*messages, last)


def _is_own(attending: Attending, path: str) -> bool:
    """Return whether a transcript belongs to this session; if not, record an error."""
    from varves.hosts.signals import clean
    from varves.hosts.transcripts.owner import owners

    found = owners(attending.client, path)
    if found is None or {*map(clean, found)} & {attending.session, attending.agent}:
        return True

    def say() -> None:
        raise Refused(f"{path[:200]!a} is not a transcript of this session", "nothing was read")

    attending.try_to(say)
    return False


def catch_up(attending: Attending, *, limit: int) -> None:
    """Learn from sessions that were not read to their end, as long as there is time.

    Args:
        attending: the session that starts now.
        limit: milliseconds.
    """
    found = attending.missed()
    in_time, count = _until(limit), 0
    for one in found:
        if count >= _MOST or not in_time():
            return
        count += _learn(attending, one, in_time)


def _learn(attending: Attending, missed: Missed, in_time: Callable[[], bool]) -> bool:
    """Learn from the rest of a session; return whether there was anything to learn from."""
    other, read = attending.beside(missed), False
    try:
        if not _is_own(other, missed.transcript):
            return False
        for found, reached, _ in _parts(missed.client, missed.transcript, missed.offset, in_time):
            if reached != missed.offset:
                other.learn(
                    _of_subagent(found) if missed.agent else found,
                    transcript=missed.transcript,
                    in_time=in_time,
                )
                read = True
                if other.left:
                    break
                other.caught_up(missed.transcript, reached)
    finally:
        other.close()
    return read


def _until(limit: int) -> Callable[[], bool]:
    """Return a function that returns whether less than `limit` milliseconds have passed."""
    from varves.values.instants import SystemClock

    clock, over = SystemClock(), False
    end = clock.now() + limit

    def in_time() -> bool:
        nonlocal over
        over = over or clock.now() > end  # stays true even if the clock is set back
        return not over

    return in_time


def _before(
    attending: Attending, client: str, path: str, offset: int
) -> tuple[SessionMessage, ...]:
    """Return the messages of the previous turn, which this turn may answer."""
    from varves.hosts.transcripts import read

    begun = attending.turn_before(path)
    if not 0 <= offset - begun <= _NEAR:
        return ()
    both, end = read(client, path, begun)
    after, same_end = read(client, path, offset)
    return both[: max(0, len(both) - len(after))] if end == same_end else ()


def _of_subagent(messages: tuple[SessionMessage, ...]) -> tuple[SessionMessage, ...]:
    """Return a subagent's messages, with the prompt marked as written by an agent."""
    return tuple(one.replace(role="assistant") if one.role == "user" else one for one in messages)
