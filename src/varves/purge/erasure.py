"""Erases a memory from the logs: first an event records the purge, then lines are overwritten.

The events are written before anything is erased, so that a later run (`doctor --fix`) can finish an
interrupted purge. No function of this module restores content.
"""

from __future__ import annotations

from varves.commands.port import Decision
from varves.commands.purge import Purge, completing, decide
from varves.errors import NotDurable
from varves.events.blobs import texts_of
from varves.events.codec import decode
from varves.events.kinds import BARRING
from varves.events.remnants import holds, mentioned
from varves.files.purged_texts import FINISH, learn
from varves.index.where import WAITING_PURGES, EventWhere
from varves.log.doomed import said_in, said_of
from varves.places.local import BESIDE, INDEX, NOW, STATE, VIEWS, index_files
from varves.places.places import FOLDER
from varves.purge.local import clear_local
from varves.purge.questions import Repeats
from varves.purge.sources import saying, saying_still, sources_of
from varves.purge.transcripts import heard, hush
from varves.state.attendance import attendance_of
from varves.state.notebook import notebook_of, usage_of
from varves.values.answers import Purged
from varves.values.ids import is_event_id
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.commands.purge import Source
    from varves.context.context import Context
    from varves.events.event import Draft, Event
    from varves.log.doomed import Doomed
    from varves.log.port import Log, Maintained
    from varves.places.port import FileStore
    from varves.values.memory import Memory

_NOTED = tuple(f"{name}{end}" for name in (STATE, VIEWS) for end in BESIDE)
_SENTENCE = 3  # the fewest words of a sentence


class Erasure(Value):
    """What a purge erases: the ids of memories and events, and their texts."""

    names: set[str]
    said: set[str]


def purge(context: Context, wish: Purge) -> tuple[Purged, Erasure]:
    """Erase a memory's content from every file of this checkout."""
    rows = context.current()
    memory, life = rows.memory(wish.memory), rows.history(wish.memory)
    sources = sources_of(context.index.get(), wish.memory, life)
    said = _said(wish.memory, memory, life, [source for source, _ in sources])
    notes = heard(context, said, memory.session if memory else None)
    keep(context, append_all(context, decide(rows, wish, context.act(), sources=sources)))
    learn(context, said)
    files = finish(context)
    index = context.index.get()
    gone = {wish.memory, *(source.id for source, _ in sources)}
    hush(context, notes)
    done = Purged(
        id=wish.memory,
        files=tuple(files),
        git=None,
        same=tuple(saying(index, wish.memory, memory.text) if memory else ()),
        worktrees=tuple(_elsewhere(context, gone)),
        sources=tuple(saying_still(index, memory.text, life) if memory else ()),
    )
    return done, Erasure(names=gone, said=said)


def _said(name: str, memory: Memory | None, life: list[Event], talk: list[Event]) -> set[str]:
    """Return all texts of a memory, and of the conversation events that are erased with it."""
    found = {text for event in life for who, text in texts_of(event.data) if who == name}
    found |= {str(event.data["text"]) for event in talk if "text" in event.data}
    if memory is not None:
        found |= {memory.text, memory.topic or "", *filter(_is_prose, memory.extra.values())}
    return {text for text in found if text.strip()}


def _is_prose(part: object) -> bool:
    """Return whether a field's value is a sentence or more, not a name or a date."""
    return isinstance(part, str) and len(part.split()) >= _SENTENCE


def keep(context: Context, said: Iterable[Event] = ()) -> None:
    """Store copies of this clone's purges outside the work tree, where git changes no file."""
    kept = context.logs.kept_purges()
    if kept is None:
        return
    own = {event.id for event in said if event.log == "project" and event.kind in BARRING}
    known = context.fresh().index.lines(EventWhere(kinds=BARRING)) if own else []
    try:
        kept.add(line for event, line in known if event.id in own)
    except OSError as fault:
        reason = f"cannot store the purge in {kept.root}: {fault.strerror or fault}"
        raise NotDurable(reason, FINISH) from None


def finish(context: Context, *, only: set[str] | None = None) -> list[str]:
    """Erase all purged content that is left; with `only`, the content of those memories.

    Return the files that changed.
    """
    barred = barred_by(context) if only is None else only
    found = [event for _, event in unfinished(context, barred)]
    doomed = [*found, *_remembered(context, barred)]
    drafts = completing(
        doomed,
        standing(context),
        context.act(),
        sources=_taught(context, doomed, barred),
        barring=_barring_elsewhere(context),
    )
    keep(context, append_all(context, drafts))
    barred = barred_by(context) if only is None else only
    learn(context, said_in(doomed, barred))
    files: list[str] = []
    try:
        for log in context.logs.own():
            files += _erase_in(context, log, barred)
    except OSError as fault:
        reason = f"cannot erase in {fault.filename or 'the log'}: {fault.strerror or fault}"
        raise NotDurable(reason, FINISH) from None
    _scrub_index(context)
    context.index.get().notes().drop(WAITING_PURGES)
    context.recorder.forget()
    return files


def _taught(context: Context, doomed: list[Event], barred: set[str]) -> dict[str, list[Source]]:
    """Return, by purged memory, the conversation events from which the memory was made."""
    index = context.fresh().index
    about: dict[str, list[Event]] = {}
    for event in doomed:
        for name in mentioned(event) & barred:
            about.setdefault(name, []).append(event)
    return {name: sources_of(index, name, about[name]) for name in about}


def barred_by(context: Context) -> set[str]:
    """Return every memory purged in these logs, and the conversation events purged with it."""
    return context.fresh().index.purges().barred()


def standing(context: Context) -> list[Event]:
    """Return the purges in this checkout, and the events that stand in for purged ones."""
    index = context.fresh().index
    purges = index.events(EventWhere(kinds=BARRING, here=True))
    again = index.events(EventWhere(said_again=True, here=True))
    found = {event.id: event for event in (*purges, *again)}
    return sorted(found.values(), key=lambda event: event.order)


def _barring_elsewhere(context: Context) -> list[Event]:
    """Return the purges that apply to this checkout although its logs do not contain them."""
    return context.fresh().index.events(EventWhere(kinds=BARRING, here=False))


def unfinished(context: Context, barred: set[str]) -> list[tuple[str, Event]]:
    """Return (place, event) for the events of this checkout that still contain purged content."""
    logs = context.logs.maintained() if barred else []
    found = [(_prefix(log.key) + name, one) for log in logs for name, one in log.holding(barred)]
    spooled = [pair for log in logs for pair in log.holding(barred, copies=True)]
    return found + [(f"spool: {name}", event) for name, event in spooled]


def _remembered(context: Context, barred: set[str]) -> Iterator[Event]:
    """Yield events with purged content that only the index has, because their files are missing."""
    for _, log, line in list(context.fresh().index.logs().lost_events()):
        event = decode(line.encode("ascii"), log)
        if log == "project" and holds(event, barred):
            yield event


def append_all(context: Context, drafts: dict[str, list[Draft]]) -> list[Event]:
    """Append drafts to their logs, with stamps later than all stamps in these logs."""
    if drafts:
        context.current()
    events: list[Event] = []
    for log, made in drafts.items():
        events += context.append(Decision(log=log, drafts=tuple(made), memory=""))[1]
    return events


def _prefix(key: str) -> str:
    return f"{FOLDER}/" if key == "project" else f"{key}: "


def _erase_in(context: Context, log: Log, barred: set[str]) -> list[str]:
    """Erase purged content from the notes about a log, then from the log and its spool."""
    files = log.erase(barred, first=lambda found: _clear_local(context, found))
    named = ("spool/", "local: ")
    return [name if name.startswith(named) else _prefix(log.key) + name for name in files]


def _clear_local(context: Context, found: Doomed) -> list[str]:
    places = context.places
    stores = places.local_stores()
    files = [name for store in stores for name in clear_local(store, found)]
    noted = [
        attendance_of(places).erase(lambda said: said_of(said, found)),
        usage_of(places).erase(Repeats(found).includes),
    ]
    if any(noted):
        files.append(STATE)
    if found.said or any(noted):
        notebook_of(places).scrub()
    return [f"local: {name}" for name in files]


def _scrub_index(context: Context) -> None:
    """Remove purged content from the index, and from index files that are no longer used."""
    context.fresh()
    context.index.scrub()
    used, local = str(context.index.get().path), context.places.local.root
    used_files = {f"{used}{end}" for end in BESIDE} | {f"{local}/{INDEX}{NOW}"}
    for store in context.places.local_stores():
        unused = [name for name in index_files(store) if f"{store.root}/{name}" not in used_files]
        unused += [] if store.root == local else [*_NOTED]
        for name in unused:
            if store.stat(name) is not None:
                store.remove(name)
    context.fresh()


def _elsewhere(context: Context, barred: set[str]) -> list[str]:
    """Return the other checkouts of this repository that contain the purged content."""
    return [
        log.root
        for log in context.logs.elsewhere()
        if _still_there(log, context.places.local_stores(log.key), barred)
    ]


def _still_there(log: Maintained, local: list[FileStore], barred: set[str]) -> bool:
    """Return whether the log or the index of another checkout contains purged content."""
    if next(log.holding(barred), None) is not None:
        return True
    files = [(one, name) for one in local for name in index_files(one)]
    content = b"".join(one.read(name) for one, name in files)
    purges = [f'"kind":"{kind}","data":{{"memory":"' for kind in BARRING]
    return any(
        name.encode("utf-8") in content
        and not any(f"{purge}{name}".encode() in content for purge in purges)
        for name in barred
        if not is_event_id(name)
    )
