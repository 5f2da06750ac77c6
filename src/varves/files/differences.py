"""Compares a published file's records with the version it was made from, and with the log."""

from __future__ import annotations

import re

from varves.errors import VarvesError
from varves.events.kinds import DETECTED, FLAGGED, RECORDED, REVISED
from varves.protocols.hand_edit import found_id, said_in
from varves.protocols.port import Change
from varves.protocols.unreadable import Unreadable
from varves.values.memory import BESIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from varves.events.event import Draft
    from varves.files.ground import FilesCore
    from varves.protocols.port import Codec, FileRecord
    from varves.values.memory import Memory

    Content = dict[str, Any]
    Records = dict[str, Content]
    At = Callable[[str], str | None]

REASON = "changed by hand and in the log at the same time"
BY_CONTENT = "~"  # the prefix of a key that is derived from the record's content
AROUND = ""  # the key of a file's content outside its records
_EMPTY = 100  # bytes; a file without records is shorter
_LIKE = 0.6
_NOTHING = object()
_PLAIN = re.compile(r"[$A-Za-z_][\w.:-]{0,60}", re.ASCII)  # a name that needs no quotes
_NAMED = 5  # the most records of a file that one message names
_OWN = ("number", "numbers", "file", "aliases")  # fields that can belong to only one record


def compared(
    path: str,
    before: Records,
    entries: Sequence[FileRecord],
    *,
    ours: Records,
    at: At | None = None,
    replaced: Collection[str] = (),
) -> tuple[list[Change], list[Change]]:
    """Return two lists: the records that a file changes or adds, and those that it removes.

    The file is compared with the version `before`.

    In a change, `after` is the log's current record with the person's changes applied. If keys can
    change, `at` maps the keys of the version to the current keys, and `replaced` are the keys under
    which the file has another record than the version: it counts as added, and both remain.
    """
    changes: list[Change] = []
    for entry in entries:
        key, content = entry.key, entry.content
        was = before.get(key)
        if content in (was, ours.get(key)):
            continue
        place = at(key) if at is not None and was is not None else key
        place = None if key in replaced else place
        if place is None:  # the log does not have the record under this key
            changes.append(Change(path=path, key=f"#{key}", before=None, after=content, ours=None))
            continue
        now = ours.get(place)
        if was is None or now is None:
            # if keys can change, this key may belong to another record now
            known = now if at is None else None
            changes.append(Change(path=path, key=place, before=was, after=content, ours=known))
            continue
        merged = _merged(was, content, now)
        if merged != now:
            changes.append(Change(path=path, key=place, before=was, after=merged, ours=now))
    there = {entry.key for entry in entries}
    places = [(at(key) if at is not None else key, key) for key in before if key not in there]
    gone = [
        Change(path=path, key=place, before=before[key], after=None, ours=ours[place])
        for place, key in places
        if place is not None and place in ours
    ]
    return changes, gone


def known_again(before: Records, entries: Sequence[FileRecord]) -> list[FileRecord]:
    """Give rewritten records their previous keys, if keys are derived from content.

    A record is recognised by its position between unchanged ones. If the numbers of added and
    removed records differ, the record is matched to the most similar removed record. At least half
    of the text must be the same.
    """
    there = [entry.key for entry in entries]
    if all(key in before or key[:1] != BY_CONTENT for key in there):
        return list(entries)
    from difflib import SequenceMatcher

    was = list(before)
    said = {entry.key: entry.content for entry in entries}
    renamed: dict[str, str] = {}
    for tag, i, j, m, n in SequenceMatcher(None, was, there, autojunk=False).get_opcodes():
        if tag != "replace":
            continue
        gone = [key for key in was[i:j] if key[:1] == BY_CONTENT and key not in said]
        came = [key for key in there[m:n] if key[:1] == BY_CONTENT and key not in before]
        if len(gone) == len(came):
            renamed.update(zip(came, gone, strict=True))
        else:
            renamed.update(_alike(said, came, before, gone))
    return [entry.replace(key=renamed.get(entry.key, entry.key)) for entry in entries]


def named_again(
    some: Sequence[FileRecord], before: Records, entries: Sequence[FileRecord]
) -> list[FileRecord]:
    """Return some entries of a file with their previous keys, found by comparing all entries."""
    pairs = zip(entries, known_again(before, entries), strict=True)
    names = {one.key: other.key for one, other in pairs}
    return [one.replace(key=names.get(one.key, one.key)) for one in some]


def _alike(
    said: Records, came: Sequence[str], before: Records, gone: Sequence[str]
) -> dict[str, str]:
    """Return, for each added record, the removed record that it was made from.

    The most similar pairs come first.
    """
    from difflib import SequenceMatcher

    def ratio(one: Content, other: Content) -> float:
        first, second = str(list(one.values())), str(list(other.values()))
        return SequenceMatcher(None, first, second, autojunk=False).ratio()

    pairs = [(ratio(said[key], before[one]), key, one) for key in came for one in gone]
    found: dict[str, str] = {}
    for likeness, key, one in sorted(pairs, reverse=True):
        if likeness > _LIKE and key not in found and one not in found.values():
            found[key] = one
    return found


def _merged(was: Content, content: Content, now: Content) -> Content:
    """Return the log's current record, with those fields changed that a person edited in a file."""
    left = {key: now[key] for key in now if key in content or key not in was}
    said = {key: part for key, part in content.items() if was.get(key, _NOTHING) != part}
    return left | said


def without(
    entries: Sequence[FileRecord], rendered: Records, others: Sequence[Content]
) -> list[FileRecord]:
    """Return the entries, except those that git moved here from files removed by the same merge.

    If two files look alike, git may treat one as a rename of the other and move changes between
    them.
    """
    found = []
    for entry in entries:
        was = rendered.get(entry.key)
        if was is not None:
            taken = {
                key: was[key]
                for key, part in entry.content.items()
                if key in was and any(other.get(key) == part for other in others)
            }
            found.append(entry.replace(content={**entry.content, **taken}))
        else:
            found.append(entry)
    return found


def nearest(versions: Sequence[Records], entries: Sequence[FileRecord]) -> Records:
    """Return the version that a file was most probably made from; versions come newest first.

    If the file states an update time, this is a version with that time; of several, the one that
    shares the most records with the file. Otherwise it is the version to which the file adds the
    least; of several, the one from which the file differs least. Additions are compared first:
    content that only one version has, such as a count, proves more than missing content.
    """
    said = _updated({entry.key: entry.content for entry in entries})
    same = [one for one in versions if said is not None and _updated(one) == said]
    if same:
        return min(same, key=lambda was: sum(was.get(one.key) != one.content for one in entries))

    def distance(was: Records) -> tuple[int, int]:
        shown = {entry.key: entry.content for entry in known_again(was, entries)}
        news = sum(_distance(was.get(key, {}), shown[key]) for key in shown)
        return news, news + sum(_distance(was[key], {}) for key in was if key not in shown)

    return min(versions, key=distance)


def _updated(records: Records) -> Any:
    return records.get(AROUND, {}).get("last_updated")


def _distance(one: Content, other: Content) -> int:
    if one == other:
        return 0
    return sum(one.get(key, _NOTHING) != other.get(key, _NOTHING) for key in {*one, *other})


def is_empty(codec: Codec, path: str, content: bytes) -> bool:
    """Return whether a file of the protocol contains no record yet, and nothing else."""
    if len(content) > _EMPTY:
        return False
    try:
        entries = codec.parse(path, content)
    except (Unreadable, VarvesError):
        return False
    return all(one.key == AROUND and not one.content for one in entries)


def is_contested(change: Change) -> bool:
    """Return whether a person and the log have changed the same field of a record differently."""
    before, after, ours = change.before, change.after, change.ours
    if before is None or after is None or ours is None:
        return False
    return any(
        before.get(key) != ours.get(key) != after.get(key) != before.get(key)
        for key in {*before, *after, *ours}
    )


def keeps_other(
    core: FilesCore,
    change: Change,
    *,
    earlier: Sequence[tuple[str, Draft]],
    drafts: Sequence[tuple[str, Draft]],
) -> list[tuple[str, tuple[str, dict[str, Any]]]]:
    """Return drafts, each with its log, that keep the log's version as a rival in a conflict.

    The person's version is current. Nothing is returned if the codec has already recorded it.
    """
    revised = next((one for one in drafts if one[1].kind == REVISED), None)
    if revised is None or not is_contested(change):
        return []
    if any(draft.kind == DETECTED for _, draft in drafts):
        return []
    log, draft = revised
    name = draft.data["memory"]
    memory = core.memory(name)
    if memory is None:
        return []
    kept = found_id(core, "kept", name, memory.version, said_in(change.ours))
    before = [one for _, one in earlier if one is not draft and one.data.get("memory") == name]
    changes = [one.data.get("set", {}) for one in before if one.kind == REVISED]
    return [(log, one) for one in beside(memory, kept, changes, reason=REASON)]


def beside(
    memory: Memory, kept: str, changes: Sequence[dict[str, Any]], *, reason: str
) -> list[tuple[str, dict[str, Any]]]:
    """Return the drafts that record another version of a memory as a rival in a conflict."""
    members = [memory.id, kept]
    return [
        (RECORDED, {"memory": kept, **_record(memory, changes)}),
        (FLAGGED, {"memory": kept, "reason": reason}),
        (DETECTED, {"members": members, "rule": "both sides changed", "reason": reason}),
    ]


def described(change: Change, drafts: Sequence[tuple[str, Draft]]) -> str:
    """Return a phrase that says what a person's edit did to which record."""
    after, was = change.after, change.ours if change.before is None else change.before
    done = "removed" if after is None else "added" if was is None else "changed"
    if change.key == AROUND:
        now, then = after or {}, change.ours or was or {}
        parts = [key for key in {**then, **now} if now.get(key) != then.get(key)]
        plain = [key for key in parts if _PLAIN.fullmatch(key)]
        return f"{done} {listed(plain) or 'the text outside its records'}"
    ids = [draft.data["memory"] for _, draft in drafts if "memory" in draft.data]
    names = [change.key] if _PLAIN.fullmatch(change.key) else []
    names += [one for one in ids[:1] if one not in names]
    return f"{done} {names[0]}" + "".join(f" ({one})" for one in names[1:]) if names else done


def listed(words: Sequence[str]) -> str:
    """Return the first few words as an enumeration, followed by the number of the other words."""
    more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
    return f"{', '.join(words[:_NAMED])}{more}"


def _record(memory: Memory, changes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the content of a memory's current record, with the given changes."""
    extra = {key: part for key, part in memory.extra.items() if key not in _OWN}
    record = memory.taken(BESIDE) | extra
    for change in changes:
        record.update(change)
    return {key: part for key, part in record.items() if part is not None}
