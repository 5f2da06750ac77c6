"""What a session is worth: one sentence of it that a later session should know."""

from __future__ import annotations

from varves.values.value import Value

TAG = "captured"  # on what was heard in a session
KINDS = ("correction", "error_fix", "rule", "decision", "preference", "statement")


class Learning(Value):
    """One thing to remember, and who said it where."""

    kind: str
    """One of KINDS; where several fit, the first of them."""
    text: str
    by: str
    """user or agent: whose words they are. A tool's are never among them."""
    message_index: int
    """The message that tells it."""
    settled: int
    """The message that made it certain: the same, or the evidence that came later."""
    key: str | None = None
    """The telling message's name in its transcript, where it has one."""
    files: tuple[str, ...] = ()
    """What was written meanwhile."""
