"""Proposals: learnings that are stored only if somebody approves them.

What was rejected is not proposed again. A record that another protocol bridges to this one is a
proposal too.
"""

from __future__ import annotations

import re

from varves.commands.intake import memory_id, statement, word
from varves.errors import NotFound, Refused, UsageError
from varves.events.kinds import PROPOSED, REJECTED
from varves.events.views import VIEW_OF
from varves.protocols.bridged import speaking, tied
from varves.protocols.scoped import learnings
from varves.protocols.scoped.holdings import Holdings, proposal
from varves.protocols.scoped.options import CONFIDENCE
from varves.protocols.scoped.places import PROJECT, SESSION
from varves.protocols.scoped.shades import nearest
from varves.protocols.scoped.wish import ScopedWish, rare, store
from varves.values.text import fold, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.protocols.bridged import DueView
    from varves.protocols.scoped.answers import ProposedEntry, StoredEntry
    from varves.protocols.scoped.desk import Desk
    from varves.protocols.scoped.learnings import EntryLearning
    from varves.values.memory import Memory

_KNOWN = ("active", "proposed", "forgotten")
"""The statuses of records that are not proposed again; a rejected proposal is forgotten."""
_WE = re.compile(r"(?:we(?:'ll| will)?|let's|let us|please) (?=\w)")
"""The beginning of a folded text that makes a sentence of an order."""


def done(
    desk: Desk,
    *,
    text: str | None,
    transcript: str | None,
    output: Any,
    scope: str,
    name: str | None,
) -> tuple[ProposedEntry, ...]:
    """Propose the learnings of a finished task; without input, the session's decisions."""
    session = desk.session(alone=text is transcript is output is None)
    if scope == PROJECT and name is None and session is not None:
        where = f"{PROJECT}:{desk.project(session.project)}"
    else:
        where = desk.scope(scope, name)
    if where.startswith(SESSION):
        raise UsageError("learnings cannot be stored in a session", "use project, team or global")
    given, _ = desk.core.clean({"text": text, "transcript": transcript, "output": output})
    found: list[tuple[str, Iterable[EntryLearning]]] = []
    if given["text"] is not None:
        found.append(("text", learnings.stated(statement(given["text"]), desk.extract)))
    if given["transcript"] is not None:
        said = learnings.spoken(statement(given["transcript"]))
        found.append(("transcript", desk.extract(said)))
    if given["output"] is not None:
        found.append(("output", learnings.from_output(given["output"], desk.extract)))
    own = session.name if session is not None and session.running else None
    if not found:
        if session is None or own is None:
            hint = "give a text, --transcript or --output"
            raise UsageError("there is nothing to learn from", hint)
        return tuple(propose_decisions(desk, own, session.project))
    made: list[ProposedEntry] = []
    for source, lessons in found:
        made += _propose(desk, lessons, where, session=own, source=source)
    return tuple(made)


def propose_decisions(desk: Desk, session: str, project: str | None) -> Sequence[ProposedEntry]:
    """Propose the decisions and learnings noted in a session, for the project it worked on."""
    own = f"{SESSION}:{session}"
    lessons: list[EntryLearning] = []
    for one in Holdings(desk.core).standing(own):
        if one.type == "decision":
            sure = one.confidence or 0.0
            lesson = learnings.EntryLearning(text=one.text, type="decision", confidence=sure)
            lessons.append(lesson)
        elif one.extra.get("kind") == learnings.NOTE:
            lessons += desk.extract(one.text)
    if not lessons:
        return []
    where = f"{PROJECT}:{desk.project(project)}"
    return _propose(desk, lessons, where, session=session, source="session")


def _propose(
    desk: Desk, lessons: Iterable[EntryLearning], scope: str, *, session: str | None, source: str
) -> list[ProposedEntry]:
    """Record proposals for learnings that are neither known, proposed nor rejected."""
    core = desk.core
    log, rows = core.log_of(scope), core.rows()

    def is_refused(text: str) -> bool:
        return bool(rows.rejecting(value_key(log, scope, text)))

    held = core.memories(scope=scope, statuses=_KNOWN)
    known = {fold(one.text) for one in held if one.status != "forgotten"}
    act, drafts = desk.act(session), []
    for one in lessons:
        said = _readings(desk, one.text)
        same = (each for each in nearest(one.text, held) if said & _readings(desk, each.text))
        if said & known or is_refused(one.text):
            continue
        if any(each.status != "forgotten" or is_refused(each.text) for each in same):
            continue
        known |= said
        content = {
            "memory": core.ids.memory(),
            "text": one.text,
            "scope": scope,
            "type": one.type,
            "confidence": one.confidence,
            "source": source,
        }
        drafts.append(act.draft(PROPOSED, content))
    core.append("private", drafts)
    return [proposal(_proposed(desk, draft.data["memory"])) for draft in drafts]


def _readings(desk: Desk, text: str) -> set[str]:
    """Return a text and what is learned from it, in the form in which values are compared.

    "We decided to store prices in cents", "We store prices in cents" and "Store prices in cents"
    are one learning.
    """
    said = {fold(text), *(fold(one.text) for one in desk.extract(text))}
    return said | {_WE.sub("", one) for one in said}


def _proposed(desk: Desk, name: str) -> Memory:
    memory = desk.core.memory(memory_id(name))
    if memory is None or memory.protocol != "scoped":
        raise NotFound(f"no proposal {name}", "varves scoped proposals lists them")
    if memory.status != "proposed":
        raise Refused(f"{name} is {memory.status}, not proposed", f"varves history {name}")
    return memory


def approve(desk: Desk, name: str, *, force: bool, again: bool) -> StoredEntry:
    """Store a proposal under the next number of its file."""
    memory = _proposed(desk, name)
    wish = ScopedWish(
        id=memory.id,
        text=memory.text,
        scope=memory.scope,
        type=memory.type,
        confidence=CONFIDENCE if memory.confidence is None else memory.confidence,
        source=memory.source,
        cause=(memory.version,),
        again=again,
        shows=tuple(memory.links.get(VIEW_OF, ())),
    )
    wish = rare(
        wish,
        desk.options,
        stated=memory.confidence,
        force=force,
        hint="approve it with --force, or reject it",
    )
    stored = store(desk.core, wish, desk.act(memory.session))
    if stored.memory != memory.id:
        _drop(desk, memory, f"known as {stored.memory}")
    return stored


def reject(desk: Desk, name: str, reason: str | None) -> ProposedEntry:
    """Drop a proposal; its text is not proposed again."""
    memory = _proposed(desk, name)
    why, _ = desk.core.clean(word(reason, "reason") or "rejected")
    content = {"memory": memory.id, "text": memory.text, "scope": memory.scope, "reason": why}
    draft = desk.act(memory.session).draft(REJECTED, content, memory.version)
    desk.core.append(desk.core.log_of(memory.scope), [draft])
    _drop(desk, memory, why)
    return proposal(memory)


def _drop(desk: Desk, memory: Memory, reason: str) -> None:
    content = {"memory": memory.id, "reason": reason}
    draft = desk.act(memory.session).draft(REJECTED, content, memory.version)
    desk.core.append("private", [draft])


def take(desk: Desk, record: Memory, view: DueView) -> None:
    """Propose a record of another protocol for this project, unless its text is known there.

    Raises:
        Refused: the text was rejected in this project before.
    """
    core, scope = desk.core, f"{PROJECT}:{desk.project()}"
    if any(fold(one.text) == fold(record.titled) for one in Holdings(core).standing(scope)):
        return
    rejected = core.rows().rejecting(value_key(core.log_of(scope), scope, record.titled))
    if rejected:
        raise Refused(f"rejected in {scope} by {rejected[0]}", f"varves undo {rejected[0]}")
    content = {
        "memory": view.id,
        "text": record.titled,
        "scope": scope,
        "type": view.category,
        "confidence": CONFIDENCE if record.confidence is None else record.confidence,
        "source": record.protocol,
        **tied(record),
    }
    act = speaking(desk.act(), record)
    core.append("private", [act.draft(PROPOSED, content, record.version)])
