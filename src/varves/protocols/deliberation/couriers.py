"""One queue for each subscriber, so that a slow or failing subscriber does not stop the others.

A courier delivers in order, on a thread that exists only while its queue is not empty.
"""

from __future__ import annotations

from collections import deque
from inspect import isawaitable
from threading import Condition, Thread, get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Awaitable, Callable
    from typing import Any

    from varves.protocols.deliberation.failures import Failures

_LOOK_AGAIN = 1.0  # seconds between checks whether the event loop is still open


class Round:
    """State shared by all couriers of one bus: the number of pending deliveries and the threads."""

    def __init__(self) -> None:
        self.turn = Condition()
        self.under_way = 0
        self.threads: set[int] = set()

    @property
    def is_inside(self) -> bool:
        """Whether the calling thread belongs to a courier, which cannot wait for itself."""
        return get_ident() in self.threads

    def wait(self, timeout: float | None) -> bool:
        """Wait until everything is delivered; return whether that happened in time."""
        with self.turn:
            return self.turn.wait_for(lambda: self.under_way == 0, timeout)


class Courier:
    """Delivers items to one callable, one at a time; an awaitable result is awaited."""

    def __init__(
        self,
        name: str,
        call: Callable[[Any], Any],
        *,
        among: Round,
        failures: Failures,
        loop: AbstractEventLoop | None = None,
    ) -> None:
        self.name = name
        self.call = call
        self.loop = loop
        self._round = among
        self._failures = failures
        self._waiting: deque[Any] = deque()
        self._runs = False
        self._over = False

    def give(self, load: Any) -> bool:
        """Queue an item for delivery; return False if the courier has stopped."""
        with self._round.turn:
            if self._over:
                return False
            self._waiting.append(load)
            self._round.under_way += 1
            if not self._runs:
                self._runs = True
                try:
                    Thread(target=self._work, name=f"varves {self.name}", daemon=True).start()
                except RuntimeError as error:  # no thread available; the next item retries
                    self._runs = False
                    self._failures.note(self.name, error)
            return True

    def stop(self) -> list[Any]:
        """Stop delivering, and return the queued items; a running call is completed."""
        with self._round.turn:
            self._over = True
            left = list(self._waiting)
            self._round.under_way -= len(left)
            self._waiting.clear()
            self._round.turn.notify_all()
            return left

    def _work(self) -> None:
        self._round.threads.add(get_ident())
        while True:
            with self._round.turn:
                if not self._waiting:
                    self._runs = False
                    self._round.threads.discard(get_ident())
                    return
                load = self._waiting.popleft()
            try:
                self._hand_over(load)
            except BaseException as error:  # noqa: BLE001 - any failure must not stop the others
                self._failures.note(self.name, error)
            with self._round.turn:
                self._round.under_way -= 1
                self._round.turn.notify_all()

    def _hand_over(self, load: Any) -> None:
        given = self.call(load)
        if isawaitable(given):
            self._await(given)

    def _await(self, given: Awaitable[Any]) -> None:
        import asyncio

        async def wait() -> None:
            await given

        waiting = wait()
        if self.loop is None:
            asyncio.run(waiting)
            return
        try:
            done = asyncio.run_coroutine_threadsafe(waiting, self.loop)
        except RuntimeError:
            waiting.close()
            if asyncio.iscoroutine(given):
                given.close()
            raise
        while True:
            try:
                done.result(_LOOK_AGAIN)
                return
            except TimeoutError:
                if done.done():
                    raise
                if self.loop.is_closed():
                    raise RuntimeError(
                        "the event loop was closed before the subscriber finished"
                    ) from None
