"""Imports another project's log: each event becomes a memory, and each conversion is reported.

Such a memory is not an entry of this project's log: its id is computed from the text, so that
importing the same file again changes nothing. Every boot reads the project's own log.
"""

from __future__ import annotations

import os
from collections import Counter

from varves.errors import Refused
from varves.events.kinds import RECORDED, is_barred
from varves.protocols.layers.adoption import LOG, entry_draft
from varves.protocols.layers.blocks import SCOPES, TYPES, name_of
from varves.protocols.layers.parser import digest_of, parse
from varves.values.answers import Imported, RefusedLine
from varves.values.memory import TRUST
from varves.values.progress import report
from varves.values.text import counted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Codec, Core
    from varves.protocols.protocol import ForeignFiles

_WHOLE = 1.3  # all work; 1 is to decide on every event, and the rest is to append them
_DAY = len("YYYY-MM-DD")
_FORMS = {
    "published": "## YYYY-MM-DD HH:MM — Title",
    "dash": "## YYYY-MM-DD HH:MM - Title",
    "date": "## YYYY-MM-DD — Title",
    "evt": "### evt-NNN | time | who | type",
    "decision": "## Decision: time",
}


class ForeignLog(Value):
    """A file to be imported."""

    name: str
    content: bytes
    own: bool
    """Whether it is this project's own log."""
    secret: bool = False
    """Whether secrets are stored unmasked."""
    progress: Callable[[int], None] | None = None
    """Is told how many events were decided on."""


class LogTaken(Value):
    """The result of importing a file."""

    written: int
    known: int
    refused: tuple[tuple[int, str, str], ...]
    """Line, error code and message of each event that was not imported."""
    mappings: tuple[str, ...]


def take_log(
    core: Core, source: ForeignLog, act: Act, *, options: LayersOptions, dry_run: bool = False
) -> LogTaken:
    """Record the events of a log, or only report what would be recorded.

    Raises:
        Refused: the file is not a log of events, or has conflict markers.
    """
    log = parse(source.content, source.name)
    if log.markers:
        raise Refused(
            f"{source.name}: line {log.markers[0]} is a conflict marker", "settle it first"
        )
    if not log.blocks:
        raise Refused(
            f"{source.name} contains no event: {_instead(log)}",
            "an event begins with `## YYYY-MM-DD HH:MM — Title`",
        )
    taking = _Taking(core, source, options)
    for number, block in enumerate(log.ordered, 1):
        taking.take(block, act)
        report(source.progress, number, part=number, whole=_WHOLE * len(log.ordered))
    if not dry_run and taking.drafts:
        core.append("project", taking.drafts)
    report(source.progress, len(log.ordered), part=1, whole=1)
    refused = [(one.line, "refused", f"{one.text[:80]}: {one.why}") for one in log.suspects]
    return LogTaken(
        written=len(taking.drafts),
        known=taking.known,
        refused=tuple(sorted([*refused, *taking.refused])),
        mappings=(*mappings(log), *taking.remarks()),
    )


def take_file(core: Core, codec: Codec, given: ForeignFiles, *, options: LayersOptions) -> Imported:
    """Import a log from a file, or only report what would be imported."""
    name = os.path.basename(given.path)
    own = os.path.realpath(given.path) == os.path.realpath(os.path.join(core.root, LOG))
    content, progress = given.file(), given.progress
    source = ForeignLog(name=name, content=content, own=own, secret=given.secret, progress=progress)

    def run() -> Imported:
        act = given.act(core.act(), name)
        if own:
            act = own_act(core.act(), act.actor if act.origin == "repo" else None)
        taken = take_log(core, source, act, options=options, dry_run=given.dry_run)
        return Imported(
            written=taken.written,
            known=taken.known,
            refused=tuple(
                RefusedLine(line=line, code=code, message=message)
                for line, code, message in taken.refused
            ),
            mappings=taken.mappings,
        )

    done: Imported = core.during(codec, run, writes=not given.dry_run)
    return done


class _Taking:
    """An import in progress: drafts are collected until all events are decided."""

    def __init__(self, core: Core, source: ForeignLog, options: LayersOptions) -> None:
        self._core, self._source, self._options = core, source, options
        self.drafts: list[Draft] = []
        self.refused: list[tuple[int, str, str]] = []
        self.known = self._held = self._masked = 0

    def take(self, block: Block, act: Act) -> None:
        """Decide on one event."""
        rows = self._core.rows()
        own = block.name
        name = own if self._source.own else imported_name(block)
        past = rows.history(name)
        if is_barred(past):
            self.refused.append(
                (block.line, "refused", f"{name} was purged; its id cannot be used again")
            )
        elif past:
            self.known += 1
        elif not self._source.own and self._core.memory(own) is not None:
            self.known += 1
            self._held += 1
        else:
            draft = self._draft(block, act, name)
            said = draft.data["text"]
            rejecting = rows.rejecting(value_key("project", "project", said))
            if rejecting:
                message = f"{block.time} {block.title}: rejected before, by {rejecting[0]}"
                self.refused.append((block.line, "rejected", message))
            else:
                self.drafts.append(draft)

    def _draft(self, block: Block, act: Act, name: str) -> Draft:
        draft = entry_draft(self._core, act, block, options=self._options, ordinal=block.ordinal)
        self._masked += bool(draft.data.get("redacted"))
        if self._source.own:
            return draft
        more: dict[str, Any] = {
            "memory": name,
            "log": self._source.name,
            "stamp": block.stamp,
            "source": self._source.name,
            "speaker": block.author,
        }
        if block.form == "evt":
            more["native"] = block.heading.partition("|")[0].strip()
        if self._source.secret:
            said = {"text": block.text, "title": block.title, "summary": block.title}
            more |= said | {"redacted": None}
        content = {key: part for key, part in (draft.data | more).items() if part is not None}
        return draft.replace(kind=RECORDED, data=content)

    def remarks(self) -> Iterator[str]:
        """Yield further remarks for a person."""
        if self._held:
            yield f"{counted(self._held, 'event')} of this project's own log -> known"
        if self._masked and not self._source.secret:
            yield f"{counted(self._masked, 'event')} with secrets -> masked"


def imported_name(block: Block) -> str:
    """Return the id of an event from another project's log."""
    return name_of(digest_of(f"imported {block.digest}"), block.ordinal)


def own_act(act: Act, author: str | None) -> Act:
    """Return the act for an event of this project's own log: by its author, else by the USER."""
    if author is None:
        return act.replace(actor="USER", session=None)
    return act.replace(actor=author, session=None, origin="repo", trust=TRUST["repo"])


def mappings(log: Changelog) -> Iterator[str]:
    """Yield how parts of a log are converted: forms, types, scopes, times; and what is omitted."""
    for form, count in Counter(block.form for block in log.blocks).items():
        yield f"{counted(count, 'event')} `{_FORMS[form]}` -> memories of layers, their text whole"
    yield from _words("type", [block.type for block in log.ordered], TYPES)
    yield from _words("scope", [block.area for block in log.ordered], SCOPES)
    days = sum(len(block.time) == _DAY for block in log.blocks)
    if days:
        yield f"{counted(days, 'event')} without a time of day -> the start of their day"
    back = sum(map(_is_back, log.ordered, log.ordered[1:]))
    if back:
        yield f"{counted(back, 'step')} back in time -> times and order are kept"
    twice = sum(block.ordinal > 0 for block in log.blocks)
    if twice:
        yield f"{counted(twice, 'event')} with the text of another event -> separate memories"
    yield from _left_out(log)


def _is_back(before: Block, after: Block) -> bool:
    """Return whether an event is earlier than the one before it, at their common precision."""
    length = min(len(before.time), len(after.time))
    return after.time[:length] < before.time[:length]


def _words(name: str, found: Sequence[str | None], ours: Sequence[str]) -> Iterator[str]:
    for word, count in sorted(Counter(found).items(), key=lambda one: one[0] or ""):
        if word is None:
            kept = "event" if name == "type" else "none"
            yield f"{counted(count, 'event')} without a {name} -> {kept}"
        else:
            yield f"{name} {word!r} ({count}) -> {'the same' if word in ours else 'kept as it is'}"


def _left_out(log: Changelog) -> Iterator[str]:
    places = [("before the first event", log.preamble), ("after the last event", log.footer)]
    places += [(f"after line {block.line}", block.gap) for block in log.blocks[:-1]]
    for place, text in places:
        lines = [line for line in text.split("\n") if line.strip(" \t\r-*_\ufeff")]
        if lines:
            yield f"{counted(len(lines), 'line')} {place} that belong to no event -> left out"


def _instead(log: Changelog) -> str:
    if log.suspects:
        first = log.suspects[0]
        return f"line {first.line} almost is one ({first.why})"
    return "a list of releases is not imported" if "\n## " in log.preamble else "nothing to import"
