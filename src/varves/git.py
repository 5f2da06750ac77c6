"""The git repository around a folder. Its files are read where possible; otherwise git is run.

A log only needs to know whether something *changed*. File signatures show this without starting a
process and without resolving HEAD. For everything else, git is run; see `Git.run`.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from subprocess import CompletedProcess

Signature = tuple[tuple[int, int, int] | None, ...]
_PORTION = 256
# The repository may be hostile, so no program that its settings name may be started.
_HARMLESS = [
    part
    for setting in ("core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false")
    for part in ("-c", setting)
]
# No remote is ever contacted. These variables override all settings that would allow it.
NOTHING = "VARVES_NOTHING"  # an empty variable, for settings whose names contain "="
_VARIABLES = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", NOTHING: ""}
MAIN = ".git"  # the name of the main checkout, to which the others are linked
# Variables that are valid for one repository only.
_WHERE = ("GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
_OBJECTS = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_SHALLOW_FILE")


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().strip()
    except OSError:
        return ""


class Git:
    """The repository around a folder."""

    def __init__(self, top: str, folder: str, *, named: bool = False) -> None:
        self.top = top
        self.folder = folder
        self.named = named  # the repository is known only from the environment, which may change
        commondir = _read(f"{folder}/commondir")
        self.commondir = os.path.normpath(os.path.join(folder, commondir)) if commondir else folder
        self._head: tuple[tuple[int, int, int] | None, str] | None = None
        self._tracked: dict[str, tuple[tuple[int, int, int] | None, list[str]]] = {}
        self._staged: tuple[tuple[int, int, int] | None, str, bool] | None = None

    @classmethod
    def around(cls, path: str) -> Git | None:
        """Return the repository that contains a folder, or None if there is none."""
        here = os.path.abspath(path)
        while True:
            dot = f"{here}/.git"
            if os.path.isfile(f"{dot}/HEAD"):
                return cls(here, dot)
            if os.path.isfile(dot):
                pointer = _read(dot)
                if pointer.startswith("gitdir:"):
                    folder = os.path.normpath(os.path.join(here, pointer[7:].strip()))
                    return cls(here, folder) if os.path.isdir(folder) else None
            above = os.path.dirname(here)
            if above == here:
                return None
            here = above

    @classmethod
    def named_for(cls, path: str, given: tuple[str, str, str]) -> Git | None:
        """Return the repository named by the environment, if a folder is in its work tree.

        Args:
            path: the folder.
            given: (git's folder, the work tree or "", the current folder), as the environment sets
                them.
        """
        folder, tree, here = given
        if os.path.isfile(folder) and (pointer := _read(folder)).startswith("gitdir:"):
            folder = os.path.normpath(os.path.join(os.path.dirname(folder), pointer[7:].strip()))
        if not os.path.isfile(f"{folder}/HEAD"):
            return None
        tree = tree or _work_tree(folder, path, here)
        below = os.path.relpath(os.path.realpath(path), os.path.realpath(tree)) if tree else ".."
        if f"{below}/".startswith("../"):
            return None
        top = os.path.abspath(path)
        if below != ".":  # the path is not changed, even if it contains links
            top = top.removesuffix(f"/{below}") if top.endswith(f"/{below}") else tree
        return cls(top or "/", folder, named=True)

    def elsewhere(self) -> list[tuple[str, str]]:
        """Return the repository's other checkouts as (name of the git folder, top folder)."""
        linked = f"{self.commondir}/worktrees"
        try:
            names = sorted(os.listdir(linked))
        except OSError:
            return []
        own = MAIN if self.folder == self.commondir else os.path.basename(self.folder)
        dots = {name: _read(f"{linked}/{name}/gitdir") for name in names if name != own}
        found = [
            (name, os.path.dirname(os.path.normpath(os.path.join(linked, name, dot))))
            for name, dot in dots.items()
            if dot
        ]
        main = "" if own == MAIN else self._main_top()
        return [(MAIN, main), *found] if main else found

    def _main_top(self) -> str:
        """Return the top folder of the main checkout; "" for a bare repository."""
        above = os.path.dirname(self.commondir)
        if os.path.lexists(f"{above}/.git"):
            return above
        # the config of a submodule names its top folder
        for line in _read(f"{self.commondir}/config").splitlines():
            name, _, value = line.strip().partition("=")
            if name.strip() == "worktree" and value.strip():
                return os.path.normpath(os.path.join(self.commondir, value.strip()))
        return ""

    def folder_of(self, name: str) -> str:
        """Return the git folder of a checkout."""
        return self.commondir if name == MAIN else f"{self.commondir}/worktrees/{name}"

    def branch(self, name: str) -> str:
        """Return the branch of another checkout; if its HEAD is detached, the commit."""
        folder = self.folder_of(name)
        text = _read(f"{folder}/HEAD")
        if text == "ref: refs/heads/.invalid":  # with reftable, only git itself can read HEAD
            asked = (f"--git-dir={folder}", "symbolic-ref", "--short", "--quiet", "HEAD")
            return self.run(*asked, check=False).decode("utf-8", "replace").strip() or name
        if text.startswith("ref:"):
            return text[4:].strip().removeprefix("refs/heads/")
        return text[:12] or name

    def head(self) -> Signature:
        """Return a signature that changes whenever HEAD has moved."""
        own = _signature(f"{self.folder}/HEAD")
        if self._head is None or self._head[0] != own:
            text = _read(f"{self.folder}/HEAD")
            ref = text[4:].strip() if text.startswith("ref:") else ""
            if ref == "refs/heads/.invalid":  # with reftable, one list contains every ref
                ref = "reftable/tables.list"
            self._head = (own, ref)
        ref = self._head[1]
        loose = _signature(f"{self.commondir}/{ref}") if ref else None
        if loose is not None:
            return own, loose
        return own, _signature(f"{self.commondir}/packed-refs")

    def staged(self, path: str) -> bool:
        """Return whether git's index (the staging area) lists a file of the work tree."""
        index = f"{self.folder}/index"
        now = _signature(index)
        if self._staged is None or self._staged[:2] != (now, path):
            self._staged = (now, path, now is not None and self._in_index(index, path))
        return self._staged[2]

    def _in_index(self, index: str, path: str) -> bool:
        relative = os.path.relpath(path, self.top).replace(os.sep, "/")
        with open(index, "rb") as file:
            content = file.read()
        # version 4 omits the part of a name that it shares with the previous name
        if content[4:8] == b"\0\0\0\4":
            needle = os.fsencode(relative[-12:]) + b"\0"
        else:
            needle = os.fsencode(relative) + b"\0"
        if needle in content:
            return True
        return any(
            needle in _bytes(f"{self.folder}/{name}")
            for name in os.listdir(self.folder)
            if name.startswith("sharedindex.")
        )

    def tracked(self, path: str) -> list[str]:
        """Return the paths that git's index lists at or below a path, relative to the top.

        The index's bytes are searched first, and git is run only if they may contain the path. If
        git fails, the path itself is returned, so that it counts as tracked.
        """
        relative = os.path.relpath(path, self.top).replace(os.sep, "/")
        if relative.startswith("../"):  # the path contains a link
            relative = os.path.relpath(os.path.realpath(path), os.path.realpath(self.top))
        now = _signature(f"{self.folder}/index")
        if self._tracked.get(relative, (None,))[0] != now:
            self._tracked[relative] = (now, self._names_at(relative))
        return self._tracked[relative][1] if now is not None else []

    def _names_at(self, relative: str) -> list[str]:
        if relative != "." and not self._may_name(os.fsencode(relative).lower()):
            return []
        try:
            spec = ":(top)" if relative == "." else f":(top,icase,literal){relative}"
            listed = self.run("ls-files", "-z", "--", spec)
        except OSError:
            return [relative]
        names = [name for name in os.fsdecode(listed).split("\0") if name]
        return [name for name in names if self._is_at(name, relative)]

    def _may_name(self, path: bytes) -> bool:
        try:
            content = _bytes(f"{self.folder}/index")
            # these indexes do not store full names
            if content[4:8] == b"\0\0\0\4" or b"sdir" in content:
                return True
            names = [name for name in os.listdir(self.folder) if name.startswith("sharedindex.")]
            contents = [content, *(_bytes(f"{self.folder}/{name}") for name in names)]
        except OSError:
            return True  # this is not known, so git is run
        needles = (path + b"/", path + b"\0")
        return any(needle in one.lower() for one in contents for needle in needles)

    def _is_at(self, name: str, relative: str) -> bool:
        """Return whether a file is at a path or below it, also where the case is ignored."""
        if relative == ".":
            return True
        given = name[: len(relative)]
        if given == relative:
            return True
        try:
            return os.path.samefile(f"{self.top}/{given}", f"{self.top}/{relative}")
        except OSError:
            return False

    def run(self, *args: str, check: bool = True, stdin: bytes | None = None) -> bytes:
        """Run git in the work tree, without any hooks, and return its output."""
        try:
            done = self._start(*_HARMLESS, *args, stdin=stdin)
        except OSError:
            if check:
                raise
            return b""
        if check and done.returncode:
            raise OSError(done.stderr.decode("utf-8", "replace").strip() or "git failed")
        return done.stdout

    def act(self, *args: str, index: str | None = None) -> bytes:
        """Run git as if the user had typed the command: with hooks, but without prompts.

        Return its output.

        Args:
            args: the words after `git`.
            index: use this file as git's index.

        Raises:
            OSError: git cannot be started, or it failed; the message is the first line of its
                output.
        """
        done = self._start(*args, index=index)
        if done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
            raise OSError(said.partition("\n")[0].rstrip() or "git failed")
        return done.stdout

    def _start(
        self, *args: str, stdin: bytes | None = None, index: str | None = None
    ) -> CompletedProcess[bytes]:
        """Start git; no other code starts git."""
        import subprocess

        other = {} if index is None else {"GIT_INDEX_FILE": index}

        try:
            return subprocess.run(
                ["git", "-C", self.top, *args],
                input=b"" if stdin is None else stdin,
                capture_output=True,
                check=False,
                env=self._environment({**os.environ, **_VARIABLES})  # noqa: TID251 - passed on
                | other,
            )
        except OSError as fault:
            raise OSError(f"git cannot be started: {fault.strerror}") from None

    def _environment(self, handed: dict[str, str]) -> dict[str, str]:
        """Return the environment for git, without variables that name another repository.

        Git sets such variables for its hooks and for `rebase --exec`.
        """
        given = handed.get("GIT_DIR")
        if given is None:
            return handed
        if not self.named and not _same(given, self.folder):
            strange = {"GIT_DIR", *_WHERE, *_OBJECTS}
            return {name: value for name, value in handed.items() if name not in strange}
        return {**handed, "GIT_DIR": self.folder, "GIT_WORK_TREE": self.top}

    def brought(
        self, *asked: str, places: Sequence[str], check: bool = True
    ) -> Iterator[tuple[str, str, str]]:
        """Yield (commit, path, object) for each file version that a commit added, newest first.

        Args:
            asked: options that select the commits.
            places: the files and folders, relative to the top.
            check: whether to raise an error if git fails.
        """
        shown = ("--raw", "--no-abbrev", "--no-renames", "-m", "-z", "--format=%H")
        words = ("log", "--full-history", *shown, *asked, "--", *places)
        commit = ""
        parts = iter(os.fsdecode(self.run("--literal-pathspecs", *words, check=check)).split("\0"))
        for part in parts:
            about = part.lstrip("\n")
            if about.startswith(":"):
                yield commit, next(parts, ""), about.split(" ")[3]
            else:
                commit = about

    def contents(self, objects: Sequence[str]) -> Iterator[bytes]:
        """Yield the bytes of git objects, in the given order.

        Git is asked for several hundred at once.
        """
        for first in range(0, len(objects), _PORTION):
            portion = objects[first : first + _PORTION]
            asked = "".join(f"{one}\n" for one in portion).encode("ascii")
            printed, at = self.run("cat-file", "--batch", stdin=asked), 0
            for one in portion:
                start = printed.index(b"\n", at) + 1
                about = printed[at:start].split()
                if len(about) != 3:
                    raise OSError(f"object {one} is not in this repository")
                at = start + int(about[2])
                yield printed[start:at]
                at += 1

    def trouble(self) -> str:
        """Return one line that says why git cannot be run for this folder, or "" if it can."""
        try:
            self.run("rev-parse", "--git-dir")
        except OSError as fault:
            return str(fault).partition("\n")[0]
        return ""


def unreachable(path: str) -> str:
    """Return the path of the `.git` file above a folder if it leads to no repository, else ""."""
    here = os.path.abspath(path)
    while True:
        dot = f"{here}/.git"
        if os.path.isfile(f"{dot}/HEAD"):
            return ""
        if os.path.isfile(dot) and (pointer := _read(dot)).startswith("gitdir:"):
            folder = os.path.join(here, pointer[7:].strip())
            return "" if os.path.isfile(f"{folder}/HEAD") else dot
        if os.path.lexists(dot) and not os.access(dot, os.R_OK):
            return dot
        above = os.path.dirname(here)
        if above == here:
            return ""
        here = above


def _work_tree(folder: str, path: str, here: str) -> str:
    """Return the work tree if the environment names only git's folder, or "".

    Git itself would use the current folder. But git finds a repository that has its own work tree
    from inside that tree, without a name. If the environment names such a repository, a hook has
    set the name, or a person did before a `cd`. Then the name does not concern the current folder,
    and the result is "".
    """
    if os.path.isfile(f"{folder}/commondir"):
        return ""
    said = {}
    for line in _read(f"{folder}/config").splitlines():
        name, _, value = line.strip().partition("=")
        said[name.strip().lower()] = value.strip().strip('"')
    if said.get("worktree"):
        return os.path.normpath(os.path.join(folder, said["worktree"]))
    if os.path.basename(folder) == ".git" or said.get("bare", "").lower() in ("true", "yes", "1"):
        return ""
    inside = os.path.relpath(os.path.realpath(here), os.path.realpath(path))
    return path if not f"{inside}/".startswith("../") else here


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


_FOREIGN = ("GIT_DIR", *_WHERE, *_OBJECTS)
# Files are stored and written byte for byte, whatever the person's settings say.
_VERBATIM = [
    part
    for setting in (
        *("core.hooksPath=/dev/null", "gc.auto=0", "core.autocrlf=false", "core.symlinks=false"),
        *("core.attributesFile=/dev/null", "core.fileMode=false", "core.fsmonitor=false"),
    )
    for part in ("-c", setting)
]
# The same tree gives the same commit, so a push without news changes nothing.
_ALWAYS = {"GIT_AUTHOR_DATE": "2000-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2000-01-01T00:00:00Z"}


class ObjectStore:
    """A bare repository of our own, which exchanges refs with a remote repository.

    It is the only part of the program that lets git contact another machine. It uses the person's
    own settings for that, such as keys and proxies, and never asks for a password.

    Args:
        folder: where the repository is.
        held: an open file whose lock protects the repository. Git gets it too, so the lock also
            holds while a git process outlives this one.
    """

    def __init__(self, folder: str, *, held: int | None = None) -> None:
        self.folder = folder
        self._held = held

    def make(self) -> None:
        """Create the repository, if it is missing."""
        if not os.path.isfile(f"{self.folder}/HEAD"):
            os.makedirs(self.folder, 0o700, exist_ok=True)
            self.run("init", "--quiet", "--bare", ".")

    def clear(self) -> None:
        """Remove git's own locks, which only a process that was killed can have left.

        Call this with the lock that protects the repository, before anything else.
        """
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if name.endswith(".lock") or name == "gc.pid":
                    os.unlink(f"{folder}/{name}")

    def run(
        self, *args: str, tree: str | None = None, index: str | None = None, seconds: float = 120
    ) -> bytes:
        """Run git in the repository and return its output.

        Args:
            args: the words after `git`.
            tree: the work tree.
            index: the file of git's index.
            seconds: how long git may take.

        Raises:
            OSError: git cannot be started, failed or took too long; the message says why.
        """
        import subprocess

        handed = {name: value for name, value in os.environ.items() if name not in _FOREIGN}  # noqa: TID251 - passed on
        more = {"GIT_DIR": self.folder, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", **_ALWAYS}
        more |= {"GIT_WORK_TREE": tree} if tree is not None else {}
        more |= {"GIT_INDEX_FILE": index} if index is not None else {}
        more |= (
            {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes"} if "GIT_SSH_COMMAND" not in handed else {}
        )
        try:
            done = subprocess.run(
                ["git", *_VERBATIM, *args],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=seconds,
                env=handed | more,
                pass_fds=() if self._held is None else (self._held,),
            )
        except subprocess.TimeoutExpired:
            raise OSError(f"git took longer than {seconds:.0f} seconds") from None
        except OSError as fault:
            raise OSError(f"git cannot be started: {fault.strerror}") from None
        if done.returncode:
            raise OSError(_reason(done.stderr.decode("utf-8", "replace")))
        return done.stdout


def _reason(said: str) -> str:
    """Return the line of git's output that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    rejected = [line.rpartition("(")[2] for line in lines if "[remote rejected]" in line]
    if rejected:
        words = [line.removeprefix("remote: ") for line in lines if line.startswith("remote: ")]
        return "; ".join(["rejected", rejected[0].rstrip(")"), *words[:1]])
    line = (telling or lines or ["git failed"])[0]
    return line.removeprefix("fatal: ").removeprefix("error: ")
