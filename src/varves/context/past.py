"""Computes the past state of a ledger, at an instant, an event or a commit, in a second index."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.events.codec import decode, purged_line
from varves.events.kinds import BARRING, touches
from varves.events.remnants import stands_for
from varves.index.runner import load, travel
from varves.index.sqlite.file import IndexFile
from varves.index.sqlite.index import SqliteIndex
from varves.index.sqlite.past import PastFile, past_of
from varves.index.where import EventWhere
from varves.values.ids import is_event_id
from varves.values.instants import first_held, instant, iso, stamp_at
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from varves.context.live_index import LiveIndex
    from varves.events.event import Event
    from varves.index.port import Index
    from varves.log.port import Blobs

    Lines = list[tuple[Event, bytes]]
    Past = tuple[Index, int]  # the index, and the instant at which it is queried, in milliseconds


def replayed(live: LiveIndex, present: Index, as_of: str) -> Past:
    """Return the ledger's state at an instant, after an event, or in a git revision.

    Content that was purged later is left out.
    """
    if is_event_id(as_of):
        last = present.event(as_of)
        if last is None:
            raise NotFound(f"no event {as_of}", "varves log shows all events")
        moment, stamp = instant(last.time), last.hlc
        wish = EventWhere(last=last.order, before=_limit(live, moment))
    else:
        try:
            moment = instant(as_of)
        except UsageError:
            return _at_revision(live, present, as_of)
        stamp = stamp_at(moment)
        wish = EventWhere(until=iso(moment), before=_limit(live, moment))
    found = _travelled(live, present, wish, stamp)
    return (found, moment) if found else _replay(live, present, present.lines(wish), moment)


def _travelled(
    live: LiveIndex,
    present: Index,
    wish: EventWhere,
    stamp: str,
    *,
    chosen: Mapping[str, str] | None = None,
    logs: Mapping[str, Blobs] | None = None,
) -> Index | None:
    """Return the state in which the given events count, made from the nearest known state.

    None if it must be replayed.
    """
    purges = present.purges()
    if purges.talk():  # lines of conversations may have to be erased first
        return None
    later = _later(present, wish, chosen or {})
    past = past_of(present, wish, stamp=stamp, later=later, chosen=chosen)
    if past is not None:
        found = {log.key: log for log in live.sources()} if logs is None else logs
        travel(past, found, live.progress)
    return past


def _later(present: Index, wish: EventWhere, chosen: Mapping[str, str]) -> list[str]:
    """Return the ids of the later events that a view of the past needs to omit purged content."""
    purges = present.events(EventWhere(kinds=BARRING))
    if not purges:
        return []
    again = [one for one in present.events(EventWhere(said_again=True)) if touches(one)]
    stood = {stands_for(event) for event in again}
    names = tuple({event.id for event in (*purges, *again)} | {name for name in stood if name})
    counted = present.event_sources(wish.replace(ids=names)).keys() | chosen.keys()
    later = [event.id for event in purges]
    later += [event.id for event in again if stands_for(event) in counted]
    return [name for name in dict.fromkeys(later) if name not in counted]


def _limit(live: LiveIndex, moment: int) -> str:
    """Return the lowest stamp (position in time) that counted as in the future at an instant."""
    return first_held(None if live.clock.fixed else moment)


def unpurged(live: LiveIndex, present: Index, commit: str) -> Index:
    """Return the ledger's state as it is in a commit, to compare it with the commit's files.

    It may contain purged content, so it must not be shown or stored.
    """
    return _at_revision(live, present, commit, purged=False)[0]


def _at_revision(live: LiveIndex, present: Index, word: str, *, purged: bool = True) -> Past:
    """Replay the project's log as it is in a commit, and the other logs up to the commit's time."""
    found = live.logs.revision(word)
    if found is None:
        reason = f"{quoted(word)} is not an instant, an event or a git revision here"
        raise NotFound(reason, "write 2026-11-15T06:20:00Z, evt_… or HEAD~3")
    limit = _limit(live, found.time)
    events = [pair for pair in found.events() if pair[0].hlc < limit]
    others = EventWhere(but_log="project", until=iso(found.time), before=limit)
    logs: dict[str, Blobs] = {log.key: log for log in live.logs.own()}
    logs["project"] = found
    if purged and not any(event.purged for event, _ in events):
        chosen = {event.id: event.digest for event, _ in events}
        stamp = stamp_at(found.time)
        past = _travelled(live, present, others, stamp, chosen=chosen, logs=logs)
        if past is not None:
            return past, found.time
    erased = (
        {event.id: (event, line) for event, line in present.lines(EventWhere(erased=True))}
        if purged
        else {}
    )
    events = [erased.get(event.id, (event, line)) for event, line in events]
    events += present.lines(others if purged else others.replace(but_kinds=BARRING))
    return _replay(live, present, events, found.time, logs=logs, purged=purged)


def _replay(
    live: LiveIndex,
    present: Index,
    events: Lines,
    now: int,
    *,
    logs: Mapping[str, Blobs] | None = None,
    purged: bool = True,
) -> Past:
    gone = present.purges().talk() if purged else set()
    events = [_erased(pair) if pair[0].id in gone else pair for pair in events]
    past = SqliteIndex(None, file=PastFile(IndexFile(None).open()))
    past.branch_of = present.branch_of
    later = lasting(present, {event.id for event, _ in events}) if purged else []
    load(
        past,
        [*events, *later],
        {log.key: log for log in live.sources()} if logs is None else logs,
        elsewhere=present.event_sources(EventWhere(here=False)) if logs is None else {},
        progress=live.progress,
    )
    past.leave_out(event.id for event, _ in later)
    return past, now


def _erased(pair: tuple[Event, bytes]) -> tuple[Event, bytes]:
    """Return a conversation event and its line in the form that they have after a purge."""
    event, line = pair
    rest = purged_line(line)
    return decode(rest, event.log), rest


def lasting(present: Index, replayed: set[str]) -> Lines:
    """Return the later events that a replay of the past needs in order to omit purged content.

    These are the purges, and the events that stand in for purged events of the replay. They affect
    the computed state, but are not shown in it.
    """
    purges = present.lines(EventWhere(kinds=BARRING))
    again = present.lines(EventWhere(said_again=True))
    counted = [pair for pair in again if touches(pair[0]) and stands_for(pair[0]) in replayed]
    return [pair for pair in purges + counted if pair[0].id not in replayed]
