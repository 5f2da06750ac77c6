"""Learns from a long turn in portions, and records the progress after each.

A hook has little time and may be killed; the next hook continues after the last recorded portion. A
portion ends before a user's message if possible, because messages that belong together, such as a
failure and its fix or a choice and its reason, are between two such messages.
"""

from __future__ import annotations

from varves.values.answers import Captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.state.attendance import Noted
    from varves.values.signals import SessionMessage

PORTION = 32 << 10  # characters after which a portion ends at the next user message
LARGEST = 8 * PORTION  # characters at which a portion ends in any case
BESIDE = 100  # messages before a portion that are given as context
_READ = 24_000  # characters of a message that are read
_EACH = 200  # characters counted for each message in addition to its text


def portions(
    messages: Sequence[SessionMessage], start: int, first: int
) -> Iterator[tuple[Sequence[SessionMessage], int, tuple[str, str] | None]]:
    """Yield each portion with some messages before it.

    Args:
        messages: the messages of a turn, with some before it.
        start: where the turn begins among them.
        first: where to continue; everything before that point is already learned from and recorded.

    Yields:
        The messages, the portion's start among them, and the progress to record afterwards: the
            number of messages of the turn, and the last one's mark. The progress is None for the
            last portion.
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
    """Return how far the messages of a transcript were already learned from."""
    count, mark = noted.parts.get(transcript or "", (0, ""))
    at = start + count
    return at if start < at <= len(messages) and mark_of(messages[at - 1]) == mark else start


def mark_of(message: SessionMessage) -> str:
    """Return a mark that identifies a message if a transcript is rewritten."""
    from hashlib import sha256

    said = f"{message.role}\n{message.key}\n{message.text}"
    return sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def together(found: Sequence[Captured]) -> Captured:
    """Return the combined result of all portions."""
    return Captured(
        ids=tuple(name for one in found for name in one.ids),
        known=tuple(name for one in found for name in one.known),
        refused=sum(one.refused for one in found),
        replaced=tuple(name for one in found for name in one.replaced),
        forgotten=tuple(name for one in found for name in one.forgotten),
    )


def edited(paths: tuple[str, ...]) -> SessionMessage:
    """Return a message like a tool's answer that names these files as written."""
    from varves.values.signals import SessionMessage

    return SessionMessage(role="tool", text="", ok=True, files=paths)


def ids(captured: Captured | None) -> list[tuple[str, ...]]:
    """Return the ids of the recorded memories, as a note stores them."""
    return [("learned", " ".join(captured.ids))] if captured is not None and captured.ids else []


def task(messages: Sequence[SessionMessage], known: str = "") -> str:
    """Return the last thing the user asked for on one line, secrets masked; empty if nothing new.

    Args:
        messages: the messages of a turn.
        known: the task so far. If there is none, the last message counts as the task.
    """
    from varves.capture.requests import asks_for_work
    from varves.sessions.checkpoint import in_a_line
    from varves.sessions.injection import own_words

    said = [own_words(one.text) for one in messages if one.role == "user"]
    asked = next((text for text in reversed(said) if asks_for_work(text)), None)
    if asked is None:
        asked = said[-1] if said and not known else ""
    return in_a_line(asked)
