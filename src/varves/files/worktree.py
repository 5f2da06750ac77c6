"""The work tree, for protocols that have no codec: source files, notes and git.

A file is replaced atomically and is on disk before the call returns: a reader finds either the old
or the new version. A commit includes only the paths that are listed for it.
"""

from __future__ import annotations

import contextlib
import os

from varves.errors import Refused
from varves.files.published import PublishedTree
from varves.files.squash import MESSAGE
from varves.git import NOTHING
from varves.places.local import NOTES, NOWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from varves.places.places import Places

_ANY_WRITE = 0o222
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds to wait for another git command
_PORTION = 500  # the most paths that are passed to one call of git
_REBASING = ("rebase-merge", "rebase-apply")
_JOINING = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", *_REBASING)


def _upwards(path: str) -> Iterator[str]:
    """Yield a path and the folders above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


class WorkTree:
    """The files below a project's root, and the repository around it."""

    def __init__(self, places: Places, name: str) -> None:
        self._files = PublishedTree(places)
        self._git = git = places.git
        self._notes = f"{NOTES}/{name}"
        # where notes are kept if they cannot be stored
        self._in_memory: dict[str, dict[str, Any] | None] = {}
        below = os.path.relpath(self._files.root, os.path.realpath(git.top)) if git else "."
        self._prefix = "" if below == "." else f"{below}/"

    # Files

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None if it does not exist."""
        self._files.refuse_links(path)
        return self._files.content(path)

    def consult(self, path: str) -> bytes | None:
        """Return the bytes of a file that is never written; it may be a link within the root."""
        root = self._files.root
        meant = os.path.relpath(os.path.realpath(f"{root}/{path}"), root)
        return self.read(path if meant.startswith("..") else meant)

    def whereabouts(self, paths: Iterable[str]) -> dict[str, str]:
        """Return, by path, `here` if the path exists, `once` if a commit had it, else `never`."""
        found = dict.fromkeys(paths, "never")
        gone: dict[str, list[str]] = {}
        for path in found:
            if "\0" not in path and os.path.lexists(f"{self._files.root}/{path}"):
                found[path] = "here"
            else:
                place = os.path.normpath(f"{self._prefix}{path}")
                if "\0" not in place and not place.startswith(("..", "/")):
                    gone.setdefault(place, []).append(path)
        for place in self._ever(sorted(gone)):
            found |= dict.fromkeys(gone.get(place, ()), "once")
        return found

    def _ever(self, places: Sequence[str]) -> set[str]:
        """Return those of the given paths (of files or folders) that occur in a commit."""
        found: set[str] = set()
        for first in range(0, len(places), _PORTION):
            some = [f":(top,literal){place}" for place in places[first : first + _PORTION]]
            listed = self._run("log", "--all", "-c", "--format=", "--name-only", "-z", "--", *some)
            for name in {*os.fsdecode(listed).split("\0")}:
                parts = name.strip("\n").split("/")
                found.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        return found

    def replace(self, path: str, content: bytes, *, seen: bytes | None, sure: bool = True) -> None:
        """Replace a file atomically, if it is unchanged since it was read."""
        if content == seen:
            return
        if self.read(path) != seen:
            raise Refused(f"{path} was changed in the meantime", "try again")
        self._files.refuse_closed_folder(os.path.dirname(path))
        self._files.refuse_closed(path)
        self._files.sweep()
        self._files.put_all({path: content}, sure=sure)
        if sure:
            self._files.sync_folder_of(path)

    def closed(self, paths: Iterable[str]) -> bool:
        """Return whether one of these files cannot be replaced: it or its folder is read-only.

        The mode is checked too, because root may write to read-only files.
        """
        for path in paths:
            here = f"{self._files.root}/{path}"
            folder = os.path.dirname(here)
            while not os.path.lexists(folder):
                folder = os.path.dirname(folder)
            for place in (folder, here):
                if os.path.islink(place) or not os.path.lexists(place):
                    continue
                if not os.stat(place).st_mode & _ANY_WRITE or not os.access(place, os.W_OK):
                    return True
        return False

    def remove(self, path: str) -> None:
        """Remove a file if it exists."""
        self._files.take_away(path, keep=())

    def set_aside(self, path: str, content: bytes) -> str:
        """Store a copy of a file in the local folder, and return its path."""
        return self._files.set_aside(path, content)

    # Notes

    def note(self, name: str) -> dict[str, Any] | None:
        """Return a note of this checkout; None if it does not exist or was lost."""
        import json

        if name in self._in_memory:
            return self._in_memory[name]
        try:
            found = json.loads(self._files.local.read(f"{self._notes}/{name}.json"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def keep(self, name: str, note: dict[str, Any] | None, *, sure: bool = True) -> None:
        """Store a note durably until another replaces it; the note None removes the old one."""
        import json

        local, path = self._files.local, f"{self._notes}/{name}.json"
        if local.root == NOWHERE:
            self._in_memory[name] = note
            return
        try:
            if note is not None:
                local.replace(path, json.dumps(note, ensure_ascii=False).encode(), sure=sure)
            elif local.stat(path) is not None:
                local.remove(path)
        except OSError as fault:
            reason = f"cannot keep a note in {local.root}: {fault.strerror or fault}"
            raise Refused(reason, "check the folder") from None

    # Git

    def has_git(self) -> bool:
        """Return whether the project is in a git repository."""
        return self._git is not None

    def head(self) -> str | None:
        """Return the commit that is checked out.

        None before the first commit, or without git.
        """
        return self._told("rev-parse", "--verify", "--quiet", "HEAD^{commit}") or None

    def branch(self) -> str | None:
        """Return the branch that is checked out; None when HEAD is detached, or without git."""
        return self._told("symbolic-ref", "--short", "--quiet", "HEAD") or None

    def committed(self, path: str, commit: str = "HEAD") -> bytes | None:
        """Return a file's bytes in a commit, or None if the commit does not have it."""
        if self._git is None:
            return None
        try:
            return self._git.run("cat-file", "blob", f"{commit}:{self._prefix}{path}")
        except OSError:
            return None

    def version(self, path: str) -> str:
        """Return the object name that git has for a file in HEAD; "" if HEAD does not have it."""
        return self._told("rev-parse", "--verify", "--quiet", f"HEAD:{self._prefix}{path}")

    def current(self, path: str) -> tuple[str, bytes | None]:
        """Return a file's object name and bytes in HEAD, or ("", None) if HEAD does not have it."""
        place = f"{self._prefix}{path}"
        if self._git is None or "\n" in place:  # git reads one name from each line
            return self.version(path), self.committed(path)
        asked = os.fsencode(f"HEAD:{place}\n")
        printed = self._git.run("cat-file", "--batch", check=False, stdin=asked)
        about, _, rest = printed.partition(b"\n")
        words = about.split()
        if len(words) != 3 or not words[2].isdigit():
            return "", None
        return words[0].decode(), rest[: int(words[2])] if words[1] == b"blob" else None

    def merges(self, path: str) -> list[tuple[str, ...]]:
        """Return the parents of each merge in HEAD's history that combined versions of a file."""
        asked = ("log", "--merges", "--full-history", "--format=%P", "HEAD", "--")
        return [tuple(row.split()) for row in self._told(*asked, self._at(path)).splitlines()]

    def shortening(self, path: str, most: int) -> list[str]:
        """Return which of the newest commits of a file in HEAD's history removed lines from it."""
        asked = ("log", f"--max-count={most}", "--no-merges", "--no-renames", "--numstat")
        plain = ("--no-ext-diff", "--no-textconv", "--format=%x00%H", "HEAD", "--")
        found = []
        for row in self._told(*asked, *plain, self._at(path)).split("\0"):
            commit, _, counts = row.strip("\n").partition("\n")
            if counts and counts.split()[1] != "0":
                found.append(commit)
        return found

    def stages(self, path: str) -> dict[int, bytes]:
        """Return git's versions of an unmerged file: 1 is the base, 2 ours, 3 theirs."""
        if self._git is None:
            return {}
        listed = self._git.run("ls-files", "-u", "-z", "--", self._at(path), check=False)
        rows = [row.split(b"\t")[0].split() for row in listed.split(b"\0") if row]
        return {
            int(stage): self._git.run("cat-file", "blob", oid.decode()) for _, oid, stage in rows
        }

    def unmerged(self) -> list[str]:
        """Return the files below the root that git could not merge."""
        rows = os.fsdecode(self._run("ls-files", "-u", "-z", "--full-name", "--", self._at(".")))
        places = [row.partition("\t")[2] for row in rows.split("\0") if row]
        return self._ours(dict.fromkeys(places))

    def staged(self) -> list[str]:
        """Return the staged files, without unmerged ones, that an unfinished merge may commit.

        These are the files that the merge staged and that have no other changes. In a rebase all
        staged files qualify, because a rebase requires a clean work tree. For a squash or a stash,
        git records only which files are unmerged or staged. After git has ended the operation, only
        files that were added with conflict marks are returned.
        """
        listed = ("--name-only", "--no-renames", "--diff-filter=u", "-z", "--", self._at("."))
        names = os.fsdecode(self._run("diff", "--cached", *listed)).split("\0")
        squashed = any(names) and self._is_at(MESSAGE)
        if self.joining() or squashed or self.unmerged():
            tracked = self._run("ls-files", "-z", "--full-name", "--", self._at("."))
            changed: set[str] = set()
            if not self._is_at(*_REBASING):
                said = self._run(*self._unfiltered(), "diff", *listed)
                changed = set(os.fsdecode(said).split("\0"))
            more = [one for one in os.fsdecode(tracked).split("\0") if one not in changed]
            names = list(dict.fromkeys((*names, *more)))
        elif any(names):
            marked = ("grep", "--cached", "-l", "-z", "--full-name", "-e", "^<<<<<<< ")
            held = os.fsdecode(self._run(*marked, "--", self._at("."))).split("\0")
            names = [name for name in names if name in held]
        return self._ours(name for name in names if name)

    def mark_resolved(self, paths: Sequence[str]) -> list[str]:
        """Mark unmerged files as resolved with their current content.

        Return the files that were not resolved before.
        """
        if not paths:
            return []
        asked = ("diff", "--name-only", "--no-renames", "-z", "--", *map(self._at, paths))
        names = os.fsdecode(self._run(*self._unfiltered(), *asked)).split("\0")
        other = self._ours(dict.fromkeys(name for name in names if name))
        if other:
            self._do("add", "--", *map(self._at, other))
        return other

    def joining(self) -> bool:
        """Return whether a merge, rebase or similar operation is in progress."""
        return self._is_at(*_JOINING)

    def _is_at(self, *names: str) -> bool:
        """Return whether git's folder has a file that marks a merge or similar in progress."""
        return self._git is not None and any(
            os.path.lexists(f"{self._git.folder}/{name}") for name in names
        )

    def changed(self) -> list[str]:
        """Return the files that differ from HEAD, including untracked files."""
        return self._status(".") if self._git is not None else []

    def tracked(self, paths: Sequence[str]) -> list[str]:
        """Return those of the given files that git's index has."""
        if self._git is None or not paths:
            return []
        asked = ("ls-files", "-z", "--full-name", "--", *map(self._at, paths))
        listed = dict.fromkeys(os.fsdecode(self._run(*asked)).split("\0"))
        return self._ours(name for name in listed if name)

    def deleted(self, folder: str) -> list[str]:
        """Return the files below a folder that HEAD or the index has, but not the work tree."""
        if self._git is None:
            return []
        asked, at = ("ls-files", "--deleted", "-z", "--full-name"), self._at(folder)
        try:
            listed = self._git.run(*asked, "--with-tree=HEAD", "--", at)
        except OSError:  # there is no commit yet
            listed = self._run(*asked, "--", at)
        return self._ours(name for name in os.fsdecode(listed).split("\0") if name)

    def anonymous(self) -> str:
        """Return git's message if commits here would have no author; "" if they would have one."""
        for name in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
            try:
                self._do("var", name)
            except Refused as fault:
                return fault.message.removeprefix("git var: ")
        return ""

    def commit(
        self,
        paths: Sequence[str],
        message: str,
        *,
        contents: Mapping[str, bytes] | None = None,
        ignored: bool = False,
    ) -> str | None:
        """Commit these files or folders and nothing else.

        Return the commit; None if nothing differs from HEAD.
        """
        if ignored:
            self._do("add", "--force", "--intent-to-add", "--", *map(self._at, paths))
        here = self._known(paths)
        if not here or not self._status(*here):
            return None
        given = {path: text for path, text in (contents or {}).items() if path in here}
        assert self._git is not None  # noqa: S101 - there are files that git knows
        index = f"{self._git.folder}/varves-index-{os.getpid()}"
        return self._commit_through(index, here, message, given)

    def _commit_through(
        self, index: str, paths: Sequence[str], message: str, contents: Mapping[str, bytes]
    ) -> str | None:
        """Commit files through a separate index, after git's own index has the same files.

        In this order an interruption never leaves an index that lacks files of HEAD: the next
        commit, of anybody, would delete them.

        Args:
            index: the path of the separate index; it is removed afterwards.
            paths: the files and folders.
            message: the message.
            contents: other content for some of them than the work tree has.
        """
        names = [self._at(path) for path in paths]
        head = self.head()
        try:
            tree = self._tree_with(index, head, paths, contents)
            before = self._do("write-tree").strip()
            self._do("reset", "--quiet", tree, "--", *names)
            if head and tree == self._told("rev-parse", f"{head}^{{tree}}"):
                return None
            try:
                self._assert_at(head)
                self._do("commit", "--quiet", "--message", message, index=index)
            except Refused:
                if tree != self._told("rev-parse", "--verify", "--quiet", "HEAD^{tree}"):
                    self._do("reset", "--quiet", before, "--", *names)
                    raise
            self._bring_back(index, head, tree, message=message, names=names)
            with contextlib.suppress(Refused):  # only a hook may have changed the files since
                self._do("reset", "--quiet", "--", *names)
        finally:
            for name in (index, f"{index}.lock"):
                if os.path.lexists(name):
                    os.remove(name)
        return self.head()

    def _bring_back(
        self, index: str, head: str | None, tree: str, *, message: str, names: Sequence[str]
    ) -> None:
        """Commit again if another commit came between the last look at HEAD and git's own.

        The tree of ours was made from the one before it, and would take its changes back.
        """
        parent = self._told("rev-parse", "--verify", "--quiet", "HEAD~1")
        if head and parent != head:
            self._do("read-tree", "--reset", parent, index=index)
            self._do("reset", "--quiet", tree, "--", *names, index=index)
            if self._do("write-tree", index=index).strip() != tree:
                self._do("commit", "--quiet", "--message", message, index=index)

    def _tree_with(
        self, index: str, head: str | None, paths: Sequence[str], contents: Mapping[str, bytes]
    ) -> str:
        """Return the tree of a commit with these files as they are now, made in another index."""
        assert self._git is not None  # noqa: S101 - checked before
        dropped = self._dropped(paths)
        if os.path.lexists(f"{self._git.folder}/index"):  # a copy knows which files are unchanged
            with open(f"{self._git.folder}/index", "rb") as own, open(index, "wb") as copy:
                copy.write(own.read())
        self._do("read-tree", *(["--reset", head] if head else ["--empty"]), index=index)
        names = [self._at(path) for path in paths]
        listed = self._do("ls-files", "-z", "--full-name", "--", *names, index=index)
        parts = {part for name in self._ours(listed.split("\0")) for part in _upwards(name)}
        whole = [path for path in paths if path not in contents]
        folders = [path for path in whole if os.path.isdir(f"{self._files.root}/{path}")]
        there = [path for path in whole if path in parts or self._exists(path)]
        # a file that is ignored is one of the paths only if git has it already
        files = [path for path in there if path not in folders]
        for option, some in (("--force", files), ("--no-force", folders)):
            if some:
                self._do("add", "--all", option, "--", *map(self._at, some), index=index)
        if dropped:
            gone = map(self._at, dropped)
            self._do("rm", "--cached", "--quiet", "--force", "--", *gone, index=index)
        for path, content in contents.items():
            place = f"{self._prefix}{path}"
            asked = ("hash-object", "-w", "--stdin", f"--path={place}")
            made = self._git.run(*self._unfiltered(), *asked, stdin=content)
            entry = f"100644,{made.decode().strip()},{place}"
            self._do("update-index", "--add", "--cacheinfo", entry, index=index)
        return self._do("write-tree", index=index).strip()

    def _exists(self, path: str) -> bool:
        return os.path.lexists(f"{self._files.root}/{path}")

    def _assert_at(self, head: str | None) -> None:
        if self.head() != head:
            raise Refused("a commit was made in the meantime", "run the verb again")

    def _known(self, paths: Sequence[str]) -> list[str]:
        """Return the paths that HEAD or the index has, or would have after `git add`."""
        asked = (
            "ls-files",
            "-z",
            "--full-name",
            *(["--with-tree=HEAD"] if self.head() else []),
            "--",
        )
        listed = os.fsdecode(self._run(*asked, *map(self._at, paths))).split("\0")
        tracked = [f"{name}/" for name in self._ours(name for name in listed if name)]
        found = {path for path in paths if any(name.startswith(f"{path}/") for name in tracked)}
        rest = [path for path in paths if path not in found]
        there = [path for path in rest if os.path.lexists(f"{self._files.root}/{path}")]
        ignored = self._ignored(there) if there else set()
        found.update(path for path in there if path not in ignored)
        return [path for path in paths if path in found]

    def _dropped(self, paths: Sequence[str]) -> list[str]:
        """Return the files that were removed from the index only, as by `git rm --cached`.

        A file that HEAD itself added is not one of them: an interrupted commit leaves an index
        without it.
        """
        asked = ("diff", "--cached", "--name-only", "--no-renames", "--diff-filter=D", "-z")
        gone: list[set[str]] = []
        for commit in ("HEAD", "HEAD~1"):
            listed = os.fsdecode(self._run(*asked, commit, "--", *map(self._at, paths)))
            gone.append({*self._ours(name for name in listed.split("\0") if name)})
        both = sorted(gone[0] & gone[1])
        return [path for path in both if self._exists(path)]

    def _ignored(self, paths: Sequence[str]) -> set[str]:
        names = "".join(f"{self._prefix}{path}\0" for path in paths)
        assert self._git is not None  # noqa: S101 - checked before
        asked = ("check-ignore", "-z", "--stdin")
        listed = self._git.run(*asked, check=False, stdin=os.fsencode(names))
        return set(self._ours(name for name in os.fsdecode(listed).split("\0") if name))

    def _status(self, *paths: str) -> list[str]:
        asked = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
        rows = os.fsdecode(
            self._run(
                *self._unfiltered(),
                *asked,
                "--ignore-submodules=all",
                "--",
                *map(self._at, paths),
            )
        ).split("\0")
        return self._ours(row[3:] for row in rows if row)

    def _unfiltered(self) -> list[str]:
        """Return git options that disable filters, because a filter can run any program."""
        asked = r"^filter\..*\.(clean|process|required)$"
        listed = os.fsdecode(self._run("config", "-z", "--name-only", "--get-regexp", asked))
        names = {name for name in listed.split("\0") if name}
        plain = [part for name in sorted(names) if "=" not in name for part in ("-c", f"{name}=")]
        return plain + [f"--config-env={name}={NOTHING}" for name in sorted(names) if "=" in name]

    def _ours(self, places: Any) -> list[str]:
        """Convert paths relative to the repository's top to paths relative to the project."""
        length = len(self._prefix)
        return [place[length:] for place in places if place.startswith(self._prefix)]

    def _at(self, path: str) -> str:
        """Return a path as a literal pathspec from the repository's top."""
        whole = f"{self._prefix}{path}".rstrip(".") if path == "." else f"{self._prefix}{path}"
        return f":(top,literal){whole}" if whole else ":(top)"

    def _run(self, *args: str) -> bytes:
        return b"" if self._git is None else self._git.run(*args, check=False)

    def _told(self, *args: str) -> str:
        return os.fsdecode(self._run(*args)).strip()

    def _do(self, *args: str, index: str | None = None) -> str:
        """Run git as if the user had typed the command, and return its output.

        If another git command holds the index, it is waited for. If git fails, raise Refused with
        git's message.
        """
        from time import sleep

        assert self._git is not None  # noqa: S101 - checked before
        for pause in (*_PAUSES, None):
            try:
                return os.fsdecode(self._git.act(*args, index=index))
            except OSError as fault:
                locked = index is None and "index.lock" in str(fault)
                if locked and pause is not None:
                    sleep(pause)
                    continue
                why = f"git {args[0]}: {fault}"
                if locked:
                    why = (
                        f"{self._git.folder}/index.lock exists: another git command is running, or"
                        " one was killed and left it (then remove it)"
                    )
                raise Refused(why, "fix the cause, then run the verb again") from None
        raise AssertionError
