"""The steps of a session: its start, a task, a note, and its end."""

from __future__ import annotations

from varves.commands.intake import statement
from varves.errors import UsageError
from varves.events.kinds import FORGOTTEN, PROPOSED, RECORDED, REJECTED, RESTORED, REVISED
from varves.protocols import sessions
from varves.protocols.scoped import learnings
from varves.protocols.scoped.answers import Recovered, SessionEnded, SessionStarted
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.injection import (
    chosen,
    disputes_in,
    injected,
    ranked_in,
    refresh,
    shade_of,
)
from varves.protocols.scoped.options import CONFIDENCE, DISPUTES, MOST_BUDGET
from varves.protocols.scoped.places import SESSION, name_of
from varves.protocols.scoped.proposals import propose_decisions
from varves.protocols.scoped.search import related, relevant
from varves.protocols.scoped.sessions import KINDS as SESSION_KINDS
from varves.protocols.scoped.sessions import TASK, ScopedSession
from varves.protocols.scoped.wish import ScopedWish, store
from varves.protocols.sessions import ENDED, RECOVERED, STARTED
from varves.values.instants import iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.scoped.answers import Injected, StoredEntry
    from varves.protocols.scoped.desk import Desk
    from varves.protocols.scoped.injection import Chosen

KINDS = {
    "tool": "pattern",
    "edit": "pattern",
    "decision": "decision",
    learnings.NOTE: "pattern",
}
"""The kinds of session notes, and the published type under which the file shows each."""
_DAY = 10  # length of the date in an instant
_SIGNS_OF_LIFE = (*SESSION_KINDS, TASK, RECORDED, REVISED, FORGOTTEN, RESTORED, PROPOSED, REJECTED)


def start(
    desk: Desk,
    name: str | None,
    *,
    team: str | None,
    project: str | None,
    budget: int | None,
    agent: str | None,
) -> SessionStarted:
    """Begin a session: return proposals of crashed sessions and a block of the best entries."""
    core = desk.core
    name = name_of(name or core.session or _fresh_name(desk), SESSION)
    room = desk.budget(budget)
    who = None if agent is None else name_of(agent, "agent")
    held = Holdings(core)
    scopes = desk.loaded(held, project=project, team=team)
    recovered = _recover(desk, name)
    scores = ranked_in(desk, held, *scopes)
    disputes = disputes_in(core, held, scopes, limit=DISPUTES)
    shown = chosen(desk, held, scores, room, disputed=scopes)
    told = injected(core, held, shown, budget=room)
    names = [scope.partition(":")[2] for scope in scopes]
    desk.record_session(
        STARTED,
        name,
        {
            "project": names[0],
            "teams": names[1:-1],
            "agent": who,
            "budget": room,
            "tokens": told.tokens,
            "injected": [one.memory for one in told.entries],
        },
    )
    _tell(desk, "scoped session start", shown, who)
    loaded = {scope: len(held.standing(scope)) for scope in scopes}
    more = (*(one.in_words for one in disputes), *_beside(desk, name))
    told = told.replace(notices=(*told.notices, *more))
    desk.begun = name
    refresh(desk, [one.memory for one in told.entries])
    return SessionStarted(
        **vars(told), session=name, loaded=loaded, recovered=recovered, disputes=disputes
    )


def _fresh_name(desk: Desk) -> str:
    return f"{iso(desk.core.now)[:_DAY]}-{desk.core.ids.word(6)}"


def _tell(desk: Desk, verb: str, shown: Chosen, agent: str | None) -> None:
    desk.core.told(verb, [one.memory.id for one in shown.told], agent=agent)


def _beside(desk: Desk, starting: str) -> list[str]:
    """Return a notice for each other running session of the actor."""
    actor = desk.act().actor
    return [
        f"session {one.name} of {actor} is still running: name yours with --session"
        for one in desk.sessions().values()
        if one.running and one.name != starting and one.actor == actor
    ]


def _recover(desk: Desk, starting: str) -> tuple[Recovered, ...]:
    """End the sessions that crashed, after proposing their decisions."""
    found = []
    for one in _crashed(desk, starting):
        propose_decisions(desk, one.name, one.project)
        offered = Holdings(desk.core).proposals(one.name)
        content = {"checkout": one.checkout, "proposed": [p.id for p in offered]}
        desk.record_session(RECOVERED, one.name, content)
        found.append(Recovered(session=one.name, proposals=tuple(offered)))
    return tuple(found)


def _crashed(desk: Desk, starting: str) -> list[ScopedSession]:
    """Return the sessions that crashed: idle for hours, or in a checkout that is gone."""
    core = desk.core

    def last(one: ScopedSession) -> str:
        return max(event.time for event in core.events(*_SIGNS_OF_LIFE, session=one.name))

    found = sessions.fold(ScopedSession, core.events(*SESSION_KINDS))
    others = [one for one in found if (one.checkout, one.name) != (core.checkout, starting)]
    others.sort(key=lambda one: one.checkout)
    return sessions.abandoned(others, core, desk.options.session_hours, last=last)


def task(
    desk: Desk,
    text: str,
    *,
    team: str | None,
    project: str | None,
    budget: int | None,
    agent: str | None,
) -> Injected:
    """Return what is known about a task, as a block to inject before it begins."""
    core = desk.core
    said, _ = core.clean(statement(text))
    session = desk.session()
    room = desk.budget(budget, told=session.tokens if session else 0)
    who = None if agent is None else name_of(agent, "agent")
    if project is None and session is not None:
        project = session.project
    held = Holdings(core)
    scopes = desk.loaded(held, project=project, team=team)
    scores = ranked_in(desk, held, *scopes)
    shade = shade_of(desk, scores)
    entries = [one.memory for one in scores]
    fitting = relevant(entries, said) or related(entries, said)
    scores = [one for one in scores if one.memory.id in fitting]
    scores.sort(key=lambda one: -fitting[one.memory.id])
    shown = chosen(desk, held, scores, room, shade=shade, disputed=scopes)
    told = injected(core, held, shown, budget=room)
    if budget is None and room < desk.options.budget and told.skipped:
        spent = f"{MOST_BUDGET - room} of this session's {MOST_BUDGET} tokens are used"
        told = told.replace(notices=(*told.notices, f"{spent}; --budget TOKENS allows more"))
    if session is not None and session.running:
        ids = [one.memory for one in told.entries]
        content = {"text": said, "tokens": told.tokens, "injected": ids}
        desk.record_session(TASK, session.name, content)
    _tell(desk, "scoped task", shown, who)
    return told


def note(desk: Desk, text: str, kind: str | None) -> StoredEntry:
    """Record a tool used, a file edited, a decision or a plain note in the session's file."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"not a kind of note: {quoted(kind)}", "use tool, edit, decision or note")
    said, redacted = desk.core.clean(statement(text))
    given, kind = kind, kind or learnings.noted_as(said)
    session = desk.own_session()
    wish = ScopedWish(
        text=said,
        scope=f"{SESSION}:{session.name}",
        type=KINDS[kind],
        confidence=CONFIDENCE,
        stated=("type",) if given == "decision" else (),
        redacted=redacted,
        more={"kind": kind},
    )
    done = store(desk.core, wish, desk.act(session.name))
    if given is None and kind == learnings.NOTE and done.status == "recorded":
        desk.core.notes.append(
            "it states no decision, so the end of the session does not propose it;"
            " --kind decision changes that"
        )
    return done


def end(desk: Desk) -> SessionEnded:
    """End the session: propose its decisions, then remove its file."""
    session = desk.running_session()
    propose_decisions(desk, session.name, session.project)
    offered = tuple(Holdings(desk.core).proposals(session.name))
    desk.record_session(ENDED, session.name, {"proposed": [one.id for one in offered]})
    desk.core.flush()
    return SessionEnded(
        session=session.name,
        proposals=offered,
        injected=session.injected,
        tokens=session.tokens,
    )
