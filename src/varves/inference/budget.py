"""Records the calls of models and their cost in the private log, and limits the cost by a cap.

If there is a cap, the maximum cost of a call is set aside before the call (`model.asked`), under a
lock that all processes share. After the call, a record of its cost (`model.called`) replaces that
amount. So concurrent calls together cannot exceed the cap. If a crash interrupts a call, its
maximum cost is counted.
"""

from __future__ import annotations

from math import isfinite

from varves.commands.port import Decision
from varves.errors import Refused, UsageError
from varves.events.kinds import ASKED, CALLED
from varves.index.where import EventWhere
from varves.places.locks import Deciding
from varves.values.instants import DAY_MS, iso
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.context import Context
    from varves.events.event import Event
    from varves.models.exchange import Failed, Reply


LOCK = "local/model.lock"
_PRIVATE = "private"
_MILLION = 1_000_000


class Spent(Value):
    """The cost of calls, or their possible cost: tokens, and dollars if prices are known."""

    tokens: int = 0
    cost: float = 0.0
    """The cost in US dollars, as far as prices are known."""

    def plus(self, other: Spent, times: int = 1) -> Spent:
        """Return the sum of this cost and `times` times the other cost."""
        return Spent(tokens=self.tokens + times * other.tokens, cost=self.cost + times * other.cost)


class Tariff(Value):
    """The prices in US dollars for a million tokens, and the most that a day may cost."""

    price_in: float = 0.0
    price_out: float = 0.0
    cap: float = 0.0
    """The cap in US dollars; 0 means that there is none."""
    cap_tokens: int = 0

    def of(self, tokens: tuple[int, int]) -> Spent:
        """Return the cost of the given tokens."""
        asked, said = tokens
        cost = (asked * self.price_in + said * self.price_out) / _MILLION
        return Spent(tokens=asked + said, cost=cost)

    @property
    def priced(self) -> bool:
        """Whether costs in dollars are known."""
        return bool(self.price_in or self.price_out)


class Meter:
    """Adds up the cost of one ledger's calls for one purpose."""

    def __init__(
        self, context: Context, tariff: Tariff, *, purpose: str, session: str | None
    ) -> None:
        if not purpose or not purpose.isprintable() or len(purpose) > 100:
            raise UsageError("a purpose must be a few plain words", "use a word such as summary")
        self._context = context
        self._purpose = purpose
        self._session = None if session is None else safe_name(session, "session")
        self.tariff = tariff

    def bill(self, model: str, provider: str, *, worst: Spent) -> Bill:
        """Return a bill for one call of a model; `worst` is the most that the call can cost."""
        asked = {"model": model, "provider": provider, "purpose": self._purpose}
        return Bill(self, asked, worst)

    def set_aside(self, asked: dict[str, Any], worst: Spent) -> str | None:
        """Count the highest possible cost of a call in advance; return the event that records it.

        Raises:
            Refused: the cost would exceed the cap.
        """
        if not self.tariff.cap and not self.tariff.cap_tokens:
            return None
        context = self._context
        with context.lock:
            context.begin(_PRIVATE)
            with Deciding(context.places.store(_PRIVATE), lambda: None, name=LOCK):
                self._refuse_over(self.spent(), worst)
                told = {**asked, "most_tokens": worst.tokens, "most_cost": worst.cost}
                return self.record(ASKED, told).id

    def _refuse_over(self, spent: Spent, worst: Spent) -> None:
        tariff, whole = self.tariff, spent.plus(worst)
        if tariff.cap and whole.cost > tariff.cap:
            so_far, may = f"${spent.cost:.4f}", f"${worst.cost:.4f}"
            cap = f"cap of ${tariff.cap:.2f}"
        elif tariff.cap_tokens and whole.tokens > tariff.cap_tokens:
            so_far, may = f"{spent.tokens:,} tokens", f"{worst.tokens:,}"
            cap = f"cap_tokens of {tariff.cap_tokens:,}"
        else:
            return
        raise Refused(
            (
                f"models used {so_far} in the last 24 hours, and this call may use {may}:"
                f" together more than the {cap}"
            ),
            "wait, or raise the cap in [model] of your settings",
        )

    def spent(self) -> Spent:
        """Return the total cost of all model calls in this clone in the last 24 hours."""
        since = self._context.clock.now() - DAY_MS
        wanted = EventWhere(
            kinds=(ASKED, CALLED),
            log=_PRIVATE,
            here=True,
            since=iso(max(since, 0)),
            after=f"{max(since, 0):012x}",
        )
        events = self._healed().events(wanted)
        settled = {cause for event in events if event.kind == CALLED for cause in event.cause}
        whole = Spent()
        for event in events:
            if event.kind == CALLED:
                whole = whole.plus(_taken(event))
            elif event.id not in settled:
                whole = whole.plus(_most(event))
        return whole

    def _healed(self) -> Any:
        """Return the up-to-date index; a damaged index is rebuilt first."""
        context = self._context
        try:
            return context.fresh().index
        except context.index.faults as fault:
            context.index.heal(fault)
            return context.fresh().index

    def record(self, kind: str, content: dict[str, Any], *cause: str) -> Event:
        """Append one event to the private log."""
        context = self._context
        with context.lock:
            context.logs.hlc.read(self._healed().latest_hlc())
            masked, _ = context.clean(content)
            draft = context.act(self._session).draft(kind, masked, *cause)
            decision = Decision(log=_PRIVATE, drafts=(draft,), memory="")
            _, [event] = context.append(decision)
            return event


class Bill:
    """The cost of one call of a model: what was permitted, and what was spent."""

    def __init__(self, meter: Meter, asked: dict[str, Any], worst: Spent) -> None:
        self._meter = meter
        self._asked = asked
        self._worst = worst
        self._set_aside: list[str] = []
        self.began = False

    def allow(self) -> None:
        """Count the highest possible cost of one more attempt before it is made.

        Raises:
            Refused: the cost would exceed the cap.
        """
        event = self._meter.set_aside(self._asked, self._worst)
        self.began = True
        if event is not None:
            self._set_aside.append(event)

    def record_outcome(
        self, outcome: Reply | Failed | None, *, seconds: float, error: str | None = None
    ) -> float | None:
        """Record the outcome of the call; return its cost in dollars, or None if it is not known.

        Args:
            outcome: the endpoint's reply or failure; None if the call was abandoned.
            seconds: the duration of the call.
            error: the kind of error, in a word or two.
        """
        tariff = self._meter.tariff
        tokens = None if outcome is None else outcome.tokens
        doubtful = 1 if outcome is None else outcome.doubtful
        if tokens is None and error is None:
            doubtful += 1  # the endpoint answered without the number of tokens used
        taken = Spent() if tokens is None else tariff.of(tokens)
        doubt = Spent().plus(self._worst, doubtful)
        known = tokens is not None and tariff.priced
        content = {
            **self._asked,
            "model": getattr(outcome, "model", None) or self._asked["model"],
            "tokens_in": None if tokens is None else tokens[0],
            "tokens_out": None if tokens is None else tokens[1],
            "cost": taken.cost if known else None,
            "doubt_tokens": doubt.tokens or None,
            "doubt_cost": doubt.cost or None,
            "success": error is None,
            "truncated": getattr(outcome, "truncated", False) or None,
            "error": error,
            "seconds": round(seconds, 3),
            "tries": None if outcome is None else outcome.tries,
        }
        self._meter.record(CALLED, content, *self._set_aside)
        return taken.cost if known else None


def _taken(event: Event) -> Spent:
    """Return the cost that an event records: the actual cost of a call, or its highest cost."""
    tokens = sum(_whole(event, name) for name in ("tokens_in", "tokens_out", "doubt_tokens"))
    return Spent(tokens=tokens, cost=_money(event, "cost") + _money(event, "doubt_cost"))


def _most(event: Event) -> Spent:
    return Spent(tokens=_whole(event, "most_tokens"), cost=_money(event, "most_cost"))


def _whole(event: Event, name: str) -> int:
    value = event.data.get(name)
    return value if type(value) is int and value > 0 else 0


def _money(event: Event, name: str) -> float:
    value = event.data.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if isfinite(value) and value > 0 else 0.0
