"""Answers `list` and `log`: memories and events, newest first, as a whole or in pages."""

from __future__ import annotations

from varves.context.history import absent, unsaid
from varves.errors import NotFound, UsageError, refuse_unknown
from varves.events.kinds import birth
from varves.index.where import EventWhere, Where
from varves.questions.lookup import at_moment, called, filtered, marked_replaced
from varves.values.ids import is_event_id
from varves.values.instants import duration, instant, iso
from varves.values.listing import Listing, check_limit
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Unpack

    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.where import Trusted
    from varves.values.memory import Memory
    from varves.values.options import ListFilters, LogFilters


def listed(
    view: View,
    trusted: Trusted,
    *,
    limit: int | None = None,
    before: str | None = None,
    **filters: Unpack[ListFilters],
) -> Listing[Memory]:
    """Return the memories that pass the filters of `list`, newest first, or a page of them."""
    check_limit(limit)
    wish = _memories_asked(view, trusted, **filters)
    if before is not None:
        wish = wish.replace(listed_after=_place(view, before))
    found = view.index.memories(wish, order="newest", most=limit)
    more = 0 if limit is None or len(found) < limit else view.index.count(wish) - len(found)
    now = iso(view.now)
    return Listing((at_moment(m, now) for m in marked_replaced(view.index, found)), more=more)


def _memories_asked(
    view: View,
    trusted: Trusted,
    *,
    scope: str | None = None,
    type: str | None = None,
    tag: str | None = None,
    status: str | None = None,
    **rest: Any,
) -> Where:
    """Return the condition for the filters of `list`."""
    refuse_unknown(rest, ("older_than", "unused_for", "private"), "help(varves.Ledger.list)")
    now = iso(view.now)
    wish = _of_status(status, now, trusted).replace(within=filtered(scope), type=type, tag=tag)
    if tag != "sensitive" and status != "all":
        wish = wish.replace(without_tag="sensitive")
    for name, field in (("older_than", "created_until"), ("unused_for", "used_until")):
        if rest.get(name) is not None:
            wish = wish.replace(**{field: iso(view.now - duration(rest[name]))})
    if rest.get("private"):
        wish = wish.replace(private=True)
    if status != "all" and view.index.exists(Where(is_view=True)):
        wish = wish.replace(once=True)
    return wish


def _place(view: View, name: str) -> tuple[str, str]:
    """Return the place of a memory in a list: its stamp and id."""
    memory = view.index.memory(name) or called(view.index, name)
    found = memory.id if memory is not None else name
    events = view.index.events(EventWhere(about=(found,)))
    for event in events:
        if (birth(event) or {}).get("memory") == found:
            return event.hlc, found
    raise absent(view, name)


def _of_status(status: str | None, now: str, trusted: Trusted) -> Where:
    """Return the condition that selects memories with a status.

    Only the status `active` leaves out quarantined memories.
    """
    known = (*STATUSES, "quarantined", "all")
    if status not in (None, *known):
        raise UsageError(f"unknown status: {status}", f"use one of {', '.join(known)}")
    if status == "all":
        return Where()
    if status == "quarantined":
        return Where(statuses=("active",), untrusted=trusted)
    if status == "expired":
        return Where(over_at=now)
    if status in (None, "active"):
        return Where(statuses=("active",), holds_at=now, trusted=trusted)
    return Where(statuses=(status,))


def logged(
    view: View,
    *,
    limit: int | None = None,
    before: str | None = None,
    **filters: Unpack[LogFilters],
) -> Listing[Event]:
    """Return the events that pass the filters of `log`, in order, or a page of the newest ones."""
    check_limit(limit)
    wish = events_asked(view, **filters)
    if before is not None:
        wish = wish.replace(short_of=_event(view, before).order)
    found = view.index.events(wish, last=limit)
    more = 0 if limit is None or len(found) < limit else view.index.count(wish) - len(found)
    return Listing(unsaid(view.index, found), more=more)


def events_asked(
    view: View,
    *,
    since: str | None = None,
    until: str | None = None,
    kind: Iterable[str] = (),
    actor: str | None = None,
) -> EventWhere:
    """Return the condition for the filters of `log`."""
    kinds = [kind] if isinstance(kind, str) else list(kind)
    wish = EventWhere(actor=actor, kinds=tuple(kinds) or None)
    for end, place, moment in ((since, "first", "since"), (until, "last", "until")):
        if end is not None and is_event_id(end):
            wish = wish.replace(**{place: _event(view, end).order})
        elif end is not None:
            wish = wish.replace(**{moment: _moment(end, view.now)})
    return wish


def _event(view: View, name: str) -> Event:
    event = view.index.event(name)
    if event is None:
        raise NotFound(f"no event {name}", "varves log lists the events")
    return event


def _moment(text: str, now: int) -> str:
    """Return an instant as ISO text; the caller gives the instant, or a duration before now."""
    try:
        return iso(now - duration(text))
    except UsageError:
        return iso(instant(text))
