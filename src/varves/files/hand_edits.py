"""Hand edits: people's changes to a protocol's files, turned into drafts for the log.

This is the only place where protocol files are read; nothing is written here. A file counts as
unedited if this clone rendered it, if the current log renders the same bytes, or if git wrote it.
Any other file is an edit, and is compared record by record with the previous version.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events.codec import lawful
from varves.events.kinds import ACCESSED
from varves.files import deleted
from varves.files.committed import Judge
from varves.files.differences import is_empty
from varves.files.lost import refuse_held_log
from varves.files.one_file import FilesFound, FileTaking
from varves.files.render import LOG, TEAMS, blocked, in_sight, is_waiting, mark, stem
from varves.files.renderings import digest_of
from varves.files.rival_edits import rival_edits
from varves.places.locks import noted
from varves.protocols.port import Change
from varves.protocols.unreadable import Unreadable
from varves.values.ids import is_memory_id
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.files.ground import FilesCore
    from varves.protocols.port import Codec

__all__ = ["FilesFound", "blocked", "look"]

STALE, PURGED = "stale", "purged"  # verdicts: why a file is not the edit of a person


def look(core: FilesCore, codec: Codec, *, writes: bool) -> FilesFound:
    """Find people's edits of a protocol's files since the files were rendered.

    `writes` says whether the caller records the edits now; otherwise the notes only report them.

    Raises:
        UnsafeName: a file or folder of the protocol is a link.
        Damaged: the log is missing, but git or the spool still has it.
    """
    return _Look(core, codec, writes=writes).run()


class _Look(FileTaking):
    def __init__(self, core: FilesCore, codec: Codec, *, writes: bool) -> None:
        super().__init__(core, codec, writes=writes)
        self._lost: set[str] = set()  # logs that are missing
        self._lost_records = 0
        # files that equal an earlier rendering of this clone
        self._older: frozenset[str] = frozenset()
        self._state = ""  # the state of git and of the log for which a verdict is valid
        self._logs: dict[str, str] = {}  # by folder: the log from which the folder is rendered

    def run(self) -> FilesFound:
        core, codec, views, found = self._core, self._codec, self._views, self._found
        index = core.context.fresh().index
        views.hlc, now = index.latest_hlc(), mark(core, index)
        views.moved = views.mark(LOG) != now
        git = core.context.places.git
        self._state = f"{now} {git.head() if git else ''}"
        views.edited, views.adopting, views.purged, views.astray = set(), {}, set(), set()
        sight = views.look(
            codec.folders, lambda path: codec.is_state(path) or codec.is_derived(path)
        )
        found.stale |= self._ready(sight.older | sight.missing)
        unknown = {path: sight.unknown[path] for path in self._ready(sight.unknown)}
        unknown = {
            path: unknown[path] for path in unknown if not self._is_empty(path, unknown[path])
        }
        unknown |= self._behind(self._ready(sight.older))
        self._find_lost_logs()
        for path in self._of_lost_logs():
            content = views.files.content(path)
            if content is not None and not is_empty(codec, path, content):
                unknown[path] = content
                found.stale.discard(path)
        # git has both sides, whatever the file in the work tree contains
        for path in core.joint.unmerged:
            if codec.is_state(path) or codec.is_derived(path):
                unknown[path] = views.files.content(path) or b""
        if unknown:
            self._sort(unknown)
            self._remove()
        if not self._writes:
            self._say_deleted(self._ready(sight.missing))
        if views.moved:
            act = core.act().replace(session=None)
            found.drafts += [*codec.joined(core, act), *rival_edits(core, act)]
        return found

    def _ready(self, paths: Iterable[str]) -> set[str]:
        """Return the files whose edits may be recorded and that may be rendered.

        Files of a team that waits for consent are left out.
        """
        return {path for path in paths if not is_waiting(self._core, self._codec, path)}

    def _is_empty(self, path: str, content: bytes) -> bool:
        """Return whether a file has no records yet, as after `init`; it is not a person's edit."""
        if not (self._codec.is_state(path) and is_empty(self._codec, path, content)):
            return False
        if self._views.versions(path):
            return False
        held = self._codec.scope_of(path) in self._core.sizes(())
        if path in self._codec.everywhere:
            if held:  # other projects have recorded something since
                self._found.stale.add(path)
            return True
        return not held

    def _behind(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the content of the state files that equal an older rendering of this clone.

        If locks do not work, another process may have rendered this older state.
        """
        core, views = self._core, self._views
        if noted(core.context.places.store("project")):
            return {}
        found = {}
        for path in paths:
            joining = path in core.joint.unmerged
            if self._codec.is_state(path) and not joining and views.newest(path) is not None:
                content = views.files.content(path)
                if content is not None and digest_of(content) == views.digests[path]:
                    found[path] = content
        self._older = frozenset(found)
        return found

    # A log that is missing

    def _find_lost_logs(self) -> None:
        index = self._core.context.fresh().index
        for path in self._views.listed:
            if path.rpartition("/")[0] not in self._logs and self._codec.is_state(path):
                self._log_of(path)
        for log in set(self._logs.values()):
            if not index.logs().has_read(log):
                self._lost.add(log)
        if "project" in self._lost:
            refuse_held_log(self._core)

    def _of_lost_logs(self) -> list[str]:
        if not self._lost:
            return []
        listed = [path for path in self._views.listed if self._codec.is_state(path)]
        return [path for path in self._ready(listed) if self._log_of(path) in self._lost]

    def _log_of(self, path: str) -> str:
        """Return the log from which a file and the other files of its folder are rendered."""
        folder = path.rpartition("/")[0]
        if folder not in self._logs:
            try:
                self._logs[folder] = self._core.log_of(self._codec.scope_of(path))
            except VarvesError:
                self._logs[folder] = "project"
        return self._logs[folder]

    def _say_deleted(self, paths: Iterable[str]) -> None:
        """Note that the next write renders the deleted state files again."""
        gone = [path for path in paths if self._codec.is_state(path)]
        if gone:
            rendered = self._now or self._codec.render(self._core.stock(), None)
            held = [path for path in gone if rendered.get(path) is not None]
            notes = deleted.deletion_notes(held, again=False, endings=self._codec.endings)
            self._found.notes += [self._seen(*one) for one in notes]

    # Classifying files

    def _sort(self, unknown: dict[str, bytes]) -> None:
        """Examine each file that this clone did not render, and draft events for edits."""
        core, codec, found = self._core, self._codec, self._found
        found.stale |= unknown.keys()
        waiting = {path: unknown[path] for path in unknown if not self._is_settled(path)}
        if not waiting:
            return
        stock = core.stock()
        self._now, self._keys = codec.render(stock, None), codec.keys(stock)
        same = {
            path: content
            for path, content in waiting.items()
            if self._now.get(path) == content and path not in core.joint.unmerged
        }
        self._views.note(dict(same))
        found.stale -= same.keys()
        left = {path: content for path, content in waiting.items() if path not in same}
        if left:
            self._judge = Judge(core, codec, left)
        for path in sorted(left):
            told = found.drafts, found.notes, self._gone, core.notes
            before = [len(one) for one in told]
            if codec.is_state(path):
                self._try(path, left[path])
            elif not self._judge.explains(path):
                self._views.edited.add(path)
            if path not in self._views.purged and self._shows_purged(path, left[path]):
                self._views.purged.add(path)
            quiet = before == [len(one) for one in told]
            if quiet and path not in (*self._views.edited, *core.joint.unmerged):
                verdict = PURGED if path in self._views.purged else STALE
                self._views.set_verdict(path, self._state, verdict)
        if self._lost_records:
            took = "adopted" if self._writes else "the next write adopts"
            counted_there = any(
                draft.kind == ACCESSED or "least" in draft.data for _, draft in found.drafts
            )
            without = "history and reasons" if counted_there else "history, reasons and counters"
            found.notes.append(
                f"there is no log: {took} {counted(self._lost_records, 'record')} from the files,"
                f" without {without}"
            )

    def _shows_purged(self, path: str, content: bytes) -> bool:
        """Return whether a file shows purged content, by its texts, ids or a commit's log."""
        if self._codec.is_state(path):
            ours, shown = self._ours_of(path).values(), self._records(path, content).values()
            known = any(self._recogniser.knows(one, ours) for one in shown)
        else:
            barred = self._core.context.fresh().index.purges().barred()
            known = any(name.encode() in content for name in barred)
        return known or bool(self._judge.showing_purged(path))

    def _is_settled(self, path: str) -> bool:
        """Return whether a file was found to have no edits in this state of git and the log."""
        if path in self._core.joint.unmerged:
            return False
        if self._log_of(path) in self._lost and self._codec.is_state(path):
            return False
        verdict = self._views.verdict(path, self._state)
        if verdict == PURGED:
            self._views.purged.add(path)
        return verdict in (STALE, PURGED)

    def _try(self, path: str, content: bytes) -> None:
        """Record the edits of a file; if this fails, the file is not overwritten."""
        found = self._found
        lists: tuple[list[Any], ...] = (
            *(found.drafts, found.notes, found.unrecorded),
            self._gone,
        )
        before = [len(one) for one in lists]
        vanished, lost = self._vanished, self._lost_records
        try:
            self._take(path, content)
            for _, draft in found.drafts[before[0] :]:
                # without this check, one append for all files would fail, and not name the file
                lawful(draft.data)
            left = self._left_alone(path) if before != [len(one) for one in lists] else ""
            if not left:
                return
        except (Unreadable, VarvesError) as fault:
            advice = f"it is left unchanged; `varves {self._codec.name} validate` says what to do"
            left = f"{path} cannot be read: {fault}; {advice}"
            found.unreadable[path] = str(fault)
        for one, length in zip(lists, before, strict=True):
            del one[length:]
        self._vanished, self._lost_records = vanished, lost
        self._views.adopting.pop(path, None)
        if left not in found.notes:
            found.notes.append(left)

    def _left_alone(self, path: str) -> str:
        """Return why the edits of a private file are not recorded: git could commit it; else ""."""
        for folder in self._codec.ignores:
            if path.startswith(f"{folder}/") and not folder.startswith(TEAMS):
                return in_sight(self._core, folder)
        return ""

    def _take(self, path: str, content: bytes) -> None:
        """Record the edits of one file, by the first rule that fits its origin."""
        judge, log = self._judge, self._log_of(path)
        if self._is_purged(path):
            self._views.purged.add(path)
        elif log in self._lost:
            self._take_all(path, content)
        elif path in self._older:
            self._take_earlier(path, content)
        elif judge.is_head(path) and not judge.is_unmerged(path):
            if not self._is_adopted(path):
                self._take_committed(path, content)
        elif not judge.is_unmerged(path) and self._take_merged(path, content):
            pass  # git's merge driver made the file, so it is not the edit of a person
        elif judge.is_joining(path):
            self._take_joined(path, content)
        elif not judge.is_older(path):
            self._take_edited(path, content)
        elif (newest := self._views.newest(path)) is not None and not judge.left(path):
            self._take_edited(path, content, newest=newest)

    def _take_earlier(self, path: str, content: bytes) -> None:
        """Examine a file that equals an earlier rendering of this clone.

        Git writes such files. If git cannot have written it, it is a person's edit.
        """
        if self._judge.is_joining(path):
            return
        if self._judge.left(path):
            self._take_back(path, content)
        else:
            self._take_edited(path, content, newest=self._views.newest(path))

    def _is_purged(self, path: str) -> bool:
        """Return whether a file belongs to a memory that was purged."""
        name = stem(path)
        return is_memory_id(name) and bool(self._core.context.fresh().index.purges().barred(name))

    def _is_adopted(self, path: str) -> bool:
        """Return whether an event already records the edits in a committed version of a file."""
        event = self._views.adopted(path)
        return event is not None and self._core.context.fresh().index.event(event) is not None

    def _take_all(self, path: str, content: bytes) -> None:
        """Record every entry of a file whose log is missing."""
        entries = self._parsed(path, content)
        act = (
            self._by_author(path, self._judge.head)
            if self._judge.is_head(path)
            else self._by_user()
        )
        changes = [
            Change(path=path, key=one.key, before=None, after=one.content, ours=None)
            for one in entries
        ]
        around = self._adopt([one for one in changes if not one.key], act, said=False)
        records = self._adopt([one for one in changes if one.key], act, said=False)
        took = records or int(bool(around))
        self._lost_records += took
        if took and not self._writes:
            words = f"{counted(took, 'record')} and no log of it; the next write adopts what it has"
            self._found.unrecorded.append((path, words))
