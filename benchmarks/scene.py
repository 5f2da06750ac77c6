"""The scene: a temporary folder with projects in it, each filled once and used by several rows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from time import sleep
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer
from benchmarks.history import write_history

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

IN_MEMORY = ("tmpfs", "ramfs")
SETTLE_SECONDS = 0.15  # a folder touched less long ago is looked through again
GIT_SETTINGS = """\
[user]
	name = Ada Example
	email = ada@example.org
[init]
	defaultBranch = main
[commit]
	gpgsign = false
[maintenance]
	auto = false
"""


class Scene:
    """A folder of its own, with home, user-level folder and git's settings in it."""

    def __init__(self, *, quick: bool) -> None:
        self.quick = quick
        self.folder = tempfile.mkdtemp(prefix="varves-bench-", dir=_place())
        self._ready: dict[str, str] = {}
        self._own_environment()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def size(self, full: int, quick: int) -> int:
        """Return the size of something in this run."""
        return quick if self.quick else full

    def _own_environment(self) -> None:
        """Leave nothing of the caller's settings to us or to the processes we start."""
        for name in tuple(os.environ):
            if name.startswith(("VARVES_", "GIT_", "XDG_", "COVERAGE_", "PYTHON")):
                del os.environ[name]
        home = f"{self.folder}/home"
        os.mkdir(home)
        with open(f"{home}/gitconfig", "w", encoding="utf-8") as file:
            file.write(GIT_SETTINGS)
        os.environ["HOME"] = home
        os.environ["VARVES_HOME"] = f"{home}/varves"
        os.environ["GIT_CONFIG_GLOBAL"] = f"{home}/gitconfig"
        os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
        os.environ["GIT_CEILING_DIRECTORIES"] = self.folder

    def project(self, name: str) -> str:
        """Make an empty git repository with one commit."""
        root = f"{self.folder}/{name}"
        os.mkdir(root)
        git(root, "init", "--quiet")
        git(root, "commit", "--quiet", "--allow-empty", "--message", "begin")
        return root

    def memories(self, count: int) -> str:
        """Return a project with so many distinct memories, written through the ledger, indexed."""
        name = f"memories-{count}"
        if name not in self._ready:
            say(f"writing {count:,} memories")
            root = self.project(name)
            with varves.open(root, mode="fast") as ledger:
                done = ledger.remember_many({"text": text} for text in Writer(count).texts(count))
                if done.written != count:
                    raise RuntimeError(f"{done.written} of {count} were written")
            self.settle(root)
            self._ready[name] = root
        return self._ready[name]

    def history(self, events: int, *, files: int) -> str:
        """Return a project with the history of so many events in so many files, not indexed."""
        name = f"history-{events}-{files}"
        if name not in self._ready:
            say(f"writing {events:,} events in {files:,} files")
            root = self.project(name)
            with varves.open(root) as ledger:
                ledger.init()
            write_history(root, events, files=files)
            self._ready[name] = root
        return self._ready[name]

    def settle(self, root: str) -> None:
        """Bring a project's index up to its log, and look again when its folders are quiet."""
        with varves.open(root) as ledger:
            ledger.status()
            sleep(SETTLE_SECONDS)
            ledger.status()


def git(root: str, *args: str, index: str | None = None) -> str:
    """Run git in a project and return what it printed."""
    env = {**os.environ, "GIT_INDEX_FILE": index} if index else None
    done = subprocess.run(
        ["git", "-C", root, *args], env=env, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def file_system(path: str) -> str:
    """Return the type of the file system a folder lies on."""
    best, kind = "", "unknown"
    try:
        with open("/proc/mounts", encoding="utf-8", errors="replace") as file:
            mounts = [line.split() for line in file]
    except OSError:
        return kind
    real = os.path.realpath(path)
    for _, place, found, *_ in mounts:
        inside = real == place or real.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= len(best):
            best, kind = place, found
    return kind


def _place() -> str:
    """Return where to work: the temporary folder, unless a sync there costs nothing."""
    usual = tempfile.gettempdir()
    if file_system(usual) in IN_MEMORY and os.path.isdir("/var/tmp"):  # noqa: S108 - on purpose
        return "/var/tmp"  # noqa: S108
    return usual


def say(text: str) -> None:
    """Tell on stderr what is going on."""
    print(f"  … {text}", file=sys.stderr, flush=True)
