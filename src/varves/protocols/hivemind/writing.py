"""The verbs that write or read a single entry."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import Wish, checked, content_of, kind_named, scope_of
from varves.protocols.hivemind.parts import agent_named
from varves.protocols.hivemind.start import SessionStart
from varves.protocols.port import reads, writes
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.protocols.port import Core
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


class EntryVerbs(SessionStart):
    """The verbs that write or read a single entry."""

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
        act, session = self.acting(actor=agent_named(agent))
        given = {name: part for name, part in options.items() if part is not None}
        for name in ("tags", "references"):
            if name in given and not isinstance(given[name], str):
                given[name] = tuple(given[name])
        self._check_references(given.get("references", ()))
        wish = Wish(content=content_of(content), type=type, scope=scope, **given)
        if type == "working" and self.begins():
            # it belongs to a session, which reviews it at its end
            checked(self.core, wish.replace(scope=_place(self.core, scope, None)), act)
            self.ensured(agent=agent)
            act, session = self.acting(actor=agent_named(agent))
        place = _place(self.core, scope, session)
        wish = self.with_errors(wish.replace(scope=place))
        name = self.enter(wish, act)
        self.link_back(name, act)
        self.entered([place], act, made=[name])
        memory = self._existing(name)
        [recorded, *_] = self.core.rows().history(name)
        masked = recorded.data.get("redacted", ())
        document = entry(memory, {}, self.options, find=self.core.memory)
        return EntryWritten(id=name, scope=place, entry=document, redacted=tuple(masked))

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


def _place(core: Core, scope: str, session: HivemindSession | None) -> str:
    """Return a scope with its id; a bare level means the running session, or its project."""
    if session is not None and scope == "session":
        scope = f"session:{session.name}"
    return scope_of(core, scope)
