"""What hooks note of a session in `attendance/` of the local folder: a small file, a line a note.

Nothing in it is a memory and everything may be thrown away: then something is told twice, or read
twice and recorded once. A line waits for no lock and no sync, and one that was cut short, or that
somebody else put there, is passed over.
"""

from __future__ import annotations

import os
from errno import EPERM

from varves.log.files.local import ATTENDANCE
from varves.log.files.store import Files, give
from varves.state.usage import is_ours, leaf_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.log.files.places import Places

LIMIT = 512 << 10  # bytes of one session, from which on only its outcome is kept
SESSIONS = 200  # files at the most; the ones untouched for longest go
_END = "."  # a line without it was cut short
_MOST = 100  # of a kind that are kept
_MOST_TOLD = 5000
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Noted:
    """What was noted of a session, put together."""

    def __init__(self) -> None:
        self.client = ""
        self.session = ""
        self.agent = ""
        self.told: dict[str, None] = {}
        self.offsets: dict[str, int] = {}
        """How far each transcript was read."""
        self.before: dict[str, int] = {}
        """Where the turn began that was read last."""
        self.caught: dict[str, int] = {}
        self.hushed: dict[str, int] = {}
        """How far each holds what was purged since, of which nothing is noted."""
        self.parts: dict[str, tuple[int, str]] = {}
        """How many messages behind that were learned from, and what the last is known by."""
        self.fresh: dict[str, None] = {}
        """Files written since something was last learned."""
        self.wrote: dict[str, None] = {}
        self.failed: dict[str, None] = {}
        self.learned: dict[str, None] = {}
        self.task = ""
        self.checkpoint = ("", "")
        """The memory, and what it was made of."""
        self.ended = False
        self.owed = False
        """Whether it was compacted and not told since what it had come to."""

    def take(self, kind: str, values: list[str]) -> None:
        """Let one line count."""
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
        """Tell whether what comes next of a transcript was said before a purge of it."""
        return self.offsets.get(path, 0) < self.hushed.get(path, 0)

    def lines(self) -> Iterator[tuple[str, ...]]:
        """Yield the fewest notes that say the same; of what piles up the newest."""
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


class Attendance(Files):
    """The folder `attendance/` of a ledger's local folder, or of the user's without a ledger."""

    def noted(self, leaf: str) -> Noted:
        """Return what was noted of a session; what cannot be read was not noted."""
        found = Noted()
        for kind, *values in _decoded(self._content(leaf)):
            found.take(kind, values)
        return found

    def add(self, leaf: str, lines: Iterable[tuple[str, ...]]) -> bool:
        """Note something, or tell that it could not be."""
        content = _encoded(lines)
        try:
            folder = self._walk([ATTENDANCE], make=True)
            try:
                handle = os.open(leaf, _APPEND | os.O_CREAT, 0o600, dir_fd=folder)
                try:
                    found = os.fstat(handle)
                    if not is_ours(found):
                        raise PermissionError(EPERM, "not a plain file of ours", leaf)
                    if not found.st_size:
                        give(handle, folder)
                    os.write(handle, content)
                finally:
                    os.close(handle)
            finally:
                os.close(folder)
        except OSError:
            return False
        if found.st_size > LIMIT:
            self.settle(leaf)  # what stands beyond twice as much is not read
        return True

    def settle(self, leaf: str) -> None:
        """Write a file that has grown long anew, with only what it comes to."""
        if len(self._content(leaf)) <= LIMIT:
            return
        passing = f"{leaf}.{os.getpid()}"
        content = _encoded(self.noted(leaf).lines())
        try:
            folder = self._walk([ATTENDANCE])
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                handle = os.open(passing, flags, 0o600, dir_fd=folder)
                try:
                    give(handle, folder)
                    os.write(handle, content)
                finally:
                    os.close(handle)
                os.rename(passing, leaf, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                os.close(folder)
        except OSError:
            return

    def leaves(self) -> list[str]:
        """Return all sessions, the newest first; beyond so many they are removed."""
        try:
            found = self.dated(ATTENDANCE)
        except OSError:
            return []
        newest = sorted((written, name) for name, written in found)[::-1]
        for _, name in newest[SESSIONS:]:
            try:
                self.remove(f"{ATTENDANCE}/{name}")
            except OSError:
                continue
        return [name for _, name in newest[:SESSIONS]]

    def _content(self, leaf: str) -> bytes:
        try:
            folder = self._walk([ATTENDANCE])
            try:
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                handle = os.open(leaf, flags, dir_fd=folder)
                try:
                    if not is_ours(os.fstat(handle)):
                        return b""
                    return os.read(handle, 2 * LIMIT)
                finally:
                    os.close(handle)
            finally:
                os.close(folder)
        except OSError:
            return b""


def attendance_of(places: Places) -> Attendance:
    """Return the notes of a project's sessions; the user's, where there is no ledger."""
    if places.exists():
        return places.within_local(Attendance)
    return Attendance(f"{places.home}/local", private=True, anchor=places.home)


def leaf(session: str, agent: str | None) -> str:
    """Return the file name of a session, or of a subagent's part in it."""
    return leaf_of("", f"{session}+{agent}" if agent else session, "")


def _encoded(lines: Iterable[tuple[str, ...]]) -> bytes:
    """Write lines; each begins with a line break, so that it stands alone after a torn one."""
    rows = ("\t".join([*map(_quoted, line), _END]) for line in lines)
    return "".join(f"\n{row}\n" for row in rows).encode()


def _decoded(content: bytes) -> Iterator[list[str]]:
    for row in content.decode("utf-8", "replace").split("\n"):
        *parts, end = row.split("\t")
        if parts and end == _END:
            yield [_unquoted(part) if "%" in part else part for part in parts]


def _quoted(text: str) -> str:
    """Return a text without tabs, line breaks and anything else that does not print."""
    if text.isprintable() and "%" not in text:
        return text
    return "".join(
        letter
        if letter.isprintable() and letter != "%"
        else "".join(f"%{byte:02x}" for byte in letter.encode("utf-8", "replace"))
        for letter in text
    )


def _unquoted(text: str) -> str:
    first, *rest = text.split("%")
    content = first.encode()
    for part in rest:
        try:
            content += bytes.fromhex(part[:2]) + part[2:].encode()
        except ValueError:
            content += part.encode()
    return content.decode("utf-8", "replace")
