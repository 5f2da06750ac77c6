"""One queue for everything that waits for a person, and one card to decide on."""

from __future__ import annotations

import re
from json import dumps

from varves.errors import NotFound
from varves.values.unseen import is_unseen
from varves.web.words import PERSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves import Event, Memory
    from varves.web.visit import Visit

_SHOWN = 50
_ORDERS = ("ignore ", "disregard ", "you must", "system prompt", "instructions")
_MARKUP = ("<script", "<img", "javascript:", "<iframe", "<svg", "onerror=")
_CONFLICT, _EDITED, _CONSENT, _CAPTURED = "conflict", "edited", "consent", "captured"
_SETTLES = re.compile(r"varves layers resolve (mem_\w+)")
_NAMED = re.compile(r"\bmem_[0-9a-z]{12}\b")
_BESIDE = 1500  # characters of a message before and after what was heard in it


def review(visit: Visit) -> dict[str, Any]:
    """Return the queue, and what is known about the chosen thing in it."""
    waiting = visit.ledger.waiting
    found, place = waiting(limit=_SHOWN), 0
    wanted, after = visit.asked("item"), visit.asked("after")
    if wanted is not None:
        found = found if any(one.id == wanted for one in found) else waiting()
        # -1: it is settled
        place = next((place for place, one in enumerate(found) if one.id == wanted), -1)
    elif after is not None and re.fullmatch("[0-9]{1,9}", after):
        place = max(0, min(int(after), len(found) + found.more - 1))
    total, first = len(found) + found.more, max(0, place) // _SHOWN * _SHOWN
    if first + _SHOWN > len(found) and found.more:
        found = waiting(limit=first + _SHOWN)
    queue = found[first : first + _SHOWN]
    chosen = found[place] if 0 <= place < len(found) else None
    follows = {"before": found[first - 1].id} if first else {}
    return {
        "queue": queue,
        "first": first,
        "more": max(0, total - first - len(queue)),
        "place": place,
        "chosen": chosen,
        "settled": wanted if chosen is None else None,
        "held": None if wanted is None else visit.read(wanted),
        "total": total,
        **(_about(visit, chosen, queue) if chosen is not None else {}),
        "twins": [("waiting", {"limit": _SHOWN, **follows})],
    }


def _about(visit: Visit, chosen: Any, queue: Sequence[Any]) -> dict[str, Any]:
    if chosen.kind == _CONSENT:
        asked = [tuple(one.text.split(" = ", 1)) for one in queue if one.kind == _CONSENT]
        return {"memory": None, "conflict": None, "asked": asked, "shown": dumps(asked)}
    if chosen.kind == _EDITED:
        return {"memory": None, "conflict": None, **_edited(visit, chosen)}
    if chosen.kind == _CONFLICT:
        return {"memory": None, "conflict": found_conflict(visit, chosen.id)}
    memory = visit.ledger.show(chosen.id)
    birth = next(iter(visit.ledger.history(memory.id)), None)
    return {
        "memory": memory,
        "conflict": None,
        "warnings": warnings(memory.text),
        "recorded": None if birth is None else _recorded(birth),
        "original": None if birth is None else _original(visit, memory, birth),
        "is_heard": chosen.kind == _CAPTURED,
        "shown": [one for one in visit.shown() if memory.id in one.ids and one.client != PERSON],
        "alike": _alike(visit, memory),
    }


def _edited(visit: Visit, chosen: Any) -> dict[str, Any]:
    """Return what is known about an edit by hand: an entry of the log, or the memories it names."""
    settles = _SETTLES.search(chosen.next)
    entries = visit.ledger.layers.altered_entries() if settles else ()
    named = dict.fromkeys(_NAMED.findall(chosen.text))
    return {
        "entry": next((one for one in entries if settles and one.id == settles[1]), None),
        "named": [one for name in named if (one := visit.read(name)) is not None],
    }


def found_conflict(visit: Visit, name: str) -> Any:
    """Return a conflict by its id."""
    for one in visit.record.conflicts(id=name):
        return one
    raise NotFound("this conflict is settled or was never there", "see what else waits")


def _recorded(event: Event) -> str:
    """Return what the event says, as it is in the log."""
    said = {"actor": event.actor, "time": event.time, **event.data}
    return dumps(said, ensure_ascii=True, indent=1)


def _original(visit: Visit, memory: Memory, birth: Event) -> dict[str, Any] | None:
    """Return the message that a memory comes from: a recorded turn, or one of a transcript."""
    for name in birth.cause:
        for turn in visit.ledger.log(since=name, until=name):
            text = turn.data.get("text")
            if isinstance(text, str) and text and turn.data.get("memory") is None:
                return _marked(turn.actor, text, turn.time, memory)
    if memory.session is None:
        return None
    found = visit.window.verbs.original(visit.ledger, memory)
    if found is None:
        return None
    who = {"user": "You", "tool": "A tool"}.get(found.role, found.client)
    return _marked(who, found.text, found.at, memory)


def _marked(who: str, text: str, at: str | None, memory: Memory) -> dict[str, Any]:
    """Return a message in three parts; the one in the middle is what was heard in it."""
    before, heard, after = text.partition(memory.text)
    if not heard:
        before, after = text, ""
    before, after = before[-_BESIDE:], after[:_BESIDE]
    return {"who": who, "at": at, "before": before, "heard": heard, "after": after}


def _alike(visit: Visit, memory: Memory) -> list[Memory]:
    """Return the current memories that are nearest to a memory."""
    found = visit.ledger.recall(memory.text[:300], k=3, dense=False)
    return [hit.memory for hit in found if hit.memory.id != memory.id][:2]


def warnings(text: str) -> list[str]:
    """Return what a person should see before they accept a text."""
    said, found = text.casefold(), list[str]()
    if any(word in said for word in _ORDERS):
        found.append("it reads like an order to an agent")
    if any(word in said for word in _MARKUP):
        found.append("it contains markup")
    hidden = sum(is_unseen(ord(letter)) for letter in text if letter not in "\n\t")
    if hidden:
        found.append(f"it hides {hidden} character{'s' * (hidden != 1)}")
    return found
