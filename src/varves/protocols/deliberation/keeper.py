"""A memory's conversation stored in a ledger; each call is atomic across processes."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from varves.protocols.deliberation.answers import MessageSaid
    from varves.protocols.deliberation.state import Message, State, Summary
    from varves.protocols.port import Core

    class Verbs(Protocol):
        """The protocol's verbs that a kept conversation calls."""

        core: Core

        def state(self, *, conversation: str | None = None) -> State:
            """Return a conversation's state."""
            ...

        def post(
            self, conversation: str | None, message: Message, *, summarise: bool
        ) -> tuple[MessageSaid, Message]:
            """Record a message."""
            ...

        def record_summary(self, name: str, summary: Summary) -> tuple[Summary, ...]:
            """Record a summary."""
            ...

        def resume(self, name: str, state: State) -> None:
            """Continue from a saved state."""
            ...

        def messages(
            self, most: int | None = None, *, conversation: str | None = None
        ) -> tuple[Message, ...]:
            """Return the last messages."""
            ...


class Tries(dict[int, int]):
    """Counts of a model's failures, saved in this clone on every change; they may be lost."""

    def __init__(self, core: Core, name: str) -> None:
        self._core = core
        self._note = f"tries {name}"
        try:
            found = {int(key): int(count) for key, count in json.loads(core.noted(self._note))}
        except (ValueError, TypeError):
            found = {}
        super().__init__(found)

    def __setitem__(self, key: int, count: int) -> None:
        super().__setitem__(key, count)
        self._core.note_down(self._note, json.dumps(sorted(self.items())))

    def pop(self, key: int, default: int | None = None) -> int | None:  # type: ignore[override]
        """Remove a count, and return it."""
        if key not in self:
            return default
        count = super().pop(key)
        self._core.note_down(self._note, json.dumps(sorted(self.items())))
        return count


class Kept:
    """One conversation in a ledger; it implements `memory.Keeper`."""

    def __init__(self, verbs: Verbs, name: str) -> None:
        self._verbs = verbs
        self.name = name

    def state(self) -> State:
        """Return the current state of the conversation."""
        return self._verbs.state(conversation=self.name)

    def now(self) -> int:
        """Return the current time, in milliseconds."""
        return self._verbs.core.now

    def post(self, message: Message) -> Message:
        """Record a message and its findings; return it with its index and id."""
        _, kept = self._verbs.post(self.name, message, summarise=False)
        return kept

    def record_summary(self, summary: Summary) -> Summary | None:
        """Record a summary, unless another one covered its messages in the meantime."""
        return next(iter(self._verbs.record_summary(self.name, summary)), None)

    def restore(self, state: State) -> State:
        """Continue from a saved state."""
        self._verbs.resume(self.name, state)
        return self.state()

    def tries(self) -> dict[int, int]:
        """Return how often a model failed, by a chunk's first message; shared by processes."""
        return Tries(self._verbs.core, self.name)

    def recent(self, most: int) -> tuple[Message, ...]:
        """Return the last messages, from all processes."""
        return self._verbs.messages(most, conversation=self.name)
