"""Reads coding agents' transcripts in pieces; each piece begins where the last one ended.

Each client has a reader that turns records into messages; unknown records are skipped. A read
returns the messages of a limited number of complete lines or rows, and the offset of the next read.
If a file is shorter than the part that was read, it is a new file and is read from its beginning.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.values.signals import SessionMessage

    Read = tuple[tuple[SessionMessage, ...], int]

IN_LINES = ("claude", "codex", "copilot", "gemini")
IN_ROWS = ("goose", "opencode")


def read(client: str, path: str, offset: int = 0, *, session: str | None = None) -> Read:
    """Return the messages of a transcript from an offset, and the next offset.

    Args:
        client: the client that wrote the transcript; if there is no reader for it, the result is
            empty.
        path: the file, or the database.
        offset: the end of the last read; 0 is the beginning.
        session: the session in a database; without a session, nothing is read from a database.
    """
    if client in IN_LINES:
        from varves.hosts.transcripts.lines import records

        found, reached = records(path, offset)
        messages: list[SessionMessage] = []
        keys: set[str] = set()
        for one in _reader(client)(found):
            if one.key is None or one.key not in keys or one not in messages[-_NEAR:]:
                messages.append(one)
                keys.add(one.key or "")
        return tuple(messages), reached
    if client in IN_ROWS and session is not None:
        from varves.hosts.transcripts.rows import rows

        return rows(client, path, offset, session=session)
    return (), offset


_NEAR = 64  # within this many records, a client may repeat a message


def _reader(client: str) -> Callable[[list[dict[str, object]]], list[SessionMessage]]:
    from importlib import import_module

    name = "claude_code" if client == "claude" else client
    made: Callable[[list[dict[str, object]]], list[SessionMessage]]
    made = import_module(f"varves.hosts.transcripts.{name}").messages
    return made
