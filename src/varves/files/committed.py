"""Asks git where files that this clone did not render come from: their commits and authors.

Git is run only if there is such a file, and then only a few times for all files.
"""

from __future__ import annotations

import os
import re

from varves.errors import VarvesError
from varves.events.redact import author_name
from varves.files.merged_files import merged_from, object_names
from varves.files.sides import CommitGraph, Side
from varves.files.squash import staged, tip
from varves.protocols.marks import cut_apart
from varves.protocols.threeway import Versions
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.files.ground import FilesCore
    from varves.git import Git
    from varves.protocols.port import Codec, Stock

_SHA1 = 40  # characters of the name of a SHA-1 object
_MANY = 200  # with this many files or more, git is asked about whole folders
_MOST = 5  # the most commits that are checked for content that was purged later
_STASH = "refs/stash"
# The fields that are read from git's index for a file: its object, path, modification time (s, ns),
# size.
_NOTED = re.compile(
    r"\d+ ([0-9a-f]+) \d\t([^\0]+)\0  ctime: .*\n  mtime: (\d+):(\d+)\n  dev: .*\n  uid: .*\n"
    r"  size: (\d+)\t.*\n"
)
_UNITS = (1_000_000_000, 1_000_000, 1_000, 1)
# The name that git gives the other side of a conflict, by operation.
_REBASED, _REBASING = "REBASE_HEAD", ("rebase-merge", "rebase-apply")
_SQUASHED = "the tip of a squash"  # git has no name for this commit
_OTHERS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", _REBASED, _SQUASHED, _STASH)
_UNSURE = (_SQUASHED, _STASH)  # git keeps these names after the operation has ended


class _Noted:
    """What git's index notes about a file: its object, and the size and time that it had."""

    def __init__(self, name: str, seconds: int, rest: int, size: int) -> None:
        self.name = name
        self.size = size
        self.time = seconds * 1_000_000_000 + rest
        # the time may have been stored with a lower precision
        self.unit = next(unit for unit in _UNITS if rest % unit == 0)


class Judge:
    """Finds out, from the git repository, which commit or merge made the versions of some files."""

    def __init__(self, core: FilesCore, codec: Codec, contents: dict[str, bytes]) -> None:
        self._core = core
        self._codec = codec
        self._contents = contents
        self._git: Git | None = core.context.places.git
        self._prefix = ""
        self._versions: set[tuple[str, str]] | None = None
        self._left: set[str] | None = None  # the files that git may have written in this checkout
        self._index: dict[str, _Noted] | None = None
        self._stocks: dict[str, Stock | None] = {}
        self._renderings: dict[str, dict[str, bytes | None]] = {}
        self._purged: set[str] | None = None
        self._cleaned: dict[str, dict[str, bytes | None]] = {}
        self._carriers: dict[tuple[str, ...], dict[tuple[str, str], list[str]]] = {}
        self._graphs: dict[str, CommitGraph] = {}
        self._named: dict[str, str] = {}
        self._stages: dict[str, dict[str, str]] = {}
        self._squashed: set[str] = set()  # the files that a squash has staged
        self._heads: dict[str, str] = {}
        if self._git is not None:
            below = core.root[len(self._git.top) + 1 :]
            self._prefix = f"{below}/" if below else ""
            self._ask(self._git)

    def _ask(self, git: Git) -> None:
        """Find HEAD's versions of the files and the unmerged files, in two calls of git."""
        paths = [path for path in self._contents if "\n" not in path]
        names = ["HEAD", *_OTHERS, "HEAD^1", "HEAD^2"]
        squashed = tip(git)
        called = [squashed or "0" * _SHA1 if name == _SQUASHED else name for name in names]
        asked = [*called, *(f"HEAD:{self._prefix}{path}" for path in paths)]
        text = "".join(f"{name}\n" for name in asked)
        said = git.run("cat-file", "--batch-check=%(objectname)", check=False, stdin=text.encode())
        rows = said.decode("utf-8", "replace").splitlines()
        if len(rows) != len(asked):
            return
        found = [row if len(row) >= _SHA1 and " " not in row else "" for row in rows]
        self._named = {name: one for name, one in zip(names, found, strict=False) if one}
        if not any(os.path.isdir(f"{git.folder}/{name}") for name in _REBASING):
            self._named.pop(_REBASED, None)  # git keeps this name after the rebase has ended
        blobs = zip(paths, found[len(names) :], strict=True)
        self._heads = {path: one for path, one in blobs if one}
        folders = [f"{self._prefix}{folder}" for folder in self._codec.folders]
        listed = git.run("--literal-pathspecs", "ls-files", "-u", "-z", "--", *folders, check=False)
        for row in os.fsdecode(listed).split("\0"):
            about, _, path = row.partition("\t")
            if path.startswith(self._prefix) and path:
                _, one, stage = about.split(" ")
                self._stages.setdefault(path[len(self._prefix) :], {})[stage] = one
        if squashed:
            cut = len(self._prefix)
            self._squashed = {path[cut:] for path in staged(git, folders)}

    @property
    def head(self) -> str | None:
        """The commit that is checked out; None if there is none."""
        return self._named.get("HEAD")

    def is_unmerged(self, path: str) -> bool:
        """Return whether git's index has both sides of a file."""
        return path in self._stages

    def is_head(self, path: str) -> bool:
        """Return whether a file has the same content as in HEAD."""
        return path in self._heads and self._heads[path] in self._names_of(path)

    def is_older(self, path: str) -> bool:
        """Return whether a file has the same content as in a commit before HEAD."""
        if self._git is None or self.head is None:
            return False
        if self._versions is None:
            self._versions = self._history(self._git)
        return any((path, name) in self._versions for name in self._names_of(path))

    def left(self, path: str) -> bool:
        """Return whether git may have written a file: git's index has the file's time and size.

        Git stores both when it writes a file. If the index does not list the file, it is enough
        that git has an object with the file's bytes.
        """
        if self._git is None:
            return False
        if self._left is None:
            try:
                self._left = self._left_by(self._git)
            except OSError:
                self._left = set(self._contents)  # this cannot be determined
        return path in self._left

    def replaced(self, path: str, newest: bytes) -> bool:
        """Return whether git may have written another version of a file than the newest one here.

        Then git's index names that version, with a time after that of the newest rendering. The
        file itself, edited and only staged, is no version that git wrote.
        """
        if self._git is None:
            return False
        try:
            noted = self._noted(self._git).get(path)
        except OSError:
            return True  # this cannot be determined
        if noted is None:
            return self.left(path)
        if noted.name in self._objects(newest):
            return False
        if noted.name in self._names_of(path) and self._bearer(path, self._contents[path]) is None:
            return False
        return noted.time > self._core.views.written(path) // noted.unit * noted.unit

    def _left_by(self, git: Git) -> set[str]:
        noted = self._noted(git)
        left = {path for path in self._contents if self._is_noted(path, noted.get(path))}
        others = [path for path in self._contents if path not in noted]
        objects = [(path, one) for path in others for one in self._names_of(path)]
        text = "".join(f"{one}\n" for _, one in objects).encode()
        said = git.run("cat-file", "--batch-check=%(objecttype)", stdin=text).splitlines()
        return left | {
            path for (path, _), kind in zip(objects, said, strict=True) if kind == b"blob"
        }

    def _noted(self, git: Git) -> dict[str, _Noted]:
        """Return what git's index notes about the files."""
        if self._index is None:
            asked = [f"{self._prefix}{path}" for path in self._contents]
            if len(asked) > _MANY:
                asked = [f"{self._prefix}{folder}" for folder in self._codec.folders]
            listed = git.run("--literal-pathspecs", "ls-files", "-s", "--debug", "-z", "--", *asked)
            cut = len(self._prefix)
            self._index = {
                path[cut:]: _Noted(name, *map(int, stat))
                for name, path, *stat in _NOTED.findall(os.fsdecode(listed))
            }
        return self._index

    def _is_noted(self, path: str, noted: _Noted | None) -> bool:
        """Return whether a file has the size and time stored in git's index."""
        found = self._core.views.files.signature(path)
        if found is None or noted is None:
            return False
        return noted.size == found[0] and noted.time // noted.unit == found[1] // noted.unit

    def explains(self, path: str) -> bool:
        """Return whether git wrote a file's content: from HEAD, an older commit or a merge."""
        return self.is_joining(path) or self.is_head(path) or self.is_older(path)

    def _history(self, git: Git) -> set[tuple[str, str]]:
        paths: Sequence[str] = list(self._contents)
        if len(paths) > _MANY:
            paths = self._codec.folders
        asked = [f"{self._prefix}{path}" for path in paths]
        listed = git.run(
            *("--literal-pathspecs", "rev-list", "--objects", "--full-history", "HEAD", "--"),
            *asked,
            check=False,
        )
        rows = [row.partition(" ") for row in os.fsdecode(listed).splitlines()]
        cut = len(self._prefix)
        return {(path[cut:], one) for one, _, path in rows if path.startswith(self._prefix)}

    def _names_of(self, path: str) -> set[str]:
        """Return the names git may give a file's bytes, with and without converted line ends."""
        return self._objects(self._contents[path])

    def _objects(self, content: bytes) -> set[str]:
        wide = any(len(one) > _SHA1 for one in self._named.values())
        plain = content.replace(b"\r\n", b"\n")
        return {object_names(one)[wide] for one in (content, plain)}

    # The sides of a conflict

    def at_head(self, path: str) -> bytes | None:
        """Return a file's bytes in HEAD."""
        return self._read(self._heads.get(path, ""))

    def is_joining(self, path: str) -> bool:
        """Return whether a merge that changes a file may be in progress."""
        if self.is_unmerged(path) or path in self._squashed:
            return True
        busy = any(name in self._named for name in _OTHERS if name not in _UNSURE)
        return (busy or bool(self._stages)) and not self.is_head(path)

    def stages(self, path: str) -> list[Side]:
        """Return the two sides of a file that git is merging; empty for other files."""
        stages = self._stages.get(path, {})
        other = next((name for name in _OTHERS if name in self._named), "")
        sides = []
        for stage, name in (("2", "HEAD"), ("3", other)):
            if stages or name not in self._named:
                content = self._read(stages.get(stage, ""))
            else:
                content = self.at(self._named[name], path)
            if content is not None:
                commit = self._named.get(name)
                if name in ("", *_UNSURE) and self.at(commit or "", path) != content:
                    commit = self._bearer(path, content)
                own = commit is not None and commit == self._named.get(_STASH)
                sides.append(Side(content=content, commit=commit, own=own))
        return sides

    def _bearer(self, path: str, content: bytes) -> str | None:
        """Return a commit, even one without a ref, in which a file got this content; or None.

        For commands such as `cherry-pick -n` or applying an older stash, git does not store the
        name of the commit.
        """
        found = self._carrying("--all", "--reflog")
        names = self._objects(content)
        return next((one for name in names for one in found.get((path, name), ())), None)

    def parts(self, path: str) -> list[Side]:
        """Return both sides of a file that contains conflict marks or that git merged wrongly."""
        merged = ("HEAD^1", "HEAD^2") if self.is_head(path) else ("HEAD", "MERGE_HEAD")
        commits = [self._named.get(name) for name in merged]
        sides = cut_apart(self._contents[path])
        if sides:
            if None in commits:
                commits = [None, None]
            within = self.head if self.is_head(path) else None
            return [
                Side(content=content, commit=commit, within=within)
                for content, commit in zip(sides, commits, strict=True)
            ]
        if None in commits or self._git is None:
            return []
        found = []
        for commit in commits:
            content = self.at(commit or "", path)
            if content is not None:
                found.append(Side(content=content, commit=commit))
        return found

    def _read(self, name: str) -> bytes | None:
        if self._git is None or not name:
            return None
        try:
            return next(self._git.contents([name]))
        except OSError:
            return None

    # The log of a commit, and its author

    def rendering(self, commit: str) -> dict[str, bytes | None]:
        """Return the published files as they are rendered from the log in a commit."""
        if commit not in self._renderings:
            stock = self._stock(commit)
            self._renderings[commit] = {} if stock is None else self._codec.render(stock, None)
        return self._renderings[commit]

    def keys(self, commit: str) -> dict[str, dict[str, str]]:
        """Return, by path and key, the memory to which the key refers in the log of a commit."""
        stock = self._stock(commit)
        return {} if stock is None else self._codec.keys(stock)

    def _stock(self, commit: str) -> Stock | None:
        if commit not in self._stocks:
            try:
                self._stocks[commit] = self._core.stock_at(commit)
            except VarvesError:
                self._stocks[commit] = None
        return self._stocks[commit]

    def at(self, commit: str, path: str) -> bytes | None:
        """Return a file's bytes in a commit."""
        if self._git is None:
            return None
        place = f"{commit}:{self._prefix}{path}"
        said = self._git.run("rev-parse", "--verify", "--quiet", place, check=False)
        return self._read(said.decode("ascii", "replace").strip())

    # Content purged since the commit

    def showing_purged(self, path: str) -> list[str]:
        """Return the commits whose log renders a file differently without purged content.

        These commits are checked: HEAD, because an edit may be based on it, and the commits that
        contain the same file.
        """
        if self.head is None or not self._barred():
            return []
        if self._differs(path, self.head):
            return [self.head]
        if self.rendering(self.head).get(path) == self._contents[path]:
            return []
        return [commit for commit in self.carriers(path)[:_MOST] if self._differs(path, commit)]

    def _barred(self) -> set[str]:
        if self._purged is None:
            self._purged = self._core.context.fresh().index.purges().barred()
        return self._purged

    def _differs(self, path: str, commit: str) -> bool:
        return self.rendering(commit).get(path) != self.without_purged(commit).get(path)

    def carriers(self, path: str) -> list[str]:
        """Return the commits, on any branch, that introduced a file's content, newest first."""
        found = self._carrying("--all")
        return [one for name in self._names_of(path) for one in found.get((path, name), ())]

    def _carrying(self, *which: str) -> dict[tuple[str, str], list[str]]:
        """Return, for each version of the files, the commits that introduced it, newest first."""
        if which not in self._carriers:
            paths: Sequence[str] = list(self._contents)
            if len(paths) > _MANY:
                paths = self._codec.folders
            places = [f"{self._prefix}{path}" for path in paths]
            found: dict[tuple[str, str], list[str]] = {}
            self._carriers[which] = found
            brought = self._git.brought(*which, places=places, check=False) if self._git else ()
            for commit, path, one in brought:
                found.setdefault((path.removeprefix(self._prefix), one), []).append(commit)
        return self._carriers[which]

    def without_purged(self, commit: str) -> dict[str, bytes | None]:
        """Return the files rendered from the log in a commit, without content purged later."""
        if commit not in self._cleaned:
            stock = self._stock(commit)
            held = {one.id for one in stock.memories} if stock is not None else set()
            held |= {one.id for one in stock.events} if stock is not None else set()
            if held.isdisjoint(self._barred()):
                self._cleaned[commit] = self.rendering(commit)
            else:
                stock = self._core.stock_at(commit, purged=True)
                self._cleaned[commit] = self._codec.render(stock, None)
        return self._cleaned[commit]

    def dropped(self, commit: str) -> dict[str, bytes]:
        """Return the files that a commit removed; git may treat them as renamed."""
        if self._git is None:
            return {}
        asked = ("diff-tree", "-r", "-m", "-z", "--no-commit-id", "--no-renames", "--diff-filter=D")
        folders = [f"{self._prefix}{folder}" for folder in self._codec.folders]
        said = self._git.run(
            "--literal-pathspecs",
            *asked,
            "--raw",
            "--abbrev=64",
            commit,
            "--",
            *folders,
            check=False,
        )
        parts = os.fsdecode(said).split("\0")
        found = {}
        for about, path in zip(parts[::2], parts[1::2], strict=False):
            content = self._read(about.split(" ")[2]) if about.startswith(":") else None
            name = path[len(self._prefix) :]
            if content is not None and self._codec.is_state(name):
                found[name] = content
        return found

    def merged_sides(self, path: str, content: bytes) -> list[Side] | None:
        """Return both sides of a file that git's merge driver made in this checkout.

        None if it did not.
        """
        found = merged_from(self._git, content) if self._git is not None else None
        if found is None:
            return None
        sides = []
        for names in found:
            side = next((one for one in map(self._read, names) if one is not None), None)
            if side is not None:
                sides.append(Side(content=side, commit=self._bearer(path, side)))
        return sides

    def is_composed(self, path: str, commit: str) -> bool:
        """Return whether the merge driver makes the same file from the versions in both parents."""
        content = self.at(commit, path)
        if self._git is None or content is None:
            return False
        found = merged_from(self._git, content)
        if found is not None:
            return not any(name in names for name in object_names(content) for names in found)
        return self._merged_in(self.graph(path, commit).nearest, path) == content

    def _merged_in(self, commit: str, path: str) -> bytes | None:
        """Return the file that the merge driver makes of the parents' versions.

        None if the result equals one of the parents' versions.
        """
        form = next((one for one in self._codec.forms if one.fits(path)), None)
        if form is None or self._git is None:
            return None
        said = self._git.run("rev-list", "--parents", "-n", "1", commit, check=False)
        parents = said.decode("ascii", "replace").split()[1:]
        if len(parents) != len(("ours", "theirs")):
            return None
        found = self._git.run("merge-base", *parents, check=False).decode("ascii", "replace")
        ours, theirs = (self.at(parent, path) for parent in parents)
        if ours is None or theirs is None:
            return None
        origin = self.at(found.strip(), path) if found else None
        try:
            made = form.settled(Versions(origin=origin or b"", ours=ours, theirs=theirs)).ours
        except Unreadable:
            return None
        return None if made in (ours, theirs) else made

    def graph(self, path: str, commit: str) -> CommitGraph:
        """Return the ancestors of a commit that changed a file or the log, each with its parents.

        Other commits are left out, because they have the same file and log as their parent.
        """
        log = (
            f"{self._core.context.places.folder[len(self._git.top) + 1 :]}/log" if self._git else ""
        )
        key = f"{commit} {path}"
        if key not in self._graphs:
            rows: list[list[str]] = []
            if self._git is not None:
                asked = ("rev-list", "--parents", "--full-history", "--simplify-merges", "-n", "50")
                places = (f"{self._prefix}{path}", log)
                said = self._git.run(
                    "--literal-pathspecs", *asked, commit, "--", *places, check=False
                )
                rows = [row.split() for row in said.decode("ascii", "replace").splitlines()]
            parents = {row[0]: tuple(row[1:]) for row in rows if row}
            self._graphs[key] = CommitGraph(nearest=next(iter(parents), commit), parents=parents)
        return self._graphs[key]

    def author(self, path: str, commit: str) -> str:
        """Return the author of the last commit that touched a file."""
        if self._git is None:
            return ""
        asked = ("log", "-1", "--format=%an", commit, "--", f"{self._prefix}{path}")
        return author_name(self._git.run("--literal-pathspecs", *asked, check=False))
