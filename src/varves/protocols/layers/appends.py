"""Appends an event: it is written to CHANGELOG.md whole, synced, and then recorded.

The id of the event is stored first. After a crash, the next process either finds the whole block
and records it under that id, or finds no block.

Events that a bridge drafted for records of other protocols are written with the next append.
"""

from __future__ import annotations

from collections import Counter

from varves.errors import NotFound, Refused, UsageError, VarvesError
from varves.events.kinds import LOGGED
from varves.protocols.layers import bridge
from varves.protocols.layers.adoption import LOG, PENDING, RESTORE, Seen, entry_draft, look, record
from varves.protocols.layers.blocks import name_of
from varves.protocols.layers.checks import dead_links, named_files
from varves.protocols.layers.composition import (
    PlannedEvent,
    check,
    compose,
    opening,
    plain,
    units,
    unsaid,
)
from varves.protocols.layers.current_log import assert_merged
from varves.protocols.layers.drafts import (
    entry_of,
    propose,
    put_away,
)
from varves.protocols.layers.graph import folded
from varves.protocols.layers.horizon import behind, fits, horizon
from varves.protocols.layers.known import continued, settle
from varves.protocols.layers.last_look import Ground, ground, note_look
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.options import options_of
from varves.protocols.layers.parser import parse
from varves.protocols.layers.placement import place
from varves.protocols.layers.session_note import LEFT, booted, keep_booted
from varves.protocols.layers.times import given, minute, soonest_wrong
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, keep_context, redraw
from varves.protocols.protocol import ERROR
from varves.values.names import safe_path
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.keywords import AppendOptions
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory

MILESTONE = "milestone"
_TEXTS = ("type", "scope", "title", "what", "why", "impact", "next")


class EventsAppended(Value):
    """Events that were written, or stored as drafts."""

    status: str
    """`appended` or `drafted`."""
    ids: tuple[str, ...]
    events: tuple[str, ...]
    stamped: tuple[str, ...]
    """The time in each heading; empty for drafts."""
    graph_rebuilt: bool
    redacted: tuple[str, ...] = ()
    """The names of the rules that masked something."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class EventsWritten(Value):
    """Events that were written to the file together."""

    ground: Ground
    """The file as it is now."""
    blocks: tuple[Block, ...]
    ids: tuple[str, ...]
    events: tuple[str, ...]


def append(core: Core, **options: Unpack[AppendOptions]) -> EventsAppended:
    """Append one event to CHANGELOG.md."""
    said: dict[str, Any] = {**options}
    secret, draft = bool(said.pop("allow_secret", False)), bool(said.pop("draft", False))
    check_files = bool(said.pop("check_files", False))
    entry = _entry(said, options_of(core))
    if check_files:
        _require_files(core, entry)
    return _add(core, [entry], draft=draft, allow_secret=secret)


def _require_files(core: Core, entry: PlannedEvent) -> None:
    """Refuse an event with a file that does not exist, before anything is written."""
    paths = [safe_path(path, "file") for path in entry.files]
    there = core.tree.whereabouts(paths)
    for path in paths:
        if there[path] != "here":
            raise NotFound(
                f"there is no file {path}", "check the name, or append with --allow-missing"
            )


def append_text(
    core: Core, text: str, *, draft: bool = False, allow_secret: bool = False
) -> EventsAppended:
    """Append each event of a text in the published form."""
    if not isinstance(text, str):
        raise UsageError("the events are not a string", "give them as Markdown")
    return _add(core, units(text), draft=draft, allow_secret=allow_secret)


def _add(
    core: Core, entries: Sequence[PlannedEvent], *, draft: bool, allow_secret: bool
) -> EventsAppended:
    whole, masked = cleaned(core, entries, allow_secret=allow_secret)
    for entry in whole:
        check(entry)
    remarks = [*filter(None, map(unsaid, whole))]
    if draft:
        core.notes += remarks
        act = core.act()
        events = propose(core, act, [one.replace(time="") for one in whole])
        return EventsAppended(
            status="drafted",
            ids=tuple(event.data["memory"] for event in events),
            events=tuple(event.id for event in events),
            stamped=(),
            graph_rebuilt=False,
            redacted=masked,
        )
    carried = carried_drafts(core)
    done = add_whole(core, [*map(entry_of, carried), *whole])
    made = dict(zip((one.id for one in carried), done.ids, strict=False))
    put_away(core, core.act(), made)
    core.notes += [f"also appended: {one.summary} ({one.id})" for one in carried]
    core.notes += remarks
    most = len(carried)
    return done.replace(
        redacted=masked,
        ids=done.ids[most:],
        events=done.events[most:],
        stamped=done.stamped[most:],
    )


def look_again(core: Core) -> None:
    """Record entries of the log that are not known yet."""
    ready(core, options_of(core))


def add_whole(
    core: Core, entries: Sequence[PlannedEvent], *, events: Sequence[str | None] = ()
) -> EventsAppended:
    """Append events that are masked and complete, within a writing verb."""
    here, seen = ground(core, options_of(core)), None
    if here is None or core.tree.joining():
        seen = ready(core, options_of(core))
        here = seen.ground()
    held = seen is not None and seen.held
    times: list[PlannedEvent] = []
    for entry in entries:
        last = times[-1].time if times else ""
        times.append(stamped(core, entry, here.log, options=options_of(core), last=last))
    done = write(core, here, times, options=options_of(core), events=events, held=held)
    here = done.ground
    _count(core, done.ids)
    rebuilt = follow(core, here, done.blocks)
    _tell_missing(core, done.blocks)
    if seen is None or seen.is_calm:
        wrote = Counter(draft.kind for draft in seen.drafts) if seen else Counter()
        wrote[LOGGED] += len(done.ids)
        note_look(core, here, options=options_of(core), wrote=wrote)
    return EventsAppended(
        status="appended",
        ids=done.ids,
        events=done.events,
        stamped=tuple(block.time for block in done.blocks),
        graph_rebuilt=rebuilt,
    )


def _tell_missing(core: Core, blocks: Sequence[Block]) -> None:
    """Note the files that new events name and that never existed, as `validate` finds them."""
    if any(block.files or "[[" in block.text for block in blocks):
        graph, there = folded(blocks, options_of(core)), core.tree.whereabouts
        core.notes += [
            f"{one.message}; validate reports that ({one.fix})"
            for one in dead_links(blocks, [*map(named_files, blocks)], graph, there)
            if one.level == ERROR
        ]


def _count(core: Core, names: Sequence[str]) -> None:
    """Note the appended events for this session's shutdown."""
    note = booted(core) or {}
    note["appended"] = [*note.get("appended", ()), *names]
    keep_booted(core, note, sure=False)


def follow(core: Core, here: Ground, blocks: Sequence[Block]) -> bool:
    """Write the context; write the graph too after a batch of events or at a milestone.

    A view that boot left as it was, or that does not fit the log, as after a merge or an edit, is
    written anew.
    """
    log = here.log
    lies = {path: core.tree.read(path) for path in VIEWS}
    texts = {path: (content or b"").decode("utf-8", "replace") for path, content in lies.items()}

    def whole() -> Changelog:
        return continued(core, parse(here.content))

    fit = {path: fits(horizon(texts[path]), log, options_of(core)) for path in VIEWS}
    note = booted(core) or {}
    left = note.pop(LEFT, ())
    due = [path for path in VIEWS if lies[path] is not None and (path in left or not fit[path])]
    if due or not fit[GRAPH]:
        log = whole()
    many = behind(texts[GRAPH], log) >= options_of(core).batch
    if GRAPH not in due and (many or any(block.type == MILESTONE for block in blocks)):
        due.append(GRAPH)
    if due:
        asked = VIEWS if CONTEXT in due else (GRAPH,)
        drawn = draw(core, log, options_of(core), paths=asked)
        made = redraw(core, drawn, options=options_of(core), paths=due)
        core.notes += [found.line for found in made.findings]
    if CONTEXT not in due:
        keep_context(core, log, options_of(core), whole=whole)
    if left:
        keep_booted(core, note, sure=False)
    return GRAPH in due


def _is_in(draft: Memory, entry: Memory) -> bool:
    """Return whether an event of the log was made from a draft, by its text and citation."""
    said = entry_of(draft)
    return plain(said.why) in entry.text and plain(said.what) in entry.text


def carried_drafts(core: Core) -> list[Memory]:
    """Return the drafts of bridges that an append writes first, each once.

    A draft whose event is already in the log, because a process was killed, is archived.
    """
    if not core.bridged:
        return []
    waiting = bridge.waiting(core)
    if not waiting:
        return []
    look_again(core)
    written = [one for one in core.memories() if one.extra.get("digest")]
    gone = {one.id: entry.id for one in waiting for entry in written if _is_in(one, entry)}
    if gone:
        put_away(core, core.act(), gone)
    return [one for one in waiting if one.id not in gone]


def ready(core: Core, options: LayersOptions) -> Seen:
    """Compare the log, record what is new, and make sure that events can be appended.

    Raises:
        NotFound: the file is missing, but events of it are known.
        Refused: the file is not a log, or contains git's conflict markers.
    """
    settle(core)
    assert_merged(core)
    put_in_order(core, options)
    seen = look(core, options, thorough=False)
    if seen.lies is None and seen.known:
        raise NotFound(
            f"{LOG} is missing, but its events are known", f"restore it from git; {RESTORE}"
        )
    if seen.content.strip() and not seen.log.is_log:
        raise Refused(
            f"{LOG} contains no events of this protocol and is not changed",
            "varves layers init --begin starts a log in it",
        )
    record(core, seen)
    core.notes += [found.line for found in seen.findings]
    return seen


def write(
    core: Core,
    here: Ground,
    entries: Sequence[PlannedEvent],
    *,
    options: LayersOptions,
    events: Sequence[str | None] = (),
    held: bool = False,
) -> EventsWritten:
    """Write events at once and record them; once the file is synced, they are durable.

    The note of their ids is not synced: if a power cut takes it, they are recorded under others.
    """
    if not entries:
        return EventsWritten(ground=here, blocks=(), ids=(), events=())
    log = here.log if here.content else parse(opening().encode())
    texts = [compose(entry) for entry in entries]
    made = here.with_end(place(log, "\n".join(texts[::-1] if log.newest_first else texts)))
    blocks = _added(log, made.log)
    act = core.act()
    before = log.ordered[-1] if log.blocks else None
    after = name_of(before.digest, before.ordinal + here.equal(before)) if before else None
    drafts = []
    for number, block in enumerate(blocks):
        ordinal = block.ordinal + here.equal(block)
        draft = entry_draft(core, act, block, options=options, ordinal=ordinal, after=after)
        given = events[number] if number < len(events) else None
        drafts.append(draft.replace(id=given or core.ids.event(core.now)))
        after = draft.data["memory"]
    core.begin()
    planned = [
        {
            "digest": draft.data["digest"],
            "ordinal": draft.data["ordinal"],
            "event": draft.id,
            "actor": act.actor,
            "session": act.session,
        }
        for draft in drafts
    ]
    core.tree.keep(PENDING, {**planned[0], "more": planned[1:]}, sure=False)
    core.tree.replace(LOG, made.content, seen=None if here.missing else here.content)
    try:
        if not held:
            core.append("project", drafts)
            core.tree.keep(PENDING, None)
    # the file contains them, so the next comparison records them
    except (VarvesError, OSError) as fault:
        them = "events are" if len(drafts) > 1 else "event is"
        core.notes.append(f"the {them} written but not recorded yet: {fault}")
    return EventsWritten(
        ground=made,
        blocks=tuple(blocks),
        ids=tuple(draft.data["memory"] for draft in drafts),
        events=tuple(str(draft.id) for draft in drafts),
    )


def _added(before: Changelog, after: Changelog) -> list[Block]:
    """Return the blocks that only the second log has, oldest first; of equal ones, the last."""
    known = {(block.digest, block.ordinal) for block in before.blocks}
    return [block for block in after.ordered if (block.digest, block.ordinal) not in known]


def stamped(
    core: Core, entry: PlannedEvent, log: Changelog, *, options: LayersOptions, last: str = ""
) -> PlannedEvent:
    """Return an event with its time: the given time if it keeps the order, otherwise now.

    `last`: the time of the event before it, if that is not in the log yet.
    """
    now, ahead = minute(core.now, options.zone), soonest_wrong(core.now, options.zone)
    times = (one.time if len(one.time) == len(now) else f"{one.time} 00:00" for one in log.ordered)
    latest = ""
    for time in () if last else reversed([*times]):
        latest = latest or time
        if time < ahead:
            last = time
            break
    if latest >= ahead:
        core.notes.append(f"the last event is dated {latest}, which is in the future")
    if entry.time and last <= entry.time <= now:
        return entry
    due = now
    if now < last:
        due = last
        instead = f" instead of {entry.time}" if entry.time else ""
        core.notes.append(
            f"the last event is dated {last}, later than now ({now}): this one gets the time {due}"
            f"{instead}, because a log is in order"
        )
    elif entry.time:
        why = "before the last event" if entry.time < last else "ahead of the clock"
        core.notes.append(f"{entry.time} is {why}: the event gets the time {due}")
    return entry.replace(time=due)


def cleaned(
    core: Core, entries: Sequence[PlannedEvent], *, allow_secret: bool = False
) -> tuple[list[PlannedEvent], tuple[str, ...]]:
    """Mask secrets in events before any other use of them."""
    found: list[PlannedEvent] = []
    names: set[str] = set()
    for entry in entries:
        masked, hits = core.clean(entry.as_dict(), allow_secret=allow_secret)
        found.append(PlannedEvent(**{**masked, "files": tuple(masked["files"])}))
        names.update(hits)
    return found, tuple(sorted(names))


def _entry(said: dict[str, Any], options: LayersOptions) -> PlannedEvent:
    """Build an event from a caller's options."""
    known = {*_TEXTS, "files", "at"}
    if unknown := sorted(said.keys() - known):
        raise UsageError(f"append has no option {unknown[0]!a}", "see varves layers append --help")
    for name in _TEXTS:
        if not isinstance(said.get(name) or "", str):
            raise UsageError(f"the {name} is not a string", "give it as text")
    files = said.get("files") or ()
    if not isinstance(files, (list, tuple)) or not all(isinstance(path, str) for path in files):
        raise UsageError("the files are not a list of paths", "give a list of paths")
    at = said.get("at")
    texts = {name: said.get(name) or "" for name in _TEXTS}
    area = texts.pop("scope")
    return PlannedEvent(
        **texts, area=area, files=tuple(files), time=given(at, options.zone) if at else ""
    )
