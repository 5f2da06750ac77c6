"""Where agents talk: a message is kept, goes into the memory, and is handed to all subscribers.

Posting never waits for them. Each subscriber has its own queue, summaries have one too, and what
fails there is logged and listed in `failures`. It may be used from several threads and, through
`post`, `drained` and `aclose`, from asyncio.
"""

from __future__ import annotations

import sys
from threading import RLock
from time import monotonic

from varves.errors import Refused, UsageError
from varves.protocols.deliberation.couriers import Courier, Round
from varves.protocols.deliberation.floor import Floor
from varves.protocols.deliberation.memory import ConversationMemory, check
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from typing import Any, Self

    from varves.protocols.deliberation.failures import Failure
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.state import Message, State, Stats
    from varves.protocols.runner import AgentRunner
    from varves.values.ids import IdSource
    from varves.values.instants import Clock

MESSAGE, SUMMARY = "message:new", "summary:new"
EVENTS = (MESSAGE, SUMMARY)


class Notice(Value):
    """What a subscriber to `message:new` is given."""

    message: Message
    from_agent: str


class MessageBus:
    """A conversation: its last messages, its memory, and who wants to hear of it."""

    def __init__(
        self,
        memory: ConversationMemory | None = None,
        *,
        runner: AgentRunner | None = None,
        options: DeliberationOptions | Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        ids: IdSource | None = None,
    ) -> None:
        self.memory = memory or ConversationMemory(options, clock=clock, ids=ids)
        self.options = self.memory.options
        self.runner = runner
        self.floor = Floor()
        self._failures = self.memory.failed
        self._lock = RLock()
        self._kept: tuple[Message, ...] = self.memory.recent(self.options.keep_messages)
        self._subscribed: dict[str, list[Courier]] = {event: [] for event in EVENTS}
        self._round = Round()
        self._summaries = self._courier("summaries", self._summarise)
        self._posts = self._courier("posts", self._take)
        self._closed = False

    def _courier(
        self, name: str, call: Callable[[Any], Any], loop: AbstractEventLoop | None = None
    ) -> Courier:
        return Courier(name, call, among=self._round, failures=self._failures, loop=loop)

    # Talking

    def add_message(self, message: Message) -> Message:
        """Keep a message, take it into the memory, see to summaries, and tell the subscribers.

        Returns:
            The message as it was kept, with its id, its index and its instant.

        Raises:
            Refused: it says nothing, nobody says it, or the bus is closed.
        """
        check(message)
        with self._lock:
            if self._closed:
                raise _closed()
            before = self._kept
            self._kept = (*before, message)[-self.options.keep_messages :]
            try:
                posted = self.memory.process_message(message)
            except BaseException:
                self._kept = before
                raise
            self._kept = (*self._kept[:-1], posted)
            if len(self._kept) > 1 and self._kept[-2].index + 1 != posted.index:
                self._kept = self.memory.recent(self.options.keep_messages)  # others posted too
            self.floor.heard(posted.agent_id)
            if self.memory.summary_is_due(posted):
                self._summaries.give(None)
            self._emit(MESSAGE, Notice(message=posted, from_agent=posted.agent_id))
            return posted

    async def post(self, message: Message) -> Message:
        """Do what `add_message` does, in the order of the calls, without holding the loop up.

        A call that is cancelled while it waits for its turn posts nothing.
        """
        from asyncio import wrap_future
        from concurrent.futures import Future

        done: Future[Message] = Future()
        if not self._posts.give((message, done)):
            raise _closed()
        return await wrap_future(done)

    def _take(self, given: tuple[Message, Future[Message]]) -> None:
        message, done = given
        if not done.set_running_or_notify_cancel():
            return
        try:
            done.set_result(self.add_message(message))
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever awaits it
            done.set_exception(error)

    def _emit(self, event: str, notice: Any) -> None:
        for courier in self._subscribed[event]:
            courier.give(notice)

    def _summarise(self, _: None) -> None:
        for summary in self.memory.summarise(self.runner):
            with self._lock:
                self._emit(SUMMARY, summary)

    # Listening

    def subscribe(self, event: str, call: Callable[[Any], Any]) -> Callable[[], bool]:
        """Have something called for each event, in order, on a thread of its own.

        An async function runs on the loop that is running now, where there is one. For
        `message:new` a `Notice` is given, for `summary:new` the summary.

        Returns:
            What ends the subscription, and tells whether it did; it may be called from within.

        Raises:
            UsageError: there is no such event.
        """
        couriers = self._couriers_of(event)
        name = getattr(call, "__qualname__", type(call).__name__)
        courier = self._courier(f"subscriber {name}", call, _running_loop())
        with self._lock:
            couriers.append(courier)
        return lambda: self._end(couriers, courier)

    def unsubscribe(self, event: str, call: Callable[[Any], Any]) -> bool:
        """End the oldest subscription of a callable; tell whether there was one."""
        couriers = self._couriers_of(event)
        with self._lock:
            found = next((one for one in couriers if one.call == call), None)
            return found is not None and self._end(couriers, found)

    def _couriers_of(self, event: str) -> list[Courier]:
        if event not in self._subscribed:
            raise UsageError(f"no event {quoted(event)}", f"there are {' and '.join(EVENTS)}")
        return self._subscribed[event]

    def _end(self, couriers: list[Courier], courier: Courier) -> bool:
        with self._lock:
            if courier not in couriers:
                return False
            couriers.remove(courier)
        courier.stop()
        return True

    # Looking

    @property
    def messages(self) -> tuple[Message, ...]:
        """The last messages, at most `keep_messages`; their indices count from the first ever.

        In a ledger, what other processes post is there as soon as this bus posts again.
        """
        return self._kept

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What did not work beside the conversation, oldest first."""
        return self._failures.all()

    def get_recent_messages(self, n: int) -> tuple[Message, ...]:
        """Return the last so many messages, all if there are fewer."""
        if n <= 0:
            return ()
        return self.memory.recent(n) if self.memory.is_shared else self._kept[-n:]

    def get_memory_context(self, agent_id: str | None = None) -> str:
        """Return the memory's full context, for an agent with its own previous position."""
        return self.memory.get_memory_context(agent_id)

    def get_eval_memory_context(self) -> str:
        """Return the memory's brief context: decisions and active proposals."""
        return self.memory.get_brief_context()

    def get_memory_state(self) -> dict[str, Any]:
        """Return the memory with its published keys, ready for JSON."""
        return self.memory.get_state()

    def restore_memory(self, state: State | Mapping[str, Any]) -> None:
        """Go on from a saved state; of its messages those are there that no summary covers."""
        with self._lock:
            self.memory.restore(state)
            self._kept = self.memory.recent(self.options.keep_messages)

    def get_memory_stats(self) -> Stats:
        """Count what the memory holds."""
        return self.memory.get_stats()

    # Coming to an end

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until subscribers have heard everything and summaries are made.

        A chunk whose runner failed is tried once more.

        Returns:
            Whether that came about in time.

        Raises:
            UsageError: a subscriber would wait for itself.
        """
        self._may_wait("drain", "drained")
        until = None if timeout is None else monotonic() + timeout
        if not self._round.wait(timeout):
            return False
        self._summaries.give(None)
        return self._round.wait(_left(until))

    def close(self, timeout: float | None = None) -> bool:
        """Let everything come to its end, then take no messages any more.

        A subscriber may close the bus too: then what is waiting is still handed over, but nobody
        waits for it.

        Returns:
            Whether all was handed over in time; what was not is let go.
        """
        if self._round.is_inside:
            self._closed = True
            return False
        self._may_wait("close", "aclose")
        until = None if timeout is None else monotonic() + timeout
        done = self.drain(timeout)
        held = self._lock.acquire(timeout=-1 if until is None else max(0.0, until - monotonic()))
        self._closed = True
        if held:
            self._lock.release()
        done = done and held and self._round.wait(_left(until))
        for courier in (*self._subscribed[MESSAGE], *self._subscribed[SUMMARY]):
            courier.stop()
        self._summaries.stop()
        for _, waiting in self._posts.stop():
            if waiting.set_running_or_notify_cancel():
                waiting.set_exception(_closed())
        return done

    async def drained(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as in drain
        """Do what `drain` does without holding the loop up."""
        from asyncio import to_thread

        return await to_thread(self.drain, timeout)

    async def aclose(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as in close
        """Do what `close` does without holding the loop up."""
        from asyncio import to_thread

        return await to_thread(self.close, timeout)

    def _may_wait(self, what: str, instead: str) -> None:
        if self._round.is_inside:
            raise UsageError(f"{what} inside a subscriber would wait for itself", "do it outside")
        loop = _running_loop()
        held = [*self._subscribed[MESSAGE], *self._subscribed[SUMMARY]]
        if loop is not None and any(one.loop is loop for one in held):
            raise UsageError(f"{what} would hold up the loop it waits for", f"await {instead}()")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _closed() -> Refused:
    return Refused("the conversation is closed", "open another bus")


def _left(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - monotonic())


def _running_loop() -> AbstractEventLoop | None:
    if "asyncio" not in sys.modules:  # without it there is none, and nobody pays for its import
        return None
    from asyncio import get_running_loop

    try:
        return get_running_loop()
    except RuntimeError:
        return None
