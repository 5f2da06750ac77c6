"""The verbs about the ledger itself: making it, judging it, remaking what is derived."""

from __future__ import annotations

from varves.cli.progress import Progress
from varves.cli.render import Alarm, Answer, Dim, field_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line


def init(ledger: Ledger, given: Given) -> Answer:
    """Make the ledger."""
    own = given.own
    made = ledger.init(protocols=own.get("protocol", ()), local=own.get("local", False))
    lines: list[Line] = [f"{made.root} ready"]
    lines += [f"  created {path}" for path in made.created]
    lines += [f"  {note}" for note in made.notes]
    document = {"root": made.root, "created": made.created, "notes": made.notes}
    return Answer(document=document, lines=lines)


def status(ledger: Ledger, given: Given) -> Answer:
    """Say where the ledger stands."""
    del given
    standing = ledger.status()
    return Answer(document=standing, lines=field_lines(_flat(standing)))


def _flat(fields: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def verify(ledger: Ledger, given: Given) -> Answer:
    """Judge whether the log is whole."""
    found = ledger.verify(**given.own)
    counted = f"{found.events} events in {found.segments} segments"
    lines: list[Line] = [f"whole: {counted}"] if found.ok else []
    lines += [(Alarm("damage"), f"  {one.place}  {one.message}") for one in found.damage]
    lines += [f"gap  {one.place}  {one.message}" for one in found.gaps]
    document = {
        "ok": found.ok,
        "segments": found.segments,
        "events": found.events,
        "damage": found.damage,
        "gaps": found.gaps,
    }
    return Answer(document=document, lines=lines, exit=0 if found.ok else 1)


def rebuild(ledger: Ledger, given: Given) -> Answer:
    """Remake everything derived."""
    del given
    with Progress("events") as progress:
        made = ledger.rebuild(progress=progress)
    return Answer(
        document=made, lines=[f"rebuilt: {made['events']} events, {made['memories']} memories"]
    )


def doctor(ledger: Ledger, given: Given) -> Answer:
    """Judge the installation, or bring back what git removed."""
    if "restore" in given.own:
        back = ledger.restore_eaten()
        lines: list[Line] = [f"{back.restored} events restored"]
        lines += [f"  {segment}" for segment in back.segments]
        document = {"restored": back.restored, "segments": back.segments}
        return Answer(document=document, lines=lines)
    findings = ledger.doctor()
    lines = [] if findings else ["ok"]
    for one in findings:
        lines.append((Alarm(one.rule), f"  {one.place}  {one.message}"))
        lines.append((Dim(f"  {one.fix}"),))
    return Answer(
        document={"ok": not findings, "findings": findings}, lines=lines, exit=1 if findings else 0
    )
