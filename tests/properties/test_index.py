"""The SQLite index is the same fold: however files come and go, it shows what a replay shows."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from time import sleep
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import varves
from tests.properties.lines import purged
from tests.properties.shelf import (
    LOGS,
    Shelf,
    assert_filled_alike,
    assert_words_match,
    contents,
    index_dump,
    index_judgements,
    index_rows,
)
from tests.properties.world import (
    START,
    dump_of,
    judgements,
    many,
    play,
    replicas,
    scripts,
    union,
)
from varves.events.codec import encode
from varves.index.runner import rebuild
from varves.index.sqlite.index import SqliteIndex
from varves.index.where import EventWhere, Where

if TYPE_CHECKING:
    from varves.events.event import Event

seeds = st.integers(0, 2**32)


def assert_same(shelf: Shelf) -> None:
    events = shelf.events()
    assert index_dump(shelf.index, START) == dump_of(events)
    assert index_judgements(shelf.index) == judgements(events)
    assert_words_match(shelf.index)
    assert_counts(shelf, events)


def assert_counts(shelf: Shelf, events: list[Event]) -> None:
    """Compare the numbers that `status` shows with what is in the files and in the rows."""
    assert shelf.index.count(EventWhere()) == len(events)
    for log in LOGS:
        seen = [one for one in shelf.segments if one.log == log and one.seen >= 0]
        ids = {event.id for one in seen for event in one.events()}
        assert shelf.index.logs().extent(log) == (len(seen), len(ids))
    rows = index_rows(shelf.index)
    assert shelf.index.count_by(Where(), "status") == Counter(row["status"] for row in rows)
    erased = {event.protocol for event in events if event.purged}
    assert shelf.index.protocols() == erased | {row["protocol"] for row in rows}


@many
@given(scripts, seeds, st.booleans())
def test_the_index_equals_a_replay_whatever_files_appear_grow_and_vanish(script, seed, settled):
    chance = random.Random(seed)
    group = play(script)
    lines = {name: line for one in group for name, line in one.lines.items()}
    events = list(union(*(one.events.values() for one in group)).values())
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder, settled=settled)
        shelf.lay_out(events, lines, chance)
        for _ in range(chance.randint(2, 6)):
            for segment in shelf.segments:
                draw = chance.random()
                if draw < 0.35:
                    shelf.show(segment, len(segment.content))
                elif draw < 0.55:
                    shelf.show(segment, chance.randint(0, len(segment.content)))
                elif draw < 0.65:
                    shelf.show(segment, -1)
            shelf.catch_up(START)
            assert_same(shelf)
        for segment in shelf.segments:
            shelf.show(segment, len(segment.content))
        shelf.catch_up(START)
        assert_same(shelf)
        shelf.index = SqliteIndex(None)
        shelf.catch_up(START)
        assert_same(shelf)
        assert_filled_alike(shelf.sources, START)


@given(scripts, seeds)
def test_the_index_forgets_what_a_purge_erased(script, seed):
    """A purge replaces a file by one with the same lines, some of them emptied."""
    chance = random.Random(seed)
    ada = play(script)[0]
    events = list(ada.events.values())
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        shelf.lay_out(events, ada.lines, chance)
        for segment in shelf.segments:
            shelf.show(segment, len(segment.content))
        shelf.catch_up(START)
        for segment in shelf.segments:
            whole = segment.content.split(b"\n")[:-1]
            mixed = [
                purged(line) if b',"data":' in line and chance.random() < 0.4 else line
                for line in whole
            ]
            shelf.show(segment, -1)
            segment.content = b"".join(line + b"\n" for line in mixed)
            shelf.show(segment, len(segment.content))
            if chance.random() < 0.5:
                shelf.catch_up(START)
                assert_same(shelf)
        shelf.catch_up(START)
        assert_same(shelf)
        assert_filled_alike(shelf.sources, START)


@many
@given(scripts, seeds)
def test_of_several_lines_of_one_event_the_index_counts_the_same_as_a_replay(script, seed):
    """Purged on one branch, or said twice after a failed sync; and each file may go again."""
    chance = random.Random(seed)
    ada = play(script)[0]
    events = list(ada.events.values())
    others = {}
    for event in events:
        if chance.random() < 0.5:
            fields = dict(event.fields)
            fields["hlc"] = f"{int(event.hlc, 16) + chance.randint(-9, 9):016x}"
            fields["writer"] = "ada.else"
            line = encode(fields)[:-1]
            others[event.id] = purged(ada.lines[event.id]) if chance.random() < 0.5 else line
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        shelf.lay_out(events, ada.lines, chance)
        shelf.lay_out([ada.events[name] for name in others], others, chance)
        for _ in range(4):
            for segment in shelf.segments:
                draw = chance.random()
                if draw < 0.5:
                    shelf.show(segment, len(segment.content))
                elif draw < 0.7:
                    shelf.show(segment, -1)
            shelf.catch_up(START)
            assert_same(shelf)
            assert_filled_alike(shelf.sources, START)


def place_and_fail(index: SqliteIndex) -> None:
    with index.update() as batch:
        for number in range(500):
            batch.place(1, f"event {number}", "mark" * 100)
        raise ZeroDivisionError


def test_an_update_of_a_filled_index_that_fails_is_taken_back(tmp_path):
    """In memory too: an index is filled without a journal, and then has one."""
    [ada] = replicas("ada")
    ada.remember("Use Zod")
    shelf = Shelf(str(tmp_path))
    shelf.lay_out(list(ada.events.values()), ada.lines, random.Random(1))
    for segment in shelf.segments:
        shelf.show(segment, len(segment.content))
    for index in (SqliteIndex(None), SqliteIndex(str(tmp_path / "index.sqlite"))):
        rebuild(index, shelf.sources, now=START, hold_back=False, progress=None, bulk=-1)
        before = contents(index)
        with pytest.raises(ZeroDivisionError):
            place_and_fail(index)
        assert contents(index) == before
        assert index.is_sound()
        index.close()


def test_a_lift_that_went_away_lifts_nothing_when_its_rejection_comes_back():
    """Regression: with no rejection left, lifts were not looked at any more."""
    [ada] = replicas("ada")
    name, recorded = ada.remember("Use Zod")
    _, forgotten = ada.forget(name)
    _, lifting = ada.remember("Use Zod", again=True)
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        for event in (recorded, forgotten, lifting):
            shelf.lay_out([ada.events[event]], ada.lines, random.Random(1))
        rejecting, lift = shelf.segments[1], shelf.segments[2]
        for segment in shelf.segments:
            shelf.show(segment, len(segment.content))
        shelf.catch_up(START)
        for segment, size in ((rejecting, -1), (lift, -1), (rejecting, len(rejecting.content))):
            shelf.show(segment, size)
            shelf.catch_up(START)
            assert_same(shelf)


def test_a_text_that_comes_after_its_event_is_read_when_it_comes(tmp_path, home):
    """A checkout writes segments before blobs, and somebody may read in between."""
    with varves.open(str(tmp_path), home=str(tmp_path / "h")) as ledger:
        name = ledger.remember("word " * 60_000).id
        [blob] = (tmp_path / ".varves/log/blobs").iterdir()
        whole = blob.read_bytes()
        blob.unlink()
        ledger.rebuild()
        assert ledger.show(name).text == ""
        assert ledger.recall("word").hits == ()
        sleep(0.06)  # until the folders' times are old enough to be trusted
        assert ledger.list()
        blob.write_bytes(whole)
        assert ledger.show(name).text == "word " * 60_000
        assert ledger.recall("word").hits[0].memory.id == name


def test_bytes_that_are_not_the_text_are_not_taken_for_it(tmp_path, home):
    """A blob half written, or changed, is as good as missing until it is right."""
    with varves.open(str(tmp_path), home=str(tmp_path / "h")) as ledger:
        name = ledger.remember("word " * 60_000).id
        [blob] = (tmp_path / ".varves/log/blobs").iterdir()
        whole = blob.read_bytes()
        for wrong in (whole[:100], whole.upper(), b""):
            blob.write_bytes(wrong)
            ledger.rebuild()
            assert ledger.show(name).text == ""
            assert not ledger.verify().ok
        blob.write_bytes(whole)
        assert ledger.show(name).text == "word " * 60_000
        assert ledger.verify().ok


def test_a_long_private_text_is_read_without_git_too(tmp_path, home):
    """Regression: its log is then kept under another key."""
    with varves.open(str(tmp_path), home=str(tmp_path / "h")) as ledger:
        name = ledger.remember("word " * 60_000, private=True).id
        ledger.rebuild()
        assert ledger.show(name).text == "word " * 60_000
