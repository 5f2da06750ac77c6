"""The document in a memory's file: the published keys, in their order.

The links of a record are its history: a restored memory keeps the link to what once superseded it,
and after a merge of two branches two memories may have superseded the same one. A file shows the
present. As long as a memory is out of use, it is superseded by the last memory that replaced it,
and by no other.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring

from varves.protocols.hivemind.entries import SUBTYPES, TYPES, body_of
from varves.protocols.hivemind.lifetimes import shown, shown_ttl
from varves.protocols.hivemind.tree import FULL, LIVE
from varves.protocols.hivemind.wording import in_order, statement_of, summary_of
from varves.values.instants import PERMANENT
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.port import Counts
    from varves.values.memory import Memory
    from varves.values.outline import Outline

    Find = Callable[[str], Memory | None]
    """Returns a memory by id."""

SUPERSEDES, SUPERSEDED_BY = "supersedes", "superseded_by"


class Succession(Value):
    """Which memories a memory supersedes now, and which one supersedes it."""

    supersedes: tuple[str, ...]
    """The oldest link first."""
    superseded_by: str | None
    formerly: tuple[str, ...]
    """The retired memories that another memory superseded later."""


def succession(memory: Memory, find: Find) -> Succession:
    """Return the links of a memory that are true now.

    Only memories of the same scope and log are looked up: a file must not depend on a scope that
    may be stored elsewhere. A link to any other memory is shown as recorded.
    """
    by = _last(memory)
    holds, formerly = [], []
    for name in memory.links.get(SUPERSEDES, ()):
        other = find(name)
        near = other is not None and (other.scope, other.kept) == (memory.scope, memory.kept)
        if other is None or not near:
            holds += [name] if name != by else []
        elif _last(other) == memory.id:
            holds.append(name)
        elif _last(other) is not None:
            formerly.append(name)
    return Succession(supersedes=tuple(holds), superseded_by=by, formerly=tuple(formerly))


def _last(memory: Memory) -> str | None:
    """Return the memory that last superseded a retired memory."""
    names = () if memory.status in LIVE else memory.links.get(SUPERSEDED_BY, ())
    return names[-1] if names else None


KEYS = (
    *("id", "type", "subtype", "created_by", "created_at", "updated_at", "scope", "scope_id"),
    *("tags", "priority", "ttl", "content", "references", "confidence", "access_count"),
    *("last_accessed", "supersedes", "superseded_by"),
)
RELATIONS = {
    "references": "references",
    "derived_from": "derived_from",
    "merged_from": "derived_from",
    "promoted_from": "derived_from",
    "promoted_to": "related_to",
    "related_to": "related_to",
    "view_of": "derived_from",
}
"""The name of each link in `references`, by its name in the record."""
_EXCERPT = 4000


def entry(
    memory: Memory, counts: Counts, options: HivemindOptions, *, find: Find, whole: bool = False
) -> dict[str, Any]:
    """Return the document of a memory; content that is too long is shortened unless `whole`.

    `find` returns a memory by id; it is used to check that links are current.
    """
    read, last = counted(memory, counts)
    level, _, name = memory.scope.partition(":")
    content = body_of(memory)
    if memory.extra.get("subtype") == "error":
        content = in_order(content)
    long = is_long(content, options)
    if long and not whole:
        content = shortened(content, options)
    links = succession(memory, find)
    document: dict[str, Any] = {
        "id": memory.id,
        "type": kind_of(memory),
        "subtype": memory.extra.get("subtype") or SUBTYPES.get(kind_of(memory), "fact"),
        "created_by": memory.created_by,
        "created_at": shown(memory.created_at),
        "updated_at": shown(max(memory.updated_at, memory.created_at)),
        "scope": level,
        "scope_id": name or None,
        "tags": list(memory.tags),
        "priority": memory.priority or "medium",
        "ttl": shown_ttl(memory.ttl) if memory.ttl else PERMANENT,
        "content": content,
        "references": references(memory, links, long=long and not whole),
        "confidence": confidence_of(memory, options),
        "access_count": read,
        "last_accessed": shown(last) if last else None,
    }
    if links.supersedes:
        document[SUPERSEDES] = links.supersedes[-1]
    if links.superseded_by is not None:
        document[SUPERSEDED_BY] = links.superseded_by
    unknown = memory.extra.get("unknown")
    if isinstance(unknown, dict):
        document.update({key: part for key, part in unknown.items() if key not in KEYS})
    return document


def counted(memory: Memory, counts: Counts) -> tuple[int, str]:
    """Return how often a memory and those merged into it were read, and when last."""
    names = (memory.id, *memory.links.get("merged_from", ()))
    found = [counts[name] for name in names if name in counts]
    return sum(count for count, _ in found), max((last for _, last in found), default="")


def confidence_of(memory: Memory, options: HivemindOptions) -> float:
    """Return the confidence of an entry, or the default if it has none."""
    return options.default_confidence if memory.confidence is None else memory.confidence


def kind_of(memory: Memory | Outline) -> str:
    """Return the type of a memory as the protocol names it."""
    kind = memory.nature if memory.type == "note" and memory.nature in TYPES else memory.type
    return str(kind)


def references(memory: Memory, links: Succession, *, long: bool) -> list[dict[str, Any]]:
    """Return the references of a memory: those given, then those derived from its links."""
    given = memory.extra.get("references")
    found = list(given) if isinstance(given, list) else []
    derived = derived_references(memory, links, long=long)
    return [*found, *(one for one in derived if one not in found)]


def derived_references(
    memory: Memory, links: Succession, *, long: bool = True
) -> list[dict[str, Any]]:
    """Return the references that are derived from links and from the length of the content."""
    found = []
    for link, ids in memory.links.items():
        if link in RELATIONS:
            found += [{"type": "memory", "id": one, "relationship": RELATIONS[link]} for one in ids]
        elif link == SUPERSEDES:  # the newest has a separate key
            earlier = (*links.formerly, *links.supersedes[:-1])
            found += [{"type": "memory", "id": one, "relationship": link} for one in earlier]
    if long:
        found.append({"type": "file", "id": f"{memory.id}{FULL}", "relationship": "part_of"})
    return found


def is_long(content: dict[str, Any], options: HivemindOptions) -> bool:
    """Return whether content is too long for its file."""
    return len(_bytes(content)) > options.content_bytes


def shortened(content: dict[str, Any], options: HivemindOptions) -> dict[str, Any]:
    """Return the summary and the beginning of some content, within the size limit."""
    said, room = statement_of(content), min(_EXCERPT, options.content_bytes)
    while True:
        short = {"summary": summary_of(content), "excerpt": said[:room].rstrip(), "shortened": True}
        if room == 0 or len(_bytes(short)) < options.content_bytes:
            return short
        room //= 2


def _bytes(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def encoded(document: Any) -> bytes:
    """Encode a document as its file contains it: UTF-8, two spaces, a final newline."""
    try:
        return (_laid_out(document, "\n") + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(document, indent=2) + "\n").encode("ascii")


def _laid_out(part: Any, line: str) -> str:
    """Format like `json.dumps` with two spaces, but faster, because an index may be long."""
    if isinstance(part, str):
        return encode_basestring(part)
    within = line + "  "
    if isinstance(part, dict) and part:
        parts = [
            f"{encode_basestring(key)}:"
            f" {encode_basestring(one) if type(one) is str else _laid_out(one, within)}"
            for key, one in part.items()
        ]
        return f"{{{within}{f',{within}'.join(parts)}{line}}}"
    if isinstance(part, (list, tuple)) and part:
        parts = [
            encode_basestring(one) if type(one) is str else _laid_out(one, within) for one in part
        ]
        return f"[{within}{f',{within}'.join(parts)}{line}]"
    return json.dumps(part)
