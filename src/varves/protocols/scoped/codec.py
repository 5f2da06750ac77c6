"""The format of the four kinds of files: how they are written, read, and how edits are adopted.

Keys that a person added to a file besides `version` and `entries` are kept and shown. Each edit
records which keys it set and which it removed, so edits of two branches combine. Keys that begin
with a dollar sign, such as `$schema`, come first by convention; all others come last.

If someone commits a file without its log, or two clones adopt the same edit of a third person, one
entry has two records. These have the same text, and also the same creation time or the same number
in that file. The record that was only adopted is merged into the other, together with its later
changes.
"""

from __future__ import annotations

from varves.events import kinds
from varves.events.kinds import ACCESSED, DETECTED, MERGED, PURGED, RECORDED, REVISED
from varves.protocols.hand_edit import HandEdit, found_id, masked, said_in
from varves.protocols.jsonfile import read_object, written
from varves.protocols.port import Codec, FileRecord
from varves.protocols.records import is_count, listed, seconds
from varves.protocols.scoped.entries import ENTRY, VERSION, entry, number_in, record
from varves.protocols.scoped.merge_forms import FORMS
from varves.protocols.scoped.numbers import SAME, Numbering, claimed, gone_from, in_file
from varves.protocols.scoped.places import (
    FOLDERS,
    GLOBAL,
    SESSION,
    TEAM,
    logs_of,
    path_of,
    scope_in,
)
from varves.protocols.scoped.sessions import KINDS, fold
from varves.protocols.unreadable import Unreadable
from varves.values.instants import iso
from varves.values.memory import STATUSES
from varves.values.text import fold as folded
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.port import Change, Core, Counts, Stock, Touched
    from varves.protocols.scoped.numbers import Gone
    from varves.values.memory import Memory


_REPO = "repo"
_STANDING = ("active", "flagged")


def joined(core: Core, act: Act) -> list[tuple[str, Draft]]:
    """Return, with their logs, the drafts that merge each pair of records of one entry.

    The two sides of a conflict stay apart, whatever was decided about it.
    """
    by_scope: dict[str, list[Memory]] = {}
    for one in core.memories(statuses=STATUSES):
        if one.kept in logs_of(one.scope):
            by_scope.setdefault(one.scope, []).append(one)
    drafts: list[tuple[str, Draft]] = []
    rivals = [{*event.data.get("members", ())} for event in core.events(DETECTED)]
    for records in by_scope.values():
        left = {one.id: one for one in records}
        adopted = [one for one in records if one.origin == _REPO and one.status in _STANDING]
        for one in reversed(adopted):
            apart = set().union(*(names for names in rivals if one.id in names))
            other = _twin(core, one, [each for each in left.values() if each.id not in apart])
            if other is not None:
                more = _joined(core, one, other, act)
                if more:
                    del left[one.id]
                drafts += [(one.kept, draft) for draft in more]
    return drafts


def _twin(core: Core, one: Memory, others: Iterable[Memory]) -> Memory | None:
    """Return the record of the same entry that remains, if there is one."""
    numbers, said = _numbers(one), ""
    for other in others:
        born = seconds(one.created_at) == seconds(other.created_at)
        if other.id == one.id or not (born or numbers & _numbers(other)):
            continue
        said = said or _said(core, one)[0]
        if said in _said(core, other) and _stays(core, one, other):
            return other
    return None


def _stays(core: Core, one: Memory, other: Memory) -> bool:
    """Return whether another record is active, or was archived after this one was adopted.

    If a commit restored the entry after it was archived, a person decides.
    """
    if other.status == "active":
        return True
    born, *_ = core.rows().history(one.id)
    return other.origin != _REPO and core.rows().history(other.id)[-1].order > born.order


def _numbers(memory: Memory) -> set[int]:
    found = memory.extra.get("found")
    return {*claimed(memory), *([found] if isinstance(found, int) else [])}


def _said(core: Core, memory: Memory) -> list[str]:
    """Return the texts that a record has had, in order."""
    found = []
    for event in core.rows().history(memory.id):
        part: dict[str, Any] = event.data.get("set", {}) if event.kind == REVISED else event.data
        if event.kind in (RECORDED, REVISED) and isinstance(part.get("text"), str):
            found.append(part["text"])
    return found or [memory.text]


def _joined(core: Core, one: Memory, other: Memory, act: Act) -> list[Draft]:
    """Return the drafts that merge one pair; none if both were changed differently since."""
    ours, theirs = _changed(core, one), _changed(core, other)
    differ = {key: part for key, part in ours.items() if theirs.get(key) != part}
    if any(key in theirs for key in differ):
        return []
    links = {"merged_from": [one.id, *one.links.get("merged_from", ())]}
    content = {"memory": one.id, "by": other.id, "reason": SAME, "rule": SAME, "links": links}
    drafts = [act.draft(MERGED, content, one.version, other.version)]
    if differ and other.status == "active":
        revision = {"memory": other.id, "set": differ}
        drafts.append(act.draft(REVISED, revision, other.version, one.version))
    return drafts


def _changed(core: Core, memory: Memory) -> dict[str, Any]:
    """Return the revised fields of a record, with their current values."""
    found: dict[str, Any] = {}
    for event in core.rows().history(memory.id):
        if event.kind == REVISED and event.data.get("memory") == memory.id:
            found.update(event.data.get("set", {}))
    found.pop("number", None)
    return found


ADOPTED = kinds.FILE_ADOPTED
PUBLISHED = ("version", "entries")
WHOLE = ""
"""The key for the parts of a file outside its entries; no entry has it."""
_NOTHING = object()


def adopted(change: Change, scope: str, act: Act) -> list[Draft]:
    """Return the draft that records a person's change to the added keys of a file."""
    after, held = change.after, change.ours or {}
    if after is None:
        return []
    if change.before is None:  # the earlier state is unknown, so nothing counts as removed
        after = {**held, **after}
    unknown = {key: part for key, part in after.items() if held.get(key, _NOTHING) != part}
    removed = sorted(key for key in held if key not in after)
    if not unknown and not removed:
        return []
    content = {"path": change.path, "scope": scope, "unknown": unknown, "removed": removed}
    return [act.draft(ADOPTED, content)]


def folded_keys(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """Return the added keys of each file, by scope, from that file's log."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        content = event.data
        scope = scope_in(str(content.get("path")))
        if event.kind != ADOPTED or scope is None or event.log not in logs_of(scope):
            continue
        keys = found.setdefault(scope, {})
        said, removed = content.get("unknown", {}), content.get("removed", [])
        for key in removed if isinstance(removed, list) else ():
            keys.pop(str(key), None)
        if isinstance(said, dict):
            keys |= {key: part for key, part in said.items() if key not in PUBLISHED}
    return found


def around(document: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the keys a person added, in their places."""
    names = sorted(keys)
    first = {name: keys[name] for name in names if name.startswith("$")}
    return first | document | {name: keys[name] for name in names if name not in first}


IGNORED = ("memory/sessions", "memory/global")
SENSITIVE = "sensitive"
_NAMELESS = "#"  # prefix for the position of an entry that has no usable id


class ScopedCodec(Codec):
    """The format of the files of scoped memory."""

    name = "scoped"
    forms = FORMS
    counted_until = None
    curated = True
    folders = FOLDERS
    everywhere = (path_of(GLOBAL),)
    kinds = (*KINDS, ADOPTED, PURGED)

    def __init__(self) -> None:
        self.ignores = IGNORED

    def is_state(self, path: str) -> bool:
        """Return whether a file contains entries of this protocol."""
        return scope_in(path) is not None

    def scope_of(self, path: str) -> str:
        """Return the scope whose entries a file contains."""
        return scope_in(path) or ""

    def render(self, stock: Stock, touched: Touched | None) -> dict[str, bytes | None]:
        """Return the files affected by `touched`, or all."""
        sessions = fold(stock.events, stock.checkout)
        by_scope: dict[str, list[Memory]] = {}
        own: set[str] = set()
        for memory in stock.memories:
            if memory.kept in logs_of(memory.scope):
                by_scope.setdefault(memory.scope, []).append(memory)
                if memory.kept == memory.scope and memory.kept != GLOBAL:  # a team's root
                    own.add(path_of(memory.scope).rpartition("/")[0])
        own.update(
            str(event.data.get("path")).rpartition("/")[0]
            for event in stock.events
            if event.kind == ADOPTED and event.log.startswith(f"{TEAM}:")
        )
        self.ignores = (*IGNORED, *sorted(own))
        keys, gone = folded_keys(stock.events), gone_from(stock.events)
        wanted = {*by_scope, *keys, *(f"{SESSION}:{name}" for name in sessions)}
        if touched is not None:
            wanted &= _concerned(stock.memories, touched)
        files: dict[str, bytes | None] = {}
        for scope in sorted(wanted):
            level, _, name = scope.partition(":")
            if level == SESSION and (name not in sessions or not sessions[name].running):
                files[path_of(scope)] = None
            else:
                file = File(
                    records=by_scope.get(scope, []),
                    gone=gone.get(scope, []),
                    keys=keys.get(scope, {}),
                )
                files[path_of(scope)] = file.written(stock.counts)
        return files

    def keys(self, stock: Stock) -> dict[str, dict[str, str]]:
        """Return, by path, the record of each number, as two branches may use the same number."""
        by_scope: dict[str, list[Memory]] = {}
        for memory in stock.memories:
            if memory.kept in logs_of(memory.scope):
                by_scope.setdefault(memory.scope, []).append(memory)
        found, gone = {}, gone_from(stock.events)
        for scope, records in by_scope.items():
            numbers = Numbering(records, gone.get(scope, ()))
            named = {numbers.label(one.id): one.id for one in records}
            found[path_of(scope)] = {WHOLE: WHOLE, **named}
        return found

    def place(self, key: str, was: dict[str, Any], ours: dict[str, Any]) -> str | None:
        """Return the number that the file now uses for an entry it contained before.

        A number that is gone belongs to the only entry with the same text, if there is one.
        """
        now = ours.get(key)
        if key == WHOLE or (now is not None and now["content"] == was["content"]):
            return key
        told = ("content",) if now is None else ("content", "created_at")
        entries = [one for one in ours if one != WHOLE]
        moved = [one for one in entries if all(ours[one].get(k) == was.get(k) for k in told)]
        if len(moved) == 1:
            return moved[0]
        return key if now is None or now.get("created_at") == was.get("created_at") else None

    def parse(self, path: str, content: bytes) -> list[FileRecord]:  # noqa: ARG002 - all look alike
        """Read a file of entries.

        Raises:
            Unreadable: the format is wrong, or rewriting the file would lose some content.
        """
        document = read_object(content)
        if missing := [key for key in PUBLISHED if key not in document]:
            raise Unreadable(f"missing: {', '.join(missing)}")
        if document["version"] != VERSION:
            raise Unreadable(f"its version is not {VERSION}")
        own = {key: part for key, part in document.items() if key not in PUBLISHED}
        found = {WHOLE: FileRecord(key=WHOLE, content=own)}
        for place, one in enumerate(listed(document, "entries", "entry"), 1):
            key = one["id"] if number_in(one.get("id")) else f"{_NAMELESS}{place}"
            if key in found and _is_same(found[key].content, one):
                continue  # a git merge may produce a file with both copies
            if key in found:
                key = f"{_NAMELESS}{place}"
            found[key] = FileRecord(key=key, content=one)
        return list(found.values())

    def joined(self, core: Core, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that merge records of the same entry."""
        return joined(core, act)

    def adopt(self, core: Core, change: Change, act: Act) -> list[tuple[str, Draft]]:
        """Return the drafts that record one person's change."""
        scope = self.scope_of(change.path)
        log = core.log_of(scope)
        place = f"{change.path} {change.key}".rstrip()
        change = masked(core, change, place)
        if change.key == WHOLE:
            return [(log, draft) for draft in adopted(change, scope, act)]
        for _, message in ENTRY.faults(change.after or {}):
            core.notes.append(f"{place}: {message}; recorded as found")
        records = in_file(core.memories(scope=scope, statuses=STATUSES), scope)
        numbers = Numbering(records, gone_from(core.events(PURGED)).get(scope, ()))
        edit = _Edit(
            core=core,
            change=change,
            act=act,
            log=log,
            scope=scope,
            records=records,
            numbers=numbers,
        )
        return [(log, draft) for draft in edit.drafts()]


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("content", "created_at"))


class _Edit(HandEdit):
    """One person's change to one entry."""

    records: list[Memory]
    numbers: Numbering

    def drafts(self) -> list[Draft]:
        """Return the drafts to record."""
        after, shown = self.change.after, self._shown()
        if after is None:
            return [] if shown is None else [self.forgotten(shown, self.records)]
        text = folded(after["content"])
        given = after.get("id", self.change.key)
        if self.is_direct and self.change.before is not None and given != self.change.key:
            self.note(f"{self.change.key}: an entry keeps its number; {quoted(given)} is not used")
        if shown is not None and self._is_another(shown, text):
            return []
        if shown is not None and (self.change.before is not None or folded(shown.text) == text):
            return self._revised(shown, after)
        here = ("active",) if self.is_direct else ("active", "flagged")  # flagged: to be decided
        known = [one for one in self.records if one.status in here and folded(one.text) == text]
        if known:
            if self.is_direct:
                name = self.numbers.label(known[0].id)
                self.note(f"{quoted(given)} is left out: {name} has this text")
            return []
        former = self._shown(standing=False)
        if former is not None and folded(former.text) == text:
            drafts = self.returned(former, self._revised)
            if drafts is not None:
                return drafts
        return self._recorded(after)

    def _shown(self, *, standing: bool = True) -> Memory | None:
        """Return the record shown under the key: an active one, or one that is no longer active."""
        number = number_in(self.change.key)
        for one in self.records:
            if self.numbers.shown[one.id] == number and (one.status == "active") == standing:
                return one
        return None

    def _is_another(self, memory: Memory, text: str) -> bool:
        """Return whether the text under a number is of an entry that has another number now."""
        born = (self.change.after or {}).get("created_at")
        return any(
            one.status == "active" and folded(one.text) == text and seconds(one.created_at) == born
            for one in self.records
            if one.id != memory.id
        )

    def _recorded(self, content: dict[str, Any]) -> list[Draft]:
        number = number_in(self.change.key)
        if number in self.numbers.shown.values():
            number = None  # the number is in use, so the entry gets the next one
        name = found_id(self.core, "scoped", self.scope, self.change.key, said_in(content))
        recorded = {"memory": name, "scope": self.scope, "number": number, **record(content)}
        if self.act.origin == "repo":  # identifies other records of the same entry
            recorded["found"] = number_in(content.get("id"))
        lifted = self.lifted(recorded["text"])
        draft = self.act.draft(RECORDED, {**recorded, "lifts": lifted}, *lifted)
        return [*self._counted(name, content, since=0), draft]

    def _revised(self, memory: Memory, after: dict[str, Any]) -> list[Draft]:
        held, was = record(entry(memory, self.change.key, 0)), self.change.ours or {}
        revised = self.revised(memory, record(after, **held), held)
        since = was.get("accessed_count", after.get("accessed_count"))
        counted = self._counted(memory.id, after, since=since)
        if (
            counted and not revised
        ):  # a file shows the counters up to the newest change of its scope
            number = {"number": self.numbers.shown[memory.id]}
            revised = [self.act.draft(REVISED, {"memory": memory.id, "set": number})]
        return [*counted, *revised]

    def _counted(self, name: str, content: dict[str, Any], *, since: object) -> list[Draft]:
        """Return the draft that records the accesses that a file counts and the log does not.

        The counts in a committed file are left out: each clone that reads the commit would add them
        again.
        """
        count = content.get("accessed_count", 0)
        if count == since or not (self.is_direct and is_count(count) and is_count(since)):
            return []
        if count < since:
            self.note(f"{self.change.key}: accessed_count is not lowered")
            return []
        last = min(record(content).get("created_at") or self._now, self._now)
        accessed = {name: [count - since, last]}
        return [self.act.draft(ACCESSED, {"accessed": accessed})]

    @property
    def _now(self) -> str:
        return iso(self.core.now)


class File(Value):
    """The content of one file."""

    records: list[Memory]
    """All records that ever belonged to the file."""
    gone: Sequence[Gone] = ()
    keys: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys that a person added to the published ones."""

    def written(self, counts: Counts) -> bytes:
        """Return the file's bytes."""
        numbers = Numbering(self.records, self.gone)
        shown = [
            one for one in self.records if one.status == "active" and SENSITIVE not in one.tags
        ]
        shown.sort(key=lambda one: numbers.shown[one.id])
        entries = [entry(one, numbers.label(one.id), counts.get(one.id, (0,))[0]) for one in shown]
        document = around({"version": VERSION, "entries": entries}, self.keys)
        return written(document)


def _concerned(memories: Iterable[Memory], touched: Touched) -> set[str]:
    """Return the scopes whose files are affected by `touched`."""
    scopes = {*touched.scopes}
    scopes.update(one.scope for one in memories if one.id in touched.memories)
    return scopes
