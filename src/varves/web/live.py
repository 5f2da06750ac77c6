"""News for open pages: how many events there are, never what they say.

All pages share one follower. It looks at the logs while somebody listens, and stops when nobody
does.
"""

from __future__ import annotations

from asyncio import CancelledError, Event, Task, create_task, sleep

from starlette.concurrency import run_in_threadpool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

EVERY = 0.5  # seconds between two looks
_QUIET = 15.0  # seconds after which a comment shows that the stream is still open


class Live:
    """The streams of one window.

    Args:
        count: returns the number of events.
        every: seconds between two looks.
    """

    def __init__(self, count: Callable[[], int], *, every: float = EVERY) -> None:
        self._count = count
        self._every = every
        self._listeners: set[Event] = set()
        self._task: Task[None] | None = None
        self._events = -1
        self._ended = False

    def end(self) -> None:
        """Let every stream end."""
        self._ended = True

    async def stream(self) -> AsyncIterator[str]:
        """Yield the number of events now, and whenever it has changed."""
        changed = Event()
        self._listeners.add(changed)
        if self._task is None:
            self._events = await run_in_threadpool(self._count)
            self._task = create_task(self._follow())
        try:
            said, idle = -1, 0.0
            while not self._ended:
                if said != self._events:
                    said, idle = self._events, 0.0
                    yield f'id: {said}\ndata: {{"events": {said}}}\n\n'
                elif idle >= _QUIET:
                    idle = 0.0
                    yield ": still here\n\n"
                changed.clear()
                await sleep(self._every)
                idle += self._every
        finally:
            self._listeners.discard(changed)
            if not self._listeners and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _follow(self) -> None:
        while True:
            await sleep(self._every)
            try:
                self._events = await run_in_threadpool(self._count)
            except CancelledError:
                raise
            except Exception:  # noqa: BLE001, S112 - the next look may succeed
                continue
