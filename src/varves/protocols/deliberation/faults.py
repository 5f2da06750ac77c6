"""The values that a record of a saved state cannot have.

A missing key is no fault: an older state is read with defaults.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.deliberation.saving import (
    AGENTS,
    DECISIONS,
    PROPOSALS,
    SUMMARIES,
    from_json,
    moment,
)
from varves.protocols.deliberation.state import REACTIONS, STATUSES
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.protocols.deliberation.state import State

RULES = {SUMMARIES: "S4-05", DECISIONS: "S4-07", PROPOSALS: "S4-08", AGENTS: "S4-11"}
_TEXTS = {
    SUMMARIES: ("content",),
    DECISIONS: ("topic", "outcome"),
    PROPOSALS: ("proposer", "content"),
    AGENTS: ("lastPosition",),
}
_LISTS = {DECISIONS: ("supportingAgents",), AGENTS: ("keyContributions",)}
_SAYS = {DECISIONS: ("topic", "outcome"), PROPOSALS: ("content",)}
_NONE = [0, -1]  # the range of a summary that had none


def checked(document: Any) -> State:
    """Read a state, and refuse one with values that it cannot have.

    Raises:
        UsageError: the document is not a state, or a record of it has such a value.
    """
    state = from_json(document)
    for key in RULES:
        part = document.get(key) or {}
        for name, one in part.items() if isinstance(part, dict) else enumerate(part):
            for _, message in faults(key, one):
                raise UsageError(f"{key}[{name}]: {message}", "correct the saved state")
    return state


def faults(key: str, one: Any) -> Iterator[tuple[str, str]]:
    """Yield (rule, message) for each value that a record cannot have.

    Args:
        key: the part of the state that contains the record.
        one: the record.
    """
    rule = RULES[key]
    if not isinstance(one, dict):
        yield rule, "not an object"
        return
    for name in _TEXTS[key]:
        if not isinstance(one.get(name) or "", str):
            yield rule, f"{name} is not a text"
    for name in _LISTS.get(key, ()):
        if not _is_texts(one.get(name)):
            yield rule, f"{name} is not a list of texts"
    if key in _SAYS and not any(one.get(name) for name in _SAYS[key]):
        yield rule, f"without {' and '.join(_SAYS[key])}"
    if key != AGENTS and one.get("timestamp") and not moment(one["timestamp"]):
        yield "S4-54", "the timestamp is not a valid time"
    if key == SUMMARIES and not _is_range(one.get("messageRange")):
        yield "S4-06", f"messageRange {quoted(str(one['messageRange']))} is not [start, end]"
    if key == AGENTS and not _is_count(one.get("messageCount")):
        yield rule, "messageCount is not a number of messages"
    if key == PROPOSALS:
        yield from _of_proposal(one)


def _of_proposal(one: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if one.get("status") is not None and one["status"] not in STATUSES:
        yield "S4-09", f"the status is not one of {', '.join(STATUSES)}"
    reactions = one.get("reactions") or []
    for said in reactions if isinstance(reactions, list) else [None]:
        if not isinstance(said, dict) or said.get("reaction") not in REACTIONS:
            yield "S4-10", f"a reaction is not one of {', '.join(REACTIONS)}"
        elif not isinstance(said.get("agentId"), str):
            yield "S4-10", "a reaction has no agentId"


def _is_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _is_count(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_range(value: Any) -> bool:
    if value in (None, _NONE):
        return True
    whole = isinstance(value, list) and all(type(one) is int for one in value)
    return whole and len(value) == len(_NONE) and 0 <= value[0] <= value[1]
