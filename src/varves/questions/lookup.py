"""Answers queries from the current or a past state of the ledger."""

from __future__ import annotations

from varves.errors import UsageError, refuse_unknown
from varves.index.where import Where
from varves.values.instants import iso
from varves.values.memory import STATUSES
from varves.values.scope import LEVELS
from varves.values.scope import scope as read_scope
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from varves.context.context import Context
    from varves.context.live_index import View
    from varves.evidence.fates import Fate, Fates
    from varves.index.port import Index, Search
    from varves.recall.rank import Similar
    from varves.recall.recall import Recall
    from varves.values.memory import Memory
    from varves.values.options import RecallOptions
    from varves.values.query import Query

_OPTIONS = (
    *("scope", "type", "tag", "source", "session", "protocol", "profile", "budget", "dense"),
    *("explain", "all", "include"),
)
_INCLUDED = (*STATUSES, "sensitive", "quarantined", "gone")


def asked(
    context: Context, view: View, text: str, *, k: int, **options: Unpack[RecallOptions]
) -> Recall:
    """Answer a query that the ledger's actor asks in its session."""
    from varves.recall.recall import recall

    search, query = view.index.search(), query_of(context, view, text, k=k, **options)
    similar, says = meanings(context, view, query, search=search, wanted=options.get("dense"))
    found = recall(search, query, fate=fates(context, view), similar=similar, dense=says)
    hits = found.hits
    if any(_is_decision(hit.memory) for hit in hits):
        from varves.recall.replaced import marked_hits

        hits = marked_hits(view.index, hits)
    shown = search.views([hit.memory for hit in hits])
    if shown:
        hits = tuple(hit.replace(views=shown.get(hit.memory.id, ())) for hit in hits)
    return found.replace(hits=hits)


def meanings(
    context: Context, view: View, query: Query, *, search: Search, wanted: bool | None
) -> tuple[Similar | None, str]:
    """Return the dense similarity for a query (None if it is not used), and a message."""
    if wanted is False:
        return None, ""
    if not query.ranks_by_words:
        return None, "dense: not used by this profile" if wanted else ""
    if not any(sign.isalnum() or sign > "\x7f" for sign in query.text):
        return None, "dense: the query is empty" if wanted else ""
    dense = context.index.semantic
    choice = dense.prepare(view.index, wanted=wanted, progress=context.index.progress)
    if not choice.run:
        return None, choice.says

    def seen(numbers: list[int]) -> list[int]:
        return [row[0] for row in search.rows(query, numbers)]

    return dense.similar(query.text, view.index, allowed=seen), choice.says


def could_compare_meanings() -> bool:
    """Return whether the option `dense` can be used here; this loads no encoder."""
    from varves.context.similarity import installed

    return installed()


def query_of(
    context: Context, view: View, text: str, *, k: int, **options: Unpack[RecallOptions]
) -> Query:
    """Return a query that the ledger's actor asks in its session, at the instant of `view`."""
    from varves.values.query import Query

    refuse_unknown(options, _OPTIONS, "help(varves.Ledger.recall)")
    if not isinstance(text, str):
        raise UsageError("the query is not a string", "pass a string")
    include = tuple(options.get("include") or ())
    if unknown := [word for word in include if word not in _INCLUDED]:
        raise UsageError(f"unknown status: {unknown[0]}", f"use one of {', '.join(_INCLUDED)}")
    if k < 1:
        raise UsageError("k is not a positive number", "pass at least 1")
    budget = options.get("budget")
    if budget is not None and budget < 0:
        raise UsageError("the budget is below 0", "give a number of tokens")
    word = profile(options.get("profile"))
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
        actor=context.settings.actor,
        session=options.get("session") or context.settings.session,
        clones=context.trusted.clones,
        profile=word,
        weights=_weights(context, word),
        explain=bool(options.get("explain")),
        all=bool(options.get("all")),
    )


def _weights(context: Context, word: str) -> dict[str, float] | None:
    """Return the weights in the settings for a protocol's formula; None if there are none."""
    table = context.settings.tables.get(word)
    if not table:
        return None
    from varves.protocols.tables import weights

    return weights(word, table)


def profile(name: str | None) -> str:
    """Return the name of a profile, which may be given by an alias."""
    from varves.recall.weights import ALIASES, DEFAULT, PROFILES

    word = ALIASES.get(name or DEFAULT, name or DEFAULT)
    if word != DEFAULT and word not in PROFILES:
        raise UsageError(
            f"unknown profile: {quoted(word)}", f"use one of {', '.join((DEFAULT, *PROFILES))}"
        )
    return word


def filtered(scope: str | None) -> str | None:
    """Return a scope that a caller gave as a filter, in canonical form; None if none was given.

    A level without a name includes every scope of that level.
    """
    return scope if scope is None or scope in LEVELS else read_scope(scope)


def fates(context: Context, view: View) -> Callable[[Memory], Fate | None] | None:
    """Return a function that checks the evidence of a memory; None for a view of the past.

    The code for evidence is only loaded when the function gets a memory with evidence.
    """
    if view.index is not context.index.get():
        return None
    made: list[Fates] = []

    def of(memory: Memory) -> Fate | None:
        if not made:
            from varves.evidence.fates import Fates

            made.append(Fates(context))
        return made[0].of(memory)

    return of


def shown(context: Context, view: View, name: str) -> Memory:
    """Return a memory as it was at the instant of `view`, with the state of its evidence."""
    memory = view.index.memory(name) or called(view.index, name)
    if memory is None:
        from varves.context.history import absent

        raise absent(view, name)
    if memory.evidence and view.index is context.index.get():
        from varves.evidence.fates import Fates

        memory = memory.replace(evidence=Fates(context).with_states(memory))
    if views := view.index.memories(Where(view_of=memory.id)):
        memory = memory.replace(links={**memory.links, "views": [one.id for one in views]})
    return at_moment(marked_replaced(view.index, [memory])[0], iso(view.now))


def marked_replaced(index: Index, memories: Sequence[Memory]) -> Sequence[Memory]:
    """Return the memories; a decision that was replaced gets a link to the later decision."""
    if not any(map(_is_decision, memories)):
        return memories
    from varves.recall.replaced import marked

    return marked(index, memories)


def _is_decision(memory: Memory) -> bool:
    return memory.protocol == "deliberation" and memory.category == "decision"


def called(index: Index, alias: str) -> Memory | None:
    """Return the memory that has an alias, or None.

    If several have it, a trusted memory is preferred.
    """
    if index.purges().barred(alias):
        return None
    found = index.memories(Where(alias=alias), order="trust", most=1)
    return found[0] if found else None


def at_moment(memory: Memory, now: str) -> Memory:
    """Return a memory with its status at the given instant: it may have expired."""
    over = memory.status == "active" and memory.has_expired(now)
    return memory.replace(status="expired") if over else memory
