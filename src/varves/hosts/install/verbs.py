"""Adds Varves to agents' settings or removes it; all files of one agent are changed, or none."""

from __future__ import annotations

import os

from varves import program as programs
from varves.errors import NotFound, Refused, VarvesError
from varves.hosts.install.agents import NAMES, Agent, InstallPlace, agent, is_present
from varves.hosts.install.changes import by_file, diff, held_at, to_install, to_remove
from varves.hosts.install.files import make_folders, remove_empty, replace
from varves.hosts.install.record import Records, copy_name, digest
from varves.settings import host_folders
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.hosts.install.changes import FileChange
    from varves.hosts.install.parts import ConfigPart


class WrittenFile(Value):
    """A file that installing or uninstalling changed or, in a dry run, would change."""

    path: str
    diff: tuple[str, ...]
    backup: str | None
    removed: bool = False


class InstallOutcome(Value):
    """The result of installing or uninstalling for one agent."""

    client: str
    status: str
    """installed, current, removed, absent or refused."""
    files: tuple[WrittenFile, ...] = ()
    notes: tuple[str, ...] = ()
    error: VarvesError | None = None


class InstallJob(Value):
    """A request to install or uninstall."""

    root: str
    home: str
    """The folder of Varves for this user, which contains the record."""
    clients: tuple[str, ...] = ("auto",)
    scope: str = "user"
    dry_run: bool = False


def install(job: InstallJob) -> tuple[InstallOutcome, ...]:
    """Add the entries of Varves to the settings of agents.

    Raises:
        NotFound: no agent is on this machine.
    """
    chosen = _chosen(job)
    if not chosen:
        names = ", ".join(NAMES)
        raise NotFound("no coding agent found on this machine", f"name one: --client {names}")
    return _each(job, chosen, _install)


def _chosen(job: InstallJob) -> list[Agent]:
    folders = host_folders()
    if "auto" not in job.clients:
        return [agent(name) for name in dict.fromkeys(job.clients)]
    return [one for one in map(agent, NAMES) if is_present(one, folders)]


def uninstall(job: InstallJob) -> tuple[InstallOutcome, ...]:
    """Remove the entries of Varves from the settings of agents, even of uninstalled agents."""
    done = _each(job, [agent(name) for name in dict.fromkeys(_going(job))], _uninstall)
    if "auto" in job.clients:
        return tuple(one for one in done if one.status != "absent")
    return done


def _each(
    job: InstallJob,
    chosen: Sequence[Agent],
    act: Callable[[Agent, InstallJob, Records], InstallOutcome],
) -> tuple[InstallOutcome, ...]:
    """Call `act` for each agent.

    If there is just one agent, an error is raised; if there are several, errors are part of the
    result.
    """
    done = []
    with Records(job.home, change=not job.dry_run) as records:
        for one in chosen:
            try:
                done.append(act(one, job, records))
            except VarvesError as fault:
                if len(chosen) == 1:
                    raise
                done.append(InstallOutcome(client=one.name, status="refused", error=fault))
    return tuple(done)


def place_of(job: InstallJob, program: tuple[str, ...]) -> InstallPlace:
    """Return where a job installs: for the user or in a project, and with which program."""
    return InstallPlace(scope=job.scope, root=job.root, folders=host_folders(), program=program)


def fitting(one: Agent, job: InstallJob, records: Records) -> tuple[InstallPlace, list[FileChange]]:
    """Return where to install, and the changes, for the program that needs the fewest changes.

    A project's files are shared, and a path on this machine is useless to others. So if a shell
    finds this installation by its name without a path, these files contain the name.
    """
    bare = programs.by_name() if job.scope == "project" else None
    tries = [program for program in (bare, programs.own()) if program]
    plans = []
    for program in tries:
        place = place_of(job, program)
        plans.append((place, _planned(one, place, records)))
    return next((plan for plan in plans if not plan[1]), plans[0])


def _planned(one: Agent, place: InstallPlace, records: Records) -> list[FileChange]:
    files = by_file(one.wirings(place))
    changes = [
        to_install(path, parts, place=place, records=records) for path, parts in files.items()
    ]
    return [change for change in changes if change is not None]


def _install(one: Agent, job: InstallJob, records: Records) -> InstallOutcome:
    place, changes = fitting(one, job, records)
    notes = _notes(one, job, place)
    if not changes:
        return InstallOutcome(client=one.name, status="current")
    if not job.dry_run:
        _apply(changes, one, job, records)
    files = tuple(_written(change, records) for change in changes)
    return InstallOutcome(client=one.name, status="installed", files=files, notes=notes)


def _notes(one: Agent, job: InstallJob, place: InstallPlace) -> tuple[str, ...]:
    notes = [one.note] if one.note else []
    notes += [one.project_note] if job.scope == "project" and one.project_note else []
    if programs.is_passing(place.program):
        notes.append(
            f"{place.program[0]} is temporary; run uv tool install varves, then install again"
        )
    elif job.scope == "project" and os.path.isabs(place.program[0]):
        notes.append("varves is not on the PATH, so the files contain a path of this machine")
    return tuple(notes)


def _uninstall(one: Agent, job: InstallJob, records: Records) -> InstallOutcome:
    place = place_of(job, programs.own())
    going = _going(job) if is_installed(one, place) else ()
    changes = []
    for path, parts in by_file(one.wirings(place)).items():
        if not _is_needed(path, one, place, going=going):
            changes.append(to_remove(path, parts, place=place, records=records))
    wanted = [change for change in changes if change is not None]
    if not wanted:
        return InstallOutcome(client=one.name, status="absent")
    files = tuple(_written(change, records) for change in wanted)
    if not job.dry_run:
        _apply(wanted, one, job, records)
    return InstallOutcome(client=one.name, status="removed", files=files)


def _going(job: InstallJob) -> tuple[str, ...]:
    """Return the agents from whose settings a job removes the entries of Varves."""
    names = NAMES if "auto" in job.clients else job.clients
    return tuple(agent(name).name for name in names)


def _is_needed(path: str, one: Agent, place: InstallPlace, *, going: Sequence[str]) -> bool:
    """Return whether another installed agent reads the entries of Varves in the same file."""
    for name in NAMES:
        files = by_file(agent(name).wirings(place)) if name not in (one.name, *going) else {}
        if path in files:
            own = {other: parts for other, parts in files.items() if other != path}
            if any(is_wired(other, parts, place) for other, parts in own.items()):
                return True
    return False


def is_installed(one: Agent, place: InstallPlace) -> bool:
    """Return whether an agent's files contain an entry that we wrote for that agent."""
    return any(
        is_wired(path, parts, place) and not _is_needed(path, one, place, going=())
        for path, parts in by_file(one.wirings(place)).items()
    )


def is_wired(path: str, parts: Sequence[ConfigPart], place: InstallPlace) -> bool:
    """Return whether a file contains an entry of ours."""
    try:
        text = held_at(path, place).text
        return any(part.found(text, path) for part in parts)
    except VarvesError:
        return False


def _written(change: FileChange, records: Records) -> WrittenFile:
    known = records.files.get(change.held.real, {})
    backup = f"{records.folder}/{known['backup']}" if known.get("backup") else None
    return WrittenFile(
        path=change.held.path,
        diff=tuple(diff(change)),
        backup=backup,
        removed=change.after is None,
    )


def _apply(changes: Sequence[FileChange], one: Agent, job: InstallJob, records: Records) -> None:
    """Write all changed files; if one write fails, restore the files that were written before."""
    done: list[tuple[FileChange, list[str]]] = []
    try:
        for change in changes:
            folders = _begin(change, records)
            done.append((change, folders))
            replace(change.held, change.after)
    except (VarvesError, OSError) as fault:
        for change, folders in reversed(done):
            _back(change, folders)
        if isinstance(fault, OSError):
            reason = f"{fault.filename}: {fault.strerror}"
            raise Refused(reason, "check its owner and permissions") from None
        raise
    for change, folders in done:
        _enter(change, folders, records, whose=(one.name, job))
    records.save()


def _begin(change: FileChange, records: Records) -> list[str]:
    known = records.files.get(change.held.real)
    same = known is not None and known["after"] == digest(change.held.content)
    if change.entries and not same and change.held.content is not None:
        records.keep(change.held.real, change.held.content)
    return make_folders(change.held.real) if change.after is not None else []


def _back(change: FileChange, folders: list[str]) -> None:
    """Undo the change of one file, unless another program has changed the file since."""
    try:
        replace(change.held.replace(content=change.after), change.held.content)
    except VarvesError:
        pass
    remove_empty(folders[::-1])


def _enter(
    change: FileChange, folders: list[str], records: Records, *, whose: tuple[str, InstallJob]
) -> None:
    """Note in the record of installed entries what was done to a file."""
    name, job = whose
    real, content = change.held.real, change.held.content
    known: dict[str, Any] = records.files.get(real, {})
    if not change.entries:
        records.drop(real)
        records.emptied += _above(real, known, job) if change.after is None else []
        return
    if known.get("after") != digest(content):
        known = {
            "before": digest(content),
            "backup": None if content is None else copy_name(real),
            "clean": change.clean,
            "created": known.get("created", content is None),
            "folders": known.get("folders", []),
        }
    records.files[real] = {
        **known,
        "after": digest(change.after),
        "made": [list(path) for path in change.made],
        "folders": [*known["folders"], *folders],
        "client": name,
        "scope": job.scope,
        "entries": change.entries,
    }


def _above(real: str, known: dict[str, Any], job: InstallJob) -> list[str]:
    """Return the folders that were created for a file.

    In a project, return all folders between the file and the root.
    """
    if known:
        return list(known["folders"])
    folders, folder = [], os.path.dirname(real)
    while job.scope == "project" and folder.startswith(f"{os.path.realpath(job.root)}/"):
        folders.append(folder)
        folder = os.path.dirname(folder)
    return folders
