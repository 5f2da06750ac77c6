"""Protocols driven by hooks: at each moment of a session a hook runs a protocol's own verbs.

The setting `hooks.protocols` names the protocols. As when a person calls the verbs, records are
stored in the logs and files of their scopes, and conversations and sessions stay private. The
user's words are recorded with the user's origin, everything else with the agent's. A protocol that
fails does not affect other protocols or the hook.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.files.core import LedgerCore
from varves.protocols.moments import SessionTurn
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from varves.commands.port import Act
    from varves.context.guard import VerbGuard
    from varves.door import Door
    from varves.protocols.moments import Moments
    from varves.state.notebook import Line
    from varves.values.memory import Memory
    from varves.values.signals import SessionMessage

    Answer = TypeVar("Answer")

# the limits of a protocol's block in characters and tokens; an entry is never cut
ROOM, TOKENS = 4000, 1000


class HookedBlock(Value):
    """A protocol's block for the agent, and the lines that count the memories in it."""

    text: str
    lines: tuple[Line, ...] = ()


class Seat(LedgerCore):
    """The ledger as a protocol sees it in one session of a client; the actor is the client.

    It collects what the protocol's verbs show, because only the hook knows what reaches the agent.
    """

    def __init__(self, guard: VerbGuard, name: str, *, actor: str, session: str) -> None:
        super().__init__(guard, name)
        self.actor = actor
        self.session = session
        self.lines: list[Line] = []

    def shown(self, line: Line) -> None:
        """Collect what a verb shows."""
        self.lines.append(line)

    def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
        """Return who acts, and when; by default the client in its session."""
        return super().act(actor=actor or self.actor, session=session or self.session)


class HookedSession:
    """A session of a client, in the form that is passed to a protocol that hooks run."""

    def __init__(self, door: Door, name: str, client: str, session: str) -> None:
        self._door = door
        self._name = name
        self.client = client
        self.session = session
        self._seats: list[Seat] = []

    def core(self, origin: str) -> Seat:
        """Return a core of the protocol; its events are recorded with the given origin."""
        guard = self._door.through(origin=origin).guard
        seat = Seat(guard, self._name, actor=self.client, session=self.session)
        self._seats.append(seat)
        return seat

    def taken(self) -> tuple[Line, ...]:
        """Return what the protocol's verbs have shown since the last call."""
        found = tuple(line for seat in self._seats for line in seat.lines)
        for seat in self._seats:
            seat.lines.clear()
        return found

    def close(self) -> None:
        """Close files; they are opened again when needed."""
        for seat in self._seats:
            seat.views.close()


class Hooked:
    """The protocols that hooks drive, in one session of a client."""

    def __init__(self, door: Door, client: str, session: str) -> None:
        self._door = door
        self._client = client
        self._session = session
        self._names = door.context.settings.hooked
        self._driven: dict[str, tuple[HookedSession, Moments]] = {}
        self._told: dict[str, HookedBlock] = {}  # by protocol, its last block
        self.faults: list[str] = []
        """The errors of protocols, one line each, for the log of hooks."""

    def start(self, source: str = "startup") -> list[HookedBlock]:
        """Start or resume the protocols' sessions; return their blocks."""
        return self._blocks(lambda one: one.start(source))

    def prompt(self, text: str) -> list[HookedBlock]:
        """Pass the user's prompt to the protocols; return their blocks."""
        said = task_in(text) if self._names else ""
        return self._blocks(lambda one: one.prompt(said)) if said else []

    def tool(self, message: SessionMessage) -> None:
        """Pass a tool's answer to the protocols."""
        self._each(lambda one: one.tool(message))

    def learned(self, messages: Iterable[SessionMessage]) -> bool:
        """Pass messages to the protocols; return whether any of them learned from the messages."""
        if not self._names:
            return False
        turns = _turns(messages)
        return any(self._each(lambda one: one.learned(turns)).values()) if turns else False

    def compact(self) -> None:
        """Let the protocols store what the agent's context will lose by compaction."""
        self._each(lambda one: one.compact())

    def end(self) -> None:
        """Let the protocols record the end of the client's session."""
        self._each(lambda one: one.end())

    def chosen(self, shown: Collection[HookedBlock]) -> Callable[[Memory], bool] | None:
        """Return which memories only their protocols' own blocks show; None if there are none.

        These are the memories in the blocks shown; and, of a protocol that shows a choice of its
        records, all of them, if its last block is among those shown, or was empty.
        """
        levels = {
            name: self._driven[name][1].chooses_from
            for name, block in self._told.items()
            if not block.text or block in shown
        }
        texts = [block.text for block in shown]
        if not any(levels.values()) and not texts:
            return None

        def is_chosen(memory: Memory) -> bool:
            if memory.scope.partition(":")[0] in levels.get(memory.protocol, ()):
                return True
            return any(f'"id":"{memory.id}"' in text for text in texts)

        return is_chosen

    def _blocks(self, ask: Callable[[Moments], str]) -> list[HookedBlock]:
        texts = self._each(lambda one: fitted(ask(one)))
        self._told = {
            name: HookedBlock(text=text, lines=self._driven[name][0].taken())
            for name, text in texts.items()
        }
        return [block for block in self._told.values() if block.text]

    def _each(self, call: Callable[[Moments], Answer]) -> dict[str, Answer]:
        """Make a call for every protocol; if it fails for one, only record the error."""
        answers = {}
        for name in self._names:
            try:
                one = self._one(name)
                # what the verbs have shown before this call did not reach the agent
                self._driven[name][0].taken()
                with self._traced(name, one):
                    answers[name] = call(one)
            except Exception as fault:  # noqa: BLE001 - the other protocols and the hook continue
                self.faults.append(f"{name}: {fault.__class__.__name__}: {fault}")
        for session, _ in self._driven.values():
            session.close()
        return answers

    def _traced(self, name: str, one: Moments) -> AbstractContextManager[None]:
        """Return a `with` block that records a protocol's `logging` output as errors."""
        from contextlib import nullcontext

        if not one.logs:
            return nullcontext()
        from varves.sessions.traces import traced

        return traced(lambda line: self.faults.append(f"{name}: {line}"))

    def _one(self, name: str) -> Moments:
        if name not in self._driven:
            make = self._door.registry().find_moments(name)
            if make is None:
                raise UsageError(
                    f"hooks cannot use the protocol {name}", "remove it from hooks.protocols"
                )
            session = HookedSession(self._door, name, self._client, self._session)
            self._driven[name] = (session, make(session))
        return self._driven[name][1]


def hooked(door: Door, client: str, session: str) -> Hooked:
    """Return the protocols that hooks drive in a client's session; there may be none.

    Args:
        door: the ledger with the protocols.
        client: the client's name; it is the actor.
        session: the client's own name for its session.
    """
    return Hooked(door, client, named(session))


def named(session: str) -> str:
    """Return the client's name of a session, in a form that is safe in a path."""
    from varves.errors import UnsafeName
    from varves.values.names import MAX_NAME, safe_name

    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in session).strip(".- ")[:MAX_NAME]
    try:
        name = safe_name(kept, "session")
    except UnsafeName:
        name = ""
    if name == session:
        return name
    from hashlib import blake2b

    mark = blake2b(session.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{name[: MAX_NAME - 9]}-{mark}" if name else f"session-{mark}"


def fitted(block: str) -> str:
    """Return a fenced block with as many of the first entries as fit."""
    from varves.values.text import count_tokens

    if len(block) <= ROOM and count_tokens(block) <= TOKENS:
        return block
    opening, notice, *lines, closing = block.split("\n")
    frame = f"{opening}\n{notice}\n{closing}"
    left, most = ROOM - len(frame), TOKENS - count_tokens(frame)
    kept = []
    for line in lines:
        cost = count_tokens(line + "\n")
        if len(line) < left and cost <= most:
            kept.append(line)
            left, most = left - len(line) - 1, most - cost
    return "\n".join((opening, notice, *kept, closing)) if kept else ""


def task_in(prompt: str) -> str:
    """Return a prompt without text that a host or memory added; text that was pasted is kept."""
    from varves.capture.own_words import MOST, own_words, without_blocks

    return without_blocks(prompt[:MOST]).strip() if own_words(prompt) else ""


def _turns(messages: Iterable[SessionMessage]) -> list[SessionTurn]:
    """Return messages grouped into turns; answers of tools belong to no speaker."""
    from varves.capture.own_words import own_words, said_by_agent

    found: list[SessionTurn] = []
    for message in messages:
        if message.role not in ("user", "assistant"):
            continue
        said = (own_words if message.role == "user" else said_by_agent)(message.text)
        if not said:
            continue
        if not found or (message.role == "user" and found[-1].agent):
            found.append(SessionTurn())
        mine = found[-1].user if message.role == "user" else found[-1].agent
        mine.append(message.replace(text=said))
    return found
