"""Task receipt: parses the task, loads relevant memories, and records it in the session."""

from __future__ import annotations

from varves.commands import intake
from varves.protocols.hivemind import open_tasks, sessions
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import owner
from varves.protocols.hivemind.injecting import block_of
from varves.protocols.hivemind.loaded import documents_of
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.scoring import (
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
from varves.protocols.hivemind.start import SessionStart
from varves.protocols.port import writes
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.protocols.hivemind.parsing import Parsed
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


class Tasks(SessionStart):
    """The verb that receives a task."""

    @writes
    def task(
        self,
        text: str,
        *,
        team: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        explain: bool = False,
    ) -> TaskReceived:
        """Receive a task: load at most ten relevant memories, and note the task in the session."""
        text = self.core.clean(intake.statement(text))[0]
        agent = worker_named(self.core, agent)
        team = owner(team, "team") if team else None
        session = self.ensured(project=project, agent=agent)
        project = self.detected(project, agent=agent)
        parsed = self.parse(text)
        scopes = scopes_for(project=project, team=team, agent=agent, session=session)
        scores = self._scores(parsed, scopes, project, everything=explain)
        shadows = self._shadows(scores)
        standing = [one for one in scores if one.memory.id not in shadows]
        taken, overflow = chosen(standing, self.options.top)
        memories = [self.core.memory(one.memory.id) or one.memory for one in taken]
        name = f"task_{self.core.ids.word(12)}"
        act = self.core.act(actor=agent, session=session.name)
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
            **({open_tasks.CLIENT: self.client} if self.client else {}),
            "loaded": told,
        }
        self.note(act, sessions.RECEIVED, received)
        self.core.told("hivemind.task", told, agent=agent)
        return TaskReceived(
            task=name,
            session=session.name,
            intent=parsed.intent,
            keywords=parsed.keywords,
            entities=tuple(one.as_dict() for one in parsed.entities),
            scopes=scopes,
            memories=tuple(self._found(memories, taken)),
            text=block_of(self.core, memories, self.options),
            notes=_notes(memories, overflow, self.options.top),
            left_out=_left_out(scores, taken, shadows) if explain else (),
        )

    def _scores(
        self, parsed: Parsed, scopes: tuple[str, ...], project: str | None, *, everything: bool
    ) -> list[EntryScore]:
        """Score the memories of the relevant scopes, reading only the fields shown in an index.

        Memories that the gates exclude are scored only if `everything` is to be explained.
        """
        now = self.core.now
        asked = (*parsed.keywords, *(one.name.lower() for one in parsed.entities))
        doing = [word for word in (parsed.action, parsed.intent) if word]
        scoring = Scoring(asked, self.options, now=now, uses=self.core.uses(), doing=doing)
        documents = documents_of(project)
        words = None if everything else _parts((*asked, *doing))
        return [
            scoring.score(memory)
            for scope in scopes
            for memory in self.core.memories(scope=scope, lean=True, mentioning=words)
            if may_load(memory, now) and memory.id not in documents
        ]

    def _shadows(self, scores: list[EntryScore]) -> dict[str, str]:
        """Return the memories hidden by a more specific memory about the same subject."""
        ranked = in_order(score for score in scores if gate(score) is None)
        first = [self.core.memory(score.memory.id) for score in ranked[:COMPARED]]
        return behind([memory for memory in first if memory is not None])

    def _found(self, memories: list[Memory], scores: list[EntryScore]) -> Iterator[LoadedMemory]:
        counts = self.core.counts()
        for memory, score in zip(memories, scores, strict=True):
            document = entry(memory, counts, self.options, find=self.core.memory)
            yield LoadedMemory(entry=document, score=round(score.total, 6), reasons=score.reasons())


def _parts(asked: Iterable[str]) -> list[str]:
    """Return beginnings of words such that each matching memory contains one of them."""
    found = {part for word in asked for part in (whole_words(word) or [word])}
    return sorted(map(beginning_of, found))


def may_load(memory: Memory, now: int) -> bool:
    """Return whether a memory is neither expired nor tagged sensitive."""
    return not memory.has_expired(iso(now)) and SENSITIVE not in memory.tags


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
