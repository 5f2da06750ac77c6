"""The file format of a sidecar: the published keys in order, then any other keys.

A value that breaks the rules is accepted as a person wrote it: it is stored with the record,
together with unknown keys, and the file shows it unchanged.
"""

from __future__ import annotations

from varves.commands.intake import BLOB_BYTES
from varves.errors import VarvesError
from varves.protocols.excerpt import shortened
from varves.protocols.jsonfile import read_object, written
from varves.protocols.party.talk import RELATIONS, TYPES
from varves.protocols.port import FileRecord
from varves.protocols.unreadable import Unreadable
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
KEYS = ("type", "content", "source_session", "confidence")
DECISION = ("dr_id", "role", "position", "outcome")
WHOLE = ""
"""The key for the parts of a sidecar outside its memories; no memory has it."""
SENSITIVE = "sensitive"
_DAY = 10  # length of the date in an instant
_SECOND = 19


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


def seconds(moment: str) -> str:
    """Format an instant of the core as the files do, without milliseconds."""
    return f"{moment[:_SECOND]}Z"


def day(moment: str) -> str:
    """Return the ISO date of an instant."""
    return moment[:_DAY]


# A memory in the file


def shown(memory: Memory) -> str:
    """Return a memory's content for its sidecar: as found in the file, or shortened."""
    content = memory.extra.get("content")
    return content if isinstance(content, str) and content else shortened(memory.text)


def line(memory: Memory) -> dict[str, Any]:
    """Return a memory as its sidecar shows it."""
    unknown = memory.extra.get("unknown")
    unknown = unknown if isinstance(unknown, dict) else {}
    made = {
        "type": memory.type,
        "content": shown(memory),
        "source_session": memory.extra.get("source_session", day(memory.created_at)),
        "confidence": memory.confidence,
    }
    made |= {key: unknown[key] for key in KEYS if key in unknown}
    return made | {key: part for key, part in unknown.items() if key not in KEYS}


def record(content: dict[str, Any], today: str) -> dict[str, Any]:
    """Return the fields of a record from a memory of a file.

    Invalid values and unknown keys are returned under `unknown`.
    """
    unknown = {key: part for key, part in content.items() if key not in KEYS}
    text = content["content"]
    said: dict[str, Any] = {"text": text}
    if shortened(text) != text:
        said["content"] = text
    for key, fits, otherwise in (
        ("type", _is_word, "observation"),
        ("source_session", _is_word, today),
        ("confidence", _is_unit, None),
    ):
        part: Any = content.get(key)
        if fits(part):
            said[key] = float(part) if key == "confidence" else part
        else:
            said[key] = otherwise
            if key in content:
                unknown[key] = part
    if "confidence" not in content:
        said["confidence"] = 0.5
    return said | {"unknown": unknown}


def _is_word(part: Any) -> bool:
    return isinstance(part, str) and bool(part.strip())


def _is_unit(part: Any) -> bool:
    return isinstance(part, (int, float)) and not isinstance(part, bool) and 0 <= part <= 1


def is_date(part: Any) -> bool:
    """Return whether a value begins with an ISO date, alone or as part of a session's name."""
    if not isinstance(part, str) or part[_DAY : _DAY + 1] not in ("", "-", "T"):
        return False
    try:
        instant(part[:_DAY])
    except (VarvesError, ValueError, OverflowError):
        return False
    return True


def faults(content: dict[str, Any], options: PartyOptions) -> list[tuple[str, str]]:
    """Return the keys of a file's memory that break the rules, each with the problem."""
    found = []
    if content.get("type") not in TYPES:
        found.append(("type", f"type is not one of {', '.join(TYPES)}"))
    said = content.get("content")
    if not isinstance(said, str) or not said.strip():
        found.append(("content", "content is blank"))
    elif len(said) > options.content_chars:
        most = options.content_chars
        found.append(("length", f"content has {len(said)} characters, more than {most}"))
    if not is_date(content.get("source_session")):
        found.append(("source_session", "source_session is not an ISO date"))
    if not _is_unit(content.get("confidence")) or content["confidence"] < options.floor:
        found.append(("confidence", f"confidence is not a number from {options.floor} to 1.0"))
    return found


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
    memories = document.pop("memories", None)
    if not isinstance(memories, list):
        raise Unreadable("memories is not a list")
    for place, one in enumerate(memories, 1):
        if not isinstance(one, dict) or not isinstance(one.get("content"), str):
            raise Unreadable(f"memory {place} is not an object whose content is text")
        if len(one["content"].encode()) > BLOB_BYTES:
            raise Unreadable(f"the content of memory {place} is longer than 8 MiB")
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
