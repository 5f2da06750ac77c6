"""Converts between a heading's minute and an instant, in one zone, UTC by default.

Events are ordered by their place in the file, so another zone changes only later headings.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from varves.errors import UsageError
from varves.values.instants import DAY_MS, instant, iso
from varves.values.text import quoted

_FORM = "%Y-%m-%d %H:%M"
_OFFSET = re.compile(r"([+-])(\d{2}):(\d{2})")
_MINUTE = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}")


def zone(name: str) -> tzinfo:
    """Return a zone by its name or its offset, such as `UTC`, `Europe/Rome` or `+02:00`.

    Raises:
        UsageError: the zone is unknown.
    """
    if name == "UTC":
        return UTC
    offset = _OFFSET.fullmatch(name)
    if offset and int(offset[2]) < 24 and int(offset[3]) < 60:
        shift = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(shift if offset[1] == "+" else -shift)
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # KeyError: ZoneInfoNotFoundError
        raise UsageError(
            f"[layers] zone {quoted(name)} is not known here", "use UTC, +02:00 or Europe/Rome"
        ) from None


def minute(ms: int, name: str) -> str:
    """Format an instant as a heading does."""
    return datetime.fromtimestamp(ms / 1000, zone(name)).strftime(_FORM)


def soonest_wrong(now: int, name: str) -> str:
    """Return the time from which on an event is dated in the future, whatever its clock was."""
    return minute(now + DAY_MS, name)


def given(text: object, name: str) -> str:
    """Parse the time a caller gives: in a heading's form, or as an instant.

    Raises:
        UsageError: it is neither.
    """
    if not isinstance(text, str):
        raise UsageError("the time is not a string", "write it as 2026-11-15 06:20")
    if _MINUTE.fullmatch(text.strip()):
        instant(text)
        return text.strip().replace("T", " ")
    return minute(instant(text), name)


def moment(time: str, name: str) -> str | None:
    """Return the instant of a heading's time; None if it is not a time."""
    try:
        local = datetime.fromisoformat(time)
    except ValueError:
        return None
    if local.tzinfo is None:
        local = local.replace(tzinfo=zone(name))
    try:
        return iso(round(local.timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        return None
