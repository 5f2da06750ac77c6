"""Lists what agents were shown: from the log, and from the notebook what no event contains yet.

Only the notebook knows the questions, and only for 90 days.
"""

from __future__ import annotations

from varves.events.kinds import INJECTED
from varves.events.tellings import moments
from varves.index.where import EventWhere, Where
from varves.state.notebook import Shown, masked, usage_of
from varves.values.instants import iso
from varves.values.listing import check_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.context import Context
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.state.notebook import Usage

_FEW = 8  # each time more events are needed, this many times as many are read


class ShownMemories(Shown):
    """What an agent was shown at one moment, and the texts of the memories as they are now."""

    texts: tuple[str, ...]
    """The texts that this checkout has; not part of the JSON form."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain data for JSON, without the texts."""
        found = super().as_dict()
        del found["texts"]
        return found


def shown(context: Context, *, session: str | None, limit: int) -> tuple[ShownMemories, ...]:
    """Return the last moments at which memories were shown, newest first."""
    check_limit(limit)
    usage = usage_of(context.places)
    usage.expire(iso(context.clock.now()))
    index = context.fresh().index
    owner = session and masked(session)
    waiting = [
        one
        for event, one in usage.shown()
        if owner in (None, one.session) and not (event and index.event(event))
    ]
    told = [*_recorded(index, usage, owner, limit), *waiting]
    newest = sorted(told, key=lambda one: one.at)[: -limit - 1 : -1]
    found = index.memories(Where(ids=tuple({name for one in newest for name in one.ids})))
    texts = {memory.id: memory.titled for memory in found}
    return tuple(
        ShownMemories(
            **{field: getattr(one, field) for field in Shown._fields},
            texts=tuple(texts[name] for name in one.ids if name in texts),
        )
        for one in newest
    )


def _recorded(index: Index, usage: Usage, session: str | None, limit: int) -> list[Shown]:
    """Return at least the last `limit` moments that the log contains, oldest first."""
    asked, most = usage.questions(), limit
    wish = EventWhere(kinds=(INJECTED,), log="private", session=session)
    while True:
        events = index.events(wish, last=most)
        found = [one for event in events for one in _moments(event, asked)]
        found.sort(key=lambda one: one.at)
        # an event contains only moments before it, so the events left out contain none after this
        if len(events) < most or (len(found) >= limit and found[-limit].at >= events[0].time):
            return found
        most *= _FEW


def _moments(event: Event, asked: dict[tuple[str, int], str]) -> list[Shown]:
    return [
        Shown(
            at=part["at"],
            session=event.session or "",
            client=part["client"],
            moment=part["moment"],
            question=asked.get((event.id, place)),
            ids=tuple(part["ids"]),
            tokens=part["tokens"],
        )
        for place, part in moments(event)
    ]
