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
    protocol: str | None = None
    include: tuple[str, ...] = ()
    budget: int | None = None
    now: str
    actor: str = "USER"
    session: str | None = None
    clones: tuple[str, ...] | None = None
