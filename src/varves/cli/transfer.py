"""The verbs that export and import memories and show where a memory came from."""

from __future__ import annotations

from varves.cli.progress import Progress
from varves.cli.render import Answer, Dim, Strong, line_conflicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line, line_conflicts
    from varves.questions.why import Why
    from varves.values.answers import RefusedLine


def export(ledger: Ledger, given: Given) -> Answer:
    """Export the memories."""
    made = ledger.export(**given.own)
    lines = [part for line in made for part in line.split("\n")]
    return Answer(document={"format": given.own.get("format", "jsonl"), "lines": made}, lines=lines)


def import_file(ledger: Ledger, given: Given) -> Answer:
    """Import a foreign file."""
    own = given.own
    with Progress("lines") as progress:
        ledger.progress = progress
        done = ledger.import_(own.pop("format"), own.pop("path"), **own)
    would = "would be " if own.get("dry_run") else ""
    summary = f"{done.written} {would}written, {done.known} known, {len(done.refused)} refused"
    if done.quarantined:
        wait = "waits" if done.quarantined == 1 else "wait"
        summary += f"; {done.quarantined} {wait} in quarantine (varves list --status quarantined)"
    answer = {"written": done.written, "known": done.known, "refused": done.refused}
    answer |= {"mappings": done.mappings, "quarantined": done.quarantined}
    found, said = line_conflicts(done, lambda line: line)
    return Answer(
        document=answer | {"conflicts": found, "more": done.more},
        lines=[summary, *(f"  {mapping}" for mapping in done.mappings), *said],
        remarks=[_refused(one) for one in done.refused],
        exit=3 if done.refused else 0,
    )


def _refused(one: RefusedLine) -> str:
    return f"refused{f', line {one.line}' if one.line else ''}: {one.message}"


def why(ledger: Ledger, given: Given) -> Answer:
    """Show where a memory came from, and why it is or is not current and recalled."""
    found = ledger.why(given.own.pop("id"), **given.own)
    answer = {"id": found.id, "recalled": found.recalled, "provenance": found.provenance}
    return Answer(document=answer | {"rules": found.rules}, lines=_why(found))


def _why(found: Why) -> Iterator[Line]:
    said = "recalled" if found.recalled else "not recalled by default"
    yield (Strong(found.id), f"  {said}")
    for rule in found.rules:
        yield (f"  {rule.rule}  {rule.says}", Dim(f"  {rule.event}" if rule.event else ""))
        if rule.undo:
            yield (Dim(f"    {rule.undo}"),)
    for step in found.provenance:
        by = f"{step.actor} ({step.origin})"
        end = "  undone" if step.undone else ""
        yield (Dim(step.time), f"  {step.kind}  {by}  ", Dim(step.event), end)
        for name in step.missing:
            yield f"    answers {name}, which is not in this clone"
