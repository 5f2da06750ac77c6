"""Which questions anything was fitted to, and which were kept apart.

Weights, the confidence of hits and the lists of words were fitted to the development questions of
the sets below. A question counts as kept apart only if that is certain: its set is none of these,
its file says that it belongs to another part than `dev`, or it is in a file of the set's authors
and not among the development questions beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.published import SESSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.published import Question, Store

FITTED_TO = frozenset(
    ("locomo", "locomo" + SESSIONS, "lme_pool", "lme_s500", "realmem", "qmsum"),
)
DEVELOPMENT = "dev"
# the files of authors that contain the questions of a set that was fitted to, by their beginning
_SAME = {"locomo10": "locomo", "longmemeval_": "lme_pool"}


def fitted_set(name: str) -> str:
    """Return the set whose development questions are among those of a set; "" if none is."""
    if name in FITTED_TO:
        return name
    return next((of for begun, of in _SAME.items() if name.startswith(begun)), "")


def halves(
    name: str, stores: Sequence[Store], there: dict[str, Callable[[], list[Store]]]
) -> tuple[list[Store], list[Store]]:
    """Return a set's stores with the questions that were fitted to, and with those kept apart.

    Args:
        name: the set.
        stores: the set.
        there: how to read the sets of the same folder.
    """
    of = fitted_set(name)
    seen: set[str] | None = None
    if of and of != name and of in there:
        seen = {one.text for store in there[of]() for one in store.questions}

    def is_kept(question: Question) -> bool:
        if not of:
            return True
        if of == name:
            return question.split not in ("", DEVELOPMENT)
        return seen is not None and question.text not in seen

    kept = {id(one) for store in stores for one in store.questions if is_kept(one)}
    return _with(stores, kept, wanted=False), _with(stores, kept, wanted=True)


def _with(stores: Iterable[Store], kept: set[int], *, wanted: bool) -> list[Store]:
    found = []
    for store in stores:
        questions = [one for one in store.questions if (id(one) in kept) is wanted]
        if questions:
            found.append(replace(store, questions=questions))
    return found
