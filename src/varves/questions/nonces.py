"""The nonces of fenced blocks: drawn from a secret, others for each reader and each day."""

from __future__ import annotations

from varves.recall.fence import nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context

_DAY = 10  # characters of an instant
_FENCE = "fence"  # the name of the secret nonces are drawn from


def nonces(context: Context, actor: str, now: str) -> Callable[[list[str]], str]:
    """Return what makes the nonces of one reader's blocks: others tomorrow, the same all day."""
    key = _secret(context)
    place = f"{actor}\n{now[:_DAY]}"
    return lambda lines: nonce_for(lines, key=key, place=place)


def _secret(context: Context) -> str:
    """Return the secret of this index; where none can be kept, one for this block alone."""
    notes = context.index.get().notes()
    try:
        if notes.get(_FENCE) is None:
            notes.put(_FENCE, context.ids.salt(), once=True)
        return str(notes.get(_FENCE))
    except context.index.faults:
        return context.ids.salt()
