"""The JSON beside the pages: what a verb prints with `--json`, at an address."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.web.window import Window

READ = (
    *("status", "recall", "brief", "show", "history", "why", "list", "conflicts", "log", "shown"),
    *("waiting", "diff", "around", "party list", "deliberation list", "deliberation show"),
)
"""The verbs that have an address; none of them changes anything."""
_AS = "as"  # the agent through whose eyes it is read
STATUSES = {0: 200, 1: 200, 2: 400, 3: 409, 4: 404, 6: 503}
"""The HTTP status by the exit code of a verb; 500 for any other."""


def answer(window: Window, verb: str, asked: Sequence[tuple[str, str]]) -> tuple[int, bytes]:
    """Return the HTTP status and the JSON of a verb."""
    given = [(name, value) for name, value in asked if name != _AS]
    agent = next((value for name, value in asked if name == _AS), None)
    reader = window.ledger.unseen(agent) if agent else window.reader
    code, text = window.verbs.twin(reader, verb, given)
    return STATUSES.get(code, 500), text
