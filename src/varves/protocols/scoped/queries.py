"""Finds entries: those of a scope, of a query, by rank, by age, and in conflict."""

from __future__ import annotations

from varves.commands.intake import statement
from varves.errors import UsageError
from varves.protocols.scoped.answers import Entries
from varves.protocols.scoped.entries import type_of
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.injection import disputes_in, ranked_in, scored
from varves.protocols.scoped.options import STALE
from varves.protocols.scoped.places import GLOBAL, PROJECT, SESSION, TEAM, path_of, split
from varves.protocols.scoped.search import common_part, holding
from varves.protocols.scoped.shades import Shade, parted
from varves.values.instants import duration, instant, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.port import Core
    from varves.protocols.scoped.answers import Aged, Dispute, EntryLine, Ranked
    from varves.protocols.scoped.desk import Desk
    from varves.protocols.scoped.ranking import RelevanceScore
    from varves.values.memory import Memory


def read(desk: Desk, scope: str, name: str | None, type_: str | None) -> Entries:
    """Return the entries of one scope, and count each as read."""
    kind = None if type_ is None else type_of(type_)
    where = desk.own_scope(scope, name)
    held = Holdings(desk.core)
    found = [one for one in held.standing(where) if kind in (None, one.type)]
    if not found:
        _note_missing(desk.core, Holdings(desk.core, lean=True), [where])
    found.sort(key=lambda one: held.numbers(where).shown[one.id])
    desk.core.told("scoped read", [one.id for one in found])  # before the lines count it
    lines = tuple(held.line(one) for one in found)
    return Entries(scope=where, path=path_of(where), entries=lines)


def listed(
    desk: Desk, scope: str | None, name: str | None, type_: str | None
) -> tuple[EntryLine, ...]:
    """Return entries by scope and number; by default of all scopes that concern the project."""
    kind = None if type_ is None else type_of(type_)
    held = Holdings(desk.core)
    if scope is None:
        scopes = [*_session(desk), f"{PROJECT}:{desk.project()}", *held.scopes(TEAM), GLOBAL]
    elif split(scope, name) == (TEAM, None):
        scopes = held.scopes(TEAM)
    else:
        scopes = [desk.own_scope(scope, name)]
    found = [
        one
        for where in scopes
        for one in sorted(held.standing(where), key=held.label)
        if kind in (None, one.type)
    ]
    if scope is not None and not found:
        _note_missing(desk.core, held, scopes)
    return tuple(held.line(one) for one in found)


def searched(
    desk: Desk, query: str, *, scope: str | None, project: str | None, most: int
) -> tuple[EntryLine, ...]:
    """Return the entries that contain all words of a query; those that are hidden here last."""
    asked = statement(query)
    if most < 1:
        raise UsageError("k is not a positive number", "give a number of entries")
    if scope is None and project is not None:
        scope = PROJECT
    held = Holdings(desk.core)
    places = _searched(desk, held, scope, project)
    found = holding(held.saying(common_part(asked), *places), asked)
    if scope is not None and not found:
        _note_missing(desk.core, held, places)
    whole = {one.id: hits for hits, one in found}
    scores = scored(desk, held, [one for _, one in found])
    scores.sort(key=lambda one: -whole[one.memory.id])
    best, hidden = _hidden(desk, held, scores, most=most)
    return tuple(held.line(one.memory) for one in [*best, *hidden][:most])


def ranked(desk: Desk, scope: str | None, name: str | None) -> tuple[Ranked, ...]:
    """Return entries by relevance; the notes name the best ones that are hidden here."""
    held = Holdings(desk.core)
    if scope is not None:
        scopes = [desk.own_scope(scope, name)]
    else:
        scopes = [f"{PROJECT}:{desk.project()}", *held.scopes(TEAM), GLOBAL]
    scores = ranked_in(desk, held, *scopes)
    if scope is not None and not scores:
        _note_missing(desk.core, held, scopes)
    _hidden(desk, held, scores, most=desk.options.top)
    return tuple(held.ranked(one) for one in scores)


def conflicting(desk: Desk, scope: str | None, name: str | None) -> tuple[Dispute, ...]:
    """Return the conflicts of one scope, or of the projects, all teams and global."""
    if scope is not None:
        scopes = [desk.own_scope(scope, name)]
        held = Holdings(desk.core)
    else:
        held = Holdings(desk.core)
        scopes = [*held.scopes(PROJECT), *held.scopes(TEAM), GLOBAL]
    return disputes_in(desk.core, held, scopes, most=None)


def aged(desk: Desk, older_than: str | None, unused_for: str | None) -> tuple[Aged, ...]:
    """Return entries that are old or unused for long, the oldest first."""
    if older_than is None and unused_for is None:
        older_than = STALE
    held, now = Holdings(desk.core), desk.core.now
    scopes = [f"{PROJECT}:{desk.project()}", *held.scopes(TEAM), GLOBAL]
    found = held.standing(*scopes)
    if older_than is not None:
        found = _before(found, {one.id: one.created_at for one in found}, now, older_than)
    if unused_for is not None:
        last = {one.id: held.uses.get(one.id, (0, ""))[1] or one.created_at for one in found}
        found = _before(found, last, now, unused_for)
    found.sort(key=lambda one: (one.created_at, one.id))
    return tuple(held.aged(one) for one in found)


def _before(
    memories: Iterable[Memory], moments: dict[str, str], now: int, age: str
) -> list[Memory]:
    limit = iso(now - duration(age))
    return [one for one in memories if instant(moments[one.id]) < instant(limit)]


def _session(desk: Desk) -> list[str]:
    own = desk.session()
    return [f"{SESSION}:{own.name}"] if own is not None else []


def _searched(desk: Desk, held: Holdings, scope: str | None, project: str | None) -> list[str]:
    """Return the scopes that a search covers."""
    if scope is None:
        return [*_session(desk), *held.scopes(PROJECT), *held.scopes(TEAM), GLOBAL]
    level, name = split(scope, None)
    if level == TEAM and name is None:
        return held.scopes(TEAM)
    if level == PROJECT and name is None:
        return [f"{PROJECT}:{desk.project(project)}"]
    return [desk.own_scope(scope, None)]


def _hidden(
    desk: Desk, held: Holdings, scores: Sequence[RelevanceScore], *, most: int
) -> tuple[Sequence[RelevanceScore], Sequence[RelevanceScore]]:
    """Return the first entries that are shown here, and those before them that are hidden."""
    loaded = desk.loaded(held)
    here = [one.memory for one in scores if one.memory.scope in loaded]
    known = {one.id for one in here}
    nearer = held.standing(*(scope for scope in loaded if scope != GLOBAL))
    here += [one for one in nearer if one.id not in known]
    best, hidden = parted(scores, Shade(here, desk.alike), most=most)
    desk.core.notes += [
        f"{held.label(one.memory)} of {one.memory.scope} is hidden here by"
        f" {held.label(nearer)} of {nearer.scope}"
        for one, nearer in hidden
    ]
    return best, [one for one, _ in hidden]


def _note_missing(core: Core, held: Holdings, scopes: Iterable[str]) -> None:
    """Note which of some scopes never had an entry: a name may be misspelt."""
    for scope in scopes:
        level, _, name = scope.partition(":")
        if level not in (PROJECT, TEAM) or scope in held.scopes(level):
            continue
        known = [one.partition(":")[2] for one in held.scopes(level)]
        told = f"; {level}s with entries: {', '.join(known)}" if known else ""
        core.notes.append(f"{level} {name} has no entries{told}")
