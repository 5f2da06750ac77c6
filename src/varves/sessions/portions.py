"""A long turn is learned from in portions, and how far that went is noted after each.

A hook has little time and may be killed: the next one goes on behind the last portion that was
noted. A portion ends before a user's message where it can, since what belongs together stands
between two of them: a failure and its cure, a choice and its words.
"""

from __future__ import annotations

from varves.values.answers import Captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.state.attendance import Noted
    from varves.values.signals import SessionMessage

PORTION = 32 << 10  # characters, from which on a portion ends before the next message of the user
LARGEST = 8 * PORTION  # characters at which it ends anyhow
BESIDE = 100  # messages before a portion that help to understand it
_READ = 24_000  # characters of a message that are read at the most
_EACH = 200  # characters that a message costs whatever is in it


def portions(
    messages: Sequence[SessionMessage], start: int, first: int
) -> Iterator[tuple[Sequence[SessionMessage], int, tuple[str, str] | None]]:
    """Yield each portion with some messages before it.

    Args:
        messages: of a turn, with some before it.
        start: where the turn begins among them.
        first: where to go on; what stands between was learned from already.

    Yields:
        The messages, where the portion begins among them, and what is noted when it was learned
        from: how many messages of the turn that were, and what the last of them is known by. None:
        there is no more.
    """
    for begin, end in _cut(messages, first):
        low = 0 if begin == start else max(0, begin - BESIDE)
        part = (str(end - start), mark_of(messages[end - 1])) if end < len(messages) else None
        yield messages[low:end], begin - low, part


def _cut(messages: Sequence[SessionMessage], first: int) -> Iterator[tuple[int, int]]:
    begun, size = first, 0
    for at in range(first, len(messages)):
        if size >= LARGEST or (size >= PORTION and messages[at].role == "user"):
            yield begun, at
            begun, size = at, 0
        size += min(len(messages[at].text), _READ) + _EACH
    if begun < len(messages):
        yield begun, len(messages)


def reached(
    noted: Noted, transcript: str | None, messages: Sequence[SessionMessage], *, start: int
) -> int:
    """Return how far messages were learned from that were read from a transcript before."""
    count, mark = noted.parts.get(transcript or "", (0, ""))
    at = start + count
    return at if start < at <= len(messages) and mark_of(messages[at - 1]) == mark else start


def mark_of(message: SessionMessage) -> str:
    """Return what a message is known again by, where a transcript was written anew."""
    from hashlib import sha256

    said = f"{message.role}\n{message.key}\n{message.text}"
    return sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def together(found: Sequence[Captured]) -> Captured:
    """Return what became of all portions."""
    return Captured(
        ids=tuple(name for one in found for name in one.ids),
        known=tuple(name for one in found for name in one.known),
        refused=sum(one.refused for one in found),
        replaced=tuple(name for one in found for name in one.replaced),
    )


def edited(paths: tuple[str, ...]) -> SessionMessage:
    """Return what a tool would have answered that wrote some files."""
    from varves.values.signals import SessionMessage

    return SessionMessage(role="tool", text="", ok=True, files=paths)


def ids(captured: Captured | None) -> list[tuple[str, ...]]:
    """Return the note of what was recorded."""
    return [("learned", " ".join(captured.ids))] if captured is not None and captured.ids else []


def task(messages: Sequence[SessionMessage]) -> str:
    """Return what the user asked for last, in a line, secrets masked."""
    from varves.sessions.checkpoint import in_a_line
    from varves.sessions.injection import own_words

    said = [one.text for one in messages if one.role == "user"]
    return in_a_line(own_words(said[-1])) if said else ""
