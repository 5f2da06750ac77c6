"""A page of a list: some of its items, and how many follow."""

from __future__ import annotations

from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self, TypeVar

    T = TypeVar("T")


class Listing(tuple["T", ...]):  # noqa: SLOT001 - a tuple's slots cannot have values
    """Some items of a list, and how many more there are."""

    more: int
    """How many more items follow on later pages."""

    def __new__(cls, found: Iterable[T], *, more: int = 0) -> Self:
        """Return the given items, and how many more there are."""
        made = super().__new__(cls, found)
        made.more = more
        return made


class Compared(Listing["T"]):
    """Some items of a list for which memories are compared, a limited number in each call."""

    uncompared: int
    """How many memories are not compared yet, so that the list may lack items about them."""

    def __new__(cls, found: Iterable[T], *, more: int = 0, uncompared: int = 0) -> Self:
        """Return the given items, how many more there are, and how many memories wait."""
        made = super().__new__(cls, found, more=more)
        made.uncompared = uncompared
        return made


def check_limit(limit: int | None) -> None:
    """Raise an error if a page is to have no items.

    Raises:
        UsageError: the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"the limit must be 1 or more, not {limit}", "give a whole number")
