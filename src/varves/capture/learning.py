"""A learning: one sentence of a session that a later session should know."""

from __future__ import annotations

from varves.values.value import Value

TAG = "captured"  # the tag of memories captured in a session
KINDS = ("correction", "error_fix", "rule", "decision", "preference", "statement")


class Learning(Value):
    """One statement to remember, its speaker and its message."""

    kind: str
    """One of KINDS; if several fit, the first of them."""
    text: str
    by: str
    """user or agent: the speaker. A tool's text is never used."""
    message_index: int
    """The message that contains it."""
    settled: int
    """The message that confirmed it: the same message, or later evidence."""
    key: str | None = None
    """The message's id in its transcript, if it has one."""
    files: tuple[str, ...] = ()
    """The files written between the user's message and the next one."""
    why: tuple[str, ...] = ()
    """The signs by which it was found, if it was weighed."""
