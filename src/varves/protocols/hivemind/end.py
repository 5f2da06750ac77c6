"""Session end: review the working memory, consolidate the store, archive the session.

A working memory is significant if its priority is high or critical, its confidence is 0.8 or more,
it was read twice, or its text says what `done` would learn from it: a decision, an error with its
solution, a procedure, something learned. Its content is then recorded permanently: in its own
scope, or, if that scope is the session, in the most specific other scope that fits. Every other
working memory is removed from the files. It stays in the log; if the event is undone or the memory
restored, it is current again.
"""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events.kinds import FORGOTTEN
from varves.protocols.hivemind import open_tasks, sessions
from varves.protocols.hivemind.completion import TaskSubject
from varves.protocols.hivemind.consolidation import SENSITIVE, RuleChange, changed
from varves.protocols.hivemind.creators import ACTORS
from varves.protocols.hivemind.documents import counted
from varves.protocols.hivemind.entries import SUBTYPES, Wish, body_of, draft
from varves.protocols.hivemind.extraction import KINDS
from varves.protocols.hivemind.sessions import HivemindSession, current
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.hivemind.upkeep import ENDING
from varves.protocols.hivemind.wording import labelled
from varves.protocols.port import writes
from varves.protocols.sessions import ENDED, STARTED
from varves.values.scope import level_of
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.commands.port import Act
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.port import Counts
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory

SIGNIFICANT, EPHEMERAL = "significant-working", "ephemeral-working"


class EndedSession(Value):
    """The result of ending a session."""

    session: str | None
    """The session that was archived; None if no session was running."""
    fresh: str | None
    """The session that was started next."""
    promoted: tuple[tuple[str, str], ...]
    """Working memories, each with the permanent memory made from it."""
    dropped: tuple[str, ...]
    consolidated: dict[str, list[list[str]]]
    """The changes that consolidation made, by rule."""
    changes: tuple[RuleChange, ...]
    """All changes made by rules, with the texts and with the events to undo."""
    statistics: dict[str, int]
    """The number of entries in each scope's index."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


@writes
def session_end(hive: HivemindWork) -> EndedSession:
    """Review working memory, consolidate, archive the session and start a new one."""
    session = current(hive.core)
    if session is None:
        hive.core.notes.append("no session is running")
        return EndedSession(
            session=None,
            fresh=None,
            promoted=(),
            dropped=(),
            consolidated={},
            changes=(),
            statistics={},
        )
    act = hive.core.act(actor="SYSTEM", session=session.name)
    hive.core.flush()
    before = len(hive.changes)
    promoted, dropped = _reviewed(hive, _working(hive, {session.name}), session, act)
    done = hive.consolidated(ENDING, act).done
    hive.note(act, ENDED, {})
    fresh = f"sess_{hive.core.ids.word(12)}"
    # the project of an open task ends with the task
    begins = {"project": session.project_of(None), "handoff": session.handoff}
    hive.note(hive.core.act(session=fresh), STARTED, begins)
    return EndedSession(
        session=session.name,
        fresh=fresh,
        promoted=tuple(promoted),
        dropped=tuple(dropped),
        consolidated=done,
        changes=tuple(hive.changes[before:]),
        statistics=hive.core.sizes(LIVE),
    )


def begun(hive: HivemindWork, act: Act) -> None:
    """Review the working memories of sessions that were archived without an end."""
    found = sessions.fold(hive.core.events(*sessions.KINDS))
    closed = {one.name: one for one in found if not one.running}
    left = _working(hive, set(closed))
    for name in dict.fromkeys(session_of(one) for one in left):
        mine = [one for one in left if session_of(one) == name]
        system = hive.core.act(actor="SYSTEM", session=act.session)
        _reviewed(hive, mine, closed[name], system)
    hive.look_after(act)


def _working(hive: HivemindWork, names: set[str]) -> list[Memory]:
    """Return the working memories made in the given sessions."""
    found = hive.core.memories(statuses=LIVE, only={"type": "working"})
    return [one for one in found if session_of(one) in names]


def _reviewed(
    hive: HivemindWork, working: list[Memory], session: HivemindSession, act: Act
) -> tuple[list[tuple[str, str]], list[str]]:
    """Promote or drop each working memory."""
    uses = hive.core.uses()
    promoted: list[tuple[str, str]] = []
    dropped: list[str] = []
    for memory in working:
        name = _promoted(hive, memory, session, act) if _matters(hive, memory, uses) else None
        if name is not None:
            promoted.append((memory.id, name))
            why = {"reason": f"promoted to {name}", "rule": SIGNIFICANT}
        else:
            dropped.append(memory.id)
            why = {"reason": "the session is over", "rule": EPHEMERAL}
        content = {"memory": memory.id, **why}
        events = hive.core.append(memory.kept, [act.draft(FORGOTTEN, content, memory.version)])
        said = changed(events, {memory.id: memory.text})
        hive.changes += [one.replace(by=name, by_text=name and memory.text) for one in said]
    hive.reconciled([name for _, name in promoted], act)
    return promoted, dropped


def _matters(hive: HivemindWork, memory: Memory, uses: Counts) -> bool:
    if SENSITIVE in memory.tags:
        return False
    return (
        memory.priority in ("critical", "high")
        or (memory.confidence or 0) >= hive.options.significant_confidence
        or counted(memory, uses)[0] >= hive.options.significant_reads
        or _learned_kind(hive, memory) is not None
    )


def _learned_kind(hive: HivemindWork, memory: Memory) -> tuple[str, str] | None:
    """Return the type and subtype of what `done` would learn from a working memory."""
    chosen = [kind for kind in KINDS.values() if kind[1] == memory.extra.get("subtype")]
    if chosen:
        return chosen[0]
    read = hive.extract(labelled(body_of(memory))).learnings
    found = [one for one in read if not one.plain]
    return KINDS[found[0].kind] if found else None


def _promoted(hive: HivemindWork, memory: Memory, session: HivemindSession, act: Act) -> str | None:
    """Record the content of a working memory permanently; return None if a rule forbids it."""
    scope = memory.scope
    if level_of(scope) == "session":
        maker = memory.created_by if memory.created_by not in ACTORS else None
        tasks = open_tasks.of(session.open_tasks, memory.created_by)
        project = session.project_of(tasks[-1] if tasks else None)
        scope = TaskSubject(agent=maker, team=None, project=project).scope()
    kind, subtype = _kind(hive, memory)
    wish = Wish(
        type=kind,
        subtype=subtype,
        content=body_of(memory),
        scope=scope,
        tags=memory.tags,
        priority=memory.priority,
        confidence=memory.confidence,
        summary=memory.summary,
        links={"derived_from": [memory.id]},
        rule=SIGNIFICANT,
        created_by=memory.created_by,
        allow_secret=True,  # its secrets were masked, or allowed, when it was first recorded
    )
    try:
        log, made, name = draft(hive.core, wish, act)
    except (Refused, UsageError):
        return None
    hive.core.append(log, [made])
    return name


def _kind(hive: HivemindWork, memory: Memory) -> tuple[str, str | None]:
    """Return the permanent type and subtype of a working memory."""
    learned = _learned_kind(hive, memory)
    if learned is not None:
        return learned
    subtype = memory.extra.get("subtype")
    return "factual", None if subtype == SUBTYPES["working"] else subtype


def session_of(memory: Memory) -> str:
    """Return the session of a working memory; empty if it has none."""
    level, _, name = memory.scope.partition(":")
    return name if level == "session" else memory.session or ""
