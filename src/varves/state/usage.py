"""What readers were told, collected in `usage/` of the local folder, a small file for each session.

A reader adds one line and waits for nobody: no sync, and where it cannot write nothing is noted.
Whoever settles a session takes its file whole, by giving it the name of the event that its lines
become. A reader holds a shared lock for the length of its one write, so that a file that was taken
and locked gains no line any more.
"""

from __future__ import annotations

import fcntl
import os
import stat as modes
from errno import EPERM

from varves.log.files.local import USAGE
from varves.log.files.store import Files, give
from varves.values.ids import is_event_id, is_memory_id
from varves.values.instants import is_instant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.log.files.places import Places

LIMIT = 256 << 10  # bytes a session may collect before it is settled
SESSIONS = 400  # files at the most
COUNTED = "p-"  # before the name of a protocol whose counters wait
TAKEN = "~"  # between a session's file name and the event it becomes
_TRIES = 20
_PAUSE = 0.0005
_LEAF = "abcdefghijklmnopqrstuvwxyz0123456789-_."  # no capitals: some file systems fold them
_LONGEST = 180
_END = "."  # a line without it was cut short
_PARTS = 7
_WORD = 12  # letters of a name's part that nobody takes for a secret
_NUMBER = 8
_WORDS = 6
_UUID = [8, 4, 4, 4, 12]


class Line(Value):
    """One reading: when and by which verb, who asked, who was told, in which session, and what."""

    time: str
    verb: str
    actor: str
    agent: str
    session: str | None
    memories: tuple[str, ...]

    def encode(self) -> bytes:
        """Return the line as it is added: it stands on a line of its own even after a torn one."""
        session = self.session or f"{self.actor}-{self.time[:10]}"
        ids = " ".join(name for name in self.memories if is_memory_id(name))
        parts = (self.time, self.verb, self.actor, self.agent, session, ids, _END)
        return f"\n{chr(9).join(parts)}\n".encode("utf-8", "replace")


def decode(content: bytes) -> Iterator[Line]:
    """Yield the whole lines of a file; what is cut short or foreign is passed over."""
    for row in content.decode("utf-8", "replace").split("\n"):
        parts = row.split("\t")
        if len(parts) == _PARTS and parts[-1] == _END and all(map(_is_sound, parts)):
            time, verb, actor, agent, session, ids, _ = parts
            names = tuple(name for name in ids.split(" ") if is_memory_id(name))
            if names and is_instant(time):
                yield Line(
                    time=time,
                    verb=verb,
                    actor=actor,
                    agent=agent,
                    session=session,
                    memories=names,
                )


def _is_sound(part: str) -> bool:
    return part.isprintable()


def reading(
    who: tuple[str, str | None, str | None], time: str, *, verb: str, names: Iterable[str]
) -> Line:
    """Return the line of one answer to (actor, session, the agent it was for), secrets masked."""
    actor, session, agent = who
    return Line(
        time=time,
        verb=verb,
        actor=masked(actor),
        agent=masked(agent or actor),
        session=session and masked(session),
        memories=tuple(dict.fromkeys(names)),
    )


def usage_of(places: Places) -> Usage:
    """Return what was collected in a ledger."""
    return places.within_local(Usage)


def leaf_of(actor: str, session: str | None, time: str) -> str:
    """Return the file name of a session; a call without one belongs to its actor and day."""
    name = _quoted(session) if session else f"{time[:10]}-{_quoted(actor)}"
    return f"{'s' if session else 'd'}-{name}"


def masked(name: str) -> str:
    """Return a name as it may be written down, a secret in it masked."""
    if is_harmless(name):
        return name
    from varves.events.redact import scrub_tree

    return str(scrub_tree(name)[0])


def is_harmless(name: str) -> bool:
    """Tell cheaply that a name holds no secret: a word or two, a date, a UUID.

    The rules that know secrets are dear to load, and a recall must not wait for them.
    """
    if not name.isascii():
        return False
    parts = name.replace("_", "-").replace(".", "-").split("-")
    if [len(part) for part in parts] == _UUID:
        return not name.lower().strip("-0123456789abcdef")
    return len(parts) <= _WORDS and all(
        (part.isalpha() and len(part) <= _WORD) or (part.isdigit() and len(part) <= _NUMBER)
        for part in parts
    )


def _quoted(name: str) -> str:
    if all(letter in _LEAF for letter in name) and len(name) <= _LONGEST:
        return name
    kept = (
        letter if letter in _LEAF else "".join(f"%{byte:02x}" for byte in letter.encode())
        for letter in name
    )
    quoted = "".join(kept)
    if len(quoted) <= _LONGEST:
        return quoted
    from hashlib import sha256

    return f"%%{sha256(name.encode()).hexdigest()}"


class Usage(Files):
    """The folder `usage/` of a ledger's local folder."""

    def note(self, line: Line) -> None:
        """Add a line, or do nothing where that is not possible."""
        try:
            folder = self._folder()
            try:
                leaf = leaf_of(line.actor, line.session, line.time)
                self._add(folder, leaf, line.encode())
            finally:
                os.close(folder)
        except OSError:
            return  # to be told is more than to be counted

    def count(self, protocol: str, line: Line) -> None:
        """Add a line to those that a protocol's counters wait for, if that is possible."""
        try:
            folder = self._folder()
            try:
                self._add(folder, f"{COUNTED}{protocol}", line.encode())
            finally:
                os.close(folder)
        except OSError:
            return

    def counted(self, protocol: str) -> list[Line]:
        """Return the lines that wait for a protocol's counters, those being taken included."""
        lines: list[Line] = []
        for name in self.waiting(protocol):
            try:
                lines += decode(self.read(f"{USAGE}/{name}"))
            except OSError:
                continue  # taken or done meanwhile
        return lines

    def waiting(self, protocol: str) -> list[str]:
        """Return the files of a protocol's counters, those another took and left included."""
        try:
            found = self.entries(USAGE)
        except OSError:
            return []
        leaf = f"{COUNTED}{protocol}"
        return sorted(name for name, _, _ in found if name.partition(TAKEN)[0] == leaf)

    def _folder(self) -> int:
        """Open the folder, made on first use."""
        return self._walk([USAGE], make=True)

    def _add(self, folder: int, leaf: str, line: bytes) -> None:
        from time import sleep

        for _ in range(_TRIES):
            handle = self._open_or_begin(folder, leaf)
            if handle is None:
                return
            try:
                if self._join(handle):
                    if os.fstat(handle).st_size + len(line) <= LIMIT:
                        os.write(handle, line)
                    return
            finally:
                os.close(handle)
            sleep(_PAUSE)  # it is being taken at this moment; the next one has its name

    def _open_or_begin(self, folder: int, leaf: str) -> int | None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            return os.open(leaf, flags, dir_fd=folder)
        except FileNotFoundError:
            if len(os.listdir(folder)) >= SESSIONS:
                return None
        handle = os.open(leaf, flags | os.O_CREAT, 0o600, dir_fd=folder)
        give(handle, folder)
        return handle

    def _join(self, handle: int) -> bool:
        """Keep the file from being taken until it is closed; tell whether it still has its name."""
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # no locks here: a line may be lost in the moment its file is taken
        found = os.fstat(handle)
        if found.st_nlink == 0:
            return False
        if not is_ours(found):
            raise PermissionError(EPERM, "not a plain file of ours")
        return True

    # Settling

    def has(self, leaf: str) -> bool:
        """Tell whether anything was collected for a session."""
        return os.path.lexists(f"{self.root}/{USAGE}/{leaf}")

    def left(self) -> Iterator[tuple[str, str, int]]:
        """Yield (file, event, milliseconds) of all there is; the event of what was taken before."""
        try:
            found = self.dated(USAGE)
        except OSError:
            return
        for name, changed in found:
            leaf, _, event = name.partition(TAKEN)
            if leaf[:2] in ("s-", "d-") and (not event or is_event_id(event)):
                yield name, event, changed // 1_000_000

    def unsettled(self) -> list[Line]:
        """Return what was told and is in no event yet, the oldest first."""
        lines: list[Line] = []
        for name, taken, _ in self.left():
            if taken:
                continue
            try:
                with os.fdopen(self._open_to_read(f"{USAGE}/{name}"), "rb") as file:
                    lines += decode(file.read()) if is_ours(os.fstat(file.fileno())) else ()
            except OSError:
                continue  # settled meanwhile
        return sorted(lines, key=lambda line: line.time)

    def take(self, leaf: str, event: str) -> Taken | None:
        """Take a session's lines for an event; None if there are none, or somebody is at them.

        The name goes first: a reader who finds the file locked then begins another.
        """
        name = f"{leaf}{TAKEN}{event}"
        folder = self._walk(USAGE.split("/"))
        try:
            if not is_ours(os.stat(leaf, dir_fd=folder, follow_symlinks=False)):
                return None
            os.rename(leaf, name, src_dir_fd=folder, dst_dir_fd=folder)
        finally:
            os.close(folder)
        return self.take_over(name)

    def take_over(self, name: str) -> Taken | None:
        """Take what another took and did not finish; None if it is still at it."""
        handle = self._hold(name)
        return None if handle is None else Taken(self, name, handle)

    def _hold(self, leaf: str) -> int | None:
        """Open a file with nobody else in it, or return None."""
        from time import sleep

        for _ in range(_TRIES):
            try:
                handle = self._open_to_read(f"{USAGE}/{leaf}")
            except FileNotFoundError:
                return None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                sleep(_PAUSE)
                continue
            except OSError:
                pass  # no locks here: two may record the same event, and it counts once
            if is_ours(os.fstat(handle)):
                return handle
            os.close(handle)
            return None
        return None


class Taken:
    """The lines of one session, taken for one event and held until that is durable."""

    def __init__(self, usage: Usage, name: str, handle: int) -> None:
        self._usage = usage
        self._name = f"{USAGE}/{name}"
        self._handle = handle
        self.event = name.partition(TAKEN)[2]

    def lines(self) -> list[Line]:
        """Return what was collected."""
        return list(decode(self._usage.read(self._name)))

    def done(self) -> None:
        """Throw the lines away: their event is in the log."""
        self._usage.remove(self._name)

    def close(self) -> None:
        """Let go; what is not done is left for another."""
        os.close(self._handle)


def is_ours(found: os.stat_result) -> bool:
    """Tell a file we made from one that a branch brought along: git keeps no such modes."""
    return modes.S_ISREG(found.st_mode) and not found.st_mode & 0o077 and found.st_nlink == 1
