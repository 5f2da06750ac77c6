"""The verbs of the party protocol: each calls the ledger and renders the result.

If a verb prints blocks to inject, stdout contains only the blocks; remarks go to stderr.
"""

from __future__ import annotations

from varves.cli.input import text_of
from varves.cli.render import Answer, Dim, Strong, counted, outcome
from varves.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line

_CHANGES = ("added", "boosted", "decayed", "superseded", "pruned", "dropped")
_DECISION = ("dr_id", "role", "position", "outcome")


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the folder for the sidecars."""
    del given
    made = ledger.party.init()
    lines = [f"{ledger.root} ready", *(f"  created {path}" for path in made.created)]
    return _answer(ledger, made, lines)


def start(ledger: Ledger, given: Given) -> Answer:
    """Start a party and print each agent's block."""
    own = given.own
    own["agents"] = _names([own["agents"]])
    begun = ledger.party.start(**own)
    remarks = []
    for one in begun.recovered:
        remarks.append(_ended(one) + "; it was still open")
        for agent, done in one.agents.items():
            remarks += [f"{agent}{line}" for line in _gone(done)]
    remarks.append(f"session {begun.session} started")
    remarks += [f"{one.agent}: {_loaded(one)}" for one in begun.blocks if not one.first]
    return _answer(ledger, begun, begun.text.split("\n"), remarks)


def _names(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the given values, which may have several names separated by commas."""
    return tuple(name.strip() for some in given for name in some.split(","))


def _loaded(block: Any) -> str:
    sessions = counted(block.sessions, "previous session")
    return f"{counted(block.memories, 'memory')} loaded from {sessions}"


def say(ledger: Ledger, given: Given) -> Answer:
    """Add one turn to the conversation."""
    own = given.own
    said = ledger.party.say(own.pop("agent"), text_of(own.pop("text")), **own)
    return _answer(ledger, said, [f"turn {said.turn}"])


def remember(ledger: Ledger, given: Given) -> Answer:
    """Record a memory for one agent; its file is written when the party ends."""
    own = given.own
    own["content"] = text_of(own["content"])
    held = ledger.party.remember(own.pop("agent"), **own)
    return _answer(ledger, held, [outcome(held, "held until the party ends")])


def decide(ledger: Ledger, given: Given) -> Answer:
    """Record a decision."""
    own = given.own
    for side in ("pro", "contra"):
        if side in own:
            own[side] = _names(own[side])
    if "position" in own:
        own["positions"] = _positions(own.pop("position"))
    made = ledger.party.decide(text_of(own.pop("text")), **own)
    sides = {agent: one for agent, one in made.results.items() if one != made.outcome}
    results = ", ".join(f"{agent} {one}" for agent, one in sides.items())
    said = f"{made.id} {made.outcome}"
    return _answer(ledger, made, [f"{said}: {results}" if results else said])


def _positions(given: Iterable[str]) -> dict[str, str]:
    """Parse AGENT=TEXT values."""
    positions: dict[str, str] = {}
    for one in given:
        agent, equals, text = one.partition("=")
        if not equals or not agent.strip() or not text.strip():
            raise UsageError(f"not a position: {one!r}", "write it as AGENT=TEXT")
        positions[agent.strip()] = text.strip()
    return positions


def reference(ledger: Ledger, given: Given) -> Answer:
    """Record that an agent refers to a memory."""
    own = given.own
    done = ledger.party.reference(own["agent"], own["memory"])
    return _answer(ledger, done, [f"{done.memory} referenced by {done.agent}"])


def prompt(ledger: Ledger, given: Given) -> Answer:
    """Print the hint for the facilitator of the party, if there is one."""
    own = given.own
    offered = ledger.party.prompt(own.pop("agent"), **own)
    lines: list[Line] = [offered.text] if offered.text else []
    lines += [(Strong(one["id"]), f"  {one['content']}") for one in offered.memories]
    return _answer(ledger, offered, lines)


def end(ledger: Ledger, given: Given) -> Answer:
    """End the party and show what happened to each agent's memories."""
    del given
    ended = ledger.party.end()
    return _answer(ledger, ended, [_ended(ended), *_outcomes(ended)])


def _ended(ended: Any) -> str:
    return f"session {ended.session} {'had ended' if ended.already else 'ended'}"


def _outcomes(ended: Any) -> Iterator[Line]:
    for agent, done in ended.agents.items():
        counts = [f"{len(done[name])} {name}" for name in _CHANGES if done[name]]
        counts += [f"{one['relation']} {one['other']} {one['count']}" for one in done["relations"]]
        counts += [counted(len(done["decisions"]), "decision")] if done["decisions"] else []
        yield f"{agent}  {', '.join(counts) or 'unchanged'}"
        yield from _gone(done)
        for one in done["dropped"]:
            yield (Dim(f"  dropped ({one['reason']}): {one['content']}"),)


def _gone(done: dict[str, Any]) -> Iterator[str]:
    """Yield lines on memories that rules removed from an agent's file, and how to restore them."""
    for one in done["superseded"]:
        yield f"  {one['id']}  {one['content']}"
        yield f"  superseded by {one['by']}  {one['by_content']}"
        yield f"  undo  varves undo {one['event']}"
    for one in done["pruned"]:
        yield f"  pruned ({one['reason']}): {one['content']}"
        yield f"  undo  varves undo {one['event']}"


def show(ledger: Ledger, given: Given) -> Answer:
    """Show the memories of an agent."""
    kept = ledger.party.show(given.own["agent"])
    return _answer(ledger, kept, _kept(kept))


def listing(ledger: Ledger, given: Given) -> Answer:
    """List the agents."""
    found = ledger.party.list(**given.own)
    remarks = () if found else ("no agent has taken part in a party here",)
    return _answer(ledger, {"agents": found}, _listed(found), remarks)


def _listed(found: Iterable[Any]) -> Iterator[Line]:
    for one in found:
        size = f"{counted(one.sessions, 'session')}, {counted(one.memories, 'memory')}"
        yield (Strong(one.agent), f"  {size}")
        for bond in one.relationships:
            times = f" ({counted(bond.count, 'time')})" if bond.count else ""
            yield (Dim(f"  {bond.relation} {bond.agent}{times}"),)


def _kept(kept: Any) -> Iterator[Line]:
    yield (Strong(kept.display_name), Dim(f"  {counted(kept.sessions, 'session')}  {kept.path}"))
    for one in kept.memories:
        yield (Strong(one["id"]), f"  [{one['type']}] {one['content']}")
        yield (Dim(f"  confidence {one['confidence']} · {one['source_session']}"),)
    for relation, names in kept.relationships.items():
        if names:
            yield f"{relation}  {', '.join(map(str, names))}"
    for one in kept.decisions:
        yield "  ".join(str(one[name]) for name in _DECISION if one.get(name))


def recover(ledger: Ledger, given: Given) -> Answer:
    """End the parties that were never ended."""
    del given
    done = ledger.party.recover()
    lines: list[Line] = []
    for one in done:
        lines += [_ended(one), *_outcomes(one)]
    return _answer(ledger, {"recovered": done}, lines)


def validate(ledger: Ledger, given: Given) -> Answer:
    """Check the sidecars."""
    from varves.cli.scoped import findings

    del given
    return findings(ledger.party.validate(), ledger.party.core.notes)


def _answer(
    ledger: Ledger, document: Any, lines: Iterable[Line], remarks: Sequence[str] = ()
) -> Answer:
    notes = tuple(note for note in ledger.party.core.notes if note not in remarks)
    return Answer(document=document, lines=lines, remarks=remarks, notes=notes)
