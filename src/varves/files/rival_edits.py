"""Finds records that people edited on two branches, after the branches' logs were merged.

The edit that is later in the log is current. The other edit is kept as the other side of a
conflict, because neither person has seen the other's edit.
"""

from __future__ import annotations

from varves.events.kinds import DETECTED, REVISED
from varves.files.differences import beside
from varves.protocols.hand_edit import made_id
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.files.ground import FilesCore

_REASON = "changed by hand on two branches"


def rival_edits(core: FilesCore, act: Act) -> Iterator[tuple[str, Draft]]:
    """Yield (log, draft) pairs that record the versions which later rival edits replaced."""
    made_from: dict[tuple[str, str], list[Event]] = {}
    for event in core.events(REVISED):
        by_hand = event.session is None and bool(event.cause)
        if by_hand and isinstance(event.data.get("set", {}).get("text"), str):
            made_from.setdefault((event.data["memory"], event.cause[0]), []).append(event)
    for (name, _), edits in made_from.items():
        if len(edits) > 1:
            yield from _kept(core, act, name, edits)


def _kept(core: FilesCore, act: Act, name: str, edits: list[Event]) -> Iterator[tuple[str, Draft]]:
    memory, told = core.memory(name), {fold(edits[-1].data["set"]["text"])}
    if memory is None or memory.status != "active" or fold(memory.text) not in told:
        return  # a person who saw the result has changed the record again
    told |= _known(core, name)
    for edit in edits[:-1]:
        text = fold(edit.data["set"]["text"])
        kept = made_id("rival", edit.id)
        if text not in told and core.memory(kept) is None and kept not in core.barred():
            told.add(text)
            drafts = beside(memory, kept, [edit.data["set"]], reason=_REASON)
            yield from ((memory.kept, act.draft(*one)) for one in drafts)


def _known(core: FilesCore, name: str) -> set[str]:
    """Return the versions of a memory that are recorded already, also in resolved conflicts."""
    found: Iterable[str] = {
        one
        for event in core.events(DETECTED)
        for one in event.data.get("members", ())
        if name in event.data.get("members", ())
    }
    rows = [core.memory(one) for one in found]
    return {fold(one.text) for one in rows if one is not None}
