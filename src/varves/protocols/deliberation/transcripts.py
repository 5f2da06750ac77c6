"""Transcripts of conversations, parsed into messages: JSON Lines, or minutes in Markdown.

Nothing is guessed: a line that is not a message is reported with the reason, and a line that cannot
be parsed refuses the whole file.
"""

from __future__ import annotations

import json

from varves.errors import Refused, UsageError
from varves.protocols.deliberation.minutes import Minutes, said
from varves.protocols.deliberation.state import SYSTEM, Message
from varves.values.instants import instant, iso
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DIGITS = 10
_NUMBERED = "id-"  # before an id that a transcript gives as a number
_AGENT = ("agent", "agentId", "agent_id", "name", "speaker", "author")
_CONTENT = ("content", "text", "message")
_TIME = ("timestamp", "ts", "at", "time")
_REPLY = ("reply_to", "replyTo")
_LAST_MS = 253_402_300_800_000  # the year 10000
_SECONDS = 100_000_000_000  # a lower number is a time in seconds, not in milliseconds


class Transcript(Value):
    """The content of a file: its messages, and the lines that are not messages."""

    messages: tuple[Message, ...]
    skipped: tuple[tuple[int, str], ...]
    """The lines that only look like a message: each line, counted from 1, and the reason."""
    kept: tuple[int, ...] = ()
    """Those of them that are part of the message above them."""
    outside: tuple[tuple[int, str], ...] = ()
    """The other lines that are in no message, with the reason."""
    loose: tuple[tuple[int, str], ...] = ()
    """Replies to missing messages: the number of the reply, and a description."""

    @property
    def left_out(self) -> tuple[tuple[int, str], ...]:
        """All lines that are in no message, in order."""
        alone = (one for one in self.skipped if one[0] not in self.kept)
        return tuple(sorted((*alone, *self.outside)))

    @property
    def held(self) -> tuple[tuple[int, str], ...]:
        """The lines that only look like a message and are part of the one above."""
        return tuple(one for one in self.skipped if one[0] in self.kept)


def read(text: str, name: str) -> Transcript:
    """Parse a transcript; a message without an id gets `line-N`, N counted from 1.

    Raises:
        Refused: a line cannot be parsed, or there is no message; the error names the line.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if _is_json(text, name):
        found, skipped = _records(text, name)
        told = Transcript(messages=tuple(found), skipped=tuple(skipped))
    else:
        minutes = said(text)
        told = Transcript(**{each: getattr(minutes, each) for each in Minutes._fields})
    for message in told.messages:
        _writable(message, name)
    if not told.messages:
        raise Refused(
            f"{name}: it contains no message",
            "a message is a line `Name: text`, or a JSON object with agent and content",
        )
    return told


def with_replies(text: str, name: str) -> Transcript:
    """Parse a transcript, with the position of the message that each reply answers.

    A reply to a message that does not precede it becomes a message that answers nothing, and is
    listed in `loose`.

    Args:
        text: JSON Lines, or Markdown with `Name: text` lines.
        name: the file's name, which determines the format.
    """
    told = read(text, name)
    numbered = any(one.id.startswith(_NUMBERED) for one in told.messages)
    places: dict[str, int] = {}
    messages, loose = [], []
    for at, one in enumerate(told.messages):
        if one.reply_to is not None:
            bare = one.reply_to.removeprefix(_NUMBERED)
            place = places.get(one.reply_to, at if numbered else _place(bare, at))
            if place >= at:
                loose.append((at, f"answers {bare}, which does not precede it"))
            one = one.replace(reply_to=str(place) if place < at else None)  # noqa: PLW2901
        messages.append(one)
        places.setdefault(one.id, at)
    return told.replace(messages=tuple(messages), loose=tuple(loose))


def _place(word: str, least: int) -> int:
    """Return the position that a number names, or `least` if it is not a number."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < _DIGITS else least


def _is_json(text: str, name: str) -> bool:
    ending = name.casefold().rpartition(".")[2]
    if ending in ("jsonl", "ndjson", "json"):
        return True
    return ending not in ("md", "markdown", "html") and text.lstrip().startswith("{")


def _records(text: str, name: str) -> tuple[list[Message], list[tuple[int, str]]]:
    found: list[Message] = []
    skipped: list[tuple[int, str]] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            message = _message(_object(line), number)
        except (Refused, UsageError) as fault:
            raise Refused(f"{name}: line {number}: {fault.message}", fault.hint) from None
        if isinstance(message, str):
            skipped.append((number, message))
        elif message.id in lines:
            skipped.append(
                (number, f"the id {quoted(message.id)} is that of line {lines[message.id]}")
            )
        else:
            lines[message.id] = number
            found.append(message)
    return found, skipped


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused("not JSON", "write one object per line; nothing was written") from None
    if not isinstance(found, dict):
        raise Refused("not an object", "write one object per line; nothing was written")
    return found


def _message(record: dict[str, Any], number: int) -> Message | str:
    """Return a message, or the reason that the record is not one."""
    agent, content = _text(record, _AGENT), _text(record, _CONTENT)
    if not agent or not agent.strip():
        return "no speaker: none of " + ", ".join(_AGENT)
    if not content or not content.strip():
        return "no text: none of " + ", ".join(_CONTENT)
    return Message(
        agent_id=agent.strip(),
        content=content,
        id=_id(record, ("id",)) or f"line-{number}",
        timestamp=_time(record),
        reply_to=_id(record, _REPLY),
        type=SYSTEM if record.get("type") == SYSTEM else "message",
    )


def _text(record: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the first of several fields that is present.

    Raises:
        Refused: the field is not text.
    """
    name = next((one for one in names if record.get(one) is not None), None)
    if name is None:
        return None
    value = record[name]
    if not isinstance(value, str):
        raise Refused(f"{name} is not text", "nothing was written")
    return value


def _id(record: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """Return an id; a numeric id gets a prefix, because a bare number is a position."""
    record = {name: _plain(record.get(name)) for name in names}
    found = (_text(record, names) or "").strip()
    return f"id-{found}" if found.isascii() and found.isdigit() else found or None


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _time(record: dict[str, Any]) -> str:
    name = next((one for one in _TIME if record.get(one) is not None), None)
    if name is None:
        return ""
    value = record[name]
    if isinstance(value, str):
        return iso(instant(value))
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LAST_MS:
        return iso(round(value * 1000 if value < _SECONDS else value))
    raise Refused(f"{name} is not a valid time", "write it as 2026-11-15T06:20:00Z")


def _writable(message: Message, name: str) -> None:
    try:
        f"{message.agent_id}\n{message.content}\n{message.id}\n{message.type}".encode()
        (message.reply_to or "").encode()
    except UnicodeEncodeError:
        raise Refused(
            f"{name}: {message.id}: incomplete Unicode character", "nothing was written"
        ) from None
