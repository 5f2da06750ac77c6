"""The end of a session: events, views, one commit, a handoff; then its notes are deleted.

Everything that could stop the shutdown is checked before the first write. Then its planned work is
stored, so that a shutdown that crashed, or that a git hook stopped, continues when it is called
again.
"""

from __future__ import annotations

from varves.commands import intake
from varves.errors import NotFound, Refused, UsageError
from varves.protocols.layers import drafts, handoffs, journal
from varves.protocols.layers.adoption import ARCHIVE, LOG, MERGE
from varves.protocols.layers.appends import add_whole, cleaned, ready, stamped
from varves.protocols.layers.boot import IGNORE
from varves.protocols.layers.composition import check, units, unsaid
from varves.protocols.layers.constraints import AGENTS, digest
from varves.protocols.layers.current_log import assert_merged, log_of
from varves.protocols.layers.handoffs import (
    DONE,
    commit_handoff,
    lay_down,
    linked_by,
    meant_by,
    modified_files,
    own_blocks,
    shared_state,
    untaken,
)
from varves.protocols.layers.journal import ShutdownJournal, Unit
from varves.protocols.layers.last_look import ground, note_look
from varves.protocols.layers.options import options_of
from varves.protocols.layers.owners import leave_out, of_others, whose
from varves.protocols.layers.parser import parse
from varves.protocols.layers.session_note import RULES, booted
from varves.protocols.layers.times import soonest_wrong
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, redraw
from varves.values.instants import iso
from varves.values.text import counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.composition import PlannedEvent
    from varves.protocols.layers.keywords import CommitOptions
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core
    from varves.values.answers import RecordConflict

OWN = (
    *(LOG, ARCHIVE, *VIEWS, IGNORE, ".varves/format.json", ".varves/.gitignore"),
    *(".varves/.gitattributes", ".varves/log"),
)
RENDERED = ("memory/", "_mdan/state/", "deliberations/")  # the folders of other protocols' files
NO_COMMIT = "fix that, or skip the commit with --no-commit"
_MORE: dict[str, Any] = {"files": (), "message": None, "share": False}
_MANY = 10  # paths that are named in one line
# letters and events in a commit's message, which is passed to git as one argument
_TITLE, _LISTED = 200, 50


class Closed(Value):
    """A session that ended."""

    appended: tuple[str, ...]
    """The memories of the events it appended now, including drafts."""
    graph: bool
    """Whether graph.md was written."""
    context: bool
    commit: str | None
    """The commit that contains the session's work; None if it was left out."""
    committed: bool
    """Whether the commit was made now; otherwise there was nothing to commit."""
    to: str | None
    handoff: dict[str, Any] | None
    """The payload, if there is a receiver."""
    resumed: bool
    """Whether it continued an interrupted shutdown."""
    warnings: tuple[str, ...]
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class ShutdownWish(Value):
    """The options of a shutdown, masked and complete."""

    entries: tuple[PlannedEvent, ...]
    to: str | None
    reason: str | None
    commit: bool
    files: tuple[str, ...]
    message: str | None
    share: bool


def shutdown(
    core: Core,
    *,
    text: str | None = None,
    to: str | None = None,
    reason: str | None = None,
    commit: bool = True,
    **more: Unpack[CommitOptions],
) -> Closed:
    """Append the remaining events, rebuild the views, commit, hand over, and delete notes.

    An interrupted shutdown continues when it is called again, with or without the same text.
    """
    if unknown := sorted(more.keys() - _MORE.keys()):
        raise UsageError(
            f"shutdown has no option {unknown[0]!a}", "see varves layers shutdown --help"
        )
    wish = _wish(core, text, to, reason=reason, commit=commit, **{**_MORE, **more})
    _require_calm(core, wish)
    before = journal.load(core)
    if before is None:
        before = _closed_by(core, wish)
    plan = _plan(core, wish, before)
    return _run(core, plan, resumed=before is not None)


# Before the first write


def _wish(
    core: Core, text: str | None, to: str | None, *, reason: str | None, **given: Any
) -> ShutdownWish:
    """Read a caller's options; secrets are masked before any other use."""
    if text is not None and not isinstance(text, str):
        raise UsageError("the events are not a string", "give them as Markdown")
    entries, _ = cleaned(core, units(text) if text is not None and text.strip() else [])
    for entry in entries:
        check(entry)
    core.notes += filter(None, map(unsaid, entries))
    message = given["message"]
    return ShutdownWish(
        entries=tuple(entries),
        to=None if to is None else core.clean(handoffs.receiver_named(to))[0],
        reason=None if reason is None else handoffs.known_reason(reason),
        commit=bool(given["commit"]),
        files=tuple(handoffs.paths_given(given["files"])),
        message=None if message is None else core.clean(intake.statement(message))[0],
        share=bool(given["share"]),
    )


def _require_calm(core: Core, wish: ShutdownWish) -> None:
    """Refuse the shutdown if something would stop a later step."""
    tree = core.tree
    content = tree.read(LOG)
    if content is None:
        raise NotFound(f"there is no {LOG}", "varves layers init creates it")
    log = log_of(core)
    assert_merged(core, log)
    if not log.is_log:
        raise Refused(
            f"{LOG} contains no events of this protocol",
            "varves layers init --begin starts a log in it",
        )
    _require_same_rules(core)
    if wish.share and (wish.to is None or not wish.commit):
        raise UsageError("--share needs a handoff and a commit", "give --to, omit --no-commit")
    if wish.commit:
        _require_commit(core)
    elif wish.to is not None and tree.has_git():
        raise Refused(
            "a handoff needs a commit that contains the work, but --no-commit is given",
            "commit it yourself, then varves layers handoff",
        )
    for path in wish.files:
        if path.casefold() == AGENTS.casefold():
            raise Refused(
                f"{AGENTS} cannot be part of a session's commit: agents do not change rules",
                "leave it out; a person commits it with git",
            )
        if tree.has_git() and tree.read(path) is None and tree.committed(path) is None:
            raise NotFound(f"there is no file {path}", "give paths of files in the project")


def _require_same_rules(core: Core) -> None:
    """Refuse a session whose rules changed while it ran."""
    note = booted(core) or {}
    if not isinstance(note.get("digest"), str):
        return
    content = core.tree.consult(AGENTS)
    if digest(content or b"") != note["digest"]:
        what = "is gone" if content is None else "has changed"
        raise Refused(
            f"{AGENTS} {what} since this session booted",
            "rules may change only between sessions: restore it, or run varves layers boot",
        )


def _require_commit(core: Core) -> None:
    tree = core.tree
    if not tree.has_git():
        raise Refused("there is no git repository to commit to", NO_COMMIT)
    if tree.joining():
        raise Refused("a merge or rebase is in progress in git", f"finish it first, or {MERGE}")
    if tree.branch() is None:
        raise Refused("HEAD is detached: a commit would be on no branch", NO_COMMIT)
    anonymous = tree.anonymous()
    if anonymous:
        raise Refused(
            f"git has no name and email for the commit: {anonymous}",
            "set them with git config user.name and user.email, or use --no-commit",
        )


# Planning


def _plan(core: Core, wish: ShutdownWish, before: ShutdownJournal | None) -> ShutdownJournal:
    """Store the planned work of this shutdown, including that of an interrupted one."""
    log = ready(core, options_of(core)).log
    asked = [
        Unit(entry=drafts.entry_of(one), event="", draft=one.id) for one in drafts.waiting(core)
    ]
    asked += [Unit(entry=entry, event="") for entry in wish.entries]
    more = [
        unit.replace(
            entry=stamped(core, unit.entry, log, options=options_of(core)),
            event=core.ids.event(core.now),
        )
        for unit in journal.missing(() if before is None else before.units, asked)
    ]
    fresh = tuple(journal.counted(more, log))
    if before is None:
        plan = ShutdownJournal(
            began=core.now,
            booted=_has_booted(core),
            units=fresh,
            to=wish.to,
            reason=wish.reason or DONE,
            message=wish.message,
            commit=wish.commit,
            share=wish.share,
            files=wish.files,
            handoff=core.ids.event(core.now),
        )
    else:
        plan = before.replace(
            units=(*before.units, *fresh),
            to=wish.to or before.to,
            reason=wish.reason or before.reason,
            message=wish.message or before.message,
            commit=wish.commit and before.commit,
            share=wish.share or before.share,
            files=tuple(dict.fromkeys((*before.files, *wish.files))),
            step=journal.STEPS[0] if fresh else before.step,
        )
    return plan if plan == before else journal.save(core, plan)


def _closed_by(core: Core, wish: ShutdownWish) -> ShutdownJournal | None:
    """Return the shutdown that has already done the requested work, if no boot followed.

    A caller that was killed before it got the answer calls again with the same events.
    """
    done = journal.closed(core)
    if done is None or not done.booted or _has_booted(core) or not wish.entries:
        return None
    asked = [Unit(entry=entry, event="") for entry in wish.entries]
    if journal.missing(done.units, asked) or drafts.waiting(core):
        return None
    core.notes.append("an earlier shutdown appended these events; boot first")
    return done


def _has_booted(core: Core) -> bool:
    return "digest" in (booted(core) or {})


def _run(core: Core, plan: ShutdownJournal, *, resumed: bool) -> Closed:
    warnings = []
    waiting = None if plan.to is None else untaken(core, but=plan.handoff)
    if waiting is not None:
        warnings.append(f"the handoff to {waiting} was not accepted yet, and is replaced")
    context = core.tree.read(CONTEXT)
    plan = _append(core, plan)
    log, here = log_of(core), ground(core, options_of(core))
    drawn = draw(core, log, options_of(core))
    made = redraw(core, drawn, options=options_of(core))
    if here is not None and not log.upside_down(soonest_wrong(core.now, options_of(core).zone)):
        note_look(core, here, options=options_of(core), wrote={}, shown=drawn)
    warnings += [found.line for found in made.findings]
    warnings += _unaccounted(core, plan, log)
    plan = _look_round(core, plan, log)
    plan = _commit(core, plan, log)
    plan = _hand(core, plan, drawn, log)
    closed = Closed(
        appended=_names(core, plan),
        graph=GRAPH in made.regenerated,
        context=core.tree.read(CONTEXT) != context,
        commit=plan.committed if plan.commit else None,
        committed=plan.made,
        to=plan.to,
        handoff=_payload(core, plan),
        resumed=resumed,
        warnings=tuple(warnings),
    )
    journal.leave(core, plan, RULES)
    return closed


# The steps


def _append(core: Core, plan: ShutdownJournal) -> ShutdownJournal:
    if plan.past("append"):
        return plan
    left = journal.undone(core, plan.units, log_of(core))
    if left:
        add_whole(core, [unit.entry for unit in left], events=[unit.event for unit in left])
    made = {unit.draft: core.rows().event(unit.event) for unit in plan.units if unit.draft}
    names = {name: str(one.data["memory"]) if one else None for name, one in made.items()}
    drafts.put_away(core, core.act(), names)
    return journal.save(core, plan.replace(step="views"))


def _look_round(core: Core, plan: ShutdownJournal, log: Changelog) -> ShutdownJournal:
    """Store the list of changed files, including views, before the commit."""
    if plan.past("views"):
        return plan
    blocks = _own(core, plan, log)
    changed = modified_files(core, blocks, plan.files)
    seen = tuple(dict.fromkeys((*plan.modified, *changed)))
    done = plan.replace(step="commit", modified=seen, updated=bool(blocks))
    return journal.save(core, done)


def _own(core: Core, plan: ShutdownJournal, log: Changelog) -> list[Block]:
    """Return the events this session appended, including those of an interrupted shutdown."""
    rows = core.rows()
    events = [rows.event(unit.event) for unit in plan.units]
    own = {event.data.get("digest") for event in events if event is not None}
    own |= {block.digest for block in own_blocks(core, log)}
    return [block for block in log.blocks if block.digest in own]


def _unaccounted(core: Core, plan: ShutdownJournal, log: Changelog) -> list[str]:
    """Return a warning that lists the changed files to which no event of this session links."""
    changed = core.tree.changed()
    known = {*OWN, *meant_by({*plan.files, *_linked(core, plan, log)}, changed)}
    found = [
        path
        for path in changed
        if path not in known
        and not path.startswith((".varves/", ".memory/"))
        and not (path.startswith(RENDERED) and path.endswith((".json", ".gitignore")))
    ]
    if not found:
        return []
    more = f" and {len(found) - _MANY} more" if len(found) > _MANY else ""
    return [f"changed, but not in any event of this session: {', '.join(found[:_MANY])}{more}"]


def _linked(core: Core, plan: ShutdownJournal, log: Changelog) -> set[str]:
    """Return the files that this session's events link."""
    return linked_by(_own(core, plan, log))


def _commit(core: Core, plan: ShutdownJournal, log: Changelog) -> ShutdownJournal:
    if plan.past("commit"):
        return plan
    made = None
    if plan.commit:
        linked = _linked(core, plan, log)
        linked = meant_by(linked, core.tree.changed()) - {AGENTS} if linked else linked
        paths = [*OWN, *sorted(linked | {*plan.files})]
        message = plan.message or _message(_own(core, plan, log), plan.files)
        contents = _without_others(core, log)
        try:
            made = core.tree.commit(paths, message, contents=contents)
        except Refused as fault:
            hint = "everything else is done; fix that, then run varves layers shutdown again"
            raise Refused(fault.message, f"{hint}; --no-commit leaves it out") from None
    there = made or core.tree.head() if plan.commit else None
    done = plan.replace(step="handoff", committed=there, made=plan.made or made is not None)
    return journal.save(core, done)


def _without_others(core: Core, log: Changelog) -> dict[str, bytes]:
    """Return the log and the views as they are without the events of other open sessions."""
    others = of_others(core, log)
    if not others:
        return {}
    leave_out(core, others)
    many = "events" if len(others) > 1 else "event"
    core.notes.append(
        f"{len(others)} {many} of other open sessions left for their own shutdown:"
        f" {whose(core, others)} (if it crashed, run varves layers shutdown under that name)"
    )
    content = log.without(others)
    made = draw(core, parse(content), options_of(core), whole=True)
    return {LOG: content} | {path: text.encode() for path, text in made.texts.items()}


def _hand(core: Core, plan: ShutdownJournal, drawn: Drawn, log: Changelog) -> ShutdownJournal:
    if plan.past("handoff"):
        return plan
    if plan.to is not None:
        passing = (core.actor, plan.to, iso(plan.began), plan.reason)
        files = {
            "modified": [*plan.modified],
            "commit": plan.committed,
            "log_updated": plan.updated,
        }
        told = handoffs.handoff_content(passing, shared_state(core, drawn, log), files)
        lay_down(core, plan.handoff, told)
        if plan.share:
            commit_handoff(core, plan.to)
    return journal.save(core, plan.replace(step="leave"))


def _payload(core: Core, plan: ShutdownJournal) -> dict[str, Any] | None:
    made = None if plan.to is None else core.rows().event(plan.handoff)
    return None if made is None else handoffs.payload(made.data)


def _names(core: Core, plan: ShutdownJournal) -> tuple[str, ...]:
    """Return the memories of the events that were appended."""
    rows = core.rows()
    events = [rows.event(unit.event) for unit in plan.units]
    return tuple(event.data["memory"] for event in events if event is not None)


def _message(blocks: Sequence[Block], files: Sequence[str]) -> str:
    """Return the default message of a commit."""
    titles = [" ".join(block.title.split())[:_TITLE] for block in blocks]
    if not titles and files:
        more = f" and {counted(len(files) - 1, 'more file')}" if len(files) > 1 else ""
        return f"Update {files[0][:_TITLE]}{more}"
    if not titles:
        return "Bring graph and context up to date"
    if len(titles) == 1:
        return titles[0]
    return "\n".join(
        (
            f"{titles[-1]}, and {len(titles) - 1} more",
            "",
            *(f"- {one}" for one in titles[-_LISTED:]),
        )
    )
