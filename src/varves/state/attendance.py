"""Stores the notes of hooks about sessions in the notebook: a kind, and up to three texts.

The notes are not memories, and all may be deleted. If they are deleted, a memory may be shown
twice, or a message may be read twice, but the message is still recorded only once.
"""

from __future__ import annotations

from varves.state.notebook import (
    HASTE,
    PATIENCE,
    machine_time,
    notebook_of,
    plain,
    shortened,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator

    from varves.places.places import Places
    from varves.state.notebook import Notebook

LIMIT = 4000  # the most notes of one session; above that, they are replaced by a summary of them
# the most sessions; above that, the sessions that were not used for longest are removed
SESSIONS = 200
_LONGEST = 128 << 10  # the most letters of one text
_OF_SESSION = "select kind, first, second, third from attended where leaf = ? order by n"
_MOST = 100  # the most notes of each kind in the summary of a session
_MOST_TOLD = 5000


class Noted:
    """The state of a coding agent's session, computed from the notes of hooks."""

    def __init__(self) -> None:
        self.client = ""
        self.session = ""
        self.agent = ""
        self.told: dict[str, None] = {}
        self.offsets: dict[str, int] = {}
        """The offset up to which each transcript was read."""
        self.before: dict[str, int] = {}
        """The offset in each transcript at which the turn that was read last begins."""
        self.caught: dict[str, int] = {}
        self.hushed: dict[str, int] = {}
        """The offset up to which each transcript is ignored, because the text there was purged."""
        self.parts: dict[str, tuple[int, str]] = {}
        """By transcript: how many messages after the offset were processed, the last one's key."""
        self.fresh: dict[str, None] = {}
        """The files written since learnings were last recorded."""
        self.wrote: dict[str, None] = {}
        self.failed: dict[str, None] = {}
        self.learned: dict[str, None] = {}
        self.task = ""
        self.checkpoint = ("", "")
        """The memory that is the checkpoint, and the text from which it was made."""
        self.ended = False
        self.owed = False
        """Whether the session was compacted and has not been shown its checkpoint since."""

    def take(self, kind: str, values: list[str]) -> None:
        """Update the state of the session by one note."""
        match kind, values:
            case "told", [ids]:
                self.told |= dict.fromkeys(ids.split(" "))
            case "compacted", []:
                self.told, self.owed = {}, True
            case "begun", []:
                self.ended = self.owed = False
            case "ended", [_]:
                self.ended = True
            case "who", [client, session, agent]:
                self.client, self.session, self.agent = client, session, agent
            case "at", [offset, path] if offset.isdecimal():
                if int(offset) != self.offsets.get(path, 0):
                    self.before[path] = self.offsets.get(path, 0)
                self.offsets[path] = int(offset)
                self.caught.pop(path, None)
                self.parts.pop(path, None)
            case "caught", [offset, path] if offset.isdecimal():
                self.caught[path] = int(offset)
                self.parts.pop(path, None)
            case "part", [count, mark, path] if count.isdecimal():
                self.parts[path] = (int(count), mark)
            case "hush", [offset, path] if offset.isdecimal():
                self.hushed[path] = int(offset)
            case _:
                self._take_work(kind, values)

    def _take_work(self, kind: str, values: list[str]) -> None:
        match kind, values:
            case "wrote", [path]:
                self.fresh[path] = self.wrote[path] = None
            case "failed", [said]:
                self.failed[said] = None
            case "learned", [ids]:
                self.learned |= dict.fromkeys(ids.split(" "))
            case "turn", [task]:
                self.task, self.fresh = task or self.task, {}
            case "mended", [said]:
                self.failed.pop(said, None)
            case "checkpoint", [memory, made_of]:
                self.checkpoint = (memory, made_of)

    def is_hushed(self, path: str) -> bool:
        """Return whether the next unread part of a transcript must be ignored, after a purge."""
        return self.offsets.get(path, 0) < self.hushed.get(path, 0)

    def lines(self) -> Iterator[tuple[str, ...]]:
        """Yield the shortest list of notes that leads to the same state.

        Of lists that grow without limit, only the newest items are included.
        """
        yield "who", self.client, self.session, self.agent
        if self.owed:
            yield ("compacted",)
        if self.told:
            yield "told", " ".join([*self.told][-_MOST_TOLD:])
        for path, offset in [*self.offsets.items()][-_MOST:]:
            if self.before.get(path):
                yield "at", str(self.before[path]), path
            yield "at", str(offset), path
            if path in self.caught:
                yield "caught", str(self.caught[path]), path
            if path in self.hushed:
                yield "hush", str(self.hushed[path]), path
            if path in self.parts:
                yield "part", str(self.parts[path][0]), self.parts[path][1], path
        yield from (("wrote", path) for path in [*self.wrote][-_MOST:] if path not in self.fresh)
        if self.learned:
            yield "learned", " ".join([*self.learned][-_MOST:])
        yield "turn", self.task
        yield from (("wrote", path) for path in [*self.fresh][-_MOST:])
        yield from (("failed", said) for said in [*self.failed][-_MOST:])
        if self.checkpoint[0]:
            yield ("checkpoint", *self.checkpoint)
        if self.ended:
            yield "ended", ""


class Attendance:
    """The notes about coding agents' sessions in a notebook."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook

    @property
    def fault(self) -> str:
        """The reason why the last note could not be stored; "" if all notes were stored."""
        return self._notebook.fault

    def noted(self, leaf: str) -> Noted:
        """Return a session's notes; unreadable notes are ignored."""
        found = Noted()
        for kind, *values in self._notebook.rows(_OF_SESSION, leaf):
            found.take(kind, [value for value in values if value is not None])
        return found

    def add(self, leaf: str, lines: Iterable[tuple[str, ...]]) -> bool:
        """Store notes; return whether this succeeded."""
        return (
            self._notebook.do(lambda db: add_notes(db, leaf, lines, at=machine_time())) is not None
        )

    def leaves(self) -> list[str]:
        """Return the keys of all sessions, newest first; delete the oldest if there are many."""
        sql = "select leaf from attended group by leaf order by max(at) desc, leaf desc"
        found = [leaf for (leaf,) in self._notebook.rows(sql)]
        self._remove(found[SESSIONS:])
        return found[:SESSIONS]

    def erase(self, said: Callable[[bytes], bool]) -> list[str]:
        """Delete the notes of all sessions in which `said` finds a text; return the sessions."""
        sql = "select leaf, first, second, third from attended"
        found = self._notebook.rows(sql)
        gone = {row[0] for row in found if any(said(text.encode()) for text in row if text)}
        self._remove(gone)
        return sorted(gone)

    def _remove(self, leaves: Iterable[str]) -> None:
        rows = [(leaf,) for leaf in leaves]
        self._notebook.write("delete from attended where leaf = ?", rows)


def attendance_of(places: Places, *, in_haste: bool = False) -> Attendance:
    """Return the notes about a project's sessions; without a ledger, about the user's sessions.

    Args:
        places: the ledger's places.
        in_haste: for a hook, which does not wait for other processes.
    """
    notebook = notebook_of(places)
    notebook.wait(HASTE if in_haste else PATIENCE)
    return Attendance(notebook)


def leaf(session: str, agent: str | None) -> str:
    """Return the key under which notes on a session, or on one of its subagents, are stored."""
    return plain(shortened(f"{session}+{agent}" if agent else session))


def add_notes(
    db: sqlite3.Connection, leaf: str, lines: Iterable[tuple[str, ...]], *, at: int
) -> bool:
    """Add notes to a session."""
    last = "select coalesce(max(n), 0) from attended where leaf = ?"
    n = int(db.execute(last, (leaf,)).fetchone()[0])
    for kind, *values in lines:
        n += 1
        texts = [*(plain(value)[:_LONGEST] for value in values), None, None, None][:3]
        db.execute("insert into attended values (?, ?, ?, ?, ?, ?, ?)", (leaf, n, at, kind, *texts))
    return _fold(db, leaf) if n > LIMIT else True


def _fold(db: sqlite3.Connection, leaf: str) -> bool:
    """Replace the notes of a session by the shortest list that leads to the same state."""
    found = Noted()
    for kind, *values in db.execute(_OF_SESSION, (leaf,)):
        found.take(kind, [value for value in values if value is not None])
    db.execute("delete from attended where leaf = ?", (leaf,))
    return add_notes(db, leaf, found.lines(), at=machine_time())
