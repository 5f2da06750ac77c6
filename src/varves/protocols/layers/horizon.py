"""The horizon of a view: a comment at its end that shows whether the view is stale.

The comment contains the number of events, the time of the last one, a digest of all events, a
digest of the view's text, and one of the options that shape it. File times are ignored. The digest
of all events is a chain, so the end of a log is enough to extend it.
"""

from __future__ import annotations

import re
from hashlib import sha256

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.options import LayersOptions

FORM = 7
"""Increased when views change for the same log and options."""
_DIGITS = 32
_OPENING = "<!-- varves horizon: "
_STAMP = re.compile(
    _OPENING + r"(\d+) events?; last (.*?); log ([0-9a-f]{32}); body ([0-9a-f]{32}); "
    r"rules ([0-9a-f]{8}) -->\n?",
    re.MULTILINE,
)
_FOREIGN = re.compile(r"Event horizon\W{0,8}(evt-(\d+))", re.IGNORECASE)
_EVENT = re.compile(r"#{1,6}\s+\W*evt-(\d+)", re.IGNORECASE)


class Horizon(Value):
    """The content of a view's comment."""

    events: int
    last: str
    log: str
    rules: str
    whole: bool
    """Whether the view's text is unchanged since it was written."""


def stamped(body: str, log: Changelog, options: LayersOptions) -> str:
    """Return a view's text with its horizon at the end; `body` ends with a line end."""
    blocks, count = log.ordered, log.skipped + len(log.blocks)
    last = (blocks[-1].time if blocks else "") or "unknown"
    if not count:
        last = "none"
    text = f"{body}\n"
    return (
        f"{text}<!-- varves horizon: {count} event{'s' * (count != 1)}; last {last}; "
        f"log {log.chains[-1]}; body {_digest(text)}; rules {rules(options)} -->\n"
    )


def horizon(text: str) -> Horizon | None:
    """Parse a view's horizon; None if it has none."""
    text = text.replace("\r\n", "\n")
    place = text.rfind(_OPENING)
    found = _STAMP.match(text, place) if place >= 0 else None
    if found is None:
        return None
    rest = text[: found.start()] + text[found.end() :]
    return Horizon(
        events=int(found[1]),
        last=found[2],
        log=found[3],
        rules=found[5],
        whole=_digest(rest) == found[4],
    )


def _begins(seen: Horizon, log: Changelog) -> bool:
    """Return whether the events of a view are the beginning of a log."""
    count = seen.events - log.skipped
    return 0 <= count <= len(log.blocks) and seen.log == log.chains[count]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def rules(options: LayersOptions) -> str:
    """Return the digest of the options that shape a view."""
    words = ",".join(sorted(word.casefold() for word in options.complete))
    numbers = (FORM, options.recent, options.actions, options.summary_chars, options.related_most)
    said = "\n".join((*map(str, numbers), words))
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def fits(seen: Horizon | None, log: Changelog, options: LayersOptions) -> bool:
    """Return whether a view is valid up to its horizon, so that newer events can be added."""
    return seen is not None and seen.whole and seen.rules == rules(options) and _begins(seen, log)


def behind(text: str | None, log: Changelog) -> int:
    """Return the number of events a view does not show yet; all of them if it is unusable."""
    seen = horizon(text) if text is not None else None
    count = log.skipped + len(log.blocks)
    return count if seen is None or not _begins(seen, log) else count - seen.events


def staleness(text: str | None, log: Changelog, options: LayersOptions | None = None) -> str | None:
    """Return why a view does not show the current log; None if it does.

    The reasons are `missing`; `foreign` (another program's file); `edited` (changed since the view
    was written); `behind` and `ahead` (made from another state of the log, or with other options).
    """
    if text is None:
        return "missing"
    seen = horizon(text)
    blocks = log.ordered
    if seen is None:
        return _foreign(text, blocks)
    if not seen.whole:
        return "edited"
    if seen.events > log.skipped + len(blocks):
        return "ahead"
    if not _begins(seen, log):
        return "ahead" if blocks and _later(seen.last, blocks[-1].time) else "behind"
    if seen.events < log.skipped + len(blocks) or (
        options is not None and seen.rules != rules(options)
    ):
        return "behind"
    return None


def _later(one: str, other: str) -> bool:
    return one[:1].isdigit() and one > other


def _foreign(text: str, blocks: Sequence[Block]) -> str:
    """Return why a foreign view does not show a log, if both number their events."""
    found = _FOREIGN.search(text)
    numbers = [int(number[1]) for block in blocks if (number := _EVENT.match(block.text))]
    if not found or not numbers or int(found[2]) == max(numbers):
        return "foreign"
    return "ahead" if int(found[2]) > max(numbers) else "behind"
