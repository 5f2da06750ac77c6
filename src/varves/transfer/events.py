"""Imports a file that another ledger exported, and reports refused lines and new names.

With trust, the events are stored unchanged: the same ids, order and stamps. Without trust, only the
current memories are imported, with the same ids and a new origin. A purged id is never imported.
"""

from __future__ import annotations

import json
import os

from varves import statements
from varves.commands import intake
from varves.commands.purge import completing
from varves.conflicts.arrivals import BatchArrivals
from varves.context.consents import refuse_waiting
from varves.errors import Refused, UsageError, VarvesError
from varves.events.blobs import inflate, named
from varves.events.codec import BadLine, assert_canonical, decode, purged_line
from varves.events.event import Event
from varves.events.kinds import RECORDED
from varves.events.redact import scrub_tree
from varves.events.remnants import holds, purged_by
from varves.fold.base import replay
from varves.fold.memories import Memories
from varves.index.where import EventWhere
from varves.purge.erasure import append_all, barred_by, finish, standing
from varves.transfer.export import BLOB, SECTION
from varves.transfer.trees import FORMATS as TREES
from varves.transfer.trees import ImportWish, authors_of, bring_files
from varves.values.answers import Imported, RefusedLine
from varves.values.instants import iso
from varves.values.memory import FIELDS, IMPORT, is_over
from varves.values.names import safe_name
from varves.values.progress import report
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from varves.context.context import Context
    from varves.files.protocols import Protocols

    Remember = Callable[..., str]

FORMATS = ("jsonl",)
LARGEST = 100 << 20
MOST = 1000  # the most refused lines that the report lists
LONGEST = 64 << 20  # in bytes: a text of 8 MiB in which every character is escaped
_REPORT_EVERY = 500  # lines
_READING = 0.1  # the share of the work that is reading the file, roughly
_ABOUT = tuple(name for name, row in FIELDS.items() if IMPORT in row.taken_by)


class Parcel:
    """A parsed export: its events by log, its long texts, and the refused lines."""

    def __init__(self) -> None:
        self.events: dict[str, list[tuple[Event, bytes]]] = {}
        self.blobs: dict[str, dict[str, bytes]] = {}
        self.numbers: dict[str, int] = {}
        self.refused: list[RefusedLine] = []

    def refuse(self, line: int, code: str, message: str) -> None:
        """Record a refused line.

        If there are too many refused lines, raise an error, because the file is no export.
        """
        if len(self.refused) >= MOST:
            raise Refused(
                f"more than {MOST} lines cannot be imported", "check that the file is an export"
            )
        self.refused.append(RefusedLine(line=line, code=code, message=message))

    def text(self, digest: str) -> str:
        """Return the long text with this digest, or "" if the file does not contain it."""
        found = [texts[digest] for texts in self.blobs.values() if digest in texts]
        return found[0].decode("utf-8", "replace") if found else ""

    def all(self) -> Iterator[Event]:
        """Yield every event."""
        for pairs in self.events.values():
            for event, _ in pairs:
                yield event


def read(path: str, progress: Callable[[int], None] | None) -> Parcel:
    """Read an export line by line; refuse a line that is not an event, and read on."""
    if not os.path.isfile(path):
        raise UsageError(f"no file {path}", "give a file that varves export wrote")
    size = os.path.getsize(path)
    if size > LARGEST:
        raise Refused(f"{path} has more than 100 MiB", "export it scope by scope")
    found, log = Parcel(), "project"
    with open(path, "rb") as file:
        for number, line in enumerate(_lines(file), 1):
            if len(line) > LONGEST:
                found.refuse(number, "refused", "longer than an event may be")
            elif line.startswith((b'{"' + SECTION.encode(), b'{"' + BLOB.encode())):
                log = _about(found, number, line, log)
            elif line.strip():
                _event(found, number, line.strip(), log)
            if number % _REPORT_EVERY == 0:
                report(progress, number, part=_READING * file.tell(), whole=size)
    return found


def _lines(file: Any) -> Iterator[bytes]:
    """Yield the lines of a file; a line that is too long is cut just above the limit."""
    while line := file.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = file.readline(LONGEST + 1)


def _about(found: Parcel, number: int, line: bytes, log: str) -> str:
    """Parse a line that is no event: it names the log of the next lines, or has a long text.

    Return the log of the following lines.
    """
    from hashlib import sha256

    try:
        said = json.loads(line)
        if SECTION in said:
            other = str(said[SECTION])
            level, colon, name = other.partition(":")
            known = level in ("project", "private", "global") and not colon
            if known or (level == "team" and safe_name(name, "team")):
                return other
            found.refuse(number, "damaged", "not the name of a log")
            return log
        text, digest = said["text"].encode("utf-8"), str(said[BLOB])
        if sha256(text).hexdigest() != digest:
            found.refuse(number, "damaged", "a text that does not match its digest")
        else:
            found.blobs.setdefault(log, {})[digest] = text
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, VarvesError):
        found.refuse(number, "damaged", "neither the name of a log nor a long text")
    return log


def _event(found: Parcel, number: int, line: bytes, log: str) -> None:
    try:
        event = decode(line, log)
    except BadLine as fault:
        found.refuse(number, "damaged", f"not an event: {fault}")
        return
    found.numbers[event.id] = number
    found.events.setdefault(log, []).append((event, line))


def take_in(context: Context, protocols: Protocols, wish: ImportWish) -> Imported:
    """Import a file or folder, and count the new memories that are in quarantine."""
    before = context.quarantined()
    if wish.format in TREES:
        done = bring_files(context, protocols, wish)
    else:
        done = bring_in(context, wish)
    now = context.quarantined()
    return done.replace(quarantined=max(0, now - before))


def bring_in(context: Context, wish: ImportWish) -> Imported:
    """Import a file that a ledger exported; in a dry run, only report what would be imported."""
    if wish.format not in FORMATS:
        known = ", ".join((*FORMATS, *TREES))
        raise UsageError(f"unknown format {wish.format!r}", f"use one of {known}")
    parcel = read(wish.path, context.index.progress)
    if wish.trust:
        return _with_trust(context, parcel, wish)
    origin, author = _door(context, wish.path)
    context.recorder.compare()
    door = context.replace(origin=origin)
    arrivals = BatchArrivals(context)

    def remember(kept: dict[str, Any], **options: Any) -> str:
        given = {"allow_secret": wish.secret, **options}
        command, by = statements.command(door, given)
        pointed, names = context.clean(intake.pointers(kept["evidence"]), allow_secret=wish.secret)
        holds = {key: kept[key] for key in ("ttl", "expires_at") if kept[key]}
        command = command.replace(
            about={**command.about, **holds, "evidence": pointed},
            redacted=tuple(sorted({*command.redacted, *names})),
        )
        if wish.dry_run:
            return "recorded"
        by = by if author is None else by.replace(actor=author)
        done = context.recorder.remember(command, by, among=True)
        if done.status == "recorded":
            arrivals.take([(parcel.numbers.get(kept["version"], 0), command, by, done.id)])
        return done.status

    # the index is not read to its end meanwhile, so its own reports are of no use
    progress, context.index.progress = context.index.progress, None
    try:
        done = _without_trust(context, parcel, remember, progress)
    finally:
        context.index.progress = progress
    return done.replace(conflicts=arrivals.told(), more=arrivals.more)


def _door(context: Context, path: str) -> tuple[str, str | None]:
    """Return the origin to record for a file's content.

    Also return the file's author, if this repository tracks the file.
    """
    author = next(iter(authors_of(context, path).values()), None)
    return ("import", None) if author is None else ("repo", author)


def _with_trust(context: Context, parcel: Parcel, wish: ImportWish) -> Imported:
    """Import the events of a trusted export unchanged; events that exist already are skipped."""
    if not wish.dry_run:
        context.begin()
    here = context.fresh().index.event_sources(EventWhere(here=True))
    before, brought = barred_by(context), purged_by(parcel.all())
    said = [*standing(context), *parcel.all()]
    mappings, written, known = [], 0, 0
    fresh_lines: dict[str, int] = {}
    for log, pairs in parcel.events.items():
        fresh = {event.id: (event, line) for event, line in pairs if event.id not in here}
        canonical = [pair for pair in fresh.values() if _canonical(parcel, *pair)]
        clean = [pair for pair in canonical if wish.secret or not _secret(parcel, pair[0])]
        gone = [event for event, _ in clean if holds(event, before | brought)]
        target = _target(context, log)
        if not wish.dry_run:
            doomed = [Event(event.fields, target) for event in gone]
            append_all(context, completing(doomed, said, context.act()))
            lines = [purged_line(line) if event in gone else line for event, line in clean]
            _write(context, target, lines, parcel.blobs.get(log, {}))
        for event, _ in clean:
            if event.kind == RECORDED and (name := event.data.get("memory")):
                fresh_lines[str(name)] = parcel.numbers[event.id]
        written += len(clean)
        known += len(pairs) - len(fresh)
        if clean:
            mappings.append(_mapping(len(clean), log, target))
    if not wish.dry_run and barred_by(context) - before:
        finish(context)  # what the other ledger purged is also purged here
    context.recorder.forget()
    refused = tuple(parcel.refused)
    arrivals = BatchArrivals(context)
    if not wish.dry_run:
        arrivals.take_indexed(context.fresh().index, fresh_lines)
    return Imported(
        written=written,
        known=known,
        refused=refused,
        mappings=tuple(mappings),
        conflicts=arrivals.told(),
        more=arrivals.more,
    )


def _mapping(count: int, log: str, target: str) -> str:
    return f"{counted(count, 'event')} of the {log} log -> the {target} log, unchanged"


def _write(context: Context, log: str, lines: list[bytes], blobs: dict[str, bytes]) -> None:
    """Write lines into new segments, after storing the long texts that the lines name."""
    context.logs.restorable(log).restore(lines, blobs, day=iso(context.clock.now())[:10])


def _target(context: Context, log: str) -> str:
    """Return the log of this ledger into which a log of the other ledger is imported.

    If a team has no folder here, this is the project's log.
    """
    level, _, name = log.partition(":")
    if level == "team":
        refuse_waiting(context.settings, name)
    return "project" if level == "team" and name not in context.settings.teams else log


def _canonical(parcel: Parcel, event: Event, line: bytes) -> bool:
    """Return whether an event's line is canonical; if not, refuse it, because verify would fail."""
    try:
        assert_canonical(line, event)
    except BadLine as fault:
        parcel.refuse(parcel.numbers[event.id], "damaged", f"{event.id}: {fault}")
        return False
    return True


def _secret(parcel: Parcel, event: Event) -> bool:
    """Return whether an event contains a secret that masking would remove; if so, refuse it."""
    texts = [parcel.text(digest) for digest in named(event.data)]
    _, names = scrub_tree([event.data, event.actor, event.session, *texts])
    if names:
        message = f"{event.id} contains a secret ({', '.join(names)})"
        parcel.refuse(parcel.numbers[event.id], "refused", message)
    return bool(names)


def _without_trust(
    context: Context,
    parcel: Parcel,
    remember: Remember,
    progress: Callable[[int], None] | None,
) -> Imported:
    """Import the current memories of the export, as new memories with the caller's origin."""
    texts = {digest: text for found in parcel.blobs.values() for digest, text in found.items()}
    for event in parcel.all():
        inflate(event.data, texts.get)
    fold, now = Memories(), context.clock.now()
    rows = fold.rows(replay(fold, parcel.all()), now, hold_back=False)
    counts = {"recorded": 0, "known": 0}
    left: dict[str, int] = {}
    in_order = sorted(rows.values(), key=lambda row: (row["hlc"], row["id"]))
    for number, row in enumerate(in_order):
        report(progress, number, part=_READING + (1 - _READING) * number / len(in_order), whole=1)
        status = "expired" if is_over(row["expires_at"], iso(now)) else row["status"]
        if status != "active":
            left[status] = left.get(status, 0) + 1
            continue
        options = {key: row[key] for key in _ABOUT if row[key] not in (None, (), [])}
        try:
            counts[remember(row, private=row["kept"] == "private", **options)] += 1
        except (Refused, UsageError) as fault:
            line = parcel.numbers.get(row["version"], 0)
            parcel.refuse(line, fault.code, f"{row['id']}: {fault.message}")
    current = counted(counts["recorded"], "current memory")
    mappings = [f"{current} -> memories here, with the same ids"]
    mappings += [f"left out: {counted(n, f'{one} memory')}" for one, n in sorted(left.items())]
    return Imported(
        written=counts["recorded"],
        known=counts["known"],
        refused=tuple(parcel.refused),
        mappings=tuple(mappings),
    )
