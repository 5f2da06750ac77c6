"""Checks agents' settings: entries of Varves may be missing, or may run a missing program.

Only installed agents are checked, so a machine without agents has no findings. Programs that
settings files name are never run. To test the hooks and the server, this installation's own program
is started in an empty project.
"""

from __future__ import annotations

import os
from functools import partial

from varves import program as programs
from varves.errors import Refused, VarvesError
from varves.hosts.install.agents import NAMES, agent
from varves.hosts.install.changes import by_file, held_at, is_current
from varves.hosts.install.record import Records, fingerprint
from varves.hosts.install.verbs import InstallJob, install, is_installed, is_wired, place_of
from varves.values.answers import Finding
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from varves.hosts.install.agents import Agent, InstallPlace
    from varves.hosts.install.parts import ConfigPart

FIX = "varves doctor --fix"
SCOPES = ("user", "project")


class Wired(Value):
    """A coding agent for which Varves is installed, and the problems that were found."""

    agent: Agent
    scope: str
    findings: tuple[Finding, ...]


class InstallRepair(Value):
    """A problem that can be repaired: its description, and the function that repairs it."""

    says: str
    act: Callable[[], object]


class Checked(Value):
    """The result of a check: the findings, and short descriptions of what works."""

    findings: tuple[Finding, ...]
    well: tuple[str, ...] = ()
    clients: tuple[dict[str, Any], ...] = ()


def check(root: str, home: str) -> Checked:
    """Check every agent for which Varves is installed, for this user or in this project."""
    from varves.hosts.probes import asked_versions, hook_trouble, server_trouble

    wired = list(_wired(root, home))
    found = [*(one for each in wired for one in each.findings), *_too_open(home)]
    for name in doubled(root, home):
        message = "installed for the user and in this project, so every hook runs twice"
        fix = f"varves uninstall --client {name}, or the same with --scope project"
        found.append(Finding(rule="twice", place=name, message=message, fix=fix))
    if not wired:
        return Checked(findings=tuple(found))
    versions = asked_versions({each.agent.name: each.agent for each in wired})
    for each in wired:
        found += _without_program(each, versions)
    troubles = {"hooks": hook_trouble(), "server": server_trouble()}
    fix = "run varves hook or varves mcp by hand to see more; then reinstall varves"
    for rule, trouble in troubles.items():
        if trouble:
            found.append(Finding(rule=rule, place="varves", message=trouble, fix=fix))
    well = [_named(each, versions) for each in wired if not each.findings]
    well += [] if troubles["hooks"] else ["hooks answer"]
    well += [] if troubles["server"] else ["server answers"]
    return Checked(
        findings=tuple(dict.fromkeys(found)),
        well=tuple(well),
        clients=tuple(
            {
                "client": each.agent.name,
                "scope": each.scope,
                "version": versions.get(each.agent.name),
                "tested": each.agent.tested or None,
                "ok": not each.findings,
            }
            for each in wired
        ),
    )


def _named(each: Wired, versions: dict[str, str | None]) -> str:
    version = versions.get(each.agent.name)
    return f"{each.agent.name}{f' {version}' if version else ''} ({each.scope})"


def wired_names(root: str, home: str) -> tuple[str, ...]:
    """Return the names of the agents for which Varves is installed, each with its scope."""
    return tuple(
        f"{name} ({scope})"
        for scope in SCOPES
        for name in NAMES
        if is_installed(
            agent(name), place_of(InstallJob(root=root, home=home, scope=scope), programs.own())
        )
    )


def doubled(root: str, home: str) -> tuple[str, ...]:
    """Return the names of the agents whose hooks run twice.

    This happens if Varves is installed both for the user and in the project.
    """
    from varves.hosts.clients import CLIENTS

    return tuple(
        name
        for name in NAMES
        if CLIENTS[agent(name).hook].told
        and all(
            _has_hooks(
                agent(name), place_of(InstallJob(root=root, home=home, scope=scope), ("varves",))
            )
            for scope in SCOPES
        )
    )


def _has_hooks(one: Agent, place: InstallPlace) -> bool:
    from varves.hosts.install.parts import Hooks, OwnFile

    return any(
        isinstance(wiring.part, (OwnFile, Hooks)) and is_wired(wiring.path, [wiring.part], place)
        for wiring in one.wirings(place)
    )


def _wired(root: str, home: str) -> Iterator[Wired]:
    """Yield every agent for which Varves is installed completely or in part."""
    with Records(home, change=False) as records:
        for scope in SCOPES:
            job = InstallJob(root=root, home=home, scope=scope)
            tries = [program for program in (programs.by_name(), programs.own()) if program]
            for one in map(agent, NAMES):
                places = [place_of(job, program) for program in tries]
                files = by_file(one.wirings(places[0]))
                if not is_installed(one, places[0]):
                    continue
                found = [
                    finding for path in files for finding in _judged(path, one, places, records)
                ]
                found += _twice(one, scope, places[0])
                yield Wired(agent=one, scope=scope, findings=tuple(found))


def _judged(
    path: str, one: Agent, places: Sequence[InstallPlace], records: Records
) -> Iterator[Finding]:
    """Yield findings from comparing a settings file with the wanted content.

    The wanted content is computed for each command that can run Varves.
    """
    scope = places[0].scope
    again = f"varves install --client {one.name}{' --scope project' * (scope == 'project')}"
    try:
        held = held_at(path, places[0])
        wanted = [by_file(one.wirings(place))[path] for place in places]
        found = [part.found(held.text, path) for part in wanted[0]]
    except VarvesError as fault:
        yield Finding(rule="config", place=path, message=fault.message, fix=fault.hint)
        return
    if any(all(map(is_current, found, parts)) for parts in wanted):
        return
    if not all(found):
        message = f"{one.name} is only partly installed: entries of varves are missing here"
        yield Finding(rule="incomplete", place=path, message=message, fix=FIX)
        return
    absent = [one for one in _run_by(wanted[0], held.text, path) if not programs.is_there(one)]
    if absent:
        message = f"runs {' '.join(absent[0])}, which does not exist"
        yield Finding(rule="program", place=path, message=message, fix=FIX)
        return
    known = records.files.get(held.real)
    if known is not None and known["entries"] == fingerprint(found):
        message = "was written by another version of varves, or by one installed elsewhere"
        yield Finding(rule="outdated", place=path, message=message, fix=FIX)
        return
    whose = "was changed since it was installed" if known else "was not installed by this user"
    message = f"the varves entry {whose}"
    yield Finding(rule="edited", place=path, message=message, fix=f"check it, then {again}")


def _run_by(parts: Sequence[ConfigPart], text: str, path: str) -> list[list[str]]:
    return [program for part in parts for program in part.programs(text, path)]


def _twice(one: Agent, scope: str, place: InstallPlace) -> Iterator[Finding]:
    """Yield a finding if hooks run twice, because the plugin and the settings both contain them."""
    if one.name != "claude-code" or scope != "user":
        return
    from varves.hosts.install.jsontext import Json

    path = f"{place.folders['claude-code']}/settings.json"
    try:
        value = Json(held_at(path, place).text, path).value
    except VarvesError:
        return
    plugins = value.get("enabledPlugins") if isinstance(value, dict) else None
    for name, on in plugins.items() if isinstance(plugins, dict) else ():
        if on is True and name.partition("@")[0] == "varves":
            message = f"the plugin {name} is enabled too, so every hook runs twice"
            fix = f"varves uninstall --client claude-code, or claude plugin uninstall {name}"
            yield Finding(rule="twice", place=path, message=message, fix=fix)


def _without_program(each: Wired, versions: dict[str, str | None]) -> Iterator[Finding]:
    """Yield a finding if an agent of this user is missing or does not start."""
    name = each.agent.name
    if each.scope != "user" or not each.agent.tested:
        return
    if name not in versions:
        message = f"{each.agent.binaries[0]} is not on the PATH"
        fix = f"install it, or varves uninstall --client {name}"
        yield Finding(rule="client", place=name, message=message, fix=fix)
    elif versions[name] is None:
        message = f"{each.agent.binaries[0]} --version does not answer"
        yield Finding(rule="client", place=name, message=message, fix=f"install {name} again")


def _too_open(home: str) -> Iterator[Finding]:
    for path in _open_folders(home):
        message = "other users can read the copies of settings stored here"
        yield Finding(rule="open", place=path, message=message, fix=FIX)


def _open_folders(home: str) -> list[str]:
    folder = Records(home, change=False).folder
    try:
        found = os.lstat(folder)
    except OSError:
        return []
    return [folder] if found.st_uid == os.geteuid() and found.st_mode & 0o077 else []


def repairs(root: str, home: str) -> list[InstallRepair]:
    """Return the problems that can be fixed without asking: missing or outdated entries."""
    plan = [
        InstallRepair(
            says=f"make {path} unreadable for other users", act=partial(os.chmod, path, 0o700)
        )
        for path in _open_folders(home)
    ]
    for each in _wired(root, home):
        if any(one.fix == FIX for one in each.findings):
            name, scope = each.agent.name, each.scope
            job = InstallJob(root=root, home=home, clients=(name,), scope=scope)
            says = f"install {name} again ({scope})"
            plan.append(InstallRepair(says=says, act=partial(_again, job)))
    return plan


def _again(job: InstallJob) -> None:
    refused = [one.error for one in install(job) if one.error is not None]
    if refused:
        raise Refused(refused[0].message, refused[0].hint)
