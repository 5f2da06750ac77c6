"""The faults of the sidecars: each finding names the published rule that is broken."""

from __future__ import annotations

from varves.protocols.jsonfile import finding, read_or_report
from varves.protocols.marks import marked
from varves.protocols.party.sidecars import (
    HEAD,
    MEMORY,
    STATE,
    agent_in,
    path_of,
)
from varves.protocols.party.state_file import KEY, document, patched, unmade
from varves.protocols.party.talk import RELATIONS
from varves.protocols.unreadable import Unreadable
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sidecars import Sheet
    from varves.protocols.port import Core

_EDIT = "edit the file; the next verb adopts the edit"
_REBUILD = "varves rebuild"
_ABSENT = f"bring the file back, or remove its entry from {STATE}"
_OTHERS = "resolve the parts that both sides changed by hand, then run varves rebuild"


def faults(core: Core, options: PartyOptions, sheets: Mapping[str, Sheet]) -> tuple[Finding, ...]:
    """Return the problems in the protocol's current files."""
    found: list[Finding] = []
    files = core.files()
    for path in sorted(files):
        agent = agent_in(path)
        if agent is not None:
            found += _file(path, files[path], agent, options)
    for agent in sheets:
        if path_of(agent) not in files:
            message = "the sidecar is missing"
            found.append(Finding(rule="S0-02", place=path_of(agent), message=message, fix=_REBUILD))
    raw = core.tree.read(STATE)
    for path in unmade(raw, sheets):
        message = f"{STATE} lists it, but it is missing"
        found.append(Finding(rule="S0-48", place=path, message=message, fix=_ABSENT))
    edited = {agent_in(path) for path, _ in core.unrecorded}
    listed = {
        agent: _as_listed(sheet, files.get(path_of(agent))) if agent in edited else sheet
        for agent, sheet in sheets.items()
    }
    return (*found, *_state(raw, listed))


def _as_listed(sheet: Sheet, raw: bytes | None) -> Sheet:
    """Return an edited sidecar with the time of its last save, as the state file lists it.

    The edit itself gets its time when a verb records it.
    """
    document = None if raw is None else read_or_report(path_of(sheet.agent), raw, "S0-37")
    saved = document.get("last_updated") if isinstance(document, dict) else None
    return sheet.replace(last_updated=saved) if isinstance(saved, str) else sheet


def _file(path: str, raw: bytes, agent: str, options: PartyOptions) -> Iterator[Finding]:
    document = read_or_report(path, raw, "S0-37")
    if isinstance(document, Finding):
        yield document
        return
    memories = document.get("memories")
    if not isinstance(memories, list):
        yield Finding(rule="S0-10", place=path, message="memories is not a list", fix=_EDIT)
        return
    missing = [key for key in HEAD if key not in document]
    if missing:
        message = f"without {', '.join(missing)}"
        yield Finding(rule="S0-10", place=path, message=message, fix=_EDIT)
    if document.get("agent", agent) != agent:
        message = "agent does not match the file's name"
        yield Finding(rule="S0-02", place=f"{path}: agent", message=message, fix=_EDIT)
    for place, one in enumerate(memories):
        own = MEMORY.faults(one, options) if isinstance(one, dict) else ()
        for rule, message in (*MEMORY.missing(one), *own):
            where = f"{path}: memories[{place}]"
            yield Finding(rule=rule, place=where, message=message, fix=_EDIT)
    if len(memories) > options.cap:
        message = f"{len(memories)} memories, more than {options.cap}; the next end prunes them"
        yield Finding(rule="S0-31", place=path, message=message, fix="varves party end")
    yield from _relationships(path, document.get("relationships"), agent)


def _relationships(path: str, part: Any, agent: str) -> Iterator[Finding]:
    where = f"{path}: relationships"
    if not isinstance(part, dict) or any(relation not in part for relation in RELATIONS):
        message = f"not an object with {', '.join(RELATIONS)}"
        yield Finding(rule="S0-10", place=where, message=message, fix=_EDIT)
        return
    for relation, names in part.items():
        place = f"{where}.{relation}"
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            yield Finding(rule="S0-35", place=place, message="not a list of names", fix=_EDIT)
        elif agent in names or len(set(names)) < len(names):
            message = "names the agent itself, or another twice"
            yield Finding(rule="S0-35", place=place, message=message, fix=_EDIT)


def _state(raw: bytes | None, sheets: Mapping[str, Sheet]) -> Iterator[Finding]:
    try:
        if raw is not None and not sheets:
            document(raw)
        elif sheets and patched(raw, sheets.values()) != raw:
            message = f"{KEY} does not match the sidecars"
            yield Finding(rule="S0-47", place=STATE, message=message, fix=_REBUILD)
    except Unreadable as fault:
        found = marked(STATE, raw or b"", "S0-49")
        if found is not None:  # in other parts; `patched` resolves this protocol's part
            yield found.replace(fix=_OTHERS)
        else:
            yield finding("S0-49", STATE, fault)
