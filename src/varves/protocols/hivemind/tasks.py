"""Task receipt: parses the task, loads relevant memories, and records it in the session."""

from __future__ import annotations

from varves.commands import intake
from varves.protocols.hivemind import open_tasks, sessions
from varves.protocols.hivemind.context_block import block_of
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import owner
from varves.protocols.hivemind.loaded import documents_of
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.scores import (
    COMPARED,
    SENSITIVE,
    EntryScore,
    Scoring,
    behind,
    chosen,
    gate,
    in_order,
    scopes_for,
)
from varves.protocols.hivemind.spelling import beginning_of, whole_words
from varves.protocols.port import writes
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.hivemind.task_words import Parsed
    from varves.values.memory import Memory


class LoadedMemory(Value):
    """A memory that was loaded, with the reasons."""

    entry: dict[str, Any]
    """The entry as its file contains it."""
    score: float
    reasons: dict[str, Any]
    """Every term of the score, with the tags and keywords that match."""


class LeftOut(Value):
    """A memory that was not loaded, with the reason."""

    id: str
    score: float
    reason: str
    reasons: dict[str, Any]


class TaskReceived(Value):
    """A task, and the memories loaded for it."""

    task: str
    session: str
    intent: str | None
    keywords: tuple[str, ...]
    entities: tuple[dict[str, str], ...]
    scopes: tuple[str, ...]
    """The relevant scopes, the most specific first."""
    memories: tuple[LoadedMemory, ...]
    """At most ten, best first."""
    text: str
    """The contents of the memories as a fenced block for the context."""
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    """Filled only if an explanation was requested."""


@writes
def task(
    hive: HivemindWork,
    text: str,
    *,
    team: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    explain: bool = False,
) -> TaskReceived:
    """Receive a task: load at most ten relevant memories, and note the task in the session."""
    text = hive.core.clean(intake.statement(text))[0]
    agent = worker_named(hive.core, agent)
    team = owner(team, "team") if team else None
    session = hive.ensured(project=project, agent=agent)
    project = hive.detected(project, agent=agent)
    parsed = hive.parse(text)
    scopes = scopes_for(project=project, team=team, agent=agent, session=session)
    scores = _scores(hive, parsed, scopes, project, everything=explain)
    shadows = _shadows(hive, scores)
    standing = [one for one in scores if one.memory.id not in shadows]
    taken, overflow = chosen(standing, hive.options.top)
    memories = [hive.core.memory(one.memory.id) or one.memory for one in taken]
    name = f"task_{hive.core.ids.word(12)}"
    act = hive.core.act(actor=agent, session=session.name)
    told = [memory.id for memory in memories]
    received = {
        "task": name,
        "text": text,
        "intent": parsed.intent,
        "keywords": list(parsed.keywords),
        "entities": [one.name for one in parsed.entities],
        "agent": agent or act.actor,
        "team": team,
        "project": project,
        **({open_tasks.CLIENT: hive.client} if hive.client else {}),
        "loaded": told,
    }
    hive.note(act, sessions.RECEIVED, received)
    hive.core.told("hivemind.task", told, agent=agent)
    return TaskReceived(
        task=name,
        session=session.name,
        intent=parsed.intent,
        keywords=parsed.keywords,
        entities=tuple(one.as_dict() for one in parsed.entities),
        scopes=scopes,
        memories=tuple(_found(hive, memories, taken)),
        text=block_of(hive.core, memories, hive.options),
        notes=_notes(memories, overflow, hive.options.top),
        left_out=_left_out(scores, taken, shadows) if explain else (),
    )


def _scores(
    hive: HivemindWork,
    parsed: Parsed,
    scopes: tuple[str, ...],
    project: str | None,
    *,
    everything: bool,
) -> list[EntryScore]:
    """Score the memories of the relevant scopes, reading only the fields shown in an index.

    Memories that the gates exclude are scored only if `everything` is to be explained.
    """
    now = hive.core.now
    asked = (*parsed.keywords, *(one.name.lower() for one in parsed.entities))
    doing = [word for word in (parsed.action, parsed.intent) if word]
    scoring = Scoring(asked, hive.options, now=now, uses=hive.core.uses(), doing=doing)
    documents = documents_of(project)
    words = None if everything else _parts((*asked, *doing))
    time = iso(now)
    return [
        scoring.score(memory)
        for scope in scopes
        for memory in hive.core.memories(scope=scope, lean=True, mentioning=words)
        if (everything or memory.priority != "low")
        and may_load(memory, time)
        and memory.id not in documents
    ]


def _shadows(hive: HivemindWork, scores: list[EntryScore]) -> dict[str, str]:
    """Return the memories hidden by a more specific memory about the same subject."""
    ranked = in_order((score for score in scores if gate(score) is None), most=COMPARED)
    first = [hive.core.memory(score.memory.id) for score in ranked]
    return behind([memory for memory in first if memory is not None])


def _found(
    hive: HivemindWork, memories: list[Memory], scores: list[EntryScore]
) -> Iterator[LoadedMemory]:
    counts = hive.core.counts()
    for memory, score in zip(memories, scores, strict=True):
        document = entry(memory, counts, hive.options, find=hive.core.memory)
        yield LoadedMemory(entry=document, score=round(score.total, 6), reasons=score.reasons())


def _parts(asked: Iterable[str]) -> list[str]:
    """Return beginnings of words such that each matching memory contains one of them."""
    found = {part for word in asked for part in (whole_words(word) or [word])}
    return sorted(map(beginning_of, found))


def may_load(memory: Memory, now: str) -> bool:
    """Return whether a memory is neither expired nor tagged sensitive."""
    return not memory.has_expired(now) and SENSITIVE not in memory.tags


def _notes(memories: list[Memory], overflow: list[EntryScore], top: int) -> tuple[str, ...]:
    if not memories:
        return ("no memory matches this task",)
    if not overflow:
        return ()
    names = ", ".join(one.memory.id for one in overflow)
    return (f"more than {top} critical memories; not loaded: {names}",)


def _left_out(
    scores: list[EntryScore], taken: list[EntryScore], shadows: dict[str, str]
) -> tuple[LeftOut, ...]:
    """Return the memories that were not loaded, best first, each with the reason."""
    loaded = {one.memory.id for one in taken}
    found = []
    for one in in_order(scores):
        name = one.memory.id
        if name in loaded:
            continue
        stands = shadows.get(name)
        reason = f"{stands} is more specific" if stands else gate(one) or "score too low"
        found.append(
            LeftOut(id=name, score=round(one.total, 6), reason=reason, reasons=one.reasons())
        )
    return tuple(found)
