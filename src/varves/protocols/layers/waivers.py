"""Waivers of findings that a person accepts as they are.

A waiver is an event of the project's log. It names the rule, the file and a digest of the message
without line numbers, so it applies to the same finding on another line and ends when the message of
the finding changes. The last event about a finding counts.
"""

from __future__ import annotations

import re
from hashlib import sha256

from varves.commands import intake
from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import WAIVED
from varves.protocols.layers.validation import findings
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.events.event import Event
    from varves.protocols.port import Core
    from varves.protocols.protocol import Breach

# The findings that no verb can settle, because the file is a person's or only grows.
WAIVABLE = frozenset(
    f"S1-{number}" for number in ("07", "11", "12", "13", "14", "19", "53", "80", "82", "83", "84")
) | {"S1-92", "S1-98"}
_LINE = re.compile(r" of line \d+")


class Waived(Value):
    """A finding that is waived."""

    rule: str
    place: str
    message: str
    level: str
    reason: str
    by: str
    at: str
    event: str


class FindingsWaived(Value):
    """The findings that were waived, or whose waiver was withdrawn."""

    status: str
    """`waived` or `withdrawn`."""
    findings: tuple[Breach, ...]
    events: tuple[str, ...]
    reason: str | None


def _key(one: Breach) -> tuple[str, str, str]:
    said = _LINE.sub("", one.message).encode("utf-8", "surrogatepass")
    return one.rule, one.place.partition(":")[0], sha256(said).hexdigest()[:32]


def _content(one: Breach, reason: str | None) -> dict[str, object]:
    content: dict[str, object] = dict(zip(("rule", "file", "finding"), _key(one), strict=True))
    return content | ({"withdrawn": True} if reason is None else {"reason": reason})


def waive(
    core: Core, place: str, *, reason: str = "", rule: str | None = None, withdraw: bool = False
) -> FindingsWaived:
    """Accept the findings at a place as they are; validate no longer counts them."""
    if not isinstance(place, str):
        raise UsageError("the place is not text", "varves layers validate prints the places")
    said = None if withdraw else core.clean(intake.statement(reason))[0]
    standing = _standing(core)
    there = [one for one in findings(core) if one.place == place and rule in (None, one.rule)]
    there = [one for one in there if (_key(one) in standing) == withdraw]
    if not there:
        what = "waiver" if withdraw else "finding"
        raise NotFound(f"no {what} at {quoted(place)}", "varves layers validate lists them")
    settled = [one for one in there if one.rule not in WAIVABLE]
    if settled and rule is None:
        there = [one for one in there if one not in settled] or there
    for one in there:
        if one.rule not in WAIVABLE:
            raise Refused(f"{one.rule} cannot be waived: {one.message}", one.fix)
    act = core.act()
    drafts = [act.draft(WAIVED, _content(one, said)) for one in there]
    events = core.append("project", drafts)
    return FindingsWaived(
        status="withdrawn" if withdraw else "waived",
        findings=tuple(there),
        events=tuple(event.id for event in events),
        reason=said,
    )


def waived(core: Core) -> tuple[Waived, ...]:
    """Return the present findings that are waived, with who waived them, when and why."""
    standing = _standing(core)
    if not standing:
        return ()
    return tuple(
        Waived(
            rule=one.rule,
            place=one.place,
            message=one.message,
            level=one.level,
            reason=str(standing[_key(one)].data.get("reason", "")),
            by=standing[_key(one)].actor,
            at=standing[_key(one)].time,
            event=standing[_key(one)].id,
        )
        for one in findings(core)
        if _key(one) in standing
    )


def without_waived(core: Core, found: Iterable[Breach]) -> tuple[Breach, ...]:
    """Return the findings that are not waived, and note how many are."""
    found, standing = list(found), _standing(core)
    left = tuple(one for one in found if _key(one) not in standing)
    if len(left) < len(found):
        count = len(found) - len(left)
        core.notes.append(f"{count} finding{'s are' if count > 1 else ' is'} waived")
    return left


def _standing(core: Core) -> dict[Sequence[str], Event]:
    """Return the waivers in force, by rule, file and digest of the message."""
    found: dict[Sequence[str], Event] = {}
    for event in core.events(WAIVED):
        key = tuple(str(event.data.get(name)) for name in ("rule", "file", "finding"))
        if event.data.get("withdrawn"):
            found.pop(key, None)
        else:
            found[key] = event
    return found
