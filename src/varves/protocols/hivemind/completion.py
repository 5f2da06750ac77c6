"""Task completion: records what the task taught, and compares it with current memories.

Facts become factual memories; procedures, and errors with their solutions, become procedural ones;
decisions become semantic ones; the summary becomes an episodic one. A learning without a scope gets
the one that the caller names, or else the current project's. Only in a folder whose name cannot be
that of a project may there be none: then it gets the team's, the agent's or the global scope.
"""

from __future__ import annotations

from varves.commands import intake
from varves.errors import Rejected, UsageError
from varves.events.kinds import FLAGGED, REINFORCED
from varves.protocols.hivemind import sessions
from varves.protocols.hivemind.contradictions import Action
from varves.protocols.hivemind.creators import ACTORS
from varves.protocols.hivemind.entries import Wish, draft, owner, scope_of
from varves.protocols.hivemind.extraction import KINDS, Report, TaskLearning, read_report
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.scores import scopes_for
from varves.protocols.hivemind.sessions import current
from varves.protocols.hivemind.shortening import condensed
from varves.protocols.hivemind.task_words import subjects_in
from varves.protocols.port import writes
from varves.protocols.similar import above
from varves.values.opening import first_said
from varves.values.text import quoted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.answers import RecordConflict

_TAGS = 6
_PLACE = ("team", "project", "scope")
_TELLING = frozenset(  # words that say what kind of learning it is, not what it is about
    (
        *("fact", "learned", "learnt", "learning", "lesson", "finding", "found", "discovered"),
        *("noticed", "realised", "realized", "confirmed", "verified", "turns", "turned", "note"),
        *("remember", "prefers", "procedure", "always", "never", "sure", "works", "worked"),
        *("decision", "decided", "agreed", "chose", "opted", "settled", "went", "going"),
        *("fixed", "solved", "resolved", "fix", "solution", "workaround", "error", "summary"),
        "completed",
    )
)
_TOLD = ("text", "error")
NEAR_REJECTED = "near-rejected"


class Learned(Value):
    """One learning, and what was done with it."""

    kind: str
    id: str
    type: str
    subtype: str
    scope: str
    text: str
    status: str
    """`recorded`, `known` (already recorded), `flagged` or `refused` (rejected before)."""
    reason: str = ""


class Done(Value):
    """A finished task."""

    task: str | None
    session: str
    summary: str | None
    learned: tuple[Learned, ...]
    actions: tuple[Action, ...]
    """What was done about contradictions."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class TaskSubject(Value):
    """The agent, team, project and session of a task."""

    agent: str | None
    team: str | None
    project: str | None
    session: str | None = None
    named: str | None = None
    """The scope that the caller names for what is learned."""

    def scope(self) -> str:
        """Return the scope of what is learned, unless it has its own."""
        if self.named and not (self.named == "project" and self.project):
            return self.named
        if self.project:
            return f"project:{self.project}"
        if self.team:
            return f"team:{self.team}"
        return f"agent:{self.agent}" if self.agent else "global"


@writes
def done(
    hive: HivemindWork,
    text: str | None = None,
    *,
    report: dict[str, Any] | None = None,
    agent: str | None = None,
    **place: str | None,
) -> Done:
    """Finish the current task: record what it taught, and resolve contradictions.

    Args:
        hive: the protocol.
        text: what was done and learned, in free text.
        report: the same as an object; extraction.py describes both forms.
        agent: the agent whose open task is finished, and that learned it; by default the actor
            or, if that is not an agent, the one that took the only open task.
        place: team (of the task; by default the one named with it), project (of the task), and
            scope (of what is learned; by default the project's).
    """
    unknown = sorted(place.keys() - set(_PLACE))
    if unknown:
        raise UsageError(f"done has no option {quoted(unknown[0])}", f"it has {_PLACE}")
    told = _told(hive, text, report)
    project = place.get("project")
    agent = worker_named(hive.core, agent)
    if hive.begins():
        early = subject_of(hive, {}, agent=agent, **place)
        _wanted(hive, told, early, {}, act=hive.core.act(actor=agent or early.agent))
    session = hive.ensured(project=project, agent=agent)
    task = hive.finished(session, agent)
    if told.summary is None and task.get("task"):
        told = told.replace(summary=f"Completed: {task['task']}")
    subject = subject_of(hive, task, agent=agent, **place)
    act = hive.core.act(actor=agent or subject.agent, session=session.name)
    learned, actions = _taken(hive, told, subject, task, act=act)
    created = [one.id for one in learned if one.status in ("recorded", "flagged")]
    completed = {
        "task": task.get("id"),
        "text": task.get("task"),
        "summary": condensed(told.summary) if told.summary else None,
        "agent": act.actor,
        "created": created,
        "updated": [one.gives_way for one in actions if one.action == "supersede"],
        "decisions": [one.text for one in learned if one.kind == "decisions"],
        **({"pending": list(told.pending)} if told.pending else {}),
    }
    hive.note(act, sessions.COMPLETED, completed)
    hive.entered(list(dict.fromkeys(one.scope for one in learned)), act)
    return Done(
        task=task.get("id"),
        session=session.name,
        summary=told.summary,
        learned=tuple(learned),
        actions=tuple(actions),
    )


@writes
def hear(
    hive: HivemindWork,
    report: dict[str, Any],
    *,
    speaker: str,
    agent: str | None = None,
    project: str | None = None,
) -> tuple[Learned, ...]:
    """Record statements made during a task, which stays open.

    Args:
        hive: the protocol.
        report: the statements, in the form that `done` takes; no summary is made.
        speaker: who made them, such as USER.
        agent: the agent at work; by default the one that took the task.
        project: the project of the task.
    """
    told = _told(hive, None, report).replace(summary=None)
    if not told.learnings:
        return ()
    session = hive.ensured(project=project, agent=worker_named(hive.core, agent))
    task = hive.at_hand(session, agent)
    place = subject_of(hive, task, agent=worker_named(hive.core, agent), team=None, project=project)
    act = hive.core.act(actor=worker_named(hive.core, speaker), session=session.name)
    learned, actions = _taken(hive, told, place, {}, act=act)
    noted = {
        "created": [one.id for one in learned if one.status in ("recorded", "flagged")],
        "updated": [one.gives_way for one in actions if one.action == "supersede"],
        "decisions": [one.text for one in learned if one.kind == "decisions"],
    }
    hive.note(act, sessions.NOTED, noted)
    hive.entered(list(dict.fromkeys(one.scope for one in learned)), act)
    return tuple(learned)


def _taken(
    hive: HivemindWork, told: Report, place: TaskSubject, task: dict[str, Any], *, act: Act
) -> tuple[list[Learned], list[Action]]:
    """Record learnings and resolve contradictions."""
    learned, drafts = _wanted(hive, told, place, task, act=act)
    scopes = scopes_for(project=place.project, team=place.team, agent=place.agent)
    places = tuple(dict.fromkeys((*(one.scope for one in learned), *scopes)))
    hive.core.flush(*places)  # first, so that the files show current counters
    for log, made in drafts.items():
        hive.core.append(log, made)
    made_now = [one.id for one in learned if one.status == "recorded"]
    for one in learned:
        if one.type == "procedural" and one.status == "recorded":
            hive.link_back(one.id, act)
    actions = hive.compared(made_now, act) if made_now else []
    return learned, actions


def _told(hive: HivemindWork, text: str | None, report: dict[str, Any] | None) -> Report:
    """Return the learnings of a text, a report or both, with secrets masked."""
    if report is not None:
        report = hive.core.clean(report)[0]
    whole = Report() if report is None else read_report(report)
    if text is None:
        return whole
    read = hive.extract(hive.core.clean(intake.statement(text))[0])
    found = [
        one.replace(about={"confidence": read.confidence, **one.about})
        for one in read.learnings
        if hive.plain_facts or not one.plain
    ]
    return whole.replace(
        learnings=(*whole.learnings, *found),
        summary=whole.summary or read.summary,
        pending=(*whole.pending, *read.pending),
    )


def subject_of(
    hive: HivemindWork,
    task: dict[str, Any],
    *,
    agent: str | None,
    team: str | None = None,
    project: str | None = None,
    scope: str | None = None,
) -> TaskSubject:
    """Return the agent, team, project and session of a task, and the scope of what it teaches."""
    doing = agent or hive.worker(task)
    team = team or task.get("team")
    return TaskSubject(
        agent=doing if doing not in ACTORS else None,
        team=owner(team, "team") if team else None,
        project=hive.detected(project, agent=agent),
        session=session.name if (session := current(hive.core)) else None,
        named=scope,
    )


def _wanted(
    hive: HivemindWork, told: Report, place: TaskSubject, task: dict[str, Any], *, act: Act
) -> tuple[list[Learned], dict[str, list[Draft]]]:
    """Draft an entry for each learning; nothing is written until all of them are drafted."""
    drafts: dict[str, list[Draft]] = {}
    learned: list[Learned] = []
    learnings = list(told.learnings)
    if told.summary:
        named = ("task", "intent") if hive.names_task else ("intent",)
        about = {key: task[key] for key in named if task.get(key)}
        learnings.append(TaskLearning(kind="summary", content={"text": told.summary, **about}))
    for one in learnings:
        wish = _wish(hive, one, told, place)
        status, name, reason = "recorded", "", ""
        try:
            log, made, name = draft(hive.core, wish, act)
        except Rejected as refused:
            learned.append(_learned(one, wish, name="", status="refused", why=refused.message))
            continue
        held = _held(hive, wish, log, made)
        if held is not None:
            status, name, made = "known", held, act.draft(REINFORCED, {"memory": held})
        elif _near_rejected(hive, wish.scope, log, str(made.data["text"])):
            status, reason = "flagged", "close to what was rejected"
        mine = drafts.setdefault(log, [])
        mine.append(made)
        if status == "flagged":
            why = {"memory": name, "reason": reason, "rule": NEAR_REJECTED}
            mine.append(act.draft(FLAGGED, why))
        learned.append(_learned(one, wish, name=name, status=status, why=reason))
    return learned, drafts


def _wish(hive: HivemindWork, learning: TaskLearning, told: Report, place: TaskSubject) -> Wish:
    kind, subtype = KINDS[learning.kind]
    about = dict(learning.about)
    scope = about.pop("scope", place.scope())
    said = next(str(learning.content[name]) for name in _TOLD if name in learning.content)
    found = [word for word in subjects_in(hive.parse(said)) if word not in _TELLING]
    tags = (*about.pop("tags", ()), *told.tags) or tuple(found[:_TAGS])
    summary = None
    if learning.kind == "errors":
        tags = ("error", *tags)
        summary = f"{said}: {learning.content['solution']}"
    elif learning.kind == "summary":
        summary = first_said(said)
    wish = Wish(
        type=kind,
        subtype=about.pop("subtype", subtype),
        content=learning.content,
        scope=scope_of(hive.core, scope, agent=place.agent, session=place.session),
        tags=tuple(tags),
        summary=summary,
        confidence=about.pop("confidence", told.confidence),
        rule="completion",
        **about,
    )
    return hive.with_errors(wish)


def _held(hive: HivemindWork, wish: Wish, log: str, made: Draft) -> str | None:
    """Return the current entry with the same text; None for episodes, which may repeat."""
    if wish.type == "episodic":
        return None
    text = str(made.data["text"])
    key = value_key(log, wish.scope, text)
    name, _ = hive.core.rows().standing(key, text, made.trust, protocol="hivemind")
    held = hive.core.memory(name) if name else None
    return held.id if held is not None and held.type == wish.type else None


def _near_rejected(hive: HivemindWork, scope: str, log: str, text: str) -> bool:
    """Return whether a text is nearly equal to a text that a person rejected in this scope."""
    rows, near = hive.core.rows(), above(hive.options.rejected_above)
    return any(
        near(gone.text, text)
        for gone in hive.core.memories(scope=scope, statuses=("forgotten", "superseded"))
        if rows.rejecting(value_key(log, scope, gone.text))
    )


def _learned(
    learning: TaskLearning, wish: Wish, *, name: str, status: str, why: str = ""
) -> Learned:
    return Learned(
        kind=learning.kind,
        id=name,
        type=wish.type,
        subtype=str(wish.subtype),
        scope=wish.scope,
        text=str(wish.summary or wish.content["text"]),
        status=status,
        reason=why,
    )
