"""Reads one published file, and turns the differences from the log into drafts of events.

How a record is treated depends on its origin. Records of a commit, and of each side of a merge, are
compared with the log of that commit and attributed to its author. All other differences are edits
of the local person, made to the most similar version that was rendered here.
"""

from __future__ import annotations

from varves.files.differences import (
    AROUND,
    compared,
    described,
    keeps_other,
    known_again,
    listed,
    named_again,
    nearest,
    without,
)
from varves.files.origins import traced
from varves.files.purged_texts import Recogniser
from varves.files.render import stem
from varves.protocols.marks import cut_apart
from varves.protocols.port import Change
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.files.committed import Judge
    from varves.files.differences import At
    from varves.files.ground import FilesCore
    from varves.files.sides import Side
    from varves.protocols.port import Codec, FileRecord

    Records = dict[str, dict[str, Any]]

USER = "USER"
MOST = 5  # if more records disappear from files at once, this is treated as an accident
_FORGET = "varves forget ID removes a record"
_REPO, _REPO_TRUST, _HELD_BACK = "repo", 2, 1


class FilesFound:
    """What was found in a protocol's files: drafts of events, messages, unreadable files."""

    def __init__(self) -> None:
        self.drafts: list[tuple[str, Draft]] = []
        self.notes: list[str] = []
        # (file, edit) pairs that a verb that only reads has found
        self.unrecorded: list[tuple[str, str]] = []
        self.unreadable: dict[str, str] = {}
        self.stale: set[str] = set()


class FileTaking:
    """Turns a person's edits of one file at a time into drafts; `hand_edits` does all files."""

    def __init__(self, core: FilesCore, codec: Codec, *, writes: bool) -> None:
        self._core = core
        self._writes = writes
        self._codec = codec
        self._views = core.views
        self._found = FilesFound()
        self._now: dict[str, bytes | None] = {}
        # the current keys of the log's records, if keys can change
        self._keys: dict[str, dict[str, str]] = {}
        self._ours: dict[str, Records] = {}
        # removed records, and whether the removal is certain
        self._gone: list[tuple[Change, bool]] = []
        self._purged: dict[str, list[dict[str, Any]]] = {}  # by path, the records that were purged
        self._split: set[tuple[str, bytes]] = set()  # merged files whose two sides were adopted
        self._vanished = 0  # the number of records of the log that are missing from edited files
        self._judge: Judge
        self._recogniser = Recogniser(core.context)

    def _take_committed(self, path: str, content: bytes) -> None:
        try:
            entries = self._parsed(path, content)
        except Unreadable:
            sides = self._judge.parts(path)
            if not sides:
                raise
            self._take_sides(path, sides)
            return
        self._take_from_commit(path, content, self._judge.head, entries=entries)

    def _take_from_commit(
        self, path: str, content: bytes, commit: str | None, *, entries: list[FileRecord]
    ) -> None:
        """Draft the differences between a commit's file and the log of that commit."""
        if commit is None or self._take_merged(path, content):
            return
        entries = self._own(path, entries)
        before, at = self._rendered_by(commit, path)
        same = known_again(before, entries)
        changes, gone = self._compared(path, before, same, at)
        if (changes or gone) and path in self._views.digests:
            self._views.adopting[path] = self._views.digests[path]
        brought = traced(self._judge, self._records, path=path, entries=entries, commit=commit)
        for origin, some in brought:
            before, at = self._rendered_by(origin, path)
            same = named_again(some, before, entries)
            said = without(same, before, self._dropped(origin))
            changes, _ = self._compared(path, before, said, at)
            self._adopt(changes, self._by_author(path, origin))
        if gone and not self._judge.is_composed(path, commit):
            why = "a record that a commit removes from a file is not forgotten"
            self._put_back(path, len(gone), why)

    def _take_merged(self, path: str, content: bytes) -> bool:
        """Draft both sides' edits if the merge driver made the file; return whether it did."""
        sides = None if (path, content) in self._split else self._judge.merged_sides(path, content)
        if sides is None:
            return False
        self._split.add((path, content))
        self._take_sides(path, sides)
        return True

    def _own(self, path: str, entries: list[FileRecord]) -> list[FileRecord]:
        """Return a file's entries, except those that git moved here from another file."""
        shown = self._records(path, self._now.get(path))
        name = stem(path)
        astray = [
            one
            for one in entries
            if path not in self._keys
            and one.key not in shown
            and (shown or (is_memory_id(name) and name != one.key))
            and self._core.memory(one.key) is not None
        ]
        if astray and len(astray) == len(entries):
            self._views.astray.add(path)
        return [one for one in entries if one not in astray]

    def _dropped(self, commit: str) -> list[dict[str, Any]]:
        files = self._judge.dropped(commit)
        return [one for path in files for one in self._records(path, files[path]).values()]

    def _rendered_by(self, commit: str, path: str) -> tuple[Records, At | None]:
        """Return the records of a file as a commit's log renders them, and their current keys."""
        before = self._records(path, self._judge.rendering(commit).get(path))
        if path not in self._keys:
            return before, None
        then = self._judge.keys(commit).get(path, {})
        now = {name: key for key, name in self._keys[path].items()}
        return before, lambda key: now.get(then.get(key, ""))

    def _take_sides(self, path: str, sides: list[Side]) -> None:
        """Draft the edits of both sides of a merge conflict, each compared with its own log."""
        for side, entries in self._each(path, sides):
            rendered = self._views.rendered(path, side.content)
            if rendered and (side.own or side.commit is None):
                continue  # nobody edited this side
            if side.own:
                before, at = self._rendered_by(side.commit or "", path)
                same = known_again(before, entries)
                changes, gone = self._compared(path, before, same, at)
                self._adopt(changes, self._by_user())
                self._put_back(path, len(gone), "the stashed work did not have them")
            elif side.commit is not None:
                self._take_from_commit(path, side.content, side.commit, entries=entries)
            else:
                act = self._by_author(path, side.within) if side.within else self._by_user()
                self._take_unplaced(path, entries, act)

    def _each(self, path: str, sides: list[Side]) -> list[tuple[Side, list[FileRecord]]]:
        """Return each side of a file with its records.

        A side with conflict marks is split again.
        """
        found = []
        for side in sides:
            cut = cut_apart(side.content)
            if cut is None:
                found.append((side, self._parsed(path, side.content)))
            else:
                inner = side.replace(commit=None, within=side.commit or side.within)
                found += self._each(path, [inner.replace(content=one) for one in cut])
        return found

    def _take_joined(self, path: str, content: bytes) -> None:
        """Draft the edits of both sides of a file.

        Edits made after the conflict marks were removed are included.
        """
        sides = self._judge.stages(path)
        self._take_sides(path, sides)
        entries = self._records(path, content)
        shown = [self._records(path, side.content) for side in sides]
        if entries and entries not in shown:
            self._take_unplaced(path, self._parsed(path, content), self._by_user(), more=shown)

    def _take_unplaced(
        self, path: str, entries: list[FileRecord], act: Act, *, more: Iterable[Records] = ()
    ) -> None:
        """Draft events for records of unknown origin that no known version contains."""
        versions = [self._records(path, content) for content in self._views.versions(path)]
        if self._judge.head is not None:
            rendered = self._judge.rendering(self._judge.head).get(path)
            versions.append(self._records(path, rendered))
        versions += [*more, self._records(path, self._now.get(path))]
        fresh = [
            one
            for one in self._own(path, entries)
            if all(version.get(one.key) != one.content for version in versions)
        ]
        before = nearest(versions, entries)
        before.pop(AROUND, None)  # git merged the file from both sides, so nothing was removed
        fresh = named_again(fresh, before, entries)
        ours = self._ours_of(path)
        changes, _ = self._compared(path, before, fresh, self._moves(path, before, ours))
        self._adopt(changes, act)

    def _compared(
        self, path: str, before: Records, entries: Sequence[FileRecord], at: At | None
    ) -> tuple[list[Change], list[Change]]:
        """Return the records that a file changes or adds against a version, and those it lacks."""
        replaced = self._replaced(path, before, entries)
        return compared(path, before, entries, ours=self._ours_of(path), at=at, replaced=replaced)

    def _replaced(self, path: str, before: Records, entries: Sequence[FileRecord]) -> set[str]:
        """Return the keys with different records in a file and a version, if keys can change."""
        if path not in self._keys:
            return set()
        said = {one.key: one.content for one in entries}
        shared = [key for key in said if key in before]
        return {key for key in shared if self._codec.place(key, before[key], said) is None}

    def _named_before(
        self, path: str, before: Records, entries: list[FileRecord]
    ) -> list[FileRecord]:
        """Give records their previous keys, if keys can change and a person renamed them."""
        if path not in self._keys:
            return known_again(before, entries)
        said = {one.key: one.content for one in entries}
        places = {key: self._codec.place(key, before[key], said) for key in before}
        names = {place: key for key, place in places.items() if place not in (None, key)}
        taken = {*names.values()} - {*names}
        return [
            one.replace(key=names.get(one.key, f"#{one.key}" if one.key in taken else one.key))
            for one in entries
        ]

    def _is_foreign(self, path: str, before: Records, entries: Sequence[FileRecord]) -> bool:
        """Return whether a file has none of the records of the version that it replaces."""
        replaced = self._replaced(path, before, entries)
        shared = {one.key for one in entries if one.key in before and one.key != AROUND}
        return bool(replaced) and shared == replaced

    def _moves(self, path: str, before: Records, ours: Records) -> At | None:
        """Return the current keys of a version's records; None if the keys are not known."""
        if path not in self._keys:
            return None
        return lambda key: self._codec.place(key, before[key], ours)

    def _take_back(self, path: str, content: bytes) -> None:
        """Report the records that the next rendering restores after git wrote an old version."""
        shown = self._records(path, content)
        missing = [key for key in self._ours_of(path) if key and key not in shown]
        self._put_back(path, len(missing), f"git restored an earlier version; {_FORGET}")

    def _take_edited(self, path: str, content: bytes, *, newest: bytes | None = None) -> None:
        """Draft the local person's uncommitted edits.

        They were made to `newest` or, if it is not given, to the most similar version.
        """
        try:
            entries = self._parsed(path, content)
        except Unreadable:
            sides = self._judge.parts(path)
            if not sides:
                raise
            self._take_sides(path, sides)
            return
        if newest is None:
            versions = [self._records(path, one) for one in self._views.versions(path)]
        else:
            versions = [self._records(path, newest)]
        sure = bool(versions)
        committed = self._committed_below(path) if newest is None else None
        if committed is not None:
            versions.append(committed)
        ours = self._ours_of(path)
        if not sure:  # it is not known what was rendered before, so the log's current state is used
            versions.append(ours)
        # git may have written what the log renders now, so that comes first
        versions.sort(key=lambda one: one != ours)
        before = self._since(path, nearest(versions, entries), entries, newest=newest)
        entries = self._named_before(path, before, entries)
        at = self._moves(path, before, ours)
        changes, gone = self._compared(path, before, entries, at)
        self._adopt(changes, self._by_user())
        if self._is_foreign(path, before, entries):
            sure = False
        self._gone += [(change, sure) for change in gone]
        if gone:  # the version may contain fewer records than the log does now
            there = {entry.key for entry in entries}
            self._vanished += sum(
                key not in there for key in self._records(path, self._now.get(path))
            )

    def _since(
        self, path: str, before: Records, entries: list[FileRecord], *, newest: bytes | None
    ) -> Records:
        """Return the records of the version from which a person made a file.

        This is the newest version, and the person removed what is missing, if the file equals an
        earlier version or contains nothing that the newest one lacks; in a file that people keep by
        hand, also if the newest version only adds records to the earlier one. Otherwise, or if git
        may have written another version since, the person may have edited an earlier version, and
        later records are restored.
        """
        newest = self._views.newest(path) if newest is None else newest
        last = self._records(path, newest)
        if newest is None or before == last:
            return before
        said = {one.key: one.content for one in entries}
        parts = (said, before) if self._codec.curated else (said,)
        is_part = any(all(last.get(key) == one[key] for key in one) for one in parts)
        if (is_part or said == before) and not self._judge.replaced(path, newest):
            return last
        ours = self._ours_of(path)
        missed = [key for key in last if key and key not in {*before, *said} and key in ours]
        self._put_back(path, len(missed), f"an earlier version was edited; {_FORGET}")
        return before

    def _committed_below(self, path: str) -> Records | None:
        """Draft the edits in HEAD's version of an edited file; return that version's records."""
        content = self._judge.at_head(path)
        if content is None or self._judge.head is None:
            return None
        try:
            entries = self._parsed(path, content)
        except Unreadable:
            return None
        if content not in self._views.versions(path):
            self._take_from_commit(path, content, self._judge.head, entries=entries)
            self._views.adopting.pop(path, None)  # the file is based on another version
        return {one.key: one.content for one in entries}

    # Adopting

    def _adopt(self, changes: Iterable[Change], act: Act, *, said: bool = True) -> int:
        """Let the protocol's codec turn changes of records into drafts; return their number.

        If both the person and the log changed a record, the other version is kept too.
        """
        done: list[str] = []
        changes = [
            one for one in changes if not (self._is_purged_record(one) or self._is_known(one))
        ]
        for change in changes:
            drafts = self._codec.adopt(self._core, change, act)
            more = keeps_other(
                self._core, change, earlier=[*self._found.drafts, *drafts], drafts=drafts
            )
            self._found.drafts += [*drafts, *((log, act.draft(*one)) for log, one in more)]
            ours = self._ours_of(change.path)
            if change.after is None:
                ours.pop(change.key, None)
            elif change.ours is not None or change.key not in ours:
                ours[change.key] = change.after
            done += [described(change, drafts)] if drafts else []
        if done and said:
            self._found.notes.append(self._edited(changes[0].path, done))
        return len(done)

    def _is_purged_record(self, change: Change) -> bool:
        """Return whether a change edits or restores a record whose memory was purged."""
        gone = self._purged_of(change.path)
        if not any(one in gone for one in (change.before, change.after)):
            return False
        if change.before is not None and change.after not in (None, change.before):
            self._found.notes.append(f"{change.path}: an edit of a purged record is left out")
        return True

    def _is_known(self, change: Change) -> bool:
        """Return whether a change restores a text that was purged here, under any id."""
        ours = self._ours_of(change.path).values()
        if not any(self._recogniser.knows(one, ours) for one in (change.before, change.after)):
            return False
        self._views.purged.add(change.path)
        left = f"{change.path}: a purged record is left out; use a verb to record it again"
        self._found.notes += [] if left in self._found.notes or change.after is None else [left]
        return True

    def _purged_of(self, path: str) -> list[dict[str, Any]]:
        """Return the records of a file that were purged later, according to the logs of commits."""
        if path not in self._purged:
            self._purged[path] = found = []
            for commit in self._judge.showing_purged(path):
                was = self._records(path, self._judge.rendering(commit).get(path))
                left = self._records(path, self._judge.without_purged(commit).get(path))
                found += [content for key, content in was.items() if key not in left]
        return self._purged[path]

    def _edited(self, path: str, done: list[str]) -> str:
        """Return a message about what was recorded from a file.

        For a verb that only reads, the message says what is not recorded yet.
        """
        count, what = len(done), listed(done)
        if self._writes:
            return f"adopted {counted(count, 'edit')} of {path}: {what}"
        them = "them" if count > 1 else "it"
        edits = counted(count, "hand edit")
        return self._seen(path, f"{edits}; the next write records {them}: {what}")

    def _seen(self, path: str, words: str) -> str:
        self._found.unrecorded.append((path, words))
        return f"{path}: {words}"

    def _remove(self) -> None:
        """Forget the memories whose records a person removed from files.

        If a removal is uncertain, or too many records are missing, the records are restored
        instead.
        """
        many = self._vanished > MOST
        taken: dict[str, list[Change]] = {}
        by_path: dict[str, list[Change]] = {}
        for change, sure in self._gone:
            some = by_path if many or not sure else taken
            some.setdefault(change.path, []).append(change)
        for changes in taken.values():
            self._adopt(changes, self._by_user())
        why = f"more than {MOST} disappeared at once" if many else "the previous content is unknown"
        for path, changes in by_path.items():
            self._put_back(path, len(changes), why)

    def _put_back(self, path: str, count: int, why: str) -> None:
        if not count:
            return
        records = counted(count, "record")
        if self._writes:
            self._found.notes.append(f"put {records} back in {path}: {why}")
        else:
            again = f"the next write puts {'them' if count > 1 else 'it'} back"
            self._found.notes.append(self._seen(path, f"{records} missing; {again}: {why}"))

    def _by_user(self) -> Act:
        act = self._core.act(actor=USER)
        return act.replace(session=None, origin="direct", trust=3)

    def _by_author(self, path: str, commit: str | None) -> Act:
        """Return an `Act` by the author of a commit, trusted like an event of another clone."""
        author = self._judge.author(path, commit) if commit else ""
        strict = self._core.context.settings.strict is not None
        trust = _HELD_BACK if strict else _REPO_TRUST
        act = self._core.act().replace(session=None, origin=_REPO, trust=trust)
        return act.replace(actor=author) if author else act.replace(actor=USER)

    # Records

    def _parsed(self, path: str, content: bytes) -> list[FileRecord]:
        return self._codec.parse(path, content)

    def _records(self, path: str, content: bytes | None) -> Records:
        if content is None:
            return {}
        try:
            return {one.key: one.content for one in self._parsed(path, content)}
        except Unreadable:
            return {}

    def _ours_of(self, path: str) -> Records:
        """Return a file's records as the log renders them, with the edits drafted just now."""
        if path not in self._ours:
            self._ours[path] = self._records(path, self._now.get(path))
        return self._ours[path]
