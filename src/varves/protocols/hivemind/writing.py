"""The verbs that list entries, and that write, read or forget a single one."""

from __future__ import annotations

from varves.commands import intake
from varves.commands.forget import Forget, decide_forget
from varves.errors import NotFound, UsageError
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import (
    Wish,
    checked,
    content_of,
    kind_named,
    scope_of,
    subtype_of,
    type_of,
)
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.search import visible_to
from varves.protocols.hivemind.sessions import current
from varves.protocols.hivemind.start import SessionStart
from varves.protocols.hivemind.tree import LIVE, RETIRED
from varves.protocols.port import reads, writes
from varves.protocols.sessions import STARTED
from varves.values.instants import iso
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory


_OPTIONS = (
    *("subtype", "tags", "priority", "ttl", "confidence", "references", "summary", "id"),
    *("source", "again", "allow_secret"),
)


class EntryWritten(Value):
    """An entry that was recorded."""

    id: str
    scope: str
    entry: dict[str, Any]
    redacted: tuple[str, ...]
    """The names of the rules that masked something."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


_FILTERS = ("subtype", "priority", "agent")


class EntryList(Value):
    """Entries, the newest first."""

    entries: tuple[dict[str, Any], ...]
    """The entries, in the form of their files."""
    more: int
    """The number of further entries."""


class EntryForgotten(Value):
    """An entry that was taken out of use."""

    id: str
    scope: str
    text: str
    reason: str
    event: str
    """The event to undo to restore it."""


class EntryVerbs(SessionStart):
    """The verbs that list entries, and that write, read or forget a single one."""

    @reads
    def list(
        self,
        *,
        scope: str | None = None,
        type: str | None = None,
        tag: str | None = None,
        archived: bool = False,
        limit: int | None = None,
        **filters: Any,
    ) -> EntryList:
        """List entries, the newest first.

        Args:
            scope: only this scope.
            type: only this type.
            tag: only entries with this tag.
            archived: list what is superseded, archived or expired, instead of what is current.
            limit: the maximum number of entries.
            filters: subtype, priority, agent (who created it).
        """
        unknown = sorted(filters.keys() - set(_FILTERS))
        if unknown:
            raise UsageError(f"list has no option {quoted(unknown[0])}", f"it has {_FILTERS}")
        if limit is not None and limit < 1:
            raise UsageError(f"the limit must be 1 or more, not {limit}", "give a whole number")
        wanted = {
            "scope": None if scope is None else self._scope(scope),
            "type": None if type is None else type_of(type),
            "priority": intake.priority(filters.get("priority")),
            "created_by": filters.get("agent"),
        }
        kind, word = subtype_of(filters.get("subtype")), tag.strip().lower() if tag else None
        now, visible = iso(self.core.now), visible_to(self.core, self.core.actor)
        found = [
            one
            for one in self.core.memories(statuses=(*LIVE, *RETIRED))
            if all(part is None or getattr(one, key) == part for key, part in wanted.items())
            and kind in (None, one.extra.get("subtype"))
            and (word is None or word in one.tags)
            and (one.status in RETIRED or one.has_expired(now)) == archived
            and visible(one)
        ]
        found.sort(key=_age, reverse=True)
        shown = found[:limit]
        counts = self.core.counts()
        return EntryList(
            entries=tuple(entry(one, counts, self.options, find=self.core.memory) for one in shown),
            more=len(found) - len(shown),
        )

    @writes
    def forget(self, id: str, *, reason: str) -> EntryForgotten:
        """Take an entry out of use; its text is rejected until somebody restores the entry."""
        why, redacted = self.core.clean(intake.word(reason, "reason"))
        if why is None:
            raise UsageError("the reason is missing", "give one with --reason")
        memory = self.core.memory(id)
        if memory is not None and memory.protocol == "hivemind" and memory.status == "forgotten":
            hint = f"varves restore {memory.id} makes it current again"
            raise NotFound(f"{memory.id} is forgotten already", hint)
        memory = self._existing(id)
        self.core.flush(memory.scope)  # first, so that the files show current counters
        act, _ = self.acting()
        command = Forget(memory=memory.id, reason=why, redacted=redacted)
        _, [event, *_] = self.core.apply(decide_forget, command, act=act)
        return EntryForgotten(
            id=memory.id, scope=memory.scope, text=memory.text, reason=why, event=event.id
        )

    # Single entries

    @writes
    def write(
        self,
        content: dict[str, Any] | str,
        *,
        type: str,
        scope: str = "project",
        agent: str | None = None,
        **options: Any,
    ) -> EntryWritten:
        """Record one entry; a text becomes `{"text": …}`.

        Args:
            content: the content.
            type: factual, procedural, episodic, semantic or working.
            scope: global, or a level and an id; `project` alone is the current project.
            agent: who creates it; by default the actor.
            options: subtype, tags, priority, ttl, confidence, references (objects, or the ids of
                what they name), summary, id, source, again, allow_secret.
        """
        unknown = sorted(options.keys() - set(_OPTIONS))
        if unknown:
            raise UsageError(f"write has no option {quoted(unknown[0])}", f"it has {_OPTIONS}")
        act, _ = self.acting(actor=worker_named(self.core, agent))
        given = {name: part for name, part in options.items() if part is not None}
        for name in ("tags", "references"):
            if name in given and not isinstance(given[name], str):
                given[name] = tuple(given[name])
        self._check_references(given.get("references", ()))
        wish = Wish(content=content_of(content), type=type, scope=scope, **given)
        if type == "working" and self.begins():
            # it belongs to a session, which reviews it at its end
            place = scope_of(self.core, scope, agent=act.actor, session="fresh")
            checked(self.core, wish.replace(scope=place), act)
            self.ensured(agent=agent)
            act, _ = self.acting(actor=worker_named(self.core, agent))
        place = self._scope(scope, agent=act.actor)
        wish = self.with_errors(wish.replace(scope=place))
        name = self.enter(wish, act)
        self.link_back(name, act)
        self.entered([place], act, made=[name])
        memory = self._existing(name)
        [recorded, *_] = self.core.rows().history(name)
        masked = recorded.data.get("redacted", ())
        document = entry(memory, {}, self.options, find=self.core.memory)
        return EntryWritten(id=name, scope=place, entry=document, redacted=tuple(masked))

    def _scope(self, scope: str, *, agent: str | None = None) -> str:
        """Return a scope with its id; a bare level means the agent's, or the running session."""
        running = current(self.core)
        name = running.name if running else None
        place = scope_of(self.core, scope, agent=agent, session=name)
        level, _, name = place.partition(":")
        if level == "session" and not self.core.events(STARTED, session=name):
            self.core.notes.append(f"no session {name} is known here: no task loads its entries")
        return place

    def _check_references(self, references: Iterable[Any]) -> None:
        """Refuse the id of a memory that does not exist."""
        for one in references:
            if isinstance(one, str) and kind_named(one) == "memory":
                self._existing(one)

    @reads
    def show(self, id: str) -> dict[str, Any]:
        """Return one entry as its file contains it, with its full content, by id or alias."""
        memory = self._existing(id)
        uses = self.core.uses()  # without this one
        self.core.told("hivemind.show", [memory.id])
        return entry(memory, uses, self.options, find=self.core.memory, whole=True)

    def _existing(self, name: str) -> Memory:
        memory = self.core.memory(name)
        if memory is None or memory.protocol != "hivemind":
            memory = self._called(name)
        if memory is None or memory.status == "forgotten":
            raise NotFound(f"no entry {quoted(name)}", "find ids with `varves hivemind search`")
        return memory

    def _called(self, alias: Any) -> Memory | None:
        """Return the entry that has this alias."""
        for memory in self.core.memories(statuses=()):
            if alias in (memory.extra.get("aliases") or ()):
                return memory
        return None


def _age(memory: Memory) -> tuple[str, str]:
    return memory.created_at, memory.id
