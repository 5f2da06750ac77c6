"""Reports how far long work has come, as a number of items and as a share of the whole.

A caller may pass any function that takes the number of items done. If it also has a method `share`,
this is told the share of the whole work, from which a rate and the time left follow.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def report(progress: Callable[[int], None] | None, done: int, *, part: float, whole: float) -> None:
    """Report that `done` items were processed, which is the share `part` of `whole`."""
    if progress is None:
        return
    share = getattr(progress, "share", None)
    if share is not None and whole > 0:
        share(min(1.0, part / whole))
    progress(done)
