"""Outcomes of a request other than its result: an error, a question, or a cancellation."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE = -32700
INVALID = -32600
NO_METHOD = -32601
BAD_PARAMS = -32602
INTERNAL = -32603
NO_RESOURCE = -32002  # in the older era of MCP, with a handshake; BAD_PARAMS in the newer one
NO_VERSION = -32022


class Fault(Exception):
    """A JSON-RPC error, meant for the client rather than for its model."""

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
    """The request needs answers from the person at the client, and is then run again."""

    def __init__(self, questions: dict[str, dict[str, Any]], state: str) -> None:
        super().__init__("input required")
        self.questions = questions
        """The parameters of `elicitation/create`, by a key that we chose."""
        self.state = state
        """The state that the client returns with the answers; it is sealed."""


class Cancelled(Exception):
    """The client has cancelled the request."""
