"""The verbs that list entries, and that write, read or forget a single one."""

from __future__ import annotations

from varves.commands import intake
from varves.commands.forget import Forget, decide_forget
from varves.errors import NotFound, UsageError
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.entries import (
    Wish,
    checked,
    content_of,
    kind_named,
    owner,
    scope_of,
    subtype_of,
    type_of,
)
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.scores import overrides
from varves.protocols.hivemind.search import visible_to
from varves.protocols.hivemind.sessions import current
from varves.protocols.hivemind.tree import LIVE, RETIRED
from varves.protocols.port import reads, writes
from varves.protocols.sessions import STARTED
from varves.values.instants import iso
from varves.values.listing import check_limit
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.answers import RecordConflict
    from varves.values.memory import Memory


_OPTIONS = (
    *("subtype", "tags", "priority", "ttl", "confidence", "references", "summary", "id"),
    *("source", "again", "allow_secret"),
)


class EntryWritten(Value):
    """An entry that was recorded."""

    id: str
    scope: str
    entry: dict[str, Any]
    redacted: tuple[str, ...]
    """The names of the rules that masked something."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


_FILTERS = ("project", "subtype", "priority", "agent")


class EntryList(Value):
    """Entries, the newest first."""

    entries: tuple[dict[str, Any], ...]
    """The entries, in the form of their files."""
    more: int
    """The number of further entries."""
    overridden: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    """The ids of the entries that a task does not load where it may load another, with its id."""


class EntryForgotten(Value):
    """An entry that was taken out of use."""

    id: str
    scope: str
    text: str
    reason: str
    event: str
    """The event to undo to restore it."""


@reads
def list_entries(
    hive: HivemindWork,
    *,
    scope: str | None = None,
    type: str | None = None,
    tag: str | None = None,
    archived: bool = False,
    limit: int | None = None,
    **filters: Any,
) -> EntryList:
    """List entries, the newest first.

    Args:
        hive: the protocol.
        scope: only this scope; `project` alone is the current project, of the agent if given.
        type: only this type.
        tag: only entries with this tag.
        archived: list what is superseded, archived or expired, instead of what is current.
        limit: the maximum number of entries.
        filters: project, subtype, priority, agent (who created it).
    """
    unknown = sorted(filters.keys() - set(_FILTERS))
    if unknown:
        raise UsageError(f"list has no option {quoted(unknown[0])}", f"it has {_FILTERS}")
    check_limit(limit)
    maker = filters.get("agent")
    wanted = {
        "scope": _listed_scope(hive, scope, filters.get("project"), maker),
        "type": None if type is None else type_of(type),
        "priority": intake.priority(filters.get("priority")),
        "created_by": maker,
    }
    kind, word = subtype_of(filters.get("subtype")), tag.strip().lower() if tag else None
    now, visible = iso(hive.core.now), visible_to(hive.core, hive.core.actor)
    standing = [
        one
        for one in hive.core.memories(statuses=(*LIVE, *RETIRED))
        if (one.status in RETIRED or one.has_expired(now)) == archived and visible(one)
    ]
    found = [
        one
        for one in standing
        if all(part is None or getattr(one, key) == part for key, part in wanted.items())
        and kind in (None, one.extra.get("subtype"))
        and (word is None or word in one.tags)
    ]
    found.sort(key=_age, reverse=True)
    shown = found[:limit]
    counts = hive.core.counts()
    names = {one.id for one in shown}
    behind = [] if archived else overrides([one for one in standing if one.status == "active"])
    return EntryList(
        entries=tuple(entry(one, counts, hive.options, find=hive.core.memory) for one in shown),
        more=len(found) - len(shown),
        overridden={other: name for other, name in behind if other in names},
    )


@writes
def forget(hive: HivemindWork, id: str, *, reason: str) -> EntryForgotten:
    """Take an entry out of use; its text is rejected until somebody restores the entry."""
    why, redacted = hive.core.clean(intake.word(reason, "reason"))
    if why is None:
        raise UsageError("the reason is missing", "give one with --reason")
    memory = hive.core.memory(id)
    if memory is not None and memory.protocol == "hivemind" and memory.status == "forgotten":
        hint = f"varves restore {memory.id} makes it current again"
        raise NotFound(f"{memory.id} is already forgotten", hint)
    memory = _existing(hive, id)
    hive.core.flush(memory.scope)  # first, so that the files show current counters
    act, _ = hive.acting()
    command = Forget(memory=memory.id, reason=why, redacted=redacted)
    _, [event, *_] = hive.core.apply(decide_forget, command, act=act)
    return EntryForgotten(
        id=memory.id, scope=memory.scope, text=memory.text, reason=why, event=event.id
    )


@writes
def write(
    hive: HivemindWork,
    content: dict[str, Any] | str,
    *,
    type: str,
    scope: str = "project",
    project: str | None = None,
    agent: str | None = None,
    **options: Any,
) -> EntryWritten:
    """Record one entry; a text becomes `{"text": …}`.

    Args:
        hive: the protocol.
        content: the content.
        type: factual, procedural, episodic, semantic or working.
        scope: global, or a level and an id; `project` alone is the current project.
        project: the project of an entry in the scope `project`; by default the current one.
        agent: who creates it; by default the actor.
        options: subtype, tags, priority, ttl, confidence, references (objects, or the ids of
            what they name), summary, id, source, again, allow_secret.
    """
    unknown = sorted(options.keys() - set(_OPTIONS))
    if unknown:
        raise UsageError(f"write has no option {quoted(unknown[0])}", f"it has {_OPTIONS}")
    act, _ = hive.acting(actor=worker_named(hive.core, agent))
    given = {name: part for name, part in options.items() if part is not None}
    for name in ("tags", "references"):
        if name in given and not isinstance(given[name], str):
            given[name] = tuple(given[name])
    _check_references(hive, given.get("references", ()))
    scope = _in_project(scope, project)
    wish = Wish(content=content_of(content), type=type, scope=scope, **given)
    if type == "working" and hive.begins():
        # it belongs to a session, which reviews it at its end
        place = scope_of(hive.core, scope, agent=act.actor, session="fresh")
        checked(hive.core, wish.replace(scope=place), act)
        hive.ensured(agent=agent)
        act, _ = hive.acting(actor=worker_named(hive.core, agent))
    place = _scope(hive, scope, agent=act.actor)
    wish = hive.with_errors(wish.replace(scope=place))
    name = hive.enter(wish, act)
    hive.link_back(name, act)
    hive.entered([place], act, made=[name])
    memory = _existing(hive, name)
    [recorded, *_] = hive.core.rows().history(name)
    masked = recorded.data.get("redacted", ())
    document = entry(memory, {}, hive.options, find=hive.core.memory)
    return EntryWritten(id=name, scope=place, entry=document, redacted=tuple(masked))


def _in_project(scope: str, project: str | None) -> str:
    """Return the scope of a project that is named by an option of its own."""
    if project is None:
        return scope
    if scope not in ("project", f"project:{project}"):
        raise UsageError(f"scope {quoted(scope)} is not in a project", "leave the project out")
    return f"project:{owner(project, 'project')}"


def _listed_scope(
    hive: HivemindWork, scope: str | None, project: str | None, agent: str | None
) -> str | None:
    """Return the scope whose entries are listed; None for those of all scopes."""
    if scope is None and project is None:
        return None
    return _scope(hive, _in_project(scope or "project", project), agent=agent)


def _scope(hive: HivemindWork, scope: str, *, agent: str | None = None) -> str:
    """Return a scope with its id; a bare level means the agent's, or the running session."""
    running = current(hive.core)
    name = running.name if running else None
    place = scope_of(hive.core, scope, agent=agent, session=name)
    level, _, name = place.partition(":")
    if level == "session" and not hive.core.events(STARTED, session=name):
        hive.core.notes.append(f"no session {name} is known here: no task loads its entries")
    return place


def _check_references(hive: HivemindWork, references: Iterable[Any]) -> None:
    """Refuse the id of a memory that does not exist."""
    for one in references:
        if isinstance(one, str) and kind_named(one) == "memory":
            _existing(hive, one)


@reads
def show(hive: HivemindWork, id: str) -> dict[str, Any]:
    """Return one entry as its file contains it, with its full content, by id or alias."""
    memory = _existing(hive, id)
    uses = hive.core.uses()  # without this one
    hive.core.told("hivemind.show", [memory.id])
    return entry(memory, uses, hive.options, find=hive.core.memory, whole=True)


def _existing(hive: HivemindWork, name: str) -> Memory:
    memory = hive.core.memory(name)
    if memory is None or memory.protocol != "hivemind":
        memory = _called(hive, name)
    if memory is None or memory.status == "forgotten":
        raise NotFound(f"no entry {quoted(name)}", "find ids with `varves hivemind search`")
    return memory


def _called(hive: HivemindWork, alias: Any) -> Memory | None:
    """Return the entry that has this alias."""
    for memory in hive.core.memories(statuses=()):
        if alias in (memory.extra.get("aliases") or ()):
            return memory
    return None


def _age(memory: Memory) -> tuple[str, str]:
    return memory.created_at, memory.id
