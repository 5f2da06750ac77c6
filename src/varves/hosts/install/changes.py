"""Plans all changes to a file before anything is written."""

from __future__ import annotations

from varves.errors import Damaged
from varves.hosts.install.files import check_writable, look
from varves.hosts.install.record import digest, fingerprint
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from varves.hosts.install.agents import InstallPlace, Wiring
    from varves.hosts.install.files import HeldFile
    from varves.hosts.install.jsontext import Path
    from varves.hosts.install.parts import ConfigPart
    from varves.hosts.install.record import Records


class FileChange(Value):
    """The change to one file."""

    held: HeldFile
    after: bytes | None
    """The new content; None removes the file."""
    made: list[Path]
    entries: str = ""
    """A fingerprint of our entries after the change; "" if there are none."""
    clean: bool = False
    """Whether the file had no entries of ours before the change."""


def by_file(wirings: Sequence[Wiring]) -> dict[str, list[ConfigPart]]:
    """Return the parts of settings that belong to Varves, by the file that contains them."""
    files: dict[str, list[ConfigPart]] = {}
    for wiring in wirings:
        files.setdefault(wiring.path, []).append(wiring.part)
    return files


def held_at(path: str, place: InstallPlace) -> HeldFile:
    """Read a settings file of an agent."""
    return look(path, within=place.root if place.is_project else None)


def matches(found: Any, wanted: Any) -> bool:
    """Return whether an entry has every wanted key and value; other keys do not matter."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(key in found and found[key] == value for key, value in wanted.items())
    return bool(found == wanted)


def is_current(found: Any, part: ConfigPart) -> bool:
    """Return whether a part of the settings needs no change."""
    return bool(found == part.wanted) if part.exact else matches(found, part.wanted)


def to_install(
    path: str, parts: Sequence[ConfigPart], *, place: InstallPlace, records: Records
) -> FileChange | None:
    """Return the change that adds the entries of Varves to a file; None if nothing is missing."""
    held = held_at(path, place)
    text = held.text
    found = [part.found(text, path) for part in parts]
    if all(map(is_current, found, parts)):
        return None
    check_writable(held)
    made = known_containers(records.files.get(held.real)) or []
    late = [part for part, was in zip(parts, found, strict=True) if not is_current(was, part)]
    for part in late:
        text = part.without(text, path, made if made or not any(found) else None)
    for part in late:
        text, more = part.put(text if text.strip() else part.seed, path)
        made = [*made, *(one for one in more if one not in made)]
    after = [part.found(text, path) for part in parts]
    if not all(map(is_current, after, parts)):
        raise Damaged(f"{path} cannot be changed safely", "add the entry by hand")
    entries = fingerprint(after)
    return FileChange(
        held=held, after=held.coded(text), made=made, entries=entries, clean=not any(found)
    )


def known_containers(record: Mapping[str, Any] | None) -> list[Path] | None:
    """Return the containers (tables, lists) that Varves created for its entries, per the record."""
    return None if record is None else [tuple(path) for path in record["made"]]


def to_remove(
    path: str, parts: Sequence[ConfigPart], *, place: InstallPlace, records: Records
) -> FileChange | None:
    """Return the change that removes the entries of Varves from a file; None without entries."""
    held = held_at(path, place)
    record = records.files.get(held.real)
    if held.content is None:
        return None
    text = held.text
    if not any(part.found(text, path) for part in parts):
        return None
    check_writable(held)
    if record and record["clean"] and record["after"] == digest(held.content):
        before = records.kept(record["backup"]) if record["backup"] else None
        if digest(before) == record["before"]:
            return FileChange(held=held, after=before, made=[])
    for part in parts:
        text = part.without(text, path, known_containers(record))
    if _is_nothing(text, parts) and (record is None or record["created"]):
        return FileChange(held=held, after=None, made=[])
    return FileChange(held=held, after=held.coded(text), made=[])


def _is_nothing(text: str, parts: Sequence[ConfigPart]) -> bool:
    """Return whether a text is empty, or has only what Varves itself writes into a new file."""
    plain = "".join(text.split())
    return plain in ("", "{}") or any(plain == "".join(part.seed.split()) for part in parts)


def diff(change: FileChange) -> list[str]:
    """Return a change as lines of a diff; secrets are masked, and long lines are cut."""
    from difflib import unified_diff

    from varves.context.guard import masked

    held = change.held
    before, after = (
        side.decode("utf-8", errors="replace").splitlines()
        for side in (held.content or b"", change.after or b"")
    )
    lines = unified_diff(before, after, "a", "b", n=1, lineterm="")
    return [masked(line)[:200] for line in lines][2:]
