"""What agents were given, session by session, and what the same question brings today."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves import Memory
    from varves.questions.shown import ShownMemories
    from varves.web.visit import Visit

_TODAY = 8  # of so many questions, the answer of today is looked up
_MOMENTS = {
    "start": "the session began",
    "prompt": "you asked",
    "recall": "it asked",
    "brief": "it asked what it should know",
    "show": "it looked at a memory",
    "compact": "its window was shortened",
}


def shown(visit: Visit) -> dict[str, Any]:
    """Return the sessions, and the moments of the chosen one."""
    sessions: dict[tuple[str, str], dict[str, Any]] = {}
    for one in visit.shown():
        key = (one.client, one.session)
        found = sessions.setdefault(
            key, {"client": one.client, "session": one.session, "last": one.at, "count": 0}
        )
        found["count"] += len(one.ids)
        found["first"] = one.at
    listed = list(sessions.values())
    wanted, client = visit.asked("session"), visit.asked("client")
    chosen = next(
        (one for one in listed if one["session"] == wanted and client in (None, one["client"])),
        listed[0] if listed and wanted is None else None,
    )
    moments = (
        []
        if chosen is None
        else [one for one in visit.shown() if (one.client, one.session) == _key(chosen)]
    )
    asked = [one for one in moments if one.question][:_TODAY]
    today = {one.question: _now(visit, one) for one in asked}
    given = {} if chosen is None else {"session": chosen["session"]}
    return {
        "sessions": listed,
        "chosen": chosen,
        "moments": [_told(visit, one, today) for one in moments],
        "words": _MOMENTS,
        "twins": [("shown", given)],
    }


def _key(chosen: dict[str, Any]) -> tuple[str, str]:
    return chosen["client"], chosen["session"]


def _now(visit: Visit, one: ShownMemories) -> list[Memory]:
    """Return what the same question brings at the moment of the visit."""
    found = visit.record.recall(one.question or "", k=5, dense=False)
    return [hit.memory for hit in found]


def _told(visit: Visit, one: ShownMemories, today: dict[str | None, Any]) -> dict[str, Any]:
    memories = [(name, visit.read(name)) for name in one.ids]
    return {
        "one": one,
        "what": _MOMENTS.get(one.moment, one.moment),
        "memories": memories,
        "today": today.get(one.question) if one.question else None,
    }
