"""The note of a session: the rules that its boot read, and the events that it appended since."""

from __future__ import annotations

from varves.protocols.layers import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.port import Core

RULES = "rules"  # the kind of note
LEFT = "views"  # its part that lists the views which boot found outdated and left as they were


def booted(core: Core) -> dict[str, Any] | None:
    """Return this session's note from its boot; None if there is none or it was lost."""
    return core.tree.note(journal.name_of(core, RULES))


def keep_booted(core: Core, note: dict[str, Any], *, sure: bool = True) -> None:
    """Store this session's note."""
    core.tree.keep(journal.name_of(core, RULES), note, sure=sure)
