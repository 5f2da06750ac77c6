"""The verbs that list entries, and take one out of use."""

from __future__ import annotations

from varves.commands import intake
from varves.commands.forget import Forget, decide_forget
from varves.errors import NotFound, UsageError
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import scope_of, subtype_of, type_of
from varves.protocols.hivemind.search import visible_to
from varves.protocols.hivemind.tree import LIVE, RETIRED
from varves.protocols.hivemind.writing import EntryVerbs
from varves.protocols.port import reads, writes
from varves.values.instants import iso
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.memory import Memory


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


class Listing(EntryVerbs):
    """The verbs `list` and `forget`."""

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
            "scope": None if scope is None else scope_of(self.core, scope),
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


def _age(memory: Memory) -> tuple[str, str]:
    return memory.created_at, memory.id
