"""The file format of a sidecar: the published keys in order, then any other keys.

A value that breaks the rules is accepted as a person wrote it: it is stored with the record,
together with unknown keys, and the file shows it unchanged.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.protocols.excerpt import shortened
from varves.protocols.jsonfile import read_object, written
from varves.protocols.party.talk import RELATIONS, TYPES
from varves.protocols.port import FileRecord
from varves.protocols.records import (
    PublishedField,
    RecordTable,
    is_unit,
    is_word,
    listed,
    one_of,
    only,
    unit,
    unless,
)
from varves.values.instants import instant
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.protocols.party.options import PartyOptions
    from varves.values.memory import Memory

FOLDER = "_mdan/state/sidecars"
SUFFIX = ".sidecar.json"
STATE = "_mdan/state/MDAN-STATE.json"
HEAD = (
    *("agent", "displayName", "created_at", "last_updated", "sessions_participated"),
    *("relationships", "decision_history"),
)
DECISION = ("dr_id", "role", "position", "outcome")
WHOLE = ""
"""The key for the parts of a sidecar outside its memories; no memory has it."""
SENSITIVE = "sensitive"
_DAY = 10  # length of the date in an instant


class Sheet(Value):
    """The content of one agent's sidecar."""

    agent: str
    display_name: str
    created_at: str
    last_updated: str
    sessions: int = 0
    relationships: dict[str, Any]
    decisions: tuple[Any, ...] = ()
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    memories: tuple[Memory, ...] = ()


def path_of(agent: str) -> str:
    """Return the path of an agent's sidecar."""
    return f"{FOLDER}/{agent}{SUFFIX}"


def agent_in(path: str) -> str | None:
    """Return the agent that owns a sidecar; None if the file is not a sidecar."""
    folder, _, file = path.rpartition("/")
    if folder != FOLDER or not file.endswith(SUFFIX):
        return None
    try:
        return safe_name(file.removesuffix(SUFFIX), "agent")
    except VarvesError:
        return None


def scope_of(agent: str) -> str:
    """Return the scope of an agent's memories."""
    return f"agent:{agent}"


def day(moment: str) -> str:
    """Return the ISO date of an instant."""
    return moment[:_DAY]


# A memory in the file


def shown(memory: Memory) -> str:
    """Return a memory's content for its sidecar: as found in the file, or shortened."""
    content = memory.extra.get("content")
    return content if isinstance(content, str) and content else shortened(memory.text)


def is_date(part: Any) -> bool:
    """Return whether a value begins with an ISO date, alone or as part of a session's name."""
    if not isinstance(part, str) or part[_DAY : _DAY + 1] not in ("", "-", "T"):
        return False
    try:
        instant(part[:_DAY])
    except (VarvesError, ValueError, OverflowError):
        return False
    return True


def _length(content: Any, options: PartyOptions) -> str:
    most = options.content_chars
    if not isinstance(content, str) or len(content) <= most:
        return ""
    return f"content has {len(content)} characters, more than {most}"


def _level(confidence: Any, options: PartyOptions) -> str:
    if is_unit(confidence) and confidence >= options.floor:
        return ""
    return f"confidence is not a number from {options.floor} to 1.0"


MEMORY = RecordTable(
    PublishedField(
        key="type",
        name="type",
        read=only(is_word),
        default="observation",
        faults=(("S0-17", one_of("type", TYPES)),),
    ),
    PublishedField(
        key="content",
        name="text",
        faults=(("S0-19", unless(is_word, "content is blank")), ("S0-18", _length)),
    ),
    PublishedField(
        key="source_session",
        name="source_session",
        read=only(is_word),
        faults=(("S0-20", unless(is_date, "source_session is not an ISO date")),),
    ),
    PublishedField(
        key="confidence",
        name="confidence",
        read=unit,
        default=None,
        faults=(("S0-21", _level),),
    ),
    rule="S0-26",
)


def line(memory: Memory) -> dict[str, Any]:
    """Return a memory as its sidecar shows it."""
    given = {"content": shown(memory)}
    if "source_session" not in memory.extra:
        given["source_session"] = day(memory.created_at)
    return MEMORY.encode(memory, given)


def record(content: dict[str, Any], today: str) -> dict[str, Any]:
    """Return the fields of a record from a memory of a file.

    Invalid values and unknown keys are returned under `unknown`.
    """
    found = MEMORY.decode({"confidence": 0.5, **content}, source_session=today)
    text = content["content"]
    more = {"content": text} if shortened(text) != text else {}
    return {**found.said, **more, "unknown": found.unknown}


# The file


def encoded(sheet: Sheet) -> bytes:
    """Return a sidecar's bytes."""
    unknown = sheet.unknown
    first = {key: unknown[key] for key in unknown if key.startswith("$")}
    document = {
        **first,
        "agent": sheet.agent,
        "displayName": sheet.display_name,
        "created_at": sheet.created_at,
        "last_updated": sheet.last_updated,
        "sessions_participated": sheet.sessions,
        "memories": [line(memory) for memory in sheet.memories],
        "relationships": sheet.relationships,
        "decision_history": [_in_order(one) for one in sheet.decisions],
        **{key: unknown[key] for key in unknown if key not in first},
    }
    return written(document)


def _in_order(decision: dict[str, Any]) -> dict[str, Any]:
    """Return a decision with its published keys first."""
    first = {key: decision[key] for key in DECISION if key in decision}
    return first | decision


def parse(content: bytes) -> list[FileRecord]:
    """Read a sidecar: the parts outside its memories, and each memory.

    Raises:
        Unreadable: the format is wrong, or rewriting the file would lose some content.
    """
    document = read_object(content)
    memories = listed(document, "memories", "memory")
    del document["memories"]
    keys = keys_of(one["content"] for one in memories)
    lines = (FileRecord(key=key, content=one) for key, one in zip(keys, memories, strict=True))
    return [FileRecord(key=WHOLE, content=document), *lines]


def keys_of(contents: Iterable[str]) -> list[str]:
    """Return the keys of memories in file order: a digest, and a number among equal ones."""
    from hashlib import sha256

    seen: dict[str, int] = {}
    keys = []
    for content in contents:
        digest = sha256(content.encode()).hexdigest()[:24]
        seen[digest] = seen.get(digest, -1) + 1
        keys.append(f"~{digest}:{seen[digest]}")
    return keys


def blank() -> dict[str, Any]:
    """Return the relationships of an agent that has none."""
    return {relation: [] for relation in RELATIONS}
