"""What coding agents write down of their sessions, read piece by piece from where it was left.

One reader for each client turns its records into messages; what it does not know it leaves out. A
read takes a bounded piece, whole lines or rows only, and says where the next one begins. A file
that is shorter than what was read of it is another one by now and is read from its beginning.
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
    """Return the messages of a transcript from an offset on, and the offset to go on from.

    Args:
        client: whose form the transcript has; one that has no reader gives nothing.
        path: the file, or the database.
        offset: how far it was read; 0 is its beginning.
        session: which session of a database; without one nothing of it is read.
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


_NEAR = 64  # records among which a client may write the same message again


def _reader(client: str) -> Callable[[list[dict[str, object]]], list[SessionMessage]]:
    from importlib import import_module

    name = "claude_code" if client == "claude" else client
    made: Callable[[list[dict[str, object]]], list[SessionMessage]]
    made = import_module(f"varves.hosts.transcripts.{name}").messages
    return made
