"""The end of a session: events, views, one commit, a handoff; then its notes are deleted.

Everything that could stop the shutdown is checked before the first write. Then its planned work is
stored, so that a shutdown that crashed, or that a git hook stopped, continues when it is called
again.
"""

from __future__ import annotations

from varves.commands import intake
from varves.errors import NotFound, Refused, UsageError
from varves.protocols.layers import drafts, handing, journal
from varves.protocols.layers.adopting import ARCHIVE, LOG, MERGE
from varves.protocols.layers.appending import Appending, cleaned, ready, stamped
from varves.protocols.layers.booting import IGNORE
from varves.protocols.layers.composing import check, units, unsaid
from varves.protocols.layers.constraints import AGENTS, digest
from varves.protocols.layers.handing import (
    DONE,
    HandingOn,
    commit_handoff,
    lay_down,
    linked_by,
    untaken,
)
from varves.protocols.layers.journal import ShutdownJournal, Unit
from varves.protocols.layers.last_look import ground, note_look
from varves.protocols.layers.owners import RULES, leave_out, of_others
from varves.protocols.layers.reading import parse
from varves.protocols.layers.times import soonest_wrong
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, redraw
from varves.protocols.port import writes
from varves.values.instants import iso
from varves.values.text import counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.composing import PlannedEvent
    from varves.protocols.layers.keywords import CommitOptions
    from varves.protocols.layers.views import Drawn
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


class Closing(HandingOn, Appending):
    """The verb that ends a session."""

    @writes
    def shutdown(
        self,
        *,
        text: str | None = None,
        to: str | None = None,
        reason: str | None = None,
        commit: bool = True,
        **more: Unpack[CommitOptions],
    ) -> Closed:
        """Append the remaining events, rebuild the views, commit, hand over, and delete notes.

        An interrupted shutdown continues when it is called again, with or without the same text.

        Args:
            text: events in Markdown, each a unit of work; this session's drafts come before them.
            to: the agent that continues, if any.
            reason: session timeout, task complete (the default) or escalation.
            commit: whether to commit the log, the views and the files that this session's events
                link; git hooks run as for any commit.
            **more: files (more files for the commit), message (the commit's), and share, which
                commits the handoff too, so that it reaches other clones.

        Raises:
            Refused: a check failed; unless git itself refused the commit, nothing was written.
        """
        if unknown := sorted(more.keys() - _MORE.keys()):
            raise UsageError(
                f"shutdown has no option {unknown[0]!a}", "see varves layers shutdown --help"
            )
        wish = self._wish(text, to, reason=reason, commit=commit, **{**_MORE, **more})
        self._require_calm(wish)
        before = journal.load(self.core)
        if before is None:
            before = self._closed_by(wish)
        plan = self._plan(wish, before)
        return self._run(plan, resumed=before is not None)

    # Before the first write

    def _wish(
        self, text: str | None, to: str | None, *, reason: str | None, **given: Any
    ) -> ShutdownWish:
        """Read a caller's options; secrets are masked before any other use."""
        core = self.core
        if text is not None and not isinstance(text, str):
            raise UsageError("the events are not a string", "give them as Markdown")
        entries, _ = cleaned(core, units(text) if text is not None and text.strip() else [])
        for entry in entries:
            check(entry)
        core.notes += filter(None, map(unsaid, entries))
        message = given["message"]
        return ShutdownWish(
            entries=tuple(entries),
            to=None if to is None else core.clean(handing.receiver_named(to))[0],
            reason=None if reason is None else handing.known_reason(reason),
            commit=bool(given["commit"]),
            files=tuple(handing.paths_given(given["files"])),
            message=None if message is None else core.clean(intake.statement(message))[0],
            share=bool(given["share"]),
        )

    def _require_calm(self, wish: ShutdownWish) -> None:
        """Refuse the shutdown if something would stop a later step."""
        tree = self.core.tree
        content = tree.read(LOG)
        if content is None:
            raise NotFound(f"there is no {LOG}", "varves layers init creates it")
        log = self.log()
        if log.markers:
            line = log.markers[0]
            raise Refused(f"{LOG}:{line} is a conflict marker of git", f"{MERGE} resolves it")
        if not log.is_log:
            raise Refused(
                f"{LOG} contains no events of this protocol",
                "varves layers init --begin starts a log in it",
            )
        self._require_same_rules()
        if wish.share and (wish.to is None or not wish.commit):
            raise UsageError("--share needs a handoff and a commit", "give --to, omit --no-commit")
        if wish.commit:
            self._require_commit()
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

    def _require_same_rules(self) -> None:
        """Refuse a session whose rules changed while it ran."""
        note = self.booted() or {}
        if not isinstance(note.get("digest"), str):
            return
        content = self.core.tree.consult(AGENTS)
        if digest(content or b"") != note["digest"]:
            what = "is gone" if content is None else "has changed"
            raise Refused(
                f"{AGENTS} {what} since this session booted",
                "rules may change only between sessions: restore it, or run varves layers boot",
            )

    def _require_commit(self) -> None:
        tree = self.core.tree
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

    def _plan(self, wish: ShutdownWish, before: ShutdownJournal | None) -> ShutdownJournal:
        """Store the planned work of this shutdown, including that of an interrupted one."""
        core = self.core
        log = ready(core, self.options).log
        asked = [
            Unit(entry=drafts.entry_of(one), event="", draft=one.id) for one in drafts.waiting(core)
        ]
        asked += [Unit(entry=entry, event="") for entry in wish.entries]
        more = [
            unit.replace(
                entry=stamped(core, unit.entry, log, options=self.options),
                event=core.ids.event(core.now),
            )
            for unit in journal.missing(() if before is None else before.units, asked)
        ]
        fresh = tuple(journal.counted(more, log))
        if before is None:
            plan = ShutdownJournal(
                began=core.now,
                booted=self._has_booted(),
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

    def _closed_by(self, wish: ShutdownWish) -> ShutdownJournal | None:
        """Return the shutdown that has already done the requested work, if no boot followed.

        A caller that was killed before it got the answer calls again with the same events.
        """
        done = journal.closed(self.core)
        if done is None or not done.booted or self._has_booted() or not wish.entries:
            return None
        asked = [Unit(entry=entry, event="") for entry in wish.entries]
        if journal.missing(done.units, asked) or drafts.waiting(self.core):
            return None
        self.core.notes.append("an earlier shutdown appended these events; boot first")
        return done

    def _has_booted(self) -> bool:
        return "digest" in (self.booted() or {})

    def _run(self, plan: ShutdownJournal, *, resumed: bool) -> Closed:
        core, warnings = self.core, []
        waiting = None if plan.to is None else untaken(core, but=plan.handoff)
        if waiting is not None:
            warnings.append(f"the handoff to {waiting} was not accepted yet, and is replaced")
        context = core.tree.read(CONTEXT)
        plan = self._append(plan)
        log, here = self.log(), ground(core, self.options)
        drawn = draw(core, log, self.options)
        made = redraw(core, drawn, options=self.options)
        if here is not None and not log.upside_down(soonest_wrong(core.now, self.options.zone)):
            note_look(core, here, options=self.options, wrote={}, shown=drawn)
        warnings += [found.line for found in made.findings]
        warnings += self._unaccounted(plan, log)
        plan = self._look_round(plan, log)
        plan = self._commit(plan, log)
        plan = self._hand(plan, drawn, log)
        closed = Closed(
            appended=self._names(plan),
            graph=GRAPH in made.regenerated,
            context=core.tree.read(CONTEXT) != context,
            commit=plan.committed if plan.commit else None,
            committed=plan.made,
            to=plan.to,
            handoff=self._payload(plan),
            resumed=resumed,
            warnings=tuple(warnings),
        )
        journal.leave(core, plan, RULES)
        return closed

    # The steps

    def _append(self, plan: ShutdownJournal) -> ShutdownJournal:
        if plan.past("append"):
            return plan
        core = self.core
        left = journal.undone(core, plan.units, self.log())
        if left:
            self.add_whole([unit.entry for unit in left], events=[unit.event for unit in left])
        made = {unit.draft: core.rows().event(unit.event) for unit in plan.units if unit.draft}
        names = {name: str(one.data["memory"]) if one else None for name, one in made.items()}
        drafts.put_away(core, core.act(), names)
        return journal.save(core, plan.replace(step="views"))

    def _look_round(self, plan: ShutdownJournal, log: Changelog) -> ShutdownJournal:
        """Store the list of changed files, including views, before the commit."""
        if plan.past("views"):
            return plan
        blocks = self._own(plan, log)
        changed = self.modified(blocks, plan.files)
        seen = tuple(dict.fromkeys((*plan.modified, *changed)))
        done = plan.replace(step="commit", modified=seen, updated=bool(blocks))
        return journal.save(self.core, done)

    def _own(self, plan: ShutdownJournal, log: Changelog) -> list[Block]:
        """Return the events this session appended, including those of an interrupted shutdown."""
        rows = self.core.rows()
        events = [rows.event(unit.event) for unit in plan.units]
        own = {event.data.get("digest") for event in events if event is not None}
        own |= {block.digest for block in self.own_blocks(log)}
        return [block for block in log.blocks if block.digest in own]

    def _unaccounted(self, plan: ShutdownJournal, log: Changelog) -> list[str]:
        """Return a warning that lists the changed files to which no event of this session links."""
        known = {*OWN, *plan.files, *self._linked(plan, log)}
        found = [
            path
            for path in self.core.tree.changed()
            if path not in known
            and not path.startswith((".varves/", ".memory/"))
            and not (path.startswith(RENDERED) and path.endswith((".json", ".gitignore")))
        ]
        if not found:
            return []
        more = f" and {len(found) - _MANY} more" if len(found) > _MANY else ""
        return [f"changed, but not in any event of this session: {', '.join(found[:_MANY])}{more}"]

    def _linked(self, plan: ShutdownJournal, log: Changelog) -> set[str]:
        """Return the files that this session's events link."""
        return linked_by(self._own(plan, log))

    def _commit(self, plan: ShutdownJournal, log: Changelog) -> ShutdownJournal:
        if plan.past("commit"):
            return plan
        core = self.core
        made = None
        if plan.commit:
            linked = self._linked(plan, log) - {AGENTS}
            linked &= {*core.tree.changed()} if linked else set()
            paths = [*OWN, *sorted(linked | {*plan.files})]
            message = plan.message or _message(self._own(plan, log), plan.files)
            contents = self._without_others(log)
            try:
                made = core.tree.commit(paths, message, contents=contents)
            except Refused as fault:
                hint = "everything else is done; fix that, then run varves layers shutdown again"
                raise Refused(fault.message, f"{hint}; --no-commit leaves it out") from None
        there = made or core.tree.head() if plan.commit else None
        done = plan.replace(step="handoff", committed=there, made=plan.made or made is not None)
        return journal.save(core, done)

    def _without_others(self, log: Changelog) -> dict[str, bytes]:
        """Return the log and the views as they are without the events of other open sessions."""
        core, others = self.core, of_others(self.core, log)
        if not others:
            return {}
        leave_out(core, others)
        many = "events" if len(others) > 1 else "event"
        core.notes.append(
            f"{len(others)} {many} of other open sessions left for their own shutdown"
        )
        content = log.without(others)
        made = draw(core, parse(content), self.options, whole=True)
        return {LOG: content} | {path: text.encode() for path, text in made.texts.items()}

    def _hand(self, plan: ShutdownJournal, drawn: Drawn, log: Changelog) -> ShutdownJournal:
        if plan.past("handoff"):
            return plan
        if plan.to is not None:
            passing = (self.core.actor, plan.to, iso(plan.began), plan.reason)
            files = {
                "modified": [*plan.modified],
                "commit": plan.committed,
                "log_updated": plan.updated,
            }
            told = handing.handoff_content(passing, self.shared_state(drawn, log), files)
            lay_down(self.core, plan.handoff, told)
            if plan.share:
                commit_handoff(self.core, plan.to)
        return journal.save(self.core, plan.replace(step="leave"))

    def _payload(self, plan: ShutdownJournal) -> dict[str, Any] | None:
        made = None if plan.to is None else self.core.rows().event(plan.handoff)
        return None if made is None else handing.payload(made.data)

    def _names(self, plan: ShutdownJournal) -> tuple[str, ...]:
        """Return the memories of the events that were appended."""
        rows = self.core.rows()
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
