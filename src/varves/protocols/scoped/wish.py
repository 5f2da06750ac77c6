"""An entry that a caller wants: what it hides, and how it is stored under a locked number."""

from __future__ import annotations

from varves.commands.edit import Edit
from varves.commands.edit import decide as decide_edit
from varves.commands.intake import confidence as sureness
from varves.commands.intake import statement, word
from varves.commands.remember import Remember, decide
from varves.errors import Refused, UsageError, refuse_unknown
from varves.events.kinds import LINKED, REVISED
from varves.events.views import VIEW_OF
from varves.protocols.scoped.answers import StoredEntry
from varves.protocols.scoped.entries import confidence, label, type_of
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.numbers import claimed
from varves.protocols.scoped.options import CONFIDENCE, SHOWN
from varves.protocols.scoped.places import GLOBAL, PROJECT, SESSION, TEAM
from varves.protocols.scoped.shades import speaking_of
from varves.protocols.scoped.subjects import meant
from varves.values.memory import TRUSTWORTHY
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from varves.commands.port import Act, Decision, Rows
    from varves.events.event import Draft
    from varves.protocols.port import Core
    from varves.protocols.scoped.desk import Desk
    from varves.protocols.scoped.numbers import Numbering
    from varves.protocols.scoped.options import ScopedOptions
    from varves.values.memory import Memory

    class WriteOptions(TypedDict, total=False):
        """Options of `Scoped.write`; type and content are required."""

        type: str
        content: str
        confidence: float | None
        override_global: bool
        overrides: str | None
        force: bool
        again: bool
        allow_secret: bool


class ScopedWish(Value):
    """An entry that a caller wants to store."""

    text: str
    scope: str
    type: str
    confidence: float
    stated: tuple[str, ...] = ()
    """The fields that the caller stated: a known entry takes their values."""
    id: str | None = None
    cause: tuple[str, ...] = ()
    source: str | None = None
    overrides: tuple[str, ...] = ()
    silences: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    """The record of another protocol that this entry is a view of."""
    again: bool = False
    redacted: tuple[str, ...] = ()
    more: dict[str, Any] = {}  # noqa: RUF012 - values are frozen


def rare(
    wish: ScopedWish,
    options: ScopedOptions,
    *,
    stated: float | None,
    force: bool,
    hint: str = "state --confidence, write it for the project, or use --force",
) -> ScopedWish:
    """Refuse a global entry unless a high confidence was stated or it is forced; mark a forced one.

    Args:
        wish: the entry.
        options: the settings, with the confidence that is needed.
        stated: the confidence that somebody stated; the default of an entry is not stated.
        force: whether to store the entry all the same.
        hint: what the caller may do instead.
    """
    if wish.scope != GLOBAL or (stated or 0.0) >= options.global_confidence:
        return wish
    if not force:
        needed = f"a stated confidence of {options.global_confidence:g}"
        raise Refused(f"a global entry needs {needed}", hint)
    return wish.replace(more={**wish.more, "forced": True})


_OPTIONS = {
    *("type", "content", "confidence", "override_global", "overrides", "force", "again"),
    "allow_secret",
}


def write(desk: Desk, scope: str, name: str | None, options: WriteOptions) -> StoredEntry:
    """Store the entry that the options of `Scoped.write` describe."""
    refuse_unknown(options, _OPTIONS, "varves scoped write --help")
    secret = bool(options.get("allow_secret"))
    text, redacted = desk.core.clean(statement(options.get("content")), allow_secret=secret)
    sure = sureness(options.get("confidence"))
    wish = ScopedWish(
        text=text,
        scope=desk.scope(scope, name),
        type=type_of(options.get("type")),
        confidence=CONFIDENCE if sure is None else sure,
        stated=("type",) if sure is None else ("type", "confidence"),
        again=bool(options.get("again")),
        redacted=redacted,
    )
    session = None
    if wish.scope.startswith(SESSION):
        desk.own_scope(wish.scope, None, use="write to")
        session = desk.own_session(wish.scope.partition(":")[2]).name
    named = word(options.get("overrides"), "overrides")
    override = bool(options.get("override_global")) or named is not None
    wish, notices = _across(desk, wish, override=override, named=named)
    wish = rare(wish, desk.options, stated=sure, force=bool(options.get("force")))
    return store(desk.core, wish, desk.act(session)).replace(notices=notices)


def _across(
    desk: Desk, wish: ScopedWish, *, override: bool, named: str | None
) -> tuple[ScopedWish, tuple[str, ...]]:
    """Find the global entries that an entry of a nearer scope hides, and what hides the entry.

    An explicit override hides the entry that it names. Without a name, it hides the entries that
    the judge relates to it or, if there is none, the one with the same subject.

    Raises:
        Refused: several have the same subject, and none is named.
    """
    if not wish.scope.startswith((PROJECT, TEAM)):
        if override:
            raise UsageError(
                "only a project or team entry can override a global one",
                "leave --override-global out",
            )
        return wish, ()
    held = Holdings(desk.core)
    known = held.standing(GLOBAL)
    above = _above(desk, held, wish)
    if named is not None:
        rivals = [held.find(named, [GLOBAL])]
    else:
        rivals = speaking_of(wish.text, known, desk.alike)
    if override:
        rivals = rivals or _one(held, meant(known, wish.text))
        if not rivals:
            message = "no global entry is about this subject: nothing is overridden;"
            return wish, (f"{message} name one with --overrides ID", *above)
        silenced = tuple(f"{held.label(one)} of global" for one in rivals)
        names = tuple(one.id for one in rivals)
        return wish.replace(overrides=names, silences=silenced), above
    hidden = (
        f"{held.label(one)} of global is about the same subject and is hidden here;"
        " use --override-global if this is intended"
        for one in rivals
    )
    return wish, (*hidden, *above)


def _above(desk: Desk, held: Holdings, wish: ScopedWish) -> tuple[str, ...]:
    """Return a notice for each team entry that hides a project entry."""
    if not wish.scope.startswith(PROJECT):
        return ()
    trust = desk.act().trust
    known = [one for one in held.standing(*desk.teams(held)) if one.trust >= trust]
    return tuple(
        f"{held.label(one)} of {one.scope} is about the same subject and hides this entry here"
        for one in speaking_of(wish.text, known, desk.alike)
    )


def _one(held: Holdings, found: list[Memory]) -> list[Memory]:
    """Return the entry that was found, if any; refuse to choose between several."""
    if len(found) > 1:
        named = "; ".join(f"{held.label(one)} {quoted(one.text[:SHOWN])}" for one in found)
        message = f"several global entries may be meant, so nothing is written: {named}"
        raise Refused(message, "name the one to override with --overrides ID")
    return found


def store(core: Core, wish: ScopedWish, act: Act) -> StoredEntry:
    """Record an entry under the next number of its file, unless it is known.

    Raises:
        Rejected: the value was rejected before and the request does not repeat it explicitly.
    """
    log = core.log_of(wish.scope)
    with core.deciding(log):
        numbers = Holdings(core, lean=True).numbers(wish.scope)
        command = Remember(
            text=wish.text,
            log=log,
            scope=wish.scope,
            id=wish.id or core.ids.memory(),
            about={
                "type": wish.type,
                "confidence": wish.confidence,
                "source": wish.source,
                "number": numbers.highest + 1,
                **wish.more,
            },
            links=_links(wish),
            again=wish.again,
            redacted=wish.redacted,
        )

        def caused(rows: Rows, command: Remember, act: Act) -> Decision:
            decision = decide(rows, command, act)
            drafts = [one.replace(cause=(*wish.cause, *one.cause)) for one in decision.drafts]
            return decision.replace(drafts=tuple(drafts))

        decision = caused(core.rows(), command, act)
        if decision.drafts:
            core.flush(wish.scope)  # first, so that the file shows current counters
        core.append(decision.log, decision.drafts)
        core.append(log, fixes(numbers, act))
        known = decision.status == "known"
        held = core.memory(decision.memory) if known else None
        changes = {}
        if held is not None:
            before = held.links.get("overrides", ())
            fresh = [name for name in wish.overrides if name not in before]
            if fresh:
                content = {"memory": held.id, "links": {"overrides": fresh}}
                core.append(log, [act.draft(LINKED, content, held.version)])
            changes = _take_stated(core, wish, held, act)
            held = core.memory(held.id) or held
    return StoredEntry(
        id=_label(numbers, held) if held else label(numbers.highest + 1),
        memory=decision.memory,
        status=decision.status,
        scope=wish.scope,
        type=held.type if held else wish.type,
        content=held.text if held else wish.text,
        confidence=confidence(held) if held else wish.confidence,
        changes=changes,
        overrides=wish.overrides,
        silences=wish.silences,
        redacted=wish.redacted,
    )


def _take_stated(
    core: Core, wish: ScopedWish, held: Memory, act: Act
) -> dict[str, tuple[str | float, str | float]]:
    """Give a known entry the stated values that differ; return both values of each field."""
    was: dict[str, str | float] = {"type": held.type, "confidence": confidence(held)}
    wanted: dict[str, str | float] = {"type": wish.type, "confidence": wish.confidence}
    changes = {name: wanted[name] for name in wish.stated if wanted[name] != was[name]}
    if changes and act.trust < TRUSTWORTHY <= held.trust:
        core.notes.append(
            "the entry keeps its type and confidence: input from a tool or an import cannot change"
            " a trusted entry"
        )
        return {}
    if changes:
        decided = decide_edit(core.rows(), Edit(memory=held.id, changes=changes), act)
        core.append(decided.log, decided.drafts)
    return {name: (was[name], value) for name, value in changes.items()}


def _label(numbers: Numbering, held: Memory) -> str:
    """Return the label of a known entry; if it is quarantined, no file shows its number."""
    if held.id in numbers.shown:
        return numbers.label(held.id)
    named = claimed(held)
    return label(min(named)) if named else held.id


def _links(wish: ScopedWish) -> dict[str, list[str]]:
    links = {"overrides": list(wish.overrides), VIEW_OF: list(wish.shows)}
    return {name: ids for name, ids in links.items() if ids}


def fixes(numbers: Numbering, act: Act) -> list[Draft]:
    """Return the drafts that fix the numbers that no event names yet."""
    return [
        act.draft(REVISED, {"memory": name, "set": {"number": number}})
        for name, number in numbers.loose.items()
    ]
