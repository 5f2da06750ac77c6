"""Scoped memory: session, project, global and team memory in readable files.

Each public method is a verb of the published protocol; the command line uses the same names.
"""

from __future__ import annotations

from varves.commands.forget import Forget, Restore, decide_forget, decide_restore
from varves.commands.intake import confidence as sureness
from varves.commands.intake import statement, word
from varves.errors import Refused, UsageError
from varves.protocols.port import reads, writes
from varves.protocols.scoped import prompts, validate
from varves.protocols.scoped.answers import (
    Aged,
    Dispute,
    Entries,
    EntryLine,
    Forgotten,
    Prompt,
    Ranked,
    ScopedFolders,
)
from varves.protocols.scoped.codec import ADOPTED, IGNORED, File, folded_keys
from varves.protocols.scoped.entries import TYPES
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.injection import Shade, parted, speaking_of
from varves.protocols.scoped.options import CONFIDENCE, STALE
from varves.protocols.scoped.places import (
    FOLDERS,
    GLOBAL,
    PROJECT,
    SESSION,
    TEAM,
    name_of,
    path_of,
    split,
)
from varves.protocols.scoped.search import holding
from varves.protocols.scoped.session_verbs import SessionVerbs
from varves.protocols.scoped.sessions import unread
from varves.protocols.scoped.subjects import meant
from varves.protocols.scoped.wish import ScopedWish, fixes, rare, store
from varves.values.ids import is_memory_id
from varves.values.instants import duration, instant, iso
from varves.values.text import counted, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Unpack

    from varves.protocols.scoped.answers import StoredEntry
    from varves.protocols.scoped.keywords import WriteOptions
    from varves.protocols.scoped.search import RelevanceScore
    from varves.values.answers import Finding
    from varves.values.memory import Memory

_WRITE = {
    *("type", "content", "confidence", "override_global", "overrides", "force", "again"),
    "allow_secret",
}


class Scoped(SessionVerbs):
    """The verbs of scoped memory for one opened ledger."""

    name = "scoped"
    prompt_mark = prompts.BEGIN

    @reads
    def read(self, scope: str, id: str | None = None, *, type: str | None = None) -> Entries:
        """Return the entries of one scope; each counts as read.

        Args:
            scope: session, project, team or global.
            id: the project or team; by default the current project, or the only team.
            type: return only entries of this type.
        """
        kind = None if type is None else _type(type)
        where = self._readable(scope, id)
        held = Holdings(self.core, scope=where)
        found = [one for one in held.standing(where) if kind in (None, one.type)]
        if not found:
            self._missing(Holdings(self.core, lean=True), where)
        found.sort(key=lambda one: held.numbers(where).shown[one.id])
        self.core.told("scoped read", [one.id for one in found])  # before the lines count it
        lines = tuple(held.line(one) for one in found)
        return Entries(scope=where, path=path_of(where), entries=lines)

    @reads
    def list(
        self, scope: str | None = None, id: str | None = None, *, type: str | None = None
    ) -> tuple[EntryLine, ...]:
        """Return entries by scope and number; none of them counts as read.

        Args:
            scope: only this scope; by default the session, the current project, all teams and
                global.
            id: the project or team.
            type: return only entries of this type.
        """
        kind = None if type is None else _type(type)
        held = Holdings(self.core)
        if scope is not None:
            level, name = split(scope, id)
            several = level == TEAM and name is None
            scopes = held.scopes(TEAM) if several else [self._readable(scope, id)]
        else:
            own = self._session()
            scopes = [f"{SESSION}:{own.name}"] if own is not None else []
            scopes += [f"{PROJECT}:{self._project()}", *held.scopes(TEAM), GLOBAL]
        found = [
            one
            for where in scopes
            for one in sorted(held.standing(where), key=held.label)
            if kind in (None, one.type)
        ]
        if scope is not None and not found:
            self._missing(held, *scopes)
        return tuple(held.line(one) for one in found)

    @writes
    def write(
        self,
        scope: str,
        id: str | None = None,
        **options: Unpack[WriteOptions],
    ) -> StoredEntry:
        """Store one entry and return it with its number.

        Args:
            scope: session, project, team or global.
            id: the project or team; by default the current project, or the only team.
            **options: type (decision, convention, pattern or preference) and content are required;
                confidence is from 0 to 1 (default 0.9); override_global hides, in this scope, the
                global entry about the same subject, and overrides the one with that number; force
                accepts a global entry with a lower
                confidence than the settings require; again accepts a value that was rejected;
                allow_secret disables masking.

        Raises:
            Refused: the entry is global and its confidence is too low.
            Rejected: the value was rejected before and `again` is not set.
        """
        if unknown := options.keys() - _WRITE:
            raise UsageError(f"unknown option {min(unknown)!a}", "see varves scoped write --help")
        secret = bool(options.get("allow_secret"))
        text, redacted = self.core.clean(statement(options.get("content")), allow_secret=secret)
        sure = sureness(options.get("confidence"))
        wish = ScopedWish(
            text=text,
            scope=self._scope(scope, id),
            type=_type(options.get("type")),
            confidence=CONFIDENCE if sure is None else sure,
            again=bool(options.get("again")),
            redacted=redacted,
        )
        wish = rare(wish, self._options, force=bool(options.get("force")))
        session = None
        if wish.scope.startswith(SESSION):
            self._readable(wish.scope, None, use="write to")
            session = self._own_session(wish.scope.partition(":")[2]).name
        named = word(options.get("overrides"), "overrides")
        override = bool(options.get("override_global")) or named is not None
        wish, notices = self._across(wish, override=override, named=named)
        done = store(self.core, wish, self._act(session))
        return done.replace(notices=notices)

    def _readable(self, scope: str, name: str | None, *, use: str = "read") -> str:
        """Return the requested scope; a session's memory is only that session's.

        Without `--session`, a running session of the actor may be named by its id.
        """
        where = self._scope(scope, name)
        if not where.startswith(SESSION):
            return where
        own, asked = self._session(), where.partition(":")[2]
        named = self._sessions().get(asked)
        free = self.core.session is None and named is not None and named.running
        if asked != (own.name if own else self.core.session) and not (
            free and named is not None and named.actor == self._act().actor
        ):
            if named is None or not named.running:
                running = ", ".join(one.name for one in self._sessions().values() if one.running)
                hint = f"running: {running}" if running else "varves scoped session start"
                raise Refused(f"no session {quoted(asked)} is running", hint)
            raise Refused(f"only the session itself may {use} its memory", "leave the id out")
        return where

    def _missing(self, held: Holdings, *scopes: str) -> None:
        """Note which of some scopes never had an entry: a name may be misspelt."""
        for scope in scopes:
            level, _, name = scope.partition(":")
            if held.records(scope) or level not in (PROJECT, TEAM):
                continue
            known = [one.partition(":")[2] for one in held.scopes(level)]
            told = f"; {level}s with entries: {', '.join(known)}" if known else ""
            self.core.notes.append(f"{level} {name} has no entries{told}")

    def _across(
        self, wish: ScopedWish, *, override: bool, named: str | None
    ) -> tuple[ScopedWish, tuple[str, ...]]:
        """Find the global entries that an entry of a nearer scope hides.

        An explicit override hides the entry that it names. Without a name, it hides the entries
        that the judge relates to it or, if there is none, the one with the same subject.
        """
        if not wish.scope.startswith((PROJECT, TEAM)):
            if override:
                raise UsageError(
                    "only a project or team entry can override a global one",
                    "leave --override-global out",
                )
            return wish, ()
        held = Holdings(self.core, scope=GLOBAL)
        known = held.standing(GLOBAL)
        if named is not None:
            rivals = [held.find(named, [GLOBAL])]
        else:
            rivals = speaking_of(wish.text, known, self._alike)
        if override:
            rivals = rivals or meant(known, wish.text)
            if not rivals:
                message = "no global entry is about this subject: nothing is overridden;"
                return wish, (f"{message} name one with --overrides ID",)
            silenced = tuple(f"{held.label(one)} of global" for one in rivals)
            names = tuple(one.id for one in rivals)
            return wish.replace(overrides=names, silences=silenced), ()
        return wish, tuple(
            f"{held.label(one)} of global is about the same subject and is hidden here;"
            " use --override-global if this is intended"
            for one in rivals
        )

    @reads
    def search(
        self, query: str, *, scope: str | None = None, project: str | None = None, k: int = 10
    ) -> tuple[EntryLine, ...]:
        """Return the entries that contain all words of a query, the best match first.

        Entries that another scope hides in this project come last, and the notes name them.

        Args:
            query: words; case is ignored.
            scope: search only this scope; by default all.
            project: the project; by default the current one, or all if no scope is given.
            k: the most entries to return.
        """
        asked = statement(query)
        if k < 1:
            raise UsageError("k is not a positive number", "give a number of entries")
        if scope is None and project is not None:
            scope = PROJECT
        held = Holdings(self.core)
        searched = self._searched(held, scope, project)
        found = holding(held.standing(*searched), asked)
        if scope is not None and not found:
            self._missing(held, *searched)
        whole = {one.id: hits for hits, one in found}
        scores = self._ranked(held, *{one.scope for _, one in found})
        scores = [one for one in scores if one.memory.id in whole]
        scores.sort(key=lambda one: -whole[one.memory.id])
        best, hidden = self._hidden(held, scores, most=k)
        return tuple(held.line(one.memory) for one in [*best, *hidden][:k])

    def _hidden(
        self, held: Holdings, scores: Iterable[RelevanceScore], *, most: int
    ) -> tuple[Sequence[RelevanceScore], Sequence[RelevanceScore]]:
        """Return the first entries that are shown here, and those before them that are hidden."""
        here = held.standing(f"{PROJECT}:{self._project()}", *self._teams(held, None), GLOBAL)
        best, hidden = parted(scores, Shade(here, self._alike), most=most)
        self.core.notes += [
            f"{held.label(one.memory)} of {one.memory.scope} is hidden here by"
            f" {held.label(nearer)} of {nearer.scope}"
            for one, nearer in hidden
        ]
        return best, [one for one, _ in hidden]

    def _searched(self, held: Holdings, scope: str | None, project: str | None) -> Sequence[str]:
        """Return the scopes that a search covers."""
        if scope is not None:
            level, name = split(scope, None)
            if level == TEAM and name is None:
                return held.scopes(TEAM)
            if level == PROJECT and name is None:
                return [f"{PROJECT}:{self._project(project)}"]
            return [self._readable(scope, None)]
        own = self._session()
        sessions = [f"{SESSION}:{own.name}"] if own is not None else []
        return [*sessions, *held.scopes(PROJECT), *held.scopes(TEAM), GLOBAL]

    @writes
    def forget(
        self,
        id: str,
        *,
        scope: str,
        reason: str,
        project: str | None = None,
    ) -> Forgotten:
        """Hide an entry; it keeps its number and can be restored.

        Raises:
            Refused: the number is used in several projects, or by two records.
            NotFound: no entry has the number.
        """
        why, redacted = self.core.clean(word(reason, "reason"))
        if why is None:
            raise UsageError("the reason is missing", "give one with --reason")
        held = Holdings(self.core)
        memory = self._found(held, id, scope, project)
        if memory.status == "forgotten":
            hint = f"varves history {memory.id} shows why"
            raise Refused(f"{held.label(memory)} of {memory.scope} is forgotten already", hint)
        command = Forget(memory=memory.id, reason=why, redacted=redacted)
        return self._moved(held, memory, (decide_forget, command), reason=why)

    @writes
    def restore(self, id: str, *, scope: str, project: str | None = None) -> Forgotten:
        """Restore a forgotten entry, and return the reason it was forgotten."""
        held = Holdings(self.core)
        memory = self._found(held, id, scope, project)
        if memory.status == "active" and not memory.has_expired(iso(self.core.now)):
            message = f"{held.label(memory)} of {memory.scope} is not forgotten"
            raise Refused(message, "there is nothing to restore")
        decision = (decide_restore, Restore(memory=memory.id))
        return self._moved(held, memory, decision, reason=memory.reason or "")

    def _moved(
        self, held: Holdings, memory: Memory, decision: tuple[Any, Any], *, reason: str
    ) -> Forgotten:
        """Run the core's forget or restore, and record counters and numbers not recorded yet."""
        decide, command = decision
        act = self._act()
        decided = decide(self.core.rows(), command, act)
        self.core.flush(memory.scope)  # first, so that the file shows current counters
        self.core.append(decided.log, decided.drafts)
        self.core.append(memory.kept, fixes(held.numbers(memory.scope), act))
        return Forgotten(
            id=held.label(memory),
            memory=memory.id,
            scope=memory.scope,
            status="forgotten" if isinstance(command, Forget) else "active",
            reason=reason,
            content=memory.text,
        )

    def _found(self, held: Holdings, name: str, scope: str, project: str | None) -> Memory:
        """Return the record that a number or an id names.

        A number that only another project uses is refused, not resolved silently.
        """
        places = self._meant(held, scope, project)
        memory = held.find(name, places)
        if scope == PROJECT and len(places) > 1 and not is_memory_id(name):
            own = f"{PROJECT}:{self._project()}"
            if memory.scope != own:
                message = f"{name} belongs to {memory.scope}, but the current project is {own}"
                raise Refused(message, "choose one with --project ID")
        return memory

    def _meant(self, held: Holdings, scope: str, project: str | None) -> Sequence[str]:
        """Return the scopes in which to look for a number; several if none is named."""
        level, name = split(scope, None)
        if level == PROJECT and name is None:
            if project is not None or self.core.project[1]:
                return [f"{PROJECT}:{self._project(project)}"]
            return held.scopes(PROJECT)
        if level == TEAM and name is None:
            return held.scopes(TEAM)
        return [self._readable(scope, None)]

    @writes
    def init(self, *, project: str | None = None, team: str | None = None) -> ScopedFolders:
        """Create the folders and files of scoped memory; a second call changes nothing."""
        held = Holdings(self.core, lean=True)
        own = [f"{PROJECT}:{self._project(project)}", GLOBAL]
        if team is not None:
            own.append(f"{TEAM}:{name_of(team, TEAM)}")
        kept = folded_keys(self.core.events(ADOPTED))
        empty = {
            path_of(scope): File(records=[]).written({})
            for scope in own
            if not held.records(scope) and scope not in kept
        }
        self.core.begin()
        folders = dict.fromkeys([*FOLDERS, *(path_of(one).rpartition("/")[0] for one in own)])
        made = self.core.make_folders(tuple(folders), IGNORED, empty)
        return ScopedFolders(root=self.core.root, created=tuple(made))

    @reads
    def rank(
        self,
        scope: str | None = None,
        id: str | None = None,
    ) -> tuple[Ranked, ...]:
        """Return entries by relevance, with the three terms of each score; no access is counted.

        The notes name the best entries that another scope hides in this project.

        Args:
            scope: only this scope; by default the current project, all teams and global.
            id: the project or team.
        """
        held = Holdings(self.core)
        if scope is not None:
            scopes = [self._readable(scope, id)]
        else:
            scopes = [f"{PROJECT}:{self._project()}", *held.scopes(TEAM), GLOBAL]
        scores = self._ranked(held, *scopes)
        if scope is not None and not scores:
            self._missing(held, *scopes)
        self._hidden(held, scores, most=self._options.top)
        return tuple(held.ranked(one) for one in scores)

    @reads
    def conflicts(self, scope: str | None = None, id: str | None = None) -> tuple[Dispute, ...]:
        """Return the entries that contradict, update or repeat each other, newest first.

        Both stay until a person decides: `Ledger.resolve` takes the number of an entry.

        Args:
            scope: only this scope; by default the projects, all teams and global.
            id: the project or team.
        """
        if scope is not None:
            scopes = [self._readable(scope, id)]
            return self._disputes(Holdings(self.core, scope=scopes[0]), scopes)
        held = Holdings(self.core)
        return self._disputes(held, [*held.scopes(PROJECT), *held.scopes(TEAM), GLOBAL])

    def label_of(self, memory: Memory) -> str | None:
        """Return the number that an entry has in its file."""
        numbers = Holdings(self.core, scope=memory.scope, lean=True).numbers(memory.scope)
        return numbers.label(memory.id) if memory.id in numbers.shown else None

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the problems in the files, and the sessions that broke a rule."""
        files = self.core.files()
        return (
            *validate.findings(files),
            *validate.numbers(files, Holdings(self.core)),
            *unread(self._sessions().values()),
        )

    @reads
    def stale(
        self, *, older_than: str | None = None, unused_for: str | None = None
    ) -> tuple[Aged, ...]:
        """Return entries that are old or unused for long, the oldest first.

        Args:
            older_than: recorded longer ago than this, such as 90d, which is the default if neither
                is given.
            unused_for: neither read nor injected for this long.
        """
        if older_than is None and unused_for is None:
            older_than = STALE
        held, now = Holdings(self.core), self.core.now
        scopes = [f"{PROJECT}:{self._project()}", *held.scopes(TEAM), GLOBAL]
        found = held.standing(*scopes)
        if older_than is not None:
            found = _before(found, {one.id: one.created_at for one in found}, now, older_than)
        if unused_for is not None:
            last = {one.id: held.uses.get(one.id, (0, ""))[1] or one.created_at for one in found}
            found = _before(found, last, now, unused_for)
        found.sort(key=lambda one: (one.created_at, one.id))
        return tuple(held.aged(one) for one in found)

    @writes
    def inject(self, path: str, *more: str) -> Prompt:
        """Write the block of a session's start into prompt files, between markers.

        Counters that are not recorded yet are ignored, so that a second run writes the same block.
        If one of the files is refused, none is written. A file that git could commit gets only
        entries that the project's log has.
        """
        texts = dict(self.core.read_prompt(each) for each in (path, *more))
        held, room = Holdings(self.core), self._budget(None)
        scopes = (f"{PROJECT}:{self._project()}", *self._teams(held, None), GLOBAL)
        scores = self._ranked(held, *scopes, flushed=True)
        shared = [one for one in scores if one.memory.kept == PROJECT]
        blocks = {False: self._choose(held, scores, self._shade(scores), room)}
        if len(shared) < len(scores):
            blocks[True] = self._choose(held, shared, self._shade(shared), room)
        after: dict[str, str] = {}
        done: list[Prompt] = []
        for place, text in texts.items():
            public = True in blocks and self.core.is_public(place)
            if public:
                without = counted(len(scores) - len(shared), "entry")
                message = f"git could commit {place}: {without} outside the project's log left out"
                self.core.notes.append(message)
            told = self._injected(held, blocks[public], budget=room, nonce=prompts.nonce_in(text))
            try:
                after[place] = prompts.with_block(text, told.block)
            except Refused as fault:
                raise Refused(f"{place}: {fault.message}", fault.hint) from None
            done.append(
                Prompt(
                    path=place,
                    changed=after[place] != text,
                    tokens=told.tokens,
                    entries=told.entries,
                    skipped=told.skipped,
                )
            )
        for one in done:
            if one.changed:
                self.core.replace_prompt(one.path, after[one.path])
        shown = {each.memory for one in done if one.changed for each in one.entries}
        if shown:
            self.core.told("scoped inject", sorted(shown))
        return done[0].replace(more=tuple(done[1:]))


def _type(value: object) -> str:
    if value not in TYPES:
        raise UsageError(f"not a type: {quoted(value)}", f"use one of {', '.join(TYPES)}")
    return str(value)


def _before(
    memories: Iterable[Memory], moments: dict[str, str], now: int, age: str
) -> list[Memory]:
    limit = iso(now - duration(age))
    return [one for one in memories if instant(moments[one.id]) < instant(limit)]
