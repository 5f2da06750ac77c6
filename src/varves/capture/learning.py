"""A learning: one sentence of a session that a later session should know."""

from __future__ import annotations

from varves.values.value import Value

TAG = "captured"  # the tag of memories captured in a session
KINDS = ("correction", "error_fix", "rule", "decision", "preference", "statement")


class Learning(Value):
    """One statement to remember, its speaker and its message."""

    kind: str
    """One of KINDS; if several kinds fit, the first one."""
    text: str
    by: str
    """The speaker: user or agent. A tool's text is never used."""
    message_index: int
    """The index of the message that contains the statement."""
    settled: int
    """The index of the message that confirmed the statement: the same one, or a later one."""
    key: str | None = None
    """The id of the message in its transcript, if it has one."""
    files: tuple[str, ...] = ()
    """The files that were written between the user's message and the next one."""
    why: tuple[str, ...] = ()
    """The signs by which the statement was found, if it was weighed; otherwise ()."""
