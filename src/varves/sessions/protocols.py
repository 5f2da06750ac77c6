"""Protocols driven by hooks: at each moment of a session a hook acts as a protocol's own verbs.

Which protocols is what `hooks.protocols` in the settings names. Their records go to the logs and
files of their scopes, their talk and sessions stay private; both as if somebody had called the
verbs by hand. What the user said is stamped as the user's, everything else as the agent's. One
protocol that fails stops no other, and nothing a hook was asked for.
"""

from __future__ import annotations

from varves.files.core import LedgerCore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Protocol

    from varves.commands.port import Act
    from varves.context.guard import VerbGuard
    from varves.door import Door
    from varves.values.signals import Message

    class Driven(Protocol):
        """One protocol, as the moments of a client's session drive it."""

        def start(self, source: str) -> str:
            """Begin, or go on; return what the agent is told, fenced."""
            ...

        def prompt(self, text: str) -> str:
            """Take what the user asks for; return what bears on it, fenced."""
            ...

        def tool(self, message: Message) -> None:
            """Note what a tool did."""
            ...

        def learned(self, turns: Sequence[SessionTurn]) -> bool:
            """Take what was said; tell whether something was learned from it."""
            ...

        def compact(self) -> None:
            """Keep what the agent is about to forget."""
            ...

        def end(self) -> None:
            """Note that the client's session is over; nothing that may take long."""
            ...


ROOM, TOKENS = 4000, 1000  # of one protocol's block; an entry that does not fit is left out whole
_HOMES = {
    "scoped": "varves.sessions.scoped:ScopedSession",
    "hivemind": "varves.sessions.hivemind:HivemindSession",
    "deliberation": "varves.sessions.deliberation:DeliberationSession",
}


class Seat(LedgerCore):
    """A protocol's core for one client's session: whoever acts there acts as that client."""

    def __init__(self, guard: VerbGuard, name: str, *, actor: str, session: str) -> None:
        super().__init__(guard, name)
        self.actor = actor
        self.session = session

    def act(self, *, actor: str | None = None, session: str | None = None) -> Act:
        """Return who acts now; by default the client, in its session."""
        return super().act(actor=actor or self.actor, session=session or self.session)


class DrivenPlace:
    """Where a driven protocol stands: a ledger, a client, and the name of its session."""

    def __init__(self, door: Door, client: str, session: str) -> None:
        self._door = door
        self.client = client
        self.session = session
        self._seats: list[LedgerCore] = []

    def protocol(self, name: str, origin: str) -> Any:
        """Return a protocol whose records are stamped with an origin."""
        from varves.files.protocols import class_of

        seat = Seat(
            self._door.through(origin=origin).guard, name, actor=self.client, session=self.session
        )
        self._seats.append(seat)
        return class_of(name)(seat)

    def close(self) -> None:
        """Let go of files; they are opened again where they are needed."""
        for seat in self._seats:
            seat.views.close()


class SessionTurn:
    """What was said from one message of the user to the next."""

    def __init__(self) -> None:
        self.user: list[Message] = []
        self.agent: list[Message] = []

    @property
    def asked(self) -> str:
        """All that the user said."""
        return "\n\n".join(one.text for one in self.user)

    @property
    def answered(self) -> str:
        """All that the agent said."""
        return "\n\n".join(one.text for one in self.agent)


class Hooked:
    """The protocols that hooks drive, in one client's session."""

    def __init__(self, door: Door, client: str, session: str) -> None:
        self._place = DrivenPlace(door, client, session)
        self._names = door.context.settings.hooked
        self._driven: dict[str, Driven] = {}
        self.faults: list[str] = []
        """What went wrong, a line each; for the log of hooks."""

    def start(self, source: str = "startup") -> list[str]:
        """Begin or go on with the protocols' sessions; return their blocks."""
        return self._blocks(lambda one: one.start(source))

    def prompt(self, text: str) -> list[str]:
        """Hand the user's prompt to the protocols; return their blocks."""
        said = task_in(text) if self._names else ""
        return self._blocks(lambda one: one.prompt(said)) if said else []

    def tool(self, message: Message) -> None:
        """Note what a tool did."""
        self._each(lambda one: one.tool(message))

    def learned(self, messages: Iterable[Message]) -> bool:
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

    def _blocks(self, ask: Callable[[Driven], str]) -> list[str]:
        return [block for one in self._each(ask) if (block := fitted(one))]

    def _each(self, call: Callable[[Driven], Any]) -> list[Any]:
        """Call every protocol; what one of them fails at is noted and nothing more."""
        answers = []
        for name in self._names:
            try:
                with self._quiet(name):
                    answers.append(call(self._one(name)))
            except Exception as fault:  # noqa: BLE001 - the others, and the hook, go on
                self.faults.append(f"{name}: {fault.__class__.__name__}: {fault}")
        self._place.close()
        return answers

    def _quiet(self, name: str) -> AbstractContextManager[None]:
        """Note what a protocol traces."""
        from contextlib import nullcontext

        if name != "deliberation":  # the one that does
            return nullcontext()
        from varves.sessions.traces import traced

        return traced(lambda line: self.faults.append(f"{name}: {line}"))

    def _one(self, name: str) -> Driven:
        if name not in self._driven:
            from importlib import import_module

            module, _, word = _HOMES[name].partition(":")
            self._driven[name] = getattr(import_module(module), word)(self._place)
        return self._driven[name]


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
    from varves.values.text import tokens

    if len(block) <= ROOM and tokens(block) <= TOKENS:
        return block
    opening, notice, *lines, closing = block.split("\n")
    frame = f"{opening}\n{notice}\n{closing}"
    left, most = ROOM - len(frame), TOKENS - tokens(frame)
    kept = []
    for line in lines:
        cost = tokens(line + "\n")
        if len(line) < left and cost <= most:
            kept.append(line)
            left, most = left - len(line) - 1, most - cost
    return "\n".join((opening, notice, *kept, closing)) if kept else ""


def task_in(prompt: str) -> str:
    """Return a prompt without what a host or memory put into it; what a person pasted stays."""
    from varves.capture.own_words import MOST, own_words, without_blocks

    return without_blocks(prompt[:MOST]).strip() if own_words(prompt) else ""


def said_by_user(turn: SessionTurn) -> list[Any]:
    """Return what the user stated, decided, preferred or put right in a turn."""
    from varves.capture.learnings import learnings

    return [one for one in learnings((*turn.user, *turn.agent)) if one.by == "user"]


def _turns(messages: Iterable[Message]) -> list[SessionTurn]:
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
