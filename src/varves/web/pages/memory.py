"""One memory: what it says, how it came to say that, and why it counts or does not."""

from __future__ import annotations

from varves.questions.replacing import replacement
from varves.web.evidence import evidence_of
from varves.web.life import Version, drawn, linked
from varves.web.reasons import EVIDENCE, because, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves import Memory
    from varves.web.visit import Visit

_LINEAGE = 30  # the most versions that are shown


def memory(visit: Visit) -> dict[str, Any]:
    """Return what the page of a memory needs."""
    name, record = visit.path["id"], visit.record
    shown = record.show(name)
    why = record.why(shown.id)
    unshared = shown.kept == "private" and shown.id in visit.window.unshared()
    events = record.history(shown.id)
    versions = _versions(visit, shown)
    return {
        "title": shown.titled,
        "memory": shown,
        "disputes": visit.disputes([shown.id, *(one.memory.id for one in versions)]),
        "recalled": why.recalled,
        "because": [
            says
            for rule in why.rules
            if (visit.links.live or rule.rule not in EVIDENCE)
            and (says := because(rule, shown, visit.now, unshared=unshared))
        ],
        "told": [told(rule, visit.now) for rule in why.rules if rule.rule == "told"],
        "events": events,
        "versions": versions,
        "drawing": drawn(visit, versions, shown),
        "evidence": evidence_of(visit, shown),
        "latest": events[-1].id if events else None,
        "twins": [
            ("show", {"id": shown.id}),
            ("history", {"id": shown.id}),
            ("why", {"id": shown.id}),
        ],
    }


def _versions(visit: Visit, shown: Memory) -> list[Version]:
    """Return the memory, what it replaced and what replaced it, newest first."""
    found = {shown.id: shown}
    waiting = [*linked(shown, "supersedes"), *linked(shown, "superseded_by")]
    while waiting and len(found) < _LINEAGE:
        name = waiting.pop()
        one = None if name in found else visit.read(name)
        if one is not None:
            found[name] = one
            waiting += [*linked(one, "supersedes"), *linked(one, "superseded_by")]
    ordered = sorted(found.values(), key=lambda one: (one.created_at, one.id), reverse=True)
    return [_version(visit, one, found) for one in ordered]


def _version(visit: Visit, one: Memory, found: Mapping[str, Memory]) -> Version:
    before = next(filter(None, map(found.get, linked(one, "supersedes"))), None)
    if before is None:
        return Version(memory=one, before=None)
    event = replacement(visit.record.history(one.id), one.id, of=before.id)
    return Version(memory=one, before=before, event=event)
