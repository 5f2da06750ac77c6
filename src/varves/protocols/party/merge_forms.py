"""How git's merge driver merges sidecars, and the list of sidecars in the state file."""

from __future__ import annotations

import json

from varves.protocols.party.fold import next_number
from varves.protocols.party.sidecars import FOLDER, STATE, SUFFIX, agent_in
from varves.protocols.party.state_file import KEY, document, with_part
from varves.protocols.records import listed
from varves.protocols.threeway import (
    ABSENT,
    Form,
    Versions,
    chosen,
    counted,
    earliest,
    fields,
    joined,
    latest,
    records,
    settled_object,
)
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def _settled(versions: Versions) -> Versions:
    return settled_object(versions, _SIDECAR, check=_check, finish=_numbered)


def _numbered(made: dict[str, Any], found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Give the decisions of two branches different names, if both gave the same one.

    The side that ended its last party earlier keeps the name. Equal entries are one decision,
    unless the memories show that each side decided something of its own.
    """
    _, ours, theirs = found
    known = [_entries(one) for one in found]
    added = [[one for one in side if one not in known[0]] for side in known[1:]]
    decided = [_decided(one) - _decided(found[0]) for one in found[1:]]
    apart = bool(decided[0] - decided[1] and decided[1] - decided[0])
    first, later = added
    if (theirs.get("last_updated"), str(theirs)) < (ours.get("last_updated"), str(ours)):
        first, later = later, first
    held = {one.get("dr_id") for one in first}
    clashing = [one for one in later if one.get("dr_id") in held and (apart or one not in first)]
    if not clashing or "decision_history" not in made:
        return made
    taken = [one.get("dr_id") for side in known for one in side]
    history = [one for one in made["decision_history"] if one in first or one not in clashing]
    for one in clashing:
        name = next_number(one.get("dr_id"), taken)
        taken.append(name)
        history.append({**one, "dr_id": name})
    return {**made, "decision_history": history}


def _entries(document: dict[str, Any]) -> list[dict[str, Any]]:
    found = document.get("decision_history")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _decided(document: dict[str, Any]) -> set[Any]:
    """Return the texts of the decisions that an agent remembers."""
    return {one["content"] for one in document.get("memories", ()) if one.get("type") == "decision"}


def _check(document: dict[str, Any]) -> None:
    listed(document, "memories", "memory")
    decisions = document.get("decision_history", [])
    if not isinstance(decisions, list) or not all(isinstance(one, dict) for one in decisions):
        raise Unreadable("decision_history is not a list of decisions")


def _decision_key(one: dict[str, Any]) -> str:
    """Return the identity of a decision; its name is not unique across branches."""
    return json.dumps(one, sort_keys=True)


def _settled_list(versions: Versions) -> Versions:
    """Merge the list of sidecars; all other text of the state file belongs to other tools."""
    texts = [versions.origin, versions.ours, versions.theirs]
    held = [document(one).get(KEY, ABSENT) if one else ABSENT for one in texts]
    if not isinstance(held[1], dict) or not isinstance(held[2], dict):
        raise Unreadable(f"{KEY} is not in both sides")
    made = _LISTED(held[0], held[1], held[2], 0)
    wanted = {agent: made[agent] for agent in sorted(made)}
    origin, ours, theirs = (with_part(one, wanted) if one else one for one in texts)
    return Versions(origin=origin, ours=ours, theirs=theirs)


_SIDECAR = fields(
    {
        "created_at": earliest,
        "last_updated": latest,
        "sessions_participated": counted,
        "memories": records(
            lambda one: one["content"],
            fields({}),
            order=lambda one: str(one.get("source_session")),
        ),
        "relationships": fields({}, other=joined),
        "decision_history": records(_decision_key, chosen, order=lambda one: str(one.get("dr_id"))),
    },
    stamp="last_updated",
)
_LISTED = fields(
    {},
    other=fields(
        {"last_updated": latest, "memory_count": counted, "sessions": counted},
        stamp="last_updated",
    ),
)
FORMS = (
    Form(
        patterns=(f"{FOLDER}/*{SUFFIX}",),
        fits=lambda path: agent_in(path) is not None,
        settled=_settled,
    ),
    Form(patterns=(STATE,), fits=lambda path: path == STATE, settled=_settled_list),
)
