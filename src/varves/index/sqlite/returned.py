"""Whether something purged may be back, and of which protocols it was.

It is noted while logs are read, and seen to by the next write.
"""

from __future__ import annotations

from varves.events.kinds import PURGED
from varves.events.purge import holds
from varves.index.sqlite.schema import ERASED, KEPT
from varves.index.where import WAITING_PURGES
from varves.log.sources import ELSEWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from varves.events.event import Event
    from varves.index.sqlite.index import Index

_WHOLE = (
    "select 1 from event e join place l on l.event = e.id join part p on p.n = l.part"
    f" where e.present and {ERASED} and substr(l.mark, -1) <> '-' and substr(p.source, 1, ?) <> ?"
)


def note_purges(
    index: Index, fresh: Mapping[str, Event], touched: Container[str], *, back: bool
) -> None:
    """Note, in the running transaction, that the next write is to look after what was purged.

    A purge has come that may be ours and not kept yet, or lines of something that we purged; or,
    `back`, a second file holds whole what another one has erased.
    """
    barred = own_purged(index)
    came = back or any(name in touched for name in barred)
    came = came or any(event.kind == PURGED for event in fresh.values())
    if came or (barred and not fresh.keys().isdisjoint(index.covered())):
        index.db.execute("insert or ignore into meta values (?, '')", (WAITING_PURGES,))


def own_purged(index: Index) -> list[str]:
    """Return the memories that this clone purged."""
    own = f"select memory from touch where event in ({KEPT})"
    return [name for (name,) in index.db.execute(own)]


def bring_back(index: Index, lines: Iterable[bytes]) -> bool:
    """Tell whether lines that came speak of something that this clone purged."""
    names = [f'"memory":"{name}"'.encode() for name in own_purged(index)]
    return any(name in line for line in lines for name in names)


def is_back(index: Index, barred: AbstractSet[str]) -> bool:
    """Tell whether files of this checkout hold content of something that was purged.

    Of an event that another worktree has erased already, the index keeps the erased line alone.
    """
    if index.db.execute(_WHOLE, (len(ELSEWHERE), ELSEWHERE)).fetchone():
        return True
    about = "id = ?1 or id in (select event from touch where memory = ?1)"
    where = f"away = '' and instr(line, ',\"data\":') and ({about})"
    held = (event for name in barred for event in index.found(where, (name,)))
    return any(holds(event, barred) for event in held)


def settle_purges(index: Index) -> None:
    """Note that nothing this clone purged is left to erase."""
    index.db.execute("delete from meta where name = ?", (WAITING_PURGES,))


def protocols_of_purged(index: Index) -> set[str]:
    """Return the protocols of events that were purged, or are to be."""
    purges = f"select id from event where kind = '{PURGED}'"
    barred = f"select memory from touch where event in ({purges})"
    about = f"id in (select event from touch where memory in ({barred}))"
    return {event.protocol for event in index.found(f"away = '' and ({ERASED} or {about})")}
