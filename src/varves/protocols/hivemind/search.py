"""Search: an explicit query, which also finds memories that no task loads automatically.

The score is that of a task, with one more term: a keyword that occurs in the content but not in the
summary counts 1. The original of a summarised episode is found too, with the id of its summary in
`superseded_by`. Memories that match no tag and no keyword, and expired ones, are not returned.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.hivemind.consolidation import SUMMARISED
from varves.protocols.hivemind.documents import entry, succession
from varves.protocols.hivemind.entries import owner, scope_of
from varves.protocols.hivemind.parts import agent_named
from varves.protocols.hivemind.scores import EntryScore, Scoring, forms_in, in_order, scopes_for
from varves.protocols.hivemind.sessions import current
from varves.protocols.hivemind.spelling import form_of
from varves.protocols.hivemind.tasks import LoadedMemory, may_load
from varves.protocols.port import reads
from varves.values.instants import iso
from varves.values.scope import PERSON, may_see
from varves.values.text import words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.hivemind.task_words import Parsed
    from varves.protocols.port import Core
    from varves.values.memory import Memory

_CONTENT = 1.0


class SearchResult(Value):
    """The result of a search."""

    query: str
    keywords: tuple[str, ...]
    memories: tuple[LoadedMemory, ...]
    omitted: int
    """The number of further matches."""


class SearchPlace(Value):
    """Where to search: one scope, or the scopes of a task; by default every visible scope."""

    scope: str | None
    team: str | None
    agent: str | None
    project: str | None


@reads
def search(hive: HivemindWork, query: str, place: SearchPlace, *, k: int) -> SearchResult:
    """Find memories by their texts, tags and summaries, including those of low priority."""
    scope, team, agent, project = place.scope, place.team, place.agent, place.project
    query = str(hive.core.clean(_question(query))[0])
    most = _most(k)
    asked = _asked(query, hive.parse(query))
    chosen: tuple[str, ...] | None = None
    if scope is not None:
        running = current(hive.core)
        named = agent_named(agent)
        name = running.name if running else None
        chosen = (scope_of(hive.core, scope, agent=named, session=name),)
    elif team or agent or project:
        chosen = scopes_for(
            project=owner(project, "project") if project else None,
            team=owner(team, "team") if team else None,
            agent=agent_named(agent),
        )
    found = _answers(hive, asked, chosen, agent or hive.core.actor)
    ids = [one.memory.id for one in found[:most]]
    hive.core.told("hivemind.search", ids, agent=agent)
    counts = hive.core.counts()
    return SearchResult(
        query=query,
        keywords=asked,
        memories=tuple(
            LoadedMemory(
                entry=entry(one.memory, counts, hive.options, find=hive.core.memory),
                score=round(one.total, 6),
                reasons=one.reasons(),
            )
            for one in found[:most]
        ),
        omitted=max(0, len(found) - most),
    )


def _answers(
    hive: HivemindWork, asked: tuple[str, ...], scopes: tuple[str, ...] | None, asker: str
) -> list[EntryScore]:
    now = hive.core.now
    scoring = Scoring(asked, hive.options, now=now, uses=hive.core.uses())
    visible, time = visible_to(hive.core, asker), iso(now)
    memories = [
        memory
        for memory in (*hive.core.memories(), *_summarised(hive))
        if may_load(memory, time) and (scopes is None or memory.scope in scopes) and visible(memory)
    ]
    scores = [_with_content(scoring.score(memory), memory, asked) for memory in memories]
    return in_order(score for score in scores if score.hit)


def _summarised(hive: HivemindWork) -> list[Memory]:
    """Return the originals of summaries, because a summary omits parts of its original."""
    found = []
    for memory in hive.core.memories(statuses=("superseded",), only={"type": "episodic"}):
        by = succession(memory, hive.core.memory).superseded_by
        summary = hive.core.memory(by) if by else None
        if summary is not None and summary.extra.get("rule") == SUMMARISED:
            found.append(memory)
    return found


def visible_to(core: Core, asker: str) -> Callable[[Memory], bool]:
    """Return whether somebody may see a memory; a person sees the memories of every scope."""
    session = current(core)
    name = session.name if session else None

    def visible(memory: Memory) -> bool:
        return asker == PERSON or may_see(memory.scope, actor=asker, session=name)

    return visible


def _question(query: Any) -> str:
    if not isinstance(query, str) or not query.strip():
        raise UsageError("the query is empty", "give words to search for")
    return query


def _most(k: Any) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise UsageError("k is not a positive number", "give the number of results")
    return k


def _asked(query: str, parsed: Parsed) -> tuple[str, ...]:
    """Return the keywords of a query and its verb, or all its words if it has no keywords."""
    if not parsed.keywords:
        return tuple(dict.fromkeys(words(query)))
    verb = (parsed.action,) if parsed.action not in ("", *parsed.keywords) else ()
    return (*parsed.keywords, *verb)


def _with_content(score: EntryScore, memory: Memory, asked: tuple[str, ...]) -> EntryScore:
    """Add the keywords that occur only in the content to a score."""
    said = forms_in(memory.text.lower())
    known = {form_of(word) for word in score.keywords}
    inside = tuple(one for one in asked if form_of(one) in said and form_of(one) not in known)
    if not inside:
        return score
    gained = _CONTENT * len(inside)
    return score.replace(
        total=score.total + gained,
        keywords=(*score.keywords, *inside),
        terms={**score.terms, "content": gained},
    )
