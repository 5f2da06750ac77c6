"""The nonces of fenced blocks: derived from a secret, different for each reader and day."""

from __future__ import annotations

from varves.recall.fence import nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context

_DAY = 10  # length of the day part of an ISO instant
_FENCE = "fence"  # the name of the secret from which nonces are derived


def nonces(context: Context, actor: str, now: str) -> Callable[[list[str]], str]:
    """Return the function that makes nonces for one reader; they stay the same for a day."""
    key = _secret(context)
    place = f"{actor}\n{now[:_DAY]}"
    return lambda lines: nonce_for(lines, key=key, place=place)


def _secret(context: Context) -> str:
    """Return the secret stored in this index; if none can be stored, make one for this block."""
    notes = context.index.get().notes()
    try:
        if notes.get(_FENCE) is None:
            notes.put(_FENCE, context.ids.salt(), once=True)
        return str(notes.get(_FENCE))
    except context.index.faults:
        return context.ids.salt()
