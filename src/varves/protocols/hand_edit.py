"""One person's change to one record of a file, and the drafts that record it."""

from __future__ import annotations

from varves.events.codec import canonical
from varves.events.kinds import FORGOTTEN, RESTORED, REVISED
from varves.values.ids import memory_of
from varves.values.text import fold, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Change, Core
    from varves.values.memory import Memory


def made_id(*parts: str) -> str:
    """Return a memory id computed from the parts: the same parts always give the same id."""
    from hashlib import sha256

    return memory_of(sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest())


def found_id(core: Core, *parts: str) -> str:
    """Return the id of a record found in a file; skip ids that are in use or purged."""
    barred, place = core.barred(), 0
    while True:
        name = made_id("found", *parts, str(place))
        if name not in barred and core.memory(name) is None:
            return name
        place += 1


def said_in(content: Any) -> str:
    """Return a record as a part of an id: the same for the same keys and values."""
    return canonical(content).decode("ascii")


REMOVED = "removed by hand"


def is_repeated(memory: Memory, among: Iterable[Memory]) -> bool:
    """Return whether another current record of a file has the text of a record."""
    said = fold(memory.text)
    others = (one for one in among if one.status == "active" and one.id != memory.id)
    return any(fold(one.text) == said for one in others)


class HandEdit(Value):
    """A change by hand, with what is needed to record it."""

    core: Core
    change: Change
    act: Act
    log: str
    scope: str

    @property
    def is_direct(self) -> bool:
        """Whether the person made the change here, and not in a commit."""
        return self.act.origin == "direct"

    def note(self, message: str) -> None:
        """Add a message about the file to the answer."""
        self.core.notes.append(f"{self.change.path}: {message}")

    def forgotten(self, memory: Memory, among: Iterable[Memory]) -> Draft:
        """Return the draft that forgets one of some records of a file.

        Its text is rejected, unless another current record has it.
        """
        content = {"memory": memory.id, "reason": REMOVED}
        if not is_repeated(memory, among):
            content |= {"text": memory.text, "scope": memory.scope}
        return self.act.draft(FORGOTTEN, content, memory.version)

    def rejections(self, text: str) -> list[str]:
        """Return the events that reject a text in this log and scope."""
        return self.core.rows().rejecting(value_key(self.log, self.scope, text))

    def lifted(self, text: str) -> list[str]:
        """Return the rejections of a text that the change lifts, and tell the caller.

        A person who writes a rejected text into a file wants it. A commit cannot lift a rejection.
        """
        found = self.rejections(text)
        if not found:
            return []
        lifts = "the edit lifts this" if self.is_direct else "varves conflicts lists it"
        self.note(f"{self.change.key}: its text was rejected by {found[0]}; {lifts}")
        return found if self.is_direct else []

    def restored(self, memory: Memory) -> Draft:
        """Return the draft that restores a record and lifts the rejections of its text."""
        lifted = self.rejections(memory.text)
        content = {"memory": memory.id, "lifts": lifted}
        return self.act.draft(RESTORED, content, memory.version, *lifted)

    def revised(self, memory: Memory, said: dict[str, Any], held: dict[str, Any]) -> list[Draft]:
        """Return the draft that sets the fields in which a file differs from a record, if any."""
        changes = {key: part for key, part in said.items() if held.get(key) != part}
        if not changes:
            return []
        lifted = self.lifted(changes["text"]) if "text" in changes else []
        content = {"memory": memory.id, "set": changes, **({"lifts": lifted} if lifted else {})}
        return [self.act.draft(REVISED, content, memory.version, *lifted)]

    def returned(
        self, former: Memory, revised: Callable[[Memory, dict[str, Any]], list[Draft]]
    ) -> list[Draft] | None:
        """Return the drafts for a record that is not current but that a file has.

        If a person writes a text again, the record is restored. A file from a commit may only be
        older than the end of the record; in this case its other changes are recorded, and the
        record is not restored. Without an earlier version of the file, the result is None: the file
        has a new record.
        """
        after = self.change.after or {}
        if self.is_direct:
            return [self.restored(former), *revised(former, after)]
        return None if self.change.before is None else revised(former, after)


def masked(core: Core, change: Change, place: str = "") -> Change:
    """Mask secrets in the changed keys of a record; unchanged keys stay as they are."""
    if change.after is None:
        return change
    before = change.before or {}
    fresh = {key: part for key, part in change.after.items() if before.get(key) != part}
    clean, rules = core.clean(fresh)
    if rules:
        core.notes.append(f"{place or change.path}: masked {', '.join(rules)}")
    return change.replace(after={**change.after, **clean})
