"""A model behind an HTTP address: asked once, in a limited time, and again only where that helps.

The makers' own packages speak the two wire formats (wire.py); this decides what a failure means.
Too many calls, a fault of the other side and a broken connection are tried again after a growing
pause with some chance in it, or after the pause the other side asks for; whatever else it answers
is final. The time limit spans all tries and pauses.
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
_LONGEST_PAUSE = 30.0  # seconds, unless the other side asks for more


class Endpoint:
    """One model's address, with the key to it."""

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
        """Return what the model says.

        Args:
            question: what to ask.
            before: called before every try that may be charged for anew; what it raises ends it.

        Raises:
            Failed: there is no answer.
        """
        from varves.models.wire import load

        load(self.site.provider)  # takes its time once, which is nobody's fault
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
    """Tell whether the package that speaks to a provider is not installed."""
    from importlib.util import find_spec

    try:
        return find_spec(provider) is None
    except (ImportError, ValueError):
        return True


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what a call returns, if it does so in time.

    The limits of sockets are for each read: one byte at a time, or a slow name server, would keep
    within them for ever. So another thread does the call, and is left behind when it is late.

    Raises:
        Failed: it did not.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    done: SimpleQueue[tuple[Result | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((call(), None))
        except BaseException as fault:  # noqa: BLE001 - it is raised where it is waited for
            done.put((None, fault))

    Thread(target=run, name="varves-model", daemon=True).start()
    try:
        result, fault = done.get(timeout=seconds)
    except Empty:
        raise Failed("timeout", charged=True) from None
    if fault is not None:
        raise fault
    return result  # type: ignore[return-value]
