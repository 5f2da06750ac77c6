"""Between what callers say and what commands and views take: options read, filters applied."""

from __future__ import annotations

import os

from varves.commands import intake
from varves.commands.edit import Edit
from varves.commands.remember import Remember
from varves.commands.undo import taken_back
from varves.errors import Refused, UsageError
from varves.events.memories import UNDONE, UNSHARED, touches
from varves.projections.conflicts import Conflict, conflicts
from varves.values.instants import duration, instant, iso
from varves.values.memory import STATUSES
from varves.values.scope import level_of, scope
from varves.values.text import value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.ledger.engine import Engine, View
    from varves.ledger.recorder import Recorder
    from varves.stores.sqlite.index import Index
    from varves.values.memory import Memory

_OPTIONS = {
    *("text", "scope", "private", "type", "tags", "priority", "ttl", "confidence", "evidence"),
    *("source", "speaker", "session", "at", "turn", "id", "again", "allow_secret"),
}
_DAY_MS = 86_400_000
_MAX_EVIDENCE = 8 << 20


def command(engine: Engine, recorder: Recorder, options: dict[str, Any]) -> tuple[Remember, Act]:
    """Read the options of `remember`, secrets masked first."""
    if unknown := options.keys() - _OPTIONS:
        raise UsageError(f"unknown option {min(unknown)!a}", "see varves remember --help")
    intake.statement(options.get("text"))
    options, redacted = recorder.clean(options, allow_secret=bool(options.get("allow_secret")))
    act = recorder.act(intake.session(options.get("session")))
    where = scope(str(options.get("scope") or "project"), session=act.session, actor=act.actor)
    private = bool(options.get("private"))
    log = log_of(engine, where, private=private)
    text = intake.statement(options["text"])
    content = text.encode("utf-8")
    long = len(content) > intake.LINE_BYTES
    given = options.get("id")
    wish = Remember(
        text=text,
        log=log,
        scope=where,
        id=engine.ids.memory() if given is None else intake.memory_id(given),
        given_id=given is not None,
        type=intake.word(options.get("type"), "type"),
        tags=intake.tags(options.get("tags") or ()),
        priority=intake.priority(options.get("priority")),
        ttl=intake.ttl(options.get("ttl")),
        confidence=intake.confidence(options.get("confidence")),
        evidence=intake.evidence(options.get("evidence") or (), _digest_in(engine.settings.root)),
        source=intake.word(options.get("source"), "source"),
        speaker=intake.word(options.get("speaker"), "speaker"),
        at=intake.moment(options.get("at")),
        turn=intake.turn(options.get("turn")),
        blob=recorder.writers.put_blob(log, content) if long else None,
        again=bool(options.get("again")),
        redacted=redacted,
    )
    return wish, act


def log_of(engine: Engine, where: str, *, private: bool) -> str:
    """Return the log that keeps a memory of this scope."""
    level = level_of(where)
    if private and level == "global":
        raise Refused("a global memory cannot be private", "leave --private or --scope global out")
    if private or level == "session":
        return "private"
    if level == "global":
        return "global"
    team = where.partition(":")[2] if level == "team" else ""
    return f"team:{team}" if team in engine.settings.teams else "project"


def _digest_in(root: str) -> Any:
    def digest(path: str) -> str | None:
        from hashlib import sha256

        place = os.path.join(root, path)
        try:
            inside = os.path.realpath(place).startswith(os.path.realpath(root) + os.sep)
            if not inside or os.path.getsize(place) > _MAX_EVIDENCE:
                return None
            with open(place, "rb") as file:
                return sha256(file.read()).hexdigest()
        except OSError:
            return None

    return digest


def edition(
    engine: Engine,
    recorder: Recorder,
    name: str,
    *,
    tag: Iterable[str],
    **options: Any,
) -> Edit:
    """Read the options of `edit`."""
    given, _ = recorder.clean({**options, "tag": list(tag)}, allow_secret=False)
    marked = given.pop("tag")
    where = given.get("scope")
    settings = engine.settings
    if where is not None:
        where = scope(where, session=settings.session, actor=settings.actor)
    return Edit(
        memory=name,
        add_tags=intake.tags([t.removeprefix("+") for t in marked if not t.startswith("-")]),
        remove_tags=intake.tags([t[1:] for t in marked if t.startswith("-")]),
        priority=intake.priority(given.get("priority")),
        ttl=intake.ttl(given.get("ttl")),
        scope=where,
        scope_log=log_of(engine, where, private=False) if where else None,
        confidence=intake.confidence(given.get("confidence")),
        expect=given.get("expect"),
    )


def last_own_event(engine: Engine, recorder: Recorder) -> str | None:
    """Return this actor's newest event that can be undone: in this session, or here in a day."""
    index, settings = engine.fresh().index, engine.settings
    act = recorder.act()
    if settings.session is not None:
        found = index.events("actor = ? and session = ?", (act.actor, act.session))
    else:
        clone = engine.places.clone("project", engine.ids)
        since = iso(engine.clock.now() - _DAY_MS)
        where = "actor = ? and time >= ? and writer like ?"
        found = index.events(where, (act.actor, since, f"{clone}.%"))
    gone = taken_back(found)
    for event in reversed(found):
        changes = touches(event) and event.kind not in (UNDONE, UNSHARED)
        if changes and event.id not in gone:
            return event.id
    return None


def open_conflicts(index: Index) -> tuple[Conflict, ...]:
    """Return the open conflicts; a value that came back stands beside what replaced it."""
    found = []
    for conflict in conflicts(index.flagged()):
        if conflict.kind == "returned":
            rivals = _standing_instead(index, conflict.members[0])
            members = (*conflict.members, *rivals)
            current = rivals[0].id if rivals else None
            found.append(conflict.replace(members=members, current=current))
        else:
            found.append(conflict)
    return tuple(found)


def _standing_instead(index: Index, returned: Memory) -> tuple[Memory, ...]:
    """Follow the rejection of a value to the memories that stand in its place now."""
    key = value_key(returned.kept, returned.scope, returned.text)
    waiting = [index.rejected_memory(event, key) for event in index.rejecting(key)]
    found: dict[str, Memory] = {}
    visited: set[str | None] = {returned.id}
    while waiting:
        name = waiting.pop()
        memory = index.memory(name) if name and name not in visited else None
        visited.add(name)
        if memory is not None:
            if memory.status == "active":
                found[memory.id] = memory
            waiting.extend(memory.links.get("superseded_by", ()))
    return tuple(found.values())


def listed(
    view: View,
    *,
    scope: str | None = None,
    type: str | None = None,
    tag: str | None = None,
    status: str | None = None,
    **rest: Any,
) -> tuple[Memory, ...]:
    """Return the memories that pass the filters of `list`, newest first."""
    now = iso(view.now)
    where, values = _status_filter(status, now)
    if scope is not None:
        where.append("(m.scope = ? or substr(m.scope, 1, ?) = ?)")
        values += [scope, len(scope) + 1, scope + ":"]
    if type is not None:
        where.append("m.type = ?")
        values.append(type)
    if tag is not None:
        where.append("instr(char(31) || m.tags || char(31), char(31) || ? || char(31))")
        values.append(tag)
    elif status is None:
        where.append(
            "not instr(char(31) || m.tags || char(31), char(31) || 'sensitive' || char(31))"
        )
    for name, column in (("older_than", "created_at"), ("unused_for", "updated_at")):
        if rest.get(name) is not None:
            where.append(f"m.{column} <= ?")
            values.append(iso(view.now - duration(rest[name])))
    if rest.get("private"):
        where.append("m.kept = 'private'")
    found = view.index.memories(" and ".join(where), values, "m.hlc desc, m.id")
    return tuple(m.replace(status="expired") if _expired(m, now) else m for m in found)


def _expired(memory: Memory, now: str) -> bool:
    return memory.status == "active" and memory.expires_at is not None and memory.expires_at <= now


def _status_filter(status: str | None, now: str) -> tuple[list[str], list[Any]]:
    if status not in (None, *STATUSES, "quarantined", "all"):
        raise UsageError(f"unknown status: {status}", f"use one of {', '.join(STATUSES)}")
    if status == "all":
        return ["1"], []
    if status == "quarantined":
        return ["m.trust < 2"], []
    if status == "expired":
        return ["(m.status = 'expired' or (m.status = 'active' and m.expires_at <= ?))"], [now]
    wanted = status or "active"
    if wanted == "active":
        return ["m.status = 'active' and (m.expires_at is null or m.expires_at > ?)"], [now]
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
    where, values = ["1"], []
    for limit, sign in ((since, ">="), (until, "<=")):
        if limit is not None:
            where.append(f"time {sign} ?")
            values.append(_moment(limit, view.now))
    kinds = [kind] if isinstance(kind, str) else list(kind)
    if kinds:
        where.append(f"kind in ({', '.join('?' * len(kinds))})")
        values += kinds
    if actor is not None:
        where.append("actor = ?")
        values.append(actor)
    return tuple(view.index.events(" and ".join(where), tuple(values)))


def _moment(text: str, now: int) -> str:
    """Read an instant, or a duration back from now."""
    try:
        return iso(now - duration(text))
    except UsageError:
        return iso(instant(text))
