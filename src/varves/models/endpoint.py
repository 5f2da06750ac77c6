"""Asks a model at an HTTP address, within a time limit; retries only if a retry can help.

The providers' own packages implement the two wire formats (wire.py); this module decides what a
failure means. After rate limits, server errors and broken connections, the question is sent again
after a pause. The pause grows with each attempt and is randomised, unless the server requests a
pause. Any other error is final. The time limit includes all attempts and pauses.
"""

from __future__ import annotations

from time import monotonic

from varves.models.exchange import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from varves.models.exchange import ModelQuestion, Reply, Site

    Result = TypeVar("Result")

PROVIDERS = ("openai", "anthropic")
MISSING = "the packages that ask a model are not installed"
INSTALL = "pip install 'varves[model]'"
_LONGEST_PAUSE = 30.0  # in seconds, unless the server requests a longer pause


class Endpoint:
    """The address of one model, and the key for it."""

    def __init__(
        self,
        site: Site,
        *,
        key: str | None,
        chance: Callable[[], float],
        now: Callable[[], int],
        sleep: Callable[[float], None],
    ) -> None:
        self.site = site
        self._key = key
        self._chance = chance
        self._now = now
        self._sleep = sleep

    def ask(self, question: ModelQuestion, before: Callable[[], None] = lambda: None) -> Reply:
        """Return the model's answer.

        Args:
            question: the question.
            before: called before every attempt that may cost money; if it raises an exception, the
                call ends.

        Raises:
            Failed: there is no answer.
        """
        from varves.models.wire import load

        # loading takes time once, which must not count towards the time limit
        load(self.site.provider)
        until = monotonic() + self.site.timeout
        tries = doubtful = 0
        before()
        while True:
            tries += 1
            try:
                reply = self._once(question, until - monotonic())
                return reply.replace(tries=tries, doubtful=doubtful)
            except Failed as fault:
                unknown = fault.charged and fault.tokens is None
                doubtful += unknown
                fault.tries, fault.doubtful = tries, doubtful
                pause = self._pause(fault, tries)
                if not fault.again or tries > self.site.retries:
                    raise
                if pause >= until - monotonic():
                    raise
            self._sleep(pause)
            if unknown:
                before()

    def _once(self, question: ModelQuestion, seconds: float) -> Reply:
        from varves.models.wire import converse

        site, key, now = self.site, self._key, self._now()
        wait = max(seconds, 0.0)
        return within(wait, lambda: converse(site, question, key=key, seconds=wait, now=now))

    def _pause(self, fault: Failed, tries: int) -> float:
        if fault.after is not None:
            return fault.after
        longest = min(self.site.backoff * 2.0 ** min(tries - 1, 30), _LONGEST_PAUSE)
        return longest * (0.5 + self._chance() / 2)


def absence(provider: str) -> bool:
    """Return whether a provider's package is not installed."""
    from importlib.util import find_spec

    try:
        return find_spec(provider) is None
    except (ImportError, ValueError):
        return True


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return the result of `call`; raise an error if it takes longer than the given seconds.

    A socket timeout applies to each read, so a slow sender or name server might never reach it. So
    another thread makes the call; if the thread is late, this function does not wait for it.

    Raises:
        Failed: the call did not return in time.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    done: SimpleQueue[tuple[Result | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((call(), None))
        except BaseException as fault:  # noqa: BLE001 - raised again in the waiting thread
            done.put((None, fault))

    Thread(target=run, name="varves-model", daemon=True).start()
    try:
        result, fault = done.get(timeout=seconds)
    except Empty:
        raise Failed("timeout", charged=True) from None
    if fault is not None:
        raise fault
    return result  # type: ignore[return-value]
