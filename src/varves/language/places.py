"""Decides which places of a thing, and which stores of data, contradict each other."""

from __future__ import annotations

from varves.language.english.nouns import PLACES, STORE_KINDS, STORES, WITHIN
from varves.language.english.words import listed
from varves.language.tokens import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.frames import Frame

PLACING = frozenset(("in", "behind", "beside", "outside", "between", "below", "above"))
"""The roles of words that name a place."""
RESTING = listed("be live sit lie stay hang keep store stand locate put park happen occur meet")
"""Verbs that say where a thing is."""
_LEVELS = {canonical(word): level for level, row in enumerate(PLACES) for word in row.split()}
_WITHIN = {
    canonical(word): frozenset(canonical(other) for other in row.split())
    for word, row in WITHIN.items()
}
_STORES = {canonical(word): group for word, group in STORES.items()}


def apart(old: Frame, late: Frame) -> bool:
    """Return whether two clauses name two places, and neither place may be inside the other."""
    here, there = _place(old), _place(late)
    if not here or not there or here == there or _LEVELS[here] != _LEVELS[there]:
        return False
    return here not in _WITHIN.get(there, ()) and there not in _WITHIN.get(here, ())


def _place(frame: Frame) -> str:
    """Return the place that a clause names, as the last word of the phrase; "" without a place."""
    named = [term for term in frame.terms.values() if term.role in PLACING]
    last = named[-1].key if named and not named[-1].kind else ""
    return last if last in _LEVELS else ""


def kept_apart(old: Frame, late: Frame) -> bool:
    """Return whether two clauses name two kinds of stores: "in Postgres", "in a file"."""
    here, there = _stores(old), _stores(late)
    return bool(here and there) and not here & there


def _stores(frame: Frame) -> set[str]:
    places = [term for term in frame.terms.values() if term.role == "in"]
    return {_STORES.get(term.key, STORE_KINDS.get(term.kind, "")) for term in places} - {""}
