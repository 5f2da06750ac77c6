"""The message bus: it stores a message, updates the memory and notifies all subscribers.

Posting never waits for subscribers. Each subscriber has its own queue, and so have summaries;
failures there are logged and listed in `failures`. The bus can be used from several threads, and
from asyncio with `post`, `drained` and `aclose`.
"""

from __future__ import annotations

import sys
from threading import Lock, RLock
from time import monotonic

from varves.errors import Refused, UsageError
from varves.protocols.deliberation.couriers import Courier, Round
from varves.protocols.deliberation.memory import ConversationMemory, as_message, check
from varves.protocols.deliberation.names import PublishedValue, published
from varves.protocols.deliberation.state import Message
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from typing import Any, Self

    from varves.protocols.deliberation.failures import Failure
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.state import State, Stats
    from varves.protocols.runner import AgentRunner
    from varves.values.ids import IdSource
    from varves.values.instants import Clock


class Floor:
    """Counts the messages of a bus's listeners since the last message of anyone else."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: dict[str, int] = {}
        self._said = 0

    def join(self, agent: str) -> None:
        """Count an agent as a listener."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 0) + 1

    def leave(self, agent: str) -> None:
        """Stop counting an agent as a listener."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 1) - 1

    def heard(self, agent: str) -> None:
        """Count a message; a message of anyone who is not a listener resets the count."""
        with self._lock:
            if self._listeners.get(agent, 0) < 1:
                self._said = 0

    def take(self, most: int) -> bool:
        """Reserve a message; return False if listeners have reached the limit."""
        with self._lock:
            if self._said >= most:
                return False
            self._said += 1
            return True

    def give_back(self) -> None:
        """Release a reserved message that was not posted."""
        with self._lock:
            self._said = max(0, self._said - 1)


MESSAGE, SUMMARY = "message:new", "summary:new"
EVENTS = (MESSAGE, SUMMARY)


class Notice(PublishedValue):
    """The argument of a subscriber to `message:new`."""

    message: Message
    from_agent: str


@published
class MessageBus:
    """A conversation: its last messages, its memory, and its subscribers."""

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

    # Posting

    def add_message(self, message: Message | Mapping[str, Any]) -> Message:
        """Store a message, update the memory, schedule due summaries, and notify the subscribers.

        Returns:
            The message as stored, with its id, index and time.

        Raises:
            Refused: the message has no text or no agent, or the bus is closed.
        """
        said: Message = as_message(message)
        check(said)
        with self._lock:
            if self._closed:
                raise _closed()
            before = self._kept
            self._kept = (*before, said)[-self.options.keep_messages :]
            try:
                posted = self.memory.process_message(said)
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

    async def post(self, message: Message | Mapping[str, Any]) -> Message:
        """Do the same as `add_message`, in the order of the calls, without blocking the loop.

        A call that is cancelled while it waits posts nothing.
        """
        from asyncio import wrap_future
        from concurrent.futures import Future

        done: Future[Message] = Future()
        if not self._posts.give((as_message(message), done)):
            raise _closed()
        return await wrap_future(done)

    def _take(self, given: tuple[Message, Future[Message]]) -> None:
        message, done = given
        if not done.set_running_or_notify_cancel():
            return
        try:
            done.set_result(self.add_message(message))
        except BaseException as error:  # noqa: BLE001 - the awaiting caller gets it
            done.set_exception(error)

    def _emit(self, event: str, notice: Any) -> None:
        for courier in self._subscribed[event]:
            courier.give(notice)

    def _summarise(self, _: None) -> None:
        for summary in self.memory.summarise(self.runner):
            with self._lock:
                self._emit(SUMMARY, summary)

    # Subscriptions

    def subscribe(self, event: str, call: Callable[[Any], Any]) -> Callable[[], bool]:
        """Subscribe to an event; the callable runs for each event, in order, on its own thread.

        An async function runs on the current event loop, if there is one. The argument is a
        `Notice` for `message:new`, and the summary for `summary:new`.

        Returns:
            A function that ends the subscription and returns whether it did. A subscriber may call
            it.

        Raises:
            UsageError: the event is unknown.
        """
        couriers = self._couriers_of(event)
        name = getattr(call, "__qualname__", type(call).__name__)
        courier = self._courier(f"subscriber {name}", call, _running_loop())
        with self._lock:
            couriers.append(courier)
        return lambda: self._end(couriers, courier)

    def emit(self, event: str, notice: Any) -> None:
        """Deliver a notice to the subscribers of an event, as the bus does for a message.

        A mapping with `message` and `fromAgent` becomes a `Notice`. The memory is not updated.
        """
        self._couriers_of(event)
        if event == MESSAGE and hasattr(notice, "keys"):
            notice = Notice(**dict(notice))
        with self._lock:
            self._emit(event, notice)

    def unsubscribe(self, event: str, call: Callable[[Any], Any]) -> bool:
        """End the oldest subscription of a callable; return whether there was one."""
        couriers = self._couriers_of(event)
        with self._lock:
            found = next((one for one in couriers if one.call == call), None)
            return found is not None and self._end(couriers, found)

    on, off = subscribe, unsubscribe

    def _couriers_of(self, event: str) -> list[Courier]:
        if event not in self._subscribed:
            raise UsageError(f"no event {quoted(event)}", f"the events are {' and '.join(EVENTS)}")
        return self._subscribed[event]

    def _end(self, couriers: list[Courier], courier: Courier) -> bool:
        with self._lock:
            if courier not in couriers:
                return False
            couriers.remove(courier)
        courier.stop()
        return True

    # Reading

    @property
    def messages(self) -> tuple[Message, ...]:
        """The last messages, at most `keep_messages`; their indices count from the first message.

        In a ledger, messages from other processes appear when this bus posts again.
        """
        return self._kept

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures of subscribers and summaries, oldest first."""
        return self._failures.all()

    def get_recent_messages(self, n: int) -> tuple[Message, ...]:
        """Return the last `n` messages, or all if there are fewer."""
        if n <= 0:
            return ()
        return self.memory.recent(n) if self.memory.is_shared else self._kept[-n:]

    def get_memory_context(self, agent_id: str | None = None) -> str:
        """Return the memory's full context; for an agent it includes its previous position."""
        return self.memory.get_memory_context(agent_id)

    def get_eval_memory_context(self) -> str:
        """Return the memory's brief context: decisions and active proposals."""
        return self.memory.get_brief_context()

    def get_memory_state(self) -> dict[str, Any]:
        """Return the memory with its published keys, ready for JSON."""
        return self.memory.get_state()

    def restore_memory(self, state: State | Mapping[str, Any]) -> None:
        """Continue from a saved state, which contains only the messages that no summary covers."""
        with self._lock:
            self.memory.restore(state)
            self._kept = self.memory.recent(self.options.keep_messages)

    def get_memory_stats(self) -> Stats:
        """Return the counts of the memory's records."""
        return self.memory.get_stats()

    # Closing

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until subscribers have received everything and due summaries were tried.

        A summary that failed is tried once more; if it fails again it stays due, and those after it
        with it. `memory.summarise()` without a runner makes them from sentences.

        Returns:
            Whether this happened in time.

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
        """Finish everything that is queued, then accept no more messages.

        A subscriber may also close the bus; then queued events are still delivered, but `close`
        does not wait for them.

        Returns:
            Whether everything was delivered in time; the rest is discarded.
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
        """Do the same as `drain` without blocking the loop."""
        from asyncio import to_thread

        return await to_thread(self.drain, timeout)

    async def aclose(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as in close
        """Do the same as `close` without blocking the loop."""
        from asyncio import to_thread

        return await to_thread(self.close, timeout)

    def _may_wait(self, what: str, instead: str) -> None:
        if self._round.is_inside:
            raise UsageError(
                f"{what} inside a subscriber would wait for itself", "call it elsewhere"
            )
        loop = _running_loop()
        held = [*self._subscribed[MESSAGE], *self._subscribed[SUMMARY]]
        if loop is not None and any(one.loop is loop for one in held):
            raise UsageError(
                f"{what} would wait for the running event loop and block it", f"await {instead}()"
            )

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
    if "asyncio" not in sys.modules:  # without asyncio no loop runs, and its import is slow
        return None
    from asyncio import get_running_loop

    try:
        return get_running_loop()
    except RuntimeError:
        return None
