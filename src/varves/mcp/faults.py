"""What can come of a request besides its result: an error, a question back, or nothing at all."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE = -32700
INVALID = -32600
NO_METHOD = -32601
BAD_PARAMS = -32602
INTERNAL = -32603
NO_RESOURCE = -32002  # of the handshake's era; since then it is BAD_PARAMS
NO_VERSION = -32022


class Fault(Exception):
    """An error of JSON-RPC, for the client rather than for its model."""

    def __init__(self, code: int, message: str, more: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.more = more

    def as_dict(self) -> dict[str, Any]:
        """Return the error as it stands in a response."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        return found if self.more is None else {**found, "data": self.more}


class Ask(Exception):
    """The request waits for answers of the person at the client, and is then run again."""

    def __init__(self, questions: dict[str, dict[str, Any]], state: str) -> None:
        super().__init__("input required")
        self.questions = questions
        """By a key of our own: what `elicitation/create` takes."""
        self.state = state
        """What the questions were about; it comes back with the answers, unforged."""


class Cancelled(Exception):
    """The client wants no answer any more."""
