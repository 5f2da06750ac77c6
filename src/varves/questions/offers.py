r"""Provides what may be shown to a client: memories, names in use, and escaped texts.

A client's model reads everything it is given. So every character that could look like a mark or a
speaker's turn is written as an escape such as `\u003c`, as within the fence. Every JSON writer
keeps the escaped text inside its string.
"""

from __future__ import annotations

from varves.errors import NotFound
from varves.index.where import EventWhere, Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.evidence.versions import PointedFile
    from varves.index.port import Search
    from varves.values.memory import Memory
    from varves.values.query import Query

_EVERY = 2**31
_written: Any = None
_SHORT = {"n": "\n", "r": "\r", "t": "\t", '"': '"'}


def harmless(text: str) -> str:
    r"""Return a text that cannot look like a block's mark or a speaker's turn.

    A backslash that would begin such an escape is escaped itself, so every text can be restored:
    read `\uXXXX` as a UTF-16 unit, and leave everything else unchanged.
    """
    global _written  # noqa: PLW0603 - re is slow to import, and few texts need it
    if _written is None:
        import re

        _written = re.compile(r"\\(?:u[0-9a-f]{4}|\\(?=(u[0-9a-fA-F]{4})?)|[nrt\"])")
    from varves.recall.fence import quote

    said: str = _written.sub(_unquoted, quote(text)[1:-1])
    return said


def _unquoted(found: Any) -> str:
    written: str = found[0]
    if written == "\\\\":
        return "\\u005c" if found[1] else "\\"
    return written if written[1] == "u" else _SHORT[written[1]]


def records_in(block: str) -> list[dict[str, Any]]:
    """Return the records of a briefing's block, with the texts as they were remembered."""
    from varves.recall.fence import read_block

    return list(read_block(block)) if block else []


class Offers:
    """Answers that contain only memories that the ledger's actor may be shown."""

    def __init__(self, context: Context, show: Callable[[str], Memory]) -> None:
        self._context = context
        self._show = show

    def memory(self, id: str, *, as_of: str | None = None) -> Memory:
        """Return a memory.

        Raises:
            NotFound: the memory does not exist, belongs to another actor, or is quarantined.
        """
        from varves.context.history import absent
        from varves.questions.lookup import shown

        context = self._context
        with context.lock:
            view = context.view(as_of)
            memory = shown(context, view, id)
            if not self._may_see(memory):
                raise absent(view, id)
            if not self._is_free(view, memory):
                hint = f"a person can admit it with varves trust {memory.id}"
                raise NotFound(f"{memory.id} is quarantined", hint)
            return self._show(memory.id) if as_of is None else memory

    def files(self, memory: Memory, *, now: bool = True) -> list[PointedFile | None]:
        """Return the file that each piece of a memory's evidence points to, then and now.

        None stands for evidence that points to no file of this project.

        Args:
            memory: the memory, with the states of its evidence.
            now: whether the files are read as they are now.
        """
        from varves.evidence.fates import is_here
        from varves.evidence.versions import pointed

        if not is_here(memory):
            return [None] * len(memory.evidence)
        return [pointed(self._context, place, now=now) for place in memory.evidence]

    def includes(self, memory: Memory) -> bool:
        """Return whether the actor may be shown a memory."""
        with self._context.lock:
            return self._may_see(memory) and self._is_free(self._context.fresh(), memory)

    def _is_free(self, view: View, memory: Memory) -> bool:
        """Return whether a memory is not quarantined."""
        free = Where(ids=(memory.id,), trusted=self._context.trusted)
        return view.index.exists(free)

    def _may_see(self, memory: Memory) -> bool:
        from varves.values.scope import CONVERSING, may_see

        who = self._context.settings
        if memory.protocol == CONVERSING:
            return True
        return may_see(memory.scope, actor=who.actor, session=who.session)

    def newest(self, *, scope: str | None = None, most: int) -> tuple[list[Memory], int]:
        """Return some memories: critical ones first, then the newest.

        Also return how many there are in total.
        """
        with self._context.lock:
            search, query = self._asking(most=most, scope=scope)
            return search.newest(query), search.count(query)

    def _asking(self, *, most: int, scope: str | None = None) -> tuple[Search, Query]:
        from varves.questions.lookup import query_of

        view = self._context.fresh()
        query = query_of(self._context, view, "", k=most, scope=scope)
        return view.index.search(), query

    def names(self, what: str, begun: str = "") -> list[str]:
        """Return the names in use that begin with a prefix.

        Names of the newest memories come first.

        Args:
            what: id, tag, scope or agent.
            begun: the prefix; case is ignored.
        """
        from varves.values.memory import SPLIT

        with self._context.lock:
            search, query = self._asking(most=1000 if what == "id" else _EVERY)
            if what == "tag":
                rows = search.names(query, "tags", "")
                tags = dict.fromkeys(tag for row in rows for tag in (row or "").split(SPLIT) if tag)
                return [tag for tag in tags if tag.lower().startswith(begun.lower())]
            column = {"id": "id", "scope": "scope", "agent": "created_by"}[what]
            return search.names(query, column, begun)

    def pulse(self) -> tuple[object, ...]:
        """Return a value that changes if one of the logs read here changes."""
        context = self._context
        with context.lock:
            index = context.fresh().index
            return *index.changes()[1:], context.trusted.clones

    def recorded(self) -> tuple[object, ...]:
        """Return a value that changes if an event arrives, leaves or becomes trusted.

        Unlike the pulse, it stays the same if only the index computes something.
        """
        context = self._context
        with context.lock:
            index = context.fresh().index
            return *index.logs().arrived(), index.count(EventWhere()), context.trusted.clones
