"""The nonces (random words) of fenced blocks, derived from a secret, the reader and the day."""

from __future__ import annotations

from varves.recall.fence import nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context

_DAY = 10  # the length of the date in an ISO instant
_FENCE = "fence"  # the name of the secret from which nonces are derived


def nonces(context: Context, actor: str, now: str) -> Callable[[list[str]], str]:
    """Return the function that makes the nonces for one reader, which stay the same for a day."""
    key = _secret(context)
    place = f"{actor}\n{now[:_DAY]}"
    return lambda lines: nonce_for(lines, key=key, place=place)


def _secret(context: Context) -> str:
    """Return the secret from which nonces are derived; it is stored in this index.

    If it cannot be stored, a secret for this block alone is returned.
    """
    notes = context.index.get().notes()
    try:
        if notes.get(_FENCE) is None:
            notes.put(_FENCE, context.ids.salt(), once=True)
        return str(notes.get(_FENCE))
    except context.index.faults:
        return context.ids.salt()
