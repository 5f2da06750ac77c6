"""The codec of a protocol whose files are not rendered from the ledger's log: it renders nothing.

CHANGELOG.md is a source itself, and graph.md and context.md are computed from it alone. The verbs
read and write all three.
"""

from __future__ import annotations

from varves.protocols.layers.merge_forms import FORMS
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Change, Core, FileRecord, Stock, Touched


class LayersCodec:
    """A codec without rendered files and without files that are read back."""

    name = "layers"
    forms = FORMS
    counted_until = "memory"
    everywhere: tuple[str, ...] = ()
    endings: tuple[tuple[str, str], ...] = ()
    folders: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def is_state(self, path: str) -> bool:  # noqa: ARG002 - there are none
        """Return whether a file is read back."""
        return False

    def is_derived(self, path: str) -> bool:  # noqa: ARG002 - there are none
        """Return whether a file is rendered from the log."""
        return False

    def scope_of(self, path: str) -> str:  # noqa: ARG002 - there is one
        """Return the only scope."""
        return "project"

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:  # noqa: ARG002
        """Return the rendered files: none."""
        return {}

    def patch(self, path: str, content: bytes | None, stock: Stock) -> bytes | None:  # noqa: ARG002
        """Return the content of a shared file; this protocol has none."""
        return None

    def keys(self, stock: Stock) -> dict[str, dict[str, str]]:  # noqa: ARG002
        """Return the memory of each key; no file has keys."""
        return {}

    def place(self, key: str, was: dict[str, Any], ours: dict[str, Any]) -> str | None:  # noqa: ARG002
        """Return the current key of a record."""
        return key

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002
        """Read a state file; this protocol has none."""
        raise Unreadable("it is not a file of the log")

    def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return drafts that merge records; none, because equal blocks have the same id."""
        return []

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:  # noqa: ARG002
        """Return the drafts for a person's change; none, because there are no state files."""
        return []
