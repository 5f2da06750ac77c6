"""One courier for each subscriber: a slow or failing one stops nobody.

It hands over in order, on a thread of its own, which is there only while something waits.
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

_LOOK_AGAIN = 1.0  # seconds after which a loop that gave no answer is looked at again


class Round:
    """What all couriers of one bus have in common: how much is under way, and on which threads."""

    def __init__(self) -> None:
        self.turn = Condition()
        self.under_way = 0
        self.threads: set[int] = set()

    @property
    def is_inside(self) -> bool:
        """Whether the calling thread is a courier's: it cannot wait for itself."""
        return get_ident() in self.threads

    def wait(self, timeout: float | None) -> bool:
        """Wait until everything is handed over; tell whether that came about in time."""
        with self.turn:
            return self.turn.wait_for(lambda: self.under_way == 0, timeout)


class Courier:
    """Hands one thing after another to one callable; what it returns to be awaited is awaited."""

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
        """Take something to hand over; nothing is taken any more after the end."""
        with self._round.turn:
            if self._over:
                return False
            self._waiting.append(load)
            self._round.under_way += 1
            if not self._runs:
                self._runs = True
                try:
                    Thread(target=self._work, name=f"varves {self.name}", daemon=True).start()
                except RuntimeError as error:  # no thread to be had: the next one tries again
                    self._runs = False
                    self._failures.note(self.name, error)
            return True

    def stop(self) -> list[Any]:
        """Hand nothing over any more, and return what waited; a call under way comes to its end."""
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
            except BaseException as error:  # noqa: BLE001 - whatever it is, the others go on
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
                    raise RuntimeError("the event loop was closed before the end") from None
