"""The changes that an event can make to the row of one memory."""

from __future__ import annotations

from varves.values.facets import facets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.events.event import Event

    Row = dict[str, Any]

# the status that a resolved proposal gets
_RESTING = {"rejected": "archived", "modified": "superseded"}


def revise(row: Row, content: dict[str, Any]) -> None:
    """Set the fields that an event changes; add and remove the tags that it lists."""
    changes = {key: part for key, part in content.get("set", {}).items() if key != "blob"}
    if "blob" in content.get("set", {}):
        changes.setdefault("text", "")  # the blob is not available yet
    row.update({key: value for key, value in changes.items() if key in row})
    if not changes.keys() <= row.keys():
        row["extra"] = row["extra"] | {key: changes[key] for key in changes.keys() - row.keys()}
    if "type" in changes:
        row["nature"], row["category"] = facets(row["type"])
    if not changes.keys().isdisjoint(("type", "subtype")):
        categorise(row)
    kept = [tag for tag in row["tags"] if tag not in content.get("remove_tags", ())]
    row["tags"] = tuple(dict.fromkeys([*kept, *content.get("add_tags", ())]))


def amend(row: Row, content: dict[str, Any]) -> None:
    """Change a memory's row to the state of its entry in `CHANGELOG.md`.

    Archive the memory if the entry is gone.
    """
    revise(row, content)
    if content.get("removed") is True:
        row["status"] = "archived"


def react(row: Row, content: dict[str, Any]) -> None:
    """Add an agent's reaction to a proposal.

    If the agent has reacted before, the new reaction replaces the earlier one in the same place.
    """
    held = row["extra"].get("reactions")
    said = dict(pair for pair in held if _is_pair(pair)) if isinstance(held, list) else {}
    said[content["agent"]] = content["reaction"]
    row["extra"] = row["extra"] | {"reactions": [[name, said[name]] for name in said]}


def _is_pair(part: Any) -> bool:
    return isinstance(part, list) and [type(word) for word in part] == [str, str]


def resolve_proposal(row: Row, content: dict[str, Any]) -> None:
    """Set the status of a proposal: accepted, rejected, modified, or active again."""
    status, successor = content["status"], content.get("successor")
    row["extra"] = row["extra"] | {"resolution": status}
    row["status"] = _RESTING.get(status, "active")
    row["reason"] = content.get("reason") or (status if status in _RESTING else None)
    if successor is not None:
        row["extra"] = row["extra"] | {"successor": successor}
        link(row, "superseded_by", [successor])


def categorise(row: Row) -> None:
    """Use a memory's subtype as its category, because the types of `hivemind` are too general."""
    subtype = row["extra"].get("subtype")
    if isinstance(subtype, str) and subtype:
        row["category"] = subtype


def link(row: Row, name: str, ids: list[str]) -> None:
    """Add ids to those links of a row that have one name, each id only once."""
    row["links"][name] = list(dict.fromkeys([*row["links"].get(name, ()), *ids]))


def tie(row: Row, content: dict[str, Any]) -> None:
    """Add the links that an event's content lists."""
    for name, ids in content["links"].items():
        link(row, name, ids)


def stamp(row: Row, event: Event) -> None:
    """Record an event as the last one that changed a row."""
    row["updated_at"], row["updated_by"], row["version"] = event.time, event.actor, event.id


def gain(row: Row, event: Event) -> None:
    """Add the tags, links and references that a memory gets when another is merged into it."""
    content = event.data
    if {"add_tags", "links", "references"}.isdisjoint(content):
        return
    revise(row, {"add_tags": content.get("add_tags", ())})
    for name, ids in content.get("links", {}).items():
        link(row, name, ids)
    if "references" in content:
        held = row["extra"].get("references")
        own = held if isinstance(held, list) else []
        more = [one for one in content["references"] if one not in own]
        row["extra"] = row["extra"] | {"references": [*own, *more]}
    stamp(row, event)
