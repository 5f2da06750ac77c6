"""A query: what is asked, of whom, and as of when."""

from __future__ import annotations

from varves.values.value import Value


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
    explain: bool = False

    @property
    def ranks_by_words(self) -> bool:
        """Whether the default ranks, and not a published formula."""
        return self.profile == "default"


class Term(Value):
    """A word of a query as the index knows it."""

    word: str
    stem: str
    count: int
