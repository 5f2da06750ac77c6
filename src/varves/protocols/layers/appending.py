"""Appends an event: it is written to CHANGELOG.md whole, synced, and then recorded.

The id of the event is stored first. After a crash, the next process either finds the whole block
and records it under that id, or finds no block.

The next append or shutdown also writes an event for each record of another protocol. Entries of
CHANGELOG.md are never removed: when a record is no longer current, the entry's memory is archived
and an event that withdraws it is drafted.
"""

from __future__ import annotations

from collections import Counter

from varves.errors import NotFound, Refused, UsageError, VarvesError
from varves.events.kinds import LOGGED, PROPOSED
from varves.events.views import BRIDGE
from varves.protocols.bridged import Bridged, DueView, source_line, speaking, tied, view_of
from varves.protocols.layers.adopting import LOG, PENDING, RESTORE, Seen, entry_draft, look, record
from varves.protocols.layers.blocks import name_of
from varves.protocols.layers.checks import dead_links, named_files
from varves.protocols.layers.composing import (
    PlannedEvent,
    check,
    compose,
    opening,
    plain,
    units,
    unsaid,
)
from varves.protocols.layers.drafts import (
    UNNEEDED,
    archive,
    entry_of,
    is_bridged,
    propose,
    put_away,
)
from varves.protocols.layers.graph import folded
from varves.protocols.layers.horizon import behind, fits, horizon
from varves.protocols.layers.known import CITED, continued, settle
from varves.protocols.layers.last_look import Ground, ground, note_look
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.parts import LayersVerbs
from varves.protocols.layers.placing import place
from varves.protocols.layers.reading import parse
from varves.protocols.layers.times import given, minute, soonest_wrong
from varves.protocols.layers.views import GRAPH, draw, keep_context, redraw
from varves.protocols.port import writes
from varves.protocols.protocol import ERROR
from varves.values.names import safe_path
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from varves.commands.port import Act
    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.keywords import AppendOptions
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory

_AREA = "project"
_LONGEST = 80  # characters of a title
_WITHDRAWN = "change"


def _is_in(draft: Memory, entry: Memory) -> bool:
    """Return whether an event of the log was made from a draft, by its text and citation."""
    said = entry_of(draft)
    return plain(said.why) in entry.text and plain(said.what) in entry.text


def _titled(text: str) -> str:
    """Return a text as a title: on one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rpartition(" ")[0].rstrip(" ,;:.") + "…"


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


class Appending(Bridged, LayersVerbs):
    """The verbs that append events."""

    @writes
    def append(self, **options: Unpack[AppendOptions]) -> EventsAppended:
        """Append one event to CHANGELOG.md.

        Args:
            **options: type (decision, change, result or milestone), scope (project, pack, skill
                or file), title, what and why are required; impact, next (the next steps) and files
                (the paths it concerns, from the root) are optional; check_files refuses paths that
                do not exist. A time `at` before the last event or in the
                future is replaced by now. `draft` keeps the event for this session's shutdown;
                allow_secret disables masking.

        Raises:
            Refused: the event breaks a rule, or the file is not a log or has conflict markers.
            NotFound: the log is missing, but events of it are known; or one of files is missing.
        """
        said: dict[str, Any] = {**options}
        secret, draft = bool(said.pop("allow_secret", False)), bool(said.pop("draft", False))
        check_files = bool(said.pop("check_files", False))
        entry = _entry(said, self.options)
        if check_files:
            self._require_files(entry)
        return self._add([entry], draft=draft, allow_secret=secret)

    def _require_files(self, entry: PlannedEvent) -> None:
        """Refuse an event with a file that does not exist, before anything is written."""
        paths = [safe_path(path, "file") for path in entry.files]
        there = self.core.tree.whereabouts(paths)
        for path in paths:
            if there[path] != "here":
                raise NotFound(
                    f"there is no file {path}", "check the name, or append with --allow-missing"
                )

    @writes
    def append_text(
        self, text: str, *, draft: bool = False, allow_secret: bool = False
    ) -> EventsAppended:
        """Append each event of a text in the published form."""
        if not isinstance(text, str):
            raise UsageError("the events are not a string", "give them as Markdown")
        return self._add(units(text), draft=draft, allow_secret=allow_secret)

    def _add(
        self, entries: Sequence[PlannedEvent], *, draft: bool, allow_secret: bool
    ) -> EventsAppended:
        whole, masked = cleaned(self.core, entries, allow_secret=allow_secret)
        for entry in whole:
            check(entry)
        remarks = [*filter(None, map(unsaid, whole))]
        if draft:
            self.core.notes += remarks
            act = self.core.act()
            events = propose(self.core, act, [one.replace(time="") for one in whole])
            return EventsAppended(
                status="drafted",
                ids=tuple(event.data["memory"] for event in events),
                events=tuple(event.id for event in events),
                stamped=(),
                graph_rebuilt=False,
                redacted=masked,
            )
        carried = self.carried()
        done = self.add_whole([*map(entry_of, carried), *whole])
        made = dict(zip((one.id for one in carried), done.ids, strict=False))
        put_away(self.core, self.core.act(), made)
        self.core.notes += [f"also appended: {one.summary} ({one.id})" for one in carried]
        self.core.notes += remarks
        most = len(carried)
        return done.replace(
            redacted=masked,
            ids=done.ids[most:],
            events=done.events[most:],
            stamped=done.stamped[most:],
        )

    def look_again(self) -> None:
        """Record entries of the log that are not known yet."""
        ready(self.core, self.options)

    def add_whole(
        self, entries: Sequence[PlannedEvent], *, events: Sequence[str | None] = ()
    ) -> EventsAppended:
        """Append events that are masked and complete, within a writing verb.

        Args:
            entries: in order; one without a time gets the current time.
            events: the ids of their `log.entry` events; by default new ones.
        """
        here, seen = ground(self.core, self.options), None
        if here is None:
            seen = ready(self.core, self.options)
            here = seen.ground()
        held = seen is not None and seen.held
        times: list[PlannedEvent] = []
        for entry in entries:
            last = times[-1].time if times else ""
            times.append(stamped(self.core, entry, here.log, options=self.options, last=last))
        done = write(self.core, here, times, options=self.options, events=events, held=held)
        here = done.ground
        self._count(done.ids)
        rebuilt = self.follow(here, done.blocks)
        self._tell_missing(done.blocks)
        if seen is None or seen.is_calm:
            wrote = Counter(draft.kind for draft in seen.drafts) if seen else Counter()
            wrote[LOGGED] += len(done.ids)
            note_look(self.core, here, options=self.options, wrote=wrote)
        return EventsAppended(
            status="appended",
            ids=done.ids,
            events=done.events,
            stamped=tuple(block.time for block in done.blocks),
            graph_rebuilt=rebuilt,
        )

    def _tell_missing(self, blocks: Sequence[Block]) -> None:
        """Note the files that new events name and that never existed, as `validate` finds them."""
        if any(block.files or "[[" in block.text for block in blocks):
            graph, there = folded(blocks, self.options), self.core.tree.whereabouts
            self.core.notes += [
                f"{one.message}; validate reports that ({one.fix})"
                for one in dead_links(blocks, [*map(named_files, blocks)], graph, there)
                if one.level == ERROR
            ]

    def _count(self, names: Sequence[str]) -> None:
        """Note the appended events for this session's shutdown."""
        note = self.booted() or {}
        note["appended"] = [*note.get("appended", ()), *names]
        self.keep_booted(note, sure=False)

    def follow(self, here: Ground, blocks: Sequence[Block]) -> bool:
        """Write the context; write the graph too after a batch of events or at a milestone."""
        core, log = self.core, here.log
        lies = core.tree.read(GRAPH)
        text = "" if lies is None else lies.decode("utf-8", "replace")

        def whole() -> Changelog:
            return continued(core, parse(here.content))

        if not fits(horizon(text), log, self.options):
            log = whole()
        made = None
        due = behind(text, log) >= self.options.batch
        if due or any(block.type == MILESTONE for block in blocks):
            drawn = draw(core, log, self.options, paths=(GRAPH,))
            made = redraw(core, drawn, options=self.options, paths=(GRAPH,))
            core.notes += [found.line for found in made.findings]
        keep_context(core, log, self.options, whole=whole)
        return made is not None and bool(made.regenerated)

    # Records of other protocols

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views that this protocol should have of a record."""
        return (view_of(record, "layers", category),)

    def shows(self, view: Memory, record: Memory, due: tuple[DueView, ...]) -> bool:
        """Return whether a draft, or the event made from it, shows the record's current text."""
        if isinstance(view.extra.get("entry"), dict):
            return super().shows(view, record, due)
        return plain(record.text) in view.text

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Draft an event that contains and cites a record of another protocol."""
        entry = PlannedEvent(
            title=_titled(record.topic or record.text),
            type=view.category,
            area=_AREA,
            what=record.text,
            why=f"{source_line(record)}.\n\n{CITED.format(record.id, record.protocol)}",
        )
        act = speaking(self.core.act(), record)
        self._draft(view.id, entry, tied(record), act=act, cause=record.version)

    @writes
    def put_away(self, view: Memory, reason: str, *cause: str) -> None:
        """Archive a view; if it is written already, draft an event that withdraws it."""
        super().put_away(view, reason, *cause)
        if view.status != "active":
            return
        title = str(view.extra.get("title", ""))
        entry = PlannedEvent(
            title=_titled(f"Withdrawn: {title}"),
            type=_WITHDRAWN,
            area=_AREA,
            what=f"What the event of {view.extra.get('time', '')} says is no longer true: {title}",
            why=f"{reason}. It withdraws {view.id}.",
        )
        more = {"withdraws": view.id, "rule": BRIDGE}
        self._draft(self.core.ids.memory(), entry, more, act=self.core.act(), cause=view.version)
        self.core.notes.append(
            f"CHANGELOG.md keeps {view.id}; an event that withdraws it is drafted"
        )

    @writes
    def bring_back(self, view: Memory) -> None:
        """Restore a view; drop its withdrawal if that is not written yet."""
        super().bring_back(view)
        drafts = [one for one in self._waiting() if one.extra.get("withdraws") == view.id]
        if drafts:
            archive(self.core, self.core.act(), {one.id: UNNEEDED for one in drafts})
        elif view.extra.get("digest"):
            self.core.notes.append(
                f"{view.id} is restored; if CHANGELOG.md withdraws it, append the current state"
            )

    def _draft(
        self, name: str, entry: PlannedEvent, more: dict[str, Any], *, act: Act, cause: str
    ) -> None:
        check(entry)
        content = {
            "memory": name,
            "text": f"{entry.title}\n\n{entry.what}".strip(),
            "scope": "project",
            "type": entry.type,
            "summary": entry.title,
            "checkout": self.core.checkout,
            "entry": {key: part for key, part in entry.as_dict().items() if key != "time"},
            **more,
        }
        self.core.append("private", [act.draft(PROPOSED, content, cause)])

    def _waiting(self) -> list[Memory]:
        found = self.core.memories(statuses=("proposed",))
        return [one for one in found if is_bridged(self.core, one)]

    def carried(self) -> list[Memory]:
        """Return the drafts of bridges that an append writes first, each once.

        A draft whose event is already in the log, because a process was killed, is archived.
        """
        if not self.core.bridged:
            return []
        waiting = self._waiting()
        if not waiting:
            return []
        self.look_again()
        written = [one for one in self.core.memories() if one.extra.get("digest")]
        gone = {one.id: entry.id for one in waiting for entry in written if _is_in(one, entry)}
        if gone:
            put_away(self.core, self.core.act(), gone)
        return [one for one in waiting if one.id not in gone]


def ready(core: Core, options: LayersOptions) -> Seen:
    """Compare the log, record what is new, and make sure that events can be appended.

    Raises:
        NotFound: the file is missing, but events of it are known.
        Refused: the file is not a log, or contains git's conflict markers.
    """
    settle(core)
    put_in_order(core, options)
    seen = look(core, options, thorough=False)
    if seen.log.markers:
        line = seen.log.markers[0]
        raise Refused(f"{LOG}:{line} is a conflict marker of git", "varves rebuild resolves it")
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
