"""The codec of a protocol whose files are no views of the log: it renders nothing.

CHANGELOG.md is a source itself, and graph.md and context.md are made from it alone. The verbs read
and write all three.
"""

from __future__ import annotations

from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Change, Core, FileRecord, Stock, Touched


class LayersCodec:
    """No files that the log renders, and none that are read back record by record."""

    name = "layers"
    counted_until = "memory"
    folders: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def is_state(self, path: str) -> bool:  # noqa: ARG002 - there are none
        """Tell whether a file is read back."""
        return False

    def is_derived(self, path: str) -> bool:  # noqa: ARG002 - there are none
        """Tell whether a file is rendered from the log."""
        return False

    def scope_of(self, path: str) -> str:  # noqa: ARG002 - there is one
        """Return the scope of all there is."""
        return "project"

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:  # noqa: ARG002
        """Return the files of the log: none."""
        return {}

    def patch(self, path: str, content: bytes | None, stock: Stock) -> bytes | None:  # noqa: ARG002
        """Return a shared file as it is to be: there is none."""
        return None

    def keys(self, stock: Stock) -> dict[str, dict[str, str]]:  # noqa: ARG002
        """Return which memory has each key: no file has any."""
        return {}

    def place(self, key: str, was: dict[str, Any], ours: dict[str, Any]) -> str | None:  # noqa: ARG002
        """Return the key a record has now."""
        return key

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002
        """Read a state file: there is none."""
        raise Unreadable("it is no file of the log")

    def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return what makes one record of two: equal blocks have one id already."""
        return []

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return the drafts of a person's change: no state file has any."""
        return []
