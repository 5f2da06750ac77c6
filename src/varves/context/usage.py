"""Records which memories were shown: one event for each session, in the private log.

Each answer adds a line to the notebook with the memories it showed. After a write in a session, the
session's lines are claimed (marked with the id of an event), recorded in that event and deleted.
This is done before the next call, or when the ledger is closed. So the write itself does not wait
for this. The claim contains the id of the event, so that after a crash the next process can check
whether that event exists. If recording fails, the caller gets no error: the lines stay, and the
next write tries again.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events.event import Draft
from varves.events.kinds import INJECTED
from varves.events.tellings import content
from varves.state.notebook import leaf_of, masked, usage_of
from varves.values.instants import DAY_MS, SystemClock, iso
from varves.values.value import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.context.context import Context
    from varves.context.follow_up import FollowUp
    from varves.state.notebook import Line, Shown, Usage

LOG = "private"
OVER_MS = DAY_MS  # a session in which nothing was shown for this long has ended


def settle(context: Context, follow_up: FollowUp) -> None:
    """Record which memories were shown in the sessions that wrote, and in those that have ended."""
    usage = usage_of(context.places)
    wrote, follow_up.wrote = follow_up.wrote, set()
    due = list(_due(context, follow_up, usage, wrote))
    if not due:
        return
    with usage.alone() as alone:
        if not alone:
            follow_up.swept = ""  # another process is doing this; the next write tries again
            return
        for leaf, left_by in due:
            event = left_by or context.ids.event(context.clock.now())
            try:
                lines = usage.claim(leaf, event, anew=not left_by)
                if lines is None:
                    follow_up.swept = ""
                    continue
                if lines and not (left_by and _is_recorded(context, event)):
                    # The recorder is not used, because it would create a missing ledger. The event
                    # gets a sync of its own, because the lines are deleted as soon as the event is
                    # durable.
                    shown = usage.claimed(leaf, event)
                    context.logs.append_alone(LOG, _draft(lines, shown, event))
                usage.drop(leaf, event)
            except (OSError, VarvesError, context.index.faults):
                follow_up.swept = ""  # the lines still exist, so try again later


def unsettled(context: Context) -> list[Line]:
    """Return the notes on shown memories that no event records yet, oldest first."""
    return usage_of(context.places).unsettled() if context.places.exists() else []


def last_told(context: Context) -> dict[str, Any] | None:
    """Return the last time that memories were shown to another agent: agent, time, memories."""
    asking = context.settings.actor
    lines = [line for line in unsettled(context) if line.agent != asking]
    found = context.index.get().uses().latest(other_than=asking)
    if lines and (found is None or found[1] <= lines[-1].time):
        found = (lines[-1].agent, lines[-1].time, lines[-1].memories)
    return None if found is None else dict(zip(("agent", "at", "memories"), found, strict=True))


def _due(
    context: Context, follow_up: FollowUp, usage: Usage, wrote: set[tuple[str, str | None]]
) -> Iterator[tuple[str, str]]:
    """Yield (session, event) for the sessions whose shown memories must be recorded.

    The event is the id with which a stopped process marked the lines as its own, or "".
    """
    now, settings = iso(context.clock.now()), context.settings
    own = (masked(settings.actor), settings.session and masked(settings.session))
    leaves = {leaf_of(actor, session, now) for actor, session in wrote | {own}}
    yield from ((leaf, "") for leaf in sorted(leaves) if "" in usage.waiting(leaf))
    day = now[:10]
    if follow_up.swept == day:
        return
    follow_up.swept = day
    long_ago = SystemClock().now() - OVER_MS  # the times of lines come from the machine's clock
    for leaf, event, changed in usage.left():
        is_over = leaf[2:12] < day if leaf.startswith("d-") else changed < long_ago
        if event or (is_over and leaf not in leaves):
            yield leaf, event


def _draft(lines: list[Line], shown: list[Shown], event: str) -> Draft:
    last = lines[-1]
    moments = (
        {name: plain(getattr(one, name)) for name in ("at", "client", "moment", "ids", "tokens")}
        for one in shown
    )
    return Draft(
        kind=INJECTED,
        data=content(((one.time, one.verb, one.agent, one.memories) for one in lines), moments),
        session=last.session,
        actor=last.actor,
        id=event,
    )


def _is_recorded(context: Context, event: str) -> bool:
    """Return whether the up-to-date index has an event; do not wait if the index is locked."""
    context.index.get().wait(0)
    try:
        return context.fresh().index.event(event) is not None
    finally:
        context.index.get().wait(None)
