"""Hands off work between agents: a handoff is a private memory, which one agent takes once.

If the project's settings let hooks drive the hivemind protocol, that protocol's handoff is used
instead.
"""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.mcp.records import record, with_notice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.ledger import Ledger
    from varves.mcp.port import Json
    from varves.values.memory import Memory

TYPE = "handoff"
TAKEN = "taken"
LASTS = "30d"
ANYONE = "whoever comes next"
_OVER = "1s"  # a package that was taken expires after this time


def leave(ledger: Ledger, given: Json) -> Json:
    """Store a handoff (a description of work to be passed on) for one agent, or for anyone."""
    summary = given.get("summary", "").strip()
    if not summary:
        raise UsageError(
            "summary is missing",
            "give a summary of what was done and the current state, or use take",
        )
    memories = [_known(ledger, name) for name in given.get("memories", ())]
    pending, to = given.get("pending", []), given.get("to")
    if _by_hivemind(ledger) and to is not None:
        left = ledger.hivemind.handoff(to, summary=summary, pending=pending, recommended=memories)
        return {"status": "left", "id": left.event, "from": left.source, "to": left.to}
    text = _in_words(summary, pending)
    done = ledger.remember(
        f"{text}\nRead first: {' '.join(memories)}" if memories else text,
        type=TYPE,
        private=True,
        ttl=LASTS,
        scope="project" if to is None else f"agent:{to}",
    )
    return {"status": "left", "id": done.id, "from": ledger.actor, "to": to or ANYONE}


def take(ledger: Ledger, given: Json) -> Json:
    """Return the newest handoff for an agent or for anyone, and mark it as taken."""
    agent = given.get("agent") or ledger.actor
    if _by_hivemind(ledger):
        try:
            return _accepted(ledger.hivemind.accept(agent))
        except NotFound:
            pass
    package = _waiting(ledger, agent)
    if package is None:
        return {"status": "nothing"}
    ledger.edit(package.id, tag=[f"+{TAKEN}"], ttl=_OVER)
    return {
        **with_notice(_named(ledger, package.text)),
        "status": "taken",
        "id": package.id,
        "from": package.created_by,
        "to": agent,
        "at": package.at,
        "text": package.text,
    }


def _waiting(ledger: Ledger, agent: str) -> Memory | None:
    mine = ("project", f"agent:{agent}")
    found = ledger.list(type=TYPE, private=True)
    return next((one for one in found if one.scope in mine and TAKEN not in one.tags), None)


def _named(ledger: Ledger, text: str) -> list[Json]:
    """Return the memories that the agent who takes a handoff should read first."""
    last = text.rpartition("\n")[2]
    if not last.startswith("Read first: "):
        return []
    found = []
    for name in last.split()[2:]:
        try:
            found.append(record(_shown(ledger, name)))
        except NotFound:
            continue
    return found


def _known(ledger: Ledger, name: str) -> str:
    return _shown(ledger, name).id


def _shown(ledger: Ledger, name: str) -> Memory:
    return ledger.offers.memory(name)


def _by_hivemind(ledger: Ledger) -> bool:
    from varves import settings

    return "hivemind" in settings.load(ledger.root).hooked


def _accepted(done: Any) -> Json:
    rows = [{"id": str(one["id"]), "text": str(one["content"])} for one in done.memories]
    return {
        **with_notice(rows),
        "status": "taken",
        "from": done.source,
        "to": done.agent,
        "text": _in_words(done.task_summary, done.pending),
    }


def _in_words(summary: str, pending: Sequence[str]) -> str:
    """Return the text of a package: what was done, and what remains."""
    return "\n".join(
        (summary, *(("Pending:", *(f"- {one}" for one in pending)) if pending else ()))
    )
