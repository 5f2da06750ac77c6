"""Hands work over: a payload is made from committed work, and its receiver accepts it once.

The payload names the commit that contains the work, so it is written after the commit and git
ignores it. A payload may come from any source: it is validated and returned unchanged.
"""

from __future__ import annotations

import json
import shlex
from hashlib import sha256

from varves.commands import intake
from varves.errors import NotFound, Refused, UnsafeName, UsageError
from varves.events.kinds import LOGGED
from varves.protocols import handoff
from varves.protocols.jsonfile import read_object
from varves.protocols.layers import drafts, journal
from varves.protocols.layers.adoption import ARCHIVE, LOG
from varves.protocols.layers.appends import ready
from varves.protocols.layers.context import event_line, narrate
from varves.protocols.layers.current_log import draw_current, log_of
from varves.protocols.layers.options import options_of
from varves.protocols.layers.owners import of_others
from varves.protocols.layers.parser import parse
from varves.protocols.layers.session_note import booted
from varves.protocols.layers.views import CONTEXT, draw, redraw
from varves.protocols.sessions import PRIVATE, PROJECT
from varves.protocols.unreadable import Unreadable
from varves.values.instants import iso
from varves.values.names import safe_path
from varves.values.text import counted, quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.drafts import Drafted
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

    Passing = tuple[str, str, str, str]
    """Sender, receiver, time and reason of a handoff."""

PLACE = ".memory/handoff.json"
REASONS = ("session timeout", "task complete", "escalation")
DONE = REASONS[1]
_KEYS: tuple[tuple[str, str, str, type | tuple[type, ...]], ...] = (
    ("handoff", "from", "from", str),
    ("handoff", "to", "to", str),
    ("handoff", "timestamp", "time", str),
    ("handoff", "reason", "reason", str),
    ("state", "recent_events", "events", list),
    ("state", "active_entities", "entities", list),
    ("state", "blockers", "blockers", list),
    ("state", "next_actions", "next", list),
    ("files", "modified", "modified", list),
    ("files", "committed", "commit", (str, type(None))),
    ("files", "changelog_updated", "log_updated", bool),
)
"""Each published part and key, the key of the event that has its value, and its type."""
_LONGEST = 1 << 22  # bytes; no handoff is larger


class Handed(Value):
    """A payload that waits for its receiver."""

    event: str
    to: str
    path: str
    payload: dict[str, Any]
    """As published: handoff, state, files."""
    warnings: tuple[str, ...] = ()


class HandoffTaken(Value):
    """The payload for its receiver, accepted now or before."""

    status: str
    """`accepted` the first time, `consumed` from then on."""
    payload: dict[str, Any]
    context: str
    """The state of the work: the current context.md."""
    event: str | None
    """The event by which it was consumed."""
    consumed_by: str
    consumed_at: str
    warnings: tuple[str, ...] = ()


def handoff_content(
    passing: Passing, state: dict[str, list[str]], files: dict[str, Any]
) -> dict[str, Any]:
    """Return the content of the event that records a handoff.

    Args:
        passing: sender, receiver, time and reason.
        state: the state of the work, from the context: events, entities, blockers, next.
        files: the state of the files: modified, commit, log_updated.
    """
    sender, to, time, reason = passing
    content = {"from": sender, "to": to, "time": time, "reason": reason, **state, **files}
    return {**content, "digest": digest(payload(content))}


def payload(content: dict[str, Any]) -> dict[str, Any]:
    """Return the payload for the content of an event; parts that the event omits are empty."""
    document: dict[str, Any] = {}
    for part, key, name, kind in _KEYS:
        empty = kind() if isinstance(kind, type) else None
        document.setdefault(part, {})[key] = content.get(name, empty)
    return document


def written(document: dict[str, Any]) -> bytes:
    """Format a payload as the file contains it."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def digest(document: dict[str, Any]) -> str:
    """Return a digest of a payload that does not depend on its layout in the file."""
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def read_handoff(content: bytes) -> dict[str, Any]:
    """Parse a payload; unknown keys are kept.

    Raises:
        Refused: the content is not a handoff.
    """
    if len(content) > _LONGEST:
        raise _unreadable(f"it has {len(content)} bytes")
    try:
        document = read_object(content)
    except Unreadable as fault:
        raise _unreadable(str(fault)) from None
    for name, key, _, kind in _KEYS:
        part = document.get(name)
        if not isinstance(part, dict):
            raise _unreadable(f"{name} is missing or not an object")
        if key not in part or not isinstance(part[key], kind):
            raise _unreadable(f"{name}.{key} is missing or has the wrong type")
    return document


def _unreadable(why: str) -> Refused:
    return Refused(f"{PLACE} is not a handoff: {why}", "create it again: varves layers shutdown")


def known_reason(reason: object) -> str:
    """Return the reason if it is one of the three published ones.

    Raises:
        Refused: the reason is unknown.
    """
    if reason not in REASONS:
        raise Refused(f"unknown reason {quoted(reason)}", f"use one of {', '.join(REASONS)}")
    return str(reason)


def receiver_named(to: object) -> str:
    """Return the receiver's name."""
    if not isinstance(to, str):
        raise UsageError("the receiver is not a string", "give --to a name")
    return intake.statement(to).strip()


def paths_given(given: Sequence[str] | object) -> list[str]:
    """Return the additional files that a caller names."""
    from varves.values.names import safe_path

    if isinstance(given, str) or not isinstance(given, (list, tuple)):
        raise UsageError("files is not a list of paths", "give a list of paths")
    return [safe_path(str(one), "file") for one in given]


_FOLDER = ".memory/"
_LOGS = (LOG, ARCHIVE)
_FEW = 10  # events or paths that are named in one line


def waiting_drafts(core: Core) -> tuple[Drafted, ...]:
    """Return the events this session will append at its shutdown, and note those of others."""
    others = drafts.of_others(core)
    if others:
        each = (f"session {one.session}" if one.session else one.created_by for one in others)
        owners = ", ".join(dict.fromkeys(each))
        core.notes.append(
            f"{counted(len(others), 'draft')} of other open sessions: {owners}"
            " (if it crashed, run varves layers shutdown under that name)"
        )
    return tuple(drafts.shown(one) for one in drafts.waiting(core))


def hand_over(core: Core, *, to: str, reason: str, share: bool = False) -> Handed:
    """Hand over committed work to another agent."""
    reason = known_reason(reason)
    receiver = core.clean(receiver_named(to))[0]
    _require_complete(core, receiver)
    log = ready(core, options_of(core)).log
    drawn = draw(core, log, options_of(core))
    made = redraw(core, drawn, options=options_of(core))
    warnings = [found.line for found in made.findings]
    waiting = untaken(core)
    if waiting is not None:
        warnings.append(f"the handoff to {waiting} was not accepted yet, and is replaced")
    warnings += _uncommitted(core, log)
    files = _committed_files(core, log)
    passing = (core.actor, receiver, iso(core.now), reason)
    told = handoff_content(passing, shared_state(core, drawn, log), files)
    event = core.ids.event(core.now)
    lay_down(core, event, told)
    if share:
        commit_handoff(core, receiver)
    return Handed(
        event=event,
        to=receiver,
        path=PLACE,
        payload=payload(told),
        warnings=tuple(warnings),
    )


def _require_complete(core: Core, to: str) -> None:
    """Refuse to write a payload before the work is committed."""
    tree, hint = core.tree, f"varves layers shutdown --to {to} does it all"
    if drafts.waiting(core):
        raise Refused("this session has drafts that are not appended", hint)
    if tree.read(LOG) is None:
        raise NotFound(f"there is no {LOG}", "varves layers init creates it")
    log = log_of(core)
    own = log.without(of_others(core, log))
    if tree.has_git() and own.rstrip() != (tree.committed(LOG) or b"").rstrip():
        raise Refused(f"{LOG} has uncommitted changes", hint)


def accept(core: Core) -> HandoffTaken:
    """Accept a handoff; only its receiver can do so, and only once.

    Raises:
        NotFound: there is no handoff.
        Refused: the file is not a handoff, was accepted before, or is for another agent.
    """
    content = core.tree.read(PLACE)
    if content is None:
        raise NotFound("there is no handoff", "varves layers shutdown --to AGENT creates one")
    document = read_handoff(content)
    known = digest(document)
    _require_mine(core, document["handoff"]["to"], handoff.taken(core, digest=known))
    made = handoff.made(core, digest=known)[-1:]
    shared = bool(core.tree.version(PLACE))  # other clones must learn of it
    act, log = core.act(), PROJECT if shared else PRIVATE
    taken = handoff.take(core, act, made[0] if made else None, {"digest": known}, log=log)
    commit = document["files"]["committed"]
    unknown = commit and core.tree.has_git() and core.tree.committed(LOG, commit) is None
    warning = f"commit {commit} with its {LOG} is not in this repository: fetch it first"
    return HandoffTaken(
        status="accepted",
        payload=document,
        context=draw_current(core)[1].texts[CONTEXT],
        event=taken.id,
        consumed_by=taken.actor,
        consumed_at=taken.time,
        warnings=(warning,) if unknown else (),
    )


def _require_mine(core: Core, to: str, taken: Event | None) -> None:
    """Refuse a handoff that was consumed before, or that is for another agent."""
    if taken is not None:
        raise Refused(
            f"the handoff to {to} is consumed: {taken.actor} accepted it at {taken.time}",
            f"it still lies in {PLACE}; varves layers boot shows the current state",
        )
    me = core.actor
    if to.strip().casefold() != me.strip().casefold():
        raise Refused(
            f"the handoff is for {to}, not for {me}",
            f"varves --actor {shlex.quote(to)} layers accept accepts it as {to}",
        )


def shared_state(core: Core, drawn: Drawn, log: Changelog) -> dict[str, list[str]]:
    """Return the state of the work without uncommitted events of other open sessions."""
    others = of_others(core, log) if core.tree.has_git() else ()
    if others:
        drawn = draw(core, parse(log.without(others)), options_of(core), whole=True)
    return state_of(drawn.log, drawn.graph, options_of(core))


def _committed_files(core: Core, log: Changelog) -> dict[str, Any]:
    """Return the files of a handoff, including those that a finished shutdown committed."""
    blocks, head = own_blocks(core, log), core.tree.head()
    modified, updated = modified_files(core, blocks), bool(blocks)
    done = None if "digest" in (booted(core) or {}) else journal.closed(core)
    if done is not None:
        updated = updated or done.updated
    elif not blocks:
        last = journal.latest(core)  # its commit is handed over, whoever made it
        done = last if last is not None and head and last.committed == head else None
    if done is not None:
        modified = tuple(sorted({*modified, *done.modified}))
    return {"modified": [*modified], "commit": head, "log_updated": updated}


# This session's work


def modified_files(
    core: Core, blocks: Iterable[Block], more: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the files that this session changed, committed or not.

    They are the protocol's own files, those that its events link, and `more`. For other changed
    files it is unknown who changed them.
    """
    since = (booted(core) or {}).get("head")
    linked = linked_by(blocks)
    found = {path for path in linked if isinstance(since, str) and _differs(core, path, since)}
    changed = core.tree.changed()
    found |= meant_by({*linked, *more}, changed)
    found |= {path for path in changed if path in _LOGS or path.startswith(_FOLDER)}
    return tuple(sorted(found))


def meant_by(links: Iterable[str], paths: Iterable[str]) -> set[str]:
    """Return the paths that links name, as a file or by a folder that contains it."""
    names = {*links}
    return {path for path in paths if path in names or not names.isdisjoint(_folders_of(path))}


def _folders_of(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _differs(core: Core, path: str, since: str) -> bool:
    try:
        here = core.tree.read(path)
    except Refused:  # a folder or a symbolic link
        return False
    return here != core.tree.committed(path, since)


def _uncommitted(core: Core, log: Changelog) -> list[str]:
    """Return warnings about work that the commit of a handoff does not contain."""
    tree = core.tree
    if not tree.has_git():
        return ["there is no git repository: the handoff names no commit"]
    said = []
    others = of_others(core, log)
    if others:
        titles = ", ".join(quoted(block.title) for block in others[:_FEW])
        said.append(
            f"{counted(len(others), 'event')} of other open sessions not committed: {titles}"
        )
    left = [one for one in tree.changed() if one != LOG and not one.startswith(".varves/")]
    if left:
        more = f" and {len(left) - _FEW} more" if len(left) > _FEW else ""
        said.append(f"changed, but not committed: {', '.join(left[:_FEW])}{more}")
    return said


def own_blocks(core: Core, log: Changelog) -> list[Block]:
    """Return the events of the log that this session appended since its boot."""
    note = booted(core) or {}
    noted, began = set(note.get("appended", ())), str(note.get("at", ""))
    digests = {
        event.data.get("digest")
        for event in core.events(LOGGED)
        if event.data.get("memory") in noted
        or (core.session is not None and event.session == core.session and event.time >= began)
    }
    return [block for block in log.blocks if block.digest in digests]


def state_of(log: Changelog, graph: Graph, options: LayersOptions) -> dict[str, list[str]]:
    """Return the state of the work, in the words of the context."""
    told = narrate(log, graph, options)
    recent = log.ordered[-options.handoff_events :][::-1]
    return {
        "events": [event_line(block) for block in recent],
        "entities": [*told.active],
        "blockers": [*told.blockers],
        "next": [*told.actions],
    }


def linked_by(blocks: Iterable[Block]) -> set[str]:
    """Return the project's files that events link."""
    links = {path for block in blocks for path in block.files}
    return {path for path in map(inside, links) if path is not None}


def inside(link: str) -> str | None:
    """Return the path of the file or folder that a link points to, as git writes it, or None."""
    try:
        return safe_path(link.removesuffix("/"), "file")
    except UnsafeName:
        return None


def lay_down(core: Core, event: str, told: dict[str, Any]) -> None:
    """Record a handoff and write its payload; a recorded handoff is not changed."""
    made = handoff.leave(core, core.act(), told, event=event)
    content = written(payload(made.data))
    core.tree.replace(PLACE, content, seen=core.tree.read(PLACE))


def commit_handoff(core: Core, to: str) -> None:
    """Commit the payload, which git otherwise ignores."""
    if not core.tree.has_git():
        raise Refused("there is no git repository to share the handoff in", "leave out --share")
    core.tree.commit([PLACE], f"Hand over to {to}", ignored=True)


def untaken(core: Core, *, but: str | None = None) -> str | None:
    """Return the receiver of a handoff that was not accepted yet; None if no handoff waits."""
    content = core.tree.read(PLACE)
    if content is None:
        return None
    try:
        document = read_handoff(content)
    except Refused:
        return None
    known = digest(document)
    own = but in [one.id for one in handoff.made(core, digest=known)]
    if own or handoff.taken(core, digest=known) is not None:
        return None
    return str(document["handoff"]["to"])
