"""Protocols driven by hooks: at each moment of a session a hook acts as a protocol's own verbs.

Which protocols is what `hooks.protocols` in the settings names. Their records go to the logs and
files of their scopes, their talk and sessions stay private; both as if somebody had called the
verbs by hand. What the user said is stamped as the user's, everything else as the agent's. One
protocol that fails stops no other, and nothing a hook was asked for.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.files.core import LedgerCore
from varves.protocols.moments import SessionTurn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from varves.commands.port import Act
    from varves.context.guard import VerbGuard
    from varves.door import Door
    from varves.protocols.moments import Moments
    from varves.values.signals import SessionMessage

    Answer = TypeVar("Answer")

ROOM, TOKENS = 4000, 1000  # of one protocol's block; an entry that does not fit is left out whole


class Seat(LedgerCore):
    """A protocol's core for one client's session: whoever acts there acts as that client."""

    def __init__(self, guard: VerbGuard, name: str, *, actor: str, session: str) -> None:
        super().__init__(guard, name)
        self.actor = actor
        self.session = session

    def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
        """Return who acts now; by default the client, in its session."""
        return super().act(actor=actor or self.actor, session=session or self.session)


class HookedSession:
    """One client's session, as one protocol that hooks drive sees it."""

    def __init__(self, door: Door, name: str, client: str, session: str) -> None:
        self._door = door
        self._name = name
        self.client = client
        self.session = session
        self._seats: list[Seat] = []

    def core(self, origin: str) -> Seat:
        """Return a core of the protocol that stamps what it records with an origin."""
        guard = self._door.through(origin=origin).guard
        seat = Seat(guard, self._name, actor=self.client, session=self.session)
        self._seats.append(seat)
        return seat

    def close(self) -> None:
        """Close files; they are opened again where they are needed."""
        for seat in self._seats:
            seat.views.close()


class Hooked:
    """The protocols that hooks drive, in one client's session."""

    def __init__(self, door: Door, client: str, session: str) -> None:
        self._door = door
        self._client = client
        self._session = session
        self._names = door.context.settings.hooked
        self._driven: dict[str, tuple[HookedSession, Moments]] = {}
        self.faults: list[str] = []
        """What went wrong, a line each; for the log of hooks."""

    def start(self, source: str = "startup") -> list[str]:
        """Begin or go on with the protocols' sessions; return their blocks."""
        return self._blocks(lambda one: one.start(source))

    def prompt(self, text: str) -> list[str]:
        """Hand the user's prompt to the protocols; return their blocks."""
        said = task_in(text) if self._names else ""
        return self._blocks(lambda one: one.prompt(said)) if said else []

    def tool(self, message: SessionMessage) -> None:
        """Note what a tool did."""
        self._each(lambda one: one.tool(message))

    def learned(self, messages: Iterable[SessionMessage]) -> bool:
        """Let the protocols take what was said; True: something of it was learned."""
        if not self._names:
            return False
        turns = _turns(messages)
        return any(self._each(lambda one: one.learned(turns))) if turns else False

    def compact(self) -> None:
        """Keep what the agent is about to forget."""
        self._each(lambda one: one.compact())

    def end(self) -> None:
        """Note that the client's session is over."""
        self._each(lambda one: one.end())

    def _blocks(self, ask: Callable[[Moments], str]) -> list[str]:
        return [block for one in self._each(ask) if (block := fitted(one))]

    def _each(self, call: Callable[[Moments], Answer]) -> list[Answer]:
        """Call every protocol; what one of them fails at is noted and nothing more."""
        answers = []
        for name in self._names:
            try:
                one = self._one(name)
                with self._traced(name, one):
                    answers.append(call(one))
            except Exception as fault:  # noqa: BLE001 - the others, and the hook, go on
                self.faults.append(f"{name}: {fault.__class__.__name__}: {fault}")
        for session, _ in self._driven.values():
            session.close()
        return answers

    def _traced(self, name: str, one: Moments) -> AbstractContextManager[None]:
        """Take what a protocol reports through `logging` among the faults."""
        from contextlib import nullcontext

        if not one.logs:
            return nullcontext()
        from varves.sessions.traces import traced

        return traced(lambda line: self.faults.append(f"{name}: {line}"))

    def _one(self, name: str) -> Moments:
        if name not in self._driven:
            make = self._door.registry().find_moments(name)
            if make is None:
                raise UsageError(f"hooks do not drive {name}", "take it out of hooks.protocols")
            session = HookedSession(self._door, name, self._client, self._session)
            self._driven[name] = (session, make(session))
        return self._driven[name][1]


def hooked(door: Door, client: str, session: str) -> Hooked:
    """Return the protocols that hooks drive in a client's session; it may be none.

    Args:
        door: to the ledger where they live.
        client: what the client is called; it is who acts.
        session: the client's own name for its session.
    """
    return Hooked(door, client, named(session))


def named(session: str) -> str:
    """Return a client's name for its session as one that is safe in a path."""
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
    """Return a fenced block with only the entries that fit, the first ones first."""
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
    """Return a prompt without what a host or memory put into it; what a person pasted stays."""
    from varves.capture.own_words import MOST, own_words, without_blocks

    return without_blocks(prompt[:MOST]).strip() if own_words(prompt) else ""


def _turns(messages: Iterable[SessionMessage]) -> list[SessionTurn]:
    """Sort what was said into turns; what tools answered is nobody's word."""
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
