"""Entries of the protocol: requests for entries, and the records made from them.

All code that creates an entry, for a person or for a rule, passes a `Wish` and gets a draft. The
rules about single entries are applied only in this module.
"""

from __future__ import annotations

import json
import re

from varves.commands import intake
from varves.commands.remember import refusal
from varves.errors import Refused, UsageError
from varves.events.kinds import RECORDED
from varves.language.risks import tells_risk
from varves.protocols.hivemind.creators import creator, is_creator
from varves.protocols.hivemind.lifetimes import expires
from varves.protocols.hivemind.options import options
from varves.protocols.hivemind.sessions import project_of
from varves.protocols.hivemind.wording import one_line, statement_of, summary_of
from varves.values.instants import instant, iso
from varves.values.names import safe_name
from varves.values.scope import LEVELS, level_of
from varves.values.text import quoted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.port import Core
    from varves.values.memory import Memory

TYPES = ("factual", "procedural", "episodic", "semantic", "working")
SUBTYPES = {
    "factual": "fact",
    "procedural": "procedure",
    "episodic": "event",
    "semantic": "insight",
    "working": "context",
}
"""The default subtype, by type."""
_IMPLIED = ("project", "agent")
"""Levels whose id may be omitted."""
RESERVED = ("archive", "current", "_index")  # these names are used for other folders of the tree
AS_TEXT = 200_000  # bytes; a longer content is stored as JSON in `text`
_DEEPEST = 64
_LONGEST_WORD = 64
_FOUND = {
    "finding",
    "findings",
    "incident",
    "incidents",
    "issue",
    "hole",
    "leak",
    "flaw",
    "advisory",
}
"""Words that, together with `security`, name a security finding."""
_FINDINGS = {"vulnerability", "vulnerabilities", "cve", "xss", "csrf", "ssrf", "rce", "sqli"}
"""Words that name a security finding by themselves."""
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Wish(Value):
    """A request for an entry; the rules decide each value that is None or empty."""

    type: str
    content: dict[str, Any]
    scope: str
    """`global`, or a level and an id such as `team:qa`; `project` alone is the current project."""
    subtype: str | None = None
    tags: tuple[str, ...] = ()
    priority: str | None = None
    ttl: str | None = None
    confidence: float | None = None
    references: tuple[dict[str, Any], ...] = ()
    summary: str | None = None
    links: dict[str, list[str]] = {}  # noqa: RUF012 - values are frozen
    rule: str | None = None
    """The automatic rule that made the entry, if any."""
    file: str | None = None
    """The published name of the entry's file, if it has one."""
    id: str | None = None
    aliases: tuple[str, ...] = ()
    created_at: str | None = None
    """Like `created_by`, set only if a file or an import contains it."""
    created_by: str | None = None
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    source: str | None = None
    again: bool = False
    """Whether to record the text although it was rejected before."""
    allow_secret: bool = False


def draft(core: Core, wish: Wish, act: Act, *, unused: bool = False) -> tuple[str, Draft, str]:
    """Check a request by all rules; return the log, the draft and the id of the entry.

    Args:
        core: the ledger.
        wish: the request.
        act: who acts.
        unused: whether the caller has found that no event used the id.

    Raises:
        UsageError: a field is not what the protocol allows.
        Refused: the creator may not create entries, the id was purged, or the value is rejected.
    """
    wish, redacted = _cleaned(core, wish.replace(content=content_of(wish.content)))
    record = checked(core, wish, act)
    log = core.log_of(record["scope"])
    name = wish.id or free_id(core)
    if wish.id is not None:
        intake.memory_id(name)
        if not unused:
            _unused(core, name)
    key = value_key(log, record["scope"], record["text"])
    rejecting = core.rows().standing(key, record["text"], act.trust)[1]
    if rejecting and not wish.again:
        raise refusal(rejecting)
    record = {"memory": name, **record, "lifts": rejecting, "redacted": list(redacted)}
    return log, act.draft(RECORDED, record, *rejecting), name


def checked(core: Core, wish: Wish, act: Act) -> dict[str, Any]:
    """Return the content of the requested record, without its id."""
    known = options(core.table)
    creator(wish.created_by or act.actor, any_actor=known.any_actor)
    kind = type_of(wish.type)
    if wish.summary is not None and not isinstance(wish.summary, str):
        raise UsageError("the summary is not a string", "give a line")
    content = wish.content
    subtype = subtype_of(wish.subtype) or SUBTYPES[kind]
    tags = tags_of(wish.tags)
    priority = intake.priority(wish.priority) or default_priority(subtype, tags, content)
    ttl = known.default_ttl(kind, priority) if wish.ttl is None else wish.ttl
    confidence = intake.confidence(wish.confidence)
    created = act.now if wish.created_at is None else instant(wish.created_at)
    body, text = kept(content, wish.summary or "")
    return {
        "text": text,
        "scope": scope_of(core, wish.scope),
        "type": kind,
        "subtype": subtype,
        "tags": list(tags),
        "priority": priority,
        "ttl": ttl,
        "expires_at": expires(ttl, created),
        "confidence": known.default_confidence if confidence is None else confidence,
        "summary": summary_of(content, wish.summary),
        "body": body,
        "references": references_of(wish.references),
        "links": {link: list(names) for link, names in wish.links.items() if names},
        "rule": wish.rule,
        "file": None if wish.file is None else safe_name(wish.file, "file name"),
        "aliases": list(wish.aliases),
        "created_at": None if wish.created_at is None else iso(created),
        "created_by": wish.created_by,
        "unknown": wish.unknown,
        "source": intake.word(wish.source, "source"),
    }


def _cleaned(core: Core, wish: Wish) -> tuple[Wish, tuple[str, ...]]:
    """Mask the secrets in all texts of a request."""
    said = {
        name: getattr(wish, name)
        for name in ("content", "summary", "references", "unknown")
        if getattr(wish, name)
    }
    said["tags"] = list(tags_of(wish.tags))
    clean, rules = core.clean(said, allow_secret=wish.allow_secret)
    return wish.replace(**(clean | {"tags": tuple(clean["tags"])})), rules


def kept(content: dict[str, Any], summary: str) -> tuple[dict[str, Any] | None, str]:
    """Return how content is stored: as an object and its plain text, or as text only."""
    whole = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if len(whole.encode("utf-8", "surrogatepass")) > AS_TEXT:
        return None, intake.statement(whole)
    return content, intake.statement(statement_of(content) or one_line(summary) or whole)


def recorded_content(content: Any) -> dict[str, Any]:
    """Return content as a record stores it: its plain text, its summary and its object."""
    body = content if isinstance(content, dict) else {"text": str(content)}
    summary = summary_of(body)
    inside, text = kept(body, summary)
    return {"text": text, "summary": summary, "body": inside}


def body_of(memory: Memory) -> dict[str, Any]:
    """Return the content of an entry as an object, in whichever form it is stored."""
    body = memory.extra.get("body")
    if isinstance(body, dict) and body:
        return body
    if len(memory.text) * 4 > AS_TEXT and memory.text[:1] == "{":
        try:
            read = json.loads(memory.text)
        except ValueError:
            read = None
        if isinstance(read, dict):
            return read
    # A record omits an empty content. An entry recorded by the core has only a text.
    empty = "subtype" in memory.extra and memory.text in ("{}", memory.summary)
    return {} if empty else {"text": memory.text}


def content_of(content: Any) -> dict[str, Any]:
    """Return content as a JSON object; a string becomes an object."""
    if isinstance(content, str):
        content = {"text": intake.statement(content)}
    if not isinstance(content, dict):
        raise UsageError("the content is not an object", 'give JSON such as {"text": "…"}')
    try:
        read: dict[str, Any] = json.loads(json.dumps(content, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise UsageError("the content is not plain JSON", "give text, numbers, lists") from None
    level: list[Any] = [read]
    for _ in range(_DEEPEST):
        level = [part for outer in level for part in _inside(outer)]
    if level:
        raise UsageError("the content is nested too deeply", f"use at most {_DEEPEST} levels")
    return read


def _inside(outer: Any) -> Iterable[Any]:
    if isinstance(outer, dict):
        return outer.values()
    return outer if isinstance(outer, list) else ()


def type_of(kind: Any) -> str:
    """Return the type if it is one of the five."""
    if kind not in TYPES:
        raise UsageError(f"not a type: {quoted(kind)}", f"use {', '.join(TYPES)}")
    return str(kind)


def subtype_of(subtype: Any) -> str | None:
    """Return a subtype in kebab case, or None."""
    if subtype is None:
        return None
    if not isinstance(subtype, str) or not is_kebab(subtype):
        raise UsageError(f"not a subtype: {quoted(subtype)}", "write it like known-bug")
    return subtype


def is_kebab(word: str) -> bool:
    """Return whether a word is in kebab case, such as `known-bug`."""
    return len(word) <= _LONGEST_WORD and _KEBAB.fullmatch(word) is not None


def tags_of(tags: Iterable[Any]) -> tuple[str, ...]:
    """Return the tags in lower case without repetitions, in the given order."""
    return tuple(dict.fromkeys(tag.strip().lower() for tag in intake.tags(tags)))


def references_of(references: Iterable[Any]) -> list[dict[str, Any]]:
    """Check that each reference is an object with an id; a text is the id of what it names."""
    found = [reference_to(one) if isinstance(one, str) and one else one for one in references]
    for one in found:
        if not isinstance(one, dict) or not isinstance(one.get("id"), str) or not one["id"]:
            raise UsageError("a reference is not an object with an id", "see the published entry")
    return found


def reference_to(name: str) -> dict[str, Any]:
    """Return a reference to a memory, a URL, an agent or a file."""
    return {"type": kind_named(name), "id": name, "relationship": "references"}


def kind_named(name: str) -> str:
    """Return what an id or a place names: a memory, a URL, an agent or a file."""
    if "://" in name:
        return "url"
    if is_creator(name):
        return "agent"
    return "memory" if name.lower().startswith(("mem_", "mem-")) else "file"


def scope_of(core: Core, text: Any, *, agent: str | None = None, session: str | None = None) -> str:
    """Return a scope as level and id; only `global` has no id.

    Args:
        core: the ledger.
        text: the scope; of a project, an agent and a session, the id may be left out.
        agent: whose current project, and whose own scope, is meant; by default the actor's.
        session: the session that is meant by `session`.
    """
    level, _, name = str(text).partition(":")
    if level not in LEVELS:
        raise UsageError(f"unknown scope: {quoted(text)}", f"use {', '.join(LEVELS)}")
    if level == "global":
        if name:
            raise UsageError("scope global takes no id", "write it as global")
        return level
    if not name and level in _IMPLIED:
        name = project_of(core, agent=agent).id if level == "project" else agent or core.actor
    if not name and level == "session":
        if session is None:
            hint = "varves hivemind session start begins one"
            raise UsageError("no session is running", f"{hint}; or write session:NAME")
        name = session
    if not name:
        raise UsageError(f"scope {level} needs an id", f"write it as {level}:NAME")
    return f"{level}:{owner(name, level, 'scope id')}"


def owner(name: str, level: str, word: str | None = None) -> str:
    """Return the id of a project, team, agent or session if it is allowed as a name."""
    if name.lower() in RESERVED:
        raise UsageError(f"{quoted(name)} is a reserved name", f"choose another {level} id")
    return safe_name(name, word or level)


def default_priority(
    subtype: str, tags: Iterable[str] = (), content: dict[str, Any] | None = None
) -> str:
    """Return the priority that the published examples give to entries like this.

    A security finding is named by its subtype or its tags; if they say only `security`, the content
    must describe a weakness, because a rule about security is not a finding.
    """
    said = {*subtype.split("-"), *(word for tag in tags for word in re.split(r"[-_ ]", tag))}
    if subtype in ("user-profile", "system-config") or not _FINDINGS.isdisjoint(said):
        return "critical"
    if "security" in said and (said & _FOUND or tells_risk(statement_of(content or {}))):
        return "critical"
    if subtype in ("project-context", "terminology") or (
        "architecture" in said and said & {"decision", "decisions"}
    ):
        return "high"
    return "low" if {"note", "notes"} & {*subtype.split("-")} else "medium"


def free_id(core: Core) -> str:
    """Return an id that no event has used."""
    while True:
        name = core.ids.memory()
        if not is_taken(core, name):
            return name


def _unused(core: Core, name: str) -> None:
    if is_taken(core, name):
        raise Refused(f"{name} is taken", "leave the id out")


def is_taken(core: Core, name: str) -> bool:
    """Return whether an event has used an id, also one that was undone."""
    return core.memory(name) is not None or bool(core.rows().history(name))


def rank_of(scope: str) -> int:
    """Return how specific a scope is: 0 for a session, 4 for global."""
    return LEVELS.index(level_of(scope))
