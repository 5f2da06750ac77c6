"""The fields of a memory that a list shows: enough for an index of ten thousand memories."""

from __future__ import annotations

from collections import namedtuple

from varves.values.memory import SPLIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from varves.values.memory import Memory

SHOWN = ("supersedes", "superseded_by")
"""The links of which an outline contains the ids."""


_Fields = namedtuple(  # noqa: PYI024 - `typing` is slow to import
    "_Fields",
    "id scope kept status type nature subtype file tags summary priority created_at updated_at"
    " session links",
)


class Outline(_Fields):
    """A memory without its text; `tags` are joined by `SPLIT`, and so are the ids in `links`."""

    __slots__ = ()

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the outline of a memory."""
        return cls(
            id=memory.id,
            scope=memory.scope,
            kept=memory.kept,
            status=memory.status,
            type=memory.type,
            nature=memory.nature,
            subtype=memory.extra.get("subtype"),
            file=memory.extra.get("file"),
            tags=SPLIT.join(memory.tags),
            summary=memory.summary,
            priority=memory.priority,
            created_at=memory.created_at,
            updated_at=memory.updated_at,
            session=memory.session,
            links=SPLIT.join(name for link in SHOWN for name in memory.links.get(link, ())),
        )
