"""Checks the files against the published rules; breaches are reported, never fixed.

An entry is checked by itself and against its folder, an index by itself and against the folder's
files.
"""

from __future__ import annotations

import json

from varves.errors import VarvesError
from varves.protocols.hivemind.creators import is_creator
from varves.protocols.hivemind.documents import KEYS, SUPERSEDED_BY, SUPERSEDES
from varves.protocols.hivemind.entries import TYPES, is_kebab
from varves.protocols.hivemind.foreign import KINDS
from varves.protocols.hivemind.lifetimes import expires
from varves.protocols.hivemind.loaded import wish_at
from varves.protocols.hivemind.options import HivemindOptions
from varves.protocols.hivemind.tree import (
    FULL,
    LIVE,
    SESSION_INDEX,
    is_entry,
    is_index,
    is_published,
    is_session,
    is_written_here,
    path_of,
    place_of,
)
from varves.protocols.jsonfile import MEND, read_or_report
from varves.protocols.port import reads
from varves.protocols.records import is_count, is_unit
from varves.values.answers import Finding
from varves.values.ids import is_memory_id
from varves.values.instants import instant
from varves.values.memory import PRIORITIES
from varves.values.text import counted, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.memory import Memory

    Breach = tuple[str, str, str]  # the rule, the place in the file, the message

INDEX_KEYS = ("version", "last_updated", "entry_count", "entries", "tag_index", "type_index")
LINE_KEYS = (
    *("id", "type", "subtype", "tags", "summary", "priority", "created_at"),
    "file_path",
)
_VERSION = "1.0.0"
_ABSENT = "is missing"
_GONE = "cannot be found; the log has them"
_MAYBE = (SUPERSEDES, SUPERSEDED_BY)
_RENDER = (
    "fix the JSON by hand, or delete the file: the next write renders it from the log; until then"
    " it is not overwritten"
)
_EDIT = "edit the file; the next command records the edit"
_MAKE = "`varves rebuild` writes it again"
_REMAKE = "`varves rebuild` writes it again from the log, and sets this one aside"


@reads
def validate(hive: HivemindWork) -> tuple[Finding, ...]:
    """Return the breaches in the protocol's files."""
    files = hive.core.files()
    lost = _lost(hive.core.memories(statuses=LIVE, lean=True), files)
    return (*lost, *findings(files, hive.options))


def _lost(memories: Iterable[Memory], files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Report the folders that are gone, although the project's log has current entries of them."""
    gone: dict[str, int] = {}
    for one in memories:
        path = path_of(one)
        folder = path.rpartition("/")[0]
        if one.kept == "project" and not {path, f"{folder}/_index.json"} & files.keys():
            gone[folder] = gone.get(folder, 0) + 1
    for folder, count in sorted(gone.items()):
        message = f"the {'file' if count == 1 else 'files'} of {counted(count, 'entry')} {_GONE}"
        yield Finding(rule="S3-03", place=folder, message=message, fix=_MAKE)


def findings(
    files: Mapping[str, bytes], known: HivemindOptions | None = None
) -> tuple[Finding, ...]:
    """Return the breaches in files, given by path; files of other protocols are skipped."""
    known = known or HivemindOptions()
    read: dict[str, Any] = {}
    found: list[Finding] = []
    for path in sorted(files):
        if not (is_entry(path) or is_index(path) or is_session(path)):
            continue
        one = read_or_report(path, files[path], "U-11")
        if isinstance(one, Finding):
            anew = _REMAKE if is_index(path) else _RENDER
            found.append(one.replace(fix=anew) if one.fix == MEND else one)
        read[path] = None if isinstance(one, Finding) else one
    for path, document in read.items():
        if document is None:
            continue
        fix = _MAKE if is_index(path) else _RENDER if is_session(path) else _EDIT
        for rule, place, message in _breaches(path, document, read, known):
            where = f"{path}: {place}" if place else path
            found.append(Finding(rule=rule, place=where, message=message, fix=fix))
    found += [*_folders(read), *_twice(read), *_links(read)]
    return tuple(sorted(found, key=lambda one: (one.place, one.rule)))


def _breaches(
    path: str, document: dict[str, Any], read: Mapping[str, Any], known: HivemindOptions
) -> Iterator[Breach]:
    if is_session(path):
        if not isinstance(document.get("session_id"), str):
            yield "S3-18", "session_id", "a session without an id"
    elif path == SESSION_INDEX:
        return
    elif is_index(path):
        yield from _index(path, document, read, known)
    else:
        yield from _entry(path, document, known)


# Entries


def _entry(path: str, document: dict[str, Any], known: HivemindOptions) -> Iterator[Breach]:
    place = place_of(path)
    if place is not None and "content" not in document and wish_at(place[0], place[2]):
        yield "S3-05", "content", "missing: an older shape, which the next write converts"
        return
    if _is_foreign(path, document):
        return
    for key in KEYS:
        if key in document:
            yield from _key(key, document[key], known)
        elif key not in _MAYBE:
            yield "S3-05", key, "missing"
    yield from _times(document)
    yield from _place(path, document)
    size = len(json.dumps(document.get("content"), ensure_ascii=False).encode("utf-8", "replace"))
    if size > known.content_bytes and not path.endswith(FULL):
        yield "S3-108", "content", f"{size} bytes, more than {known.content_bytes}"


def _is_foreign(path: str, document: Any) -> bool:
    """Return whether a file in a scope's folder is another tool's, with another structure."""
    if not isinstance(document, dict) or is_published(path):
        return False
    return "content" not in document and not isinstance(document.get("id"), str)


def _key(key: str, value: Any, known: HivemindOptions) -> Iterator[Breach]:
    """Check one key of an entry."""
    rules: dict[str, tuple[str, bool, str]] = {
        "id": ("S3-71", _is_id(value), "not mem_ followed by twelve characters of a-z0-9"),
        "type": ("S3-06", value in TYPES, f"not one of {', '.join(TYPES)}"),
        "subtype": ("S3-07", isinstance(value, str) and is_kebab(value), "not in kebab case"),
        "created_by": (
            "S3-08",
            isinstance(value, str) and (known.any_actor or is_creator(value)),
            "neither an agent such as DEV-001 nor COORDINATOR, SYSTEM or USER",
        ),
        "tags": ("S3-11", _are_tags(value), "not a list of distinct words in lower case"),
        "priority": ("S3-12", value in PRIORITIES, f"not one of {', '.join(PRIORITIES)}"),
        "ttl": ("S3-13", _is_ttl(value), "neither permanent nor an ISO 8601 duration"),
        "content": ("S3-14", isinstance(value, dict), "not an object"),
        "references": ("S3-15", _are_references(value), "not a list of links with type and id"),
        "confidence": ("S3-16", is_unit(value), "not a number from 0 to 1"),
        "access_count": ("S3-17", is_count(value), "not a whole number of 0 or more"),
        "last_accessed": ("S3-17", value is None or _ms(value) is not None, "not a valid time"),
        "supersedes": ("S3-50", value is None or _is_id(value), "not the id of a memory"),
        "superseded_by": ("S3-50", value is None or _is_id(value), "not the id of a memory"),
    }
    rule, kept, message = rules.get(key, ("", True, ""))
    if not kept:
        yield (
            rule,
            key,
            message if isinstance(value, (dict, list)) else f"{message}: {quoted(value)}",
        )


def _times(document: dict[str, Any]) -> Iterator[Breach]:
    times = {key: _ms(document.get(key)) for key in ("created_at", "updated_at")}
    for key, ms in times.items():
        if ms is None and key in document:
            yield "S3-09", key, "not a time in ISO 8601"
    created, updated = times.values()
    if created is not None and updated is not None and updated < created:
        yield "S3-09", "updated_at", "before created_at"


def _place(path: str, document: dict[str, Any]) -> Iterator[Breach]:
    place = place_of(path)
    level, name = document.get("scope"), document.get("scope_id")
    stated = level if name is None else f"{level}:{name}"
    if place is not None and "scope" in document and stated != place[0]:
        yield "S3-10", "scope", f"{quoted(stated)} in the folder of {place[0]}"


def _twice(read: Mapping[str, Any]) -> Iterator[Finding]:
    """Report an id that occurs in several files, in any scope or in the archive."""
    first: dict[str, str] = {}
    for path, document in read.items():
        if is_entry(path) and not path.endswith(FULL) and isinstance(document, dict):
            name = document.get("id")
            held = first.setdefault(name, path) if isinstance(name, str) else path
            if held != path:
                message = f"{quoted(name)} is also in {held}"
                yield Finding(rule="S3-72", place=f"{path}: id", message=message, fix=_EDIT)


def _links(read: Mapping[str, Any]) -> Iterator[Finding]:
    """Report a `supersedes` or `superseded_by` link that the linked memory does not return."""
    entries: dict[tuple[str, Any], dict[str, Any]] = {}
    paths: dict[tuple[str, Any], str] = {}
    for path, document in read.items():
        place = place_of(path)
        if place and is_entry(path) and isinstance(document, dict) and not path.endswith(FULL):
            key = (place[0], document.get("id"))
            if isinstance(key[1], str):
                entries[key], paths[key] = document, path
    for (scope, name), document in entries.items():
        for link, back in ((SUPERSEDES, SUPERSEDED_BY), (SUPERSEDED_BY, SUPERSEDES)):
            key = (scope, document.get(link))
            if (
                isinstance(key[1], str)
                and key in entries
                and name not in _linked(entries[key], back)
            ):
                message = f"does not name {name}, which names it in {link}"
                where = f"{paths[key]}: {back}"
                yield Finding(rule="S3-50", place=where, message=message, fix=_MAKE)


def _linked(document: dict[str, Any], link: str) -> list[Any]:
    """Return the ids that an entry links to: the newest is in a key, earlier ones in references."""
    references = document.get("references")
    found = [
        one.get("id")
        for one in (references if isinstance(references, list) else ())
        if isinstance(one, dict) and one.get("relationship") == link
    ]
    return [document.get(link), *found]


# Indices


def _index(
    path: str, document: dict[str, Any], read: Mapping[str, Any], known: HivemindOptions
) -> Iterator[Breach]:
    folder, _, name = path.rpartition("/")
    whole = name == "_index.json"
    for key in INDEX_KEYS if whole else ("version", "entries"):
        if key not in document:
            yield "S3-74", key, "missing"
    if document.get("version", _VERSION) != _VERSION:
        yield "S3-74", "version", f"not {_VERSION}"
    if "last_updated" in document and _ms(document["last_updated"]) is None:
        yield "S3-74", "last_updated", "not a time in ISO 8601"
    lines = document.get("entries")
    if not isinstance(lines, list):
        yield from [("S3-74", "entries", "not a list")] if "entries" in document else []
        return
    if len(lines) >= known.split_at:
        yield (
            "S3-107",
            "entries",
            f"{len(lines)} entries; there must be fewer than {known.split_at}",
        )
    for number, line in enumerate(lines):
        for rule, message in _line(line, folder, read):
            yield rule, f"entries[{number}]", message
    if whole:
        yield from _sums(folder, document, read)


def _sums(folder: str, document: dict[str, Any], read: Mapping[str, Any]) -> Iterator[Breach]:
    """Compare the counts and tables of an index with the entries in all of its files."""
    lines = list(document["entries"])
    parts = document.get("parts")
    for part in parts if isinstance(parts, list) else ():
        other = read.get(f"{folder}/{part}")
        if not isinstance(other, dict) or not isinstance(other.get("entries"), list):
            broken = f"{folder}/{part}" in read
            yield "S3-107", "parts", f"{quoted(part)} {'cannot be read' if broken else _ABSENT}"
        else:
            lines += other["entries"]
    yield from _tables(document, [line for line in lines if isinstance(line, dict)])
    if "entry_count" in document and document["entry_count"] != len(lines):
        said = quoted(document["entry_count"])
        yield "S3-77", "entry_count", f"{said}, but {len(lines)} are listed"


def _line(line: Any, folder: str, read: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not isinstance(line, dict):
        yield "S3-75", "not an object"
        return
    if missing := [key for key in LINE_KEYS if key not in line]:
        yield "S3-75", f"without {', '.join(missing)}"
    if "file_path" not in missing:
        path = f"{folder}/{line['file_path']}"
        entry = read.get(path)
        if not isinstance(entry, dict):
            if path not in read:  # an unreadable file is a separate finding
                yield "S3-75", f"{quoted(line['file_path'])} {_ABSENT}"
            return
        for key in ("id", "type", "subtype", "tags", "priority", "created_at"):
            if key in line and key in entry and line[key] != entry[key]:
                yield "S3-75", f"{key} differs from {line['file_path']}"
    summary = line.get("summary", "")
    if not isinstance(summary, str) or len(summary) > 200 or "\n" in summary:
        yield "S3-78", "the summary is not one line of at most 200 characters"


def _tables(document: dict[str, Any], lines: list[dict[str, Any]]) -> Iterator[Breach]:
    """Compare both look-up tables with the entries."""
    for table, key in (("tag_index", "tags"), ("type_index", "type")):
        meant: dict[str, set[str]] = {}
        for line in lines:
            words = line.get(key)
            for word in words if isinstance(words, list) else [words]:
                meant.setdefault(str(word), set()).add(str(line.get("id")))
        said = document.get(table)
        if table in document and not isinstance(said, dict):
            yield "S3-76", table, "not an object"
        elif isinstance(said, dict):
            for word in sorted(meant.keys() | said.keys()):
                ids = said.get(word, [])
                listed = set(map(str, ids)) if isinstance(ids, list) else set()
                if listed != meant.get(word, set()):
                    yield "S3-76", f"{table}[{quoted(word)}]", "not the ids of its entries"


def _folders(read: Mapping[str, Any]) -> Iterator[Finding]:
    """Report folders without an index, and files that their index does not list."""
    listed: dict[str, set[str]] = {}
    unread = {path.rpartition("/")[0] for path in read if is_index(path) and read[path] is None}
    for path, document in read.items():
        if is_index(path):
            lines = document.get("entries") if isinstance(document, dict) else None
            names = listed.setdefault(path.rpartition("/")[0], set())
            for line in lines if isinstance(lines, list) else ():
                names.add(str(line.get("file_path")) if isinstance(line, dict) else "")
    bare: set[str] = set()
    for path in read:
        folder, _, name = path.rpartition("/")
        if not is_entry(path) or name.endswith(FULL) or _is_foreign(path, read[path]):
            continue
        if not is_written_here(path):
            continue  # the next write moves it
        if folder not in listed:
            bare.add(folder)
        elif name not in listed[folder] and folder not in unread:
            message = "its folder's index does not list it"
            yield Finding(rule="S3-75", place=path, message=message, fix=_MAKE)
    for folder in sorted(bare):
        yield Finding(rule="S3-73", place=folder, message="no _index.json", fix=_MAKE)


# Values


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and is_memory_id(value)


def _are_tags(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(tag, str) and tag == tag.lower() for tag in value)
        and len(set(value)) == len(value)
    )


def _are_references(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and isinstance(one.get("id"), str) and one.get("type") in KINDS
        for one in value
    )


def _is_ttl(value: Any) -> bool:
    try:
        expires(value, 0)
    except VarvesError:
        return False
    return True


def _ms(value: Any) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        return instant(value)
    except (VarvesError, ValueError, OverflowError, OSError):
        return None
