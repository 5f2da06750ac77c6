"""A remote in the refs of a git repository that this person can push to.

Each clone has one ref for each log, `refs/varves/<log>/<clone>`, which nobody else writes. It names
one commit without parents, whose tree has all lines that the clone knows; each push replaces it.
Commits are built and fetched in a store of our own, so the project's repository gets neither
objects nor refs. A mirror next to that store has the lines of all refs that were fetched.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from hashlib import sha256
from time import monotonic, sleep

from varves.errors import Busy, Refused
from varves.git import Git, ObjectStore
from varves.log.copies import carry
from varves.log.files.file_copy import FileCopy
from varves.places.store import Files
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.remotes.known import KnownRemote

PERSONAL = ("private", "global")
_REFS = "refs/varves/"
_LOCK = "lock"
_OWNER, _IDENTITY = "owner", "ledger"
_PAUSE = 2.0  # seconds between two questions to the remote repository
_AUTHOR = ("-c", "user.name=varves", "-c", "user.email=varves@localhost")
_UNREACHABLE = "local work is unaffected; try again later"
_NO_RIGHT = "ask for the right to push refs/varves/* there; varves pull needs none"


class GitRemote:
    """A remote in the refs of a git repository."""

    def __init__(self, remote: KnownRemote, *, root: str, home: str, clone: str) -> None:
        self._remote = remote
        self._root = root
        self._clone = clone
        url = remote.url.partition(":")[2]
        mark = sha256(f"{os.path.realpath(root)}\0{url}".encode()).hexdigest()[:16]
        self._place = f"{home}/remotes/{mark}"

    @contextmanager
    def open(self, *, write: bool = True) -> Iterator[GitRefs]:
        """Fetch all refs; at the end of the block, push this clone's if they changed.

        Raises:
            Busy: the repository cannot be reached, or another process uses the store.
            Refused: there is no such remote, or it refuses what is pushed.
        """
        store = Files(self._place, private=True)
        lock = store.lock(_LOCK)
        if lock is None:
            raise Busy(f"another process uses {self._remote.name}", "try again in a moment")
        try:
            refs = GitRefs(self._place, self._url(), self._remote, self._clone, held=lock)
            with failing(refs.url, self._remote.name):
                refs.fetch()
            yield refs
            with failing(refs.url, self._remote.name):
                if write:
                    refs.push()
                refs.tidy()
        finally:
            store.let_go(lock)  # a process that git left running may have the file open too
            store.close(lock)

    def forget(self) -> None:
        """Delete the store and the mirror: no later purge would reach them.

        Raises:
            Busy: another process uses them.
        """
        if not os.path.isdir(self._place):
            return
        store = Files(self._place, private=True)
        lock = store.lock(_LOCK)
        if lock is None:
            raise Busy(f"another process uses {self._remote.name}", "try again in a moment")
        try:
            shutil.rmtree(self._place, ignore_errors=True)
        finally:
            store.let_go(lock)
            store.close(lock)

    def names(self) -> list[str]:
        """Return the names of the ledgers on the remote."""
        with self.open(write=False) as refs:
            return refs.ledgers()

    def wait(self, position: str, seconds: float) -> str:
        """Wait until a clone has pushed, or the time is over; return the new position."""
        url, until = self._url(), monotonic() + seconds
        objects = ObjectStore(f"{self._place}/objects.git")
        with failing(url, self._remote.name):
            objects.make()
            while True:
                now = sha256(objects.run("ls-remote", "--quiet", url, f"{_REFS}*")).hexdigest()
                if now != position or monotonic() >= until:
                    return now
                sleep(min(_PAUSE, max(0.0, until - monotonic())))

    def _url(self) -> str:
        """Return the address of the git remote; a word that names none is an address itself."""
        word = os.path.expanduser(self._remote.url.partition(":")[2])
        git = Git.around(self._root)
        if git is not None:
            found = git.run("remote", "get-url", "--", word, check=False).decode().strip()
            word = found or word
        if os.path.isdir(os.path.join(self._root, word)):
            return os.path.join(self._root, word)
        if not any(sign in word for sign in "/:@"):
            raise Refused(f"git has no remote {word!r} here", "git remote -v lists them")
        return word


class GitRefs:
    """The refs of one remote repository, while it is in use."""

    def __init__(self, place: str, url: str, remote: KnownRemote, clone: str, *, held: int) -> None:
        self._place = place
        self.url = url
        self._remote = remote
        self._clone = clone
        self._ledger = safe_name(remote.ledger, "ledger")
        self._owner = remote.owner or "owner"
        self._objects = ObjectStore(f"{place}/objects.git", held=held)
        self._used: dict[str, FileCopy] = {}
        self._damaged: dict[str, list[str]] = {}
        self._replaced = False
        """Whether the store has commits that no ref names; they may have text that was purged."""

    # The remote repository

    def fetch(self) -> None:
        """Get the refs of all clones, and add their lines to the mirror."""
        self._objects.clear()
        self._objects.make()
        before = self._heads()
        spec = f"+{_REFS}*:{_REFS}*"
        self._objects.run("fetch", "--quiet", "--no-tags", "--prune", self.url, spec)
        now = self._heads()
        for ref, commit in now.items():
            if before.get(ref) != commit:
                self._read(ref, commit)
        self._replaced = any(now.get(ref) != commit for ref, commit in before.items())

    def _heads(self) -> dict[str, str]:
        rows = self._objects.run("for-each-ref", "--format=%(objectname) %(refname)", _REFS)
        pairs = (row.split(" ", 1) for row in rows.decode("utf-8", "replace").splitlines())
        return {ref: commit for commit, ref in pairs}

    def _read(self, ref: str, commit: str) -> None:
        """Add the lines of one ref to the mirror; personal lines only if they are this person's."""
        log = _log_of(ref)
        passing = f"{self._place}/passing"
        shutil.rmtree(passing, ignore_errors=True)
        os.makedirs(passing, 0o700)
        try:
            index = self._fresh_index()
            self._objects.run("read-tree", commit, index=index)
            self._objects.run("checkout-index", "--all", "--quiet", tree=passing, index=index)
            for ledger in sorted(os.listdir(passing)):
                found = f"{passing}/{ledger}"
                if log in PERSONAL and _word(f"{found}/{_OWNER}") != self._owner:
                    continue
                there = Files(found, private=True)
                mirror = self._mirror(log, ledger)
                given, taken = FileCopy(there), FileCopy(mirror, packs=True)
                try:
                    carry(given, taken, purges=True)
                    self._note(mirror, there)
                except OSError:  # the ref has no log, but a link or another file in its place
                    taken.damaged.append(ref)
                self._damaged[log] = [*self._damaged.get(log, ()), *given.damaged, *taken.damaged]
        finally:
            shutil.rmtree(passing, ignore_errors=True)

    def _note(self, mirror: Files, there: Files) -> None:
        for name in (_OWNER, _IDENTITY):
            if there.stat(name) is not None and mirror.stat(name) is None:
                mirror.claim(name, there.read(name))

    def push(self) -> None:
        """Replace this clone's refs by the lines of the mirror, for the logs that were used."""
        specs = []
        for log in self._used:
            if self._mirror(log, self._ledger).stat("log") is None:
                continue
            ref = f"{_REFS}{log.replace(':', '/')}/{self._clone}"
            commit = self._commit(log)
            if self._heads().get(ref) != commit:
                specs.append(f"+{commit}:{ref}")
        if specs:
            self._objects.run("push", "--quiet", self.url, *specs)
            for spec in specs:
                commit, _, ref = spec[1:].partition(":")
                self._objects.run("update-ref", ref, commit)

    def tidy(self) -> None:
        """Delete the objects that may have text that was purged."""
        if self._replaced or any(copy.erased for copy in self._used.values()):
            self._objects.run("gc", "--quiet", "--prune=now")

    def _commit(self, log: str) -> str:
        """Make a commit without parents of all ledgers in a log's mirror."""
        tree, index = f"{self._place}/mirror/{log}", self._fresh_index()
        self._objects.run("add", "--force", "--all", ".", tree=tree, index=index)
        written = self._objects.run("write-tree", tree=tree, index=index).decode().strip()
        made = self._objects.run(*_AUTHOR, "commit-tree", "-m", f"{log} log", written)
        return made.decode().strip()

    def _fresh_index(self) -> str:
        """Return a name for git's index; a killed process may have left one, and its lock."""
        index = f"{self._place}/index"
        for name in (index, f"{index}.lock"):
            if os.path.exists(name):
                os.unlink(name)
        return index

    # The ledger

    def _mirror(self, log: str, ledger: str) -> Files:
        place = f"{self._place}/mirror/{log}/{safe_name(ledger, 'ledger')}"
        return Files(place, private=True, anchor=self._place)

    def identity(self, ours: str) -> str:
        """Return the identity of the ledger on the remote; if it has none yet, record `ours`."""
        store = self._mirror("project", self._ledger)
        if store.stat(_IDENTITY) is None:
            if not ours:
                return ""
            store.claim(_IDENTITY, ours.encode() + b"\n")
        return store.read(_IDENTITY).decode("utf-8", "replace").strip()

    def ledgers(self) -> list[str]:
        """Return the names of the ledgers whose project log a clone has pushed."""
        place = f"{self._place}/mirror/project"
        found = sorted(os.listdir(place)) if os.path.isdir(place) else []
        return [name for name in found if os.path.isdir(f"{place}/{name}/log")]

    def others(self) -> list[str]:
        """Return the names of the ledgers on the remote if this one is not among them."""
        found = self.ledgers()
        return [] if self._ledger in found else found

    def logs(self) -> list[str]:
        """Return the names of the logs of which the remote has a copy that is for this person."""
        mirror = f"{self._place}/mirror"
        names = sorted(os.listdir(mirror)) if os.path.isdir(mirror) else []
        return [name for name in names if os.path.isdir(f"{mirror}/{name}/{self._ledger}/log")]

    def copy(self, log: str) -> FileCopy:
        """Return the mirror's copy of a log; what is added to it is pushed at the end."""
        if log not in self._used:
            store = self._mirror(log, self._ledger)
            if store.stat(_OWNER) is None:
                store.claim(_OWNER, self._owner.encode() + b"\n")
            self._used[log] = FileCopy(store, packs=True)
        self._used[log].damaged[:] = self._damaged.get(log, ())
        return self._used[log]

    def remains(self) -> str:
        """Return, in words, where this kind of remote may still have purged text."""
        return (
            "the git server keeps the replaced commit until it collects unreachable objects, and"
            " other clones' refs until they sync"
        )


@contextmanager
def failing(url: str, name: str) -> Iterator[None]:
    """Turn git's failures into an error that names the remote, and not its address."""
    try:
        yield
    except OSError as fault:
        said = str(fault).replace(url, name)
        if "rejected" in said:
            raise Refused(f"{name} refuses what was sent: {said}", _NO_RIGHT) from None
        raise Busy(f"{name} cannot be used: {said}", _UNREACHABLE) from None


def _log_of(ref: str) -> str:
    return ref.removeprefix(_REFS).rpartition("/")[0].replace("/", ":")


def _word(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1000).strip()
    except OSError:
        return ""
