"""Lists that are shown in pages: the first one by default, and how to get the next one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.cli.arguments import Given
    from varves.cli.render import Line
    from varves.values.listing import Listing

SHOWN = 50  # the most items in a list for people


def page_asked(given: Given) -> dict[str, Any]:
    """Return the options for the ledger: a list for people has a limit."""
    return given.own if "json" in given.shared else {"limit": SHOWN, **given.own}


def page_lines(
    given: Given, lines: Iterable[Line], page: Listing[Any], last: Any
) -> Iterator[Line]:
    """Yield the lines of a page and, if there are more items, the command that shows them.

    Args:
        given: the call.
        lines: the lines of the items.
        page: the items.
        last: the item where the next page begins.
    """
    yield from lines
    if page.more:
        yield f"{page.more} more: varves {given.verb}{_repeated(given.own)} --before {last.id}"


def _repeated(own: dict[str, Any]) -> str:
    """Return the options that also apply to the next page, as they are typed."""
    from shlex import quote

    text = ""
    for name, value in own.items():
        if name not in ("limit", "before"):
            for one in value if isinstance(value, list) else [value]:
                typed = "" if one is True else f" {quote(str(one))}"
                text += f" --{name.replace('_', '-')}{typed}"
    return text
