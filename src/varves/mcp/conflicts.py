"""Shows a conflict to the person at the client, and reads the person's decision."""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.mcp.elicitation import filled, form
from varves.mcp.faults import Ask
from varves.mcp.wordings import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.mcp.port import Call, Json

_KEY = "settle"
_ALL, _MERGE = "all", "merge"
_SHOWN = 300  # the most characters of a member that the question shows


def chosen(conflict: Any, call: Call) -> Json:
    """Ask for the person's decision; return it as arguments of `resolve`, {} if declined.

    Raises:
        Ask: the person was not asked yet.
        UsageError: the client cannot ask the person.
        Refused: the conflict has changed since the person saw it.
    """
    mark = _mark(conflict)
    if call.state is not None and _KEY in call.answers:
        if call.state != mark:
            raise Refused("the conflict has changed in the meantime", "read it again")
        return _decision(filled(call.answers[_KEY]), conflict)
    if not call.client.can_be_asked:
        hint = "ask the user, then give keep, merge or delete"
        raise UsageError("the user cannot be asked here", hint)
    raise Ask({_KEY: _question(conflict)}, mark)


def _mark(conflict: Any) -> str:
    """Return a digest that changes if a member of the conflict changes."""
    return " ".join((conflict.id, *(f"{one.id}@{one.version}" for one in conflict.members)))


def _question(conflict: Any) -> Json:
    from varves.questions.offers import harmless

    lines = [f"- {one.id}: {harmless(cut(one.text, _SHOWN))}" for one in conflict.members]
    message = "\n".join((f"Which memory is right? ({harmless(conflict.reason)})", *lines))
    words = [*(one.id for one in conflict.members), _ALL, _MERGE]
    about = "the id of the memory to keep; all: keep all; merge: replace them by the text below"
    fields = {
        "choice": {"type": "string", "title": "Keep", "description": about, "enum": words},
        "text": {"type": "string", "title": "Merged text", "description": "only with merge"},
    }
    return form(message, fields, ["choice"])


def _decision(content: Json | None, conflict: Any) -> Json:
    if content is None:
        return {}
    choice, text = content.get("choice"), content.get("text")
    if choice == _MERGE:
        if not isinstance(text, str) or not text.strip():
            raise UsageError("the merged text is missing", "choose again and give a text")
        return {"merge": text}
    if choice != _ALL and choice not in [one.id for one in conflict.members]:
        raise UsageError("that is not a member of the conflict", "choose one of those listed")
    return {"keep": choice}
