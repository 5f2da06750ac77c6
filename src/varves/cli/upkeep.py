"""The verbs about the ledger itself: create it, check it, repair it, rebuild derived files."""

from __future__ import annotations

import os

from varves import settings
from varves.cli.install import hosted
from varves.cli.progress import Progress
from varves.cli.render import Alarm, Answer, Dim, counted, field_lines, safe
from varves.errors import VarvesError
from varves.streams import tell
from varves.values import consents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line

_RESTORE = "varves doctor --restore"
_ERROR = "error"  # the level of a finding that states no level
_ABOUT = {
    "conflict": " to settle",
    "memory": " in quarantine",
    "line": " of the logs unreadable",
    "event": " from the future, not counted yet",
}


def init(ledger: Ledger, given: Given) -> Answer:
    """Create the ledger."""
    own = given.own
    made = ledger.init(protocols=own.get("protocol", ()), local=own.get("local", False))
    lines: list[Line] = [f"{made.root} ready"]
    lines += [f"  created {path}" for path in made.created]
    lines += [f"  {note}" for note in made.notes]
    document = {"root": made.root, "created": made.created, "notes": made.notes}
    return Answer(document=document, lines=lines)


def status(ledger: Ledger, given: Given) -> Answer:
    """Show a one-line summary, then what needs attention; `--verbose` prints every field."""
    chosen = settings.load(ledger.root)
    agents = hosted("checks").wired_names(ledger.root, chosen.home)
    fields = ledger.status() | {"agents": agents}
    waiting = consents.line(chosen.waiting)
    told = chosen.odd[:1] if chosen.invalid else ()
    if given.own.get("verbose"):
        lines: Iterable[Line] = field_lines(_flat(_in_full(fields, waiting)))
    else:
        lines = [_summary(fields), *(f"  {line}" for line in _attention(fields, waiting))]
        lines += [f"  {line}" for line in _failing(ledger, chosen.home)]
    return Answer(document=fields, lines=lines, told=told)


def _failing(ledger: Ledger, home: str) -> Iterator[str]:
    """Yield a line for each remote whose last use failed, perhaps in the background."""
    if settings.has_remotes(home):
        from varves.cli.remotes import last_uses, said_of

        for one, last in last_uses(ledger):
            if last is not None and not last.ok:
                yield f"remote {one.name}: {said_of(last)}: varves sync {one.name}"


def _summary(fields: dict[str, Any]) -> str:
    """Return the summary, such as "412 memories, 3 conflicts to settle, 2 agents connected"."""
    if not fields["exists"]:
        return f"no ledger in {fields['root']}; varves init creates one"
    conflicts, agents = fields["conflicts"], fields["agents"]
    settle = f"{counted(conflicts, 'conflict')} to settle" if conflicts else "no conflicts"
    connected = f"{counted(len(agents), 'agent')} connected" if agents else "no agents connected"
    return f"{counted(fields['memories'].get('active', 0), 'memory')}, {settle}, {connected}"


def _attention(fields: dict[str, Any], waiting: str) -> Iterator[str]:
    """Yield a line for each problem or pending action in a ledger, with the command for it."""
    if fields["agents"]:
        yield f"agents: {', '.join(fields['agents'])}"
    if last := fields["told"]:
        shown = counted(len(last["memories"]), "memory")
        yield f"last shown to {last['agent']}: {shown}, {last['at'][:16].replace('T', ' ')} UTC"
    for number, what, command in (
        (fields["conflicts"], "conflict", "varves conflicts"),
        (fields["quarantined"], "memory", "varves list --status quarantined"),
        (fields["bad_lines"], "line", "varves doctor"),
        (fields["held"], "event", "varves doctor"),
    ):
        if number:
            yield f"{counted(number, what)}{_ABOUT[what]}: {command}"
    if fields["uncompared"]:
        yield f"{counted(fields['uncompared'], 'memory')} not yet compared: varves conflicts"
    for key, log in fields["logs"].items():
        if "branch" in log:
            yield f"{counted(log['events'], 'event')} on branch {log['branch']}, in {log['path']}"
        elif key != "project":
            yield f"{counted(log['events'], 'event')} in the {key} log, {log['path']}"
    if unmerged := fields.get("unmerged"):
        yield f"git could not merge {', '.join(unmerged)}: varves rebuild"
    yield from fields.get("edits", ())
    yield from fields.get("folders", ())
    if waiting:
        yield waiting
    yield from fields["invalid"]
    yield from fields["limits"]


def _in_full(fields: dict[str, Any], waiting: str) -> dict[str, Any]:
    """Return every field in the form that `--verbose` prints."""
    shown = fields | {
        name: "\n".join(fields.get(name, ())) for name in ("limits", "edits", "folders")
    }
    if unmerged := shown.pop("unmerged", []):
        shown |= {"unmerged": ", ".join(unmerged), "next": "varves rebuild"}
    if not fields["exists"]:
        shown["next"] = "varves init"
    return shown | {"waiting": waiting, "invalid": ", ".join(fields["invalid"])}


def _flat(fields: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def verify(ledger: Ledger, given: Given) -> Answer:
    """Check the log for damage."""
    with Progress("lines") as progress:
        found = ledger.verify(progress=progress, **given.own)
    held = f"{counted(found.events, 'event')} in {counted(found.segments, 'segment')}"
    lines: list[Line] = [f"{'whole' if found.whole else 'not whole'}: {held}"] if found.ok else []
    lines += [(Alarm("damage"), f"  {one.place}  {one.message}") for one in found.damage]
    lines += [f"gap  {one.place}  {one.message}" for one in found.gaps]
    lines += found.uncompared
    document = {
        "ok": found.ok,
        "whole": found.whole,
        "segments": found.segments,
        "events": found.events,
        "damage": found.damage,
        "gaps": found.gaps,
        "uncompared": found.uncompared,
    }
    return Answer(document=document, lines=lines, exit=0 if found.ok else 1)


def rebuild(ledger: Ledger, given: Given) -> Answer:
    """Rebuild everything derived from the log."""
    del given
    with Progress("events") as progress:
        made = ledger.rebuild(progress=progress)
    lines: list[Line] = [
        f"rebuilt: {counted(made['events'], 'event')}, {counted(made['memories'], 'memory')}"
    ]
    lines += [f"  settled {path}" for path in made["settled"]]
    return Answer(document=made, lines=lines, notes=made["notes"])


def pack(ledger: Ledger, given: Given) -> Answer:
    """Merge closed segments into fewer files."""
    done = ledger.pack(**given.own)
    made = [one for one in done.packs if one.path is not None]
    would = "would be " if given.own.get("dry_run") else ""
    lines: list[Line] = ["nothing to pack"]
    if done.segments:
        lines = [f"{counted(done.segments, 'segment')} {would}packed"]
    lines += [
        f"  {one.path}  {counted(one.segments, 'segment')}, {counted(one.lines, 'event')}"
        for one in made
    ]
    if not would and any(one.log == "project" for one in done.packs):
        lines.append("in git the packs are new and the segments deleted: commit both together")
    return Answer(document={"packs": done.packs, "segments": done.segments}, lines=lines)


def doctor(ledger: Ledger, given: Given) -> Answer:
    """Check the installation and the coding agents, or restore what git removed."""
    from varves.upkeep.second_opinion import notes

    if "fix" in given.own or "dry_run" in given.own:
        return _mend(ledger, dry_run="dry_run" in given.own)
    if "restore" in given.own:
        back = ledger.restore_eaten()
        lines: list[Line] = [f"{counted(back.restored, 'event')} restored"]
        lines += [f"  {segment}" for segment in back.segments]
        document = {"restored": back.restored, "segments": back.segments}
        return Answer(document=document, lines=lines)
    chosen = settings.load(ledger.root)
    hosts = hosted("checks").check(ledger.root, chosen.home)
    findings = (*ledger.doctor(), *hosts.findings)
    levels = [getattr(one, "level", _ERROR) for one in findings]
    wrong = _ERROR in levels
    lines = [] if wrong else ["ok"]
    for one, level in zip(findings, levels, strict=True):
        how = "" if level == _ERROR else f"{level}: "
        lines.append((Alarm(one.rule), f"  {one.place}  {how}{one.message}"))
        lines.append((Dim(f"  {one.fix}"),))
    document = {"ok": not wrong, "findings": findings}
    if hosts.clients:
        document |= {"clients": hosts.clients}
        lines += [(Dim(f"well: {', '.join(hosts.well)}"),)] if hosts.well else []
    # invalid settings are reported as findings
    unknown = chosen.odd[1:] if chosen.invalid else chosen.odd
    said = [*notes(), *filter(None, [consents.line(chosen.waiting)]), *unknown]
    if hosts.clients and not os.path.isdir(f"{ledger.root}/.varves"):
        said.insert(
            0, "no ledger here: hooks record nothing in this project (varves init creates one)"
        )
    if said:
        document |= {"notes": said}
        lines += [(Dim(note),) for note in said]
    return Answer(document=document, lines=lines, exit=1 if wrong else 0, told=chosen.odd)


def _mend(ledger: Ledger, *, dry_run: bool) -> Answer:
    """Print the planned repairs, then make them in the ledger and in agents' settings."""
    repairs = hosted("checks").repairs(ledger.root, settings.load(ledger.root).home)
    plan = (*ledger.mend(dry_run=True).plan, *(repair.says for repair in repairs))
    if not plan:
        left = _left(ledger)
        document: dict[str, Any] = {"ok": True, "plan": (), "done": (), "failed": (), "left": left}
        return Answer(
            document=document, lines=["nothing to fix here" if left else "nothing to fix", *left]
        )
    _announce(plan)
    mended = ledger.mend(dry_run=dry_run)
    done, failed = list(mended.done), list(mended.failed)
    for repair in () if dry_run else repairs:
        try:
            repair.act()
            done.append(repair.says)
        except (VarvesError, OSError) as fault:
            failed.append(f"{repair.says}: {fault}")
    lines: list[Line] = [f"would  {says}" for says in plan] if dry_run else []
    lines += [f"done  {says}" for says in done]
    lines += [(Alarm("failed"), f"  {says}") for says in failed]
    left = _left(ledger)
    lines += left
    document = {"ok": not failed, "plan": plan, "done": done, "failed": failed, "left": left}
    return Answer(document=document, lines=lines, exit=1 if failed else 0)


def _left(ledger: Ledger) -> list[str]:
    """Return lines on the problems that `--restore` would fix and `--fix` did not."""
    found = [one for one in ledger.doctor() if _RESTORE in one.fix]
    return [f"left  {one.message}: {_RESTORE} restores what git removed" for one in found]


def _announce(plan: tuple[str, ...]) -> None:
    """Print the planned repairs before anything is changed."""
    tell("".join(f"will  {safe(says)}\n" for says in plan))
