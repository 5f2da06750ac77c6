"""The nonces of fenced blocks: drawn from a secret, others for each reader and each day."""

from __future__ import annotations

from varves.recall.fence import nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.engine import Engine

_DAY = 10  # characters of an instant
_FENCE = "fence"  # the name of the secret nonces are drawn from


def nonces(engine: Engine, actor: str, now: str) -> Callable[[list[str]], str]:
    """Return what makes the nonces of one reader's blocks: others tomorrow, the same all day."""
    key = _secret(engine)
    place = f"{actor}\n{now[:_DAY]}"
    return lambda lines: nonce_for(lines, key=key, place=place)


def _secret(engine: Engine) -> str:
    """Return the secret of this index; where none can be kept, one for this block alone."""
    index = engine.index()
    try:
        if index.note(_FENCE) is None:
            index.set_note(_FENCE, engine.ids.salt(), once=True)
        return str(index.note(_FENCE))
    except engine.index_faults:
        return engine.ids.salt()
