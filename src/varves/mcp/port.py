"""What a server asks of the catalogue behind it, and what it hands on with each request.

The catalogue knows tools, resources and prompts, and nothing of frames, ids, eras or threads; so
the same one is served on stdio and over HTTP, and another one can be served by the same server.
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
        """What can be asked for, each answer in the protocol's own words."""

        server: Json
        """Name, title and version."""
        abilities: Json
        """The server's capabilities."""

        def instructions(self, client: Caller) -> str:
            """Return what the client's model should know of this server."""
            ...

        def tools(self) -> list[Json]:
            """Return the tools, always in the same order."""
            ...

        def call(self, name: str, arguments: Json, call: Call) -> Json:
            """Run a tool."""
            ...

        def resources(self, call: Call) -> list[Json]:
            """Return what can be read."""
            ...

        def templates(self) -> list[Json]:
            """Return what can be read by name."""
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
            """Return how an argument may go on."""
            ...

        def pulse(self, client: Caller) -> object:
            """Return what stays equal as long as nothing has changed."""
            ...

        def fingerprint(self, uri: str | None, client: Caller) -> str:
            """Return what stays equal as long as a resource does; None: the list of them."""
            ...

        def close(self) -> None:
            """Let go of everything."""
            ...


class Call:
    """One request on its way through the catalogue."""

    __slots__ = ("_done", "_tell", "answers", "cancelled", "client", "state")

    def __init__(self, client: Caller, *, tell: Callable[[int], None] | None = None) -> None:
        self.client = client
        self.answers: Json = {}
        """What the person said to each question, by its key."""
        self.state: str | None = None
        """What the questions were about, as it was when they were put."""
        self.cancelled = False
        self._tell = tell
        self._done = -1

    def progress(self, done: int) -> None:
        """Say how much is done, and stop here if nobody waits for it any more."""
        if self.cancelled:
            raise Cancelled
        if self._tell is not None and done > self._done:
            self._done = done
            self._tell(done)
