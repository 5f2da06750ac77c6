"""Compares CHANGELOG.md with the ledger and records what is new in the file.

The file defines the present state; the ledger proves the state that was recorded earlier. Unknown
entries are recorded, and reported if they are not at the end of the file. Known entries that were
changed or removed are recorded as altered: a person accepts the change or restores the old text. An
incomplete append is set aside. Only `record` writes.
"""

from __future__ import annotations

from varves.errors import Damaged
from varves.events.kinds import LOG_ALTERED, LOG_AMENDED, LOG_ARCHIVED, RESTORED
from varves.protocols.layers.altered import HELD, ComparedLog, KnownEntry, see
from varves.protocols.layers.blocks import SECTIONS, Changelog, name_of
from varves.protocols.layers.composition import opening
from varves.protocols.layers.known import (
    ARCHIVE,
    LOG,
    PENDING,
    amending,
    archive_of,
    before,
    committed,
    entry_draft,
    forms_of,
    known_entries,
    parsed,
    sides,
)
from varves.protocols.layers.last_look import KINDS, Ground
from varves.protocols.layers.options import options_of
from varves.protocols.layers.owners import left_out
from varves.protocols.layers.parser import parse
from varves.protocols.protocol import ERROR, NOTE, WARNING, Breach
from varves.values.memory import TRUST
from varves.values.text import counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.layers.altered import Fresh
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core


class Seen(Value):
    """The result of a look at the file, and the events to record."""

    lies: bytes | None
    """The current file."""
    content: bytes
    """The file without an incomplete event."""
    log: Changelog
    archive: Changelog
    known: tuple[KnownEntry, ...]
    sight: ComparedLog
    drafts: tuple[Draft, ...]
    findings: tuple[Breach, ...]
    adopted: tuple[str, ...]
    """The entries that were not recorded before."""
    head: Changelog | None
    """The file in HEAD, if it was read."""
    cut: bytes | None = None
    """The text of an incomplete event."""
    pending: bool = False
    """Whether there is a note of an unfinished append."""
    held: bool = False
    """Whether the ledger's log is missing but in git: nothing is recorded until it is restored."""
    tally: dict[str, list[int | str]]
    """The events about the log, counted before the comparison."""
    version: str = ""
    """Git's object id of the file in HEAD, if it was read."""

    @property
    def is_calm(self) -> bool:
        """Whether a second comparison, after recording, would find nothing new."""
        return not self.findings and not self.held and self.lies is not None

    def ground(self) -> Ground:
        """Return the log to append to."""
        missing = self.lies is None
        log = parse(opening().encode()) if missing else self.log
        if self.archive.blocks:
            count, chained = len(self.archive.blocks), self.archive.chains[-1]
            log = log.but(skipped=count, chained=chained)
        return Ground(
            content=self.content,
            start=0,
            log=log,
            archive=self.archive.content,
            tally=self.tally,
            head=self.version,
            missing=missing,
        )


__all__ = [
    "ALTERED",
    "ARCHIVE",
    "GONE",
    "LOG",
    "MERGE",
    "PENDING",
    "RESTORE",
    "Seen",
    "amending",
    "entry_draft",
    "look",
    "record",
    "sides",
    "unrecorded",
]

ABSENT = "absent"
GONE = "S1-64"  # the rule for a log that is missing
ALTERED = "S1-81"  # the rule for an entry that differs from its recorded text
MERGE = "varves rebuild"
RESTORE = "varves layers resolve --restore restores it from the ledger"
HELD_LOG = ".varves/log is missing, but git has it (restore it: git checkout -- .varves)"
_FEW = 5  # if more entries vanish at once, it is taken for an accident and only reported
_PERSON = "USER"


def look(core: Core, options: LayersOptions, *, thorough: bool) -> Seen:
    """Compare the file with the ledger; nothing is written.

    Args:
        core: the ledger.
        options: the options of the protocol.
        thorough: read git's version too, even if the ledger knows entries.
    """
    return _Look(core, options).run(thorough=thorough)


def record(core: Core, seen: Seen, *, cut: bool = True) -> None:
    """Record the result of `look`; with `cut`, remove an incomplete event from the file."""
    if cut and seen.cut is not None:
        name = core.tree.set_aside(LOG, seen.cut)
        core.tree.replace(LOG, seen.content, seen=seen.lies)
        core.notes.append(f"the incomplete event is kept in {name}")
    if seen.held:
        core.notes.append(f"nothing is recorded: {HELD_LOG}")
        return
    try:
        core.append("project", seen.drafts)
    except Damaged as fault:  # recording can wait: the four files are enough to continue
        core.notes.append(f"nothing is recorded: {fault.message}")
        return
    if seen.pending:
        core.tree.keep(PENDING, None)


class _Look:
    def __init__(self, core: Core, options: LayersOptions) -> None:
        self._core = core
        self._tree = core.tree
        self._options = options
        self._drafts: list[Draft] = []
        self._findings: list[Breach] = []
        self._adopted: list[str] = []
        self._head: Changelog | None = None
        self._note: dict[str, Any] | None = None
        self._tally = core.tally(*KINDS)
        self._version = ""

    def run(self, *, thorough: bool) -> Seen:
        lies = self._tree.read(LOG)
        old = archive_of(self._core)
        archive = parse(old or b"", ARCHIVE)
        known = known_entries(self._core, lean=True)
        content = lies or b""
        self._note = self._tree.note(PENDING)
        log = parse(content)
        if log.markers:
            return self._unmerged(lies, log, archive, known)
        if thorough or not known:
            self._version, committed_log = self._tree.current(LOG)
            self._head = before(log, committed_log)
        cut = None
        start = self._cut(content, log, known)
        if start is not None:
            cut, content = content[start:], content[:start]
            log = parse(content)
        known = self._with_head(known, log, archive)
        sight = see(known, log.ordered, archive.ordered)
        if sight.missing or sight.changed:
            known = self._with_head(known_entries(self._core), log, archive)
            left = left_out(self._core, [one.id for one in sight.missing])
            sight = see(known, log.ordered, archive.ordered, elsewhere=left)
        if lies is None and known:
            self._gone(known)
        else:
            self._judge(known, sight, log)
        return Seen(
            lies=lies,
            content=content,
            log=log,
            archive=archive,
            known=tuple(known),
            sight=sight,
            drafts=tuple(self._drafts),
            findings=tuple(self._findings),
            adopted=tuple(self._adopted),
            head=self._head,
            cut=cut,
            pending=self._note is not None,
            held=not any(not one.committed for one in known) and self._is_held(),
            tally=self._tally,
            version=self._version,
        )

    def _is_held(self) -> bool:
        """Return whether git has files of the ledger's log that the work tree does not have."""
        return bool(self._tree.deleted(".varves/log"))

    # Reading

    def _unmerged(
        self, lies: bytes | None, log: Changelog, archive: Changelog, known: list[KnownEntry]
    ) -> Seen:
        """Return the result for a file with conflict markers, which is not compared."""
        line = log.markers[0]
        fix = (
            f"{MERGE} resolves them"
            if log.is_log
            else "resolve them by hand, because this is not an event log"
        )
        self._find("S1-10", line, "the file contains git's conflict markers", fix=fix)
        return Seen(
            lies=lies,
            content=lies or b"",
            log=log,
            archive=archive,
            known=tuple(known),
            sight=ComparedLog(present={}, archived={}, changed=(), missing=(), fresh=()),
            drafts=(),
            findings=tuple(self._findings),
            adopted=(),
            head=None,
            tally=self._tally,
        )

    def _with_head(
        self, known: list[KnownEntry], log: Changelog, archive: Changelog
    ) -> list[KnownEntry]:
        """Add the entries that only git's version of the file has.

        If the ledger knows entries, an entry that the file still contains is not added.
        """
        if self._head is None or not self._head.blocks:
            return known
        ever = {(one.digest, one.ordinal): one.id for one in known}
        ever |= self._before_amended(known)
        here = {(block.digest, block.ordinal) for block in (*log.blocks, *archive.blocks)}
        forms = forms_of(self._core, known, self._head)
        if known and any((one.digest, one.ordinal) not in ever for one in self._head.blocks):
            whole = known_entries(self._core)
            changed = see(whole, self._head.ordered, archive.ordered).changed
            forms = forms.replace(names=forms.names | {block.name for _, block in changed})
        found, anchor = list(known), -1
        places = {one.id: place for place, one in enumerate(found)}
        for block in self._head.ordered:
            key = (block.digest, block.ordinal)
            if key in ever:
                anchor = max(anchor, places.get(ever[key], anchor))
            elif (not known or key not in here) and not forms.has(block):
                anchor += 1
                found.insert(anchor, committed(block))
                places = {one.id: place for place, one in enumerate(found)}
        return found

    def _before_amended(self, known: Sequence[KnownEntry]) -> dict[tuple[str, int], str]:
        """Return the earlier digests of entries whose changed text a person accepted."""
        found: dict[tuple[str, int], str] = {}
        names = {one.id for one in known}
        amended = {event.data["memory"] for event in self._core.events(LOG_AMENDED)}
        for name in amended & names:
            for event in self._core.rows().history(name):
                said = event.data.get("set", event.data)
                if isinstance(said.get("digest"), str):
                    found[said["digest"], int(said.get("ordinal") or 0)] = name
        return found

    def _cut(self, content: bytes, log: Changelog, known: Sequence[KnownEntry]) -> int | None:
        """Return the offset of an event that was not written completely."""
        if not known or log.newest_first or not log.blocks:
            return None
        start = self._cut_by_form(content, log, known)
        if start is not None:
            line = content.count(b"\n", 0, start) + 1
            message = "an event was not written completely; it is set aside"
            self._find("S1-68", line, message, fix="append it again")
        return start

    def _cut_by_form(
        self, content: bytes, log: Changelog, known: Sequence[KnownEntry]
    ) -> int | None:
        """Return the offset of the last block if its form shows that it is incomplete.

        Another program may have been stopped while it wrote the block.
        """
        last = log.blocks[-1]
        if content.endswith(b"\n") or last.form != "published" or log.footer or last.gap:
            return None
        heads = [name for name in last.parts if name in SECTIONS]
        if SECTIONS[-1] in heads or heads != list(SECTIONS[: len(heads)]):
            return None
        if any(one.digest == last.digest for one in known):
            return None
        return len(content) - len(last.raw.encode())

    # Comparing

    def _gone(self, known: Sequence[KnownEntry]) -> None:
        held = sum(one.status in HELD for one in known)
        verb = "is" if held == 1 else "are"
        message = f"the file is missing, but {counted(held, 'event')} of it {verb} known"
        fix = "restore it from git, or with varves layers resolve --restore"
        self._find(GONE, None, message, fix=fix)

    def _judge(self, known: Sequence[KnownEntry], sight: ComparedLog, log: Changelog) -> None:
        """Decide what to record, and what to report."""
        act = self._core.act().replace(actor=_PERSON, session=None)
        theirs = act.replace(origin="repo", trust=TRUST["repo"])
        by_name = {one.id: one for one in known}
        for one in known:
            if one.committed:
                self._drafts.append(self._committed_draft(one, theirs))
        last = self._last()
        for name in sight.present:
            if _is_back(by_name[name], last.get(name)):
                self._drafts.append(act.draft(RESTORED, {"memory": name}))
                self._find(
                    None, sight.present[name].line, f"{name} is restored unchanged", level=NOTE
                )
        for name in sight.archived:
            if by_name[name].status in HELD:
                self._drafts.append(act.draft(LOG_ARCHIVED, {"memory": name}))
        self._altered(sight, last, act)
        self._fresh(sight, log, act, theirs)

    def _last(self) -> dict[str, Event]:
        """Return, for each entry, the last event that altered, amended, archived or restored it."""
        kinds = (LOG_ALTERED, LOG_AMENDED, LOG_ARCHIVED, RESTORED)
        return {event.data["memory"]: event for event in self._core.events(*kinds)}

    def _committed_draft(self, one: KnownEntry, act: Act) -> Draft:
        head = self._head
        assert head is not None  # noqa: S101 - the entry comes from it
        [block] = [each for each in head.blocks if each.name == one.id]
        self._adopted.append(one.id)
        return entry_draft(self._core, act, block, options=self._options, ordinal=one.ordinal)

    def _altered(self, sight: ComparedLog, last: dict[str, Event], act: Act) -> None:
        fix = "varves layers resolve {} --accept or --restore"
        for one, block in sight.changed:
            message = f"{one.id} was changed; it was: {_quote(one.text)}"
            self._find(ALTERED, block.line, message, fix=fix.format(one.id))
            self._alter(one, block.digest, last, act)
        left = left_out(self._core, [one.id for one in sight.missing]) if sight.missing else set()
        for one in sight.missing:
            if one.id in left:
                message = f"{one.id} ({one.time} {one.title}) is not committed yet by its session"
                self._find(ALTERED, None, message, level=NOTE)
                continue
            message = f"{one.id} ({one.time} {one.title}) is missing from the log"
            self._find(ALTERED, None, message, fix=fix.format(one.id))
            if len(sight.missing) <= _FEW:
                self._alter(one, ABSENT, last, act)
        for one, older, block in sight.moved:
            message = f"{one.id} ({_titled(one)}) was moved: it was after {_titled(older)}"
            self._find(ALTERED, block.line, message, fix=fix.format(one.id))

    def _alter(self, one: KnownEntry, found: str, last: dict[str, Event], act: Act) -> None:
        event = last.get(one.id)
        told = event is not None and event.kind == LOG_ALTERED and event.data.get("found") == found
        if not told or one.status != "flagged":
            self._drafts.append(act.draft(LOG_ALTERED, {"memory": one.id, "found": found}))

    def _fresh(self, sight: ComparedLog, log: Changelog, act: Act, theirs: Act) -> None:
        barred = self._core.barred() if sight.fresh else set()
        committed = self._committed_digests() if sight.fresh else set()
        moved = [one for one in sight.fresh if one.place == "elsewhere"]
        merges = sides(self._core) if moved and not log.newest_first else []
        brought = {digest for pair in merges for side in pair for digest in side}
        for one in sight.fresh:
            name = name_of(one.block.digest, one.ordinal)
            if name in barred:
                message, fix = (
                    f"{name} was purged, but is still in the file",
                    "remove it there by hand",
                )
                self._find(None, one.block.line, message, fix=fix, level=WARNING)
                continue
            by = theirs if one.block.digest in committed else act
            draft = entry_draft(
                self._core,
                by,
                one.block,
                options=self._options,
                ordinal=one.ordinal,
                after=one.after,
            )
            self._drafts.append(self._noted(draft, one))
            self._adopted.append(name)
            if draft.data.get("redacted"):
                message = "this event contains a secret; it is recorded with the secret masked"
                self._find(None, one.block.line, message, fix="remove it", level=WARNING)
            if one.place == "archive":
                self._drafts.append(act.draft(LOG_ARCHIVED, {"memory": name}))
            elif one in moved and not log.newest_first and one.block.digest not in brought:
                message = "an event was inserted before known events, and is recorded at that place"
                self._find("S1-07", one.block.line, message, level=WARNING)

    def _committed_digests(self) -> set[str]:
        head = self._head or parsed(self._tree.committed(LOG))
        return {block.digest for block in head.blocks} if head else set()

    def _noted(self, draft: Draft, one: Fresh) -> Draft:
        """Give an event the id planned for it, if its append was interrupted before recording."""
        whole = self._note or {}
        wanted = one.block.digest, one.ordinal
        planned = [
            note
            for note in (whole, *whole.get("more", ()))
            if (note.get("digest"), note.get("ordinal")) == wanted
        ]
        if not planned:
            return draft
        [note, *_] = planned
        if self._core.rows().event(str(note.get("event"))) is not None:
            return draft
        own = self._core.act()
        return draft.replace(
            id=note.get("event"),
            actor=str(note.get("actor") or own.actor),
            session=note.get("session"),
            origin=own.origin,
            trust=own.trust,
        )

    def _find(
        self, rule: str | None, line: int | None, message: str, *, fix: str = "", level: str = ERROR
    ) -> None:
        place = LOG if line is None else f"{LOG}:{line}"
        found = Breach(rule=rule or "S1-07", place=place, message=message, fix=fix, level=level)
        self._findings.append(found)


def _is_back(one: KnownEntry, last: Event | None) -> bool:
    """Return whether an entry that was removed from the file is there again, unchanged."""
    if last is None or one.committed:
        return False
    if one.status == "flagged":
        return last.kind == LOG_ALTERED
    return one.status == "archived" and last.kind in (LOG_ARCHIVED, LOG_AMENDED)


def _titled(one: KnownEntry) -> str:
    return f"{one.time} {one.title}"


def _quote(text: str) -> str:
    """Return the old text on one line, in full, because it is not in the file any more."""
    return " / ".join(line.strip() for line in text.split("\n") if line.strip())


class AlteredEntry(Value):
    """An entry of the log that was changed or removed by hand."""

    id: str
    was: str
    now: str | None
    """None if it is missing."""


def altered(core: Core) -> tuple[AlteredEntry, ...]:
    """Return the entries that differ from the ledger, with both texts."""
    sight = look(core, options_of(core), thorough=False).sight
    changed = [
        AlteredEntry(id=one.id, was=one.text, now=block.text) for one, block in sight.changed
    ]
    gone = [AlteredEntry(id=one.id, was=one.text, now=None) for one in sight.missing]
    return (*changed, *gone)


def unrecorded(core: Core) -> tuple[Breach, ...]:
    """Return the events of the log that differ from the ledger, or are not recorded yet."""
    seen = look(core, options_of(core), thorough=False)
    found = [one for one in seen.findings if one.rule == ALTERED]
    if seen.adopted:
        many = len(seen.adopted) > 1
        words = ("events", "them") if many else ("event", "it")
        message = f"{len(seen.adopted)} {words[0]} added by hand; the next write records {words[1]}"
        fix = "varves layers boot"
        found.append(Breach(rule="edited", place=LOG, message=message, fix=fix, level=NOTE))
    return tuple(found)
