"""Whatever is done to segments where they lie, the index shows what a rebuild shows.

Nothing of ours rewrites a segment in place. Editors, `cp`, backups and repair tools do: a line
changes, goes or comes back under the same name and inode, with a size, and perhaps a time, that an
append would leave too.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import varves
from tests.properties.shelf import (
    assert_filled_alike,
    assert_words_match,
    index_dump,
    index_judgements,
)
from tests.properties.world import START, SeededIds, Watchmaker
from tests.rooms import room
from varves.errors import VarvesError
from varves.index.runner import catch_up
from varves.index.sqlite.index import SqliteIndex
from varves.index.where import EventWhere

SUBJECTS = ("parser", "lexer", "printer", "linker", "loader", "cache")
VERBS = ("remember", "remember", "correct", "forget", "move_head", "recall", "recall")
EDITS = (
    *("flip", "delete", "truncate", "empty", "remove", "repeat", "junk", "save", "save"),
    *("put_back", "put_back_dated", "put_back_by_rename", "append_saved", "swap"),
)


class Bench:
    """A project with a ledger that stays open, and hands that reach into its log."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Watchmaker(START)
        self.ids = SeededIds(7)
        self.saved: list[tuple[Path, bytes]] = []
        self.names: list[str] = []
        (root / ".git").mkdir()
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
        for folder in ("objects", "refs"):
            (root / ".git" / folder).mkdir()
        self.ledger = self.open()
        self.heads = 0

    def open(self) -> varves.Ledger:
        home = str(self.root / "home")
        return varves.open(str(self.root), home=home, clock=self.clock, ids=self.ids)

    @property
    def files(self) -> list[Path]:
        return sorted(self.root.rglob("log/*/*.jsonl"))

    # What people do through us

    def say(self, verb: str, number: int) -> None:
        self.clock.ms += 1000
        text = f"The {SUBJECTS[number % len(SUBJECTS)]} takes {self.clock.ms % 977} milliseconds"
        name = self.names[number % len(self.names)] if self.names else "mem_000000000000"
        try:
            if verb == "remember":
                self.names.append(self.ledger.remember(text, private=number % 3 == 0).id)
            elif verb == "correct":
                self.names.append(self.ledger.correct(name, text).id)
            elif verb == "forget":
                self.ledger.forget(name, reason="no")
            elif verb == "move_head":  # the next write closes this segment and begins another
                self.heads += 1
                os.utime(self.root / ".git" / "HEAD", (self.heads, self.heads))
            elif number % 2:
                self.ledger.recall("parser lexer")
            else:
                with self.open() as other:
                    other.recall("parser lexer")
        except VarvesError as refused:
            if refused.exit not in {2, 3, 4}:
                raise

    # What is done behind our back

    def edit(self, how: str, number: int) -> None:
        if not self.files:
            return
        chance = random.Random(number)
        path = chance.choice(self.files)
        content = path.read_bytes()
        lines = content.splitlines(keepends=True)
        line = chance.randrange(len(lines)) if lines else 0
        if how == "flip" and content:
            at = chance.randrange(len(content))
            other = b"x" if content[at : at + 1] != b"x" else b"y"
            in_place(path, content[:at] + other + content[at + 1 :])
        elif how == "delete":
            in_place(path, b"".join(lines[:line] + lines[line + 1 :]))
        elif how in ("truncate", "empty"):
            os.truncate(path, 0 if how == "empty" else chance.randint(0, len(content)))
        elif how == "remove":
            self.saved.append((path, content))
            path.unlink()
        elif how in ("repeat", "junk"):
            more = lines[line] if how == "repeat" and lines else b'{"v":1,"id":"nothing"}\n'
            with path.open("ab") as file:
                file.write(more)
        elif how == "swap" and len(lines) > 1:
            lines[line - 1], lines[line] = lines[line], lines[line - 1]
            in_place(path, b"".join(lines))
        elif how == "save":
            self.saved.append((path, content))
        elif self.saved:
            self._bring_back(how, *chance.choice(self.saved))

    def _bring_back(self, how: str, path: Path, content: bytes) -> None:
        if how == "append_saved" and path.exists():
            with path.open("ab") as file:
                file.write(content)
        elif how == "put_back_by_rename":
            aside = path.with_suffix(".aside")
            aside.write_bytes(content)
            os.replace(aside, path)
        else:
            before = path.stat() if path.exists() else None
            in_place(path, content)
            if how == "put_back_dated" and before is not None:  # as `cp -p` and `touch -r` do
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    # What must hold

    def assert_like_a_rebuild(self) -> None:
        self.ledger.recall("parser lexer")
        with room(self.root, home=f"{self.root}/home", clock=self.clock) as seen:
            mine, fresh = seen.index.get(), SqliteIndex(None)
            catch_up(fresh, seen.index.sources(), now=self.clock.ms, hold_back=False, progress=None)
            assert told(mine, self.clock.ms) == told(fresh, self.clock.ms)
            assert_words_match(mine)
            fresh.close()
            assert_filled_alike(seen.index.sources(), self.clock.ms)
        bad = [one for one in self.ledger.verify().damage if one.rule == "bad-line"]
        found = [one for one in self.ledger.doctor() if one.rule == "bad-line"]
        assert len(found) == len(bad)


def in_place(path: Path, content: bytes) -> None:
    """Write a file anew under its inode, as an editor does."""
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(content)
        file.truncate()


def told(index: SqliteIndex, now: int) -> tuple:
    """Return everything an index says that does not hang on how it came to know it."""
    return (
        index_dump(index, now),
        index_judgements(index),
        [event.id for event in index.events(EventWhere())],
        sorted(index.logs().bad_lines()),
        sorted(index.db.execute("select * from head").fetchall()),
        index.purges().barred(),
    )


steps = st.lists(
    st.tuples(st.sampled_from(VERBS + EDITS), st.integers(0, 99)), min_size=4, max_size=24
)
SAID = [("remember", 1), ("remember", 2), ("remember", 4)]


@settings(
    derandomize=True,
    max_examples=max(10, settings.default.max_examples // 2),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps)
@example([*SAID, ("save", 0), ("delete", 0), ("recall", 1), ("put_back", 0)])
@example([*SAID, ("recall", 1), ("flip", 3), ("remember", 5)])
@example([*SAID, ("save", 0), ("flip", 3), ("recall", 1), ("put_back_dated", 0)])
@example([*SAID, ("move_head", 0), ("remember", 5), ("recall", 1), ("delete", 2)])
@example([*SAID, ("save", 0), ("recall", 1), ("truncate", 5), ("append_saved", 0)])
def test_after_any_rewriting_of_segments_the_index_equals_a_rebuild(home, plan):
    root = Path(tempfile.mkdtemp(dir=home))
    bench = Bench(root)
    try:
        for what, number in plan:
            if what in EDITS:
                bench.edit(what, number)
            else:
                bench.say(what, number)
                if what == "recall":
                    bench.assert_like_a_rebuild()
        bench.assert_like_a_rebuild()
    finally:
        bench.ledger.close()
        shutil.rmtree(root)
