"""The reading side: questions put to a view of the ledger, present or past."""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.values.ids import is_event_id
from varves.values.instants import duration, instant, iso
from varves.values.memory import STATUSES
from varves.values.scope import LEVELS
from varves.values.scope import scope as read_scope
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.context.engine import Engine, View
    from varves.events.event import Event
    from varves.evidence.fates import Fate, Fates
    from varves.index.sqlite.index import Index
    from varves.index.sqlite.search import Search
    from varves.recall.rank import Similar
    from varves.recall.recall import Recall
    from varves.values.memory import Memory
    from varves.values.options import RecallOptions
    from varves.values.query import Query

_INCLUDED = (*STATUSES, "sensitive", "quarantined", "gone")


def asked(engine: Engine, view: View, text: str, *, k: int, options: RecallOptions) -> Recall:
    """Answer a query as the ledger's actor, in its session."""
    from varves.index.sqlite.search import Search
    from varves.recall.recall import recall

    search, query = Search(view.index), query_of(engine, view, text, k=k, options=options)
    similar, says = meanings(engine, view, query, search=search, wanted=options.get("dense"))
    found = recall(search, query, fate=fates(engine, view), similar=similar, dense=says)
    shown = search.views([hit.memory for hit in found.hits])
    if not shown:
        return found
    hits = (hit.replace(views=shown.get(hit.memory.id, ())) for hit in found.hits)
    return found.replace(hits=tuple(hits))


def meanings(
    engine: Engine, view: View, query: Query, *, search: Search, wanted: bool | None
) -> tuple[Similar | None, str]:
    """Compare meanings if that is wanted and can be done, and say which it was."""
    if wanted is False:
        return None, ""
    if not query.ranks_by_words:
        return None, "dense: this profile has no use for it" if wanted else ""
    if not any(sign.isalnum() or sign > "\x7f" for sign in query.text):
        return None, "dense: nothing is asked" if wanted else ""
    dense = engine.semantic
    choice = dense.prepare(view.index, wanted=wanted, progress=engine.progress)
    if not choice.run:
        return None, choice.says

    def seen(numbers: list[int]) -> list[int]:
        return [row[0] for row in search.rows(query, numbers)]

    return dense.similar(query.text, view.index, allowed=seen), choice.says


def query_of(engine: Engine, view: View, text: str, *, k: int, options: RecallOptions) -> Query:
    """Return a query of the ledger's actor, in its session, at the view's instant."""
    from varves.values.query import Query

    if not isinstance(text, str):
        raise UsageError("the query is not a text", "ask in plain words")
    include = tuple(options.get("include") or ())
    if unknown := [word for word in include if word not in _INCLUDED]:
        raise UsageError(f"unknown status: {unknown[0]}", f"use one of {', '.join(_INCLUDED)}")
    if k < 1:
        raise UsageError("k is not a positive number", "ask for at least one")
    budget = options.get("budget")
    if budget is not None and budget < 0:
        raise UsageError("the budget is below 0", "give a number of tokens")
    return Query(
        text=text,
        k=k,
        scope=filtered(options.get("scope")),
        type=options.get("type"),
        tag=options.get("tag"),
        source=options.get("source"),
        protocol=options.get("protocol"),
        budget=budget,
        include=include,
        now=iso(view.now),
        actor=engine.settings.actor,
        session=options.get("session") or engine.settings.session,
        clones=engine.listed(),
        profile=profile(options.get("profile")),
        explain=bool(options.get("explain")),
    )


def profile(name: str | None) -> str:
    """Return a profile by one of its names."""
    from varves.recall.weights import ALIASES, DEFAULT, PROFILES

    word = ALIASES.get(name or DEFAULT, name or DEFAULT)
    if word != DEFAULT and word not in PROFILES:
        raise UsageError(
            f"unknown profile: {quoted(word)}", f"use one of {', '.join((DEFAULT, *PROFILES))}"
        )
    return word


def filtered(scope: str | None) -> str | None:
    """Read a scope used as a filter: a bare level means every id of it."""
    return scope if scope is None or scope in LEVELS else read_scope(scope)


def fates(engine: Engine, view: View) -> Callable[[Memory], Fate | None] | None:
    """Return what tells a memory's fate; files are as they are now, so the past has none.

    Nothing is loaded before the first memory with evidence is asked about.
    """
    if view.index is not engine.index():
        return None
    made: list[Fates] = []

    def of(memory: Memory) -> Fate | None:
        if not made:
            from varves.evidence.fates import Fates

            made.append(Fates(engine))
        return made[0].of(memory)

    return of


def shown(engine: Engine, view: View, name: str) -> Memory:
    """Return a memory as it stands at the view's instant, with what became of its evidence."""
    memory = view.index.memory(name) or _called(view.index, name)
    if memory is None:
        from varves.context.history import absent

        raise absent(view, name)
    if memory.evidence and view.index is engine.index():
        from varves.evidence.fates import Fates

        memory = memory.replace(evidence=Fates(engine).told(memory))
    from varves.index.sqlite.search import views_of

    if views := views_of(view.index, memory.id):
        memory = memory.replace(links={**memory.links, "views": [one.id for one in views]})
    return _as_of(memory, iso(view.now))


def _called(index: Index, alias: str) -> Memory | None:
    """Return the memory that had another name where it came from; a trusted one first."""
    if index.purged(alias):
        return None
    where = (
        """instr(m.extra, '"aliases"')"""
        " and exists (select 1 from json_each(m.extra, '$.aliases') where value = ?)"
    )
    found = index.memories(where, (alias,), "m.trust desc, m.hlc, m.id")
    return found[0] if found else None


def listed(
    view: View,
    free: tuple[str, list[str]],
    *,
    scope: str | None = None,
    type: str | None = None,
    tag: str | None = None,
    status: str | None = None,
    **rest: Any,
) -> tuple[Memory, ...]:
    """Return the memories that pass the filters of `list`, newest first."""
    now, scope = iso(view.now), filtered(scope)
    where, values = _status_filter(status, now, free)
    if scope is not None:
        where.append("(m.scope = ? or substr(m.scope, 1, ?) = ?)")
        values += [scope, len(scope) + 1, scope + ":"]
    if type is not None:
        where.append("m.type = ?")
        values.append(type)
    if tag is not None:
        where.append("instr(char(31) || m.tags || char(31), char(31) || ? || char(31))")
        values.append(tag)
    if tag != "sensitive" and status != "all":
        where.append(
            "not instr(char(31) || m.tags || char(31), char(31) || 'sensitive' || char(31))"
        )
    told = "coalesce((select u.last from use u where u.memory = m.id), '')"
    used = f"max(m.updated_at, {told})"
    for name, moment in (("older_than", "m.created_at"), ("unused_for", used)):
        if rest.get(name) is not None:
            where.append(f"{moment} <= ?")
            values.append(iso(view.now - duration(rest[name])))
    if rest.get("private"):
        where.append("m.kept = 'private'")
    wanted = " and ".join(where)
    if status != "all":
        from varves.index.sqlite.search import has_views, once

        wanted, values = once(wanted, values) if has_views(view.index) else (wanted, values)
    found = view.index.memories(wanted, values, "m.hlc desc, m.id")
    return tuple(_as_of(m, now) for m in found)


def _as_of(memory: Memory, now: str) -> Memory:
    """Return a memory with the status it has at an instant."""
    over = memory.status == "active" and memory.has_expired(now)
    return memory.replace(status="expired") if over else memory


def _status_filter(
    status: str | None, now: str, free: tuple[str, list[str]]
) -> tuple[list[str], list[Any]]:
    """Return the condition a status stands for; only `active` keeps quarantined memories out."""
    known = (*STATUSES, "quarantined", "all")
    if status not in (None, *known):
        raise UsageError(f"unknown status: {status}", f"use one of {', '.join(known)}")
    trusted, clones = free
    if status == "all":
        return ["1"], []
    if status == "quarantined":
        return [f"m.status = 'active' and not ({trusted})"], [*clones]
    if status == "expired":
        return ["(m.status = 'expired' or (m.status = 'active' and m.expires_at <= ?))"], [now]
    wanted = status or "active"
    if wanted == "active":
        valid = "m.status = 'active' and (m.expires_at is null or m.expires_at > ?)"
        return [f"{valid} and {trusted}"], [now, *clones]
    return ["m.status = ?"], [wanted]


def logged(
    view: View,
    *,
    since: str | None = None,
    until: str | None = None,
    kind: Iterable[str] = (),
    actor: str | None = None,
) -> tuple[Event, ...]:
    """Return the events that pass the filters of `log`, in order."""
    where: list[str] = ["1"]
    values: list[str] = []
    for limit, sign in ((since, ">="), (until, "<=")):
        if limit is not None and is_event_id(limit):
            event = view.index.event(limit)
            if event is None:
                raise NotFound(f"no event {limit}", "varves log shows what there is")
            where.append(f"(hlc, writer, id) {sign} (?, ?, ?)")
            values += event.order
        elif limit is not None:
            where.append(f"time {sign} ?")
            values.append(_moment(limit, view.now))
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if kinds:
        where.append(f"kind in ({', '.join('?' * len(kinds))})")
        values += kinds
    if actor is not None:
        where.append("actor = ?")
        values.append(actor)
    from varves.context.history import unsaid

    return unsaid(view.index, view.index.events(" and ".join(where), tuple(values)))


def _moment(text: str, now: int) -> str:
    """Read an instant, or a duration back from now."""
    try:
        return iso(now - duration(text))
    except UsageError:
        return iso(instant(text))
