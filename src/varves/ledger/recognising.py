"""Texts that this clone purged, recognised where a file brings them back without their memory's id.

A stash, the reflog or a copy puts an earlier version of a published file into the work tree. Its
entries may have no memory's id, and look like ones that somebody has just written.
"""

from __future__ import annotations

from varves.errors import NotDurable
from varves.log.kept import Texts
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.ledger.engine import Engine

FINISH = "varves doctor --fix finishes the purge"


def learn(engine: Engine, said: Iterable[str]) -> None:
    """Learn to recognise texts, as files show them; before they are erased.

    Raises:
        NotDurable: that could not be written down.
    """
    from varves.protocols.party.shortening import shortened

    forms = {form for text in said for form in (text, shortened(text))}
    for _, place in engine.places.own_purges() if forms else ():
        try:
            Texts(place).add(forms, engine.ids)
        except OSError as fault:
            reason = f"cannot keep the purge in {place.root}: {fault.strerror or fault}"
            raise NotDurable(reason, FINISH) from None


class Recogniser:
    """What this clone purged, read when it is first asked for."""

    def __init__(self, engine: Engine) -> None:
        self._known = [Texts(place) for _, place in engine.places.own_purges()]

    def knows(self, entry: dict[str, Any] | None, ours: Iterable[dict[str, Any]]) -> bool:
        """Tell whether an entry says what was purged, and none of the log's says it now.

        What the log says was said again since, by a verb.
        """
        said = (entry or {}).get("content")
        if not isinstance(said, str) or not any(one.knows(said) for one in self._known):
            return False
        others = (one.get("content") for one in ours)
        return all(not isinstance(one, str) or fold(one) != fold(said) for one in others)
