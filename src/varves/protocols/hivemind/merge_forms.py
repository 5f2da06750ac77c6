"""How git's merge driver merges the files of memories, and the indices."""

from __future__ import annotations

from varves.protocols.hivemind.tree import is_entry, is_index, is_published
from varves.protocols.threeway import (
    Form,
    Versions,
    counted,
    fields,
    joined,
    keep_ours,
    latest,
    parsed,
    settled_object,
    whole,
)
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RULE = fields(
    {
        "tags": joined,
        "references": joined,
        "access_count": counted,
        "last_accessed": latest,
        "updated_at": latest,
    },
    stamp="updated_at",
)


def _settled(versions: Versions) -> Versions:
    origin, ours, theirs = (
        parsed(one, _check) for one in (versions.origin, versions.ours, versions.theirs)
    )
    if ours.get("id") == theirs.get("id"):
        if origin.get("id") != ours.get("id"):  # git took the file of another memory for the base
            versions = versions.replace(origin=b"")
        return settled_object(versions, _RULE, check=_check)
    older = min(
        (_age(ours), versions.ours), (_age(theirs), versions.theirs)
    )  # two memories claim one name; the older has it
    return whole(older[1])


def _check(document: dict[str, Any]) -> None:
    named = isinstance(document.get("id"), str)
    if not named or not isinstance(document.get("content"), dict | str):
        raise Unreadable("it is not a memory's file")


def _age(document: dict[str, Any]) -> tuple[str, str]:
    return str(document.get("created_at")), str(document["id"])


def _is_memory(path: str) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0]
    return is_entry(path) and (is_memory_id(stem) or is_published(path))


_FOLDERS = tuple(
    f"memory/{level}/*{part}/"
    for level in ("projects", "teams", "agents")
    for part in ("", "/archive")
)
FORMS = (
    Form(
        patterns=(
            *(f"{folder}mem_*.json" for folder in _FOLDERS),
            "memory/projects/*/context.json",
        ),
        fits=_is_memory,
        settled=_settled,
    ),
    Form(
        patterns=tuple(f"{folder}_index*.json" for folder in _FOLDERS),
        fits=is_index,
        settled=keep_ours,
    ),
)
