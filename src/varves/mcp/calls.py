"""The functions of the tools; each calls the ledger once or twice and returns a record."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.mcp.records import conflict_record, record, whole_record, with_notice
from varves.mcp.wordings import NOTICE, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.ledger import Ledger
    from varves.mcp.port import Call, Json

HITS = 8
RECALLED, BRIEFED = 2000, 1500  # the default budgets of the two tools, in tokens
PART = 20_000
"""The most characters of a text in one answer; the rest is read with an offset."""
CONFLICTS = 20


def recall(ledger: Ledger, given: Json, call: Call) -> Json:
    """Find memories."""
    query, k = given.pop("query"), given.pop("k", HITS)
    options = {"budget": RECALLED, **given}
    ledger.progress = call.progress
    try:
        found = ledger.recall(query, k=k, **options)
    finally:
        ledger.progress = None
    hits = [
        record(hit.memory, score=hit.score, confidence_of_match=hit.confidence, stale=hit.stale)
        for hit in found.hits
    ]
    return with_notice(hits, omitted=found.omitted, weak=found.weak)


def brief(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Return the memories that an agent should know now."""
    from varves.questions.offers import records_in as records

    found = ledger.brief(**{"budget": BRIEFED, **given})
    return with_notice(records(found.text), omitted=found.omitted)


def remember(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Record one memory; if its source is outside the project, the memory is quarantined."""
    from varves.mcp.sources import is_inside

    outside = "source" in given and not is_inside(given["source"], ledger.root)
    door = ledger.through("tool") if outside else ledger
    done = door.remember(given.pop("text"), **given)
    return known(
        {
            "id": done.id,
            "status": done.status,
            "scope": done.scope,
            "event": done.event,
            "redacted": list(done.redacted),
            "conflicts": [one.as_dict() for one in done.conflicts],
            "quarantined": outside or None,
        }
    )


def show(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Return one memory with all its fields."""
    as_of, start = given.get("as_of"), given.get("offset", 0)
    memory = ledger.offers.memory(given["id"], as_of=as_of)
    whole = whole_record(memory)
    if given.get("history"):
        whole["history"] = [
            {"event": one.id, "kind": one.kind, "time": one.time, "actor": one.actor}
            for one in ledger.history(memory.id, as_of=as_of)
        ]
    text = memory.worded
    if start or len(text) > PART:
        whole["text"] = text[start : start + PART]
        whole["length"] = len(text)
        if start + PART < len(text):
            whole["next"] = start + PART
    return {"notice": NOTICE, **whole}


def correct(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Replace the text of a memory."""
    memory = _held(ledger, given.pop("id"))
    done = ledger.correct(memory, given.pop("text"), **given)
    return known(
        {
            "id": done.id,
            "supersedes": done.supersedes,
            "event": done.event,
            "redacted": list(done.redacted),
        }
    )


def forget(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Take a memory out of use."""
    done = ledger.forget(_held(ledger, given.pop("id")), **given)
    return {"id": done.id, "event": done.event}


def _held(ledger: Ledger, name: str) -> str:
    """Return the id of a memory, if the client may see the memory; otherwise raise an error."""
    return ledger.offers.memory(name).id


def conflicts(ledger: Ledger, given: Json, call: Call) -> Json:
    """List conflicts, or resolve one by the given decision or by asking the person."""
    name = given.pop("id", None)
    if name is None and given:
        raise UsageError(
            "id is missing", "give the id of the conflict; without arguments, conflicts are listed"
        )
    if len(given) > 1:
        raise UsageError("more than one decision", "give one of keep, merge and delete")
    found = open_conflicts(ledger, call, name)
    if name is None:
        rows = [conflict_record(one) for one in found[:CONFLICTS]]
        more = {"notice": NOTICE} if rows else {}
        return {**more, "conflicts": rows, "omitted": max(0, len(found) - CONFLICTS)}
    if not found:
        raise NotFound(f"no conflict {name}", "call conflicts without arguments for the list")
    [conflict] = found
    if not given:
        from varves.mcp.conflicts import chosen

        given = chosen(conflict, call)
        if not given:
            return {"declined": True}
    done = ledger.resolve(name, **given)
    return {"settled": name, "memory": done.id, "event": done.event}


def open_conflicts(ledger: Ledger, call: Call, name: str | None = None) -> list[Any]:
    """Return the conflicts, or one of them, between memories that the client may see."""
    ledger.progress = call.progress
    try:
        found = ledger.conflicts(id=name)
    finally:
        ledger.progress = None
    return [one for one in found if all(map(ledger.offers.includes, one.members))]


def handoff(ledger: Ledger, given: Json, _call: Call) -> Json:
    """Hand off work to another agent, or accept a handoff."""
    from varves.mcp.handoff import leave, take

    return take(ledger, given) if given.pop("take", False) else leave(ledger, given)


CALLS = {
    "recall": recall,
    "brief": brief,
    "remember": remember,
    "show": show,
    "correct": correct,
    "forget": forget,
    "conflicts": conflicts,
    "handoff": handoff,
}
