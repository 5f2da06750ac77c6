"""Records of a file compared with those it was made from, and with those of the log now."""

from __future__ import annotations

import re

from varves.events.kinds import DETECTED, FLAGGED, RECORDED, REVISED
from varves.protocols.naming import found_id, said_in
from varves.protocols.port import Change
from varves.values.memory import BESIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.events.event import Draft
    from varves.files.ground import FilesCore
    from varves.protocols.port import FileRecord
    from varves.values.memory import Memory

    Content = dict[str, Any]
    Records = dict[str, Content]
    At = Callable[[str], str | None]

REASON = "changed by hand and in the log at once"
BY_CONTENT = "~"  # before a key that is made of what the record says
AROUND = ""  # the key of what stands in a file beside its records
_LIKE = 0.6
_NOTHING = object()
_PLAIN = re.compile(r"[$A-Za-z_][\w.:-]{0,60}", re.ASCII)  # a name that can be said as it is
_NAMED = 5  # records of a file that are named
_OWN = ("number", "numbers", "file", "aliases")  # what only one record can have


def compared(
    path: str,
    before: Records,
    entries: Sequence[FileRecord],
    *,
    ours: Records,
    at: At | None = None,
) -> tuple[list[Change], list[Change]]:
    """Return what changed or came, and what is gone, between a version and a file.

    A change holds, as `after`, the record as the log has it now with the person's own changes.
    Where keys may move, `at` tells under which one the log has a record of the version now.
    """
    changes: list[Change] = []
    for entry in entries:
        key, content = entry.key, entry.content
        was = before.get(key)
        if content in (was, ours.get(key)):
            continue
        place = at(key) if at is not None and was is not None else key
        if place is None:  # nothing here to change: it comes as one that was added
            changes.append(Change(path=path, key=f"#{key}", before=None, after=content, ours=None))
            continue
        now = ours.get(place)
        if was is None or now is None:
            known = now if at is None else None  # a key that may move can be another's now
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
    """Give a rewritten record the key it had, where keys are made of what records say.

    It is known by its place between others that still stand; where not as many came as went, by
    being more like one of those than unlike.
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
    """Return some of a file's entries under the keys by which the whole file shows them again."""
    pairs = zip(entries, known_again(before, entries), strict=True)
    names = {one.key: other.key for one, other in pairs}
    return [one.replace(key=names.get(one.key, one.key)) for one in some]


def _alike(
    said: Records, came: Sequence[str], before: Records, gone: Sequence[str]
) -> dict[str, str]:
    """Return which of some records each of others is, those that are most alike first."""
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
    """Return the record of the log with what the person changed in it."""
    left = {key: now[key] for key in now if key in content or key not in was}
    said = {key: part for key, part in content.items() if was.get(key, _NOTHING) != part}
    return left | said


def without(
    entries: Sequence[FileRecord], rendered: Records, others: Sequence[Content]
) -> list[FileRecord]:
    """Return entries without what they have from others that left their place at the same time.

    Git takes one of two files that look alike for the other, renamed, and brings changes of the
    one into the other.
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
    """Return the version a file was made from: of all, newest first, the one that it adds least to.

    Of several that is the least different: what somebody took out tells less than what is there,
    such as a count that only the newest version has. A file that says when it was last updated is
    made from a version that says the same: of several from the one that has most of what it says,
    the newest of these.
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


def is_contested(change: Change) -> bool:
    """Tell whether the person and the log changed the same part of a record differently."""
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
    """Return (log, draft) that keep the log's version beside the person's, which wins.

    A codec that has seen to it itself is left alone.
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
    """Return the drafts that keep another version of a memory, as one side of a conflict."""
    members = [memory.id, kept]
    return [
        (RECORDED, {"memory": kept, **_record(memory, changes)}),
        (FLAGGED, {"memory": kept, "reason": reason}),
        (DETECTED, {"members": members, "rule": "both sides changed", "reason": reason}),
    ]


def described(change: Change, drafts: Sequence[tuple[str, Draft]]) -> str:
    """Say what was done to which record."""
    after, was = change.after, change.ours if change.before is None else change.before
    done = "removed" if after is None else "added" if was is None else "changed"
    if change.key == AROUND:
        now, then = after or {}, change.ours or was or {}
        parts = [key for key in {**then, **now} if now.get(key) != then.get(key)]
        plain = [key for key in parts if _PLAIN.fullmatch(key)]
        return f"{done} {listed(plain) or 'what stands beside its records'}"
    ids = [draft.data["memory"] for _, draft in drafts if "memory" in draft.data]
    names = [change.key] if _PLAIN.fullmatch(change.key) else []
    names += [one for one in ids[:1] if one not in names]
    return f"{done} {names[0]}" + "".join(f" ({one})" for one in names[1:]) if names else done


def listed(words: Sequence[str]) -> str:
    """Return some of many words, and how many more there are."""
    more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
    return f"{', '.join(words[:_NAMED])}{more}"


def _record(memory: Memory, changes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a memory's record as it stands, with some changes."""
    extra = {key: part for key, part in memory.extra.items() if key not in _OWN}
    record = memory.taken(BESIDE) | extra
    for change in changes:
        record.update(change)
    return {key: part for key, part in record.items() if part is not None}
