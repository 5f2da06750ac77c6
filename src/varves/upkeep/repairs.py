"""Repairs: finds what `doctor --fix` can repair, and repairs it.

Each repair is found, described and made separately, so that a plan can be shown before anything
changes. No repair shortens a log or blocks writers.
"""

from __future__ import annotations

import os
from functools import partial

from varves.commands.purge import completing
from varves.errors import Damaged, VarvesError
from varves.events.codec import decode, purged_line
from varves.events.remnants import holds
from varves.files.lost import eaten_events
from varves.log.doomed import UNPURGED
from varves.places.places import CONSTANT, FOLDER
from varves.purge.erasure import append_all, barred_by, finish, standing, unfinished
from varves.upkeep.pack import MANY, clear_spool, count_waiting, pack_if_many
from varves.upkeep.status import rebuild
from varves.values.answers import Mended, Rescued
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.context.context import Context
    from varves.log.eaten import Eaten

ERASE = "erase purged content left in"


class Repair(Value):
    """One possible repair: its rule, its description and its function."""

    rule: str
    says: str
    act: Callable[[], object]


def repairs(context: Context) -> list[Repair]:
    """Return the possible repairs, in the order in which they must be made."""
    found = [*_files(context), *_merges(context), *_index(context)]
    left = unfinished(context, barred_by(context))
    if left:
        places = sorted({place for place, _ in left})
        says = f"{ERASE} {', '.join(places)}"
        found.append(Repair(rule=UNPURGED, says=says, act=lambda: finish(context)))
    return [*found, *_packs(context)]


def mend(context: Context, *, dry_run: bool) -> Mended:
    """Make every repair; if one fails, the others are still made."""
    plan = repairs(context)
    done: list[str] = []
    failed: list[str] = []
    for repair in [] if dry_run else plan:
        try:
            repair.act()
            done.append(repair.says)
        except VarvesError as fault:
            failed.append(f"{repair.says}: {fault.message}")
        except OSError as fault:
            failed.append(f"{repair.says}: {fault.strerror or fault}")
    if not dry_run:
        clear_spool(context)
    return Mended(
        plan=tuple(repair.says for repair in plan), done=tuple(done), failed=tuple(failed)
    )


def _files(context: Context) -> Iterator[Repair]:
    """Find missing files such as `.gitignore`, and private folders that other users can read."""
    places = context.places
    if not places.exists():
        return
    missing = [name for name in CONSTANT if not os.path.lexists(f"{places.folder}/{name}")]
    if missing:
        says = f"write {', '.join(f'{FOLDER}/{name}' for name in missing)} again"
        yield Repair(rule="files", says=says, act=places.make)
    for path in _too_open(context):
        says = f"make {path} unreadable for other users"
        yield Repair(rule="open", says=says, act=partial(os.chmod, path, 0o700))


def _too_open(context: Context) -> list[str]:
    """Return this user's private folders that other users can read."""
    places = context.places
    spool = places.spool
    roots = [store.root for key, store in places.sources() if key in ("private", "global")]
    roots += [f"{places.folder}/private", f"{places.folder}/local", places.local.root]
    roots += [spool.root] if spool is not None else []
    return [path for path in dict.fromkeys(roots) if _is_open(path)]


def _is_open(path: str) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return found.st_uid == os.geteuid() and bool(found.st_mode & 0o077)


def _merges(context: Context) -> Iterator[Repair]:
    """Find segments that git could not merge because both sides had purged lines."""
    log = context.logs.tracked()
    for name in log.conflicted():
        says = f"resolve git's conflict in {FOLDER}/{name}; lines purged on either side stay purged"
        yield Repair(rule="conflict", says=says, act=partial(log.resolve_marks, name))


def _index(context: Context) -> Iterator[Repair]:
    """Find out whether the index contradicts the logs."""
    index = context.fresh().index
    if index.path is not None and not index.is_sound():
        yield Repair(rule="index", says="rebuild the index", act=lambda: rebuild(context))


def _packs(context: Context) -> Iterator[Repair]:
    waiting = {log.key: count_waiting(context, log.key) for log in context.logs.maintained()}
    many = [f"{count} of {key}" for key, count in waiting.items() if (count or 0) > MANY]
    if many:
        says = f"pack closed segments ({', '.join(many)})"
        yield Repair(rule="pack", says=says, act=lambda: pack_if_many(context))


def restore(context: Context) -> Rescued:
    """Restore the events that git removed, except content that was purged in the meantime."""
    git = context.places.git
    if git is not None and (trouble := git.trouble()):
        raise Damaged(f"git does not answer: {trouble}", "see varves doctor")
    lost = eaten_events(context)
    if not lost.events:
        return Rescued(restored=0, segments=())
    context.begin()  # git removed the constant files together with the events
    _without_purged(context, lost)
    day = iso(context.clock.now())[:10]
    names = context.logs.tracked().bring_back(lost, day=day)
    context.fresh()
    return Rescued(restored=lost.events, segments=tuple(f"{FOLDER}/{name}" for name in names))


def _without_purged(context: Context, lost: Eaten) -> None:
    """Replace lines that have purged content by the same lines without it."""
    barred = barred_by(context)
    if not barred:
        return
    for name, lines in lost.segments.items():
        read = [(decode(line, "project"), line) for line in lines]
        gone = [event for event, _ in read if holds(event, barred)]
        append_all(context, completing(gone, standing(context), context.act()))
        lost.segments[name] = [
            purged_line(line) if holds(event, barred) else line for event, line in read
        ]
