"""The page that lists all keys."""

from __future__ import annotations

from varves.web.table import PAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_EVERYWHERE = (
    ("/", "search"),
    ("?", "this page"),
    ("j", "next"),
    ("k", "previous"),
    ("Enter", "open"),
    ("[", "one event back"),
    ("]", "one event on"),
    (".", "back to now"),
    ("u", "undo the last act"),
    ("Esc", "leave a field"),
)
_DECIDING = (
    ("a", "accept"),
    ("r", "reject"),
    ("e", "edit or correct"),
    ("f", "forget"),
    ("s", "share with the project"),
    ("h", "keep it on this computer"),
    ("t", "change tags"),
    ("1", "keep the first"),
    ("2", "keep the second"),
    ("b", "both hold"),
    ("m", "use your own words"),
)


def keys(visit: Visit) -> dict[str, Any]:
    """Return the keys, by where they work."""
    del visit
    return {
        "groups": (
            ("Everywhere", _EVERYWHERE),
            ("Go to", [(row.key, row.title) for row in PAGES.values() if row.key]),
            ("Decide", _DECIDING),
        )
    }
