"""The findings of `doctor`: problems of a ledger, each with its fix."""

from __future__ import annotations

from varves.files.lost import eaten_events
from varves.index.where import EventWhere
from varves.log.doomed import UNPURGED
from varves.log.eaten import EATEN
from varves.places.locks import tested
from varves.places.places import FOLDER
from varves.upkeep.limits import limits
from varves.upkeep.repairs import repairs
from varves.upkeep.verify import RESTORE, read_logs
from varves.values.answers import Finding
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.context.context import Context

# the rules of findings that are reported here, each with a fix of its own
_SAID_APART = ("bad-line", "unreadable", UNPURGED)
# if the stamps of a log are this far ahead of the clock, in milliseconds, it is reported
LEAD_MS = 60_000


def findings(context: Context, hidden: Iterable[str]) -> tuple[Finding, ...]:
    """Return the problems of the ledger, including those that could be repaired.

    Args:
        context: the ledger's context.
        hidden: the folders of protocols that git must ignore.
    """
    fix = "varves doctor --fix"
    wanted = [
        Finding(rule=repair.rule, place=FOLDER, message=f"could {repair.says}", fix=fix)
        for repair in repairs(context)
        if repair.rule != UNPURGED  # bad lines are reported one by one already
    ]
    return (*_faults(context, hidden), *wanted)


def _faults(context: Context, hidden: Iterable[str]) -> tuple[Finding, ...]:
    """Return the problems of this installation, each with its fix.

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
            f"{counted(lost.events, 'event')} missing from the work tree and from every branch"
        )
        found.append(Finding(rule=EATEN, place="spool", message=message, fix=RESTORE))
    found += hindered
    found += exposures(context, hidden)
    found += _unpurged(context)
    found += second_opinion(context)
    lead = int(index.latest_hlc()[:12], 16) - view.now
    if lead > LEAD_MS and not context.clock.fixed:
        message = f"the newest stamp is {lead // 1000} s ahead of this machine's clock"
        found.append(
            Finding(
                rule="clock",
                place="log",
                message=message,
                fix="correct the clocks",
            )
        )
    held = index.count(EventWhere(held=True))
    if held:
        message = (
            f"{counted(held, 'event')} stamped more than 24 h ahead of the clock, ignored for now"
        )
        found.append(
            Finding(
                rule="ahead",
                place="log",
                message=message,
                fix="correct the clocks",
            )
        )
    return tuple(found)


def _damage(context: Context, *, but: set[str]) -> list[Finding]:
    """Find damage that no other check of `doctor` reports.

    Files with a bad line that was reported are skipped.
    """
    return [
        one
        for part in read_logs(context, deep=False)
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
    """Find purged content that a merge restored, or that an interrupted purge did not erase."""
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
    """Test again whether locks work, in case a process has recorded that they do not."""
    try:
        if context.places.exists():
            tested(context.places.store("project"))
    except OSError:
        pass  # the folder is not writable, which is a separate finding
