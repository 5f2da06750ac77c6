from __future__ import annotations

import os
import sqlite3

import pytest

from tests.noted import noted
from tests.places import local_of
from varves.errors import Refused, UnsafeName
from varves.files.published import PublishedTree
from varves.files.renderings import Views
from varves.places.places import Places
from varves.places.store import Files

FOLDERS = ("memory/a",)
NAME = "local/state.sqlite"
FILE = "memory/a/x.json"


@pytest.fixture
def places(tmp_path):
    """A ledger's places, made."""
    made = places_of(tmp_path)
    made.make()
    return made


def places_of(root):
    """A ledger's places, whether or not it is made."""
    return Places(str(root), str(root / "home"), teams={}, files=Files)


@pytest.fixture
def views(places):
    """The bookkeeping of a ledger with one rendered file."""
    made = Views(places, "test")
    look(made)
    show(made, b"one\n")
    return made


def look(views):
    """Look at all JSON files."""
    return views.look(FOLDERS, lambda path: path.endswith(".json"))


def show(views, content):
    """Render the file."""
    views.files.put_all({FILE: content})
    views.note({FILE: content})


def test_what_was_rendered_is_known_and_what_was_not_is_read(views, tmp_path):
    assert look(views).unknown == {}
    (tmp_path / FILE).write_bytes(b"two\n")
    assert look(views).unknown == {FILE: b"two\n"}
    (tmp_path / "memory/a/y.json").write_bytes(b"more\n")
    (tmp_path / "memory/a/y.txt").write_bytes(b"foreign\n")
    assert look(views).unknown == {FILE: b"two\n", "memory/a/y.json": b"more\n"}


def test_a_file_changed_right_after_it_was_rendered_is_read_again(views, tmp_path):
    for number in range(50):
        show(views, b"%04d\n" % number)
        (tmp_path / FILE).write_bytes(b"x%03d\n" % number)
        assert look(views).unknown == {FILE: b"x%03d\n" % number}
    kept = noted(tmp_path, "select seen from file")  # where clocks tick slowly it proves nothing
    assert kept == [(None,)]


def test_an_older_rendering_and_a_missing_file_are_told_apart_from_edits(views, tmp_path):
    show(views, b"two\n")
    (tmp_path / FILE).write_bytes(b"one\n")
    seen = look(views)
    assert (seen.unknown, seen.older, seen.missing) == ({}, {FILE}, set())
    (tmp_path / FILE).unlink()
    seen = look(views)
    assert (seen.unknown, seen.older, seen.missing) == ({}, set(), {FILE})


def test_what_is_to_be_gone_is_not_missing(views, tmp_path):
    views.files.take_away(FILE, keep=FOLDERS)
    views.note({FILE: None})

    assert look(views).missing == set()
    assert (tmp_path / "memory/a").is_dir()


def test_the_newest_versions_are_kept_newest_first_and_not_for_ever(views, tmp_path):
    for number in range(20):
        show(views, b"%d\n" % number)

    assert views.versions(FILE)[:3] == [b"19\n", b"18\n", b"17\n"]
    assert len(views.versions(FILE)) == 6
    assert noted(tmp_path, "select count(*) from rendered") == [(21,)]


def test_what_is_expected_but_was_never_noted_is_no_edit(views, tmp_path):
    views.expect({FILE: b"two\n"})
    (tmp_path / FILE).write_bytes(b"two\n")  # the process was killed right after

    assert look(views).unknown == {}


def test_the_bookkeeping_outlives_the_process_and_can_be_thrown_away(views, places, tmp_path):
    views.close()
    again = Views(places, "test")
    assert (look(again).unknown, again.versions(FILE)) == ({}, [b"one\n"])
    again.files.set_aside(FILE, b"edited")
    again.forget()
    assert os.listdir(local_of(tmp_path) / "aside") == []
    assert look(Views(places, "test")).unknown == {FILE: b"one\n"}
    assert b"one" not in (tmp_path / ".varves" / NAME).read_bytes()


@pytest.mark.parametrize("content", [b"", b"noise" * 1000, b"SQLite format 3\0" + b"x" * 4096])
def test_a_damaged_file_is_made_again(views, places, tmp_path, content):
    views.close()
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        (tmp_path / ".varves" / name).unlink(missing_ok=True)
    (tmp_path / ".varves" / NAME).write_bytes(content)
    (tmp_path / ".varves" / NAME).chmod(0o600)

    again = Views(places, "test")
    assert look(again).unknown == {FILE: b"one\n"}
    show(again, b"one\n")
    again.close()
    assert look(Views(places, "test")).unknown == {}


def test_a_file_that_came_with_a_branch_is_not_believed(views, places, tmp_path):
    views.close()
    path = tmp_path / ".varves" / NAME
    with sqlite3.connect(path) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    content = path.read_bytes()
    for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
        (tmp_path / ".varves" / name).unlink(missing_ok=True)
    (tmp_path / "copy").write_bytes(content)
    os.rename(tmp_path / "copy", path)

    assert look(Views(places, "test")).unknown == {FILE: b"one\n"}


@pytest.mark.parametrize("kind", ["link", "second name"])
def test_what_lies_outside_is_never_written_through_the_bookkeeping(places, tmp_path, kind):
    outside = tmp_path / "outside"
    outside.write_bytes(b"")
    if kind == "link":
        (tmp_path / ".varves" / NAME).symlink_to(outside)
    else:
        os.link(outside, tmp_path / ".varves" / NAME)
    views = Views(places, "test")
    look(views)

    show(views, b"one\n")

    assert outside.read_bytes() == b""
    assert look(views).unknown == {}


def test_where_there_is_no_ledger_none_is_made(tmp_path):
    views = Views(places_of(tmp_path), "test")

    assert look(views).unknown == {}
    assert not (tmp_path / ".varves").exists()


def test_empty_folders_go_with_their_last_file_but_for_those_to_keep(tmp_path):
    files = PublishedTree(places_of(tmp_path))
    files.put_all({"memory/a/b/c/x.json": b"x", "memory/a/b/y.json": b"y"})

    files.take_away("memory/a/b/c/x.json", keep=FOLDERS)
    assert not (tmp_path / "memory/a/b/c").exists()
    files.take_away("memory/a/b/y.json", keep=FOLDERS)
    assert os.listdir(tmp_path / "memory") == ["a"]
    assert os.listdir(tmp_path / "memory/a") == []


def test_copies_set_aside_do_not_replace_each_other(tmp_path):
    files = PublishedTree(places_of(tmp_path))

    names = [files.set_aside("memory/a/_index.json", text) for text in (b"1", b"2", b"1")]

    assert len(set(names)) == 2
    assert [(tmp_path / name).read_bytes() for name in names] == [b"1", b"2", b"1"]


def test_what_a_killed_process_left_waiting_is_swept_up(tmp_path):
    files = PublishedTree(places_of(tmp_path))
    files.put_all({FILE: b"x"})
    (tmp_path / ".varves/local/.view.1.2.3").write_bytes(b"half")

    files.sweep()

    assert os.listdir(tmp_path / ".varves/local") == []


def test_nothing_is_written_through_a_link(tmp_path):
    files = PublishedTree(places_of(tmp_path))
    (tmp_path / "outside").mkdir()
    (tmp_path / "memory").symlink_to(tmp_path / "outside")

    with pytest.raises(UnsafeName, match="memory is a link"):
        files.put_all({FILE: b"x"})

    assert os.listdir(tmp_path / "outside") == []


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    files = PublishedTree(places_of(tmp_path))
    (tmp_path / "memory").write_bytes(b"mine")

    with pytest.raises(Refused):
        files.refuse_closed_folder("memory/a")
    with pytest.raises(Refused):
        files.put_all({FILE: b"x"})
    with pytest.raises(Refused):
        files.listing(FOLDERS, lambda _: True)

    assert (tmp_path / "memory").read_bytes() == b"mine"
