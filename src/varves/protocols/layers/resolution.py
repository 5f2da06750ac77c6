"""Resolves conflicts in CHANGELOG.md: two branches' events, or an altered entry.

A merge keeps every event of both sides whole. For an altered entry, a person accepts the new text,
or restores the old text from the ledger or git.
"""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.events.kinds import LOG_AMENDED, RESTORED
from varves.protocols.layers import drafts
from varves.protocols.layers.adoption import LOG, amending, look, record
from varves.protocols.layers.altered import KnownEntry, neighbours, predecessors, see
from varves.protocols.layers.composition import opening
from varves.protocols.layers.current_log import assert_merged, draw_current
from varves.protocols.layers.merge import joined
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.options import options_of
from varves.protocols.layers.owners import left_out
from varves.protocols.layers.parser import digest_of, parse
from varves.protocols.layers.views import VIEWS, draw, redraw
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.events.event import Draft
    from varves.protocols.layers.adoption import Seen
    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.merge import EventTaken, Merge, NotTaken
    from varves.protocols.port import Core
    from varves.values.answers import RecordConflict

_MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


class Merged(Value):
    """The result of merging two branches' files."""

    settled: tuple[str, ...]
    """The files that were unmerged and are resolved now."""
    taken: tuple[EventTaken, ...]
    """The events that the two sides added, in their new order."""
    refused: tuple[NotTaken, ...]
    """The changes of a side to older events, which were not taken over."""
    adopted: tuple[str, ...]
    aside: tuple[str, ...]
    """The files that keep text which the merged file does not contain."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class EntriesResolved(Value):
    """Altered entries that were resolved."""

    id: str
    ids: tuple[str, ...]
    status: str
    """`accepted` or `restored`."""
    events: tuple[str, ...]


def merge(core: Core) -> Merged:
    """Resolve CHANGELOG.md after two branches appended to it, and rebuild both views.

    Raises:
        Refused: the conflict markers do not match.
    """
    tree = core.tree
    core.begin()
    lies = tree.read(LOG)
    made = joined(core)
    aside = _set_aside(core, lies, made) if made is not None else ()
    if made is not None:
        tree.replace(LOG, made.content, seen=lies)
    ours = VIEWS if made is None else (LOG, *VIEWS)
    unmerged = [path for path in ours if tree.stages(path)]
    put_in_order(core, options_of(core))
    seen = look(core, options_of(core), thorough=False)
    record(core, seen)
    drawn = draw(core, seen.log, options_of(core), whole=True)
    redraw(core, drawn, options=options_of(core))
    tree.mark_resolved(unmerged)
    settled = dict.fromkeys((*unmerged, *([LOG] if made is not None else [])))
    if not settled:
        core.notes.append("there is nothing to merge")
    core.notes += [found.line for found in seen.findings]
    return Merged(
        settled=tuple(settled),
        taken=made.taken if made else (),
        refused=made.refused if made else (),
        adopted=seen.adopted,
        aside=aside,
    )


def _set_aside(core: Core, lies: bytes | None, made: Merge) -> tuple[str, ...]:
    """Store copies of text that the merged file does not contain; return their paths."""
    kept = []
    if lies is not None and lies != made.content and not _is_gits(core, lies):
        kept.append(core.tree.set_aside(LOG, lies))
        by = "with its conflict markers" if parse(lies).markers else "as it was resolved by hand"
        core.notes.append(f"{LOG} {by} is kept in {kept[-1]}")
    if made.refused:
        told = "\n".join(map(_told, made.refused))
        kept.append(core.tree.set_aside(f"{LOG}.not-taken.md", told.encode()))
        core.notes.append(
            "changes were not taken over, because the log only grows; they are kept"
            f" in {kept[-1]}: append an event for what is true"
        )
    return tuple(kept)


def _is_gits(core: Core, lies: bytes) -> bool:
    """Return whether git alone wrote a file with markers, from versions it still has."""
    if not parse(lies).markers:
        return False
    stages = core.tree.stages(LOG).values()
    known = {line.rstrip() for stage in stages for line in stage.splitlines()}
    return all(line.rstrip() in known or line.startswith(_MARKS) for line in lies.splitlines())


def resolve(core: Core, id: str | None = None, *, accept: bool) -> EntriesResolved:
    """Accept the altered text of an entry, or restore its old text."""
    seen = look(core, options_of(core), thorough=True)
    assert_merged(core, seen.log)
    changed = dict(seen.sight.changed)
    moved = {one: block for one, _, block in seen.sight.moved}
    altered = list(dict.fromkeys((*changed, *seen.sight.missing, *moved)))
    if id is not None:
        altered = [one for one in altered if one.id == id]
    else:  # what its session has not committed yet is nobody else's to decide, unless named
        left = left_out(core, [one.id for one in seen.sight.missing])
        altered = [one for one in altered if one.id not in left]
    if not altered:
        raise _nothing(core, id, seen)
    stay = {*moved} - {*changed}  # their text is unchanged
    texts = {one.id: _old(one, seen) for one in altered if not accept and one not in stay}
    record(core, seen)
    if accept:
        accepted = [
            _accepted(core, one, seen, block=changed.get(one), moved=moved.get(one))
            for one in altered
        ]
        events = core.append("project", accepted)
    else:
        before = {event.id for event in core.events(RESTORED)}
        lies = core.tree.read(LOG)
        if lies is not None and (changed or moved):
            name = core.tree.set_aside(LOG, lies)
            core.notes.append(f"{LOG} as it was changed by hand is kept in {name}")
        core.tree.replace(LOG, _restored(seen, altered, texts), seen=lies)
        record(core, look(core, options_of(core), thorough=False))
        events = [one for one in core.events(RESTORED) if one.id not in before]
    _, drawn = draw_current(core, whole=True)
    redraw(core, drawn, options=options_of(core))
    return EntriesResolved(
        id=id or altered[0].id,
        ids=tuple(one.id for one in altered),
        status="accepted" if accept else "restored",
        events=tuple(event.id for event in events),
    )


def _nothing(core: Core, name: str | None, seen: Seen) -> NotFound | Refused:
    if name is None:
        return NotFound("no entry of the log was altered", "varves layers validate checks it")
    if any(one.id == name for one in seen.known):
        return Refused(f"{name} was not altered", "there is nothing to resolve")
    became = drafts.fate(core, name)
    if became is not None:
        return NotFound(f"{quoted(name)} is a draft that was {became}")
    hint = "varves layers validate lists what was altered"
    return NotFound(f"no entry {quoted(name)} of the log is known", hint)


def _accepted(
    core: Core, one: KnownEntry, seen: Seen, *, block: Block | None, moved: Block | None
) -> Draft:
    """Return the event that accepts a change, a removal or a new place."""
    if block is None and moved is None:
        gone = {"memory": one.id, "removed": True, "reason": "removed from the log"}
        return core.act().draft(LOG_AMENDED, gone)
    content: dict[str, Any] = {"memory": one.id, "set": {}}
    if block is not None:
        content["set"] = amending(core, block, options_of(core), ordinal=block.ordinal)
    if moved is not None:
        place = _place(seen.log, moved)
        content["after"] = seen.log.ordered[place - 1].name if place else ""
    return core.act().draft(LOG_AMENDED, content)


def _old(one: KnownEntry, seen: Seen) -> str:
    """Return the old text of an entry.

    Raises:
        Refused: the text was masked, and git does not have it either.
    """
    for block in seen.head.blocks if seen.head else ():
        if block.digest == one.digest:
            return block.text
    if digest_of(one.text) != one.digest:
        raise Refused(
            f"{one.id} was recorded with its secret masked, so its old text is not known",
            "take the text from git, or accept the change",
        )
    return one.text


def _told(one: NotTaken) -> str:
    """Format a side's change and its text."""
    return f"<!-- {one.side}: {one.why}: {one.title} -->\n{one.text.rstrip()}\n"


def _restored(seen: Seen, altered: Sequence[KnownEntry], texts: dict[str, str]) -> bytes:
    """Return the file with the old texts of entries, each in its old place."""
    log, known, sight = seen.log, seen.known, seen.sight
    if seen.lies is None:
        log = seen.head if seen.head is not None else parse(opening().encode())
        sight = see(known, log.ordered, seen.archive.ordered)
    there = {one.id: block for one, block in sight.changed} | sight.present
    names = {block.line: name for name, block in there.items()}
    pieces = {
        names.get(block.line, str(block.line)): (block.raw, block.gap) for block in log.ordered
    }
    order = list(pieces)
    for one in altered:
        if one.id in texts and one.id in pieces and one.id not in sight.present:
            pieces[one.id] = (_raw(texts[one.id], log.newline), pieces[one.id][1])
    if {one.id for one in altered} & {one.id for one, _, _ in sight.moved}:
        _reorder(order, known)
    for one in altered:
        if one.id in pieces:
            continue
        before, behind = neighbours(known, one.id, order)
        at = order.index(before) + 1 if before else order.index(behind) if behind else len(order)
        order.insert(at, one.id)
        pieces[one.id] = (_raw(texts[one.id], log.newline), log.newline)
    return _joined(log, [pieces[name] for name in order])


def _reorder(order: list[str], known: Sequence[KnownEntry]) -> None:
    """Put each entry behind the one that it was recorded after."""
    for one, before in predecessors(known, {*order}):
        if order.index(one.id) < order.index(before.id):
            order.remove(one.id)
            order.insert(order.index(before.id) + 1, one.id)


def _place(log: Changelog, block: Block) -> int:
    return next(place for place, one in enumerate(log.ordered) if one.line == block.line)


def _raw(text: str, newline: str) -> str:
    return text.rstrip("\n").replace("\n", newline) + newline


def _joined(log: Changelog, pieces: list[tuple[str, str]]) -> bytes:
    """Build the file with at least one blank line between two events."""
    ordered = pieces[::-1] if log.newest_first else pieces
    text, newline = log.preamble, log.newline
    for raw, gap in ordered:
        if text and not text.endswith(newline * 2):
            text += newline if text.endswith(newline) else newline * 2
        text += raw + gap
    if log.footer and not text.endswith(newline):
        text += newline
    whole = text + log.footer
    if not log.footer:
        whole = whole.rstrip("\r\n") + newline
    return whole.encode()
