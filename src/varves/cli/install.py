"""The verbs that add Varves to the settings of coding agents, and remove it from them.

`varves.hosts` does the work. It is imported at run time by its name, because the import contracts
do not allow one surface to import another.
"""

from __future__ import annotations

import os

from varves.cli.render import Alarm, Answer, Dim, Strong, counted
from varves.errors import VarvesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves import Ledger
    from varves.cli.arguments import Given
    from varves.cli.render import Line

_SHOWN = 40  # the most lines of one change that are shown
_SAID = {
    ("installed", False): "installed",
    ("installed", True): "would be installed",
    ("current", False): "is installed already",
    ("current", True): "is installed already",
    ("removed", False): "removed",
    ("removed", True): "would be removed",
    ("absent", False): "was not installed",
    ("absent", True): "was not installed",
    ("refused", False): "refused",
    ("refused", True): "would be refused",
}


def hosted(name: str) -> Any:
    """Return a module of `varves.hosts`."""
    return __import__(f"varves.hosts.{name}", fromlist=("verbs",))


def install(ledger: Ledger, given: Given) -> Answer:
    """Add Varves to the settings of agents; `--scope project` also creates a missing ledger."""
    outcomes = hosted("install.verbs").install(_job(ledger, given))
    made: tuple[str, ...] = ()
    would = "dry_run" in given.own
    wired = any(one.status != "refused" for one in outcomes)
    bare = not os.path.isdir(f"{ledger.root}/.varves")
    if given.own.get("scope") == "project" and wired and bare:
        made = (".varves/",) if would else ledger.init().created
    lines = _lines(outcomes, ledger.root, dry_run=would)
    if made:
        lines.append(f"ledger {'would be ' if would else ''}created: {', '.join(made)}")
    fresh = [one.client for one in outcomes if one.status == "installed"]
    step = f"restart {', '.join(fresh)}" if fresh and not would else None
    if step and bare and not made:
        step = f"varves init in each project that should remember, then {step}"
    for name in hosted("checks").doubled(ledger.root, _job(ledger, given).home):
        lines.append(f"{name} is installed for the user and in this project: its hooks run twice")
        lines.append(
            (Dim(f"  varves uninstall --client {name}, or the same with --scope project"),)
        )
    merged = () if would or not os.path.isdir(f"{ledger.root}/.varves") else ledger.connect_git()
    if merged:
        lines.append(f"git merges published files with varves: {', '.join(merged)}")
    lines += [f"next: {step}"] if step else []
    document = _document(outcomes, dry_run=would)
    document |= {"created": list(made), "git": list(merged), "next": step}
    return Answer(document=document, lines=lines, exit=_exit(outcomes))


def uninstall(ledger: Ledger, given: Given) -> Answer:
    """Remove Varves from the settings of agents."""
    job = _job(ledger, given)
    verbs = hosted("install.verbs")
    outcomes = verbs.uninstall(job)
    would = "dry_run" in given.own
    whole = "client" not in given.own
    merged = ledger.disconnect_git(dry_run=would) if whole else ()
    lines = _lines(outcomes, ledger.root, dry_run=would) or [
        "varves is not installed in this scope"
    ]
    if merged:
        gone = f"{'would be ' if would else ''}removed"
        lines.append(f"git's merge driver for published files {gone}: {', '.join(merged)}")
    other = "project" if job.scope == "user" else "user"
    left = verbs.uninstall(job.replace(scope=other, clients=("auto",), dry_run=True))
    rest = list(dict.fromkeys(file.path for one in left for file in one.files))
    if rest:
        lines.append(f"still in {', '.join(_short(path, ledger.root) for path in rest)}")
        lines.append((Dim(f"  varves uninstall --scope {other}"),))
    document = _document(outcomes, dry_run=would) | {"git": list(merged), "left": rest}
    return Answer(document=document, lines=lines, exit=_exit(outcomes))


def _job(ledger: Ledger, given: Given) -> Any:
    from varves import settings

    own = given.own
    return hosted("install.verbs").InstallJob(
        root=ledger.root,
        home=settings.load(ledger.root).home,
        clients=tuple(own.get("client", ("auto",))),
        scope=own.get("scope", "user"),
        dry_run="dry_run" in own,
    )


def _lines(outcomes: Any, root: str, *, dry_run: bool) -> list[Line]:
    lines: list[Line] = []
    for one in outcomes:
        said = _SAID[one.status, dry_run]
        if one.error is not None:
            lines.append((Alarm(one.client), f"  {said}: {one.error.message}"))
            lines.append((Dim(f"  {one.error.hint}"),))
            continue
        lines.append((Strong(one.client), f"  {said}"))
        for file in one.files:
            gone = (
                f"  ({'would be removed' if dry_run else 'removed'}: it contained nothing else)"
                * file.removed
            )
            lines.append(f"  {_short(file.path, root)}{gone}")
            shown = () if file.removed else file.diff
            lines += [(Dim(f"    {line}"),) for line in shown[:_SHOWN]]
            if len(shown) > _SHOWN:
                more = counted(len(shown) - _SHOWN, "more line")
                lines.append((Dim(f"    … {more}; --json has all"),))
            if file.backup and one.status == "installed" and not dry_run:
                lines.append((Dim(f"    before: {_short(file.backup, root)}"),))
        lines += [f"  {note}" for note in one.notes]
    return lines


def _short(path: str, root: str) -> str:
    """Return a path in the form that people write: relative to the project or to their home."""
    for above, mark in ((root, ""), (os.path.expanduser("~"), "~/")):
        if path.startswith(f"{above}/"):
            return mark + path[len(above) + 1 :]
    return path


def _document(outcomes: Any, *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "clients": [
            {
                "client": one.client,
                "status": one.status,
                "files": one.files,
                "notes": one.notes,
                "error": _error(one.error),
            }
            for one in outcomes
        ],
    }


def _error(fault: VarvesError | None) -> dict[str, str] | None:
    if fault is None:
        return None
    return {"code": fault.code, "message": fault.message, "hint": fault.hint}


def _exit(outcomes: Any) -> int:
    return max((one.error.exit for one in outcomes if one.error is not None), default=0)
