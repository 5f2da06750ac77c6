"""Merges records of the same entry, adopted from a committed file before its log arrived.

This happens when someone commits a file without its log, or when two clones adopt the same edit of
a third person. Then one entry has two records. These have the same text, and also the same creation
time or the same number in that file. The record that was only adopted is merged into the other,
together with its later changes.
"""

from __future__ import annotations

from varves.events.kinds import MERGED, RECORDED, REVISED
from varves.protocols.records import seconds
from varves.protocols.scoped.numbers import SAME, claimed
from varves.protocols.scoped.places import logs_of
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Core
    from varves.values.memory import Memory

_REPO = "repo"
_STANDING = ("active", "flagged")


def joined(core: Core, act: Act) -> list[tuple[str, Draft]]:
    """Return, with their logs, the drafts that merge each pair of records of one entry."""
    by_scope: dict[str, list[Memory]] = {}
    for one in core.memories(statuses=STATUSES):
        if one.kept in logs_of(one.scope):
            by_scope.setdefault(one.scope, []).append(one)
    drafts: list[tuple[str, Draft]] = []
    for records in by_scope.values():
        left = {one.id: one for one in records}
        adopted = [one for one in records if one.origin == _REPO and one.status in _STANDING]
        for one in reversed(adopted):
            other = _twin(core, one, left.values())
            if other is not None:
                more = _joined(core, one, other, act)
                if more:
                    del left[one.id]
                drafts += [(one.kept, draft) for draft in more]
    return drafts


def _twin(core: Core, one: Memory, others: Iterable[Memory]) -> Memory | None:
    """Return the record of the same entry that remains, if there is one."""
    numbers, said = _numbers(one), ""
    for other in others:
        born = seconds(one.created_at) == seconds(other.created_at)
        if other.id == one.id or not (born or numbers & _numbers(other)):
            continue
        said = said or _said(core, one)[0]
        if said in _said(core, other) and _stays(core, one, other):
            return other
    return None


def _stays(core: Core, one: Memory, other: Memory) -> bool:
    """Return whether another record is active, or was archived after this one was adopted.

    If a commit restored the entry after it was archived, a person decides.
    """
    if other.status == "active":
        return True
    born, *_ = core.rows().history(one.id)
    return other.origin != _REPO and core.rows().history(other.id)[-1].order > born.order


def _numbers(memory: Memory) -> set[int]:
    found = memory.extra.get("found")
    return {*claimed(memory), *([found] if isinstance(found, int) else [])}


def _said(core: Core, memory: Memory) -> list[str]:
    """Return the texts that a record has had, in order."""
    found = []
    for event in core.rows().history(memory.id):
        part: dict[str, Any] = event.data.get("set", {}) if event.kind == REVISED else event.data
        if event.kind in (RECORDED, REVISED) and isinstance(part.get("text"), str):
            found.append(part["text"])
    return found or [memory.text]


def _joined(core: Core, one: Memory, other: Memory, act: Act) -> list[Draft]:
    """Return the drafts that merge one pair; none if both were changed differently since."""
    ours, theirs = _changed(core, one), _changed(core, other)
    differ = {key: part for key, part in ours.items() if theirs.get(key) != part}
    if any(key in theirs for key in differ):
        return []
    links = {"merged_from": [one.id, *one.links.get("merged_from", ())]}
    content = {"memory": one.id, "by": other.id, "reason": SAME, "rule": SAME, "links": links}
    drafts = [act.draft(MERGED, content, one.version, other.version)]
    if differ and other.status == "active":
        revision = {"memory": other.id, "set": differ}
        drafts.append(act.draft(REVISED, revision, other.version, one.version))
    return drafts


def _changed(core: Core, memory: Memory) -> dict[str, Any]:
    """Return the revised fields of a record, with their current values."""
    found: dict[str, Any] = {}
    for event in core.rows().history(memory.id):
        if event.kind == REVISED and event.data.get("memory") == memory.id:
            found.update(event.data.get("set", {}))
    found.pop("number", None)
    return found
