"""How git's merge driver merges sidecars, and the list of sidecars in the state file."""

from __future__ import annotations

import json

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
    from typing import Any


def _settled(versions: Versions) -> Versions:
    return settled_object(versions, _SIDECAR, check=_check)


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
