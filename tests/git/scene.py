"""Repositories with an open ledger, and a second reader of the log that shares no code with ours.

Clocks tick only when asked and ids come from a seed, so that a history is the same every time.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from hashlib import sha1
from typing import TYPE_CHECKING, Any

import varves
from tests.properties.shelf import assert_filled_alike
from tests.rooms import room
from varves.fold.base import replay
from varves.fold.memories import Memories
from varves.index.sqlite.schema import FIELDS
from varves.values.ids import IdSource

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

START = 1_794_722_400_000  # 2026-11-15T06:00:00Z
HOUR = 3_600_000

_IDS: dict[str, list[str]] = {}  # the event ids of a segment, by the name git gives its bytes


class Time:
    """The one true time of a scene, in milliseconds; it passes when somebody looks."""

    def __init__(self) -> None:
        self.ms = START

    def pass_by(self) -> int:
        """Let a moment pass."""
        self.ms += 7
        return self.ms


class WrongClock:
    """A clock of one machine, off by a fixed amount."""

    fixed = False

    def __init__(self, time: Time, off: int = 0) -> None:
        self.time = time
        self.off = off

    def now(self) -> int:
        """Return what this machine believes."""
        return self.time.pass_by() + self.off


class SeededIds(IdSource):
    """Identities from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def entropy(self, count: int) -> bytes:
        """Return the next bytes of this seed."""
        return self._random.randbytes(count)


class Checkout:
    """A work tree with its git and a ledger that stays open whatever git does."""

    def __init__(
        self, root: Path, *, time: Time | None = None, off: int = 0, seed: str = ""
    ) -> None:
        self.root = root
        self.time = time or Time()
        self.clock = WrongClock(self.time, off)
        self.ids = SeededIds(f"{seed} {root.name} {self.time.ms}")
        self.ledger = varves.open(root, clock=self.clock, ids=self.ids, actor="ada")

    def git(self, *args: str, check: bool = True, env: dict[str, str] | None = None) -> str:
        """Run git here and return what it printed; a refusal fails the test."""
        done = subprocess.run(
            ["git", *args],
            cwd=self.root,
            env={**os.environ, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(
                f"git {' '.join(args)}: {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout.rstrip("\n")

    def remember(self, text: str, **options: Any) -> str:
        """Record a memory and return its event's id."""
        return str(self.ledger.remember(text, **options).event)

    def commit(self, message: str = "all") -> None:
        """Commit everything there is."""
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)

    def changes(self) -> str:
        """Return what git thinks has changed, ignored files left out."""
        return self.git("status", "--porcelain", "--untracked-files=all")

    def held(self) -> list[str]:
        """Return the event ids in the files of this checkout, once for each line."""
        files = sorted((self.root / ".varves" / "log").glob("*/*.jsonl"))
        return [name for file in files for name in ids_of(file.read_bytes())]

    def held_by(self, revision: str) -> set[str]:
        """Return the event ids in the files of a commit."""
        listed = self.git("ls-tree", "-r", revision, "--", ".varves/log").splitlines()
        blobs = [row.split()[2] for row in listed if row.endswith(".jsonl")]
        for blob in blobs:
            if blob not in _IDS:
                ids_of(self.git("cat-file", "blob", blob).encode() + b"\n")
        return {name for blob in blobs for name in _IDS[blob]}

    def tracks(self, name: str) -> bool:
        """Tell whether git's index names a file."""
        return name.encode() + b"\0" in (self.root / ".git/index").read_bytes()

    def close(self) -> None:
        """Let go of the ledger."""
        self.ledger.close()


def begin(root: Path, *, kind: type[Checkout] = Checkout, **options: Any) -> Checkout:
    """Make a repository with one commit and open a ledger in it."""
    root.mkdir(exist_ok=True)
    there = kind(root, **options)
    there.git("init", "--quiet")
    (root / "README").write_text("a project\n", encoding="utf-8")
    there.commit("start")
    return there


def clone(origin: Checkout, name: str, *options: str, off: int = 0, seed: str = "") -> Checkout:
    """Clone a repository beside itself, with a clock of its own."""
    root = origin.root.parent / name
    origin.git("clone", "--quiet", *options, str(origin.root), str(root))
    return Checkout(root, time=origin.time, off=off, seed=seed)


def ids_of(content: bytes) -> list[str]:
    """Read the event ids of a segment or pack, once for the same bytes."""
    blob = sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    if blob not in _IDS:
        lines = [json.loads(line) for line in content.splitlines()]
        _IDS[blob] = [line["id"] for line in lines if "pack" not in line]
    return _IDS[blob]


def folded(ledger: varves.Ledger, now: int) -> str:
    """Fold the project's events from nothing and return the canonical dump."""
    projection = Memories()
    events = [event for event in ledger.log() if event.log == "project"]
    return projection.dump(replay(projection, events), now)


def shown(ledger: varves.Ledger) -> list[dict[str, Any]]:
    """Return what the index says of the project's memories, in the dump's terms."""
    listed = [memory for memory in ledger.list(status="all") if memory.kept == "project"]
    return sorted(map(_plain, (memory.as_dict() for memory in listed)), key=lambda row: row["id"])


def rows_of(dump: str) -> list[dict[str, Any]]:
    """Return the rows of a dump, in the index's terms."""
    return [_plain(json.loads(line)) for line in dump.splitlines()]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    empty = (None, {}, [], ())
    fields = {name: row.get(name) for name in FIELDS if name != "branch"}  # not of a fold
    return json.loads(json.dumps({k: v for k, v in fields.items() if v not in empty}))


def assert_index_follows(ledger: varves.Ledger, now: int) -> str:
    """Check that the index, brought along through everything, equals a fold from nothing."""
    dump = folded(ledger, now)
    expected = rows_of(dump)
    assert shown(ledger) == expected
    for row in expected[:3]:
        assert _plain(ledger.show(row["id"]).as_dict()) == row
    with room(ledger.root) as seen:
        assert_filled_alike(seen.index.sources(), now)
    return dump


def assert_each_counts_once(checkout: Checkout) -> set[str]:
    """Check that what the ledger counts is what the files hold, every id once."""
    events = [event for event in checkout.ledger.log() if event.log == "project"]
    counted = [event.id for event in events if event.branch is None]
    assert len(counted) == len(set(counted))
    assert set(counted) == set(checkout.held())
    return set(counted)


def assert_whole(ledger: varves.Ledger) -> None:
    """Check that nothing is damaged, but for what git was told to throw away."""
    damage = [one for one in ledger.verify(deep=True).damage if one.rule != "eaten"]
    assert not damage, damage


def read_everything(ledger: varves.Ledger) -> None:
    """Go through every verb that only reads."""
    ledger.recall("what do we use for storage?")
    for memory in ledger.list(status="all")[:2]:
        ledger.show(memory.id)
        ledger.history(memory.id)
    ledger.list(as_of="2026-11-15T06:00:01Z")
    ledger.log()
    ledger.conflicts()
    ledger.status()
    ledger.verify()
    ledger.doctor()


def assert_reading_changes_nothing(checkout: Checkout) -> None:
    """Check the law that no read verb changes anything git can see."""
    before = checkout.changes()
    read_everything(checkout.ledger)
    assert checkout.changes() == before


def rules(findings: Iterable[Any]) -> list[str]:
    """Return the rules of some findings."""
    return [finding.rule for finding in findings]
