"""A query to the ledger: the question, who asks it, and the instant."""

from __future__ import annotations

from varves.values.memory import is_over
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# the most index entries read for one query; above that, frequent words are left out
SCANNED = 4_000
FEW = 3  # how many of the rarest words are always searched, even if they are frequent


class Query(Value):
    """The input of recall."""

    text: str
    k: int = 10
    scope: str | None = None
    type: str | None = None
    tag: str | None = None
    source: str | None = None
    protocol: str | None = None
    include: tuple[str, ...] = ()
    budget: int | None = None
    now: str
    actor: str = "USER"
    session: str | None = None
    clones: tuple[str, ...] | None = None
    profile: str = "default"
    weights: dict[str, float] | None = None
    """The weights in the settings that replace those of a published formula.

    None if there are none.
    """
    explain: bool = False
    all: bool = False
    """Whether weak matches are returned too."""

    @property
    def ranks_by_words(self) -> bool:
        """Whether the default ranking is used, and not a protocol's published formula."""
        return self.profile == "default"


class Term(Value):
    """A word of a query in the form that the index uses."""

    word: str
    stem: str
    count: int


def worth_searching(terms: Iterable[Term]) -> tuple[list[Term], list[str]]:
    """Return the terms worth searching for, rarest first, and the words that are left out."""
    known = sorted(terms, key=lambda term: (term.count, term.word))
    taken: list[Term] = []
    scanned = 0
    for term in known:
        scanned += term.count
        if scanned > SCANNED and len(taken) >= FEW:
            break
        taken.append(term)
    return taken, [term.word for term in known[len(taken) :]]


def passed_over(
    query: Query, status: str, expires_at: str | None, *, trusted: bool, sensitive: bool
) -> str:
    """Return the reason why recall leaves out a memory that the caller may see.

    Return "" if recall does not leave it out.
    """
    if status != "active" and status not in query.include:
        return status
    if is_over(expires_at, query.now):
        return "expired"
    if not trusted:
        return "quarantined: of untrusted origin"
    return "sensitive" if sensitive else "left out by a filter"
