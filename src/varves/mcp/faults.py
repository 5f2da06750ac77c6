"""The ways in which a request ends without a result: an error, a question, a cancellation."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE = -32700
INVALID = -32600
NO_METHOD = -32601
BAD_PARAMS = -32602
INTERNAL = -32603
NO_RESOURCE = -32002  # used for a handshake's era of MCP; the newer era has BAD_PARAMS
NO_VERSION = -32022


class Fault(Exception):
    """A JSON-RPC error for the client itself, and not for its model."""

    def __init__(self, code: int, message: str, more: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.more = more

    def as_dict(self) -> dict[str, Any]:
        """Return the error as it appears in a response."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        return found if self.more is None else {**found, "data": self.more}


class Ask(Exception):
    """Raised if a request needs a person's answers; the request is run again with the answers."""

    def __init__(self, questions: dict[str, dict[str, Any]], state: str) -> None:
        super().__init__("input required")
        self.questions = questions
        """By a key that the server chose: the parameters of `elicitation/create`."""
        self.state = state
        """The state that the client returns together with the answers; it will be sealed."""


class Cancelled(Exception):
    """Raised if the client has cancelled the request."""
