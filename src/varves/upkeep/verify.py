"""Verification: reads the logs completely, and compares the project's log with its other copies."""

from __future__ import annotations

from varves.context.live_index import check_format
from varves.files.lost import eaten_events
from varves.log.eaten import EATEN, Eaten
from varves.places.places import FOLDER
from varves.values.answers import Finding, Verification
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context

RESTORE = "varves doctor --restore"


def verify_all(
    context: Context, *, deep: bool, progress: Callable[[int], None] | None = None
) -> Verification:
    """Read every log completely, and compare the project's log with git, spool and index."""
    parts = read_logs(context, deep=deep, progress=progress)
    lost, recalled, uncompared = _lost(context)
    return Verification(
        ok=all(part.ok for part in parts) and not lost,
        segments=sum(part.segments for part in parts),
        events=sum(part.events for part in parts),
        damage=(*(one for part in parts for one in part.damage), *lost),
        gaps=(*(one for part in parts for one in part.gaps), *recalled),
        uncompared=uncompared,
    )


def in_words(found: Verification) -> str:
    """Return the result in one line."""
    parts = [f"{counted(found.events, 'event')} in {counted(found.segments, 'file')}"]
    parts.append(f"{len(found.damage) or 'none'} damaged, {len(found.gaps) or 'none'} missing")
    return ", ".join(parts)


def read_logs(
    context: Context, *, deep: bool, progress: Callable[[int], None] | None = None
) -> list[Verification]:
    """Read each log completely, and check its lines, but do not compare it with copies."""
    check_format(context.places.folder)
    barred = context.logs.barred()
    found = []
    for upkeep in context.logs.maintained():
        part = upkeep.verify(deep=deep, barred=barred, progress=progress)
        at = f"{FOLDER}/" if upkeep.key == "project" else f"{upkeep.key}: "
        damage = tuple(one.replace(place=at + one.place) for one in part.damage)
        gaps = tuple(one.replace(place=at + one.place) for one in part.gaps)
        found.append(part.replace(damage=damage, gaps=gaps))
    return found


def _lost(context: Context) -> tuple[list[Finding], list[Finding], tuple[str, ...]]:
    """Find the files of the project's log that lack events, as `doctor` does.

    Return three things: events that git or the spool still has, events that only the index still
    has, and the comparisons that were not possible. The index is derived, so it alone does not
    prove damage.
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
        message = f"{words} and from every branch: {RESTORE}"
        one = Finding(rule=EATEN, place=f"{FOLDER}/{name or 'log'}", message=message, fix=RESTORE)
        (damage if name else gaps).append(one)
    return damage, gaps, (f"not compared with git: {trouble}",) if trouble else ()
