"""The lifetime of an entry: `permanent`, or an ISO 8601 duration from its creation.

Years and months follow the calendar: an entry created on 1 March with P1Y expires on 1 March. If
that day does not exist, such as 29 February or the 31st, the last day of the month is used.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from varves.errors import UsageError
from varves.values.instants import PERMANENT, iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PARTS = re.compile(
    r"P(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?",
    re.ASCII,
)


def expires(ttl: Any, created: int) -> str | None:
    """Return the time at which an entry expires, or None if it never does.

    Raises:
        UsageError: the duration is not valid ISO 8601, or ends after the last possible date.
    """
    if ttl == PERMANENT:
        return None
    found = _PARTS.fullmatch(ttl) if isinstance(ttl, str) else None
    amounts = [int(part or 0) for part in found.groups()] if found else []
    if not any(amounts):
        raise UsageError(f"not a ttl: {quoted(ttl)}", "write permanent, P1Y, P90D or PT4H")
    years, months, weeks, days, hours, minutes, seconds = amounts
    try:
        day = _calendar(datetime.fromtimestamp(created // 1000, UTC), 12 * years + months)
        end = day + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except (ValueError, OverflowError):
        raise UsageError(f"ttl too long: {quoted(ttl)}", "write permanent") from None
    return iso(int(end.timestamp()) * 1000 + created % 1000)


def _calendar(day: datetime, months: int) -> datetime:
    """Return the same day some months later, or that month's last day if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for fallback in range(4):
        try:
            return day.replace(year=year, month=month + 1, day=day.day - fallback)
        except ValueError:
            if fallback == 3 or day.day - fallback <= 28:
                raise
    raise AssertionError


def shown_ttl(ttl: str) -> str:
    """Return a duration in the protocol's form; the core also accepts forms such as `30d`."""
    amount, unit = ttl[:-1], ttl[-1:]
    if not amount.isdigit():
        return ttl
    return f"P{amount}{unit.upper()}" if unit in "dw" else f"PT{amount}{unit.upper()}"


def shown(time: str) -> str:
    """Return a time without zero milliseconds: `2025-12-18T00:00:00Z`."""
    return time.removesuffix(".000Z") + "Z" if time.endswith(".000Z") else time
