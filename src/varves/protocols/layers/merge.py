"""Merges two branches' logs: the common start unchanged, then the events of both sides.

Git merges lines, and could swap the bodies of two events that were appended at the same place. Here
whole events are merged by the ledger's clock, each side in its own order, with the same result in
either direction. If one side changed an event that both sides have, the change is not merged unless
a person accepted the change, because the log only grows.
"""

from __future__ import annotations

import re
from collections import Counter

from varves.errors import Refused
from varves.events.kinds import LOG_AMENDED, LOGGED
from varves.protocols.layers.options import options
from varves.protocols.layers.parser import decoded, parse
from varves.protocols.layers.placement import ends_events
from varves.protocols.layers.scan import markers, scan
from varves.protocols.layers.times import moment
from varves.values.instants import instant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.port import Core

LOG = "CHANGELOG.md"
OURS, THEIRS = "ours", "theirs"
_STAGES = (2, 3)  # git's stages for ours and theirs; stage 1 is the base
_OURS, _ORIGIN, _THEIRS = range(3)
_NEXT = {(None, "<"): _OURS, (_OURS, "|"): _ORIGIN, (_OURS, "="): _THEIRS, (_ORIGIN, "="): _THEIRS}
_LONGER = re.compile(rb"^(?:<{8,}|>{8,}) ", re.MULTILINE)  # git merged several bases
_RULES = {"", "---", "***", "___"}


class EventTaken(Value):
    """An event that a side added."""

    side: str
    name: str
    time: str
    title: str


class NotTaken(Value):
    """A change that the log does not allow, or that both sides made differently."""

    side: str
    why: str
    """The kind of change: changed, removed, between, preamble or footer."""
    title: str
    text: str
    """That side's text; empty if it was removed."""


class Merge(Value):
    """The merged log."""

    content: bytes
    taken: tuple[EventTaken, ...]
    refused: tuple[NotTaken, ...]


class AcceptedChanges(Value):
    """The changes of old events that a person accepted."""

    names: dict[str, str] = {}  # noqa: RUF012 - values are never changed
    """The memory of a text, by the text's digest."""
    digests: dict[str, str | None] = {}  # noqa: RUF012
    """The digest of a memory's text; None if it was removed from the log."""


class RecordingTimes(Value):
    """When the ledger recorded events of the log."""

    stamps: dict[str, str] = {}  # noqa: RUF012 - values are never changed
    """The stamp of each event, by the event's memory."""
    zone: str = "UTC"
    """The time zone of the headings."""

    def stamp(self, block: Block) -> str:
        """Return the sort key of an event; an unrecorded event uses its heading's time."""
        said = moment(block.time, self.zone)
        heading = f"{instant(said):012x}" if said else ""
        return self.stamps.get(block.name, heading)


def merged(
    origin: bytes | None,
    ours: bytes,
    theirs: bytes,
    *,
    accepted: AcceptedChanges | None = None,
    clock: RecordingTimes | None = None,
) -> Merge:
    """Merge two versions of a log; `origin` is the common base, None if there is none.

    Raises:
        Refused: a version is not UTF-8, or its conflict markers do not match.
    """
    if origin is not None and accepted is not None:
        origin, ours, theirs = _amended(accepted, origin, ours, theirs)
    sides = {OURS: _read(_unmarked(ours)), THEIRS: _read(_unmarked(theirs))}
    start = None if origin is None or _LONGER.search(origin) else _read(_unmarked(origin))
    preamble, footer, refused = _frame(start, sides)
    known = _prefix(sides) if start is None else _agreed(start, sides)
    fresh: list[tuple[str, Block]] = []
    for side, log in sides.items():
        added, not_taken = _compared(known, log, side, footer=footer)
        fresh += [(side, block) for block in added]
        refused += not_taken
    chosen = _interleaved(fresh, clock or RecordingTimes())
    newest_first = sides[OURS].newest_first
    old = "".join(block.raw + block.gap for block in (known[::-1] if newest_first else known))
    newline = (start or sides[OURS]).newline
    more = [_as(block.raw + block.gap, newline) for _, block in chosen]
    if newest_first:
        parts = [preamble, *more[::-1], old + footer]
    elif more and not ends_events(footer, more[-1]):
        parts = [preamble + old + footer, *more]
    else:
        parts = [preamble + old, *more, footer] if more else [preamble + old + footer]
    content = _joined(parts if more else ["".join(parts)], newline).encode("utf-8")
    _assert_whole(content, [*known, *(block for _, block in chosen)])
    return Merge(
        content=content,
        taken=tuple(
            EventTaken(side=side, name=block.name, time=block.time, title=block.title)
            for side, block in chosen
        ),
        refused=tuple(refused),
    )


def joined(core: Core) -> Merge | None:
    """Merge the log of a work tree, from git's stages or from the markers in the file.

    None: there is no conflict, or the file is not a log and is not changed.

    Raises:
        Refused: the sides cannot be merged.
    """
    stages, content = core.tree.stages(LOG), core.tree.read(LOG)
    sides = [stages[stage] for stage in _STAGES if stage in stages]
    if not any(parse(one).is_log for one in (*sides, content or b"")):
        return None
    if len(sides) == len(_STAGES):
        accepted, clock = _accepted(core), _clock(core)
        return merged(stages.get(1), *sides, accepted=accepted, clock=clock)
    if sides:  # the other side deleted the file, but the log only grows
        return merged(sides[0], sides[0], sides[0])
    if content is not None and parse(content).markers:
        return from_markers(content, clock=_clock(core))
    return None


def _clock(core: Core) -> RecordingTimes:
    """Return when the ledger first recorded each event of the log."""
    stamps: dict[str, str] = {}
    for event in core.events(LOGGED):
        stamps.setdefault(str(event.data.get("memory")), event.hlc)
    return RecordingTimes(stamps=stamps, zone=options(core.table).zone)


def _accepted(core: Core) -> AcceptedChanges:
    """Return the accepted changes from the ledger; the last one about an event counts."""
    names: dict[str, str] = {}
    digests: dict[str, str | None] = {}
    for event in core.events(LOG_AMENDED):
        name, told = event.data["memory"], event.data.get("set", {}).get("digest")
        digests[name] = told
        if told is not None:
            names[told] = name
    return AcceptedChanges(names=names, digests=digests)


def _amended(accepted: AcceptedChanges, origin: bytes, *sides: bytes) -> tuple[bytes, bytes, bytes]:
    """Apply accepted changes, which only one side may have, to all three versions."""
    logs = [parse(one) for one in (origin, *sides)]
    held = [{block.digest: block for block in log.blocks} for log in logs[1:]]
    swaps: dict[str, str] = {}
    for block in logs[0].blocks:
        name = accepted.names.get(block.digest, block.name)
        now = accepted.digests.get(name, block.digest)
        there = [side[now] for side in held if now in side]
        if now is None and any(block.digest not in side for side in held):
            swaps[block.digest] = ""
        elif there and now != block.digest:
            swaps[block.digest] = there[0].raw
    made = [_swapped(log, swaps) for log in logs]
    return made[0], made[1], made[2]


def _swapped(log: Changelog, swaps: dict[str, str]) -> bytes:
    """Return a log with other texts for some events; an empty text removes the event."""
    text = log.preamble
    for block in log.blocks:
        raw = swaps.get(block.digest, block.raw)
        text += _as(raw, log.newline) + block.gap if raw else ""
    return (text + log.footer).encode("utf-8")


def from_markers(content: bytes, path: str = LOG, *, clock: RecordingTimes | None = None) -> Merge:
    """Merge a log by its conflict markers, if git no longer has its versions.

    Raises:
        Refused: there are no markers, or they do not match.
    """
    lines = decoded(content, path).split("\n")
    versions: list[list[str]] = [[], [], []]  # ours, the base, theirs
    mode, origins, hunks = None, 0, 0
    marks = set(markers(scan(lines)))
    for at, line in enumerate(lines):
        sign = line[:1] if at in marks else ""
        if (after := _NEXT.get((mode, sign))) is not None:
            mode = after
            hunks += sign == "<"
            origins += sign == "|"
        elif mode == _THEIRS and sign == ">":
            mode = None
        elif sign and sign != "=":
            raise Refused(
                f"{path}: line {at + 1}: the conflict markers do not match", "resolve it by hand"
            )
        else:
            for number in range(3) if mode is None else (mode,):
                versions[number].append(line)
    if mode is not None or not hunks:
        raise Refused(f"{path}: a conflict has no end" if hunks else f"{path}: no conflict")
    ours, origin, theirs = ("\n".join(version).encode("utf-8") for version in versions)
    return merged(origin if origins == hunks else None, ours, theirs, clock=clock)


def _assert_whole(content: bytes, wanted: Sequence[Block]) -> None:
    """Make sure that every event can be read back, whole and in its place."""
    if [block.digest for block in parse(content).ordered] != [block.digest for block in wanted]:
        raise Refused(
            "the two versions cannot be merged event by event",
            "a code fence or a comment is open in one of them; resolve it by hand",
        )


def _unmarked(content: bytes) -> bytes:
    """Return a side without conflict markers that an earlier merge committed."""
    return from_markers(content).content if parse(content).markers else content


def _read(content: bytes) -> Changelog:
    log = parse(content)
    if log.markers:
        raise Refused(f"line {log.markers[0]} is a conflict marker", "resolve it by hand")
    return log


def _frame(start: Changelog | None, sides: dict[str, Changelog]) -> tuple[str, str, list[NotTaken]]:
    """Return the text before and after the events, and the parts that were not taken over."""
    found, refused = [], []
    for name in ("preamble", "footer"):
        ours, theirs = (_part(log, name, start) for log in sides.values())
        was = None if start is None else _tidy(getattr(start, name))
        if _tidy(ours) in (was, "") and _tidy(theirs) != was:
            found.append(theirs)
        else:
            found.append(ours)
            if _tidy(theirs) not in (was, _tidy(ours), ""):
                refused.append(NotTaken(side=THEIRS, why=name, title=name, text=theirs))
    return found[0], found[1], refused


def _part(log: Changelog, name: str, start: Changelog | None) -> str:
    """Return a side's preamble or footer.

    If this side appended after the footer, the footer is now a gap between events.
    """
    if name == "footer" and start is not None and _tidy(start.footer) in _gaps(log.blocks):
        return start.footer
    return str(getattr(log, name))


def _gaps(blocks: Iterable[Block]) -> set[str]:
    return {_tidy(block.gap) for block in blocks}


def _tidy(text: str) -> str:
    return "\n".join(map(str.rstrip, text.split("\n"))).strip("\n")


def _prefix(sides: dict[str, Changelog]) -> list[Block]:
    """Return the events with which both sides begin."""
    found = []
    for ours, theirs in zip(sides[OURS].ordered, sides[THEIRS].ordered, strict=False):
        if ours.digest != theirs.digest:
            break
        found.append(ours)
    return found


def _agreed(start: Changelog, sides: dict[str, Changelog]) -> list[Block]:
    """Return the common events, oldest first; if both sides made the same change, it is kept."""
    ours, theirs = (_digests(log.ordered) for log in sides.values())
    known: list[Block] = []
    for block in start.ordered:
        if block.digest in ours or block.digest in theirs:
            known.append(block)
            continue
        instead = [
            one for log in sides.values() for one in log.ordered if _heading(one) == _heading(block)
        ]
        alike = [one for one in instead if one.digest in ours and one.digest in theirs]
        known += (alike or [block])[:1] if instead else []
    return known


def _compared(
    known: Sequence[Block], log: Changelog, side: str, *, footer: str
) -> tuple[list[Block], list[NotTaken]]:
    """Return the events that a side added to the common ones, and its other changes."""
    has, had = _digests(log.ordered), _digests(known)
    added = [block for block in log.ordered if block.ordinal >= had.get(block.digest, 0)]
    gone = [block for block in known if block.ordinal >= has.get(block.digest, 0)]
    refused = []
    for block in gone:
        instead = next((one for one in added if _heading(one) == _heading(block)), None)
        if instead is not None:
            added.remove(instead)
        refused.append(
            NotTaken(
                side=side,
                why="removed" if instead is None else "changed",
                title=f"{block.time} {block.title}",
                text="" if instead is None else instead.text,
            )
        )
    gaps = _gaps(known) | _RULES | {_tidy(footer)}
    for block in log.ordered:
        if block.ordinal < had.get(block.digest, 0) and _tidy(block.gap) not in gaps:
            title = f"after {block.time} {block.title}"
            refused.append(NotTaken(side=side, why="between", title=title, text=block.gap))
    return added, refused


def _digests(blocks: Iterable[Block]) -> dict[str, int]:
    return dict(Counter(block.digest for block in blocks))


def _heading(block: Block) -> tuple[str, str]:
    return block.stamp, block.heading


def _interleaved(
    fresh: Sequence[tuple[str, Block]], clock: RecordingTimes
) -> list[tuple[str, Block]]:
    """Return both sides' events by the ledger's clock, each once; each side keeps its order.

    Neither side takes precedence, so that merging in either direction gives the same log.
    """
    found: dict[str, tuple[str, Block]] = {}
    waits: Counter[str] = Counter()
    behind: dict[str, set[str]] = {}
    last: dict[str, str] = {}
    for side, block in fresh:
        found.setdefault(block.name, (side, block))
        before = last.get(side)
        if before is not None and block.name not in behind.setdefault(before, set()):
            behind[before].add(block.name)
            waits[block.name] += 1
        last[side] = block.name
    left = sorted(found, key=lambda name: (clock.stamp(found[name][1]), name))
    ordered = []
    while left:  # if both sides have the same two events in opposite order, the clock decides
        name = next((one for one in left if not waits[one]), left[0])
        left.remove(name)
        ordered.append(found[name])
        for one in behind.get(name, ()):
            waits[one] -= 1
    return ordered


def _joined(parts: Sequence[str], newline: str) -> str:
    """Join pieces with a blank line between two."""
    text = ""
    for part in filter(None, parts):
        if text.strip("\ufeff"):
            bare = text.replace("\r\n", "\n")
            text += newline * (2 - min(2, len(bare) - len(bare.rstrip("\n"))))
        text += part
    return text


def _as(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)


# For git's merge driver, which merges all but the added events as text


def added(origin: Changelog, side: Changelog) -> list[Block]:
    """Return the events that a side added to the base; an altered event is not one of them."""
    has, had = _digests(side.ordered), _digests(origin.ordered)
    gone = {_heading(one) for one in origin.ordered if one.ordinal >= has.get(one.digest, 0)}
    more = [one for one in side.ordered if one.ordinal >= had.get(one.digest, 0)]
    return [one for one in more if _heading(one) not in gone]


def interleaved(ours: Sequence[Block], theirs: Sequence[Block]) -> list[Block]:
    """Return the events that both sides added, each once, by the times of their headings."""
    fresh = [*((OURS, one) for one in ours), *((THEIRS, one) for one in theirs)]
    return [block for _, block in _interleaved(fresh, RecordingTimes())]


def with_events(
    log: Changelog, own: Sequence[Block], events: Sequence[Block], *, newline: str
) -> bytes:
    """Return a version of a log with the given events in place of those that it added itself.

    Raises:
        Refused: an event would be read as part of the text around it.
    """
    if not events:
        return log.content
    mine = {(one.digest, one.ordinal) for one in own}
    left = [one for one in log.ordered if (one.digest, one.ordinal) not in mine]
    old = "".join(one.raw + one.gap for one in (left[::-1] if log.newest_first else left))
    more = [_as(f"{one.raw}{one.gap}".rstrip("\r\n"), newline) + newline for one in events]
    if log.newest_first:
        parts = [log.preamble, *more[::-1], old + log.footer]
    elif ends_events(log.footer, more[-1]):
        parts = [log.preamble + old, *more, log.footer]
    else:
        parts = [log.preamble + old + log.footer, *more]
    content = _joined(parts, newline).encode("utf-8")
    _assert_whole(content, [*left, *events])
    return content
