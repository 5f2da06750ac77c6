"""The documents that every session start loads: three global ones, and the project's.

Each has a published file name and a fixed id, so that every clone and branch means the same one.
"""

from __future__ import annotations

from hashlib import blake2b

from varves.protocols.hivemind.entries import Wish
from varves.protocols.hivemind.tree import PUBLISHED
from varves.values.ids import memory_of

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
