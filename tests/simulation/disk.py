"""A disk that can be cut off at any moment, and stores on it for processes that can die.

It forgets what a real one may forget. Bytes that were not synced may be lost, be there in part, or
be zeros up to a length that ran ahead of them. A name that came, went or changed without a sync of
its folder may be the old one or the new one; a rename is never half done. A sync that fails is as
bad as Linux makes it: what it should have kept is gone for good, and the next sync succeeds.

`Disk.arm` sets a trap for the n-th step from now: a power cut, a kill of the process that takes the
step, or an error of that one call. Reading takes no step.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from varves.places.port import Stat

OLD_NS = 1_600_000_000_000_000_000


class Dead(BaseException):
    """The process is no more: nothing catches this, and nothing it does counts."""


class File:
    """Bytes as programs see them, and as the disk would give them back."""

    def __init__(self, disk: Disk) -> None:
        self.inode = disk.number()
        self.mtime = disk.tick()
        self.content = bytearray()
        self.holder: int | None = None  # the handle that has locked it
        self._disk = disk
        self._safe = b""
        self._pending: list[tuple[int, bytes | None]] = []  # (offset, bytes), or a cut at an offset
        self._lost: list[tuple[int, int]] = []

    def stat(self) -> Stat:
        return len(self.content), self.mtime, self.inode

    def write(self, at: int, content: bytes) -> None:
        _put(self.content, at, content)
        self._pending.append((at, content))
        self.mtime = self._disk.tick()

    def cut(self, size: int) -> None:
        del self.content[size:]
        self._pending.append((size, None))
        self._lost = [(start, min(stop, size)) for start, stop in self._lost if start < size]
        self.mtime = self._disk.tick()

    def sync(self) -> None:
        image = bytearray(self.content)
        for start, stop in self._lost:
            image[start:stop] = bytes(stop - start)
        self._safe = bytes(image)
        self._pending.clear()

    def fail_to_sync(self) -> None:
        """Lose what waits, and call it clean."""
        size = len(self.content)
        ranges = [(at, min(at + len(part), size)) for at, part in self._pending if part]
        self._lost += [(start, stop) for start, stop in ranges if start < stop]
        self._pending.clear()

    def crash(self, chance: Random) -> None:
        """Become one of the states a power cut may leave."""
        image = bytearray(self._safe)
        kept = chance.randint(0, len(self._pending))
        for at, part in self._pending[:kept]:
            _apply(image, at, part)
        if kept < len(self._pending):
            at, part = self._pending[kept]
            if part:
                some = chance.randint(0, len(part))
                _apply(image, at, part[:some])
                if some and chance.random() < 0.25:  # the length reached the disk, the bytes not
                    image += bytes(chance.randint(0, len(part) - some))
        self.content, self._safe = image, bytes(image)
        self._pending.clear()
        self._lost.clear()
        self.mtime = self._disk.tick()
        self.holder = None


class Folder:
    """Names as programs see them, and as the disk would give them back."""

    def __init__(self, disk: Disk) -> None:
        self.inode = disk.number()
        self.mtime = disk.tick()
        self.names: dict[str, File | Folder] = {}
        self._disk = disk
        self._safe: dict[str, File | Folder] = {}

    def stat(self) -> Stat:
        return 4096, self.mtime, self.inode

    def put(self, leaf: str, node: File | Folder) -> None:
        self.names[leaf] = node
        self.mtime = self._disk.tick()

    def drop(self, leaf: str) -> None:
        del self.names[leaf]
        self.mtime = self._disk.tick()

    def sync(self) -> None:
        self._safe = dict(self.names)

    def crash(self, chance: Random) -> None:
        found: dict[str, File | Folder] = {}
        for leaf in sorted({*self.names, *self._safe}):
            now, before = self.names.get(leaf), self._safe.get(leaf)
            node = now if now is before or chance.random() < 0.5 else before
            if node is not None:
                found[leaf] = node
        self.names, self._safe = found, dict(found)
        self.mtime = self._disk.tick()


def _put(image: bytearray, at: int, content: bytes) -> None:
    image += bytes(max(0, at - len(image)))
    image[at : at + len(content)] = content


def _apply(image: bytearray, at: int, part: bytes | None) -> None:
    if part is None:
        del image[at:]
    else:
        _put(image, at, part)


class Process:
    """Whoever uses a store; when it dies its handles are closed for it."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.alive = True
        disk.processes.append(self)

    def die(self) -> None:
        """End at once."""
        self.alive = False
        self.disk.processes.remove(self)
        for handle, (_, owner) in list(self.disk.handles.items()):
            if owner is self:
                self.disk.close(handle)

    def store(self, root: str, **_: object) -> Store:
        """Open a folder, as the ledger's places ask for one."""
        return Store(self, root)


class Disk:
    """One machine's disk."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.steps = 0
        self.starts = 0
        self.processes: list[Process] = []
        self.handles: dict[int, tuple[File, Process]] = {}
        self._last = 0
        self._trap: tuple[int, str] | None = None
        self.top = Folder(self)

    def number(self) -> int:
        """Return a number that was never given before."""
        self._last += 1
        return self._last

    def tick(self) -> int:
        """Return a time that differs from all before, and lies long ago."""
        return OLD_NS + self.number() * 1_000_001

    # What goes wrong

    def arm(self, steps: int, what: str) -> None:
        """Set a trap: `cut`, `kill` or `fail` at the step after so many."""
        self._trap = (self.steps + steps, what)

    def disarm(self) -> bool:
        """Take the trap away; tell whether it was still set."""
        was, self._trap = self._trap, None
        return was is not None

    def step(self, process: Process) -> bool:
        """Take one step; return whether it must fail. The dead do not come back."""
        if not process.alive:
            raise Dead
        self.steps += 1
        if self._trap is None or self.steps < self._trap[0]:
            return False
        what, self._trap = self._trap[1], None
        if what == "fail":
            return True
        for victim in list(self.processes) if what == "cut" else [process]:
            victim.die()
        raise Dead

    def cut(self) -> None:
        """Cut the power: every process dies, and what was not synced is a matter of luck."""
        for process in list(self.processes):
            process.die()
        self.crash()

    def crash(self) -> None:
        """Come back after the power was cut."""
        self.starts += 1
        waiting: list[Folder] = [self.top]
        crashed: set[int] = set()
        while waiting:
            folder = waiting.pop()
            folder.crash(self.chance)
            for _, node in sorted(folder.names.items()):
                if node.inode in crashed:
                    continue
                crashed.add(node.inode)
                if isinstance(node, Folder):
                    waiting.append(node)
                else:
                    node.crash(self.chance)

    def close(self, handle: int) -> None:
        """Give a handle back, and the lock that goes with it."""
        file, _ = self.handles.pop(handle)
        if file.holder == handle:
            file.holder = None

    # What git does: whole files, and durable as far as this goes

    def find(self, path: str) -> File | Folder | None:
        """Return what stands at a path."""
        node: File | Folder = self.top
        for part in path.split("/"):
            if part:
                if not isinstance(node, Folder) or part not in node.names:
                    return None
                node = node.names[part]
        return node

    def files(self, path: str) -> Iterator[tuple[str, File]]:
        """Yield every file below a folder with its path from there, in order."""
        node = self.find(path)
        for leaf, below in sorted(node.names.items()) if isinstance(node, Folder) else ():
            if isinstance(below, File):
                yield leaf, below
            else:
                yield from ((f"{leaf}/{n}", f) for n, f in self.files(f"{path}/{leaf}"))

    def place(self, path: str, content: bytes | None) -> None:
        """Put a file of those bytes there, or take it away."""
        *folders, leaf = [part for part in path.split("/") if part]
        here = self.top
        for part in folders:
            below = here.names.get(part)
            if not isinstance(below, Folder):
                below = Folder(self)
                here.put(part, below)
                here.sync()
            here = below
        if content is None:
            if leaf in here.names:
                here.drop(leaf)
        else:
            file = File(self)
            file.write(0, content)
            file.sync()
            here.put(leaf, file)
        here.sync()


class Store:
    """A folder of a disk as one process sees it: `varves.places.port.FileStore`."""

    def __init__(self, process: Process, root: str) -> None:
        self.root = root
        self._process = process
        self._disk = process.disk

    def _step(self) -> None:
        if self._disk.step(self._process):
            raise OSError(errno.EIO, "the disk failed")

    def _file(self, name: str) -> File:
        node = self._disk.find(f"{self.root}/{name}")
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", name)
        if not isinstance(node, File):
            raise IsADirectoryError(errno.EISDIR, "a folder", name)
        return node

    def _folder_of(self, name: str, *, sure: bool = False) -> tuple[Folder, str]:
        """Open the folder a name lies in, making what is missing, each step safe at once.

        With `sure` the steps that were there before are synced too.
        """
        *folders, leaf = [part for part in f"{self.root}/{name}".split("/") if part]
        here = self._disk.top
        for part in folders:
            below = here.names.get(part)
            if below is None:
                self._step()
                below = Folder(self._disk)
                here.put(part, below)
                self._sync_folder(here, made=part)
            elif sure:
                self._sync_folder(here)
            if not isinstance(below, Folder):
                raise NotADirectoryError(errno.ENOTDIR, "not a folder", part)
            here = below
        return here, leaf

    def _sync_folder(self, folder: Folder, *, made: str = "") -> None:
        try:
            self._step()
        except OSError:
            if made:
                folder.drop(made)
            raise
        folder.sync()

    def _open(self, file: File) -> int:
        handle = self._disk.number()
        self._disk.handles[handle] = (file, self._process)
        return handle

    def _opened(self, handle: int) -> File:
        if not self._process.alive:
            raise Dead
        return self._disk.handles[handle][0]

    # Appending

    def create(self, name: str) -> int:
        folder, leaf = self._folder_of(name, sure=True)
        self._step()
        if leaf in folder.names:
            raise FileExistsError(errno.EEXIST, "exists", name)
        file = File(self._disk)
        folder.put(leaf, file)
        self._sync_folder(folder, made=leaf)
        return self._open(file)

    def reopen(self, name: str) -> int:
        self._step()
        return self._open(self._file(name))

    def write(self, handle: int, content: bytes) -> int:
        file, chance = self._opened(handle), self._disk.chance
        try:
            failing = self._disk.step(self._process)
        except Dead:
            file.write(len(file.content), content[: chance.randint(0, len(content))])
            raise
        if not failing:
            file.write(len(file.content), content)
            return len(content)
        some = chance.randint(0, len(content))
        if some in (0, len(content)):
            raise OSError(errno.ENOSPC, "the disk is full")
        file.write(len(file.content), content[:some])
        return some

    def sync(self, handle: int) -> None:
        file = self._opened(handle)
        if self._disk.step(self._process):
            file.fail_to_sync()
            raise OSError(errno.EIO, "the disk failed")
        file.sync()

    def truncate(self, handle: int, size: int) -> None:
        self._step()
        self._opened(handle).cut(size)

    def close(self, handle: int) -> None:
        if not self._process.alive:
            raise Dead
        self._disk.close(handle)

    # Reading

    def read(self, name: str, start: int = 0) -> bytes:
        return bytes(self._file(name).content[start:])

    def reader(self, name: str) -> Reader:
        return Reader(self._file(name))

    def stat(self, name: str) -> Stat | None:
        node = self._disk.find(f"{self.root}/{name}")
        return None if node is None else node.stat()

    def stat_handle(self, handle: int) -> Stat:
        return self._opened(handle).stat()

    def machine_start(self) -> str:
        return f"start {self._disk.starts}"

    def entries(self, name: str) -> list[tuple[str, bool, Stat]]:
        node = self._disk.find(f"{self.root}/{name}")
        if not isinstance(node, Folder):
            raise FileNotFoundError(errno.ENOENT, "no such folder", name)
        return [(leaf, isinstance(n, Folder), n.stat()) for leaf, n in node.names.items()]

    # Locks

    def lock(self, name: str) -> int | None:
        folder, leaf = self._folder_of(name)
        self._step()
        if leaf not in folder.names:
            folder.put(leaf, File(self._disk))
        file = self._file(name)
        if file.holder is not None:
            return None
        file.holder = handle = self._open(file)
        return handle

    def hold(self, handle: int) -> bool:
        file = self._opened(handle)
        assert file.holder in (None, handle), "would wait for ever: here one acts at a time"
        file.holder = handle
        return True

    def let_go(self, handle: int) -> None:
        file = self._opened(handle)
        if file.holder == handle:
            file.holder = None

    def guard(self, name: str) -> Guard:
        return Guard(self, name)

    # Replacing

    def rewrite(self, handle: int, content: bytes) -> None:
        self._step()
        file = self._opened(handle)
        file.write(0, content)
        self._step()
        file.cut(len(content))

    def replace(self, name: str, content: bytes) -> None:
        self._put(name, content, over=True)

    def claim(self, name: str, content: bytes) -> bool:
        try:
            self._put(name, content, over=False)
        except FileExistsError:
            return False
        return True

    def _put(self, name: str, content: bytes, *, over: bool) -> None:
        """Write the file apart and sync it, then let it take its place in one step."""
        folder, leaf = self._folder_of(name, sure=True)
        file = File(self._disk)
        self._step()
        file.write(0, content)
        self._step()
        file.sync()
        self._step()
        if leaf in folder.names and not over:
            raise FileExistsError(errno.EEXIST, "exists", name)
        folder.put(leaf, file)
        self._sync_folder(folder)

    def remove(self, name: str) -> None:
        self._step()
        self._file(name)
        folder, leaf = self._folder_of(name)
        folder.drop(leaf)

    def link(self, name: str, other: Store, target: str) -> None:
        file = self._file(name)
        folder, leaf = other._folder_of(target)
        self._step()
        if leaf in folder.names:
            raise FileExistsError(errno.EEXIST, "exists", target)
        folder.put(leaf, file)


class Reader:
    """An open file."""

    def __init__(self, file: File) -> None:
        self._file = file
        self.inode = file.inode

    def size(self) -> int:
        return len(self._file.content)

    def read(self, start: int, stop: int) -> bytes:
        return bytes(self._file.content[start:stop])


class Guard:
    """Holds a file for the length of a `with` block."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._name = name
        self._handle = -1

    def __enter__(self) -> None:
        self._handle = self._store.reopen(self._name)
        self._store.hold(self._handle)

    def __exit__(self, *exc: object) -> None:
        self._store.close(self._handle)
