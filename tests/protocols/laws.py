"""What must hold of the protocols' files whatever people and git did, by a reader of its own.

Files are read as JSON and compared with what the core lists; nothing of the protocols' code is
asked how a file ought to look.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import varves
from tests.git.scene import SeededIds, Time, WrongClock
from tests.places import forget_local
from varves.fold.base import replay
from varves.fold.memories import Memories
from varves.values.instants import iso

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = {"active", "flagged"}
RETIRED = {"superseded", "archived", "expired"}
MARKS = b"<<<<<<<"


class Tree:
    """A work tree with its git, a home of its own, and a ledger that stays open."""

    def __init__(self, root: Path, *, time: Time, off: int = 0, seed: str = "") -> None:
        self.root = root
        self.time = time
        self.off = off
        self.seed = seed
        self.clock = WrongClock(time, off)
        self.folders: tuple[str, ...] = ("memory",)  # where the protocols' files lie
        self.protocols: tuple[str, ...] = ("scoped", "hivemind")
        self.settled = False  # whether the files are as the ledger left them, edits apart
        self.numbers: dict[str, dict[str, int]] = {}  # as last seen, by scope and memory
        self.expected: dict[tuple[str, str], bool] = {}  # what an edit says is there, or gone
        self.removed = 0  # entries taken out by hand since a verb ran
        self._ledger: varves.Ledger | None = None
        self._opened = 0

    @property
    def ledger(self) -> varves.Ledger:
        """The ledger, opened when it is asked for."""
        return self.opened() if self._ledger is None else self._ledger

    def opened(self, **options: Any) -> varves.Ledger:
        """Open the ledger anew."""
        self.close()
        self._opened += 1
        name = f"{self.seed} {self.root.name} {self._opened}"
        given = {"ids": SeededIds(name), "actor": "DEV-001", **options}
        home = self.root.parent / f"home-{self.root.name}"
        self._ledger = varves.open(self.root, home=home, clock=self.clock, **given)
        return self._ledger

    def close(self) -> None:
        """Let go of the ledger."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    # Git

    def git(self, *words: str, check: bool = True) -> str:
        """Run git here, at this machine's time, and return what it printed."""
        now = f"{(self.time.ms + self.off) // 1000} +0000"
        dates = {"GIT_AUTHOR_DATE": now, "GIT_COMMITTER_DATE": now, "GIT_EDITOR": "true"}
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env={**os.environ, **dates},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        said = done.stdout + done.stderr
        assert not check or done.returncode == 0, f"git {' '.join(words)}: {said}"
        return done.stdout.rstrip("\n")

    def commit(self, message: str = "work") -> None:
        """Commit everything there is."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def changes(self) -> str:
        """Return what git thinks has changed."""
        return self.git("status", "--porcelain", "--untracked-files=all")

    def has(self, name: str) -> bool:
        """Tell whether git's folder holds a file, such as MERGE_HEAD."""
        return os.path.exists(self.root / self.git("rev-parse", "--git-path", name))

    # Reading files

    def files(self, *, tracked: bool = False) -> dict[str, bytes]:
        """Return the protocols' files here, all or what git tracks, by path."""
        found = {}
        for folder in self.folders:
            places = [*os.walk(self.root / folder)] or [(str(self.root), (), [folder])]
            for place, _, names in places:
                for name in names:
                    path = os.path.relpath(os.path.join(place, name), self.root)
                    if name != ".gitignore" and os.path.isfile(self.root / path):
                        found[path] = (self.root / path).read_bytes()
        if tracked:
            listed = set(self.git("ls-files", "-z", *self.folders).split("\0"))
            found = {path: content for path, content in found.items() if path in listed}
        return found

    def document(self, path: str) -> Any:
        """Return a file as JSON; None if it is none."""
        try:
            return json.loads((self.root / path).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write(self, path: str, document: Any) -> None:
        """Write a file as an editor does."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        (self.root / path).write_text(text, encoding="utf-8")

    def memories(self, protocol: str | None = None) -> list[Any]:
        """Return the memories of a protocol, or of all, as this checkout's events fold alone."""
        projection = Memories()
        events = [event for event in self.ledger.log() if event.branch is None]
        dump = projection.dump(replay(projection, events), self.clock.now())
        rows = [SimpleNamespace(**json.loads(line)) for line in dump.splitlines()]
        asked = self.protocols if protocol is None else (protocol,)
        return [one for one in rows if one.protocol in asked]

    def events(self) -> list[str]:
        """Return the ids of all events that this checkout holds, what was told left out."""
        return [
            one.id
            for one in self.ledger.log()
            if one.branch is None and one.kind != "context.injected"
        ]

    def has_said(self, text: str) -> bool:
        """Tell whether some event here says a text."""
        return any(text in json.dumps(one.data) for one in self.ledger.log())

    def log_bytes(self) -> bytes:
        """Return the project's log as it lies here."""
        files = sorted((self.root / ".varves" / "log").rglob("*.jsonl"))
        return b"\n".join(file.read_bytes() for file in files)


def said_by(path: str, content: bytes) -> list[str]:
    """Return the texts of the records in a file of either protocol; none if it cannot be read."""
    try:
        document = json.loads(content)
    except ValueError:
        return []
    if path.endswith("/memory.json"):
        return [one["content"] for one in document["entries"]]
    if os.path.basename(path).startswith("mem_") and "text" in document.get("content", {}):
        return [document["content"]["text"]]
    return []


def scoped_file(scope: str) -> str:
    """Return the file of a scope in the one protocol."""
    level, _, name = scope.partition(":")
    return f"memory/{level}s/{name}/memory.json" if name else f"memory/{level}/memory.json"


def hive_folder(scope: str) -> str:
    """Return the folder of a scope in the other protocol."""
    level, _, name = scope.partition(":")
    return f"memory/{level}s/{name}" if name else f"memory/{level}"


def fits(memory: Any) -> bool:
    """Tell whether a memory is kept in the log that its scope's files are rendered from."""
    level = memory.scope.partition(":")[0]
    return bool(memory.kept == {"session": "private", "global": "global"}.get(level, "project"))


def assert_files_are_the_log(tree: Tree) -> None:
    """Check that every record of the log is in the files once, and nothing else is."""
    files = tree.files()
    for path, content in files.items():
        assert MARKS not in content, path
        if path.startswith(("memory/sessions/", "memory/global/")):
            ignore = tree.root / "/".join(path.split("/")[:2]) / ".gitignore"
            assert ignore.read_bytes().endswith(b"\n*\n")
        if path.endswith(".json"):
            json.loads(content)
    scopes: dict[str, Counter[str]] = {}
    for one in tree.memories("scoped"):
        if fits(one) and not one.scope.startswith("session:"):
            scopes.setdefault(scoped_file(one.scope), Counter())[one.text] += one.status == "active"
    shown = {path: said_by(path, files[path]) for path in files if path.endswith("/memory.json")}
    held = {path: +counter for path, counter in scopes.items() if +counter}
    # `init` of scoped memory writes files without entries
    filled = {path: Counter(texts) for path, texts in shown.items() if texts}
    assert filled == held, (shown, held)
    places: dict[str, str] = {}
    for one in tree.memories("hivemind"):
        if fits(one) and one.status in SHOWN | RETIRED:
            named = one.extra.get("file") or "mem_"  # another memory's name is nobody's
            name = f"{one.id}.json" if named.startswith("mem_") else named
            below = "" if one.status in SHOWN else "archive/"
            places[f"{hive_folder(one.scope)}/{below}{name}"] = one.text
    lying = {
        path: said_by(path, content)
        for path, content in files.items()
        if path.endswith(".json")
        and not os.path.basename(path).startswith("_index")
        and path not in shown
        and not path.startswith("memory/sessions/")
    }
    there = {path for path in places if not path.startswith("memory/sessions/")}
    assert set(lying) == there, set(lying) ^ there
    for path, texts in lying.items():
        assert all(places[path].startswith(text) for text in texts), (path, texts, places[path])


def assert_numbers_stand(tree: Tree, *, quiet: bool) -> None:
    """Check that numbers are unique and stay, but where another branch used the same.

    Args:
        tree: where.
        quiet: whether no git history came or went since the last time.
    """
    claims: dict[int, set[str]] = {}
    for event in tree.ledger.log():
        said = {**event.data, **event.data.get("set", {})}
        if event.protocol == "scoped" and isinstance(said.get("number"), int):
            claims.setdefault(said["number"], set()).add(event.data["memory"])
    by_scope: dict[str, dict[str, int]] = {}
    for one in tree.memories("scoped"):
        if fits(one) and one.status == "active":
            by_scope.setdefault(one.scope, {})
    for scope, now in by_scope.items():
        if scope.startswith("session:"):
            continue
        level, _, name = scope.partition(":")
        entries = tree.ledger.scoped.read(level, name or None).entries
        now.update({one.memory: int(one.id.removeprefix("mem-")) for one in entries})
        assert len(set(now.values())) == len(now), now
        before = tree.numbers.get(scope, {})
        for memory, number in now.items():
            if memory in before and before[memory] != number:
                assert not quiet or len(claims.get(before[memory], ())) > 1, (memory, before, now)
        if quiet:
            taken = {number: memory for memory, number in before.items()}
            for memory, number in now.items():
                assert taken.get(number, memory) == memory or memory in before, (number, memory)
        tree.numbers[scope] = {**(before if quiet else {}), **now}


def assert_nothing_vanished(tree: Tree, gone: set[str]) -> None:
    """Check that nothing was forgotten but what somebody forgot."""
    for one in tree.memories():
        if one.protocol == "hivemind":
            lost = one.status == "forgotten"
        else:
            joined = one.reason == "the same entry" and one.origin == "repo"
            lost = one.status in ("forgotten", "superseded") and not joined
        if lost and fits(one) and not one.scope.startswith("session:"):
            assert gone & {one.id, one.text}, (one.id, one.text, one.status, one.reason)


def assert_once(tree: Tree) -> None:
    """Check that no adopted record stands there twice: every text was said once."""
    texts = Counter(
        (one.protocol, one.scope, one.text)
        for one in tree.memories()
        if one.status == "active" and fits(one)
    )
    twice = {key for key, count in texts.items() if count > 1 and key[2].startswith("W")}
    assert not twice, twice


def assert_stable(tree: Tree) -> None:
    """Check that rendering again, also from nothing, changes no byte and records nothing."""
    import shutil

    before, events = tree.files(), tree.events()
    tree.ledger.rebuild()
    assert_same(before, tree.files())
    tree.close()
    for folder in tree.folders:
        shutil.rmtree(tree.root / folder, ignore_errors=True)
    forget_local(tree.root)
    tree.ledger.rebuild()
    # the log does not know a file without entries, which `init` of scoped memory wrote
    assert_same(_filled(before), _filled(tree.files()))
    assert tree.events() == events, [
        (one.kind, one.data) for one in tree.ledger.log() if one.id not in events
    ]


def _filled(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        path: content
        for path, content in files.items()
        if not path.endswith("/memory.json") or json.loads(content).get("entries") != []
    }


def assert_same(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    """Check that two trees of files are the same, and show what is not."""
    differ = [path for path in sorted({*one, *other}) if one.get(path) != other.get(path)]
    assert not differ, [(path, one.get(path), other.get(path)) for path in differ[:2]]


def assert_reading_writes_nothing(tree: Tree) -> None:
    """Check the law of read verbs: no event, and nothing that git can see."""
    changes, events, files = tree.changes(), tree.events(), tree.files()
    ledger = tree.ledger
    ledger.scoped.read("project", "p")
    ledger.scoped.search("fact", project="p")
    ledger.scoped.rank("project", "p")
    ledger.scoped.proposals()
    ledger.scoped.stale()
    ledger.scoped.validate()
    ledger.hivemind.search("fact", project="p")
    ledger.hivemind.validate()
    ledger.recall("what is the fact?")
    ledger.conflicts()
    ledger.doctor()
    assert tree.files() == files
    assert tree.changes() == changes
    assert tree.events() == events


def assert_valid(tree: Tree) -> None:
    """Check that both protocols find nothing wrong."""
    found = [*tree.ledger.scoped.validate(), *tree.ledger.hivemind.validate()]
    assert not found, found


def moment(tree: Tree) -> str:
    """Return this machine's time as files write it."""
    return f"{iso(tree.time.ms + tree.off)[:19]}Z"
