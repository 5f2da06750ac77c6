"""Checks the four files against the published rules; findings are returned, nothing is fixed."""

from __future__ import annotations

import re
from hashlib import sha256

from varves.commands import intake
from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import WAIVED
from varves.protocols.layers import checks
from varves.protocols.layers.adoption import GONE, LOG, MERGE, look, sides
from varves.protocols.layers.constraints import AGENTS, SECTION, digest, rules
from varves.protocols.layers.handoffs import PLACE, read_handoff
from varves.protocols.layers.options import options_of
from varves.protocols.layers.picture import graph_of
from varves.protocols.layers.session_note import booted
from varves.protocols.layers.times import soonest_wrong
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, shown_by, tells
from varves.protocols.protocol import ERROR, WARNING, Breach
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from varves.events.event import Event
    from varves.protocols.layers.adoption import Seen
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

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


_STATED = "restore it, or boot again; rules may change only between sessions"


def validate(core: Core) -> tuple[Breach, ...]:
    """Return the problems in the four files, each with its place, rule and severity.

    Stale views are reported too; the next boot updates them. Waived findings are left out.
    """
    return without_waived(core, findings(core))


def findings(core: Core) -> list[Breach]:
    """Return all findings, waived or not."""
    seen = look(core, options_of(core), thorough=True)
    drawn = draw(core, seen.log, options_of(core))
    found = [*_wrong_rules(core), *seen.findings, *_wrong_log(core, seen, drawn)]
    found += _wrong_handoff(core)
    gone = any(one.rule == GONE for one in found)  # a view cannot be judged without its log
    if not seen.log.markers and not gone:
        found += [*_wrong_graph(core, seen, drawn), *_wrong_context(core, seen, drawn)]
    return found


def _wrong_rules(core: Core) -> Iterator[Breach]:
    content = core.tree.consult(AGENTS)
    noted = (booted(core) or {}).get("digest")
    if content is None:
        fix = "write it; varves layers agents-section prints a part of it"
        yield Breach(rule="S1-46", place=AGENTS, message="is missing", fix=fix)
    elif not rules(content).protocol:
        message = f"there is no section {SECTION}"
        fix = "varves layers agents-section prints it, for a person to paste"
        yield Breach(rule="S1-98", place=AGENTS, message=message, fix=fix, level=WARNING)
    if isinstance(noted, str) and digest(content or b"") != noted:
        message = "was changed during this session"
        yield Breach(rule="S1-04", place=AGENTS, message=message, fix=_STATED)


def _wrong_handoff(core: Core) -> Iterator[Breach]:
    content = core.tree.read(PLACE)
    if content is not None:
        try:
            read_handoff(content)
        except Refused as fault:
            yield Breach(rule="S1-72", place=PLACE, message=fault.message, fix=fault.hint)


def _wrong_log(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
    log = seen.log
    if seen.lies is None:
        if not seen.known and any(tells(drawn.lies[path]) for path in VIEWS):
            message = "the file is missing, but the views show its events"
            yield Breach(rule=GONE, place=LOG, message=message, fix="restore it from git")
        elif not seen.known:
            message, fix = "is missing", "varves layers init"
            yield Breach(rule="S1-01", place=LOG, message=message, fix=fix, level=WARNING)
        return
    if not log.is_log or log.markers:
        return  # lines of two events are mixed under one heading
    if core.tree.stages(LOG):
        yield Breach(rule="S1-10", place=LOG, message="git reports it as unmerged", fix=MERGE)
    yield from checks.entries(log)
    ahead = soonest_wrong(core.now, options_of(core).zone)
    yield from checks.order(log, lambda: sides(core), ahead=ahead)
    where, notes = core.tree.whereabouts, checks.NotedLinks(core)
    yield from checks.links(log, drawn.graph, where, notes=notes)


def _wrong_graph(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
    why = drawn.stale.get(GRAPH)
    lies = drawn.lies[GRAPH]
    if why is None or (lies is None and not seen.log.blocks):
        return
    yield checks.stale(GRAPH, why, rule="S1-22", level=WARNING)
    if lies is None or why == "behind":
        return  # the view is correct for the log up to its horizon
    text = lies.decode("utf-8", "replace")
    then = graph_of(shown_by(text, drawn.log), None, options_of(core))
    yield from checks.picture(text, (drawn.graph, then), drawn.log)


def _wrong_context(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
    why = drawn.stale.get(CONTEXT)
    lies = drawn.lies[CONTEXT]
    if lies is None and not seen.log.blocks:
        return
    if why is not None:
        level = WARNING if why == "missing" else ERROR
        yield checks.stale(CONTEXT, why, rule="S1-89", level=level)
    text = drawn.texts[CONTEXT] if lies is None else lies.decode("utf-8", "replace")
    then = shown_by(text, drawn.log)
    picture = (drawn.lies[GRAPH] or b"").decode("utf-8", "replace")
    graph = drawn.graph if then is drawn.log else graph_of(then, picture, options_of(core))
    yield from checks.narrative(text, drawn.log, then=then, graph=graph, options=options_of(core))


# Waivers


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
