"""A simulated clone: a disk, a wrong clock, a git that keeps snapshots, and agents with ledgers.

The ledgers are real, from the commands down to the appender and the index; only the disk beneath
and the git beside them are doubles. All agents of a clone share one index, as processes share its
file.
"""

from __future__ import annotations

import random
from hashlib import sha1
from typing import TYPE_CHECKING

from tests.simulation.disk import Disk, File, Process
from varves.events.codec import BadLine, decode
from varves.index.sqlite.index import SqliteIndex
from varves.ledger import Ledger
from varves.places.places import Places
from varves.settings import Settings
from varves.values.ids import IdSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.context.logs import Heads
    from varves.events.event import Draft, Event
    from varves.places.port import FileStore

Tree = dict[str, bytes]
START = 1_794_722_400_000  # 2026-11-15T06:00:00Z
SECOND, HOUR, DAY = 1000, 3_600_000, 86_400_000


class Time:
    """The one true time, in milliseconds; it passes when somebody looks."""

    def __init__(self) -> None:
        self.ms = START


class WrongClock:
    """A clock of one machine."""

    fixed = False

    def __init__(self, time: Time, off: int) -> None:
        self.time = time
        self.off = off

    def now(self) -> int:
        """Return what this machine believes."""
        self.time.ms += 3
        return self.time.ms + self.off


class SeededIds(IdSource):
    """Identities from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        """Return the next bytes of this seed."""
        return self._random.randbytes(count)


class SnapshotGit:
    """What an appender and packing ask of git: which files HEAD and the index hold, and as what."""

    def __init__(self, clone: Clone) -> None:
        self.top = clone.root
        self.folder = f"{clone.root}-git"
        self._clone = clone

    def head(self) -> tuple[object, ...]:
        """Return a signature that differs whenever HEAD has moved."""
        return (self._clone.head, self._clone.moves)

    def staged(self, path: str) -> bool:
        """Tell whether a commit holds the file already."""
        return path.removeprefix(f"{self._clone.folder}/") in self._clone.tracked

    def run(self, *words: str, check: bool = True) -> bytes:
        """Answer `ls-files -s -z` and `ls-tree -r -z`."""
        if "check-ignore" in words:
            return b""
        rows = []
        for name, content in self._clone.tracked.items():
            found = sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
            middle = f"blob {found}" if "ls-tree" in words else f"{found} 0"
            rows.append(f"100644 {middle}\t.varves/{name}\0")
        return "".join(rows).encode()


class SnapshotPlaces(Places):
    """The places of a ledger on a simulated disk."""

    def __init__(self, clone: Clone, process: Process) -> None:
        super().__init__(clone.root, f"{clone.root}-home", teams={}, files=process.store)
        self._git = None
        self._clone = clone

    def exists(self) -> bool:
        """Keep the index in memory: the simulated disk has no place for SQLite."""
        return False

    def repository_of(self, log: str) -> SnapshotGit | None:  # type: ignore[override]
        """Return the repository of the project's log."""
        return SnapshotGit(self._clone) if log == "project" else None

    @property
    def spool(self) -> FileStore:
        """The spool of the project's log."""
        return self._at(f"{self.root}-git/spool", private=True)


class SharedIndex(SqliteIndex):
    """An index whose file outlives the connections to it."""

    def close(self) -> None:
        """Let one agent's connection go; the others' stay."""

    def __del__(self) -> None:
        self.db.close()


class Agent:
    """A process with an open ledger; it notes what it was told is durable."""

    def __init__(self, clone: Clone, actor: str) -> None:
        self.clone = clone
        self.told: list[Event] = []
        self.process = Process(clone.disk)
        settings = Settings(
            root=clone.root, home=f"{clone.root}-home", actor=actor, mode=clone.mode
        )
        places = SnapshotPlaces(clone, self.process)
        self.ledger = Ledger(settings, clone.clock, clone.ids, places=places)
        self.ledger._context.index._index = clone.index
        self.ledger._context.index._open_index = lambda: SharedIndex(None)  # type: ignore[method-assign]
        self._take_notes()

    def _take_notes(self) -> None:
        logs = self.ledger._context.logs
        append = logs.append

        def noting(log: str, drafts: Sequence[Draft], heads: Heads) -> list[Event]:
            events = append(log, drafts, heads)
            self.told += events
            if self.clone.mode == "durable":  # safe already, whatever becomes of the call
                self.hear()
            return events

        logs.append = noting  # type: ignore[method-assign]

    def hear(self) -> None:
        """Take what was told for a promise."""
        self.clone.acknowledged += self.told
        self.told = []

    def stop(self) -> None:
        """End in good order."""
        self.ledger._context.logs.close()
        self.process.die()


class Clone:
    """One clone of the repository, on a machine of its own."""

    def __init__(
        self, name: str, seed: str, time: Time, off: int, *, mode: str = "durable"
    ) -> None:
        self.name = name
        self.mode = mode
        self.root = f"/simulated/{name}"
        self.folder = f"{self.root}/.varves"
        self.ids = SeededIds(f"{seed} {name}")
        self.clock = WrongClock(time, off)
        self.disk = Disk(random.Random(f"{seed} {name} disk"))
        self.index = SharedIndex(None)
        self.agents: list[Agent] = []
        self.acknowledged: list[Event] = []
        self.waited: set[str] = set()  # events that were once too far ahead of this clock
        self.branches: dict[str, Tree] = {"main": {}}
        self.head = "main"
        self.moves = 0
        self._read: dict[int, tuple[bytes, list[Event]]] = {}
        first = Agent(self, "first")
        first.ledger._context.index._index = None
        first.ledger._context.begin()
        first.stop()

    def start(self, actor: str) -> Agent:
        """Start an agent."""
        agent = Agent(self, actor)
        self.agents.append(agent)
        return agent

    def bury(self) -> None:
        """Forget the agents that have died."""
        self.agents = [agent for agent in self.agents if agent.process.alive]

    def cut(self, *, index_survives: bool) -> None:
        """Cut the power and start again."""
        self.disk.cut()
        self.bury()
        if not index_survives:
            self.index = SharedIndex(None)

    # Git

    @property
    def tracked(self) -> Tree:
        """The files of the commit that HEAD names."""
        return self.branches[self.head]

    def work_tree(self) -> Tree:
        """Return the log's files as they lie there."""
        found = self.disk.files(f"{self.folder}/log")
        return {f"log/{name}": bytes(file.content) for name, file in found}

    def commit(self) -> None:
        """Commit everything there is."""
        self.branches[self.head] = self.work_tree()
        self.moves += 1

    def checkout(self, branch: str) -> None:
        """Go to a branch, which may begin here; untracked files stay."""
        before = self.tracked
        self.branches.setdefault(branch, before)
        self.head = branch
        self._become(before, self.tracked)

    def merge(self, theirs: Tree) -> list[str]:
        """Take the files of another history in; return those git would have asked about."""
        before = self.tracked
        asked = [name for name in theirs if name in before and theirs[name] != before[name]]
        longest = {name: max(before[name], theirs[name], key=len) for name in asked}
        self.branches[self.head] = before | theirs | longest
        self._become(before, self.tracked)
        return asked

    def _become(self, before: Tree, after: Tree) -> None:
        self.moves += 1
        for name in sorted({*before, *after}):
            if before.get(name) != after.get(name):
                self.disk.place(f"{self.folder}/{name}", after.get(name))

    # Reading

    def events(self, log: str = "project") -> list[Event]:
        """Read every event of a log from its files, each line as it stands."""
        folder = self.folder if log == "project" else f"{self.folder}/{log}"
        found: list[Event] = []
        for _, file in self.disk.files(f"{folder}/log"):
            found += self._events_of(file, log)
        return found

    def _events_of(self, file: File, log: str) -> list[Event]:
        content = bytes(file.content)
        before, events = self._read.get(file.inode, (b"", []))
        if not content.startswith(before):
            before, events = b"", []
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole[len(before) :].split(b"\n")[:-1]
        if not before and lines and lines[0].startswith(b'{"pack"'):
            del lines[0]
        events = events + [decode(line, log) for line in lines]
        self._read[file.inode] = (whole, events)
        return events


def held(content: bytes) -> Iterator[str]:
    """Yield the ids of the events in a segment or pack; a line that cannot be read holds none."""
    for line in content[: content.rfind(b"\n") + 1].split(b"\n")[:-1]:
        try:
            yield decode(line, "project").id
        except BadLine:
            continue
