"""Learns from a long turn in portions, and records the progress after each.

A hook has little time and may be killed. The next hook then continues after the last recorded
portion. If possible, a portion ends before a message of the user. Messages that belong together,
such as a failure and its fix, are usually between two such messages.
"""

from __future__ import annotations

from varves.values.answers import Captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.state.attendance import Noted
    from varves.values.signals import SessionMessage

PORTION = 32 << 10  # after this many characters, a portion ends at the next message of the user
LARGEST = 8 * PORTION  # a portion ends after this many characters in any case
BESIDE = 100  # the number of messages before a portion that are given as its context
_READ = 24_000  # the most characters of a message that are read
_EACH = 200  # the characters that are counted for each message in addition to its text


def portions(
    messages: Sequence[SessionMessage], start: int, first: int
) -> Iterator[tuple[Sequence[SessionMessage], int, tuple[str, str] | None]]:
    """Yield each portion with some messages before it.

    Args:
        messages: the messages of a turn, and some messages before it.
        start: the position among them at which the turn begins.
        first: the position at which to continue; the messages before it were learned from already.

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
    """Return the position of the first message of a transcript that was not learned from yet."""
    count, mark = noted.parts.get(transcript or "", (0, ""))
    at = start + count
    return at if start < at <= len(messages) and mark_of(messages[at - 1]) == mark else start


def mark_of(message: SessionMessage) -> str:
    """Return a mark by which a message is found again if its transcript is rewritten."""
    from hashlib import sha256

    said = f"{message.role}\n{message.key}\n{message.text}"
    return sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def together(found: Sequence[Captured]) -> Captured:
    """Return the results of all portions of a turn as one result."""
    return Captured(
        ids=tuple(name for one in found for name in one.ids),
        known=tuple(name for one in found for name in one.known),
        refused=sum(one.refused for one in found),
        replaced=tuple(name for one in found for name in one.replaced),
        forgotten=tuple(name for one in found for name in one.forgotten),
    )


def edited(paths: tuple[str, ...]) -> SessionMessage:
    """Return a message that names these files as written, in the form of a tool's answer."""
    from varves.values.signals import SessionMessage

    return SessionMessage(role="tool", text="", ok=True, files=paths)


def ids(captured: Captured | None) -> list[tuple[str, ...]]:
    """Return the ids of the recorded memories, in the form in which a note stores them."""
    return [("learned", " ".join(captured.ids))] if captured is not None and captured.ids else []


def task(messages: Sequence[SessionMessage], known: str = "") -> str:
    """Return the user's last request on one line, with secrets masked; "" if there is no new one.

    Args:
        messages: the messages of a turn.
        known: the task so far; if there is none, the last message of the user is the task.
    """
    from varves.capture.requests import asks_for_work
    from varves.sessions.checkpoint import in_a_line
    from varves.sessions.injection import own_words

    said = [own_words(one.text) for one in messages if one.role == "user"]
    asked = next((text for text in reversed(said) if asks_for_work(text)), None)
    if asked is None:
        asked = said[-1] if said and not known else ""
    return in_a_line(asked)
