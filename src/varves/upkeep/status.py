"""Upkeep: create a ledger, report its state, verify it, find events that git removed."""

from __future__ import annotations

import os

from varves.context.live_index import check_format
from varves.index.where import EventWhere, Where
from varves.log.doomed import UNPURGED
from varves.log.eaten import EATEN, Eaten
from varves.places.locks import tested
from varves.places.places import FOLDER
from varves.settings import LOSSY
from varves.upkeep.limits import limits
from varves.upkeep.pack import count_waiting, pack_if_many
from varves.values.answers import Finding, Initialised, Verification
from varves.values.instants import iso
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.context.context import Context

_RESTORE = "varves doctor --restore"
_SAID_APART = ("bad-line", "unreadable", UNPURGED)  # reported by `doctor`, each with its own fix
LEAD_MS = 60_000  # `doctor` reports a log whose stamps are this far ahead of the clock


def init(context: Context, *, local: bool) -> Initialised:
    """Create the ledger's folder and its constant files; a second call changes nothing."""
    places, notes = context.places, []
    check_format(context.places.folder)
    created = context.begin()
    git = places.git
    if git is not None and local:
        created += _exclude(
            f"{git.commondir}/info/exclude", os.path.relpath(places.folder, git.top)
        )
    elif git is not None and not git.run("config", "--get", "core.fsync", check=False).strip():
        # By default git does not sync objects: after a power cut a new commit may be unreadable.
        try:
            git.run("config", "core.fsync", "all")
            notes.append("git config core.fsync all")
        except OSError as fault:
            reason = str(fault).partition("\n")[0]
            notes.append(f"git config core.fsync all could not be set: {reason}")
    done = pack_if_many(context)
    if done.segments:
        notes.append(
            f"packed {counted(done.segments, 'segment')}; commit the packs and what they replace"
        )
    return Initialised(root=places.root, created=tuple(created), notes=tuple(notes))


def _exclude(path: str, folder: str) -> list[str]:
    line = f"/{folder}/\n"
    before = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            before = file.read()
    if line in before:
        return []
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(line if before.endswith("\n") or not before else "\n" + line)
    return [".git/info/exclude"]


def status(context: Context) -> dict[str, Any]:
    """Return the state of the ledger."""
    from varves.conflicts.finders import PORTION, uncompared
    from varves.conflicts.pending import waiting
    from varves.context.similarity import standing
    from varves.context.usage import last_told

    view = context.fresh(every_file=True)
    index, places = view.index, context.places
    counts = index.count_by(Where(), "status")
    expired = index.count(Where(statuses=("active",), over_at=iso(view.now)))
    if expired:
        counts |= {"active": counts["active"] - expired, "expired": expired}
    spool = context.logs.tracked().spooled()
    return {
        "root": places.root,
        "ledger": _identity(context),
        "exists": places.exists(),
        "memories": counts,
        "quarantined": context.quarantined(),
        "conflicts": len(waiting(context, view, most=PORTION)),
        "uncompared": uncompared(context, view),
        "events": index.count(EventWhere()),
        "held": index.count(EventWhere(held=True)),
        "bad_lines": len(index.logs().bad_lines()),
        "logs": {
            log.key: _log_status(context, log.key, log.root)
            for log in (*context.logs.maintained(), *context.logs.shared())
            if os.path.isdir(log.root)
        },
        "git": None if places.git is None else places.git.top,
        "spool": None if spool is None else {"path": spool[0], "segments": spool[1]},
        "index": index.path,
        "dense": standing(index, allowed=context.settings.dense),
        "told": last_told(context),
        "mode": context.settings.mode,
        "waiting": [f"{key} = {value}" for key, value in context.settings.waiting],
        "invalid": [f"{key}: {reason}" for key, reason in context.settings.invalid],
        "limits": [
            *([LOSSY] if context.settings.mode == "fast" else []),
            *(one.message for one in limits(context)),
        ],
    }


def _log_status(context: Context, key: str, path: str) -> dict[str, Any]:
    files, events = context.index.get().logs().extent(key)
    standing = {"path": path, "segments": files, "events": events}
    if key.startswith("project@"):
        return standing | {"branch": context.logs.branch(key)}
    return standing | {"to_pack": count_waiting(context, key)}


def _identity(context: Context) -> str | None:
    """Return the id of the repository's first commit, else of the first event."""
    git = context.places.git
    if git is not None:
        roots = git.run("rev-list", "--max-parents=0", "HEAD", check=False).decode().split()
        if roots:
            return roots[-1]
    first = context.index.get().events(EventWhere(log="project", here=True), first=1)
    return first[0].id if first else None


def verify_all(context: Context, *, deep: bool) -> Verification:
    """Read every log completely, and compare the project's log with git, spool and index."""
    parts = _read_logs(context, deep=deep)
    lost, recalled, uncompared = _lost(context)
    return Verification(
        ok=all(part.ok for part in parts) and not lost,
        segments=sum(part.segments for part in parts),
        events=sum(part.events for part in parts),
        damage=(*(one for part in parts for one in part.damage), *lost),
        gaps=(*(one for part in parts for one in part.gaps), *recalled),
        uncompared=uncompared,
    )


def _read_logs(context: Context, *, deep: bool) -> list[Verification]:
    """Read each log completely, and check it by its own lines."""
    check_format(context.places.folder)
    barred = context.logs.barred()
    found = []
    for upkeep in context.logs.maintained():
        part = upkeep.verify(deep=deep, barred=barred)
        at = f"{FOLDER}/" if upkeep.key == "project" else f"{upkeep.key}: "
        damage = tuple(one.replace(place=at + one.place) for one in part.damage)
        gaps = tuple(one.replace(place=at + one.place) for one in part.gaps)
        found.append(part.replace(damage=damage, gaps=gaps))
    return found


def _lost(context: Context) -> tuple[list[Finding], list[Finding], tuple[str, ...]]:
    """Find the files of the project's log that lack events, as `doctor` does.

    Returns events that git or the spool still has, then events that only the index still has, then
    the comparisons that were not possible. The index is derived, so it alone does not prove damage.
    """
    git = context.places.git
    trouble = "there is no repository here" if git is None else git.trouble()
    try:
        found = Eaten() if git is not None and trouble else eaten_events(context)
    except OSError as fault:
        found, trouble = Eaten(), str(fault.strerror or fault)
    damage: list[Finding] = []
    gaps: list[Finding] = []
    for name, lines in found.segments.items():
        words = f"{counted(len(lines), 'event')} missing{' from it' if name else ''}"
        message = f"{words} and on no other branch: {_RESTORE}"
        one = Finding(rule=EATEN, place=f"{FOLDER}/{name or 'log'}", message=message, fix=_RESTORE)
        (damage if name else gaps).append(one)
    return damage, gaps, (f"not compared with what git has: {trouble}",) if trouble else ()


def rebuild(context: Context) -> dict[str, int]:
    """Delete everything derived and derive it again."""
    context.index.get().remake()
    index = context.fresh().index
    return {"events": index.count(EventWhere()), "memories": index.count(Where())}


def doctor(context: Context, hidden: Iterable[str]) -> tuple[Finding, ...]:
    """Return what is wrong with this installation, each finding with its fix.

    Args:
        context: the ledger's context.
        hidden: the folders of protocols that git must ignore.
    """
    from varves.upkeep.exposures import exposures
    from varves.upkeep.second_opinion import second_opinion

    view = context.fresh(every_file=True)
    index, found = view.index, []
    for key, name, start, stop, reason in index.logs().bad_lines():
        place = f"{key}: {name} bytes {start}-{stop}"
        fix = "varves verify shows the line; git log shows its earlier bytes"
        found.append(Finding(rule="bad-line", place=place, message=reason, fix=fix))
    found += _unread(context)
    found += _damage(context, but={name for _, name, *_ in index.logs().bad_lines()})
    _test_locks(context)
    hindered = limits(context)
    lost = None if any(one.rule == "git" for one in hindered) else eaten_events(context)
    if lost is not None and lost.events:
        message = (
            f"{counted(lost.events, 'event')} missing from the work tree and on no other branch"
        )
        found.append(Finding(rule=EATEN, place="spool", message=message, fix=_RESTORE))
    found += hindered
    found += exposures(context, hidden)
    found += _unpurged(context)
    found += second_opinion(context)
    lead = int(index.latest_hlc()[:12], 16) - view.now
    if lead > LEAD_MS and not context.clock.fixed:
        message = f"stamps run {lead // 1000} s ahead of this machine's clock"
        found.append(
            Finding(rule="clock", place="log", message=message, fix="set the clocks right")
        )
    held = index.count(EventWhere(held=True))
    if held:
        message = f"{counted(held, 'event')} more than 24 h ahead of the clock, ignored until then"
        found.append(
            Finding(rule="ahead", place="log", message=message, fix="set the clocks right")
        )
    return tuple(found)


def _damage(context: Context, *, but: set[str]) -> list[Finding]:
    """Find damage that no other finding reports; files with a bad line are skipped."""
    return [
        one
        for part in _read_logs(context, deep=False)
        for one in part.damage
        if one.rule not in _SAID_APART and not any(name in one.place for name in but)
    ]


def _unread(context: Context) -> list[Finding]:
    """Find links in place of a log's files."""
    return [
        one.replace(place=f"{upkeep.root}/{one.place}")
        for upkeep in context.logs.maintained()
        for one in upkeep.unread()
    ]


def _unpurged(context: Context) -> list[Finding]:
    """Find purged content that a merge restored or an interrupted purge left."""
    from varves.purge.erasure import barred_by, unfinished

    return [
        Finding(
            rule=UNPURGED,
            place=place,
            message=f"{event.id} still contains purged content",
            fix="varves doctor --fix",
        )
        for place, event in unfinished(context, barred_by(context))
    ]


def _test_locks(context: Context) -> None:
    """Test again whether locks work; a writer may have found that they do not."""
    try:
        if context.places.exists():
            tested(context.places.store("project"))
    except OSError:
        pass  # the folder is not writable, which is a separate finding


def eaten_events(context: Context) -> Eaten:
    """Return the events that only the spool, the index or git's index still has."""
    gone = context.fresh(every_file=True).index.logs().lost_events()
    # The index is updated again for the second argument: events written meanwhile are not lost.
    return context.logs.tracked().eaten(
        gone, lambda: context.fresh().index.event_sources(EventWhere(here=True))
    )
