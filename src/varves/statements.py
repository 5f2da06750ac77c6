"""Turns the options of callers into commands, with secrets masked, and records the results."""

from __future__ import annotations

from varves.commands import intake
from varves.commands.correct import Correct
from varves.commands.edit import Edit
from varves.commands.remember import Remember
from varves.commands.undo import taken_back
from varves.errors import refuse_unknown
from varves.events.kinds import REVISED, named, touches
from varves.events.views import by_bridge
from varves.index.where import EventWhere
from varves.values.instants import iso
from varves.values.memory import FIELDS
from varves.values.scope import scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.context.context import Context
    from varves.errors import VarvesError
    from varves.events.event import Event
    from varves.values.answers import Corrected, Remembered, Written

_OPTIONS = {
    *(name for name, row in FIELDS.items() if row.given),
    *("private", "derived_from", "again", "allow_secret"),
}
_EDITED = [name for name, row in FIELDS.items() if row.edited]
_DAY_MS = 86_400_000
_TAKING_BACK = named("takes_back")


def remember(context: Context, text: str, **options: Any) -> Remembered:
    """Record a memory, unless it is known; the result lists related older memories."""
    wish, act = command(context, {"text": text, **options})
    done = context.recorder.remember(wish, act)
    if done.status != "recorded":
        return done
    from varves.conflicts.arrivals import likenesses

    return done.replace(conflicts=likenesses(context, wish, act, name=done.id))


def remember_many(
    context: Context,
    commands: Iterable[tuple[Remember, Act] | VarvesError],
    progress: Callable[[int], None] | None,
) -> Written:
    """Record many memories; the result lists the memories that they repeat or contradict."""
    from varves.conflicts.arrivals import BatchArrivals

    arrivals = BatchArrivals(context)
    done = context.recorder.remember_many(commands, progress, durable=arrivals.take)
    return done.replace(conflicts=arrivals.told(), more=arrivals.more)


def correct(context: Context, name: str, text: str, **options: Any) -> Corrected:
    """Replace a memory by a new one; the result lists related older memories."""
    from varves.commands.correct import decide
    from varves.values.answers import Corrected

    wish = correction(context, name, {"text": text, **options})
    decision, events = context.apply(decide, wish)
    done = Corrected(id=decision.memory, supersedes=name, event=events[-1].id)
    done = done.replace(redacted=wish.redacted)
    if done.id != wish.id:  # another memory already has this text
        return done
    from varves.conflicts.arrivals import corrected

    return done.replace(conflicts=corrected(context, done.id))


def command(context: Context, options: dict[str, Any]) -> tuple[Remember, Act]:
    """Build the command of `remember` from its options; secrets are masked first."""
    refuse_unknown(options, _OPTIONS, "varves remember --help")
    intake.statement(options.get("text"))
    options, redacted = context.clean(options, allow_secret=bool(options.get("allow_secret")))
    act = context.act(intake.session(options.get("session")))
    where = options.get("scope") or "project"
    if where != "project":
        where = scope(str(where), session=act.session, actor=act.actor)
    about = {
        name: intake.CHECKS[name](value)
        for name, value in options.items()
        if value is not None and name in intake.CHECKS
    }
    if options.get("evidence"):
        from varves.evidence.pointers import noted

        about["evidence"] = intake.evidence(options["evidence"], lambda one: noted(context, one))
    links = {}
    if options.get("derived_from"):
        links["derived_from"] = intake.memory_ids(options["derived_from"])
    given = options.get("id")
    wish = Remember(
        text=options["text"],
        log=context.log_of(where, private=bool(options.get("private"))),
        scope=where,
        id=context.ids.memory() if given is None else intake.memory_id(given),
        given_id=given is not None,
        about=about,
        links=links,
        again=bool(options.get("again")),
        redacted=redacted,
    )
    return wish, act


def correction(context: Context, name: str, options: dict[str, Any]) -> Correct:
    """Build the command of `correct` from its options; secrets are masked first.

    Without new evidence, the new memory gets the old evidence in its current state.
    """
    options["text"] = intake.statement(options["text"])
    allowed = bool(options.pop("allow_secret", False))
    given, redacted = context.clean(options, allow_secret=allowed)
    pointed = given.pop("evidence", None)
    if pointed is not None:
        from varves.evidence.pointers import noted

        pointed = intake.evidence(pointed, lambda one: noted(context, one))
    elif (old := context.current().memory(name)) is not None and old.evidence:
        from varves.evidence.fates import Fates

        pointed = Fates(context).renewed(old)
    given |= {"evidence": pointed or (), "redacted": redacted}
    return Correct(memory=name, id=context.ids.memory(), **given)


def edition(
    context: Context,
    name: str,
    *,
    tag: Iterable[str],
    **options: Any,
) -> Edit:
    """Build the command of `edit` from its options."""
    refuse_unknown(options, (*_EDITED, "expect"), "varves edit --help")
    given, redacted = context.clean({**options, "tag": list(tag)})
    marked = given.pop("tag")
    changes = {field: given[field] for field in _EDITED if given.get(field) is not None}
    where, settings = changes.get("scope"), context.settings
    if where is not None:
        where = changes["scope"] = scope(where, session=settings.session, actor=settings.actor)
    checked = {
        field: intake.CHECKS[field](value) for field, value in changes.items() if field != "scope"
    }
    return Edit(
        memory=name,
        changes=changes | checked,
        add_tags=intake.tags([t.removeprefix("+") for t in marked if not t.startswith("-")]),
        remove_tags=intake.tags([t[1:] for t in marked if t.startswith("-")]),
        scope_log=context.log_of(where) if where else None,
        expect=given.get("expect"),
        redacted=redacted,
    )


def last_own_event(context: Context) -> str | None:
    """Return this actor's newest event that can be undone, or None.

    If a session is set, only its events are considered. Otherwise only events of the last day that
    a file of this checkout contains are considered. Events of the private, global and team logs,
    and events merged from another worktree of this clone, do not show which checkout wrote them.
    """
    index, settings = context.fresh().index, context.settings
    act = context.act()
    mine = EventWhere(here=True, actor=act.actor)
    if settings.session is not None:
        found = index.events(mine.replace(session=act.session))
    else:
        clone = context.places.clone("project", context.ids)
        since = iso(context.clock.now() - _DAY_MS)
        found = index.events(mine.replace(since=since, clone=clone))
    gone = taken_back([*found, *index.events(EventWhere(kinds=_TAKING_BACK))])
    for event in reversed(found):
        changes = touches(event) and event.kind not in _TAKING_BACK
        if changes and event.id not in gone and not (by_bridge(event) or _only_numbers(event)):
            return event.id
    return None


def _only_numbers(event: Event) -> bool:
    """Return whether an event does nothing but set the number of a record in its file."""
    changed = event.data.get("set") if event.kind == REVISED else None
    return isinstance(changed, dict) and changed.keys() == {"number"}
