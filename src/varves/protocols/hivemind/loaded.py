"""The documents that every session start loads: three global ones, and the project's.

Each has a published file name and a fixed id, so that every clone and branch means the same one.
The verb `document` shows one, or replaces its content.
"""

from __future__ import annotations

from hashlib import blake2b

from varves.errors import Refused, UsageError
from varves.events.kinds import REVISED
from varves.protocols.hivemind.entries import (
    Wish,
    body_of,
    content_of,
    owner,
    recorded_content,
)
from varves.protocols.hivemind.sessions import project_of
from varves.protocols.hivemind.tree import PUBLISHED, folder_of, path_of
from varves.protocols.hivemind.wording import is_blank
from varves.protocols.port import reads, writes
from varves.values.ids import memory_of
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.hivemind.parts import HivemindWork

PROFILE, CONFIG, TERMS = "mem_userprofile0", "mem_systemconfig", "mem_840f4b504fc8"
_GLOBAL = (
    Wish(
        id=PROFILE,
        type="factual",
        subtype="user-profile",
        scope="global",
        file="user-profile.json",
        tags=("user", "profile", "preferences"),
        priority="critical",
        ttl="permanent",
        confidence=1.0,
        content={},
        summary="User preferences and profile information",
    ),
    Wish(
        id=CONFIG,
        type="factual",
        subtype="system-config",
        scope="global",
        file="system-config.json",
        tags=("system", "config"),
        priority="critical",
        ttl="permanent",
        confidence=1.0,
        content={},
        summary="System configuration",
    ),
    Wish(
        id=TERMS,
        type="semantic",
        subtype="terminology",
        scope="global",
        file="terminology.json",
        tags=("terminology", "glossary", "definitions"),
        priority="high",
        ttl="permanent",
        confidence=1.0,
        content={},
        summary="Terms and their definitions",
    ),
)
NAMES = tuple(name.removesuffix(".json") for names in PUBLISHED.values() for name in names)
"""The names of the documents: their file names without `.json`."""


def context_id(project: str) -> str:
    """Return the id of a project's context; it is the same on every branch."""
    digest = blake2b(f"project-context\n{project}".encode(), digest_size=16).digest()
    return memory_of(digest)


def context_wish(project: str) -> Wish:
    """Return the entry request for a project's document."""
    return Wish(
        id=context_id(project),
        type="factual",
        subtype="project-context",
        scope=f"project:{project}",
        file="context.json",
        tags=("project", "context"),
        priority="high",
        ttl="permanent",
        confidence=1.0,
        content={},
        summary=f"Context of the project {project}",
    )


def wishes_for(project: str | None) -> list[Wish]:
    """Return the entry requests for the documents of a session in a project, or in none."""
    return [*_GLOBAL, *([context_wish(project)] if project else [])]


def wish_at(scope: str, file: str) -> Wish | None:
    """Return the entry request for the document with this scope and file name, or None."""
    level, _, name = scope.partition(":")
    wishes = wishes_for(name if level == "project" else None)
    return next((one for one in wishes if (one.scope, one.file) == (scope, file)), None)


def documents_of(project: str | None) -> set[str]:
    """Return the ids of the memories that every session start loads."""
    return {PROFILE, CONFIG, TERMS, *([context_id(project)] if project else [])}


class LoadedDocument(Value):
    """One of the documents, as it is after the call."""

    name: str
    id: str
    path: str
    content: dict[str, Any]
    blank: bool
    """Whether it has no content yet, so that no session shows it."""
    changed: bool


def document(
    hive: HivemindWork,
    name: str,
    content: dict[str, Any] | str | None = None,
    *,
    project: str | None = None,
) -> LoadedDocument:
    """Return a document; if content is given, replace the document's content by it first.

    Args:
        hive: the protocol.
        name: user-profile, system-config, terminology or context.
        content: the new content; a text becomes `{"text": …}`.
        project: the project of `context`; by default the current one.
    """
    stem = str(name).removesuffix(".json")
    if stem not in NAMES:
        raise UsageError(f"no document {quoted(name)}", f"use {', '.join(NAMES)}")
    if content is None:
        return _shown_document(hive, stem, project)
    return _replaced_document(hive, stem, content_of(content), project)


def _request(hive: HivemindWork, name: str, project: str | None) -> Wish:
    named = owner(project_of(hive.core, project).id, "project")
    return next(one for one in wishes_for(named) if one.file == f"{name}.json")


@reads
def _shown_document(hive: HivemindWork, name: str, project: str | None) -> LoadedDocument:
    wish = _request(hive, name, project)
    memory = hive.held(wish)
    current = memory if memory is not None and memory.status == "active" else None
    content = {} if current is None else body_of(current)
    path = f"{folder_of(wish.scope)}/{wish.file}" if current is None else path_of(current)
    hive.core.told("hivemind.document", [] if current is None else [current.id])
    return LoadedDocument(
        name=name,
        id=str(wish.id) if current is None else current.id,
        path=path,
        content=content,
        blank=is_blank(content),
        changed=False,
    )


@writes
def _replaced_document(
    hive: HivemindWork, name: str, content: dict[str, Any], project: str | None
) -> LoadedDocument:
    wish = _request(hive, name, project)
    clean, _ = hive.core.clean(content)
    act, _ = hive.acting()
    memory = hive.held(wish)
    if memory is not None and memory.status != "active":
        hint = f"restore it: varves restore {memory.id}"
        raise Refused(f"{name} is no longer in use", hint)
    changed = memory is None or body_of(memory) != clean
    if memory is None:
        hive.enter(wish.replace(content=clean, summary=None), act)
    elif changed:
        values = recorded_content(clean)
        hive.core.flush(memory.scope)  # first, so that the files show current counters
        said = {"memory": memory.id, "set": values | {"body": values["body"] or {}}}
        with hive.core.deciding(memory.kept):
            hive.core.append(memory.kept, [act.draft(REVISED, said, memory.version)])
    return LoadedDocument(
        name=name,
        id=str(wish.id) if memory is None else memory.id,
        path=f"{folder_of(wish.scope)}/{wish.file}",
        content=clean,
        blank=is_blank(clean),
        changed=changed,
    )
