"""The interface between a server and its catalogue, and the value passed with every request.

A catalogue has tools, resources and prompts. It does not depend on frames, ids, eras of MCP or
threads. So the same catalogue can be served on stdio and over HTTP, and a server can also serve
another catalogue.
"""

from __future__ import annotations

from varves.mcp.faults import Cancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from varves.mcp.eras import Caller

    Json = dict[str, Any]

    class Catalogue(Protocol):
        """The tools, resources and prompts of a server; answers have the form that MCP defines."""

        server: Json
        """The name, the title and the version of the server."""
        abilities: Json
        """The server's capabilities."""

        def instructions(self, client: Caller) -> str:
            """Return the instructions for the client's model."""
            ...

        def tools(self) -> list[Json]:
            """Return the tools, always in the same order."""
            ...

        def call(self, name: str, arguments: Json, call: Call) -> Json:
            """Run a tool."""
            ...

        def resources(self, call: Call) -> list[Json]:
            """Return the resources."""
            ...

        def templates(self) -> list[Json]:
            """Return the resource templates."""
            ...

        def read(self, uri: str, call: Call) -> list[Json]:
            """Return a resource's contents."""
            ...

        def prompts(self) -> list[Json]:
            """Return the prompts."""
            ...

        def prompt(self, name: str, arguments: Json, call: Call) -> Json:
            """Return a prompt's messages."""
            ...

        def complete(self, ref: Json, argument: Json, call: Call) -> Json:
            """Return completions of an argument."""
            ...

        def pulse(self, client: Caller) -> object:
            """Return a value that changes if anything in the catalogue changes."""
            ...

        def fingerprint(self, uri: str | None, client: Caller) -> str:
            """Return a value that changes if a resource or, without `uri`, the list changes."""
            ...

        def close(self) -> None:
            """Release all resources."""
            ...


class Call:
    """One request from a client, as it is passed to the catalogue."""

    __slots__ = ("_done", "_tell", "answers", "cancelled", "client", "state")

    def __init__(self, client: Caller, *, tell: Callable[[int], None] | None = None) -> None:
        self.client = client
        self.answers: Json = {}
        """The person's answer to each question, by its key."""
        self.state: str | None = None
        """The state that was sealed when the questions were asked; None for a first request."""
        self.cancelled = False
        self._tell = tell
        self._done = -1

    def progress(self, done: int) -> None:
        """Report progress to the client; raise an error if the client has cancelled the request."""
        if self.cancelled:
            raise Cancelled
        if self._tell is not None and done > self._done:
            self._done = done
            self._tell(done)
